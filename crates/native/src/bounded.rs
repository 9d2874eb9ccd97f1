//! Reading files that somebody else has written: not pipes or devices, which never end, and not more than is sensible.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Of a file of a test, and of all its files together.
pub const TEST_BYTES: u64 = 256 << 20;

/// The content of a regular file of at most so many bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    // Looked at before it is opened: opening a pipe waits.
    let kind = std::fs::metadata(path)?;
    if !kind.is_file() {
        let what = if kind.is_dir() {
            "it is a folder"
        } else {
            "it is no regular file"
        };
        return Err(Error::new(ErrorKind::InvalidInput, what));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it is larger than {} MB", most >> 20);
        return Err(Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert_eq!(read(&file, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        assert_eq!(read(&link, 5).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(
            read(&folder.path().join("none"), 5).unwrap_err().kind(),
            ErrorKind::NotFound
        );
    }
}
