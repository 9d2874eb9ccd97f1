//! What is written of memory after a call, and how it is read back.
//!
//! Both versions must write the same things in the same order, whatever their types look like: so all that is written is decided
//! by *pairs* of types, the old version's and the new one's. Of two structs the members of the same name are written, in the new
//! one's order; what only one has is left out. What pointers point to is written by one function for each pair of types that
//! pointers lead to, and these may call each other: the walk itself is `observe.c`'s.

use std::fmt::Write;

use exploration::outputs::Piece as Symbolic;

use crate::types::{Bits, Field, Scalar, Shape, Types};
use crate::value::{Place, Value};

/// A type in the old version and in the new one.
pub(crate) type Pair = [Shape; 2];

/// The types of both versions, and what pointers to them lead to.
#[derive(Clone)]
pub(crate) struct Seen {
    pub(crate) types: [Types; 2],
    /// Each with a function of the driver.
    targets: Vec<Pair>,
    /// What should be written, and cannot be, in words.
    pub(crate) left_out: Vec<String>,
    /// Members that only one version has.
    pub(crate) notes: Vec<String>,
    /// Whether floating-point numbers, texts, pointers to functions are among what is written.
    pub(crate) has_floats: bool,
    pub(crate) has_texts: bool,
    pub(crate) has_functions: bool,
    /// The bits of a NaN count.
    pub(crate) exact: bool,
}

/// What is not compared of a pair of types.
#[derive(Default)]
struct Lost {
    left_out: Vec<String>,
    notes: Vec<String>,
    has_floats: bool,
    has_texts: bool,
    has_functions: bool,
}

