//! How far a program is confined.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What stands between a program and the rest of the machine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Level {
    /// Own namespaces, with Landlock (where the kernel has it) and a seccomp filter inside.
    Namespaces,
    /// Landlock and a seccomp filter alone.
    Landlock,
    /// Nothing; only by the user's word.
    Unconfined,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Level::Namespaces => "own namespaces, Landlock and a system-call filter",
            Level::Landlock => "Landlock and a system-call filter, without namespaces",
            Level::Unconfined => "nothing: native runs have the user's rights",
        })
    }
}
