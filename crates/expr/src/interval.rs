//! Sets of values as intervals, and what each operator makes of them.
//!
//! An [`Interval`] is a run of consecutive values modulo 2^width, so `-3..=5` and `250..=255` of a byte are both one
//! interval (wrapped intervals: Navas, Schachte, Søndergaard, Stuckey, "Signedness-agnostic program analysis"). [`Interval::of`]
//! is an over-approximation: whatever values the operands have in their intervals, the result is in the returned one. Where
//! all operands are single values, so is the result, and it is exact. Where a formula is about integers (sums, products), it
//! holds modulo 2^width whichever integers stand for the operands; where it is about order (quotients, comparisons) an operand
//! that wraps counts as any value.

use crate::op::{Node, Op};
use crate::semantics::{Operands, apply, mask, signed};

/// The values `low`, `low + 1`, …, `low + span` modulo 2^width of a term of at most 128 bits. The width is the term's and not
/// kept here.
// Invariant: `low` and `span` are at most 2^width - 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    low: u128,
    span: u128,
}

/// An operand of a node: its values and its width.
pub type IntervalOperand = (Interval, u32);

impl Interval {
    /// Every value.
    #[inline]
    pub fn all(width: u32) -> Interval {
        Interval {
            low: 0,
            span: mask(width),
        }
    }

    #[inline]
    pub fn single(value: u128) -> Interval {
        Interval {
            low: value,
            span: 0,
        }
    }

    /// The values from `low` to `high`, as unsigned numbers.
    #[inline]
    pub fn between(low: u128, high: u128) -> Interval {
        debug_assert!(low <= high);
        Interval {
            low,
            span: high - low,
        }
    }

    /// The value that the others follow, modulo 2^width.
    #[inline]
    pub fn first(&self) -> u128 {
        self.low
    }

    /// How many values there are, less one.
    #[inline]
    pub fn span(&self) -> u128 {
        self.span
    }

    /// The only value, if there is one.
    #[inline]
    pub fn value(&self) -> Option<u128> {
        (self.span == 0).then_some(self.low)
    }

    pub fn contains(&self, value: u128, width: u32) -> bool {
        value.wrapping_sub(self.low) & mask(width) <= self.span
    }

    /// The integers from `low` to `high`, modulo 2^width.
    #[inline]
    fn integers(low: i128, high: i128, width: u32) -> Interval {
        let span = (high as u128).wrapping_sub(low as u128);
        Interval::stretch(low as u128, span, width)
    }

    /// `span` may be too large.
    #[inline]
    fn stretch(low: u128, span: u128, width: u32) -> Interval {
        match span < mask(width) {
            true => Interval {
                low: low & mask(width),
                span,
            },
            false => Interval::all(width),
        }
    }

    /// Least and greatest as unsigned numbers.
    #[inline]
    pub fn unsigned(&self, width: u32) -> (u128, u128) {
        match self.low.checked_add(self.span) {
            Some(high) if high <= mask(width) => (self.low, high),
            _ => (0, mask(width)),
        }
    }

    /// Least and greatest as signed numbers.
    #[inline]
    pub fn signed(&self, width: u32) -> (i128, i128) {
        let flip = 1 << (width - 1);
        let low = self.low ^ flip;
        match low.checked_add(self.span) {
            Some(high) if high <= mask(width) => {
                (signed(self.low, width), signed(high ^ flip, width))
            }
            _ => (signed(flip, width), (mask(width) >> 1) as i128),
        }
    }

    /// The smallest interval around two.
    pub fn join(&self, other: &Interval, width: u32) -> Interval {
        let from = |first: &Interval, second: &Interval| {
            let distance = second.low.wrapping_sub(first.low) & mask(width);
            let end = distance.checked_add(second.span)?;
            Some((first.low, end.max(first.span)))
        };
        match (from(self, other), from(other, self)) {
            (Some(x), Some(y)) => {
                let (low, span) = if x.1 <= y.1 { x } else { y };
                Interval::stretch(low, span, width)
            }
            (Some((low, span)), None) | (None, Some((low, span))) => {
                Interval::stretch(low, span, width)
            }
            (None, None) => Interval::all(width),
        }
    }

