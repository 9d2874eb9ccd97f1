//! Splicing: new inputs from pieces of known ones, as fuzzers make them.
//!
//! A flip changes one decision. What a change needs before it shows is sometimes far from every seed by flips, and near
//! by pieces: a command of one test before a command of another, the options of one with the text of another. Known
//! inputs (the seeds, and runs that showed something new) are cut at line ends and between arguments:
//!
//! - lines of one input are put among those of another, or take the place of its end, and words take the place of
//!   words;
//! - an argument is replaced by one that stood at the same place, counted from the end (options come first), or
//!   several by any that occurred;
//! - the arguments of one go with the streams of another.
//!
//! Half of all begin with an input that executed a change, and most pieces are those of seeds: somebody wrote them. One
//! input of four, and where nothing can be spliced each, is [random](inputs::random): what chance finds soon is found
//! here too.
//!
//! A spliced input has one of the given shapes: a stream that is too short
//! is filled up with its last line end (or zeros), and one that is too long loses lines. So it is an input like any
//! other, and what it shows is compared and proved as always. The same seed gives the same inputs as long as the search
//! takes the same turns.

use concolic_vm::symbolic::SymbolicInput;
use inputs::InputRecord;
use inputs::SplitMix;
use inputs::random::RandomInputs;
use rustc_hash::FxHashSet;
use std::hash::{Hash, Hasher};
use std::ops::Range;

/// Inputs that pieces are taken from: later ones replace earlier ones, except seeds.
const KEPT: usize = 256;
/// One input of so many is random.
const BY_CHANCE: usize = 4;
/// How often a draft is made anew when it fits nowhere or is known.
const ATTEMPTS: usize = 24;

#[derive(Debug)]
pub struct Splicer {
    random: SplitMix,
    by_chance: RandomInputs,
    shapes: Vec<SymbolicInput>,
    known: Vec<InputRecord>,
    seeds: usize,
    /// Which of the known ones executed a change.
    reached: Vec<usize>,
    /// Every argument that occurred, once with each place, those of seeds first.
    arguments: Vec<(usize, Vec<u8>)>,
    seed_arguments: usize,
    made: FxHashSet<u64>,
    oldest: usize,
}

impl Splicer {
    pub fn new(seed: u64, shapes: &[SymbolicInput], seeds: &[(u32, SymbolicInput)]) -> Splicer {
        let mut splicer = Splicer {
            random: SplitMix(seed),
            by_chance: RandomInputs::new(!seed, shapes, seeds),
            shapes: shapes.to_vec(),
            known: Vec::new(),
            seeds: seeds.len().min(KEPT / 2),
            reached: Vec::new(),
            arguments: Vec::new(),
            seed_arguments: 0,
            made: FxHashSet::default(),
            oldest: 0,
        };
        for (_, input) in seeds.iter().take(KEPT / 2) {
            splicer.keep(InputRecord::of(input));
        }
        splicer.oldest = splicer.seeds;
        splicer.seed_arguments = splicer.arguments.len();
        splicer
    }

    fn keep(&mut self, input: InputRecord) -> usize {
        self.made.insert(number(&input));
        let count = input.args.len();
        for (number, argument) in input.args.iter().enumerate().skip(1) {
            let argument = (count - number, argument.clone());
            if self.arguments.len() < 2 * KEPT && !self.arguments.contains(&argument) {
                self.arguments.push(argument);
            }
        }
        if self.known.len() < KEPT {
            self.known.push(input);
            return self.known.len() - 1;
        }
        let place = self.oldest;
        self.oldest = if place + 1 < KEPT {
            place + 1
        } else {
            self.seeds
        };
        self.reached.retain(|&other| other != place);
        self.known[place] = input;
        place
    }

    /// Takes in a run that showed something new, or a seed that executed a change.
    pub fn learn(&mut self, input: &SymbolicInput, is_new: bool, executed_change: bool) {
        let record = InputRecord::of(input);
        let place = self.known.iter().position(|known| *known == record);
        let place = match place {
            None if is_new => self.keep(record),
            None => return,
            Some(place) => place,
        };
        if executed_change && !self.reached.contains(&place) {
            self.reached.push(place);
        }
    }

    /// An input with its shape.
    pub fn draw(&mut self) -> (u32, SymbolicInput) {
        let spliced = match self.random.below(BY_CHANCE) {
            0 => None,
            _ => self.splice(),
        };
        spliced.unwrap_or_else(|| self.by_chance.draw())
    }

    /// An input that was not made before.
    fn splice(&mut self) -> Option<(u32, SymbolicInput)> {
        if self.known.is_empty() {
            return None;
        }
        for _ in 0..ATTEMPTS {
            let base = self.any_base();
            let mut draft = self.known[base].clone();
            loop {
                self.change(&mut draft);
                if self.random.below(4) > 0 {
                    break;
                }
            }
            if let Some((shape, input)) = self.fit(draft)
                && self.made.insert(number(&InputRecord::of(&input)))
            {
                return Some((shape, input));
            }
        }
        None
    }

