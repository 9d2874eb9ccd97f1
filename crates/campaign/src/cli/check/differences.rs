//! Kinds of difference: differences in the same observables on the way over the same changes.

use std::collections::BTreeSet;

use concolic_vm::{End, Outcome};
use exploration::InputRecord;
use exploration::compare::Observable;

use super::changes::ChangedLine;

/// Differences in the same observables on the way over the same changes.
pub(super) struct Group {
    pub(super) observables: Vec<Observable>,
    /// How both versions end, and where, if not normally.
    pub(super) ends: [String; 2],
    pub(super) changes: Vec<ChangedLine>,
    /// Further changes on the way of some of its partitions.
    pub(super) also: BTreeSet<ChangedLine>,
    pub(super) partitions: u64,
    /// A few inputs that show it, the shortest first, each with its partition's conditions.
    pub(super) witnesses: Vec<(InputRecord, Vec<String>)>,
}

/// Folds a kind of difference into one that needs fewer changes: what is seen on the way over one change is
/// usually seen with others on the way too. It stays counted and named.
pub(super) fn folded(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| group.changes.len());
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let explains = |other: &&mut Group| {
            let has = |change: &ChangedLine| group.changes.contains(change);
            other.observables == group.observables
                && other.ends == group.ends
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
        (end, Some(place)) => format!("{} at {place}", end.kind()),
        (end, None) => end.kind().to_owned(),
    }
}

/// Short inputs are better examples.
pub(super) fn size(input: &InputRecord) -> usize {
    let nonzero = |bytes: &Vec<u8>| bytes.iter().filter(|&&byte| byte != 0).count();
    let strings: usize = input.args.iter().map(|arg| 1 + arg.len()).sum();
    strings
        + nonzero(&input.stdin)
        + input.files.values().map(nonzero).sum::<usize>()
        + input.variables.values().map(nonzero).sum::<usize>()
}
