//! Random paths like those of programs that read numbers, with the truth of every constraint for all inputs.

use expr::{Compiled, ExprId, Store, Symbol, SymbolId};
use rustc_hash::FxHashMap;

use random::SplitMix;

pub(super) struct Path {
    pub(super) store: Store,
    constraints: Vec<ExprId>,
    ends: Vec<ExprId>,
    /// For each constraint a bit for each input.
    truths: FxHashMap<ExprId, Vec<u64>>,
}

/// What the terms of a path are made of.
struct Builder<'a> {
    store: Store,
    rng: &'a mut SplitMix,
    symbols: Vec<SymbolId>,
    /// How many values of each byte there are to try; terms depend on the low bits only if they are fewer than 256.
    values: usize,
    /// Terms of 32 bits.
    numbers: Vec<ExprId>,
}

pub(super) fn random_path(rng: &mut SplitMix) -> Path {
    // The whole of two bytes, or what is left of two or three if all terms look at some bits of them only.
    let (bytes, values) = match rng.below(24) {
        0 => (2, 256),
        1..=11 => (2, 32),
        _ => (3, 16),
    };
    let mut store = Store::new();
    let symbol = |offset| store.symbol_term(&Symbol::Stdin { offset });
    let raw: Vec<ExprId> = (0..bytes).map(symbol).collect();
    let symbols = raw.iter().filter_map(|&term| store.as_symbol(term));
    let mut builder = Builder {
        symbols: symbols.collect(),
        store,
        rng,
        values,
        numbers: Vec::new(),
    };
    let seen: Vec<ExprId> = raw.iter().map(|&term| builder.seen(term, false)).collect();
    // Sometimes the ends have a byte that the path has not, or look at more bits.
    let known = bytes as usize - builder.rng.below(4) / 3;
    builder.add_texts(&seen[..known]);
    builder.add_numbers(12);
    let hidden = builder.rng.draw();
    let mut constraints = builder.ranges(&seen[..known], hidden);
    let ranges = constraints.len();
    let length = builder.rng.below(30) + 34;
    for _ in ranges..length {
        let condition = builder.condition();
        let holds = builder.value(condition, hidden) == 1 || builder.rng.chance(2);
        constraints.push(if holds {
            condition
        } else {
            builder.store.not(condition)
        });
    }
    // The ranges come early, but not always first.
    for index in 0..ranges {
        let other = index + builder.rng.below(8);
        constraints.swap(index, other.min(length - 1));
    }
    if builder.rng.chance(30) {
        let more: Vec<ExprId> = raw.iter().map(|&term| builder.seen(term, true)).collect();
        builder.add_texts(&more);
    }
    builder.add_numbers(4);
    let mut ends = Vec::new();
    for _ in 0..30 {
        let condition = builder.condition();
        ends.extend([condition, builder.store.not(condition)]);
    }
    builder.finish(constraints, ends)
}

