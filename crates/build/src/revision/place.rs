//! A work folder in the cache for one version after another.

use std::path::{Path, PathBuf};

use crate::cache::{Cache, Key};
use crate::error::{IoContext, Result};
use crate::git::Checkout;

/// A folder that one worker holds. Its path is the same in the next run, so that cargo finds what it built there;
/// its content goes when the worker ends.
pub struct WorkPlace {
    folder: PathBuf,
    pub(super) checkout: Checkout,
    _lock: std::fs::File,
}

impl WorkPlace {
    /// The first place of the repository that no other worker holds.
    pub fn take(cache: &Cache, repository: &Path) -> Result<WorkPlace> {
        let name = Key::new("history place 1").add_path(repository).finish();
        for number in 0.. {
            let Some(lock) = cache.try_lock(&format!("history-{name}-{number}"))? else {
                continue;
            };
            let folder = cache.entry("history", &name).join(number.to_string());
            // An interrupted run may have left files.
            if folder.exists() {
                std::fs::remove_dir_all(&folder).context("remove", &folder)?;
            }
            std::fs::create_dir_all(&folder).context("create", &folder)?;
            let folder = folder.canonicalize().context("resolve", &folder)?;
            let checkout = Checkout::new(&folder).context("create a folder in", &folder)?;
            return Ok(WorkPlace {
                folder,
                checkout,
                _lock: lock,
            });
        }
        unreachable!("there is always a further number")
    }

    /// Where the files of a version are while it is built.
    pub fn folder(&self) -> &Path {
        self.checkout.folder()
    }
}

impl Drop for WorkPlace {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
