//! What a run records is a compile-time parameter of the stepping loop: a [`Monitor`].
//!
//! The loop announces every operation *before* its concrete effect, with the operands
//! it is about to read; [`Unobserved`] ignores everything and costs nothing.
//!
//! **Invariant:** every operation that writes a register or memory is announced, or goes
//! through an operation of [`crate::memory::Memory`] that keeps terms right. So an
//! observer that keeps a value beside each register never sees a stale one.

use crate::builtins::Builtin;
use crate::machine::Machine;
use crate::op::{CallSite, Operand, PureOp, Reg, SwitchTable};
use crate::site::CodeSite;
use program_ir::{AtomicRmwOp, BinaryOp, FloatPredicate, IntPredicate};
use std::sync::Arc;

/// Where the loop is: the operation, and the registers of its frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At {
    pub(crate) function: u32,
    pub(crate) pc: u32,
    /// First register of the frame.
    pub(crate) base: usize,
}

impl At {
    pub(crate) fn site(self) -> CodeSite {
        CodeSite {
            function: self.function,
            pc: self.pc,
        }
    }
}

/// A single load or store: `width` bits at `address + offset`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) width: u8,
    pub(crate) address: Operand,
    pub(crate) offset: i32,
}

/// Observes a run. Registers are named by their index in the register file where a
/// frame is not at hand.
#[rustfmt::skip]
#[allow(unused_variables)]
pub(crate) trait Monitor {
    // Computations.
    #[inline(always)]
    fn copy(&mut self, m: &mut Machine<'_>, at: At, to: Reg, from: Operand) {}
    #[inline(always)]
    fn binary(&mut self, m: &mut Machine<'_>, at: At, op: BinaryOp, width: u8, to: Reg, operands: [Operand; 2]) {}
    #[inline(always)]
    fn compare(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, to: Reg, operands: [Operand; 2]) {}
    #[inline(always)]
    fn truncate(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, a: Operand) {}
    #[inline(always)]
    fn sign_extend(&mut self, m: &mut Machine<'_>, at: At, from: u8, width: u8, to: Reg, a: Operand) {}
    #[inline(always)]
    fn select(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, condition: Operand, arms: [Operand; 2]) {}
    #[inline(always)]
    fn float_compare(&mut self, m: &mut Machine<'_>, at: At, predicate: FloatPredicate, to: Reg, operands: [Operand; 2]) {}
    #[inline(always)]
    fn signed_to_f64(&mut self, m: &mut Machine<'_>, at: At, from: u8, to: Reg, a: Operand) {}
    #[inline(always)]
    fn pointer_index(&mut self, m: &mut Machine<'_>, at: At, scale: u16, to: Reg, pointer: Operand, index: Operand) {}
    #[inline(always)]
    fn pure(&mut self, m: &mut Machine<'_>, at: At, op: &PureOp) {}
    /// `words` registers from `to` on get values that depend on nothing observed.
    #[inline(always)]
    fn define(&mut self, m: &mut Machine<'_>, at: At, to: Reg, words: u32) {}

    // Memory.
    #[inline(always)]
    fn load(&mut self, m: &mut Machine<'_>, at: At, to: Reg, place: Place) {}
    #[inline(always)]
    fn store(&mut self, m: &mut Machine<'_>, at: At, value: Operand, place: Place) {}
    #[inline(always)]
    fn alloca(&mut self, m: &mut Machine<'_>, at: At, to: Reg, count: Operand) {}
    /// After it: where the new object is.
    #[inline(always)]
    fn allocated(&mut self, m: &mut Machine<'_>, at: At, address: u64) {}
    #[inline(always)]
    fn memory_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand, length: Operand) {}
    /// Returns the term of the byte, 0 if it is concrete.
    #[inline(always)]
    fn memory_set(&mut self, m: &mut Machine<'_>, at: At, to: Operand, byte: Operand, length: Operand) -> u32 { 0 }
    /// Operands: address, value.
    #[inline(always)]
    fn atomic_rmw(&mut self, m: &mut Machine<'_>, at: At, op: AtomicRmwOp, width: u8, to: Reg, operands: [Operand; 2]) {}
    /// Operands: address, expected value, replacement.
    #[inline(always)]
    fn compare_exchange(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, operands: [Operand; 3]) {}

    // Calls.
    /// A frame was pushed whose parameters, from register `base` on, are `words`.
    #[inline(always)]
    fn call(&mut self, m: &mut Machine<'_>, at: At, callee: u32, base: usize, words: &[Operand]) {}
    /// Before a call through a pointer.
    #[inline(always)]
    fn callee(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {}
    /// Before an argument is copied as a whole because it is passed by value.
    #[inline(always)]
    fn by_value(&mut self, m: &mut Machine<'_>, at: At, pointer: Operand, size: u64) {}
    /// An argument of a call that needs more than copying words: its first register, and how many
    /// entries of the argument list it takes, 0 if it is a parameter.
    #[inline(always)]
    fn passes(&mut self, m: &mut Machine<'_>, register: usize, entries: u32, wide: bool) {}
    #[inline(always)]
    fn builtin(&mut self, m: &mut Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {}
    /// The term of the byte that the `memset` just announced stores.
    #[inline(always)]
    fn byte_set(&mut self) -> u32 { 0 }
    /// `parallax_symbolic` has filled a variable.
    #[inline(always)]
    fn named(&mut self, m: &mut Machine<'_>, address: u64, name: &Arc<str>, size: u32) {}
    /// The term of a word that the machine passes on itself.
    #[inline(always)]
    fn word(&self, index: usize) -> u32 { 0 }
    /// The terms of its eight bytes, if one of them is symbolic.
    #[inline(always)]
    fn word_bytes(&mut self, m: &mut Machine<'_>, index: usize) -> Option<[u32; 8]> { None }
    /// The machine has given registers from `index` on values with these terms.
    #[inline(always)]
    fn words_set(&mut self, m: &Machine<'_>, index: usize, terms: &[u32]) {}
    /// A value is returned from `setjmp` by way of `longjmp` into register `index`.
    #[inline(always)]
    fn jumped(&mut self, index: usize) {}
    #[inline(always)]
    fn va_list(&mut self, m: &mut Machine<'_>, at: At, list: Operand) {}

    /// One list is about to be copied to another.
    fn va_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand) {
        self.va_list(m, at, to);
        self.va_list(m, at, from);
    }
    /// Before results are copied to registers from `target` on.
    #[inline(always)]
    fn returns(&mut self, m: &mut Machine<'_>, at: At, values: &[Operand], target: usize, wanted: usize) {}
    /// The entry function returns.
    #[inline(always)]
    fn entry_returns(&mut self, m: &mut Machine<'_>, at: At, values: &[Operand]) {}
    #[inline(always)]
    fn syscall(&mut self, m: &mut Machine<'_>, at: At, operands: &[Operand]) {}
    /// A builtin or a system call returns this word.
    #[inline(always)]
    fn answered(&mut self, m: &mut Machine<'_>, at: At, value: u64) {}
    #[inline(always)]
    fn after_syscall(&mut self, m: &mut Machine<'_>, at: At) {}

    // Control.
    #[inline(always)]
    fn branch_if(&mut self, m: &mut Machine<'_>, at: At, condition: Operand, taken: bool) {}
    #[inline(always)]
    fn branch(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, operands: [Operand; 2], taken: bool) {}
    #[inline(always)]
    fn switch(&mut self, m: &mut Machine<'_>, at: At, width: u8, arg: Operand, table: &SwitchTable, target: u32) {}
    #[inline(always)]
    fn indirect_jump(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {}
    /// The loop goes on at another place than behind the operation.
    #[inline(always)]
    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {}
    /// The run has jumped from the operation `from` to the operation `to` of a function.
    #[inline(always)]
    fn went(&mut self, function: u32, from: u32, to: u32) {}
}

/// Records nothing.
pub(crate) struct Unobserved;

impl Monitor for Unobserved {}
