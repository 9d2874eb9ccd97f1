//! The question and its three answers, and the one trait that every layer and back end implements.

use std::fmt;
use std::time::Duration;

use expr::{ExprId, Model, Store};

/// Is there an input under which all constraints (1-bit terms) are true?
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub constraints: &'a [ExprId],
    /// Limit for one call of a back end. The layers above take a small fraction of it.
    pub timeout: Duration,
}

/// What is known about a query. `Unknown` is never `Unsat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfied by this model; symbols it does not mention may have any value.
    Sat(Model),
    Unsat,
    Unknown(Reason),
}

impl Answer {
    pub fn is_sat(&self) -> bool {
        matches!(self, Answer::Sat(_))
    }

    pub fn is_unsat(&self) -> bool {
        matches!(self, Answer::Unsat)
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self, Answer::Unknown(_))
    }
}

/// Why a query was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit passed.
    Timeout,
    /// No back end knows this operation.
    Unsupported(&'static str),
    /// The back end broke down or gave up by itself; what it said.
    Failed(String),
    /// A back end returned a model that does not satisfy the query: a bug, reported loudly.
    WrongModel,
    /// The chain has no back end and its layers could not decide.
    NoBackend,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => write!(f, "time limit"),
            Reason::Unsupported(operation) => write!(f, "unsupported by the solver: {operation}"),
            Reason::Failed(message) => write!(f, "solver failed: {message}"),
            Reason::WrongModel => write!(f, "solver returned a wrong model"),
            Reason::NoBackend => write!(f, "no back end"),
        }
    }
}

/// A layer or a back end.
pub trait Solver: Send {
    /// The name under which statistics are kept.
    fn name(&self) -> &'static str;

    fn solve(&mut self, store: &Store, query: &Query) -> Answer;

    /// After an `Unsat` answer: constraints of the query that cannot hold together, if known to be
    /// fewer than all.
    fn unsat_core(&self) -> Option<&[ExprId]> {
        None
    }

    /// This layer's counters and those of the layers below, outermost first.
    fn statistics(&self) -> Vec<LayerStatistics>;

    /// Forgets everything that refers to terms: call it before using another store.
    fn reset(&mut self);
}

/// How often a layer was asked and what it could answer by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LayerStatistics {
    pub layer: &'static str,
    /// Queries that reached the layer.
    pub asked: u64,
    /// Of these, answered without asking the layer below.
    pub sat: u64,
    pub unsat: u64,
    /// `Unknown` first said here.
    pub unknown: u64,
    /// Time spent in this layer and below.
    pub time: Duration,
}

impl LayerStatistics {
    pub fn new(layer: &'static str) -> LayerStatistics {
        LayerStatistics {
            layer,
            ..LayerStatistics::default()
        }
    }

    /// Counts an answer the layer found by itself.
    pub fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}