    /// The values from the first of one interval to the last of another, upwards.
    pub fn to(&self, other: &Interval, width: u32) -> Interval {
        let end = other.low.wrapping_add(other.span);
        Interval::stretch(self.low, end.wrapping_sub(self.low) & mask(width), width)
    }

    /// The negations of all values.
    pub fn negated(&self, width: u32) -> Interval {
        Interval::stretch(
            self.low.wrapping_add(self.span).wrapping_neg(),
            self.span,
            width,
        )
    }

    /// All values with a number added.
    pub fn shifted(&self, by: u128, width: u32) -> Interval {
        Interval::stretch(self.low.wrapping_add(by), self.span, width)
    }

    /// All other values; `None` if there are none.
    pub fn complement(&self, width: u32) -> Option<Interval> {
        let others = mask(width) - self.span;
        (others > 0).then(|| Interval {
            low: self.low.wrapping_add(self.span).wrapping_add(1) & mask(width),
            span: others - 1,
        })
    }

    /// The low `width` bits of all values.
    pub fn truncated(&self, width: u32) -> Interval {
        Interval::stretch(self.low, self.span, width)
    }

    /// An interval with all values that two have in common; `None` if there are none. If they are common at both ends, it has more.
    pub fn meet(&self, other: &Interval, width: u32) -> Option<Interval> {
        let (narrow, wide) = if self.span <= other.span {
            (self, other)
        } else {
            (other, self)
        };
        let (first, last) = (
            narrow.low,
            narrow.low.wrapping_add(narrow.span) & mask(width),
        );
        match (wide.contains(first, width), wide.contains(last, width)) {
            (true, true) => Some(*narrow),
            (true, false) => {
                let end = wide.low.wrapping_add(wide.span);
                Some(Interval::stretch(
                    first,
                    end.wrapping_sub(first) & mask(width),
                    width,
                ))
            }
            (false, true) => {
                let span = last.wrapping_sub(wide.low) & mask(width);
                Some(Interval::stretch(wide.low, span, width))
            }
            // Neither end of the shorter one is in the other, which is too long to be inside.
            (false, false) => narrow.contains(wide.low, width).then_some(*narrow),
        }
    }

    fn meets(&self, other: &Interval, width: u32) -> bool {
        self.contains(other.low, width) || other.contains(self.low, width)
    }

    /// What `node` may be, from what its operands may be. Not for constants, symbols and lookups, nor for terms of more than 128 bits.
    pub fn of(node: &Node, operands: &[IntervalOperand]) -> Interval {
        let width = node.width();
        if operands.iter().all(|(operand, _)| operand.span == 0) {
            return Interval::single(on_values(node, operands));
        }
        let (a, wa) = operands[0];
        match node.op() {
            Op::Neg => a.negated(width),
            Op::Not => Interval::stretch(!a.low.wrapping_add(a.span), a.span, width),
            Op::Extract => extract(a, wa, node.immediate(), width),
            Op::SExt => {
                let (low, high) = a.signed(wa);
                Interval::integers(low, high, width)
            }
            Op::CountLeadingZeros => {
                let (low, high) = a.unsigned(wa);
                let zeros = |value: u128| (value.leading_zeros() - (128 - wa)) as u128;
                Interval::between(zeros(high), zeros(low))
            }
            Op::PopCount | Op::CountTrailingZeros => Interval::between(0, wa as u128),
            Op::Ite => match a.value() {
                Some(0) => operands[2].0,
                Some(_) => operands[1].0,
                None => operands[1].0.join(&operands[2].0, width),
            },
            op if op.arity() == 2 => binary(node, operands, a, operands[1].0),
            op => monotone_in_float(op, node, operands),
        }
    }
}

/// The value of a node whose operands have one value each.
fn on_values(node: &Node, operands: &[IntervalOperand]) -> u128 {
    let mut values = Operands {
        values: [0; 3],
        widths: [0; 3],
        immediate: node.immediate(),
    };
    for (index, (operand, width)) in operands.iter().enumerate() {
        values.values[index] = operand.low;
        values.widths[index] = *width;
    }
    apply(node.op(), node.width(), &values)
}

