//! Inputs for runs without terms: known ones changed at random, pieces of two put together, and texts made of words that the
//! programs know.
//!
//! This is what a coverage-guided fuzzer does. Runs without terms are so cheap that most of these inputs may be worthless. Those whose
//! runs show something that no run has shown before are kept, and changed further ([`crate::coordinator`] decides which). Inputs
//! that the solver has found are taken in too, so each way of making inputs goes on from what the other has reached.
//!
//! | part of an input | how it is changed |
//! |---|---|
//! | arguments, standard input, files, values of the environment | bytes set, inserted, removed; pieces doubled or moved; words and lines replaced by those of other inputs and of the programs; numbers in them counted up and down or set to limits |
//! | variables, which have no text | whole numbers in them set to limits and to numbers of the programs, counted up and down; bytes set |
//! | number of arguments | one more, one less |
//!
//! The same seed gives the same inputs as long as the search takes the same turns.

use crate::splice::{lines, replace_word, splice, words};
use concolic_vm::symbolic::{InputBytes, SymbolicInput};
use inputs::{InputRecord, SplitMix};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// Inputs that are changed; beyond that, others than seeds make place.
const KEPT: usize = 1024;
/// Of these, the latest have more turns.
const LATEST: usize = 24;
/// One input of so many is made of words alone.
const FRESH: usize = 8;
/// After so many inputs it is forgotten which were made already.
const REMEMBERED: usize = 1 << 20;
/// How often an input is made anew when it is known already.
const ATTEMPTS: usize = 8;

/// Numbers at which programs often decide otherwise.
const LIMITS: [i64; 22] = [
    0,
    1,
    -1,
    2,
    7,
    8,
    9,
    10,
    16,
    31,
    32,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    32_767,
    65_536,
    i32::MAX as i64,
    i32::MIN as i64,
];

#[derive(Debug)]
pub struct Mutator {
    random: SplitMix,
    shapes: Vec<SymbolicInput>,
    /// By number of arguments: shapes by the length of their standard input.
    by_size: FxHashMap<usize, BTreeMap<usize, Vec<u32>>>,
    /// Words of the programs, and numbers among these.
    words: Vec<Vec<u8>>,
    numbers: Vec<i64>,
    /// Names and sizes of variables that the programs have asked for.
    variables: BTreeMap<String, usize>,
    known: Vec<InputRecord>,
    seeds: usize,
    /// Which of the known ones executed a change.
    reached: Vec<usize>,
    oldest: usize,
    made: FxHashSet<u64>,
}

impl Mutator {
    pub fn new(
        seed: u64,
        shapes: &[SymbolicInput],
        seeds: &[(u32, SymbolicInput)],
        words: &[Vec<u8>],
    ) -> Mutator {
        let mut by_size: FxHashMap<usize, BTreeMap<usize, Vec<u32>>> = FxHashMap::default();
        for (number, shape) in (0..).zip(shapes) {
            let of_count = by_size.entry(shape.args.len()).or_default();
            let of_size = of_count.entry(shape.stdin.bytes.len()).or_default();
            of_size.push(number);
        }
        let number = |word: &Vec<u8>| std::str::from_utf8(word).ok()?.parse().ok();
        let mut mutator = Mutator {
            random: SplitMix(seed ^ 0x6d75_7461_7465),
            shapes: shapes.to_vec(),
            by_size,
            numbers: words.iter().filter_map(number).collect(),
            words: words.to_vec(),
            variables: BTreeMap::new(),
            known: Vec::new(),
            seeds: 0,
            reached: Vec::new(),
            oldest: 0,
            made: FxHashSet::default(),
        };
        for (_, input) in seeds.iter().take(KEPT / 2) {
            mutator.keep(InputRecord::of(input));
        }
        mutator.seeds = mutator.known.len();
        mutator.oldest = mutator.seeds;
        mutator
    }

    fn keep(&mut self, input: InputRecord) -> usize {
        self.made.insert(number_of(&input));
        for (name, bytes) in &input.variables {
            self.learn_variable(name, bytes.len());
        }
        if self.known.len() < KEPT {
            self.known.push(input);
            return self.known.len() - 1;
        }
        let place = self.oldest;
        self.oldest = match place + 1 < KEPT {
            true => place + 1,
            false => self.seeds,
        };
        self.reached.retain(|&other| other != place);
        self.known[place] = input;
        place
    }

