//! Terms in the form in which they are evaluated over boxes.
//!
//! A term over one input byte is a *byte function*: its values for all 256 bytes, computed once. Everything above is an inner
//! term whose interval follows from those of its operands. Terms are entered once and shared by all queries of a store, as in
//! the bit-blaster; a query only evaluates them.

use expr::{
    Compiled, ExprId, Interval, IntervalOperand, MAX_ARITH_WIDTH, Node, Op, Store, SymbolId,
};
use rustc_hash::FxHashMap;

/// A term with more nodes below it than this is not tabulated as a byte function.
const MOST_NODES: usize = 600;
/// Terms after which all are forgotten, some 150 bytes each.
const MOST_TERMS: usize = 200_000;
/// The same for byte functions, of 2,048 bytes each.
const MOST_FUNCTIONS: usize = 5_000;
/// Elements of a table that are looked at for one interval.
const MOST_ELEMENTS: u128 = 300;

/// An entered term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Place(u32);

impl Place {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Constant,
    /// A symbol that is not a byte: it is never split.
    Whole(SymbolId),
    /// Values by byte, from this index in `functions`.
    ByteFunction(SymbolId, u32),
    Inner,
    /// First and number of elements in `elements`.
    Lookup(u32, u32),
}

#[derive(Clone, Copy, Debug)]
struct Entered {
    node: Node,
    kind: Kind,
    operands: [Place; 3],
    /// What holds whatever the input is.
    bounds: Interval,
    has_floats: bool,
}

#[derive(Default)]
pub(super) struct Terms {
    place_of: FxHashMap<ExprId, Place>,
    entered: Vec<Entered>,
    elements: Vec<Place>,
    functions: Vec<[u64; 256]>,
}

impl Terms {
    pub(super) fn forget(&mut self) {
        *self = Terms::default();
    }

    pub(super) fn is_full(&self) -> bool {
        self.entered.len() > MOST_TERMS || self.functions.len() > MOST_FUNCTIONS
    }

    pub(super) fn len(&self) -> usize {
        self.entered.len()
    }

    /// Enters a term with all below it; `None` if one of them is too wide.
    pub(super) fn enter(&mut self, store: &Store, id: ExprId) -> Option<Place> {
        let mut pending = vec![id];
        while let Some(&id) = pending.last() {
            if self.place_of.contains_key(&id) {
                pending.pop();
                continue;
            }
            let before = pending.len();
            let leaf = self.leaf(store, id)?;
            if leaf.is_none() {
                store.for_each_child(id, |child| {
                    if !self.place_of.contains_key(&child) {
                        pending.push(child);
                    }
                });
            }
            if pending.len() == before {
                let entered = leaf.unwrap_or_else(|| self.inner(store, id));
                self.place_of.insert(id, Place(self.entered.len() as u32));
                self.entered.push(entered);
                pending.pop();
            }
        }
        Some(self.place_of[&id])
    }

    /// A term that needs nothing below it, if it is one; the outer `None` for terms that are too wide.
    fn leaf(&mut self, store: &Store, id: ExprId) -> Option<Option<Entered>> {
        let (node, width) = (*store.node(id), store.width(id));
        if width > MAX_ARITH_WIDTH {
            return None;
        }
        let bounds = match store.facts(id) {
            Some(facts) => Interval::between(facts.low as u128, facts.high as u128),
            None => Interval::all(width),
        };
        let leaf = |kind, bounds| Entered {
            node,
            kind,
            operands: [Place(0); 3],
            bounds,
            has_floats: false,
        };
        if let Some(value) = store.constant_value(id) {
            return Some(Some(leaf(Kind::Constant, Interval::single(value))));
        }
        let symbols = store.symbols_of(id);
        let only = symbols.iter().next().filter(|_| symbols.len() == 1);
        if let Some(symbol) = only {
            if store.symbol(symbol).width() == 8
                && width <= 64
                && let Some(mut compiled) = Compiled::new(store, &[id], MOST_NODES)
            {
                let values = std::array::from_fn(|byte| {
                    compiled.run(|_| byte as u64);
                    compiled.result(0) as u64
                });
                self.functions.push(values);
                let kind = Kind::ByteFunction(symbol, self.functions.len() as u32 - 1);
                return Some(Some(leaf(kind, bounds)));
            }
            if node.op() == Op::Symbol {
                return Some(Some(leaf(Kind::Whole(symbol), bounds)));
            }
        }
        Some(None)
    }

