//! Operations that C leaves undefined and that the machine gives a meaning.
//!
//! In the machine signed numbers wrap around, a shift takes its distance modulo the width, `memcpy` moves blocks that
//! overlap, zero has as many zeros as bits, a floating-point number that does not fit an integer becomes what x86-64 makes of it, and a
//! `bool` is its lowest bit. A compiler may take all of these for impossible, so a native program need not do the same. A run
//! that is watched for them says where they happened.
//!
//! What a library computes is its own affair. It was optimised, so it may compute sums ahead that it then does not use. Only
//! blocks that overlap are also the doing of who called it.

use crate::builtins::Builtin;
use crate::machine::Machine;
use crate::memory::object_of;
use crate::monitor::{At, Monitor};
use crate::op::{CallSite, Operand, PureKind, PureOp, Reg, SiteCallee};
use crate::outcome::{Outcome, StackFrame, is_programs_own};
use crate::site::CodeSite;
use program_ir::{BinaryOp, CastOp, EntityRef, Func, InstData, Type, ValueDef};
use rustc_hash::FxHashSet;

/// What the language leaves open.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UndefinedOperation {
    SignedOverflow,
    /// By the width of the number or more.
    LargeShift,
    OverlappingCopy,
    /// `__builtin_clz(0)`.
    ZerosOfZero,
    /// Of a floating-point number that the integer type does not have.
    ConversionOutOfRange,
    /// A `bool` that holds neither 0 nor 1.
    OtherBool,
}

impl UndefinedOperation {
    /// What is taken for granted where this happens.
    pub fn assumption(self) -> &'static str {
        match self {
            UndefinedOperation::SignedOverflow => "signed overflow wraps",
            UndefinedOperation::LargeShift => "the distance of a shift counts modulo the width",
            UndefinedOperation::OverlappingCopy => "`memcpy` moves blocks that overlap",
            UndefinedOperation::ZerosOfZero => {
                "counting the zeros of 0, as `__builtin_clz(0)` does, gives the width"
            }
            UndefinedOperation::ConversionOutOfRange => {
                "a floating-point number that does not fit an integer becomes what x86-64 makes of it"
            }
            UndefinedOperation::OtherBool => {
                "a `bool` that holds neither 0 nor 1 is its lowest bit"
            }
        }
    }
}

#[derive(Default)]
struct Watching {
    known: FxHashSet<CodeSite>,
    found: Vec<(UndefinedOperation, StackFrame)>,
}

impl Machine<'_> {
    /// Runs to the end, and says which operations without a meaning in the language the program's own code executed on
    /// the way, each with its place.
    pub fn run_watching_undefined(&mut self) -> (Outcome, Vec<(UndefinedOperation, StackFrame)>) {
        let mut monitor = Watching::default();
        self.step_limit = self.limits.steps;
        let end = self.step_until_end(&mut monitor);
        (self.outcome(end), monitor.found)
    }
}

impl Watching {
    #[cold]
    fn note(&mut self, m: &Machine<'_>, at: At, what: UndefinedOperation) {
        if self.known.insert(at.site())
            && (what == UndefinedOperation::OverlappingCopy || !is_library(m, at))
            && let Some(place) = m.own_frame(at)
            && !self.found.contains(&(what, place.clone()))
        {
            self.found.push((what, place));
        }
    }

    /// The result is not that of whole numbers.
    #[cold]
    fn overflows(&mut self, m: &Machine<'_>, at: At) {
        let function = &m.program.module.functions[Func::new(at.function as usize)];
        let data = m
            .program
            .inst_at(at.site())
            .map(|inst| &function.insts[inst].data);
        if matches!(data, Some(InstData::Binary { flags, .. }) if flags.no_signed_wrap) {
            self.note(m, at, UndefinedOperation::SignedOverflow);
        }
    }

    /// A number beyond 0 and 1 loses bits in becoming a single one. The compiler writes that of a `bool` that was loaded as a byte.
    #[cold]
    fn truncates_to_bool(&mut self, m: &Machine<'_>, at: At) {
        let function = &m.program.module.functions[Func::new(at.function as usize)];
        let Some(inst) = m.program.inst_at(at.site()) else {
            return;
        };
        let InstData::Cast { arg, .. } = function.insts[inst].data else {
            return;
        };
        let from_load = match function.values[arg].def {
            ValueDef::Result(from, _) => matches!(function.insts[from].data, InstData::Load { .. }),
            _ => false,
        };
        if from_load && function.ty(arg).bits() == 8 {
            self.note(m, at, UndefinedOperation::OtherBool);
        }
    }

    fn copies(&mut self, m: &Machine<'_>, at: At, [to, from, length]: [Operand; 3]) {
        let value = |operand: Operand| m.registers[operand.index(at.base)];
        let (to, from, length) = (value(to), value(from), value(length));
        if to != from && object_of(to) == object_of(from) && to.abs_diff(from) < length {
            self.note(m, at, UndefinedOperation::OverlappingCopy);
        }
    }
}