    /// Takes in an input that is worth changing.
    pub fn learn(&mut self, input: &SymbolicInput, executed_change: bool) {
        let record = InputRecord::of(input);
        let place = self.known.iter().rposition(|known| *known == record);
        let place = place.unwrap_or_else(|| self.keep(record));
        if executed_change && !self.reached.contains(&place) {
            self.reached.push(place);
        }
    }

    /// A program has asked for a variable of this size.
    pub fn learn_variable(&mut self, name: &str, size: usize) {
        let known = self.variables.entry(name.to_owned()).or_default();
        *known = (*known).max(size);
    }

    /// How many inputs there are to change.
    pub fn known(&self) -> usize {
        self.known.len()
    }

    /// An input with its shape.
    pub fn draw(&mut self) -> (u32, SymbolicInput) {
        if self.made.len() > REMEMBERED {
            self.made.clear();
        }
        let mut made = self.make();
        for _ in 1..ATTEMPTS {
            if self.made.insert(number_of(&InputRecord::of(&made.1))) {
                break;
            }
            made = self.make();
        }
        made
    }

    fn make(&mut self) -> (u32, SymbolicInput) {
        let is_fresh = self.known.is_empty() || self.random.below(FRESH) == 0;
        let mut draft = match is_fresh {
            true => self.fresh(),
            false => {
                let base = self.any_base();
                self.known[base].clone()
            }
        };
        let rounds = match is_fresh {
            true => 0,
            // Mostly few changes, sometimes many.
            false => 1 << self.random.below(4),
        };
        for _ in 0..rounds {
            self.change(&mut draft);
        }
        self.fit(&draft)
    }

    fn any_base(&mut self) -> usize {
        let all = self.known.len();
        match self.random.below(6) {
            0 | 1 if !self.reached.is_empty() => {
                self.reached[self.random.below(self.reached.len())]
            }
            2 | 3 => all - 1 - self.random.below(all.min(LATEST)),
            4 if self.seeds > 0 => self.random.below(self.seeds),
            _ => self.random.below(all),
        }
    }

    /// An input made of words, in a shape of any size.
    fn fresh(&mut self) -> InputRecord {
        let shape = self.random.below(self.shapes.len());
        let mut shape = self.shapes[shape].clone();
        for arg in shape.args.iter_mut().filter(|arg| arg.symbolic) {
            let size = arg.bytes.len();
            let mut text = self.text(size, false);
            text.truncate(size);
            *arg = InputBytes::symbolic_string(&text, size);
        }
        let mut record = InputRecord::of(&shape);
        if shape.stdin.symbolic {
            record.stdin = self.text(shape.stdin.bytes.len(), true);
        }
        for (name, place) in &shape.files {
            if place.symbolic {
                let text = self.text(place.bytes.len(), true);
                record.files.insert(name.clone(), text);
            }
        }
        for (name, place) in &shape.environment {
            if place.symbolic {
                let text = self.text(place.bytes.len(), false);
                record.environment.insert(name.clone(), text);
            }
        }
        let variables: Vec<(String, usize)> = self.variables.clone().into_iter().collect();
        for (name, size) in variables {
            let mut bytes = vec![0; size];
            for _ in 0..1 + self.random.below(3) {
                self.change_numbers(&mut bytes);
            }
            record.variables.insert(name, bytes);
        }
        record
    }

    /// Words with something between them, about as long as wanted.
    fn text(&mut self, size: usize, has_lines: bool) -> Vec<u8> {
        let mut text = Vec::new();
        // What lies between words is mostly the same in one text.
        let usual = [&b" "[..], b"\n", b"", b","][self.random.below(4)];
        while text.len() < size {
            match self.random.below(8) {
                0..=2 => text.push(b'0' + self.random.below(10) as u8),
                3 | 4 => {
                    let word = self.word();
                    text.extend(word);
                }
                5 => {
                    let number = self.number().to_string();
                    text.extend(number.as_bytes());
                }
                6 => text.push(self.byte()),
                _ => text.push(b'a' + self.random.below(26) as u8),
            }
            match self.random.below(8) {
                0 if has_lines => text.push(b'\n'),
                1 => text.push(b' '),
                2 => {}
                _ => text.extend(usual),
            }
        }
        text.truncate(size);
        if has_lines
            && self.random.below(2) == 0
            && let Some(last) = text.last_mut()
        {
            *last = b'\n';
        }
        text
    }

