//! What runs have executed: code of each version, and changes between them.
//!
//! Code is executed by blocks. A **change** counts only where a run has something to say of it: a run on which both versions end with
//! undefined behaviour compares nothing, neither behind the undefined operation nor before it, as the language promises nothing of the whole run. So
//! all of such a run is left out. It is noted nonetheless, to tell a change that only such inputs execute from one that none does.

use std::collections::BTreeSet;

use concolic_vm::symbolic::Coverage;
use serde::{Deserialize, Serialize};

/// A change by the step that has it and its place among the changes of the step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub(crate) struct ChangeNumber {
    pub(crate) step: u32,
    pub(crate) change: u32,
}

/// Changes that runs have executed.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
pub(crate) struct ExecutedChanges {
    /// By a run on which a version of the step is defined.
    pub(crate) defined: BTreeSet<ChangeNumber>,
    /// By a run on which both versions of the step are undefined.
    pub(crate) undefined: BTreeSet<ChangeNumber>,
}

impl ExecutedChanges {
    pub(crate) fn merge(&mut self, other: &ExecutedChanges) {
        self.defined.extend(&other.defined);
        self.undefined.extend(&other.undefined);
    }
}

/// What runs have executed.
#[derive(Clone, Default)]
pub(crate) struct Executed {
    /// By version.
    pub(crate) coverage: Vec<Coverage>,
    pub(crate) changes: ExecutedChanges,
}

impl Executed {
    /// Adds the code that other runs have executed.
    pub(crate) fn cover(&mut self, coverage: &[Coverage]) {
        let versions = self.coverage.len().max(coverage.len());
        self.coverage.resize(versions, Coverage::default());
        for (all, own) in self.coverage.iter_mut().zip(coverage) {
            all.merge(own);
        }
    }

    pub(crate) fn merge(&mut self, other: &Executed) {
        self.cover(&other.coverage);
        self.changes.merge(&other.changes);
    }

    /// Whether others have executed code that these runs have not.
    pub(crate) fn is_added_to_by(&self, other: &Executed) -> bool {
        let mut versions = self.coverage.iter().zip(&other.coverage);
        versions.any(|(own, other)| !own.missing(other).is_empty())
    }
}
