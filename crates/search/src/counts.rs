//! What executors did, and how they spent their time.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

/// How an executor spent its time.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Counts {
    /// Executions of the program, those to recover terms included.
    pub executions: u64,
    pub recoveries: u64,
    pub instructions: u64,
    pub queries: u64,
    /// Of all questions, those that only a back end could answer.
    pub hard_queries: u64,
    /// Other questions to the solver, for slices: they are asked again whenever a run is repeated.
    pub queries_for_slices: u64,
    pub solving: Duration,
    /// Executing programs and comparing their states, without what is counted apart here.
    pub running: Duration,
    /// Executing once more with a trace.
    pub tracing: Duration,
    /// Finding in traces what matters.
    pub slicing: Duration,
    /// Instances in all traces.
    pub traced: u64,
    /// Bytes of all traces, and of the largest one with what it took to record it.
    pub trace_bytes: u64,
    pub largest_trace: u64,
    /// Traces of which only what matters was kept, and why others were taken as a whole.
    pub sliced: u64,
    pub not_sliced: BTreeMap<NotSliced, u64>,
}

impl Counts {
    /// Adds what another executor did.
    pub fn add(&mut self, other: &Counts) {
        self.executions += other.executions;
        self.recoveries += other.recoveries;
        self.instructions += other.instructions;
        self.queries += other.queries;
        self.hard_queries += other.hard_queries;
        self.queries_for_slices += other.queries_for_slices;
        self.solving += other.solving;
        self.running += other.running;
        self.tracing += other.tracing;
        self.slicing += other.slicing;
        self.traced += other.traced;
        self.trace_bytes += other.trace_bytes;
        self.largest_trace = self.largest_trace.max(other.largest_trace);
        self.sliced += other.sliced;
        for (&why, count) in &other.not_sliced {
            *self.not_sliced.entry(why).or_default() += count;
        }
    }

    /// Counts as running what was not counted apart since the counts were as given.
    pub fn add_running(&mut self, start: Instant, before: Apart) {
        let apart = self.apart().0.saturating_sub(before.0);
        self.running += start.elapsed().saturating_sub(apart);
    }

    pub fn apart(&self) -> Apart {
        Apart(self.solving + self.tracing + self.slicing)
    }

    /// What of a run's decisions matters, if that is known.
    pub fn note<T>(&mut self, sliced: Result<T, NotSliced>) -> Option<T> {
        match sliced {
            Ok(relevant) => {
                self.sliced += 1;
                Some(relevant)
            }
            Err(why) => {
                *self.not_sliced.entry(why).or_default() += 1;
                None
            }
        }
    }
}

/// Time that is not counted as running.
#[derive(Clone, Copy)]
pub struct Apart(Duration);

/// Why a run has no slice and counts as a whole.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum NotSliced {
    /// The trace of the run would take more memory than is allowed.
    TooLong,
    /// It jumps, may be interrupted by a handler, or makes an unusual system call.
    NotFollowed,
    /// It was cut off, or ran out of stack: what comes after is not known.
    NoEnd,
    /// It decides so often that the rest of it is one of its input alone.
    ManyDecisions,
    /// There is little room on the stack: another way might overflow it.
    NoRoom,
    /// An input of the slice was tried and did otherwise: a bug of ours.
    Refuted,
}

impl fmt::Display for NotSliced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NotSliced::TooLong => "its dependence trace takes too much memory",
            NotSliced::NotFollowed => "it jumps between functions, installs a signal handler, or makes an unusual system call",
            NotSliced::NoEnd => "it does not come to an end",
            NotSliced::ManyDecisions => "it makes very many decisions",
            NotSliced::NoRoom => "its stack is nearly full",
            NotSliced::Refuted => "an input of its slice does otherwise",
        })
    }
}

/// How often a layer of the solver was asked and what it could answer by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LayerCounts {
    pub layer: String,
    /// Queries that reached the layer.
    pub asked: u64,
    /// Of these, answered without asking the layer below.
    pub sat: u64,
    pub unsat: u64,
    /// `Unknown` first said here.
    pub unknown: u64,
    /// In this layer and those below it.
    pub time: Duration,
}

/// Adds what another executor's layers did: the same layers in the same order.
pub(crate) fn add_layers(all: &mut Vec<LayerCounts>, own: Vec<LayerCounts>) {
    if all.is_empty() {
        *all = own;
        return;
    }
    for (sum, own) in all.iter_mut().zip(own) {
        sum.asked += own.asked;
        sum.sat += own.sat;
        sum.unsat += own.unsat;
        sum.unknown += own.unknown;
        sum.time += own.time;
    }
}
