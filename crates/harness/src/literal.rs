//! Values as literals of C that mean the same for every compiler: no trigraph, no digit behind an octal escape, no minus before a
//! number that is too large.

use crate::types::Scalar;

/// A number as a literal.
pub struct Literal {
    pub text: String,
    pub is_zero: bool,
}

/// A value of some type as a literal; `None` for one of 128 bits that needs more than 64.
pub fn scalar(scalar: &Scalar, bytes: &[u8]) -> Option<Literal> {
    let mut wide = [0; 16];
    wide[..bytes.len()].copy_from_slice(bytes);
    let unsigned = u128::from_le_bytes(wide);
    let shift = 128 - 8 * bytes.len() as u32;
    let signed = (unsigned << shift) as i128 >> shift;
    let text = match scalar {
        Scalar::Signed(size) => signed_number(signed, *size)?,
        Scalar::Unsigned(size) => unsigned_number(unsigned, *size)?,
        Scalar::Truth => (unsigned & 1).to_string(),
        Scalar::Character => character(bytes[0]),
        Scalar::Float(4) => float(f32::from_bits(unsigned as u32)),
        Scalar::Float(_) => double(f64::from_bits(unsigned as u64)),
        Scalar::Enumeration { bytes, names } => {
            let named = names.iter().find(|(_, number)| *number == signed);
            match named {
                Some((name, _)) => name.clone(),
                None => signed_number(signed, *bytes)?,
            }
        }
    };
    Some(Literal {
        text,
        is_zero: unsigned == 0,
    })
}

fn signed_number(value: i128, size: u8) -> Option<String> {
    let value = i64::try_from(value).ok()?;
    Some(match (value, size) {
        (i64::MIN, _) => "LLONG_MIN".to_owned(),
        (value, 4) if value == i64::from(i32::MIN) => "INT_MIN".to_owned(),
        (value, _) if i32::try_from(value).is_ok_and(|value| value > i32::MIN) => value.to_string(),
        (value, _) => format!("{value}LL"),
    })
}

fn unsigned_number(value: u128, size: u8) -> Option<String> {
    let value = u64::try_from(value).ok()?;
    Some(match size {
        _ if value <= i32::MAX as u64 => value.to_string(),
        ..=4 => format!("{value}U"),
        _ => format!("{value}ULL"),
    })
}

/// `'x'`.
pub(crate) fn character(byte: u8) -> String {
    match byte {
        0 => "'\\0'".to_owned(),
        b'\n' => "'\\n'".to_owned(),
        b'\t' => "'\\t'".to_owned(),
        b'\r' => "'\\r'".to_owned(),
        b'\'' | b'\\' => format!("'\\{}'", byte as char),
        b' '..=b'~' => format!("'{}'", byte as char),
        _ => format!("'\\{byte:03o}'"),
    }
}

/// `"text"`; the zero at its end is C's.
pub fn text(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\r' => text += "\\r",
            b'"' | b'\\' => text.extend(['\\', byte as char]),
            b'?' if text.ends_with('?') => text += "\\?",
            b' '..=b'~' => text.push(byte as char),
            _ => text += &format!("\\{byte:03o}"),
        }
    }
    text + "\""
}

fn double(value: f64) -> String {
    let bits = value.to_bits();
    if value.is_nan() {
        return match bits {
            0x7ff8_0000_0000_0000 => "NAN".to_owned(),
            _ => format!(
                "((union {{ unsigned long long bits; double value; }}){{{bits:#x}ULL}}).value"
            ),
        };
    }
    real(value)
}

fn float(value: f32) -> String {
    let bits = value.to_bits();
    if value.is_nan() {
        return match bits {
            0x7fc0_0000 => "NAN".to_owned(),
            _ => format!("((union {{ unsigned bits; float value; }}){{{bits:#x}U}}).value"),
        };
    }
    match value.is_infinite() {
        true => real(f64::from(value)),
        false => real(f64::from(value)) + "f",
    }
}

/// In decimal if that is short and exact, in hexadecimal otherwise.
fn real(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}INFINITY");
    }
    let decimal = format!("{value:?}");
    if decimal.len() <= 8 && !decimal.contains('e') {
        return decimal;
    }
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let (leading, exponent) = match exponent {
        0 => (0, -1022),
        exponent => (1, exponent as i64 - 1023),
    };
    format!("{sign}0x{leading}.{fraction:013x}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_at_the_ends_of_their_types() {
        let text = |ty: Scalar, value: i128| {
            let bytes = value.to_le_bytes();
            scalar(&ty, &bytes[..ty.bytes() as usize]).map(|literal| literal.text)
        };
        for (ty, value, expected) in [
            (Scalar::Signed(4), i128::from(i32::MIN), "INT_MIN"),
            (Scalar::Signed(8), i128::from(i64::MIN), "LLONG_MIN"),
            (Scalar::Signed(8), i128::from(i32::MIN), "-2147483648LL"),
            (Scalar::Signed(1), -128, "-128"),
            (
                Scalar::Unsigned(8),
                i128::from(u64::MAX),
                "18446744073709551615ULL",
            ),
            (Scalar::Unsigned(4), i128::from(u32::MAX), "4294967295U"),
            (Scalar::Truth, 1, "1"),
            (Scalar::Character, 0xff, "'\\377'"),
            (Scalar::Character, 0x27, "'\\''"),
        ] {
            assert_eq!(text(ty, value).as_deref(), Some(expected));
        }
        assert_eq!(text(Scalar::Signed(16), i128::MAX), None);
    }

    #[test]
    fn texts_have_no_trigraphs_and_no_digit_behind_an_escape() {
        assert_eq!(text(b"a??/b"), "\"a?\\?/b\"");
        assert_eq!(text(b"\x001\xff\"\\\n*/%"), "\"\\0001\\377\\\"\\\\\\n*/%\"");
    }

    #[test]
    fn floating_point_numbers_keep_their_bits() {
        for (value, expected) in [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (f64::INFINITY, "INFINITY"),
            (f64::NEG_INFINITY, "-INFINITY"),
            (f64::NAN, "NAN"),
            (5e-324, "0x0.0000000000001p-1022"),
            (0.1 + 0.2, "0x1.3333333333334p-2"),
            (-1e300, "-0x1.7e43c8800759cp+996"),
        ] {
            assert_eq!(double(value), expected);
        }
        assert_eq!(float(0.1), "0x1.99999a0000000p-4f");
        assert_eq!(float(2.0), "2.0f");
        assert!(double(f64::from_bits(0x7ff8_0000_0000_0001)).contains("0x7ff8000000000001ULL"));
    }
}
