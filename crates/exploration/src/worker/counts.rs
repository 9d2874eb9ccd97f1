//! What a worker did, and how it spent its time.

use crate::relevance::NotSliced;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How a worker spent its time.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Executions of the program, those to recover terms included.
    pub executions: u64,
    pub recoveries: u64,
    pub instructions: u64,
    pub queries: u64,
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
    /// Adds what another worker did.
    pub fn add(&mut self, other: &Counts) {
        self.executions += other.executions;
        self.recoveries += other.recoveries;
        self.instructions += other.instructions;
        self.queries += other.queries;
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
    pub(super) fn add_running(&mut self, start: Instant, before: Apart) {
        let apart = self.apart().0.saturating_sub(before.0);
        self.running += start.elapsed().saturating_sub(apart);
    }

    pub(super) fn apart(&self) -> Apart {
        Apart(self.solving + self.tracing + self.slicing)
    }

    /// What of a run's decisions matters, if that is known.
    pub(super) fn note<T>(&mut self, sliced: Result<T, NotSliced>) -> Option<T> {
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
pub(super) struct Apart(Duration);
