//! Conditions in the user's words: `argv[1][0] == '-'`, `stdin[3] in '0'..'9'`, `n > 5`.
//!
//! A condition over one input byte is described by the set of bytes that satisfy it, found by trying
//! all 256, whatever the program computed to get there; conditions over the same byte are merged. Other
//! terms are printed as C-like expressions. Extensions are not shown; an unsigned comparison of a
//! multi-byte value is marked.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::eval::Compiled;
use crate::op::{ExprId, Op};
use crate::semantics::{mask, signed};
use crate::store::Store;
use crate::symbol::{Symbol, SymbolId};

/// How the values of a variable are written. A variable of which nothing is known is a signed number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum VariableKind {
    #[default]
    Signed,
    Unsigned,
    /// One byte of a text.
    Character,
    /// One byte, of which the lowest bit counts.
    Truth,
    Float,
    /// Numbers with names.
    Enumeration(Vec<(String, i128)>),
}

/// By the name of the variable.
pub type VariableKinds = BTreeMap<String, VariableKind>;

/// A value that is looked at byte by byte.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Whole {
    Variable(Arc<str>),
    Term(ExprId),
    /// A number whose bytes are constants.
    Number,
}

/// Two terms that are compared.
type Pair = (ExprId, ExprId);

/// Two values of one size, and pairs of their bytes, by offset.
struct WholePair {
    values: [Whole; 2],
    size: u32,
    bytes: Vec<(u32, Pair)>,
}

/// A term is at least, or at most, some value.
struct Bound {
    term: ExprId,
    unsigned: bool,
    is_most: bool,
    value: i128,
}

/// The closest bounds of a term, each with the place of its condition.
struct Bounds {
    term: ExprId,
    unsigned: bool,
    /// Least and most.
    sides: [Option<(i128, usize)>; 2],
    /// All conditions that are bounds of it.
    all: Vec<usize>,
}

/// Terms of a condition on one byte whose values are tried to put it into words.
const MOST_TERMS: usize = 1_000;

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
        self.0.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some((64 * index as u32 + bit) as u8)
            })
        })
    }

    /// Maximal runs of members, in the order of signed or unsigned numbers.
    fn ranges(&self, signed: bool) -> Vec<(u8, u8)> {
        let first: u8 = if signed { 128 } else { 0 };
        let mut ranges: Vec<(u8, u8)> = Vec::new();
        let in_order = (0..=255u8).map(|step| first.wrapping_add(step));
        for byte in in_order.filter(|&byte| self.contains(byte)) {
            match ranges.last_mut() {
                Some((_, last)) if byte != first && last.wrapping_add(1) == byte => *last = byte,
                _ => ranges.push((byte, byte)),
            }
        }
        ranges
    }
}

impl Compiled {
    /// The values of its only symbol, a byte, with which all roots hold.
    pub fn satisfying_bytes(&mut self) -> ByteSet {
        let mut bytes = ByteSet::NONE;
        for byte in 0..=255u8 {
            self.run(|_| u64::from(byte));
            if self.all_hold() {
                bytes.insert(byte);
            }
        }
        bytes
    }
}

/// Conditions whose bytes are kept.
const MOST_KNOWN: usize = 1 << 16;

/// What a store knows only to put terms into words.
#[derive(Debug, Default)]
pub(crate) struct Words {
    kinds: Arc<VariableKinds>,
    bytes: RefCell<FxHashMap<ExprId, Option<(SymbolId, ByteSet)>>>,
}

impl Store {
    /// Says how the values of variables are written from now on.
    pub fn set_variable_kinds(&mut self, kinds: Arc<VariableKinds>) {
        self.words.kinds = kinds;
    }

    fn kind_of(&self, variable: &str) -> &VariableKind {
        const SIGNED: &VariableKind = &VariableKind::Signed;
        self.words.kinds.get(variable).unwrap_or(SIGNED)
    }

