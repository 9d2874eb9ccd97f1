//! The way of a run through the code, as one number: what brute force compares runs by.
//!
//! Every conditional branch and switch is told, those on concrete values too, every call and every
//! jump. Nothing is shared with the recorder of symbolic runs, so that one can be held against the
//! other.

use crate::machine::Machine;
use crate::monitor::{At, Monitor};
use crate::op::{Operand, SwitchTable};
use crate::outcome::Outcome;
use program_ir::IntPredicate;

/// Equal for two runs if they took the same decisions; different otherwise, but for a collision
/// of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct BranchTrace(pub u64);

impl Machine<'_> {
    /// Runs to the end; the outcome, and the way that the run took.
    pub fn run_traced(&mut self) -> (Outcome, BranchTrace) {
        self.step_limit = self.limits.steps;
        let mut tracer = Tracer { hash: 0 };
        let end = self.step_until_end(&mut tracer);
        (self.outcome(end), BranchTrace(tracer.hash))
    }
}

struct Tracer {
    hash: u64,
}

impl Tracer {
    #[inline(always)]
    fn add(&mut self, function: u32, pc: u32, decision: u64) {
        let place = u64::from(function) << 32 | u64::from(pc);
        for word in [place, decision] {
            let mixed = (self.hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.hash = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ mixed >> 47;
        }
    }
}

#[rustfmt::skip]
impl Monitor for Tracer {
    #[inline(always)]
    fn branch_if(&mut self, _: &mut Machine<'_>, at: At, _: Operand, taken: bool) {
        self.add(at.function, at.pc, u64::from(taken));
    }

    #[inline(always)]
    fn branch(&mut self, _: &mut Machine<'_>, at: At, _: IntPredicate, _: u8, _: [Operand; 2], taken: bool) {
        self.add(at.function, at.pc, u64::from(taken));
    }

    #[inline(always)]
    fn switch(&mut self, _: &mut Machine<'_>, at: At, _: u8, _: Operand, _: &SwitchTable, target: u32) {
        self.add(at.function, at.pc, u64::from(target));
    }

    #[inline(always)]
    fn call(&mut self, _: &mut Machine<'_>, at: At, callee: u32, _: usize, _: &[Operand]) {
        self.add(at.function, at.pc, u64::from(callee));
    }

    #[inline(always)]
    fn goes_to(&mut self, _: &mut Machine<'_>, function: u32, pc: u32) {
        self.add(function, pc, u64::MAX);
    }
}
