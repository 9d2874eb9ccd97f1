//! The types of parameters, results and globals, as far as a driver can make and read their values.
//!
//! They are read from the debug information: the types of the IR no longer say what is signed, a `char`, a text, or
//! which parameters were one struct.

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

    fn is_signed(&self) -> bool {
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
    Array {
        count: u64,
        element: Box<Shape>,
    },
    /// A pointer to `char`.
    Text {
        read_only: bool,
    },
    Pointer {
        to: Box<Shape>,
        read_only: bool,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    pub name: String,
    pub offset: u64,
    pub shape: Shape,
}

impl Shape {
    pub fn size(&self) -> u64 {
        match self {
            Shape::Scalar(scalar) => scalar.bytes(),
            Shape::Struct { size, .. } => *size,
            Shape::Array { count, element } => count.saturating_mul(element.size()),
            Shape::Text { .. } | Shape::Pointer { .. } => 8,
        }
    }

    /// What two types have in common if values of one can stand for values of the other.
    pub fn class(&self) -> String {
        match self {
            Shape::Scalar(scalar) if scalar.is_float() => "floating-point number".to_owned(),
            Shape::Scalar(_) => "integer".to_owned(),
            Shape::Struct { name, .. } => name.clone(),
            Shape::Array { element, .. } => format!("array of {}", element.class()),
            Shape::Text { .. } => "char *".to_owned(),
            Shape::Pointer { to, .. } => format!("pointer to {}", to.class()),
        }
    }

    /// The type in a declaration.
    pub fn in_c(&self) -> String {
        match self {
            Shape::Scalar(scalar) => scalar.in_c().to_owned(),
            Shape::Struct { name, .. } => name.clone(),
            Shape::Array { count, element } => format!("{}[{count}]", element.in_c()),
            Shape::Text { read_only: true } => "const char *".to_owned(),
            Shape::Text { read_only: false } => "char *".to_owned(),
            Shape::Pointer { to, read_only } => {
                let constant = if *read_only { "const " } else { "" };
                format!("{constant}{} *", to.in_c())
            }
        }
    }
}

/// Larger types are refused.
const MOST_BYTES: u64 = 1 << 16;

/// The shape of a type, or what a driver cannot make of it.
pub fn shape(module: &Module, ty: Option<DebugType>) -> Result<Shape, String> {
    let shape = shape_within(module, ty, &mut Vec::new())?;
    match shape.size() > MOST_BYTES {
        true => Err(format!("a type of {} bytes", shape.size())),
        false => Ok(shape),
    }
}

/// The shape of a parameter's type. What a `void *` points to is made as bytes; only the function knows better.
pub fn parameter_shape(module: &Module, ty: Option<DebugType>) -> Result<Shape, String> {
    if let Some(Plain { data, .. }) = plain(module, ty)
        && let DebugTypeData::Pointer { to } = data
        && plain(module, *to).is_none()
    {
        let read_only = to.is_some_and(|to| {
            matches!(&module.source.types[to], DebugTypeData::Qualified { qualifier, .. } if qualifier == "const")
        });
        return Ok(Shape::Pointer {
            to: Box::new(Shape::Scalar(Scalar::Unsigned(1))),
            read_only,
        });
    }
    shape(module, ty)
}

/// A type without its names and qualifiers.
struct Plain<'m> {
    id: DebugType,
    data: &'m DebugTypeData,
    typedef: Option<&'m str>,
    is_const: bool,
}

fn plain(module: &Module, ty: Option<DebugType>) -> Option<Plain<'_>> {
    let (mut id, mut typedef, mut is_const) = (ty?, None, false);
    loop {
        let data = &module.source.types[id];
        id = match data {
            DebugTypeData::Typedef { name, of } => {
                typedef = typedef.or(Some(name.as_str()));
                (*of)?
            }
            DebugTypeData::Qualified { qualifier, of } => {
                is_const |= qualifier == "const";
                (*of)?
            }
            _ => {
                return Some(Plain {
                    id,
                    data,
                    typedef,
                    is_const,
                });
            }
        };
    }
}

fn shape_within(
    module: &Module,
    ty: Option<DebugType>,
    outer: &mut Vec<DebugType>,
) -> Result<Shape, String> {
    let Some(plain) = plain(module, ty) else {
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
        DebugTypeData::Pointer { to } => pointer(module, *to, outer),
        DebugTypeData::Array { element, counts } => {
            let mut shape = shape_within(module, *element, outer)?;
            for count in counts.iter().rev() {
                let count = count.ok_or("an array without a length")?;
                let element = Box::new(shape);
                shape = Shape::Array { count, element };
                if shape.size() > MOST_BYTES {
                    return Err(format!("an array of {} bytes", shape.size()));
                }
            }
            Ok(shape)
        }
        DebugTypeData::Composite { is_union: true, .. } => Err("a union".to_owned()),
        DebugTypeData::Composite {
            name, bits, fields, ..
        } => {
            let name = match (plain.typedef, name.as_str()) {
                (Some(typedef), _) => typedef.to_owned(),
                (None, "") => return Err("a struct without a name".to_owned()),
                (None, name) => format!("struct {name}"),
            };
            if fields.is_empty() {
                return Err(format!("`{name}`, of which the members are not known"));
            }
            if outer.contains(&plain.id) {
                return Err(format!("`{name}`, which refers to itself"));
            }
            outer.push(plain.id);
            let mut shapes = Vec::new();
            for field in fields {
                let shape = shape_within(module, field.ty, outer)
                    .map_err(|what| format!("`{name}`, with {what}"))?;
                if field.size_bits != 8 * shape.size() {
                    return Err(format!("`{name}`, with a bit-field"));
                }
                shapes.push(Field {
                    name: field.name.clone(),
                    offset: field.offset_bits / 8,
                    shape,
                });
            }
            outer.pop();
            Ok(Shape::Struct {
                name,
                size: bits / 8,
                fields: shapes,
            })
        }
        DebugTypeData::Subroutine { .. } => Err("a function".to_owned()),
        _ => Err("a type that is not known here".to_owned()),
    }
}

fn pointer(
    module: &Module,
    to: Option<DebugType>,
    outer: &mut Vec<DebugType>,
) -> Result<Shape, String> {
    let Some(target) = plain(module, to) else {
        return Err("`void *`".to_owned());
    };
    match target.data {
        DebugTypeData::Subroutine { .. } => return Err("a pointer to a function".to_owned()),
        DebugTypeData::Pointer { .. } => return Err("a pointer to a pointer".to_owned()),
        _ => {}
    }
    let read_only = target.is_const;
    match shape_within(module, to, outer).map_err(|what| format!("a pointer to {what}"))? {
        Shape::Scalar(Scalar::Character) => Ok(Shape::Text { read_only }),
        shape => Ok(Shape::Pointer {
            to: Box::new(shape),
            read_only,
        }),
    }
}
