//! What an exploration found, and what it did not look at.

use crate::counts::{Counts, LayerCounts};
use crate::messages::Partition;
use crate::part::{Part, Undecided, WhyUnknown};
use crate::path_tree::RunId;
use crate::propagation::PropagationCounts;
use crate::pruning::{Category, Pruned};
use crate::relations::Relation;
use crate::settled::Settled;
use concolic_vm::StackFrame;
use concolic_vm::symbolic::{Coverage, Reason, SymbolicInput};
use inputs::InputRecord;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

/// Why an exploration ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No flip was left.
    Finished,
    Time,
    Runs,
    Instructions,
    Memory,
    /// Asked to stop from outside.
    Interrupted,
    /// What was found could not be written down.
    CannotWrite(String),
    /// A process could not be started.
    CannotStart(String),
    /// A path looked different when it was run again: what is known by its events cannot be used.
    OtherPath,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Finished => f.write_str("nothing is left to explore"),
            Stop::Time => f.write_str("the time budget is used up"),
            Stop::Runs => f.write_str("the budget of runs is used up"),
            Stop::Instructions => f.write_str("the budget of instructions is used up"),
            Stop::Memory => f.write_str("the memory budget is used up"),
            Stop::Interrupted => f.write_str("interrupted"),
            Stop::CannotWrite(why) => write!(f, "what was found cannot be written: {why}"),
            Stop::OtherPath => f.write_str(
                "what matters of a path was not found out again when it was run once more; `--fresh` begins anew",
            ),
            Stop::CannotStart(why) => write!(f, "the program cannot be started: {why}"),
        }
    }
}

/// Something that keeps an exploration from being complete.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Gap {
    /// The solver did not decide whether a way can be taken.
    Undecided { why: Undecided },
    /// A run was cut off, or met something that is not supported.
    CutOff { why: String },
    /// A run did not go where it should have: a bug of ours.
    Diverged,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Gap::Undecided { why } => write!(f, "whether a way can be taken is not known: {why}"),
            Gap::CutOff { why } => write!(f, "a run did not come to its end: {why}"),
            Gap::Diverged => f.write_str(
                "a run did not take the way it was made for (a bug in Parallax; please report it)",
            ),
        }
    }
}

/// An abnormal end, with the first input that led to it.
#[derive(Clone, Debug)]
pub struct ErrorFound {
    /// The kind's stable name.
    pub kind: String,
    pub description: String,
    pub location: Option<StackFrame>,
    pub input: InputRecord,
    /// Paths that end this way at this place.
    pub paths: u64,
    /// The number of the first test that shows it.
    pub test: u64,
}

/// A value that was concretised, and where.
#[derive(Clone, Debug)]
pub struct TakenAsIs {
    pub what: Reason,
    pub place: Option<StackFrame>,
    /// Runs in which it happened.
    pub runs: u64,
}

impl TakenAsIs {
    /// What a reader should know: where, and whether other values were tried.
    pub fn note(&self, exhausted: bool) -> String {
        let place = self.place.as_ref().map(|place| format!(" at {place}"));
        let meaning = match exhausted {
            true => "every value was tried",
            false => "other values may be left",
        };
        let place = place.unwrap_or_default();
        format!("{}{place}; {meaning}", self.what.describe())
    }
}

/// What is known of two versions within the bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Proved: no input behaves differently.
    Equivalent,
    /// Some input behaves differently in the VM.
    Different,
    Undecided,
}

/// An input that shows a difference behind a way that pruning leaves out: a bug of ours.
#[derive(Clone, Debug)]
pub struct WronglyPruned {
    pub input: InputRecord,
    /// The input as the search has it, by symbols.
    pub given: SymbolicInput,
    /// Why the way is left out.
    pub category: Category,
    pub version: u8,
    pub place: Option<StackFrame>,
}

/// What became of inputs made of pieces of others, and of random ones between these ([`crate::splice`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpliceCounts {
    pub inputs: u64,
    /// Their paths were known already, or no difference can be behind them.
    pub known: u64,
    /// On their paths the versions differ.
    pub different: u64,
    pub time: Duration,
}

/// What single runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// When one program is explored: its abnormal ends.
    pub errors: Vec<ErrorFound>,
    pub tests: u64,
    /// By version.
    pub coverage: Vec<Coverage>,
}

/// What a result rests on besides the bounds.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    pub taken_as_is: Vec<TakenAsIs>,
    /// Some files that a version has opened and that do not exist, unless their names depend on the input.
    pub missing_files: BTreeSet<Vec<u8>>,
}

/// What became of inputs that were made besides flips.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Inputs made to let the effect of a change show.
    pub propagation: PropagationCounts,
    /// Inputs made of pieces of others.
    pub spliced: SpliceCounts,
}

/// What it took.
#[derive(Clone, Debug, Default)]
pub struct Effort {
    pub counts: Counts,
    pub layers: Vec<LayerCounts>,
    pub wall: Duration,
}

