//! The file that a search writes down what it found in, and that the next one goes on from.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};

/// The journal's name in the folder that keeps a search.
pub const JOURNAL: &str = "journal";

/// Locks a folder against another `parallax COMMAND` at the same time; `instead` says what else can be done. The lock ends
/// with the process.
pub fn lock(folder: &Path, command: &str, instead: &str) -> anyhow::Result<File> {
    let path = folder.join("lock");
    let lock = File::create(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
    if lock.try_lock().is_err() {
        bail!(
            "another `parallax {command}` is at work in `{}`; wait for it, or {instead}",
            folder.display()
        );
    }
    Ok(lock)
}

/// The whole lines of a journal; `None` if there is none. What was cut off behind them is cut off for good, so
/// that the next line stands by itself.
pub fn read(path: &Path) -> anyhow::Result<Option<String>> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
    };
    let whole = text.iter().rposition(|&byte| byte == b'\n');
    let whole = whole.map_or(0, |end| end + 1);
    if whole < text.len() {
        let file = File::options().write(true).open(path);
        file.and_then(|file| file.set_len(whole as u64))
            .with_context(|| format!("cannot mend `{}`", path.display()))?;
    }
    Ok(Some(String::from_utf8_lossy(&text[..whole]).into_owned()))
}

/// Writes behind what is in a journal.
pub fn append(path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(Box::new(file))
}

/// Removes a journal, if there is one.
pub fn remove(path: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove `{}`", path.display()))
        }
        _ => Ok(()),
    }
}
