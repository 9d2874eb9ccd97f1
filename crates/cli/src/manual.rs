//! `parallax completions` and `parallax man`: what a shell and `man` know of the command line, made from its definition.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{Cli, announce, print};

#[derive(Args, Debug)]
pub(crate) struct CompletionArguments {
    /// Which shell: bash, zsh, fish, elvish or powershell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the completions of a shell.
pub(crate) fn completions(arguments: &CompletionArguments) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "parallax", &mut text);
    print(&String::from_utf8(text).context("completions are text")?)?;
    Ok(ExitCode::SUCCESS)
}

#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// The folder that they are written to
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes a page for Parallax, and one for each of its commands.
pub(crate) fn man(arguments: &ManArguments) -> anyhow::Result<ExitCode> {
    let folder = &arguments.folder;
    let fail = || format!("cannot write man pages to `{}`", folder.display());
    std::fs::create_dir_all(folder).with_context(fail)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(fail)?;
    announce(&format!("wrote man pages to {}", folder.display()));
    Ok(ExitCode::SUCCESS)
}