#[derive(Clone, Debug)]
pub struct Summary {
    pub stop: Stop,
    /// Distinct paths that were run, those of an earlier session included.
    pub paths: u64,
    /// Paths that an earlier session found.
    pub paths_before: u64,
    /// Runs of this session that found a path.
    pub runs: u64,
    /// Flips that were not looked at.
    pub open_flips: usize,
    /// How often each gap occurred.
    pub gaps: BTreeMap<Gap, u64>,
    /// When versions are compared: those of which a run did not come to its end.
    pub cut_off: BTreeSet<usize>,
    pub shown: Shown,
    pub assumed: Assumed,
    /// What is known of the versions, if some were compared.
    pub partitions: Vec<Partition>,
    /// How much of the input space that is, if the observer wants to know.
    pub settled: Option<Settled>,
    pub made: Made,
    /// Ways that were not explored because no difference can be behind them.
    pub pruned: Pruned,
    /// A seed that shows that they were left out wrongly, if one does.
    pub wrongly_pruned: Option<WronglyPruned>,
    pub effort: Effort,
}

impl Summary {
    /// Every path that an input of the given shapes can take was run to its end, or was pruned.
    pub fn exhausted(&self) -> bool {
        self.stop == Stop::Finished && self.open_flips == 0 && self.gaps.is_empty()
    }

    /// Every path was run to its end in these versions. A run of another version that was cut off hides none of theirs: all
    /// inputs that go its way so far are on its path, and what these versions do on them is known.
    fn exhausted_by(&self, versions: &[usize]) -> bool {
        let is_cut_off = versions
            .iter()
            .any(|version| self.cut_off.contains(version));
        let mut gaps = self.gaps.keys();
        self.stop == Stop::Finished
            && self.open_flips == 0
            && !is_cut_off
            && gaps.all(|gap| matches!(gap, Gap::CutOff { .. }))
    }

    /// What the partitions say about the versions: with more than two, whether all are equivalent.
    pub fn verdict(&self) -> Verdict {
        let is_different = |partition: &Partition| matches!(partition.part, Part::Different { .. });
        let is_equal = |partition: &Partition| matches!(partition.part, Part::Equal { .. });
        if self.partitions.iter().any(is_different) {
            return Verdict::Different;
        }
        let all_known = self.paths > 0 && self.partitions.iter().all(is_equal);
        match self.exhausted() && all_known && self.partitions.len() as u64 >= self.paths {
            true => Verdict::Equivalent,
            false => Verdict::Undecided,
        }
    }

    /// What the partitions say about two of several versions.
    pub fn verdict_between(&self, one: usize, other: usize) -> Verdict {
        match self.differ(one, other) {
            true => Verdict::Different,
            false => self.verdict_if(one, other, |relation| *relation == Relation::Same),
        }
    }

    /// The same where both have undefined behaviour set aside: whatever a program does then, it is no difference. On some inputs
    /// the versions must be known to be the same.
    pub fn verdict_where_defined(&self, one: usize, other: usize) -> Verdict {
        match self.differ(one, other) {
            true => Verdict::Different,
            false => self.verdict_of_others(one, other),
        }
    }

    /// What the partitions without a difference say about two of several versions, both having undefined behaviour set aside: never
    /// different.
    pub fn verdict_of_others(&self, one: usize, other: usize) -> Verdict {
        let mut related = self.partitions.iter();
        let some_same = related.any(|part| *part.relations.between(one, other) == Relation::Same);
        self.verdict_if(one, other, |relation| match relation {
            Relation::Same | Relation::Different => true,
            Relation::NotKnown(WhyUnknown::BothUndefined(_)) => some_same,
            Relation::NotKnown(_) => false,
        })
    }

    /// Whether two of several versions are both undefined on every input, as far as inputs were run.
    pub fn are_undefined(&self, one: usize, other: usize) -> bool {
        let is_undefined = |relation: &Relation| {
            matches!(relation, Relation::NotKnown(WhyUnknown::BothUndefined(_)))
        };
        self.verdict_if(one, other, is_undefined) == Verdict::Equivalent
    }

    fn differ(&self, one: usize, other: usize) -> bool {
        let mut related = self.partitions.iter();
        related.any(|partition| partition.relations.differ(one, other))
    }

    fn verdict_if(
        &self,
        one: usize,
        other: usize,
        is_as_good_as_same: impl Fn(&Relation) -> bool,
    ) -> Verdict {
        let mut related = self.partitions.iter();
        let all_same = related.all(|part| is_as_good_as_same(part.relations.between(one, other)));
        let paths: FxHashSet<RunId> = self.partitions.iter().map(|part| part.run).collect();
        let all_known = self.paths > 0 && paths.len() as u64 >= self.paths;
        match self.exhausted_by(&[one, other]) && all_known && all_same {
            true => Verdict::Equivalent,
            false => Verdict::Undecided,
        }
    }
}
