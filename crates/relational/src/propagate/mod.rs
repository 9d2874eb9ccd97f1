//! Propagating the effect of a change to an output (Qi et al., §3.2, Algorithm 2).
//!
//! A run that executes a change need not show it. [`Propagation`] finds where its effect stopped
//! ([`effect_tree`]) and asks the solver for inputs with which it goes farther:
//!
//! - **PropCjmp**, at a branch that decides the same in both versions: the paths of both versions up to it, and the
//!   branch decided differently, in both directions.
//! - **PropTransfer**, at a result that is the same: the paths of both up to it, and "the results differ". If no input
//!   does that, this version's path alone and the operation's transfer condition ([`transfer`]).
//! - **PropNouse**, at a value that was not used: its static uses ([`uses`]) are targets for Algorithm 1. Of the ways
//!   that the run did not take, those with the smallest distance to a use are solved; the runs that come out are looked
//!   at in turn.
//!
//! First on the new version's run; if that gives no input, on the old version's.
//!
//! Beyond the paper, **another state**: a change may have no effect at all in the state in which it was executed (it
//! wrote what was there already), or stop at a branch that does not depend on the input by itself. Then nothing
//! above applies. The decisions that such an instance depends on, by data and control, made the state what it was;
//! the latest of them are taken the other way; and, as for a value without use, ways that lead to such a branch
//! once more. That is Algorithm 1's way around untainted branches (§4.3), with the
//! dynamic slice instead of static control dependence.
//!
//! **Several changes** have their turns one by one and together: leaves are grouped by the changes that they
//! depend on, and the groups take turns.
//!
//! Looks at runs take turns with the search, after all seeds. The inputs are *candidates*: the search runs them before
//! it goes on (like seeds), so what a candidate shows is found
//! and proved as everything else is. A wrong alignment costs a useless candidate, never a wrong answer.
//!
//! **Everything is bounded** ([`Limits`]): a run that is too long is not traced, a tree ends where it has too many nodes
//! or leaves, tracing adds so many terms at most, and a look ends when its time is over. What was cut off is counted
//! by reason ([`Cut`]).
//!
//! Deviations: all leaves are tried in one go, within [`Limits`], and not one by one with a run after each; branches
//! come first, since they need no second step. Runs whose trees have the same leaves as [`TIMES_A_TREE`] earlier ones are
//! passed over, and so are runs that decide the same ways; the rest is thinned out ([`FIRST_LOOKS`]): the paper's programs
//! have few runs.

pub mod align;
pub mod effect_tree;
pub mod matching;
pub mod transfer;
pub mod uses;

use crate::attribution::trace_facts;
use crate::changes::ChangeFacts;
use crate::static_facts::StaticFacts;
use crate::subject::Version;
use crate::version_run::VersionRun;
use align::{Aligned, Sequence, align};
use concolic_vm::Program;
use concolic_vm::observe::{Instance, TraceFacts, TraceLimits, UnpackedTrace};
use concolic_vm::symbolic::SymbolicInput;
use effect_tree::{EffectTree, Side, TreeLimits};
use matching::{Matching, SameValues};
use program_graphs::Distances;
use program_ir::{Func, Inst};
use rustc_hash::FxHashMap;
pub use search::propagation::{
    Cut, FIRST_LOOKS, PropagationCounts, Rule, RuleCounts, TIMES_A_TREE,
};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How much is spent on one run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Instructions of a run and instances of its trace; a longer one is not looked at.
    pub instances: usize,
    /// Of a change effect tree; what comes later in the run is left out.
    pub nodes: usize,
    pub leaves: usize,
    /// Terms that the two traces may add to a worker's store.
    pub terms: usize,
    pub queries: usize,
    pub candidates: usize,
    /// For one query, and for all: hard ones must not take all the time.
    pub query: Duration,
    pub time: Duration,
}

/// Memory for a trace that is looked at, on average. An access whose address depends on the input depends on every byte of
/// its object, so that few instances may take more than all others together.
const BYTES_AN_INSTANCE: usize = 32;

/// What is kept of a run that is looked at.
pub fn trace_limits(instances: usize) -> TraceLimits {
    TraceLimits {
        instances,
        results: true,
        ..TraceLimits::bytes(instances.saturating_mul(BYTES_AN_INSTANCE))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            instances: 1 << 20,
            nodes: 1 << 18,
            leaves: 1 << 12,
            terms: 1 << 20,
            queries: 24,
            candidates: 6,
            query: Duration::from_millis(200),
            time: Duration::from_millis(800),
        }
    }
}

/// Definitions whose distances are kept: each is as large as the program.
const KEPT_DISTANCES: usize = 64;

/// An input that may take the effect of a change farther.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    pub rule: Rule,
    /// The version whose run was looked at: 0 is the old one.
    pub version: u8,
    pub input: SymbolicInput,
}