    /// A value of a whole variable.
    fn value_of(&self, variable: &str, value: u128, width: u32) -> String {
        match self.kind_of(variable) {
            VariableKind::Unsigned => value.to_string(),
            VariableKind::Float => float(value, width),
            VariableKind::Enumeration(names) => {
                let value = signed(value, width);
                let mut named = names.iter().filter(|(_, number)| *number == value);
                named
                    .next()
                    .map_or(value.to_string(), |(name, _)| name.clone())
            }
            _ => signed(value, width).to_string(),
        }
    }

    /// The kind of the variable that a term is, if it is one.
    fn kind_of_term(&self, id: ExprId) -> Option<&VariableKind> {
        self.words.kinds.get(&self.variable_name(id)?)
    }

    /// The bytes that satisfy a 1-bit term over exactly one 8-bit symbol; `None` for other terms and
    /// for terms of more than `limit` nodes.
    pub fn satisfying_bytes(&self, condition: ExprId, limit: usize) -> Option<(SymbolId, ByteSet)> {
        let symbol = self.only_byte(condition)?;
        let mut compiled = Compiled::new(self, &[condition], limit)?;
        Some((symbol, compiled.satisfying_bytes()))
    }

    /// The same for a condition that is put into words. All parts of a path say their common conditions again, so what is found
    /// is kept.
    fn bytes_in_words(&self, condition: ExprId) -> Option<(SymbolId, ByteSet)> {
        let find = || self.satisfying_bytes(condition, MOST_TERMS);
        let mut known = self.words.bytes.borrow_mut();
        if known.len() > MOST_KNOWN {
            known.clear();
        }
        *known.entry(condition).or_insert_with(find)
    }

    /// The symbol of a 1-bit term over exactly one 8-bit symbol.
    pub fn only_byte(&self, condition: ExprId) -> Option<SymbolId> {
        let set = self.symbols_of(condition);
        let symbol = set.iter().next().filter(|_| set.len() == 1)?;
        let is_byte = self.symbol(symbol).width() == 8 && self.width(condition) == 1;
        is_byte.then_some(symbol)
    }

    /// A conjunction in words, one line per fact, what is about one byte merged.
    pub fn describe(&self, conjunction: &[ExprId]) -> Vec<String> {
        let mut bytes: BTreeMap<SymbolId, ByteSet> = BTreeMap::new();
        let mut others = Vec::new();
        let mut pairs = Vec::new();
        let mut pending: Vec<ExprId> = conjunction.iter().rev().copied().collect();
        while let Some(condition) = pending.pop() {
            let node = self.node(condition);
            if node.op() == Op::And {
                pending.extend([node.arg(1), node.arg(0)]);
            } else if let Some((symbol, set)) = self.bytes_in_words(condition) {
                let merged = bytes.entry(symbol).or_insert(ByteSet::ALL);
                *merged = merged.intersection(&set);
            } else {
                if node.op() == Op::Eq {
                    pairs.push((node.arg(0), node.arg(1)));
                }
                others.push(condition);
            }
        }
        // Values that are equal byte by byte are equal.
        let (equal, complete) = self.whole_pairs(&pairs);
        let is_said = |condition: &ExprId| {
            let node = self.node(*condition);
            node.op() == Op::Eq && complete.contains(&(node.arg(0), node.arg(1)))
        };
        others.retain(|condition| !is_said(condition));
        let in_words = |condition: ExprId| match self.is_readable(condition) {
            true => {
                let text = self.condition(condition);
                without_parentheses(&text).unwrap_or(&text).to_owned()
            }
            false => format!("a condition on {}", self.symbols_in_words(condition)),
        };
        let ranges = self.ranges(&mut others);
        let others = ranges.into_iter().chain(others.into_iter().map(in_words));
        let equal = equal
            .into_iter()
            .map(|(left, right)| format!("{left} == {right}"));
        let others: Vec<String> = equal.chain(others).collect();
        let mut lines = self.whole_variables(&mut bytes);
        lines.extend(
            bytes
                .iter()
                .map(|(&symbol, set)| self.byte_condition(symbol, set)),
        );
        lines.extend(others);
        lines
    }

