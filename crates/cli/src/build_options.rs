//! How a version is built, as the command line says it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use program_ir::Module;

use super::{announce, read_module};
use build::{Builder, Request};

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

impl BuildOptions {
    pub(super) fn module(&self, inputs: &[PathBuf]) -> anyhow::Result<Module> {
        built_module(&self.request(inputs, &[]))
    }

    /// What to build of a version, with some more arguments for the compiler.
    pub(super) fn request(&self, inputs: &[PathBuf], more: &[OsString]) -> Request {
        Request {
            inputs: inputs.to_vec(),
            target: self.target.clone(),
            compiler_arguments: [more, &self.compiler_arguments].concat(),
            keep_going: self.keep_going,
            folder: None,
        }
    }
}

pub(super) fn built_module(request: &Request) -> anyhow::Result<Module> {
    let builder = Builder::new(&announce)?;
    let built = builder.module(request)?;
    for warning in &built.warnings {
        announce(warning);
    }
    read_module(&builder, &built)
}
