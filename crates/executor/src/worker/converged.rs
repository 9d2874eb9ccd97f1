//! Runs that execute a change without a lasting effect: behind it both versions are in the same state again (the *differential state converges*,
//! thesis §3.3, Algorithm 3).
//!
//! The paper's *N_i* is the first pair of aligned instances after which both versions' slices of the output hold the same
//! values; it is found from the outputs backwards. Here both runs' branches behind all executed changes are paired by their places, and at the
//! first pairs behind all executed changes the **whole states** are compared, by values and by terms
//! ([`concolic_vm::symbolic::SymbolicProcess::unlike`]). Where only registers have different terms, the solver is asked
//! whether these can have different values.
//!
//! If they are the same, the versions are equal for every input that satisfies
//! - all that both runs have decided up to there, so that it comes there in both versions, where its state is what the terms
//!   say, and
//! - what decides that no change is executed afterwards ([`relational::relevance::RelevanceFacts::reachability_after`]): from
//!   there on, the old version executes only what the new one has at the same place
//!   ([`relational::infection::same_shape`]).
//!
//! How many steps were taken does not count: a limit on steps is no behaviour of the program.

use super::{RunError, VersionRun, Worker};
use concolic_vm::observe::{DependenceTrace, Instance};
use concolic_vm::symbolic::{EventKind, PathEvent, SymbolicInput, Unlike};
use expr::ExprId;
use relational::relevance::PairRelevance;
use rustc_hash::FxHashSet;
use solver::Answer;
use std::time::Duration;

/// Pairs of events at which states are compared, at most, and how many events behind the changes they may be.
const TRIES: usize = 4;
const NEAR: usize = 8;

/// Registers about which the solver is asked, at most, and for how long.
const MOST_UNLIKE: usize = 8;
const PATIENCE: Duration = Duration::from_secs(1);

impl<'p> Worker<'p> {
    /// Leaves of the paths what decides that both versions come to the same state after the last change, and that no
    /// change comes after it. Whether they do. `behind` are the first events after the last change.
    pub(super) fn keep_until_converged(
        &mut self,
        relevance: &PairRelevance<'_>,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
        traces: &[DependenceTrace; 2],
        behind: [usize; 2],
        paths: &mut [Vec<PathEvent>],
    ) -> Result<bool, RunError> {
        if !relevance.same_shape {
            return Ok(false);
        }
        for events in same_places(paths, behind).into_iter().take(TRIES) {
            if !self.same_state_at(input, paths, events)? {
                continue;
            }
            let (facts, trace) = (&relevance.versions[0], &traces[0]);
            let since = instance_of(trace, events[0]);
            let end = &versions[0].run.outcome.end;
            let later = self.sliced(0, |known| {
                facts.reachability_after(known, trace, end, since)
            });
            let Some(later) = later else {
                return Ok(false);
            };
            let mut number = 0;
            paths[0].retain(|event| {
                number += 1;
                number <= events[0] || later.contains(&event.condition)
            });
            paths[1].truncate(events[1]);
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether both versions are in the same state before these events of their paths.
    fn same_state_at(
        &mut self,
        input: &SymbolicInput,
        paths: &[Vec<PathEvent>],
        events: [usize; 2],
    ) -> Result<bool, RunError> {
        let mut processes = Vec::with_capacity(2);
        for (version, event) in events.into_iter().enumerate() {
            let mut process = self.start(version, input)?;
            let Some(limit) = paths[version][event].instructions.checked_sub(1) else {
                return Ok(false);
            };
            let before = process.machine().instructions();
            if before > limit || process.run_up_to(&mut self.store, limit).is_some() {
                return Ok(false);
            }
            self.counts.instructions += process.machine().instructions() - before;
            if process.path().len() != event {
                return Ok(false);
            }
            processes.push(process);
        }
        let Some(unlike) = processes[0].unlike(&processes[1]) else {
            return Ok(false);
        };
        if unlike.is_empty() {
            return Ok(true);
        }
        if unlike.len() > MOST_UNLIKE {
            return Ok(false);
        }
        let mut differs = self.store.truth(false);
        for Unlike { value, terms } in unlike {
            let width = terms
                .iter()
                .flatten()
                .map(|term| self.store.width(*term))
                .max();
            let width = width.unwrap_or(64);
            let [old, new] = terms.map(|term| match term {
                Some(term) => self.store.zext(term, width),
                None => self.store.constant(u128::from(value), width),
            });
            let same = self.store.eq(old, new);
            let other = self.store.not(same);
            differs = self.store.or(differs, other);
        }
        let mut decided = paths[0][..events[0]].to_vec();
        decided.extend_from_slice(&paths[1][..events[1]]);
        Ok(matches!(
            self.ask_for_slice(&decided, &[differs], PATIENCE),
            Answer::Unsat
        ))
    }
}

/// The first event of each path that was decided after the last change.
pub(super) fn behind_changes(
    relevance: &PairRelevance<'_>,
    traces: &[DependenceTrace; 2],
) -> [usize; 2] {
    [0, 1].map(|version| {
        let changed = relevance.versions[version].last_change(&traces[version]);
        first_behind(&traces[version], changed)
    })
}

/// Pairs of branches at the same place behind the changes, nearest first.
fn same_places(paths: &[Vec<PathEvent>], behind: [usize; 2]) -> Vec<[usize; 2]> {
    // A run can be stopped just before a branch, with all that comes before it done.
    let is_branch = |event: &PathEvent| matches!(event.kind, EventKind::Branch | EventKind::Switch);
    let mut pairs = Vec::new();
    let ends = [0, 1].map(|version| paths[version].len().min(behind[version] + NEAR));
    for old in behind[0]..ends[0] {
        for new in behind[1]..ends[1] {
            let (own, theirs) = (&paths[0][old], &paths[1][new]);
            if is_branch(own) && is_branch(theirs) && own.site == theirs.site {
                pairs.push([old, new]);
            }
        }
    }
    pairs.sort_by_key(|[old, new]| old + new);
    pairs
}

/// The events of a path with the instances that decided them: what is decided for the first time.
fn events(trace: &DependenceTrace) -> impl Iterator<Item = Instance> + '_ {
    let mut decided: FxHashSet<ExprId> = FxHashSet::default();
    let conditions = trace.conditions.iter();
    let new = conditions.filter(move |(_, condition)| decided.insert(*condition));
    new.map(|(instance, _)| *instance)
}

/// The first event behind an instance.
fn first_behind(trace: &DependenceTrace, instance: Instance) -> usize {
    events(trace).take_while(|event| *event <= instance).count()
}

/// The instance before the one that decided an event.
fn instance_of(trace: &DependenceTrace, event: usize) -> Instance {
    let deciding = events(trace).nth(event);
    deciding.map_or(Instance::NONE, |instance| Instance(instance.0 - 1))
}
