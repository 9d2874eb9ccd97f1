//! Floating point, as bits.
//!
//! `f32` and `f64` use the host's instructions, which are IEEE 754 with
//! round-to-nearest. Which NaN an operation returns is fixed here, as x86-64 does it, so
//! that it depends neither on the host nor on the order in which a compiler puts
//! operands: the first operand that is a NaN, made quiet, or else the default NaN.
//!
//! x87 `long double`, `f16` and `f128` use `rustc_apfloat`, which is bit-exact for numbers;
//! NaNs are chosen here too. Of several NaNs the x87 takes the one with the largest
//! significand, and so does the compiler's library for `f128`.

use expr::{mask, signed};
use program_ir::{BinaryOp, FloatPredicate, Type, UnaryOp};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, FloatConvert, Round};
use std::cmp::Ordering;

/// There is no square root for this format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NoSquareRoot;

/// Runs `$body` with `$float` naming the software format of `$ty`.
macro_rules! with_format {
    ($ty:expr, $float:ident => $body:expr) => {
        match $ty {
            Type::F16 => {
                type $float = Half;
                $body
            }
            Type::F32 => {
                type $float = Single;
                $body
            }
            Type::F64 => {
                type $float = Double;
                $body
            }
            Type::F80 => {
                type $float = X87DoubleExtended;
                $body
            }
            Type::F128 => {
                type $float = Quad;
                $body
            }
            other => unreachable!("{other} is not a float"),
        }
    };
}

/// What an invalid operation returns on x86-64: quiet, negative, no payload.
pub(crate) const DEFAULT_NAN_32: u32 = 0xffc0_0000;
pub(crate) const DEFAULT_NAN_64: u64 = 0xfff8_0000_0000_0000;

/// The bits of a result, with the NaN that belongs to its operands.
#[inline(always)]
pub(crate) fn result64(result: f64, operands: &[u64]) -> u64 {
    if result.is_nan() {
        nan64(operands)
    } else {
        result.to_bits()
    }
}

#[cold]
fn nan64(operands: &[u64]) -> u64 {
    let nan = operands.iter().find(|&&bits| f64::from_bits(bits).is_nan());
    nan.map_or(DEFAULT_NAN_64, |bits| bits | 1 << 51)
}

fn result32(result: f32, operands: &[u128]) -> u128 {
    if !result.is_nan() {
        return bits32(result);
    }
    let nan = operands.iter().find(|&&bits| f32_of(bits).is_nan());
    nan.map_or(u128::from(DEFAULT_NAN_32), |bits| bits | 1 << 22)
}

/// The bits of a result in a format that the host does not have, with the NaN that belongs
/// to its operands.
fn soft_result<F: Float>(ty: Type, result: F, operands: &[u128]) -> u128 {
    if !result.is_nan() {
        return result.to_bits();
    }
    let layout = NanLayout::of(ty);
    // Without its leading one, an x87 "NaN" is no valid operand.
    let mut nans = operands.iter().filter(|&&bits| {
        F::from_bits(bits).is_nan() && bits & layout.leading_one == layout.leading_one
    });
    let significand = |bits: u128| bits & ((1 << layout.fraction) - 1);
    let positive = |bits: u128| bits & layout.sign == 0;
    let nan = match ty {
        Type::F16 => nans.next(),
        _ => nans.max_by_key(|&&bits| (significand(bits), positive(bits))),
    };
    match nan {
        Some(bits) => bits | layout.quiet(),
        None => layout.sign | layout.infinity | layout.quiet(),
    }
}

/// Where the parts of a format's NaNs are.
struct NanLayout {
    sign: u128,
    /// Bits of the fraction, the leading one not counted. The first one makes a NaN quiet.
    fraction: u32,
    /// The bits of infinity: all of the exponent, and a leading one where it is explicit.
    infinity: u128,
    /// The leading one, where the format has it explicitly; else 0.
    leading_one: u128,
}

impl NanLayout {
    fn of(ty: Type) -> NanLayout {
        let fraction = match ty {
            Type::F16 => 10,
            Type::F32 => 23,
            Type::F64 => 52,
            Type::F80 => 63,
            Type::F128 => 112,
            other => unreachable!("{other} is not a float"),
        };
        let sign = 1 << (ty.bits() - 1);
        NanLayout {
            sign,
            fraction,
            infinity: sign - (1 << fraction),
            leading_one: if ty == Type::F80 { 1 << fraction } else { 0 },
        }
    }