    /// A term whose operands have been entered.
    fn inner(&mut self, store: &Store, id: ExprId) -> Entered {
        let node = *store.node(id);
        let mut operands = [Place(0); 3];
        let mut has_floats = node.op().is_float_arithmetic();
        for (slot, operand) in node.operands().enumerate() {
            operands[slot] = self.place_of[&operand];
            has_floats |= self.get(operands[slot]).has_floats;
        }
        let kind = match node.op() {
            Op::Lookup => {
                let (first, elements) = (self.elements.len() as u32, store.table_elements(&node));
                for element in elements {
                    let place = self.place_of[element];
                    has_floats |= self.get(place).has_floats;
                    self.elements.push(place);
                }
                Kind::Lookup(first, elements.len() as u32)
            }
            _ => Kind::Inner,
        };
        let bounds = match store.facts(id) {
            Some(facts) => Interval::between(facts.low as u128, facts.high as u128),
            None => Interval::all(store.width(id)),
        };
        Entered {
            node,
            kind,
            operands,
            bounds,
            has_floats,
        }
    }

    fn get(&self, place: Place) -> &Entered {
        &self.entered[place.0 as usize]
    }

    /// Whether a term needs floating-point arithmetic.
    pub(super) fn has_floats(&self, place: Place) -> bool {
        self.get(place).has_floats
    }

    /// The symbol of a leaf that depends on the input.
    pub(super) fn symbol(&self, place: Place) -> Option<SymbolId> {
        match self.get(place).kind {
            Kind::Whole(symbol) | Kind::ByteFunction(symbol, _) => Some(symbol),
            _ => None,
        }
    }

    /// The symbol and the values of a byte function.
    pub(super) fn byte_function(&self, place: Place) -> Option<(SymbolId, &[u64; 256])> {
        match self.get(place).kind {
            Kind::ByteFunction(symbol, function) => {
                Some((symbol, &self.functions[function as usize]))
            }
            _ => None,
        }
    }

    /// Calls `visit` with everything that a term's interval follows from.
    pub(super) fn for_each_operand(&self, place: Place, mut visit: impl FnMut(Place)) {
        let entered = self.get(place);
        match entered.kind {
            Kind::Constant | Kind::Whole(_) | Kind::ByteFunction(..) => return,
            Kind::Inner => {}
            Kind::Lookup(first, count) => {
                let range = first as usize..(first + count) as usize;
                self.elements[range].iter().copied().for_each(&mut visit);
            }
        }
        let arity = entered.node.op().arity();
        entered.operands[..arity].iter().copied().for_each(visit);
    }

    /// The interval of a term from those of its operands; of a byte function, from the bytes it may be given.
    pub(super) fn evaluate<'a>(
        &self,
        place: Place,
        value: impl Fn(Place) -> Interval,
        members: impl Fn(SymbolId) -> &'a [u8],
    ) -> Interval {
        let entered = self.get(place);
        let width = entered.node.width();
        let interval = match entered.kind {
            Kind::Constant | Kind::Whole(_) => return entered.bounds,
            Kind::ByteFunction(symbol, function) => {
                return tabulated(&self.functions[function as usize], members(symbol), width);
            }
            Kind::Lookup(first, count) => {
                let index = entered.operands[0];
                let last = count as u128 - 1;
                let (low, high) = value(index).unsigned(self.get(index).node.width());
                let (low, high) = (low.min(last), high.min(last));
                if high - low >= MOST_ELEMENTS {
                    return entered.bounds;
                }
                let range = (first as u128 + low) as usize..=(first as u128 + high) as usize;
                let intervals = self.elements[range].iter().map(|&element| value(element));
                let joined = intervals.reduce(|joined, element| joined.join(&element, width));
                joined.unwrap_or(entered.bounds)
            }
            Kind::Inner => {
                let operand = |slot: usize| -> IntervalOperand {
                    let place = entered.operands[slot];
                    (value(place), self.get(place).node.width())
                };
                match entered.node.op().arity() {
                    1 => Interval::of(&entered.node, &[operand(0)]),
                    2 => Interval::of(&entered.node, &[operand(0), operand(1)]),
                    _ => Interval::of(&entered.node, &[operand(0), operand(1), operand(2)]),
                }
            }
        };
        match interval.span() > entered.bounds.span() {
            true => entered.bounds,
            false => interval,
        }
    }
}

/// The shorter of the intervals in signed and in unsigned order around a function's values.
fn tabulated(function: &[u64; 256], members: &[u8], width: u32) -> Interval {
    let flip = 1u64 << (width - 1);
    let mut unsigned = (u64::MAX, 0);
    let mut signed = (u64::MAX, 0);
    for &member in members {
        let value = function[member as usize];
        unsigned = (unsigned.0.min(value), unsigned.1.max(value));
        let value = value ^ flip;
        signed = (signed.0.min(value), signed.1.max(value));
    }
    if signed.1 - signed.0 < unsigned.1 - unsigned.0 {
        let low = Interval::single((signed.0 ^ flip) as u128);
        let high = Interval::single((signed.1 ^ flip) as u128);
        return low.to(&high, width);
    }
    Interval::between(unsigned.0 as u128, unsigned.1 as u128)
}
