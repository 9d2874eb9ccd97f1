//! A folder of C files without a build system is one program or library: all of its `.c` files together,
//! not those in folders below. Of several files with a `main` one is chosen by its name.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::error::{BuildError, IoContext, Result};
use super::libc::Libc;
use super::parts::{Parts, produce_c};
use super::{Builder, Request, link};

/// Files by which a folder says how it wants to be built: its C files alone would be another program.
pub const BUILD_SYSTEMS: [&str; 9] = [
    "Makefile",
    "makefile",
    "GNUmakefile",
    "Makefile.in",
    "Makefile.am",
    "CMakeLists.txt",
    "configure",
    "configure.ac",
    "meson.build",
];

/// The sources of a folder that is a program by itself.
pub fn sources(folder: &Path) -> Result<Option<Vec<PathBuf>>> {
    if BUILD_SYSTEMS.iter().any(|name| folder.join(name).exists()) {
        return Ok(None);
    }
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).context("list", folder)? {
        let path = entry.context("list", folder)?.path();
        if path.extension() == Some(OsStr::new("c")) && path.is_file() {
            sources.push(path);
        }
    }
    sources.sort();
    Ok((!sources.is_empty()).then_some(sources))
}

pub(super) fn compile(
    builder: &Builder,
    folder: &Path,
    sources: &[PathBuf],
    request: &Request,
    libc: &Libc,
    work: &Path,
    parts: &mut Parts,
) -> Result<()> {
    let mut mains: Vec<(String, PathBuf)> = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let mut part = Parts::default();
        let output = work.join(format!("file-{number}.bc"));
        // As the user would name it: relative to where the names of the request start.
        let start = request.folder.as_deref().unwrap_or(Path::new(""));
        let name = source.strip_prefix(start).unwrap_or(source);
        match produce_c(builder, request, name, libc, output, &mut part) {
            Err(BuildError::DoesNotCompile { .. }) if request.keep_going => {
                parts.warnings.push(format!(
                    "`{}` is left out: it does not compile for the guest",
                    source.display()
                ));
                continue;
            }
            result => result?,
        }
        for module in &part.modules {
            let defined = link::symbols(module, &["--defined-only"], &builder.tools)?;
            if defined.iter().any(|symbol| symbol == "main") {
                let stem = source.file_stem().unwrap_or_default();
                mains.push((stem.to_string_lossy().into_owned(), module.clone()));
            }
        }
        parts.files.append(&mut part.files);
        parts.modules.append(&mut part.modules);
    }
    let chosen = choose(folder, &mains, request.target.as_deref())?;
    let others = mains.iter().filter(|(_, module)| Some(module) != chosen);
    let others: Vec<&PathBuf> = others.map(|(_, module)| module).collect();
    parts.modules.retain(|module| !others.contains(&module));
    Ok(())
}

fn choose<'a>(
    folder: &Path,
    mains: &'a [(String, PathBuf)],
    target: Option<&str>,
) -> Result<Option<&'a PathBuf>> {
    let candidates = || mains.iter().map(|(stem, _)| stem.clone()).collect();
    match (target, mains) {
        (None, []) => Ok(None),
        (None, [(_, only)]) => Ok(Some(only)),
        (None, _) => Err(BuildError::ChooseTarget {
            problem: format!("`{}` has several files with a `main`", folder.display()),
            candidates: candidates(),
        }),
        (Some(name), _) => match mains.iter().find(|(stem, _)| stem == name) {
            Some((_, module)) => Ok(Some(module)),
            None => Err(BuildError::UnknownTarget {
                folder: folder.to_owned(),
                name: name.to_owned(),
                candidates: candidates(),
            }),
        },
    }
}
