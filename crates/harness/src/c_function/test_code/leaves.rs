//! What a run of a driver left, as single values at places of C: the same walk over the same bytes as for a reader
//! ([`Reading`](super::super::seen::Reading)), with the expression by which a test reaches each value.

use std::collections::BTreeMap;

use super::super::seen::{Pair, Pairing, bit_fields, step};
use super::super::space::{Common, Content, Observed};
use super::place::{Place, Target};
use crate::literal;
use crate::types::{Scalar, Shape};

/// A value that a run left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum LeafValue {
    Integer {
        text: String,
        is_signed: bool,
    },
    Character(u8),
    Real(String),
    NotANumber,
    Text(Vec<u8>),
    Null,
    Address(String),
    /// In words: no test in C can ask for it.
    Other(String),
}

/// The array that a value is an element of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Array {
    /// An expression of C.
    pub(crate) text: String,
    pub(crate) element: &'static str,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// An expression of C.
    pub(crate) place: String,
    pub(crate) array: Option<Array>,
    pub(crate) known: LeafValue,
}

/// A value of a scalar type.
pub(crate) fn known(scalar: &Scalar, bytes: &[u8]) -> LeafValue {
    match (scalar, literal::scalar(scalar, bytes)) {
        (Scalar::Character, _) => LeafValue::Character(bytes[0]),
        (_, None) => LeafValue::Other("a number of more than 64 bits".to_owned()),
        (Scalar::Float(_), Some(literal)) => match literal.text.starts_with(['N', '(']) {
            true => LeafValue::NotANumber,
            false => LeafValue::Real(literal.text),
        },
        (scalar, Some(literal)) => LeafValue::Integer {
            text: literal.text,
            is_signed: scalar.is_signed(),
        },
    }
}

/// What functions give `errno` most often, on Linux.
const ERRORS: &[(&str, i32)] = &[
    ("EPERM", 1),
    ("ENOENT", 2),
    ("EINTR", 4),
    ("EIO", 5),
    ("E2BIG", 7),
    ("EBADF", 9),
    ("EAGAIN", 11),
    ("ENOMEM", 12),
    ("EACCES", 13),
    ("EFAULT", 14),
    ("EBUSY", 16),
    ("EEXIST", 17),
    ("EINVAL", 22),
    ("ENOSPC", 28),
    ("EPIPE", 32),
    ("EDOM", 33),
    ("ERANGE", 34),
    ("ENOSYS", 38),
    ("EOVERFLOW", 75),
    ("EILSEQ", 84),
];

/// A walk over what a driver wrote.
pub(crate) struct Walk<'w> {
    pub(crate) common: &'w Common,
    /// What a test calls the objects of the input, by block.
    pub(crate) blocks: &'w BTreeMap<String, Target>,
    pub(crate) rest: &'w [u8],
    /// The objects that the call has made, in the order in which they were met; `None` if C cannot name one.
    pub(crate) met: Vec<Option<Target>>,
    pub(crate) found: Vec<Leaf>,
}

