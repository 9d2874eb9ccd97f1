//! Regression tests of the differences that a check found, in a framework of the user's: `check --write-tests DIR`, and `parallax tests`
//! for a saved report. Those of functions are made in `function_tests`. Only those that hold are written: see `test_suite::trial`.
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
use test_suite::block::{Comments, Marks};
use test_suite::trial::{TIMES, Trial, trials};
use test_suite::{Case, Expect, Framework, Left, cases};

use crate::accepted_file::AcceptedOptions;
use crate::native_options::NativeOptions;
use crate::new_file::NewFile;
use crate::{announce, function_tests, interrupt, print, saved_report};

const MARKS: Marks<'_> = Marks {
    comments: Comments::Hash,
    label: "",
};

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
    /// The framework that regression tests are written for [default: sh for programs, c for functions]
    #[arg(long, value_enum)]
    test_format: Option<TestFormat>,
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
    /// For functions: C that needs nothing else, with a CMakeLists.txt for CTest
    C,
    /// For functions
    Cmocka,
    /// For functions: C++ around C
    Googletest,
    /// For functions: Unity of ThrowTheSwitch
    Unity,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum WhichVersion {
    Old,
    New,
    Golden,
}

impl TestOptions {
    /// The framework for tests of a function, or of a program.
    fn framework(&self, of_function: bool) -> anyhow::Result<Framework> {
        let framework = match self.test_format {
            None if of_function => Framework::C,
            None | Some(TestFormat::Sh) => Framework::Sh,
            Some(TestFormat::Bats) => Framework::Bats,
            Some(TestFormat::Pytest) => Framework::Pytest,
            Some(TestFormat::C) => Framework::C,
            Some(TestFormat::Cmocka) => Framework::Cmocka,
            Some(TestFormat::Googletest) => Framework::Googletest,
            Some(TestFormat::Unity) => Framework::Unity,
        };
        match (of_function, framework.is_of_functions()) {
            (true, false) => bail!(
                "this `--test-format` is for tests of programs; for a function there are c, cmocka, googletest and unity"
            ),
            (false, true) => bail!(
                "this `--test-format` is for tests of functions (`--fn`); for a program there are sh, bats and pytest"
            ),
            _ => Ok(framework),
        }
    }

    /// Refuses a format that does not fit before anything is compared.
    pub(crate) fn fit(&self, of_function: bool) -> anyhow::Result<()> {
        self.framework(of_function).map(|_| ())
    }

    pub(crate) fn expect(&self) -> Expect {
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
    if found.function.is_some() {
        saved_report::ensure_own(&arguments.saved)?;
    }
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
    let function = found.function.as_ref();
    let framework = target.options.framework(function.is_some())?;
    if let Some(function) = function {
        return function_tests::write(found, &function.name, framework, target);
    }
    let (cases, mut left) = cases(found, target.options.expect());
    let Some(first) = cases.first() else {
        return Ok(none(&left));
    };
    let program = program(first);
    let path = target.folder.join(framework.file_name(&program));
    let before = before(&path, MARKS, target.force)?;
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
        .and_then(|before| MARKS.replaced(&before, &ours))
        .unwrap_or_else(|| MARKS.file(framework.head(), &ours));
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

pub(crate) fn none(left: &[Left]) -> Outcome {
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
pub(crate) fn before(path: &Path, marks: Marks<'_>, force: bool) -> anyhow::Result<Option<String>> {
    // A link or a pipe may lie where the tests are to be.
    let text = match native::bounded::read(path, TEST_BYTES) {
        Ok(text) => String::from_utf8_lossy(&text).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(_) if force => return Ok(None),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
        }
    };
    match marks.replaced(&text, "") {
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
pub(crate) fn without_test(left: &[Left]) -> String {
    let lines = left.iter();
    lines
        .map(|one| format!("no test of difference {}: {}\n", one.number, one.why))
        .collect()
}
