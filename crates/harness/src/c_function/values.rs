//! Typed values out of the bytes of an input, and out of what a driver wrote.

use std::collections::BTreeMap;

use exploration::outputs::Piece as Symbolic;

use super::layout::within;
use super::space::{Common, Encoding, KnownObject, Observed};
use crate::call::CallObservable;
use crate::types::{Scalar, Shape};
use crate::value::{Place, Value};

/// A single value; with its byte if it may be a part of a text.
struct Piece {
    value: Value,
    byte: u8,
}

/// What a driver writes of a pointer to an object that is gone (`observe.c`).
const GONE: u8 = 255;

type Pieces = BTreeMap<String, Piece>;

impl Common {
    /// The arguments of an input, in the order of the new version's parameters.
    pub(crate) fn arguments(&self, variables: &BTreeMap<String, Vec<u8>>) -> Vec<(String, Value)> {
        let mut pieces = Pieces::new();
        for input in &self.inputs {
            let mut bytes = variables.get(&input.name).cloned().unwrap_or_default();
            bytes.resize(input.scalar.bytes() as usize, 0);
            pieces.insert(input.name.clone(), piece(&input.scalar, &bytes));
        }
        let values = self.parameters.iter().map(|shared| {
            let members = format!("{}.", shared.name);
            let value = assembled(&shared.shape, &shared.name, &members, &pieces);
            (shared.name.clone(), value.unwrap_or(Value::Nothing))
        });
        values.collect()
    }

    /// What a driver wrote of something, as a value.
    pub(crate) fn value(&self, observed: &Observed, bytes: &[u8]) -> Value {
        let mut pieces = Pieces::new();
        let mut rest = bytes;
        for part in &observed.parts {
            let Some(piece) = self.read(&part.encoding, &mut rest) else {
                break;
            };
            pieces.insert(part.name.clone(), piece);
        }
        self.whole(observed, &pieces)
    }

    fn whole(&self, observed: &Observed, pieces: &Pieces) -> Value {
        let name = match &observed.what {
            CallObservable::Returned => "result",
            CallObservable::Argument(name) | CallObservable::Global(name) => name,
            CallObservable::Errno => "errno",
        };
        let shape = observed.shape.as_ref();
        let value = shape.and_then(|shape| assembled(shape, name, &format!("{name}."), pieces));
        let value = value.unwrap_or(Value::Nothing);
        // What is shown is what the pointer points to.
        match observed.what {
            CallObservable::Argument(_) => value.behind_address(),
            _ => value,
        }
    }

