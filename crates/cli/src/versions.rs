//! Two versions of a program as the command line names them: what `check`, `diff`, `impact`, `complexity` and `graph
//! csg` begin with.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::Args;
use program_ir::Module;

pub(super) use super::build_options::BuildOptions;
use super::build_options::built_module;
use super::revisions::RevisionArguments;
use build::Request;
use version_diff::own_changes::{self as comparison, Place};
pub(super) use version_diff::own_changes::{
    Compared, NOT_COMPARED, is_c_library, is_library, is_library_file,
};

/// Two versions as files.
#[derive(Args, Debug)]
pub(super) struct FilePair {
    /// The old version: a C, Rust or bitcode file, a program built through `parallax cc`, or a folder: a
    /// Cargo package, a project with compile_commands.json or a built program, or just C files
    #[arg(conflicts_with = "old_files")]
    old: Option<PathBuf>,
    /// The new version
    #[arg(conflicts_with = "new_files")]
    new: Option<PathBuf>,
    /// The old version's files, if there are several: --old old/a.c old/b.c --new new/a.c new/b.c
    #[arg(long = "old", value_name = "FILE", num_args = 1.., requires = "new_files")]
    old_files: Vec<PathBuf>,
    /// The new version's files
    #[arg(long = "new", value_name = "FILE", num_args = 1.., requires = "old_files")]
    new_files: Vec<PathBuf>,
}

/// Two versions as files, or as revisions of a git repository.
#[derive(Args, Debug)]
pub(super) struct Versions {
    #[command(flatten)]
    files: FilePair,
    #[command(flatten)]
    revisions: RevisionArguments,
    #[command(flatten)]
    pub(super) options: BuildOptions,
}

impl FilePair {
    pub(super) fn compare(&self, options: &BuildOptions) -> anyhow::Result<Compared> {
        compare(&self.old_version()?, &self.new_version()?, options)
    }

    fn old_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        files(&self.old, &self.old_files, "<OLD>")
    }

    fn new_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        files(&self.new, &self.new_files, "<NEW>")
    }

    pub(super) fn are_given(&self) -> bool {
        self.old.is_some() || !self.old_files.is_empty()
    }
}

impl Versions {
    pub(super) fn compare(&self) -> anyhow::Result<Compared> {
        let (old, new) = (self.old_version()?, self.new_version()?);
        let more = crate_name(&old, &new);
        compare_built(
            &self.request(&old, &more),
            &self.request(&new, &more),
            self.labels()?.as_ref(),
        )
    }

    /// The old version's files.
    pub(super) fn old_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        match self.revisions.pair(&self.options)? {
            Some(pair) => Ok(pair.old.request.inputs.clone()),
            None => self.files.old_version(),
        }
    }

    /// The new version's files.
    pub(super) fn new_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        match self.revisions.pair(&self.options)? {
            Some(pair) => Ok(pair.new.request.inputs.clone()),
            None => self.files.new_version(),
        }
    }

    /// What to build of a version, with some more arguments for the compiler.
    pub(super) fn request(&self, files: &[PathBuf], more: &[OsString]) -> Request {
        let request = self.options.request(files, more);
        let Some(pair) = self.revisions.known_pair() else {
            return request;
        };
        let mut versions = [&pair.old, &pair.new].into_iter();
        match versions.find(|version| version.request.inputs == files) {
            Some(version) => Request {
                compiler_arguments: [more, &version.request.compiler_arguments].concat(),
                ..version.request.clone()
            },
            None => request,
        }
    }

    /// What messages call the versions, if not by their files.
    pub(super) fn labels(&self) -> anyhow::Result<Option<[String; 2]>> {
        let pair = self.revisions.pair(&self.options)?;
        Ok(pair.map(|pair| pair.labels.clone()))
    }

    /// A name for the program when it runs, if it is not that of a file.
    pub(super) fn program_name(&self) -> anyhow::Result<Option<PathBuf>> {
        let pair = self.revisions.pair(&self.options)?;
        Ok(pair.map(|pair| pair.program.clone()))
    }

    /// The old version as it is run.
    pub(super) fn old_module(&self) -> anyhow::Result<Module> {
        built_module(&self.request(&self.old_version()?, &[]))
    }

    /// A name for the program when it runs.
    pub(super) fn old_name(&self) -> anyhow::Result<OsString> {
        let name = match self.program_name()? {
            Some(name) => name,
            None => self.old_version()?[0].with_extension(""),
        };
        Ok(name.into_os_string())
    }
}

fn files(one: &Option<PathBuf>, several: &[PathBuf], name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let files: Vec<PathBuf> = one.iter().chain(several).cloned().collect();
    ensure!(
        !files.is_empty(),
        "{name} is missing: give two versions, <OLD> <NEW>, --old FILE... --new FILE..., or --git OLD..NEW"
    );
    Ok(files)
}

/// Each version is one input, or several files that are linked together.
pub(super) fn compare(
    old: &[PathBuf],
    new: &[PathBuf],
    options: &BuildOptions,
) -> anyhow::Result<Compared> {
    let more = crate_name(old, new);
    compare_built(
        &options.request(old, &more),
        &options.request(new, &more),
        None,
    )
}

fn compare_built(
    old: &Request,
    new: &Request,
    labels: Option<&[String; 2]>,
) -> anyhow::Result<Compared> {
    let module = |request: &Request, which: &str| -> anyhow::Result<Module> {
        let built = built_module(request);
        let mut module = built.with_context(|| format!("cannot build the {which} version"))?;
        comparison::prepare(&mut module, &Place::of(&place_of(&request.inputs)));
        Ok(module)
    };
    comparison::compare(module(old, "old")?, module(new, "new")?).with_context(|| {
        let [old, new] = match labels {
            Some(labels) => labels.clone(),
            None => [old, new].map(|request| listed(&request.inputs)),
        };
        format!(
            "cannot compare {old} with {new}; give the old and the new version of the same program"
        )
    })
}

/// A Rust file by itself is a crate of the file's name, which is part of every symbol. `old.rs` and `new.rs`
/// are versions of one crate.
pub(super) fn crate_name(old: &[PathBuf], new: &[PathBuf]) -> Vec<OsString> {
    let is_rust = |path: &&PathBuf| path.extension().is_some_and(|kind| kind == "rs");
    match (old, new) {
        ([old], [new]) if is_rust(&old) && is_rust(&new) => {
            let stem = new.file_stem().unwrap_or_default().to_string_lossy();
            let word = |character: char| match character.is_ascii_alphanumeric() {
                true => character,
                false => '_',
            };
            let name: String = stem.chars().map(word).collect();
            let name = match name.starts_with(|first: char| first.is_ascii_digit()) {
                true => format!("_{name}"),
                false => name,
            };
            vec![OsString::from(format!("--crate-name={name}"))]
        }
        _ => Vec::new(),
    }
}

/// The one input, or the folder that holds all.
fn place_of(inputs: &[PathBuf]) -> PathBuf {
    let [first, rest @ ..] = inputs else {
        return PathBuf::new();
    };
    if rest.is_empty() {
        return first.clone();
    }
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let mut folder = absolute(first);
    while rest.iter().any(|path| !absolute(path).starts_with(&folder)) && folder.pop() {}
    folder
}

fn listed(inputs: &[PathBuf]) -> String {
    let names: Vec<String> = inputs
        .iter()
        .map(|path| format!("`{}`", path.display()))
        .collect();
    names.join(", ")
}
