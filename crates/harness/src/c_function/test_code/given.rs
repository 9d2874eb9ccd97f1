//! The input of a call as declarations and statements of C: arguments, what they point to, and variables that are set before.

use std::collections::{BTreeMap, BTreeSet};

use super::super::layout::{Block, within};
use super::super::space::{Choice, Common, Shared};
use super::leaves::{LeafValue, known};
use super::place::{Place, Target};
use crate::literal;
use crate::types::{Field, Scalar, Shape, Types};

/// Why there is no test, in words.
pub(crate) type Refused = String;

/// An initialiser.
enum Init {
    Plain { text: String, is_zero: bool },
    Text { bytes: Vec<u8>, size: usize },
    List(Vec<Init>),
    Members(Vec<(String, Init)>),
}

impl Init {
    fn is_zero(&self) -> bool {
        match self {
            Init::Plain { is_zero, .. } => *is_zero,
            Init::Text { bytes, .. } => bytes.iter().all(|&byte| byte == 0),
            Init::List(elements) => elements.iter().all(Init::is_zero),
            Init::Members(members) => members.iter().all(|(_, value)| value.is_zero()),
        }
    }

    fn in_c(&self) -> String {
        match self {
            Init::Plain { text, .. } => text.clone(),
            Init::Text { bytes, .. } => {
                let end = bytes
                    .iter()
                    .rposition(|&byte| byte != 0)
                    .map_or(0, |last| last + 1);
                literal::text(&bytes[..end])
            }
            Init::List(elements) => {
                let last = elements.iter().rposition(|element| !element.is_zero());
                let elements = &elements[..last.map_or(1.min(elements.len()), |last| last + 1)];
                let elements: Vec<String> = elements.iter().map(Init::in_c).collect();
                format!("{{{}}}", elements.join(", "))
            }
            Init::Members(members) => {
                let set = members.iter().filter(|(_, value)| !value.is_zero());
                let set: Vec<String> = set
                    .map(|(name, value)| format!(".{name} = {}", value.in_c()))
                    .collect();
                match set.is_empty() {
                    true => "{0}".to_owned(),
                    false => format!("{{{}}}", set.join(", ")),
                }
            }
        }
    }

    /// Statements that set an object of zeros.
    fn assign(&self, place: &Place, lines: &mut Vec<String>) {
        match self {
            _ if self.is_zero() => {}
            Init::Plain { text, .. } => lines.push(format!("{} = {text};", place.value())),
            Init::Text { bytes, size } => {
                let (place, text) = (place.value(), literal::text(bytes));
                lines.push(format!("memcpy({place}, {text}, {size});"));
            }
            Init::List(elements) => {
                for (element, at) in elements.iter().zip(0..) {
                    element.assign(&place.element(at), lines);
                }
            }
            Init::Members(members) => {
                for (name, value) in members {
                    value.assign(&place.member(name), lines);
                }
            }
        }
    }
}

/// An input as it is written.
pub(crate) struct Given<'g> {
    pub(crate) common: &'g Common,
    pub(crate) variables: &'g BTreeMap<String, Vec<u8>>,
    /// Blocks that a call gives back to the heap.
    pub(crate) freed: &'g BTreeSet<String>,
    /// Blocks that need no name: nothing else points to them, and nothing is asked of them.
    pub(crate) inline: &'g BTreeSet<String>,
    pub(crate) lines: Vec<String>,
    /// Statements behind all declarations.
    after: Vec<String>,
    /// What the objects are called, by block.
    pub(crate) blocks: BTreeMap<String, Target>,
    /// What they hold before the call, by place.
    pub(crate) before: BTreeMap<String, LeafValue>,
    taken: BTreeSet<String>,
}