impl Walk<'_> {
    /// What was observed of something, at its place. `None` if the bytes are something else.
    pub(crate) fn observed(&mut self, observed: &Observed, place: Option<Target>) -> Option<()> {
        let Some(place) = place else {
            return self.unknown(&observed.what.to_string());
        };
        match &observed.content {
            Content::Nothing => Some(()),
            Content::Value(pair) => self.value([&pair[0], &pair[1]], &place.element(0)),
            Content::Memory(count, pair) => {
                if self.take(1)?[0] != 0 {
                    let place = place.element(0).value();
                    self.other(&place, "freed".to_owned());
                    return Some(());
                }
                match place {
                    Target::One(place) if *count == 1 => self.value([&pair[0], &pair[1]], &place),
                    place => self.elements(*count, pair, &place),
                }
            }
            Content::Errno => {
                let number = i32::from_le_bytes(self.take(4)?.try_into().ok()?);
                let named = ERRORS.iter().find(|(_, own)| *own == number);
                let text = named.map_or(number.to_string(), |(name, _)| (*name).to_owned());
                self.leaf(
                    "errno".to_owned(),
                    LeafValue::Integer {
                        text,
                        is_signed: true,
                    },
                );
                Some(())
            }
            Content::Position | Content::Bytes | Content::Calls => {
                self.unknown(&observed.what.to_string())
            }
        }
    }

    /// Something that C cannot reach: its bytes say whether it is the same in both versions.
    fn unknown(&mut self, place: &str) -> Option<()> {
        let bytes = self.take(self.rest.len())?;
        self.other(place, format!("{bytes:02x?}"));
        Some(())
    }

    fn take(&mut self, count: usize) -> Option<Vec<u8>> {
        let (own, behind) = self.rest.split_at_checked(count)?;
        self.rest = behind;
        Some(own.to_vec())
    }

    fn leaf(&mut self, place: String, known: LeafValue) {
        self.found.push(Leaf {
            place,
            array: None,
            known,
        });
    }

    fn other(&mut self, place: &str, words: String) {
        self.leaf(place.to_owned(), LeafValue::Other(words));
    }

    fn scalar(&mut self, scalar: &Scalar, place: &Place) -> Option<()> {
        let bytes = self.take(scalar.bytes() as usize)?;
        self.leaf(place.value(), known(scalar, &bytes));
        Some(())
    }

    pub(crate) fn value(&mut self, pair: [&Shape; 2], place: &Place) -> Option<()> {
        let common = self.common;
        match step(&common.seen.types, pair) {
            Pairing::Scalar(_, common, _) => self.scalar(&common, place),
            Pairing::Members(members) => {
                for member in members {
                    let place = place.member(&member[1].name);
                    match bit_fields(&member) {
                        Some((_, common)) => self.scalar(&common, &place)?,
                        None => self.value([&member[0].shape, &member[1].shape], &place)?,
                    }
                }
                Some(())
            }
            Pairing::Elements(count, [old, new]) => {
                let count = match count {
                    0 => u64::from_le_bytes(self.take(8)?.try_into().ok()?),
                    count => count,
                };
                let is_bytes =
                    matches!(pair[1].resolved(&common.seen.types[1]), Shape::Union { .. });
                if is_bytes {
                    let bytes = self.take(usize::try_from(count).ok()?)?;
                    self.other(&place.value(), format!("{bytes:02x?}"));
                    return Some(());
                }
                let place = Target::Several(place.value());
                self.elements(count, &[old.clone(), new.clone()], &place)
            }
            Pairing::Text => self.pointer(None, place),
            Pairing::Target(to) => self.pointer(Some(to), place),
            Pairing::Opaque | Pairing::Function => self.pointer(Some([&OPAQUE, &OPAQUE]), place),
            Pairing::Nothing => Some(()),
        }
    }

    fn elements(&mut self, count: u64, pair: &Pair, array: &Target) -> Option<()> {
        let types = &self.common.seen.types;
        let alike = match (pair[0].resolved(&types[0]), pair[1].resolved(&types[1])) {
            (Shape::Scalar(old), Shape::Scalar(new)) if old.is_like(new) => Some(new.in_c()),
            _ => None,
        };
        for at in 0..count {
            let before = self.found.len();
            self.value([&pair[0], &pair[1]], &array.element(at))?;
            if let (Some(element), Target::Several(text)) = (alike, array) {
                for leaf in &mut self.found[before..] {
                    leaf.array = Some(Array {
                        text: text.clone(),
                        element,
                    });
                }
            }
        }
        Some(())
    }

    /// A pointer; `to` is `None` for texts.
    fn pointer(&mut self, to: Option<[&Shape; 2]>, place: &Place) -> Option<()> {
        let header = self.take(13)?;
        let number = u32::from_le_bytes(header[1..5].try_into().ok()?) as usize;
        let offset = i64::from_le_bytes(header[5..].try_into().ok()?);
        let own = place.value();
        match header[0] {
            0 => self.leaf(own, LeafValue::Null),
            1 | 8 => return self.object(to, &own, number as u64, offset),
            2 | 6 if to.is_none() => return self.text(&own),
            2 => {
                let target = self.met.get(number).cloned().flatten();
                let size = to.map_or(1, |to| self.size(to[1]));
                self.address(own, target, offset, size);
            }
            3 => {
                let name = self.common.block_names().get(number).cloned();
                let name = name.unwrap_or_default();
                let target = self.blocks.get(&name).cloned();
                let mut blocks = self.common.views[1].all();
                let block = blocks.find(|block| block.name == name && !block.by_value);
                let size = block.map_or(1, |block| block.element as i64);
                self.address(own, target, offset, size);
            }
            4 => {
                let name = String::from_utf8_lossy(&self.take(number)?).into_owned();
                // The symbol of a variable inside a function is no name of C.
                let target = (!name.contains('.')).then(|| Target::One(Place::variable(&name)));
                let size = if offset == 0 { 1 } else { 0 };
                self.address(own, target, offset, size);
            }
            9 => {
                let number = u64::from_le_bytes(self.take(8)?.try_into().ok()?);
                self.leaf(own, LeafValue::Address(format!("(void *){number:#x}")));
            }
            5 => self.other(&own, "a pointer to memory that is gone".to_owned()),
            // What a function that was passed is called with.
            10 => return None,
            _ => self.other(&own, "a pointer to a function that was passed".to_owned()),
        }
        Some(())
    }

    fn size(&self, shape: &Shape) -> i64 {
        shape.resolved(&self.common.seen.types[1]).size() as i64
    }

    fn address(&mut self, place: String, target: Option<Target>, offset: i64, size: i64) {
        let known = match target {
            Some(target) => LeafValue::Address(target.address(offset, size)),
            None => {
                LeafValue::Other("the address of something that C cannot name there".to_owned())
            }
        };
        self.leaf(place, known);
    }

    /// An object that the call has made, or an unnamed one of static storage.
    fn object(
        &mut self,
        to: Option<[&Shape; 2]>,
        own: &str,
        number: u64,
        offset: i64,
    ) -> Option<()> {
        let Some(to) = to else {
            self.met.push(None);
            return self.text(own);
        };
        let target = match number {
            _ if number == 0 || offset != 0 => None,
            1 => Some(Target::One(Place::behind(own))),
            _ => Some(Target::Several(own.to_owned())),
        };
        self.met.push(target.clone());
        let (before, rest) = (self.found.len(), self.rest.len());
        let start = self.rest;
        let place = target.clone().unwrap_or(Target::Several(own.to_owned()));
        match (number, &place) {
            (0, _) => {}
            (1, Target::One(place)) => self.value(to, place)?,
            _ => self.elements(number, &[to[0].clone(), to[1].clone()], &place)?,
        }
        if target.is_none() {
            let bytes = &start[..rest - self.rest.len()];
            self.found.truncate(before);
            self.other(own, format!("an object of its own, with {bytes:02x?}"));
        }
        Some(())
    }

    fn text(&mut self, place: &str) -> Option<()> {
        let length = self.rest.iter().position(|&byte| byte == 0)?;
        let bytes = self.take(length + 1)?;
        let text = bytes[..length].to_vec();
        self.leaf(place.to_owned(), LeafValue::Text(text));
        Some(())
    }
}

const OPAQUE: Shape = Shape::Opaque {
    name: String::new(),
};
