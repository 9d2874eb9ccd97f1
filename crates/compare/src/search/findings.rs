//! What the workers of a search have found.

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use concolic_vm::End;
use concolic_vm::symbolic::{Coverage, SymbolicInput};
use exploration::InputRecord;
use exploration::compare::Observable;
use exploration::input::CompactInput;
use exploration::worker::Ran;

use super::kinds::Kind;
use super::partitions::PartitionList;
use crate::versions::changed_line::ChangedLine;
use crate::versions::groups::Groups;

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
    /// By version: what all runs have executed, those of the proof beside the search too.
    pub(crate) coverage: Vec<Coverage>,
    paths: u64,
    pub(super) attributed: HashMap<Executed, Attributed>,
}

/// A difference by the versions that differ, the observables, and the changed lines that each step executed.
pub(super) type Executed = (Groups, Vec<Observable>, Vec<Vec<ChangedLine>>);

/// What slices have shown of such differences.
#[derive(Default)]
pub(super) struct Attributed {
    pub(super) times: u32,
    /// By step: the responsible lines of the first.
    pub(super) changes: Vec<Vec<ChangedLine>>,
}

/// An input that was proved to behave the same in some versions.
pub(crate) struct Claim {
    /// Which these are.
    pub(crate) groups: Groups,
    pub(crate) input: InputRecord,
    pub(crate) given: SymbolicInput,
    /// Of its partition, in the user's words.
    pub(crate) condition: Vec<String>,
    /// How it was proved.
    pub(crate) proof: String,
}

/// All of the first runs are samples, and fewer and fewer of the later ones.
pub(crate) fn is_sample(number: u64) -> bool {
    number < 16 || number.is_power_of_two()
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

    pub(super) fn note_path(&mut self, ran: &Ran<'_>, is_meant: bool) {
        self.meant |= is_meant;
        self.paths += 1;
        let mut kernels = ran
            .versions
            .iter()
            .map(|version| version.process.machine().kernel());
        self.reads_stdin = self.reads_stdin || kernels.any(|kernel| kernel.has_read_stdin());
        let ends = |outcome: &concolic_vm::Outcome| !matches!(outcome.end, End::StepLimit { .. });
        let mut versions = ran.versions.iter();
        if is_sample(self.paths) && versions.all(|version| ends(&version.run.outcome)) {
            self.samples.push(InputRecord::of(&ran.input));
        }
        self.inputs.push(CompactInput::new(ran.shape, &ran.input));
    }

    /// Notes that a difference was found.
    pub(super) fn note_difference(&mut self, start: Instant) {
        let runs = self.paths;
        self.first.get_or_insert_with(|| (runs, start.elapsed()));
    }
}
