//! The rules of [`Rule`] as code, one file per family. Each function gets the operands of a node that
//! is not interned yet and returns the first rule that applies with the term it leads to.

mod arithmetic;
mod bitwise;
mod equality;
mod order;
mod quotient_bounds;
mod select;
mod structure;

use crate::op::{ExprId, Node, Op};
use crate::rules::Rule;
use crate::store::Store;

pub(crate) type Applied = Option<(Rule, ExprId)>;

impl Store {
    pub(crate) fn rewrite(&mut self, node: &Node) -> Applied {
        let width = node.width();
        let arg = |index: usize| ExprId::stored(node.args[index]);
        match node.op {
            Op::Const | Op::Symbol => None,
            Op::Add => self.rewrite_add(width, arg(0), arg(1)),
            Op::Sub => self.rewrite_sub(width, arg(0), arg(1)),
            Op::Neg => self.rewrite_neg(width, arg(0)),
            Op::Mul => self.rewrite_mul(width, arg(0), arg(1)),
            Op::UDiv => self.rewrite_udiv(width, arg(0), arg(1)),
            Op::URem => self.rewrite_urem(width, arg(0), arg(1)),
            Op::SDiv => self.rewrite_sdiv(width, arg(0), arg(1)),
            Op::SRem => self.rewrite_srem(width, arg(0), arg(1)),
            Op::And => self.rewrite_and(width, arg(0), arg(1)),
            Op::Or => self.rewrite_or(width, arg(0), arg(1)),
            Op::Xor => self.rewrite_xor(width, arg(0), arg(1)),
            Op::Not => self.rewrite_not(width, arg(0)),
            Op::Shl | Op::LShr | Op::AShr => self.rewrite_shift(node.op, width, arg(0), arg(1)),
            Op::Eq => self.rewrite_eq(arg(0), arg(1)),
            Op::Ult => self.rewrite_ult(arg(0), arg(1)),
            Op::Ule => self.rewrite_ule(arg(0), arg(1)),
            Op::Slt => self.rewrite_slt(arg(0), arg(1)),
            Op::Sle => self.rewrite_sle(arg(0), arg(1)),
            Op::Ite => self.rewrite_ite(width, arg(0), arg(1), arg(2)),
            Op::Concat => self.rewrite_concat(arg(0), arg(1)),
            Op::Extract => self.rewrite_extract(arg(0), node.immediate(), width),
            Op::SExt => self.rewrite_sext(arg(0), width),
            Op::Lookup => self.rewrite_lookup(node),
            Op::FSub => {
                let negated = self.fneg(arg(1));
                Some((Rule::FSubToFAdd, self.fadd(arg(0), negated)))
            }
            Op::FLt if arg(0) == arg(1) => Some((Rule::FLtSelf, self.truth(false))),
            Op::FloatToSigned | Op::FloatToUnsigned => {
                self.rewrite_float_to_int(node.op, arg(0), width)
            }
            _ => None,
        }
    }

    /// High and low part of a `Concat`.
    pub(crate) fn as_concat(&self, id: ExprId) -> Option<(ExprId, ExprId)> {
        self.as_binary(id, Op::Concat)
    }

    pub(crate) fn as_binary(&self, id: ExprId, op: Op) -> Option<(ExprId, ExprId)> {
        let node = self.node(id);
        (node.op == op).then(|| (node.arg(0), node.arg(1)))
    }

    pub(crate) fn as_unary(&self, id: ExprId, op: Op) -> Option<ExprId> {
        let node = self.node(id);
        (node.op == op).then(|| node.arg(0))
    }

    /// A binary node whose right operand is a constant.
    pub(crate) fn as_with_constant(&self, id: ExprId, op: Op) -> Option<(ExprId, u128)> {
        let (a, b) = self.as_binary(id, op)?;
        Some((a, self.constant_value(b)?))
    }

    /// How many of the top bits are zero by the term's shape (a constant, or a concat with 0).
    pub(crate) fn leading_zeros(&self, id: ExprId) -> u32 {
        let width = self.width(id);
        if let Some(value) = self.constant_value(id) {
            return value.leading_zeros() - (128 - width);
        }
        match self.as_concat(id) {
            Some((high, _)) => match self.constant_value(high) {
                Some(value) => value.leading_zeros() - (128 - self.width(high)),
                None => 0,
            },
            None => 0,
        }
    }

    /// The sign bit, if known bits or the shape of the term say it.
    pub(crate) fn known_sign(&self, id: ExprId) -> Option<bool> {
        let width = self.width(id);
        if let Some(facts) = self.facts(id) {
            return facts.sign(width);
        }
        if let Some(value) = self.constant_value(id) {
            return Some(value >> (width - 1) & 1 == 1);
        }
        self.as_concat(id)
            .and_then(|(high, _)| self.known_sign(high))
    }
}
