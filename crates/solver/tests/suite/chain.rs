//! The chain as a whole: layers on or off, one back end or the other, the answers stay the same.

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::Generator;
use expr::{ExprId, Model, Op, Store, Symbol};
use proptest::prelude::*;
use solver::backends::bitblast::BitBlaster;
use solver::backends::z3::Z3;
use solver::layers::cross_check::CrossCheck;
use solver::layers::validate::Validate;
use solver::{
    Answer, Backend, Config, LayerStatistics, Query, Reason, Solver, chain, log, logged_chain,
};

const TIMEOUT: Duration = Duration::from_secs(30);

fn ask(solver: &mut dyn Solver, store: &Store, constraints: &[ExprId]) -> Answer {
    solver.solve(
        store,
        &Query {
            constraints,
            timeout: TIMEOUT,
        },
    )
}

fn checked(solver: impl Solver + 'static) -> Box<dyn Solver> {
    Box::new(Validate::new(Box::new(solver), true))
}

/// Conjunctions of random 1-bit terms.
fn random_queries(seed: u64, steps: usize, widths: &[u32]) -> (Store, Vec<Vec<ExprId>>) {
    let mut generator = Generator::new(seed, 4, widths);
    for _ in 0..steps {
        generator.step();
    }
    let booleans: Vec<ExprId> = generator
        .pool
        .iter()
        .filter(|term| term.width == 1)
        .map(|term| term.id)
        .collect();
    let mut queries = Vec::new();
    for size in [1, 2, 4, 8] {
        if booleans.is_empty() {
            break;
        }
        let query = (0..size)
            .map(|_| {
                let term = generator.rng.pick(&booleans);
                if generator.rng.chance(50) {
                    generator.store.not(term)
                } else {
                    term
                }
            })
            .collect();
        queries.push(query);
    }
    (generator.store, queries)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_back_ends_agree(seed: u64, steps in 10usize..60) {
        let (store, queries) = random_queries(seed, steps, &[1, 2, 3, 4, 5, 8, 12]);
        let mut both = CrossCheck::new(checked(Z3::new()), checked(BitBlaster::new()));
        for query in queries {
            let answer = ask(&mut both, &store, &query);
            prop_assert!(!answer.is_unknown());
        }
    }

    #[test]
    fn every_layer_can_be_switched_off(seed: u64, steps in 10usize..40) {
        let (store, queries) = random_queries(seed, steps, &[1, 2, 4, 8]);
        let mut trusted: Box<dyn Solver> = checked(BitBlaster::new());
        let expected: Vec<bool> =
            queries.iter().map(|query| ask(&mut *trusted, &store, query).is_sat()).collect();
        for layers in 0..32u32 {
            let on = |layer: u32| layers >> layer & 1 == 1;
            let config = Config {
                simplify: on(0),
                slicing: on(1),
                cache: on(2),
                quick: on(3),
                boxes: on(4),
                backend: Backend::BitBlasting,
                panic_on_wrong_model: true,
            };
            let mut solver = chain(&config);
            // Twice, so that the caches answer too.
            for (query, &sat) in queries.iter().zip(&expected).chain(queries.iter().zip(&expected)) {
                let answer = ask(&mut *solver, &store, query);
                prop_assert_eq!(answer.is_sat(), sat, "{:?}", config);
                prop_assert!(!answer.is_unknown());
            }
        }
    }
}

/// Explorations with the full chain, every answer checked by Z3, cores included.
#[test]
fn explorations_are_answered_like_z3_does() {
    for backend in [Backend::BitBlasting, Backend::Z3] {
        let config = Config {
            backend,
            panic_on_wrong_model: true,
            ..Config::default()
        };
        for (name, size, program) in crate::synthetic::PROGRAMS {
            let mut store = Store::new();
            let mut solver = CrossCheck::new(Box::new(Z3::new()), chain(&config));
            let asked =
                crate::synthetic::explore(&mut store, program, size, &mut solver, 60, TIMEOUT);
            assert!(asked >= 12, "{name}: {asked} queries");
        }
    }
}

