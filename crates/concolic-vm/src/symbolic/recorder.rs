//! The monitor that keeps terms beside registers and records the path.
//!
//! Each register has a shadow word: 0, or the term that its value equals. A register
//! holds its value zero-extended, and a cast that changes no bits shares its operand's
//! register, so a term may be narrower than the use; [`Recorder::term`] fits it. Values
//! wider than 64 bits have two registers, and each has the term of its own word: the
//! term layer joins neighbouring parts of one term again.
//!
//! The common case is decided by a look at the operands' shadow words; all else is cold.

use super::access::KeptTables;
use super::called::{Awaited, Seen};
use super::decision_limit::DecisionLimit;
use super::floats::Floats;
use super::undefined::Undefined;
use super::{Alternative, Entered, EventKind, PathEvent, Reason, SymbolicLimits, floats, integers};
use crate::builtins::Builtin;
use crate::coverage::Coverage;
use crate::linux::syscall_table::number;
use crate::machine::Machine;
use crate::monitor::{At, Monitor, Place};
use crate::op::{CallSite, Operand, PureKind, PureOp, Reg, SwitchTable};
use expr::{ExprId, Store, Symbol};
use program_ir::{
    AtomicRmwOp, BinaryOp, CastOp, FloatPredicate, IntPredicate, TernaryOp, Type, UnaryOp,
};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Terms that are neither in registers nor in memory.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct HandedOn {
    /// What a `longjmp` under way hands to its `setjmp`.
    jump_value: u32,
    /// The byte that a `memset` under way stores.
    byte_set: u32,
    pub(super) exit_status: u32,
    /// What the entry function has returned.
    pub(super) returned: Vec<u32>,
}

/// What the recorder keeps; a clone of it belongs to a clone of the machine.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// The shadow words of all registers.
    pub(super) terms: Vec<u32>,
    pub(super) path: Vec<PathEvent>,
    /// The conditions on the path, to leave out what they decide already.
    known: FxHashSet<ExprId>,
    pub(super) floats: Floats,
    pub(super) coverage: Coverage,
    /// The places that were marked in `coverage`, in order.
    pub(super) entered: Vec<Entered>,
    /// If somebody waits for a call.
    pub(super) awaited: Option<Awaited>,
    pub(super) handed_on: HandedOn,
    pub(super) limits: SymbolicLimits,
    pub(super) decision_limit: DecisionLimit,
    /// What was read at symbolic addresses.
    pub(super) tables: KeptTables,
    /// Every condition that was decided, those known before too, and whether it concretised something, if
    /// somebody keeps count.
    pub(super) decided: Option<Vec<(ExprId, bool)>>,
    /// If memory that was never written is told apart.
    pub(super) undefined: Option<Box<Undefined>>,
}

impl Record {
    pub(super) fn new(limits: SymbolicLimits, coverage: Coverage) -> Record {
        Record {
            terms: Vec::new(),
            path: Vec::new(),
            known: FxHashSet::default(),
            floats: Floats::default(),
            coverage,
            entered: Vec::new(),
            awaited: None,
            handed_on: HandedOn::default(),
            limits,
            decision_limit: DecisionLimit::default(),
            tables: KeptTables::default(),
            decided: None,
            undefined: None,
        }
    }

    /// From now on all values are only what they are.
    pub(super) fn forget_terms(&mut self) {
        self.terms.fill(0);
        self.handed_on = HandedOn {
            returned: vec![0; self.handed_on.returned.len()],
            ..HandedOn::default()
        };
        self.tables = KeptTables::default();
    }

    pub(super) fn cover(&mut self, machine: &mut Machine<'_>, function: u32, pc: u32) {
        let start = machine.program.operation_starts[function as usize];
        let operation = start + pc as usize;
        if self.coverage.mark(operation) {
            self.note_entered(machine, operation);
        }
    }

    #[cold]
    fn note_entered(&mut self, machine: &mut Machine<'_>, operation: usize) {
        self.entered.push(Entered::new(operation, self.path.len()));
        if let Some(awaited) = &mut self.awaited {
            let seen = Seen {
                terms: &self.terms,
                events: self.path.len(),
            };
            awaited.entered(machine, operation, seen);
        }
    }
}

pub(super) struct Recorder<'a> {
    pub(super) store: &'a mut Store,
    pub(super) record: &'a mut Record,
}