    fn quiet(&self) -> u128 {
        1 << (self.fraction - 1)
    }
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

fn bits32(value: f32) -> u128 {
    u128::from(value.to_bits())
}

fn bits64(value: f64) -> u128 {
    u128::from(value.to_bits())
}

pub(crate) fn unary(op: UnaryOp, ty: Type, a: u128) -> Result<u128, NoSquareRoot> {
    let sign = 1u128 << (ty.bits() - 1);
    match op {
        UnaryOp::FNeg => return Ok(a ^ sign),
        UnaryOp::FAbs => return Ok(a & !sign),
        _ => {}
    }
    Ok(match ty {
        Type::F32 => {
            let value = f32_of(a);
            let result = match op {
                UnaryOp::FSqrt => value.sqrt(),
                UnaryOp::FFloor => value.floor(),
                UnaryOp::FCeil => value.ceil(),
                UnaryOp::FTrunc => value.trunc(),
                UnaryOp::FRoundEven => value.round_ties_even(),
                UnaryOp::FRoundAway => value.round(),
                _ => unreachable!("integer operation"),
            };
            result32(result, &[a])
        }
        Type::F64 => {
            let value = f64_of(a);
            let result = match op {
                UnaryOp::FSqrt => value.sqrt(),
                UnaryOp::FFloor => value.floor(),
                UnaryOp::FCeil => value.ceil(),
                UnaryOp::FTrunc => value.trunc(),
                UnaryOp::FRoundEven => value.round_ties_even(),
                UnaryOp::FRoundAway => value.round(),
                _ => unreachable!("integer operation"),
            };
            u128::from(result64(result, &[a as u64]))
        }
        _ => {
            let mode = match op {
                UnaryOp::FSqrt if ty == Type::F80 => return Ok(square_root_x87(a)),
                UnaryOp::FSqrt => return Err(NoSquareRoot),
                UnaryOp::FFloor => Round::TowardNegative,
                UnaryOp::FCeil => Round::TowardPositive,
                UnaryOp::FTrunc => Round::TowardZero,
                UnaryOp::FRoundEven => Round::NearestTiesToEven,
                UnaryOp::FRoundAway => Round::NearestTiesToAway,
                _ => unreachable!("integer operation"),
            };
            with_format!(ty, F => {
                let result = F::from_bits(a).round_to_integral(mode).value;
                soft_result(ty, result, &[a])
            })
        }
    })
}

pub(crate) fn binary(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    let sign = 1u128 << (ty.bits() - 1);
    match op {
        BinaryOp::FCopySign => return (a & !sign) | (b & sign),
        BinaryOp::FMinNum | BinaryOp::FMaxNum | BinaryOp::FMinimum | BinaryOp::FMaximum => {
            return smaller_or_larger(op, ty, a, b);
        }
        _ => {}
    }
    match ty {
        Type::F32 => {
            let (x, y) = (f32_of(a), f32_of(b));
            let result = match op {
                BinaryOp::FAdd => x + y,
                BinaryOp::FSub => x - y,
                BinaryOp::FMul => x * y,
                BinaryOp::FDiv => x / y,
                BinaryOp::FRem => x % y,
                _ => unreachable!("integer operation"),
            };
            result32(result, &[a, b])
        }
        Type::F64 => {
            let (x, y) = (f64_of(a), f64_of(b));
            let result = match op {
                BinaryOp::FAdd => x + y,
                BinaryOp::FSub => x - y,
                BinaryOp::FMul => x * y,
                BinaryOp::FDiv => x / y,
                BinaryOp::FRem => x % y,
                _ => unreachable!("integer operation"),
            };
            u128::from(result64(result, &[a as u64, b as u64]))
        }
        _ => with_format!(ty, F => {
            let (x, y) = (F::from_bits(a), F::from_bits(b));
            let result = match op {
                BinaryOp::FAdd => x + y,
                BinaryOp::FSub => x - y,
                BinaryOp::FMul => x * y,
                BinaryOp::FDiv => x / y,
                BinaryOp::FRem => x % y,
                _ => unreachable!("integer operation"),
            };
            soft_result(ty, result.value, &[a, b])
        }),
    }
}

fn smaller_or_larger(op: BinaryOp, ty: Type, a: u128, b: u128) -> u128 {
    let sign = 1u128 << (ty.bits() - 1);
    let propagates = matches!(op, BinaryOp::FMinimum | BinaryOp::FMaximum);
    let want = match op {
        BinaryOp::FMinNum | BinaryOp::FMinimum => Ordering::Less,
        _ => Ordering::Greater,
    };
    if is_nan(ty, a) {
        return if propagates { a } else { b };
    }
    if is_nan(ty, b) {
        return if propagates { b } else { a };
    }
    match order(ty, a, b) {
        Some(Ordering::Equal) => {
            // Only zeros can be equal and differ: −0 is the smaller one.
            let negative_first = a & sign != 0;
            if (want == Ordering::Less) == negative_first {
                a
            } else {
                b
            }
        }
        Some(found) if found == want => a,
        _ => b,
    }
}

pub(crate) fn mul_add(ty: Type, a: u128, b: u128, c: u128) -> u128 {
    match ty {
        Type::F32 => result32(f32_of(a).mul_add(f32_of(b), f32_of(c)), &[a, b, c]),
        Type::F64 => {
            let result = f64_of(a).mul_add(f64_of(b), f64_of(c));
            u128::from(result64(result, &[a as u64, b as u64, c as u64]))
        }
        _ => with_format!(ty, F => {
            let result = F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c));
            soft_result(ty, result.value, &[a, b, c])
        }),
    }
}

