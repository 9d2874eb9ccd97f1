//! Makes an input smaller while something still holds of it.
//!
//! Delta debugging (Zeller and Hildebrandt's *ddmin*) over the parts of an input: arguments are left out, bytes
//! are left out, bytes become simpler ones, numbers become smaller; large steps first. The result is
//! **1-minimal**: none of its [`reductions`] has the property, unless the budget was used up before.
//!
//! Every reduction makes an input smaller in this order: number of arguments, number of bytes, how unusual the
//! bytes are that are no digits, sum of the numbers. Variables become nearer to zero, and positive before they become
//! nearer. So it ends.

use std::collections::HashSet;

use exploration::InputRecord;

/// A smaller input, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minimised {
    pub input: InputRecord,
    /// How many inputs were tried.
    pub tries: u64,
    /// Whether no single reduction keeps the property. If not, the budget was used up.
    pub is_minimal: bool,
}

/// Makes an input smaller while `holds`, which says nothing when the budget is used up.
pub fn minimise(
    input: &InputRecord,
    mut holds: impl FnMut(&InputRecord) -> Option<bool>,
) -> Minimised {
    let mut smallest = input.clone();
    let mut steps = reductions(&smallest);
    let mut tried = HashSet::new();
    // Where the next reduction is, and how many have failed since one succeeded.
    let (mut at, mut failed) = (0, 0);
    while failed < steps.len() {
        at %= steps.len();
        let smaller = steps[at].apply(&smallest);
        if tried.insert(smaller.clone()) {
            match holds(&smaller) {
                None => {
                    let tries = tried.len() as u64 - 1;
                    return Minimised {
                        input: smallest,
                        tries,
                        is_minimal: false,
                    };
                }
                Some(true) => {
                    steps = reductions(&smaller);
                    smallest = smaller;
                    failed = 0;
                    continue;
                }
                Some(false) => {}
            }
        }
        at += 1;
        failed += 1;
    }
    Minimised {
        input: smallest,
        tries: tried.len() as u64,
        is_minimal: true,
    }
}

/// A part of an input that consists of bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Argument(usize),
    Stdin,
    File(String),
    Environment(String),
    Variable(String),
}

impl Part {
    /// What can be made smaller; the program's own name is left as it is.
    fn of(input: &InputRecord) -> Vec<Part> {
        let mut parts: Vec<Part> = (1..input.args.len()).map(Part::Argument).collect();
        parts.push(Part::Stdin);
        parts.extend(input.files.keys().cloned().map(Part::File));
        parts.extend(input.environment.keys().cloned().map(Part::Environment));
        parts.extend(input.variables.keys().cloned().map(Part::Variable));
        parts
    }

    fn bytes<'i>(&self, input: &'i InputRecord) -> &'i Vec<u8> {
        match self {
            Part::Argument(index) => &input.args[*index],
            Part::Stdin => &input.stdin,
            Part::File(name) => &input.files[name],
            Part::Environment(name) => &input.environment[name],
            Part::Variable(name) => &input.variables[name],
        }
    }

    fn bytes_mut<'i>(&self, input: &'i mut InputRecord) -> &'i mut Vec<u8> {
        let known = "a part of this input";
        match self {
            Part::Argument(index) => &mut input.args[*index],
            Part::Stdin => &mut input.stdin,
            Part::File(name) => input.files.get_mut(name).expect(known),
            Part::Environment(name) => input.environment.get_mut(name).expect(known),
            Part::Variable(name) => input.variables.get_mut(name).expect(known),
        }
    }
}

/// One attempt at a smaller input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduction(ReductionKind);

#[derive(Clone, PartialEq, Eq, Debug)]
enum ReductionKind {
    DropArguments {
        first: usize,
        count: usize,
    },
    /// Puts other bytes, often none, in the place of some.
    Replace {
        part: Part,
        first: usize,
        count: usize,
        by: Vec<u8>,
    },
}

impl Reduction {
    pub fn apply(&self, input: &InputRecord) -> InputRecord {
        let mut smaller = input.clone();
        match &self.0 {
            ReductionKind::DropArguments { first, count } => {
                smaller.args.drain(*first..first + count);
            }
            ReductionKind::Replace {
                part,
                first,
                count,
                by,
            } => {
                let bytes = part.bytes_mut(&mut smaller);
                bytes.splice(*first..first + count, by.iter().copied());
            }
        }
        smaller
    }
}

/// Every single step to a smaller input, large ones first.
pub fn reductions(input: &InputRecord) -> Vec<Reduction> {
    let mut steps = Vec::new();
    for (first, count) in chunks(input.args.len().saturating_sub(1)) {
        steps.push(ReductionKind::DropArguments {
            first: first + 1,
            count,
        });
    }
    for part in Part::of(input) {
        let bytes = part.bytes(input);
        match part {
            // A variable keeps its size.
            Part::Variable(_) => variable(&part, bytes, &mut steps),
            _ => text(&part, bytes, &mut steps),
        }
    }
    steps.into_iter().map(Reduction).collect()
}

