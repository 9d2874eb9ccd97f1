//! Conditions in the user's words: `argv[1][0] == '-'`, `stdin[3] in '0'..'9'`, `n > 5`.
//!
//! A condition over one input byte is described by the set of bytes that satisfy it, found by trying
//! all 256, whatever the program computed to get there; conditions over the same byte are merged. Other
//! terms are printed as C-like expressions. Extensions are not shown; an unsigned comparison of a
//! multi-byte value is marked.

use std::collections::BTreeMap;

use crate::eval::Compiled;
use crate::op::{ExprId, Op};
use crate::semantics::{mask, signed};
use crate::store::Store;
use crate::symbol::{Symbol, SymbolId};

/// A set of byte values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const ALL: ByteSet = ByteSet([u64::MAX; 4]);
    pub const NONE: ByteSet = ByteSet([0; 4]);

    pub fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 == 1
    }

    pub fn insert(&mut self, byte: u8) {
        self.0[byte as usize / 64] |= 1 << (byte % 64);
    }

    pub fn intersection(&self, other: &ByteSet) -> ByteSet {
        ByteSet(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub fn complement(&self) -> ByteSet {
        ByteSet(self.0.map(|word| !word))
    }

    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == ByteSet::NONE
    }

    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=255u8).filter(|&byte| self.contains(byte))
    }

    /// Maximal runs of members.
    fn ranges(&self) -> Vec<(u8, u8)> {
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        for byte in self.iter() {
            match ranges.last_mut() {
                Some((_, last)) if *last as u16 + 1 == byte as u16 => *last = byte,
                _ => ranges.push((byte, byte)),
            }
        }
        ranges
    }
}

impl Store {
    /// The bytes that satisfy a 1-bit term over exactly one 8-bit symbol; `None` for other terms and
    /// for terms of more than `limit` nodes.
    pub fn satisfying_bytes(&self, condition: ExprId, limit: usize) -> Option<(SymbolId, ByteSet)> {
        let set = self.symbols_of(condition);
        let symbol = set.iter().next().filter(|_| set.len() == 1)?;
        if self.symbol(symbol).width() != 8 || self.width(condition) != 1 {
            return None;
        }
        let mut compiled = Compiled::new(self, &[condition], limit)?;
        let mut bytes = ByteSet::NONE;
        for byte in 0..=255u8 {
            compiled.run(|_| byte as u64);
            if compiled.result(0) == 1 {
                bytes.insert(byte);
            }
        }
        Some((symbol, bytes))
    }

    /// A conjunction in words, one line per fact, what is about one byte merged.
    pub fn describe(&self, conjunction: &[ExprId]) -> Vec<String> {
        let mut bytes: BTreeMap<SymbolId, ByteSet> = BTreeMap::new();
        let mut others = Vec::new();
        let mut pending: Vec<ExprId> = conjunction.iter().rev().copied().collect();
        while let Some(condition) = pending.pop() {
            let node = self.node(condition);
            if node.op() == Op::And {
                pending.extend([node.arg(1), node.arg(0)]);
            } else if let Some((symbol, set)) = self.satisfying_bytes(condition, 10_000) {
                let merged = bytes.entry(symbol).or_insert(ByteSet::ALL);
                *merged = merged.intersection(&set);
            } else {
                others.push(self.condition(condition, 0));
            }
        }
        let mut lines = self.whole_variables(&mut bytes);
        lines.extend(
            bytes
                .iter()
                .map(|(&symbol, set)| self.byte_condition(symbol, set)),
        );
        lines.extend(others);
        lines
    }

    /// `n == 5` where every byte of `n` is fixed; those bytes are taken out of the map.
    fn whole_variables(&self, bytes: &mut BTreeMap<SymbolId, ByteSet>) -> Vec<String> {
        let mut lines = Vec::new();
        for symbol in bytes.keys().copied().collect::<Vec<_>>() {
            let Symbol::Variable { name, size, .. } = self.symbol(symbol) else {
                continue;
            };
            if *size < 2 || *size > 16 || !bytes.contains_key(&symbol) {
                continue;
            }
            let all: Option<Vec<(SymbolId, u8)>> = (0..*size)
                .map(|offset| {
                    let byte = Symbol::Variable {
                        name: name.clone(),
                        offset,
                        size: *size,
                    };
                    let symbol = self.find_symbol(&byte)?;
                    let set = bytes.get(&symbol).filter(|set| set.len() == 1)?;
                    Some((symbol, set.iter().next()?))
                })
                .collect();
            let Some(all) = all else { continue };
            let value = all
                .iter()
                .rev()
                .fold(0, |value, &(_, byte)| value << 8 | byte as u128);
            lines.push(format!("{name} == {}", signed(value, size * 8)));
            for (symbol, _) in all {
                bytes.remove(&symbol);
            }
        }
        lines
    }

