//! The space of inputs that is explored, and its shapes.
//!
//! Symbols are bytes at fixed places, so a run has a fixed number of arguments and fixed lengths. An
//! [`InputSpace`] is what the user asked for ("up to two arguments of up to four bytes"); it is explored as
//! several shapes, one for each number of arguments and each length of a stream. A string argument of *up
//! to* n bytes is one shape: its first zero byte ends it.

use concolic_vm::symbolic::{InputBytes, SymbolicInput};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Everything that may vary, and everything that does not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InputSpace {
    /// `argv[0]`.
    pub program_name: Vec<u8>,
    /// In order of appearance.
    pub args: Vec<ArgSpace>,
    pub stdin: StreamSpace,
    /// By absolute path in the guest.
    pub files: BTreeMap<String, StreamSpace>,
    pub environment: Vec<(String, ValueSpace)>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgSpace {
    Fixed(Vec<u8>),
    /// Between `count.start()` and `count.end()` arguments of up to `length` bytes each.
    Symbolic {
        count: RangeInclusive<usize>,
        length: usize,
    },
}

/// A stream or file: fixed bytes, or any bytes of a length in a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StreamSpace {
    Fixed(Vec<u8>),
    Symbolic(RangeInclusive<usize>),
    /// Any bytes, of one of these lengths.
    Lengths(BTreeSet<usize>),
    /// Some bytes that are given, and any bytes in between: one of these ways.
    Patterns(Vec<Vec<Option<u8>>>),
}

impl StreamSpace {
    /// The lengths of what is symbolic, in rising order.
    fn lengths(&self) -> Vec<usize> {
        match self {
            StreamSpace::Fixed(_) => Vec::new(),
            StreamSpace::Symbolic(range) => range.clone().collect(),
            StreamSpace::Lengths(lengths) => lengths.iter().copied().collect(),
            StreamSpace::Patterns(patterns) => patterns.iter().map(Vec::len).collect(),
        }
    }
}

impl Default for StreamSpace {
    fn default() -> StreamSpace {
        StreamSpace::Fixed(Vec::new())
    }
}

/// A variable of the environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueSpace {
    Fixed(Vec<u8>),
    /// Up to so many bytes.
    Symbolic(usize),
}

/// More symbolic bytes than this in one shape are refused: they would only exhaust memory.
pub const MOST_SYMBOLIC_BYTES: usize = 1 << 20;
/// More shapes than this are refused.
pub const MOST_SHAPES: usize = 4096;

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum InputError {
    #[error("{what}: at least {low} and at most {high} is nothing; the smaller number comes first")]
    EmptyRange {
        what: String,
        low: usize,
        high: usize,
    },
    #[error(
        "{bytes} symbolic bytes are too many; the most is {MOST_SYMBOLIC_BYTES}. Explore with fewer: paths \
         multiply with every byte that the program looks at"
    )]
    TooManyBytes { bytes: usize },
    #[error(
        "{shapes} combinations of argument counts and lengths are too many; the most is {MOST_SHAPES}. Give \
         narrower ranges"
    )]
    TooManyShapes { shapes: usize },
    #[error(
        "a symbolic argument of 0 bytes can only be empty; give at least 1, or a fixed argument ''"
    )]
    NoLength,
}

impl InputSpace {
    pub fn check(&self) -> Result<(), InputError> {
        let ordered = |what: &str, range: &RangeInclusive<usize>| {
            if range.is_empty() {
                return Err(InputError::EmptyRange {
                    what: what.to_owned(),
                    low: *range.start(),
                    high: *range.end(),
                });
            }
            Ok(())
        };
        let mut shapes = 1usize;
        let mut bytes = 0usize;
        for arg in &self.args {
            if let ArgSpace::Symbolic { count, length } = arg {
                ordered("the number of arguments", count)?;
                if *length == 0 && *count.end() > 0 {
                    return Err(InputError::NoLength);
                }
                shapes = shapes.saturating_mul(count.end() - count.start() + 1);
                bytes = bytes.saturating_add(count.end().saturating_mul(*length));
            }
        }
        let files = self
            .files
            .iter()
            .map(|(name, space)| (name.as_str(), space));
        for (name, stream) in files.chain([("standard input", &self.stdin)]) {
            let (ways, most) = match stream {
                StreamSpace::Fixed(_) => continue,
                StreamSpace::Symbolic(range) => {
                    ordered(name, range)?;
                    let ways = (range.end() - range.start()).saturating_add(1);
                    (ways, *range.end())
                }
                StreamSpace::Lengths(lengths) => {
                    (lengths.len(), lengths.last().copied().unwrap_or_default())
                }
                StreamSpace::Patterns(patterns) => {
                    let longest = patterns.iter().map(Vec::len).max();
                    (patterns.len(), longest.unwrap_or_default())
                }
            };
            shapes = shapes.saturating_mul(ways);
            bytes = bytes.saturating_add(most);
        }
        for (_, value) in &self.environment {
            if let ValueSpace::Symbolic(length) = value {
                bytes = bytes.saturating_add(*length);
            }
        }
        if bytes > MOST_SYMBOLIC_BYTES {
            return Err(InputError::TooManyBytes { bytes });
        }
        if shapes > MOST_SHAPES {
            return Err(InputError::TooManyShapes { shapes });
        }
        Ok(())
    }

