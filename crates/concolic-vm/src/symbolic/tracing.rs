//! Recording terms and dependences in one run.

use super::process::{BETWEEN_QUESTIONS, SymbolicProcess, SymbolicRun, next_span};
use super::recorder::Recorder;
use crate::builtins::Builtin;
use crate::machine::Machine;
use crate::monitor::{At, Monitor, Place};
use crate::observe::{DependenceTrace, TraceFacts, TraceLimits, Tracer};
use crate::op::{CallSite, Operand, PureOp, Reg, SwitchTable};
use crate::outcome::End;
use expr::Store;
use program_ir::{AtomicRmwOp, BinaryOp, FloatPredicate, IntPredicate};
use std::sync::Arc;

impl SymbolicProcess<'_> {
    /// Runs to the end and keeps what depended on what, within `limits`. The process should be at its start: what ran
    /// before counts as given.
    pub fn run_tracing(
        &mut self,
        store: &mut Store,
        facts: &TraceFacts,
        limits: TraceLimits,
    ) -> (SymbolicRun, DependenceTrace) {
        let ended = self.run_tracing_while(store, facts, limits, || true);
        ended.expect("nobody stopped it")
    }

    /// The same, unless somebody who is asked now and then says that it should not go on.
    pub fn run_tracing_while(
        &mut self,
        store: &mut Store,
        facts: &TraceFacts,
        limits: TraceLimits,
        mut goes_on: impl FnMut() -> bool,
    ) -> Option<(SymbolicRun, DependenceTrace)> {
        self.record.decided = Some(Vec::new());
        let mut tracer = Tracer::new(facts, limits);
        tracer.start(&mut self.machine);
        let mut both = Both {
            recorder: Recorder {
                store,
                record: &mut self.record,
            },
            tracer,
        };
        let most = self.machine.limits.steps;
        let mut span = BETWEEN_QUESTIONS;
        let end = loop {
            if !goes_on() {
                return None;
            }
            let before = self.machine.instructions;
            self.machine.step_limit = before.saturating_add(span).min(most);
            match self.machine.step_until_end(&mut both) {
                End::StepLimit { limit } if limit < most => {
                    if both.recorder.record.decision_limit.stops() {
                        both.settle(&mut self.machine);
                        both.recorder.take_input_as_it_is(&mut self.machine);
                    }
                    span = next_span(span, self.machine.instructions > before);
                }
                end => break end,
            }
        };
        both.note_decisions();
        let Both { recorder, tracer } = both;
        let trace = tracer.finish(&mut self.machine, |register| {
            recorder.record.terms[register]
        });
        self.record.decided = None;
        Some((self.finished(end), trace))
    }
}

struct Both<'a, 't> {
    recorder: Recorder<'a>,
    tracer: Tracer<'t>,
}

impl Both<'_, '_> {
    /// Notes what the operation before has done.
    fn settle(&mut self, m: &mut Machine<'_>) {
        let terms = &self.recorder.record.terms;
        self.tracer.settle(m, |register| terms[register]);
    }

    /// Gives the conditions that were decided to the latest operation.
    fn note_decisions(&mut self) {
        if let Some(decided) = &mut self.recorder.record.decided {
            let (head, trace) = (self.tracer.head, &mut self.tracer.trace);
            for (condition, taken) in decided.drain(..) {
                trace.conditions.push((head, condition));
                if taken && trace.taken.last() != Some(&head) {
                    trace.taken.push(head);
                }
            }
        }
    }
}

/// The recorder first, then the tracer, on an operation whose predecessor has been settled.
macro_rules! both {
    ($self:ident, $m:ident, $recorder:expr, $tracer:expr) => {{
        $self.settle($m);
        // The kernel takes things as they are after the call was noted.
        $self.note_decisions();
        let result = $recorder;
        $tracer;
        $self.note_decisions();
        result
    }};
}

#[rustfmt::skip]
impl Monitor for Both<'_, '_> {
    fn copy(&mut self, m: &mut Machine<'_>, at: At, to: Reg, from: Operand) {
        both!(self, m, self.recorder.copy(m, at, to, from), self.tracer.compute(m, at, to, 1, &[from]))
    }

    fn binary(&mut self, m: &mut Machine<'_>, at: At, op: BinaryOp, width: u8, to: Reg, operands: [Operand; 2]) {
        both!(self, m, self.recorder.binary(m, at, op, width, to, operands), self.tracer.compute(m, at, to, 1, &operands))
    }

