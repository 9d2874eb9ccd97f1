//! Regression tests of differences: what a check found, as tests that run without Parallax.
//!
//! | module | idea |
//! |---|---|
//! | [`case`] | a test as data: the input of a difference, and what the chosen version does on it |
//! | [`expected`] | what the test asserts of it |
//! | [`name`] | names that say what happens |
//! | [`shell`] | bytes in a POSIX shell, and the helpers that `sh` and bats share |
//! | [`sh`], [`bats`], [`pytest`] | the tests as a file of one framework |
//! | [`c`] | the same for functions of C: plain C, cmocka, GoogleTest, Unity |
//! | [`block`] | the part of a file that is ours; what people wrote around it stays |
//! | [`trial`] | which tests hold: native runs of the file, on both versions, in the sandbox |
//!
//! Nothing here writes to the user's folders.

mod bats;
pub mod block;
pub mod c;
pub mod case;
mod expected;
mod name;
mod pytest;
mod sh;
mod shell;
pub mod trial;

pub use case::{Case, Expect, Left, cases};
pub use expected::Expected;

/// A framework that tests are written for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framework {
    Sh,
    Bats,
    Pytest,
    /// Plain C, with CTest.
    C,
    Cmocka,
    Googletest,
    Unity,
}

impl Framework {
    /// Whether its tests are of functions; others are of programs.
    pub fn is_of_functions(self) -> bool {
        matches!(
            self,
            Framework::C | Framework::Cmocka | Framework::Googletest | Framework::Unity
        )
    }

    /// What our part of a file with tests of a program says.
    pub fn text(self, cases: &[Case]) -> String {
        match self {
            Framework::Sh => sh::text(cases),
            Framework::Bats => bats::text(cases),
            _ => pytest::text(cases),
        }
    }

    /// The name of a file with tests of a program or a function.
    pub fn file_name(self, program: &str) -> String {
        match self {
            Framework::Sh => format!("test_{program}.sh"),
            Framework::Bats => format!("{program}.bats"),
            Framework::Pytest => format!("test_{program}.py"),
            Framework::Googletest => format!("{program}_test.cc"),
            _ => format!("test_{program}.c"),
        }
    }

    /// What a new file begins with, before our part.
    pub fn head(self) -> &'static str {
        match self {
            Framework::Sh => "#!/bin/sh\n",
            Framework::Bats => "#!/usr/bin/env bats\n",
            _ => "",
        }
    }

    /// How one runs a file.
    pub fn command(self, program: &str, file: &str) -> String {
        let run = match self {
            Framework::Sh => "sh",
            Framework::Bats => "bats",
            _ => "python3 -m pytest",
        };
        format!("PROGRAM={program} {run} {file}")
    }

    /// Where it comes from.
    pub fn installation(self) -> &'static str {
        match self {
            Framework::Sh => "Debian's package `dash`",
            Framework::Bats => "Debian's package `bats`",
            Framework::Pytest => "Debian's package `python3-pytest`",
            Framework::C => "Debian's package `libc6-dev`",
            Framework::Cmocka => "Debian's package `libcmocka-dev`",
            Framework::Googletest => "Debian's package `libgtest-dev`",
            Framework::Unity => {
                "Debian has no package of Unity: set UNITY to the folder of its unity.c"
            }
        }
    }
}
