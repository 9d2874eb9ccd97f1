//! `parallax-read-bitcode INPUT --out OUTPUT [--keep SYMBOL]...`: reads a module and
//! writes it as a program image.
//!
//! A program of its own, so that a crash of LLVM on damaged input cannot take anything
//! else down. The output appears complete or not at all.

use bitcode_reader::{ReadOptions, read_module};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "usage: parallax-read-bitcode INPUT --out OUTPUT [--keep SYMBOL]...";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("parallax-read-bitcode: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let (mut input, mut output) = (None, None);
    let mut options = ReadOptions::default();
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.to_str() {
            Some("--out") => output = Some(PathBuf::from(arguments.next().ok_or(USAGE)?)),
            Some("--keep") => {
                let symbol = arguments.next().ok_or(USAGE)?;
                let symbol = symbol.into_string().map_err(|_| USAGE)?;
                options.keep_symbols.push(symbol);
            }
            Some(flag) if flag.starts_with("--") => {
                return Err(format!("unknown flag {flag}; {USAGE}"));
            }
            _ if input.is_none() => input = Some(PathBuf::from(argument)),
            _ => return Err(USAGE.to_owned()),
        }
    }
    let (input, output) = (input.ok_or(USAGE)?, output.ok_or(USAGE)?);
    convert(&input, &output, &options)
}

fn convert(input: &Path, output: &Path, options: &ReadOptions) -> Result<(), String> {
    let say = |problem: &dyn std::fmt::Display| format!("{}: {problem}", input.display());
    let bytes = std::fs::read(input).map_err(|error| {
        say(&format!(
            "cannot read it: {error}; check the path of the module"
        ))
    })?;
    let module = read_module(&bytes, options).map_err(|error| say(&error))?;
    let image = program_ir::write_image(&module).map_err(|error| say(&error))?;
    write_whole(output, &image).map_err(|error| {
        let place = output.display();
        format!("{place}: cannot write it: {error}; check the folder and the space in it")
    })
}

/// Writes beside the target, then renames.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let written =
        std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        // Already failing; the first error is the one to report.
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
