//! `parallax tests`: regression tests of the differences that a check found, in a framework of the user's. Only those that hold are
//! written: see `test_suite::trial`.
//!
//! Exit status: 0 if every difference has a test, 1 if some have none, 2 for errors.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use native::confinement::Confinement;
use test_suite::trial::{Trial, trials};
use test_suite::{Case, Expect, Framework, Left, block, cases};

use crate::native_options::NativeOptions;
use crate::new_file::NewFile;
use crate::{announce, interrupt, print, saved_report};

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What `parallax check --save FILE` has written
    #[arg(value_name = "FILE")]
    saved: PathBuf,
    /// The folder that the tests are written to
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// The framework
    #[arg(long, value_enum, default_value = "sh")]
    format: TestFormat,
    /// Which version behaves as the tests want: `old` keeps what was, `new` what has become of it, `golden` what the golden
    /// version of the check does
    #[arg(long, value_enum, default_value = "old")]
    expect: WhichVersion,
    /// Replace a file that has no part of ours
    #[arg(long)]
    force: bool,
    /// Write tests that nobody has run
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    native: NativeOptions,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum TestFormat {
    /// A script for any POSIX shell, which prints TAP
    Sh,
    Bats,
    Pytest,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum WhichVersion {
    Old,
    New,
    Golden,
}

pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let found = saved_report::read(&arguments.saved)?;
    let framework = match arguments.format {
        TestFormat::Sh => Framework::Sh,
        TestFormat::Bats => Framework::Bats,
        TestFormat::Pytest => Framework::Pytest,
    };
    let expect = match arguments.expect {
        WhichVersion::Old => Expect::Old,
        WhichVersion::New => Expect::New,
        WhichVersion::Golden => Expect::Golden,
    };
    let (cases, mut left) = cases(&found, expect);
    let Some(first) = cases.first() else {
        print(&said(&left))?;
        bail!("there is no test to write");
    };
    let program = program(first);
    let path = arguments.dir.join(framework.file_name(&program));
    let before = before(&path, arguments.force)?;
    std::fs::create_dir_all(&arguments.dir)
        .with_context(|| format!("cannot make the folder `{}`", arguments.dir.display()))?;
    let file = NewFile::at(&path)?;
    let holding = match arguments.no_run {
        true => cases,
        false => holding(framework, cases, &mut left, arguments)?,
    };
    if holding.is_empty() {
        print(&said(&left))?;
        bail!("no test holds; nothing is written");
    }
    let ours = framework.text(&holding);
    let text = before
        .and_then(|before| block::replaced(&before, &ours))
        .unwrap_or_else(|| block::file(framework.head(), &ours));
    file.write(&text)?;
    let tried = match arguments.no_run {
        true => "none was run",
        false => "each passes on the version that it expects and fails on the other, five times",
    };
    let many = report::words::counted(holding.len() as u64, "test");
    let command = framework.command("path/to/program", &path.display().to_string());
    print(&format!(
        "{many} in {}: {tried}\nrun with: {command}\n{}",
        path.display(),
        said(&left)
    ))?;
    Ok(ExitCode::from(u8::from(!left.is_empty())))
}

/// What a file is called after.
fn program(case: &Case) -> String {
    let name = String::from_utf8_lossy(&case.program).into_owned();
    let name = Path::new(&name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match name.is_empty() {
        true => "program".to_owned(),
        false => name,
    }
}

/// A file that is there already, if our part of it can be replaced.
fn before(path: &Path, force: bool) -> anyhow::Result<Option<String>> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(_) if force => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
    };
    match block::replaced(&text, "") {
        Some(_) => Ok(Some(text)),
        None if force => Ok(None),
        None => bail!(
            "`{}` is there and has no part that Parallax wrote; `--force` replaces it, `--dir` writes elsewhere",
            path.display()
        ),
    }
}

fn holding(
    framework: Framework,
    cases: Vec<Case>,
    left: &mut Vec<Left>,
    arguments: &Arguments,
) -> anyhow::Result<Vec<Case>> {
    let confinement = match arguments.native.is_confined()? {
        true => Confinement::found(),
        false => Confinement::unconfined(),
    };
    announce(&format!(
        "running {} on both versions",
        report::words::counted(cases.len() as u64, "test")
    ));
    let interrupt = interrupt::watch()?;
    let trials = trials(framework, &cases, &confinement, &interrupt)?;
    let mut holding = Vec::new();
    for (case, trial) in cases.into_iter().zip(trials) {
        match trial {
            Trial::Holds => holding.push(case),
            Trial::Not(why) => left.push(Left {
                number: case.number,
                why,
            }),
        }
    }
    left.sort_by_key(|one| one.number);
    Ok(holding)
}

/// Differences without a test.
fn said(left: &[Left]) -> String {
    let lines = left.iter();
    lines
        .map(|one| format!("no test of difference {}: {}\n", one.number, one.why))
        .collect()
}
