//! Transfer conditions (Qi et al., §3.2, Definition 1): when does an operation pass on that one of its operands
//! differs?
//!
//! Given an operation, its operands, and another value for one of them, the transfer condition says whether the
//! result is another one, *provided that the two values differ*. The paper's conditions speak of the other operands
//! only; on fixed-width words few are right then: `x·2^31` loses a difference in the upper bits of `x` though the
//! factor is not 0. So every condition here is exact, and [`Reach`] says what it speaks of:
//!
//! | operation, changed operand | condition | |
//! |---|---|---|
//! | add, sub, xor; byte swap, bit reverse; zero and sign extension, casts that keep the bits; `fneg`; a pointer's base | true | every pair |
//! | select: condition / one arm | the arms differ / that arm is chosen | every pair |
//! | integers of up to 24 (53) bits to a 32- (64-) bit float | true | every pair |
//! | mul, a pointer's index | `(x − x′)·y ≠ 0` | this pair |
//! | and, or | `(x ⊕ x′) & y ≠ 0`, `(x ⊕ x′) & ¬y ≠ 0` | this pair |
//! | shifts, funnel shifts: the shifted | `x ⊕ x′` shifted the same way is not 0 | this pair |
//! | shifts: the amount | the amounts differ as the processor takes them, and the smaller shift leaves something | this pair |
//! | min, max | the smaller (larger) of both values is below (above) the other operand | this pair |
//! | unsigned saturating add, sub | not both saturate | this pair |
//! | `=`, `≠` | one of both values equals the other operand | this pair |
//! | orders | the other operand lies between both values | this pair |
//! | truncation; `abs`, `fabs`; sign copying | the kept bits differ; `x′ ≠ −x`; as for the bits | this pair |
//! | add or subtract with overflow bit | true: the wrapped value differs | every pair |
//! | all others: division, remainder, the other saturating ones, bit counts, float arithmetic, float comparisons and conversions, multiplication with overflow bit | the results differ, written out | this pair |
//!
//! Floats differ when their bits do. Operations on memory have functions of their own; an atomic update passes a
//! difference on as the operation does that it applies.

use concolic_vm::symbolic::Operation;
use expr::{ExprId, Store};
use program_ir::{BinaryOp, CastOp, IntPredicate, OverflowOp, TernaryOp, UnaryOp};

/// What a transfer condition speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// The other operands only: it is right for every two different values.
    EveryPair,
    /// The two values as well.
    ThisPair,
}

/// A condition under which a difference in an operand makes a difference in the results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Transfer {
    pub condition: ExprId,
    pub reach: Reach,
}

/// The condition under which `operation` gives other results when its operand number `changed` is `other` instead,
/// provided that this is another value. `None` for float formats without terms.
pub fn transfer(
    store: &mut Store,
    operation: Operation,
    operands: &[ExprId],
    changed: usize,
    other: ExprId,
) -> Option<Transfer> {
    let value = operands[changed];
    if is_injective(store, operation, changed, value) {
        return Some(Transfer {
            condition: store.truth(true),
            reach: Reach::EveryPair,
        });
    }
    if let (Operation::Ternary(TernaryOp::Select), &[condition, then, otherwise]) =
        (operation, operands)
    {
        let condition = match changed {
            0 => store.ne(then, otherwise),
            1 => condition,
            _ => store.not(condition),
        };
        let reach = Reach::EveryPair;
        return Some(Transfer { condition, reach });
    }
    let condition = match closed_form(store, operation, operands, changed, other) {
        Some(condition) => condition,
        None => results_differ(store, operation, operands, changed, other)?,
    };
    let reach = Reach::ThisPair;
    Some(Transfer { condition, reach })
}

/// Whether another value of the operand always gives another result.
fn is_injective(store: &Store, operation: Operation, changed: usize, value: ExprId) -> bool {
    match operation {
        Operation::Binary(op) => matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Xor),
        Operation::Unary(op) => {
            matches!(op, UnaryOp::ByteSwap | UnaryOp::BitReverse | UnaryOp::FNeg)
        }
        Operation::Overflow(op) => !matches!(op, OverflowOp::UMul | OverflowOp::SMul),
        Operation::Cast(op, width) => match op {
            CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr => true,
            CastOp::SignedToFloat | CastOp::UnsignedToFloat => {
                // Every integer of so few bits has a float of its own.
                store.width(value) <= if width == 32 { 24 } else { 53 }
            }
            _ => false,
        },
        Operation::PointerIndex { .. } => changed == 0,
        _ => false,
    }
}

