//! The parser's core, and the outermost level of the text: the module.
//!
//! Recursive descent with one token of look-ahead. Nothing here recurses on input, and
//! nothing allocates by a number that the text names, so any text is safe to parse.

use super::lex::{Lexer, ParseError, Token, unescape};
use super::names::plain_decimal;
use crate::{EntityRef, Func, Global, Module, PrimaryMap};
use std::fmt::Display;

/// The module that `text` describes. The parser checks the form alone: run
/// [`verify`](crate::verify) on what does not come from the printer.
pub fn parse_module(text: &str) -> Result<Module, ParseError> {
    let mut parser = Parser::new(text)?;
    let mut module = Module::default();
    loop {
        let token = parser.token;
        match token {
            Token::End => break,
            Token::Word("alias") => parser.alias(&mut module)?,
            Token::Word(word) => match id_prefix(word) {
                "file" | "scope" | "loc" | "type" => parser.source_item(&mut module.source)?,
                "g" => parser.global(&mut module)?,
                "fn" => parser.function(&mut module)?,
                _ => return Err(parser.expected(ITEM)),
            },
            _ => return Err(parser.expected(ITEM)),
        }
    }
    parser.check_names(&module)?;
    Ok(module)
}

const ITEM: &str = "a file, scope, loc, type, global (`g0 = …`), function (`fn0 = …`) or `alias`";

pub(super) type Parsed<T> = Result<T, ParseError>;

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    pub(super) token: Token<'a>,
    /// Byte offset of `token`.
    pub(super) start: usize,
    /// Names that references carried, to be compared when all definitions are known.
    names: Vec<NameCheck<'a>>,
}

struct NameCheck<'a> {
    what: Named,
    name: Token<'a>,
    start: usize,
}

