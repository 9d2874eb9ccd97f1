//! The partitions of a comparison, as a report lists them: the first ones with their conditions and with what the
//! versions put out on them, all of them counted.

use exploration::Members;
use exploration::compare::Observable;
use exploration::relations::Relations;
use exploration::worker::{Part, Proof};
use serde::Serialize;

use super::several::groups::{Groups, by_what_they_say};

/// How many entries a report lists.
pub(super) const MOST_LISTED: usize = 100;
/// How many conditions of a partition are written, and how much of each.
const MOST_CONDITIONS: usize = 40;
const MOST_CHARACTERS: usize = 400;

/// Partitions that read the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Entry {
    /// Which inputs these are, in the user's words. All conditions hold.
    condition: Vec<String>,
    /// What the versions put out on all of these inputs.
    outputs: Vec<Output>,
    verdict: &'static str,
    /// Of three versions or more: which behave the same.
    #[serde(flatten)]
    groups: Option<Groups>,
    /// How it is known.
    proof: Option<&'static str>,
    /// Why it is not known.
    reason: Option<String>,
    /// How many partitions this stands for.
    count: u64,
}

/// An observable in the versions, in terms of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Output {
    observable: Observable,
    #[serde(flatten)]
    said: Said,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
enum Said {
    Two { old: String, new: String },
    Several { versions: Vec<String> },
}

impl Said {
    fn of(mut versions: Vec<String>) -> Said {
        match &mut versions[..] {
            [old, new] => Said::Two {
                old: std::mem::take(old),
                new: std::mem::take(new),
            },
            _ => Said::Several { versions },
        }
    }

    fn text(&self) -> String {
        match self {
            Said::Two { old, new } if old == new => old.clone(),
            Said::Two { old, new } => format!("old {old}, new {new}"),
            Said::Several { versions } => by_what_they_say(versions),
        }
    }
}

/// A partition in the user's words.
pub(super) struct Described {
    condition: Vec<String>,
    outputs: Vec<Output>,
    groups: Option<Groups>,
}

impl Described {
    pub(super) fn of(members: &mut Members<'_, '_>, relations: Option<&Relations>) -> Described {
        let outputs = members.outputs().into_iter();
        let outputs = outputs.map(|output| Output {
            observable: output.observable,
            said: Said::of(output.versions),
        });
        Described {
            condition: shortened(members.describe()),
            outputs: outputs.collect(),
            groups: relations.map(Groups::of),
        }
    }
}

#[derive(Default)]
pub(super) struct Listed {
    pub(super) entries: Vec<Entry>,
    pub(super) counts: Counts,
}

/// Partitions by what is known of them.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub(super) struct Counts {
    pub(super) equal_by_terms: u64,
    pub(super) equal_by_solver: u64,
    /// No input of these executes a change.
    pub(super) equal_unreached: u64,
    /// After the last change that is executed, both versions are in the same state.
    pub(super) equal_converged: u64,
    pub(super) different: u64,
    pub(super) unknown: u64,
}

impl Counts {
    pub(super) fn equal(&self) -> u64 {
        self.equal_by_terms + self.equal_by_solver + self.equal_unreached + self.equal_converged
    }

    pub(super) fn all(&self) -> u64 {
        self.equal() + self.different + self.unknown
    }
}

impl Entry {
    /// How many partitions this stands for.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Those that differ or are not known first.
    pub(super) fn rank(&self) -> u8 {
        match self.verdict {
            "different" => 0,
            "unknown" => 1,
            _ => 2,
        }
    }

    /// For people, with a name for each observable.
    pub(super) fn text(&self, name: &dyn Fn(&Observable) -> String) -> String {
        let how = match (self.verdict, self.proof, &self.reason, &self.groups) {
            ("equal", Some(proof), ..) => format!("equal ({proof})"),
            (_, _, Some(reason), _) => format!("not known: {reason}"),
            (.., Some(groups)) => groups.text(),
            (verdict, ..) => verdict.to_owned(),
        };
        let condition = match &self.condition[..] {
            [] => "every input".to_owned(),
            conditions => conditions.join("; "),
        };
        let times = match self.count {
            1 => String::new(),
            count => format!(" ({count} partitions)"),
        };
        let mut text = format!("{how}{times}: {condition}\n");
        for Output { observable, said } in &self.outputs {
            text += &format!("  {}: {}\n", name(observable), said.text());
        }
        text
    }
}

impl Listed {
    /// Whether further partitions of this kind are only counted. Equal ones leave room for the others.
    pub(super) fn is_full(&self, part: &Part) -> bool {
        let is_equal = matches!(part, Part::Equal { .. });
        let alike = |entry: &&Entry| (entry.verdict == "equal") == is_equal;
        self.entries.iter().filter(alike).count() >= MOST_LISTED / 2
    }

    /// Counts a partition, and lists it if it is described.
    pub(super) fn add(&mut self, part: &Part, described: Option<Described>) {
        let counts = &mut self.counts;
        let (number, verdict, proof, reason) = match part {
            Part::Equal {
                by: Proof::SameTerms,
            } => (&mut counts.equal_by_terms, "equal", Some("terms"), None),
            Part::Equal {
                by: Proof::ChangeNotReached,
            } => (
                &mut counts.equal_unreached,
                "equal",
                Some("change not reached"),
                None,
            ),
            Part::Equal {
                by: Proof::SameState,
            } => (
                &mut counts.equal_converged,
                "equal",
                Some("same state"),
                None,
            ),
            Part::Equal { by: Proof::Solver } => {
                (&mut counts.equal_by_solver, "equal", Some("solver"), None)
            }
            Part::Different { .. } => (&mut counts.different, "different", Some("witness"), None),
            Part::Unknown { why } => (&mut counts.unknown, "unknown", None, Some(why.clone())),
        };
        *number += 1;
        let Some(Described {
            condition,
            outputs,
            groups,
        }) = described
        else {
            return;
        };
        let entry = Entry {
            condition,
            outputs,
            groups,
            verdict,
            proof,
            reason,
            count: 1,
        };
        let same = |other: &&mut Entry| {
            Entry {
                count: 1,
                ..(**other).clone()
            } == entry
        };
        match self.entries.iter_mut().find(same) {
            Some(other) => other.count += 1,
            None => self.entries.push(entry),
        }
    }
}

fn shortened(mut conditions: Vec<String>) -> Vec<String> {
    let more = conditions.len().saturating_sub(MOST_CONDITIONS);
    conditions.truncate(MOST_CONDITIONS);
    for condition in &mut conditions {
        if let Some((end, _)) = condition.char_indices().nth(MOST_CHARACTERS) {
            condition.truncate(end);
            condition.push('…');
        }
    }
    if more > 0 {
        conditions.push(format!("… and {more} more conditions"));
    }
    conditions
}