impl<'g> Given<'g> {
    pub(crate) fn new(
        common: &'g Common,
        variables: &'g BTreeMap<String, Vec<u8>>,
        freed: &'g BTreeSet<String>,
        inline: &'g BTreeSet<String>,
        taken: BTreeSet<String>,
    ) -> Given<'g> {
        Given {
            common,
            variables,
            freed,
            inline,
            lines: Vec::new(),
            after: Vec::new(),
            blocks: BTreeMap::new(),
            before: BTreeMap::new(),
            taken,
        }
    }

    fn types(&self) -> &'g Types {
        &self.common.seen.types[1]
    }

    /// A name that nothing else in the test has.
    pub(crate) fn name(&mut self, like: &str) -> String {
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let plain: String = like.replace("->", "_").chars().map(word).collect();
        let plain = plain.trim_matches('_');
        let plain = match plain.starts_with(|first: char| first.is_ascii_digit()) {
            _ if plain.is_empty() => "value".to_owned(),
            true => format!("value_{plain}"),
            false => plain.to_owned(),
        };
        let mut own = plain.clone();
        for number in 2.. {
            if self.taken.insert(own.clone()) {
                break;
            }
            own = format!("{plain}_{number}");
        }
        own
    }

    /// What stands behind all declarations.
    pub(crate) fn finish(&mut self) {
        self.lines.append(&mut self.after);
    }

    /// An argument, as the call has it.
    pub(crate) fn argument(&mut self, shared: &Shared) -> Result<String, Refused> {
        let (name, shape) = (&shared.name, &shared.shape);
        if shape.is_pointer() {
            return self.pointer(shape, name, shared.target.as_deref());
        }
        if let Shape::Scalar(scalar) = shape {
            return self.number(name, scalar).map(|(text, _)| text);
        }
        let own = self.name(name);
        let place = Place::variable(&own);
        let value = self.value(shape, name, &format!("{name}."), &place)?;
        self.lines.push(format!(
            "{} = {};",
            declared(shape, &own, None)?,
            value.in_c()
        ));
        Ok(own)
    }

    /// Sets a variable of the program.
    pub(crate) fn global(&mut self, shared: &Shared) -> Result<(), Refused> {
        let name = &shared.name;
        let mut blocks = self.common.views[1].globals.iter();
        let Some(block) = blocks.find(|blocks| blocks[0].name == *name) else {
            return Ok(());
        };
        if !block[0].unions.is_empty() {
            return Err(format!(
                "its input has a union with pointers, in the variable {name}"
            ));
        }
        for leaf in &block[0].leaves {
            let (value, bytes) = self.number(&leaf.name, &leaf.scalar)?;
            if leaf.name.contains("bytes[") {
                return Err(format!("its input has a union, in the variable {name}"));
            }
            self.before
                .insert(leaf.name.clone(), known(&leaf.scalar, &bytes));
            self.after.push(format!("{} = {value};", leaf.name));
        }
        for link in &block[0].links {
            if self.chosen(&link.name) == Choice::First {
                continue;
            }
            let value = self.pointer(&link.shape, &link.name, None)?;
            self.before.insert(link.name.clone(), address(&value));
            self.after.push(format!("{} = {value};", link.name));
        }
        Ok(())
    }

    /// A number of the input as a literal, with its bytes.
    fn number(&self, name: &str, scalar: &Scalar) -> Result<(String, Vec<u8>), Refused> {
        let (common, bytes) = self
            .common
            .input_bytes(name, self.variables)
            .unwrap_or((scalar.clone(), vec![0; scalar.bytes() as usize]));
        let literal = literal::scalar(&common, &bytes);
        let literal = literal.ok_or_else(|| format!("{name} is a number of more than 64 bits"))?;
        Ok((literal.text, bytes))
    }

    fn value(
        &mut self,
        shape: &Shape,
        name: &str,
        members: &str,
        place: &Place,
    ) -> Result<Init, Refused> {
        match shape.resolved(self.types()) {
            Shape::Scalar(scalar) => {
                let (text, bytes) = self.number(name, scalar)?;
                let common = self.common.input_bytes(name, self.variables);
                let common = common.map_or(scalar.clone(), |(common, _)| common);
                self.before.insert(place.value(), known(&common, &bytes));
                let is_zero = bytes.iter().all(|&byte| byte == 0);
                Ok(Init::Plain { text, is_zero })
            }
            Shape::Struct { fields, .. } => self.members(fields, members, place),
            union @ Shape::Union { size, fields, .. } => match union.whole_member() {
                Some(field) => self.members(std::slice::from_ref(field), members, place),
                None if !union.has_pointers(self.types()) => self.bytes(*size, members, place),
                None => match fields.first() {
                    Some(first) => self.members(std::slice::from_ref(first), members, place),
                    None => Ok(Init::Members(Vec::new())),
                },
            },
            Shape::Array { count, element } => {
                let names = (0..*count).map(|at| format!("{name}[{at}]")).collect();
                self.list(element, names, |at| place.element(at))
            }
            Shape::Named { name, .. } | Shape::Opaque { name } => Err(format!(
                "its input has a `{name}`, of which the members are not known"
            )),
            Shape::Text { .. } | Shape::Pointer { .. } | Shape::Function(_) | Shape::Stream => {
                let text = self.pointer(shape, name, None)?;
                self.before.insert(place.value(), address(&text));
                let is_zero = text == "NULL";
                Ok(Init::Plain { text, is_zero })
            }
        }
    }

    /// A union of which any bytes may be set.
    fn bytes(&mut self, size: u64, members: &str, place: &Place) -> Result<Init, Refused> {
        let mut bytes = Vec::new();
        for at in 0..size {
            let name = format!("{members}bytes[{at}]");
            bytes.extend(self.number(&name, &Scalar::Unsigned(1))?.1);
        }
        if bytes.iter().any(|&byte| byte != 0) {
            let (at, text) = (place.address(), literal::text(&bytes));
            self.after.push(format!("memcpy({at}, {text}, {size});"));
        }
        self.before
            .insert(place.value(), LeafValue::Other(format!("{bytes:02x?}")));
        Ok(Init::Members(Vec::new()))
    }

    fn members(&mut self, fields: &[Field], members: &str, place: &Place) -> Result<Init, Refused> {
        let mut values = Vec::new();
        for field in fields {
            let name = format!("{members}{}", field.name);
            let within = within(field, &name, members);
            let place = place.member(&field.name);
            let value = self.value(&field.shape, &name, &within, &place)?;
            match value {
                Init::Members(inner) if field.name.is_empty() => values.extend(inner),
                value => values.push((field.name.clone(), value)),
            }
        }
        Ok(Init::Members(values))
    }

    /// The elements of an array.
    fn list(
        &mut self,
        element: &Shape,
        names: Vec<String>,
        place: impl Fn(u64) -> Place,
    ) -> Result<Init, Refused> {
        if *element == Shape::Scalar(Scalar::Character) {
            let mut bytes = Vec::new();
            for (name, at) in names.iter().zip(0..) {
                let (_, own) = self.number(name, &Scalar::Character)?;
                self.before
                    .insert(place(at).value(), LeafValue::Character(own[0]));
                bytes.extend(own);
            }
            let size = bytes.len();
            return Ok(Init::Text { bytes, size });
        }
        let mut elements = Vec::new();
        for (name, at) in names.iter().zip(0..) {
            elements.push(self.value(element, name, &format!("{name}."), &place(at))?);
        }
        Ok(Init::List(elements))
    }

    fn chosen(&self, name: &str) -> Choice {
        let choices = self.common.choices_of(name);
        let chosen = self.variables.get(name).and_then(|bytes| bytes.first());
        let chosen = choices.get(usize::from(chosen.copied().unwrap_or(0)));
        chosen.unwrap_or(&choices[0]).clone()
    }

    /// A pointer as an expression; what it points to is declared before.
    fn pointer(
        &mut self,
        shape: &Shape,
        name: &str,
        element: Option<&str>,
    ) -> Result<String, Refused> {
        match (self.chosen(name), shape) {
            (Choice::Null | Choice::First, _) => Ok("NULL".to_owned()),
            (Choice::Alias(other), _) => {
                let target = self.blocks.get(&other);
                let target = target.ok_or_else(|| format!("{name} points to {other}"))?;
                Ok(target.address(0, 1))
            }
            (Choice::Fresh, Shape::Function(_)) => Err(format!(
                "{name} is a function, whose answers are a part of the input"
            )),
            (Choice::Fresh, Shape::Stream) => Err(format!("{name} is a stream (`FILE *`)")),
            (Choice::Fresh, _) => self.target(shape, name, element),
        }
    }

    fn block(&self, name: &str) -> Option<&'g Block> {
        let mut blocks = self.common.views[1].all();
        blocks.find(|block| block.name == name && !block.by_value)
    }

    /// Declares what a pointer points to.
    fn target(
        &mut self,
        shape: &Shape,
        name: &str,
        element: Option<&str>,
    ) -> Result<String, Refused> {
        let Some(block) = self.block(name) else {
            return Ok("NULL".to_owned());
        };
        let to = match shape {
            Shape::Text { .. } => Shape::Scalar(Scalar::Character),
            Shape::Pointer { to, .. } => (**to).clone(),
            _ => return Err(format!("{name} is a pointer of a kind that is not known")),
        };
        let resolved = to.resolved(self.types());
        if matches!(resolved, Shape::Opaque { .. }) {
            let own = self.name(name);
            self.lines.push(format!(
                "_Alignas(16) unsigned char {own}[{}] = {{0}};",
                block.size
            ));
            self.blocks
                .insert(name.to_owned(), Target::Several(own.clone()));
            return Ok(format!("(void *){own}"));
        }
        let count = block.size.checked_div(block.element).unwrap_or(0);
        let is_object = matches!(resolved, Shape::Struct { .. } | Shape::Union { .. });
        let is_one = count == 1 && !matches!(shape, Shape::Text { .. });
        let is_flexible = resolved.flexible().is_some();
        let is_heap = self.freed.contains(name) || is_flexible;
        let own = self.name(name);
        let target = match (is_one || is_flexible, is_heap) {
            (true, true) => Target::One(Place::behind(&own)),
            (true, false) => Target::One(Place::variable(&own)),
            (false, _) => Target::Several(own.clone()),
        };
        let value = match count {
            _ if is_object && (is_one || is_flexible) => {
                let place = target.element(0);
                self.object(resolved, name, &place)?
            }
            _ => {
                let element = |at: u64| match (resolved, count) {
                    (Shape::Array { .. }, 1) => format!("(*{name})"),
                    (Shape::Pointer { .. } | Shape::Text { .. }, 1) => format!("*{name}"),
                    _ => format!("{name}[{at}]"),
                };
                let names = (0..count).map(element).collect();
                self.list(&to, names, |at| target.element(at))?
            }
        };
        if let (Init::Text { bytes, .. }, true) = (&value, self.inline.contains(name)) {
            let end = bytes.iter().position(|&byte| byte == 0);
            return Ok(literal::text(&bytes[..end.unwrap_or(bytes.len())]));
        }
        self.declare(
            &to,
            &own,
            element,
            Made {
                count,
                is_one,
                is_heap,
                size: block.size,
            },
            &target,
            value,
        )?;
        self.blocks.insert(name.to_owned(), target.clone());
        Ok(target.address(0, 1))
    }

    fn object(&mut self, shape: &Shape, name: &str, place: &Place) -> Result<Init, Refused> {
        let mut value = self.value(shape, "", &format!("{name}->"), place)?;
        if let (Init::Members(members), Some((_, element)), Shape::Struct { fields, .. }) =
            (&mut value, shape.flexible(), shape)
        {
            let Some(last) = fields.last() else {
                return Ok(value);
            };
            let path = format!("{name}->{}", last.name);
            let names = (0..self.common.extent.elements)
                .map(|at| format!("{path}[{at}]"))
                .collect();
            let behind = place.member(&last.name);
            let elements = self.list(element, names, |at| behind.element(at))?;
            members.retain(|(name, _)| *name != last.name);
            members.push((last.name.clone(), elements));
        }
        Ok(value)
    }

    fn declare(
        &mut self,
        to: &Shape,
        own: &str,
        element: Option<&str>,
        made: Made,
        target: &Target,
        value: Init,
    ) -> Result<(), Refused> {
        if made.is_heap {
            let pointer = format!("*{own}");
            let declared = declared(to, &pointer, element)?;
            self.lines.push(match made.size == to.size() {
                true => format!("{declared} = calloc(1, sizeof *{own});"),
                false => format!("{declared} = calloc(1, {});", made.size.max(1)),
            });
            match (target, &value) {
                (Target::Several(_), Init::List(elements)) => {
                    for (element, at) in elements.iter().zip(0..) {
                        element.assign(&target.element(at), &mut self.lines);
                    }
                }
                (Target::Several(name), _) => value.assign(&Place::variable(name), &mut self.lines),
                (Target::One(place), Init::List(elements)) => {
                    if let [one] = &elements[..] {
                        one.assign(place, &mut self.lines);
                    }
                }
                (Target::One(place), _) => value.assign(place, &mut self.lines),
            }
            return Ok(());
        }
        let value = match (&value, made.is_one) {
            (Init::List(elements), true) if elements.len() == 1 => elements[0].in_c(),
            _ => value.in_c(),
        };
        let declared = match made.is_one {
            true => declared(to, own, element)?,
            false => declared(to, &format!("{own}[{}]", made.count.max(1)), element)?,
        };
        self.lines.push(format!("{declared} = {value};"));
        Ok(())
    }
}

/// How an object is made.
#[derive(Clone, Copy)]
struct Made {
    count: u64,
    is_one: bool,
    is_heap: bool,
    /// In bytes.
    size: u64,
}

fn address(text: &str) -> LeafValue {
    match text {
        "NULL" => LeafValue::Null,
        text => LeafValue::Address(text.to_owned()),
    }
}

/// The declaration of something, without its value. `spelled` is what the source calls the type, where that is known.
pub(crate) fn declared(
    shape: &Shape,
    name: &str,
    spelled: Option<&str>,
) -> Result<String, Refused> {
    if let Shape::Array { count, element } = shape {
        let name = match name.starts_with('*') {
            true => format!("({name})[{count}]"),
            false => format!("{name}[{count}]"),
        };
        return declared(element, &name, None);
    }
    let ty = match spelled {
        Some(spelled) => spelled.to_owned(),
        None => shape.in_c(),
    };
    match ty.trim() {
        "" | "struct" | "union" => Err("its input has a type without a name".to_owned()),
        ty if ty.ends_with('*') => Ok(format!("{ty}{name}")),
        ty => Ok(format!("{ty} {name}")),
    }
}
