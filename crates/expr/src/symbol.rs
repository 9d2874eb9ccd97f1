//! Symbols: the bytes and counts of a program's input, by structured identity, and models over them.

use std::fmt;
use std::sync::Arc;

/// A symbol in a [`Store`](crate::Store); dense from 0 in order of first use.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(pub u32);

/// One unknown of the input. Bytes are 8 bits wide, counts 32 or 64.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// Byte `offset` of argument `arg`: `argv[1][0]`.
    Arg { arg: u32, offset: u32 },
    /// `stdin[3]`.
    Stdin { offset: u32 },
    /// `file "f"[2]`.
    File { name: Arc<str>, offset: u32 },
    /// `env "HOME"[0]`.
    Env { name: Arc<str>, offset: u32 },
    /// Byte `offset` (little-endian) of a named variable of `size` bytes: `n` when all are read as one.
    Variable {
        name: Arc<str>,
        offset: u32,
        size: u32,
    },
    /// Byte `offset` of something that no input decides.
    Unknown { name: Arc<str>, offset: u32 },
    /// `argc` (32 bits).
    ArgCount,
    /// Length of an argument in bytes (64 bits): `strlen(argv[1])`.
    ArgLength { arg: u32 },
    /// Number of bytes on standard input (64 bits).
    StdinSize,
    /// Length of a file (64 bits): `size of file "f"`.
    FileSize { name: Arc<str> },
    /// Length of an environment value (64 bits).
    EnvLength { name: Arc<str> },
}

impl Symbol {
    pub fn width(&self) -> u32 {
        match self {
            Symbol::Arg { .. }
            | Symbol::Stdin { .. }
            | Symbol::File { .. }
            | Symbol::Env { .. }
            | Symbol::Variable { .. }
            | Symbol::Unknown { .. } => 8,
            Symbol::ArgCount => 32,
            Symbol::ArgLength { .. }
            | Symbol::StdinSize
            | Symbol::FileSize { .. }
            | Symbol::EnvLength { .. } => 64,
        }
    }

    /// The inverse of `Display`, for query logs.
    pub fn parse(text: &str) -> Option<Symbol> {
        fn name(text: &str) -> Option<(Arc<str>, &str)> {
            let mut out = String::new();
            let mut rest = text.strip_prefix('"')?.chars();
            loop {
                match rest.next()? {
                    '"' => return Some((out.into(), rest.as_str())),
                    '\\' => {
                        let hex = rest.as_str();
                        let close = hex.strip_prefix("u{")?.find('}')? + 2;
                        out.push(char::from_u32(
                            u32::from_str_radix(&hex[2..close], 16).ok()?,
                        )?);
                        rest = hex[close + 1..].chars();
                    }
                    plain => out.push(plain),
                }
            }
        }
        fn index(text: &str) -> Option<(u32, &str)> {
            let (digits, rest) = text.strip_prefix('[')?.split_once(']')?;
            Some((digits.parse().ok()?, rest))
        }
        let done = |rest: &str| rest.is_empty().then_some(());
        match text {
            "argc" => return Some(Symbol::ArgCount),
            "size of stdin" => return Some(Symbol::StdinSize),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix("argv") {
            let (arg, rest) = index(rest)?;
            let (offset, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::Arg { arg, offset });
        }
        if let Some(rest) = text.strip_prefix("length of argv") {
            let (arg, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::ArgLength { arg });
        }
        if let Some(rest) = text.strip_prefix("stdin") {
            let (offset, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::Stdin { offset });
        }
        if let Some(rest) = text.strip_prefix("file ") {
            let (name, rest) = name(rest)?;
            let (offset, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::File { name, offset });
        }
        if let Some(rest) = text.strip_prefix("env ") {
            let (name, rest) = name(rest)?;
            let (offset, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::Env { name, offset });
        }
        if let Some(rest) = text.strip_prefix("unknown ") {
            let (name, rest) = name(rest)?;
            let (offset, rest) = index(rest)?;
            done(rest)?;
            return Some(Symbol::Unknown { name, offset });
        }
        if let Some(rest) = text.strip_prefix("size of file ") {
            let (name, rest) = name(rest)?;
            done(rest)?;
            return Some(Symbol::FileSize { name });
        }
        if let Some(rest) = text.strip_prefix("length of env ") {
            let (name, rest) = name(rest)?;
            done(rest)?;
            return Some(Symbol::EnvLength { name });
        }
        if let Some(rest) = text.strip_prefix("byte ") {
            let (offset, rest) = rest.split_once(" of ")?;
            let (size, rest) = rest.split_once(' ')?;
            let (name, rest) = name(rest)?;
            done(rest)?;
            let (offset, size) = (offset.parse().ok()?, size.parse().ok()?);
            return Some(Symbol::Variable { name, offset, size });
        }
        None
    }
}

/// A name in double quotes, with everything unusual as `\u{..}`; free of `|` and `\n` so that it can
/// stand inside an SMT-LIB quoted symbol.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for c in self.0.chars() {
            if c.is_control() || matches!(c, '"' | '\\' | '|') {
                write!(f, "\\u{{{:x}}}", c as u32)?;
            } else {
                write!(f, "{c}")?;
            }
        }
        f.write_str("\"")
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Symbol::Arg { arg, offset } => write!(f, "argv[{arg}][{offset}]"),
            Symbol::Stdin { offset } => write!(f, "stdin[{offset}]"),
            Symbol::File { name, offset } => write!(f, "file {}[{offset}]", Quoted(name)),
            Symbol::Env { name, offset } => write!(f, "env {}[{offset}]", Quoted(name)),
            Symbol::Variable { name, offset, size } => {
                write!(f, "byte {offset} of {size} {}", Quoted(name))
            }
            Symbol::ArgCount => write!(f, "argc"),
            Symbol::ArgLength { arg } => write!(f, "length of argv[{arg}]"),
            Symbol::StdinSize => write!(f, "size of stdin"),
            Symbol::FileSize { name } => write!(f, "size of file {}", Quoted(name)),
            Symbol::Unknown { name, offset } => write!(f, "unknown {}[{offset}]", Quoted(name)),
            Symbol::EnvLength { name } => write!(f, "length of env {}", Quoted(name)),
        }
    }
}

/// Values for symbols of one store. A symbol without a value reads as 0.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Model {
    values: Vec<Option<u64>>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    #[inline]
    pub fn get(&self, symbol: SymbolId) -> Option<u64> {
        self.values.get(symbol.0 as usize).copied().flatten()
    }

    /// The symbol's value, 0 if it has none.
    #[inline]
    pub fn value(&self, symbol: SymbolId) -> u64 {
        self.get(symbol).unwrap_or(0)
    }

    pub fn set(&mut self, symbol: SymbolId, value: u64) {
        let index = symbol.0 as usize;
        if index >= self.values.len() {
            self.values.resize(index + 1, None);
        }
        self.values[index] = Some(value);
    }

    /// The assigned symbols in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (SymbolId, u64)> + '_ {
        let present = |(index, value): (usize, &Option<u64>)| {
            value.map(|value| (SymbolId(index as u32), value))
        };
        self.values.iter().enumerate().filter_map(present)
    }

    /// Takes over every value of `other`.
    pub fn extend(&mut self, other: &Model) {
        for (symbol, value) in other.iter() {
            self.set(symbol, value);
        }
    }
}