    /// The same of bytes that may be terms. Texts and pointers are read only from constants.
    pub(crate) fn symbolic_value(
        &self,
        observed: &Observed,
        written: &[Symbolic],
    ) -> Option<Value> {
        let constants: Option<Vec<u8>> = written.iter().map(constant).collect();
        if let Some(bytes) = constants {
            return Some(self.value(observed, &bytes)).filter(|value| *value != Value::Nothing);
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
                        value: Value::Term(words.clone()),
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
        rest.is_empty().then(|| self.whole(observed, &pieces))
    }

    fn read(&self, encoding: &Encoding, rest: &mut &[u8]) -> Option<Piece> {
        let leaves = match encoding {
            Encoding::Scalar(scalar) => return Some(piece(scalar, take(rest, scalar.bytes())?)),
            Encoding::Text => &[][..],
            Encoding::Pointer { leaves, .. } => leaves,
        };
        let place = take(rest, 1)?[0];
        let offset = i64::from_le_bytes(take(rest, 8)?.try_into().ok()?);
        let value = match place {
            0 => Value::Null,
            1 if *encoding == Encoding::Text => {
                let end = rest.iter().position(|&byte| byte == 0)?;
                Value::Text(take(rest, end as u64 + 1)?[..end].to_vec())
            }
            1 => {
                let mut members = Vec::new();
                for (name, scalar) in leaves {
                    let value = piece(scalar, take(rest, scalar.bytes())?).value;
                    let member = name.rsplit_once("->").map(|(_, member)| member);
                    members.push((member.unwrap_or_default().to_owned(), value));
                }
                Value::Address(Box::new(Value::Structure(members)))
            }
            GONE => Value::Gone,
            object => Value::Place(self.place(usize::from(object) - 2, offset)),
        };
        Some(Piece { value, byte: 0 })
    }

    /// A place of an argument or a global.
    fn place(&self, object: usize, offset: i64) -> Place {
        let name = match self.known_objects().into_iter().nth(object) {
            Some(KnownObject::Argument(name)) => name,
            Some(KnownObject::Global(name)) => return self.place_of_global(name, offset),
            None => String::new(),
        };
        let mut blocks = self
            .views
            .iter()
            .rev()
            .flat_map(|view| view.blocks.iter().flatten());
        let element = blocks.find(|block| block.name == name);
        Place {
            argument: name,
            offset,
            element: element.map_or(1, |block| block.element.max(1) as i64),
        }
    }
}

impl Common {
    fn place_of_global(&self, name: String, offset: i64) -> Place {
        let mut observed = self.observed.iter();
        let own =
            observed.find(|own| matches!(&own.what, CallObservable::Global(own) if *own == name));
        let element = match own.and_then(|own| own.shape.as_ref()) {
            Some(Shape::Array { element, .. }) => element.size(),
            Some(shape) => shape.size(),
            None => 1,
        };
        Place {
            argument: name,
            offset,
            element: element.max(1) as i64,
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
    let value = match scalar {
        Scalar::Signed(_) => Value::Signed(signed),
        Scalar::Unsigned(_) => Value::Unsigned(value),
        Scalar::Truth => Value::Truth(value & 1 == 1),
        Scalar::Character => Value::Character(bytes[0]),
        Scalar::Float(4) => Value::Float(value as u32),
        Scalar::Float(_) => Value::Double(value as u64),
        Scalar::Enumeration { names, .. } => {
            let mut named = names.iter().filter(|(_, number)| *number == signed);
            let name = named.next().map(|(name, _)| Value::Named(name.clone()));
            name.unwrap_or(Value::Signed(signed))
        }
    };
    Piece {
        value,
        byte: bytes[0],
    }
}

/// A value of some shape; `None` if nothing of it is known.
fn assembled(shape: &Shape, name: &str, members: &str, pieces: &Pieces) -> Option<Value> {
    if let Some(piece) = pieces.get(name) {
        return Some(piece.value.clone());
    }
    let listed = |parts: Vec<Value>| (!parts.is_empty()).then_some(Value::List(parts));
    let elements = |element: &Shape| {
        let of = |at: usize| {
            let name = format!("{name}[{at}]");
            assembled(element, &name, &format!("{name}."), pieces)
        };
        (0..).map_while(of).collect::<Vec<Value>>()
    };
    match shape {
        Shape::Scalar(_) => None,
        Shape::Struct { fields, .. } => {
            let fields = fields.iter().filter_map(|field| {
                let name = format!("{members}{}", field.name);
                let within = within(field, &name, members);
                let value = assembled(&field.shape, &name, &within, pieces)?;
                Some((field.name.clone(), value))
            });
            let fields: Vec<(String, Value)> = fields.collect();
            (!fields.is_empty()).then_some(Value::Structure(fields))
        }
        Shape::Text { .. } => Some(text(name, pieces)),
        Shape::Array { element, .. } if **element == Shape::Scalar(Scalar::Character) => {
            Some(text(name, pieces))
        }
        Shape::Array { element, .. } => listed(elements(element)),
        Shape::Pointer { to, .. } => match **to {
            Shape::Scalar(_) => listed(elements(to)),
            Shape::Array { .. } => assembled(to, &format!("(*{name})"), "", pieces),
            _ => {
                let members = format!("{name}->");
                let target = assembled(to, "", &members, pieces)?;
                Some(Value::Address(Box::new(target)))
            }
        },
    }
}

/// The bytes of a text up to the last one that is not zero.
fn text(name: &str, pieces: &Pieces) -> Value {
    let byte = |at: usize| Some(pieces.get(&format!("{name}[{at}]"))?.byte);
    let bytes: Vec<u8> = (0..).map_while(byte).collect();
    let end = bytes.iter().rposition(|&byte| byte != 0);
    Value::Text(bytes[..end.map_or(0, |end| end + 1)].to_vec())
}