    /// `n in 3..9`, or `n == 3`, of terms with a least and a greatest value. The conditions that say so are taken out, and
    /// those that follow from others.
    fn ranges(&self, conditions: &mut Vec<ExprId>) -> Vec<String> {
        let mut bounds: Vec<Bounds> = Vec::new();
        let mut places: BTreeMap<(ExprId, bool), usize> = BTreeMap::new();
        for (at, &condition) in conditions.iter().enumerate() {
            let bound = self.bound(condition);
            let Some(bound) = bound.filter(|_| self.is_readable(condition)) else {
                continue;
            };
            let place = places.entry((bound.term, bound.unsigned));
            let place = *place.or_insert_with(|| {
                bounds.push(Bounds {
                    term: bound.term,
                    unsigned: bound.unsigned,
                    sides: [None, None],
                    all: Vec::new(),
                });
                bounds.len() - 1
            });
            let known = &mut bounds[place];
            known.all.push(at);
            let side = &mut known.sides[usize::from(bound.is_most)];
            let is_closer = side.is_none_or(|(value, _)| match bound.is_most {
                true => bound.value < value,
                false => bound.value > value,
            });
            if is_closer {
                *side = Some((bound.value, at));
            }
        }
        let mut lines = Vec::new();
        let mut said = BTreeSet::new();
        for mut known in bounds {
            let positive = i128::MAX >> (128 - self.width(known.term)).min(127);
            // What is small as an unsigned number is not negative.
            let is_small = matches!(known.sides, [_, Some((most, _))] if most <= positive);
            let is_known = self.kind_of_term(known.term) == Some(&VariableKind::Unsigned);
            if known.unsigned && is_small && !is_known && known.sides[0].is_none() {
                known.sides[0] = Some((0, 0));
            }
            match known.sides {
                [Some((least, _)), Some((most, _))] if least <= most => {
                    let range = match least == most {
                        true => format!("== {least}"),
                        false => format!("in {least}..{most}"),
                    };
                    let unclear = known.unsigned && !is_small;
                    let mark = self.mark(unclear, [known.term; 2]);
                    lines.push(format!("{} {range}{mark}", self.term(known.term)));
                    said.extend(known.all);
                }
                [Some(_), Some(_)] => {}
                [one, other] => {
                    let closest = one.or(other).map(|(_, at)| at);
                    said.extend(known.all.into_iter().filter(|&at| Some(at) != closest));
                }
            }
        }
        let mut at = 0..;
        conditions.retain(|_| !at.next().is_some_and(|at| said.contains(&at)));
        lines
    }

    /// A comparison of a term with a constant.
    fn bound(&self, condition: ExprId) -> Option<Bound> {
        let node = self.node(condition);
        let (unsigned, strict) = match node.op() {
            Op::Ult => (true, true),
            Op::Ule => (true, false),
            Op::Slt => (false, true),
            Op::Sle => (false, false),
            _ => return None,
        };
        let (left, right) = (node.arg(0), node.arg(1));
        let (term, constant, is_most) =
            match (self.constant_value(left), self.constant_value(right)) {
                (None, Some(value)) => (left, value, true),
                (Some(value), None) => (right, value, false),
                _ => return None,
            };
        let width = self.width(term);
        let value = match unsigned {
            true => i128::try_from(constant).ok()?,
            false => signed(constant, width),
        };
        let value = match (strict, is_most) {
            (false, _) => value,
            (true, true) => value.checked_sub(1)?,
            (true, false) => value.checked_add(1)?,
        };
        Some(Bound {
            term,
            unsigned,
            is_most,
            value,
        })
    }

