//! The types of parameters, results and globals, as far as a driver can make and read their values.
//!
//! They are read from the debug information: the types of the IR no longer say what is signed, a `char`, a text, or
//! which parameters were one struct.
//!
//! A struct or union behind a pointer is known by its name, and described once, in [`Types`]: so a type may refer to itself.

use std::collections::BTreeMap;

use expr::VariableKind;
use program_ir::{DebugType, DebugTypeData, Module};

/// A value that is written as one number or word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scalar {
    /// By number of bytes.
    Signed(u8),
    Unsigned(u8),
    Character,
    Truth,
    Float(u8),
    Enumeration {
        bytes: u8,
        names: Vec<(String, i128)>,
    },
}

impl Scalar {
    pub fn bytes(&self) -> u64 {
        match self {
            Scalar::Character | Scalar::Truth => 1,
            Scalar::Signed(bytes)
            | Scalar::Unsigned(bytes)
            | Scalar::Float(bytes)
            | Scalar::Enumeration { bytes, .. } => u64::from(*bytes),
        }
    }

    /// A type of C with these values, whatever the version calls it.
    pub fn in_c(&self) -> &'static str {
        match self {
            Scalar::Signed(1) => "signed char",
            Scalar::Signed(2) => "short",
            Scalar::Signed(4) => "int",
            Scalar::Signed(8) => "long",
            Scalar::Signed(_) => "__int128",
            Scalar::Unsigned(1) => "unsigned char",
            Scalar::Unsigned(2) => "unsigned short",
            Scalar::Unsigned(4) => "unsigned int",
            Scalar::Unsigned(8) => "unsigned long",
            Scalar::Unsigned(_) => "unsigned __int128",
            Scalar::Character => "char",
            Scalar::Truth => "_Bool",
            Scalar::Float(4) => "float",
            Scalar::Float(_) => "double",
            Scalar::Enumeration { bytes, .. } => Scalar::Signed(*bytes).in_c(),
        }
    }

    fn is_float(&self) -> bool {
        matches!(self, Scalar::Float(_))
    }

    pub fn is_signed(&self) -> bool {
        !matches!(self, Scalar::Unsigned(_) | Scalar::Truth)
    }

    /// Whether a value lies in memory in the same way.
    pub fn is_like(&self, other: &Scalar) -> bool {
        let is_enumeration = |scalar: &Scalar| matches!(scalar, Scalar::Enumeration { .. });
        self == other
            || is_enumeration(self) && is_enumeration(other) && self.bytes() == other.bytes()
    }

    /// A type that has the values of both; the second's own words if they are alike. None for a number and a
    /// floating-point number.
    pub fn common(&self, other: &Scalar) -> Option<Scalar> {
        if self.is_like(other) {
            return Some(other.clone());
        }
        if self.is_float() || other.is_float() {
            let bytes = self.bytes().max(other.bytes()) as u8;
            return (self.is_float() && other.is_float()).then_some(Scalar::Float(bytes));
        }
        let (one, two) = (self.bytes() as u8, other.bytes() as u8);
        if self.is_signed() == other.is_signed() {
            let bytes = one.max(two);
            return Some(match self.is_signed() {
                true => Scalar::Signed(bytes),
                false => Scalar::Unsigned(bytes),
            });
        }
        let (signed, unsigned) = match self.is_signed() {
            true => (one, two),
            false => (two, one),
        };
        let bytes = if signed > unsigned {
            signed
        } else {
            2 * unsigned
        };
        (bytes <= 16).then_some(Scalar::Signed(bytes))
    }

    /// How conditions write its values.
    pub fn kind(&self) -> VariableKind {
        match self {
            Scalar::Signed(_) => VariableKind::Signed,
            Scalar::Unsigned(_) => VariableKind::Unsigned,
            Scalar::Character => VariableKind::Character,
            Scalar::Truth => VariableKind::Truth,
            Scalar::Float(_) => VariableKind::Float,
            Scalar::Enumeration { names, .. } => VariableKind::Enumeration(names.clone()),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(Scalar),
    Struct {
        /// As the version's source can name it.
        name: String,
        size: u64,
        fields: Vec<Field>,
    },
    Union {
        name: String,
        size: u64,
        fields: Vec<Field>,
    },
    Array {
        count: u64,
        element: Box<Shape>,
    },
    /// A pointer to `char`.
    Text {
        read_only: bool,
        /// Declared `restrict`: nothing else points to what is written through it.
        restrict: bool,
    },
    Pointer {
        to: Box<Shape>,
        read_only: bool,
        restrict: bool,
    },
    /// A struct or union behind a pointer, by its name in [`Types`].
    Named {
        name: String,
        size: u64,
    },
    /// A type of which the members are not known, behind a pointer.
    Opaque {
        name: String,
    },
    /// A pointer to a function.
    Function(Box<Signature>),
    /// A `FILE *`.
    Stream,
}

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    pub returns: Option<Shape>,
    pub takes: Vec<Shape>,
    /// Whether it may be called with further arguments, of which nothing is known.
    pub takes_further: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: String,
    pub offset: u64,
    pub shape: Shape,
    pub bits: Option<Bits>,
}

