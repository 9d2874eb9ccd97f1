//! Typed values out of the bytes of an input, and out of what a driver wrote.

use std::collections::BTreeMap;

use exploration::outputs::Piece as Symbolic;

use super::layout::{Block, within};
use super::seen::{Names, Reading, scalar_value};
use super::space::{Choice, Common, Content, Input, Observed, Shared, View};
use crate::types::{Scalar, Shape};
use crate::value::{Place, Value};

/// The single values of an input; with their first byte.
type Pieces = BTreeMap<String, (Value, u8)>;

impl Common {
    /// The arguments of an input, in the order of the new version's parameters.
    pub(crate) fn arguments(&self, variables: &BTreeMap<String, Vec<u8>>) -> Vec<(String, Value)> {
        let mut values = self.shown(&self.parameters, variables);
        for at in 0..self.further {
            let name = format!("...[{at}]");
            let mut bytes = variables.get(&name).cloned().unwrap_or_default();
            bytes.resize(8, 0);
            values.push((name, scalar_value(&Scalar::Signed(8), &bytes)));
        }
        values
    }

    /// The variables of the versions that an input gives values.
    pub(crate) fn variables(&self, variables: &BTreeMap<String, Vec<u8>>) -> Vec<(String, Value)> {
        self.shown(&self.globals, variables)
    }

    fn shown(
        &self,
        shared: &[Shared],
        variables: &BTreeMap<String, Vec<u8>>,
    ) -> Vec<(String, Value)> {
        let mut pieces = Pieces::new();
        for input in &self.inputs {
            let bytes = input.bytes(variables);
            let value = scalar_value(&input.scalar, &bytes);
            pieces.insert(input.name.clone(), (value, bytes[0]));
        }
        let shown = Shown {
            common: self,
            pieces: &pieces,
            variables,
        };
        let values = shared.iter().map(|shared| {
            let members = format!("{}.", shared.name);
            let value = shown.value(&shared.shape, &shared.name, &members);
            (shared.name.clone(), value.unwrap_or(Value::Nothing))
        });
        values.collect()
    }

    /// A single value of an input, with its type.
    pub(crate) fn input_bytes(
        &self,
        name: &str,
        variables: &BTreeMap<String, Vec<u8>>,
    ) -> Option<(Scalar, Vec<u8>)> {
        let mut inputs = self.inputs.iter();
        let input = inputs.find(|input| input.name == name)?;
        Some((input.scalar.clone(), input.bytes(variables)))
    }

    /// What a driver wrote of something, as a value.
    pub(crate) fn value(&self, observed: &Observed, bytes: &[u8]) -> Value {
        let bytes: Vec<Symbolic> = bytes.iter().copied().map(Symbolic::Constant).collect();
        self.symbolic_value(observed, &bytes)
            .unwrap_or(Value::Nothing)
    }

    /// The same of bytes that may be terms. Texts and pointers are read only from constants.
    pub(crate) fn symbolic_value(
        &self,
        observed: &Observed,
        written: &[Symbolic],
    ) -> Option<Value> {
        let mut reading = Reading {
            seen: &self.seen,
            names: self,
            rest: written,
            met: 0,
        };
        match &observed.content {
            Content::Nothing => Some(Value::Nothing),
            Content::Value(pair) => reading.value([&pair[0], &pair[1]]),
            Content::Memory(count, pair) => {
                if reading.constants(1)?[0] != 0 {
                    return Some(Value::Named("freed".to_owned()));
                }
                let pair = [&pair[0], &pair[1]];
                let is_struct = matches!(
                    pair[1].resolved(&self.seen.types[1]),
                    Shape::Struct { .. } | Shape::Union { .. }
                );
                match (count, is_struct) {
                    (1, true) => reading.value(pair),
                    (&count, _) => reading.elements(count, pair),
                }
            }
            Content::Errno => reading.scalar(&Scalar::Signed(4)),
            Content::Position => reading.scalar(&Scalar::Signed(8)),
            Content::Bytes => {
                let count = reading.rest.len();
                reading.constants(count).map(Value::Text)
            }
            Content::Calls => {
                let mut calls = Vec::new();
                while !reading.rest.is_empty() {
                    let name = self.callback(usize::from(reading.constants(1)?[0]));
                    let mut values = Vec::new();
                    for pair in self.call_types(&name) {
                        values.push(reading.value([&pair[0], &pair[1]])?.to_string());
                    }
                    calls.push(Value::Named(format!("{name}({})", values.join(", "))));
                }
                Some(Value::List(calls))
            }
        }
    }
}