/// Whether an operation is a library's. One that was moved has no place; then its function's counts.
fn is_library(m: &Machine<'_>, at: At) -> bool {
    let module = &m.program.module;
    let own = m.program.inst_at(at.site());
    let function = &module.functions[Func::new(at.function as usize)];
    let loc = own.and_then(|inst| function.insts[inst].loc);
    let scope = loc
        .map(|loc| module.source.locs[loc].scope)
        .or(function.scope);
    scope.is_some_and(|scope| {
        let file = &module.source.files[module.source.scopes[scope].file].name;
        !is_programs_own(file)
    })
}

/// Whether an integer type has the whole part of a number. Formats wider than `double` are not looked at.
fn fits(ty: Type, bits: u128, width: u32, is_signed: bool) -> bool {
    let number = match ty {
        Type::F32 => f64::from(f32::from_bits(bits as u32)),
        Type::F64 => f64::from_bits(bits as u64),
        _ => return true,
    };
    let power = |exponent: u32| 2_f64.powi(exponent as i32);
    let (low, high) = match is_signed {
        true => (-power(width - 1), power(width - 1)),
        false => (0.0, power(width)),
    };
    let whole = number.trunc();
    low <= whole && whole < high
}

fn signed(value: u64, width: u8) -> i128 {
    let shift = 64 - u32::from(width);
    i128::from((value << shift) as i64 >> shift)
}

#[rustfmt::skip]
impl Monitor for Watching {
    #[inline(always)]
    fn binary(&mut self, m: &mut Machine<'_>, at: At, op: BinaryOp, width: u8, _: Reg, operands: [Operand; 2]) {
        let [a, b] = operands.map(|operand| m.registers[operand.index(at.base)]);
        let exact = match op {
            BinaryOp::Add => signed(a, width) + signed(b, width),
            BinaryOp::Sub => signed(a, width) - signed(b, width),
            BinaryOp::Mul => signed(a, width) * signed(b, width),
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                if b >= u64::from(width) {
                    self.note(m, at, UndefinedOperation::LargeShift);
                }
                return;
            }
            _ => return,
        };
        if exact != signed(exact as u64, width) {
            self.overflows(m, at);
        }
    }

    #[inline(always)]
    fn truncate(&mut self, m: &mut Machine<'_>, at: At, width: u8, _: Reg, a: Operand) {
        if width == 1 && m.registers[a.index(at.base)] > 1 {
            self.truncates_to_bool(m, at);
        }
    }

    fn pure(&mut self, m: &mut Machine<'_>, at: At, op: &PureOp) {
        let word = |operand: Operand| u128::from(m.registers[operand.index(at.base)]);
        let wide = |operand: Operand| word(operand.high()) << 64 | word(operand);
        let binary = match op.kind {
            PureKind::Unary(unary) if unary.is_undefined_for_zero() => {
                let value = if op.ty.is_wide() { wide(op.args[0]) } else { word(op.args[0]) };
                if value == 0 {
                    self.note(m, at, UndefinedOperation::ZerosOfZero);
                }
                return;
            }
            PureKind::Cast(cast @ (CastOp::FloatToSigned | CastOp::FloatToUnsigned)) => {
                if !fits(op.ty, word(op.args[0]), op.result.bits(), cast == CastOp::FloatToSigned) {
                    self.note(m, at, UndefinedOperation::ConversionOutOfRange);
                }
                return;
            }
            PureKind::Binary(binary) if op.ty.bits() == 128 => binary,
            _ => return,
        };
        let [a, b] = [op.args[0], op.args[1]].map(|operand| wide(operand) as i128);
        let fits = match binary {
            BinaryOp::Add => a.checked_add(b).is_some(),
            BinaryOp::Sub => a.checked_sub(b).is_some(),
            BinaryOp::Mul => a.checked_mul(b).is_some(),
            _ => true,
        };
        if !fits {
            self.overflows(m, at);
        }
    }

    fn memory_copy(&mut self, m: &mut Machine<'_>, at: At, to: Operand, from: Operand, length: Operand) {
        let function = &m.program.module.functions[Func::new(at.function as usize)];
        let data = m.program.inst_at(at.site()).map(|inst| &function.insts[inst].data);
        if !matches!(data, Some(InstData::MemCopy { may_overlap: true, .. })) {
            self.copies(m, at, [to, from, length]);
        }
    }

    fn builtin(&mut self, m: &mut Machine<'_>, at: At, builtin: Builtin, call: &CallSite) {
        let (Builtin::MemCopy, &[to, from, length]) = (builtin, &call.args[..]) else { return };
        let function = match call.callee {
            SiteCallee::Function(function) => Some(function),
            SiteCallee::Address(operand) => m.memory.function_at(m.registers[operand.index(at.base)]),
        };
        let name = function.map(|function| &m.program.module.functions[Func::new(function as usize)].name);
        if name.is_some_and(|name| name == "memcpy") {
            self.copies(m, at, [to.0, from.0, length.0]);
        }
    }
}
