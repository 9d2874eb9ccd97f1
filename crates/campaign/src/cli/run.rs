//! `parallax run`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;

use super::{Format, Program, announce};
use crate::build::Builder;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: Program,
    /// The program's arguments
    #[arg(last = true)]
    arguments: Vec<OsString>,
    /// What the program reads from standard input (default: nothing)
    #[arg(long, value_name = "FILE")]
    stdin: Option<PathBuf>,
    /// A variable of the program's environment, which is empty otherwise; may be repeated
    #[arg(long = "env", value_name = "NAME=VALUE", value_parser = pair)]
    environment: Vec<(String, String)>,
    /// Lets the program read a host file under a name of its own; may be repeated
    #[arg(long = "file", value_name = "HOST=GUEST", value_parser = pair)]
    files: Vec<(String, String)>,
    /// The program's working folder: a copy of this host folder
    #[arg(long, value_name = "DIR")]
    cwd: Option<PathBuf>,
    /// Instructions after which the run is stopped
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Bytes of memory the program may hold
    #[arg(long, value_name = "BYTES")]
    max_memory: Option<u64>,
    /// Nested calls the program may make
    #[arg(long, value_name = "N")]
    max_depth: Option<u32>,
    /// Decides the bytes of the program's random sources
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let builder = Builder::new(&announce)?;
    let built = builder.program(&arguments.program.request())?;
    let image = builder.image(&built)?;
    bail!(
        "the program is built as `{}`, but this version of Parallax has no VM to run it yet",
        image.display()
    );
}

/// `NAME=VALUE`; the value may hold further `=`.
fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("two parts joined by `=` are expected".to_owned()),
    }
}
