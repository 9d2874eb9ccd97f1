//! Each layer by itself, over a back end that counts.

mod points;

use std::time::Duration;

use expr::{ExprId, Store, Symbol};
use solver::backends::bitblast::BitBlaster;
use solver::layers::boxes::Boxes;
use solver::layers::cache::Cache;
use solver::layers::quick::Quick;
use solver::layers::simplify::Simplify;
use solver::layers::slicing::{Slicing, slices};
use solver::layers::validate::Validate;
use solver::{Answer, LayerStatistics, Query, Reason, Solver};

fn ask(solver: &mut dyn Solver, store: &Store, constraints: &[ExprId]) -> Answer {
    solver.solve(
        store,
        &Query {
            constraints,
            timeout: Duration::from_secs(30),
        },
    )
}

fn backend_calls(solver: &dyn Solver) -> u64 {
    let last: Option<LayerStatistics> = solver.statistics().pop();
    last.expect("a back end").asked
}

fn byte(store: &mut Store, offset: u32) -> ExprId {
    store.symbol_term(&Symbol::Stdin { offset })
}

/// `byte(offset) < value`.
fn below(store: &mut Store, offset: u32, value: u8) -> ExprId {
    let (x, value) = (byte(store, offset), store.constant(value as u128, 8));
    store.ult(x, value)
}

/// `byte(a) * byte(b) == value` in 16 bits.
fn product_is(store: &mut Store, a: u32, b: u32, value: u16) -> ExprId {
    let (a, b) = (byte(store, a), byte(store, b));
    let (a, b) = (store.zext(a, 16), store.zext(b, 16));
    let product = store.mul(a, b);
    let value = store.constant(value as u128, 16);
    store.eq(product, value)
}

#[test]
fn simplify_takes_conjunctions_apart_and_meets_bounds() {
    let mut store = Store::new();
    let mut solver = Simplify::new(Box::new(BitBlaster::new()));
    let x = byte(&mut store, 0);
    let y = byte(&mut store, 1);
    let sum = store.add(x, y);
    let (five, nine) = (store.constant(5, 8), store.constant(9, 8));
    let (small, large) = (store.ult(sum, five), store.ult(nine, sum));
    let (small_signed, large_signed) = (store.slt(sum, five), store.slt(nine, sum));
    let both = store.and(small, large);
    assert_eq!(ask(&mut solver, &store, &[both]), Answer::Unsat);
    assert_eq!(
        ask(&mut solver, &store, &[small_signed, large_signed]),
        Answer::Unsat
    );
    let core = solver.unsat_core().expect("a core").to_vec();
    assert_eq!(core, [small_signed, large_signed]);
    let never = store.truth(false);
    assert_eq!(ask(&mut solver, &store, &[small, never]), Answer::Unsat);
    let always = store.truth(true);
    assert!(ask(&mut solver, &store, &[always]).is_sat());
    let equal = store.eq(sum, five);
    let different = store.not(equal);
    assert_eq!(ask(&mut solver, &store, &[equal, different]), Answer::Unsat);
    assert_eq!(backend_calls(&solver), 0);
    // Bounds of different orders do not meet.
    assert!(ask(&mut solver, &store, &[small_signed, large]).is_sat());
    assert_eq!(backend_calls(&solver), 1);
}

#[test]
fn slices_share_no_symbols() {
    let mut store = Store::new();
    let a = below(&mut store, 0, 9);
    let b = below(&mut store, 1, 9);
    let c = below(&mut store, 2, 9);
    let link = product_is(&mut store, 0, 2, 12);
    assert_eq!(
        slices(&store, &[a, b, c, link]),
        vec![vec![b], vec![a, c, link]]
    );
    let mut solver = Validate::new(Box::new(Slicing::new(Box::new(BitBlaster::new()))), true);
    assert!(ask(&mut solver, &store, &[a, b, c, link]).is_sat());
    assert_eq!(backend_calls(&solver), 2);
}