/// Halves, quarters, and so on down to single places, as first place and count.
fn chunks(length: usize) -> Vec<(usize, usize)> {
    let mut chunks = Vec::new();
    let mut count = length;
    while count > 0 {
        let firsts = (0..length).step_by(count);
        chunks.extend(firsts.map(|first| (first, count.min(length - first))));
        count /= 2;
    }
    chunks
}

/// What unusual bytes become, the simplest first.
const SIMPLE: [u8; 4] = *b"0a \n";

/// How unusual a byte is. Digits are not; they are looked at as numbers.
fn rank(byte: u8) -> u32 {
    match byte {
        b'0'..=b'9' => 0,
        b'a' => 1,
        b'b'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        b' ' => 4,
        b'\n' => 5,
        b'!'..=b'~' => 6,
        1..=31 | 127 => 7,
        0 => 8,
        128.. => 9,
    }
}

fn text(part: &Part, bytes: &[u8], steps: &mut Vec<ReductionKind>) {
    let mut replace = |first: usize, count: usize, by: Vec<u8>| {
        let part = part.clone();
        steps.push(ReductionKind::Replace {
            part,
            first,
            count,
            by,
        });
    };
    for (first, count) in chunks(bytes.len()) {
        replace(first, count, Vec::new());
    }
    for (first, count) in chunks(bytes.len()) {
        let old = &bytes[first..first + count];
        let highest = old.iter().map(|&byte| rank(byte)).max().unwrap_or(0);
        let lowest = old.iter().map(|&byte| rank(byte)).min().unwrap_or(0);
        for to in SIMPLE {
            // All of them become simpler, or stay, and one becomes simpler.
            if rank(to) < highest && rank(to) <= lowest {
                replace(first, count, vec![to; count]);
            }
        }
    }
    for (first, count) in digits(bytes) {
        let old = &bytes[first..first + count];
        let value = std::str::from_utf8(old).ok();
        let value: Option<u64> = value.and_then(|text| text.parse().ok());
        for less in value.map(smaller_numbers).unwrap_or_default() {
            let short = less.to_string();
            // Of the same length, for where the length is fixed.
            let long = format!("{less:0count$}");
            if short != long {
                replace(first, count, short.into_bytes());
            }
            replace(first, count, long.into_bytes());
        }
    }
}

/// The longest runs of digits, as first place and count.
fn digits(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match runs.last_mut() {
            _ if !byte.is_ascii_digit() => {}
            Some((first, count)) if *first + *count == at => *count += 1,
            _ => runs.push((at, 1)),
        }
    }
    runs
}

/// The first numbers; the number's lowest bits; a fraction of it, from the smallest to a half; and half, three quarters and so
/// on up to one less.
fn smaller_numbers(value: u64) -> Vec<u64> {
    const FIRST: u64 = 10;
    let mut numbers: Vec<u64> = (0..value.min(FIRST)).collect();
    let bits = u64::BITS - value.leading_zeros();
    numbers.extend((1..bits).map(|kept| value & ((1 << kept) - 1)));
    numbers.extend((1..bits).rev().map(|shift| value >> shift));
    numbers.extend((0..bits).map(|shift| value - (value >> shift)));
    let mut known = HashSet::new();
    numbers.retain(|&number| number < value && known.insert(number));
    numbers
}