impl Input {
    /// Its bytes, as the function takes them.
    fn bytes(&self, variables: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
        let mut bytes = variables.get(&self.name).cloned().unwrap_or_default();
        bytes.resize(self.scalar.bytes() as usize, 0);
        if let Some(width) = self.width {
            cut(&mut bytes, width, self.scalar.is_signed());
        }
        if self.scalar == Scalar::Truth {
            bytes[0] &= 1;
        }
        bytes
    }
}

impl Names for Common {
    fn place(&self, block: usize, offset: i64) -> Place {
        let name = self.block_names().get(block).cloned().unwrap_or_default();
        let mut blocks = self.views.iter().rev().flat_map(View::all);
        let own = blocks.find(|block: &&Block| block.name == name && !block.by_value);
        Place {
            argument: name,
            offset,
            element: own.map_or(1, |block| block.element.max(1) as i64),
        }
    }

    fn callback(&self, number: usize) -> String {
        self.callbacks().get(number).cloned().unwrap_or_default()
    }
}

/// Leaves the bits of a bit-field.
fn cut(bytes: &mut [u8], width: u8, signed: bool) {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let shift = 128 - u32::from(width);
    let value = u128::from_le_bytes(wide) << shift;
    let value = match signed {
        true => (value as i128 >> shift) as u128,
        false => value >> shift,
    };
    let count = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..count]);
}

/// The values of an input.
struct Shown<'s> {
    common: &'s Common,
    pieces: &'s Pieces,
    variables: &'s BTreeMap<String, Vec<u8>>,
}

