//! A question that ran out of time, or was too large, leaves the bit-blaster able to answer.

use expr::{ExprId, Model, Store, Symbol};
use solver::backends::bitblast::BitBlaster;
use solver::{Answer, Query, Reason, Solver};
use std::time::{Duration, Instant};

/// Two numbers of 32 bits, and a value that takes so many multiplications of them.
fn product(store: &mut Store, multiplications: u32) -> (Vec<ExprId>, ExprId) {
    let bytes: Vec<ExprId> = (0..8)
        .map(|offset| store.symbol_term(&Symbol::Stdin { offset }))
        .collect();
    let (x, y) = (store.concat_le(&bytes[..4]), store.concat_le(&bytes[4..]));
    let mut value = x;
    for _ in 0..multiplications {
        let next = store.mul(value, y);
        value = store.add(next, x);
    }
    (bytes, value)
}

fn ask(solver: &mut BitBlaster, store: &Store, constraints: &[ExprId], time: Duration) -> Answer {
    let query = Query {
        constraints,
        timeout: time,
    };
    solver.solve(store, &query)
}

#[test]
fn what_ran_out_of_time_is_answered_when_asked_again() {
    let mut store = Store::new();
    let (bytes, value) = product(&mut store, 300);
    let mut model = Model::new();
    let mut fixed = Vec::new();
    for (number, &byte) in (1..).zip(&bytes) {
        model.set(store.as_symbol(byte).unwrap(), number);
        let is = store.constant(u128::from(number), 8);
        fixed.push(store.eq(byte, is));
    }
    let right = store.eval(value, &model);
    for (result, is_sat) in [(right, true), (right ^ 1, false)] {
        let result = store.constant(result, 32);
        let mut constraints = fixed.clone();
        constraints.push(store.eq(value, result));
        let mut solver = BitBlaster::new();
        let mut times_out = 0;
        let mut time = Duration::from_micros(1);
        let answer = loop {
            match ask(&mut solver, &store, &constraints, time) {
                Answer::Unknown(Reason::Timeout) => times_out += 1,
                answer => break answer,
            }
            time *= 2;
        };
        assert!(times_out > 3, "{times_out}");
        assert_eq!(matches!(answer, Answer::Sat(_)), is_sat);
        assert_eq!(answer.is_unsat(), !is_sat);
    }
}

#[test]
fn what_is_too_large_is_refused_soon_and_the_rest_answered() {
    let mut store = Store::new();
    let (bytes, value) = product(&mut store, 60_000);
    let zero = store.constant(0, 32);
    let large = [store.eq(value, zero)];
    let ten = store.constant(10, 8);
    let small = [store.ult(bytes[0], ten)];
    let mut solver = BitBlaster::new();
    for _ in 0..2 {
        let start = Instant::now();
        let answer = ask(&mut solver, &store, &large, Duration::from_secs(600));
        assert!(matches!(answer, Answer::Unknown(Reason::Failed(_))));
        assert!(start.elapsed() < Duration::from_secs(120));
        let answer = ask(&mut solver, &store, &small, Duration::from_secs(600));
        assert!(matches!(answer, Answer::Sat(_)));
    }
}