    fn word(&mut self) -> Vec<u8> {
        match self.words.is_empty() {
            true => vec![self.byte()],
            false => {
                // Those of one program alone come first.
                let bound = 1 + self.random.below(self.words.len());
                self.words[self.random.below(bound)].clone()
            }
        }
    }

    fn number(&mut self) -> i64 {
        let number = match self.random.below(4) {
            0 | 1 if !self.numbers.is_empty() => {
                self.numbers[self.random.below(self.numbers.len())]
            }
            2 => LIMITS[self.random.below(LIMITS.len())],
            _ => self.random.below(1000) as i64,
        };
        match self.random.below(4) {
            0 => number.wrapping_add(1),
            1 => number.wrapping_sub(1),
            _ => number,
        }
    }

    fn byte(&mut self) -> u8 {
        match self.random.below(6) {
            0..=2 => 32 + self.random.below(95) as u8,
            3 => b"\n \t-+0.,:=\"\0"[self.random.below(12)],
            4 => b'0' + self.random.below(10) as u8,
            _ => self.random.below(256) as u8,
        }
    }

    /// Changes one part.
    fn change(&mut self, draft: &mut InputRecord) {
        let args = draft.args.len().saturating_sub(1);
        let places = [
            2 * args,
            if draft.stdin.is_empty() { 1 } else { 3 },
            3 * draft.files.len(),
            draft.environment.len(),
            3 * self.variables.len(),
            1,
        ];
        let mut chosen = self.random.below(places.iter().sum());
        let place = places.iter().position(|&weight| {
            let is_here = chosen < weight;
            chosen = chosen.wrapping_sub(if is_here { 0 } else { weight });
            is_here
        });
        let other = self.random.below(self.known.len().max(1));
        let other = self.known.get(other).cloned().unwrap_or_default();
        let any = |random: &mut SplitMix, count: usize| random.below(count.max(1));
        match place {
            Some(0) => {
                let number = 1 + any(&mut self.random, args);
                let piece = match other.args.len() {
                    0 | 1 => Vec::new(),
                    count => other.args[1 + any(&mut self.random, count - 1)].clone(),
                };
                self.change_text(&mut draft.args[number], &piece);
            }
            Some(1) => self.change_text(&mut draft.stdin, &other.stdin),
            Some(2) => {
                let number = any(&mut self.random, draft.files.len());
                if let Some((name, content)) = draft.files.iter_mut().nth(number) {
                    let piece = other.files.get(name).cloned().unwrap_or_default();
                    self.change_text(content, &piece);
                }
            }
            Some(3) => {
                let number = any(&mut self.random, draft.environment.len());
                if let Some(value) = draft.environment.values_mut().nth(number) {
                    self.change_text(value, b"");
                }
            }
            Some(4) => {
                let number = any(&mut self.random, self.variables.len());
                let variable = self.variables.iter().nth(number);
                if let Some((name, size)) = variable.map(|(name, size)| (name.clone(), *size)) {
                    let mut bytes = draft.variables.remove(&name).unwrap_or_default();
                    bytes.resize(size, 0);
                    match other.variables.get(&name) {
                        Some(value) if self.random.below(6) == 0 => bytes.clone_from(value),
                        _ => self.change_numbers(&mut bytes),
                    }
                    draft.variables.insert(name, bytes);
                }
            }
            _ => self.change_count(draft, &other),
        }
    }

    /// One argument more or less, or those of another input.
    fn change_count(&mut self, draft: &mut InputRecord, other: &InputRecord) {
        match self.random.below(3) {
            0 if draft.args.len() > 1 => {
                let number = 1 + self.random.below(draft.args.len() - 1);
                draft.args.remove(number);
            }
            1 => {
                let word = self.word();
                let number = draft
                    .args
                    .len()
                    .min(1 + self.random.below(draft.args.len()));
                draft.args.insert(number, word);
            }
            _ => draft.args.clone_from(&other.args),
        }
        let counts = &self.by_size;
        if !counts.contains_key(&draft.args.len().max(1)) {
            let mut known: Vec<usize> = counts.keys().copied().collect();
            known.sort_unstable();
            let count = known[self.random.below(known.len())];
            draft.args.resize(count, Vec::new());
        }
    }

