//! Rules 140 to 162: concat, extract and sign extension.

use super::Applied;
use crate::op::{ExprId, MAX_ARITH_WIDTH, Op};
use crate::rules::Rule;
use crate::semantics::mask;
use crate::store::Store;

impl Store {
    pub(super) fn rewrite_concat(&mut self, high: ExprId, low: ExprId) -> Applied {
        if let Some((x, y)) = self.as_concat(high) {
            let rest = self.concat(y, low);
            return Some((Rule::ConcatNesting, self.concat(x, rest)));
        }
        if let Some(joined) = self.join_extracts(high, low) {
            return Some((Rule::ConcatExtracts, joined));
        }
        if let Some(joined) = self.join_ites(high, low) {
            return Some((Rule::ConcatItes, joined));
        }
        if let Some(joined) = self.join_known_bits(high, low) {
            return Some((Rule::ConcatKnownBits, joined));
        }
        let (next, rest) = self.as_concat(low)?;
        if self.is_constant(high)
            && self.is_constant(next)
            && self.width(high) + self.width(next) <= MAX_ARITH_WIDTH
        {
            let joined = self.concat(high, next);
            return Some((Rule::ConcatConstants, self.concat(joined, rest)));
        }
        if let Some(joined) = self.join_extracts(high, next) {
            return Some((Rule::ConcatExtracts, self.concat(joined, rest)));
        }
        if let Some(joined) = self.join_ites(high, next) {
            return Some((Rule::ConcatItes, self.concat(joined, rest)));
        }
        if let Some(joined) = self.join_known_bits(high, next) {
            return Some((Rule::ConcatKnownBits, self.concat(joined, rest)));
        }
        None
    }

    /// `x[h:m]` above whatever `x[m-1:l]` is: that term may be an extract no more, so it is built and
    /// compared.
    fn join_extracts(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let node = *self.node(high);
        if node.op != Op::Extract {
            return None;
        }
        let (base, cut) = (node.arg(0), node.immediate());
        let low_width = self.width(low);
        let bottom = cut.checked_sub(low_width)?;
        if node.width() + low_width > MAX_ARITH_WIDTH {
            return None;
        }
        let lower = *self.node(low);
        let adjacent =
            lower.op == Op::Extract && lower.arg(0) == base && lower.immediate() == bottom;
        if adjacent || self.extract(base, bottom, low_width) == low {
            return Some(self.extract(base, bottom, node.width() + low_width));
        }
        None
    }

    /// A constant above `x[h:l]` whose low bits are what is known of the bits of `x` above `h`: those
    /// bits are taken from `x`, so that an extract is as wide as it can be.
    fn join_known_bits(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        if self.op(high) == Op::Extract {
            return self.join_known_bits_below(high, low);
        }
        let constant = self.constant_value(high)?;
        let node = *self.node(low);
        if node.op != Op::Extract {
            return None;
        }
        let base = node.arg(0);
        let facts = self.facts(base)?;
        let (bottom, cut) = (node.immediate(), node.immediate() + node.width());
        let high_width = self.width(high);
        let available = high_width.min(self.width(base) - cut);
        let agrees = |bit: u32| {
            let known = if constant >> bit & 1 == 1 {
                facts.ones
            } else {
                facts.zeros
            };
            known >> (cut + bit) & 1 == 1
        };
        let taken = (0..available).take_while(|&bit| agrees(bit)).count() as u32;
        if taken == 0 {
            return None;
        }
        let wider = self.extract(base, bottom, node.width() + taken);
        if taken == high_width {
            return Some(wider);
        }
        let rest = self.constant(constant >> taken, high_width - taken);
        Some(self.concat(rest, wider))
    }

