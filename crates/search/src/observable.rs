//! What can be seen of a run from outside.

use serde::{Deserialize, Serialize};

/// Something that a user sees of a run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observable {
    Stdout,
    Stderr,
    /// By absolute path in the guest.
    File(String),
    /// Exit, abort, a memory error, no end within the limit, and so on.
    End,
    ExitStatus,
    /// What the function returned, when functions are compared.
    Returned,
}

impl std::fmt::Display for Observable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Observable::Stdout => f.write_str("standard output"),
            Observable::Stderr => f.write_str("standard error"),
            Observable::File(name) => write!(f, "file {name}"),
            Observable::End => f.write_str("how the run ends"),
            Observable::ExitStatus => f.write_str("exit status"),
            Observable::Returned => f.write_str("returned value"),
        }
    }
}
