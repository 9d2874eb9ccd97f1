//! Why something is done: what the coordinator remembers of a job until its outcome is there.

use crate::messages::{EarlierRun, Job};
use crate::path_tree::{Flip, RunId, Target};
use crate::propagation::Rule;
use crate::shares::Source;
use inputs::CompactInput;
use std::time::Instant;

/// Why an input is followed through the tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// It was given, or a proof that failed has shown it.
    Seed,
    /// It was made of pieces of others, or is a random one between these.
    Splice,
    /// It may take the effect of a change farther.
    Candidate(Rule),
}

impl Purpose {
    /// Who answers for its time.
    pub(super) fn source(self) -> Source {
        match self {
            Purpose::Seed => Source::Flips,
            Purpose::Splice => Source::Splices,
            Purpose::Candidate(_) => Source::Propagation,
        }
    }
}

/// How long the solver may take for a flip. One that is hard is left for later: most are not, and behind one of
/// those there may be another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Patience {
    Little,
    /// As long as the user allows.
    Full,
}

/// What the outcome of a job is for.
#[derive(Clone, Debug)]
pub(super) enum Errand {
    /// The first run of a shape.
    First {
        shape: u32,
    },
    /// An input to run for itself.
    Random,
    /// Inputs to be run without terms.
    Try {
        inputs: Vec<CompactInput>,
    },
    /// A run of an earlier session.
    Repeat(Box<EarlierRun>),
    Flip {
        flip: Flip,
        target: Target,
        patience: Patience,
    },
    /// An input is followed along one of these runs, which came out of the flip and what it leaves.
    Place {
        purpose: Purpose,
        input: CompactInput,
        flip: Option<Flip>,
        among: Vec<RunId>,
    },
    /// An input goes a way that no run has taken.
    Follow {
        purpose: Purpose,
        flip: Flip,
        target: Option<Target>,
    },
    /// A run was taken in, and is compared.
    Inspect {
        run: RunId,
        came_from: Option<Flip>,
        source: Source,
        purpose: Option<Purpose>,
    },
    /// A comparison that was hard is done once more.
    Compare {
        run: RunId,
    },
    Look,
    Facts,
    CountPruned(Vec<RunId>),
}

impl Errand {
    /// Whether it must be over before flips are handed out.
    pub(super) fn is_preparing(&self) -> bool {
        !matches!(
            self,
            Errand::Flip { .. }
                | Errand::Random
                | Errand::Try { .. }
                | Errand::Look
                | Errand::Compare { .. }
        )
    }

    /// Whether it has no part in the tree: then nobody waits for it.
    pub(super) fn is_apart(&self) -> bool {
        matches!(self, Errand::Try { .. })
    }

    /// Who answers for its time.
    pub(super) fn source(&self) -> Source {
        match self {
            Errand::Place { purpose, .. } => purpose.source(),
            Errand::Look => Source::Propagation,
            Errand::Compare { .. } => Source::Comparisons,
            _ => Source::Flips,
        }
    }
}

/// A piece of work that is under way: one job, and those that follow from it.
#[derive(Debug)]
pub(super) struct Ticket {
    pub(super) worker: usize,
    pub(super) errand: Errand,
    /// To be sent again if the executor lacks a run.
    pub(super) job: Job,
    /// What it began with.
    pub(super) is_preparing: bool,
    pub(super) is_apart: bool,
    pub(super) source: Source,
    pub(super) flip: Option<Flip>,
    pub(super) started: Instant,
    /// What it has cost so far, and how many questions only a back end could answer.
    pub(super) work: u64,
    pub(super) hard_queries: u64,
}
