//! `parallax cc`.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Args;

use build::cc::run_compiler;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Arguments of the native compiler
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    pub(super) arguments: Vec<OsString>,
}

pub(super) fn execute(arguments: &[OsString]) -> anyhow::Result<ExitCode> {
    let status = run_compiler(arguments)?;
    Ok(ExitCode::from(u8::try_from(status).unwrap_or(1)))
}
