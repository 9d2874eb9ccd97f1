//! Integer operations as terms, with the meaning that [`crate::eval`] gives them.
//!
//! Division is total here as it is in SMT-LIB: the caller has put "the divisor is not
//! zero" on the path.

use expr::{ExprId, Store, mask};
use program_ir::{BinaryOp, IntPredicate, OverflowOp, TernaryOp, UnaryOp};

pub fn binary(store: &mut Store, op: BinaryOp, width: u32, a: ExprId, b: ExprId) -> ExprId {
    match op {
        BinaryOp::Add => store.add(a, b),
        BinaryOp::Sub => store.sub(a, b),
        BinaryOp::Mul => store.mul(a, b),
        BinaryOp::UDiv => store.udiv(a, b),
        BinaryOp::SDiv => store.sdiv(a, b),
        BinaryOp::URem => store.urem(a, b),
        BinaryOp::SRem => store.srem(a, b),
        BinaryOp::And => store.and(a, b),
        BinaryOp::Or => store.or(a, b),
        BinaryOp::Xor => store.xor(a, b),
        BinaryOp::Shl => {
            let amount = shift_amount(store, width, b);
            store.shl(a, amount)
        }
        BinaryOp::LShr => {
            let amount = shift_amount(store, width, b);
            store.lshr(a, amount)
        }
        BinaryOp::AShr => {
            let amount = shift_amount(store, width, b);
            store.ashr(a, amount)
        }
        BinaryOp::UMin => choose(store, Store::ult, a, b, (a, b)),
        BinaryOp::UMax => choose(store, Store::ult, a, b, (b, a)),
        BinaryOp::SMin => choose(store, Store::slt, a, b, (a, b)),
        BinaryOp::SMax => choose(store, Store::slt, a, b, (b, a)),
        BinaryOp::UAddSat => {
            let over = store.add_overflows_unsigned(a, b);
            let (sum, most) = (store.add(a, b), store.constant(mask(width), width));
            store.ite(over, most, sum)
        }
        BinaryOp::USubSat => {
            let under = store.sub_overflows_unsigned(a, b);
            let (difference, zero) = (store.sub(a, b), store.constant(0, width));
            store.ite(under, zero, difference)
        }
        BinaryOp::SAddSat => {
            let over = store.add_overflows_signed(a, b);
            let sum = store.add(a, b);
            saturate(store, width, over, a, sum)
        }
        BinaryOp::SSubSat => {
            let over = store.sub_overflows_signed(a, b);
            let difference = store.sub(a, b);
            saturate(store, width, over, a, difference)
        }
        BinaryOp::UShlSat => {
            let amount = shift_amount(store, width, b);
            let shifted = store.shl(a, amount);
            let back = store.lshr(shifted, amount);
            let (kept, most) = (store.eq(back, a), store.constant(mask(width), width));
            store.ite(kept, shifted, most)
        }
        BinaryOp::SShlSat => {
            let amount = shift_amount(store, width, b);
            let shifted = store.shl(a, amount);
            let back = store.ashr(shifted, amount);
            let lost = store.ne(back, a);
            saturate(store, width, lost, a, shifted)
        }
        _ => unreachable!("float operation"),
    }
}

/// The processor takes shift amounts modulo its register size: 32, 64 or 128 bits.
fn shift_amount(store: &mut Store, width: u32, amount: ExprId) -> ExprId {
    let limit = match width {
        ..=32 => 31,
        33..=64 => 63,
        _ => 127,
    };
    let limit = store.constant(limit, width);
    store.and(amount, limit)
}

fn choose(
    store: &mut Store,
    less: impl Fn(&mut Store, ExprId, ExprId) -> ExprId,
    a: ExprId,
    b: ExprId,
    (if_less, otherwise): (ExprId, ExprId),
) -> ExprId {
    let condition = less(store, a, b);
    store.ite(condition, if_less, otherwise)
}

