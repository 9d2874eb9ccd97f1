//! Two versions of a program as the command line names them: what `diff`, `complexity` and `graph csg`
//! begin with.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use compare::changed_code;
use harness::read_module;
use program_ir::Module;

use super::announce;
use build::{Builder, Request};
pub(super) use version_diff::own_changes::{
    Compared, NOT_COMPARED, is_c_library, is_library, is_library_file,
};

#[derive(Args, Debug)]
pub(super) struct Versions {
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
    #[command(flatten)]
    pub(super) options: BuildOptions,
}

/// How a version is built.
#[derive(Args, Debug)]
pub(super) struct BuildOptions {
    /// Which program or library of a project folder
    #[arg(long, visible_alias = "bin", value_name = "NAME")]
    pub(super) target: Option<String>,
    /// An argument for the compiler; may be repeated
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    pub(super) compiler_arguments: Vec<OsString>,
    /// Leave out sources that do not compile for the VM
    #[arg(long)]
    pub(super) keep_going: bool,
}

impl Versions {
    pub(super) fn compare(&self) -> anyhow::Result<Compared> {
        compare(&self.old_version()?, &self.new_version()?, &self.options)
    }

    /// The old version's files.
    pub(super) fn old_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        files(&self.old, &self.old_files, "<OLD>")
    }

    /// The new version's files.
    pub(super) fn new_version(&self) -> anyhow::Result<Vec<PathBuf>> {
        files(&self.new, &self.new_files, "<NEW>")
    }

    /// The old version as it is run.
    pub(super) fn old_module(&self) -> anyhow::Result<Module> {
        self.options.module(&self.old_version()?)
    }

    /// A name for the program when it runs.
    pub(super) fn old_name(&self) -> anyhow::Result<OsString> {
        Ok(self.old_version()?[0].with_extension("").into_os_string())
    }

    pub(super) fn are_given(&self) -> bool {
        self.old.is_some() || !self.old_files.is_empty()
    }
}

fn files(one: &Option<PathBuf>, several: &[PathBuf], name: &str) -> anyhow::Result<Vec<PathBuf>> {
    let files: Vec<PathBuf> = one.iter().chain(several).cloned().collect();
    ensure!(
        !files.is_empty(),
        "{name} is missing: give two versions, <OLD> <NEW> or --old FILE... --new FILE..."
    );
    Ok(files)
}

impl BuildOptions {
    /// The same as plain data.
    pub(super) fn plain(&self) -> harness::BuildOptions {
        harness::BuildOptions {
            target: self.target.clone(),
            compiler_arguments: self.compiler_arguments.clone(),
            keep_going: self.keep_going,
        }
    }

    pub(super) fn module(&self, inputs: &[PathBuf]) -> anyhow::Result<Module> {
        let builder = Builder::new(&announce)?;
        let built = builder.module(&self.request(inputs, &[]))?;
        for warning in &built.warnings {
            announce(warning);
        }
        read_module(&builder, &built)
    }

    /// What to build of a version, with some more arguments for the compiler.
    pub(super) fn request(&self, inputs: &[PathBuf], more: &[OsString]) -> Request {
        self.plain().request(inputs, more)
    }
}

/// Each version is one input, or several files that are linked together.
pub(super) fn compare(
    old: &[PathBuf],
    new: &[PathBuf],
    options: &BuildOptions,
) -> anyhow::Result<Compared> {
    let builder = Builder::new(&announce)?;
    changed_code(&builder, old, new, &options.plain())
}
