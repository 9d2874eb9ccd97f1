//! What a search keeps of propagation (Qi et al., §3.2): which rule gave an input, what cut a look off, and how often looks are
//! worth it. How an input is made is the executor's matter.

use inputs::CompactInput;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// How often trees with the same leaves are looked at: what cannot be solved on one path may be on another.
pub const TIMES_A_TREE: u32 = 4;
/// A look at a run costs as much as many runs. So many runs with a change are looked at, and then one of so many more.
pub const FIRST_LOOKS: u64 = 12;
pub const RUNS_PER_LOOK: u64 = 24;
/// The search goes on between two looks. Seeds come before all looks.
pub const FLIPS_PER_LOOK: u32 = 2;

/// What cut a look off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Cut {
    /// The run or its trace is too long, or an access depends on too much.
    Instances,
    Terms,
    /// What the tree would have had behind that is missing.
    Nodes,
    Leaves,
    Time,
}

impl Cut {
    pub fn name(self) -> &'static str {
        match self {
            Cut::Instances => "instances",
            Cut::Terms => "terms",
            Cut::Nodes => "nodes",
            Cut::Leaves => "leaves",
            Cut::Time => "time",
        }
    }
}

/// Which procedure of Algorithm 2 gave an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Rule {
    /// PropNouse.
    NotUsed,
    /// PropTransfer.
    NoTransfer,
    /// PropCjmp.
    SameWay,
    /// Decisions behind the state in which a change was executed.
    AnotherState,
}

/// An input that may take the effect of a change farther.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Candidate {
    pub rule: Rule,
    /// The version whose run was looked at: 0 is the old one.
    pub version: u8,
    pub input: CompactInput,
}

/// What propagation did in a search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PropagationCounts {
    /// Runs that may have executed a change and showed no difference.
    pub runs: u64,
    /// Of these, runs that were traced: not too many, and not always the same ways.
    pub looks: u64,
    /// Of these, runs with the same leaves as several earlier ones.
    pub seen_before: u64,
    pub queries: u64,
    /// Candidates from the old version's runs.
    pub from_old: u64,
    /// How often a look was cut off, and by which limit; runs that are too long for a look included.
    pub cut: BTreeMap<Cut, u64>,
    pub by_rule: BTreeMap<Rule, RuleCounts>,
    pub time: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCounts {
    pub candidates: u64,
    /// Candidates whose paths were known already.
    pub known: u64,
    /// Candidates on whose paths the versions differ.
    pub different: u64,
}
