//! Regression tests of differences: what a check found, as tests that run without Parallax.
//!
//! | module | idea |
//! |---|---|
//! | [`case`] | a test as data: the input of a difference, and what the chosen version does on it |
//! | [`expected`] | what the test asserts of it |
//! | [`name`] | names that say what happens |
//! | [`shell`] | bytes in a POSIX shell, and the helpers that `sh` and bats share |
//! | [`sh`], [`bats`], [`pytest`] | the tests as a file of one framework |
//! | [`block`] | the part of a file that is ours; what people wrote around it stays |
//! | [`trial`] | which tests hold: native runs of the file, on both versions, in the sandbox |
//!
//! Nothing here writes to the user's folders.

mod bats;
pub mod block;
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
}

impl Framework {
    /// What our part of a file says.
    pub fn text(self, cases: &[Case]) -> String {
        match self {
            Framework::Sh => sh::text(cases),
            Framework::Bats => bats::text(cases),
            Framework::Pytest => pytest::text(cases),
        }
    }

    /// The name of a file with tests of a program.
    pub fn file_name(self, program: &str) -> String {
        match self {
            Framework::Sh => format!("test_{program}.sh"),
            Framework::Bats => format!("{program}.bats"),
            Framework::Pytest => format!("test_{program}.py"),
        }
    }

    /// What a new file begins with, before our part.
    pub fn head(self) -> &'static str {
        match self {
            Framework::Sh => "#!/bin/sh\n",
            Framework::Bats => "#!/usr/bin/env bats\n",
            Framework::Pytest => "",
        }
    }

    /// How one runs a file.
    pub fn command(self, program: &str, file: &str) -> String {
        let run = match self {
            Framework::Sh => "sh",
            Framework::Bats => "bats",
            Framework::Pytest => "python3 -m pytest",
        };
        format!("PROGRAM={program} {run} {file}")
    }

    /// Debian's package.
    pub fn package(self) -> &'static str {
        match self {
            Framework::Sh => "dash",
            Framework::Bats => "bats",
            Framework::Pytest => "python3-pytest",
        }
    }
}