/// `value`, or the extreme number with the sign of `sign_of` if it does not fit.
fn saturate(
    store: &mut Store,
    width: u32,
    does_not_fit: ExprId,
    sign_of: ExprId,
    value: ExprId,
) -> ExprId {
    let smallest = store.constant(1 << (width - 1), width);
    let largest = store.constant(mask(width - 1), width);
    let negative = store.sign_bit(sign_of);
    let extreme = store.ite(negative, smallest, largest);
    store.ite(does_not_fit, extreme, value)
}

/// A signed division whose result does not fit: the smallest number by −1.
pub fn division_overflows(store: &mut Store, width: u32, a: ExprId, b: ExprId) -> ExprId {
    let smallest = store.constant(1 << (width - 1), width);
    let minus_one = store.constant(mask(width), width);
    let (extreme, negated) = (store.eq(a, smallest), store.eq(b, minus_one));
    store.and(extreme, negated)
}

pub fn unary(store: &mut Store, op: UnaryOp, a: ExprId) -> ExprId {
    match op {
        UnaryOp::CountOnes => store.popcount(a),
        UnaryOp::LeadingZeros | UnaryOp::LeadingZerosOfNonzero => store.count_leading_zeros(a),
        UnaryOp::TrailingZeros | UnaryOp::TrailingZerosOfNonzero => store.count_trailing_zeros(a),
        UnaryOp::ByteSwap => reversed(store, a, 8),
        UnaryOp::BitReverse => reversed(store, a, 1),
        UnaryOp::Abs => {
            let negative = store.sign_bit(a);
            let negated = store.neg(a);
            store.ite(negative, negated, a)
        }
        _ => unreachable!("float operation"),
    }
}

/// The parts of `size` bits in opposite order.
fn reversed(store: &mut Store, a: ExprId, size: u32) -> ExprId {
    let count = store.width(a) / size;
    let mut result = store.extract(a, 0, size);
    for index in 1..count {
        let part = store.extract(a, index * size, size);
        result = store.concat(result, part);
    }
    result
}

pub fn ternary(store: &mut Store, op: TernaryOp, width: u32, [a, b, c]: [ExprId; 3]) -> ExprId {
    match op {
        TernaryOp::Select => store.ite(a, b, c),
        TernaryOp::FunnelShl | TernaryOp::FunnelShr => {
            // A shift by the whole width gives 0, so an amount of 0 needs no case of its own.
            let whole = store.constant(u128::from(width), width);
            let amount = store.urem(c, whole);
            let complement = store.sub(whole, amount);
            let (high, low) = match op {
                TernaryOp::FunnelShl => (store.shl(a, amount), store.lshr(b, complement)),
                _ => (store.shl(a, complement), store.lshr(b, amount)),
            };
            store.or(high, low)
        }
        TernaryOp::FMulAdd => unreachable!("float operation"),
    }
}

/// The wrapped result, and the bit that says whether it wrapped.
pub fn overflow(store: &mut Store, op: OverflowOp, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
    match op {
        OverflowOp::UAdd => (store.add(a, b), store.add_overflows_unsigned(a, b)),
        OverflowOp::SAdd => (store.add(a, b), store.add_overflows_signed(a, b)),
        OverflowOp::USub => (store.sub(a, b), store.sub_overflows_unsigned(a, b)),
        OverflowOp::SSub => (store.sub(a, b), store.sub_overflows_signed(a, b)),
        OverflowOp::UMul => (store.mul(a, b), store.mul_overflows_unsigned(a, b)),
        OverflowOp::SMul => (store.mul(a, b), store.mul_overflows_signed(a, b)),
    }
}

pub fn compare(store: &mut Store, predicate: IntPredicate, a: ExprId, b: ExprId) -> ExprId {
    match predicate {
        IntPredicate::Eq => store.eq(a, b),
        IntPredicate::Ne => store.ne(a, b),
        IntPredicate::Ult => store.ult(a, b),
        IntPredicate::Ule => store.ule(a, b),
        IntPredicate::Ugt => store.ult(b, a),
        IntPredicate::Uge => store.ule(b, a),
        IntPredicate::Slt => store.slt(a, b),
        IntPredicate::Sle => store.sle(a, b),
        IntPredicate::Sgt => store.slt(b, a),
        IntPredicate::Sge => store.sle(b, a),
    }
}
