//! What a test says of a run, noted where the run was made.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

use concolic_vm::symbolic::SymbolicInput;
use exploration::{FoundTest, Note, Probe};
use native::outside::Outside;
use native::test_case::Expected;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
pub(super) struct TestNote {
    pub(super) test: u64,
    pub(super) input: SymbolicInput,
    /// As a test's file has it.
    end: String,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    files: Vec<(Vec<u8>, Vec<u8>)>,
    outside: Outside,
}

impl TestNote {
    fn of(test: u64, input: &SymbolicInput, expected: Expected) -> TestNote {
        let files = expected.files.into_iter();
        TestNote {
            test,
            input: input.clone(),
            end: serde_json::to_string(&expected.end).expect("an end is plain data"),
            stdout: expected.stdout,
            stderr: expected.stderr,
            files: files
                .map(|(name, content)| (name.into_os_string().into_vec(), content))
                .collect(),
            outside: expected.outside,
        }
    }

    pub(super) fn expected(self) -> Expected {
        let files = self.files.into_iter();
        Expected {
            end: serde_json::from_str(&self.end).expect("an end is read as it was written"),
            stdout: self.stdout,
            stderr: self.stderr,
            files: files
                .map(|(name, content)| (OsString::from_vec(name).into(), content))
                .collect(),
            outside: self.outside,
        }
    }
}

/// Notes what tests say of runs.
pub(super) struct TestProbe {
    pub(super) working_folder: Vec<u8>,
    /// Whether tests are written at all.
    pub(super) is_asked: bool,
}

impl Probe for TestProbe {
    fn test(&self, found: &FoundTest<'_>) -> Option<Note> {
        if !self.is_asked {
            return None;
        }
        let expected = Expected::of(found.outcome, found.kernel, &self.working_folder);
        Some(Note::of(&TestNote::of(found.test, found.input, expected)))
    }
}