/// The condition without the results, where there is one that is simpler.
fn closed_form(
    store: &mut Store,
    operation: Operation,
    operands: &[ExprId],
    changed: usize,
    other: ExprId,
) -> Option<ExprId> {
    let values = [operands[changed], other];
    match operation {
        Operation::Binary(op) => binary(store, op, changed, values, operands[1 - changed]),
        Operation::Unary(op) => unary(store, op, values),
        Operation::Ternary(op @ (TernaryOp::FunnelShl | TernaryOp::FunnelShr)) if changed < 2 => {
            Some(funnel_shift(store, op, changed, values, operands[2]))
        }
        Operation::IntCompare(predicate) => {
            let beside = operands[1 - changed];
            Some(compare(store, predicate, changed, values, beside))
        }
        Operation::Cast(CastOp::Truncate, width) => {
            let bits = store.xor(values[0], values[1]);
            let kept = store.trunc(bits, width);
            Some(is_not_zero(store, kept))
        }
        Operation::PointerIndex { scale } => {
            let scale = store.constant(u128::from(scale), 64);
            Some(product_differs(store, values, scale))
        }
        _ => None,
    }
}

/// A load at another address: what is there differs from what is here.
pub fn load_address(store: &mut Store, here: ExprId, there: ExprId) -> ExprId {
    store.ne(here, there)
}

/// A store of `value` to another address: memory differs afterwards, unless both places hold it already. The two
/// places do not overlap.
pub fn store_address(store: &mut Store, value: ExprId, [here, there]: [ExprId; 2]) -> ExprId {
    let (changes_here, changes_there) = (store.ne(here, value), store.ne(there, value));
    store.or(changes_here, changes_there)
}

/// A compare-and-exchange that expects another value: whether it succeeds differs. `held` is what memory holds before.
pub fn exchange_expected(store: &mut Store, held: ExprId, expected: [ExprId; 2]) -> ExprId {
    compare(store, IntPredicate::Eq, 0, expected, held)
}

/// A compare-and-exchange with another replacement: memory differs afterwards.
pub fn exchange_replacement(store: &mut Store, held: ExprId, expected: ExprId) -> ExprId {
    store.eq(held, expected)
}

/// The definition itself.
fn results_differ(
    store: &mut Store,
    operation: Operation,
    operands: &[ExprId],
    changed: usize,
    other: ExprId,
) -> Option<ExprId> {
    let here = operation.results(store, operands)?;
    let mut operands = operands.to_vec();
    operands[changed] = other;
    let there = operation.results(store, &operands)?;
    let mut differs = store.truth(false);
    for (here, there) in here.into_iter().zip(there) {
        let one = store.ne(here, there);
        differs = store.or(differs, one);
    }
    Some(differs)
}

/// Integer operations, and the copying of a sign. `None`: by the definition.
fn binary(
    store: &mut Store,
    op: BinaryOp,
    changed: usize,
    values: [ExprId; 2],
    beside: ExprId,
) -> Option<ExprId> {
    let is_first = changed == 0;
    let condition = match op {
        BinaryOp::Mul => product_differs(store, values, beside),
        BinaryOp::And => masked_differs(store, values, beside),
        BinaryOp::Or => {
            let kept = store.not(beside);
            masked_differs(store, values, kept)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            return shift(store, op, is_first, values, beside);
        }
        BinaryOp::UMin => {
            let least = extreme(store, values, true, false);
            store.ult(least, beside)
        }
        BinaryOp::UMax => {
            let most = extreme(store, values, false, false);
            store.ult(beside, most)
        }
        BinaryOp::SMin => {
            let least = extreme(store, values, true, true);
            store.slt(least, beside)
        }
        BinaryOp::SMax => {
            let most = extreme(store, values, false, true);
            store.slt(beside, most)
        }
        BinaryOp::UAddSat => {
            let least = extreme(store, values, true, false);
            let room = store.not(beside);
            store.ult(least, room)
        }
        BinaryOp::USubSat if is_first => {
            let most = extreme(store, values, false, false);
            store.ult(beside, most)
        }
        BinaryOp::USubSat => {
            let least = extreme(store, values, true, false);
            store.ult(least, beside)
        }
        BinaryOp::FCopySign => {
            let bits = store.xor(values[0], values[1]);
            if is_first {
                let magnitude = store.fabs(bits);
                is_not_zero(store, magnitude)
            } else {
                store.sign_bit(bits)
            }
        }
        _ => return None,
    };
    Some(condition)
}

fn unary(store: &mut Store, op: UnaryOp, [value, other]: [ExprId; 2]) -> Option<ExprId> {
    match op {
        UnaryOp::Abs => {
            let negated = store.neg(value);
            Some(store.ne(other, negated))
        }
        UnaryOp::FAbs => {
            let negated = store.fneg(value);
            Some(store.ne(other, negated))
        }
        _ => None,
    }
}