/// Cutting off low bits is a division by a power of two, and cutting off high bits is taken modulo one: both hold for a run
/// of integers that goes past 2^width as well.
fn extract(a: Interval, whole: u32, low: u32, width: u32) -> Interval {
    if low == 0 {
        return Interval::stretch(a.low, a.span, width);
    }
    let Some(high) = a.low.checked_add(a.span) else {
        return Interval::all(width);
    };
    debug_assert!(low + width <= whole);
    let (first, last) = (a.low >> low, high >> low);
    Interval::stretch(first, last - first, width)
}

fn binary(node: &Node, operands: &[IntervalOperand], a: Interval, b: Interval) -> Interval {
    let (width, wide) = (node.width(), operands[0].1);
    let ((a_low, a_high), (b_low, b_high)) = (a.unsigned(wide), b.unsigned(operands[1].1));
    let truth = |holds: bool, fails: bool| match (holds, fails) {
        (true, _) => Interval::single(1),
        (_, true) => Interval::single(0),
        _ => Interval::all(1),
    };
    match node.op() {
        Op::Add => match a.span.checked_add(b.span) {
            Some(span) => Interval::stretch(a.low.wrapping_add(b.low), span, width),
            None => Interval::all(width),
        },
        Op::Sub => match a.span.checked_add(b.span) {
            Some(span) => {
                let last = b.low.wrapping_add(b.span);
                Interval::stretch(a.low.wrapping_sub(last), span, width)
            }
            None => Interval::all(width),
        },
        Op::Mul => multiply(a, b, width),
        Op::UDiv if b_low > 0 => Interval::between(a_low / b_high, a_high / b_low),
        Op::URem => match b.value() {
            Some(b) if b > 0 && a_low / b == a_high / b => Interval::between(a_low % b, a_high % b),
            _ if a_high < b_low => Interval::between(a_low, a_high),
            _ if b_low > 0 => Interval::between(0, a_high.min(b_high - 1)),
            _ => Interval::between(0, a_high),
        },
        Op::SDiv => divide_signed(a, b, width),
        Op::SRem => remainder_signed(a, b, width),
        Op::And | Op::Or | Op::Xor => bitwise(node.op(), (a_low, a_high), (b_low, b_high), width),
        Op::Shl => shift_left(a, (a_low, a_high), (b_low, b_high), width),
        Op::LShr => {
            let shift = |value: u128, by: u128| if by >= width as u128 { 0 } else { value >> by };
            Interval::between(shift(a_low, b_high), shift(a_high, b_low))
        }
        Op::AShr => {
            let (low, high) = a.signed(width);
            let shift = |value: i128, by: u128| value >> by.min(width as u128 - 1).min(127);
            let least = shift(low, b_low).min(shift(low, b_high));
            let most = shift(high, b_low).max(shift(high, b_high));
            Interval::integers(least, most, width)
        }
        Op::Eq => truth(false, !a.meets(&b, wide)),
        Op::Ult => truth(a_high < b_low, a_low >= b_high),
        Op::Ule => truth(a_high <= b_low, a_low > b_high),
        Op::Slt | Op::Sle => {
            let ((a_low, a_high), (b_low, b_high)) = (a.signed(wide), b.signed(wide));
            match node.op() {
                Op::Slt => truth(a_high < b_low, a_low >= b_high),
                _ => truth(a_high <= b_low, a_low > b_high),
            }
        }
        Op::Concat => {
            let below = operands[1].1;
            let low = a.low << below | b_low;
            Interval::stretch(low, (a.span << below) + (b_high - b_low), width)
        }
        op => float_binary(op, node, operands),
    }
}

/// An interval as integers near zero.
fn near_zero(a: Interval, width: u32) -> Option<(i128, i128)> {
    let (low, high) = a.signed(width);
    if (high as u128).wrapping_sub(low as u128) == a.span {
        return Some((low, high));
    }
    let (low, high) = a.unsigned(width);
    let is_run = high - low == a.span;
    Some((i128::try_from(low).ok()?, i128::try_from(high).ok()?)).filter(|_| is_run)
}

