//! What a coordinator asks of an executor, and what comes back: plain data that can be sent to another machine. No term, no
//! process and no reference is in it.
//!
//! A job names runs by their numbers. An executor keeps what it was told of runs; where it lacks one, it says so
//! ([`Outcome::Lacks`]) and is sent the job once more with the record of the run and of those that it comes from.
//!
//! While it works, an executor also sends notes to the observer of the search ([`Note`](crate::observer::Note)): bytes, which no coordinator
//! reads. A job that is sent once more has noted nothing before.
//!
//! A run takes two jobs. The first runs an input and reports what it did ([`RunReport`]); the coordinator gives it a number and a
//! place in the tree. The second ([`Inspection`]) compares the versions on its path. An executor that has the run at hand
//! goes on with it; any other does the run again.

use crate::counts::{Counts, LayerCounts};
use crate::observable::Observable;
use crate::part::{Part, Proof, Undecided};
use crate::path_tree::{Flip, PathStep, RunId};
use crate::propagation::{Candidate, Cut};
use crate::pruning::{Category, PrunedWay};
use crate::relations::Relations;
use crate::runs::{PathShape, RunRecord};
use concolic_vm::StackFrame;
use concolic_vm::symbolic::{Entered, SymbolicInput};
use inputs::CompactInput;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A job with what it needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Order {
    pub job: Job,
    /// What the executor has said that it lacks.
    pub records: Vec<RunRecord>,
    /// Whether the facts of the change may be asked for.
    pub facts_known: bool,
    /// After this time, runs are left before their end.
    pub within: Option<Duration>,
}

impl Order {
    /// A job that needs nothing besides.
    pub fn of(job: Job) -> Order {
        Order {
            job,
            records: Vec::new(),
            facts_known: false,
            within: None,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Job {
    /// Run an input from the start.
    Run {
        input: CompactInput,
    },
    /// Run a random input, and see whether the versions differ on it. Its number is only to name it.
    Random {
        run: RunId,
        input: CompactInput,
    },
    /// Run an input of an earlier session.
    Repeat(EarlierRun),
    /// Find an input that goes the way of a flip, and run it. What the flip leaves open is as in the run `base`.
    Solve {
        flip: Flip,
        base: RunId,
        time: Option<Duration>,
    },
    /// Run an input that goes the way of a flip.
    Follow {
        flip: Flip,
        input: CompactInput,
    },
    /// Follow an input along the first of some runs with which it agrees at an event; if there is none, along the only one from its start.
    Walk {
        input: CompactInput,
        among: Vec<RunId>,
        at: Option<u32>,
    },
    Inspect(Box<Inspection>),
    /// Make inputs that take the effect of a change farther than this one does.
    Look {
        input: CompactInput,
        /// Trees of effects that were looked at often enough.
        worn_out: Vec<u64>,
        time: Option<Duration>,
    },
    /// Look at the changes.
    Facts,
    /// Count the inputs behind ways that were pruned, and tell of them.
    CountPruned {
        runs: Vec<(RunId, Vec<PrunedWay>)>,
        counts: bool,
    },
    /// Whether a flip would be pruned, by a run that is done again.
    WouldPrune {
        flip: Flip,
    },
    /// Whether an input is one that is meant.
    Admits {
        input: CompactInput,
    },
    /// Whether it depends on the input if the versions differ on the path of a run; with an input, whether they do on it.
    Differs {
        run: RunId,
        input: Option<CompactInput>,
    },
    /// The variables that programs have asked for.
    Variables,
    /// Give back all memory that can be made anew.
    Forget,
    /// What the layers of the solver did.
    Statistics,
}

/// A run of an earlier session.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EarlierRun {
    pub record: RunRecord,
    pub residual: bool,
    pub diverged: bool,
}

/// What came of a job, and what it cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reply {
    pub outcome: Outcome,
    /// All that the executor did so far.
    pub counts: Counts,
    /// What the job has cost, in executed instructions: a measure of time that is the same on every machine.
    pub work: u64,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Outcome {
    Ran(Box<RunReport>),
    /// No input goes the way of a flip.
    Infeasible {
        /// The events before it that look at the same bytes.
        conflicts: Vec<u32>,
    },
    /// Whether one does is not known.
    Undecided(Undecided),
    Random {
        versions: Vec<VersionReport>,
        partition: Option<Partition>,
    },
    Walked(Walked),
    Inspected(Box<Inspected>),
    Looked(Box<Looked>),
    /// By run: the share of the inputs behind its pruned ways, if it could be counted.
    CountedPruned(Vec<Option<f64>>),
    WouldPrune(Option<PrunedAt>),
    Truth(bool),
    /// Names and sizes.
    Variables(Vec<(String, usize)>),
    Statistics(Vec<LayerCounts>),
    Done,
    /// What a run was is not known here.
    Lacks(RunId),
    Failed(Failure),
}

/// Why a job could not be done.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Failure {
    /// A process could not be started.
    CannotStart(String),
    /// A path looked different when it was run again.
    OtherPath,
    /// The search was stopped meanwhile, or the time was over.
    Stopped,
}

/// What a run of all versions did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunReport {
    pub input: CompactInput,
    pub versions: Vec<VersionReport>,
    /// The events from the flipped one on; for a first run, all.
    pub steps: Vec<PathStep>,
    /// How many events the whole path has.
    pub events: u32,
    pub path: PathShape,
    /// Whether the alternative stands for more than the way that this run took.
    pub residual: bool,
    /// The run did not go where the solver's model should have led it: a bug of ours.
    pub diverged: bool,
    /// The event of the old version from which on both versions are in the same state, if that is known.
    pub same_state_from: Option<u32>,
    /// Inputs on which a call does something else in the new version.
    pub suggested: Vec<CompactInput>,
}