    fn any_base(&mut self) -> usize {
        if !self.reached.is_empty() && self.random.below(2) == 0 {
            return self.reached[self.random.below(self.reached.len())];
        }
        self.any_known()
    }

    fn any_known(&mut self) -> usize {
        self.mostly_below(self.seeds, self.known.len())
    }

    /// A number below `all`, three times of four one of the first `some`.
    fn mostly_below(&mut self, some: usize, all: usize) -> usize {
        match some > 0 && self.random.below(4) > 0 {
            true => self.random.below(some),
            false => self.random.below(all),
        }
    }

    /// Replaces one argument by one that stood at its place.
    fn replace_argument(&mut self, args: &mut [Vec<u8>]) {
        let count = args.len();
        let number = 1 + self.random.below(count - 1);
        let fitting: Vec<usize> = (0..self.arguments.len())
            .filter(|&other| self.arguments[other].0 == count - number)
            .collect();
        if fitting.is_empty() {
            return;
        }
        let of_seeds = fitting.partition_point(|&other| other < self.seed_arguments);
        let chosen = fitting[self.mostly_below(of_seeds, fitting.len())];
        args[number].clone_from(&self.arguments[chosen].1);
    }

    fn change(&mut self, draft: &mut InputRecord) {
        let other = self.any_known();
        let choice = match draft.args.len() > 1 && !self.arguments.is_empty() {
            true => self.random.below(6),
            false => 3,
        };
        match choice {
            0 | 1 => return self.replace_argument(&mut draft.args),
            2 => {
                for argument in draft.args.iter_mut().skip(1) {
                    if self.random.below(2) == 0 {
                        let some = self.mostly_below(self.seed_arguments, self.arguments.len());
                        argument.clone_from(&self.arguments[some].1);
                    }
                }
                return;
            }
            3 if self.random.below(3) == 0 => {
                draft.args.clone_from(&self.known[other].args);
                return;
            }
            _ => {}
        }
        let from = &self.known[other];
        let streams = 1 + draft.files.len();
        let (stream, piece) = match self.random.below(streams) {
            0 => (&mut draft.stdin, &from.stdin),
            file => {
                let Some((name, content)) = draft.files.iter_mut().nth(file - 1) else {
                    return;
                };
                let Some(piece) = from.files.get(name) else {
                    return;
                };
                (content, piece)
            }
        };
        match self.random.below(3) {
            0 => replace_word(&mut self.random, stream, piece),
            _ => splice(&mut self.random, stream, piece),
        }
    }

    /// The draft in the smallest shape that takes it; lines are left out if there is none.
    fn fit(&mut self, mut draft: InputRecord) -> Option<(u32, SymbolicInput)> {
        loop {
            let mut best: Option<(usize, u32, SymbolicInput)> = None;
            for (number, shape) in (0..).zip(&self.shapes) {
                let size = shape.stdin.bytes.len();
                let is_better = best.as_ref().is_none_or(|best| size < best.0);
                let fits = size >= draft.stdin.len() && shape.args.len() == draft.args.len();
                if !is_better || !fits {
                    continue;
                }
                let Some(input) = padded(&draft, shape).in_shape(shape) else {
                    continue;
                };
                best = Some((size, number, input));
            }
            if let Some((_, number, input)) = best {
                return Some((number, input));
            }
            let mut lines = lines(&draft.stdin);
            if lines.is_empty() {
                return None;
            }
            lines.remove(self.random.below(lines.len()));
            draft.stdin = lines.concat();
        }
    }
}

fn number(input: &InputRecord) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    input.hash(&mut hasher);
    hasher.finish()
}

pub(crate) fn lines(stream: &[u8]) -> Vec<&[u8]> {
    stream.split_inclusive(|&byte| byte == b'\n').collect()
}

/// Puts some lines of `piece` into `stream`: among its lines, or for one of them, or for its end.
pub(crate) fn splice(random: &mut SplitMix, stream: &mut Vec<u8>, piece: &[u8]) {
    let (own, others) = (lines(stream), lines(piece));
    if others.is_empty() {
        return;
    }
    let first = random.below(others.len());
    let end = match random.below(4) {
        0 => first + 1 + random.below(others.len() - first),
        1 => others.len(),
        _ => first + 1,
    };
    let at = random.below(own.len() + 1);
    let kept = match random.below(4) {
        0 => own.len(),
        1 => own.len().min(at + 1),
        _ => at,
    };
    *stream = [&own[..at], &others[first..end], &own[kept..]]
        .concat()
        .concat();
}

