//! Rules 9 to 45: addition, multiplication, division, and conversions through floats.

use super::Applied;
use crate::op::{ExprId, Node, Op};
use crate::rules::Rule;
use crate::semantics::{mask, signed};
use crate::store::Store;

impl Store {
    pub(super) fn rewrite_add(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if width == 1 {
            return Some((Rule::MulBit, self.xor(a, b)));
        }
        let right = self.constant_value(b);
        if right == Some(0) {
            return Some((Rule::AddZero, a));
        }
        if let (Some((x, c)), Some(d)) = (self.as_with_constant(a, Op::Add), right) {
            let sum = self.constant(c.wrapping_add(d), width);
            return Some((Rule::AddConstants, self.add(x, sum)));
        }
        for (x, y) in [(a, b), (b, a)] {
            if right.is_none()
                && let Some((x, c)) = self.as_with_constant(x, Op::Add)
            {
                let sum = self.add(x, y);
                let c = self.constant(c, width);
                return Some((Rule::AddConstantLast, self.add(sum, c)));
            }
            if self.as_unary(x, Op::Neg) == Some(y) {
                return Some((Rule::AddNegatedSelf, self.constant(0, width)));
            }
            if let Some((u, v)) = self.as_binary(x, Op::Add) {
                let cancels = |store: &Store, u, y| {
                    store.as_unary(u, Op::Neg) == Some(y) || store.as_unary(y, Op::Neg) == Some(u)
                };
                if cancels(self, u, y) {
                    return Some((Rule::AddCancels, v));
                }
                if cancels(self, v, y) {
                    return Some((Rule::AddCancels, u));
                }
            }
        }
        if let Some(joined) = self.join_disjoint(a, b) {
            return Some((Rule::JoinDisjoint, joined));
        }
        let narrow = self.narrow_by_known_bits(Node::binary(Op::Add, width, a, b))?;
        Some((Rule::AddNarrow, narrow))
    }

    /// `op` computed in as few bits as its known high bits and the shape of its operands allow, below
    /// the known bits. What extraction would cut off (rule 154) is so never there to begin with.
    fn narrow_by_known_bits(&mut self, node: Node) -> Option<ExprId> {
        let width = node.width();
        if width > 64 {
            return None;
        }
        let facts = self.facts_of(&node);
        if facts.value().is_some() {
            return None;
        }
        let known = ((facts.zeros | facts.ones) << (64 - width)).leading_ones();
        let core = node
            .operands()
            .map(|operand| self.core_width(operand))
            .max()?;
        let needed = (width - known.min(width - 1)).max(core);
        if needed >= width {
            return None;
        }
        let high = self.constant((facts.ones >> needed) as u128, width - needed);
        let x = self.trunc(node.arg(0), needed);
        let low = if node.op == Op::Neg {
            self.neg(x)
        } else {
            let y = self.trunc(node.arg(1), needed);
            self.binary(node.op, x, y)
        };
        Some(self.concat(high, low))
    }

    pub(super) fn rewrite_sub(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if a == b {
            return Some((Rule::SubSelf, self.constant(0, width)));
        }
        let negated = self.neg(b);
        Some((Rule::SubToAdd, self.add(a, negated)))
    }

    pub(super) fn rewrite_neg(&mut self, width: u32, a: ExprId) -> Applied {
        if let Some(x) = self.as_unary(a, Op::Neg) {
            return Some((Rule::NegNeg, x));
        }
        if let Some((x, c)) = self.as_with_constant(a, Op::Add) {
            let (x, c) = (self.neg(x), self.constant(c.wrapping_neg(), width));
            return Some((Rule::NegAdd, self.add(x, c)));
        }
        if let Some((x, y)) = self.as_binary(a, Op::Add) {
            for (x, y) in [(x, y), (y, x)] {
                if self.op(x) != Op::Add
                    && let Some(y) = self.as_unary(y, Op::Neg)
                {
                    let x = self.neg(x);
                    return Some((Rule::NegAdd, self.add(y, x)));
                }
            }
        }
        if let Some((x, c)) = self.as_with_constant(a, Op::Mul) {
            let c = self.constant(c.wrapping_neg(), width);
            return Some((Rule::NegMul, self.mul(x, c)));
        }
        let narrow = self.narrow_by_known_bits(Node::unary(Op::Neg, width, a))?;
        Some((Rule::NegNarrow, narrow))
    }

    pub(super) fn rewrite_mul(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if width == 1 {
            return Some((Rule::MulBit, self.and(a, b)));
        }
        if let Some(d) = self.constant_value(b) {
            if d == 0 {
                return Some((Rule::MulZero, b));
            }
            if d == 1 {
                return Some((Rule::MulOne, a));
            }
            if d == mask(width) {
                return Some((Rule::MulMinusOne, self.neg(a)));
            }
            if d.is_power_of_two() {
                let amount = self.constant(d.trailing_zeros() as u128, width);
                return Some((Rule::MulPowerOfTwo, self.shl(a, amount)));
            }
            if self.core_width(a) == 1 && self.leading_zeros(a) == width - 1 {
                let (bit, zero) = (self.trunc(a, 1), self.constant(0, width));
                return Some((Rule::MulOfBit, self.ite(bit, b, zero)));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::Mul) {
                let product = self.constant(c.wrapping_mul(d), width);
                return Some((Rule::MulConstants, self.mul(x, product)));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::Add) {
                let (x, c) = (self.mul(x, b), self.constant(c.wrapping_mul(d), width));
                return Some((Rule::MulDistributes, self.add(x, c)));
            }
            if let Some(x) = self.as_unary(a, Op::Neg) {
                let d = self.constant(d.wrapping_neg(), width);
                return Some((Rule::MulDistributes, self.mul(x, d)));
            }
        }
        let narrow = self.narrow_by_known_bits(Node::binary(Op::Mul, width, a, b))?;
        Some((Rule::MulNarrow, narrow))
    }

