//! Path-condition queries as an exploration asks them, from small parsers written against terms.
//!
//! Each program runs on one concrete input and branches on conditions over its bytes; [`explore`]
//! flips branches generation by generation and asks the solver for each flip, prefix and negated
//! branch, until a number of queries is reached.

#![allow(dead_code, unreachable_pub)]

use std::collections::{HashSet, VecDeque};
use std::time::Duration;

use expr::{Evaluation, ExprId, Model, Store, Symbol, SymbolId};
use solver::{Answer, Query, Solver};

/// One run: the concrete input and the branches taken so far.
pub struct Run<'a> {
    pub store: &'a mut Store,
    evaluation: Evaluation,
    taken: Vec<ExprId>,
}

impl Run<'_> {
    fn byte(&mut self, offset: u32) -> ExprId {
        self.store.symbol_term(&Symbol::Stdin { offset })
    }

    fn constant(&mut self, value: u128, width: u32) -> ExprId {
        self.store.constant(value, width)
    }

    /// Takes the side of a branch that the concrete input takes.
    fn branch(&mut self, condition: ExprId) -> bool {
        let truth = self.evaluation.holds(self.store, condition);
        if !self.store.is_constant(condition) {
            let side = if truth {
                condition
            } else {
                self.store.not(condition)
            };
            self.taken.push(side);
        }
        truth
    }

    /// `x == value` for a byte.
    fn is(&mut self, x: ExprId, value: u8) -> bool {
        let width = self.store.width(x);
        let value = self.constant(value as u128, width);
        let condition = self.store.eq(x, value);
        self.branch(condition)
    }
}

pub type Program = fn(&mut Run);

pub const PROGRAMS: [(&str, u32, Program); 11] = [
    ("number", 8, number),
    ("keywords", 10, keywords),
    ("states", 10, states),
    ("record", 12, record),
    ("sort", 20, sort),
    ("tokens", 8, tokens),
    ("options", 6, options),
    ("pairs", 8, pairs),
    ("maze", 12, maze),
    ("calendar", 8, calendar),
    ("checksum", 6, checksum),
];

/// Spaces, a sign, digits with an overflow check, then questions about the value.
fn number(run: &mut Run) {
    let mut position = 0;
    while position < 2 {
        let byte = run.byte(position);
        if !run.is(byte, b' ') {
            break;
        }
        position += 1;
    }
    let sign = run.byte(position);
    let negative = run.is(sign, b'-');
    if negative {
        position += 1;
    }
    let mut value = run.constant(0, 32);
    let mut digits = 0;
    while position < 8 {
        let byte = run.byte(position);
        let wide = run.store.zext(byte, 32);
        let (zero, ten) = (run.constant(48, 32), run.constant(10, 32));
        let digit = run.store.sub(wide, zero);
        let is_digit = run.store.ult(digit, ten);
        if !run.branch(is_digit) {
            break;
        }
        let scaled = run.store.mul(value, ten);
        value = run.store.add(scaled, digit);
        digits += 1;
        position += 1;
    }
    if digits == 0 {
        return;
    }
    if negative {
        value = run.store.neg(value);
    }
    for limit in [10u128, 255, 4096] {
        let limit = run.constant(limit, 32);
        let above = run.store.slt(limit, value);
        if !run.branch(above) {
            break;
        }
    }
    let (seven, three) = (run.constant(7, 32), run.constant(3, 32));
    let remainder = run.store.srem(value, seven);
    let special = run.store.eq(remainder, three);
    run.branch(special);
}

/// Comparisons with words, character by character.
fn keywords(run: &mut Run) {
    for word in ["help", "hello", "version", "verbose", "quit"] {
        let mut matched = true;
        for (offset, letter) in word.bytes().enumerate() {
            let byte = run.byte(offset as u32);
            if !run.is(byte, letter) {
                matched = false;
                break;
            }
        }
        if matched {
            let end = run.byte(word.len() as u32);
            if run.is(end, 0) || !run.is(end, b'=') {
                return;
            }
            let value = run.byte(word.len() as u32 + 1);
            let (low, high) = (run.constant(97, 8), run.constant(102, 8));
            let (above, below) = (run.store.ule(low, value), run.store.ule(value, high));
            let hexadecimal = run.store.and(above, below);
            run.branch(hexadecimal);
            return;
        }
    }
}