impl Builder<'_> {
    /// A byte as the terms see it: near the digits, and no more of its bits than are tried.
    fn seen(&mut self, raw: ExprId, whole: bool) -> ExprId {
        let values = match (self.values, whole) {
            (256, true) => return raw,
            (256, false) if self.rng.chance(50) => return raw,
            (256, false) => 32,
            (values, _) => values,
        };
        let mask = self.store.constant(values as u128 - 1, 8);
        let masked = self.store.and(raw, mask);
        let first = match (values, self.rng.below(3)) {
            (16, _) => 44,
            (_, 0) => 0,
            _ => 32,
        };
        let first = self.store.constant(first, 8);
        self.store.add(masked, first)
    }

    /// Digits, and the numbers that they are read as.
    fn add_texts(&mut self, bytes: &[ExprId]) {
        let (ten, zero) = (self.store.constant(10, 32), self.store.constant(48, 32));
        let mut number = self.store.constant(0, 32);
        let mut digit_sum = number;
        for &byte in bytes {
            let wide = match self.rng.chance(80) {
                true => self.store.zext(byte, 32),
                false => self.store.sext(byte, 32),
            };
            let digit = self.store.sub(wide, zero);
            let scaled = self.store.mul(number, ten);
            number = self.store.add(scaled, digit);
            digit_sum = self.store.add(digit_sum, digit);
            self.numbers.extend([wide, digit, number, digit_sum]);
        }
        let negative = self.store.neg(number);
        self.numbers.extend([number, number, negative]);
    }

    fn add_numbers(&mut self, count: usize) {
        for _ in 0..count {
            let number = self.number();
            self.numbers.push(number);
        }
    }

    fn number(&mut self) -> ExprId {
        let (a, b) = (self.rng.pick(&self.numbers), self.rng.pick(&self.numbers));
        let small = self.rng.pick(&[0u128, 1, 2, 3, 7, 10, 10, 10, 60, 100]);
        let constant = self.store.constant(small, 32);
        let operand = self.rng.pick(&[b, constant, constant]);
        match self.rng.below(16) {
            0 => self.store.add(a, operand),
            1 => self.store.sub(a, operand),
            2 => self.store.mul(a, operand),
            3 | 4 => self.store.udiv(a, operand),
            5 | 6 => self.store.urem(a, operand),
            7 => self.store.sdiv(a, operand),
            8 => self.store.srem(a, operand),
            9 | 10 => {
                let condition = self.condition();
                self.store.ite(condition, a, operand)
            }
            11 => self.store.xor(a, operand),
            12 => {
                let elements: Vec<ExprId> = (0..self.rng.below(12) + 2)
                    .map(|_| match self.rng.chance(20) {
                        true => self.rng.pick(&self.numbers),
                        false => {
                            let element = self.rng.below(200) as u128;
                            self.store.constant(element, 32)
                        }
                    })
                    .collect();
                self.store.lookup(&elements, a)
            }
            13 => {
                let float = self.fraction(a, operand);
                self.store.float_to_signed(float, 32)
            }
            14 => {
                let (float, limit) = (self.fraction(a, operand), self.fraction(b, constant));
                let less = match self.rng.chance(70) {
                    true => self.store.flt(float, limit),
                    false => self.store.feq(float, limit),
                };
                self.store.zext(less, 32)
            }
            _ => {
                let low = self.store.trunc(a, 8);
                self.store.zext(low, 32)
            }
        }
    }

    /// A number in floating-point arithmetic, divided or multiplied by another; by zero, too.
    fn fraction(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = (
            self.store.signed_to_float(a, 64),
            self.store.signed_to_float(b, 64),
        );
        let tenth = self.store.constant(0.1f64.to_bits() as u128, 64);
        match self.rng.below(3) {
            0 => self.store.fdiv(a, b),
            1 => self.store.fmul(a, tenth),
            _ => {
                let scaled = self.store.fmul(b, tenth);
                self.store.fadd(a, scaled)
            }
        }
    }

    /// A comparison, most often with a value near to one that the number has.
    fn condition(&mut self) -> ExprId {
        let a = self.rng.pick(&self.numbers);
        let b = if self.rng.chance(25) {
            self.rng.pick(&self.numbers)
        } else {
            let input = self.rng.draw();
            let near = self.value(a, input) as u32;
            let near = near.wrapping_add(self.rng.below(3) as u32).wrapping_sub(1);
            self.store.constant(near as u128, 32)
        };
        let condition = match self.rng.below(6) {
            0 => self.store.ult(a, b),
            1 => self.store.ult(b, a),
            2 => self.store.slt(a, b),
            3 => self.store.slt(b, a),
            4 => self.store.ule(a, b),
            _ => self.store.eq(a, b),
        };
        match self.rng.chance(15) {
            true => {
                let other = self.condition();
                self.store.or(condition, other)
            }
            false => condition,
        }
    }

    /// What says that bytes are digits, letters or the like: constraints over one byte that an input satisfies.
    fn ranges(&mut self, bytes: &[ExprId], input: u64) -> Vec<ExprId> {
        let mut ranges = Vec::new();
        for &byte in bytes {
            for _ in 0..self.rng.below(4) {
                let limit = self.rng.pick(&[48, 57, 58, 45, 46, 40, 52]);
                let limit = self.store.constant(limit, 8);
                let condition = match self.rng.below(3) {
                    0 => self.store.ult(byte, limit),
                    1 => self.store.ule(byte, limit),
                    _ => self.store.eq(byte, limit),
                };
                ranges.push(match self.value(condition, input) {
                    1 => condition,
                    _ => self.store.not(condition),
                });
            }
        }
        ranges
    }

    /// The value of a term under an input, of which each byte of `input` is one.
    fn value(&self, term: ExprId, input: u64) -> u128 {
        let mut compiled = Compiled::new(&self.store, &[term], usize::MAX).expect("no limit");
        compiled.run(|symbol| input >> (8 * symbol.0) & 0xff);
        compiled.result(0)
    }

    fn finish(self, constraints: Vec<ExprId>, ends: Vec<ExprId>) -> Path {
        let all: Vec<ExprId> = constraints.iter().chain(&ends).copied().collect();
        let mut compiled = Compiled::new(&self.store, &all, usize::MAX).expect("no limit");
        let inputs = self.values.pow(self.symbols.len() as u32);
        let mut truths = vec![vec![0u64; inputs.div_ceil(64)]; all.len()];
        let bits = self.values.trailing_zeros();
        for input in 0..inputs {
            compiled.run(|symbol| {
                let position = self.symbols.iter().position(|&other| other == symbol);
                let shift = bits * position.expect("a byte of the path") as u32;
                (input >> shift & (self.values - 1)) as u64
            });
            for (index, truth) in truths.iter_mut().enumerate() {
                truth[input / 64] |= (compiled.result(index) as u64) << (input % 64);
            }
        }
        Path {
            store: self.store,
            constraints,
            ends,
            truths: all.into_iter().zip(truths).collect(),
        }
    }
}

