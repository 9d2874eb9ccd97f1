//! Rules 50 to 85: and, or, xor, not, shifts.

use super::Applied;
use crate::op::{ExprId, Op};
use crate::rules::Rule;
use crate::semantics::mask;
use crate::store::Store;

impl Store {
    pub(super) fn rewrite_and(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::AndSelf, a));
        }
        if let Some(d) = self.constant_value(b) {
            if d == 0 {
                return Some((Rule::AndZero, b));
            }
            if d == mask(width) {
                return Some((Rule::AndOnes, a));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::And) {
                let both = self.constant(c & d, width);
                return Some((Rule::AndConstants, self.and(x, both)));
            }
            if let Some(result) = self.bitwise_over_concat(Op::And, a, d) {
                return Some((Rule::BitwiseOverConcat, result));
            }
            let low = d.trailing_zeros();
            let ones = (d >> low).trailing_ones().min(width - low);
            if d >> low == mask(ones) {
                let field = self.extract(a, low, ones);
                let mut result = field;
                if low > 0 {
                    let zeros = self.constant(0, low);
                    result = self.concat(result, zeros);
                }
                return Some((Rule::AndMask, self.zext(result, width)));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.contradicts(x, y) {
                return Some((Rule::AndNot, self.constant(0, width)));
            }
            if let Some((u, v)) = self.as_binary(y, Op::And) {
                if u == x || v == x {
                    return Some((Rule::AndAbsorbs, y));
                }
                if self.contradicts(u, x) || self.contradicts(v, x) {
                    return Some((Rule::AndNot, self.constant(0, width)));
                }
            }
            if let Some((u, v)) = self.as_binary(y, Op::Or)
                && (u == x || v == x)
            {
                return Some((Rule::AndAbsorbs, x));
            }
        }
        None
    }

    /// One is the complement of the other; for order comparisons, which have no `Not`, that is the
    /// mirrored comparison.
    fn contradicts(&self, x: ExprId, y: ExprId) -> bool {
        if self.as_unary(x, Op::Not) == Some(y) || self.as_unary(y, Op::Not) == Some(x) {
            return true;
        }
        let (x, y) = (self.node(x), self.node(y));
        let mirrored = matches!(
            (x.op, y.op),
            (Op::Ult, Op::Ule) | (Op::Ule, Op::Ult) | (Op::Slt, Op::Sle) | (Op::Sle, Op::Slt)
        );
        mirrored && x.args[0] == y.args[1] && x.args[1] == y.args[0]
    }

    pub(super) fn rewrite_or(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::OrSelf, a));
        }
        if let Some(d) = self.constant_value(b) {
            if d == 0 {
                return Some((Rule::OrZero, a));
            }
            if d == mask(width) {
                return Some((Rule::OrOnes, b));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::Or) {
                let either = self.constant(c | d, width);
                return Some((Rule::OrConstants, self.or(x, either)));
            }
            if let Some(result) = self.bitwise_over_concat(Op::Or, a, d) {
                return Some((Rule::BitwiseOverConcat, result));
            }
            return None;
        }
        for (x, y) in [(a, b), (b, a)] {
            if self.contradicts(x, y) {
                return Some((Rule::OrNot, self.constant(mask(width), width)));
            }
            if let Some((u, v)) = self.as_binary(y, Op::Or) {
                if u == x || v == x {
                    return Some((Rule::OrAbsorbs, y));
                }
                if self.contradicts(u, x) || self.contradicts(v, x) {
                    return Some((Rule::OrNot, self.constant(mask(width), width)));
                }
            }
            if let Some((u, v)) = self.as_binary(y, Op::And)
                && (u == x || v == x)
            {
                return Some((Rule::OrAbsorbs, x));
            }
        }
        let joined = self.join_disjoint(a, b)?;
        Some((Rule::JoinDisjoint, joined))
    }

    pub(super) fn rewrite_xor(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::XorSelf, self.constant(0, width)));
        }
        if let Some(d) = self.constant_value(b) {
            if d == 0 {
                return Some((Rule::XorZero, a));
            }
            if d == mask(width) {
                return Some((Rule::XorOnes, self.not(a)));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::Xor) {
                let both = self.constant(c ^ d, width);
                return Some((Rule::XorConstants, self.xor(x, both)));
            }
            if let Some(result) = self.bitwise_over_concat(Op::Xor, a, d) {
                return Some((Rule::BitwiseOverConcat, result));
            }
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some(x) = self.as_unary(x, Op::Not) {
                let xor = self.xor(x, y);
                return Some((Rule::XorNot, self.not(xor)));
            }
            if let Some((u, v)) = self.as_binary(y, Op::Xor) {
                if u == x {
                    return Some((Rule::XorSelf, v));
                }
                if v == x {
                    return Some((Rule::XorSelf, u));
                }
            }
        }
        let joined = self.join_disjoint(a, b)?;
        Some((Rule::JoinDisjoint, joined))
    }

    /// `op` with a constant, part by part.
    fn bitwise_over_concat(&mut self, op: Op, a: ExprId, constant: u128) -> Option<ExprId> {
        let (high, low) = self.as_concat(a)?;
        let low_width = self.width(low);
        let high_constant = self.constant(constant >> low_width, self.width(high));
        let low_constant = self.constant(constant, low_width);
        let high = self.binary(op, high, high_constant);
        let low = self.binary(op, low, low_constant);
        Some(self.concat(high, low))
    }

    /// `x:0` combined with `0:y`: their one-bits cannot meet, so any of or, xor, add puts the parts
    /// side by side.
    pub(super) fn join_disjoint(&mut self, a: ExprId, b: ExprId) -> Option<ExprId> {
        for (upper, lower) in [(a, b), (b, a)] {
            let used = self.width(lower) - self.leading_zeros(lower);
            let free = self.trailing_zeros(upper);
            if self.is_constant(lower) || used == 0 || used > free {
                continue;
            }
            let width = self.width(upper);
            let high = self.extract(upper, used, width - used);
            let low = self.trunc(lower, used);
            return Some(self.concat(high, low));
        }
        None
    }

    /// How many of the low bits are zero by the term's shape (a concat that ends in 0).
    fn trailing_zeros(&self, id: ExprId) -> u32 {
        let mut last = id;
        while let Some((_, low)) = self.as_concat(last) {
            last = low;
        }
        match self.constant_value(last) {
            Some(value) => value.trailing_zeros().min(self.width(last)),
            None => 0,
        }
    }

    pub(super) fn rewrite_not(&mut self, width: u32, a: ExprId) -> Applied {
        let node = *self.node(a);
        let arg = |index: usize| ExprId::stored(node.args[index]);
        let mirrored = match node.op {
            Op::Not => return Some((Rule::NotNot, arg(0))),
            Op::Ult => Op::Ule,
            Op::Ule => Op::Ult,
            Op::Slt => Op::Sle,
            Op::Sle => Op::Slt,
            Op::And | Op::Or if width == 1 && self.is_small_boolean(a) => {
                let (x, y) = (self.not(arg(0)), self.not(arg(1)));
                let dual = if node.op == Op::And {
                    self.or(x, y)
                } else {
                    self.and(x, y)
                };
                return Some((Rule::NotDeMorgan, dual));
            }
            Op::Ite if width == 1 && self.is_small_boolean(a) => {
                let (x, y) = (self.not(arg(1)), self.not(arg(2)));
                return Some((Rule::NotIte, self.ite(arg(0), x, y)));
            }
            Op::Concat if self.is_constant(arg(0)) || self.is_constant(arg(1)) => {
                let (x, y) = (self.not(arg(0)), self.not(arg(1)));
                return Some((Rule::NotConcat, self.concat(x, y)));
            }
            Op::SExt => {
                let x = self.not(arg(0));
                return Some((Rule::NotSExt, self.sext(x, width)));
            }
            _ => return None,
        };
        Some((Rule::NotOrder, self.binary(mirrored, arg(1), arg(0))))
    }

    /// At most 64 and/or/ite nodes from the top: negation is pushed through small conditions only, so
    /// its cost and its recursion stay bounded.
    fn is_small_boolean(&self, id: ExprId) -> bool {
        let mut left = 64;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = self.node(id);
            if matches!(node.op, Op::And | Op::Or | Op::Ite) {
                left -= 1;
                if left == 0 {
                    return false;
                }
                pending.extend(node.operands());
            }
        }
        true
    }

    pub(super) fn rewrite_shift(&mut self, op: Op, width: u32, a: ExprId, b: ExprId) -> Applied {
        if self.constant_value(a) == Some(0) {
            return Some((Rule::ShiftZeroValue, a));
        }
        if let Some(amount) = self.constant_value(b) {
            return self.shift_by_constant(op, width, a, amount);
        }
        if op == Op::AShr {
            return (self.known_sign(a) == Some(false))
                .then(|| (Rule::AShrNonNegative, self.lshr(a, b)));
        }
        let past_end = self.facts(b).is_some_and(|facts| facts.low >= width as u64);
        past_end.then(|| (Rule::ShiftPastEnd, self.constant(0, width)))
    }

    fn shift_by_constant(&mut self, op: Op, width: u32, a: ExprId, amount: u128) -> Applied {
        let rule = match op {
            Op::Shl => Rule::ShlConstant,
            Op::LShr => Rule::LShrConstant,
            _ => Rule::AShrConstant,
        };
        if amount == 0 {
            return Some((rule, a));
        }
        if op == Op::AShr {
            let amount = amount.min(width as u128 - 1) as u32;
            let kept = self.extract(a, amount, width - amount);
            return Some((rule, self.sext(kept, width)));
        }
        if amount >= width as u128 {
            return Some((rule, self.constant(0, width)));
        }
        let amount = amount as u32;
        let zeros = self.constant(0, amount);
        let result = if op == Op::Shl {
            let kept = self.trunc(a, width - amount);
            self.concat(kept, zeros)
        } else {
            let kept = self.extract(a, amount, width - amount);
            self.concat(zeros, kept)
        };
        Some((rule, result))
    }
}