    fn byte_condition(&self, symbol: SymbolId, set: &ByteSet) -> String {
        let (name, numeric) = match self.symbol(symbol) {
            Symbol::Variable { name, offset, size } if *size > 1 => {
                if offset + 1 == *size {
                    let negative = set.iter().eq(128..=255);
                    if negative || set.iter().eq(0..=127) {
                        return format!("{name} {} 0", if negative { "<" } else { ">=" });
                    }
                }
                (format!("byte {offset} of {name}"), true)
            }
            Symbol::Variable { name, .. } => (name.to_string(), true),
            other => (other.to_string(), false),
        };
        let spell = |byte: u8| {
            if numeric {
                byte.to_string()
            } else {
                character(byte)
            }
        };
        let complement = set.complement();
        if set.is_empty() {
            return format!("{name} has no possible value");
        }
        if set.len() == 1 {
            return format!("{name} == {}", set.iter().map(spell).collect::<String>());
        }
        if complement.len() == 1 {
            return format!(
                "{name} != {}",
                complement.iter().map(spell).collect::<String>()
            );
        }
        if complement.is_empty() {
            return format!("{name} is any byte");
        }
        let list = |set: &ByteSet| {
            let spell_range = |&(first, last): &(u8, u8)| {
                if first == last {
                    spell(first)
                } else {
                    format!("{}..{}", spell(first), spell(last))
                }
            };
            set.ranges()
                .iter()
                .map(spell_range)
                .collect::<Vec<_>>()
                .join(", ")
        };
        // Of the two ways to say it, the one with fewer ranges, then the one with fewer bytes.
        let inside = (set.ranges().len(), set.len());
        let outside = (complement.ranges().len(), complement.len());
        if outside < inside {
            format!("{name} not in {}", list(&complement))
        } else {
            format!("{name} in {}", list(set))
        }
    }

    /// A 1-bit term in words.
    fn condition(&self, id: ExprId, depth: u32) -> String {
        if depth > 40 {
            return "...".to_string();
        }
        if let Some((symbol, set)) = self.satisfying_bytes(id, 10_000) {
            return self.byte_condition(symbol, &set);
        }
        let node = self.node(id);
        let below = |index: usize| self.condition(node.arg(index), depth + 1);
        match node.op() {
            Op::Const => if self.is_true(id) { "true" } else { "false" }.to_string(),
            Op::And => format!("({} and {})", below(0), below(1)),
            Op::Or => match self.differs_from(id) {
                Some(line) => line,
                None => format!("({} or {})", below(0), below(1)),
            },
            Op::Not => {
                let inner = self.node(node.arg(0));
                match inner.op() {
                    Op::Eq => self.comparison(inner.arg(0), "!=", inner.arg(1), false, depth),
                    _ => format!("not {}", below(0)),
                }
            }
            Op::Eq => self.comparison(node.arg(0), "==", node.arg(1), false, depth),
            Op::Ult => self.comparison(node.arg(0), "<", node.arg(1), true, depth),
            Op::Ule => self.comparison(node.arg(0), "<=", node.arg(1), true, depth),
            Op::Slt | Op::FLt => self.comparison(node.arg(0), "<", node.arg(1), false, depth),
            Op::Sle | Op::FLe => self.comparison(node.arg(0), "<=", node.arg(1), false, depth),
            Op::FEq => self.comparison(node.arg(0), "==", node.arg(1), false, depth),
            Op::Ite => format!("({} ? {} : {})", below(0), below(1), below(2)),
            Op::Extract if node.immediate() + 1 == self.width(node.arg(0)) => {
                format!("{} < 0", self.term(node.arg(0), depth + 1))
            }
            _ => self.term(id, depth),
        }
    }