#[test]
fn the_cache_knows_subsets_and_supersets() {
    let mut store = Store::new();
    let link = product_is(&mut store, 0, 1, 221);
    let (small, large) = (below(&mut store, 0, 14), below(&mut store, 1, 18));
    let too_small = below(&mut store, 1, 12);
    let mut solver = Validate::new(Box::new(Cache::new(Box::new(BitBlaster::new()))), true);
    assert!(ask(&mut solver, &store, &[link, small, large]).is_sat());
    assert_eq!(backend_calls(&solver), 1);
    // The same in another order, and a subset of it.
    assert!(ask(&mut solver, &store, &[large, link, small]).is_sat());
    assert!(ask(&mut solver, &store, &[small, link]).is_sat());
    assert_eq!(backend_calls(&solver), 1);
    assert!(ask(&mut solver, &store, &[link, small, too_small]).is_unsat());
    assert_eq!(backend_calls(&solver), 2);
    // A superset of what was unsatisfiable.
    let more = below(&mut store, 2, 3);
    assert!(ask(&mut solver, &store, &[more, link, small, large, too_small]).is_unsat());
    assert_eq!(backend_calls(&solver), 2);
    // A recent model that happens to fit.
    let weaker = below(&mut store, 0, 100);
    assert!(ask(&mut solver, &store, &[weaker, link]).is_sat());
    assert_eq!(backend_calls(&solver), 2);
    solver.reset();
    assert!(ask(&mut solver, &store, &[link, small, large]).is_sat());
    assert_eq!(backend_calls(&solver), 3);
}

/// A cached model of a superset spoke of symbols that belong to another slice, and overwrote them.
#[test]
fn a_cached_superset_does_not_leak_into_other_slices() {
    let mut store = Store::new();
    let (a, b) = (below(&mut store, 0, 10), below(&mut store, 1, 10));
    let link = product_is(&mut store, 0, 1, 0);
    let not_a = store.not(a);
    let chain = Slicing::new(Box::new(Cache::new(Box::new(BitBlaster::new()))));
    let mut solver = Validate::new(Box::new(chain), true);
    for query in [
        &[a, b, link][..],
        &[not_a, b],
        &[b, not_a],
        &[not_a, link],
        &[b],
        &[a, b],
    ] {
        assert!(ask(&mut solver, &store, query).is_sat());
    }
}

#[test]
fn quick_solves_bytes_without_a_back_end() {
    let mut store = Store::new();
    let mut solver = Validate::new(Box::new(Quick::new(Box::new(BitBlaster::new()))), true);
    let x = byte(&mut store, 0);
    // (x * 7 + 3) % 50 == 24, whatever it takes.
    let (seven, three) = (store.constant(7, 8), store.constant(3, 8));
    let scaled = store.mul(x, seven);
    let sum = store.add(scaled, three);
    let (fifty, target) = (store.constant(50, 8), store.constant(24, 8));
    let remainder = store.urem(sum, fifty);
    let odd = store.eq(remainder, target);
    let small = below(&mut store, 0, 100);
    assert!(ask(&mut solver, &store, &[odd, small]).is_sat());
    let impossible = below(&mut store, 0, 3);
    assert!(ask(&mut solver, &store, &[small, odd, impossible]).is_unsat());
    // Few combinations of two bytes are all tried, with either answer.
    let (a, b) = (below(&mut store, 1, 20), below(&mut store, 2, 20));
    let found = product_is(&mut store, 1, 2, 13 * 17);
    let missing = product_is(&mut store, 1, 2, 23 * 3);
    assert!(ask(&mut solver, &store, &[a, b, found]).is_sat());
    assert!(ask(&mut solver, &store, &[a, b, missing]).is_unsat());
    assert_eq!(backend_calls(&solver), 0);
}

#[test]
fn quick_tries_digits_in_floating_point() {
    let mut store = Store::new();
    let mut solver = Validate::new(Box::new(Quick::new(Box::new(BitBlaster::new()))), true);
    let mut digits = Vec::new();
    let mut numbers = Vec::new();
    for offset in 0..8 {
        digits.push(below(&mut store, offset, 10));
        let digit = byte(&mut store, offset);
        let digit = store.zext(digit, 32);
        numbers.push(store.signed_to_float(digit, 64));
    }
    let float = |store: &mut Store, value: f64| store.constant(value.to_bits().into(), 64);
    // Three digits: all their values are tried.
    let sum = store.fadd(numbers[0], numbers[1]);
    let sum = store.fadd(sum, numbers[2]);
    for (bound, possible) in [(26.5, true), (27.0, false)] {
        let bound = float(&mut store, bound);
        let beyond = store.flt(bound, sum);
        let answer = ask(&mut solver, &store, &[&digits[..3], &[beyond]].concat());
        assert_eq!(answer.is_sat(), possible, "{answer:?}");
        assert_eq!(answer.is_unsat(), !possible, "{answer:?}");
    }
    // Eight digits, of which two have to move together.
    let mut all = numbers[0];
    for &number in &numbers[1..] {
        all = store.fadd(all, number);
    }
    let (product, bound) = (store.fmul(numbers[0], numbers[1]), float(&mut store, 63.0));
    let exact = store.feq(product, bound);
    let most = float(&mut store, 60.0);
    let few = store.flt(all, most);
    let answer = ask(&mut solver, &store, &[&digits[..], &[exact, few]].concat());
    assert!(answer.is_sat(), "{answer:?}");
    assert_eq!(backend_calls(&solver), 0);
}

