//! Who wrote a bitcode file.
//!
//! A bitcode file starts with an identification block: a string such as `LLVM22.1.0`
//! and an epoch. LLVM itself happily upgrades bitcode of older versions, with results
//! that depend on the pair of versions; we want to tell the user instead. This decodes
//! just enough of the bitstream container to get at the string.

use crate::llvm::shorten;
use crate::{LLVM_MAJOR, ReadError};

const IDENTIFICATION_BLOCK: u64 = 13;
const IDENTIFICATION_STRING: u64 = 1;

/// Refuses bitcode that says it was written by another LLVM.
pub(crate) fn check_producer(bytes: &[u8]) -> Result<(), ReadError> {
    match producer(bytes) {
        Some(producer) if major_version(&producer) != Some(LLVM_MAJOR) => {
            let producer = shorten(producer.escape_default().to_string(), 60);
            Err(ReadError::OtherLlvm { producer })
        }
        _ => Ok(()),
    }
}

/// The producer string of a bitcode file; `None` if there is none to be found (textual
/// IR, damaged or very old bitcode), which is left to LLVM's own reader to judge.
fn producer(bytes: &[u8]) -> Option<String> {
    let bitcode = skip_wrapper(bytes)?;
    let mut bits = Bits {
        bytes: bitcode.strip_prefix(b"BC\xc0\xde")?,
        position: 0,
    };
    // At the outermost level ids are two bits wide, and 1 enters a block.
    if bits.fixed(2)? != 1 || bits.variable(8)? != IDENTIFICATION_BLOCK {
        return None;
    }
    let width = u32::try_from(bits.variable(4)?).ok()?;
    bits.align();
    bits.fixed(32)?;
    find_string(&mut bits, width)
}

/// The major version in a producer string such as `LLVM22.1.0` or `LLVM22.1.2-rust-1.95.0`.
fn major_version(producer: &str) -> Option<u32> {
    let digits = producer.strip_prefix("LLVM")?;
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    digits[..end].parse().ok()
}

fn skip_wrapper(bytes: &[u8]) -> Option<&[u8]> {
    if !bytes.starts_with(&[0xde, 0xc0, 0x17, 0x0b]) {
        return Some(bytes);
    }
    let offset = u32::from_le_bytes(bytes.get(8..12)?.try_into().ok()?);
    bytes.get(offset as usize..)
}

fn find_string(bits: &mut Bits<'_>, width: u32) -> Option<String> {
    let mut abbreviations: Vec<Vec<Operand>> = Vec::new();
    // An identification block has a handful of entries; damaged ones must not loop long.
    for _ in 0..64 {
        let record = match bits.fixed(width)? {
            2 => {
                abbreviations.push(define_abbreviation(bits)?);
                continue;
            }
            3 => {
                let code = bits.variable(6)?;
                let count = bits.variable(6)?.min(1024);
                let mut record = vec![code];
                for _ in 0..count {
                    record.push(bits.variable(6)?);
                }
                record
            }
            id if id >= 4 => {
                let abbreviation = abbreviations.get(usize::try_from(id - 4).ok()?)?;
                read_abbreviated(bits, abbreviation)?
            }
            _ => return None,
        };
        if record.first() == Some(&IDENTIFICATION_STRING) {
            return Some(record[1..].iter().map(|&c| c as u8 as char).collect());
        }
    }
    None
}

enum Operand {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Array,
    Char6,
}

fn define_abbreviation(bits: &mut Bits<'_>) -> Option<Vec<Operand>> {
    let count = bits.variable(5)?.min(64);
    let mut operands = Vec::new();
    for _ in 0..count {
        operands.push(match bits.fixed(1)? {
            1 => Operand::Literal(bits.variable(8)?),
            _ => match bits.fixed(3)? {
                1 => Operand::Fixed(u32::try_from(bits.variable(5)?).ok()?),
                2 => Operand::Variable(u32::try_from(bits.variable(5)?).ok()?),
                3 => Operand::Array,
                4 => Operand::Char6,
                _ => return None,
            },
        });
    }
    Some(operands)
}

fn read_abbreviated(bits: &mut Bits<'_>, operands: &[Operand]) -> Option<Vec<u64>> {
    let mut record = Vec::new();
    let mut operands = operands.iter();
    while let Some(operand) = operands.next() {
        match operand {
            Operand::Array => {
                let element = operands.next()?;
                for _ in 0..bits.variable(6)?.min(1024) {
                    record.push(read_scalar(bits, element)?);
                }
            }
            scalar => record.push(read_scalar(bits, scalar)?),
        }
    }
    Some(record)
}

fn read_scalar(bits: &mut Bits<'_>, operand: &Operand) -> Option<u64> {
    const CHARS: &[u8; 64] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
    match operand {
        Operand::Literal(value) => Some(*value),
        Operand::Fixed(width) => bits.fixed(*width),
        Operand::Variable(width) => bits.variable(*width),
        Operand::Char6 => Some(u64::from(CHARS[bits.fixed(6)? as usize])),
        Operand::Array => None,
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    /// In bits.
    position: usize,
}

impl Bits<'_> {
    fn fixed(&mut self, width: u32) -> Option<u64> {
        if width > 64 {
            return None;
        }
        let mut value = 0;
        for index in 0..width {
            let byte = self.bytes.get(self.position / 8)?;
            value |= u64::from(byte >> (self.position % 8) & 1) << index;
            self.position += 1;
        }
        Some(value)
    }

    fn variable(&mut self, width: u32) -> Option<u64> {
        if !(2..=32).contains(&width) {
            return None;
        }
        let continues = 1_u64 << (width - 1);
        let (mut value, mut shift) = (0_u64, 0);
        loop {
            let chunk = self.fixed(width)?;
            value |= (chunk & (continues - 1)).checked_shl(shift)?;
            if chunk & continues == 0 {
                return Some(value);
            }
            shift += width - 1;
            if shift >= 64 {
                return None;
            }
        }
    }

    /// To the next 32-bit boundary, counted from after the magic number.
    fn align(&mut self) {
        self.position = self.position.next_multiple_of(32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_taken_from_producer_strings() {
        assert_eq!(major_version("LLVM22.1.0"), Some(22));
        assert_eq!(major_version("LLVM14.0.6"), Some(14));
        assert_eq!(major_version("LLVM22.1.2-rust-1.95.0-stable"), Some(22));
        assert_eq!(major_version("APPLE_1_1600"), None);
    }

    #[test]
    fn garbage_has_no_producer() {
        assert_eq!(producer(b""), None);
        assert_eq!(producer(b"BC\xc0\xde"), None);
        assert_eq!(
            producer(b"BC\xc0\xde\xff\xff\xff\xff\xff\xff\xff\xff"),
            None
        );
        assert_eq!(producer(b"define i32 @main()"), None);
    }
}
