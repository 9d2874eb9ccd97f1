//! Kinds of difference: the same changes are responsible, the same observables differ, from the same place of
//! the output on. One example stands for each kind; the others are counted.

use std::collections::BTreeSet;

use concolic_vm::{End, Outcome};
use exploration::InputRecord;
use exploration::compare::Observable;

use super::changes::ChangedLine;
use super::examples::Example;

/// How many inputs of one kind of difference are kept, to be tried natively until one is confirmed.
pub(super) const WITNESSES: usize = 3;

/// What a user sees of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Symptom {
    /// What differs.
    pub(super) observables: Vec<Observable>,
    /// How both versions end, and where, if not normally.
    pub(super) ends: [String; 2],
}

/// One kind of difference.
pub(super) struct Group {
    pub(super) symptom: Symptom,
    /// Where each observable begins to differ; see [`super::location`].
    pub(super) locations: Vec<String>,
    pub(super) changes: Vec<ChangedLine>,
    /// Further changes on the way of some of its partitions.
    pub(super) also: BTreeSet<ChangedLine>,
    pub(super) partitions: u64,
    /// A few inputs that show it, the shortest first, each with its partition's conditions.
    pub(super) witnesses: Vec<Witness>,
}

/// An input that shows a difference.
pub(super) struct Witness {
    pub(super) input: InputRecord,
    /// Of its partition, in the user's words.
    pub(super) condition: Vec<String>,
}

impl Group {
    /// Counts another partition of the same kind. Its input is kept if it is among the shortest.
    pub(super) fn add(&mut self, input: InputRecord, condition: impl FnOnce() -> Vec<String>) {
        self.partitions += 1;
        let longest = self.witnesses.last();
        let is_better = longest.is_none_or(|longest| size(&input) < size(&longest.input));
        if is_better || self.witnesses.len() < WITNESSES {
            let condition = condition();
            self.witnesses.push(Witness { input, condition });
            self.witnesses.sort_by_key(|witness| size(&witness.input));
            self.witnesses.truncate(WITNESSES);
        }
    }
}

impl Group {
    /// Changes on the way of some of its partitions, but not of the example.
    pub(super) fn further(&self, example: &Example) -> BTreeSet<ChangedLine> {
        let all = self.changes.iter().chain(&self.also).cloned();
        all.filter(|change| !example.changes.contains(change))
            .collect()
    }
}

/// Folds a kind of difference into one that needs fewer changes: what is seen on the way over one change is
/// usually seen with others on the way too. It stays counted and named.
pub(super) fn folded(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| group.changes.len());
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let explains = |other: &&mut Group| {
            let has = |change: &ChangedLine| group.changes.contains(change);
            other.symptom == group.symptom
                && other.locations == group.locations
                && !other.changes.is_empty()
                && other.changes.iter().all(has)
        };
        match kept.iter_mut().find(explains) {
            Some(simpler) => {
                simpler.partitions += group.partitions;
                let further = group.changes.into_iter();
                let new = further.filter(|change| !simpler.changes.contains(change));
                simpler.also.extend(new);
            }
            None => kept.push(group),
        }
    }
    kept
}

/// How a run ended, and where if not normally.
pub(super) fn ending(outcome: &Outcome) -> String {
    match (&outcome.end, outcome.location()) {
        (End::Exit { .. }, _) => "exit".to_owned(),
        // Where a run is when it is cut off is chance.
        (End::StepLimit { .. }, _) => outcome.end.kind().to_owned(),
        (end, Some(place)) => format!("{} at {place}", end.kind()),
        (end, None) => end.kind().to_owned(),
    }
}

/// Short inputs are better examples.
fn size(input: &InputRecord) -> usize {
    let nonzero = |bytes: &Vec<u8>| bytes.iter().filter(|&&byte| byte != 0).count();
    let strings: usize = input.args.iter().map(|arg| 1 + arg.len()).sum();
    strings
        + nonzero(&input.stdin)
        + input.files.values().map(nonzero).sum::<usize>()
        + input.variables.values().map(nonzero).sum::<usize>()
}
