//! That somebody has looked at a difference and wants it.

use serde::{Deserialize, Serialize};

/// Why a difference is wanted, and who says so.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Acceptance {
    pub reason: String,
    pub author: String,
    /// As in `2026-11-19`.
    pub date: String,
}
