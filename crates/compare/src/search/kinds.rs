//! Kinds of difference: the same versions differ, the same changes are responsible, the same observables differ, and the output first differs
//! at the same place. One example stands for each kind; the others are counted.

use std::collections::BTreeSet;

use exploration::InputRecord;
use exploration::compare::Observable;

use serde::{Deserialize, Serialize};

use crate::size::size;
use crate::versions::changed_line::ChangedLine;
use crate::versions::golden::Class;
use crate::versions::groups::Groups;

/// How many inputs of one kind of difference are kept, to be tried natively until one is confirmed.
const WITNESSES: usize = 3;

/// What a user sees of a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Symptom {
    pub(crate) groups: Groups,
    /// What differs between any two versions.
    pub(crate) observables: Vec<Observable>,
    /// How each version ends, and where, if not normally.
    pub(crate) ends: Vec<String>,
    /// What it is to a golden version in the VM, if there is one.
    pub(crate) class: Option<Class>,
}

/// A difference on the inputs of one partition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct NotedDifference {
    pub(crate) symptom: Symptom,
    /// Where each observable begins to differ; see [`super::location`].
    pub(crate) locations: Vec<String>,
    /// By step that makes a difference: the changed lines that are responsible.
    pub(crate) changes: Vec<Vec<ChangedLine>>,
    /// Of the partition, in the user's words; nothing of one that is no example of its kind.
    pub(crate) condition: Option<Vec<String>>,
}

/// One kind of difference.
pub(crate) struct Kind {
    pub(crate) symptom: Symptom,
    /// Where each observable begins to differ; see [`super::location`].
    pub(crate) locations: Vec<String>,
    /// By step that makes a difference: the changed lines that are responsible.
    pub(crate) changes: Vec<Vec<ChangedLine>>,
    /// Further changes on the way of some of its partitions.
    pub(crate) also: BTreeSet<ChangedLine>,
    pub(crate) partitions: u64,
    /// A few inputs that show it, the shortest first, each with its partition's conditions.
    pub(crate) witnesses: Vec<Witness>,
}

/// An input that shows a difference.
pub(crate) struct Witness {
    pub(crate) input: InputRecord,
    /// Of its partition, in the user's words.
    pub(crate) condition: Vec<String>,
}

impl Kind {
    fn of(difference: &NotedDifference) -> Kind {
        Kind {
            symptom: difference.symptom.clone(),
            locations: difference.locations.clone(),
            changes: difference.changes.clone(),
            also: BTreeSet::new(),
            partitions: 0,
            witnesses: Vec::new(),
        }
    }

    /// Whether a difference is of this kind.
    fn is(&self, difference: &NotedDifference) -> bool {
        self.symptom == difference.symptom
            && self.locations == difference.locations
            && self.changes == difference.changes
    }

    /// Whether an input is among the shortest.
    fn keeps(&self, input: &InputRecord) -> bool {
        let longest = self.witnesses.last();
        let is_better = longest.is_none_or(|longest| size(input) < size(&longest.input));
        is_better || self.witnesses.len() < WITNESSES
    }

    /// What differs, and where.
    fn places(&self) -> impl Iterator<Item = (&Observable, &String)> {
        self.symptom.observables.iter().zip(&self.locations)
    }

    /// Counts the partitions of another kind as its own.
    pub(crate) fn absorb(&mut self, other: Kind) {
        self.partitions += other.partitions;
        let further = other.changes.into_iter().flatten().chain(other.also);
        let known: BTreeSet<ChangedLine> = self.changes.iter().flatten().cloned().collect();
        self.also
            .extend(further.filter(|change| !known.contains(change)));
    }

    /// Where each of these observables begins to differ, as far as it is known.
    pub(crate) fn locations_of(&self, observables: &[Observable]) -> Vec<String> {
        let location = |observable: &Observable| {
            let mut places = self.places();
            let known = places.find(|(own, _)| *own == observable);
            known
                .map(|(_, location)| location.clone())
                .unwrap_or_default()
        };
        observables.iter().map(location).collect()
    }

    /// Changes on the way of some of its partitions that are none of these; each that a user is told apart once.
    pub(crate) fn further<'k>(
        &'k self,
        told: impl Iterator<Item = &'k ChangedLine>,
    ) -> Vec<&'k ChangedLine> {
        let mut told: BTreeSet<_> = told.map(ChangedLine::place).collect();
        let all = self.changes.iter().flatten().chain(&self.also);
        let all: BTreeSet<&ChangedLine> = all.collect();
        let all = all.into_iter();
        all.filter(|change| told.insert(change.place())).collect()
    }

    fn lines(&self) -> usize {
        self.changes.iter().map(Vec::len).sum()
    }

    /// Whether what this shows may be a part of what another shows: the same versions end in the same way, over some of the other's
    /// changes, and differ in some of the other's places.
    fn is_simpler_than(&self, other: &Kind) -> bool {
        let (own, others) = (&self.symptom, &other.symptom);
        let mut steps = self.changes.iter().zip(&other.changes);
        let mut places = self.places();
        (&own.groups, &own.ends, own.class) == (&others.groups, &others.ends, others.class)
            && self.lines() > 0
            && steps.all(|(own, more)| {
                own.is_empty() == more.is_empty() && own.iter().all(|line| more.contains(line))
            })
            && places.all(|place| other.places().any(|other| other == place))
    }
}

/// Whether the input of a difference is kept as an example of its kind.
pub(super) fn is_kept(kinds: &[Kind], difference: &NotedDifference, input: &InputRecord) -> bool {
    let mut kinds = kinds.iter();
    let kind = kinds.find(|kind| kind.is(difference));
    kind.is_none_or(|kind| kind.keeps(input))
}

/// Counts a difference with the others of its kind. Its input is kept if it is among the shortest and the difference comes with its
/// condition. Notes of two threads may arrive in another order than that in which they were made: then the first of a kind comes
/// without, and those with theirs after it.
pub(super) fn count(kinds: &mut Vec<Kind>, difference: NotedDifference, input: InputRecord) {
    let known = kinds.iter().position(|kind| kind.is(&difference));
    let at = known.unwrap_or_else(|| {
        kinds.push(Kind::of(&difference));
        kinds.len() - 1
    });
    let kind = &mut kinds[at];
    kind.partitions += 1;
    let is_kept = kind.keeps(&input);
    if let Some(condition) = difference.condition.filter(|_| is_kept) {
        kind.witnesses.push(Witness { input, condition });
        kind.witnesses.sort_by_key(|witness| size(&witness.input));
        kind.witnesses.truncate(WITNESSES);
    }
}

/// Folds kinds of difference into simpler ones: what is seen on the way over one change is usually seen with
/// others on the way too, and together with what those do. They stay counted and named.
pub(crate) fn folded(mut kinds: Vec<Kind>) -> Vec<Kind> {
    kinds.sort_by_key(|kind| (kind.lines(), kind.symptom.observables.len()));
    let mut kept: Vec<Kind> = Vec::new();
    for kind in kinds {
        let simpler: Vec<usize> = (0..kept.len())
            .filter(|&at| kept[at].is_simpler_than(&kind))
            .collect();
        let is_explained = kind.places().all(|place| {
            let mut explaining = simpler.iter().flat_map(|&at| kept[at].places());
            explaining.any(|other| other == place)
        });
        match simpler.first() {
            Some(&first) if is_explained => kept[first].absorb(kind),
            _ => kept.push(kind),
        }
    }
    kept
}
