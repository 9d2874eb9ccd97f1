//! Typed values, as a user of the function would write them: `3`, `'x'`, `"text"`, `{x = 1, y = 2}`.
//!
//! They are data: a report keeps them, tests and other formats read them. [`Value`]'s `Display` is the only renderer.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A value of a parameter, of a result, or of memory behind a pointer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Value {
    /// `void`, or something of which nothing is known.
    Nothing,
    Signed(#[serde(with = "decimal")] i128),
    Unsigned(#[serde(with = "decimal")] u128),
    Truth(bool),
    Character(u8),
    /// By its bits.
    Float(u32),
    Double(u64),
    /// A value of an enumeration that has a name.
    Named(String),
    /// A term over the input, in the user's words.
    Term(String),
    Text(Vec<u8>),
    List(Vec<Value>),
    /// By member; the members of one without a name stand for themselves.
    Structure(Vec<(String, Value)>),
    Null,
    /// The address of something that is no argument.
    Address(Box<Value>),
    /// The address of a place in the memory of an argument or a global.
    Place(Place),
    /// The address of an object that is gone.
    Gone,
    /// What a call did: in code, what it returned, and other things that it left, by name.
    Called {
        call: String,
        returned: Option<Box<Value>>,
        others: Vec<(String, Value)>,
    },
}

/// A place in the memory of an argument or a global.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    pub argument: String,
    /// In bytes.
    pub offset: i64,
    /// The size of one element.
    pub element: i64,
}

impl Value {
    /// What an address leads to, where the value is one.
    pub fn behind_address(self) -> Value {
        match self {
            Value::Address(target) => *target,
            other => other,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => Ok(()),
            Value::Signed(number) => write!(f, "{number}"),
            Value::Unsigned(number) => write!(f, "{number}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Character(byte) => f.write_str(&character(*byte)),
            Value::Float(bits) => write!(f, "{:?}", f32::from_bits(*bits)),
            Value::Double(bits) => write!(f, "{:?}", f64::from_bits(*bits)),
            Value::Named(words) | Value::Term(words) => f.write_str(words),
            Value::Text(bytes) => f.write_str(&literal(bytes)),
            Value::List(elements) => {
                let elements: Vec<String> = elements.iter().map(Value::to_string).collect();
                write!(f, "{{{}}}", elements.join(", "))
            }
            Value::Structure(members) => {
                let member = |(name, value): &(String, Value)| match name.is_empty() {
                    true => value.to_string(),
                    false => format!("{name} = {value}"),
                };
                let members: Vec<String> = members.iter().map(member).collect();
                write!(f, "{{{}}}", members.join(", "))
            }
            Value::Null => f.write_str("NULL"),
            Value::Address(target) => write!(f, "&{target}"),
            Value::Place(place) => write!(f, "{place}"),
            Value::Gone => f.write_str("a pointer to an object that is gone"),
            Value::Called {
                call,
                returned,
                others,
            } => {
                match returned {
                    Some(value) => write!(f, "{call} returns {value}")?,
                    None => write!(f, "{call} returns")?,
                }
                for (name, value) in others {
                    write!(f, ", {name} = {value}")?;
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place {
            argument,
            offset,
            element,
        } = self;
        match (offset, offset % element) {
            (0, _) => f.write_str(argument),
            (_, 0) => write!(f, "&{argument}[{}]", offset / element),
            _ => write!(f, "{argument} and {offset} bytes"),
        }
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

/// Numbers of up to 128 bits as text: not every format has such.
mod decimal {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<T: Display, S: Serializer>(
        number: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(super) fn deserialize<'de, T, D>(from: D) -> Result<T, D::Error>
    where
        T: FromStr,
        T::Err: Display,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(from)?;
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_the_source() {
        let place = |offset| {
            let argument = "out".to_owned();
            Value::Place(Place {
                argument,
                offset,
                element: 4,
            })
        };
        let point = Value::Structure(vec![
            ("x".to_owned(), Value::Signed(-1)),
            (String::new(), Value::Truth(true)),
        ]);
        for (value, text) in [
            (Value::Signed(i128::MIN), i128::MIN.to_string()),
            (Value::Character(b'\''), "'\\''".to_owned()),
            (Value::Double(1.5f64.to_bits()), "1.5".to_owned()),
            (
                Value::Text(b"a\n\"\xff".to_vec()),
                "\"a\\n\\\"\\xff\"".to_owned(),
            ),
            (
                Value::List(vec![Value::Unsigned(1), Value::Null]),
                "{1, NULL}".to_owned(),
            ),
            (point.clone(), "{x = -1, true}".to_owned()),
            (
                Value::Address(Box::new(point.clone())),
                "&{x = -1, true}".to_owned(),
            ),
            (place(0), "out".to_owned()),
            (place(8), "&out[2]".to_owned()),
            (place(3), "out and 3 bytes".to_owned()),
            (
                Value::Gone,
                "a pointer to an object that is gone".to_owned(),
            ),
            (Value::Nothing, String::new()),
        ] {
            assert_eq!(value.to_string(), text);
            let written = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        }
        assert_eq!(
            Value::Address(Box::new(point.clone())).behind_address(),
            point
        );
    }
}
