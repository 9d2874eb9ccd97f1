//! Values as the user would write them: `min(x = 3, y = -1)`, `returns 3`, `*out = {1, 0, 0, 0}`.

use std::collections::BTreeMap;

use exploration::outputs::Piece as Symbolic;

use super::layout::within;
use super::space::{Common, Encoding, Observed, What};
use super::types::{Scalar, Shape};

/// A single value, shown; with its byte if it may be a part of a text.
struct Piece {
    shown: String,
    byte: u8,
}

type Pieces = BTreeMap<String, Piece>;

impl Common {
    /// The arguments of an input, in the order of the new version's parameters.
    pub(super) fn arguments(&self, variables: &BTreeMap<String, Vec<u8>>) -> Vec<(String, String)> {
        let mut pieces = Pieces::new();
        for input in &self.inputs {
            let mut bytes = variables.get(&input.name).cloned().unwrap_or_default();
            bytes.resize(input.scalar.bytes() as usize, 0);
            pieces.insert(input.name.clone(), piece(&input.scalar, &bytes));
        }
        let shown = self.parameters.iter().map(|shared| {
            let members = format!("{}.", shared.name);
            let value = show(&shared.shape, &shared.name, &members, &pieces);
            (shared.name.clone(), value.unwrap_or_default())
        });
        shown.collect()
    }

    /// What a driver wrote of something, as a value; empty for `void`.
    pub(super) fn value(&self, observed: &Observed, bytes: &[u8]) -> String {
        let mut pieces = Pieces::new();
        let mut rest = bytes;
        for part in &observed.parts {
            let Some(piece) = self.read(&part.encoding, &mut rest) else {
                break;
            };
            pieces.insert(part.name.clone(), piece);
        }
        self.shown(observed, &pieces)
    }

    fn shown(&self, observed: &Observed, pieces: &Pieces) -> String {
        let name = match &observed.what {
            What::Returned => "result",
            What::Argument(name) | What::Global(name) => name,
            What::Errno => "errno",
        };
        let shape = observed.shape.as_ref();
        let shown = shape.and_then(|shape| show(shape, name, &format!("{name}."), pieces));
        let shown = shown.unwrap_or_default();
        // What is shown is what the pointer points to.
        match observed.what {
            What::Argument(_) => shown.strip_prefix('&').unwrap_or(&shown).to_owned(),
            _ => shown,
        }
    }

    /// The same of bytes that may be terms. Texts and pointers are read only from constants.
    pub(super) fn symbolic_value(
        &self,
        observed: &Observed,
        written: &[Symbolic],
    ) -> Option<String> {
        let constants: Option<Vec<u8>> = written.iter().map(constant).collect();
        if let Some(bytes) = constants {
            return Some(self.value(observed, &bytes)).filter(|value| !value.is_empty());
        }
        let mut pieces = Pieces::new();
        let mut rest = written;
        for part in &observed.parts {
            let Encoding::Scalar(scalar) = &part.encoding else {
                return None;
            };
            let size = scalar.bytes() as usize;
            let piece = match rest.first()? {
                // An unsigned value that was made longer has zeros behind it.
                Symbolic::Value { words, bytes }
                    if *bytes <= size && *scalar != Scalar::Character =>
                {
                    let behind = rest.get(1..=size - bytes)?;
                    if behind.iter().any(|byte| constant(byte) != Some(0)) {
                        return None;
                    }
                    rest = &rest[1 + size - bytes..];
                    Piece {
                        shown: words.clone(),
                        byte: 0,
                    }
                }
                Symbolic::Value { .. } => return None,
                Symbolic::Constant(_) => {
                    let (own, behind) = rest.split_at_checked(size)?;
                    let own: Option<Vec<u8>> = own.iter().map(constant).collect();
                    rest = behind;
                    piece(scalar, &own?)
                }
            };
            pieces.insert(part.name.clone(), piece);
        }
        rest.is_empty().then(|| self.shown(observed, &pieces))
    }

    fn read(&self, encoding: &Encoding, rest: &mut &[u8]) -> Option<Piece> {
        let leaves = match encoding {
            Encoding::Scalar(scalar) => return Some(piece(scalar, take(rest, scalar.bytes())?)),
            Encoding::Text => &[][..],
            Encoding::Pointer(leaves) => leaves,
        };
        let place = take(rest, 1)?[0];
        let offset = i64::from_le_bytes(take(rest, 8)?.try_into().ok()?);
        let shown = match place {
            0 => "NULL".to_owned(),
            1 if *encoding == Encoding::Text => {
                let end = rest.iter().position(|&byte| byte == 0)?;
                literal(&take(rest, end as u64 + 1)?[..end])
            }
            1 => {
                let mut values = Vec::new();
                for (name, scalar) in leaves {
                    let value = piece(scalar, take(rest, scalar.bytes())?).shown;
                    let member = name.rsplit("->").next().unwrap_or(name);
                    values.push(match name.contains("->") {
                        true => format!("{member} = {value}"),
                        false => value,
                    });
                }
                format!("&{{{}}}", values.join(", "))
            }
            block => self.place(usize::from(block) - 2, offset),
        };
        Some(Piece { shown, byte: 0 })
    }

