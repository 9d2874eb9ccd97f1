//! The partitions of a comparison, as a report lists them: the first ones with their conditions and with what the
//! versions put out on them, all of them counted.

use clap::ValueEnum;
use exploration::Members;
use exploration::compare::Observable;
use exploration::outputs::SymbolicOutput;
use exploration::relations::Relations;
use exploration::worker::{Part, Proof};
use serde::Serialize;

use super::function::FunctionCheck;
use super::several::groups::{Groups, by_what_they_say};

/// How many entries a report lists.
pub(super) const MOST_LISTED: usize = 100;
/// How many conditions of a partition are kept.
const MOST_CONDITIONS: usize = 1000;
/// How much people read of one condition, and of all of a partition.
const MOST_OF_ONE: usize = 240;
const MOST_CHARACTERS: usize = 720;

/// Which partitions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub(super) enum Which {
    Different,
    Equal,
    // Not known to be either.
    Open,
    #[default]
    All,
}

impl Which {
    fn has(self, part: &Part) -> bool {
        match self {
            Which::All => true,
            Which::Different => matches!(part, Part::Different { .. }),
            Which::Equal => matches!(part, Part::Equal { .. }),
            Which::Open => matches!(part, Part::Unknown { .. }),
        }
    }

    fn of(self, counts: &Counts) -> u64 {
        match self {
            Which::All => counts.all(),
            Which::Different => counts.different,
            Which::Equal => counts.equal(),
            Which::Open => counts.unknown,
        }
    }
}

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
    /// `function` is what is compared, if it is not the program.
    pub(super) fn of(
        members: &mut Members<'_, '_>,
        relations: Option<&Relations>,
        function: Option<&FunctionCheck>,
    ) -> Described {
        let outputs = members.outputs().into_iter();
        // That a call came back is the driver's success.
        let is_drivers = |output: &SymbolicOutput| {
            function.is_some()
                && output.observable == Observable::ExitStatus
                && output.versions.iter().all(|status| status == "0")
        };
        let outputs = outputs.filter(|output| !is_drivers(output));
        let outputs = outputs.map(|output| {
            let in_words = |function: &FunctionCheck| function.output(&output);
            let values = function.and_then(in_words);
            Output {
                said: Said::of(values.unwrap_or(output.versions)),
                observable: output.observable,
            }
        });
        Described {
            condition: first_ones(members.describe()),
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
    /// What is called does the same in both versions, and no change comes after it.
    pub(super) equal_called: u64,
    pub(super) different: u64,
    pub(super) unknown: u64,
}

impl Counts {
    pub(super) fn equal(&self) -> u64 {
        let seen = self.equal_by_terms + self.equal_by_solver;
        seen + self.equal_unreached + self.equal_converged + self.equal_called
    }

    pub(super) fn all(&self) -> u64 {
        self.equal() + self.different + self.unknown
    }
}

impl Entry {
    /// Those that differ or are not known first.
    fn rank(&self) -> u8 {
        match self.verdict {
            "different" => 0,
            "unknown" => 1,
            _ => 2,
        }
    }

    /// For people, with a name for each observable.
    fn text(&self, name: &dyn Fn(&Observable) -> String) -> String {
        let how = match (self.verdict, self.proof, &self.reason, &self.groups) {
            ("equal", Some(proof), ..) => format!("equal ({proof})"),
            (_, _, Some(reason), _) => format!("not known: {reason}"),
            (.., Some(groups)) => groups.text(),
            (verdict, ..) => verdict.to_owned(),
        };
        let condition = match &self.condition[..] {
            [] => "every input".to_owned(),
            conditions => shortened(conditions),
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
    /// Whether another partition is listed and not only counted. Equal ones leave room for the others.
    pub(super) fn takes(&self, part: &Part, which: Option<Which>) -> bool {
        let which = which.unwrap_or_default();
        let is_equal = matches!(part, Part::Equal { .. });
        let alike = |entry: &&Entry| (entry.verdict == "equal") == is_equal;
        let room = match which {
            Which::All => MOST_LISTED / 2,
            _ => MOST_LISTED,
        };
        which.has(part) && self.entries.iter().filter(alike).count() < room
    }

    /// For people, those that differ or are not known first, with a name for each observable.
    pub(super) fn text(&self, which: Which, name: &dyn Fn(&Observable) -> String) -> String {
        let mut entries: Vec<_> = self.entries.iter().collect();
        entries.sort_by_key(|entry| entry.rank());
        let mut text = String::new();
        let mut listed = 0;
        for entry in entries {
            let lines = entry.text(name);
            text.extend(lines.lines().map(|line| format!("  {line}\n")));
            listed += entry.count;
        }
        match which.of(&self.counts) - listed {
            0 => text,
            more => text + &format!("  and {more} more\n"),
        }
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
            Part::Equal {
                by: Proof::SameCall,
            } => (&mut counts.equal_called, "equal", Some("same call"), None),
            Part::Equal { by: Proof::Solver } => {
                (&mut counts.equal_by_solver, "equal", Some("solver"), None)
            }
            Part::Different { .. } => (&mut counts.different, "different", Some("witness"), None),
            Part::Unknown { why } => (&mut counts.unknown, "unknown", None, Some(why.to_string())),
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

/// The rest is counted.
fn first_ones(mut conditions: Vec<String>) -> Vec<String> {
    let more = conditions.len().saturating_sub(MOST_CONDITIONS);
    if more > 0 {
        conditions.truncate(MOST_CONDITIONS);
        conditions.push(format!("… and {more} more conditions"));
    }
    conditions
}

/// For people: as much of the conditions as one reads, and how much more there is.
fn shortened(conditions: &[String]) -> String {
    let mut text = String::new();
    for (number, condition) in conditions.iter().enumerate() {
        let left = conditions.len() - number;
        if text.len() > MOST_CHARACTERS {
            let conditions = if left == 1 { "condition" } else { "conditions" };
            return text + &format!("; … and {left} more {conditions}");
        }
        if number > 0 {
            text += "; ";
        }
        match condition.char_indices().nth(MOST_OF_ONE) {
            None => text += condition,
            Some((end, _)) => {
                let more = condition[end..].chars().count();
                text += &format!("{}… ({more} more characters)", &condition[..end]);
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is left out without a word.
    #[test]
    fn what_is_left_out_is_counted() {
        let of = |text: &str, count: usize| vec![text.to_owned(); count];
        assert_eq!(shortened(&of("a == 1", 3)), "a == 1; a == 1; a == 1");
        let long = "x".repeat(MOST_OF_ONE + 7);
        let cut = format!("{}… (7 more characters)", "x".repeat(MOST_OF_ONE));
        assert_eq!(shortened(&of(&long, 1)), cut);
        let many = shortened(&of(&long, 5));
        assert_eq!(
            many,
            format!("{cut}; {cut}; {cut}; … and 2 more conditions")
        );
        assert_eq!(first_ones(of("a", MOST_CONDITIONS)).len(), MOST_CONDITIONS);
        let last = first_ones(of("a", MOST_CONDITIONS + 2)).pop();
        assert_eq!(last.as_deref(), Some("… and 2 more conditions"));
    }
}