fn compare(
    store: &mut Store,
    predicate: IntPredicate,
    changed: usize,
    values: [ExprId; 2],
    beside: ExprId,
) -> ExprId {
    use IntPredicate::*;
    if let Eq | Ne = predicate {
        let [one, two] = values.map(|value| store.eq(value, beside));
        return store.or(one, two);
    }
    let signed = matches!(predicate, Slt | Sle | Sgt | Sge);
    let least = extreme(store, values, true, signed);
    let most = extreme(store, values, false, signed);
    let less = |store: &mut Store, a: ExprId, b: ExprId| match signed {
        true => store.slt(a, b),
        false => store.ult(a, b),
    };
    let at_most = |store: &mut Store, a: ExprId, b: ExprId| match signed {
        true => store.sle(a, b),
        false => store.ule(a, b),
    };
    // A changed `x` in `x < y` and in `x ≥ y`, and a changed `y` in `x ≤ y`, is decided at `least < beside`.
    let below_matters = match predicate {
        Ult | Uge | Slt | Sge => changed == 0,
        _ => changed == 1,
    };
    let (above_least, below_most) = if below_matters {
        (less(store, least, beside), at_most(store, beside, most))
    } else {
        (at_most(store, least, beside), less(store, beside, most))
    };
    store.and(above_least, below_most)
}

/// `None` where the amount has a width that the processor's limit does not fit into.
fn shift(
    store: &mut Store,
    op: BinaryOp,
    is_shifted: bool,
    values: [ExprId; 2],
    beside: ExprId,
) -> Option<ExprId> {
    let by = |store: &mut Store, a: ExprId, amount: ExprId| {
        let shifted = Operation::Binary(op).results(store, &[a, amount])?;
        Some(shifted[0])
    };
    if is_shifted {
        let bits = store.xor(values[0], values[1]);
        let kept = by(store, bits, beside)?;
        return Some(is_not_zero(store, kept));
    }
    let width = store.width(beside);
    let limit = store.constant(amount_limit(width), width);
    let amounts = values.map(|value| store.and(value, limit));
    let differ = store.ne(amounts[0], amounts[1]);
    let least = extreme(store, amounts, true, false);
    let left = by(store, beside, least)?;
    let zero = store.constant(0, width);
    let some = store.ne(left, zero);
    let some = if op == BinaryOp::AShr {
        let ones = store.constant(expr::mask(width), width);
        let not_ones = store.ne(left, ones);
        store.and(some, not_ones)
    } else {
        some
    };
    Some(store.and(differ, some))
}

/// The processor takes shift amounts modulo its register size.
fn amount_limit(width: u32) -> u128 {
    match width {
        ..=32 => 31,
        33..=64 => 63,
        _ => 127,
    }
}

fn funnel_shift(
    store: &mut Store,
    op: TernaryOp,
    changed: usize,
    values: [ExprId; 2],
    amount: ExprId,
) -> ExprId {
    let bits = store.xor(values[0], values[1]);
    let width = store.width(bits);
    let whole = store.constant(u128::from(width), width);
    let amount = store.urem(amount, whole);
    let complement = store.sub(whole, amount);
    let kept = match (op, changed) {
        (TernaryOp::FunnelShl, 0) => store.shl(bits, amount),
        (TernaryOp::FunnelShl, _) => store.lshr(bits, complement),
        (_, 0) => store.shl(bits, complement),
        _ => store.lshr(bits, amount),
    };
    is_not_zero(store, kept)
}

fn product_differs(store: &mut Store, [value, other]: [ExprId; 2], factor: ExprId) -> ExprId {
    let distance = store.sub(value, other);
    let product = store.mul(distance, factor);
    is_not_zero(store, product)
}

fn masked_differs(store: &mut Store, [value, other]: [ExprId; 2], mask: ExprId) -> ExprId {
    let bits = store.xor(value, other);
    let kept = store.and(bits, mask);
    is_not_zero(store, kept)
}

fn is_not_zero(store: &mut Store, term: ExprId) -> ExprId {
    let zero = store.constant(0, store.width(term));
    store.ne(term, zero)
}

/// The smaller or the larger of two.
fn extreme(store: &mut Store, [a, b]: [ExprId; 2], smaller: bool, signed: bool) -> ExprId {
    let less = match signed {
        true => store.slt(a, b),
        false => store.ult(a, b),
    };
    match smaller {
        true => store.ite(less, a, b),
        false => store.ite(less, b, a),
    }
}