/// Small numbers in wide words: the bit-blaster leaves out what it knows to be copies of a sign.
#[test]
fn narrow_operands_are_computed_exactly() {
    const WIDTH: u32 = 9;
    const SMALL: u32 = 3;
    let mut store = Store::new();
    let symbols = [0, 1].map(|offset| Symbol::Stdin { offset });
    let small = symbols.each_ref().map(|symbol| {
        let byte = store.symbol_term(symbol);
        store.extract(byte, 0, SMALL)
    });
    let mut operands = Vec::new();
    for signs in 0..4 {
        let widened = [0, 1].map(|index| match signs >> index & 1 {
            0 => store.zext(small[index], WIDTH),
            _ => store.sext(small[index], WIDTH),
        });
        operands.push(widened);
    }
    let mut results = Vec::new();
    for [a, b] in operands {
        for op in [
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::UDiv,
            Op::URem,
            Op::SDiv,
            Op::SRem,
            Op::Eq,
            Op::Ult,
            Op::Ule,
            Op::Slt,
            Op::Sle,
        ] {
            results.push(store.binary(op, a, b));
        }
        // What is computed from results is narrow too.
        let sum = store.add(a, b);
        let negated = store.neg(sum);
        let product = store.mul(a, negated);
        results.extend([
            negated,
            product,
            store.sdiv(product, b),
            store.srem(product, a),
        ]);
    }
    let mut solver = checked(BitBlaster::new());
    for values in 0..1u64 << (2 * SMALL) {
        let mut model = Model::new();
        let mut fixed = Vec::new();
        for (index, symbol) in symbols.iter().enumerate() {
            let value = values >> (index as u32 * SMALL) & ((1 << SMALL) - 1);
            let id = store.find_symbol(symbol).expect("it has a term");
            model.set(id, value);
            let constant = store.constant(value.into(), 8);
            let byte = store.symbol_id_term(id);
            fixed.push(store.eq(byte, constant));
        }
        for &result in &results {
            let expected = store.substitute_model(result, &model);
            let same = store.eq(result, expected);
            let other = store.not(same);
            let wrong = [&fixed[..], &[other]].concat();
            assert_eq!(
                ask(&mut *solver, &store, &wrong),
                Answer::Unsat,
                "{model:?}"
            );
        }
    }
}

/// A product of two unknown 40-bit numbers that is a 79-bit product of two primes: no solver factors
/// it in the time given here.
fn hard_query(store: &mut Store) -> Vec<ExprId> {
    let factor = |store: &mut Store, name: &str| {
        let bytes: Vec<ExprId> = (0..5)
            .map(|offset| {
                store.symbol_term(&Symbol::Variable {
                    name: name.into(),
                    offset,
                    size: 5,
                })
            })
            .collect();
        store.concat_le(&bytes)
    };
    let (x, y) = (factor(store, "x"), factor(store, "y"));
    let (wide_x, wide_y) = (store.zext(x, 80), store.zext(y, 80));
    let product = store.mul(wide_x, wide_y);
    let composite = store.constant(1_000_000_000_039 * 549_755_813_881, 80);
    let one = store.constant(1, 40);
    vec![
        store.eq(product, composite),
        store.ult(one, x),
        store.ult(one, y),
    ]
}

#[test]
fn a_time_limit_is_unknown_and_the_run_goes_on() {
    for backend in [Backend::Z3, Backend::BitBlasting] {
        let mut store = Store::new();
        let hard = hard_query(&mut store);
        let mut solver = chain(&Config {
            backend,
            ..Config::default()
        });
        let query = Query {
            constraints: &hard,
            timeout: Duration::from_millis(150),
        };
        assert_eq!(
            solver.solve(&store, &query),
            Answer::Unknown(Reason::Timeout),
            "{backend:?}"
        );
        let byte = store.symbol_term(&Symbol::Stdin { offset: 0 });
        let other = store.symbol_term(&Symbol::Stdin { offset: 1 });
        let (sum, product) = (store.add(byte, other), store.mul(byte, other));
        let (ten, limit) = (store.constant(10, 8), store.constant(21, 8));
        let easy = [store.eq(sum, ten), store.eq(product, limit)];
        assert!(ask(&mut *solver, &store, &easy).is_sat(), "{backend:?}");
    }
}

#[test]
fn floating_point_goes_to_z3() {
    let mut store = Store::new();
    let bytes: Vec<ExprId> = (0..4)
        .map(|offset| {
            store.symbol_term(&Symbol::Variable {
                name: "f".into(),
                offset,
                size: 4,
            })
        })
        .collect();
    let float = store.concat_le(&bytes);
    let half = store.constant(0.5f32.to_bits() as u128, 32);
    let sum = store.fadd(float, half);
    let target = store.constant(2.25f32.to_bits() as u128, 32);
    let reached = store.feq(sum, target);
    let mut solver = chain(&Config {
        quick: false,
        ..Config::default()
    });
    let Answer::Sat(model) = ask(&mut *solver, &store, &[reached]) else {
        panic!("not sat")
    };
    assert_eq!(f32::from_bits(store.eval(sum, &model) as u32), 2.25);
    // No float is a number and different from itself; a NaN is.
    let same = store.feq(sum, sum);
    let differs = store.not(same);
    let nan = store.is_nan(sum);
    let number = store.not(nan);
    assert!(ask(&mut *solver, &store, &[differs]).is_sat());
    assert!(ask(&mut *solver, &store, &[differs, number]).is_unsat());
    let remainder = store.frem(float, half);
    let odd = store.feq(remainder, target);
    let answer = ask(&mut *solver, &store, &[odd]);
    assert_eq!(
        answer,
        Answer::Unknown(Reason::Unsupported("floating-point remainder"))
    );
}