impl Recorder<'_> {
    #[inline(always)]
    pub(super) fn shadow(&self, at: At, operand: Operand) -> u32 {
        self.record.terms[operand.index(at.base)]
    }

    #[inline(always)]
    pub(super) fn set_shadow(&mut self, at: At, to: Reg, term: u32) {
        self.record.terms[at.base + to as usize] = term;
    }

    /// Makes room for the registers of the machine.
    pub(super) fn grow(&mut self, machine: &Machine<'_>) {
        if self.record.terms.len() < machine.registers.len() {
            self.record.terms.resize(machine.registers.len(), 0);
        }
    }

    /// The low `width` (at most 64) bits of a register as a term.
    pub(super) fn register_term(&mut self, m: &Machine<'_>, index: usize, width: u32) -> ExprId {
        match ExprId::from_raw(self.record.terms[index]) {
            Some(term) => self.store.resized(term, width),
            None => self.store.constant(u128::from(m.registers[index]), width),
        }
    }

    /// An operand of `width` bits as a term.
    pub(super) fn term(&mut self, m: &Machine<'_>, at: At, operand: Operand, width: u32) -> ExprId {
        let index = operand.index(at.base);
        if width <= 64 {
            return self.register_term(m, index, width);
        }
        let low = self.register_term(m, index, 64);
        let high = self.register_term(m, operand.high().index(at.base), width - 64);
        self.store.concat(high, low)
    }

    /// A term as a shadow word.
    pub(super) fn word_of(&self, term: ExprId) -> u32 {
        if self.store.is_constant(term) {
            0
        } else {
            term.raw()
        }
    }

    /// The result of an operation, in one register or two.
    pub(super) fn set(&mut self, at: At, to: Reg, term: ExprId) {
        let width = self.store.width(term);
        if width <= 64 {
            let word = self.word_of(term);
            self.set_shadow(at, to, word);
        } else {
            let low = self.store.trunc(term, 64);
            let high = self.store.extract(term, 64, width - 64);
            let (low, high) = (self.word_of(low), self.word_of(high));
            self.set_shadow(at, to, low);
            self.set_shadow(at, to + 1, high);
        }
    }

    // The path.

    /// Records that `condition` decided how the run went on.
    pub(super) fn event(
        &mut self,
        m: &Machine<'_>,
        at: At,
        kind: EventKind,
        (way, condition): (u64, ExprId),
        alternatives: &[(Option<u64>, ExprId)],
    ) {
        debug_assert!(
            !self.store.is_false(condition),
            "the run contradicts itself"
        );
        if self.store.is_constant(condition) {
            return;
        }
        if let Some(decided) = &mut self.record.decided {
            decided.push((condition, matches!(kind, EventKind::Concretised(_))));
        }
        if !self.record.known.insert(condition) {
            return;
        }
        // The kernel reads whole structures, padding included.
        let by_kernel = kind == EventKind::Concretised(Reason::KernelRead);
        if self.record.undefined.is_some() && !by_kernel {
            self.note_undefined_use(m, at, condition);
        }
        let alternatives = alternatives
            .iter()
            .map(|&(way, condition)| Alternative { condition, way });
        let alternatives = alternatives.filter(|other| !self.store.is_false(other.condition));
        let event = PathEvent {
            site: at.site(),
            kind,
            condition,
            way,
            alternatives: alternatives.collect(),
            instructions: m.instructions,
        };
        self.record.path.push(event);
    }

    /// A decision between a condition and its negation.
    pub(super) fn decide(
        &mut self,
        m: &Machine<'_>,
        at: At,
        kind: EventKind,
        condition: ExprId,
        holds: bool,
    ) {
        let negated = self.store.not(condition);
        if holds {
            self.event(m, at, kind, (1, condition), &[(Some(0), negated)]);
        } else {
            self.event(m, at, kind, (0, negated), &[(Some(1), condition)]);
        }
    }

    /// Takes a term as the value it has.
    pub(super) fn concretise_term(
        &mut self,
        m: &Machine<'_>,
        at: At,
        reason: Reason,
        term: ExprId,
        value: u128,
    ) {
        let width = self.store.width(term);
        // Wider values are floats of other formats; their halves tell them apart well enough.
        let way = value as u64 ^ (value >> 64) as u64;
        let value = self.store.constant(value, width);
        let same = self.store.eq(term, value);
        let kind = EventKind::Concretised(reason);
        if reason == Reason::AllocationSize || reason == Reason::Length {
            // Both directions are worth a look of their own.
            let (less, more) = (self.store.ult(term, value), self.store.ult(value, term));
            self.event(m, at, kind, (way, same), &[(None, more), (None, less)]);
        } else {
            let other = self.store.not(same);
            self.event(m, at, kind, (way, same), &[(None, other)]);
        }
    }

    /// Takes an operand (of up to 64 bits) as the value it has.
    #[inline]
    pub(super) fn concretise(&mut self, m: &Machine<'_>, at: At, reason: Reason, operand: Operand) {
        let index = operand.index(at.base);
        if let Some(term) = ExprId::from_raw(self.record.terms[index]) {
            let value = u128::from(m.registers[index]);
            self.concretise_term(m, at, reason, term, value);
            self.record.terms[index] = 0;
        }
    }

    // Computations.

    fn concrete(&self, m: &Machine<'_>, at: At, operand: Operand, width: u32) -> u128 {
        let low = u128::from(m.registers[operand.index(at.base)]);
        if width <= 64 {
            low
        } else {
            u128::from(m.registers[operand.high().index(at.base)]) << 64 | low
        }
    }

    fn is_symbolic(&self, at: At, operand: Operand, width: u32) -> bool {
        self.shadow(at, operand) != 0 || width > 64 && self.shadow(at, operand.high()) != 0
    }

    #[cold]
    fn binary_cold(
        &mut self,
        m: &Machine<'_>,
        at: At,
        op: BinaryOp,
        width: u32,
        [a, b]: [Operand; 2],
    ) -> ExprId {
        let (x, y) = (self.term(m, at, a, width), self.term(m, at, b, width));
        if op.is_float() {
            return self.record.floats.binary(self.store, op, x, y);
        }
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if signed || matches!(op, BinaryOp::UDiv | BinaryOp::URem) {
            let zero = self.store.constant(0, width);
            let by_zero = self.store.eq(y, zero);
            let divisor = self.concrete(m, at, b, width);
            self.decide(m, at, EventKind::Division, by_zero, divisor == 0);
            if signed && divisor != 0 {
                let overflows = integers::division_overflows(self.store, width, x, y);
                let does = divisor == expr::mask(width)
                    && self.concrete(m, at, a, width) == 1 << (width - 1);
                self.decide(m, at, EventKind::Division, overflows, does);
            }
        }
        integers::binary(self.store, op, width, x, y)
    }

    #[cold]
    fn compare_cold(
        &mut self,
        m: &Machine<'_>,
        at: At,
        predicate: IntPredicate,
        width: u32,
        [a, b]: [Operand; 2],
    ) -> ExprId {
        let (a, b) = (self.term(m, at, a, width), self.term(m, at, b, width));
        integers::compare(self.store, predicate, a, b)
    }

    #[cold]
    fn pure_cold(&mut self, m: &Machine<'_>, at: At, op: &PureOp) {
        let [a, b, c] = op.args;
        let (ty, width) = (op.ty, op.ty.bits());
        let exact = |ty: Type| !ty.is_float() || matches!(ty, Type::F32 | Type::F64);
        if !exact(ty) || !exact(op.result) {
            let bits_only = matches!(
                op.kind,
                PureKind::Unary(UnaryOp::FNeg | UnaryOp::FAbs)
                    | PureKind::Binary(BinaryOp::FCopySign)
                    | PureKind::Ternary(TernaryOp::Select)
            );
            if !bits_only {
                self.concretise_float(m, at, op);
                return;
            }
        }
        let result = match op.kind {
            PureKind::Unary(unary) => {
                let term = self.term(m, at, a, width);
                if unary.is_undefined_for_zero() {
                    let zero = self.store.constant(0, width);
                    let is_zero = self.store.eq(term, zero);
                    let holds = self.concrete(m, at, a, width) == 0;
                    self.decide(m, at, EventKind::ZerosOfZero, is_zero, holds);
                }
                if unary.is_float() {
                    self.record.floats.unary(self.store, unary, term)
                } else {
                    integers::unary(self.store, unary, term)
                }
            }
            PureKind::Binary(binary) => self.binary_cold(m, at, binary, width, [a, b]),
            PureKind::Ternary(ternary) => {
                let first = if ternary == TernaryOp::Select {
                    1
                } else {
                    width
                };
                let a = self.term(m, at, a, first);
                let (b, c) = (self.term(m, at, b, width), self.term(m, at, c, width));
                if ternary == TernaryOp::FMulAdd {
                    self.record.floats.mul_add(self.store, [a, b, c])
                } else {
                    integers::ternary(self.store, ternary, width, [a, b, c])
                }
            }
            PureKind::Overflow(overflow) => {
                let (a, b) = (self.term(m, at, a, width), self.term(m, at, b, width));
                let (value, wrapped) = integers::overflow(self.store, overflow, a, b);
                let flag = op.to + if ty.is_wide() { 2 } else { 1 };
                self.set(at, flag, wrapped);
                value
            }
            PureKind::IntCompare(predicate) => self.compare_cold(m, at, predicate, width, [a, b]),
            PureKind::FloatCompare(predicate) => {
                let (a, b) = (self.term(m, at, a, width), self.term(m, at, b, width));
                self.record.floats.compare(self.store, predicate, a, b)
            }
            PureKind::FloatClass(classes) => {
                let a = self.term(m, at, a, width);
                floats::class(self.store, classes, a)
            }
            PureKind::Cast(cast) => {
                let a = self.term(m, at, a, width);
                let to = op.result.bits();
                match cast {
                    CastOp::Truncate => self.store.trunc(a, to),
                    CastOp::ZeroExtend => self.store.zext(a, to),
                    CastOp::SignExtend => self.store.sext(a, to),
                    CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr => a,
                    _ => self.record.floats.cast(self.store, cast, to, a),
                }
            }
        };
        // A wide result may be a narrow term: both words are written.
        let result = if op.result.is_wide() {
            self.store.resized(result, op.result.bits())
        } else {
            result
        };
        self.set(at, op.to, result);
    }

    /// Operations on formats without terms take their operands as they are.
    fn concretise_float(&mut self, m: &Machine<'_>, at: At, op: &PureOp) {
        for (index, operand) in op.args.into_iter().enumerate() {
            if index < arity(op.kind) && self.is_symbolic(at, operand, op.ty.bits()) {
                let term = self.term(m, at, operand, op.ty.bits());
                let value = self.concrete(m, at, operand, op.ty.bits());
                self.concretise_term(m, at, Reason::FloatFormat, term, value);
            }
        }
        self.set_shadow(at, op.to, 0);
        if op.result.is_wide() {
            self.set_shadow(at, op.to + 1, 0);
        }
    }

    #[cold]
    fn switch_cold(
        &mut self,
        m: &Machine<'_>,
        at: At,
        width: u32,
        arg: Operand,
        table: &SwitchTable,
        target: u32,
    ) {
        let arg = self.term(m, at, arg, width);
        // Per target the values that lead there, as ranges in ascending order.
        let mut groups: Vec<(u32, Vec<(u128, u128)>)> = Vec::new();
        let mut default = None;
        table.for_each_case(|case| match case {
            (Some(value), target) => {
                let group = match groups.iter().position(|group| group.0 == target) {
                    Some(found) => &mut groups[found].1,
                    None => {
                        groups.push((target, Vec::new()));
                        &mut groups.last_mut().expect("just pushed").1
                    }
                };
                match group.last_mut() {
                    Some(range) if range.1 + 1 == value => range.1 = value,
                    _ => group.push((value, value)),
                }
            }
            (None, target) => default = Some(target),
        });
        let default = default.expect("every switch has a default");
        groups.retain(|group| group.0 != default);
        let mut some_case = self.store.truth(false);
        let mut conditions = Vec::with_capacity(groups.len() + 1);
        for (goal, ranges) in &groups {
            let mut condition = self.store.truth(false);
            for &(low, high) in ranges {
                let within = self.in_range(arg, width, low, high);
                condition = self.store.or(condition, within);
            }
            some_case = self.store.or(some_case, condition);
            conditions.push((*goal, condition));
        }
        conditions.push((default, self.store.not(some_case)));
        let taken = conditions.iter().position(|&(goal, _)| goal == target);
        let (_, condition) = conditions.remove(taken.expect("the target is one of the table's"));
        let others: Vec<_> = conditions
            .into_iter()
            .map(|(goal, other)| (Some(u64::from(goal)), other))
            .collect();
        let way = (u64::from(target), condition);
        self.event(m, at, EventKind::Switch, way, &others);
    }

    fn in_range(&mut self, arg: ExprId, width: u32, low: u128, high: u128) -> ExprId {
        let lowest = self.store.constant(low, width);
        if low == high {
            return self.store.eq(arg, lowest);
        }
        let highest = self.store.constant(high, width);
        let (above, below) = (self.store.ule(lowest, arg), self.store.ule(arg, highest));
        self.store.and(above, below)
    }
}