impl Path {
    /// Whether some input satisfies all of these constraints: all inputs are tried.
    pub(super) fn is_satisfiable(&self, constraints: &[ExprId]) -> bool {
        let truths: Vec<&Vec<u64>> = constraints
            .iter()
            .map(|constraint| &self.truths[constraint])
            .collect();
        let words = self.truths.values().next().map_or(0, Vec::len);
        (0..words).any(|word| truths.iter().fold(u64::MAX, |all, truth| all & truth[word]) != 0)
    }

    /// What an exploration may ask about the path.
    pub(super) fn queries(&self, rng: &mut SplitMix) -> Vec<Vec<ExprId>> {
        let mut queries = Vec::new();
        let mut length = rng.below(self.constraints.len());
        while length < self.constraints.len() {
            let mut query = self.constraints[..length].to_vec();
            match rng.below(10) {
                // The path alone.
                0 => {}
                // A short end.
                1..=6 => query.extend((0..=rng.below(3)).map(|_| rng.pick(&self.ends))),
                // Another path with the same beginning.
                7 => {
                    query.truncate(rng.below(length + 1));
                    query.extend((0..5 + rng.below(30)).map(|_| self.other(rng)));
                }
                // A jump back.
                8 => query.truncate(rng.below(length + 1)),
                // Another order.
                _ => {
                    for index in 1..query.len() {
                        query.swap(index, rng.below(index + 1));
                    }
                }
            }
            queries.push(query);
            length += rng.below(5) / 2;
        }
        queries
    }

    fn other(&self, rng: &mut SplitMix) -> ExprId {
        match rng.chance(85) {
            true => rng.pick(&self.constraints),
            false => rng.pick(&self.ends),
        }
    }
}
