//! The bounds of a check whose bounds grow: where they begin, how they widen, and how large inputs beyond them are.

use std::collections::BTreeSet;

use exploration::input::{ArgSpace, StreamSpace};
use exploration::{InputRecord, InputSpace};

/// The most arguments, the most bytes of each, and the most bytes of standard input of the wider rounds.
pub(crate) const WIDER: &[(usize, usize, usize)] = &[
    (1, 1, 1),
    (1, 2, 2),
    (2, 2, 3),
    (2, 3, 5),
    (2, 4, 8),
    (3, 6, 16),
    (4, 8, 32),
    (4, 12, 64),
    (5, 16, 128),
    (6, 24, 256),
    (6, 32, 512),
];
/// The most lengths of standard input of a round beyond.
const MOST_LENGTHS: usize = 24;

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

/// The first bounds, from those of a check whose bounds do not grow.
pub(crate) fn first(otherwise: &InputSpace) -> InputSpace {
    let reads = Reads {
        arguments: true,
        stdin: true,
    };
    wider(otherwise, 0, reads).expect("there is a first round")
}

/// The bounds of a wider round; `None` if nothing is wider.
pub(crate) fn wider(space: &InputSpace, level: usize, reads: Reads) -> Option<InputSpace> {
    let &(most, length, bytes) = WIDER.get(level)?;
    let mut space = space.clone();
    if reads.arguments {
        let count = 0..=most;
        space.args = vec![ArgSpace::Symbolic { count, length }];
    }
    if reads.stdin {
        space.stdin = StreamSpace::Symbolic(0..=bytes);
    }
    (reads.arguments || reads.stdin).then_some(space)
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
    fn each_round_includes_the_one_before() {
        let mut before = (0, 0, 0);
        for &round in WIDER {
            assert!(round.0 >= before.0 && round.1 >= before.1 && round.2 > before.2);
            before = round;
        }
    }
}
