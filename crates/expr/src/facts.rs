//! Known bits and unsigned intervals of terms up to 64 bits, computed once when a term is made.
//!
//! Both are over-approximations that refine each other: `zeros`/`ones` are bits that have that value
//! under every model, and every value lies in `low..=high`.

use crate::op::Op;

/// What is known about a term's value. For terms wider than 64 bits nothing is recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Facts {
    pub zeros: u64,
    pub ones: u64,
    pub low: u64,
    pub high: u64,
}

#[inline]
fn mask(width: u32) -> u64 {
    if width >= 64 {
        u64::MAX
    } else {
        (1 << width) - 1
    }
}

/// All bits from 0 to the highest set bit of `value`.
#[inline]
fn fill_down(value: u64) -> u64 {
    if value == 0 {
        0
    } else {
        u64::MAX >> value.leading_zeros()
    }
}

impl Facts {
    #[inline]
    pub(crate) fn unknown(width: u32) -> Facts {
        Facts {
            zeros: !mask(width),
            ones: 0,
            low: 0,
            high: mask(width),
        }
    }

    #[inline]
    pub(crate) fn constant(value: u64) -> Facts {
        Facts {
            zeros: !value,
            ones: value,
            low: value,
            high: value,
        }
    }

    #[inline]
    fn bits(zeros: u64, ones: u64, width: u32) -> Facts {
        let zeros = zeros | !mask(width);
        let ones = ones & mask(width);
        Facts {
            zeros,
            ones,
            low: ones,
            high: !zeros,
        }
    }

    #[inline]
    pub(crate) fn range(low: u64, high: u64) -> Facts {
        Facts {
            zeros: !fill_down(high),
            ones: 0,
            low,
            high,
        }
        .refined()
    }

    /// Lets the two views sharpen each other.
    #[inline]
    fn refined(mut self) -> Facts {
        self.low = self.low.max(self.ones);
        self.high = self.high.min(!self.zeros);
        self.zeros |= !fill_down(self.high);
        let common = !fill_down(self.low ^ self.high);
        self.ones |= self.low & common;
        self.zeros |= !self.low & common;
        self
    }

