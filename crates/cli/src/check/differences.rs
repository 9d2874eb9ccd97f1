//! Kinds of difference: the same changes are responsible, the same observables differ, from the same place of
//! the output on. One example stands for each kind; the others are counted.

use std::collections::BTreeSet;

use concolic_vm::{End, Outcome};
use exploration::InputRecord;
use exploration::compare::Observable;

use super::changes::ChangedLine;
use super::examples::Example;
use super::golden::Class;

/// How many inputs of one kind of difference are kept, to be tried natively until one is confirmed.
pub(super) const WITNESSES: usize = 3;

/// What a user sees of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Symptom {
    /// What differs.
    pub(super) observables: Vec<Observable>,
    /// How both versions end, and where, if not normally.
    pub(super) ends: [String; 2],
    /// What it is to a golden version in the VM, if there is one.
    pub(super) class: Option<Class>,
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
        keep_shortest(&mut self.witnesses, input, condition);
    }
}

/// Keeps another input if it is among the shortest.
pub(super) fn keep_shortest(
    witnesses: &mut Vec<Witness>,
    input: InputRecord,
    condition: impl FnOnce() -> Vec<String>,
) {
    let longest = witnesses.last();
    let is_better = longest.is_none_or(|longest| size(&input) < size(&longest.input));
    if is_better || witnesses.len() < WITNESSES {
        let condition = condition();
        witnesses.push(Witness { input, condition });
        witnesses.sort_by_key(|witness| size(&witness.input));
        witnesses.truncate(WITNESSES);
    }
}

impl Group {
    /// What differs, and where.
    fn places(&self) -> impl Iterator<Item = (&Observable, &String)> {
        self.symptom.observables.iter().zip(&self.locations)
    }

    /// Counts the partitions of another kind as its own.
    pub(super) fn absorb(&mut self, other: Group) {
        self.partitions += other.partitions;
        let further = other.changes.into_iter().chain(other.also);
        let new = further.filter(|change| !self.changes.contains(change));
        self.also.extend(new);
    }

    /// Where each of these observables begins to differ, as far as it is known.
    pub(super) fn locations_of(&self, observables: &[Observable]) -> Vec<String> {
        let location = |observable: &Observable| {
            let mut places = self.places();
            let known = places.find(|(own, _)| *own == observable);
            known
                .map(|(_, location)| location.clone())
                .unwrap_or_default()
        };
        observables.iter().map(location).collect()
    }

    /// Changes on the way of some of its partitions, but not of the example; each that a user is told apart once.
    pub(super) fn further(&self, example: &Example) -> Vec<&ChangedLine> {
        let mut told: BTreeSet<_> = example.changes.iter().map(ChangedLine::place).collect();
        let all: BTreeSet<&ChangedLine> = self.changes.iter().chain(&self.also).collect();
        let all = all.into_iter();
        all.filter(|change| told.insert(change.place())).collect()
    }
}

/// Folds kinds of difference into simpler ones: what is seen on the way over one change is usually seen with
/// others on the way too, and together with what those do. They stay counted and named.
pub(super) fn folded(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| (group.changes.len(), group.symptom.observables.len()));
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let is_simpler = |other: &Group| {
            let mut places = other.places();
            let mut changes = other.changes.iter();
            other.symptom.ends == group.symptom.ends
                && other.symptom.class == group.symptom.class
                && !other.changes.is_empty()
                && changes.all(|change| group.changes.contains(change))
                && places.all(|place| group.places().any(|own| own == place))
        };
        let simpler: Vec<usize> = (0..kept.len())
            .filter(|&at| is_simpler(&kept[at]))
            .collect();
        let is_explained = group.places().all(|place| {
            let mut explaining = simpler.iter().flat_map(|&at| kept[at].places());
            explaining.any(|other| other == place)
        });
        match simpler.first() {
            Some(&first) if is_explained => {
                kept[first].absorb(group);
            }
            _ => kept.push(group),
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
pub(super) fn size(input: &InputRecord) -> usize {
    let nonzero = |bytes: &Vec<u8>| bytes.iter().filter(|&&byte| byte != 0).count();
    let strings: usize = input.args.iter().map(|arg| 1 + arg.len()).sum();
    strings
        + nonzero(&input.stdin)
        + input.files.values().map(nonzero).sum::<usize>()
        + input.variables.values().map(nonzero).sum::<usize>()
}
