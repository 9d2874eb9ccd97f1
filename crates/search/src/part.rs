//! What is known of the versions on a set of inputs, as plain data: a verdict on a part of a path, and why it stands or why there is
//! none.

use crate::observable::Observable;
use concolic_vm::symbolic::SymbolicInput;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of a path's inputs, with what is known of the versions there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Part {
    /// Proved: on no input of the part do two versions behave differently.
    Equal {
        by: Proof,
    },
    /// On every input of the part two versions behave differently in one of these observables; on the witness in all of them.
    Different {
        observables: Vec<Observable>,
        witness: SymbolicInput,
    },
    Unknown {
        why: WhyUnknown,
    },
}

impl Part {
    pub fn is_equal(&self) -> bool {
        matches!(self, Part::Equal { .. })
    }

    pub fn is_different(&self) -> bool {
        matches!(self, Part::Different { .. })
    }

    /// The solver's time was not enough: with more time it may be known.
    pub fn timed_out(&self) -> bool {
        let timeout = WhyUnknown::Solver(Undecided::Timeout);
        matches!(self, Part::Unknown { why } if *why == timeout)
    }
}

/// Why versions are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// They compute the same terms.
    SameTerms,
    /// The solver found no input that tells them apart.
    Solver,
    /// No input executes a change.
    ChangeNotReached,
    /// After the last change that is executed, both versions are in the same state.
    SameState,
    /// What is called first that may execute a change does the same in both versions, and none comes after it.
    SameCall,
}

/// Why it is not known whether versions behave the same.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum WhyUnknown {
    Solver(Undecided),
    /// A run met a limit of ours or something that is not supported; how it ended.
    Inconclusive(String),
    /// Both versions end with undefined behaviour of this kind: what a native program does then is open, and may differ.
    BothUndefined(String),
    /// The same, but it shows before or after: their output differed until then, or a signal handler may take over.
    BothUndefinedAndSeen(String),
    /// The versions relate in more ways on one path than are told apart.
    ManyParts(usize),
    /// A run contradicts a proof: a bug of ours.
    DiffersThoughEqual,
}

impl fmt::Display for WhyUnknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WhyUnknown::Solver(why) => why.fmt(f),
            WhyUnknown::Inconclusive(end) => f.write_str(end),
            WhyUnknown::BothUndefined(kind) => {
                write!(f, "both versions end with undefined behaviour ({kind})")
            }
            WhyUnknown::BothUndefinedAndSeen(kind) => write!(
                f,
                "both versions end with undefined behaviour ({kind}), after different output or with a signal handler installed"
            ),
            WhyUnknown::ManyParts(most) => {
                write!(f, "more than {most} ways to relate on one path")
            }
            WhyUnknown::DiffersThoughEqual => f.write_str(
                "the versions differ although no change has an effect (a bug in Parallax; please report it)",
            ),
        }
    }
}

/// Why the solver did not decide a query.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Undecided {
    Timeout,
    /// No back end knows an operation.
    Unsupported(String),
    /// The back end gave up by itself; what it said.
    Failed(String),
    /// A model did not satisfy the query: a bug.
    WrongModel,
    NoBackend,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Timeout => f.write_str("time limit"),
            Undecided::Unsupported(operation) => {
                write!(f, "unsupported by the solver: {operation}")
            }
            Undecided::Failed(message) => write!(f, "solver failed: {message}"),
            Undecided::WrongModel => f.write_str("solver returned a wrong model"),
            Undecided::NoBackend => f.write_str("no back end"),
        }
    }
}
