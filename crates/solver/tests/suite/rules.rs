//! Every rule of the canonical form is proved by Z3 on at least 200 random applications.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use crate::support::Generator;
use expr::{ExprId, Op, Rewrite, Rounding, Rule, Store, mask};
use random::SplitMix;
use solver::backends::z3::Z3;
use solver::{Answer, Query, Solver};

const PROOFS: usize = 200;

#[test]
fn every_rule_is_proved_on_random_terms() {
    let mut generator = Generator::new(1, 6, &[1, 1, 2, 3, 4, 5, 6, 8, 8, 12]);
    generator.store.record_rewrites();
    let mut proofs: BTreeMap<Rule, usize> = BTreeMap::new();
    let mut seen: HashSet<Rewrite> = HashSet::new();
    let mut z3 = Z3::new();
    let mut asked = 0;
    let wanting = |proofs: &BTreeMap<Rule, usize>| {
        Rule::ALL
            .iter()
            .any(|rule| proofs.get(rule).copied().unwrap_or(0) < PROOFS)
    };
    for round in 0..60_000 {
        if !wanting(&proofs) {
            break;
        }
        if round % 20 == 0 {
            generator.pool.truncate(6);
        }
        generator.step();
        corner(&mut generator, round);
        for rewrite in generator.store.take_rewrites() {
            let proved = proofs.entry(rewrite.rule).or_default();
            if *proved >= PROOFS || !seen.insert(rewrite) {
                continue;
            }
            let refutation = generator.store.refutation(&rewrite);
            let query = Query {
                constraints: &[refutation],
                timeout: Duration::from_secs(20),
            };
            let answer = z3.solve(&generator.store, &query);
            assert!(
                answer.is_unsat(),
                "rule {} {:?} ({}): {answer:?}\n{}",
                rewrite.rule.number(),
                rewrite.rule,
                rewrite.rule.meaning(),
                expr::print_smtlib(&generator.store, &[refutation]),
            );
            *proved += 1;
            asked += 1;
            if asked % 1000 == 0 {
                z3.reset();
            }
        }
    }
    let missing: Vec<String> = Rule::ALL
        .iter()
        .filter(|rule| proofs.get(rule).copied().unwrap_or(0) < PROOFS)
        .map(|rule| format!("{} {rule:?}: {:?}", rule.number(), proofs.get(rule)))
        .collect();
    assert!(missing.is_empty(), "too few proofs: {missing:#?}");
    let fired: u64 = generator.store.rule_counts().map(|(_, count)| count).sum();
    println!(
        "{asked} proofs, {fired} rewrites, {} terms",
        generator.store.len()
    );
}

