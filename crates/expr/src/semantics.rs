//! What every operator computes on concrete values: the one definition that constant folding and
//! evaluation share, and that the tests compare with Z3.
//!
//! Division and shifts are total, as in SMT-LIB. Floats are carried as their IEEE bits. An operation
//! that *computes* a float (arithmetic, rounding, conversion) returns the canonical NaN, positive,
//! quiet and with zero payload, whenever its result is a NaN; moving, negating and taking the absolute
//! value of a float are operations on its bits and keep the payload.

use crate::op::{Op, Rounding};

/// The `width` low bits set.
#[inline]
pub fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// `value` of `width` bits, as a signed number.
#[inline]
pub fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// Operand values and widths of one application.
#[derive(Clone, Copy)]
pub(crate) struct Operands {
    pub(crate) values: [u128; 3],
    pub(crate) widths: [u32; 3],
    /// Low bit of an extract, rounding of an `FRound`.
    pub(crate) immediate: u32,
}

/// The value of `op` at `width` bits. Not for `Const`, `Symbol` and `Lookup`.
#[inline]
pub(crate) fn apply(op: Op, width: u32, operands: &Operands) -> u128 {
    let [a, b, c] = operands.values;
    let [wa, wb, _] = operands.widths;
    let m = mask(width);
    let bool = |condition: bool| condition as u128;
    match op {
        Op::Add => a.wrapping_add(b) & m,
        Op::Sub => a.wrapping_sub(b) & m,
        Op::Mul => a.wrapping_mul(b) & m,
        Op::UDiv => match divide(a, b) {
            Some((quotient, _)) => quotient,
            None => m,
        },
        Op::URem => match divide(a, b) {
            Some((_, remainder)) => remainder,
            None => a,
        },
        Op::SDiv => {
            let (x, y) = (signed(a, width), signed(b, width));
            let quotient = match (y, x < 0) {
                (0, true) => 1,
                (0, false) => -1,
                _ => x.wrapping_div(y),
            };
            quotient as u128 & m
        }
        Op::SRem => {
            let (x, y) = (signed(a, width), signed(b, width));
            (if y == 0 { x } else { x.wrapping_rem(y) }) as u128 & m
        }
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Not => !a & m,
        Op::Neg => a.wrapping_neg() & m,
        Op::Shl => {
            if b >= width as u128 {
                0
            } else {
                (a << b) & m
            }
        }
        Op::LShr => {
            if b >= width as u128 {
                0
            } else {
                a >> b
            }
        }
        Op::AShr => (signed(a, width) >> b.min(width as u128 - 1).min(127)) as u128 & m,
        Op::Eq => bool(a == b),
        Op::Ult => bool(a < b),
        Op::Ule => bool(a <= b),
        Op::Slt => bool(signed(a, wa) < signed(b, wb)),
        Op::Sle => bool(signed(a, wa) <= signed(b, wb)),
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Concat => a << wb | b,
        Op::Extract => (a >> operands.immediate) & m,
        Op::SExt => signed(a, wa) as u128 & m,
        Op::PopCount => a.count_ones() as u128 & m,
        Op::CountLeadingZeros => (a.leading_zeros() - (128 - wa)) as u128 & m,
        Op::CountTrailingZeros => a.trailing_zeros().min(wa) as u128 & m,
        Op::FEq | Op::FLt | Op::FLe => bool(float_compare(op, wa, a, b)),
        Op::FloatToSigned => {
            let value = if wa == 32 {
                f32_of(a) as i128
            } else {
                f64_of(a) as i128
            };
            let max = (m >> 1) as i128;
            value.clamp(-max - 1, max) as u128 & m
        }
        Op::FloatToUnsigned => {
            let value = if wa == 32 {
                f32_of(a) as u128
            } else {
                f64_of(a) as u128
            };
            value.min(m)
        }
        _ if width == 32 => bits_of_f32(float_arithmetic_f32(op, operands)),
        _ => bits_of_f64(float_arithmetic_f64(op, operands)),
    }
}

/// Quotient and remainder, by the machine's 64-bit division when it fits.
#[inline]
fn divide(a: u128, b: u128) -> Option<(u128, u128)> {
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
        return Some((a.checked_div(b)? as u128, (a % b) as u128));
    }
    Some((a.checked_div(b)?, a % b))
}

/// The canonical NaN of a 32- or 64-bit float.
pub fn canonical_nan(width: u32) -> u128 {
    if width == 32 {
        0x7fc0_0000
    } else {
        0x7ff8_0000_0000_0000
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn bits_of_f32(value: f32) -> u128 {
    if value.is_nan() {
        canonical_nan(32)
    } else {
        value.to_bits() as u128
    }
}

fn bits_of_f64(value: f64) -> u128 {
    if value.is_nan() {
        canonical_nan(64)
    } else {
        value.to_bits() as u128
    }
}

fn float_compare(op: Op, width: u32, a: u128, b: u128) -> bool {
    let (a, b) = if width == 32 {
        (f32_of(a) as f64, f32_of(b) as f64)
    } else {
        (f64_of(a), f64_of(b))
    };
    match op {
        Op::FEq => a == b,
        Op::FLt => a < b,
        _ => a <= b,
    }
}

macro_rules! float_arithmetic {
    ($name:ident, $float:ty, $of:ident) => {
        fn $name(op: Op, operands: &Operands) -> $float {
            let [a, b, c] = operands.values;
            let [wa, ..] = operands.widths;
            match op {
                Op::FAdd => $of(a) + $of(b),
                Op::FSub => $of(a) - $of(b),
                Op::FMul => $of(a) * $of(b),
                Op::FDiv => $of(a) / $of(b),
                Op::FRem => $of(a) % $of(b),
                Op::FSqrt => $of(a).sqrt(),
                Op::FFma => $of(a).mul_add($of(b), $of(c)),
                Op::FRound => match Rounding::from_immediate(operands.immediate) {
                    Rounding::NearestEven => $of(a).round_ties_even(),
                    Rounding::NearestAway => $of(a).round(),
                    Rounding::Up => $of(a).ceil(),
                    Rounding::Down => $of(a).floor(),
                    Rounding::TowardsZero => $of(a).trunc(),
                },
                Op::FConvert if wa == 32 => f32_of(a) as $float,
                Op::FConvert => f64_of(a) as $float,
                Op::SignedToFloat => signed(a, wa) as $float,
                Op::UnsignedToFloat => a as $float,
                _ => unreachable!("{op:?} has no value of its own"),
            }
        }
    };
}

float_arithmetic!(float_arithmetic_f32, f32, f32_of);
float_arithmetic!(float_arithmetic_f64, f64, f64_of);
