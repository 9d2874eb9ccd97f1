//! The files of a run: written before it, read after it.
//!
//! What is read was made by the program. So no link is followed, nothing but regular files is opened, and size and number
//! have bounds.

use std::collections::BTreeMap;
use std::fs::{File, Permissions};
use std::io::{ErrorKind, Read};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::usage::Held;
use super::{Because, Failure, Outcome, is_inside};
use crate::{Limit, Limits};

/// Who a file belongs to, if not to its maker.
pub(super) type Owner = Option<(u32, u32)>;

/// Writes the files of a request into a folder.
pub(super) fn write(
    folder: &Path,
    files: &BTreeMap<PathBuf, Vec<u8>>,
    owner: Owner,
) -> Outcome<()> {
    give(folder, owner)?;
    for (name, content) in files {
        if !is_inside(name) {
            let text = format!("the file `{}` is not in the working folder", name.display());
            return Err(Failure::NotStarted(text));
        }
        let mut below = folder.to_owned();
        for part in name.parent().into_iter().flat_map(Path::iter) {
            below.push(part);
            if !below.is_dir() {
                std::fs::create_dir(&below).because("make a folder of a test")?;
                give(&below, owner)?;
            }
        }
        let path = folder.join(name);
        std::fs::write(&path, content).because("write a file of a test")?;
        give(&path, owner)?;
    }
    Ok(())
}

pub(super) fn give(path: &Path, owner: Owner) -> Outcome<()> {
    match owner {
        None => Ok(()),
        Some((user, group)) => {
            chown(path, Some(user), Some(group)).because("give a file to the program's user")
        }
    }
}

/// What a run has left: regular files by name, and their modes in this order.
pub(super) type Left = (BTreeMap<PathBuf, Vec<u8>>, Vec<u32>);

/// The regular files below a folder. Nothing runs any more that could change them.
pub(super) fn read(folder: &Path, limits: &Limits) -> Result<Left, Limit> {
    let (mut files, mut modes) = (BTreeMap::new(), BTreeMap::new());
    let (mut bytes, mut number) = (0_u64, 0_u64);
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let here = folder.join(&below);
        for entry in list(&here) {
            let Ok(entry) = entry else { continue };
            number += 1;
            if number > limits.folder_files {
                return Err(Limit::Folder);
            }
            let name = below.join(entry.file_name());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push(name),
                Ok(kind) if kind.is_file() => {
                    // Of the file itself: no link is followed. Reading may need another mode.
                    let mode = entry.metadata().map_or(0, |data| data.permissions().mode());
                    let left = limits.folder_bytes - bytes;
                    let content = content(&entry.path(), left)?;
                    bytes += content.len() as u64;
                    modes.insert(name.clone(), mode & 0o7777);
                    files.insert(name, content);
                }
                _ => {}
            }
        }
    }
    Ok((files, modes.into_values().collect()))
}

/// A folder that the program has closed to its owner is opened again.
fn list(folder: &Path) -> impl Iterator<Item = std::io::Result<std::fs::DirEntry>> {
    let list = std::fs::read_dir(folder).or_else(|_| {
        std::fs::set_permissions(folder, Permissions::from_mode(0o700))?;
        std::fs::read_dir(folder)
    });
    list.into_iter().flatten()
}

/// Nothing if it cannot be read.
fn content(path: &Path, most: u64) -> Result<Vec<u8>, Limit> {
    let open = || {
        std::fs::OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)
    };
    let file = open().or_else(|_| {
        std::fs::set_permissions(path, Permissions::from_mode(0o600))?;
        open()
    });
    let mut bytes = Vec::new();
    let read = |file: File| file.take(most + 1).read_to_end(&mut bytes);
    let _ = file.and_then(read);
    match bytes.len() as u64 > most {
        true => Err(Limit::Folder),
        false => Ok(bytes),
    }
}

/// Paths are no longer than this below a folder that is held open.
const LONGEST_PATH: usize = 2000;

