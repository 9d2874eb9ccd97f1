//! A place in the decoded program.

use serde::{Deserialize, Serialize};

/// Function and operation index; `NONE` for what the machine itself did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub struct CodeSite {
    pub function: u32,
    pub pc: u32,
}

impl CodeSite {
    pub const NONE: CodeSite = CodeSite {
        function: u32::MAX,
        pc: u32::MAX,
    };
}
