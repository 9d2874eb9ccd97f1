//! Calls the bitcode reader, a program of its own, to turn a module into the IR image that the VM loads.
//!
//! The reader links LLVM; keeping it in another process keeps LLVM's start-up time and its crashes on
//! damaged input out of this one.

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::boxed::{self, Reach};
use super::cache::Key;
use super::error::{BuildError, IoContext, Result};
use super::toolchain::find_program;
use super::{Builder, Built};

const READER: &str = "parallax-read-bitcode";

/// Where images are in the cache.
pub(super) const KIND: &str = "images";

/// The reader: `PARALLAX_READER`, else beside this executable.
pub fn find_reader() -> Result<PathBuf> {
    let near = std::env::current_exe().context("find", "this executable")?;
    let reader = match std::env::var_os("PARALLAX_READER").filter(|name| !name.is_empty()) {
        Some(name) => find_program(&name),
        // Tests are one folder deeper than the executables.
        None => near
            .ancestors()
            .skip(1)
            .take(2)
            .map(|folder| folder.join(READER))
            .find(|path| path.is_file()),
    };
    reader
        .or_else(|| find_program(OsStr::new(READER)))
        .ok_or(BuildError::ReaderMissing { near })
}

impl Builder<'_> {
    /// The IR image of a module, read now if it is not in the cache.
    pub fn image(&self, built: &Built) -> Result<PathBuf> {
        self.image_of(&built.module, &built.hash)
    }

    /// The same for a module of which only the content hash is known besides.
    pub fn image_of(&self, module: &Path, hash: &str) -> Result<PathBuf> {
        let reader = self.reader()?;
        let name = self.image_name(hash)?;
        let entry = self.cache.entry(KIND, &name);
        if entry.is_file() {
            self.cache.used(&entry);
            return Ok(entry);
        }
        let work = self.cache.work_folder()?;
        let output = work.path().join("image.pir");
        let result = boxed::output_of(
            Command::new(reader).arg(module).arg("--out").arg(&output),
            Reach {
                read: &[module],
                write: &[work.path()],
                ..Reach::default()
            },
        )?;
        if !result.status.success() {
            let said = String::from_utf8_lossy(&result.stderr);
            let message = match result.status.signal() {
                Some(signal) => {
                    format!("LLVM crashed on it (signal {signal}); the bitcode is probably damaged")
                }
                None if said.trim().is_empty() => result.status.to_string(),
                None => {
                    let own = format!("{READER}: {}: ", module.display());
                    let said = said.trim();
                    said.strip_prefix(&own).unwrap_or(said).to_owned()
                }
            };
            return Err(BuildError::ReaderFailed { message });
        }
        self.cache.publish(&output, KIND, &name)
    }

    /// What the image of a module of that content is called.
    pub(super) fn image_name(&self, hash: &str) -> Result<String> {
        let mut key = Key::new("image 1");
        let name = key.add(hash).add_tool(self.reader()?)?.finish();
        Ok(format!("{name}.pir"))
    }
}