#[test]
fn deep_terms_overflow_no_stack() {
    let mut store = Store::new();
    let bytes: Vec<ExprId> = (0..8)
        .map(|offset| store.symbol_term(&Symbol::Stdin { offset }))
        .collect();
    let mut term = bytes[0];
    for index in 0..20_000usize {
        let other = bytes[index % 8];
        term = if index % 3 == 0 {
            store.xor(term, other)
        } else {
            store.add(term, other)
        };
    }
    let target = store.constant(77, 8);
    let condition = store.eq(term, target);
    for backend in [Backend::BitBlasting, Backend::Z3] {
        let mut solver = chain(&Config {
            backend,
            ..Config::default()
        });
        let query = Query {
            constraints: &[condition],
            timeout: Duration::from_secs(1),
        };
        let answer = solver.solve(&store, &query);
        assert!(!answer.is_unsat(), "{backend:?}: {answer:?}");
    }
    assert!(expr::print_smtlib(&store, &[condition]).len() > 20_000);
}

/// A solver that claims everything is satisfied by zeros.
struct Liar;

impl Solver for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn solve(&mut self, _: &Store, _: &Query) -> Answer {
        Answer::Sat(Model::new())
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        Vec::new()
    }

    fn reset(&mut self) {}
}

#[test]
fn wrong_models_are_caught() {
    let mut store = Store::new();
    let byte = store.symbol_term(&Symbol::Stdin { offset: 0 });
    let seven = store.constant(7, 8);
    let condition = store.eq(byte, seven);
    let mut solver = Validate::new(Box::new(Liar), false);
    assert_eq!(
        ask(&mut solver, &store, &[condition]),
        Answer::Unknown(Reason::WrongModel)
    );
    // The store is not used again.
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let mut solver = Validate::new(Box::new(Liar), true);
        ask(&mut solver, &store, &[condition])
    }));
    assert!(panicked.is_err());
}

/// A log in memory that the test can read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0
            .lock()
            .expect("not poisoned")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn logs_replay_with_the_same_answers() {
    let shared = Shared::default();
    let mut store = Store::new();
    let mut solver = logged_chain(&Config::default(), Box::new(shared.clone()));
    let (_, size, program) = crate::synthetic::PROGRAMS[0];
    let asked = crate::synthetic::explore(&mut store, program, size, &mut *solver, 80, TIMEOUT);
    let text = String::from_utf8(shared.0.lock().expect("not poisoned").clone()).expect("text");
    for backend in [Backend::Z3, Backend::BitBlasting] {
        let mut solver = chain(&Config {
            backend,
            ..Config::default()
        });
        let replay = log::replay(&text, &mut *solver, TIMEOUT).expect("readable");
        assert_eq!(replay.queries, asked as u64);
        assert_eq!(replay.unknown, 0);
        assert!(replay.contradictions.is_empty());
        assert!(replay.sat > 0 && replay.unsat > 0);
        assert_eq!(replay.layers[0].asked, asked as u64);
    }
    // A log cut off in the middle loses its last entry only; a broken one is refused.
    let cut = &text[..text.len() - 5];
    let replay = log::replay(cut, &mut *chain(&Config::default()), TIMEOUT).expect("readable");
    assert_eq!(replay.queries, asked as u64 - 1);
    let broken = text.replacen("bvult", "bvwhat", 1);
    let error = log::replay(&broken, &mut *chain(&Config::default()), TIMEOUT).unwrap_err();
    assert!(
        error.to_string().contains("bvwhat") || error.to_string().contains("comparison"),
        "{error}"
    );
}

#[test]
fn a_log_that_cannot_be_written_stops_nothing() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut store = Store::new();
    let byte = store.symbol_term(&Symbol::Stdin { offset: 0 });
    let seven = store.constant(7, 8);
    let condition = store.eq(byte, seven);
    let mut solver = logged_chain(&Config::default(), Box::new(Full));
    assert!(ask(&mut *solver, &store, &[condition]).is_sat());
    assert!(ask(&mut *solver, &store, &[condition]).is_sat());
}

#[test]
fn without_a_back_end_undecided_is_unknown() {
    let mut store = Store::new();
    let hard = hard_query(&mut store);
    let mut solver = chain(&Config {
        backend: Backend::None,
        ..Config::default()
    });
    assert_eq!(
        ask(&mut *solver, &store, &hard),
        Answer::Unknown(Reason::NoBackend)
    );
}
