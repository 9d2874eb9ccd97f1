//! Coverage for searches that learn from many short runs: how often each decision was taken, roughly.
//!
//! As in coverage-guided fuzzers, a decision (a branch with its side, a switch with its target, an entry of a function) is counted in
//! one of a fixed number of slots, and counts are told apart only by their order of magnitude. What comes out is a set of
//! *features*: two runs with the same features have taken the same decisions about equally often, but for collisions of slots. Nothing
//! is proved by features; they only say which inputs are worth keeping.

use crate::machine::Machine;
use crate::monitor::{At, Monitor};
use crate::op::{Operand, SwitchTable};
use crate::outcome::Outcome;
use crate::symbolic::Coverage;
use program_ir::IntPredicate;

/// Slots that decisions are counted in.
pub const SLOTS: usize = 1 << 16;
/// Orders of magnitude that counts are told apart by.
pub const MAGNITUDES: u32 = 8;

/// What a run has covered. It can be used again for a next run without being made anew.
#[derive(Clone, Debug)]
pub struct Edges {
    counts: Box<[u8]>,
    /// The slots that are not zero.
    touched: Vec<u32>,
    /// The places that control went to, each once.
    entered: Vec<u32>,
    coverage: Coverage,
}

impl Edges {
    pub fn new(program: &crate::Program) -> Edges {
        Edges {
            counts: vec![0; SLOTS].into(),
            touched: Vec::new(),
            entered: Vec::new(),
            coverage: Coverage::new(program),
        }
    }

    /// Forgets the last run.
    fn clear(&mut self) {
        for slot in self.touched.drain(..) {
            self.counts[slot as usize] = 0;
        }
        for operation in self.entered.drain(..) {
            self.coverage.unmark(operation as usize);
        }
    }

    /// What the run has done, as numbers below [`SLOTS`] times [`MAGNITUDES`].
    pub fn features(&self) -> impl Iterator<Item = u32> + '_ {
        let touched = self.touched.iter();
        touched.map(|&slot| slot * MAGNITUDES + magnitude(self.counts[slot as usize]))
    }

    /// The operations that control went to by a jump or a call, each once.
    pub fn entered(&self) -> &[u32] {
        &self.entered
    }

    #[inline(always)]
    fn count(&mut self, at: At, way: u64) {
        let place = u64::from(at.function) << 32 | u64::from(at.pc);
        let mixed = (place ^ way.wrapping_mul(0x2545_f491_4f6c_dd1d))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> 48;
        let count = &mut self.counts[mixed as usize];
        if *count == 0 {
            self.touched.push(mixed as u32);
        }
        *count = count.saturating_add(1);
    }

    #[inline(always)]
    fn enter(&mut self, machine: &Machine<'_>, function: u32, pc: u32) {
        let start = machine.program.operation_starts[function as usize];
        let operation = start + pc as usize;
        if self.coverage.mark(operation) {
            self.entered.push(operation as u32);
        }
    }
}

fn magnitude(count: u8) -> u32 {
    match count {
        0..=3 => u32::from(count.saturating_sub(1)),
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        128.. => 7,
    }
}

#[rustfmt::skip]
impl Monitor for Edges {
    #[inline(always)]
    fn branch_if(&mut self, _: &mut Machine<'_>, at: At, _: Operand, taken: bool) {
        self.count(at, u64::from(taken));
    }

    #[inline(always)]
    fn branch(&mut self, _: &mut Machine<'_>, at: At, _: IntPredicate, _: u8, _: [Operand; 2], taken: bool) {
        self.count(at, u64::from(taken));
    }

    #[inline(always)]
    fn switch(&mut self, _: &mut Machine<'_>, at: At, _: u8, _: Operand, _: &SwitchTable, target: u32) {
        self.count(at, u64::from(target));
    }

    #[inline(always)]
    fn call(&mut self, m: &mut Machine<'_>, _: At, callee: u32, _: usize, _: &[Operand]) {
        self.enter(m, callee, 0);
    }

    #[inline(always)]
    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {
        self.enter(m, function, pc);
    }
}

impl Machine<'_> {
    /// Runs to the end, or until so many further instructions were executed, and counts decisions on the way; `None` if there is more to
    /// run.
    pub fn run_counting(&mut self, instructions: u64, edges: &mut Edges) -> Option<Outcome> {
        edges.clear();
        self.step_limit = self
            .instructions
            .saturating_add(instructions)
            .min(self.limits.steps);
        match self.step_until_end(edges) {
            crate::End::StepLimit { limit } if limit < self.limits.steps => None,
            end => Some(self.outcome(end)),
        }
    }
}
