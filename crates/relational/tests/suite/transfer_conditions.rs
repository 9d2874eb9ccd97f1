//! Every transfer condition is proved by Z3 on at least 200 random operands, and compared with what the machine
//! computes on at least 200 pairs of values. Wrong conditions must be found out by the same means.

use std::time::Duration;

use concolic_vm::eval;
use concolic_vm::symbolic::Operation;
use expr::{ExprId, Store, Symbol, mask};
use inputs::SplitMix;
use program_ir::{
    BinaryOp, CastOp, FloatPredicate, IntPredicate, OverflowOp, TernaryOp, Type, UnaryOp,
};
use relational::propagate::transfer::{self, Reach, transfer};
use solver::backends::z3::Z3;
use solver::{Answer, Query, Solver};

const INSTANCES: usize = 200;

use BinaryOp as B;
const INT_BINARY: &[BinaryOp] = &[
    B::Add,
    B::Sub,
    B::Mul,
    B::UDiv,
    B::SDiv,
    B::URem,
    B::SRem,
    B::And,
    B::Or,
    B::Xor,
    B::Shl,
    B::LShr,
    B::AShr,
    B::UMin,
    B::UMax,
    B::SMin,
    B::SMax,
    B::UAddSat,
    B::SAddSat,
    B::USubSat,
    B::SSubSat,
    B::UShlSat,
    B::SShlSat,
];
const FLOAT_BINARY: &[BinaryOp] = &[
    B::FAdd,
    B::FSub,
    B::FMul,
    B::FDiv,
    B::FRem,
    B::FCopySign,
    B::FMinNum,
    B::FMaxNum,
    B::FMinimum,
    B::FMaximum,
];
use UnaryOp as U;
const INT_UNARY: &[UnaryOp] = &[
    U::CountOnes,
    U::LeadingZeros,
    U::TrailingZeros,
    U::ByteSwap,
    U::BitReverse,
    U::Abs,
];
const FLOAT_UNARY: &[UnaryOp] = &[
    U::FNeg,
    U::FAbs,
    U::FSqrt,
    U::FFloor,
    U::FCeil,
    U::FTrunc,
    U::FRoundEven,
    U::FRoundAway,
];
const OVERFLOW: &[OverflowOp] = &[
    OverflowOp::UAdd,
    OverflowOp::SAdd,
    OverflowOp::USub,
    OverflowOp::SSub,
    OverflowOp::UMul,
    OverflowOp::SMul,
];
use IntPredicate as I;
const INT_PREDICATES: &[IntPredicate] = &[
    I::Eq,
    I::Ne,
    I::Ult,
    I::Ule,
    I::Ugt,
    I::Uge,
    I::Slt,
    I::Sle,
    I::Sgt,
    I::Sge,
];
use FloatPredicate as F;
const FLOAT_PREDICATES: &[FloatPredicate] = &[
    F::Oeq,
    F::Ogt,
    F::Oge,
    F::Olt,
    F::Ole,
    F::One,
    F::Ord,
    F::Ueq,
    F::Ugt,
    F::Uge,
    F::Ult,
    F::Ule,
    F::Une,
    F::Uno,
];

/// An operation and the types of its operands and of its first result.
#[derive(Clone, Debug)]
struct Case {
    operation: Operation,
    operands: Vec<Type>,
    result: Type,
}

