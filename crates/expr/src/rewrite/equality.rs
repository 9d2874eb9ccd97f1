//! Rules 90 to 101: equality.

use super::Applied;
use crate::op::{ExprId, MAX_ARITH_WIDTH, Op};
use crate::rules::Rule;
use crate::semantics::{mask, signed};
use crate::store::Store;

impl Store {
    pub(super) fn rewrite_eq(&mut self, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::EqSelf, self.truth(true)));
        }
        let width = self.width(a);
        if width > MAX_ARITH_WIDTH {
            return Some((Rule::EqWide, self.eq_by_halves(a, b)));
        }
        if width == 1 {
            let result = match self.constant_value(b) {
                Some(0) => self.not(a),
                Some(_) => a,
                None => {
                    let different = self.xor(a, b);
                    self.not(different)
                }
            };
            return Some((Rule::EqBit, result));
        }
        match self.constant_value(b) {
            Some(d) => self.eq_constant(width, a, b, d),
            None => self.eq_terms(width, a, b),
        }
    }

    fn eq_by_halves(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (a_low, b_low) = (
            self.extract(a, 0, MAX_ARITH_WIDTH),
            self.extract(b, 0, MAX_ARITH_WIDTH),
        );
        let rest = width - MAX_ARITH_WIDTH;
        let (a_high, b_high) = (
            self.extract(a, MAX_ARITH_WIDTH, rest),
            self.extract(b, MAX_ARITH_WIDTH, rest),
        );
        let (low, high) = (self.eq(a_low, b_low), self.eq(a_high, b_high));
        self.and(high, low)
    }

    fn eq_constant(&mut self, width: u32, a: ExprId, b: ExprId, d: u128) -> Applied {
        let node = *self.node(a);
        let arg = |index: usize| ExprId::stored(node.args[index]);
        match node.op {
            Op::Concat => {
                let low_width = self.width(arg(1));
                let high = self.constant(d >> low_width, width - low_width);
                let low = self.constant(d, low_width);
                let (high, low) = (self.eq(arg(0), high), self.eq(arg(1), low));
                Some((Rule::EqConcatConstant, self.and(high, low)))
            }
            Op::Add => {
                if let Some(c) = self.constant_value(arg(1)) {
                    let d = self.constant(d.wrapping_sub(c), width);
                    return Some((Rule::EqAddConstant, self.eq(arg(0), d)));
                }
                if d != 0 {
                    return None;
                }
                for (x, y) in [(arg(0), arg(1)), (arg(1), arg(0))] {
                    if let Some(y) = self.as_unary(y, Op::Neg) {
                        return Some((Rule::EqAddCommon, self.eq(x, y)));
                    }
                }
                None
            }
            Op::Neg => {
                let d = self.constant(d.wrapping_neg(), width);
                Some((Rule::EqInvertible, self.eq(arg(0), d)))
            }
            Op::Not => {
                let d = self.constant(!d, width);
                Some((Rule::EqInvertible, self.eq(arg(0), d)))
            }
            Op::Xor => {
                if let Some(c) = self.constant_value(arg(1)) {
                    let d = self.constant(d ^ c, width);
                    return Some((Rule::EqInvertible, self.eq(arg(0), d)));
                }
                (d == 0).then(|| (Rule::EqInvertible, self.eq(arg(0), arg(1))))
            }
            Op::Mul => {
                let c = self.constant_value(arg(1)).filter(|c| c & 1 == 1)?;
                let d = self.constant(d.wrapping_mul(inverse_of_odd(c)), width);
                Some((Rule::EqMulOdd, self.eq(arg(0), d)))
            }
            Op::SExt => {
                let narrow = self.width(arg(0));
                if signed(d, width) != signed(d & mask(narrow), narrow) {
                    return Some((Rule::EqSExt, self.truth(false)));
                }
                let d = self.constant(d, narrow);
                Some((Rule::EqSExt, self.eq(arg(0), d)))
            }
            Op::UDiv => {
                let c = self.constant_value(arg(1))?;
                self.eq_udiv(width, arg(0), c, d)
            }
            Op::SDiv => {
                let c = self.constant_value(arg(1))?;
                self.eq_sdiv(width, arg(0), c, d)
            }
            Op::Ite => {
                self.constant_value(arg(1))?;
                self.constant_value(arg(2))?;
                let (then, otherwise) = (self.truth(arg(1) == b), self.truth(arg(2) == b));
                Some((Rule::EqIteConstants, self.ite(arg(0), then, otherwise)))
            }
            _ => None,
        }
    }

    fn eq_terms(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if let (Some((x, y)), Some((u, v))) = (self.as_concat(a), self.as_concat(b)) {
            let has_constant = [x, y, u, v].iter().any(|&part| self.is_constant(part));
            if self.width(x) == self.width(u) && (x == u || y == v || has_constant) {
                let (high, low) = (self.eq(x, u), self.eq(y, v));
                return Some((Rule::EqConcatConcat, self.and(high, low)));
            }
            // Unequal splits: cut both where the shorter constant high part ends.
            let (wx, wu) = (self.width(x), self.width(u));
            if self.is_constant(x) && self.is_constant(u) {
                let cut = width - wx.min(wu);
                let (x, u) = (
                    self.extract(a, cut, width - cut),
                    self.extract(b, cut, width - cut),
                );
                let (y, v) = (self.trunc(a, cut), self.trunc(b, cut));
                let (high, low) = (self.eq(x, u), self.eq(y, v));
                return Some((Rule::EqConcatConcat, self.and(high, low)));
            }
        }
        if let (Some(x), Some(y)) = (self.as_unary(a, Op::SExt), self.as_unary(b, Op::SExt))
            && self.width(x) == self.width(y)
        {
            return Some((Rule::EqSExt, self.eq(x, y)));
        }
        let (left, right) = (self.as_binary(a, Op::Add), self.as_binary(b, Op::Add));
        if let (Some((x, y)), Some((u, v))) = (left, right) {
            if let (Some(c), Some(d)) = (self.constant_value(y), self.constant_value(v)) {
                let difference = self.constant(c.wrapping_sub(d), width);
                let x = self.add(x, difference);
                return Some((Rule::EqAddBoth, self.eq(x, u)));
            }
            if let Some((x, u)) = self.without_common_summands(a, b) {
                return Some((Rule::EqAddCommon, self.eq(x, u)));
            }
        }
        for (sum, other) in [(left, b), (right, a)] {
            let Some((x, y)) = sum else { continue };
            for (x, y) in [(x, y), (y, x)] {
                if x == other {
                    let zero = self.constant(0, width);
                    return Some((Rule::EqAddCommon, self.eq(y, zero)));
                }
            }
        }
        None
    }

    /// Takes summands off both sums as long as they share one at the top.
    fn without_common_summands(&self, a: ExprId, b: ExprId) -> Option<(ExprId, ExprId)> {
        let step = |a: ExprId, b: ExprId| {
            let ((x, y), (u, v)) = (self.as_binary(a, Op::Add)?, self.as_binary(b, Op::Add)?);
            match () {
                _ if x == u => Some((y, v)),
                _ if x == v => Some((y, u)),
                _ if y == u => Some((x, v)),
                _ if y == v => Some((x, u)),
                _ => None,
            }
        };
        let mut rest = step(a, b)?;
        while let Some(next) = step(rest.0, rest.1) {
            rest = next;
        }
        Some(rest)
    }
}

/// The multiplicative inverse modulo 2^128 by Newton's iteration; right bits double each round.
fn inverse_of_odd(value: u128) -> u128 {
    let mut inverse = value;
    for _ in 0..6 {
        inverse = inverse.wrapping_mul(2u128.wrapping_sub(value.wrapping_mul(inverse)));
    }
    inverse
}
