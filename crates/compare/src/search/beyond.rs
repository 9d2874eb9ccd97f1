//! Inputs beyond the bounds that are proved: larger ones, made of what the versions know.
//!
//! A difference may need more arguments or longer texts than can be explored to the end. So a round *beyond* searches much larger
//! bounds, with few lengths of standard input, and begins with inputs made of the versions' own words ([`KnownWords`]), with the user's
//! tests, and with inputs on which an earlier check found a difference. It proves nothing, whatever it comes to: a
//! difference that it finds is one, and otherwise its runs are counted.

use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;

use crate::growing_bounds::Reads;
use crate::versions::known_words::KnownWords;

/// The most inputs that are made of words.
const MOST_SEEDS: usize = 160;

/// Those of the inputs that have one of the shapes, each with the number of its shape.
pub(super) fn placed(
    inputs: &[InputRecord],
    shapes: &[SymbolicInput],
) -> Vec<(u32, SymbolicInput)> {
    let place = |input: &InputRecord| {
        let mut shapes = (0..).zip(shapes);
        shapes.find_map(|(number, shape)| Some((number, input.in_shape(shape)?)))
    };
    inputs.iter().filter_map(place).collect()
}

/// Inputs made of words: alone, with values, and one after the other.
pub(super) fn seeds(words: &KnownWords, name: &[u8], reads: Reads) -> Vec<InputRecord> {
    let values = values(words);
    let arguments = match reads.arguments {
        true => arguments(words, &values),
        false => vec![Vec::new()],
    };
    let streams = match reads.stdin {
        true => streams(words, &values),
        false => vec![String::new()],
    };
    let input = |arguments: &[String], stdin: &str| InputRecord {
        args: [name.to_vec()]
            .into_iter()
            .chain(
                arguments
                    .iter()
                    .map(|argument| argument.clone().into_bytes()),
            )
            .collect(),
        stdin: stdin.as_bytes().to_vec(),
        ..InputRecord::default()
    };
    // All arguments with one stream after the other, and all streams with the first arguments.
    let mut made = Vec::new();
    let most = arguments.len().max(streams.len());
    for round in 0..streams.len().max(2) {
        for number in 0..most {
            let arguments = &arguments[(number + round) % arguments.len()];
            let made_of = input(arguments, &streams[number % streams.len()]);
            if made.len() < MOST_SEEDS && !made.contains(&made_of) {
                made.push(made_of);
            }
        }
    }
    made
}

/// The most inputs that are made to be large, and the most bytes of one.
const MOST_LARGE: usize = 200;
const LARGEST: usize = 1200;
/// The most things one after the other, and the most lines with commands.
const MOST_ITEMS: usize = 80;
const MOST_COMMANDS: usize = 40;
/// Numbers at the limits of types.
const LIMITS: &[&str] = &[
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
];

/// Inputs that fill what versions have room for, and numbers at the limits of types. `readers` are arguments with which standard input is
/// read.
pub(super) fn large_seeds(
    words: &KnownWords,
    name: &[u8],
    reads: Reads,
    readers: &[Vec<Vec<u8>>],
) -> Vec<InputRecord> {
    let mut made: Vec<InputRecord> = Vec::new();
    let mut add = |arguments: &[Vec<u8>], stdin: &str| {
        let input = InputRecord {
            args: [name.to_vec()]
                .into_iter()
                .chain(arguments.iter().cloned())
                .collect(),
            stdin: stdin.as_bytes().to_vec(),
            ..InputRecord::default()
        };
        if made.len() < MOST_LARGE && stdin.len() <= LARGEST && !made.contains(&input) {
            made.push(input);
        }
    };
    if reads.stdin {
        let streams = large_streams(words);
        let mut lists: Vec<Vec<Vec<u8>>> = readers
            .iter()
            .map(|arguments| arguments.iter().skip(1).cloned().collect())
            .collect();
        // Ordinary arguments first, and few.
        let is_plain = |list: &Vec<Vec<u8>>| list.iter().flatten().all(u8::is_ascii_graphic);
        lists.sort_by_key(|list| (!is_plain(list), list.len(), list.concat().len()));
        lists.truncate(2);
        if lists.is_empty() {
            lists.push(Vec::new());
        }
        for stream in &streams {
            for list in &lists {
                add(list, stream);
            }
        }
    }
    if reads.arguments {
        let texts = |words: &[&str]| -> Vec<Vec<u8>> {
            words.iter().map(|word| word.as_bytes().to_vec()).collect()
        };
        for limit in LIMITS {
            add(&texts(&[limit]), "");
            for word in words.words.iter().take(6) {
                add(&texts(&[word, limit]), "a b\n");
            }
        }
        for separator in words.separators.iter().take(16) {
            for (one, other) in [("1", "2"), (LIMITS[4], "2"), (LIMITS[5], "-1")] {
                let expression = format!("{one}{separator}{other}");
                add(&texts(&[&expression]), "");
            }
        }
    }
    made
}

