//! What the workers of a search have found.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use concolic_vm::symbolic::{Coverage, SymbolicInput};
use exploration::InputRecord;
use exploration::compare::Observable;
use exploration::input::CompactInput;
use serde::{Deserialize, Serialize};

use super::kinds::Kind;
use super::partitions::PartitionList;
use crate::inspect::is_sample;
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
    /// What runs showed that is not compared.
    pub(crate) left_out: BTreeSet<String>,
    /// Some run has read standard input.
    pub(crate) reads_stdin: bool,
    /// Inputs that have executed a change: the first few.
    pub(crate) reaching: Vec<InputRecord>,
    /// Arguments with which a run has read standard input: the first few.
    pub(crate) readers: Vec<Vec<Vec<u8>>>,
    /// By version: what all runs have executed, those of the proof beside the search too.
    pub(crate) coverage: Vec<Coverage>,
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
    /// What it showed that is not compared.
    pub(super) left_out: Vec<String>,
    pub(super) reads_stdin: bool,
    pub(super) executes_change: bool,
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
    /// Adds what the runs of a search have executed, by version.
    pub(crate) fn cover(&mut self, coverage: &[Coverage]) {
        let versions = self.coverage.len().max(coverage.len());
        self.coverage.resize(versions, Coverage::default());
        for (all, own) in self.coverage.iter_mut().zip(coverage) {
            all.merge(own);
        }
    }

    /// Takes in what was noted of a run.
    pub(super) fn note_path(&mut self, path: PathNote, shapes: &[SymbolicInput]) {
        self.meant |= path.is_meant;
        self.reads_stdin |= path.reads_stdin;
        self.left_out.extend(path.left_out);
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
