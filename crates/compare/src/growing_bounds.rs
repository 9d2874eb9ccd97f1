//! The bounds of a check whose bounds grow: where they begin, how they widen, and how large inputs beyond them are.
//!
//! Three sizes grow one at a time: the number of arguments, the bytes of each, the bytes of standard input. So a program for which one of them
//! is expensive is still explored with more of the others.

use std::collections::BTreeSet;

use exploration::input::{ArgSpace, StreamSpace};
use exploration::{InputRecord, InputSpace};

/// The sizes that one grows through, in order.
const ARGUMENTS: &[usize] = &[1, 2, 3, 4, 5, 6];
const ARGUMENT_BYTES: &[usize] = &[1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32];
const STDIN_BYTES: &[usize] = &[1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512];
/// The most lengths of standard input of a round beyond.
const MOST_LENGTHS: usize = 64;

/// What grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dimension {
    Arguments,
    ArgumentBytes,
    Stdin,
}

impl Dimension {
    pub(crate) const ALL: [Dimension; 3] = [
        Dimension::ArgumentBytes,
        Dimension::Stdin,
        Dimension::Arguments,
    ];

    fn sizes(self) -> &'static [usize] {
        match self {
            Dimension::Arguments => ARGUMENTS,
            Dimension::ArgumentBytes => ARGUMENT_BYTES,
            Dimension::Stdin => STDIN_BYTES,
        }
    }
}

/// How far each size has grown: places in [`ARGUMENTS`], [`ARGUMENT_BYTES`] and [`STDIN_BYTES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Grown {
    arguments: usize,
    argument_bytes: usize,
    stdin: usize,
}

impl Grown {
    /// A little of everything but the number of arguments.
    pub(crate) const SECOND: Grown = Grown {
        arguments: 0,
        argument_bytes: 1,
        stdin: 1,
    };

    fn place(&mut self, dimension: Dimension) -> &mut usize {
        match dimension {
            Dimension::Arguments => &mut self.arguments,
            Dimension::ArgumentBytes => &mut self.argument_bytes,
            Dimension::Stdin => &mut self.stdin,
        }
    }

    /// One step more of something, if there is one.
    pub(crate) fn wider(mut self, dimension: Dimension) -> Option<Grown> {
        let place = self.place(dimension);
        *place += 1;
        (*place < dimension.sizes().len()).then_some(self)
    }

    /// How early a step of this is worth its time: the smallest comes first. Another argument is worth two more bytes.
    pub(crate) fn order(mut self, dimension: Dimension) -> usize {
        let place = *self.place(dimension);
        match dimension {
            Dimension::Arguments => 2 * place,
            Dimension::ArgumentBytes | Dimension::Stdin => place,
        }
    }

    /// As few arguments as here, and as short as here, but at least two bytes if here are as many.
    pub(crate) fn small(self) -> Grown {
        Grown {
            arguments: 0,
            argument_bytes: self.argument_bytes.min(1),
            stdin: 0,
        }
    }

    /// A number of its own, for the name of a journal.
    pub(crate) fn number(self) -> usize {
        (self.arguments * ARGUMENT_BYTES.len() + self.argument_bytes) * STDIN_BYTES.len()
            + self.stdin
    }

    /// The bounds, from those of a check whose bounds do not grow; `None` if nothing is read.
    pub(crate) fn space(self, otherwise: &InputSpace, reads: Reads) -> Option<InputSpace> {
        let mut space = otherwise.clone();
        if reads.arguments {
            space.args = vec![ArgSpace::Symbolic {
                count: 0..=ARGUMENTS[self.arguments],
                length: ARGUMENT_BYTES[self.argument_bytes],
            }];
        }
        if reads.stdin {
            space.stdin = StreamSpace::Symbolic(0..=STDIN_BYTES[self.stdin]);
        }
        (reads.arguments || reads.stdin).then_some(space)
    }
}

/// How large inputs of a round beyond are.
pub(crate) struct Size {
    /// The most arguments, and the most bytes of each.
    arguments: (usize, usize),
    /// Lengths of standard input, besides those of seeds.
    stdin: &'static [usize],
}

pub(crate) const BEYOND: &[Size] = &[
    Size {
        arguments: (3, 12),
        stdin: &[0, 4, 16, 48],
    },
    Size {
        arguments: (5, 24),
        stdin: &[0, 8, 64, 192],
    },
];

/// What a version reads at all.
#[derive(Clone, Copy)]
pub(crate) struct Reads {
    pub(crate) arguments: bool,
    pub(crate) stdin: bool,
}

impl Reads {
    pub(crate) fn has(self, dimension: Dimension) -> bool {
        match dimension {
            Dimension::Arguments | Dimension::ArgumentBytes => self.arguments,
            Dimension::Stdin => self.stdin,
        }
    }
}

/// The first bounds, from those of a check whose bounds do not grow.
pub(crate) fn first(otherwise: &InputSpace) -> InputSpace {
    let reads = Reads {
        arguments: true,
        stdin: true,
    };
    let first = Grown::default().space(otherwise, reads);
    first.expect("there is a first round")
}

/// The bounds of a round beyond that has these seeds.
pub(crate) fn beyond(
    first: &InputSpace,
    size: &Size,
    reads: Reads,
    seeds: &[InputRecord],
) -> InputSpace {
    let mut space = first.clone();
    let own = |seed: &InputRecord| seed.args.len().saturating_sub(1);
    let bytes = |seed: &InputRecord| seed.args.iter().skip(1).map(Vec::len).max();
    let most = seeds.iter().map(own).max().unwrap_or_default();
    let longest = seeds.iter().filter_map(bytes).max().unwrap_or_default();
    space.args = match reads.arguments {
        true => vec![ArgSpace::Symbolic {
            count: 0..=most.max(size.arguments.0),
            length: longest.max(size.arguments.1),
        }],
        false => Vec::new(),
    };
    space.stdin = match reads.stdin {
        true => {
            let mut lengths: BTreeSet<usize> = size.stdin.iter().copied().collect();
            for seed in seeds {
                if lengths.len() < MOST_LENGTHS {
                    lengths.insert(seed.stdin.len());
                }
            }
            StreamSpace::Lengths(lengths)
        }
        false => StreamSpace::default(),
    };
    space
}

/// Bounds that take all tests, as far as arguments and standard input go.
pub(crate) fn for_tests<'t>(
    first: &InputSpace,
    tests: impl Iterator<Item = &'t InputRecord>,
) -> InputSpace {
    let reads = Reads {
        arguments: true,
        stdin: true,
    };
    let tests: Vec<InputRecord> = tests.cloned().collect();
    beyond(first, &BEYOND[0], reads, &tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs of a wider round include those of the rounds before: only then may it take their place.
    #[test]
    fn sizes_only_grow() {
        for dimension in Dimension::ALL {
            assert!(dimension.sizes().is_sorted_by(|one, next| one < next));
            let mut all = BTreeSet::new();
            let mut grown = Grown::default();
            while let Some(wider) = grown.wider(dimension) {
                assert!(all.insert(wider.number()));
                grown = wider;
            }
            assert_eq!(all.len() + 1, dimension.sizes().len());
        }
    }
}