/// Where a bit-field lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bits {
    /// The first bit, from the field's offset on.
    pub first: u8,
    pub width: u8,
}

/// The structs and unions behind pointers, by name.
pub type Types = BTreeMap<String, Shape>;

impl Shape {
    pub fn size(&self) -> u64 {
        match self {
            Shape::Scalar(scalar) => scalar.bytes(),
            Shape::Struct { size, .. } | Shape::Union { size, .. } | Shape::Named { size, .. } => {
                *size
            }
            Shape::Array { count, element } => count.saturating_mul(element.size()),
            Shape::Text { .. } | Shape::Pointer { .. } | Shape::Function(_) | Shape::Stream => 8,
            Shape::Opaque { .. } => 0,
        }
    }

    /// What two types have in common if values of one can stand for values of the other.
    pub fn class(&self) -> String {
        match self {
            Shape::Scalar(scalar) if scalar.is_float() => "floating-point number".to_owned(),
            Shape::Scalar(_) => "integer".to_owned(),
            Shape::Struct { name, .. }
            | Shape::Union { name, .. }
            | Shape::Named { name, .. }
            | Shape::Opaque { name } => name.clone(),
            Shape::Array { element, .. } => format!("array of {}", element.class()),
            Shape::Text { .. } => "char *".to_owned(),
            Shape::Pointer { to, .. } => format!("pointer to {}", to.class()),
            Shape::Function(_) => "function".to_owned(),
            Shape::Stream => "stream".to_owned(),
        }
    }

    /// The type in a declaration.
    pub fn in_c(&self) -> String {
        match self {
            Shape::Scalar(scalar) => scalar.in_c().to_owned(),
            Shape::Struct { name, .. }
            | Shape::Union { name, .. }
            | Shape::Named { name, .. }
            | Shape::Opaque { name } => name.clone(),
            Shape::Array { count, element } => {
                format!("__typeof__(__typeof__({})[{count}])", element.in_c())
            }
            Shape::Text {
                read_only: true, ..
            } => "const char *".to_owned(),
            Shape::Text {
                read_only: false, ..
            } => "char *".to_owned(),
            Shape::Pointer { to, read_only, .. } => {
                let constant = if *read_only { "const " } else { "" };
                format!("{constant}{} *", to.in_c())
            }
            Shape::Function(_) | Shape::Stream => "void *".to_owned(),
        }
    }

    /// A pointer of any kind.
    pub fn is_pointer(&self) -> bool {
        matches!(
            self,
            Shape::Text { .. } | Shape::Pointer { .. } | Shape::Function(_) | Shape::Stream
        )
    }

    /// The type itself, where it is known by its name.
    pub fn resolved<'s>(&'s self, types: &'s Types) -> &'s Shape {
        match self {
            Shape::Named { name, .. } => types.get(name).unwrap_or(self),
            other => other,
        }
    }

    /// The member that stands for a union: its values are all that the union's bytes can be. `None` if there is none.
    pub fn whole_member(&self) -> Option<&Field> {
        let Shape::Union { size, fields, .. } = self else {
            return None;
        };
        // Of a pointer's bytes, a number beside it says nothing.
        if fields
            .iter()
            .any(|field| field.shape.has_pointers(&Types::new()))
        {
            return None;
        }
        let whole = |field: &&Field| {
            matches!(field.shape, Shape::Scalar(_))
                && field.shape.size() == *size
                && field.bits.is_none()
        };
        fields.iter().find(whole)
    }

