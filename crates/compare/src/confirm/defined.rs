//! Does a difference need undefined behaviour?
//!
//! Signed overflow, a conversion out of range and their like go on in the VM as on most machines, so an input on which they happen
//! may tell versions apart that a compiler may treat as equal. An example without them is worth more. If the search came
//! with one that has them, others are tried that look alike and are more ordinary; if none of these shows the same difference with
//! defined behaviour alone, the example keeps its undefined operations, and the report says so. Nothing is proved by that: it
//! says that nobody has found an example without, and after how many tries.
//!
//! The tries are counted in instructions and drawn from a fixed seed, so that the same call gives the same examples.

use exploration::InputRecord;
use exploration::frontier::SplitMix;
use native::prediction::exactly;
use serde::{Deserialize, Serialize};

use crate::inspect::undefined::operations;
use crate::inspect::{CodePlace, Operation};
use crate::versions::run::{Shown, Versions};

/// Inputs that are tried, at most.
const TRIES: usize = 200;
/// Instructions for all of them.
const INSTRUCTIONS: u64 = 20_000_000;
/// What starting the processes counts.
const STARTING: u64 = 50_000;

/// An operation that C leaves undefined, on the way to a difference.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UndefinedStep {
    /// The number of the version.
    pub version: usize,
    pub operation: Operation,
    pub at: CodePlace,
}

/// What versions do on an input that C leaves undefined and the VM does not.
pub(super) fn undefined_steps(
    versions: &Versions<'_>,
    of: &[usize],
    input: &InputRecord,
) -> Vec<UndefinedStep> {
    let given = exactly(input);
    let mut found = Vec::new();
    for &version in of {
        let program = versions.programs[version];
        let seen = operations(program, &versions.kernel, versions.limits, &given);
        found.extend(seen.into_iter().map(|(operation, at)| UndefinedStep {
            version,
            operation: Operation::of(operation),
            at: CodePlace::of(&at),
        }));
    }
    found
}

/// An input that shows the same as another, with defined behaviour alone.
pub(super) fn defined_like(
    versions: &Versions<'_>,
    of: &[usize],
    input: &InputRecord,
    fits: impl Fn(&InputRecord) -> bool,
    shown: &Shown,
) -> Option<InputRecord> {
    let mut random = SplitMix(0x7061_7261_6c6c_6178);
    let mut left = INSTRUCTIONS;
    for _ in 0..TRIES {
        let other = varied(input, &mut random);
        if other == *input || !fits(&other) {
            continue;
        }
        let Some(seen) = versions.run(&other) else {
            continue;
        };
        if seen.shows_same(shown) && undefined_steps(versions, of, &other).is_empty() {
            return Some(other);
        }
        left = left.saturating_sub(seen.instructions + STARTING);
        if left == 0 {
            break;
        }
    }
    None
}

/// The same input with some ordinary values.
fn varied(input: &InputRecord, random: &mut SplitMix) -> InputRecord {
    let mut other = input.clone();
    let texts = other.args.iter_mut().skip(1);
    let texts = texts.chain([&mut other.stdin]);
    let texts = texts.chain(other.files.values_mut());
    for text in texts.chain(other.environment.values_mut()) {
        for byte in text.iter_mut() {
            if random.below(3) == 0 {
                *byte = ORDINARY[random.below(ORDINARY.len())];
            }
        }
        // It may be a number as it lies in memory.
        if random.below(4) == 0 {
            number(text, random);
        }
    }
    for value in other.variables.values_mut() {
        if random.below(3) > 0 {
            number(value, random);
        }
    }
    other
}

const ORDINARY: &[u8] = b"0123456789abcxyzABZ -+.,:/\n";

/// Puts a small number where one has room.
fn number(bytes: &mut [u8], random: &mut SplitMix) {
    let size = bytes.len();
    let bits = random.below(20);
    let small = random.below(1 << bits) as i64;
    let small = match random.below(3) {
        0 => -small,
        _ => small,
    };
    match (size, random.below(3)) {
        (8, 0) => bytes.copy_from_slice(&(small as f64 / 2.0).to_le_bytes()),
        (4, 0) => bytes.copy_from_slice(&(small as f32 / 2.0).to_le_bytes()),
        (1 | 2 | 4 | 8, _) => bytes.copy_from_slice(&small.to_le_bytes()[..size]),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs keep their shape, and the same seed gives the same ones.
    #[test]
    fn varied_inputs_have_the_same_shape() {
        let mut input = InputRecord {
            args: vec![b"prog".to_vec(), b"abc".to_vec()],
            stdin: vec![0xff; 8],
            ..InputRecord::default()
        };
        input.variables.insert("n".to_owned(), vec![0x80, 0, 0, 0]);
        let all = || {
            let mut random = SplitMix(1);
            let inputs = (0..100).map(|_| varied(&input, &mut random));
            inputs.collect::<Vec<_>>()
        };
        for other in all() {
            assert_eq!(other.args[0], b"prog");
            let sizes = [&other.args[1], &other.stdin, &other.variables["n"]].map(Vec::len);
            assert_eq!(sizes, [3, 8, 4]);
        }
        assert_eq!(all(), all());
        assert!(all().iter().any(|other| *other != input));
    }
}
