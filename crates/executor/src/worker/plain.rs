//! Running an input without terms.
//!
//! A run begins where runs of its shape begin that have terms: with a copy of a process that has not yet looked at its input, in which
//! the values of the input are set. Where none is at hand, it begins at the start of the program.

use super::{RunError, Worker};
use concolic_vm::observe::Edges;
use concolic_vm::symbolic::SymbolicInput;
use concolic_vm::{Machine, Outcome};

/// A run without terms that has ended, or was cut off.
pub(crate) struct Plain<'p> {
    pub(crate) machine: Machine<'p>,
    pub(crate) outcome: Option<Outcome>,
}

impl<'p> Worker<'p> {
    /// Runs an input on a version for at most so many instructions.
    pub(crate) fn run_plain(
        &mut self,
        shape: u32,
        version: usize,
        input: &SymbolicInput,
        steps: u64,
        edges: &mut Edges,
    ) -> Result<Plain<'p>, RunError> {
        let place = shape as usize;
        let is_missing = self.starts.undecided[place][version].is_none();
        if is_missing && self.starts.early[place][version].is_none() {
            let start = self.start(version, input)?;
            self.starts.early[place][version] = Some(start);
        }
        let base = self.starts.undecided[place][version].as_ref();
        let base = base.or(self.starts.early[place][version].as_ref());
        let base = base.expect("it was just made");
        let mut machine = base.plain(&mut self.store, input);
        let before = machine.instructions();
        let outcome = machine.run_counting(steps, edges);
        self.counts.instructions += machine.instructions() - before;
        Ok(Plain { machine, outcome })
    }

    /// Goes on with a run that was cut off.
    pub(crate) fn go_on_plain(&mut self, plain: &mut Plain<'p>, steps: u64) {
        let before = plain.machine.instructions();
        plain.outcome = plain.machine.run_slice(steps);
        self.counts.instructions += plain.machine.instructions() - before;
    }

    /// Whether there is still time.
    pub(crate) fn may_go_on(&self) -> bool {
        self.with.goes_on(self.until)
    }
}
