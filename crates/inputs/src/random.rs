//! Random inputs.
//!
//! The strategy `random` is a baseline of these alone: no solver, no tree to follow. Each input is run and the two
//! versions' runs are compared as they are: a difference counts only if this input shows it, and nothing is proved.
//! `auto` has some among its spliced inputs, which are looked at as all others.
//!
//! A byte is one that occurs in a seed, a printable character, zero, or any; so that texts, ends of strings and
//! numbers all come up. The same seed gives the same inputs.

use ::random::SplitMix;
use concolic_vm::symbolic::{InputBytes, SymbolicInput};

#[derive(Debug)]
pub struct RandomInputs {
    random: SplitMix,
    shapes: Vec<SymbolicInput>,
    /// Bytes of symbolic parts of the seeds.
    seen: Vec<u8>,
}

impl RandomInputs {
    pub fn new(
        seed: u64,
        shapes: &[SymbolicInput],
        seeds: &[(u32, SymbolicInput)],
    ) -> RandomInputs {
        let mut seen = Vec::new();
        for (_, input) in seeds {
            for part in parts(&mut input.clone()) {
                seen.extend_from_slice(&part.bytes);
            }
        }
        seen.sort_unstable();
        seen.dedup();
        RandomInputs {
            random: SplitMix(seed),
            shapes: shapes.to_vec(),
            seen,
        }
    }

    /// Another input, with the number of its shape.
    pub fn draw(&mut self) -> (u32, SymbolicInput) {
        let shape = self.random.below(self.shapes.len());
        let mut input = self.shapes[shape].clone();
        for part in parts(&mut input) {
            for place in 0..part.bytes.len() {
                if part.varies(place) {
                    part.bytes[place] = self.byte();
                }
            }
        }
        let random = &mut self.random;
        for bytes in input.variables.values_mut() {
            // Small numbers are as likely as large ones.
            let used = random.below(bytes.len() + 1);
            for (place, byte) in bytes.iter_mut().enumerate() {
                *byte = match place < used {
                    true => random.below(256) as u8,
                    false => 0,
                };
            }
        }
        (shape as u32, input)
    }

    fn byte(&mut self) -> u8 {
        match self.random.below(8) {
            0..=2 if !self.seen.is_empty() => self.seen[self.random.below(self.seen.len())],
            0..=5 => 32 + self.random.below(95) as u8,
            6 => [0, b'\n', b'0', b'1'][self.random.below(4)],
            _ => self.random.below(256) as u8,
        }
    }
}

/// The symbolic parts of an input.
pub fn parts(input: &mut SymbolicInput) -> Vec<&mut InputBytes> {
    let args = input.args.iter_mut();
    let environment = input.environment.iter_mut().map(|(_, value)| value);
    let streams = std::iter::once(&mut input.stdin).chain(input.files.values_mut());
    let all = args.chain(environment).chain(streams);
    all.filter(|part| part.symbolic).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs_and_bytes_of_seeds_come_up() {
        let shape = SymbolicInput {
            stdin: InputBytes::symbolic(vec![0; 16]),
            args: vec![InputBytes::concrete("program")],
            ..SymbolicInput::default()
        };
        let mut seed = shape.clone();
        seed.stdin.bytes[3] = 0xc3;
        let make = || RandomInputs::new(7, std::slice::from_ref(&shape), &[(0, seed.clone())]);
        let (mut one, mut other) = (make(), make());
        let mut met = false;
        for _ in 0..200 {
            let (number, input) = one.draw();
            assert_eq!((number, input.clone()), other.draw());
            assert_eq!(input.args, shape.args);
            assert_eq!(input.stdin.bytes.len(), 16);
            met |= input
                .stdin
                .bytes
                .iter()
                .filter(|&&byte| byte == 0xc3)
                .count()
                > 1;
        }
        assert!(met);
    }
}
