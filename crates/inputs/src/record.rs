//! Single inputs as records: bytes, without what is symbolic about them, to be written down and read again.

use concolic_vm::symbolic::{InputBytes, SymbolicInput};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The bytes of one input, without what is symbolic about them. Bytes are hexadecimal when written.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct InputRecord {
    #[serde(with = "hex_list")]
    pub args: Vec<Vec<u8>>,
    #[serde(with = "hex", default, skip_serializing_if = "Vec::is_empty")]
    pub stdin: Vec<u8>,
    #[serde(with = "hex_map", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, Vec<u8>>,
    #[serde(with = "hex_map", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, Vec<u8>>,
    #[serde(with = "hex_map", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub variables: BTreeMap<String, Vec<u8>>,
}

impl InputRecord {
    /// What an input is when it is given to a program: strings end at their first zero byte.
    pub fn of(input: &SymbolicInput) -> InputRecord {
        let contents = |entry: (&String, &InputBytes)| (entry.0.clone(), entry.1.bytes.clone());
        let values = |entry: &(String, InputBytes)| (entry.0.clone(), entry.1.string().to_vec());
        InputRecord {
            args: input.args.iter().map(|arg| arg.string().to_vec()).collect(),
            stdin: input.stdin.bytes.clone(),
            files: input.files.iter().map(contents).collect(),
            environment: input.environment.iter().map(values).collect(),
            variables: input.variables.clone(),
        }
    }

    /// Every byte of an input, also those behind the end of a string: what is needed to run it again.
    pub fn exact(input: &SymbolicInput) -> InputRecord {
        let values = |entry: &(String, InputBytes)| (entry.0.clone(), entry.1.bytes.clone());
        InputRecord {
            args: input.args.iter().map(|arg| arg.bytes.clone()).collect(),
            environment: input.environment.iter().map(values).collect(),
            ..InputRecord::of(input)
        }
    }

    /// The same input in a given shape, if it has that shape.
    pub fn in_shape(&self, shape: &SymbolicInput) -> Option<SymbolicInput> {
        fn string(value: &[u8], place: &mut InputBytes) -> Option<()> {
            if place.symbolic {
                let fits = value.len() <= place.bytes.len();
                fits.then(|| *place = InputBytes::symbolic_string(value, place.bytes.len()))
            } else {
                (place.bytes == value).then_some(())
            }
        }
        fn stream(value: &[u8], place: &mut InputBytes) -> Option<()> {
            if place.symbolic {
                let same = |at: usize| place.varies(at) || value[at] == place.bytes[at];
                let fits = place.bytes.len() == value.len() && (0..value.len()).all(same);
                fits.then(|| place.bytes.copy_from_slice(value))
            } else {
                (place.bytes == value).then_some(())
            }
        }
        let mut input = shape.clone();
        // The program's own name is not the seed's affair.
        if self.args.len().max(1) != input.args.len() {
            return None;
        }
        for (value, place) in self.args.iter().zip(&mut input.args).skip(1) {
            string(value, place)?;
        }
        stream(&self.stdin, &mut input.stdin)?;
        for (name, place) in &mut input.files {
            stream(self.files.get(name)?, place)?;
        }
        for (name, place) in &mut input.environment {
            let value = self.environment.get(name).map_or(&[][..], Vec::as_slice);
            string(value, place)?;
        }
        input.variables = self.variables.clone();
        Some(input)
    }
}

/// Bytes as hexadecimal text.
mod hex {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn text(bytes: &[u8]) -> String {
        use std::fmt::Write;
        let mut text = String::with_capacity(2 * bytes.len());
        for byte in bytes {
            let _ = write!(text, "{byte:02x}");
        }
        text
    }

    pub(super) fn bytes(text: &str) -> Option<Vec<u8>> {
        let digits: Option<Vec<u8>> = text
            .chars()
            .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
            .collect();
        let digits = digits?;
        digits.len().is_multiple_of(2).then(|| {
            digits
                .chunks_exact(2)
                .map(|pair| pair[0] << 4 | pair[1])
                .collect()
        })
    }

    pub(super) fn serialize<S: Serializer>(value: &[u8], to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&text(value))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        let text = String::deserialize(from)?;
        bytes(&text).ok_or_else(|| D::Error::custom("bytes in hexadecimal are expected"))
    }
}

mod hex_list {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(value: &[Vec<u8>], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(value.iter().map(|bytes| super::hex::text(bytes)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<Vec<u8>>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        let all: Option<_> = texts.iter().map(|text| super::hex::bytes(text)).collect();
        all.ok_or_else(|| D::Error::custom("bytes in hexadecimal are expected"))
    }
}

mod hex_map {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::collections::BTreeMap;

    pub(super) fn serialize<S: Serializer>(
        value: &BTreeMap<String, Vec<u8>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_map(
            value
                .iter()
                .map(|(name, bytes)| (name, super::hex::text(bytes))),
        )
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<BTreeMap<String, Vec<u8>>, D::Error> {
        let texts = BTreeMap::<String, String>::deserialize(from)?;
        let entry = |(name, text): (String, String)| Some((name, super::hex::bytes(&text)?));
        let all: Option<_> = texts.into_iter().map(entry).collect();
        all.ok_or_else(|| D::Error::custom("bytes in hexadecimal are expected"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compact::CompactInput;
    use crate::space::{ArgSpace, InputSpace, StreamSpace};

    fn space() -> InputSpace {
        InputSpace {
            program_name: b"p".to_vec(),
            args: vec![
                ArgSpace::Fixed(b"-x".to_vec()),
                ArgSpace::Symbolic {
                    count: 0..=2,
                    length: 3,
                },
            ],
            stdin: StreamSpace::Symbolic(1..=2),
            ..InputSpace::default()
        }
    }

    #[test]
    fn a_record_goes_back_into_its_shape_only() {
        let shapes = space().shapes();
        let mut input = shapes[3].clone();
        input.args[2] = InputBytes::symbolic_string(b"ab", 3);
        input.stdin.bytes = vec![0, 7];
        assert_eq!(CompactInput::new(3, &input).expand(&shapes), input);
        let record = InputRecord::of(&input);
        assert_eq!(record.args[2], b"ab");
        assert_eq!(InputRecord::exact(&input).args[2], b"ab\0");
        assert_eq!(
            InputRecord::exact(&input).in_shape(&shapes[3]),
            Some(input.clone())
        );
        for (index, shape) in shapes.iter().enumerate() {
            let again = record.in_shape(shape);
            assert_eq!(again.is_some(), index == 3);
            if let Some(again) = again {
                assert_eq!(again, input);
            }
        }
        let text = serde_json::to_string(&record).unwrap();
        assert_eq!(serde_json::from_str::<InputRecord>(&text).unwrap(), record);
    }
}