    /// Says of a comparison that it is one of unsigned numbers, if that is not clear.
    fn mark(&self, unsigned: bool, terms: [ExprId; 2]) -> &'static str {
        let is_known = |id| self.kind_of_term(id) == Some(&VariableKind::Unsigned);
        match unsigned && self.width(terms[0]) > 8 && !terms.into_iter().any(is_known) {
            true => " (unsigned)",
            false => "",
        }
    }

    /// A value in words.
    pub fn describe_value(&self, term: ExprId) -> String {
        match self.is_readable(term) {
            true => {
                let text = self.term(term);
                match without_parentheses(&text) {
                    Some(inner) => inner.to_owned(),
                    None => text,
                }
            }
            false => format!("computed from {}", self.symbols_in_words(term)),
        }
    }

    /// Whether a term is a symbol, or all bytes of a variable.
    pub fn is_variable(&self, term: ExprId) -> bool {
        self.variable_name(term).is_some()
    }

    /// Whether a term is short when it is written out: terms share parts, and text does not.
    fn is_readable(&self, term: ExprId) -> bool {
        const MOST_NODES: usize = 400;
        let mut open = vec![term];
        let mut nodes = 0;
        while let Some(term) = open.pop() {
            nodes += 1;
            if nodes > MOST_NODES {
                return false;
            }
            let node = self.node(term);
            open.extend((0..node.op().arity()).map(|index| node.arg(index)));
        }
        true
    }

    /// The inputs that a term depends on.
    fn symbols_in_words(&self, term: ExprId) -> String {
        const MOST_NAMED: usize = 6;
        let mut names: Vec<String> = Vec::new();
        for symbol in self.symbols_of(term).iter() {
            let name = match self.symbol(symbol) {
                Symbol::Variable { name, .. } => name.to_string(),
                other => other.to_string(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let more = names.len().saturating_sub(MOST_NAMED);
        names.truncate(MOST_NAMED);
        let text = names.join(", ");
        match more {
            0 => text,
            more => format!("{text} and {more} more"),
        }
    }

    /// `n == 5` where every byte of `n` is fixed, `n in 3..5` where all but the lowest are; those bytes are taken out of
    /// the map.
    fn whole_variables(&self, bytes: &mut BTreeMap<SymbolId, ByteSet>) -> Vec<String> {
        let mut lines = Vec::new();
        for symbol in bytes.keys().copied().collect::<Vec<_>>() {
            let Symbol::Variable { name, size, .. } = self.symbol(symbol) else {
                continue;
            };
            if *size < 2 || *size > 16 || !bytes.contains_key(&symbol) {
                continue;
            }
            let byte = |offset: u32| {
                self.find_symbol(&Symbol::Variable {
                    name: name.clone(),
                    offset,
                    size: *size,
                })
            };
            let upper: Option<Vec<(SymbolId, u8)>> = (1..*size)
                .map(|offset| {
                    let symbol = byte(offset)?;
                    let set = bytes.get(&symbol).filter(|set| set.len() == 1)?;
                    Some((symbol, set.iter().next()?))
                })
                .collect();
            let Some(upper) = upper else { continue };
            let lowest = byte(0);
            let values = lowest.and_then(|symbol| bytes.get(&symbol));
            let values = *values.unwrap_or(&ByteSet::ALL);
            if values.is_empty() || values.len() > 1 && *self.kind_of(name) == VariableKind::Float {
                continue;
            }
            let above = upper.iter().rev();
            let above = above.fold(0, |value, &(_, byte)| value << 8 | u128::from(byte));
            let spell = |byte: u8| self.value_of(name, above << 8 | u128::from(byte), size * 8);
            let spell_range = |&(first, last): &(u8, u8)| match first == last {
                true => spell(first),
                false => format!("{}..{}", spell(first), spell(last)),
            };
            let ranges = values.ranges(false);
            let ranges: Vec<String> = ranges.iter().map(spell_range).collect();
            let relation = if values.len() == 1 { "==" } else { "in" };
            lines.push(format!("{name} {relation} {}", ranges.join(", ")));
            for symbol in upper.into_iter().map(|(symbol, _)| symbol).chain(lowest) {
                bytes.remove(&symbol);
            }
        }
        lines
    }

    fn byte_condition(&self, symbol: SymbolId, set: &ByteSet) -> String {
        let mut is_signed = false;
        let (name, numeric) = match self.symbol(symbol) {
            Symbol::Variable { name, offset, size } if *size > 1 => {
                if offset + 1 == *size {
                    let negative = set.iter().eq(128..=255);
                    if negative || set.iter().eq(0..=127) {
                        return match self.kind_of(name) {
                            VariableKind::Unsigned => format!(
                                "{name} {} {}",
                                if negative { ">=" } else { "<" },
                                1u128 << (size * 8 - 1)
                            ),
                            _ => format!("{name} {} 0", if negative { "<" } else { ">=" }),
                        };
                    }
                }
                (format!("byte {offset} of {name}"), true)
            }
            Symbol::Variable { name, .. } => {
                let odd = |byte: u8| byte & 1 == 1;
                match self.words.kinds.get(&**name) {
                    Some(VariableKind::Truth) if set.iter().eq((0..=255).filter(|&b| odd(b))) => {
                        return name.to_string();
                    }
                    Some(VariableKind::Truth) if set.iter().eq((0..=255).filter(|&b| !odd(b))) => {
                        return format!("!{name}");
                    }
                    Some(VariableKind::Signed) if set.iter().eq(128..=255) => {
                        return format!("{name} < 0");
                    }
                    Some(VariableKind::Signed) if set.iter().eq(0..=127) => {
                        return format!("{name} >= 0");
                    }
                    kind => is_signed = kind == Some(&VariableKind::Signed),
                }
                let is_text = matches!(self.kind_of(name), VariableKind::Character);
                (name.to_string(), !is_text)
            }
            other => (other.to_string(), false),
        };
        let spell = |byte: u8| match numeric {
            true if is_signed => (byte as i8).to_string(),
            true => byte.to_string(),
            false => character(byte),
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
            set.ranges(is_signed)
                .iter()
                .map(spell_range)
                .collect::<Vec<_>>()
                .join(", ")
        };
        // Of the two ways to say it, the one with fewer ranges, then the one with fewer bytes.
        let inside = (set.ranges(is_signed).len(), set.len());
        let outside = (complement.ranges(is_signed).len(), complement.len());
        if outside < inside {
            format!("{name} not in {}", list(&complement))
        } else {
            format!("{name} in {}", list(set))
        }
    }

    /// A 1-bit term in words.
    fn condition(&self, id: ExprId) -> String {
        if let Some((symbol, set)) = self.bytes_in_words(id) {
            return self.byte_condition(symbol, &set);
        }
        let node = self.node(id);
        let below = |index: usize| self.condition(node.arg(index));
        match node.op() {
            Op::Const => if self.is_true(id) { "true" } else { "false" }.to_string(),
            Op::And => match &self.describe(&[id])[..] {
                [one] => one.clone(),
                all => format!("({})", all.join(" and ")),
            },
            Op::Or => match self.differs_from(id) {
                Some(line) => line,
                None => format!("({} or {})", below(0), below(1)),
            },
            Op::Not => {
                let inner = self.node(node.arg(0));
                match inner.op() {
                    Op::Eq => self.comparison(inner.arg(0), "!=", inner.arg(1), false),
                    _ => format!("not {}", below(0)),
                }
            }
            Op::Eq => self.comparison(node.arg(0), "==", node.arg(1), false),
            Op::Ult => self.comparison(node.arg(0), "<", node.arg(1), true),
            Op::Ule => self.comparison(node.arg(0), "<=", node.arg(1), true),
            Op::Slt => self.comparison(node.arg(0), "<", node.arg(1), false),
            Op::Sle => self.comparison(node.arg(0), "<=", node.arg(1), false),
            Op::FLt => self.float_infix(node.arg(0), "<", node.arg(1)),
            Op::FLe => self.float_infix(node.arg(0), "<=", node.arg(1)),
            Op::FEq => self.float_infix(node.arg(0), "==", node.arg(1)),
            Op::Ite => format!("({} ? {} : {})", below(0), below(1), below(2)),
            Op::Extract if node.immediate() + 1 == self.width(node.arg(0)) => {
                format!("{} < 0", self.term(node.arg(0)))
            }
            Op::Symbol | Op::Extract => self.term(id),
            _ => self.operation(id),
        }
    }

    /// `n != 5`, which is a disjunction over the bytes of `n`.
    fn differs_from(&self, id: ExprId) -> Option<String> {
        if let Some(line) = self.differ_somewhere(id) {
            return Some(line);
        }
        let mut excluded = BTreeMap::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = self.node(id);
            if node.op() == Op::Or {
                pending.extend([node.arg(0), node.arg(1)]);
                continue;
            }
            let (symbol, set) = self.bytes_in_words(id)?;
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
        complete.then(|| {
            let is_one = same[0].contains(" == ");
            match is_one {
                true => same[0].replacen(" == ", " != ", 1),
                false => same[0].replacen(" in ", " not in ", 1),
            }
        })
    }

    /// `x != y`, which is a disjunction over the bytes of both.
    fn differ_somewhere(&self, id: ExprId) -> Option<String> {
        let mut pairs = Vec::new();
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            let node = self.node(id);
            match node.op() {
                Op::Or => pending.extend([node.arg(0), node.arg(1)]),
                Op::Not if self.op(node.arg(0)) == Op::Eq => {
                    let equality = self.node(node.arg(0));
                    pairs.push((equality.arg(0), equality.arg(1)));
                }
                _ => return None,
            }
        }
        let (whole, complete) = self.whole_pairs(&pairs);
        let lines = whole
            .into_iter()
            .map(|(left, right)| format!("{left} != {right}"));
        let lines: Vec<String> = lines.collect();
        (pairs.iter().all(|pair| complete.contains(pair))).then(|| lines.join(" or "))
    }

    /// Of pairs of bytes, those that are all bytes of two values of the same size: the values, and the pairs.
    fn whole_pairs(&self, pairs: &[Pair]) -> (Vec<(String, String)>, Vec<Pair>) {
        let mut groups: Vec<WholePair> = Vec::new();
        for &pair in pairs {
            let (left, right) = match (self.byte_of(pair.0), self.byte_of(pair.1)) {
                (Some(left), Some(right)) => (left, right),
                (Some(one), None) if self.is_constant(pair.1) => {
                    let number = (Whole::Number, one.1, one.2);
                    (one, number)
                }
                (None, Some(one)) if self.is_constant(pair.0) => {
                    let number = (Whole::Number, one.1, one.2);
                    (one, number)
                }
                _ => continue,
            };
            if (left.1, left.2) != (right.1, right.2) {
                continue;
            }
            let (offset, size) = (left.1, left.2);
            let (values, turned) = ([left.0.clone(), right.0.clone()], [right.0, left.0]);
            let known = |group: &&mut WholePair| group.values == values || group.values == turned;
            match groups.iter_mut().find(known) {
                Some(group) => group.bytes.push((offset, pair)),
                None => groups.push(WholePair {
                    values,
                    size,
                    bytes: vec![(offset, pair)],
                }),
            }
        }
        let (mut whole, mut complete) = (Vec::new(), Vec::new());
        for mut group in groups {
            group.bytes.sort_by_key(|(offset, _)| *offset);
            let offsets = group.bytes.iter().map(|(offset, _)| *offset);
            if offsets.eq(0..group.size) {
                let [left, right] = &group.values;
                let right = match right {
                    Whole::Number => self.number_of(&group),
                    value => self.whole_text(value),
                };
                whole.push((self.whole_text(left), right));
                complete.extend(group.bytes.into_iter().map(|(_, pair)| pair));
            }
        }
        (whole, complete)
    }

    /// The value that a term is a byte of, which byte, and of how many.
    fn byte_of(&self, id: ExprId) -> Option<(Whole, u32, u32)> {
        if self.width(id) != 8 {
            return None;
        }
        if let Some(symbol) = self.as_symbol(id) {
            return match self.symbol(symbol) {
                Symbol::Variable { name, offset, size } if *size > 1 => {
                    Some((Whole::Variable(name.clone()), *offset, *size))
                }
                _ => None,
            };
        }
        let node = self.node(id);
        let width = match node.op() {
            Op::Extract => self.width(node.arg(0)),
            _ => return None,
        };
        let is_byte = node.immediate().is_multiple_of(8) && width.is_multiple_of(8);
        is_byte.then(|| (Whole::Term(node.arg(0)), node.immediate() / 8, width / 8))
    }

    /// The number that a value is compared to, byte by byte.
    fn number_of(&self, pair: &WholePair) -> String {
        let constant = |&(_, (left, right)): &(u32, Pair)| {
            let value = self.constant_value(left);
            value.or_else(|| self.constant_value(right)).unwrap_or(0)
        };
        let bytes = pair.bytes.iter().rev().map(constant);
        let value = bytes.fold(0, |value, byte| value << 8 | byte);
        signed(value, pair.size * 8).to_string()
    }

    fn whole_text(&self, whole: &Whole) -> String {
        match whole {
            Whole::Number => "a number".to_owned(),
            Whole::Variable(name) => name.to_string(),
            Whole::Term(id) => match self.is_readable(*id) {
                true => self.term(*id),
                false => format!("what is computed from {}", self.symbols_in_words(*id)),
            },
        }
    }

    fn comparison(&self, left: ExprId, relation: &str, right: ExprId, unsigned: bool) -> String {
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
            None => self.term(right),
        };
        let mark = self.mark(unsigned, [left, right]);
        format!("{} {relation} {right_text}{mark}", self.term(left))
    }

    /// A term of which the bits are a floating-point number.
    fn float_term(&self, id: ExprId) -> String {
        match self.constant_value(id) {
            Some(value) => float(value, self.width(id)),
            None => self.term(id),
        }
    }

    fn float_infix(&self, left: ExprId, sign: &str, right: ExprId) -> String {
        let (left, right) = (self.float_term(left), self.float_term(right));
        format!("{left} {sign} {right}")
    }

    /// A term as a C-like expression.
    fn term(&self, id: ExprId) -> String {
        let node = self.node(id);
        let width = node.width();
        if let Some(value) = self.constant_value(id) {
            return number(value, width);
        }
        if let Some(name) = self.variable_name(id) {
            return name;
        }
        if width == 1 && node.op() != Op::Symbol && node.op() != Op::Extract {
            let text = self.condition(id);
            return match without_parentheses(&text) {
                Some(_) => text,
                None => format!("({text})"),
            };
        }
        self.operation(id)
    }

    /// The operation of a term, whatever it is of.
    fn operation(&self, id: ExprId) -> String {
        let node = self.node(id);
        let width = node.width();
        let below = |index: usize| self.term(node.arg(index));
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
                    let subtrahend = self.term(self.node(node.arg(1)).arg(0));
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
            Op::FAdd => format!("({})", self.float_infix(node.arg(0), "+", node.arg(1))),
            Op::FMul => format!("({})", self.float_infix(node.arg(0), "*", node.arg(1))),
            Op::FDiv => format!("({})", self.float_infix(node.arg(0), "/", node.arg(1))),
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
                let condition = self.condition(node.arg(0));
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

/// What stands in parentheses, if they are around the whole.
fn without_parentheses(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    is_balanced(inner).then_some(inner)
}

/// Whether each parenthesis is closed in the text itself.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0i32;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
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

/// The number that bits of a floating-point type are; hexadecimal where Rust has no such type.
fn float(bits: u128, width: u32) -> String {
    match width {
        32 => f32::from_bits(bits as u32).to_string(),
        64 => f64::from_bits(bits as u64).to_string(),
        _ => format!("{bits:#x}"),
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