    fn change_text(&mut self, text: &mut Vec<u8>, piece: &[u8]) {
        let place = self.random.below(text.len() + 1);
        match self.random.below(14) {
            0 | 1 if !text.is_empty() => {
                let place = self.random.below(text.len());
                text[place] = self.byte();
            }
            2 if !text.is_empty() => {
                let place = self.random.below(text.len());
                text[place] ^= 1 << self.random.below(8);
            }
            3 => {
                let byte = self.byte();
                text.insert(place, byte);
            }
            4 if !text.is_empty() => {
                let first = self.random.below(text.len());
                let most = (text.len() - first).min(1 + self.random.below(8));
                text.drain(first..first + most);
            }
            5 if !text.is_empty() => {
                let first = self.random.below(text.len());
                let length = (text.len() - first).min(1 + self.random.below(16));
                let piece = text[first..first + length].to_vec();
                text.splice(place..place, piece);
            }
            6 => {
                let word = self.word();
                text.splice(place..place, word);
            }
            7 => {
                let word = self.word();
                let end = text.len().min(place + word.len());
                text.splice(place..end, word);
            }
            8 => self.replace_word(text),
            9 | 10 => self.change_number(text),
            11 => swap_lines(&mut self.random, text),
            12 => replace_word(&mut self.random, text, piece),
            _ => splice(&mut self.random, text, piece),
        }
    }

    /// Puts a word of the programs, or a number, in the place of a word.
    fn replace_word(&mut self, text: &mut Vec<u8>) {
        let own = words(text);
        if own.is_empty() {
            let word = self.word();
            text.extend(word);
            return;
        }
        let place = own[self.random.below(own.len())].clone();
        let word = match self.random.below(2) {
            0 => self.word(),
            _ => self.number().to_string().into_bytes(),
        };
        text.splice(place, word);
    }

    /// Changes a number in a text.
    fn change_number(&mut self, text: &mut Vec<u8>) {
        let mut numbers = Vec::new();
        let mut start = None;
        for (at, byte) in text.iter().chain([&b' ']).enumerate() {
            match (start, byte.is_ascii_digit()) {
                (None, true) => start = Some(at),
                (Some(first), false) => {
                    numbers.push(first..at);
                    start = None;
                }
                _ => {}
            }
        }
        if numbers.is_empty() {
            return self.replace_word(text);
        }
        let place = numbers[self.random.below(numbers.len())].clone();
        let value = std::str::from_utf8(&text[place.clone()]).ok();
        let value: i64 = value.and_then(|value| value.parse().ok()).unwrap_or(0);
        let value = match self.random.below(6) {
            0 => value.wrapping_add(1),
            1 => value.wrapping_sub(1),
            2 => self.random.below(10) as i64,
            3 => value
                .wrapping_mul(10)
                .wrapping_add(self.random.below(10) as i64),
            4 => value / 10,
            _ => self.number(),
        };
        text.splice(place, value.to_string().into_bytes());
    }

    /// Changes a whole number, or a byte, of a variable.
    fn change_numbers(&mut self, bytes: &mut [u8]) {
        if bytes.is_empty() {
            return;
        }
        let sizes = [8, 4, 2, 1].into_iter().filter(|&size| size <= bytes.len());
        let sizes: Vec<usize> = sizes.collect();
        // Mostly as large as the variable allows: that is what most variables are.
        let size = match self.random.below(3) {
            0 => sizes[self.random.below(sizes.len())],
            _ => sizes[0],
        };
        let place = size * self.random.below(bytes.len() / size);
        let place = &mut bytes[place..place + size];
        let mut word = [0; 8];
        word[..size].copy_from_slice(place);
        let value = i64::from_le_bytes(word);
        let value = match self.random.below(6) {
            0 => value.wrapping_add(1 + self.random.below(4) as i64),
            1 => value.wrapping_sub(1 + self.random.below(4) as i64),
            2 => value ^ 1 << self.random.below(8 * size),
            3 => self.random.draw() as i64 >> self.random.below(64),
            _ => self.number(),
        };
        place.copy_from_slice(&value.to_le_bytes()[..size]);
    }

