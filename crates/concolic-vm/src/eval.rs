//! The plain meaning of every pure operation, on values of any type as up to 128 bits.
//!
//! This is the definition; the machine's specialised operations are tested against
//! it. Where LLVM leaves a result undefined, the result is what x86-64 code computes:
//! shift amounts are taken modulo the operand size, zero has as many zeros as bits (`lzcnt`, `tzcnt`), conversions of floats that
//! do not fit give the processor's "indefinite" value.

use crate::float::{self, NoSquareRoot};
use expr::{mask, signed};
use program_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, TernaryOp, Type, UnaryOp};

/// Why an operation has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalError {
    DivisionByZero,
    /// The most negative number divided by −1.
    DivisionOverflow,
    Unsupported(&'static str),
}

impl From<NoSquareRoot> for EvalError {
    fn from(_: NoSquareRoot) -> Self {
        EvalError::Unsupported("square root of a 16- or 128-bit float")
    }
}

pub fn unary(op: UnaryOp, ty: Type, a: u128) -> Result<u128, EvalError> {
    if op.is_float() {
        return Ok(float::unary(op, ty, a)?);
    }
    let width = ty.bits();
    Ok(match op {
        UnaryOp::CountOnes => u128::from(a.count_ones()),
        UnaryOp::LeadingZeros | UnaryOp::LeadingZerosOfNonzero => {
            u128::from(a.leading_zeros() - (128 - width))
        }
        UnaryOp::TrailingZeros | UnaryOp::TrailingZerosOfNonzero => {
            u128::from(a.trailing_zeros().min(width))
        }
        UnaryOp::ByteSwap => a.swap_bytes() >> (128 - width),
        UnaryOp::BitReverse => a.reverse_bits() >> (128 - width),
        UnaryOp::Abs => signed(a, width).unsigned_abs() & mask(width),
        _ => unreachable!("float operation"),
    })
}

pub fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> Result<u128, EvalError> {
    if op.is_float() {
        return Ok(float::binary(op, ty, a, b));
    }
    let width = ty.bits();
    let mask = mask(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let smallest = signed(1 << (width - 1), width);
    let largest = !smallest;
    // The processor shifts in registers of 32, 64 or (in two steps) 128 bits.
    let amount = b as u32
        & if width <= 32 {
            31
        } else if width <= 64 {
            63
        } else {
            127
        };
    let divisible = || {
        if b == 0 {
            Err(EvalError::DivisionByZero)
        } else {
            Ok(())
        }
    };
    let divisible_signed = || {
        if sb == -1 && sa == smallest {
            Err(EvalError::DivisionOverflow)
        } else {
            divisible()
        }
    };
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => {
            divisible()?;
            a / b
        }
        BinaryOp::SDiv => {
            divisible_signed()?;
            (sa / sb) as u128
        }
        BinaryOp::URem => {
            divisible()?;
            a % b
        }
        BinaryOp::SRem => {
            divisible_signed()?;
            (sa % sb) as u128
        }
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << amount,
        BinaryOp::LShr => a >> amount,
        BinaryOp::AShr => (sa >> amount) as u128,
        BinaryOp::UMin => a.min(b),
        BinaryOp::UMax => a.max(b),
        BinaryOp::SMin => sa.min(sb) as u128,
        BinaryOp::SMax => sa.max(sb) as u128,
        BinaryOp::UAddSat => match a.checked_add(b) {
            Some(sum) => sum.min(mask),
            None => mask,
        },
        BinaryOp::USubSat => a.saturating_sub(b),
        BinaryOp::SAddSat => sa.saturating_add(sb).clamp(smallest, largest) as u128,
        BinaryOp::SSubSat => sa.saturating_sub(sb).clamp(smallest, largest) as u128,
        BinaryOp::UShlSat => {
            let shifted = (a << amount) & mask;
            if shifted >> amount == a {
                shifted
            } else {
                mask
            }
        }
        BinaryOp::SShlSat => {
            let shifted = signed((a << amount) & mask, width);
            if shifted >> amount == sa {
                shifted as u128
            } else if sa < 0 {
                smallest as u128
            } else {
                largest as u128
            }
        }
        _ => unreachable!("float operation"),
    };
    Ok(result & mask)
}

/// The wrapped result, and whether it wrapped.
pub fn overflow(op: OverflowOp, ty: Type, a: u128, b: u128) -> (u128, bool) {
    let width = ty.bits();
    let mask = mask(width);
    let (sa, sb) = (signed(a, width), signed(b, width));
    let narrow = |(value, over): (u128, bool)| (value & mask, over || value & !mask != 0);
    let narrow_signed = |(value, over): (i128, bool)| {
        let wrapped = value as u128 & mask;
        (wrapped, over || signed(wrapped, width) != value)
    };
    match op {
        OverflowOp::UAdd => narrow(a.overflowing_add(b)),
        OverflowOp::USub => (a.wrapping_sub(b) & mask, a < b),
        OverflowOp::UMul => narrow(a.overflowing_mul(b)),
        OverflowOp::SAdd => narrow_signed(sa.overflowing_add(sb)),
        OverflowOp::SSub => narrow_signed(sa.overflowing_sub(sb)),
        OverflowOp::SMul => narrow_signed(sa.overflowing_mul(sb)),
    }
}

