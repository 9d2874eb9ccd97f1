//! Operations on 32- and 64-bit floats as terms, bit for bit what [`crate::float`] computes.
//!
//! The term layer returns one canonical NaN where the machine keeps a payload: an
//! operation whose result is a NaN gives its first NaN operand, made quiet, or else the
//! processor's default NaN. So a result is `ite(is NaN, the machine's NaN, result)`.
//! What only computes or compares floats does not depend on which NaN it meets, so
//! [`Floats`] remembers the bare result and uses it there: conditions stay free of
//! payloads unless a program looks at the bits.

use crate::float::{DEFAULT_NAN_32, DEFAULT_NAN_64};
use expr::{ExprId, Rounding, Store, mask};
use program_ir::{BinaryOp, CastOp, FloatPredicate, UnaryOp};
use rustc_hash::FxHashMap;

/// Bits of the fraction.
fn fraction_bits(width: u32) -> u32 {
    if width == 32 { 23 } else { 52 }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Floats {
    /// From a result as the machine has it to the term layer's own.
    bare: FxHashMap<ExprId, ExprId>,
}

impl Floats {
    /// The operand of an operation that does not care which NaN it gets.
    fn bare(&self, a: ExprId) -> ExprId {
        self.bare.get(&a).copied().unwrap_or(a)
    }

    /// `result` with the NaN that the machine computes from `operands`.
    fn with_payload(&mut self, store: &mut Store, result: ExprId, operands: &[ExprId]) -> ExprId {
        let width = store.width(result);
        let default = if width == 32 {
            u64::from(DEFAULT_NAN_32)
        } else {
            DEFAULT_NAN_64
        };
        let mut nan = store.constant(u128::from(default), width);
        for &operand in operands.iter().rev() {
            let bare = self.bare(operand);
            let is_nan = store.is_nan(bare);
            let quiet = self.quiet(store, operand);
            nan = store.ite(is_nan, quiet, nan);
        }
        self.with_nan(store, result, nan)
    }

    fn with_nan(&mut self, store: &mut Store, result: ExprId, nan: ExprId) -> ExprId {
        let is_nan = store.is_nan(result);
        let whole = store.ite(is_nan, nan, result);
        if whole != result && !store.is_constant(whole) {
            self.bare.insert(whole, result);
        }
        whole
    }

    fn quiet(&self, store: &mut Store, a: ExprId) -> ExprId {
        let width = store.width(a);
        let bit = store.constant(1 << (fraction_bits(width) - 1), width);
        store.or(a, bit)
    }

    pub(super) fn unary(&mut self, store: &mut Store, op: UnaryOp, a: ExprId) -> ExprId {
        let bare = self.bare(a);
        let result = match op {
            UnaryOp::FNeg => return store.fneg(a),
            UnaryOp::FAbs => return store.fabs(a),
            UnaryOp::FSqrt => store.fsqrt(bare),
            UnaryOp::FFloor => store.fround(bare, Rounding::Down),
            UnaryOp::FCeil => store.fround(bare, Rounding::Up),
            UnaryOp::FTrunc => store.fround(bare, Rounding::TowardsZero),
            UnaryOp::FRoundEven => store.fround(bare, Rounding::NearestEven),
            UnaryOp::FRoundAway => store.fround(bare, Rounding::NearestAway),
            _ => unreachable!("integer operation"),
        };
        self.with_payload(store, result, &[a])
    }

    pub(super) fn binary(
        &mut self,
        store: &mut Store,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        let (x, y) = (self.bare(a), self.bare(b));
        let result = match op {
            BinaryOp::FAdd => store.fadd(x, y),
            BinaryOp::FSub => store.fsub(x, y),
            BinaryOp::FMul => store.fmul(x, y),
            BinaryOp::FDiv => store.fdiv(x, y),
            BinaryOp::FRem => store.frem(x, y),
            BinaryOp::FCopySign => return store.fcopysign(a, b),
            BinaryOp::FMinNum | BinaryOp::FMaxNum | BinaryOp::FMinimum | BinaryOp::FMaximum => {
                return self.smaller_or_larger(store, op, a, b);
            }
            _ => unreachable!("integer operation"),
        };
        self.with_payload(store, result, &[a, b])
    }

    fn smaller_or_larger(
        &mut self,
        store: &mut Store,
        op: BinaryOp,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        let (x, y) = (self.bare(a), self.bare(b));
        let smaller = matches!(op, BinaryOp::FMinNum | BinaryOp::FMinimum);
        let propagates = matches!(op, BinaryOp::FMinimum | BinaryOp::FMaximum);
        // Equal floats that differ are zeros: the negative one is the smaller.
        let equal = store.feq(x, y);
        let negative = store.sign_bit(a);
        let first_if_equal = if smaller {
            negative
        } else {
            store.not(negative)
        };
        let first = if smaller {
            store.flt(x, y)
        } else {
            store.flt(y, x)
        };
        let tie = store.ite(equal, first_if_equal, first);
        let ordered = store.ite(tie, a, b);
        let (a_nan, b_nan) = (store.is_nan(x), store.is_nan(y));
        let (if_a, if_b) = if propagates { (a, b) } else { (b, a) };
        let second = store.ite(b_nan, if_b, ordered);
        store.ite(a_nan, if_a, second)
    }

    pub(super) fn mul_add(&mut self, store: &mut Store, [a, b, c]: [ExprId; 3]) -> ExprId {
        let [x, y, z] = [a, b, c].map(|operand| self.bare(operand));
        let result = store.ffma(x, y, z);
        self.with_payload(store, result, &[a, b, c])
    }

    pub(super) fn compare(
        &mut self,
        store: &mut Store,
        predicate: FloatPredicate,
        a: ExprId,
        b: ExprId,
    ) -> ExprId {
        use FloatPredicate::*;
        let (a, b) = (self.bare(a), self.bare(b));
        let (ordered, or_unordered) = match predicate {
            Ord => {
                let unordered = store.unordered(a, b);
                return store.not(unordered);
            }
            Uno => return store.unordered(a, b),
            Oeq => (store.feq(a, b), false),
            Ueq => (store.feq(a, b), true),
            Ogt => (store.flt(b, a), false),
            Ugt => (store.flt(b, a), true),
            Oge => (store.fle(b, a), false),
            Uge => (store.fle(b, a), true),
            Olt => (store.flt(a, b), false),
            Ult => (store.flt(a, b), true),
            Ole => (store.fle(a, b), false),
            Ule => (store.fle(a, b), true),
            // Not equal is false of NaNs when ordered, and the plain negation otherwise.
            One => {
                let (less, greater) = (store.flt(a, b), store.flt(b, a));
                return store.or(less, greater);
            }
            Une => {
                let equal = store.feq(a, b);
                return store.not(equal);
            }
        };
        if !or_unordered {
            return ordered;
        }
        let unordered = store.unordered(a, b);
        store.or(ordered, unordered)
    }

    /// A conversion from or to a 32- or 64-bit float, to `width` bits.
    pub(super) fn cast(&mut self, store: &mut Store, op: CastOp, width: u32, a: ExprId) -> ExprId {
        let bare = self.bare(a);
        match op {
            CastOp::FloatTruncate | CastOp::FloatExtend => self.convert(store, width, a),
            CastOp::SignedToFloat => store.signed_to_float(a, width),
            CastOp::UnsignedToFloat => store.unsigned_to_float(a, width),
            CastOp::FloatToSignedSaturating => store.float_to_signed(bare, width),
            CastOp::FloatToUnsignedSaturating => store.float_to_unsigned(bare, width),
            CastOp::FloatToSigned => match width {
                ..=32 => self.to_signed(store, 32, width, bare),
                33..=64 => self.to_signed(store, 64, width, bare),
                _ => store.float_to_signed(bare, width),
            },
            CastOp::FloatToUnsigned => match width {
                ..32 => self.to_signed(store, 32, width, bare),
                32..64 => self.to_signed(store, 64, width, bare),
                64 => {
                    // Compilers convert in two ranges: below 2^63, and from there to 2^64.
                    let low = self.to_signed(store, 64, 64, bare);
                    let (half, whole) = (power(store, bare, 63), power(store, bare, 64));
                    let (above, below) = (store.fle(half, bare), store.flt(bare, whole));
                    let upper = store.and(above, below);
                    let high = store.float_to_unsigned(bare, 64);
                    store.ite(upper, high, low)
                }
                _ => store.float_to_unsigned(bare, width),
            },
            _ => unreachable!("integer conversion"),
        }
    }

    /// The processor converts to `size` bits and gives the smallest number for what does
    /// not fit; `width` bits of that count.
    fn to_signed(&self, store: &mut Store, size: u32, width: u32, a: ExprId) -> ExprId {
        let limit = power(store, a, size - 1);
        let (nan, large) = (store.is_nan(a), store.fle(limit, a));
        let does_not_fit = store.or(nan, large);
        let indefinite = store.constant(1 << (size - 1), size);
        let fitting = store.float_to_signed(a, size);
        let result = store.ite(does_not_fit, indefinite, fitting);
        store.trunc(result, width)
    }

    /// Between the two formats. A NaN keeps its sign and the upper end of its payload.
    fn convert(&mut self, store: &mut Store, width: u32, a: ExprId) -> ExprId {
        let from = store.width(a);
        if from == width {
            return a;
        }
        let bare = self.bare(a);
        let result = store.fconvert(bare, width);
        let quiet = self.quiet(store, a);
        let sign = store.sign_bit(quiet);
        let exponent_bits = width - 1 - fraction_bits(width);
        let exponent = store.constant(mask(exponent_bits), exponent_bits);
        let fraction = if width > from {
            let fraction = store.trunc(quiet, fraction_bits(from));
            let more = fraction_bits(width) - fraction_bits(from);
            let zeros = store.constant(0, more);
            store.concat(fraction, zeros)
        } else {
            let lost = fraction_bits(from) - fraction_bits(width);
            store.extract(quiet, lost, fraction_bits(width))
        };
        let tail = store.concat(exponent, fraction);
        let nan = store.concat(sign, tail);
        self.with_nan(store, result, nan)
    }
}

/// LLVM's `is.fpclass`.
pub(super) fn class(store: &mut Store, classes: u16, a: ExprId) -> ExprId {
    let width = store.width(a);
    let fraction_bits = fraction_bits(width);
    let fraction = store.trunc(a, fraction_bits);
    let exponent = store.extract(a, fraction_bits, width - 1 - fraction_bits);
    let negative = store.sign_bit(a);
    let exponent_bits = store.width(exponent);
    let all_ones = store.constant(mask(exponent_bits), exponent_bits);
    let zero_exponent = store.constant(0, exponent_bits);
    let zero_fraction = store.constant(0, fraction_bits);
    let special = store.eq(exponent, all_ones);
    let small = store.eq(exponent, zero_exponent);
    let no_fraction = store.eq(fraction, zero_fraction);
    let some_fraction = store.not(no_fraction);
    let quiet = store.extract(a, fraction_bits - 1, 1);
    let signaling = store.not(quiet);
    let nan = store.and(special, some_fraction);
    let infinity = store.and(special, no_fraction);
    let zero = store.and(small, no_fraction);
    let subnormal = store.and(small, some_fraction);
    let unusual = store.or(special, small);
    let normal = store.not(unusual);
    let positive = store.not(negative);
    let by_bit = [
        (nan, signaling),
        (nan, quiet),
        (infinity, negative),
        (normal, negative),
        (subnormal, negative),
        (zero, negative),
        (zero, positive),
        (subnormal, positive),
        (normal, positive),
        (infinity, positive),
    ];
    let mut result = store.truth(false);
    for (bit, (kind, side)) in by_bit.into_iter().enumerate() {
        if classes >> bit & 1 == 1 {
            let member = store.and(kind, side);
            result = store.or(result, member);
        }
    }
    result
}

/// The float 2^`exponent` in the format of `like`.
fn power(store: &mut Store, like: ExprId, exponent: u32) -> ExprId {
    let width = store.width(like);
    let bits = if width == 32 {
        u128::from(2f32.powi(exponent as i32).to_bits())
    } else {
        u128::from(2f64.powi(exponent as i32).to_bits())
    };
    store.constant(bits, width)
}