    /// Whether a value has pointers in it.
    pub fn has_pointers(&self, types: &Types) -> bool {
        match self.resolved(types) {
            Shape::Struct { fields, .. } | Shape::Union { fields, .. } => {
                fields.iter().any(|field| field.shape.has_pointers(types))
            }
            Shape::Array { element, .. } => element.has_pointers(types),
            other => other.is_pointer(),
        }
    }

    /// What the last member is an array of, if it is one without a length.
    pub fn flexible(&self) -> Option<(u64, &Shape)> {
        let Shape::Struct { fields, .. } = self else {
            return None;
        };
        let last = fields.last()?;
        match &last.shape {
            Shape::Array { count: 0, element } => Some((last.offset, element)),
            _ => None,
        }
    }
}

/// Larger types are refused.
const MOST_BYTES: u64 = 1 << 16;

/// Reads types of one version.
pub struct Reader<'m> {
    module: &'m Module,
    /// What was read so far.
    pub types: Types,
    /// Structs that are being read, by name.
    pending: Vec<String>,
}

/// A type without its names and qualifiers.
struct Plain<'m> {
    data: &'m DebugTypeData,
    typedef: Option<&'m str>,
    is_const: bool,
    is_restrict: bool,
}

fn plain(module: &Module, ty: Option<DebugType>) -> Option<Plain<'_>> {
    let (mut id, mut typedef) = (ty?, None);
    let (mut is_const, mut is_restrict) = (false, false);
    loop {
        let data = &module.source.types[id];
        id = match data {
            DebugTypeData::Typedef { name, of } => {
                typedef = typedef.or(Some(name.as_str()));
                (*of)?
            }
            DebugTypeData::Qualified { qualifier, of } => {
                is_const |= qualifier == "const";
                is_restrict |= qualifier == "restrict";
                (*of)?
            }
            _ => {
                return Some(Plain {
                    data,
                    typedef,
                    is_const,
                    is_restrict,
                });
            }
        };
    }
}