    /// The same with the constant below `x[h:l]`.
    fn join_known_bits_below(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let constant = self.constant_value(low)?;
        let node = *self.node(high);
        let (base, cut) = (node.arg(0), node.immediate());
        let facts = self.facts(base)?;
        let low_width = self.width(low);
        let agrees = |step: u32| {
            let bit = constant >> (low_width - 1 - step) & 1;
            let known = if bit == 1 { facts.ones } else { facts.zeros };
            known >> (cut - 1 - step) & 1 == 1
        };
        let taken = (0..low_width.min(cut))
            .take_while(|&step| agrees(step))
            .count() as u32;
        if taken == 0 {
            return None;
        }
        let wider = self.extract(base, cut - taken, node.width() + taken);
        if taken == low_width {
            return Some(wider);
        }
        let rest = self.constant(constant, low_width - taken);
        Some(self.concat(wider, rest))
    }

    fn join_ites(&mut self, high: ExprId, low: ExprId) -> Option<ExprId> {
        let (upper, lower) = (*self.node(high), *self.node(low));
        if upper.op != Op::Ite || lower.op != Op::Ite || upper.args[0] != lower.args[0] {
            return None;
        }
        let then = self.concat(upper.arg(1), lower.arg(1));
        let otherwise = self.concat(upper.arg(2), lower.arg(2));
        Some(self.ite(upper.arg(0), then, otherwise))
    }

    pub(super) fn rewrite_extract(&mut self, a: ExprId, low: u32, width: u32) -> Applied {
        let whole = self.width(a);
        if width == whole {
            return Some((Rule::ExtractAll, a));
        }
        let node = *self.node(a);
        let arg = |index: usize| ExprId::stored(node.args[index]);
        match node.op {
            Op::Extract => {
                let result = self.extract(arg(0), low + node.immediate(), width);
                Some((Rule::ExtractExtract, result))
            }
            Op::Concat => {
                let cut = self.width(arg(1));
                let result = if low >= cut {
                    self.extract(arg(0), low - cut, width)
                } else if low + width <= cut {
                    self.extract(arg(1), low, width)
                } else {
                    let high = self.extract(arg(0), 0, low + width - cut);
                    let low = self.extract(arg(1), low, cut - low);
                    self.concat(high, low)
                };
                Some((Rule::ExtractConcat, result))
            }
            Op::SExt => {
                let narrow = self.width(arg(0));
                if low + width <= narrow {
                    return Some((Rule::ExtractSExt, self.extract(arg(0), low, width)));
                }
                if width == 1 {
                    return Some((Rule::ExtractSExt, self.sign_bit(arg(0))));
                }
                (low == 0).then(|| (Rule::ExtractSExt, self.sext(arg(0), width)))
            }
            Op::Add | Op::Mul | Op::Neg if low == 0 => {
                if !node
                    .operands()
                    .all(|operand| self.core_width(operand) <= width)
                {
                    return None;
                }
                let x = self.trunc(arg(0), width);
                let result = if node.op == Op::Neg {
                    self.neg(x)
                } else {
                    let y = self.trunc(arg(1), width);
                    self.binary(node.op, x, y)
                };
                Some((Rule::ExtractNarrow, result))
            }
            Op::Ite if whole > MAX_ARITH_WIDTH => {
                let (x, y) = (
                    self.extract(arg(1), low, width),
                    self.extract(arg(2), low, width),
                );
                Some((Rule::ExtractIteWide, self.ite(arg(0), x, y)))
            }
            _ => None,
        }
    }

    /// How many low bits of an operand carry its information by its shape: the rest is a constant or
    /// an extension.
    pub(super) fn core_width(&self, operand: ExprId) -> u32 {
        let node = self.node(operand);
        match node.op {
            Op::Const => 1,
            Op::Concat if self.is_constant(node.arg(0)) => self.width(node.arg(1)),
            Op::SExt => self.width(node.arg(0)),
            _ => node.width(),
        }
    }

    pub(super) fn rewrite_sext(&mut self, a: ExprId, width: u32) -> Applied {
        if self.width(a) == width {
            return Some((Rule::SExtSame, a));
        }
        if let Some(x) = self.as_unary(a, Op::SExt) {
            return Some((Rule::SExtSExt, self.sext(x, width)));
        }
        let sign = self.known_sign(a)?;
        let missing = width - self.width(a);
        let copies = self.constant(if sign { mask(missing) } else { 0 }, missing);
        Some((Rule::SExtSignKnown, self.concat(copies, a)))
    }
}