/// Streams with more of something than there is room for.
fn large_streams(words: &KnownWords) -> Vec<String> {
    let is_word = |word: &&String| !word.starts_with('-');
    let commands: Vec<&String> = words.words.iter().filter(is_word).take(4).collect();
    let mut separators: Vec<&str> = words.separators.iter().map(String::as_str).collect();
    separators.sort_by_key(|&separator| ![",", ";", ":", "="].contains(&separator));
    separators.truncate(3);
    separators.extend([" ", "\n"]);
    // One of each kind after the other.
    let mut kinds: Vec<Vec<String>> = Vec::new();
    for separator in separators {
        let limits = words.limits.iter().filter(|&&limit| limit <= MOST_ITEMS);
        let items = limits.map(|&limit| vec!["1"; limit + 1].join(separator) + "\n");
        kinds.push(items.collect());
    }
    for extra in [1, 0] {
        let lengths = words.lengths.iter();
        // A number that goes on behind what fits.
        let digits = lengths.map(|&length| format!("{}1\n", "0".repeat(length - 1 + extra)));
        kinds.push(digits.collect());
        let lengths = words.lengths.iter();
        let letters = lengths.map(|&length| format!("{}\n", "a".repeat(length + extra)));
        kinds.push(letters.collect());
    }
    for command in &commands {
        let mut own = Vec::new();
        for &limit in words.limits.iter().filter(|&&limit| limit <= MOST_COMMANDS) {
            let lines = (0..=limit).map(|number| {
                let letter = char::from(b'a' + (number % 26) as u8);
                format!("{command} {letter} 1 1\n")
            });
            own.push(lines.collect());
        }
        for length in words.lengths.iter().take(4) {
            own.push(format!("{command} {} 1\n", "a".repeat(*length)));
        }
        for limit in LIMITS {
            own.push(format!("{command} a {limit}\n"));
        }
        kinds.push(own);
    }
    kinds.push(LIMITS.iter().map(|limit| format!("{limit}\n")).collect());
    let most = kinds.iter().map(Vec::len).max().unwrap_or_default();
    let mut streams = Vec::new();
    for number in 0..most {
        streams.extend(kinds.iter().filter_map(|kind| kind.get(number).cloned()));
    }
    streams
}

/// What stands where a value is expected: numbers, names, texts that formats read.
fn values(words: &KnownWords) -> Vec<String> {
    let mut values = words.read.clone();
    values.extend(["1", "a", "0", "-1", "12"].map(str::to_owned));
    values.extend(words.numbers.iter().take(8).cloned());
    values
}

fn arguments(words: &KnownWords, values: &[String]) -> Vec<Vec<String>> {
    let words = &words.words[..];
    let first = |all: &[String], most: usize| all[..all.len().min(most)].to_vec();
    let mut lists = vec![Vec::new()];
    lists.extend(first(words, 16).into_iter().map(|word| vec![word]));
    lists.extend(first(values, 6).into_iter().map(|value| vec![value]));
    for word in first(words, 12) {
        for value in first(values, 3) {
            lists.push(vec![word.clone(), value]);
        }
    }
    for word in first(words, 8) {
        lists.push(vec![word, values[0].clone(), values[1].clone()]);
    }
    for one in first(words, 5) {
        for other in first(words, 5) {
            lists.push(vec![one.clone(), other]);
        }
    }
    lists.push(vec![values[0].clone(), values[0].clone()]);
    lists
}

fn streams(words: &KnownWords, values: &[String]) -> Vec<String> {
    let mut streams: Vec<String> = ["a b\n", "1 2\n3\n", "a,1\nb,2\n", ""]
        .map(str::to_owned)
        .into();
    let is_word = |word: &&String| !word.starts_with('-');
    let words: Vec<&String> = words.words.iter().filter(is_word).take(8).collect();
    for word in &words {
        streams.push(format!("{word}\n"));
        streams.push(format!("{word} {}\n", values[0]));
        streams.push(format!("{word} a 1\n"));
    }
    for value in values.iter().take(4) {
        streams.push(format!("{value}\n"));
    }
    for pair in words.windows(2) {
        streams.push(format!("{} a 1\n{} a 1\n", pair[0], pair[1]));
    }
    // Commands with what they need, one after the other in both orders.
    for one in words.iter().take(6) {
        streams.push(format!("{one} a 2 3\n"));
        for other in words.iter().take(6) {
            streams.push(format!("{one} a 2 3\n{other} a 1 2\n"));
            streams.push(format!("{one} 5\n{other} a\n"));
        }
    }
    streams
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growing_bounds::{BEYOND, beyond};
    use exploration::InputSpace;

    fn known() -> KnownWords {
        KnownWords {
            words: ["--iso", "add", "remove"].map(str::to_owned).into(),
            read: vec!["1-1-1".to_owned()],
            numbers: vec!["99".to_owned()],
            ..KnownWords::default()
        }
    }

    #[test]
    fn words_meet_values_and_all_fit_into_the_bounds() {
        let reads = Reads {
            arguments: true,
            stdin: true,
        };
        let seeds = seeds(&known(), b"p", reads);
        assert!(seeds.len() <= MOST_SEEDS);
        let has = |args: &[&str], stdin: &str| {
            let mut all = seeds.iter();
            all.any(|seed| {
                let own = seed.args.iter().skip(1).map(Vec::as_slice);
                own.eq(args.iter().map(|arg| arg.as_bytes())) && seed.stdin == stdin.as_bytes()
            })
        };
        assert!(
            seeds
                .iter()
                .any(|seed| seed.args[1..] == [b"add", &b"1-1-1"[..]])
        );
        assert!(has(&[], "a b\n"), "{seeds:?}");
        let space = beyond(&InputSpace::default(), &BEYOND[0], reads, &seeds);
        let placed = placed(&seeds, &space.shapes());
        assert!(
            placed.len() * 2 > seeds.len(),
            "{} of {}",
            placed.len(),
            seeds.len()
        );
        assert!(space.check().is_ok());
    }

    #[test]
    fn what_is_not_read_does_not_vary() {
        let reads = Reads {
            arguments: false,
            stdin: false,
        };
        let seeds = seeds(&known(), b"p", reads);
        assert_eq!(seeds.len(), 1);
        assert!(!beyond(&InputSpace::default(), &BEYOND[0], reads, &seeds).is_symbolic());
    }
}
