//! What tests are written as, where they go, and what is said of them.

use std::path::Path;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use native::bounded::TEST_BYTES;
use native::confinement::Confinement;
use test_suite::block::Marks;
use test_suite::trial::Trial;
use test_suite::{Expect, Framework, Left};

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
    pub(crate) fn framework(&self, of_function: bool) -> anyhow::Result<Framework> {
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

/// The tests that hold; the differences of the others join those of which there is no test.
pub(crate) fn those_that_hold<C>(
    cases: Vec<C>,
    trials: Vec<Trial>,
    number: impl Fn(&C) -> usize,
    left: &mut Vec<Left>,
) -> Vec<C> {
    let mut holding = Vec::new();
    for (case, trial) in cases.into_iter().zip(trials) {
        match trial {
            Trial::Holds => holding.push(case),
            Trial::Not(why) => left.push(Left {
                number: number(&case),
                why,
            }),
        }
    }
    left.sort_by_key(|one| one.number);
    holding
}

/// Differences without a test.
pub(crate) fn without_test(left: &[Left]) -> String {
    let lines = left.iter();
    lines
        .map(|one| format!("no test of difference {}: {}\n", one.number, one.why))
        .collect()
}
