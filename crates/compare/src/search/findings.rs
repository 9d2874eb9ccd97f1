//! What the workers of a search have found.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;
use exploration::compare::Observable;
use exploration::input::CompactInput;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use super::partitions::PartitionList;
use crate::inspect::is_sample;
use crate::versions::executed::{Executed, ExecutedChanges};
use crate::versions::groups::Groups;

/// The most inputs that are kept because they executed a change, and the most arguments because a run read standard input.
const MOST_KEPT: usize = 64;
const MOST_READERS: usize = 12;

#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) listed: PartitionList,
    /// Runs until the first difference, and the time.
    pub(crate) first: Option<(u64, Duration)>,
    /// Some of the inputs that were run.
    pub(crate) samples: Vec<InputRecord>,
    /// All of them.
    pub(crate) inputs: Vec<CompactInput>,
    /// Inputs that were proved to behave the same in some versions, if proofs are to be tried out.
    pub(crate) claims: Vec<Claim>,
    /// Some run had an input that is meant: for a function, one that its assumptions admit.
    pub(crate) meant: bool,
    /// An input that is meant in one version and not in another.
    pub(crate) meant_in_one: Option<InputRecord>,
    /// What runs showed that is not compared.
    pub(crate) left_out: BTreeSet<String>,
    /// Some run has read standard input.
    pub(crate) reads_stdin: bool,
    /// Inputs that have executed a change: the first few.
    pub(crate) reaching: Vec<InputRecord>,
    /// Arguments with which a run has read standard input: the first few.
    pub(crate) readers: Vec<Vec<Vec<u8>>>,
    /// What all runs have executed, those of the proof beside the search too.
    pub(crate) executed: Executed,
    paths: u64,
}

/// The first input of a kind of difference, for those who will not wait for the end of the search.
pub(crate) struct FoundDifference {
    pub(crate) groups: Groups,
    pub(crate) input: InputRecord,
    pub(crate) observables: Vec<Observable>,
}

/// What is noted of a run for its findings.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PathNote {
    pub(super) input: CompactInput,
    /// It is an input that is meant: for a function, one that its assumptions admit.
    pub(super) is_meant: bool,
    /// It is so in one version and not in another.
    pub(super) is_meant_in_one: bool,
    /// What it showed that is not compared.
    pub(super) left_out: Vec<String>,
    pub(super) reads_stdin: bool,
    pub(super) executes_change: bool,
    /// The changes that it executes and that no run before did.
    pub(super) changes: ExecutedChanges,
    /// Some version was cut off at the limit of steps.
    pub(super) is_cut_off: bool,
}

/// An input that was proved to behave the same in some versions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Claim {
    /// Which these are.
    pub(crate) groups: Groups,
    pub(crate) given: SymbolicInput,
    /// Of its partition, in the user's words.
    pub(crate) condition: Vec<String>,
    /// How it was proved.
    pub(crate) proof: String,
}

impl Claim {
    pub(crate) fn input(&self) -> InputRecord {
        InputRecord::of(&self.given)
    }
}

impl Findings {
    /// Before the first run, where some kinds of difference are known.
    pub(super) fn of_known(kinds: Vec<Kind>) -> Findings {
        Findings {
            kinds,
            ..Findings::default()
        }
    }

    /// Takes in what was noted of a run.
    pub(super) fn note_path(&mut self, path: PathNote, shapes: &[SymbolicInput]) {
        self.meant |= path.is_meant;
        if path.is_meant_in_one && self.meant_in_one.is_none() {
            self.meant_in_one = Some(InputRecord::of(&path.input.expand(shapes)));
        }
        self.reads_stdin |= path.reads_stdin;
        self.left_out.extend(path.left_out);
        self.executed.changes.merge(&path.changes);
        if path.executes_change && self.reaching.len() < MOST_KEPT {
            let input = path.input.expand(shapes);
            self.reaching.push(InputRecord::of(&input));
        }
        if path.reads_stdin && self.readers.len() < MOST_READERS {
            let arguments = InputRecord::of(&path.input.expand(shapes)).args;
            if !self.readers.contains(&arguments) {
                self.readers.push(arguments);
            }
        }
        self.paths += 1;
        if is_sample(self.paths) && !path.is_cut_off {
            let input = path.input.expand(shapes);
            self.samples.push(InputRecord::of(&input));
        }
        self.inputs.push(path.input);
    }

    /// Adds the arguments with which others have read standard input.
    pub(crate) fn take_readers(&mut self, other: &mut Findings) {
        for arguments in other.readers.drain(..) {
            if self.readers.len() < MOST_READERS && !self.readers.contains(&arguments) {
                self.readers.push(arguments);
            }
        }
    }

    /// Notes that a difference was found.
    pub(super) fn note_difference(&mut self, start: Instant) {
        let runs = self.paths;
        self.first.get_or_insert_with(|| (runs, start.elapsed()));
    }
}
