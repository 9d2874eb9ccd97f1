//! Reading back the scripts of [`crate::print_smtlib`], into canonical terms.

use std::fmt;

use rustc_hash::FxHashMap;

use crate::op::{ExprId, Node, Op};
use crate::store::Store;
use crate::symbol::Symbol;

/// Why a script was not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Which top-level command, from 1.
    pub command: usize,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "SMT-LIB script, command {}: {}",
            self.command, self.message
        )
    }
}

impl std::error::Error for ParseError {}

/// The asserted 1-bit terms of a script, in order.
pub fn parse_smtlib(store: &mut Store, text: &str) -> Result<Vec<ExprId>, ParseError> {
    let mut reader = Reader {
        store,
        terms: FxHashMap::default(),
        tables: FxHashMap::default(),
        constraints: Vec::new(),
    };
    let mut rest = text;
    let mut command = 0;
    loop {
        command += 1;
        let fail = |message: String| ParseError { command, message };
        match read(rest).map_err(fail)? {
            None => return Ok(reader.constraints),
            Some((expression, remaining)) => {
                rest = remaining;
                reader.command(&expression).map_err(fail)?;
            }
        }
    }
}

#[derive(Debug)]
enum Sexp<'a> {
    Atom(&'a str),
    List(Vec<Sexp<'a>>),
}

impl<'a> Sexp<'a> {
    fn atom(&self) -> Result<&'a str, String> {
        match self {
            Sexp::Atom(text) => Ok(text),
            Sexp::List(_) => Err("a list where a name was expected".to_string()),
        }
    }

    fn list(&self) -> Result<&[Sexp<'a>], String> {
        match self {
            Sexp::List(items) => Ok(items),
            Sexp::Atom(text) => Err(format!("`{text}` where a list was expected")),
        }
    }

    fn number(&self) -> Result<u32, String> {
        let text = self.atom()?;
        text.parse()
            .map_err(|_| format!("`{text}` is not a number"))
    }
}

/// One expression from the front of `text`, and what follows it.
fn read(text: &str) -> Result<Option<(Sexp<'_>, &str)>, String> {
    let mut open: Vec<Vec<Sexp>> = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return if open.is_empty() {
                Ok(None)
            } else {
                Err("unfinished list".to_string())
            };
        };
        let item = match first {
            ';' => {
                rest = rest.find('\n').map_or("", |end| &rest[end..]);
                continue;
            }
            '(' => {
                open.push(Vec::new());
                rest = &rest[1..];
                continue;
            }
            ')' => {
                rest = &rest[1..];
                Sexp::List(open.pop().ok_or("unmatched `)`")?)
            }
            '|' => {
                let end = rest[1..].find('|').ok_or("unfinished quoted symbol")? + 2;
                let (atom, after) = rest.split_at(end);
                rest = after;
                Sexp::Atom(atom)
            }
            _ => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';'))
                    .unwrap_or(rest.len());
                let (atom, after) = rest.split_at(end);
                rest = after;
                Sexp::Atom(atom)
            }
        };
        match open.last_mut() {
            Some(list) => list.push(item),
            None => return Ok(Some((item, rest))),
        }
    }
}

struct Reader<'a> {
    store: &'a mut Store,
    terms: FxHashMap<String, ExprId>,
    tables: FxHashMap<String, Vec<ExprId>>,
    constraints: Vec<ExprId>,
}

