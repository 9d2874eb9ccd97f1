//! Parsing constants.

use super::lex::Token;
use super::parse::{Number, Parsed, Parser, parse_number};
use crate::{Constant, Type};

impl Parser<'_> {
    pub(super) fn at_constant(&self) -> bool {
        match self.token {
            Token::Word(word) => Type::from_name(word).is_some(),
            Token::Symbol(symbol) => matches!(symbol, '@' | '&'),
            _ => false,
        }
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        let ty = match self.token {
            Token::Word(word) => Type::from_name(word),
            _ => None,
        };
        match ty {
            Some(ty) => {
                self.advance()?;
                Ok(ty)
            }
            None => Err(self.expected("a type (`i32`, `ptr`, `f64`, …)")),
        }
    }

    pub(super) fn constant(&mut self) -> Parsed<(Type, Constant)> {
        let ty = match self.token {
            Token::Symbol('@' | '&') => Type::Ptr,
            _ => self.ty()?,
        };
        let constant = match self.token {
            Token::Symbol('@') => self.global_address()?,
            Token::Symbol('&') => self.function_address()?,
            Token::Word("undef") => {
                self.advance()?;
                Constant::Undef
            }
            Token::Word("null") if ty == Type::Ptr => {
                self.advance()?;
                Constant::Bits(0)
            }
            Token::Number(text) => match bits(ty, text) {
                Some(bits) => {
                    self.advance()?;
                    Constant::Bits(bits)
                }
                None => return Err(self.expected(format!("a constant of type {ty}"))),
            },
            _ => return Err(self.expected(format!("a constant of type {ty}"))),
        };
        Ok((ty, constant))
    }

    /// `@g3:name+8`
    fn global_address(&mut self) -> Parsed<Constant> {
        self.symbol('@')?;
        let global = self.global_reference()?;
        let has_offset = match self.token {
            Token::Symbol('+') => {
                self.advance()?;
                true
            }
            Token::Number(text) => text.starts_with('-'),
            _ => false,
        };
        let offset = match has_offset {
            true => self.number("an offset of 64 bits")?,
            false => 0,
        };
        Ok(Constant::GlobalAddress { global, offset })
    }

    /// `&fn3:name` or `&fn3:name/block4`
    fn function_address(&mut self) -> Parsed<Constant> {
        self.symbol('&')?;
        let func = self.function_reference()?;
        if !self.take_symbol('/')? {
            return Ok(Constant::FunctionAddress(func));
        }
        let block = self.id("block")?;
        Ok(Constant::BlockAddress { func, block })
    }
}

/// The bits of a number of type `ty`.
fn bits(ty: Type, text: &str) -> Option<u128> {
    let is_float_decimal = !text.starts_with("0x") && text.contains(['.', 'e']);
    match ty {
        Type::F32 if is_float_decimal => Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
        Type::F64 if is_float_decimal => Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
        _ => match (parse_number(text)?, ty) {
            // Otherwise `f64 1` would be a number next to zero.
            (_, ty) if ty.is_float() && !text.starts_with("0x") => None,
            (Number::Unsigned(bits), _) => Some(bits),
            (Number::Negative(value), Type::Int(width @ 1..=128)) => {
                let unused = 128 - u32::from(width);
                let bits = (value as u128) << unused >> unused;
                // The number fits if its sign survives.
                ((bits << unused) as i128 >> unused == value).then_some(bits)
            }
            _ => None,
        },
    }
}
