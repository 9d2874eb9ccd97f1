//! Operations without effect, one by one, as terms: "what would this operation give for these operands?"
//!
//! The recorder computes the same terms while a run goes on. This is for questions that come afterwards.

use super::floats::{self, Floats};
use super::integers;
use expr::{ExprId, Store};
use program_ir::{BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, TernaryOp, UnaryOp};
use smallvec::{SmallVec, smallvec};

/// What is computed. The widths are those of the operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Ternary(TernaryOp),
    /// Two results: the wrapped value, and whether it wrapped.
    Overflow(OverflowOp),
    IntCompare(IntPredicate),
    FloatCompare(FloatPredicate),
    /// Whether a float is in one of these classes.
    FloatClass(u16),
    /// To this many bits.
    Cast(CastOp, u32),
    /// `pointer + index · scale`.
    PointerIndex {
        scale: u64,
    },
}

impl Operation {
    pub fn arity(self) -> usize {
        match self {
            Operation::Unary(_) | Operation::FloatClass(_) | Operation::Cast(..) => 1,
            Operation::Ternary(_) => 3,
            _ => 2,
        }
    }

    /// The results as terms; `None` for float formats that have no terms, and for operands that do not fit.
    pub fn results(self, store: &mut Store, operands: &[ExprId]) -> Option<SmallVec<[ExprId; 2]>> {
        if operands.len() != self.arity() || !self.has_terms(store, operands) {
            return None;
        }
        let mut floats = Floats::default();
        let result = match (self, operands) {
            (Operation::Unary(op), &[a]) if op.is_float() => floats.unary(store, op, a),
            (Operation::Unary(op), &[a]) => integers::unary(store, op, a),
            (Operation::Binary(op), &[a, b]) if op.is_float() => floats.binary(store, op, a, b),
            (Operation::Binary(op), &[a, b]) => {
                let width = store.width(a);
                integers::binary(store, op, width, a, b)
            }
            (Operation::Ternary(TernaryOp::FMulAdd), &[a, b, c]) => {
                floats.mul_add(store, [a, b, c])
            }
            (Operation::Ternary(op), &[a, b, c]) => {
                let width = store.width(b);
                integers::ternary(store, op, width, [a, b, c])
            }
            (Operation::Overflow(op), &[a, b]) => {
                let (value, wrapped) = integers::overflow(store, op, a, b);
                return Some(smallvec![value, wrapped]);
            }
            (Operation::IntCompare(predicate), &[a, b]) => {
                integers::compare(store, predicate, a, b)
            }
            (Operation::FloatCompare(predicate), &[a, b]) => floats.compare(store, predicate, a, b),
            (Operation::FloatClass(classes), &[a]) => floats::class(store, classes, a),
            (Operation::Cast(op, width), &[a]) => match op {
                CastOp::Truncate => store.trunc(a, width),
                CastOp::ZeroExtend => store.zext(a, width),
                CastOp::SignExtend => store.sext(a, width),
                CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr => a,
                _ => floats.cast(store, op, width, a),
            },
            (Operation::PointerIndex { scale }, &[pointer, index]) => {
                let scale = store.constant(u128::from(scale), 64);
                let distance = store.mul(index, scale);
                store.add(pointer, distance)
            }
            _ => unreachable!("the number of operands was checked"),
        };
        Some(smallvec![result])
    }

    fn has_terms(self, store: &Store, operands: &[ExprId]) -> bool {
        let is_format = |width: u32| matches!(width, 32 | 64);
        let first = store.width(operands[0]);
        match self {
            Operation::Unary(UnaryOp::FNeg | UnaryOp::FAbs)
            | Operation::Binary(BinaryOp::FCopySign) => true,
            Operation::Unary(op) => !op.is_float() || is_format(first),
            Operation::Binary(op) => !op.is_float() || is_format(first),
            Operation::Ternary(op) => op != TernaryOp::FMulAdd || is_format(first),
            Operation::FloatCompare(_) | Operation::FloatClass(_) => is_format(first),
            Operation::Cast(op, width) => match op {
                CastOp::FloatTruncate | CastOp::FloatExtend => is_format(first) && is_format(width),
                CastOp::FloatToSigned
                | CastOp::FloatToUnsigned
                | CastOp::FloatToSignedSaturating
                | CastOp::FloatToUnsignedSaturating => is_format(first),
                CastOp::SignedToFloat | CastOp::UnsignedToFloat => is_format(width),
                _ => true,
            },
            _ => true,
        }
    }
}
