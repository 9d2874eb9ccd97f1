//! Tokens of the text form.

use std::fmt;

/// Why a text is not a module, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ParseError {
    /// Counted from 1.
    pub line: u32,
    /// Counted from 1, in characters.
    pub column: u32,
    /// What was expected there, and what stands there.
    pub message: String,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A keyword, id or bare name.
    Word(&'a str),
    Number(&'a str),
    /// What stands between the quotes, escapes and all.
    Text(&'a str),
    Symbol(char),
    Arrow,
    Ellipsis,
    End,
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Word(text) | Token::Number(text) => write!(f, "`{}`", text.escape_default()),
            Token::Text(_) => f.write_str("a string"),
            Token::Symbol(symbol) => write!(f, "`{symbol}`"),
            Token::Arrow => f.write_str("`->`"),
            Token::Ellipsis => f.write_str("`...`"),
            Token::End => f.write_str("the end of the text"),
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    /// Byte offset of the next token's search.
    at: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lexer { text, at: 0 }
    }

    /// The next token and the byte offset that it starts at.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, usize), ParseError> {
        self.skip_blanks();
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return Ok((Token::End, start));
        };
        let (token, length) = if rest.starts_with("->") {
            (Token::Arrow, 2)
        } else if word_length(rest) > 0 {
            let length = word_length(rest);
            (Token::Word(&rest[..length]), length)
        } else if rest.starts_with("...") {
            (Token::Ellipsis, 3)
        } else if number_length(rest) > 0 {
            let length = number_length(rest);
            (Token::Number(&rest[..length]), length)
        } else if first == '"' {
            let length = string_length(rest)
                .ok_or_else(|| self.error(start, "this string does not end on its line"))?;
            (Token::Text(&rest[1..length - 1]), length)
        } else if "=(){}[],:!*+&@/".contains(first) {
            (Token::Symbol(first), 1)
        } else {
            let message = format!("`{}` has no meaning here", first.escape_default());
            return Err(self.error(start, message));
        };
        self.at += length;
        Ok((token, start))
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b';' => {
                    let comment = &bytes[self.at..];
                    let length = comment.iter().position(|&byte| byte == b'\n');
                    self.at += length.unwrap_or(comment.len());
                }
                _ => break,
            }
        }
    }

    /// An error at a byte offset that is a character boundary.
    pub(super) fn error(&self, offset: usize, message: impl Into<String>) -> ParseError {
        let before = &self.text[..offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.bytes().filter(|&byte| byte == b'\n').count() + 1;
        let column = before[line_start..].chars().count() + 1;
        ParseError {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
            message: message.into(),
        }
    }
}

/// Whether the lexer reads the whole of `name` as one word.
pub(super) fn is_word(name: &str) -> bool {
    !name.is_empty() && word_length(name) == name.len()
}

/// Words start with a letter, `_`, or a dot before one of these, as symbol names do.
fn word_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let starts = |byte: Option<&u8>| byte.is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_');
    let is_start = starts(bytes.first()) || bytes.first() == Some(&b'.') && starts(bytes.get(1));
    if !is_start {
        return 0;
    }
    bytes
        .iter()
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$'))
        .count()
}

/// Optional sign, a digit, then digits, letters and dots; a sign after the `e` of a
/// decimal exponent.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let mut length = usize::from(bytes.first() == Some(&b'-'));
    if !bytes.get(length).is_some_and(u8::is_ascii_digit) {
        return 0;
    }
    let is_hexadecimal = bytes[length..].starts_with(b"0x");
    while let Some(&byte) = bytes.get(length) {
        let exponent_sign = byte == b'-' && bytes[length - 1] == b'e' && !is_hexadecimal;
        if !byte.is_ascii_alphanumeric() && byte != b'.' && !exponent_sign {
            break;
        }
        length += 1;
    }
    length
}

/// Length of the string literal that `rest` starts with, quotes included.
fn string_length(rest: &str) -> Option<usize> {
    let mut bytes = rest.bytes().enumerate().skip(1);
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => return Some(index + 1),
            b'\n' => return None,
            b'\\' => {
                bytes.next().filter(|&(_, byte)| byte != b'\n')?;
            }
            _ => {}
        }
    }
    None
}

/// The bytes that a string token stands for; `Err` holds the escape that is not one.
pub(super) fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(backslash) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..backslash]);
        rest = &rest[backslash + 1..];
        let escape = rest.chars().next().unwrap_or(' ');
        let plain = match escape {
            '"' | '\\' => Some(escape as u8),
            'n' => Some(b'\n'),
            't' => Some(b'\t'),
            'r' => Some(b'\r'),
            '0' => Some(0),
            _ => None,
        };
        if let Some(byte) = plain {
            bytes.push(byte);
            rest = &rest[1..];
            continue;
        }
        let (character, length) = unicode_escape(rest).ok_or_else(|| format!("\\{escape}"))?;
        bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        rest = &rest[length..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    Ok(bytes)
}

/// `u{…}`: the character, and the length of the escape.
fn unicode_escape(rest: &str) -> Option<(char, usize)> {
    let digits = rest.strip_prefix("u{")?;
    let end = digits.find('}')?;
    let digits = &digits[..end];
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    Some((character, "u{".len() + end + "}".len()))
}
