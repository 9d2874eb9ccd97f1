//! The file that a search writes down what it found in, and that the next one goes on from.
//!
//! A journal holds proofs, and it lies in the project's folder, so one could come with a stranger's repository and claim proofs that were
//! never made. So the user's cache, which no repository brings, records each journal that this user's Parallax has begun: the file itself, by
//! its number and the time when it was made. A file of the same name that somebody else has put there is another one. What is written
//! into the file afterwards is not watched: who can do that has the user's rights.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::SystemTime;

use build::cache::{Cache, Key};

use crate::error::{Error, Result, Trying};

/// The journal's name in the folder that keeps a search.
pub const JOURNAL: &str = "journal";

/// Locks a folder against another `parallax COMMAND` at the same time; `instead` says what else can be done. The lock ends
/// with the process.
pub fn lock(folder: &Path, command: &str, instead: &str) -> Result<File> {
    let path = folder.join("lock");
    let lock = File::create(&path).trying(|| format!("cannot write `{}`", path.display()))?;
    if lock.try_lock().is_err() {
        return Err(Error::InUse(format!(
            "another `parallax {command}` is at work in `{}`; wait for it, or {instead}",
            folder.display()
        )));
    }
    Ok(lock)
}

/// What lies where a journal is looked for.
pub enum KeptJournal {
    Nothing,
    /// The whole lines.
    Ours(String),
    /// Parallax did not begin it here, for this user.
    Foreign,
}

/// Reads a journal; nothing of one that somebody else has put there. What was cut off behind them is cut off for good, so
/// that the next line stands by itself.
pub fn read(path: &Path) -> Result<KeptJournal> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(KeptJournal::Nothing);
        }
        Err(error) => {
            return Err(error).trying(|| format!("cannot read `{}`", path.display()));
        }
    };
    if !text.is_empty() && !is_ours(path)? {
        return Ok(KeptJournal::Foreign);
    }
    let whole = text.iter().rposition(|&byte| byte == b'\n');
    let whole = whole.map_or(0, |end| end + 1);
    if whole < text.len() {
        let file = File::options().write(true).open(path);
        file.and_then(|file| file.set_len(whole as u64))
            .trying(|| format!("cannot mend `{}`", path.display()))?;
    }
    let text = String::from_utf8_lossy(&text[..whole]);
    Ok(KeptJournal::Ours(text.into_owned()))
}

/// Writes behind what is in a journal.
pub fn append(path: &Path) -> Result<Box<dyn Write + Send>> {
    let file = File::options().create(true).append(true).open(path);
    let file = file.trying(|| format!("cannot write `{}`", path.display()))?;
    if file.metadata().is_ok_and(|data| data.len() == 0) {
        let (cache, name) = record(path)?;
        cache.publish_bytes(identity(path)?.as_bytes(), KIND, &name)?;
    }
    Ok(Box::new(file))
}

/// Journals that were begun, in the cache.
const KIND: &str = "journals";

/// Where it stands that the journal of this path was begun.
fn record(path: &Path) -> Result<(Cache, String)> {
    let absolute =
        std::path::absolute(path).trying(|| format!("cannot resolve `{}`", path.display()))?;
    let name = Key::new("journal 1").add_path(&absolute).finish();
    Ok((Cache::locate()?, name))
}

fn is_ours(path: &Path) -> Result<bool> {
    let (cache, name) = record(path)?;
    let begun = std::fs::read_to_string(cache.entry(KIND, &name));
    let identity = identity(path)?;
    Ok(begun.is_ok_and(|begun| begun == identity))
}

/// Which file it is, whatever it holds. A file system that does not say when it was made has numbers alone.
fn identity(path: &Path) -> Result<String> {
    let data = path.metadata();
    let data = data.trying(|| format!("cannot examine `{}`", path.display()))?;
    let made = data.created().ok();
    let made = made.and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok());
    let nanoseconds = made.map_or(0, |made| made.as_nanos());
    Ok(format!("{} {} {nanoseconds}", data.dev(), data.ino()))
}

/// Removes a journal, if there is one.
pub fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).trying(|| format!("cannot remove `{}`", path.display()))
        }
        _ => Ok(()),
    }
}
