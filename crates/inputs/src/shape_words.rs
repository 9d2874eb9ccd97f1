//! The shape of an input in the user's words: what conditions over its bytes do not say.
//!
//! All inputs of a partition have one shape: a number of arguments, and a length of each stream. Where the shapes that are
//! explored do not differ, the bounds say it once.

use concolic_vm::symbolic::{InputBytes, SymbolicInput};

/// What one of the shapes has and not all: `2 arguments`, `standard input: 3 bytes`.
pub fn shape_in_words(shapes: &[SymbolicInput], own: &SymbolicInput) -> Vec<String> {
    let mut words = Vec::new();
    let differs =
        |of: &dyn Fn(&SymbolicInput) -> usize| shapes.iter().any(|one| of(one) != of(own));
    let arguments = |shape: &SymbolicInput| shape.args.len().saturating_sub(1);
    if differs(&arguments) {
        words.push(match arguments(own) {
            0 => "no arguments".to_owned(),
            1 => "1 argument".to_owned(),
            count => format!("{count} arguments"),
        });
    }
    let length = |content: &InputBytes| match content.bytes.len() {
        0 => "empty".to_owned(),
        1 => "1 byte".to_owned(),
        count => format!("{count} bytes"),
    };
    if differs(&|shape| shape.stdin.bytes.len()) {
        words.push(format!("standard input: {}", length(&own.stdin)));
    }
    for (name, content) in &own.files {
        let length_of = |content: &InputBytes| content.bytes.len();
        if differs(&|shape| shape.files.get(name).map_or(0, length_of)) {
            words.push(format!("file {name:?}: {}", length(content)));
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{ArgSpace, InputSpace, StreamSpace};

    fn words(space: &InputSpace) -> Vec<String> {
        let shapes = space.shapes();
        let words = shapes.iter().map(|own| shape_in_words(&shapes, own));
        words.map(|words| words.join("; ")).collect()
    }

    #[test]
    fn only_what_differs_is_said() {
        let one = InputSpace {
            args: vec![ArgSpace::Symbolic {
                count: 1..=1,
                length: 4,
            }],
            stdin: StreamSpace::Symbolic(2..=2),
            ..InputSpace::default()
        };
        assert_eq!(words(&one), [""]);
        let mut several = one.clone();
        several.args = vec![ArgSpace::Symbolic {
            count: 0..=2,
            length: 4,
        }];
        assert_eq!(
            words(&several),
            ["no arguments", "1 argument", "2 arguments"]
        );
        let mut streams = one;
        streams.stdin = StreamSpace::Symbolic(0..=1);
        let file = StreamSpace::Symbolic(1..=2);
        streams.files = [("/data/f".to_owned(), file)].into();
        assert_eq!(
            words(&streams),
            [
                "standard input: empty; file \"/data/f\": 1 byte",
                "standard input: 1 byte; file \"/data/f\": 1 byte",
                "standard input: empty; file \"/data/f\": 2 bytes",
                "standard input: 1 byte; file \"/data/f\": 2 bytes",
            ]
        );
    }
}