/// The cases of an operation, of several widths.
fn cases() -> Vec<Vec<Case>> {
    let ints = [1u8, 3, 4, 5, 8, 16, 32];
    let floats = [Type::F32, Type::F64];
    let case = |operation: Operation, operands: &[Type], result: Type| Case {
        operation,
        operands: operands.to_vec(),
        result,
    };
    let mut all = Vec::new();
    for &op in INT_BINARY {
        let of = |width| {
            let ty = Type::Int(width);
            case(Operation::Binary(op), &[ty; 2], ty)
        };
        let widths = match op {
            B::Mul | B::UDiv | B::SDiv | B::URem | B::SRem => [1, 2, 3, 4, 5, 8, 32],
            _ => ints,
        };
        all.push(widths.map(of).to_vec());
    }
    for &op in FLOAT_BINARY {
        all.push(
            floats
                .map(|ty| case(Operation::Binary(op), &[ty; 2], ty))
                .to_vec(),
        );
    }
    for &op in INT_UNARY {
        let widths: &[u8] = if op == U::ByteSwap {
            &[16, 32, 64]
        } else {
            &ints
        };
        let of = |&width: &u8| {
            let ty = Type::Int(width);
            case(Operation::Unary(op), &[ty], ty)
        };
        all.push(widths.iter().map(of).collect());
    }
    for &op in FLOAT_UNARY {
        all.push(
            floats
                .map(|ty| case(Operation::Unary(op), &[ty], ty))
                .to_vec(),
        );
    }
    for op in [
        TernaryOp::Select,
        TernaryOp::FunnelShl,
        TernaryOp::FunnelShr,
    ] {
        let of = |width: u8| {
            let ty = Type::Int(width);
            let first = if op == TernaryOp::Select {
                Type::I1
            } else {
                ty
            };
            case(Operation::Ternary(op), &[first, ty, ty], ty)
        };
        all.push([2, 3, 4, 5, 8, 16, 32].map(of).to_vec());
    }
    let fused = |ty| case(Operation::Ternary(TernaryOp::FMulAdd), &[ty; 3], ty);
    all.push(floats.map(fused).to_vec());
    for &op in OVERFLOW {
        let of = |width| {
            let ty = Type::Int(width);
            case(Operation::Overflow(op), &[ty; 2], ty)
        };
        all.push([2, 3, 4, 5, 8, 32].map(of).to_vec());
    }
    for &op in INT_PREDICATES {
        let of = |width| case(Operation::IntCompare(op), &[Type::Int(width); 2], Type::I1);
        all.push(ints.map(of).to_vec());
    }
    for &op in FLOAT_PREDICATES {
        let of = |ty| case(Operation::FloatCompare(op), &[ty; 2], Type::I1);
        all.push(floats.map(of).to_vec());
    }
    let classes = [0x3, 0x204, 0x60, 0x1f8, 0x155];
    let of = |classes| case(Operation::FloatClass(classes), &[Type::F64], Type::I1);
    all.push(classes.map(of).to_vec());
    let mut cast = |op: CastOp, pairs: &[(Type, Type)]| {
        let of = |&(from, to): &(Type, Type)| case(Operation::Cast(op, to.bits()), &[from], to);
        all.push(pairs.iter().map(of).collect());
    };
    let int = Type::Int;
    cast(
        CastOp::Truncate,
        &[
            (int(8), int(1)),
            (int(16), int(8)),
            (int(32), int(5)),
            (int(64), int(32)),
        ],
    );
    cast(
        CastOp::ZeroExtend,
        &[(int(1), int(8)), (int(8), int(32)), (int(32), int(64))],
    );
    cast(
        CastOp::SignExtend,
        &[(int(1), int(8)), (int(8), int(32)), (int(32), int(64))],
    );
    cast(CastOp::FloatTruncate, &[(Type::F64, Type::F32)]);
    cast(CastOp::FloatExtend, &[(Type::F32, Type::F64)]);
    for op in [
        CastOp::FloatToSigned,
        CastOp::FloatToUnsigned,
        CastOp::FloatToSignedSaturating,
        CastOp::FloatToUnsignedSaturating,
    ] {
        cast(
            op,
            &[
                (Type::F32, int(8)),
                (Type::F64, int(32)),
                (Type::F64, int(64)),
            ],
        );
    }
    for op in [CastOp::SignedToFloat, CastOp::UnsignedToFloat] {
        cast(
            op,
            &[
                (int(5), Type::F32),
                (int(4), Type::F64),
                (int(32), Type::F32),
                (int(64), Type::F64),
            ],
        );
    }
    cast(CastOp::Bits, &[(Type::F64, int(64))]);
    cast(CastOp::PtrToInt, &[(Type::Ptr, int(64))]);
    cast(CastOp::IntToPtr, &[(int(64), Type::Ptr)]);
    let index = |scale| {
        case(
            Operation::PointerIndex { scale },
            &[Type::Ptr, int(64)],
            Type::Ptr,
        )
    };
    all.push([1, 4, 12, 256].map(index).to_vec());
    all
}

fn symbols(store: &mut Store, number: u32, width: u32) -> ExprId {
    let bytes: Vec<ExprId> = (0..width.div_ceil(8))
        .map(|offset| {
            store.symbol_term(&Symbol::Stdin {
                offset: 16 * number + offset,
            })
        })
        .collect();
    let whole = store.concat_le(&bytes);
    store.trunc(whole, width)
}