/// What one version did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VersionReport {
    /// The places that it came to, each once, in order: with these, what it covered.
    pub entered: Vec<Entered>,
    /// How many events of the whole path are its own.
    pub own_events: u32,
    pub ending: Ending,
    /// Files that it has looked for in vain, without those that were told before.
    pub missing_files: Vec<Vec<u8>>,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Ending {
    Exit,
    /// It met a limit of ours, or something that is not supported.
    Inconclusive(String),
    Abnormal {
        /// The kind's stable name.
        kind: String,
        description: String,
        location: Option<StackFrame>,
    },
}

/// Where an input that was followed went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Walked {
    /// Along which of the runs, by its place in the list; `None` if it agrees with none.
    pub along: Option<u32>,
    /// The event at which it leaves that run's path, and the alternative it takes.
    pub left: Option<(u32, u32)>,
}

/// What is to be found out about a run that has its number.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Inspection {
    pub run: RunRecord,
    /// Whether the run was just reported; otherwise it is compared once more.
    pub is_new: bool,
    pub pruned: Vec<PrunedWay>,
    /// What an earlier session knew of the versions.
    pub earlier: Option<ComparedPath>,
    /// What the solver has not decided after this time is left for later.
    pub quick: Option<Duration>,
    pub time: Option<Duration>,
    /// Whether shares of inputs are counted.
    pub counts: bool,
    /// Conditions that may be put into words for the journal; `None` if there is none.
    pub words: Option<usize>,
    pub test: Option<Test>,
    /// Whether it matters if a look at the run may be worth it.
    pub offers_look: bool,
}

/// A path that is worth a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Test {
    /// The run's number from 1.
    pub number: u64,
    pub covers_new: bool,
    pub new_error: bool,
}

/// What was found out about a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Inspected {
    pub partitions: Vec<Partition>,
    /// The solver did not decide quickly whether the versions differ.
    pub is_hard: bool,
    /// A share could not be counted.
    pub is_uncounted: bool,
    pub pruned_share: Option<f64>,
    /// To be written down, with so many conditions in words.
    pub compared: Option<ComparedPath>,
    pub words: usize,
    pub look: Option<LookOffer>,
}

/// Whether a run is worth a look: tracing costs many times a plain run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LookOffer {
    /// The run has executed no change.
    NoChange,
    TooLong,
    /// A number that runs share whose input decided the same ways.
    Ways(u64),
}

/// What a look at a run gave.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Looked {
    pub candidates: Vec<Candidate>,
    pub cut: Option<Cut>,
    pub seen_before: bool,
    pub queries: u64,
    /// The trees of effects that were met.
    pub trees: Vec<u64>,
    pub time: Duration,
}

/// A way that would be pruned.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PrunedAt {
    pub category: Category,
    pub version: u8,
    pub place: Option<StackFrame>,
}

/// A set of inputs: those of one path, or a part of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Partition {
    pub run: RunId,
    /// `Different` says that two versions are.
    pub part: Part,
    /// How each two of them relate.
    pub relations: Relations,
    /// Which share of the inputs of its shape it has, if that was counted.
    pub share: Option<f64>,
}

/// What is known of the versions on the path of a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ComparedPath {
    pub parts: Vec<ComparedPart>,
    /// Whether these are all parts of the path.
    pub done: bool,
}

impl ComparedPath {
    /// Whether these are all parts, and no others were known before.
    pub fn are(&self, parts: &[&Part]) -> bool {
        let verdict = |part: &&Part| PartVerdict::of(part);
        let own = self.parts.iter().map(|part| &part.verdict);
        self.done && own.eq(parts.iter().map(verdict).collect::<Vec<_>>().iter())
    }
}

/// A part of a path: which inputs, as far as that was put into words, and what is known of them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ComparedPart {
    pub condition: Vec<String>,
    pub verdict: PartVerdict,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PartVerdict {
    Equal {
        proof: Proof,
    },
    Different {
        observables: Vec<Observable>,
        witness: SymbolicInput,
    },
    Unknown {
        reason: String,
    },
}

impl PartVerdict {
    pub fn of(part: &Part) -> PartVerdict {
        match part {
            Part::Equal { by } => PartVerdict::Equal { proof: *by },
            Part::Different {
                observables,
                witness,
            } => PartVerdict::Different {
                observables: observables.clone(),
                witness: witness.clone(),
            },
            Part::Unknown { why } => PartVerdict::Unknown {
                reason: why.to_string(),
            },
        }
    }
}