/// A scanner driven by two tables: character class, then next state.
fn states(run: &mut Run) {
    let classes: Vec<ExprId> = (0..=255u8)
        .map(|byte| {
            let class = match byte {
                b'0'..=b'9' => 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' => 2,
                b'"' => 3,
                b' ' | b'\n' | b'\t' => 4,
                _ => 0,
            };
            run.constant(class, 8)
        })
        .collect();
    let next: Vec<ExprId> = [
        0, 1, 2, 3, 0, 5, 1, 5, 5, 0, 0, 2, 2, 5, 0, 3, 3, 3, 4, 3, 0, 1, 2, 3, 0,
    ]
    .iter()
    .map(|&state| run.constant(state, 8))
    .collect();
    let mut state = run.constant(0, 8);
    for position in 0..6 {
        let byte = run.byte(position);
        let class = run.store.lookup(&classes, byte);
        let five = run.constant(5, 8);
        let row = run.store.mul(state, five);
        let index = run.store.add(row, class);
        state = run.store.lookup(&next, index);
        if run.is(state, 5) {
            return;
        }
        if run.is(state, 4) {
            let after = run.byte(position + 1);
            run.is(after, b';');
            return;
        }
    }
}

/// A length field, a kind, and fields read at a computed offset.
fn record(run: &mut Run) {
    let (high, low) = (run.byte(0), run.byte(1));
    let length = run.store.concat(high, low);
    let size = run.constant(300, 16);
    let too_long = run.store.ult(size, length);
    if run.branch(too_long) {
        return;
    }
    let kind = run.byte(2);
    let three = run.constant(3, 8);
    let kind = run.store.urem(kind, three);
    let offset = if run.is(kind, 0) {
        3
    } else if run.is(kind, 1) {
        5
    } else {
        7
    };
    let bytes: Vec<ExprId> = (0..4).map(|index| run.byte(offset + index)).collect();
    let field = run.store.concat_le(&bytes);
    let wide = run.store.zext(length, 32);
    let sum = run.store.add(field, wide);
    let bound = run.constant(0x8000_0000, 32);
    let overflow = run.store.ult(sum, field);
    if run.branch(overflow) {
        return;
    }
    let large = run.store.ult(bound, sum);
    if run.branch(large) {
        let (shift, mask) = (run.constant(12, 32), run.constant(0xff, 32));
        let shifted = run.store.lshr(sum, shift);
        let masked = run.store.and(shifted, mask);
        let magic = run.constant(0xa5, 32);
        let found = run.store.eq(masked, magic);
        run.branch(found);
    }
    let index = run.byte(11);
    let table: Vec<ExprId> = (3..11).map(|index| run.byte(index)).collect();
    let eight = run.constant(8, 8);
    let inside = run.store.ult(index, eight);
    if run.branch(inside) {
        let element = run.store.lookup(&table, index);
        run.is(element, b'!');
    }
}

/// Bubble sort of five 32-bit integers.
fn sort(run: &mut Run) {
    let mut values: Vec<ExprId> = (0..5)
        .map(|value| {
            let bytes: Vec<ExprId> = (0..4).map(|byte| run.byte(value * 4 + byte)).collect();
            run.store.concat_le(&bytes)
        })
        .collect();
    for end in (1..5).rev() {
        for index in 0..end {
            let swap = run.store.slt(values[index + 1], values[index]);
            if run.branch(swap) {
                values.swap(index, index + 1);
            }
        }
    }
    let gap = run.store.sub(values[4], values[0]);
    let limit = run.constant(1000, 32);
    let far = run.store.ult(limit, gap);
    run.branch(far);
}