/// A value that is often a special one.
fn value(chance: &mut SplitMix, ty: Type) -> u128 {
    let width = ty.bits();
    let corner = match ty {
        Type::F32 => {
            let special = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                f32::INFINITY,
                f32::NEG_INFINITY,
                2147483648.0,
                0.5,
                300.0,
            ];
            u128::from(chance.pick(&special).to_bits())
        }
        Type::F64 => {
            let special = [
                0.0,
                -0.0,
                1.0,
                -1.5,
                f64::INFINITY,
                f64::NAN,
                9223372036854775808.0,
                0.5,
                2.5,
            ];
            u128::from(chance.pick(&special).to_bits())
        }
        _ => chance.pick(&[
            0,
            1,
            2,
            mask(width),
            1 << (width - 1),
            mask(width) >> 1,
            u128::from(width),
        ]),
    };
    let random = u128::from(chance.draw()) & mask(width);
    let value = match chance.below(3) {
        0 => random,
        1 => u128::from(chance.draw() % 7),
        _ => corner,
    };
    value & mask(width)
}

/// A symbol, a constant, or a little of both.
fn operand(
    store: &mut Store,
    chance: &mut SplitMix,
    number: u32,
    ty: Type,
    constant: bool,
) -> ExprId {
    let width = ty.bits();
    let known = value(chance, ty);
    let known = store.constant(known, width);
    if constant {
        return known;
    }
    let symbol = symbols(store, number, width);
    match chance.below(4) {
        0 => store.add(symbol, known),
        1 => store.xor(symbol, known),
        _ => symbol,
    }
}

struct Instance<'s> {
    store: &'s mut Store,
    operands: Vec<ExprId>,
    other: ExprId,
}

impl<'s> Instance<'s> {
    fn random(
        store: &'s mut Store,
        chance: &mut SplitMix,
        case: &Case,
        changed: usize,
    ) -> Instance<'s> {
        let hard = case.operands[0].bits() > 4;
        // Wide operands of multiplications and divisions are asked with one of them known.
        let known = if hard { 1 - changed.min(1) } else { usize::MAX };
        let operands = case.operands.iter().zip(0..).map(|(&ty, number)| {
            let constant = chance.below(4) == 0 || number as usize == known;
            operand(store, chance, number, ty, constant)
        });
        let operands: Vec<ExprId> = operands.collect();
        let other = operand(store, chance, 9, case.operands[changed], false);
        Instance {
            store,
            operands,
            other,
        }
    }

    fn differs(&mut self, operation: Operation, changed: usize) -> ExprId {
        let mut others = self.operands.clone();
        others[changed] = self.other;
        let here = operation
            .results(self.store, &self.operands)
            .expect("has terms");
        let there = operation.results(self.store, &others).expect("has terms");
        let mut differs = self.store.truth(false);
        for (here, there) in here.into_iter().zip(there) {
            let one = self.store.ne(here, there);
            differs = self.store.or(differs, one);
        }
        differs
    }

    /// Whether a condition is exact here: of all inputs with two different values.
    fn is_exact(
        &mut self,
        z3: &mut Z3,
        condition: ExprId,
        differs: ExprId,
        changed: usize,
    ) -> bool {
        let store = &mut *self.store;
        let apart = store.ne(self.operands[changed], self.other);
        let wrong = store.ne(condition, differs);
        let query = Query {
            constraints: &[apart, wrong],
            timeout: Duration::from_secs(20),
        };
        match z3.solve(store, &query) {
            Answer::Unsat => true,
            Answer::Sat(_) => false,
            Answer::Unknown(why) => panic!(
                "not decided ({why}): {:?}",
                expr::print_smtlib(store, &[apart, wrong])
            ),
        }
    }
}