#[derive(Clone, Copy)]
enum Named {
    Func(Func),
    Global(Global),
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Lexer::new(text);
        let (token, start) = lexer.next()?;
        Ok(Parser {
            lexer,
            token,
            start,
            names: Vec::new(),
        })
    }

    // Tokens.

    pub(super) fn advance(&mut self) -> Parsed<()> {
        (self.token, self.start) = self.lexer.next()?;
        Ok(())
    }

    /// A lexer that continues after the current token, to look further ahead.
    pub(super) fn look_ahead(&self) -> Lexer<'a> {
        self.lexer
    }

    pub(super) fn expected(&self, what: impl Display) -> ParseError {
        self.error_at(self.start, format!("expected {what}, found {}", self.token))
    }

    pub(super) fn error_at(&self, start: usize, message: impl Into<String>) -> ParseError {
        self.lexer.error(start, message)
    }

    pub(super) fn take(&mut self, token: Token<'_>) -> Parsed<bool> {
        let found = self.token == token;
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    pub(super) fn take_symbol(&mut self, symbol: char) -> Parsed<bool> {
        self.take(Token::Symbol(symbol))
    }

    pub(super) fn take_word(&mut self, word: &str) -> Parsed<bool> {
        self.take(Token::Word(word))
    }

    pub(super) fn symbol(&mut self, symbol: char) -> Parsed<()> {
        match self.take_symbol(symbol)? {
            true => Ok(()),
            false => Err(self.expected(Token::Symbol(symbol))),
        }
    }

    pub(super) fn word(&mut self, word: &str) -> Parsed<()> {
        match self.take_word(word)? {
            true => Ok(()),
            false => Err(self.expected(Token::Word(word))),
        }
    }

    /// The items up to `close`, separated by commas. The opening symbol is taken already.
    pub(super) fn list<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.take_symbol(close)? {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.take_symbol(close)? {
                return Ok(items);
            }
            if !self.take_symbol(',')? {
                return Err(self.expected(format!("`,` or `{close}`")));
            }
        }
    }

    // Numbers, names, ids.

    pub(super) fn number<T: TryFrom<i128> + TryFrom<u128>>(&mut self, what: &str) -> Parsed<T> {
        let number = match self.token {
            Token::Number(text) => parse_number(text),
            _ => None,
        };
        let value = match number {
            Some(Number::Unsigned(value)) => T::try_from(value).ok(),
            Some(Number::Negative(value)) => T::try_from(value).ok(),
            None => None,
        };
        match value {
            Some(value) => {
                self.advance()?;
                Ok(value)
            }
            None => Err(self.expected(what)),
        }
    }

    pub(super) fn bytes(&mut self) -> Parsed<Vec<u8>> {
        let Token::Text(text) = self.token else {
            return Err(self.expected("a string"));
        };
        let bytes = unescape(text).map_err(|escape| {
            let escape = escape.escape_debug();
            self.error_at(
                self.start,
                format!("the string holds `{escape}`, which is no escape"),
            )
        })?;
        self.advance()?;
        Ok(bytes)
    }

    pub(super) fn string(&mut self) -> Parsed<String> {
        // Escapes stand for whole characters, so the bytes are UTF-8.
        let start = self.start;
        String::from_utf8(self.bytes()?)
            .map_err(|_| self.error_at(start, "this string is not UTF-8"))
    }

    pub(super) fn string_with(&mut self, what: &str) -> Parsed<String> {
        match self.token {
            Token::Text(_) => self.string(),
            _ => Err(self.expected(format!("{what} in quotes"))),
        }
    }

    /// The id that the current token spells, if it is one with this prefix.
    pub(super) fn peek_id<K: EntityRef>(&self, prefix: &str) -> Option<K> {
        match self.token {
            Token::Word(word) => id(word, prefix),
            _ => None,
        }
    }

    pub(super) fn id<K: EntityRef>(&mut self, prefix: &str) -> Parsed<K> {
        match self.peek_id(prefix) {
            Some(key) => {
                self.advance()?;
                Ok(key)
            }
            None => Err(self.expected(format!("`{prefix}` and a number"))),
        }
    }

    pub(super) fn optional_id<K: EntityRef>(&mut self, prefix: &str) -> Parsed<Option<K>> {
        match self.peek_id::<K>(prefix) {
            Some(_) => self.id(prefix).map(Some),
            None => Ok(None),
        }
    }

    /// `fn3 =`: definitions come in the order of their ids.
    pub(super) fn definition<K: EntityRef + Display, V>(
        &mut self,
        prefix: &str,
        map: &PrimaryMap<K, V>,
    ) -> Parsed<()> {
        let next = map.next_key();
        if self.peek_id(prefix) != Some(next) {
            return Err(self.expected(format!("`{next}`, the next in order")));
        }
        self.advance()?;
        self.symbol('=')
    }

    /// `fn3` or `fn3:name`.
    pub(super) fn function_reference(&mut self) -> Parsed<Func> {
        let func = self.id("fn")?;
        self.reference_name(Named::Func(func))?;
        Ok(func)
    }

    /// `g3` or `g3:name`.
    pub(super) fn global_reference(&mut self) -> Parsed<Global> {
        let global = self.id("g")?;
        self.reference_name(Named::Global(global))?;
        Ok(global)
    }

    fn reference_name(&mut self, what: Named) -> Parsed<()> {
        if !self.take_symbol(':')? {
            return Ok(());
        }
        let (Token::Word(_) | Token::Text(_)) = self.token else {
            return Err(self.expected("a name"));
        };
        self.names.push(NameCheck {
            what,
            name: self.token,
            start: self.start,
        });
        self.advance()
    }

    fn check_names(&self, module: &Module) -> Parsed<()> {
        for check in &self.names {
            let (id, actual) = match check.what {
                Named::Func(func) => {
                    let function = module.functions.get(func);
                    (func.to_string(), function.map(|data| &data.name))
                }
                Named::Global(global) => {
                    let data = module.globals.get(global);
                    (global.to_string(), data.map(|data| &data.name))
                }
            };
            let matches = match (check.name, actual) {
                (_, None) => {
                    return Err(self.error_at(check.start, format!("there is no {id}")));
                }
                (Token::Word(word), Some(actual)) => word == actual,
                (Token::Text(text), Some(actual)) => {
                    unescape(text).is_ok_and(|bytes| bytes == actual.as_bytes())
                }
                _ => false,
            };
            if !matches {
                let message = format!("{id} has another name than this");
                return Err(self.error_at(check.start, message));
            }
        }
        Ok(())
    }
}

pub(super) enum Number {
    Unsigned(u128),
    /// Below zero.
    Negative(i128),
}

pub(super) fn parse_number(text: &str) -> Option<Number> {
    let is_decimal = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(digits) = text.strip_prefix("0x") {
        // `from_str_radix` would also take a sign.
        let is_hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = u128::from_str_radix(digits, 16).ok();
        return bits.filter(|_| is_hexadecimal).map(Number::Unsigned);
    }
    match text.strip_prefix('-') {
        Some(digits) if is_decimal(digits) => match text.parse().ok()? {
            0 => Some(Number::Unsigned(0)),
            value => Some(Number::Negative(value)),
        },
        None if is_decimal(text) => text.parse().ok().map(Number::Unsigned),
        _ => None,
    }
}

/// The letters before an id's number.
fn id_prefix(word: &str) -> &str {
    word.trim_end_matches(|character: char| character.is_ascii_digit())
}

pub(super) fn id<K: EntityRef>(word: &str, prefix: &str) -> Option<K> {
    let number = plain_decimal(word.strip_prefix(prefix)?)?;
    // The highest number is kept free by the maps.
    (number != u32::MAX && word.len() > prefix.len()).then(|| K::new(number as usize))
}
