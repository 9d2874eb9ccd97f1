//! What a search is told before it begins.

use crate::frontier::Strategy;
use concolic_vm::symbolic::SymbolicInput;
use std::time::Duration;

/// When to stop at the latest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Runs of this session.
    pub runs: Option<u64>,
    /// Instructions executed in all runs together.
    pub instructions: Option<u64>,
    /// Bytes that the process may hold.
    pub memory: Option<u64>,
}

/// What a coordinator is told.
#[derive(Clone, Debug)]
pub struct Settings {
    pub strategy: Strategy,
    /// Decides all random choices.
    pub seed: u64,
    pub budget: Budget,
    /// How many programs each input is run on.
    pub versions: usize,
    /// The first input of each shape.
    pub shapes: Vec<SymbolicInput>,
    /// Inputs to run first, each with the number of its shape.
    pub seeds: Vec<(u32, SymbolicInput)>,
    pub query_timeout: Duration,
    /// Whether every path becomes a test, not only those that show something new.
    pub all_tests: bool,
    /// Work, in instructions, that is done before the facts of the change are asked for.
    pub work_before_facts: u64,
    /// Whether inputs are made that take the effect of a change farther.
    pub propagates: bool,
    /// Whether only what matters is kept of paths: then a path is known only from where it comes.
    pub sliced: bool,
    /// The most time for drawing inputs, if it is to be found out how much of the input space is settled.
    pub settling: Option<Duration>,
    /// Whether every input of the space is meant.
    pub admits_all: bool,
}