/// Weaker or stronger conditions that look right.
fn near_misses(
    instance: &mut Instance<'_>,
    operation: Operation,
    changed: usize,
    right: ExprId,
) -> Vec<(&'static str, ExprId)> {
    let store = &mut *instance.store;
    let value = instance.operands[changed];
    let other = instance.other;
    let beside = instance.operands.get(1 - changed.min(1)).copied();
    let mut misses = vec![("true", store.truth(true)), ("false", store.truth(false))];
    misses.push(("its negation", store.not(right)));
    let width = store.width(value);
    let zero = store.constant(0, width);
    match (operation, beside) {
        (Operation::Binary(B::Mul), Some(beside)) => misses.push(("y ≠ 0", store.ne(beside, zero))),
        (Operation::Binary(B::And), Some(beside)) => misses.push(("y ≠ 0", store.ne(beside, zero))),
        (Operation::Binary(B::UMin | B::USubSat), Some(beside)) => {
            misses.push(("x < y", store.ult(value, beside)));
        }
        (Operation::IntCompare(I::Eq), Some(beside)) => {
            misses.push(("x = y", store.eq(value, beside)))
        }
        (Operation::IntCompare(I::Ult), Some(beside)) => {
            let (above, below) = (store.ult(value, beside), store.ult(beside, other));
            let (less, more) = (store.ult(other, beside), store.ult(beside, value));
            let (one, two) = (store.and(above, below), store.and(less, more));
            misses.push(("strictly between", store.or(one, two)));
        }
        (Operation::Binary(B::Shl | B::LShr | B::AShr), Some(beside)) if changed == 1 => {
            misses.push(("something is shifted", store.ne(beside, zero)));
        }
        _ => {}
    }
    misses
}

/// Left to the comparison with the machine. (Floats are decided by their terms alone.)
fn takes_the_solver_long(case: &Case) -> bool {
    match case.operation {
        Operation::PointerIndex { scale } => !scale.is_power_of_two(),
        Operation::Cast(..) => false,
        Operation::Binary(B::Mul) => case.operands[0].bits() > 4,
        Operation::Unary(U::ByteSwap) => case.operands[0].bits() > 16,
        _ => !case.operands[0].is_float() && case.operands[0].bits() > 5,
    }
}

#[test]
fn every_transfer_condition_is_proved_by_the_solver() {
    let mut z3 = Z3::new();
    let mut chance = SplitMix(1);
    let mut proofs = 0;
    for mut cases in cases() {
        cases.retain(|case| !takes_the_solver_long(case));
        let operation = cases[0].operation;
        for changed in 0..operation.arity() {
            let start = std::time::Instant::now();
            let mut store = Store::new();
            let mut refuted: Vec<(&'static str, bool)> = Vec::new();
            for round in 0..INSTANCES {
                let case = &cases[round % cases.len()];
                let operation = case.operation;
                let mut instance = Instance::random(&mut store, &mut chance, case, changed);
                let (operands, other) = (instance.operands.clone(), instance.other);
                let found = transfer(instance.store, operation, &operands, changed, other);
                let found = found.expect("has terms");
                let differs = instance.differs(operation, changed);
                let exact = instance.is_exact(&mut z3, found.condition, differs, changed);
                let text = expr::print_smtlib(instance.store, &[found.condition, differs]);
                assert!(
                    exact,
                    "{operation:?}, operand {changed}, {:?}:\n{text}",
                    case.operands
                );
                if found.reach == Reach::EveryPair {
                    // It must not mention the two values: replacing one of them leaves it as it is.
                    let another = operand(
                        instance.store,
                        &mut chance,
                        12,
                        case.operands[changed],
                        false,
                    );
                    let mut operands = operands.clone();
                    operands[changed] = another;
                    let again = transfer(instance.store, operation, &operands, changed, other);
                    assert_eq!(again.expect("has terms").condition, found.condition);
                }
                proofs += 1;
                // Floats are decided by their terms; proving them wrong as well would take long.
                if case.operands[0].is_float() || round >= 28 {
                    continue;
                }
                for (number, (name, wrong)) in
                    near_misses(&mut instance, operation, changed, found.condition)
                        .into_iter()
                        .enumerate()
                {
                    if refuted.len() <= number {
                        refuted.push((name, false));
                    }
                    if wrong == found.condition || refuted[number].1 {
                        continue;
                    }
                    refuted[number].1 |= !instance.is_exact(&mut z3, wrong, differs, changed);
                }
            }
            z3.reset();
            println!("{operation:?}, operand {changed}: {:.1?}", start.elapsed());
            for (name, refuted) in refuted {
                let mut always = |case: &Case| {
                    let instance = Instance::random(&mut store, &mut chance, case, changed);
                    let (operands, other) = (instance.operands.clone(), instance.other);
                    let found = transfer(instance.store, case.operation, &operands, changed, other);
                    let found = found.expect("has terms");
                    found.reach == Reach::EveryPair && instance.store.is_true(found.condition)
                };
                let is_right = name == "true" && cases.iter().all(&mut always);
                assert!(
                    refuted || is_right,
                    "`{name}` passes for {operation:?}, operand {changed}"
                );
            }
        }
    }
    println!("{proofs} proofs");
}

/// The machine's own answer to "do the results differ".
fn machine_differs(case: &Case, operands: &[u128], others: &[u128]) -> Option<bool> {
    let ty = case.operands.last().copied()?;
    let run = |values: &[u128]| -> Option<(u128, u128)> {
        Some(match (case.operation, values) {
            (Operation::Unary(op), &[a]) => (eval::unary(op, ty, a).ok()?, 0),
            (Operation::Binary(op), &[a, b]) => (eval::binary(op, ty, a, b).ok()?, 0),
            (Operation::Ternary(op), &[a, b, c]) => (eval::ternary(op, ty, a, b, c), 0),
            (Operation::Overflow(op), &[a, b]) => {
                let (value, wrapped) = eval::overflow(op, ty, a, b);
                (value, u128::from(wrapped))
            }
            (Operation::IntCompare(op), &[a, b]) => {
                (u128::from(eval::int_compare(op, ty, a, b)), 0)
            }
            (Operation::FloatCompare(op), &[a, b]) => (u128::from(float_compare(op, ty, a, b)), 0),
            (Operation::FloatClass(classes), &[a]) => {
                (u128::from(float_class(classes, a as u64)), 0)
            }
            (Operation::Cast(op, _), &[a]) => (eval::cast(op, ty, case.result, a), 0),
            (Operation::PointerIndex { scale }, &[pointer, index]) => (
                u128::from((pointer as u64).wrapping_add((index as u64).wrapping_mul(scale))),
                0,
            ),
            _ => return None,
        })
    };
    Some(run(operands)? != run(others)?)
}

fn float_compare(predicate: FloatPredicate, ty: Type, a: u128, b: u128) -> bool {
    let float = |bits: u128| match ty {
        Type::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits as u64),
    };
    let (a, b) = (float(a), float(b));
    let unordered = a.is_nan() || b.is_nan();
    match predicate {
        F::Oeq => a == b,
        F::Ogt => a > b,
        F::Oge => a >= b,
        F::Olt => a < b,
        F::Ole => a <= b,
        F::One => !unordered && a != b,
        F::Ord => !unordered,
        F::Ueq => unordered || a == b,
        F::Ugt => unordered || a > b,
        F::Uge => unordered || a >= b,
        F::Ult => unordered || a < b,
        F::Ule => unordered || a <= b,
        F::Une => a != b,
        F::Uno => unordered,
    }
}

