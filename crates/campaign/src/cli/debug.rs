//! `parallax debug`: prints internal forms.

use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};
use clap::{Args, Subcommand};

use super::{Program, announce};
use crate::build::Builder;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    form: Form,
}

#[derive(Subcommand, Debug)]
enum Form {
    /// The linked LLVM module, as LLVM's own text
    Bitcode(Program),
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let Form::Bitcode(program) = &arguments.form;
    let builder = Builder::new(&announce)?;
    let built = builder.module(&program.request())?;
    let status = Command::new("llvm-dis-22")
        .arg(&built.module)
        .args(["-o", "-"])
        .status()
        .context("cannot run `llvm-dis-22`; install the Debian package llvm-22")?;
    ensure!(
        status.success(),
        "`llvm-dis-22` failed on `{}`",
        built.module.display()
    );
    Ok(ExitCode::SUCCESS)
}