fn multiply(a: Interval, b: Interval, width: u32) -> Interval {
    let corners = || {
        let ((a_low, a_high), (b_low, b_high)) = (near_zero(a, width)?, near_zero(b, width)?);
        let corners = [
            a_low.checked_mul(b_low)?,
            a_low.checked_mul(b_high)?,
            a_high.checked_mul(b_low)?,
            a_high.checked_mul(b_high)?,
        ];
        Some((*corners.iter().min()?, *corners.iter().max()?))
    };
    match corners() {
        Some((low, high)) => Interval::integers(low, high, width),
        None => Interval::all(width),
    }
}

/// Rounding towards zero is monotone in the dividend, and in a divisor of one sign.
fn divide_signed(a: Interval, b: Interval, width: u32) -> Interval {
    let ((a_low, a_high), (b_low, b_high)) = (a.signed(width), b.signed(width));
    if b_low <= 0 && b_high >= 0 {
        return Interval::all(width);
    }
    let mut corners = [a_low, a_high]
        .into_iter()
        .flat_map(|x| [x.checked_div(b_low), x.checked_div(b_high)]);
    let bounds = corners.try_fold((i128::MAX, i128::MIN), |(low, high), corner| {
        corner.map(|corner| (low.min(corner), high.max(corner)))
    });
    match bounds {
        Some((low, high)) => Interval::integers(low, high, width),
        None => Interval::all(width),
    }
}

/// The remainder has the dividend's sign and is nearer to zero than the divisor; by zero it is the dividend.
fn remainder_signed(a: Interval, b: Interval, width: u32) -> Interval {
    let ((a_low, a_high), (b_low, b_high)) = (a.signed(width), b.signed(width));
    if let Some(divisor) = b.value().map(|b| signed(b, width))
        && divisor != 0
        && divisor != -1
        && (a_low >= 0 || a_high <= 0)
        && a_low / divisor == a_high / divisor
    {
        return Interval::integers(a_low % divisor, a_high % divisor, width);
    }
    let mut bounds = (a_low.min(0), a_high.max(0));
    if (b_low > 0 || b_high < 0)
        && let Ok(most) = i128::try_from(b_low.unsigned_abs().max(b_high.unsigned_abs()) - 1)
    {
        bounds = (bounds.0.max(-most), bounds.1.min(most));
    }
    Interval::integers(bounds.0, bounds.1, width)
}

/// Bits above the highest one in which the bounds differ are the same in the whole interval.
fn bitwise(op: Op, a: (u128, u128), b: (u128, u128), width: u32) -> Interval {
    let unknown = |(low, high): (u128, u128)| match low ^ high {
        0 => 0,
        different => u128::MAX >> different.leading_zeros(),
    };
    let (a_unknown, b_unknown) = (unknown(a), unknown(b));
    let (a_ones, b_ones) = (a.0 & !a_unknown, b.0 & !b_unknown);
    let (a_maybe, b_maybe) = (a.0 | a_unknown, b.0 | b_unknown);
    let (low, high) = match op {
        Op::And => (a_ones & b_ones, (a_maybe & b_maybe).min(a.1).min(b.1)),
        Op::Or => ((a_ones | b_ones).max(a.0).max(b.0), a_maybe | b_maybe),
        _ => {
            let unknown = a_unknown | b_unknown;
            let known = (a.0 ^ b.0) & !unknown;
            (known, known | unknown)
        }
    };
    Interval::between(low & mask(width), high & mask(width))
}

fn shift_left(a: Interval, bounds: (u128, u128), by: (u128, u128), width: u32) -> Interval {
    if by.0 == by.1 && by.0 < width as u128 {
        return multiply(a, Interval::single((1 << by.0) & mask(width)), width);
    }
    if by.0 >= width as u128 {
        return Interval::single(0);
    }
    let fits = by.1 < width as u128 && (bounds.1 << by.1) >> by.1 == bounds.1;
    match fits && bounds.1 << by.1 <= mask(width) {
        true => Interval::between(bounds.0 << by.0, bounds.1 << by.1),
        false => Interval::all(width),
    }
}

