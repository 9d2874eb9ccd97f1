//! The files of a run: written before it, read after it.
//!
//! What is read was made by the program. So no link is followed, nothing but regular files is opened, and size and number
//! have bounds.

use std::collections::BTreeMap;
use std::fs::{File, Permissions};
use std::io::Read;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

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

/// Whether folders together hold more than they may; for what nothing else bounds.
pub(super) fn is_too_large(folders: &[&Path], limits: &Limits) -> bool {
    let (mut bytes, mut number) = (0_u64, 0_u64);
    let mut pending: Vec<PathBuf> = folders.iter().map(|&folder| folder.to_owned()).collect();
    while let Some(here) = pending.pop() {
        for entry in std::fs::read_dir(here).into_iter().flatten().flatten() {
            number += 1;
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                pending.push(entry.path());
            } else {
                use std::os::unix::fs::MetadataExt;
                bytes += data.blocks() * 512;
            }
            if number > limits.folder_files || bytes > limits.folder_bytes {
                return true;
            }
        }
    }
    false
}