impl Shown<'_> {
    /// A value of some shape; `None` if nothing of it is known.
    fn value(&self, shape: &Shape, name: &str, members: &str) -> Option<Value> {
        if let Some((value, _)) = self.pieces.get(name).filter(|_| !shape.is_pointer()) {
            return Some(value.clone());
        }
        let types = &self.common.seen.types[1];
        match shape.resolved(types) {
            Shape::Scalar(_) | Shape::Named { .. } | Shape::Opaque { .. } => None,
            union @ Shape::Union { fields, .. } => {
                let member = union.whole_member();
                let member = member.or(fields.first().filter(|_| union.has_pointers(types)));
                match member {
                    Some(field) => self.members(std::slice::from_ref(field), members),
                    None => self.list(&BYTE, &format!("{members}bytes")),
                }
            }
            Shape::Struct { fields, .. } => self.members(fields, members),
            Shape::Array { element, .. } => self.list(element, name),
            Shape::Text { .. } | Shape::Pointer { .. } | Shape::Function(_) | Shape::Stream => {
                Some(self.pointer(shape, name))
            }
        }
    }

    fn members(&self, fields: &[crate::types::Field], members: &str) -> Option<Value> {
        let fields = fields.iter().filter_map(|field| {
            let name = format!("{members}{}", field.name);
            let within = within(field, &name, members);
            let value = self.value(&field.shape, &name, &within)?;
            Some((field.name.clone(), value))
        });
        let fields: Vec<(String, Value)> = fields.collect();
        (!fields.is_empty()).then_some(Value::Structure(fields))
    }

    fn list(&self, element: &Shape, name: &str) -> Option<Value> {
        let is_known = |at: u64| {
            let name = format!("{name}[{at}]");
            let inside = [format!("{name}."), format!("{name}["), format!("*{name}")];
            let is_own = |known: &str| {
                known == name || inside.iter().any(|start| known.starts_with(start.as_str()))
            };
            self.pieces.keys().any(|known| is_own(known))
                || self.common.choices.iter().any(|(known, _)| is_own(known))
        };
        if *element == Shape::Scalar(Scalar::Character) {
            let byte = |at: u64| Some(self.pieces.get(&format!("{name}[{at}]"))?.1);
            let bytes: Vec<u8> = (0..).map_while(byte).collect();
            return (!bytes.is_empty()).then(|| Value::Text(trimmed(bytes)));
        }
        let of = |at: u64| {
            let name = format!("{name}[{at}]");
            let value = self.value(element, &name, &format!("{name}."));
            value.filter(|_| is_known(at))
        };
        let parts: Vec<Value> = (0..MOST_SHOWN).map_while(of).collect();
        (!parts.is_empty()).then_some(Value::List(parts))
    }

    fn pointer(&self, shape: &Shape, name: &str) -> Value {
        let choices = self.common.choices_of(name);
        let chosen = self
            .variables
            .get(name)
            .and_then(|bytes| bytes.first().copied());
        let chosen = choices.get(usize::from(chosen.unwrap_or(0)));
        match chosen.unwrap_or(&choices[0]) {
            Choice::Null => Value::Null,
            Choice::First => Value::Named("as at the start".to_owned()),
            Choice::Alias(other) => Value::Place(Place {
                argument: other.clone(),
                offset: 0,
                element: 1,
            }),
            Choice::Fresh => self.target(shape, name),
        }
    }

    fn target(&self, shape: &Shape, name: &str) -> Value {
        let types = &self.common.seen.types[1];
        let whole = |value: Option<Value>| value.unwrap_or(Value::Nothing);
        match shape {
            Shape::Text { .. } => {
                let text = self.list(&Shape::Scalar(Scalar::Character), name);
                text.unwrap_or(Value::Text(Vec::new()))
            }
            Shape::Function(_) => self.answers(name),
            Shape::Stream => {
                let length = self.variables.get(&format!("{name}.length"));
                let length = length.and_then(|bytes| bytes.first().copied()).unwrap_or(0);
                let length = u64::from(length).min(self.common.extent.elements);
                let byte = |at: u64| {
                    let bytes = self.variables.get(&format!("{name}[{at}]"));
                    bytes.and_then(|bytes| bytes.first().copied()).unwrap_or(0)
                };
                Value::Text((0..length).map(byte).collect())
            }
            Shape::Pointer { to, .. } => match to.resolved(types) {
                Shape::Scalar(_) => whole(self.list(to, name)),
                Shape::Opaque { .. } => Value::Named("an object of its own".to_owned()),
                Shape::Array { element, .. } => match self.list(element, &format!("(*{name})")) {
                    Some(one) => one,
                    None => whole(self.list(to, name)),
                },
                Shape::Text { .. } | Shape::Pointer { .. } => match self.list(to, name) {
                    Some(several) => several,
                    None => {
                        let one = self.pointer(to, &format!("*{name}"));
                        Value::Address(Box::new(one))
                    }
                },
                struct_or_union => {
                    let target = self.value(struct_or_union, "", &format!("{name}->"));
                    Value::Address(Box::new(whole(target)))
                }
            },
            _ => Value::Nothing,
        }
    }

    /// What a function that is passed answers, call by call.
    fn answers(&self, name: &str) -> Value {
        let links = self.common.views[1].all().flat_map(|block| &block.links);
        let mut own = links.filter(|link| link.name == name);
        let returns = own.next().and_then(|link| match &link.shape {
            Shape::Function(signature) => signature.returns.clone(),
            _ => None,
        });
        let Some(Shape::Scalar(scalar)) = returns else {
            return Value::Named("a function".to_owned());
        };
        let answer = |number: usize| {
            let name = match number {
                1 => format!("{name}()"),
                number => format!("{name}()#{number}"),
            };
            let mut bytes = self.variables.get(&name)?.clone();
            bytes.resize(scalar.bytes() as usize, 0);
            Some(scalar_value(&scalar, &bytes))
        };
        let answers: Vec<String> = (1..)
            .map_while(answer)
            .map(|value| value.to_string())
            .collect();
        Value::Named(match answers.is_empty() {
            true => "a function".to_owned(),
            false => format!("a function that answers {}", answers.join(", ")),
        })
    }
}

/// Longer lists are not shown.
const MOST_SHOWN: u64 = 4096;

const BYTE: Shape = Shape::Scalar(Scalar::Unsigned(1));

/// The bytes up to the last one that is not zero.
fn trimmed(mut bytes: Vec<u8>) -> Vec<u8> {
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    bytes
}