/// Whether folders together, with the files that have lost their names, hold more than they may; for what nothing else bounds.
///
/// They can be deeper than any path, so folders on the way are held open. One that cannot be looked into counts as too large.
pub(super) fn is_too_large(folders: &[&Path], limits: &Limits, held: &Held) -> bool {
    // Of those that are mapped alone the size is not to be seen.
    let nameless = held.nameless_bytes + held.only_mapped_files * limits.file_bytes;
    let (mut bytes, mut number) = (nameless, held.nameless_files);
    let is_too_much = |bytes, number| number > limits.folder_files || bytes > limits.folder_bytes;
    if is_too_much(bytes, number) {
        return true;
    }
    let mut pending: Vec<Below> = folders.iter().map(|&folder| Below::new(folder)).collect();
    while let Some(here) = pending.pop() {
        let entries = match here.list() {
            Ok(entries) => entries,
            Err(error) if is_gone(&error) => continue,
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            number += 1;
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                match here.enter(entry) {
                    Ok(below) => pending.push(below),
                    Err(error) if is_gone(&error) => {}
                    Err(_) => return true,
                }
            } else {
                bytes += data.blocks() * 512;
            }
            if is_too_much(bytes, number) {
                return true;
            }
        }
    }
    false
}

/// The program runs, and moves and removes what was there a moment ago.
fn is_gone(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}

/// A folder by its path, or by its path below one that is held open.
struct Below {
    path: PathBuf,
    /// Kept because `path` leads through its descriptor.
    held: Option<Rc<File>>,
}

impl Below {
    fn new(folder: &Path) -> Below {
        Below {
            path: folder.to_owned(),
            held: None,
        }
    }

    fn list(&self) -> std::io::Result<std::fs::ReadDir> {
        std::fs::read_dir(&self.path)
    }

    /// A folder that was listed here.
    fn enter(&self, entry: std::fs::DirEntry) -> std::io::Result<Below> {
        let path = entry.path();
        if path.as_os_str().len() <= LONGEST_PATH {
            let held = self.held.clone();
            return Ok(Below { path, held });
        }
        // Not through a link that has taken its place.
        let folder = File::options()
            .read(true)
            .custom_flags(libc::O_DIRECTORY | libc::O_NOFOLLOW)
            .open(path)?;
        Ok(Below {
            path: PathBuf::from(format!("/proc/self/fd/{}", folder.as_raw_fd())),
            held: Some(Rc::new(folder)),
        })
    }
}

/// Removes a folder, however deep it is and whatever modes it has. Nothing runs any more that could change it.
///
/// What is deeper than one folder is moved up, so no path grows and nothing is held open.
pub(super) fn remove(folder: &Path) {
    let mut number = 0_u64;
    let mut free_name = || loop {
        number += 1;
        let path = folder.join(number.to_string());
        if path.symlink_metadata().is_err() {
            return path;
        }
    };
    loop {
        let mut removed = 0;
        for entry in list(folder).flatten() {
            let path = entry.path();
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                removed += usize::from(std::fs::remove_file(path).is_ok());
                continue;
            }
            open(&path);
            for inner in list(&path).flatten() {
                let is_folder = inner.file_type().is_ok_and(|kind| kind.is_dir());
                let inner = inner.path();
                let _ = match is_folder {
                    true => {
                        open(&inner);
                        std::fs::rename(inner, free_name())
                    }
                    false => std::fs::remove_file(inner),
                };
            }
            removed += usize::from(std::fs::remove_dir(path).is_ok());
        }
        if removed == 0 {
            // Empty, or it cannot be done.
            let _ = std::fs::remove_dir(folder);
            return;
        }
    }
}

/// Lets the owner of a folder do everything there.
fn open(folder: &Path) {
    let _ = std::fs::set_permissions(folder, Permissions::from_mode(0o700));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with 4 MB in a file deeper than any path leads, made as a program does that changes into each.
    fn deep() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let script = "i=0; while [ $i -lt 40 ]; do mkdir $name && cd -P ./$name; i=$((i+1)); done; \
                      head -c 4194304 /dev/zero >large; mkdir closed; chmod 0 closed";
        let made = std::process::Command::new("sh")
            .args(["-c", script])
            .env("name", "d".repeat(200))
            .current_dir(folder.path())
            .status();
        assert!(made.unwrap().success());
        folder
    }

    #[test]
    fn no_depth_hides_a_file() {
        let folder = deep();
        let limits = Limits {
            folder_bytes: 3 << 20,
            ..Limits::default()
        };
        let held = Held::default();
        assert!(is_too_large(&[folder.path()], &limits, &held));
        remove(folder.path());
        assert!(!folder.path().exists());
    }

    #[test]
    fn files_without_a_name_count() {
        let folder = tempfile::tempdir().unwrap();
        let limits = Limits::default();
        let mut held = Held::default();
        assert!(!is_too_large(&[folder.path()], &limits, &held));
        held.nameless_bytes = limits.folder_bytes + 1;
        assert!(is_too_large(&[folder.path()], &limits, &held));
    }
}