fn float_class(classes: u16, bits: u64) -> bool {
    use std::num::FpCategory;
    let float = f64::from_bits(bits);
    let bit = match (float.classify(), float.is_sign_negative()) {
        (FpCategory::Nan, _) => u16::from(bits >> 51 & 1 == 1),
        (FpCategory::Infinite, true) => 2,
        (FpCategory::Normal, true) => 3,
        (FpCategory::Subnormal, true) => 4,
        (FpCategory::Zero, true) => 5,
        (FpCategory::Zero, false) => 6,
        (FpCategory::Subnormal, false) => 7,
        (FpCategory::Normal, false) => 8,
        (FpCategory::Infinite, false) => 9,
    };
    classes >> bit & 1 == 1
}

#[test]
fn every_transfer_condition_agrees_with_the_machine() {
    let mut chance = SplitMix(2);
    for cases in cases() {
        let operation = cases[0].operation;
        for changed in 0..operation.arity() {
            let (mut compared, mut round) = (0, 0);
            let mut seen = [0, 0];
            while compared < 4 * INSTANCES {
                let case = &cases[round % cases.len()];
                round += 1;
                assert!(
                    round < 100 * INSTANCES,
                    "{operation:?}: hardly any operands have a result"
                );
                let operands: Vec<u128> = case
                    .operands
                    .iter()
                    .map(|&ty| value(&mut chance, ty))
                    .collect();
                let mut others = operands.clone();
                others[changed] = value(&mut chance, case.operands[changed]);
                if others == operands {
                    continue;
                }
                let Some(expected) = machine_differs(case, &operands, &others) else {
                    continue;
                };
                let mut store = Store::new();
                let terms: Vec<ExprId> = operands
                    .iter()
                    .zip(&case.operands)
                    .map(|(&value, ty)| store.constant(value, ty.bits()))
                    .collect();
                let other = store.constant(others[changed], case.operands[changed].bits());
                let found = transfer(&mut store, case.operation, &terms, changed, other)
                    .expect("has terms");
                let got = store
                    .constant_value(found.condition)
                    .expect("constants give a constant")
                    == 1;
                assert_eq!(
                    got, expected,
                    "{case:?}, operand {changed}: {operands:x?} and {others:x?}"
                );
                compared += 1;
                seen[usize::from(expected)] += 1;
            }
            assert!(
                seen[1] > 0,
                "{operation:?}, operand {changed}: no difference passed on"
            );
        }
    }
}

