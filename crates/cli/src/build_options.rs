//! How a version is built, as the command line says it.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use program_ir::Module;

use super::announce;
use build::{Builder, Request};
use harness::read_module;

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

    /// The same as plain data.
    pub(super) fn plain(&self) -> harness::BuildOptions {
        harness::BuildOptions {
            target: self.target.clone(),
            compiler_arguments: self.compiler_arguments.clone(),
            keep_going: self.keep_going,
            given: Vec::new(),
        }
    }

    /// What to build of a version, with some more arguments for the compiler.
    pub(super) fn request(&self, inputs: &[PathBuf], more: &[OsString]) -> Request {
        self.plain().request(inputs, more)
    }
}

pub(super) fn built_module(request: &Request) -> anyhow::Result<Module> {
    let builder = Builder::new(&announce)?;
    let built = builder.module(request)?;
    for warning in &built.warnings {
        announce(warning);
    }
    Ok(read_module(&builder, &built)?)
}