impl Reader<'_> {
    fn command(&mut self, expression: &Sexp) -> Result<(), String> {
        let items = expression.list()?;
        let name = items.first().ok_or("empty command")?.atom()?;
        match (name, &items[1..]) {
            ("set-logic" | "check-sat" | "exit" | "set-option" | "set-info", _) => Ok(()),
            ("declare-const", [symbol, sort]) => self.declare(symbol.atom()?, sort),
            ("define-fun", [name, _, _, body]) => self.define(name.atom()?, body),
            ("assert", [condition]) => {
                let [_, term, _] = condition.list()? else {
                    return Err("an assertion is `(= term #b1)`".to_string());
                };
                let term = self.term(term)?;
                if self.store.width(term) != 1 {
                    return Err("asserted term is wider than one bit".to_string());
                }
                self.constraints.push(term);
                Ok(())
            }
            _ => Err(format!("unknown command `{name}`")),
        }
    }

    fn declare(&mut self, quoted: &str, sort: &Sexp) -> Result<(), String> {
        let text = quoted.trim_matches('|');
        let symbol = Symbol::parse(text).ok_or_else(|| format!("unknown symbol `{text}`"))?;
        let [_, _, width] = sort.list()? else {
            return Err("not a bit-vector sort".to_string());
        };
        if width.number()? != symbol.width() {
            return Err(format!("`{text}` has {} bits", symbol.width()));
        }
        let term = self.store.symbol_term(&symbol);
        self.terms.insert(quoted.to_string(), term);
        Ok(())
    }

    fn define(&mut self, name: &str, body: &Sexp) -> Result<(), String> {
        if let Some(table) = name.strip_prefix("parallax.table.") {
            let mut elements = Vec::new();
            self.leaves(body, &mut elements)?;
            self.tables.insert(table.to_string(), elements);
        } else if !name.starts_with("parallax.") {
            let term = self.term(body)?;
            self.terms.insert(name.to_string(), term);
        }
        Ok(())
    }

    /// The elements of a table's balanced tree, in order.
    fn leaves(&mut self, tree: &Sexp, elements: &mut Vec<ExprId>) -> Result<(), String> {
        match tree {
            Sexp::Atom(_) => elements.push(self.term(tree)?),
            Sexp::List(items) => {
                let [_, _, left, right] = &items[..] else {
                    return Err("a table is a tree of `ite`".to_string());
                };
                self.leaves(left, elements)?;
                self.leaves(right, elements)?;
            }
        }
        Ok(())
    }

    fn term(&mut self, expression: &Sexp) -> Result<ExprId, String> {
        match expression {
            Sexp::Atom(text) => self.atom(text),
            Sexp::List(items) => self.application(items),
        }
    }

    fn atom(&mut self, text: &str) -> Result<ExprId, String> {
        let (digits, base, bits) = match text.get(..2) {
            Some("#x") => (&text[2..], 16, 4),
            Some("#b") => (&text[2..], 2, 1),
            _ => {
                let unknown = || format!("`{text}` is not defined");
                return self.terms.get(text).copied().ok_or_else(unknown);
            }
        };
        let width = digits.len() as u32 * bits;
        let value = u128::from_str_radix(digits, base).map_err(|_| format!("literal `{text}`"))?;
        if width == 0 || width > 128 {
            return Err(format!("literal `{text}` of {width} bits"));
        }
        Ok(self.store.constant(value, width))
    }

    fn application(&mut self, items: &[Sexp]) -> Result<ExprId, String> {
        let (head, rest) = items.split_first().ok_or("empty term")?;
        if let Sexp::List(indexed) = head {
            return self.indexed(indexed, rest);
        }
        let name = head.atom()?;
        if name == "ite" {
            let [condition, then, otherwise] = rest else {
                return Err("`ite` has three operands".to_string());
            };
            let [test, x, y] = condition.list()? else {
                return Err("a condition compares two terms".to_string());
            };
            let (x, y) = (self.term(x)?, self.term(y)?);
            let compare = operator(test.atom()?).ok_or("unknown comparison")?;
            let condition = self.apply(&Node::new(compare, 1, [0; 3]), &[x, y])?;
            let (then, otherwise) = (self.term(then)?, self.term(otherwise)?);
            return Ok(self.store.ite(condition, then, otherwise));
        }
        let operands = rest
            .iter()
            .map(|item| self.term(item))
            .collect::<Result<Vec<_>, _>>()?;
        if let Some(table) = name.strip_prefix("parallax.table.") {
            let elements = self
                .tables
                .get(table)
                .ok_or_else(|| format!("no table {table}"))?;
            let &[index] = &operands[..] else {
                return Err("a table has one index".to_string());
            };
            return Ok(self.store.lookup(elements, index));
        }
        if name.starts_with("parallax.") {
            let mut parts = name.split('.').skip(1);
            let op = parts
                .next()
                .and_then(|part| operator(&format!("parallax.{part}")));
            let numbers: Option<Vec<u32>> = parts.map(|part| part.parse().ok()).collect();
            let (Some(op), Some(numbers)) = (op, numbers) else {
                return Err(format!("unknown operator `{name}`"));
            };
            let (width, immediate) = match (op, &numbers[..]) {
                (Op::FRound, &[width, immediate]) if immediate < 5 => (width, immediate),
                (op, &[_, width]) if op >= Op::FConvert => (width, 0),
                (_, &[width]) => (width, 0),
                _ => return Err(format!("unknown operator `{name}`")),
            };
            return self.apply(&Node::new(op, width, [0, immediate, 0]), &operands);
        }
        let op = operator(name).ok_or_else(|| format!("unknown operator `{name}`"))?;
        self.apply(&Node::new(op, 1, [0; 3]), &operands)
    }

    fn indexed(&mut self, head: &[Sexp], rest: &[Sexp]) -> Result<ExprId, String> {
        let [operand] = rest else {
            return Err("indexed operator over one operand".to_string());
        };
        let term = self.term(operand)?;
        let width = self.store.width(term);
        match head {
            [_, name, high, low] if name.atom()? == "extract" => {
                let (high, low) = (high.number()?, low.number()?);
                if low > high || high >= width {
                    return Err(format!("bits {high} to {low} of {width}"));
                }
                Ok(self.store.extract(term, low, high - low + 1))
            }
            [_, name, by] if name.atom()? == "sign_extend" => {
                let to = width.saturating_add(by.number()?);
                if to > crate::MAX_ARITH_WIDTH {
                    return Err(format!("sign extension to {to} bits"));
                }
                Ok(self.store.sext(term, to))
            }
            _ => Err("unknown indexed operator".to_string()),
        }
    }

    /// Checks what the constructors would panic about, then builds.
    fn apply(&mut self, node: &Node, operands: &[ExprId]) -> Result<ExprId, String> {
        let op = node.op();
        if operands.len() != op.arity() {
            return Err(format!("{op:?} over {} operands", operands.len()));
        }
        let width = |index: usize| self.store.width(operands[index]);
        let same = (1..operands.len()).all(|index| width(index) == width(0));
        let float = |width: u32| width == 32 || width == 64;
        let formats = match op {
            Op::Concat => width(0) + width(1) <= crate::MAX_WIDTH,
            Op::Eq => same,
            Op::SignedToFloat | Op::UnsignedToFloat => float(node.width()),
            Op::FloatToSigned | Op::FloatToUnsigned => {
                float(width(0)) && (1..=crate::MAX_ARITH_WIDTH).contains(&node.width())
            }
            Op::FConvert => float(width(0)) && float(node.width()),
            op if op >= Op::FAdd => same && float(width(0)),
            _ => same && width(0) <= crate::MAX_ARITH_WIDTH,
        };
        if !formats {
            return Err(format!("{op:?} over operands of unfit widths"));
        }
        Ok(self.store.rebuild(node, operands, &[]))
    }
}

fn operator(name: &str) -> Option<Op> {
    let plain = |op: &Op| {
        !matches!(
            op,
            Op::Const | Op::Symbol | Op::Lookup | Op::Ite | Op::Extract
        )
    };
    Op::ALL
        .iter()
        .copied()
        .find(|op| plain(op) && op.text() == name)
}
