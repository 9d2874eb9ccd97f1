//! The points of the layer of boxes against all values of the input.
//!
//! A random long path over two or three bytes is asked about as an exploration does: longer and longer beginnings, each with
//! other ends, and now and then something else. Every constraint is computed for the whole input space, so each answer and
//! each unsatisfiable core is compared with the truth.

mod paths;

use expr::{Evaluation, ExprId, Store};
use solver::layers::boxes::{Boxes, PointsConfig};
use solver::{Answer, LayerStatistics, Solver};

use self::paths::{Path, random_path};
use super::{Nothing, ask};
use random::SplitMix;

/// How many paths are tried if the environment variable `PARALLAX_POINTS_PATHS` does not say.
const PATHS: u64 = 150;

/// How the queries were answered.
#[derive(Default, Debug)]
struct Counts {
    queries: u64,
    undecided: u64,
    sat: u64,
    unsat: u64,
    /// Of the answers, those by points.
    points_sat: u64,
    points_unsat: u64,
}

#[test]
fn points_agree_with_all_values_of_the_input() {
    let paths = std::env::var("PARALLAX_POINTS_PATHS")
        .ok()
        .map_or(PATHS, |paths| paths.parse().expect("a number of paths"));
    let mut counts = Counts::default();
    // Points as early as possible, and on long paths only.
    let mut solvers = [2, 32].map(|long_path| {
        let config = PointsConfig {
            long_search: 0,
            long_path,
            rest: 1,
        };
        Boxes::with_points(Box::new(Nothing(LayerStatistics::new("nothing"))), config)
    });
    for seed in 0..paths {
        let mut rng = SplitMix(seed);
        let path = random_path(&mut rng);
        let solver = &mut solvers[(seed % 2) as usize];
        solver.reset();
        for query in path.queries(&mut rng) {
            check(solver, &path, &query, seed, &mut counts);
        }
    }
    println!("{paths} paths: {counts:?}");
    assert!(
        counts.points_sat > 0 && counts.points_unsat > 0,
        "{counts:?}"
    );
    assert!(counts.undecided * 10 < counts.queries, "{counts:?}");
}

fn check(solver: &mut Boxes, path: &Path, query: &[ExprId], seed: u64, counts: &mut Counts) {
    let before = solver.answered_by_points();
    let answer = ask(solver, &path.store, query);
    let by_points = solver.answered_by_points() - before;
    counts.queries += 1;
    match answer {
        Answer::Sat(model) => {
            let mut evaluation = Evaluation::new(model);
            let all_hold = query
                .iter()
                .all(|&constraint| evaluation.holds(&path.store, constraint));
            assert!(all_hold, "path {seed}: wrong model, points {by_points}");
            assert!(
                path.is_satisfiable(query),
                "path {seed}: the model is no input"
            );
            counts.sat += 1;
            counts.points_sat += by_points;
        }
        Answer::Unsat => {
            assert!(
                !path.is_satisfiable(query),
                "path {seed}: wrong `Unsat`, points {by_points}"
            );
            let core = solver.unsat_core().expect("a core");
            assert!(core.iter().all(|constraint| query.contains(constraint)));
            assert!(
                !path.is_satisfiable(core),
                "path {seed}: the core is satisfiable, points {by_points}"
            );
            counts.unsat += 1;
            counts.points_unsat += by_points;
        }
        Answer::Unknown(_) => counts.undecided += 1,
    }
}

/// A byte that the base does not restrict and that all terms of the path see as one value has one representative; a term at
/// the end that tells its values apart must not be answered from it.
#[test]
fn points_are_dropped_when_an_end_tells_bytes_of_a_class_apart() {
    let mut store = Store::new();
    let [first, second] = [0, 1].map(|offset| super::byte(&mut store, offset));
    let low_bit = store.constant(1, 8);
    let (first_bit, second_bit) = (store.and(first, low_bit), store.and(second, low_bit));
    let sum = store.add(first_bit, second_bit);
    let mut path = vec![super::below(&mut store, 0, 2)];
    for value in 1..5 {
        let value = store.constant(value + 10, 8);
        let equal = store.eq(sum, value);
        path.push(store.not(equal));
    }
    let one = store.constant(1, 8);
    path.push(store.eq(sum, one));
    let config = PointsConfig {
        long_search: 0,
        long_path: 0,
        rest: 0,
    };
    let below = Box::new(Nothing(LayerStatistics::new("nothing")));
    let mut solver = Boxes::with_points(below, config);
    assert!(ask(&mut solver, &store, &path).is_sat());
    assert!(ask(&mut solver, &store, &path).is_sat());
    assert_eq!(solver.answered_by_points(), 1);
    // Of the even and of the odd bytes one each was followed, and this is neither of them.
    for value in 0..=255 {
        let value = store.constant(value, 8);
        let mut query = path.clone();
        query.push(store.eq(second, value));
        assert!(ask(&mut solver, &store, &query).is_sat());
    }
}
