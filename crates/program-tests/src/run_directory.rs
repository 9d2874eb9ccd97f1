//! A fresh directory for one run, holding the files the run was given, removed afterwards.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::directives::Run;

pub struct RunDirectory {
    root: PathBuf,
}

impl RunDirectory {
    /// Creates `<parent>/runs/<unique>` with a working directory that holds the run's files, and
    /// the standard input beside it.
    pub fn create(parent: &Path, run: &Run) -> io::Result<RunDirectory> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        let directory = RunDirectory {
            root: parent.join("runs").join(name),
        };
        let working = directory.working();
        std::fs::create_dir_all(&working)?;
        std::fs::write(directory.stdin(), &run.stdin)?;
        for (name, content) in &run.files {
            let path = working.join(name);
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            std::fs::write(path, content)?;
        }
        Ok(directory)
    }

    pub fn working(&self) -> PathBuf {
        self.root.join("work")
    }

    pub fn stdin(&self) -> PathBuf {
        self.root.join("stdin")
    }
}

impl Drop for RunDirectory {
    fn drop(&mut self) {
        // A leftover directory below the build folder does no harm; a panic here would hide the result.
        let _ = std::fs::remove_dir_all(&self.root);
    }
}
