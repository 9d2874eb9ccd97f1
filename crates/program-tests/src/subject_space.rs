//! `subject.toml`: the inputs that a search may choose, and the seeds beside them.
//!
//! ```toml
//! sym_args = [0, 2, 4]    # at least 0 and at most 2 arguments of up to 4 bytes
//! # or, one by one: a text is fixed, a number is an argument of up to that many bytes
//! args = ["-l", 4]
//! sym_stdin = 12          # bytes of standard input
//! files = []              # ["name", bytes] each
//! ```
//!
//! A seed need not lie within these bounds. If it does not, a search that is given seeds also explores inputs of the
//! seed's own shape: as many arguments, as long as the seed's, and as many bytes of standard input.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{InputBytes, SymbolicInput};
use exploration::input::{ArgSpace, StreamSpace};
use exploration::{InputRecord, InputSpace};
use serde::Deserialize;

use crate::directives::Run;

/// What every version of a subject is called when it runs.
pub const PROGRAM_NAME: &[u8] = b"program";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Bounds {
    sym_args: Option<(usize, usize, usize)>,
    #[serde(default)]
    args: Vec<Argument>,
    sym_stdin: usize,
    files: Vec<(String, usize)>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a text or a number of bytes")]
enum Argument {
    Fixed(String),
    Length(usize),
}

/// The space that the text of a `subject.toml` describes.
pub fn parse(text: &str) -> Result<InputSpace, String> {
    let bounds: Bounds = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut args: Vec<ArgSpace> = bounds.args.into_iter().map(argument).collect();
    match bounds.sym_args {
        Some(_) if !args.is_empty() => return Err("it has both sym_args and args".to_owned()),
        Some((least, most, length)) => args.push(ArgSpace::Symbolic {
            count: least..=most,
            length,
        }),
        None => {}
    }
    let exactly = |size: usize| StreamSpace::Symbolic(size..=size);
    let folder = KernelConfig::default().working_directory;
    let folder = String::from_utf8_lossy(&folder);
    let files = bounds.files.into_iter();
    let space = InputSpace {
        program_name: PROGRAM_NAME.to_vec(),
        args,
        stdin: match bounds.sym_stdin {
            0 => StreamSpace::default(),
            size => exactly(size),
        },
        files: files
            .map(|(name, size)| (format!("{folder}/{name}"), exactly(size)))
            .collect(),
        environment: Vec::new(),
    };
    space.check().map_err(|error| error.to_string())?;
    match space.is_symbolic() {
        true => Ok(space),
        false => Err("it leaves a search no choice".to_owned()),
    }
}

fn argument(argument: Argument) -> ArgSpace {
    match argument {
        Argument::Fixed(text) => ArgSpace::Fixed(text.into_bytes()),
        Argument::Length(length) => ArgSpace::Symbolic {
            count: 1..=1,
            length,
        },
    }
}

/// What a search starts from: shapes of inputs, and inputs to run first with the numbers of their shapes.
pub struct Start {
    pub shapes: Vec<SymbolicInput>,
    pub seeds: Vec<(u32, SymbolicInput)>,
}

/// A search of the space alone.
pub fn unseeded(space: &InputSpace) -> Start {
    Start {
        shapes: space.shapes(),
        seeds: Vec::new(),
    }
}

/// A search of the space and of the seeds' own shapes, the seeds first.
pub fn seeded(space: &InputSpace, seeds: &[Run]) -> Start {
    let mut start = unseeded(space);
    for seed in seeds {
        let record = record(seed);
        if !start
            .shapes
            .iter()
            .any(|shape| record.in_shape(shape).is_some())
        {
            start.shapes.push(shape_of(&record));
        }
        let mut shapes = (0..).zip(&start.shapes);
        let found = shapes.find_map(|(number, shape)| Some((number, record.in_shape(shape)?)));
        start.seeds.push(found.expect("it has a shape now"));
    }
    start
}

fn record(seed: &Run) -> InputRecord {
    let arguments = seed.arguments.iter();
    let arguments = arguments.map(|argument| argument.clone().into_bytes());
    InputRecord {
        args: [PROGRAM_NAME.to_vec()]
            .into_iter()
            .chain(arguments)
            .collect(),
        stdin: seed.stdin.clone(),
        ..InputRecord::default()
    }
}

/// The input with everything but the program's name symbolic, within its own lengths.
fn shape_of(record: &InputRecord) -> SymbolicInput {
    let argument = |(number, bytes): (usize, &Vec<u8>)| match number {
        0 => InputBytes::concrete(bytes.clone()),
        _ => InputBytes::symbolic_string(b"", bytes.len().max(1)),
    };
    SymbolicInput {
        args: record.args.iter().enumerate().map(argument).collect(),
        stdin: InputBytes::symbolic(vec![0; record.stdin.len()]),
        ..SymbolicInput::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_read_as_they_are_written() {
        let space = parse("args = [\"-l\", 4]\nsym_stdin = 12\nfiles = [[\"a\", 3]]\n").unwrap();
        let expected = [
            ArgSpace::Fixed(b"-l".to_vec()),
            ArgSpace::Symbolic {
                count: 1..=1,
                length: 4,
            },
        ];
        assert_eq!(space.args, expected);
        assert_eq!(space.stdin, StreamSpace::Symbolic(12..=12));
        assert_eq!(space.files.len(), 1);
        assert_eq!(unseeded(&space).shapes.len(), 1);
        let three = "sym_args = [0, 2, 4]\nsym_stdin = 0\nfiles = []\n";
        assert_eq!(unseeded(&parse(three).unwrap()).shapes.len(), 3);
    }

    #[test]
    fn what_makes_no_space_is_refused() {
        for text in [
            "sym_stdin = 0\nfiles = []\n",
            "sym_stdin = 3\n",
            "sym_args = [0, 1, 2]\nargs = [\"x\"]\nsym_stdin = 3\nfiles = []\n",
            "sym_stdin = 3\nfiles = []\nother = 1\n",
            "sym_args = [2, 1, 2]\nsym_stdin = 3\nfiles = []\n",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_seed_outside_of_the_bounds_brings_its_own_shape() {
        let space = parse("sym_args = [0, 1, 2]\nsym_stdin = 2\nfiles = []\n").unwrap();
        let seed = |arguments: &[&str], stdin: &[u8]| Run {
            arguments: arguments
                .iter()
                .map(|&argument| argument.to_owned())
                .collect(),
            stdin: stdin.to_vec(),
            ..Run::default()
        };
        let seeds = [
            seed(&["-e"], b"ab"),
            seed(&[], b"abc"),
            seed(&["", "long"], b""),
            seed(&[], b"xyz"),
        ];
        let start = seeded(&space, &seeds);
        let numbers: Vec<u32> = start.seeds.iter().map(|seed| seed.0).collect();
        assert_eq!(numbers, [1, 2, 3, 2]);
        for ((_, input), seed) in start.seeds.iter().zip(&seeds) {
            assert_eq!(InputRecord::of(input), record(seed));
        }
    }
}
