//! The code of two versions compared, each way once.
//!
//! What `version_diff` finds of two modules is asked for by pruning, by proofs of functions and by propagation. Comparing the
//! modules of a small program with its libraries costs as much as many runs.

use crate::subject::Version;
use std::sync::{Arc, OnceLock};
use version_diff::{ChangeSet, CompareOptions, diff_with};

/// Line numbers count as they are: nothing is taken for unchanged that a run could show.
const OPTIONS: CompareOptions = CompareOptions {
    ignore_line_numbers: false,
};

/// What changed between two versions, found when it is asked for first. Clones share what was found.
///
/// Invariant: whoever asks a value or its clones asks of the same two versions.
#[derive(Clone, Default)]
pub struct Diffs {
    forward: Arc<OnceLock<Arc<ChangeSet>>>,
    backward: Arc<OnceLock<Arc<ChangeSet>>>,
}

impl Diffs {
    /// From the old version to the new one.
    pub fn forward(&self, old: &Version<'_>, new: &Version<'_>) -> Arc<ChangeSet> {
        let [old, new] = [old, new].map(|version| version.program.module());
        let found = || Arc::new(diff_with(old, new, OPTIONS));
        self.forward.get_or_init(found).clone()
    }

    /// From the new version to the old one.
    pub fn backward(&self, old: &Version<'_>, new: &Version<'_>) -> Arc<ChangeSet> {
        let [old, new] = [old, new].map(|version| version.program.module());
        let found = || Arc::new(diff_with(new, old, OPTIONS));
        self.backward.get_or_init(found).clone()
    }
}
