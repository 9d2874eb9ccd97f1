//! Which versions behave the same on some inputs, and what each does to the behaviour of the one before it.

use std::fmt;

use exploration::relations::Relations;
use serde::{Deserialize, Serialize};

/// `V0`, as versions are called where there are more than two.
pub fn label(version: usize) -> String {
    format!("V{version}")
}

fn labels(versions: &[usize]) -> String {
    let labels: Vec<String> = versions.iter().map(|&version| label(version)).collect();
    labels.join(" = ")
}

/// The versions by what they do on some inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Groups {
    /// Those of a group behave the same.
    pub groups: Vec<Vec<usize>>,
    /// Between these, nothing is known.
    pub not_known: Vec<(usize, usize)>,
}

impl Groups {
    /// All of so many versions behave the same.
    pub(crate) fn all_same(versions: usize) -> Groups {
        Groups {
            groups: vec![(0..versions).collect()],
            not_known: Vec::new(),
        }
    }

    pub(crate) fn of(relations: &Relations) -> Groups {
        Groups {
            groups: relations.groups(),
            not_known: relations.not_known(),
        }
    }

    fn group_of(&self, version: usize) -> &[usize] {
        let mut groups = self.groups.iter();
        let own = groups.find(|group| group.contains(&version));
        own.expect("a version has a group")
    }

    fn is_known(&self, one: usize, other: usize) -> bool {
        !self.not_known.contains(&(one.min(other), one.max(other)))
    }

    /// Whether two behave the same, and none between them does.
    pub(crate) fn are_neighbours(&self, one: usize, other: usize) -> bool {
        let mut pairs = self.groups.iter().flat_map(|group| group.windows(2));
        pairs.any(|pair| *pair == [one, other])
    }

    /// Whether any two are said to behave the same.
    pub(crate) fn say_same(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    pub fn differ(&self, one: usize, other: usize) -> bool {
        !self.group_of(one).contains(&other) && self.is_known(one, other)
    }

    /// What each version does to the one before it, for those that change something.
    pub fn effects(&self) -> Vec<(usize, Effect)> {
        let versions: usize = self.groups.iter().map(Vec::len).sum();
        let changing = (1..versions).filter(|&version| self.differ(version - 1, version));
        let effect = |version: usize| {
            let before: Vec<usize> = (0..version).collect();
            let own = self.group_of(version);
            let again: Vec<usize> = own
                .iter()
                .copied()
                .filter(|other| before.contains(other))
                .collect();
            let others = before.iter().filter(|other| !again.contains(other));
            let all_known = others.clone().all(|&other| self.is_known(other, version));
            match (again.is_empty(), all_known) {
                (false, _) => Effect::Undoes { again },
                (true, true) => Effect::Introduces,
                (true, false) => Effect::Changes,
            }
        };
        changing.map(|version| (version, effect(version))).collect()
    }
}

/// What a version does to the behaviour of the one before it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It behaves as earlier ones did.
    Undoes { again: Vec<usize> },
    /// It behaves as no version before.
    Introduces,
    /// Whether one did is not known.
    Changes,
}

impl fmt::Display for Groups {
    /// `V0 = V2 ≠ V1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let groups: Vec<String> = self.groups.iter().map(|group| labels(group)).collect();
        match (&groups[..], self.not_known.is_empty()) {
            ([_] | [_, _], true) => f.write_str(&groups.join(" ≠ "))?,
            ([first @ .., last], true) => {
                write!(f, "{} and {last} all differ", first.join(", "))?;
            }
            _ => f.write_str(&groups.join(" | "))?,
        }
        for &(one, other) in &self.not_known {
            let (one, other) = (label(one), label(other));
            write!(f, " (how {one} and {other} relate is not known)")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use exploration::part::WhyUnknown;
    use exploration::relations::Relation;

    /// Of versions that put this out; nothing is known between those that put out 0.
    fn groups(outputs: &[u32]) -> Groups {
        let relations = Relations::new(outputs.len(), |one, other| {
            match (outputs[one], outputs[other]) {
                (0, 0) => Relation::NotKnown(WhyUnknown::ManyParts(1)),
                (one, other) if one == other => Relation::Same,
                _ => Relation::Different,
            }
        });
        Groups::of(&relations)
    }

    #[test]
    fn in_words() {
        assert_eq!(groups(&[1, 2, 1]).to_string(), "V0 = V2 ≠ V1");
        assert_eq!(groups(&[1, 1, 1]).to_string(), "V0 = V1 = V2");
        assert_eq!(
            groups(&[1, 2, 3, 1]).to_string(),
            "V0 = V3, V1 and V2 all differ"
        );
        assert_eq!(
            groups(&[1, 0, 0]).to_string(),
            "V0 | V1 | V2 (how V1 and V2 relate is not known)"
        );
    }

    #[test]
    fn what_a_version_does_to_the_one_before() {
        let effects = |outputs: &[u32]| groups(outputs).effects();
        let undoes = |again: &[usize]| Effect::Undoes {
            again: again.to_vec(),
        };
        assert_eq!(
            effects(&[1, 2, 1]),
            [(1, Effect::Introduces), (2, undoes(&[0]))]
        );
        assert_eq!(effects(&[1, 1, 2]), [(2, Effect::Introduces)]);
        assert_eq!(
            effects(&[1, 1, 2, 1]),
            [(2, Effect::Introduces), (3, undoes(&[0, 1]))]
        );
        assert_eq!(
            effects(&[0, 1, 0]),
            [(1, Effect::Introduces), (2, Effect::Changes)]
        );
    }
}