/// Shapes that random terms seldom have.
fn corner(generator: &mut Generator, round: usize) {
    let width = generator.rng.pick(&[2, 4, 8]);
    let (a, b) = (generator.operand(width).id, generator.operand(width).id);
    let bit = generator.operand(1).id;
    let constant = generator.constant(width).id;
    let other = generator.constant(width).id;
    let rng = &mut generator.rng;
    let store = &mut generator.store;
    match round % 17 {
        0 => wide(store, a, b, bit),
        1 => {
            let float_width = rng.pick(&[32, 64]);
            let (x, y) = (store.sext(a, float_width), store.sext(b, float_width));
            store.fsub(x, y);
            store.flt(x, x);
        }
        2 => {
            let float_width = rng.pick(&[32, 64]);
            let to = rng.pick(&[8, 9, 16]);
            let float = match rng.chance(50) {
                true => store.signed_to_float(a, float_width),
                false => store.unsigned_to_float(a, float_width),
            };
            match rng.chance(50) {
                true => store.float_to_signed(float, to),
                false => store.float_to_unsigned(float, to),
            };
        }
        3 => {
            let bits = store.zext(bit, width);
            store.mul(bits, constant);
            let masked = store.or(a, constant);
            let high = store.trunc(masked, width - 1);
            store.concat(other, high);
            let low = store.extract(masked, 1, width - 1);
            store.concat(low, other);
        }
        4 => {
            let shift = store.or(b, constant);
            store.shl(a, shift);
            store.lshr(a, shift);
            let zero = store.constant(0, width);
            store.lshr(zero, a);
        }
        5 => {
            let positive = store.lshr(a, constant);
            store.ashr(positive, b);
            store.sdiv(positive, constant);
            store.srem(positive, constant);
            let one = store.constant(1, width);
            let minus_one = store.constant(mask(width), width);
            let unit = rng.pick(&[one, minus_one]);
            store.sdiv(a, unit);
            store.srem(a, unit);
            store.udiv(a, one);
            store.urem(a, one);
        }
        6 => {
            let small = store.zext(a, width * 2);
            let large = store.constant(1 << width | 1, width * 2);
            store.udiv(small, large);
            store.urem(small, large);
            let medium = store.zext(constant, width * 2);
            store.udiv(small, medium);
            store.urem(small, medium);
            store.mul(small, medium);
            store.add(small, medium);
            store.neg(small);
        }
        7 => {
            let odd = store.or(constant, other);
            let product = store.mul(a, odd);
            store.mul(product, constant);
            store.neg(product);
            store.eq(product, other);
            let sum = store.add(a, constant);
            store.mul(sum, other);
            store.eq(sum, other);
            let second = store.add(b, other);
            store.eq(sum, second);
        }
        8 => {
            let (x, y) = (store.sext(a, width * 2), store.sext(b, width * 2));
            store.slt(x, y);
            store.sle(x, y);
            store.eq(x, y);
            store.not(x);
            store.sext(x, width * 3);
            store.sext(x, width * 2);
            let limit = store.sext(constant, width * 2);
            store.slt(x, limit);
            store.slt(limit, x);
        }
        9 => {
            let (x, y) = (store.concat(a, b), store.concat(a, constant));
            store.ult(x, y);
            store.ule(x, y);
            store.eq(x, y);
            store.ite(bit, x, y);
            store.not(y);
            let (p, q) = (store.ite(bit, a, b), store.ite(bit, constant, a));
            store.concat(p, q);
            let front = store.concat(q, a);
            store.concat(p, front);
            store.eq(q, other);
        }
        10 => {
            let (x, y) = (store.zext(a, width * 2), store.zext(b, width * 2));
            store.ule(x, y);
            store.slt(x, y);
            store.sle(x, y);
            let amount = store.constant(width as u128, width * 2);
            let high = store.shl(x, amount);
            match rng.below(3) {
                0 => store.or(high, y),
                1 => store.add(high, y),
                _ => store.xor(high, y),
            };
        }
        11 => {
            let difference = store.sub(a, b);
            let zero = store.constant(0, width);
            store.eq(difference, zero);
            store.neg(difference);
            store.add(difference, b);
            let (x, y) = (store.add(a, b), store.add(a, constant));
            store.eq(x, y);
            store.eq(x, a);
            let negated = store.neg(a);
            store.add(a, negated);
            store.neg(negated);
            store.eq(negated, constant);
            store.mul(negated, constant);
            store.sub(a, a);
        }
        12 => {
            let (not_a, and, or, xor) = (
                store.not(a),
                store.and(a, b),
                store.or(a, b),
                store.xor(a, b),
            );
            store.and(a, not_a);
            store.or(a, not_a);
            store.and(a, and);
            store.and(a, or);
            store.or(a, and);
            store.or(a, or);
            store.xor(a, xor);
            store.xor(not_a, b);
            store.eq(xor, constant);
            store.eq(not_a, constant);
            store.and(not_a, and);
            store.or(not_a, or);
            let (odd, even) = (store.constant(0x55, width), store.constant(0x66, width));
            let sparse = store.and(xor, odd);
            store.and(sparse, even);
        }
        13 => {
            let inner = store.ite(bit, a, b);
            store.ite(bit, inner, constant);
            store.ite(bit, constant, inner);
            let condition = store.eq(a, constant);
            let less = store.ult(a, b);
            let both = store.and(condition, less);
            store.not(both);
            let choice = store.ite(bit, condition, less);
            store.not(choice);
            store.eq(condition, less);
            store.ult(condition, less);
            store.ule(condition, less);
            store.slt(condition, less);
            store.sle(condition, less);
            store.mul(condition, less);
            store.add(condition, less);
            let (not_bit, tail) = (store.not(bit), store.concat(a, bit));
            let (flags, ends) = (store.concat(not_bit, b), store.concat(tail, bit));
            store.ite(bit, tail, flags);
            let front = store.concat(bit, b);
            store.ite(bit, front, flags);
            let ends_of_b = store.concat(front, not_bit);
            store.ite(bit, ends, ends_of_b);
            store.ite(bit, bit, less);
            store.ite(bit, less, bit);
        }
        14 => {
            let (zero, one) = (store.constant(0, width), store.constant(1, width));
            let (max, least) = (
                store.constant(mask(width), width),
                store.constant(1 << (width - 1), width),
            );
            let most = store.constant(mask(width - 1), width);
            for bound in [zero, one, max, least, most] {
                store.ult(a, bound);
                store.ult(bound, a);
                store.slt(a, bound);
                store.slt(bound, a);
                store.ule(a, bound);
                store.sle(bound, a);
                store.mul(a, bound);
            }
            let last = store.constant(mask(width) - 1, width);
            store.ult(last, a);
            store.ult(a, a);
            store.ule(a, a);
            store.slt(a, a);
            store.sle(a, a);
            store.eq(a, a);
        }
        15 => quotients(generator, width, a),
        _ => {
            let elements: Vec<ExprId> = (0..6).map(|_| rng.pick(&[a, b, constant])).collect();
            let index = store.extract(b, 0, 2);
            store.lookup(&elements, index);
            let index = store.zext(index, 8);
            store.lookup(&elements, index);
            store.lookup(&[a, a, a], b);
            let fixed = store.constant(rng.below(8) as u128, 4);
            store.lookup(&elements, fixed);
            let sum = store.add(a, b);
            let cut = 1 + rng.below(width as usize - 1) as u32;
            let (high, low) = (store.extract(sum, cut, width - cut), store.trunc(sum, cut));
            store.concat(high, low);
            let front = store.concat(low, constant);
            store.concat(high, front);
            let whole = store.extract(a, 0, width);
            let back = store.extract(whole, 0, width - 1);
            store.extract(back, 0, 1);
        }
    }
}

