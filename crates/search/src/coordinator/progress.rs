//! How far a search is, and whether its budget is used up.

use super::Coordinator;
use crate::counts::Counts;
use crate::summary::Stop;
use concolic_vm::symbolic::Coverage;
use std::time::Duration;

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Progress {
    pub wall: Duration,
    pub paths: u64,
    pub runs: u64,
    pub open_flips: usize,
    pub errors: usize,
    pub tests: u64,
    /// Runs of an earlier session that are yet to be repeated.
    pub to_repeat: usize,
    /// The time of all workers together.
    pub solving: Duration,
    pub running: Duration,
    /// By version.
    pub coverage: Vec<Coverage>,
}

impl Coordinator<'_> {
    pub(crate) fn progress(&self) -> Progress {
        let Counts {
            solving, running, ..
        } = self.all_counts();
        Progress {
            wall: self.start.elapsed(),
            paths: self.findings.paths,
            runs: self.findings.runs,
            open_flips: self.tree.open_flips(),
            errors: self.findings.errors.len(),
            tests: self.findings.tests,
            to_repeat: self.schedule.repeats.len(),
            solving,
            running,
            coverage: self.findings.coverage.clone(),
        }
    }

    /// Why the search is to stop, if the budget is used up.
    pub(crate) fn used_up(&self, memory_used: &dyn Fn() -> u64) -> Option<Stop> {
        let budget = &self.settings.budget;
        let reached = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used >= limit);
        let in_time = budget.time.is_none_or(|limit| self.start.elapsed() < limit);
        if !in_time {
            Some(Stop::Time)
        } else if reached(self.findings.runs, budget.runs) {
            Some(Stop::Runs)
        } else if budget.instructions.is_some()
            && reached(self.all_counts().instructions, budget.instructions)
        {
            Some(Stop::Instructions)
        } else if budget.memory.is_some() && reached(memory_used(), budget.memory) {
            Some(Stop::Memory)
        } else {
            None
        }
    }
}