/// Day, month and leap years from decimal digits.
fn calendar(run: &mut Run) {
    let mut digits = Vec::new();
    for position in 0..8 {
        let byte = run.byte(position);
        let (low, high) = (run.constant(48, 8), run.constant(57, 8));
        let above = run.store.ule(low, byte);
        if !run.branch(above) {
            return;
        }
        let below = run.store.ule(byte, high);
        if !run.branch(below) {
            return;
        }
        let digit = run.store.sub(byte, low);
        digits.push(run.store.zext(digit, 32));
    }
    let decimal = |run: &mut Run, digits: &[ExprId]| {
        let ten = run.constant(10, 32);
        let mut value = run.constant(0, 32);
        for &digit in digits {
            let scaled = run.store.mul(value, ten);
            value = run.store.add(scaled, digit);
        }
        value
    };
    let (day, month, year) = (
        decimal(run, &digits[..2]),
        decimal(run, &digits[2..4]),
        decimal(run, &digits[4..]),
    );
    let (one, twelve) = (run.constant(1, 32), run.constant(12, 32));
    let valid = run.store.ule(month, twelve);
    if !run.branch(valid) {
        return;
    }
    let valid = run.store.ule(one, month);
    if !run.branch(valid) {
        return;
    }
    let two = run.constant(2, 32);
    let february = run.store.eq(month, two);
    let last = if run.branch(february) {
        let (four, hundred, zero) = (
            run.constant(4, 32),
            run.constant(100, 32),
            run.constant(0, 32),
        );
        let (quarter, century) = (run.store.urem(year, four), run.store.urem(year, hundred));
        let by_four = run.store.eq(quarter, zero);
        let by_hundred = run.store.eq(century, zero);
        if run.branch(by_four) && !run.branch(by_hundred) {
            29
        } else {
            28
        }
    } else {
        31
    };
    let last = run.constant(last, 32);
    let late = run.store.ult(last, day);
    run.branch(late);
}

/// A sum and a rolling exclusive-or over all bytes.
fn checksum(run: &mut Run) {
    let mut sum = run.constant(0, 8);
    let mut rolling = run.constant(0x5a, 8);
    for position in 0..5 {
        let byte = run.byte(position);
        sum = run.store.add(sum, byte);
        let (one, seven) = (run.constant(1, 8), run.constant(7, 8));
        let (left, right) = (run.store.shl(rolling, one), run.store.lshr(rolling, seven));
        let rotated = run.store.or(left, right);
        rolling = run.store.xor(rotated, byte);
        let limit = run.constant(200, 8);
        let high = run.store.ult(limit, rolling);
        if run.branch(high) {
            sum = run.store.add(sum, rolling);
        }
    }
    let last = run.byte(5);
    let matches = run.store.eq(sum, last);
    if run.branch(matches) {
        let zero = run.constant(0, 8);
        let both = run.store.eq(rolling, zero);
        run.branch(both);
    }
}

/// A byte scanner that tells digits, letters, quotes and spaces apart as C code does.
fn tokens(run: &mut Run) {
    let mut depth = run.constant(0, 32);
    for position in 0..8 {
        let byte = run.byte(position);
        let wide = run.store.zext(byte, 32);
        if run.is(byte, 0) {
            return;
        }
        let (zero, ten) = (run.constant(48, 32), run.constant(10, 32));
        let offset = run.store.sub(wide, zero);
        let digit = run.store.ult(offset, ten);
        if run.branch(digit) {
            continue;
        }
        let (bit, letter, letters) = (
            run.constant(32, 32),
            run.constant(97, 32),
            run.constant(26, 32),
        );
        let lower = run.store.or(wide, bit);
        let offset = run.store.sub(lower, letter);
        let alphabetic = run.store.ult(offset, letters);
        let one = run.constant(1, 32);
        if run.branch(alphabetic) {
            continue;
        } else if run.is(byte, b'(') {
            depth = run.store.add(depth, one);
        } else if run.is(byte, b')') {
            depth = run.store.sub(depth, one);
            let zero = run.constant(0, 32);
            let unbalanced = run.store.slt(depth, zero);
            if run.branch(unbalanced) {
                return;
            }
        } else if !run.is(byte, b' ') {
            return;
        }
    }
}

/// Single-letter options, some of which take a value or exclude each other.
fn options(run: &mut Run) {
    let mut seen = 0u32;
    for position in 0..5 {
        let byte = run.byte(position);
        let found = (0..6u8).find(|letter| run.is(byte, b'a' + letter));
        match found {
            None => return,
            Some(5) => {
                let value = run.byte(position + 1);
                let (low, high) = (run.constant(b'1' as u128, 8), run.constant(b'5' as u128, 8));
                let (above, below) = (run.store.ule(low, value), run.store.ule(value, high));
                let good = run.store.and(above, below);
                run.branch(good);
                return;
            }
            Some(letter) if seen >> letter & 1 == 1 => return,
            Some(letter) => seen |= 1 << letter,
        }
    }
}