/// Quotients and remainders by constants, once more divided and compared.
fn quotients(generator: &mut Generator, width: u32, a: ExprId) {
    let store = &mut generator.store;
    let limit = 1usize << width;
    let [c, d, e] = [(); 3].map(|()| generator.rng.below(limit) as u128);
    let [c, d, e] = [c, d, e].map(|value| store.constant(value, width));
    let small = store.constant(1 + generator.rng.below(3) as u128, width);
    for (x, y) in [(c, d), (small, c), (small, small)] {
        let (quotient, signed) = (store.udiv(a, x), store.sdiv(a, x));
        store.udiv(quotient, y);
        store.sdiv(signed, y);
        for value in [y, e] {
            store.eq(quotient, value);
            store.ult(quotient, value);
            store.ult(value, quotient);
            store.eq(signed, value);
            store.slt(signed, value);
            store.slt(value, signed);
        }
    }
    let divisor = 2 + generator.rng.below(6) as u128;
    let multiple = divisor * (1 + generator.rng.below(3) as u128);
    let wide = store.zext(a, width * 2);
    let (divisor, multiple) = (
        store.constant(divisor, width * 2),
        store.constant(multiple, width * 2),
    );
    let remainder = store.urem(wide, multiple);
    store.urem(remainder, divisor);
    let (remainder, all) = (store.urem(a, c), store.urem(a, d));
    store.urem(remainder, small);
    store.urem(all, small);
    let low = store.trunc(a, 1);
    let high = store.constant(generator.rng.below(limit) as u128, width - 1);
    let ranged = store.concat(high, low);
    store.urem(ranged, c);
    store.urem(ranged, small);
}

