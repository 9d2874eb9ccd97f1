//! All inputs of a program.

use crate::ast::{Program, Source};

/// One input, in both forms: for the whole program, and as parameters of a member of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// `argv[1]`, if the program reads it.
    pub argument: Option<Vec<u8>>,
    pub stdin: Vec<u8>,
    /// One byte for each of [`Program::input`].
    pub bytes: Vec<u8>,
}

/// The first character that stands for remainder 0.
const FIRST: u8 = b'a';

impl Program {
    /// Every behaviour of the program, each byte once for each remainder. A character of the argument
    /// may also be missing, and then those behind it are.
    pub fn inputs(&self) -> Vec<Input> {
        let mut all = vec![Input {
            argument: self.takes_argument().then(Vec::new),
            stdin: Vec::new(),
            bytes: Vec::new(),
        }];
        for byte in &self.input {
            let mut longer = Vec::new();
            for input in all {
                let here = input.bytes.len();
                let complete = input
                    .argument
                    .as_ref()
                    .is_some_and(|text| text.len() == here);
                let is_argument = byte.source == Source::Argument;
                if is_argument {
                    let mut missing = input.clone();
                    missing.bytes.push(0);
                    longer.push(missing);
                }
                if is_argument && !complete {
                    continue;
                }
                for remainder in 0..byte.modulus {
                    let mut input = input.clone();
                    let value = representative(remainder, byte.modulus);
                    match &mut input.argument {
                        Some(text) if is_argument => text.push(value),
                        _ => input.stdin.push(value),
                    }
                    input.bytes.push(value);
                    longer.push(input);
                }
            }
            all = longer;
        }
        all
    }

    pub fn takes_argument(&self) -> bool {
        self.input
            .iter()
            .any(|byte| byte.source == Source::Argument)
    }

    /// How many characters of the argument and bytes of standard input the program reads.
    pub fn input_sizes(&self) -> (usize, usize) {
        let is_argument = |byte: &&crate::ast::InputByte| byte.source == Source::Argument;
        let arguments = self.input.iter().filter(is_argument).count();
        (arguments, self.input.len() - arguments)
    }
}

/// A character with this remainder, a letter where possible.
fn representative(remainder: u8, modulus: u8) -> u8 {
    let start = FIRST % modulus;
    FIRST + (remainder + modulus - start) % modulus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn representatives_have_their_remainder_and_are_not_nul() {
        for modulus in 1..=100 {
            for remainder in 0..modulus {
                let byte = representative(remainder, modulus);
                assert_eq!(byte % modulus, remainder);
                assert_ne!(byte, 0);
            }
        }
    }
}