/// Two three-digit numbers with a separator, compared and combined.
fn pairs(run: &mut Run) {
    let mut values = Vec::new();
    for start in [0, 4] {
        let mut value = run.constant(0, 32);
        for position in start..start + 3 {
            let byte = run.byte(position);
            let wide = run.store.sext(byte, 32);
            let (zero, nine, ten) = (
                run.constant(48, 32),
                run.constant(57, 32),
                run.constant(10, 32),
            );
            let below = run.store.slt(wide, zero);
            if run.branch(below) {
                break;
            }
            let above = run.store.slt(nine, wide);
            if run.branch(above) {
                break;
            }
            let scaled = run.store.mul(value, ten);
            let sum = run.store.add(scaled, wide);
            value = run.store.sub(sum, zero);
        }
        values.push(value);
    }
    let separator = run.byte(3);
    if !run.is(separator, b'-') {
        return;
    }
    let less = run.store.slt(values[0], values[1]);
    let ordered = run.branch(less);
    let sum = run.store.add(values[0], values[1]);
    for limit in [50u128, 500, 1500] {
        let limit = run.constant(limit, 32);
        let above = run.store.slt(limit, sum);
        if !run.branch(above) {
            break;
        }
    }
    if ordered {
        let three = run.constant(3, 32);
        let triple = run.store.mul(values[0], three);
        let equal = run.store.eq(triple, values[1]);
        run.branch(equal);
    }
}

/// Moves through a small maze.
fn maze(run: &mut Run) {
    const MAZE: [&[u8]; 5] = [b"+-+---+", b"|.|..X|", b"|.|.|.|", b"|...|.|", b"+-----+"];
    let (mut row, mut column) = (1usize, 1usize);
    for position in 0..12 {
        let byte = run.byte(position);
        let (down, right) = match () {
            _ if run.is(byte, b'w') => (-1, 0),
            _ if run.is(byte, b's') => (1, 0),
            _ if run.is(byte, b'a') => (0, -1),
            _ if run.is(byte, b'd') => (0, 1),
            _ => return,
        };
        let (next_row, next_column) = (
            row.wrapping_add_signed(down),
            column.wrapping_add_signed(right),
        );
        match MAZE[next_row][next_column] {
            b'.' => (row, column) = (next_row, next_column),
            _ => return,
        }
    }
}

/// Explores a program until `limit` queries were asked or nothing is left; returns how many.
pub fn explore(
    store: &mut Store,
    program: Program,
    size: u32,
    solver: &mut dyn Solver,
    limit: usize,
    timeout: Duration,
) -> usize {
    let mut inputs = VecDeque::from([(Model::new(), 0)]);
    let mut asked: HashSet<Vec<ExprId>> = HashSet::new();
    let mut queries = 0;
    while let Some((input, bound)) = inputs.pop_front() {
        let mut run = Run {
            store,
            evaluation: Evaluation::new(complete(store_symbols(&input, size), size)),
            taken: Vec::new(),
        };
        // Symbols are numbered in order of their offsets.
        for offset in 0..size {
            run.byte(offset);
        }
        program(&mut run);
        let taken = run.taken;
        for index in bound..taken.len() {
            let mut constraints = taken[..index].to_vec();
            constraints.push(store.not(taken[index]));
            if !asked.insert(constraints.clone()) {
                continue;
            }
            if queries == limit {
                return queries;
            }
            queries += 1;
            let query = Query {
                constraints: &constraints,
                timeout,
            };
            if let Answer::Sat(model) = solver.solve(store, &query) {
                let mut next = input.clone();
                next.extend(&model);
                inputs.push_back((next, index + 1));
            }
        }
    }
    queries
}

fn store_symbols(input: &Model, size: u32) -> Vec<u64> {
    (0..size)
        .map(|offset| input.value(SymbolId(offset)))
        .collect()
}

fn complete(values: Vec<u64>, size: u32) -> Model {
    let mut model = Model::new();
    for offset in 0..size {
        model.set(SymbolId(offset), values[offset as usize]);
    }
    model
}