    pub(super) fn rewrite_udiv(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if let Some(d) = self.constant_value(b) {
            if d == 1 {
                return Some((Rule::UDivOne, a));
            }
            if d.is_power_of_two() {
                let amount = self.constant(d.trailing_zeros() as u128, width);
                return Some((Rule::UDivPowerOfTwo, self.lshr(a, amount)));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::UDiv).filter(|_| d != 0)
                && c != 0
            {
                let product = c.checked_mul(d).filter(|&product| product <= mask(width));
                let result = match product {
                    Some(product) => {
                        let product = self.constant(product, width);
                        self.udiv(x, product)
                    }
                    None => self.constant(0, width),
                };
                return Some((Rule::UDivUDiv, result));
            }
        }
        if self.known_less(a, b) {
            return Some((Rule::UDivSmall, self.constant(0, width)));
        }
        let narrow = self.narrow_division(Op::UDiv, width, a, b)?;
        Some((Rule::UDivNarrow, narrow))
    }

    pub(super) fn rewrite_urem(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        if let Some(d) = self.constant_value(b) {
            if d == 1 {
                return Some((Rule::URemOne, self.constant(0, width)));
            }
            if d.is_power_of_two() {
                let low = self.trunc(a, d.trailing_zeros());
                return Some((Rule::URemPowerOfTwo, self.zext(low, width)));
            }
            if let Some((x, c)) = self.as_with_constant(a, Op::URem).filter(|_| d != 0)
                && c != 0
                && c.is_multiple_of(d)
            {
                return Some((Rule::URemURem, self.urem(x, b)));
            }
        }
        if self.known_less(a, b) {
            return Some((Rule::URemSmall, a));
        }
        if let Some(multiple) = self.known_multiple(a, b) {
            let multiple = self.constant(multiple, width);
            return Some((Rule::URemRange, self.sub(a, multiple)));
        }
        let narrow = self.narrow_division(Op::URem, width, a, b)?;
        Some((Rule::URemNarrow, narrow))
    }

    fn known_less(&self, a: ExprId, b: ExprId) -> bool {
        matches!((self.facts(a), self.facts(b)), (Some(a), Some(b)) if a.high < b.low)
    }

    /// The greatest multiple of a constant that `a` is known not to be less than, if the next one is known to be greater.
    fn known_multiple(&self, a: ExprId, b: ExprId) -> Option<u128> {
        let (facts, divisor) = (self.facts(a)?, self.constant_value(b)?);
        let quotient = (facts.low as u128).checked_div(divisor)?;
        (quotient == facts.high as u128 / divisor).then(|| quotient * divisor)
    }

    /// Division by a constant other than 0 never needs more bits than its operands.
    fn narrow_division(&mut self, op: Op, width: u32, a: ExprId, b: ExprId) -> Option<ExprId> {
        self.constant_value(b).filter(|&divisor| divisor != 0)?;
        let needed = width
            - self
                .leading_zeros(a)
                .min(self.leading_zeros(b))
                .min(width - 1);
        if needed == width {
            return None;
        }
        let (x, y) = (self.trunc(a, needed), self.trunc(b, needed));
        let result = self.binary(op, x, y);
        Some(self.zext(result, width))
    }

    pub(super) fn rewrite_sdiv(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        let d = self.constant_value(b);
        if d == Some(1) && width > 1 {
            return Some((Rule::SDivUnit, a));
        }
        if d == Some(mask(width)) {
            return Some((Rule::SDivUnit, self.neg(a)));
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return Some((Rule::SDivNonNegative, self.udiv(a, b)));
        }
        let (x, c) = self.as_with_constant(a, Op::SDiv)?;
        let (c, d) = (signed(c, width), signed(d?, width));
        if c > 0 && d > 0 {
            let product = c
                .checked_mul(d)
                .filter(|&product| product <= mask(width - 1) as i128)?;
            let product = self.constant(product as u128, width);
            return Some((Rule::SDivSDiv, self.sdiv(x, product)));
        }
        None
    }

    pub(super) fn rewrite_srem(&mut self, width: u32, a: ExprId, b: ExprId) -> Applied {
        let d = self.constant_value(b);
        if d == Some(1) || d == Some(mask(width)) {
            return Some((Rule::SRemUnit, self.constant(0, width)));
        }
        if self.known_sign(a) == Some(false) && self.known_sign(b) == Some(false) {
            return Some((Rule::SRemNonNegative, self.urem(a, b)));
        }
        None
    }

    pub(super) fn rewrite_float_to_int(&mut self, op: Op, a: ExprId, width: u32) -> Applied {
        let precision = if self.width(a) == 32 { 24 } else { 53 };
        let node = *self.node(a);
        let signed_source = match node.op {
            Op::SignedToFloat => true,
            Op::UnsignedToFloat => false,
            _ => return None,
        };
        let x = node.arg(0);
        let from = self.width(x);
        let signed_target = op == Op::FloatToSigned;
        // The target holds every value of the source, or sign and size keep us out.
        let fits = match (signed_source, signed_target) {
            (true, true) | (false, false) => width >= from,
            (false, true) => width > from,
            (true, false) => false,
        };
        if from > precision || !fits {
            return None;
        }
        let result = if signed_source {
            self.sext(x, width)
        } else {
            self.zext(x, width)
        };
        Some((Rule::FloatOfInt, result))
    }
}