    /// `n != 5`, which is a disjunction over the bytes of `n`.
    fn differs_from(&self, id: ExprId) -> Option<String> {
        let mut excluded = BTreeMap::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = self.node(id);
            if node.op() == Op::Or {
                pending.extend([node.arg(0), node.arg(1)]);
                continue;
            }
            let (symbol, set) = self.satisfying_bytes(id, 10_000)?;
            excluded.insert(symbol, set.complement());
        }
        let expected = excluded
            .keys()
            .next()
            .and_then(|&symbol| match self.symbol(symbol) {
                Symbol::Variable { size, .. } => Some(*size as usize),
                _ => None,
            })?;
        let same = self.whole_variables(&mut excluded);
        let complete = excluded.is_empty() && same.len() == 1 && expected > 1;
        complete.then(|| same[0].replacen("==", "!=", 1))
    }

    fn comparison(
        &self,
        left: ExprId,
        relation: &str,
        right: ExprId,
        unsigned: bool,
        depth: u32,
    ) -> String {
        // The constant goes right, as one would write it.
        let (left, relation, right) = if self.is_constant(left) {
            let mirrored = match relation {
                "<" => ">",
                "<=" => ">=",
                same => same,
            };
            (right, mirrored, left)
        } else {
            (left, relation, right)
        };
        let width = self.width(left);
        let right_text = match self.constant_value(right) {
            Some(value) if unsigned => value.to_string(),
            Some(value) => signed(value, width).to_string(),
            None => self.term(right, depth + 1),
        };
        let mark = if unsigned && width > 8 {
            " (unsigned)"
        } else {
            ""
        };
        format!(
            "{} {relation} {right_text}{mark}",
            self.term(left, depth + 1)
        )
    }

    /// A term as a C-like expression.
    fn term(&self, id: ExprId, depth: u32) -> String {
        if depth > 40 {
            return "...".to_string();
        }
        let node = self.node(id);
        let width = node.width();
        if let Some(value) = self.constant_value(id) {
            return number(value, width);
        }
        if let Some(name) = self.variable_name(id) {
            return name;
        }
        if width == 1 && node.op() != Op::Symbol && node.op() != Op::Extract {
            let text = self.condition(id, depth + 1);
            return if text.starts_with('(') {
                text
            } else {
                format!("({text})")
            };
        }
        let below = |index: usize| self.term(node.arg(index), depth + 1);
        let infix = |sign: &str| format!("({} {sign} {})", below(0), below(1));
        let call = |name: &str| {
            let operands: Vec<String> = (0..node.op().arity()).map(below).collect();
            format!("{name}({})", operands.join(", "))
        };
        match node.op() {
            Op::Add => match (self.constant_value(node.arg(1)), self.op(node.arg(1))) {
                (Some(value), _) if signed(value, width) < 0 => {
                    format!("({} - {})", below(0), signed(value, width).unsigned_abs())
                }
                (None, Op::Neg) => {
                    let subtrahend = self.term(self.node(node.arg(1)).arg(0), depth + 1);
                    format!("({} - {subtrahend})", below(0))
                }
                _ => infix("+"),
            },
            Op::Mul => infix("*"),
            Op::UDiv | Op::SDiv => infix("/"),
            Op::URem | Op::SRem => infix("%"),
            Op::And => infix("&"),
            Op::Or => infix("|"),
            Op::Xor => infix("^"),
            Op::Shl => infix("<<"),
            Op::LShr | Op::AShr => infix(">>"),
            Op::Not => format!("~{}", below(0)),
            Op::Neg => format!("-{}", below(0)),
            Op::FAdd => infix("+"),
            Op::FMul => infix("*"),
            Op::FDiv => infix("/"),
            Op::SExt | Op::FConvert | Op::SignedToFloat | Op::UnsignedToFloat => below(0),
            Op::FloatToSigned | Op::FloatToUnsigned => call("int"),
            Op::Concat => match self.constant_value(node.arg(0)) {
                Some(0) => below(1),
                _ if self.constant_value(node.arg(1)) == Some(0) => {
                    format!("({} << {})", below(0), self.width(node.arg(1)))
                }
                _ => format!(
                    "({} << {} | {})",
                    below(0),
                    self.width(node.arg(1)),
                    below(1)
                ),
            },
            Op::Extract if node.immediate() == 0 => {
                format!("({} & {:#x})", below(0), mask(width))
            }
            Op::Extract => format!(
                "({} >> {} & {:#x})",
                below(0),
                node.immediate(),
                mask(width)
            ),
            Op::Ite => {
                let condition = self.condition(node.arg(0), depth + 1);
                format!("({condition} ? {} : {})", below(1), below(2))
            }
            Op::Lookup => {
                format!("table of {}[{}]", self.table_elements(node).len(), below(0))
            }
            op => call(op.text().trim_start_matches("parallax.")),
        }
    }

    /// The name of a symbol, or of a variable all of whose bytes are read as one value.
    fn variable_name(&self, id: ExprId) -> Option<String> {
        let mut parts = Vec::new();
        let mut rest = id;
        while self.op(rest) == Op::Concat {
            let node = self.node(rest);
            parts.push(self.as_symbol(node.arg(0))?);
            rest = node.arg(1);
        }
        parts.push(self.as_symbol(rest)?);
        match self.symbol(parts[0]) {
            Symbol::Variable { name, size, .. } if *size as usize == parts.len() => {
                let whole = parts.iter().rev().enumerate().all(|(index, &part)| {
                    let offset = index as u32;
                    let byte = Symbol::Variable {
                        name: name.clone(),
                        offset,
                        size: *size,
                    };
                    *self.symbol(part) == byte
                });
                whole.then(|| name.to_string())
            }
            Symbol::Variable { name, offset, .. } if parts.len() == 1 => {
                Some(format!("byte {offset} of {name}"))
            }
            other if parts.len() == 1 => Some(other.to_string()),
            _ => None,
        }
    }
}

fn character(byte: u8) -> String {
    match byte {
        b'\'' | b'\\' => format!("'\\{}'", byte as char),
        b' '..=b'~' => format!("'{}'", byte as char),
        b'\n' => "'\\n'".to_string(),
        b'\t' => "'\\t'".to_string(),
        b'\r' => "'\\r'".to_string(),
        0 => "'\\0'".to_string(),
        _ => format!("{byte:#04x}"),
    }
}

/// Small numbers in decimal, also when negative; others in hexadecimal.
fn number(value: u128, width: u32) -> String {
    let as_signed = signed(value, width);
    if value < 1 << 20 {
        value.to_string()
    } else if (-(1 << 20)..0).contains(&as_signed) {
        as_signed.to_string()
    } else {
        format!("{value:#x}")
    }
}