fn arity(kind: PureKind) -> usize {
    match kind {
        PureKind::Unary(_) | PureKind::FloatClass(_) | PureKind::Cast(_) => 1,
        PureKind::Ternary(_) => 3,
        _ => 2,
    }
}

#[rustfmt::skip]
impl Monitor for Recorder<'_> {
    #[inline(always)]
    fn copy(&mut self, _: &mut Machine<'_>, at: At, to: Reg, from: Operand) {
        let term = self.shadow(at, from);
        self.set_shadow(at, to, term);
    }

    #[inline(always)]
    fn binary(&mut self, m: &mut Machine<'_>, at: At, op: BinaryOp, width: u8, to: Reg, [a, b]: [Operand; 2]) {
        if self.shadow(at, a) | self.shadow(at, b) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let result = self.binary_cold(m, at, op, u32::from(width), [a, b]);
            self.set(at, to, result);
        }
    }

    #[inline(always)]
    fn compare(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, to: Reg, [a, b]: [Operand; 2]) {
        if self.shadow(at, a) | self.shadow(at, b) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let result = self.compare_cold(m, at, predicate, u32::from(width), [a, b]);
            self.set(at, to, result);
        }
    }

    #[inline(always)]
    fn truncate(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, a: Operand) {
        if self.shadow(at, a) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let term = self.term(m, at, a, u32::from(width));
            self.set(at, to, term);
        }
    }

    #[inline(always)]
    fn sign_extend(&mut self, m: &mut Machine<'_>, at: At, from: u8, width: u8, to: Reg, a: Operand) {
        if self.shadow(at, a) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let term = self.term(m, at, a, u32::from(from));
            let term = self.store.sext(term, u32::from(width));
            self.set(at, to, term);
        }
    }

    #[inline(always)]
    fn select(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, condition: Operand, arms: [Operand; 2]) {
        if self.shadow(at, condition) == 0 {
            let chosen = usize::from(m.registers[condition.index(at.base)] & 1 == 0);
            let term = self.shadow(at, arms[chosen]);
            self.set_shadow(at, to, term);
        } else {
            let condition = self.term(m, at, condition, 1);
            let [then, otherwise] = arms.map(|arm| self.term(m, at, arm, u32::from(width)));
            let term = self.store.ite(condition, then, otherwise);
            self.set(at, to, term);
        }
    }

    #[inline(always)]
    fn float_compare(&mut self, m: &mut Machine<'_>, at: At, predicate: FloatPredicate, to: Reg, [a, b]: [Operand; 2]) {
        if self.shadow(at, a) | self.shadow(at, b) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let (a, b) = (self.term(m, at, a, 64), self.term(m, at, b, 64));
            let term = self.record.floats.compare(self.store, predicate, a, b);
            self.set(at, to, term);
        }
    }

    #[inline(always)]
    fn signed_to_f64(&mut self, m: &mut Machine<'_>, at: At, from: u8, to: Reg, a: Operand) {
        if self.shadow(at, a) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let term = self.term(m, at, a, u32::from(from));
            let term = self.store.signed_to_float(term, 64);
            self.set(at, to, term);
        }
    }

    #[inline(always)]
    fn pointer_index(&mut self, m: &mut Machine<'_>, at: At, scale: u16, to: Reg, pointer: Operand, index: Operand) {
        if self.shadow(at, pointer) | self.shadow(at, index) == 0 {
            self.set_shadow(at, to, 0);
        } else {
            let (pointer, index) = (self.term(m, at, pointer, 64), self.term(m, at, index, 64));
            let scale = self.store.constant(u128::from(scale), 64);
            let distance = self.store.mul(index, scale);
            let sum = self.store.add(pointer, distance);
            self.set(at, to, sum);
        }
    }

    #[inline(always)]
    fn pure(&mut self, m: &mut Machine<'_>, at: At, op: &PureOp) {
        let wide = op.ty.is_wide();
        let symbolic = op.args[..arity(op.kind)].iter().any(|&arg| {
            self.shadow(at, arg) != 0 || wide && self.shadow(at, arg.high()) != 0
        });
        if symbolic {
            self.pure_cold(m, at, op);
            return;
        }
        self.set_shadow(at, op.to, 0);
        let words = u32::from(op.result.is_wide()) + u32::from(matches!(op.kind, PureKind::Overflow(_)));
        for word in 0..words {
            self.set_shadow(at, op.to + 1 + word, 0);
        }
    }

    #[inline(always)]
    fn define(&mut self, _: &mut Machine<'_>, at: At, to: Reg, words: u32) {
        for word in 0..words {
            self.set_shadow(at, to + word, 0);
        }
    }

    #[inline(always)]
    fn load(&mut self, m: &mut Machine<'_>, at: At, to: Reg, place: Place) {
        let address = m.registers[place.address.index(at.base)].wrapping_add(place.offset as i64 as u64);
        if self.shadow(at, place.address) != 0 {
            self.load_at_symbolic_address(m, at, to, place, address);
        } else if m.memory.has_terms(address) {
            self.load_symbolic_bytes(m, at, to, place.width, address);
        } else {
            self.set_shadow(at, to, 0);
            if place.width > 64 {
                self.set_shadow(at, to + 1, 0);
            }
        }
    }

    #[inline(always)]
    fn store(&mut self, m: &mut Machine<'_>, at: At, value: Operand, place: Place) {
        let address = m.registers[place.address.index(at.base)].wrapping_add(place.offset as i64 as u64);
        if self.shadow(at, place.address) != 0 {
            self.store_at_symbolic_address(m, at, value, place, address);
        } else if self.shadow(at, value) != 0 || place.width > 64 {
            self.store_symbolic_value(m, at, value, place.width, address);
        } else if m.memory.has_terms(address) {
            m.memory.clear_terms(address, u64::from(place.width).div_ceil(8));
        }
    }

    fn alloca(&mut self, m: &mut Machine<'_>, at: At, to: Reg, count: Operand) {
        self.concretise(m, at, Reason::AllocationSize, count);
        self.set_shadow(at, to, 0);
    }

    #[inline(always)]
    fn allocated(&mut self, m: &mut Machine<'_>, at: At, address: u64) {
        if self.record.undefined.is_some() {
            self.leave_undefined(m, address, 0, at.site());
        }
    }

    fn memory_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand, length: Operand) {
        self.check_block(m, at, to, length);
        self.check_block(m, at, from, length);
        self.concretise(m, at, Reason::Length, length);
        self.concretise(m, at, Reason::Pointer, to);
        self.concretise(m, at, Reason::Pointer, from);
    }

    fn memory_set(&mut self, m: &mut Machine<'_>, at: At, to: Operand, byte: Operand, length: Operand) -> u32 {
        self.check_block(m, at, to, length);
        self.concretise(m, at, Reason::Length, length);
        self.concretise(m, at, Reason::Pointer, to);
        if self.shadow(at, byte) == 0 {
            return 0;
        }
        let term = self.term(m, at, byte, 8);
        self.word_of(term)
    }

    fn atomic_rmw(&mut self, m: &mut Machine<'_>, at: At, op: AtomicRmwOp, width: u8, to: Reg, [address, value]: [Operand; 2]) {
        let place = Place { width, address, offset: 0 };
        self.concretise_address(m, at, place);
        let location = m.registers[address.index(at.base)];
        if self.shadow(at, value) == 0 && !m.memory.has_terms(location) {
            self.set_shadow(at, to, 0);
            return;
        }
        let before = self.bytes_term(m, location, width);
        let operand = self.term(m, at, value, u32::from(width));
        let after = self.atomic_result(op, u32::from(width), before, operand);
        self.store_term(m, location, width, after);
        self.set(at, to, before);
    }

    fn compare_exchange(&mut self, m: &mut Machine<'_>, at: At, width: u8, to: Reg, [address, expected, replacement]: [Operand; 3]) {
        let place = Place { width, address, offset: 0 };
        self.concretise_address(m, at, place);
        let location = m.registers[address.index(at.base)];
        let symbolic = self.shadow(at, expected) | self.shadow(at, replacement) != 0;
        if !symbolic && !m.memory.has_terms(location) {
            self.set_shadow(at, to, 0);
            self.set_shadow(at, to + 1, 0);
            return;
        }
        let before = self.bytes_term(m, location, width);
        let expected = self.term(m, at, expected, u32::from(width));
        let replacement = self.term(m, at, replacement, u32::from(width));
        let equal = self.store.eq(before, expected);
        let after = self.store.ite(equal, replacement, before);
        self.store_term(m, location, width, after);
        self.set(at, to, before);
        self.set(at, to + 1, equal);
    }

    #[inline]
    fn call(&mut self, m: &mut Machine<'_>, at: At, callee: u32, base: usize, words: &[Operand]) {
        self.grow(m);
        for (index, &word) in words.iter().enumerate() {
            self.record.terms[base + index] = self.shadow(at, word);
        }
        self.record.cover(m, callee, 0);
    }

    fn callee(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {
        self.concretise(m, at, Reason::Callee, address);
    }

    fn by_value(&mut self, m: &mut Machine<'_>, at: At, pointer: Operand, size: u64) {
        self.check_block_of_size(m, at, pointer, size);
        self.concretise(m, at, Reason::Pointer, pointer);
    }

    fn builtin(&mut self, m: &mut Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {
        let argument = |index: usize| call.args.get(index).map(|arg| arg.0);
        let mut take = |index: usize, reason: Reason| {
            if let Some(operand) = argument(index) {
                self.concretise(m, at, reason, operand);
            }
        };
        match builtin {
            Builtin::Malloc => take(0, Reason::AllocationSize),
            Builtin::Calloc => {
                take(0, Reason::AllocationSize);
                take(1, Reason::AllocationSize);
            }
            Builtin::Realloc | Builtin::AlignedAlloc => {
                take(0, Reason::Pointer);
                take(1, Reason::AllocationSize);
            }
            Builtin::PosixMemalign => {
                take(0, Reason::Pointer);
                take(1, Reason::AllocationSize);
                take(2, Reason::AllocationSize);
            }
            Builtin::Free
            | Builtin::UsableSize
            | Builtin::SetJump
            | Builtin::SignalSetJump
            | Builtin::HoldsPointer
            | Builtin::Static
            | Builtin::ErrnoPlace
            | Builtin::Unsupported
            | Builtin::SetThreadPointer => take(0, Reason::Pointer),
            Builtin::Object => {
                take(0, Reason::Pointer);
                take(1, Reason::Pointer);
            }
            Builtin::Symbolic => {
                take(0, Reason::Pointer);
                take(1, Reason::Length);
                take(2, Reason::Pointer);
            }
            Builtin::MemCopy => {
                if let (Some(to), Some(from), Some(length)) = (argument(0), argument(1), argument(2)) {
                    self.memory_copy(m, at, to, from, length);
                }
            }
            Builtin::MemSet => {
                if let (Some(to), Some(byte), Some(length)) = (argument(0), argument(1), argument(2)) {
                    self.record.handed_on.byte_set = self.memory_set(m, at, to, byte, length);
                }
            }
            Builtin::LongJump => {
                take(0, Reason::Pointer);
                self.record.handed_on.jump_value = match argument(1) {
                    Some(value) if self.shadow(at, value) != 0 => {
                        let value = self.term(m, at, value, 32);
                        let (zero, one) = (self.store.constant(0, 32), self.store.constant(1, 32));
                        let is_zero = self.store.eq(value, zero);
                        let term = self.store.ite(is_zero, one, value);
                        self.word_of(term)
                    }
                    _ => 0,
                };
            }
            Builtin::Syscall => {
                let operands: Vec<Operand> = call.args.iter().map(|arg| arg.0).collect();
                self.syscall(m, at, &operands);
            }
            Builtin::ThreadPointer => {}
        }
        if self.record.undefined.is_some() {
            self.expect_undefined(m, at, builtin, call);
        }
    }

    fn answered(&mut self, m: &mut Machine<'_>, at: At, value: u64) {
        if self.record.undefined.is_some() {
            self.undefined_answer(m, at, value);
        }
    }

    fn byte_set(&mut self) -> u32 {
        std::mem::take(&mut self.record.handed_on.byte_set)
    }

    #[inline(always)]
    fn word(&self, index: usize) -> u32 {
        self.record.terms[index]
    }

    fn word_bytes(&mut self, m: &mut Machine<'_>, index: usize) -> Option<[u32; 8]> {
        if self.record.terms[index] == 0 {
            return None;
        }
        let word = self.register_term(m, index, 64);
        Some(std::array::from_fn(|byte| {
            let term = self.store.byte(word, byte as u32);
            self.word_of(term)
        }))
    }

    fn words_set(&mut self, m: &Machine<'_>, index: usize, terms: &[u32]) {
        self.grow(m);
        self.record.terms[index..index + terms.len()].copy_from_slice(terms);
    }

    fn jumped(&mut self, index: usize) {
        self.record.terms[index] = std::mem::take(&mut self.record.handed_on.jump_value);
    }

    fn va_list(&mut self, m: &mut Machine<'_>, at: At, list: Operand) {
        self.check_block_of_size(m, at, list, 24);
        self.concretise(m, at, Reason::Pointer, list);
    }

    #[inline]
    fn returns(&mut self, _: &mut Machine<'_>, at: At, values: &[Operand], target: usize, wanted: usize) {
        for (index, &value) in values.iter().enumerate().take(wanted) {
            self.record.terms[target + index] = self.shadow(at, value);
        }
        if wanted != u32::MAX as usize {
            for index in values.len()..wanted {
                self.record.terms[target + index] = 0;
            }
        }
    }

    fn entry_returns(&mut self, _: &mut Machine<'_>, at: At, values: &[Operand]) {
        self.record.handed_on.returned = values.iter().map(|&value| self.shadow(at, value)).collect();
    }

    fn syscall(&mut self, m: &mut Machine<'_>, at: At, operands: &[Operand]) {
        let Some((&call, arguments)) = operands.split_first() else { return };
        self.concretise(m, at, Reason::SyscallArgument, call);
        if let number::exit | number::exit_group = m.registers[call.index(at.base)] {
            let status = arguments.first().copied();
            if let Some(status) = status.filter(|&status| self.shadow(at, status) != 0) {
                // The kernel passes on the low eight bits.
                let term = self.term(m, at, status, 8);
                self.record.handed_on.exit_status = self.word_of(term);
            }
            return;
        }
        for &argument in arguments {
            self.concretise(m, at, Reason::SyscallArgument, argument);
        }
    }

    fn after_syscall(&mut self, m: &mut Machine<'_>, at: At) {
        for taken in m.kernel.take_concretisations() {
            if let Some(term) = ExprId::from_raw(taken.term) {
                self.concretise_term(m, at, Reason::KernelRead, term, u128::from(taken.value));
            }
        }
    }

    fn named(&mut self, m: &mut Machine<'_>, address: u64, name: &Arc<str>, size: u32) {
        let terms: Vec<u32> = (0..size)
            .map(|offset| {
                let symbol = Symbol::Variable { name: name.clone(), offset, size };
                self.store.symbol_term(&symbol).raw()
            })
            .collect();
        m.memory.set_terms(address, &terms);
        self.record.decision_limit.meets_new_symbols();
    }

    #[inline(always)]
    fn branch_if(&mut self, m: &mut Machine<'_>, at: At, condition: Operand, taken: bool) {
        if self.shadow(at, condition) != 0 {
            let condition = self.term(m, at, condition, 1);
            self.decide(m, at, EventKind::Branch, condition, taken);
        }
    }

    #[inline(always)]
    fn branch(&mut self, m: &mut Machine<'_>, at: At, predicate: IntPredicate, width: u8, [a, b]: [Operand; 2], taken: bool) {
        if self.shadow(at, a) | self.shadow(at, b) != 0 {
            let condition = self.compare_cold(m, at, predicate, u32::from(width), [a, b]);
            self.decide(m, at, EventKind::Branch, condition, taken);
        }
    }

    #[inline(always)]
    fn switch(&mut self, m: &mut Machine<'_>, at: At, width: u8, arg: Operand, table: &SwitchTable, target: u32) {
        if self.is_symbolic(at, arg, u32::from(width)) {
            self.switch_cold(m, at, u32::from(width), arg, table, target);
        }
    }

    fn indirect_jump(&mut self, m: &mut Machine<'_>, at: At, address: Operand) {
        self.concretise(m, at, Reason::Callee, address);
    }

    #[inline(always)]
    fn goes_to(&mut self, m: &mut Machine<'_>, function: u32, pc: u32) {
        self.record.cover(m, function, pc);
        self.record.limit_decisions(m);
    }
}