    /// Whether arguments or variables of the environment are symbolic.
    pub fn has_symbolic_strings(&self) -> bool {
        let argument = |arg: &ArgSpace| matches!(arg, ArgSpace::Symbolic { .. });
        let value = |(_, value): &(String, ValueSpace)| matches!(value, ValueSpace::Symbolic(_));
        self.args.iter().any(argument) || self.environment.iter().any(value)
    }

    /// Whether there is anything to explore: more than one input within the bounds.
    pub fn is_symbolic(&self) -> bool {
        let symbolic = |stream: &StreamSpace| match stream {
            StreamSpace::Fixed(_) => false,
            StreamSpace::Symbolic(range) => *range.end() > 0,
            StreamSpace::Lengths(lengths) => lengths.last().is_some_and(|&most| most > 0),
            StreamSpace::Patterns(patterns) => {
                let mut bytes = patterns.iter().flatten();
                patterns.len() > 1 || bytes.any(Option::is_none)
            }
        };
        let symbolic_argument =
            |arg: &ArgSpace| matches!(arg, ArgSpace::Symbolic { count, .. } if *count.end() > 0);
        let symbolic_value =
            |value: &ValueSpace| matches!(value, ValueSpace::Symbolic(length) if *length > 0);
        self.args.iter().any(symbolic_argument)
            || symbolic(&self.stdin)
            || self.files.values().any(symbolic)
            || self
                .environment
                .iter()
                .any(|(_, value)| symbolic_value(value))
    }

    /// The first input of each shape: empty strings and zero bytes. The largest shape is last.
    pub fn shapes(&self) -> Vec<SymbolicInput> {
        let mut inputs = vec![SymbolicInput {
            args: vec![InputBytes::concrete(self.program_name.clone())],
            ..SymbolicInput::default()
        }];
        let vary = |inputs: &mut Vec<SymbolicInput>,
                    ways: usize,
                    apply: &dyn Fn(&mut SymbolicInput, usize)| {
            let before = std::mem::take(inputs);
            for input in before {
                for way in 0..ways {
                    let mut input = input.clone();
                    apply(&mut input, way);
                    inputs.push(input);
                }
            }
        };
        for arg in &self.args {
            match arg {
                ArgSpace::Fixed(bytes) => vary(&mut inputs, 1, &|input, _| {
                    input.args.push(InputBytes::concrete(bytes.clone()));
                }),
                ArgSpace::Symbolic { count, length } => {
                    vary(
                        &mut inputs,
                        count.end() - count.start() + 1,
                        &|input, way| {
                            for _ in 0..count.start() + way {
                                input.args.push(InputBytes::symbolic_string(b"", *length));
                            }
                        },
                    );
                }
            }
        }
        let contents = |stream: &StreamSpace| match stream {
            StreamSpace::Fixed(bytes) => vec![InputBytes::concrete(bytes.clone())],
            StreamSpace::Patterns(patterns) => {
                let patterns = patterns.iter();
                patterns
                    .map(|pattern| InputBytes::pattern(pattern))
                    .collect()
            }
            stream => {
                let lengths = stream.lengths().into_iter();
                lengths
                    .map(|length| InputBytes::symbolic(vec![0; length]))
                    .collect()
            }
        };
        for (path, stream) in &self.files {
            let contents = contents(stream);
            vary(&mut inputs, contents.len(), &|input, way| {
                input.files.insert(path.clone(), contents[way].clone());
            });
        }
        let contents = contents(&self.stdin);
        vary(&mut inputs, contents.len(), &|input, way| {
            input.stdin = contents[way].clone();
        });
        for (name, value) in &self.environment {
            let value = match value {
                ValueSpace::Fixed(bytes) => InputBytes::concrete(bytes.clone()),
                ValueSpace::Symbolic(length) => InputBytes::symbolic_string(b"", *length),
            };
            for input in &mut inputs {
                input.environment.push((name.clone(), value.clone()));
            }
        }
        inputs
    }

