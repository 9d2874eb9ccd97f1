//! Which of several versions behave the same, in words and for machines.

use exploration::relations::Relations;
use serde::Serialize;

/// What the report calls a version.
pub(in crate::check) fn label(version: usize) -> String {
    format!("V{version}")
}

fn labels(versions: &[usize], between: &str) -> String {
    let labels: Vec<String> = versions.iter().map(|&version| label(version)).collect();
    labels.join(between)
}

/// As in `V0, V1 and V3`.
pub(super) fn listed(versions: &[usize]) -> String {
    match versions {
        [first @ .., last] if !first.is_empty() => {
            format!("{} and {}", labels(first, ", "), label(*last))
        }
        _ => labels(versions, ""),
    }
}

/// The versions by what they do on some inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub(in crate::check) struct Groups {
    /// Those of a group behave the same.
    pub(super) groups: Vec<Vec<usize>>,
    /// Between these, nothing is known.
    pub(super) not_known: Vec<(usize, usize)>,
}

impl Groups {
    pub(in crate::check) fn of(relations: &Relations) -> Groups {
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
    pub(super) fn are_neighbours(&self, one: usize, other: usize) -> bool {
        let mut pairs = self.groups.iter().flat_map(|group| group.windows(2));
        pairs.any(|pair| *pair == [one, other])
    }

    /// Whether any two are said to behave the same.
    pub(super) fn say_same(&self) -> bool {
        self.groups.iter().any(|group| group.len() > 1)
    }

    pub(super) fn differ(&self, one: usize, other: usize) -> bool {
        !self.group_of(one).contains(&other) && self.is_known(one, other)
    }

    /// As in `V0 = V2 ≠ V1`.
    pub(in crate::check) fn text(&self) -> String {
        let groups: Vec<String> = self
            .groups
            .iter()
            .map(|group| labels(group, " = "))
            .collect();
        let mut text = match (&groups[..], self.not_known.is_empty()) {
            ([_] | [_, _], true) => groups.join(" ≠ "),
            ([first @ .., last], true) => format!("{} and {last} all differ", first.join(", ")),
            _ => groups.join(" | "),
        };
        for &(one, other) in &self.not_known {
            text += &format!(
                " (how {} and {} relate is not known)",
                label(one),
                label(other)
            );
        }
        text
    }

    /// What each version does to the one before it, for those that change something.
    pub(super) fn effects(&self) -> Vec<(usize, Effect)> {
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
pub(super) enum Effect {
    /// It behaves as earlier ones did.
    Undoes { again: Vec<usize> },
    /// It behaves as no version before.
    Introduces,
    /// Whether one did is not known.
    Changes,
}

impl Effect {
    pub(super) fn name(&self) -> &'static str {
        match self {
            Effect::Undoes { .. } => "undoes",
            Effect::Introduces => "introduces",
            Effect::Changes => "changes",
        }
    }

    pub(super) fn in_words(&self, version: usize) -> String {
        let version_name = label(version);
        match self {
            Effect::Undoes { again } => {
                format!("{version_name} behaves as {} again", listed(again))
            }
            Effect::Introduces if version == 1 => {
                format!("{version_name} behaves in another way than {}", label(0))
            }
            Effect::Introduces => format!("{version_name} behaves as no version before"),
            Effect::Changes => format!(
                "{version_name} behaves in another way than {}",
                label(version - 1)
            ),
        }
    }
}

/// Texts of the versions, each once with the versions that it is of; by itself if it is of all.
pub(in crate::check) fn by_what_they_say(versions: &[String]) -> String {
    let mut texts: Vec<(&String, Vec<usize>)> = Vec::new();
    for (version, text) in versions.iter().enumerate() {
        match texts.iter_mut().find(|known| known.0 == text) {
            Some(known) => known.1.push(version),
            None => texts.push((text, vec![version])),
        }
    }
    if let [(text, _)] = texts[..] {
        return text.clone();
    }
    let texts = texts.iter();
    let texts = texts.map(|(text, versions)| format!("{} {text}", labels(versions, " and ")));
    texts.collect::<Vec<_>>().join(", ")
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
        assert_eq!(groups(&[1, 2, 1]).text(), "V0 = V2 ≠ V1");
        assert_eq!(groups(&[1, 1, 1]).text(), "V0 = V1 = V2");
        assert_eq!(
            groups(&[1, 2, 3, 1]).text(),
            "V0 = V3, V1 and V2 all differ"
        );
        assert_eq!(
            groups(&[1, 0, 0]).text(),
            "V0 | V1 | V2 (how V1 and V2 relate is not known)"
        );
    }

    #[test]
    fn what_a_version_does_to_the_one_before() {
        let effects = |outputs: &[u32]| {
            let effects = groups(outputs).effects().into_iter();
            let effects = effects.map(|(version, effect)| effect.in_words(version));
            effects.collect::<Vec<_>>()
        };
        let first = "V1 behaves in another way than V0";
        assert_eq!(effects(&[1, 2, 1]), [first, "V2 behaves as V0 again"]);
        assert_eq!(effects(&[1, 1, 2]), ["V2 behaves as no version before"]);
        assert_eq!(
            effects(&[1, 1, 2, 1]),
            [
                "V2 behaves as no version before",
                "V3 behaves as V0 and V1 again"
            ]
        );
        assert_eq!(
            effects(&[0, 1, 0]),
            [first, "V2 behaves in another way than V1"]
        );
    }

    #[test]
    fn the_same_text_is_said_once() {
        let said = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
            by_what_they_say(&texts)
        };
        assert_eq!(said(&["a", "b", "a"]), "V0 and V2 a, V1 b");
        assert_eq!(said(&["a", "a", "a"]), "a");
    }
}