    /// The draft in a shape that is as near to it as possible: what is too long is cut, what is too short is filled up.
    fn fit(&mut self, draft: &InputRecord) -> (u32, SymbolicInput) {
        let any = self.random.below(self.shapes.len());
        let of_count = self.by_size.get(&draft.args.len().max(1));
        let sizes = of_count.and_then(|sizes| {
            let longer = sizes.range(draft.stdin.len()..).next();
            longer.or(sizes.iter().next_back())
        });
        let number = sizes.map_or(any as u32, |(_, shapes)| {
            shapes[self.random.below(shapes.len())]
        });
        let mut input = self.shapes[number as usize].clone();
        let args = draft.args.iter().zip(&mut input.args).skip(1);
        for (value, place) in args.filter(|(_, place)| place.symbolic) {
            let size = place.bytes.len();
            *place = InputBytes::symbolic_string(&value[..value.len().min(size)], size);
        }
        fill(&draft.stdin, &mut input.stdin);
        for (name, place) in &mut input.files {
            if let Some(content) = draft.files.get(name) {
                fill(content, place);
            }
        }
        for (name, place) in &mut input.environment {
            if let Some(value) = draft.environment.get(name).filter(|_| place.symbolic) {
                let size = place.bytes.len();
                *place = InputBytes::symbolic_string(&value[..value.len().min(size)], size);
            }
        }
        input.variables.clone_from(&draft.variables);
        (number, input)
    }
}

/// Puts a text into a place of fixed length.
fn fill(text: &[u8], place: &mut InputBytes) {
    if !place.symbolic {
        return;
    }
    let with = match text.last() {
        Some(b'\n') => b'\n',
        _ => 0,
    };
    for (at, byte) in place.bytes.iter_mut().enumerate() {
        *byte = text.get(at).copied().unwrap_or(with);
    }
}

fn swap_lines(random: &mut SplitMix, text: &mut Vec<u8>) {
    let mut all = lines(text);
    if all.len() < 2 {
        return;
    }
    let (one, other) = (random.below(all.len()), random.below(all.len()));
    all.swap(one, other);
    *text = all.concat();
}

fn number_of(input: &InputRecord) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    input.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes() -> Vec<SymbolicInput> {
        let shape = |args: usize, stdin: usize| SymbolicInput {
            args: std::iter::once(InputBytes::concrete("program"))
                .chain((0..args).map(|_| InputBytes::symbolic_string(b"", 6)))
                .collect(),
            stdin: InputBytes::symbolic(vec![0; stdin]),
            ..SymbolicInput::default()
        };
        vec![shape(0, 0), shape(0, 8), shape(1, 8), shape(2, 4)]
    }

    /// Every input has one of the shapes, and the same seed gives the same ones.
    #[test]
    fn inputs_fit_their_shapes_and_are_the_same_again() {
        let words = [b"GET".to_vec(), b"1024".to_vec()];
        let seeds = [(1, {
            let mut seed = shapes()[1].clone();
            seed.stdin.bytes.copy_from_slice(b"put 17\n\n");
            seed
        })];
        let make = || Mutator::new(5, &shapes(), &seeds, &words);
        let (mut one, mut other) = (make(), make());
        let mut met = [false; 5];
        for _ in 0..4000 {
            let (number, input) = one.draw();
            assert_eq!((number, input.clone()), other.draw());
            let shape = &shapes()[number as usize];
            assert_eq!(shape.args.len(), input.args.len());
            assert_eq!(shape.stdin.bytes.len(), input.stdin.bytes.len());
            let lengths = |input: &SymbolicInput| {
                let args = input.args.iter();
                args.map(|arg| (arg.symbolic, arg.bytes.len()))
                    .collect::<Vec<_>>()
            };
            assert_eq!(lengths(shape), lengths(&input));
            let has = |text: &[u8]| input.stdin.bytes.windows(text.len()).any(|at| at == text);
            met[0] |= has(b"put GET");
            met[1] |= has(b"put 18") || has(b"put 16");
            met[2] |= has(b"1024");
            met[3] |= input.args.len() == 3 && input.args[1].string() == b"GET";
            met[4] |= number == 0;
        }
        assert_eq!(met, [true; 5]);
    }

    #[test]
    fn numbers_of_programs_come_up_in_variables() {
        let mut mutator = Mutator::new(1, &shapes()[..1], &[], &[b"77001".to_vec()]);
        mutator.learn_variable("count", 4);
        let is_met = |mutator: &mut Mutator, value: i32| {
            (0..3000).any(|_| {
                let (_, input) = mutator.draw();
                input
                    .variables
                    .get("count")
                    .is_some_and(|bytes| bytes[..] == value.to_le_bytes())
            })
        };
        for value in [77001, 77002, 77000, i32::MIN, 0] {
            assert!(is_met(&mut mutator, value), "{value}");
        }
    }
}
