//! Reads the first block of a bitcode file, which names its producer, without LLVM.
//!
//! LLVM's own reader silently upgrades old bitcode and fails obscurely on newer; asking for the
//! producer first turns both into one clear answer. Only the bit stream container is understood here:
//! blocks, abbreviations, records.

use std::path::Path;

use super::error::{BuildError, IoContext, Result};
use super::toolchain::LLVM_MAJOR;

const MAGIC: [u8; 4] = [b'B', b'C', 0xC0, 0xDE];
const IDENTIFICATION_BLOCK: u64 = 13;
const PRODUCER_RECORD: u64 = 1;

/// Fails unless the file starts as bitcode written by the LLVM version in use.
pub fn check(path: &Path) -> Result<()> {
    let bytes = std::fs::read(path).context("read", path)?;
    let not_bitcode = |reason: &str| BuildError::NotBitcode {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    if bytes.len() < MAGIC.len() || bytes[..4] != MAGIC {
        return Err(not_bitcode("it does not start with the bitcode signature"));
    }
    let producer = producer(&bytes)
        .ok_or_else(|| not_bitcode("it is damaged or too old to name its producer"))?;
    if major_version(&producer) != Some(LLVM_MAJOR) {
        return Err(BuildError::OtherLlvm {
            path: path.to_owned(),
            producer,
            expected: LLVM_MAJOR,
        });
    }
    Ok(())
}

/// A tool of LLVM failed on this file, which is therefore damaged: its first line, without the tool's and
/// the file's name, is the reason.
pub fn explain_failure(error: BuildError, path: &Path) -> BuildError {
    let BuildError::ToolFailed { tool, message, .. } = error else {
        return error;
    };
    let line = message.lines().next().unwrap_or_default();
    let reason = line
        .split_once("error: ")
        .map_or(line, |(_, reason)| reason);
    let file = format!("{}: ", path.display());
    let reason = reason.strip_prefix(&file).unwrap_or(reason);
    BuildError::NotBitcode {
        path: path.to_owned(),
        reason: format!("{tool} says: {reason}"),
    }
}

pub fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// `LLVM22.1.2-rust-1.95.0-stable` → 22.
fn major_version(producer: &str) -> Option<u32> {
    let digits = producer.strip_prefix("LLVM")?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// The producer string of the identification block, if the stream is well formed up to there.
fn producer(bytes: &[u8]) -> Option<String> {
    let mut bits = Bits {
        bytes,
        position: 32,
    };
    // The outermost abbreviation width is 2; id 1 enters a block.
    if bits.fixed(2)? != 1 || bits.variable(8)? != IDENTIFICATION_BLOCK {
        return None;
    }
    let width = bits.variable(4)?;
    bits.align();
    bits.fixed(32)?;
    let mut abbreviations: Vec<Vec<Operand>> = Vec::new();
    loop {
        match bits.fixed(width)? {
            0 | 1 => return None,
            2 => abbreviations.push(bits.abbreviation()?),
            3 => {
                let code = bits.variable(6)?;
                let count = bits.variable(6)?;
                let mut values = Vec::new();
                for _ in 0..count {
                    values.push(bits.variable(6)?);
                }
                if code == PRODUCER_RECORD {
                    return text(&values);
                }
            }
            id => {
                let operands = abbreviations.get(usize::try_from(id - 4).ok()?)?;
                let values = bits.record(operands)?;
                let (code, rest) = values.split_first()?;
                if *code == PRODUCER_RECORD {
                    return text(rest);
                }
            }
        }
    }
}

fn text(values: &[u64]) -> Option<String> {
    values
        .iter()
        .map(|&value| char::from_u32(u32::try_from(value).ok()?))
        .collect()
}

/// One operand of an abbreviation.
#[derive(Clone, Copy)]
enum Operand {
    Literal(u64),
    Fixed(u64),
    Variable(u64),
    Array,
    Char6,
}

struct Bits<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl Bits<'_> {
    fn fixed(&mut self, width: u64) -> Option<u64> {
        if width > 64 {
            return None;
        }
        let mut value = 0;
        for i in 0..width {
            let byte = *self.bytes.get(self.position / 8)?;
            value |= u64::from(byte >> (self.position % 8) & 1) << i;
            self.position += 1;
        }
        Some(value)
    }

    /// A variable-width number: chunks of `width` bits whose top bit says that another follows.
    fn variable(&mut self, width: u64) -> Option<u64> {
        if !(2..=32).contains(&width) {
            return None;
        }
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width)?;
            let more = chunk >> (width - 1) != 0;
            value |= (chunk & ((1 << (width - 1)) - 1)).checked_shl(shift)?;
            shift += u32::try_from(width).ok()? - 1;
            if !more {
                return Some(value);
            }
        }
    }

    fn align(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }

    fn abbreviation(&mut self) -> Option<Vec<Operand>> {
        let count = self.variable(5)?;
        let mut operands = Vec::new();
        for _ in 0..count {
            operands.push(if self.fixed(1)? == 1 {
                Operand::Literal(self.variable(8)?)
            } else {
                match self.fixed(3)? {
                    1 => Operand::Fixed(self.variable(5)?),
                    2 => Operand::Variable(self.variable(5)?),
                    3 => Operand::Array,
                    4 => Operand::Char6,
                    _ => return None,
                }
            });
        }
        Some(operands)
    }

    fn record(&mut self, operands: &[Operand]) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        let mut operands = operands.iter();
        while let Some(&operand) = operands.next() {
            if let Operand::Array = operand {
                let element = *operands.next()?;
                for _ in 0..self.variable(6)? {
                    values.push(self.scalar(element)?);
                }
            } else {
                values.push(self.scalar(operand)?);
            }
        }
        Some(values)
    }

    fn scalar(&mut self, operand: Operand) -> Option<u64> {
        const CHAR6: &[u8; 64] =
            b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
        match operand {
            Operand::Literal(value) => Some(value),
            Operand::Fixed(width) => self.fixed(width),
            Operand::Variable(width) => self.variable(width),
            Operand::Char6 => Some(u64::from(CHAR6[usize::try_from(self.fixed(6)?).ok()?])),
            Operand::Array => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use random::SplitMix;

    #[test]
    fn versions_are_read_from_producer_names() {
        assert_eq!(major_version("LLVM22.1.2-rust-1.95.0-stable"), Some(22));
        assert_eq!(major_version("LLVM14.0.6"), Some(14));
        assert_eq!(major_version("APPLE_1_1500.3.9.4_0"), None);
    }

    #[test]
    fn random_bytes_after_the_signature_are_no_producer() {
        let mut random = SplitMix(1);
        for _ in 0..2000 {
            let mut bytes = MAGIC.to_vec();
            bytes.extend(random.bytes(64));
            // No answer is fine, a panic is not.
            let _ = producer(&bytes);
        }
        assert_eq!(producer(&MAGIC), None);
    }
}
