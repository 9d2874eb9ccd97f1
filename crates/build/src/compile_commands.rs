//! Builds from a compilation database (`compile_commands.json`): every entry is compiled for the guest.
//!
//! A database says how sources compile, not what is linked with what. So all modules are linked, except
//! that of several sources with a `main` one must be chosen: by the target's name in its output path (as
//! CMake writes it) or by the source's own name.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::compiler_arguments::{CommandLine, Language, expand_response_files, split_words};
use super::error::{BuildError, IoContext, Result};
use super::guest_c::{self, Unit};
use super::libc::Libc;
use super::parts::Parts;
use super::{Builder, Request, link};

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
    output: Option<String>,
}

struct Compiled {
    module: PathBuf,
    source: PathBuf,
    output: String,
    has_main: bool,
}

pub(super) fn compile(
    builder: &Builder,
    folder: &Path,
    request: &Request,
    libc: &Libc,
    work: &Path,
    parts: &mut Parts,
) -> Result<()> {
    let path = folder.join("compile_commands.json");
    let text = std::fs::read(&path).context("read", &path)?;
    let unusable = |reason: String| BuildError::CompileCommands {
        path: path.clone(),
        reason,
    };
    let entries: Vec<Entry> =
        serde_json::from_slice(&text).map_err(|error| unusable(error.to_string()))?;
    parts
        .files
        .push(std::path::absolute(&path).context("resolve", &path)?);

    let mut compiled = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let directory = folder.join(&entry.directory);
        let mut words: Vec<OsString> = match (&entry.arguments, &entry.command) {
            (Some(arguments), _) => arguments.iter().map(OsString::from).collect(),
            (None, Some(command)) => split_words(command.as_bytes()),
            (None, None) => {
                return Err(unusable(format!(
                    "the entry of `{}` has no command",
                    entry.file.display()
                )));
            }
        };
        if !words.is_empty() {
            words.remove(0);
        }
        let line = CommandLine::parse(&expand_response_files(&words, &directory)?);
        let source = directory.join(&entry.file);
        let language = line.sources.first().map(|source| source.language);
        if language != Some(Language::C) {
            parts
                .warnings
                .push(format!("`{}` is left out: it is not C", source.display()));
            continue;
        }
        let module = work.join(format!("unit-{number}.bc"));
        let mut arguments = line.guest_arguments.clone();
        arguments.extend(request.compiler_arguments.iter().cloned());
        let unit = Unit {
            folder: &directory,
            source: source.as_os_str(),
            arguments: &arguments,
            stdin: None,
        };
        match guest_c::compile(&unit, libc, &builder.tools, &module) {
            Ok(read) => parts.files.extend(read),
            Err(BuildError::DoesNotCompile { .. }) if request.keep_going => {
                parts.warnings.push(format!(
                    "`{}` is left out: it does not compile for the guest",
                    source.display()
                ));
                continue;
            }
            Err(error) => return Err(error),
        }
        let defined = link::symbols(&module, &["--defined-only"], &builder.tools)?;
        compiled.push(Compiled {
            module,
            source,
            output: entry
                .output
                .clone()
                .or_else(|| {
                    line.output
                        .as_ref()
                        .map(|output| output.to_string_lossy().into_owned())
                })
                .unwrap_or_default(),
            has_main: defined.iter().any(|name| name == "main"),
        });
    }
    let chosen = choose_main(&compiled, folder, request.target.as_deref())?;
    let wanted = compiled
        .iter()
        .enumerate()
        .filter(|(number, unit)| !unit.has_main || Some(*number) == chosen)
        .map(|(_, unit)| unit.module.clone());
    parts.modules.extend(wanted);
    if parts.modules.is_empty() {
        return Err(unusable("it lists no C source".to_owned()));
    }
    Ok(())
}

fn choose_main(
    compiled: &[Compiled],
    folder: &Path,
    target: Option<&str>,
) -> Result<Option<usize>> {
    let mains: Vec<usize> = (0..compiled.len())
        .filter(|&number| compiled[number].has_main)
        .collect();
    let stem = |unit: &Compiled| {
        unit.source
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let candidates = || {
        mains
            .iter()
            .map(|&number| stem(&compiled[number]))
            .collect()
    };
    let Some(name) = target else {
        return match mains.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(*only)),
            _ => Err(BuildError::ChooseTarget {
                problem: format!("`{}` has several sources with a `main`", folder.display()),
                candidates: candidates(),
            }),
        };
    };
    let folder_of_target = format!("{name}.dir/");
    let by_output = mains
        .iter()
        .find(|&&number| compiled[number].output.contains(&folder_of_target));
    let by_name = mains
        .iter()
        .find(|&&number| stem(&compiled[number]) == name);
    match by_output.or(by_name) {
        Some(number) => Ok(Some(*number)),
        None => Err(BuildError::UnknownTarget {
            folder: folder.to_owned(),
            name: name.to_owned(),
            candidates: candidates(),
        }),
    }
}