/// Memory of four cells; an address is two bits.
#[test]
fn conditions_of_memory_operations_are_exact() {
    let mut z3 = Z3::new();
    let mut chance = SplitMix(3);
    let mut refuted = [0, 0];
    for round in 0..INSTANCES {
        // The solver remembers terms by number.
        z3.reset();
        let mut store = Store::new();
        let width = [4, 8, 16][round % 3];
        let byte = Type::Int(width as u8);
        let cells: Vec<ExprId> = (0..4)
            .map(|cell| {
                let constant = chance.below(3) == 0;
                operand(&mut store, &mut chance, cell, byte, constant)
            })
            .collect();
        let [here, there] = [10, 11].map(|number| symbols(&mut store, number, 2));
        let apart = store.ne(here, there);
        let stored = operand(&mut store, &mut chance, 5, byte, round % 4 == 0);
        let read = |store: &mut Store, at: ExprId| store.lookup(&cells, at);
        let [held_here, held_there] = [read(&mut store, here), read(&mut store, there)];
        let mut prove = |store: &mut Store, apart: ExprId, condition: ExprId, differs: ExprId| {
            let wrong = store.ne(condition, differs);
            let query = Query {
                constraints: &[apart, wrong],
                timeout: Duration::from_secs(20),
            };
            z3.solve(store, &query).is_unsat()
        };
        let after = |store: &mut Store, at: ExprId, value: ExprId| -> Vec<ExprId> {
            (0..4)
                .map(|cell| {
                    let number = store.constant(cell, 2);
                    let hit = store.eq(at, number);
                    store.ite(hit, value, cells[cell as usize])
                })
                .collect()
        };
        let any_differs = |store: &mut Store, one: &[ExprId], two: &[ExprId]| {
            one.iter()
                .zip(two)
                .fold(store.truth(false), |any, (&one, &two)| {
                    let differs = store.ne(one, two);
                    store.or(any, differs)
                })
        };
        let load = transfer::load_address(&mut store, held_here, held_there);
        let loads_differ = store.ne(held_here, held_there);
        assert!(prove(&mut store, apart, load, loads_differ));
        let right = transfer::store_address(&mut store, stored, [held_here, held_there]);
        let (one, two) = (
            after(&mut store, here, stored),
            after(&mut store, there, stored),
        );
        let differs = any_differs(&mut store, &one, &two);
        assert!(prove(&mut store, apart, right, differs));
        let half = store.ne(held_here, stored);
        let always = store.truth(true);
        // Where all cells are known, these may be right by chance.
        refuted[0] += usize::from(!prove(&mut store, apart, half, differs));
        refuted[1] += usize::from(!prove(&mut store, apart, always, differs));

        let expected = [6, 7].map(|number| symbols(&mut store, number, width));
        let replacement = [8, 9].map(|number| symbols(&mut store, number, width));
        let exchange = |store: &mut Store, expected: ExprId, replacement: ExprId| {
            let succeeds = store.eq(held_here, expected);
            let left = store.ite(succeeds, replacement, held_here);
            [succeeds, left]
        };
        let same = exchange(&mut store, expected[0], replacement[0]);
        let other = exchange(&mut store, expected[1], replacement[0]);
        let differs = any_differs(&mut store, &same, &other);
        let condition = transfer::exchange_expected(&mut store, held_here, expected);
        let apart = store.ne(expected[0], expected[1]);
        assert!(prove(&mut store, apart, condition, differs));
        let other = exchange(&mut store, expected[0], replacement[1]);
        let differs = any_differs(&mut store, &same, &other);
        let condition = transfer::exchange_replacement(&mut store, held_here, expected[0]);
        let apart = store.ne(replacement[0], replacement[1]);
        assert!(prove(&mut store, apart, condition, differs));
        let weak = store.truth(true);
        assert!(!prove(&mut store, apart, weak, differs));
    }
    assert!(
        refuted[0] > INSTANCES / 2 && refuted[1] > INSTANCES / 2,
        "{refuted:?}"
    );
}
