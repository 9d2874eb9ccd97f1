//! Guest modules to link, and the one way from a C source to such a module.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::cache::Key;
use super::error::{IoContext, Result};
use super::guest_c::{self, Unit};
use super::libc::Libc;
use super::{Builder, Request, unit_cache};

/// Modules to link, and what they were made from.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) modules: Vec<PathBuf>,
    pub(super) files: Vec<PathBuf>,
    pub(super) tools: Vec<PathBuf>,
    pub(super) warnings: Vec<String>,
}

/// Compiles one C source of a request.
pub(super) fn produce_c(
    builder: &Builder,
    request: &Request,
    source: &Path,
    libc: &Libc,
    output: PathBuf,
    parts: &mut Parts,
) -> Result<()> {
    if let Some(folder) = &request.folder {
        let source = source.strip_prefix(folder).unwrap_or(source);
        let mut key = Key::new("unit 2");
        builder.add_surroundings(&mut key, request, libc)?;
        let mut arguments = request.compiler_arguments.clone();
        arguments.push(OsString::from("-ffile-compilation-dir=."));
        let unit = Unit {
            folder,
            source: source.as_os_str(),
            arguments: &arguments,
            stdin: None,
        };
        let (module, read) = unit_cache::compile(builder, folder, &unit, key, libc, output)?;
        parts.files.extend(read);
        parts.modules.push(module);
        return Ok(());
    }
    let unit = Unit {
        folder: &std::env::current_dir().context("find", ".")?,
        source: source.as_os_str(),
        arguments: &request.compiler_arguments,
        stdin: None,
    };
    let read = guest_c::compile(&unit, libc, &builder.tools, &output)?;
    parts.files.extend(read);
    parts.modules.push(output);
    Ok(())
}