    /// The only possible value, if there is one.
    #[inline]
    pub(crate) fn value(&self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    /// The sign bit, if known.
    #[inline]
    pub(crate) fn sign(&self, width: u32) -> Option<bool> {
        let bit = 1 << (width - 1);
        if self.ones & bit != 0 {
            Some(true)
        } else if self.zeros & bit != 0 {
            Some(false)
        } else {
            None
        }
    }

    #[inline]
    fn signed_range(&self, width: u32) -> (i64, i64) {
        let extend = |value: u64| ((value << (64 - width)) as i64) >> (64 - width);
        match self.sign(width) {
            Some(_) => (extend(self.low), extend(self.high)),
            None => (extend(1 << (width - 1)), extend(mask(width) >> 1)),
        }
    }

    /// Facts of either of two alternatives.
    #[inline]
    pub(crate) fn join(&self, other: &Facts) -> Facts {
        Facts {
            zeros: self.zeros & other.zeros,
            ones: self.ones & other.ones,
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
        .refined()
    }
}

/// Facts of `op` at `width` (at most 64) from its operands' facts and widths. Operands wider than 64
/// bits come in as `None`.
pub(crate) fn transfer(
    op: Op,
    width: u32,
    immediate: u32,
    operands: [Option<Facts>; 3],
    widths: [u32; 3],
) -> Facts {
    let unknown = Facts::unknown(width);
    let m = mask(width);
    if op == Op::Ite {
        return match (operands[1], operands[2]) {
            (Some(b), Some(c)) => b.join(&c),
            _ => unknown,
        };
    }
    let Some(a) = operands[0] else { return unknown };
    let decided = |truth: Option<bool>| match truth {
        Some(truth) => Facts::constant(truth as u64),
        None => unknown,
    };
    match op {
        Op::Not => Facts::bits(a.ones, a.zeros, width),
        Op::Neg if a.low > 0 => Facts::range((m - a.high) + 1, (m - a.low) + 1),
        Op::Extract => {
            let shift = immediate;
            let mut facts = Facts::bits(a.zeros >> shift, a.ones >> shift, width);
            if a.high >> shift <= m {
                facts.low = facts.low.max(a.low >> shift);
                facts.high = facts.high.min(a.high >> shift);
            }
            facts.refined()
        }
        Op::SExt => match a.sign(widths[0]) {
            Some(true) => {
                let extension = m & !mask(widths[0]);
                Facts {
                    zeros: a.zeros & !extension,
                    ones: a.ones | extension,
                    low: a.low | extension,
                    high: a.high | extension,
                }
            }
            Some(false) => a,
            None => {
                let inner = mask(widths[0]) >> 1;
                Facts::bits(a.zeros & inner, a.ones & inner, width)
            }
        },
        Op::PopCount => Facts::range(a.ones.count_ones() as u64, (!a.zeros).count_ones() as u64),
        Op::CountLeadingZeros => {
            let unused = 64 - widths[0];
            let most = a.low.leading_zeros() - unused;
            let least = a.high.leading_zeros() - unused;
            Facts::range(least as u64, most as u64)
        }
        Op::CountTrailingZeros => {
            let most = a.ones.trailing_zeros().min(widths[0]);
            let least = (!a.zeros).trailing_zeros().min(widths[0]);
            Facts::range(least as u64, most as u64)
        }
        _ => {
            let Some(b) = operands[1] else { return unknown };
            binary(op, width, a, b, widths, unknown, decided)
        }
    }
}

fn binary(
    op: Op,
    width: u32,
    a: Facts,
    b: Facts,
    widths: [u32; 3],
    unknown: Facts,
    decided: impl Fn(Option<bool>) -> Facts,
) -> Facts {
    let m = mask(width);
    match op {
        Op::Add => {
            // The known low bits of a sum depend only on the operands' known low bits.
            let known = (a.zeros | a.ones) & (b.zeros | b.ones);
            let low_known = mask(known.trailing_ones());
            let sum = a.ones.wrapping_add(b.ones);
            let mut facts = Facts::bits(!sum & low_known, sum & low_known, width);
            if let Some(high) = a.high.checked_add(b.high).filter(|&high| high <= m) {
                facts.low = facts.low.max(a.low + b.low);
                facts.high = facts.high.min(high);
            }
            facts.refined()
        }
        Op::Mul => {
            let zeros = (!a.zeros).trailing_zeros() + (!b.zeros).trailing_zeros();
            let mut facts = Facts::bits(mask(zeros.min(64)), 0, width);
            if let Some(high) = a.high.checked_mul(b.high).filter(|&high| high <= m) {
                facts.low = facts.low.max(a.low * b.low);
                facts.high = facts.high.min(high);
            }
            facts.refined()
        }
        Op::UDiv if b.low > 0 => Facts::range(a.low / b.high, a.high / b.low),
        Op::URem if b.low > 0 && a.high < b.low => a,
        Op::URem if b.low > 0 => Facts::range(0, a.high.min(b.high - 1)),
        Op::URem => Facts::range(0, a.high),
        Op::And => {
            let mut facts = Facts::bits(a.zeros | b.zeros, a.ones & b.ones, width);
            facts.high = facts.high.min(a.high).min(b.high);
            facts.refined()
        }
        Op::Or => {
            let mut facts = Facts::bits(a.zeros & b.zeros, a.ones | b.ones, width);
            facts.low = facts.low.max(a.low).max(b.low);
            facts.refined()
        }
        Op::Xor => Facts::bits(
            (a.zeros & b.zeros) | (a.ones & b.ones),
            (a.zeros & b.ones) | (a.ones & b.zeros),
            width,
        ),
        Op::LShr => {
            let least = b.low.min(64);
            let high = if least >= 64 { 0 } else { a.high >> least };
            Facts::range(0, high)
        }
        Op::Shl => {
            let zeros = (!a.zeros).trailing_zeros() as u64;
            let zeros = zeros.saturating_add(b.low).min(64) as u32;
            Facts::bits(mask(zeros), 0, width)
        }
        Op::AShr if a.sign(width) == Some(false) => Facts::range(0, a.high),
        Op::Concat => {
            let shift = widths[1];
            if shift >= 64 {
                return unknown;
            }
            Facts {
                zeros: a.zeros << shift | (b.zeros & mask(shift)),
                ones: a.ones << shift | b.ones,
                low: a.low << shift | b.low,
                high: a.high << shift | b.high,
            }
        }
        Op::Eq => {
            let conflict = (a.zeros & b.ones) | (a.ones & b.zeros) != 0;
            let apart = a.high < b.low || b.high < a.low;
            match (a.value(), b.value()) {
                (Some(a), Some(b)) => decided(Some(a == b)),
                _ if conflict || apart => decided(Some(false)),
                _ => unknown,
            }
        }
        Op::Ult => decided(order(a.high < b.low, a.low >= b.high)),
        Op::Ule => decided(order(a.high <= b.low, a.low > b.high)),
        Op::Slt | Op::Sle => {
            let (a_low, a_high) = a.signed_range(widths[0]);
            let (b_low, b_high) = b.signed_range(widths[1]);
            if op == Op::Slt {
                decided(order(a_high < b_low, a_low >= b_high))
            } else {
                decided(order(a_high <= b_low, a_low > b_high))
            }
        }
        _ => unknown,
    }
}

fn order(holds: bool, fails: bool) -> Option<bool> {
    if holds {
        Some(true)
    } else if fails {
        Some(false)
    } else {
        None
    }
}
