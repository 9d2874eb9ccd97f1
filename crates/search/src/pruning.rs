//! Ways that need not be explored, since no difference can be behind them (eXpress §4.5): why, how many, and what a search asks of
//! those who know the change.
//!
//! **A pruned way is a proof.** Let a run of one version have executed no change point of that version before an
//! event, and let an alternative there lead to no change point (B_E, or B_P, which is a part of it). Every input that
//! follows the run up to the event and then goes this way executes no change point in that version. So both
//! versions behave the same on it: [`Category::NotExecuted`], [`Category::NotPropagated`].
//!
//! That a change was executed is noted when its block is entered, which may be too early and is never too late.
//! Where the run has executed a change, what B_P says of the code before the branch, that no change is executed there, is not used.
//!
//! Where the run has executed changes, and both versions are in the same state behind them for all inputs that come
//! there, the same holds from there on: [`Category::NotInfected`].

use crate::path_tree::Target;
use concolic_vm::symbolic::{Coverage, Entered};
use concolic_vm::{CodeSite, Program, StackFrame};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Why a way need not be explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Category {
    /// P¬P: the way is in B_P.
    NotPropagated,
    /// P¬E: the way is in B_E, and the run executed no change before it.
    NotExecuted,
    /// P¬I: the way is in B_E, and the changes that the run executed before it had no effect on the state.
    NotInfected,
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::NotPropagated => {
                "no change is executed before or after it, whatever the input"
            }
            Category::NotExecuted => "no change was executed before it, and none can be after it",
            Category::NotInfected => {
                "changes executed before it left both versions in the same state, and none can be after it"
            }
        })
    }
}

/// What was not explored, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// Ways of P¬P, P¬E and P¬I. Whether an input goes such a way is not known.
    pub not_p: u64,
    pub not_e: u64,
    pub not_i: u64,
    pub places: Vec<PrunedPlace>,
}

impl Pruned {
    pub fn ways(&self) -> u64 {
        self.not_p + self.not_e + self.not_i
    }
}

/// Ways out of one place that were pruned for the same reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrunedPlace {
    pub category: Category,
    pub version: u8,
    pub place: Option<StackFrame>,
    pub ways: u64,
}

/// A pruned way: which event of a run, and which of its alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PrunedWay {
    pub event: u32,
    pub alternative: u32,
    pub category: Category,
}

/// What of the change a run has executed before one of its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExecutedBefore {
    /// No change was executed.
    Nothing,
    Change,
    /// Changes were executed, and the versions are in the same state.
    SameState,
}

impl ExecutedBefore {
    /// What lies before an event at which a version may go another way: `first` is by version the first event
    /// behind a change, and from `same_state_from` on both versions are in the same state.
    pub fn of(
        first: [Option<u32>; 2],
        target: &Target,
        event: u32,
        same_state_from: Option<u32>,
    ) -> ExecutedBefore {
        let first = first[usize::from(target.version)];
        let changed = first.is_some_and(|first| first <= event);
        let same_state = same_state_from.is_some_and(|from| from <= event);
        match (changed, same_state && target.version == 0) {
            (false, _) => ExecutedBefore::Nothing,
            (true, false) => ExecutedBefore::Change,
            (true, true) => ExecutedBefore::SameState,
        }
    }
}

/// What a run of two versions executed.
#[derive(Clone, Copy)]
pub struct Executed<'r> {
    /// By version.
    pub versions: [ExecutedVersion<'r>; 2],
}

#[derive(Clone, Copy)]
pub struct ExecutedVersion<'r> {
    /// The places that it came to, each once, in order.
    pub entered: &'r [Entered],
    pub coverage: &'r Coverage,
    /// How many events of the whole path are its own.
    pub own_events: u32,
}

/// What a search asks of those who know the change between two versions. Nothing of it is asked before the facts of the change
/// were found.
pub trait Change: Sync {
    /// How many changes there are, those of both versions counted through.
    fn changes(&self) -> usize;

    /// Whether ways are pruned.
    fn prunes(&self) -> bool;

    /// The changes that a run executed.
    fn reached(&self, run: Executed<'_>) -> Vec<usize>;

    /// By version: the first event of the path that the version came to after it had executed a change.
    fn first_behind(&self, run: Executed<'_>) -> [Option<u32>; 2];

    /// Why a way out of an event of a run need not be explored, if so.
    fn category(&self, target: &Target, behind: ExecutedBefore) -> Option<Category>;

    /// How near a run has come to each change.
    fn approach(&self, run: Executed<'_>) -> Vec<Option<u32>>;

    /// How far a way out of a run is from each change that it can lead to.
    fn distances(&self, target: &Target, approach: &[Option<u32>]) -> Vec<(usize, u32)>;
}

/// Counts what is pruned, by place.
#[derive(Debug, Default)]
pub(crate) struct PrunedCount {
    ways: BTreeMap<(Category, u8, CodeSite), u64>,
}

impl PrunedCount {
    pub(crate) fn add(&mut self, category: Category, target: &Target) {
        let key = (category, target.version, target.site);
        *self.ways.entry(key).or_default() += 1;
    }

    pub(crate) fn summary(self, programs: &[&Program]) -> Pruned {
        let mut pruned = Pruned::default();
        for ((category, version, site), ways) in self.ways {
            match category {
                Category::NotPropagated => pruned.not_p += ways,
                Category::NotExecuted => pruned.not_e += ways,
                Category::NotInfected => pruned.not_i += ways,
            }
            let place = programs[usize::from(version)].source_frame(site);
            // Several operations may stem from one line.
            let same = |other: &&mut PrunedPlace| {
                other.category == category && other.version == version && other.place == place
            };
            match pruned.places.iter_mut().find(same) {
                Some(known) => known.ways += ways,
                None => pruned.places.push(PrunedPlace {
                    category,
                    version,
                    place,
                    ways,
                }),
            }
        }
        pruned
    }
}