    /// The space in words: the bounds within which a result holds.
    pub fn bounds(&self) -> Vec<String> {
        let mut bounds = Vec::new();
        let plural = |count: usize, what: &str| {
            format!("{count} {what}{}", if count == 1 { "" } else { "s" })
        };
        let range = |range: &RangeInclusive<usize>, what: &str| {
            if range.start() == range.end() {
                plural(*range.end(), what)
            } else {
                format!("{} to {}", range.start(), plural(*range.end(), what))
            }
        };
        for arg in &self.args {
            match arg {
                ArgSpace::Fixed(bytes) => bounds.push(format!(
                    "argument '{}'",
                    String::from_utf8_lossy(bytes).escape_debug()
                )),
                ArgSpace::Symbolic { count, .. } if *count.end() == 0 => {}
                ArgSpace::Symbolic { count, length } => bounds.push(format!(
                    "{} of up to {}",
                    range(count, "argument"),
                    plural(*length, "byte")
                )),
            }
        }
        if bounds.is_empty() {
            bounds.push("no arguments".to_owned());
        }
        let stream = |name: &str, space: &StreamSpace| match space {
            StreamSpace::Fixed(bytes) if bytes.is_empty() => format!("{name}: empty"),
            StreamSpace::Fixed(bytes) => format!("{name}: fixed, {}", plural(bytes.len(), "byte")),
            StreamSpace::Symbolic(length) => format!("{name}: {}", range(length, "byte")),
            StreamSpace::Lengths(lengths) => format!("{name}: {} bytes", one_of(lengths)),
            StreamSpace::Patterns(patterns) => {
                let shown = patterns.iter().map(|pattern| pattern_words(pattern));
                format!("{name}: {}", shown.collect::<Vec<_>>().join(" or "))
            }
        };
        bounds.push(stream("standard input", &self.stdin));
        bounds.extend(
            self.files
                .iter()
                .map(|(name, space)| stream(&format!("file {name}"), space)),
        );
        for (name, value) in &self.environment {
            bounds.push(match value {
                ValueSpace::Fixed(bytes) => {
                    format!(
                        "environment {name}={}",
                        String::from_utf8_lossy(bytes).escape_debug()
                    )
                }
                ValueSpace::Symbolic(length) => {
                    format!("environment {name}: up to {}", plural(*length, "byte"))
                }
            });
        }
        bounds
    }
}

/// As in `` `add ??` ``: what is given, and a question mark for each byte that is not.
pub(crate) fn pattern_words(pattern: &[Option<u8>]) -> String {
    let shown = pattern.iter().map(|byte| match byte {
        Some(byte) => byte.escape_ascii().to_string(),
        None => "?".to_owned(),
    });
    format!("`{}`", shown.collect::<String>())
}

/// `0, 4 or 16`.
pub(crate) fn one_of(lengths: &BTreeSet<usize>) -> String {
    let words: Vec<String> = lengths.iter().map(usize::to_string).collect();
    match &words[..] {
        [] => "no".to_owned(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} or {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> InputSpace {
        InputSpace {
            program_name: b"p".to_vec(),
            args: vec![
                ArgSpace::Fixed(b"-x".to_vec()),
                ArgSpace::Symbolic {
                    count: 0..=2,
                    length: 3,
                },
            ],
            stdin: StreamSpace::Symbolic(1..=2),
            ..InputSpace::default()
        }
    }

    #[test]
    fn shapes_are_all_combinations() {
        let shapes = space().shapes();
        let of: Vec<_> = shapes
            .iter()
            .map(|shape| (shape.args.len(), shape.stdin.bytes.len()))
            .collect();
        assert_eq!(of, [(2, 1), (2, 2), (3, 1), (3, 2), (4, 1), (4, 2)]);
        assert!(shapes.iter().all(|shape| !shape.args[1].symbolic));
    }

    #[test]
    fn a_stream_may_have_some_lengths_and_no_others() {
        let space = InputSpace {
            stdin: StreamSpace::Lengths([4, 0, 16].into()),
            ..space()
        };
        let shapes = space.shapes();
        let lengths: BTreeSet<usize> = shapes.iter().map(|shape| shape.stdin.bytes.len()).collect();
        assert_eq!((shapes.len(), lengths), (9, [0, 4, 16].into()));
        assert!(space.check().is_ok() && space.is_symbolic());
        assert_eq!(space.bounds()[2], "standard input: 0, 4 or 16 bytes");
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let mut absurd = space();
        absurd.stdin = StreamSpace::Symbolic(0..=usize::MAX);
        assert!(matches!(
            absurd.check(),
            Err(InputError::TooManyBytes { .. })
        ));
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 3..=2;
        absurd.stdin = StreamSpace::Symbolic(reversed);
        assert!(matches!(absurd.check(), Err(InputError::EmptyRange { .. })));
        absurd.stdin = StreamSpace::Symbolic(0..=100_000);
        assert!(matches!(
            absurd.check(),
            Err(InputError::TooManyShapes { .. })
        ));
        absurd.args = vec![ArgSpace::Symbolic {
            count: 1..=1,
            length: 0,
        }];
        assert_eq!(absurd.check(), Err(InputError::NoLength));
        assert_eq!(space().check(), Ok(()));
    }
}
