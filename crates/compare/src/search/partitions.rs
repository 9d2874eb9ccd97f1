//! The partitions of a comparison, as a report lists them: the first ones with their conditions and with what the
//! versions put out on them, all of them counted.

use exploration::Members;
use exploration::compare::Observable;
use exploration::outputs::SymbolicOutput;
use exploration::part::WhyUnknown;
use exploration::worker::{Part, Proof};
use harness::{CallObservable, Harness, Value};
use serde::{Deserialize, Serialize};

use crate::spec::Which;
use crate::versions::groups::Groups;

/// How many entries a report lists.
pub const MOST_LISTED: usize = 100;
/// How many conditions of a partition are kept.
const MOST_CONDITIONS: usize = 1000;

/// What is known of a partition.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartitionStatus {
    Equal(Proof),
    Different,
    /// With the reason.
    Unknown(String),
}

impl PartitionStatus {
    fn of(part: &Part) -> PartitionStatus {
        match part {
            Part::Equal { by } => PartitionStatus::Equal(*by),
            Part::Different { .. } => PartitionStatus::Different,
            Part::Unknown { why } => PartitionStatus::Unknown(why.to_string()),
        }
    }

    fn is_equal(&self) -> bool {
        matches!(self, PartitionStatus::Equal(_))
    }
}

/// Partitions that read the same.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// Which inputs these are, in the user's words. All conditions hold.
    pub condition: Vec<String>,
    /// What the versions put out on all of these inputs.
    pub outputs: Vec<Output>,
    pub known: PartitionStatus,
    /// Of three versions or more: which behave the same.
    pub groups: Option<Groups>,
    /// How many partitions this stands for.
    pub count: u64,
}

/// An observable in the versions, in terms of the input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Output {
    pub observable: Observable,
    /// What it is to the call of a function.
    pub of_call: Option<CallObservable>,
    pub versions: Vec<Value>,
}

/// A partition in the user's words.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Described {
    condition: Vec<String>,
    outputs: Vec<Output>,
    groups: Option<Groups>,
}

impl Described {
    pub(crate) fn of(
        members: &mut Members<'_, '_>,
        groups: Option<Groups>,
        harness: &dyn Harness,
    ) -> Described {
        let outputs = members.outputs().into_iter();
        // That a call came back is the driver's success.
        let is_drivers = |output: &SymbolicOutput| {
            let mut statuses = output.statuses.iter();
            harness.function().is_some()
                && output.observable == Observable::ExitStatus
                && statuses.all(|status| *status == Some(0))
        };
        let outputs = outputs.filter(|output| !is_drivers(output));
        let outputs = outputs.map(|output| {
            let values = harness.symbolic_values(&output);
            let terms = || output.versions.iter().cloned().map(Value::Term).collect();
            Output {
                versions: values.unwrap_or_else(terms),
                of_call: harness.observed(&output.observable),
                observable: output.observable,
            }
        });
        let outputs = outputs.collect();
        Described {
            condition: first_ones(members.describe()),
            outputs,
            groups,
        }
    }
}

/// All partitions, counted; some of them listed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PartitionList {
    pub entries: Vec<Entry>,
    pub counts: Counts,
}

/// Partitions by what is known of them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Counts {
    pub equal_by_terms: u64,
    pub equal_by_solver: u64,
    /// No input of these executes a change.
    pub equal_unreached: u64,
    /// After the last change that is executed, both versions are in the same state.
    pub equal_converged: u64,
    /// What is called does the same in both versions, and no change comes after it.
    pub equal_called: u64,
    pub different: u64,
    /// Both versions end with undefined behaviour.
    pub both_undefined: u64,
    pub unknown: u64,
}

impl Counts {
    pub fn equal(&self) -> u64 {
        let seen = self.equal_by_terms + self.equal_by_solver;
        seen + self.equal_unreached + self.equal_converged + self.equal_called
    }

    pub fn all(&self) -> u64 {
        self.equal() + self.different + self.both_undefined + self.unknown
    }

    /// How many partitions may be listed.
    pub fn of(&self, which: Which) -> u64 {
        match which {
            Which::All => self.all(),
            Which::Different => self.different,
            Which::Equal => self.equal(),
            Which::Open => self.both_undefined + self.unknown,
        }
    }

    fn add(&mut self, part: &Part) {
        let number = match part {
            Part::Equal { by } => match by {
                Proof::SameTerms => &mut self.equal_by_terms,
                Proof::Solver => &mut self.equal_by_solver,
                Proof::ChangeNotReached => &mut self.equal_unreached,
                Proof::SameState => &mut self.equal_converged,
                Proof::SameCall => &mut self.equal_called,
            },
            Part::Different { .. } => &mut self.different,
            Part::Unknown {
                why: WhyUnknown::BothUndefined(_),
            } => &mut self.both_undefined,
            Part::Unknown { .. } => &mut self.unknown,
        };
        *number += 1;
    }
}

impl PartitionList {
    /// Whether another partition is listed and not only counted. Equal ones leave room for the others.
    pub(crate) fn takes(&self, part: &Part, which: Option<Which>) -> bool {
        let is_equal = matches!(part, Part::Equal { .. });
        let alike = |entry: &&Entry| entry.known.is_equal() == is_equal;
        let (is_wanted, room) = match which.unwrap_or_default() {
            Which::All => (true, MOST_LISTED / 2),
            Which::Different => (matches!(part, Part::Different { .. }), MOST_LISTED),
            Which::Equal => (is_equal, MOST_LISTED),
            Which::Open => (matches!(part, Part::Unknown { .. }), MOST_LISTED),
        };
        is_wanted && self.entries.iter().filter(alike).count() < room
    }

    /// Counts a partition, and lists it if it is described.
    pub(crate) fn add(&mut self, part: &Part, described: Option<Described>) {
        self.counts.add(part);
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
            known: PartitionStatus::of(part),
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing is left out without a word.
    #[test]
    fn what_is_left_out_is_counted() {
        let of = |count: usize| vec!["a".to_owned(); count];
        assert_eq!(first_ones(of(MOST_CONDITIONS)).len(), MOST_CONDITIONS);
        let last = first_ones(of(MOST_CONDITIONS + 2)).pop();
        assert_eq!(last.as_deref(), Some("… and 2 more conditions"));
    }
}
