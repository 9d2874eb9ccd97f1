//! What a test asserts.

use std::collections::BTreeMap;
use std::path::PathBuf;

use compare::confirm::VersionOutcome;
use native::test_case::EndKind;

/// All that was compared, as one version did it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// As a shell reports it.
    pub status: i32,
    /// A signal ended it.
    pub is_signal: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Made or changed.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
}

/// What a version did, if a test can ask for it.
pub(crate) fn expected(outcome: &VersionOutcome) -> Result<Expected, String> {
    let end = &outcome.end;
    match end.shell_status {
        Some(status) if !end.undefined => Ok(Expected {
            status,
            is_signal: end.kind != EndKind::Exit && status > 128,
            stdout: outcome.stdout.clone(),
            stderr: outcome.stderr.clone(),
            files: outcome.files.clone(),
        }),
        _ => Err(format!(
            "the version that is expected does nothing there that a test can ask for: {}",
            end.description
        )),
    }
}
