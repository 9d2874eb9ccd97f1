//! What is compared, on which inputs, how, and how long: plain data that says all of a comparison.

use std::path::PathBuf;
use std::time::Duration;

use concolic_vm::symbolic::SymbolicLimits;
use exploration::{InputSpace, Strategy};
use harness::{BuildOptions, FunctionSpec, SequenceSpec};
use native::test_case::TestCase;
use serde::{Deserialize, Serialize};

/// The versions are compared at most so many at once.
pub const MOST_VERSIONS: usize = 16;

/// A comparison that is asked for.
#[derive(Clone, Debug)]
pub struct Spec {
    /// The files of each version, in order: two versions or more.
    pub versions: Vec<Vec<PathBuf>>,
    /// What to call versions that are no files of the user's: git revisions.
    pub named: Option<Named>,
    pub build: BuildOptions,
    /// One function instead of the whole program.
    pub function: Option<FunctionSpec>,
    /// Sequences of calls on objects of a type instead.
    pub sequence: Option<SequenceSpec>,
    /// The files of a version that behaves as intended.
    pub golden: Vec<PathBuf>,
    /// Also what hardly anybody means: lines and columns of panics and assertions, and the bits of a NaN.
    pub exact: bool,
    pub input: InputSpec,
    pub search: SearchSpec,
    pub limits: LimitSpec,
    pub confirm: ConfirmSpec,
    pub listing: Listing,
    /// Where examples and the journal are kept; a folder named after the last version if nothing is said.
    pub folder: Option<PathBuf>,
    /// What the user typed, for a bug report.
    pub command: String,
}

/// The names of versions whose files are not the user's own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// By version.
    pub labels: Vec<String>,
    /// The program when it runs, and the folder of its differences.
    pub program: PathBuf,
}

/// Which inputs are tried.
#[derive(Clone, Debug)]
pub struct InputSpec {
    pub space: InputSpace,
    /// The inputs that are tried instead if the versions do not read input of their own: for a space of which nobody said anything.
    pub otherwise: Option<InputSpace>,
    /// Inputs to begin with, each with a name for messages.
    pub seeds: Vec<(String, TestCase)>,
}

/// What a comparison is asked to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Search for differences and prove the rest equal, both at once.
    FindAndVerify,
    FindOnly,
    VerifyOnly,
}

/// How a comparison searches.
#[derive(Clone, Debug)]
pub struct SearchSpec {
    pub mode: Mode,
    pub strategy: Strategy,
    /// Leave out ways on which no change can be executed.
    pub prune: bool,
    /// Make inputs that take the effect of a change farther.
    pub propagate: bool,
    /// Keep only what matters of a path (relevant slices).
    pub slices: bool,
    /// Prove beside the search, with slices.
    pub proof_beside: bool,
    /// Whether proofs are wanted by whatever way is the shortest.
    pub short_proofs: bool,
    /// Decides all random choices.
    pub seed: u64,
    /// Stop at the first difference that native runs show.
    pub first: bool,
    /// Instead of a search: tests of each version alone, run on both. A baseline.
    pub separate: bool,
    /// Look at all runs also where versions differ: the differences may be wanted, and what is left be the answer.
    pub inspect_all: bool,
    pub workers: usize,
    /// Forget what an earlier comparison of the same versions found.
    pub fresh: bool,
}

/// What bounds the search, and each run.
#[derive(Clone, Debug)]
pub struct LimitSpec {
    pub time: Duration,
    pub runs: Option<u64>,
    /// In bytes.
    pub memory: u64,
    /// Instructions after which a run counts as one that does not end.
    pub steps: u64,
    /// Decisions about the input after which a run goes on for its own input alone.
    pub decisions: u32,
    /// Calls within calls after which a run counts as one whose stack overflows.
    pub depth: u32,
    /// Bytes of stack after which a run counts as one whose stack overflows.
    pub stack: u64,
    /// Bytes of memory that a run may hold.
    pub run_memory: u64,
    /// The most time for one question to the solver.
    pub query: Duration,
}

impl LimitSpec {
    /// What bounds a run.
    pub fn of_run(&self) -> concolic_vm::Limits {
        concolic_vm::Limits {
            steps: self.steps,
            depth: self.depth,
            stack_bytes: self.stack,
        }
    }

    pub fn symbolic(&self) -> SymbolicLimits {
        SymbolicLimits {
            decisions: self.decisions,
            ..SymbolicLimits::default()
        }
    }
}

/// What is tried out natively.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConfirmSpec {
    /// Make the input of each difference as small as possible, however long that takes.
    pub minimise: bool,
    /// Run some inputs that were proved equal.
    pub proofs: bool,
    /// In a sandbox; not at all where none can be had.
    pub confined: bool,
}

/// What a report lists besides the differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Listing {
    pub partitions: Option<Which>,
    /// The places where ways were left out.
    pub pruning: bool,
    pub explain: Explain,
}

/// What a report says in full instead of in a few words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Explain {
    /// What the verdict takes for granted.
    pub assumptions: bool,
    /// Values that were concretised, also where all others were tried.
    pub notes: bool,
    /// The shares of partitions and open ways, beside those of inputs.
    pub shares: bool,
}

/// Which partitions are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Which {
    Different,
    Equal,
    /// Not known to be either.
    Open,
    #[default]
    All,
}
