//! Source files that are shown to the user, or looked into for what a declaration says.
//!
//! Which file a line of code comes from is what debug information says, and whoever writes a program writes that too: `#line 1
//! "/home/user/.netrc"` names any file. So a file that its owner keeps to themselves is left alone unless it lies where the work
//! is: below the current folder or in the cache, and there in no hidden folder. Pipes, devices and very large files are no sources.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

use crate::cache::Cache;

/// A larger file is no source that a person looks at.
const MOST_BYTES: u64 = 16 << 20;
/// What everybody may do with a file that is no secret.
const READ_BY_OTHERS: u32 = 0o004;

/// The text of a source file; nothing if it is not there, is none, or is not for others to see.
pub fn read(path: &Path) -> Option<Vec<u8>> {
    let places = [
        std::env::current_dir().ok(),
        Cache::locate().ok().map(|cache| cache.root().to_owned()),
    ];
    read_unless_private(path, &places.into_iter().flatten().collect::<Vec<_>>())
}

fn read_unless_private(path: &Path, places: &[PathBuf]) -> Option<Vec<u8>> {
    // Where links lead, and looked at before it is opened: opening a pipe waits.
    let path = path.canonicalize().ok()?;
    let data = path.metadata().ok()?;
    let is_open = data.permissions().mode() & READ_BY_OTHERS != 0;
    let is_at_work = || places.iter().any(|place| lies_below(&path, place));
    if !data.is_file() || data.len() > MOST_BYTES || !(is_open || is_at_work()) {
        return None;
    }
    let mut bytes = Vec::new();
    // The files of `/proc` have no length, and are none of ours.
    File::open(&path)
        .ok()?
        .take(data.len())
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// Whether a file is below a folder, and not in a hidden one or hidden itself.
fn lies_below(path: &Path, folder: &Path) -> bool {
    let folder = folder.canonicalize();
    let below = folder
        .ok()
        .and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
    let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
    below.is_some_and(|below| !below.components().any(is_hidden))
}

#[cfg(test)]
mod tests {
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn what_others_may_not_read_is_read_only_where_the_work_is() {
        let folder = tempfile::tempdir().unwrap();
        let [work, hidden, other] =
            ["work", "work/.hidden", "other"].map(|name| folder.path().join(name));
        let mut files = Vec::new();
        for place in [&work, &hidden, &other] {
            create_dir(place).unwrap();
            let file = place.join("file");
            write(&file, "text").unwrap();
            files.push(file);
        }
        symlink(&files[2], work.join("link")).unwrap();
        files.push(work.join("link"));
        let read = |mode| {
            for file in &files {
                set_permissions(file, Permissions::from_mode(mode)).unwrap();
            }
            let places = [work.clone()];
            let read = files
                .iter()
                .map(|file| read_unless_private(file, &places).is_some());
            read.collect::<Vec<bool>>()
        };
        assert_eq!(read(0o644), [true, true, true, true]);
        assert_eq!(read(0o600), [true, false, false, false]);
        assert_eq!(read_unless_private(&files[0], &[work]).unwrap(), b"text");
    }

    #[test]
    fn what_has_no_end_is_no_source() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let everywhere = [PathBuf::from("/")];
        for path in [&pipe, Path::new("/dev/zero"), folder.path()] {
            assert_eq!(read_unless_private(path, &everywhere), None);
        }
        for path in ["/proc/self/environ", "/proc/self/maps"] {
            assert!(
                read_unless_private(Path::new(path), &everywhere)
                    .unwrap_or_default()
                    .is_empty()
            );
        }
    }
}