/// Whether all values are finite floats of one sign; then their bits grow with their magnitude.
fn is_finite_of_one_sign(a: Interval, width: u32) -> bool {
    let sign = 1 << (width - 1);
    let infinity = if width == 32 {
        0x7f80_0000
    } else {
        0x7ff0_0000_0000_0000
    };
    let (low, high) = a.unsigned(width);
    (low & sign) == (high & sign) && (high & !sign) < infinity
}

/// Sums of floats of one sign, and products and quotients of finite floats, grow with the magnitudes (quotients fall with
/// the divisor's); rounding is monotone. Comparisons are decided by the ends of intervals of one sign.
fn float_binary(op: Op, node: &Node, operands: &[IntervalOperand]) -> Interval {
    let (width, [(a, wide), (b, _)]) = (node.width(), [operands[0], operands[1]]);
    let comparable =
        is_float_operand(wide) && is_finite_of_one_sign(a, wide) && is_finite_of_one_sign(b, wide);
    if !comparable {
        return Interval::all(width);
    }
    let ((a_low, a_high), (b_low, b_high)) = (a.unsigned(wide), b.unsigned(wide));
    let at = |x: u128, y: u128| {
        on_values(
            node,
            &[(Interval::single(x), wide), (Interval::single(y), wide)],
        )
    };
    let sign = |value: u128| value >> (wide - 1) & 1;
    let ends = match op {
        Op::FAdd if sign(a_low) == sign(b_low) => (at(a_low, b_low), at(a_high, b_high)),
        Op::FMul => (at(a_low, b_low), at(a_high, b_high)),
        Op::FDiv if b_low << (128 - wide + 1) != 0 => (at(a_low, b_high), at(a_high, b_low)),
        Op::FLt | Op::FLe | Op::FEq => {
            let corners = [
                (a_low, b_low),
                (a_low, b_high),
                (a_high, b_low),
                (a_high, b_high),
            ]
            .map(|(x, y)| at(x, y));
            let decided = op != Op::FEq && corners.iter().all(|&corner| corner == corners[0]);
            return if decided {
                Interval::single(corners[0])
            } else {
                Interval::all(1)
            };
        }
        _ => return Interval::all(width),
    };
    Interval::between(ends.0, ends.1)
}

fn is_float_operand(width: u32) -> bool {
    width == 32 || width == 64
}

/// Conversions, roots and roundings are monotone: what they make of the ends bounds the rest.
fn monotone_in_float(op: Op, node: &Node, operands: &[IntervalOperand]) -> Interval {
    let (width, (a, wide)) = (node.width(), operands[0]);
    let at = |value: u128| on_values(node, &[(Interval::single(value), wide)]);
    let sign = |value: u128| value >> (width - 1) & 1;
    match op {
        Op::SignedToFloat => {
            let (low, high) = a.signed(wide);
            let (first, last) = (at(low as u128 & mask(wide)), at(high as u128 & mask(wide)));
            match (sign(first), sign(last)) {
                (0, 0) => Interval::between(first, last),
                (1, 1) => Interval::between(last, first),
                _ => Interval::all(width),
            }
        }
        Op::UnsignedToFloat => {
            let (low, high) = a.unsigned(wide);
            Interval::between(at(low), at(high))
        }
        Op::FConvert | Op::FSqrt | Op::FRound | Op::FloatToUnsigned
            if is_finite_of_one_sign(a, wide) =>
        {
            let (low, high) = a.unsigned(wide);
            let negative = low >> (wide - 1) & 1 == 1;
            match op {
                Op::FSqrt | Op::FloatToUnsigned if negative => Interval::all(width),
                _ => Interval::between(at(low), at(high)),
            }
        }
        Op::FloatToSigned if is_finite_of_one_sign(a, wide) => {
            let (low, high) = a.unsigned(wide);
            let (x, y) = (signed(at(low), width), signed(at(high), width));
            Interval::integers(x.min(y), x.max(y), width)
        }
        _ => Interval::all(width),
    }
}

#[cfg(test)]
mod tests;