impl<'m> Reader<'m> {
    pub fn new(module: &'m Module) -> Reader<'m> {
        Reader {
            module,
            types: Types::new(),
            pending: Vec::new(),
        }
    }

    /// The shape of a type, or what a driver cannot make of it.
    pub fn shape(&mut self, ty: Option<DebugType>) -> Result<Shape, String> {
        let shape = self.within(ty)?;
        match shape.size() > MOST_BYTES {
            true => Err(format!("a type of {} bytes", shape.size())),
            false => Ok(shape),
        }
    }

    fn within(&mut self, ty: Option<DebugType>) -> Result<Shape, String> {
        let Some(plain) = plain(self.module, ty) else {
            return Err("void".to_owned());
        };
        let whole = |bits: u64| match bits {
            8 | 16 | 32 | 64 | 128 => Ok((bits / 8) as u8),
            _ => Err(format!("a number of {bits} bits")),
        };
        match plain.data {
            DebugTypeData::Base {
                name,
                bits,
                encoding,
            } => {
                // DWARF's DW_ATE codes.
                let scalar = match encoding {
                    0x02 => Scalar::Truth,
                    0x04 if [32, 64].contains(bits) => Scalar::Float((bits / 8) as u8),
                    0x06 | 0x08 if name == "char" => Scalar::Character,
                    0x05 | 0x06 => Scalar::Signed(whole(*bits)?),
                    0x07 | 0x08 => Scalar::Unsigned(whole(*bits)?),
                    _ => return Err(format!("`{name}`")),
                };
                Ok(Shape::Scalar(scalar))
            }
            DebugTypeData::Enumeration {
                bits, enumerators, ..
            } => Ok(Shape::Scalar(Scalar::Enumeration {
                bytes: whole(*bits)?,
                names: enumerators.clone(),
            })),
            DebugTypeData::Pointer { to } => self.pointer(*to, plain.is_restrict),
            DebugTypeData::Array { element, counts } => {
                let mut shape = self.within(*element)?;
                for count in counts.iter().rev() {
                    // Without a length it is the flexible end of a struct.
                    let count = count.unwrap_or(0);
                    let element = Box::new(shape);
                    shape = Shape::Array { count, element };
                    if shape.size() > MOST_BYTES {
                        return Err(format!("an array of {} bytes", shape.size()));
                    }
                }
                Ok(shape)
            }
            DebugTypeData::Composite { .. } => self.composite(&plain),
            DebugTypeData::Subroutine { .. } => Err("a function".to_owned()),
            _ => Err("a type that is not known here".to_owned()),
        }
    }

    fn composite(&mut self, plain: &Plain<'m>) -> Result<Shape, String> {
        let DebugTypeData::Composite {
            bits,
            fields,
            is_union,
            ..
        } = plain.data
        else {
            unreachable!("asked for a struct or union");
        };
        let name = name_of(plain);
        let mut read = Vec::new();
        for field in fields {
            let shape = self
                .within(field.ty)
                .map_err(|what| format!("`{name}`, with {what}"))?;
            let is_flexible = matches!(shape, Shape::Array { count: 0, .. });
            let whole = field.size_bits == 8 * shape.size() && field.offset_bits.is_multiple_of(8);
            let bits = match whole || is_flexible {
                true => None,
                false => Some(Bits {
                    first: (field.offset_bits % 8) as u8,
                    width: u8::try_from(field.size_bits)
                        .map_err(|_| format!("`{name}`, with a bit-field of many bits"))?,
                }),
            };
            // Bits without a name are padding.
            if bits.is_some() && field.name.is_empty() {
                continue;
            }
            read.push(Field {
                name: field.name.clone(),
                offset: field.offset_bits / 8,
                shape,
                bits,
            });
        }
        let (size, fields) = (bits / 8, read);
        Ok(match is_union {
            true => Shape::Union { name, size, fields },
            false => Shape::Struct { name, size, fields },
        })
    }

    fn pointer(&mut self, to: Option<DebugType>, restrict: bool) -> Result<Shape, String> {
        let is_const = |ty: Option<DebugType>| {
            ty.is_some_and(|ty| {
                matches!(&self.module.source.types[ty], DebugTypeData::Qualified { qualifier, .. } if qualifier == "const")
            })
        };
        // What a `void *` points to is made as bytes; only the function knows better.
        let Some(target) = plain(self.module, to) else {
            return Ok(Shape::Pointer {
                read_only: is_const(to),
                restrict,
                to: Box::new(Shape::Scalar(Scalar::Unsigned(1))),
            });
        };
        let read_only = target.is_const;
        let to = match target.data {
            DebugTypeData::Subroutine { signature } => return self.function(signature),
            DebugTypeData::Composite { name, .. } if name == "_IO_FILE" => {
                return Ok(Shape::Stream);
            }
            DebugTypeData::Composite { .. } => {
                let name = name_of(&target);
                let target = self.defined(target);
                match target.data {
                    DebugTypeData::Composite { bits, fields, .. } if !fields.is_empty() => {
                        self.describe(&name, &target)?;
                        let size = bits / 8;
                        Shape::Named { name, size }
                    }
                    _ => Shape::Opaque { name },
                }
            }
            _ => self
                .within(to)
                .map_err(|what| format!("a pointer to {what}"))?,
        };
        match to {
            Shape::Scalar(Scalar::Character) => Ok(Shape::Text {
                read_only,
                restrict,
            }),
            shape => Ok(Shape::Pointer {
                to: Box::new(shape),
                read_only,
                restrict,
            }),
        }
    }

    /// A type that is only declared here may be defined by another source.
    fn defined(&self, declared: Plain<'m>) -> Plain<'m> {
        let DebugTypeData::Composite { name, fields, .. } = declared.data else {
            return declared;
        };
        if !fields.is_empty() || name.is_empty() {
            return declared;
        }
        let mut all = self.module.source.types.values();
        let data = all.find(|data| {
            matches!(data, DebugTypeData::Composite { name: own, fields, .. } if own == name && !fields.is_empty())
        });
        Plain {
            data: data.unwrap_or(declared.data),
            ..declared
        }
    }

    /// Reads what is behind a pointer, once.
    fn describe(&mut self, name: &str, target: &Plain<'m>) -> Result<(), String> {
        if self.pending.iter().any(|pending| pending == name) {
            return Ok(());
        }
        self.pending.push(name.to_owned());
        let shape = match self.types.get(name) {
            Some(_) => None,
            None => Some(self.composite(target)),
        };
        self.pending.pop();
        if let Some(shape) = shape {
            let shape = shape.map_err(|what| format!("a pointer to {what}"))?;
            if shape.size() > MOST_BYTES {
                return Err(format!("a pointer to a type of {} bytes", shape.size()));
            }
            self.types.insert(name.to_owned(), shape);
        }
        Ok(())
    }

    fn function(&mut self, signature: &[Option<DebugType>]) -> Result<Shape, String> {
        let of = |what: String| format!("a pointer to a function with {what}");
        let (returns, takes) = match signature {
            [] => (None, &[][..]),
            [returns, takes @ ..] => (*returns, takes),
        };
        let returns = match returns {
            None => None,
            Some(_) => Some(self.within(returns).map_err(of)?),
        };
        // What stands for further arguments has no type.
        let takes_further = takes.iter().any(Option::is_none);
        let takes = takes.iter().filter(|ty| ty.is_some());
        let takes: Result<Vec<Shape>, String> =
            takes.map(|&ty| self.within(ty).map_err(of)).collect();
        Ok(Shape::Function(Box::new(Signature {
            returns,
            takes: takes?,
            takes_further,
        })))
    }
}

/// What the version's source calls a struct or union; one without a name has none.
fn name_of(plain: &Plain<'_>) -> String {
    match (plain.typedef, plain.data) {
        (typedef, DebugTypeData::Composite { name, is_union, .. }) => {
            let keyword = if *is_union { "union" } else { "struct" };
            match (typedef, name.is_empty()) {
                (Some(typedef), true) => typedef.to_owned(),
                _ => format!("{keyword} {name}").trim_end().to_owned(),
            }
        }
        _ => String::new(),
    }
}

/// What the source calls a type, without qualifiers of its own; `None` where that is no name that a declaration can begin with.
pub fn spelled(module: &Module, ty: Option<DebugType>) -> Option<String> {
    Some(match &module.source.types[ty?] {
        DebugTypeData::Base { name, .. } | DebugTypeData::Typedef { name, .. } => name.clone(),
        DebugTypeData::Qualified { of, .. } => spelled(module, *of)?,
        DebugTypeData::Composite { name, is_union, .. } if !name.is_empty() => match is_union {
            true => format!("union {name}"),
            false => format!("struct {name}"),
        },
        DebugTypeData::Enumeration { name, .. } if !name.is_empty() => format!("enum {name}"),
        DebugTypeData::Pointer { to: None } => "void *".to_owned(),
        DebugTypeData::Pointer { to } => {
            let is_function = plain(module, *to)
                .is_some_and(|plain| matches!(plain.data, DebugTypeData::Subroutine { .. }));
            let is_array = plain(module, *to)
                .is_some_and(|plain| matches!(plain.data, DebugTypeData::Array { .. }));
            let is_named = matches!(
                to.map(|to| &module.source.types[to]),
                Some(DebugTypeData::Typedef { .. })
            );
            if (is_function || is_array) && !is_named {
                return None;
            }
            let (to, constant) = match to.map(|to| &module.source.types[to]) {
                Some(DebugTypeData::Qualified { qualifier, of }) if qualifier == "const" => {
                    (*of, "const ")
                }
                _ => (*to, ""),
            };
            let target = match to {
                None => "void".to_owned(),
                Some(_) => spelled(module, to)?,
            };
            let star = if target.ends_with('*') { "*" } else { " *" };
            match target.ends_with('*') && !constant.is_empty() {
                true => format!("{target}const *"),
                false => format!("{constant}{target}{star}"),
            }
        }
        _ => return None,
    })
}

/// The same of what a pointer points to; `None` if it is none, or one to memory without a type.
pub fn spelled_target(module: &Module, ty: Option<DebugType>) -> Option<String> {
    match plain(module, ty)?.data {
        DebugTypeData::Pointer { to: Some(to) } => {
            let name = spelled(module, Some(*to))?;
            (name != "void").then_some(name)
        }
        _ => None,
    }
}