/// What one run gave when it was looked at for inputs that propagate the effect of a change farther.
#[derive(Clone, Debug, Default)]
pub struct RunCandidates {
    pub candidates: Vec<Candidate>,
    pub cut: Option<Cut>,
    pub seen_before: bool,
    pub queries: u64,
}

/// Where Algorithm 1 is to lead, in a version's code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// To the uses of a definition, or to what takes over the value of a change point.
    Uses(u8, Func, Inst),
    /// To this instruction.
    Place(u8, Func, Inst),
}

/// All that is known of a version pair before anything runs.
pub struct Propagation<'p> {
    versions: [Version<'p>; 2],
    facts: &'p StaticFacts<'p>,
    matching: Matching,
    trace_facts: [TraceFacts; 2],
    distances: Mutex<FxHashMap<Goal, Arc<Distances>>>,
    pub limits: Limits,
}

impl<'p> Propagation<'p> {
    pub fn of(facts: &'p StaticFacts<'p>, limits: Limits) -> Propagation<'p> {
        let [old, new] = facts.versions;
        Propagation {
            matching: Matching::of(facts),
            trace_facts: [old, new].map(|version| trace_facts(version.program, |_| false)),
            versions: [old, new],
            facts,
            distances: Mutex::default(),
            limits,
        }
    }

    /// Whether a run may have executed a change: it entered a block with one.
    pub fn may_execute_change(&self, runs: &[VersionRun<'_>]) -> bool {
        let versions = self.versions.iter().zip(runs);
        versions.zip(0..).any(|((version, own), number)| {
            let mut blocks = self.facts.changes().blocks(number).iter();
            blocks.any(|&(func, block, _)| own.run.coverage.contains(version.program, func, block))
        })
    }

    pub fn program(&self, version: u8) -> &'p Program {
        self.versions[usize::from(version)].program
    }

    pub fn changes(&self) -> &ChangeFacts {
        self.facts.changes()
    }

    /// What a version's trace needs to know of its text.
    pub fn trace_facts(&self, version: usize) -> &TraceFacts {
        &self.trace_facts[version]
    }

    /// The effects of the change in one version's run.
    pub fn tree(
        &self,
        version: usize,
        traces: &[UnpackedTrace; 2],
        aligned: &Aligned,
        limits: TreeLimits,
    ) -> EffectTree {
        let this = self.side(version, &traces[version]);
        let other = self.side(1 - version, &traces[1 - version]);
        let values = self.same_values(version);
        match version {
            0 => EffectTree::of(this, other, &aligned.reversed(), values, limits),
            _ => EffectTree::of(this, other, aligned, values, limits),
        }
    }

    /// One version's run.
    pub fn side<'t>(&'t self, version: usize, trace: &'t UnpackedTrace) -> Side<'t> {
        Side {
            program: self.versions[version].program,
            trace,
            statements: &self.matching.versions[version],
        }
    }

    /// Which instances of both runs correspond.
    pub fn aligned(&self, traces: &[UnpackedTrace; 2]) -> Aligned {
        let sequence = |version: usize| {
            let trace = &traces[version];
            let statements = &self.matching.versions[version].statement;
            let statement = |instance: Instance| statements[trace.operation(instance) as usize];
            let parent = |instance: Instance| trace.control(instance).map_or(0, |above| above.0);
            Sequence {
                statements: std::iter::once(align::NONE)
                    .chain(trace.instances().map(statement))
                    .collect(),
                parents: std::iter::once(0)
                    .chain(trace.instances().map(parent))
                    .collect(),
            }
        };
        align(&sequence(0), &sequence(1))
    }

    /// Which objects of `version` are which of the other one.
    fn same_values(&self, version: usize) -> SameValues {
        let objects = self.matching.objects.iter();
        SameValues::new(objects.map(|(&old, &new)| match version {
            0 => (old, new),
            _ => (new, old),
        }))
    }

    /// How far each way is from a goal.
    pub fn distances(&self, goal: Goal) -> Arc<Distances> {
        let known = |known: &Mutex<FxHashMap<_, Arc<Distances>>>| {
            let known = known.lock().expect("no worker panicked");
            known.get(&goal).cloned()
        };
        if let Some(known) = known(&self.distances) {
            return known;
        }
        let (Goal::Uses(version, ..) | Goal::Place(version, ..)) = goal;
        let number = usize::from(version);
        let facts = self.facts.program(number);
        let takers = &self.matching.versions[number].takers;
        let targets = match goal {
            Goal::Place(_, func, inst) => vec![(func, inst)],
            Goal::Uses(_, func, inst) => match takers.get(&(func, inst)) {
                Some(takers) => takers.clone(),
                None => uses::of_definition(facts, func, inst),
            },
        };
        let found = Arc::new(Distances::to(facts, &targets));
        let mut distances = self.distances.lock().expect("no worker panicked");
        if distances.len() >= KEPT_DISTANCES {
            distances.clear();
        }
        distances.entry(goal).or_insert(found).clone()
    }
}