/// The number that three digits spell, in 32 bits, and the constraints that they are digits.
fn number(store: &mut Store, first: u32) -> (ExprId, Vec<ExprId>) {
    let mut value = store.constant(0, 32);
    let mut digits = Vec::new();
    for offset in first..first + 3 {
        let text = byte(store, offset);
        let (zero, ten) = (store.constant(0x30, 8), store.constant(10, 32));
        let digit = store.sub(text, zero);
        let below = store.constant(10, 8);
        digits.push(store.ult(digit, below));
        let (scaled, digit) = (store.mul(value, ten), store.zext(digit, 32));
        value = store.add(scaled, digit);
    }
    (value, digits)
}

#[test]
fn boxes_decide_comparisons_of_numbers_in_text() {
    let mut store = Store::new();
    let (left, mut constraints) = number(&mut store, 0);
    let (right, digits) = number(&mut store, 3);
    constraints.extend(digits);
    let other = below(&mut store, 9, 3);
    let sum = store.add(left, right);
    let product = store.mul(left, right);
    let seven = store.constant(7, 32);
    let remainder = store.urem(sum, seven);
    let mut solver = Validate::new(Box::new(Boxes::new(Box::new(BitBlaster::new()))), true);
    let mut decided = 0;
    for limit in [
        0, 1, 9, 99, 500, 998, 1000, 1997, 1998, 1999, 998_001, 998_002,
    ] {
        let limit_term = store.constant(limit, 32);
        for (term, most) in [(sum, 1998), (product, 998_001), (remainder, 6)] {
            let above = store.ult(limit_term, term);
            let mut query = constraints.clone();
            query.extend([other, above]);
            let answer = ask(&mut solver, &store, &query);
            assert_eq!(answer.is_sat(), limit < most, "{limit} of {most}");
            assert!(!answer.is_unknown());
            if answer.is_unsat() {
                // The core holds without the rest of the query, and names what it needs.
                let core = solver.unsat_core().expect("a core").to_vec();
                assert!(core.contains(&above) && !core.contains(&other));
                assert!(ask(&mut BitBlaster::new(), &store, &core).is_unsat());
            }
            decided += 1;
        }
        let equal = store.eq(sum, limit_term);
        let mut query = constraints.clone();
        query.push(equal);
        assert_eq!(ask(&mut solver, &store, &query).is_sat(), limit <= 1998);
    }
    assert_eq!(decided, 36);
    assert_eq!(backend_calls(&solver), 0);
}

#[test]
fn boxes_give_up_what_has_no_order() {
    let mut store = Store::new();
    // A sum of products of eight free bytes: far more boxes than the budget allows.
    let mut mixed = store.constant(0x5bd1_e995, 32);
    for offset in 0..8 {
        let text = byte(&mut store, offset);
        let text = store.zext(text, 32);
        let amount = store.constant(13, 32);
        let high = store.lshr(mixed, amount);
        mixed = store.xor(mixed, high);
        let factor = store.add(mixed, text);
        mixed = store.mul(factor, factor);
    }
    let value = store.constant(0x1234_5671, 32);
    let equal = store.eq(mixed, value);
    let mut solver = Boxes::new(Box::new(Nothing(LayerStatistics::new("nothing"))));
    assert!(ask(&mut solver, &store, &[equal]).is_unknown());
    assert_eq!(backend_calls(&solver), 1);
}

/// A back end that decides nothing.
struct Nothing(LayerStatistics);

impl Solver for Nothing {
    fn name(&self) -> &'static str {
        "nothing"
    }

    fn solve(&mut self, _: &Store, _: &Query) -> Answer {
        self.0.asked += 1;
        Answer::Unknown(Reason::NoBackend)
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        vec![self.0.clone()]
    }

    fn reset(&mut self) {}
}
