//! A file that is written at the end of a long job: whether that can be done is known at the beginning, and a file that is there is
//! replaced by a whole one, or stays as it is.

use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// A place for a file.
pub(crate) struct NewFile {
    path: PathBuf,
    /// `None` for what is no regular file, as a pipe: it is written to as it is.
    work: Option<NamedTempFile>,
}

impl NewFile {
    /// Makes sure that a file can be written.
    pub(crate) fn at(path: &Path) -> anyhow::Result<NewFile> {
        if path.is_dir() {
            bail!("`{}` is a folder; give the name of a file", path.display());
        }
        let is_special = path.exists() && !path.is_file();
        let folder = match path.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let work = (!is_special).then(|| {
            tempfile::Builder::new()
                .prefix(".parallax-")
                .permissions(Permissions::from_mode(0o666))
                .tempfile_in(folder)
        });
        let work = work.transpose();
        Ok(NewFile {
            work: work.with_context(|| format!("cannot write `{}`", path.display()))?,
            path: path.to_owned(),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn write(self, text: &str) -> anyhow::Result<()> {
        let NewFile { path, work } = self;
        let fail = || format!("cannot write `{}`", path.display());
        match work {
            None => std::fs::write(&path, text).with_context(fail),
            Some(mut work) => {
                work.write_all(text.as_bytes()).with_context(fail)?;
                work.flush().with_context(fail)?;
                work.persist(&path).with_context(fail)?;
                Ok(())
            }
        }
    }
}