fn order(ty: Type, a: u128, b: u128) -> Option<Ordering> {
    match ty {
        Type::F32 => f32_of(a).partial_cmp(&f32_of(b)),
        Type::F64 => f64_of(a).partial_cmp(&f64_of(b)),
        _ => with_format!(ty, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

fn is_nan(ty: Type, a: u128) -> bool {
    order(ty, a, a).is_none()
}

pub(crate) fn compare(predicate: FloatPredicate, ty: Type, a: u128, b: u128) -> bool {
    holds(predicate, order(ty, a, b))
}

/// Whether `predicate` holds of operands in this order (`None`: one is a NaN).
#[inline]
pub(crate) fn holds(predicate: FloatPredicate, order: Option<Ordering>) -> bool {
    use FloatPredicate::*;
    use Ordering::*;
    match (predicate, order) {
        (Ord, order) => order.is_some(),
        (Uno, order) => order.is_none(),
        (Ueq | Ugt | Uge | Ult | Ule | Une, None) => true,
        (_, None) => false,
        (Oeq | Ueq, Some(order)) => order == Equal,
        (One | Une, Some(order)) => order != Equal,
        (Ogt | Ugt, Some(order)) => order == Greater,
        (Oge | Uge, Some(order)) => order != Less,
        (Olt | Ult, Some(order)) => order == Less,
        (Ole | Ule, Some(order)) => order != Greater,
    }
}

/// Whether the float is in one of the classes of LLVM's `is.fpclass` mask.
pub(crate) fn class(ty: Type, mask: u16, a: u128) -> bool {
    let index = with_format!(ty, F => {
        let value = F::from_bits(a);
        let negative = value.is_negative();
        match value.category() {
            Category::NaN if value.is_signaling() => 0,
            Category::NaN => 1,
            Category::Infinity if negative => 2,
            Category::Infinity => 9,
            Category::Zero if negative => 5,
            Category::Zero => 6,
            Category::Normal if value.is_denormal() => if negative { 4 } else { 7 },
            Category::Normal => if negative { 3 } else { 8 },
        }
    });
    mask >> index & 1 == 1
}

pub(crate) fn convert(from: Type, to: Type, a: u128) -> u128 {
    if from == to {
        return a;
    }
    if is_nan(from, a) {
        return convert_nan(from, to, a);
    }
    match (from, to) {
        (Type::F32, Type::F64) => bits64(f64::from(f32_of(a))),
        (Type::F64, Type::F32) => bits32(f64_of(a) as f32),
        _ => {
            let mut loses = false;
            with_format!(from, From => with_format!(to, To => {
                let source = From::from_bits(a);
                convert_between::<From, To>(source, &mut loses)
            }))
        }
    }
}

/// A NaN keeps its sign and the first bits of its payload, and becomes quiet.
#[cold]
fn convert_nan(from: Type, to: Type, a: u128) -> u128 {
    let (from, to) = (NanLayout::of(from), NanLayout::of(to));
    if a & from.leading_one != from.leading_one {
        return to.sign | to.infinity | to.quiet();
    }
    let payload = a & ((1 << from.fraction) - 1);
    let payload = if to.fraction >= from.fraction {
        payload << (to.fraction - from.fraction)
    } else {
        payload >> (from.fraction - to.fraction)
    };
    let sign = if a & from.sign != 0 { to.sign } else { 0 };
    sign | to.infinity | to.quiet() | payload
}

fn convert_between<A: Float + FloatConvert<B>, B: Float>(value: A, loses: &mut bool) -> u128 {
    FloatConvert::<B>::convert(value, loses).value.to_bits()
}

/// The processor converts to 32 or 64 bits; what does not fit gives the smallest
/// number of that size.
pub(crate) fn to_signed(from: Type, width: u32, a: u128) -> u128 {
    let size = if width <= 32 {
        32
    } else if width <= 64 {
        64
    } else {
        return to_signed_saturating(from, width, a);
    };
    match to_integer(from, a) {
        Some(value) if signed(value as u128, size) == value => value as u128 & mask(width),
        _ => (1u128 << (size - 1)) & mask(width),
    }
}

pub(crate) fn to_unsigned(from: Type, width: u32, a: u128) -> u128 {
    if width < 32 {
        return to_signed(from, 32, a) & mask(width);
    }
    if width < 64 {
        return to_signed(from, 64, a) & mask(width);
    }
    if width > 64 {
        return to_unsigned_saturating(from, width, a);
    }
    // Compilers convert the value and the value less 2^63, and combine them.
    let low = to_signed(from, 64, a) as u64;
    let high = match to_integer(from, a) {
        Some(value) => match i64::try_from(value - (1 << 63)) {
            Ok(value) => value as u64,
            Err(_) => 1 << 63,
        },
        None => 1 << 63,
    };
    u128::from(low | (high & ((low as i64 >> 63) as u64)))
}

/// The integral part, if it has a 128-bit one.
fn to_integer(from: Type, a: u128) -> Option<i128> {
    with_format!(from, F => {
        let mut exact = false;
        let result = F::from_bits(a).to_i128_r(128, Round::TowardZero, &mut exact);
        (!result.status.contains(rustc_apfloat::Status::INVALID_OP)).then_some(result.value)
    })
}

pub(crate) fn to_signed_saturating(from: Type, width: u32, a: u128) -> u128 {
    with_format!(from, F => {
        let value = F::from_bits(a);
        if value.is_nan() {
            return 0;
        }
        let mut exact = false;
        // The library knows no signed integer of one bit, which holds 0 and −1.
        let wide = value.to_i128_r(width.max(2) as usize, Round::TowardZero, &mut exact);
        let value = if width == 1 {
            wide.value.clamp(-1, 0)
        } else {
            wide.value
        };
        value as u128 & mask(width)
    })
}

pub(crate) fn to_unsigned_saturating(from: Type, width: u32, a: u128) -> u128 {
    with_format!(from, F => {
        let value = F::from_bits(a);
        if value.is_nan() {
            return 0;
        }
        let mut exact = false;
        value.to_u128_r(width as usize, Round::TowardZero, &mut exact).value
    })
}

pub(crate) fn from_signed(to: Type, value: i128) -> u128 {
    match to {
        Type::F32 => bits32(value as f32),
        Type::F64 => bits64(value as f64),
        _ => with_format!(to, F => F::from_i128(value).value.to_bits()),
    }
}

pub(crate) fn from_unsigned(to: Type, value: u128) -> u128 {
    match to {
        Type::F32 => bits32(value as f32),
        Type::F64 => bits64(value as f64),
        _ => with_format!(to, F => F::from_u128(value).value.to_bits()),
    }
}

/// Correctly rounded square root of an x87 number: 64-bit mantissa with an explicit
/// leading one, 15-bit exponent with bias 16383.
fn square_root_x87(bits: u128) -> u128 {
    let value = X87DoubleExtended::from_bits(bits);
    if value.is_nan() || value.is_zero() || value.is_pos_infinity() {
        return soft_result(Type::F80, value, &[bits]);
    }
    if value.is_negative() {
        return soft_result(Type::F80, X87DoubleExtended::NAN, &[]);
    }
    let mut mantissa = bits as u64;
    let mut exponent = i32::from((bits >> 64) as u16 & 0x7fff).max(1) - 16383;
    let shift = mantissa.leading_zeros();
    mantissa <<= shift;
    exponent -= shift as i32;
    // value = mantissa · 2^(exponent − 63); make the exponent even.
    let odd = exponent.rem_euclid(2);
    let radicand = u128::from(mantissa) << (63 + odd);
    let mut root = radicand.isqrt();
    if radicand - root * root > root {
        root += 1;
    }
    // The root of a number in [1, 4) is in [1, 2), and rounding cannot reach 2.
    let exponent = (exponent - odd) / 2 + 16383;
    (exponent as u128) << 64 | root
}

#[cfg(test)]
mod tests {
    use super::*;

    fn x87(value: f64) -> u128 {
        convert(Type::F64, Type::F80, bits64(value))
    }

    #[test]
    fn x87_square_roots_of_squares_are_exact() {
        for n in [0.0, 1.0, 2.0, 3.0, 0.5, 1e10, 12345.0, 1e-10] {
            let square = binary(BinaryOp::FMul, Type::F80, x87(n), x87(n));
            assert_eq!(unary(UnaryOp::FSqrt, Type::F80, square), Ok(x87(n)), "{n}");
        }
        assert!(is_nan(
            Type::F80,
            unary(UnaryOp::FSqrt, Type::F80, x87(-1.0)).unwrap()
        ));
    }

    #[test]
    fn x87_square_root_is_the_nearest() {
        for n in 2..2000u32 {
            let root = unary(UnaryOp::FSqrt, Type::F80, x87(f64::from(n))).unwrap();
            if root as u64 == 1 << 63 {
                continue; // A power of two: its neighbour below has another exponent.
            }
            // (root ± half an ulp)² must enclose n: check in 128-bit precision.
            let wide = |bits| Quad::from_bits(convert(Type::F80, Type::F128, bits));
            let n = Quad::from_u128(u128::from(n)).value;
            let half = |bits: u128| {
                let next = wide(bits + 1);
                ((wide(bits) + next).value / Quad::from_u128(2).value).value
            };
            let above = half(root);
            let below = half(root - 1);
            assert!((above * above).value >= n && (below * below).value <= n);
        }
    }

    const DEFAULT_NAN_80: u128 = 0xffff_c000_0000_0000_0000;

    /// With the leading one and an explicit payload.
    fn x87_nan(negative: bool, payload: u64) -> u128 {
        let sign = if negative { 0x8000 } else { 0 };
        (sign | 0x7fff) << 64 | u128::from(payload | 1 << 63)
    }

    #[test]
    fn invalid_x87_operations_give_the_default_nan() {
        let (zero, one, infinity) = (x87(0.0), x87(1.0), x87(f64::INFINITY));
        for (op, a, b) in [
            (BinaryOp::FDiv, zero, zero),
            (BinaryOp::FDiv, infinity, infinity),
            (BinaryOp::FSub, infinity, infinity),
            (BinaryOp::FAdd, infinity, x87(f64::NEG_INFINITY)),
            (BinaryOp::FMul, zero, infinity),
            (BinaryOp::FRem, one, zero),
            (BinaryOp::FRem, infinity, one),
        ] {
            assert_eq!(binary(op, Type::F80, a, b), DEFAULT_NAN_80, "{op:?}");
        }
        assert_eq!(mul_add(Type::F80, zero, infinity, one), DEFAULT_NAN_80);
        assert_eq!(
            unary(UnaryOp::FSqrt, Type::F80, x87(-1.0)),
            Ok(DEFAULT_NAN_80)
        );
        let narrow = convert(Type::F80, Type::F64, DEFAULT_NAN_80);
        assert_eq!(narrow, u128::from(DEFAULT_NAN_64));
        assert_eq!(convert(Type::F64, Type::F80, narrow), DEFAULT_NAN_80);
        assert_eq!(
            convert(Type::F80, Type::F32, DEFAULT_NAN_80),
            u128::from(DEFAULT_NAN_32)
        );
    }

    #[test]
    fn x87_operations_pass_nans_on_quiet() {
        let quiet = 1 << 62;
        let signaling = x87_nan(true, 7);
        for op in [
            BinaryOp::FAdd,
            BinaryOp::FSub,
            BinaryOp::FMul,
            BinaryOp::FDiv,
            BinaryOp::FRem,
        ] {
            for (a, b) in [(signaling, x87(1.0)), (x87(1.0), signaling)] {
                assert_eq!(binary(op, Type::F80, a, b), signaling | quiet, "{op:?}");
            }
        }
        for op in [UnaryOp::FSqrt, UnaryOp::FFloor, UnaryOp::FRoundEven] {
            let result = unary(op, Type::F80, signaling);
            assert_eq!(result, Ok(signaling | quiet), "{op:?}");
        }
        // Of two the larger significand, of equal ones the positive.
        let larger = x87_nan(false, 1 << 62 | 9);
        for (a, b) in [(signaling, larger), (larger, signaling)] {
            assert_eq!(binary(BinaryOp::FAdd, Type::F80, a, b), larger);
        }
        let opposite = x87_nan(false, 7);
        assert_eq!(
            binary(BinaryOp::FMul, Type::F80, signaling, opposite),
            opposite | quiet
        );
        // Without its leading one it is no valid number.
        let pseudo = 0x7fff << 64 | 7;
        assert_eq!(
            binary(BinaryOp::FAdd, Type::F80, pseudo, x87(1.0)),
            DEFAULT_NAN_80
        );
    }

    #[test]
    fn converted_nans_keep_sign_and_payload() {
        let wide = convert(Type::F64, Type::F80, 0xfff0_0000_0000_0800);
        assert_eq!(wide, x87_nan(true, 1 << 62 | 0x800 << 11));
        assert_eq!(convert(Type::F80, Type::F64, wide), 0xfff8_0000_0000_0800);
        assert_eq!(
            convert(Type::F32, Type::F64, 0x7f80_0001),
            0x7ff8_0000_2000_0000
        );
        assert_eq!(
            convert(Type::F64, Type::F32, 0xfff0_0000_2000_0000),
            0xffc0_0001
        );
    }

    #[test]
    fn conversions_that_do_not_fit_are_the_processors() {
        let nan = bits64(f64::NAN);
        assert_eq!(to_signed(Type::F64, 32, nan), 0x8000_0000);
        assert_eq!(to_signed(Type::F64, 64, bits64(1e30)), 1 << 63);
        assert_eq!(to_unsigned(Type::F64, 8, bits64(300.0)), 300 & 0xff);
        assert_eq!(
            to_unsigned(Type::F64, 64, bits64(-1.0)),
            u128::from(u64::MAX)
        );
        assert_eq!(
            to_unsigned(Type::F64, 64, bits64(1.2e19)),
            12_000_000_000_000_000_000
        );
        assert_eq!(to_signed_saturating(Type::F64, 8, bits64(1e9)), 127);
        assert_eq!(to_unsigned_saturating(Type::F64, 8, bits64(-5.0)), 0);
    }

    #[test]
    fn minimum_orders_zeros_and_passes_nans_on() {
        let (minus, plus, nan) = (bits64(-0.0), bits64(0.0), bits64(f64::NAN));
        for (a, b) in [(minus, plus), (plus, minus)] {
            assert_eq!(binary(BinaryOp::FMinimum, Type::F64, a, b), minus);
            assert_eq!(binary(BinaryOp::FMaximum, Type::F64, a, b), plus);
        }
        assert_eq!(binary(BinaryOp::FMinNum, Type::F64, nan, plus), plus);
        assert_eq!(binary(BinaryOp::FMinimum, Type::F64, nan, plus), nan);
    }

    #[test]
    fn classes_are_llvms() {
        let classes: Vec<u16> = [f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY]
            .into_iter()
            .map(|value| {
                (0..10)
                    .filter(|bit| class(Type::F64, 1 << bit, bits64(value)))
                    .sum()
            })
            .collect();
        assert_eq!(classes, [2, 3, 5, 6, 8, 9]);
    }
}
