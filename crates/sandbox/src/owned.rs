//! Folders of the host that a build may write, when Parallax is run by root: behind the walls the build is somebody else, to whom they
//! must belong meanwhile.

use std::io;
use std::os::unix::fs::lchown;
use std::path::{Path, PathBuf};

use crate::launcher::{self, NOBODY};

/// Folders with all that is in them, given away for as long as this lives. Nothing is done unless this process is root's.
#[derive(Debug)]
pub struct Owned {
    folders: Vec<PathBuf>,
}

impl Owned {
    pub fn give(folders: &[PathBuf]) -> io::Result<Owned> {
        let mut owned = Owned {
            folders: Vec::new(),
        };
        if launcher::is_root() {
            for folder in folders {
                owned.folders.push(folder.clone());
                pass_on(folder, NOBODY)?;
            }
        }
        Ok(owned)
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        for folder in &self.folders {
            // What stays with nobody can still be read and removed by root.
            let _ = pass_on(folder, 0);
        }
    }
}

/// Nobody else works there: before a build there is none, and after it all its processes are gone. No link is followed, and the kernel
/// takes set-user-id bits away from what changes hands.
fn pass_on(path: &Path, user: u32) -> io::Result<()> {
    lchown(path, Some(user), Some(user))?;
    if path.symlink_metadata()?.is_dir() {
        for entry in std::fs::read_dir(path)? {
            pass_on(&entry?.path(), user)?;
        }
    }
    Ok(())
}
