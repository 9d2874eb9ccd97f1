//! Which of the values that a run left a test asks for: those that the call has changed, and those that differ between the versions.

use std::collections::BTreeMap;

use super::leaves::{Leaf, LeafValue};
use crate::test_code::{Check, Wanted};

/// What is known of the values.
pub(crate) struct Wanting<'w> {
    /// Before the call, by place.
    pub(crate) before: &'w BTreeMap<String, LeafValue>,
    /// By version; `None` if the call did not come back.
    pub(crate) left: &'w [Option<Vec<Leaf>>; 2],
}

/// More values of which nobody knows what they were before are asked for only where the versions differ.
const MOST_UNKNOWN: usize = 64;
/// From so many numbers on, an array is compared as a whole.
const MANY: usize = 5;

/// The checks of both versions, and the places that no test in C can look at.
pub(crate) fn wanted(wanting: &Wanting<'_>) -> ([Vec<Check>; 2], [Vec<String>; 2]) {
    let mut not_asked = [Vec::new(), Vec::new()];
    let checks = [0, 1].map(|version| {
        let mut checks = Vec::new();
        let own = wanting.left[version].as_deref().unwrap_or_default();
        let mut rest = own;
        while let Some(first) = rest.first() {
            let is_same = |leaf: &&Leaf| first.array.is_some() && leaf.array == first.array;
            let count = rest.iter().take_while(is_same).count().max(1);
            let (group, behind) = rest.split_at(count);
            rest = behind;
            wanting.group(version, group, &mut checks, &mut not_asked[version]);
        }
        not_asked[version].sort();
        not_asked[version].dedup();
        // What is asked for later may call functions that set it.
        checks.sort_by_key(|check: &Check| check.actual != "errno");
        checks
    });
    (checks, not_asked)
}

impl Wanting<'_> {
    fn of(&self, version: usize, place: &str) -> Option<&LeafValue> {
        let leaves = self.left[version].as_ref()?;
        let mut leaves = leaves.iter();
        Some(&leaves.find(|leaf| leaf.place == place)?.known)
    }

    fn is_wanted(&self, version: usize, leaf: &Leaf) -> bool {
        let other = 1 - version;
        let differs =
            self.left[other].is_some() && self.of(other, &leaf.place) != Some(&leaf.known);
        let many = self.left[version].as_ref().map_or(0, Vec::len) > MOST_UNKNOWN;
        match self.before.get(&leaf.place) {
            Some(before) => differs || *before != leaf.known,
            None => differs || !many || leaf.place.starts_with("result"),
        }
    }

    /// The elements of an array, or a single value.
    fn group(
        &self,
        version: usize,
        group: &[Leaf],
        checks: &mut Vec<Check>,
        not_asked: &mut Vec<String>,
    ) {
        let is_any = group.iter().any(|leaf| self.is_wanted(version, leaf));
        let Some(first) = group.first().filter(|_| is_any) else {
            return;
        };
        if let Some(array) = &first.array {
            let bytes = group.iter().map(|leaf| match &leaf.known {
                LeafValue::Character(byte) => Some(*byte),
                _ => None,
            });
            if let Some(bytes) = bytes.collect::<Option<Vec<u8>>>() {
                checks.push(Check {
                    actual: array.text.clone(),
                    expected: self.characters(version, group, bytes),
                });
                return;
            }
            let numbers = group.iter().map(|leaf| match &leaf.known {
                LeafValue::Integer { text, .. } => Some(text.clone()),
                _ => None,
            });
            if let Some(values) = numbers.collect::<Option<Vec<String>>>()
                && values.len() >= MANY
            {
                checks.push(Check {
                    actual: array.text.clone(),
                    expected: Wanted::Elements {
                        element: array.element.to_owned(),
                        values,
                    },
                });
                return;
            }
        }
        for leaf in group.iter().filter(|leaf| self.is_wanted(version, leaf)) {
            let expected = match &leaf.known {
                LeafValue::Integer { text, is_signed } => match is_signed {
                    true => Wanted::Signed(text.clone()),
                    false => Wanted::Unsigned(text.clone()),
                },
                LeafValue::Character(byte) => Wanted::Signed(crate::literal::character(*byte)),
                LeafValue::Real(text) => Wanted::Real(text.clone()),
                LeafValue::NotANumber => Wanted::NotANumber,
                LeafValue::Text(bytes) => Wanted::Text(bytes.clone()),
                LeafValue::Null => Wanted::Null,
                LeafValue::Address(text) => Wanted::Address(text.clone()),
                LeafValue::Other(_) => {
                    not_asked.push(leaf.place.clone());
                    continue;
                }
            };
            checks.push(Check {
                actual: leaf.place.clone(),
                expected,
            });
        }
    }

    /// A text, if what is behind its zero is as it was and the same in both versions; all bytes otherwise.
    fn characters(&self, version: usize, group: &[Leaf], bytes: Vec<u8>) -> Wanted {
        let end = bytes.iter().position(|&byte| byte == 0);
        let is_untouched = |leaf: &Leaf| {
            let was = self
                .before
                .get(&leaf.place)
                .unwrap_or(&LeafValue::Character(0));
            let other = self.of(1 - version, &leaf.place);
            *was == leaf.known && other.is_none_or(|other| *other == leaf.known)
        };
        match end {
            Some(end) if group[end + 1..].iter().all(is_untouched) => {
                Wanted::Text(bytes[..end].to_vec())
            }
            _ => Wanted::Bytes(bytes),
        }
    }
}
