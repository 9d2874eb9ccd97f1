//! Regression tests of the differences that a check found, in a framework of the user's: `check --write-tests DIR`, and `parallax tests`
//! for a saved report. Only those that hold are written: see `test_suite::trial`.
//!
//! Exit status of `parallax tests`: 0 if every difference has a test, 1 if some have none, 2 for errors.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use compare::Report;
use native::bounded::TEST_BYTES;
use native::confinement::Confinement;
use report::words::counted;
use test_suite::trial::{TIMES, Trial, trials};
use test_suite::{Case, Expect, Framework, Left, block, cases};

use crate::accepted_file::AcceptedOptions;
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
    #[command(flatten)]
    options: TestOptions,
    #[command(flatten)]
    accepted: AcceptedOptions,
    /// Replace a file that has no part that Parallax wrote
    #[arg(long)]
    force: bool,
    /// Write tests that nobody has run
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    native: NativeOptions,
}

/// What tests are written as, and what they want.
#[derive(Args, Debug)]
pub(crate) struct TestOptions {
    /// The framework that regression tests are written for
    #[arg(long, value_enum, default_value = "sh")]
    test_format: TestFormat,
    /// Which version behaves as the tests want: `old` keeps what was, `new` what has become of it, `golden` what the golden
    /// version of the check does
    #[arg(long, value_enum, default_value = "old")]
    expect: WhichVersion,
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

impl TestOptions {
    fn framework(&self) -> Framework {
        match self.test_format {
            TestFormat::Sh => Framework::Sh,
            TestFormat::Bats => Framework::Bats,
            TestFormat::Pytest => Framework::Pytest,
        }
    }

    fn expect(&self) -> Expect {
        match self.expect {
            WhichVersion::Old => Expect::Old,
            WhichVersion::New => Expect::New,
            WhichVersion::Golden => Expect::Golden,
        }
    }
}

/// Where tests go, and how.
pub(crate) struct Target<'t> {
    pub(crate) folder: &'t Path,
    pub(crate) options: &'t TestOptions,
    pub(crate) force: bool,
    /// How the tests are tried out; `None` if they are not.
    pub(crate) tried: Option<Confinement>,
}

/// What became of the tests.
pub(crate) struct Outcome {
    /// In lines.
    pub(crate) said: String,
    /// There is one of every difference.
    pub(crate) is_whole: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut found = saved_report::read(&arguments.saved)?;
    report::accepted::accept(&mut found, &arguments.accepted.read()?);
    let outcome = write(
        &found,
        &Target {
            folder: &arguments.dir,
            options: &arguments.options,
            force: arguments.force,
            tried: match arguments.no_run {
                true => None,
                false => Some(arguments.native.confinement()?),
            },
        },
    )?;
    print(&outcome.said)?;
    Ok(ExitCode::from(u8::from(!outcome.is_whole)))
}

/// Writes tests of a report's differences.
pub(crate) fn write(found: &Report, target: &Target<'_>) -> anyhow::Result<Outcome> {
    let framework = target.options.framework();
    let (cases, mut left) = cases(found, target.options.expect());
    let Some(first) = cases.first() else {
        return Ok(none(&left));
    };
    let program = program(first);
    let path = target.folder.join(framework.file_name(&program));
    let before = before(&path, target.force)?;
    std::fs::create_dir_all(target.folder)
        .with_context(|| format!("cannot make the folder `{}`", target.folder.display()))?;
    let file = NewFile::at(&path)?;
    let holding = match &target.tried {
        None => cases,
        Some(confinement) => holding(framework, cases, &mut left, confinement)?,
    };
    if holding.is_empty() {
        return Ok(none(&left));
    }
    let ours = framework.text(&holding);
    let text = before
        .and_then(|before| block::replaced(&before, &ours))
        .unwrap_or_else(|| block::file(framework.head(), &ours));
    file.write(&text)?;
    let tried = match &target.tried {
        None => "none was run".to_owned(),
        Some(_) => format!(
            "each passes on the version that it expects and fails on the other, {TIMES} times"
        ),
    };
    let many = counted(holding.len() as u64, "test");
    let command = framework.command("path/to/program", &path.display().to_string());
    Ok(Outcome {
        said: format!(
            "{many} in {}: {tried}\nrun with: {command}\n{}",
            path.display(),
            without_test(&left)
        ),
        is_whole: left.is_empty(),
    })
}

fn none(left: &[Left]) -> Outcome {
    let why = match left.is_empty() {
        true => "there is no difference",
        false => "no test can be written",
    };
    Outcome {
        said: format!("no test is written: {why}\n{}", without_test(left)),
        is_whole: left.is_empty(),
    }
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
    // A link or a pipe may lie where the tests are to be.
    let text = match native::bounded::read(path, TEST_BYTES) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
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
            "`{}` is there and has no part that Parallax wrote; move it, or have `parallax tests … --force` replace it",
            path.display()
        ),
    }
}

fn holding(
    framework: Framework,
    cases: Vec<Case>,
    left: &mut Vec<Left>,
    confinement: &Confinement,
) -> anyhow::Result<Vec<Case>> {
    announce(&format!(
        "running {} on both versions, {TIMES} times",
        counted(cases.len() as u64, "test")
    ));
    let interrupt = interrupt::watch()?;
    let trials = trials(framework, &cases, confinement, &interrupt)?;
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
fn without_test(left: &[Left]) -> String {
    let lines = left.iter();
    lines
        .map(|one| format!("no test of difference {}: {}\n", one.number, one.why))
        .collect()
}