pub fn ternary(op: TernaryOp, ty: Type, a: u128, b: u128, c: u128) -> u128 {
    let width = ty.bits();
    match op {
        TernaryOp::Select => {
            if a & 1 == 1 {
                b
            } else {
                c
            }
        }
        TernaryOp::FMulAdd => float::mul_add(ty, a, b, c),
        TernaryOp::FunnelShl => {
            let amount = (c % u128::from(width)) as u32;
            if amount == 0 {
                a
            } else {
                (a << amount | b >> (width - amount)) & mask(width)
            }
        }
        TernaryOp::FunnelShr => {
            let amount = (c % u128::from(width)) as u32;
            if amount == 0 {
                b
            } else {
                (b >> amount | a << (width - amount)) & mask(width)
            }
        }
    }
}

pub fn int_compare(predicate: IntPredicate, ty: Type, a: u128, b: u128) -> bool {
    predicate.holds(ty.bits(), a, b)
}

pub fn cast(op: CastOp, from: Type, to: Type, a: u128) -> u128 {
    let width = to.bits();
    match op {
        CastOp::Truncate | CastOp::ZeroExtend => a & mask(width),
        CastOp::SignExtend => signed(a, from.bits()) as u128 & mask(width),
        CastOp::Bits | CastOp::PtrToInt | CastOp::IntToPtr => a,
        CastOp::FloatTruncate | CastOp::FloatExtend => float::convert(from, to, a),
        CastOp::FloatToSigned => float::to_signed(from, width, a),
        CastOp::FloatToUnsigned => float::to_unsigned(from, width, a),
        CastOp::FloatToSignedSaturating => float::to_signed_saturating(from, width, a),
        CastOp::FloatToUnsignedSaturating => float::to_unsigned_saturating(from, width, a),
        CastOp::SignedToFloat => float::from_signed(to, signed(a, from.bits())),
        CastOp::UnsignedToFloat => float::from_unsigned(to, a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_integers_wrap_at_their_width() {
        let i8 = Type::I8;
        assert_eq!(binary(BinaryOp::Add, i8, 200, 100), Ok(44));
        assert_eq!(binary(BinaryOp::SDiv, i8, 0xfb, 2), Ok(0xfe));
        assert_eq!(
            binary(BinaryOp::SDiv, i8, 0x80, 0xff),
            Err(EvalError::DivisionOverflow)
        );
        assert_eq!(
            binary(BinaryOp::URem, i8, 1, 0),
            Err(EvalError::DivisionByZero)
        );
        assert_eq!(unary(UnaryOp::Abs, i8, 0x80), Ok(0x80));
        assert_eq!(unary(UnaryOp::LeadingZeros, Type::Int(24), 1), Ok(23));
        assert_eq!(unary(UnaryOp::TrailingZeros, Type::I16, 0), Ok(16));
        assert_eq!(unary(UnaryOp::ByteSwap, Type::I16, 0x1234), Ok(0x3412));
    }

    #[test]
    fn saturating_operations_agree_with_the_standard_library() {
        for a in 0..=255u8 {
            for b in 0..=255u8 {
                let (wide_a, wide_b) = (u128::from(a), u128::from(b));
                let ask = |op| binary(op, Type::I8, wide_a, wide_b).unwrap() as u8;
                assert_eq!(ask(BinaryOp::UAddSat), a.saturating_add(b));
                assert_eq!(ask(BinaryOp::USubSat), a.saturating_sub(b));
                let (sa, sb) = (a as i8, b as i8);
                assert_eq!(ask(BinaryOp::SAddSat) as i8, sa.saturating_add(sb));
                assert_eq!(ask(BinaryOp::SSubSat) as i8, sa.saturating_sub(sb));
                let check = |op| overflow(op, Type::I8, wide_a, wide_b);
                let (value, over) = sa.overflowing_mul(sb);
                assert_eq!(check(OverflowOp::SMul), (u128::from(value as u8), over));
                let (value, over) = a.overflowing_mul(b);
                assert_eq!(check(OverflowOp::UMul), (u128::from(value), over));
                let (value, over) = sa.overflowing_sub(sb);
                assert_eq!(check(OverflowOp::SSub), (u128::from(value as u8), over));
                let (value, over) = a.overflowing_sub(b);
                assert_eq!(check(OverflowOp::USub), (u128::from(value), over));
            }
        }
    }

    #[test]
    fn wide_overflow_is_seen() {
        let i128 = Type::I128;
        let (value, over) = overflow(OverflowOp::UAdd, i128, u128::MAX, 1);
        assert_eq!((value, over), (0, true));
        let (_, over) = overflow(OverflowOp::SMul, i128, i128::MAX as u128, 2);
        assert!(over);
    }

    #[test]
    fn funnel_shifts_join_two_words() {
        let i8 = Type::I8;
        assert_eq!(ternary(TernaryOp::FunnelShl, i8, 0x12, 0x34, 4), 0x23);
        assert_eq!(ternary(TernaryOp::FunnelShr, i8, 0x12, 0x34, 4), 0x23);
        assert_eq!(ternary(TernaryOp::FunnelShl, i8, 0x12, 0x34, 8), 0x12);
    }
}
