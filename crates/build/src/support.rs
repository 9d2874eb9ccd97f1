//! Sources of Parallax's own that are linked with a version, as drivers of functions need them.
//!
//! They are the same for every version, and compiled once for all of them: without the arguments for a version's own sources, which are
//! not meant for them. What they and a version pass to each other must therefore not depend on such arguments: numbers and pointers.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::Builder;
use super::boxed::Reach;
use super::cache::{Key, hash_bytes};
use super::error::Result;
use super::guest_c::{self, Unit};
use super::host::{C_FLAGS, compile};
use super::libc::Libc;

const KIND: &str = "support";

impl Builder<'_> {
    /// The guest module of such a source.
    pub(super) fn support_module(&self, text: &str, libc: &Libc) -> Result<PathBuf> {
        let mut key = Key::new("support module 1");
        key.add_tool(&self.tools.clang)?;
        key.add(&libc.id).add(text);
        for flag in guest_c::flags() {
            key.add(flag);
        }
        self.support(&format!("{}.bc", key.finish()), text, |source, output| {
            let unit = Unit {
                folder: self.cache.root(),
                source: source.as_os_str(),
                arguments: &[OsString::from("-ffile-compilation-dir=.")],
                stdin: None,
            };
            guest_c::compile(&unit, libc, &self.tools, output).map(drop)
        })
    }

    /// The native object of such a source.
    pub(super) fn support_object(&self, text: &str, extra: &[&str]) -> Result<PathBuf> {
        let mut key = Key::new("support object 1");
        key.add_tool(&self.tools.clang)?;
        key.add(text);
        for flag in C_FLAGS.iter().chain(extra) {
            key.add(flag);
        }
        self.support(&format!("{}.o", key.finish()), text, |source, output| {
            let mut command = Command::new(&self.tools.clang);
            command.args(C_FLAGS).args(extra);
            command.arg("-o").arg(output).arg("-c").arg(source);
            let work = output.parent().unwrap_or(Path::new("."));
            let reach = Reach {
                read: &[source],
                write: &[work],
                ..Reach::default()
            };
            compile(&mut command, source, reach)
        })
    }

    fn support(
        &self,
        name: &str,
        text: &str,
        make: impl FnOnce(&Path, &Path) -> Result<()>,
    ) -> Result<PathBuf> {
        let entry = self.cache.entry(KIND, name);
        if entry.is_file() {
            return Ok(entry);
        }
        let source = format!("{}.c", hash_bytes(text.as_bytes()));
        let source = self.cache.publish_bytes(text.as_bytes(), KIND, &source)?;
        let work = self.cache.work_folder()?;
        let output = work.path().join(name);
        make(&source, &output)?;
        self.cache.publish(&output, KIND, name)
    }
}
