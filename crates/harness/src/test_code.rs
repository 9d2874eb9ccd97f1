//! A call as a test in C makes it, and what the versions did then as things that a test can ask for.
//!
//! It is text of C and values, not text of any framework: which macro asks for a value is `test-suite`'s affair. All of it is made while
//! the types of the versions are known, and kept in a report.

use serde::{Deserialize, Serialize};

/// A test of a call, or of calls one after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TestCode {
    /// Declarations and statements that make the input.
    pub given: Vec<String>,
    pub calls: Vec<CallCode>,
    /// Whether it reads or writes variables of the program, which other tests may have changed.
    pub has_state: bool,
    /// What was compared and no test in C can ask for.
    /// By version.
    #[serde(default)]
    pub not_asked: [Vec<String>; 2],
}

/// One call, and what is asked for after it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct CallCode {
    /// Without what is declared for its result: `clip(0, 0, -1)`.
    pub call: String,
    pub result: Option<ResultCode>,
    /// By version. Nothing of a version that did not come back.
    pub checks: [Vec<Check>; 2],
}

/// Where the result of a call goes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ResultCode {
    pub name: String,
    /// `int result`.
    pub declared: String,
}

impl CallCode {
    /// The statement; without the result if a test does not look at it.
    pub fn statement(&self, looks: bool) -> String {
        match &self.result {
            Some(result) if looks => format!("{} = {};", result.declared, self.call),
            _ => format!("{};", self.call),
        }
    }
}

/// Something that a test asks for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// An expression of C.
    pub actual: String,
    pub expected: Wanted,
}

impl Check {
    /// Whether an object of this name stands in it.
    pub fn mentions(&self, name: &str) -> bool {
        let expected = match &self.expected {
            Wanted::Address(address) => words(address, name),
            _ => 0,
        };
        words(&self.actual, name) + expected > 0
    }
}

/// How often a word stands in a line of C.
pub(crate) fn words(line: &str, word: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let all = line.split(|c| !is_part(c));
    all.filter(|part| *part == word).count()
}

/// The value that something has to have. Numbers and addresses are expressions of C.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    Signed(String),
    Unsigned(String),
    /// A floating-point number, by its bits.
    Real(String),
    NotANumber,
    /// What a pointer points to, up to its zero.
    Text(Vec<u8>),
    /// All bytes of an array.
    Bytes(Vec<u8>),
    /// All elements of an array.
    Elements {
        element: String,
        values: Vec<String>,
    },
    Null,
    Address(String),
}

/// The sources of a version, as a test is built with them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TestSources {
    /// The file that the test includes.
    pub included: std::path::PathBuf,
    /// The version's other files.
    pub others: Vec<std::path::PathBuf>,
    pub compiler_arguments: Vec<std::ffi::OsString>,
}