/// What lies between white space.
pub(crate) fn words(stream: &[u8]) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut start = 0;
    for (at, byte) in stream.iter().chain([&b' ']).enumerate() {
        if byte.is_ascii_whitespace() || *byte == 0 {
            if start < at {
                words.push(start..at);
            }
            start = at + 1;
        }
    }
    words
}

/// Puts a word of `piece` in the place of one of `stream`.
pub(crate) fn replace_word(random: &mut SplitMix, stream: &mut Vec<u8>, piece: &[u8]) {
    let (own, others) = (words(stream), words(piece));
    if own.is_empty() || others.is_empty() {
        return;
    }
    let word = &piece[others[random.below(others.len())].clone()];
    let place = own[random.below(own.len())].clone();
    stream.splice(place, word.iter().copied());
}

/// As long as the shape wants it.
fn padded(draft: &InputRecord, shape: &SymbolicInput) -> InputRecord {
    let fill = |stream: &mut Vec<u8>, length: usize| {
        if stream.len() < length {
            let byte = match stream.last() {
                Some(b'\n') => b'\n',
                _ => 0,
            };
            stream.resize(length, byte);
        }
    };
    let mut padded = draft.clone();
    fill(&mut padded.stdin, shape.stdin.bytes.len());
    for (name, place) in &shape.files {
        if let Some(content) = padded.files.get_mut(name) {
            fill(content, place.bytes.len());
        }
    }
    padded
}

#[cfg(test)]
mod tests {
    use super::*;
    use concolic_vm::symbolic::InputBytes;

    fn shape(arguments: &[usize], stdin: usize) -> SymbolicInput {
        let own = arguments.iter();
        let own = own.map(|&length| InputBytes::symbolic_string(b"", length));
        SymbolicInput {
            args: [InputBytes::concrete("program")]
                .into_iter()
                .chain(own)
                .collect(),
            stdin: InputBytes::symbolic(vec![0; stdin]),
            ..SymbolicInput::default()
        }
    }

    fn record(arguments: &[&str], stdin: &str) -> InputRecord {
        let arguments = ["program"].iter().chain(arguments);
        InputRecord {
            args: arguments
                .map(|argument| argument.as_bytes().to_vec())
                .collect(),
            stdin: stdin.as_bytes().to_vec(),
            ..InputRecord::default()
        }
    }

    fn splicer(shapes: &[SymbolicInput], records: &[InputRecord]) -> Splicer {
        let place = |record: &InputRecord| {
            let mut places = (0..).zip(shapes);
            places.find_map(|(number, shape)| Some((number, record.in_shape(shape)?)))
        };
        let seeds: Vec<_> = records
            .iter()
            .map(|seed| place(seed).expect("it fits"))
            .collect();
        Splicer::new(3, shapes, &seeds)
    }

    #[test]
    fn pieces_of_two_inputs_meet_in_one_and_all_are_new_and_fit() {
        let shapes = [shape(&[], 8), shape(&[2], 6)];
        let records = [
            record(&[], "a 1\nb 2\n"),
            record(&["-x"], "c 3\n\n\n"),
            record(&[], "d 4\ne 5\n"),
        ];
        let mut splicer = splicer(&shapes, &records);
        let mut seen: Vec<InputRecord> = records.to_vec();
        let mut both = [false; 4];
        for _ in 0..300 {
            let Some((shape, input)) = splicer.splice() else {
                break;
            };
            let made = InputRecord::of(&input);
            assert_eq!(made.in_shape(&shapes[shape as usize]), Some(input));
            assert!(!seen.contains(&made), "{made:?}");
            let text = String::from_utf8_lossy(&made.stdin).into_owned();
            both[0] |= text.contains("b 2") && text.contains("d 4");
            both[1] |= made.args.len() == 2 && text.contains("a 1");
            both[2] |= text
                .find("e 5")
                .is_some_and(|e| text.find("a 1").is_some_and(|a| e < a));
            both[3] |= text.contains("a 5");
            seen.push(made);
        }
        assert_eq!(both, [true; 4], "{} inputs", seen.len());
    }

    #[test]
    fn what_was_learnt_is_used() {
        let shapes = [shape(&[], 8)];
        let mut splicer = splicer(&shapes, &[record(&[], "a 1\nb 2\n")]);
        let learnt = record(&[], "z 9\ny 8\n").in_shape(&shapes[0]).unwrap();
        splicer.learn(&learnt, false, true);
        assert_eq!((splicer.known.len(), splicer.reached.len()), (1, 0));
        splicer.learn(&learnt, true, true);
        assert_eq!((splicer.known.len(), splicer.reached.len()), (2, 1));
        let drawn = std::iter::from_fn(|| splicer.splice()).take(40);
        let mut texts = drawn.map(|(_, input)| input.stdin.bytes);
        assert!(texts.any(|text| text.starts_with(b"z 9") && text.ends_with(b"b 2\n")));
    }
}