    fn compare(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, to: Reg, operands: [Operand; 2]) {
        both!(self, m, self.recorder.compare(m, at, predicate, width, to, operands), self.tracer.compute(m, at, to, 1, &operands))
    }

    fn truncate(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, a: Operand) {
        both!(self, m, self.recorder.truncate(m, at, width, to, a), self.tracer.compute(m, at, to, 1, &[a]))
    }

    fn sign_extend(&mut self, m: &mut Machine<'_>, at: At, from: u8, width: u8, to: Reg, a: Operand) {
        both!(self, m, self.recorder.sign_extend(m, at, from, width, to, a), self.tracer.compute(m, at, to, 1, &[a]))
    }

    fn select(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, condition: Operand, arms: [Operand; 2]) {
        both!(self, m, self.recorder.select(m, at, width, to, condition, arms), self.tracer.compute(m, at, to, 1, &[condition, arms[0], arms[1]]))
    }

    fn float_compare(&mut self, m: &mut Machine<'_>, at: At, predicate: FloatPredicate, to: Reg, operands: [Operand; 2]) {
        both!(self, m, self.recorder.float_compare(m, at, predicate, to, operands), self.tracer.compute(m, at, to, 1, &operands))
    }

    fn signed_to_f64(&mut self, m: &mut Machine<'_>, at: At, from: u8, to: Reg, a: Operand) {
        both!(self, m, self.recorder.signed_to_f64(m, at, from, to, a), self.tracer.compute(m, at, to, 1, &[a]))
    }

    fn pointer_index(&mut self, m: &mut Machine<'_>, at: At, scale: u16, to: Reg, pointer: Operand, index: Operand) {
        both!(self, m, self.recorder.pointer_index(m, at, scale, to, pointer, index), self.tracer.compute(m, at, to, 1, &[pointer, index]))
    }

    fn pure(&mut self, m: &mut Machine<'_>, at: At, op: &PureOp) {
        both!(self, m, self.recorder.pure(m, at, op), self.tracer.pure(m, at, op))
    }

    fn define(&mut self, m: &mut Machine<'_>, at: At, to: Reg, words: u32) {
        both!(self, m, self.recorder.define(m, at, to, words), self.tracer.define(m, at, to, words))
    }

    fn load(&mut self, m: &mut Machine<'_>, at: At, to: Reg, place: Place) {
        let symbolic = self.recorder.shadow(at, place.address) != 0;
        both!(self, m, self.recorder.load(m, at, to, place), self.tracer.load(m, at, to, place, symbolic))
    }

    fn store(&mut self, m: &mut Machine<'_>, at: At, value: Operand, place: Place) {
        let symbolic = self.recorder.shadow(at, place.address) != 0;
        let term = self.recorder.shadow(at, value);
        both!(self, m, self.recorder.store(m, at, value, place), {
            self.tracer.store(m, at, value, place, symbolic, term);
        })
    }

    fn alloca(&mut self, m: &mut Machine<'_>, at: At, to: Reg, count: Operand) {
        both!(self, m, self.recorder.alloca(m, at, to, count), self.tracer.compute(m, at, to, 1, &[count]))
    }

    fn allocated(&mut self, m: &mut Machine<'_>, at: At, address: u64) {
        self.recorder.allocated(m, at, address);
    }

