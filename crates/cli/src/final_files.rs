//! `parallax run --files-out`: the working folder as the program left it, written to the host.
//!
//! The folder is made before the run, so that a wrong name costs nothing; it must be new, so that
//! nothing on the host is overwritten. What the program changed outside its working folder is not kept.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::Context;
use concolic_vm::linux::{FileConfig, FileKind, FileState, Kernel, KernelConfig};

pub(super) struct FinalFiles {
    output: PathBuf,
    /// The program's working folder.
    folder: Vec<u8>,
    /// What the working folder held at the start, by absolute path.
    initial: BTreeMap<Vec<u8>, FileConfig>,
}

impl FinalFiles {
    pub(super) fn prepare(output: &Path, config: &KernelConfig) -> anyhow::Result<FinalFiles> {
        std::fs::create_dir(output).with_context(|| {
            format!(
                "cannot make the folder `{}` for the program's files",
                output.display()
            )
        })?;
        let mut folder = config.working_directory.clone();
        if folder.last() != Some(&b'/') {
            folder.push(b'/');
        }
        let mut initial = config.files.clone();
        initial.retain(|path, _| path.starts_with(&folder));
        Ok(FinalFiles {
            output: output.to_owned(),
            folder,
            initial,
        })
    }

    pub(super) fn write(self, kernel: &Kernel) -> anyhow::Result<()> {
        let mut files = self.initial;
        for change in kernel.file_changes() {
            if !change.path.starts_with(&self.folder) {
                continue;
            }
            match change.after.and_then(writable) {
                Some(file) => files.insert(change.path, file),
                None => files.remove(&change.path),
            };
        }
        // Permissions come last, from the innermost outwards: they may forbid adding to a folder.
        let mut modes = Vec::new();
        for (path, file) in &files {
            let name = OsStr::from_bytes(&path[self.folder.len()..]);
            let path = self.output.join(name);
            write_file(&path, file)
                .with_context(|| format!("cannot write the program's file `{}`", path.display()))?;
            if !matches!(file.kind, FileKind::Symlink(_)) {
                modes.push((path, file.mode & 0o7777));
            }
        }
        for (path, mode) in modes.into_iter().rev() {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode))
                .with_context(|| format!("cannot set the permissions of `{}`", path.display()))?;
        }
        Ok(())
    }
}

fn writable(state: FileState) -> Option<FileConfig> {
    let (kind, mode) = match state {
        FileState::File { content, mode, .. } => (FileKind::File(content), mode),
        FileState::Directory { mode, .. } => (FileKind::Directory, mode),
        FileState::Symlink { target } => (FileKind::Symlink(target), 0o777),
        FileState::Device { .. } => return None,
    };
    Some(FileConfig {
        kind,
        mode,
        owner: None,
    })
}

/// Folders come before what is in them: a path sorts before those that it begins.
fn write_file(path: &Path, file: &FileConfig) -> std::io::Result<()> {
    match &file.kind {
        FileKind::File(content) => std::fs::write(path, content.bytes()),
        FileKind::Directory => std::fs::create_dir(path),
        FileKind::Symlink(target) => std::os::unix::fs::symlink(OsStr::from_bytes(target), path),
    }
}
