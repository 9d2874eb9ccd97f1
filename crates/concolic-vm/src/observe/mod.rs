//! Concrete runs that are watched: which blocks they enter, what depended on what.

mod dependence_trace;
mod dependences;
mod instance;
mod last_writers;
mod slice;
mod trace_code;
mod tracer;
mod undefined_operations;
mod unpacked_trace;

pub use dependence_trace::{
    Backwards, DependenceTrace, Place, SPARE_CALLS, TraceEntry, TraceLimits, Written,
};
pub use instance::{Edge, Instance};
pub use slice::Slice;
pub use tracer::TraceFacts;
pub(crate) use tracer::Tracer;
pub use undefined_operations::UndefinedOperation;
pub use unpacked_trace::UnpackedTrace;

pub use dependences::{CodePlace, ObservedDependences, ThroughMemory};

use crate::coverage::Coverage;
use crate::machine::Machine;
use crate::monitor::{At, Monitor};
use crate::op::Operand;
use crate::outcome::Outcome;

struct Covering {
    coverage: Coverage,
}

impl Covering {
    fn mark(&mut self, machine: &Machine<'_>, function: u32, pc: u32) {
        let start = machine.program.operation_starts[function as usize];
        self.coverage.mark(start + pc as usize);
    }
}

impl Monitor for Covering {
    fn call(&mut self, m: &mut Machine<'_>, _: At, callee: u32, _: usize, _: &[Operand]) {
        self.mark(m, callee, 0);
    }

    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {
        self.mark(m, function, pc);
    }
}

impl Machine<'_> {
    /// Runs to the end, and says which blocks were entered on the way.
    pub fn run_covering(&mut self) -> (Outcome, Coverage) {
        let mut monitor = Covering {
            coverage: Coverage::new(self.program),
        };
        if let Some(frame) = self.frames.last() {
            let (function, pc) = (frame.function, frame.pc);
            monitor.mark(self, function, pc);
        }
        self.step_limit = self.limits.steps;
        let end = self.step_until_end(&mut monitor);
        (self.outcome(end), monitor.coverage)
    }
}
