//! Which operation stands at a place of the decoded program, and which of its operands are constants.

use super::Operation;
use crate::op::{Code, Op, Operand, PureKind, PureOp};
use crate::program::Program;
use crate::site::CodeSite;
use program_ir::{BinaryOp, CastOp, IntPredicate, TernaryOp};

/// A computation without effect, as a place of the program states it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Computation {
    pub operation: Operation,
    pub operands: Vec<Argument>,
}

/// An operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argument {
    pub width: u32,
    /// `None` for a register.
    pub constant: Option<u128>,
}

impl Program {
    /// The computation at a place; `None` where something else happens.
    pub fn computation_at(&self, site: CodeSite) -> Option<Computation> {
        let code = self.code(site.function)?;
        let (operation, operands) = computation(code, *code.ops.get(site.pc as usize)?)?;
        let argument = |(operand, width): (Operand, u32)| {
            let word = |operand: Operand| u128::from(self.constants[operand.index(0)]);
            let constant = (operand.0 < 0).then(|| match width > 64 {
                true => word(operand.high()) << 64 | word(operand),
                false => word(operand) & expr::mask(width),
            });
            Argument { width, constant }
        };
        Some(Computation {
            operation,
            operands: operands.into_iter().map(argument).collect(),
        })
    }
}

type Operands = Vec<(Operand, u32)>;

fn computation(code: &Code, op: Op) -> Option<(Operation, Operands)> {
    let binary = |op: BinaryOp, width: u32, a: Operand, b: Operand| {
        Some((Operation::Binary(op), vec![(a, width), (b, width)]))
    };
    let compare = |predicate: IntPredicate, width: u8, a: Operand, b: Operand| {
        let width = u32::from(width);
        Some((
            Operation::IntCompare(predicate),
            vec![(a, width), (b, width)],
        ))
    };
    let wide = |width: u8| u32::from(width);
    match op {
        Op::Add32 { a, b, .. } => binary(BinaryOp::Add, 32, a, b),
        Op::Add64 { a, b, .. } => binary(BinaryOp::Add, 64, a, b),
        Op::AddN { width, a, b, .. } => binary(BinaryOp::Add, wide(width), a, b),
        Op::Sub32 { a, b, .. } => binary(BinaryOp::Sub, 32, a, b),
        Op::Sub64 { a, b, .. } => binary(BinaryOp::Sub, 64, a, b),
        Op::SubN { width, a, b, .. } => binary(BinaryOp::Sub, wide(width), a, b),
        Op::Mul32 { a, b, .. } => binary(BinaryOp::Mul, 32, a, b),
        Op::Mul64 { a, b, .. } => binary(BinaryOp::Mul, 64, a, b),
        Op::MulN { width, a, b, .. } => binary(BinaryOp::Mul, wide(width), a, b),
        Op::And { width, a, b, .. } => binary(BinaryOp::And, wide(width), a, b),
        Op::Or { width, a, b, .. } => binary(BinaryOp::Or, wide(width), a, b),
        Op::Xor { width, a, b, .. } => binary(BinaryOp::Xor, wide(width), a, b),
        Op::Shl32 { a, b, .. } => binary(BinaryOp::Shl, 32, a, b),
        Op::Shl64 { a, b, .. } => binary(BinaryOp::Shl, 64, a, b),
        Op::LShr32 { a, b, .. } => binary(BinaryOp::LShr, 32, a, b),
        Op::LShr64 { a, b, .. } => binary(BinaryOp::LShr, 64, a, b),
        Op::AShr32 { a, b, .. } => binary(BinaryOp::AShr, 32, a, b),
        Op::AShr64 { a, b, .. } => binary(BinaryOp::AShr, 64, a, b),
        Op::UDiv { width, a, b, .. } => binary(BinaryOp::UDiv, wide(width), a, b),
        Op::SDivN { width, a, b, .. } => binary(BinaryOp::SDiv, wide(width), a, b),
        Op::URem { width, a, b, .. } => binary(BinaryOp::URem, wide(width), a, b),
        Op::SRemN { width, a, b, .. } => binary(BinaryOp::SRem, wide(width), a, b),
        Op::FAdd64 { a, b, .. } => binary(BinaryOp::FAdd, 64, a, b),
        Op::FSub64 { a, b, .. } => binary(BinaryOp::FSub, 64, a, b),
        Op::FMul64 { a, b, .. } => binary(BinaryOp::FMul, 64, a, b),
        Op::FDiv64 { a, b, .. } => binary(BinaryOp::FDiv, 64, a, b),
        Op::Eq { width, a, b, .. } => compare(IntPredicate::Eq, width, a, b),
        Op::Ne { width, a, b, .. } => compare(IntPredicate::Ne, width, a, b),
        Op::Ult { width, a, b, .. } => compare(IntPredicate::Ult, width, a, b),
        Op::Ule { width, a, b, .. } => compare(IntPredicate::Ule, width, a, b),
        Op::Slt { width, a, b, .. } => compare(IntPredicate::Slt, width, a, b),
        Op::Sle { width, a, b, .. } => compare(IntPredicate::Sle, width, a, b),
        Op::SignExtend { from, width, a, .. } => Some((
            Operation::Cast(CastOp::SignExtend, wide(width)),
            vec![(a, wide(from))],
        )),
        // How wide the operand was is not kept; a register's word is.
        Op::Truncate { width, a, .. } => Some((
            Operation::Cast(CastOp::Truncate, wide(width)),
            vec![(a, 64)],
        )),
        Op::Select {
            width,
            condition,
            pool,
            ..
        } => {
            let [then, otherwise] = [0, 1].map(|arm| code.pool[pool as usize + arm]);
            let width = wide(width);
            Some((
                Operation::Ternary(TernaryOp::Select),
                vec![(condition, 1), (then, width), (otherwise, width)],
            ))
        }
        Op::FCompare64 {
            predicate, a, b, ..
        } => Some((Operation::FloatCompare(predicate), vec![(a, 64), (b, 64)])),
        Op::SignedToF64 { from, a, .. } => Some((
            Operation::Cast(CastOp::SignedToFloat, 64),
            vec![(a, wide(from))],
        )),
        Op::PtrIndex {
            scale, base, index, ..
        } => Some((
            Operation::PointerIndex {
                scale: u64::from(scale),
            },
            vec![(base, 64), (index, 64)],
        )),
        Op::Pure { index } => Some(pure(&code.pures[index as usize])),
        _ => None,
    }
}

fn pure(op: &PureOp) -> (Operation, Operands) {
    let width = op.ty.bits();
    let operation = match op.kind {
        PureKind::Unary(unary) => Operation::Unary(unary),
        PureKind::Binary(binary) => Operation::Binary(binary),
        PureKind::Ternary(ternary) => Operation::Ternary(ternary),
        PureKind::Overflow(overflow) => Operation::Overflow(overflow),
        PureKind::IntCompare(predicate) => Operation::IntCompare(predicate),
        PureKind::FloatCompare(predicate) => Operation::FloatCompare(predicate),
        PureKind::FloatClass(classes) => Operation::FloatClass(classes),
        PureKind::Cast(cast) => Operation::Cast(cast, op.result.bits()),
    };
    let is_select = matches!(op.kind, PureKind::Ternary(TernaryOp::Select));
    let operands = op.args.into_iter().take(operation.arity()).enumerate();
    let operands = operands.map(|(number, operand)| match is_select && number == 0 {
        true => (operand, 1),
        false => (operand, width),
    });
    (operation, operands.collect())
}
