//! How several versions relate on a set of inputs: which of them behave the same, and which do not.
//!
//! A multi-version partition (thesis §3.2.3, Definition 2) is equivalence-revealing if all versions behave the same on its
//! inputs, and difference-revealing if two of them do not. Here a partition says more: it relates each two versions, so
//! that it can be seen which change made a difference, and which took it back. Where nothing is open, behaving the same
//! is an equivalence, and the versions fall into groups.

use crate::part::{Part, WhyUnknown};
use serde::{Deserialize, Serialize};

/// How two versions behave on every input of a partition.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Relation {
    Same,
    Different,
    NotKnown(WhyUnknown),
}

/// How each two of several versions behave on every input of a partition.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Relations {
    versions: usize,
    /// In the order of [`pairs`].
    pairs: Vec<Relation>,
}

/// Each two of so many versions, the earlier one first.
pub fn pairs(versions: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..versions).flat_map(move |one| (one + 1..versions).map(move |other| (one, other)))
}

impl Relations {
    /// `relate` is asked for each two versions, the earlier one first.
    pub fn new(versions: usize, mut relate: impl FnMut(usize, usize) -> Relation) -> Relations {
        let pairs = pairs(versions).map(|(one, other)| relate(one, other));
        Relations {
            versions,
            pairs: pairs.collect(),
        }
    }

    /// Of versions of which each two relate as a part says.
    pub fn of_part(versions: usize, part: &Part) -> Relations {
        Relations::new(versions, |_, _| match part {
            Part::Equal { .. } => Relation::Same,
            Part::Different { .. } => Relation::Different,
            Part::Unknown { why } => Relation::NotKnown(why.clone()),
        })
    }

    /// Between two versions, which are not the same.
    pub fn between(&self, one: usize, other: usize) -> &Relation {
        let wanted = (one.min(other), one.max(other));
        let at = pairs(self.versions).position(|pair| pair == wanted);
        &self.pairs[at.expect("two of the versions")]
    }

    pub fn are_same(&self, one: usize, other: usize) -> bool {
        one == other || *self.between(one, other) == Relation::Same
    }

    pub fn differ(&self, one: usize, other: usize) -> bool {
        one != other && *self.between(one, other) == Relation::Different
    }

    /// Whether all behave the same.
    pub fn all_same(&self) -> bool {
        self.pairs.iter().all(|pair| *pair == Relation::Same)
    }

    /// Whether two behave differently.
    pub fn any_differ(&self) -> bool {
        self.pairs.contains(&Relation::Different)
    }

    /// The first reason why something is not known.
    pub fn open(&self) -> Option<&WhyUnknown> {
        self.pairs.iter().find_map(|pair| match pair {
            Relation::NotKnown(why) => Some(why),
            _ => None,
        })
    }

    /// The versions between which nothing is known.
    pub fn not_known(&self) -> Vec<(usize, usize)> {
        let open = pairs(self.versions).zip(&self.pairs);
        let open = open.filter(|(_, pair)| matches!(pair, Relation::NotKnown(_)));
        open.map(|(pair, _)| pair).collect()
    }

    /// The groups of versions that are known to behave the same, each in order; a version that is like no other is a group
    /// of its own.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for version in 0..self.versions {
            let its = |group: &&mut Vec<usize>| self.are_same(group[0], version);
            match groups.iter_mut().find(its) {
                Some(group) => group.push(version),
                None => groups.push(vec![version]),
            }
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_behave_the_same_are_a_group() {
        let outputs = [7, 8, 7, 9, 8];
        let relations = Relations::new(5, |one, other| match outputs[one] == outputs[other] {
            true => Relation::Same,
            false => Relation::Different,
        });
        assert_eq!(relations.groups(), [vec![0, 2], vec![1, 4], vec![3]]);
        assert!(relations.any_differ() && !relations.all_same());
        assert!(relations.differ(4, 3) && relations.are_same(4, 1));
    }

    #[test]
    fn what_is_not_known_is_in_no_common_group() {
        let relations = Relations::new(3, |one, _| match one {
            0 => Relation::Different,
            _ => Relation::NotKnown(WhyUnknown::ManyParts(1)),
        });
        assert_eq!(relations.groups(), [[0], [1], [2]]);
        assert_eq!(relations.not_known(), [(1, 2)]);
        assert_eq!(relations.open(), Some(&WhyUnknown::ManyParts(1)));
    }
}