    fn memory_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand, length: Operand) {
        both!(self, m, self.recorder.memory_copy(m, at, to, from, length), self.tracer.copy_memory(m, at, [to, from, length]))
    }

    fn memory_set(&mut self, m: &mut Machine<'_>, at: At, to: Operand, byte: Operand, length: Operand) -> u32 {
        both!(self, m, self.recorder.memory_set(m, at, to, byte, length), self.tracer.set_memory(m, at, [to, byte, length]))
    }

    fn atomic_rmw(&mut self, m: &mut Machine<'_>, at: At, op: AtomicRmwOp, width: u8, to: Reg, operands: [Operand; 2]) {
        both!(self, m, self.recorder.atomic_rmw(m, at, op, width, to, operands), self.tracer.update_memory(m, at, width, to, 1, &operands))
    }

    fn compare_exchange(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, operands: [Operand; 3]) {
        both!(self, m, self.recorder.compare_exchange(m, at, width, to, operands), self.tracer.update_memory(m, at, width, to, 2, &operands))
    }

    fn call(&mut self, m: &mut Machine<'_>, at: At, callee: u32, base: usize, words: &[Operand]) {
        both!(self, m, self.recorder.call(m, at, callee, base, words), self.tracer.calls(m, at, base, words))
    }

    fn callee(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {
        both!(self, m, self.recorder.callee(m, at, address), self.tracer.calls_through(m, at, address))
    }

    fn by_value(&mut self, m: &mut Machine<'_>, at: At, pointer: Operand, size: u64) {
        both!(self, m, self.recorder.by_value(m, at, pointer, size), self.tracer.by_value(m, at, pointer, size))
    }

    fn passes(&mut self, m: &mut Machine<'_>, register: usize, entries: u32, wide: bool) {
        // What a builtin does is still to come, so nothing is settled here.
        self.tracer.passes(m, register, entries, wide);
    }

    fn builtin(&mut self, m: &mut Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {
        both!(self, m, self.recorder.builtin(m, at, builtin, call), self.tracer.builtin(m, at, builtin, call))
    }

    fn byte_set(&mut self) -> u32 {
        self.recorder.byte_set()
    }

    fn named(&mut self, m: &mut Machine<'_>, address: u64, name: &Arc<str>, size: u32) {
        self.recorder.named(m, address, name, size);
    }

    fn word(&self, index: usize) -> u32 {
        self.recorder.word(index)
    }

    fn word_bytes(&mut self, m: &mut Machine<'_>, index: usize) -> Option<[u32; 8]> {
        self.recorder.word_bytes(m, index)
    }

    fn words_set(&mut self, m: &Machine<'_>, index: usize, terms: &[u32]) {
        self.recorder.words_set(m, index, terms);
        self.tracer.words_set(index, terms.len());
    }

    fn jumped(&mut self, index: usize) {
        self.recorder.jumped(index);
        self.tracer.jumped(index);
    }

    fn va_list(&mut self, m: &mut Machine<'_>, at: At, list: Operand) {
        both!(self, m, self.recorder.va_list(m, at, list), self.tracer.va_list(m, at, list))
    }

    fn va_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand) {
        both!(self, m, self.recorder.va_copy(m, at, to, from), self.tracer.copy_list(m, at, [to, from]))
    }

    fn returns(&mut self, m: &mut Machine<'_>, at: At, values: &[Operand], target: usize, wanted: usize) {
        self.settle(m);
        // The recorder may overwrite the terms of the returned values.
        let recorder = &self.recorder;
        self.tracer.returns(m, at, values, |value| recorder.shadow(at, value), target, wanted);
        self.recorder.returns(m, at, values, target, wanted);
        self.note_decisions();
    }

    fn entry_returns(&mut self, m: &mut Machine<'_>, at: At, values: &[Operand]) {
        both!(self, m, self.recorder.entry_returns(m, at, values), self.tracer.entry_returns(m, at, values))
    }

    fn syscall(&mut self, m: &mut Machine<'_>, at: At, operands: &[Operand]) {
        both!(self, m, self.recorder.syscall(m, at, operands), self.tracer.system_call(m, at, operands))
    }

    fn answered(&mut self, m: &mut Machine<'_>, at: At, value: u64) {
        self.recorder.answered(m, at, value);
        self.tracer.answered(m, value);
    }

    fn after_syscall(&mut self, m: &mut Machine<'_>, at: At) {
        self.recorder.after_syscall(m, at);
        self.note_decisions();
    }

    fn branch_if(&mut self, m: &mut Machine<'_>, at: At, condition: Operand, taken: bool) {
        both!(self, m, self.recorder.branch_if(m, at, condition, taken), {
            self.tracer.branches(m, at, &[condition], u64::from(taken));
        });
        if !taken {
            self.tracer.arrives(at.function, at.pc + 1);
        }
    }

    fn branch(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, operands: [Operand; 2], taken: bool) {
        both!(self, m, self.recorder.branch(m, at, predicate, width, operands, taken), {
            self.tracer.branches(m, at, &operands, u64::from(taken));
        });
        if !taken {
            self.tracer.arrives(at.function, at.pc + 1);
        }
    }

    fn switch(&mut self, m: &mut Machine<'_>, at: At, width: u8, arg: Operand, table: &SwitchTable, target: u32) {
        both!(self, m, self.recorder.switch(m, at, width, arg, table, target), self.tracer.branches(m, at, &[arg], u64::from(target)))
    }

    fn indirect_jump(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {
        both!(self, m, self.recorder.indirect_jump(m, at, address), self.tracer.branches(m, at, &[address], 0))
    }

    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {
        self.recorder.goes_to(m, function, pc);
        match pc {
            0 => {
                self.settle(m);
                self.tracer.enters(m);
            }
            _ => self.tracer.arrives(function, pc),
        }
    }
}