    /// A place of an argument.
    fn place(&self, block: usize, offset: i64) -> String {
        let name = self.block_names().get(block).cloned().unwrap_or_default();
        let mut blocks = self
            .views
            .iter()
            .rev()
            .flat_map(|view| view.blocks.iter().flatten());
        let element = blocks.find(|block| block.name == name);
        let element = element.map_or(1, |block| block.element.max(1) as i64);
        match (offset, offset % element) {
            (0, _) => name,
            (_, 0) => format!("&{name}[{}]", offset / element),
            _ => format!("{name} and {offset} bytes"),
        }
    }
}

fn constant(piece: &Symbolic) -> Option<u8> {
    match piece {
        Symbolic::Constant(byte) => Some(*byte),
        Symbolic::Value { .. } => None,
    }
}

fn take<'b>(rest: &mut &'b [u8], count: u64) -> Option<&'b [u8]> {
    let (bytes, behind) = rest.split_at_checked(count as usize)?;
    *rest = behind;
    Some(bytes)
}

fn piece(scalar: &Scalar, bytes: &[u8]) -> Piece {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let value = u128::from_le_bytes(wide);
    let shift = 128 - 8 * bytes.len() as u32;
    let signed = (value << shift) as i128 >> shift;
    let shown = match scalar {
        Scalar::Signed(_) => signed.to_string(),
        Scalar::Unsigned(_) => value.to_string(),
        Scalar::Truth => (value & 1 == 1).to_string(),
        Scalar::Character => character(bytes[0]),
        Scalar::Float(4) => format!("{:?}", f32::from_bits(value as u32)),
        Scalar::Float(_) => format!("{:?}", f64::from_bits(value as u64)),
        Scalar::Enumeration { names, .. } => {
            let mut named = names.iter().filter(|(_, number)| *number == signed);
            named
                .next()
                .map_or(signed.to_string(), |(name, _)| name.clone())
        }
    };
    Piece {
        shown,
        byte: bytes[0],
    }
}

fn character(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        _ => format!("'{}'", escaped(byte)),
    }
}

fn escaped(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        0 => "\\0".to_owned(),
        b'"' | b'\\' => format!("\\{}", byte as char),
        b' '..=b'~' => (byte as char).to_string(),
        _ => format!("\\x{byte:02x}"),
    }
}

/// A text in quotes.
fn literal(bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|&byte| escaped(byte)).collect();
    format!("\"{text}\"")
}

/// A value of some shape; `None` if nothing of it is known.
fn show(shape: &Shape, name: &str, members: &str, pieces: &Pieces) -> Option<String> {
    if let Some(piece) = pieces.get(name) {
        return Some(piece.shown.clone());
    }
    let listed =
        |parts: Vec<String>| (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(", ")));
    let elements = |element: &Shape| {
        let of = |at: usize| {
            let name = format!("{name}[{at}]");
            show(element, &name, &format!("{name}."), pieces)
        };
        (0..).map_while(of).collect::<Vec<String>>()
    };
    match shape {
        Shape::Scalar(_) => None,
        Shape::Struct { fields, .. } => {
            let fields = fields.iter().filter_map(|field| {
                let name = format!("{members}{}", field.name);
                let value = show(&field.shape, &name, &within(field, &name, members), pieces)?;
                Some(match field.name.is_empty() {
                    true => value,
                    false => format!("{} = {value}", field.name),
                })
            });
            listed(fields.collect())
        }
        Shape::Text { .. } => Some(text(name, pieces)),
        Shape::Array { element, .. } if **element == Shape::Scalar(Scalar::Character) => {
            Some(text(name, pieces))
        }
        Shape::Array { element, .. } => listed(elements(element)),
        Shape::Pointer { to, .. } => match **to {
            Shape::Scalar(_) => listed(elements(to)),
            Shape::Array { .. } => show(to, &format!("(*{name})"), "", pieces),
            _ => {
                let members = format!("{name}->");
                let target = show(to, "", &members, pieces)?;
                Some(format!("&{target}"))
            }
        },
    }
}

/// The bytes of a text up to the last one that is not zero.
fn text(name: &str, pieces: &Pieces) -> String {
    let byte = |at: usize| Some(pieces.get(&format!("{name}[{at}]"))?.byte);
    let bytes: Vec<u8> = (0..).map_while(byte).collect();
    let end = bytes.iter().rposition(|&byte| byte != 0);
    literal(&bytes[..end.map_or(0, |end| end + 1)])
}