/// Terms beyond 128 bits.
fn wide(store: &mut Store, a: ExprId, b: ExprId, bit: ExprId) {
    let spread = |store: &mut Store, x: ExprId| {
        let long = store.sext(x, 120);
        let tail = store.not(long);
        store.concat(long, tail)
    };
    let (x, y) = (spread(store, a), spread(store, b));
    store.eq(x, y);
    let choice = store.ite(bit, x, y);
    store.extract(choice, 100, 30);
}

/// Folding floats agrees with Z3 on chosen and random bits, NaNs and infinities included.
#[test]
fn float_operations_agree_with_z3() {
    let mut rng = SplitMix(7);
    let mut store = Store::new();
    store.record_rewrites();
    let mut z3 = Z3::new();
    let mut proved: BTreeMap<Op, usize> = BTreeMap::new();
    for _ in 0..110 {
        let width = rng.pick(&[32, 64]);
        let [a, b, c] = [(); 3].map(|()| {
            let bits = float_bits(&mut rng, width);
            store.constant(bits, width)
        });
        store.fadd(a, b);
        store.fmul(a, b);
        store.fdiv(a, b);
        store.fsqrt(a);
        store.ffma(a, b, c);
        store.fround(a, rng.pick(&Rounding::ALL));
        store.feq(a, b);
        store.flt(a, b);
        store.fle(a, b);
        store.fconvert(a, 96 - width);
        let to = rng.pick(&[1, 8, 32, 64, 128]);
        store.float_to_signed(a, to);
        store.float_to_unsigned(a, to);
        let from = rng.pick(&[1, 8, 32, 64, 128]);
        let bits = (rng.draw() as u128) << 64 | rng.draw() as u128;
        let integer = store.constant(bits >> rng.below(128), from);
        store.signed_to_float(integer, width);
        store.unsigned_to_float(integer, width);
        for rewrite in store.take_rewrites() {
            let refutation = store.refutation(&rewrite);
            let query = Query {
                constraints: &[refutation],
                timeout: Duration::from_secs(20),
            };
            let answer = z3.solve(&store, &query);
            assert_eq!(
                answer,
                Answer::Unsat,
                "{}",
                expr::print_smtlib(&store, &[refutation])
            );
            *proved.entry(rewrite.before.op()).or_default() += 1;
        }
    }
    for op in [
        Op::FAdd,
        Op::FMul,
        Op::FDiv,
        Op::FSqrt,
        Op::FFma,
        Op::FRound,
        Op::FEq,
        Op::FLt,
        Op::FLe,
        Op::FConvert,
        Op::SignedToFloat,
        Op::UnsignedToFloat,
        Op::FloatToSigned,
        Op::FloatToUnsigned,
    ] {
        assert!(
            proved.get(&op).is_some_and(|&count| count >= 100),
            "{op:?}: {:?}",
            proved.get(&op)
        );
    }
}

fn float_bits(rng: &mut SplitMix, width: u32) -> u128 {
    let value = match rng.below(10) {
        0 => 0.0,
        1 => -0.0,
        2 => f64::INFINITY,
        3 => f64::NAN,
        4 => 0.5 + rng.below(10) as f64,
        5 => -(rng.below(1 << 20) as f64) / 8.0,
        6 => f32::MIN_POSITIVE as f64 / 4.0,
        7 => 2f64.powi(rng.below(140) as i32),
        _ => return rng.draw() as u128 & mask(width),
    };
    if width == 32 {
        (value as f32).to_bits() as u128
    } else {
        value.to_bits() as u128
    }
}
