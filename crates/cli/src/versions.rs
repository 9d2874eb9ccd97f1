//! Two versions of a program as the command line names them: what `check`, `diff`, `impact`, `complexity` and `graph
//! csg` begin with.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use compare::changed_code;
use program_ir::Module;

use super::announce;
pub(super) use super::build_options::BuildOptions;
use super::build_options::built_module;
use super::revisions::RevisionArguments;
use build::Builder;
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
        changed(&old, &new, &self.build()?, self.labels()?.as_ref())
    }

    /// How the versions are built.
    pub(super) fn build(&self) -> anyhow::Result<harness::BuildOptions> {
        let pair = self.revisions.pair(&self.options)?;
        let given = pair.map(|pair| [&pair.old, &pair.new].map(|kept| kept.request.clone()));
        Ok(harness::BuildOptions {
            given: given.map(Vec::from).unwrap_or_default(),
            ..self.options.plain()
        })
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
        built_module(&self.build()?.request(&self.old_version()?, &[]))
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
    changed(old, new, &options.plain(), None)
}

fn changed(
    old: &[PathBuf],
    new: &[PathBuf],
    options: &harness::BuildOptions,
    labels: Option<&[String; 2]>,
) -> anyhow::Result<Compared> {
    let builder = Builder::new(&announce)?;
    Ok(changed_code(
        &builder,
        [old, new],
        options,
        labels.map(|labels| &labels[..]),
    )?)
}
