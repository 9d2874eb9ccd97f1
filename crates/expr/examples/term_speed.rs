//! How long the inner loop of a symbolic run takes per term: nanoseconds per constructor call.

use std::hint::black_box;
use std::time::Instant;

use expr::{ExprId, Store, Symbol};

const ROUNDS: usize = 200_000;

fn main() {
    let mut store = Store::new();
    let bytes: Vec<ExprId> = (0..64)
        .map(|offset| store.symbol_term(&Symbol::Stdin { offset }))
        .collect();
    let ten = store.constant(10, 32);
    let zero = store.constant(48, 32);

    // What `value = value * 10 + (byte - '0')` and its branch make, all terms known already.
    let digit_loop = |store: &mut Store| {
        let mut value = store.constant(0, 32);
        for &byte in &bytes[..8] {
            let wide = store.zext(byte, 32);
            let digit = store.sub(wide, zero);
            black_box(store.ult(digit, ten));
            let scaled = store.mul(value, ten);
            value = store.add(scaled, digit);
        }
        value
    };
    let value = digit_loop(&mut store);
    measure(
        "digit loop again, per term asked for",
        ROUNDS / 40,
        8 * 5,
        || {
            black_box(digit_loop(&mut store));
        },
    );

    let stored: Vec<ExprId> = (0..4).map(|index| store.byte(value, index)).collect();
    measure("4-byte store, per byte", ROUNDS, 4, || {
        for index in 0..4 {
            black_box(store.byte(value, index));
        }
    });
    measure("4-byte load, per load", ROUNDS, 1, || {
        black_box(store.concat_le(&stored));
    });

    let mut fresh = value;
    let mut next = 0u128;
    measure(
        "new sum, compared with a constant, per term",
        ROUNDS,
        2,
        || {
            next += 1;
            fresh = store.xor(fresh, value);
            let limit = store.constant(next, 32);
            fresh = store.add(fresh, limit);
            black_box(store.ult(fresh, ten));
        },
    );
    println!("{} terms in the end", store.len());
}

fn measure(what: &str, rounds: usize, calls: usize, mut body: impl FnMut()) {
    let start = Instant::now();
    for _ in 0..rounds {
        body();
    }
    let each = start.elapsed().as_nanos() as f64 / (rounds * calls) as f64;
    println!("{what}: {each:.0} ns");
}