/// The bytes of a variable: a number if it has the size of one.
fn variable(part: &Part, bytes: &[u8], steps: &mut Vec<ReductionKind>) {
    let mut replace = |first: usize, by: Vec<u8>| {
        let part = part.clone();
        let count = by.len();
        steps.push(ReductionKind::Replace {
            part,
            first,
            count,
            by,
        });
    };
    if let 1 | 2 | 4 | 8 = bytes.len() {
        let mut wide = [0; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        let value = u64::from_le_bytes(wide);
        let bits = 8 * bytes.len() as u32;
        let negated = |value: u64| value.wrapping_neg() & (u64::MAX >> (64 - bits));
        let is_negative = value >> (bits - 1) == 1;
        let size = if is_negative { negated(value) } else { value };
        let mut number = |value: u64| replace(0, value.to_le_bytes()[..bytes.len()].to_vec());
        if size != value {
            number(size);
        }
        for less in smaller_numbers(size) {
            number(less);
            if is_negative && less > 0 {
                number(negated(less));
            }
        }
        return;
    }
    for (first, count) in chunks(bytes.len()) {
        if bytes[first..first + count].iter().any(|&byte| byte != 0) {
            replace(first, vec![0; count]);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn input(args: &[&[u8]], stdin: &[u8]) -> InputRecord {
        InputRecord {
            args: args.iter().map(|arg| arg.to_vec()).collect(),
            stdin: stdin.to_vec(),
            ..InputRecord::default()
        }
    }

    fn smallest(of: &InputRecord, holds: impl Fn(&InputRecord) -> bool) -> InputRecord {
        let found = minimise(of, |input| Some(holds(input)));
        assert!(found.is_minimal);
        found.input
    }

    #[test]
    fn everything_that_does_not_matter_goes() {
        let long = input(
            &[b"prog", b"-v", b"--name", b"4711", b"x"],
            b"some\nlines\n",
        );
        let number = |arg: &Vec<u8>| std::str::from_utf8(arg).ok()?.parse::<u32>().ok();
        let found = smallest(&long, |input| {
            input.args.iter().filter_map(number).any(|n| n >= 100)
        });
        assert_eq!(found, input(&[b"prog", b"100"], b""));
        let found = smallest(&long, |input| input.stdin.contains(&b'\n'));
        assert_eq!(found, input(&[b"prog"], b"\n"));
    }

    #[test]
    fn bytes_become_simple_where_their_number_is_fixed() {
        let of = input(&[b"prog"], b"\xff\0Q9~");
        let found = smallest(&of, |input| input.stdin.len() == 5);
        assert_eq!(found.stdin, b"00000");
        let found = smallest(&of, |input| {
            input.stdin.len() == 5 && input.stdin[2].is_ascii_alphabetic()
        });
        assert_eq!(found.stdin, b"00a00");
    }

    #[test]
    fn variables_become_small_numbers() {
        let mut of = input(&[b"prog"], b"");
        of.variables
            .insert("n".to_owned(), (-70_000_i32).to_le_bytes().to_vec());
        let value =
            |input: &InputRecord| i32::from_le_bytes(input.variables["n"][..].try_into().unwrap());
        let found = smallest(&of, |input| value(input).abs() > 300);
        assert_eq!(value(&found), 301);
        let found = smallest(&of, |input| value(input) < -300);
        assert_eq!(value(&found), -301);
        let least = i32::MIN.to_le_bytes().to_vec();
        of.variables.insert("n".to_owned(), least);
        let found = smallest(&of, |input| value(input) < 0);
        assert_eq!(value(&found), -1);
        let found = smallest(&of, |input| value(input) == i32::MIN);
        assert_eq!(value(&found), i32::MIN);
    }

    #[test]
    fn a_budget_that_is_used_up_is_told() {
        let of = input(&[b"prog", b"abc"], b"");
        let mut left = 3;
        let found = minimise(&of, |input| {
            left -= 1;
            (left >= 0).then(|| input.args.len() == 2 && !input.args[1].is_empty())
        });
        assert!(!found.is_minimal);
        assert_eq!((found.tries, found.input.args.len()), (3, 2));
    }

    /// In the order that the header names.
    fn measure(input: &InputRecord) -> (usize, usize, u32, u128) {
        let parts = Part::of(input);
        let bytes = || parts.iter().map(|part| part.bytes(input));
        let numbers = |bytes: &Vec<u8>| {
            let number = |(first, count): (usize, usize)| {
                let text = std::str::from_utf8(&bytes[first..first + count]).unwrap();
                text.parse::<u128>().unwrap()
            };
            digits(bytes).into_iter().map(number).sum::<u128>()
        };
        (
            input.args.len(),
            bytes().map(Vec::len).sum(),
            bytes().flatten().map(|&byte| rank(byte)).sum(),
            bytes().map(numbers).sum(),
        )
    }

    fn any_input() -> impl Strategy<Value = InputRecord> {
        let byte = prop_oneof![Just(b'0'), Just(b'7'), Just(b'a'), Just(b'\n'), any::<u8>()];
        let bytes = |most| prop::collection::vec(byte.clone(), 0..most);
        (prop::collection::vec(bytes(6), 1..4), bytes(8)).prop_map(|(args, stdin)| InputRecord {
            args,
            stdin,
            ..InputRecord::default()
        })
    }

    proptest! {
        #[test]
        fn every_reduction_makes_it_smaller(of in any_input()) {
            for step in reductions(&of) {
                let smaller = step.apply(&of);
                prop_assert!(measure(&smaller) < measure(&of), "{step:?}: {smaller:?}");
            }
        }

        /// The property is a hash of the input, so nothing about it is monotone.
        #[test]
        fn the_result_is_1_minimal(of in any_input(), salt in any::<u64>()) {
            use std::hash::{BuildHasher, RandomState};
            let hasher = RandomState::new();
            let holds = |input: &InputRecord| *input == of || hasher.hash_one((input, salt)).is_multiple_of(5);
            let found = minimise(&of, |input| Some(holds(input)));
            prop_assert!(holds(&found.input) && found.is_minimal);
            for step in reductions(&found.input) {
                prop_assert!(!holds(&step.apply(&found.input)), "{step:?} of {:?}", found.input);
            }
        }
    }
}