/// Two values that are compared.
pub(super) enum Pairing<'p> {
    Scalar([&'p Scalar; 2], Scalar, [Option<Bits>; 2]),
    Members(Vec<[&'p Field; 2]>),
    Elements(u64, [&'p Shape; 2]),
    Text,
    Target([&'p Shape; 2]),
    Opaque,
    Function,
    /// Nothing of them can be compared.
    Nothing,
}

impl Seen {
    pub(crate) fn new(old: Types, new: Types, exact: bool) -> Seen {
        Seen {
            types: [old, new],
            targets: Vec::new(),
            left_out: Vec::new(),
            notes: Vec::new(),
            has_floats: false,
            has_texts: false,
            has_functions: false,
            exact,
        }
    }

    /// Takes in a pair of types that is written somewhere, and all that it leads to.
    pub(crate) fn add(&mut self, name: &str, pair: &Pair) {
        let types = self.types.clone();
        let mut lost = Lost::default();
        let mut found = Vec::new();
        reach(&types, [&pair[0], &pair[1]], name, &mut found, &mut lost);
        while let Some((name, pair)) = found.pop() {
            if self.number(&pair).is_some() {
                continue;
            }
            self.targets.push(pair.clone());
            reach(&types, [&pair[0], &pair[1]], &name, &mut found, &mut lost);
        }
        self.has_floats |= lost.has_floats;
        self.has_texts |= lost.has_texts;
        self.has_functions |= lost.has_functions;
        for (all, more) in [
            (&mut self.left_out, lost.left_out),
            (&mut self.notes, lost.notes),
        ] {
            all.extend(more);
            all.sort();
            all.dedup();
        }
    }

    fn number(&self, pair: &Pair) -> Option<usize> {
        self.targets.iter().position(|target| target == pair)
    }

    /// The functions of a driver that write what pointers point to.
    pub(crate) fn functions(&self, version: usize) -> String {
        let mut text = String::new();
        let head = "(const char *file, const unsigned char *at, const unsigned char *end)";
        for number in 0..self.targets.len() {
            let _ = writeln!(text, "static void parallax_see_{number}{head};");
        }
        for (number, pair) in self.targets.iter().enumerate() {
            let _ = writeln!(text, "static void parallax_see_{number}{head}\n{{");
            self.write(
                version,
                [&pair[0], &pair[1]],
                "file",
                "at",
                "end",
                &mut text,
            );
            text += "}\n";
        }
        text
    }

    /// Statements of a driver that write a value at `at`, in memory that ends at `end`.
    pub(crate) fn write(
        &self,
        version: usize,
        pair: [&Shape; 2],
        file: &str,
        at: &str,
        end: &str,
        text: &mut String,
    ) {
        let pointer = format!("*(void **)({at})");
        match step(&self.types, pair) {
            Pairing::Scalar(own, common, bits) => {
                self.write_scalar(own[version], &common, bits[version], file, at, text);
            }
            Pairing::Members(members) => {
                for member in members {
                    let own = member[version];
                    let at = format!("({at}) + {}", own.offset);
                    if let Some((scalars, common)) = bit_fields(&member) {
                        self.write_scalar(&scalars[version], &common, own.bits, file, &at, text);
                        continue;
                    }
                    let pair = [&member[0].shape, &member[1].shape];
                    self.write(version, pair, file, &at, end, text);
                }
            }
            Pairing::Elements(count, elements) => {
                let size = elements[version].resolved(&self.types[version]).size();
                let limit = match count {
                    0 => format!("(({end}) - ({at})) / {size}"),
                    count => count.to_string(),
                };
                let depth = text.matches("for (long parallax_").count();
                let index = format!("parallax_i{depth}");
                let _ = writeln!(
                    text,
                    "\tlong parallax_n{depth} = {limit};\n\tif ({count} == 0) parallax_observe({file}, &parallax_n{depth}, 8);\n\tfor \
                     (long {index} = 0; {index} < parallax_n{depth}; {index}++) {{"
                );
                let at = format!("({at}) + {index} * {size}");
                self.write(version, elements, file, &at, end, text);
                text.push_str("\t}\n");
            }
            Pairing::Text => {
                let _ = writeln!(text, "\tparallax_see_text({file}, {pointer});");
            }
            Pairing::Target(to) => {
                let number = self.number(&[to[0].clone(), to[1].clone()]).unwrap_or(0);
                let own = to[version].resolved(&self.types[version]);
                let flexible = u8::from(own.flexible().is_some());
                let _ = writeln!(
                    text,
                    "\tparallax_see({file}, {pointer}, parallax_see_{number}, {}, {flexible}, {});",
                    own.size(),
                    self.hidden(version, own)
                );
            }
            Pairing::Opaque => {
                let _ = writeln!(text, "\tparallax_see_opaque({file}, {pointer});");
            }
            Pairing::Function => {
                let _ = writeln!(text, "\tparallax_see_function({file}, {pointer});");
            }
            Pairing::Nothing => {}
        }
    }

    /// What is to be looked for in memory of this type: pointers that its type does not have (`parallax_look`).
    pub(crate) fn hidden(&self, version: usize, shape: &Shape) -> u8 {
        let shape = shape.resolved(&self.types[version]);
        match shape {
            _ if shape.has_pointers(&self.types[version]) => 0,
            Shape::Scalar(scalar) if [1, 8].contains(&scalar.bytes()) => 2,
            _ => 1,
        }
    }

    fn write_scalar(
        &self,
        own: &Scalar,
        common: &Scalar,
        bits: Option<Bits>,
        file: &str,
        at: &str,
        text: &mut String,
    ) {
        // C leaves the bits of a NaN open.
        let any_nan = matches!(common, Scalar::Float(_)) && !self.exact;
        let value = match bits {
            Some(bits) => {
                let signed = i32::from(own.is_signed());
                format!(
                    "({})parallax_get_bits({at}, {}, {}, {signed})",
                    own.in_c(),
                    bits.first,
                    bits.width
                )
            }
            None if own.is_like(common) && !any_nan => {
                let size = own.bytes();
                let _ = writeln!(text, "\tparallax_observe({file}, {at}, {size});");
                return;
            }
            None => format!("*({} *)({at})", own.in_c()),
        };
        let any_nan = match any_nan {
            true => "if (parallax_wide != parallax_wide) parallax_wide = __builtin_nan(\"\"); ",
            false => "",
        };
        let common = common.in_c();
        let _ = writeln!(
            text,
            "\t{{ {common} parallax_wide = {value}; {any_nan}parallax_observe({file}, &parallax_wide, sizeof parallax_wide); }}"
        );
    }
}

/// The scalars of two bit-fields, or of a bit-field and a number, and a type with the values of both.
pub(super) fn bit_fields(member: &[&Field; 2]) -> Option<([Scalar; 2], Scalar)> {
    if member.iter().all(|field| field.bits.is_none()) {
        return None;
    }
    match [&member[0].shape, &member[1].shape] {
        [Shape::Scalar(old), Shape::Scalar(new)] => {
            Some(([old.clone(), new.clone()], old.common(new)?))
        }
        _ => None,
    }
}

/// How two values are compared.
pub(super) fn step<'p>(types: &'p [Types; 2], pair: [&'p Shape; 2]) -> Pairing<'p> {
    let [old, new] = [pair[0].resolved(&types[0]), pair[1].resolved(&types[1])];
    match (old, new) {
        (Shape::Scalar(before), Shape::Scalar(after)) => match before.common(after) {
            Some(common) => Pairing::Scalar([before, after], common, [None; 2]),
            None => Pairing::Nothing,
        },
        (Shape::Struct { fields: before, .. }, Shape::Struct { fields: after, .. }) => {
            Pairing::Members(common_members(before, after))
        }
        (Shape::Union { fields: before, .. }, Shape::Union { fields: after, .. }) => {
            match (old.whole_member(), new.whole_member()) {
                (Some(before), Some(after)) => Pairing::Members(vec![[before, after]]),
                _ if old.has_pointers(&types[0]) || new.has_pointers(&types[1]) => {
                    let first = before.first().zip(after.first());
                    let first = first.filter(|(before, after)| before.name == after.name);
                    Pairing::Members(first.into_iter().map(|(old, new)| [old, new]).collect())
                }
                _ => Pairing::Elements(old.size().min(new.size()), [&BYTE, &BYTE]),
            }
        }
        (
            Shape::Array {
                count: before,
                element: old,
            },
            Shape::Array {
                count: after,
                element: new,
            },
        ) => Pairing::Elements(*before.min(after), [old, new]),
        (Shape::Text { .. }, Shape::Text { .. }) => Pairing::Text,
        (Shape::Pointer { to: before, .. }, Shape::Pointer { to: after, .. }) => {
            match (&**before, &**after) {
                (Shape::Opaque { .. }, _) | (_, Shape::Opaque { .. }) => Pairing::Opaque,
                (before, after) if before.class() == after.class() => {
                    Pairing::Target([before, after])
                }
                _ => Pairing::Nothing,
            }
        }
        (Shape::Function(_), Shape::Function(_)) => Pairing::Function,
        (Shape::Stream, Shape::Stream) => Pairing::Opaque,
        _ => Pairing::Nothing,
    }
}

/// The members that two structs have in common. Of those without a name, the first is the first.
fn common_members<'p>(before: &'p [Field], after: &'p [Field]) -> Vec<[&'p Field; 2]> {
    let common = after.iter().enumerate().filter_map(|(at, field)| {
        let earlier = after[..at].iter().filter(|other| other.name == field.name);
        let mut same = before.iter().filter(|old| old.name == field.name);
        Some([same.nth(earlier.count())?, field])
    });
    common.collect()
}

const BYTE: Shape = Shape::Scalar(Scalar::Unsigned(1));

/// What pointers in a pair of values lead to, and what of them is not compared.
fn reach(
    types: &[Types; 2],
    pair: [&Shape; 2],
    name: &str,
    found: &mut Vec<(String, Pair)>,
    lost: &mut Lost,
) {
    match step(types, pair) {
        Pairing::Members(members) => {
            let all = [pair[0].resolved(&types[0]), pair[1].resolved(&types[1])];
            for (shape, version) in all.into_iter().zip([0, 1]) {
                if let Shape::Struct { fields, .. } = shape {
                    let lacks = |field: &&Field| {
                        let mut known = members.iter();
                        !known.any(|member| std::ptr::eq(member[version], *field))
                    };
                    for field in fields.iter().filter(lacks) {
                        let which = ["old", "new"][version];
                        lost.notes.push(format!(
                            "{name}.{} is only in the {which} version and is not compared",
                            field.name
                        ));
                    }
                }
                if matches!(shape, Shape::Union { .. })
                    && shape.whole_member().is_none()
                    && shape.has_pointers(&types[version])
                {
                    lost.left_out.push(format!(
                        "{name}, a union with pointers, but for its first member"
                    ));
                }
            }
            for [old, new] in members {
                let name = format!("{name}.{}", new.name);
                reach(types, [&old.shape, &new.shape], &name, found, lost);
            }
        }
        Pairing::Elements(_, elements) => {
            let [old, new] = [pair[0].resolved(&types[0]), pair[1].resolved(&types[1])];
            let note = match (old, new) {
                (Shape::Array { count: old, .. }, Shape::Array { count: new, .. }) => {
                    elements_of_one(name, [*old, *new])
                }
                (old, new) => elements_of_one(&format!("{name}.bytes"), [old.size(), new.size()]),
            };
            lost.notes.extend(note);
            reach(types, elements, &format!("{name}[]"), found, lost);
        }
        Pairing::Target([old, new]) => {
            found.push((format!("*{name}"), [old.clone(), new.clone()]));
        }
        Pairing::Nothing => lost.left_out.push(format!(
            "{name}, which is `{}` in the old version and `{}` in the new one",
            pair[0].in_c(),
            pair[1].in_c()
        )),
        Pairing::Scalar(_, common, _) => lost.has_floats |= matches!(common, Scalar::Float(_)),
        Pairing::Text => lost.has_texts = true,
        Pairing::Function => lost.has_functions = true,
        Pairing::Opaque => {}
    }
}

/// The elements of an array that only one version has: those of both are compared, one by one.
pub(super) fn elements_of_one(name: &str, [old, new]: [u64; 2]) -> Option<String> {
    let which = match (old, new) {
        _ if old == new || old.min(new) == 0 => return None,
        _ if old > new => "old",
        _ => "new",
    };
    let (first, last) = (old.min(new), old.max(new) - 1);
    Some(match first == last {
        true => format!("{name}[{first}] is only in the {which} version and is not compared"),
        false => format!(
            "{name}[{first}] to {name}[{last}] are only in the {which} version and are not compared"
        ),
    })
}

/// What is known of blocks and functions of the driver, to name them.
pub(crate) trait Names {
    fn place(&self, block: usize, offset: i64) -> Place;
    fn callback(&self, number: usize) -> String;
}

/// Reads what a driver wrote; bytes may be terms.
pub(crate) struct Reading<'r> {
    pub(crate) seen: &'r Seen,
    pub(crate) names: &'r dyn Names,
    pub(crate) rest: &'r [Symbolic],
    /// How many objects were met.
    pub(crate) met: u32,
}

impl Reading<'_> {
    pub(crate) fn value(&mut self, pair: [&Shape; 2]) -> Option<Value> {
        let seen = self.seen;
        match step(&seen.types, pair) {
            Pairing::Scalar(_, common, _) => self.scalar(&common),
            Pairing::Members(members) => {
                let mut values = Vec::new();
                for member in members {
                    let value = match bit_fields(&member) {
                        Some((_, common)) => self.scalar(&common)?,
                        None => self.value([&member[0].shape, &member[1].shape])?,
                    };
                    values.push((member[1].name.clone(), value));
                }
                Some(Value::Structure(values))
            }
            Pairing::Elements(count, elements) => {
                let count = match count {
                    0 => u64::from_le_bytes(self.constants(8)?.try_into().ok()?),
                    count => count,
                };
                self.elements(count, elements)
            }
            Pairing::Text => self.pointer(None),
            Pairing::Target(to) => self.pointer(Some(to)),
            Pairing::Opaque | Pairing::Function => self.pointer(Some([&OPAQUE, &OPAQUE])),
            Pairing::Nothing => Some(Value::Nothing),
        }
    }

    pub(crate) fn elements(&mut self, count: u64, pair: [&Shape; 2]) -> Option<Value> {
        if count > MOST_SHOWN {
            return None;
        }
        let mut values = Vec::new();
        for _ in 0..count {
            values.push(self.value(pair)?);
        }
        let is_text = matches!(
            pair[1].resolved(&self.seen.types[1]),
            Shape::Scalar(Scalar::Character)
        );
        let bytes = values.iter().map(|value| match value {
            Value::Character(byte) => Some(*byte),
            _ => None,
        });
        match bytes.collect::<Option<Vec<u8>>>() {
            Some(mut bytes) if is_text => {
                while bytes.last() == Some(&0) {
                    bytes.pop();
                }
                Some(Value::Text(bytes))
            }
            _ => Some(Value::List(values)),
        }
    }

    pub(crate) fn scalar(&mut self, scalar: &Scalar) -> Option<Value> {
        let size = scalar.bytes() as usize;
        match self.rest.first()? {
            // An unsigned value that was made longer has zeros behind it.
            Symbolic::Value { words, bytes } if *bytes <= size && *scalar != Scalar::Character => {
                let behind = self.rest.get(1..=size - bytes)?;
                if behind.iter().any(|byte| constant(byte) != Some(0)) {
                    return None;
                }
                self.rest = &self.rest[1 + size - bytes..];
                Some(Value::Term(words.clone()))
            }
            Symbolic::Value { .. } => None,
            Symbolic::Constant(_) => Some(scalar_value(scalar, &self.constants(size)?)),
        }
    }

    pub(crate) fn constants(&mut self, count: usize) -> Option<Vec<u8>> {
        let (own, behind) = self.rest.split_at_checked(count)?;
        let own: Option<Vec<u8>> = own.iter().map(constant).collect();
        self.rest = behind;
        own
    }

    /// A pointer; `to` is `None` for texts.
    fn pointer(&mut self, to: Option<[&Shape; 2]>) -> Option<Value> {
        let header = self.constants(13)?;
        let number = u32::from_le_bytes(header[1..5].try_into().ok()?);
        let offset = i64::from_le_bytes(header[5..].try_into().ok()?);
        let words = |words: String| Some(Value::Named(words));
        match header[0] {
            0 => Some(Value::Null),
            1 | 8 => {
                self.met += 1;
                match to {
                    None => self.text(),
                    Some(_) if number == 0 => words(format!("object {}", self.met)),
                    Some(to) => {
                        let value = match number {
                            1 => self.value(to)?,
                            count => self.elements(u64::from(count), to)?,
                        };
                        Some(Value::Address(Box::new(value)))
                    }
                }
            }
            // The text may be another one than at the first visit.
            2 if to.is_none() => self.text(),
            2 => words(match offset {
                0 => format!("object {}", number + 1),
                offset => format!("object {} and {offset} bytes", number + 1),
            }),
            3 => Some(Value::Place(self.names.place(number as usize, offset))),
            4 => {
                let name = self.constants(number as usize)?;
                let name = String::from_utf8_lossy(&name).into_owned();
                words(match offset {
                    0 => format!("&{name}"),
                    offset => format!("&{name} and {offset} bytes"),
                })
            }
            5 => words("memory that is gone".to_owned()),
            6 => self.text(),
            10 => {
                let place = Value::Place(self.names.place(number as usize, offset));
                let held = match to {
                    None => self.text()?,
                    Some(to) => match i64::from_le_bytes(self.constants(8)?.try_into().ok()?) {
                        // It was shown before.
                        -1 => return Some(place),
                        1 => self.value(to)?,
                        count => self.elements(count.unsigned_abs(), to)?,
                    },
                };
                words(format!("{place} = {held}"))
            }
            9 => {
                let number = u64::from_le_bytes(self.constants(8)?.try_into().ok()?);
                words(format!("(void *){number:#x}"))
            }
            _ => words(self.names.callback(number as usize)),
        }
    }

    fn text(&mut self) -> Option<Value> {
        let mut bytes = Vec::new();
        loop {
            match self.constants(1)?[0] {
                0 => return Some(Value::Text(bytes)),
                byte => bytes.push(byte),
            }
        }
    }
}

/// Longer lists are not shown.
const MOST_SHOWN: u64 = 4096;

const OPAQUE: Shape = Shape::Opaque {
    name: String::new(),
};

fn constant(piece: &Symbolic) -> Option<u8> {
    match piece {
        Symbolic::Constant(byte) => Some(*byte),
        Symbolic::Value { .. } => None,
    }
}

/// The value of a scalar's bytes.
pub(crate) fn scalar_value(scalar: &Scalar, bytes: &[u8]) -> Value {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let value = u128::from_le_bytes(wide);
    let shift = 128 - 8 * bytes.len() as u32;
    let signed = (value << shift) as i128 >> shift;
    match scalar {
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
    }
}
