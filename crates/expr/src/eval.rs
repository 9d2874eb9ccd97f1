//! Evaluation under a model: a memoised walk for single questions, and a compiled term for asking
//! about one term under many models.

use rustc_hash::FxHashMap;

use crate::op::{ExprId, MAX_ARITH_WIDTH, Op};
use crate::semantics::{Operands, apply};
use crate::store::Store;
use crate::symbol::{Model, SymbolId};

/// Evaluates terms under one model and remembers every subterm, so asking about a path condition
/// again with one more branch costs only the new nodes.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    model: Model,
    known: FxHashMap<ExprId, u128>,
    pending: Vec<ExprId>,
}

impl Evaluation {
    pub fn new(model: Model) -> Evaluation {
        Evaluation {
            model,
            known: FxHashMap::default(),
            pending: Vec::new(),
        }
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    /// How many values are remembered.
    pub fn remembered(&self) -> usize {
        self.known.len()
    }

    /// Drops the remembered values, not the model.
    pub fn forget(&mut self) {
        self.known = FxHashMap::default();
    }

    /// Whether a 1-bit term is true.
    pub fn holds(&mut self, store: &Store, condition: ExprId) -> bool {
        self.value(store, condition) == 1
    }

    /// The value of a term of at most 128 bits.
    pub fn value(&mut self, store: &Store, id: ExprId) -> u128 {
        let width = store.width(id);
        assert!(width <= MAX_ARITH_WIDTH, "value of a term of {width} bits");
        if let Some(value) = self.known_value(store, id) {
            return value;
        }
        self.pending.push(id);
        while let Some(&id) = self.pending.last() {
            if self.known.contains_key(&id) {
                self.pending.pop();
                continue;
            }
            if let Some(value) = self.step(store, id) {
                self.known.insert(id, value);
                self.pending.pop();
            }
        }
        self.known[&id]
    }

    #[inline]
    fn known_value(&self, store: &Store, id: ExprId) -> Option<u128> {
        let node = store.node(id);
        match node.op() {
            Op::Const => store.constant_value(id),
            Op::Symbol => Some(self.model.value(SymbolId(node.args[0])) as u128),
            _ => self.known.get(&id).copied(),
        }
    }

    /// The value if all operands are known; otherwise puts the missing ones on the stack. Only the
    /// taken arm of an ite and the chosen element of a table are evaluated.
    fn step(&mut self, store: &Store, id: ExprId) -> Option<u128> {
        let node = store.node(id);
        if node.op() == Op::Ite || node.op() == Op::Lookup {
            let selector = self.need(store, node.arg(0))?;
            let chosen = if node.op() == Op::Lookup {
                let elements = store.table_elements(node);
                let last = elements.len() - 1;
                elements[usize::try_from(selector).unwrap_or(last).min(last)]
            } else if selector == 1 {
                node.arg(1)
            } else {
                node.arg(2)
            };
            return self.need(store, chosen);
        }
        let mut operands = Operands {
            values: [0; 3],
            widths: [0; 3],
            immediate: node.immediate(),
        };
        let mut missing = false;
        for (index, operand) in node.operands().enumerate() {
            match self.need(store, operand) {
                Some(value) => operands.values[index] = value,
                None => missing = true,
            }
            operands.widths[index] = store.width(operand);
        }
        if missing {
            return None;
        }
        Some(apply(node.op(), node.width(), &operands))
    }

    fn need(&mut self, store: &Store, id: ExprId) -> Option<u128> {
        let value = self.known_value(store, id);
        if value.is_none() {
            self.pending.push(id);
        }
        value
    }
}

impl Store {
    /// The value of one term under a model. For many questions keep an [`Evaluation`].
    pub fn eval(&self, id: ExprId, model: &Model) -> u128 {
        Evaluation::new(model.clone()).value(self, id)
    }
}

/// One step of a compiled term: operands are positions in the value array.
#[derive(Clone, Copy, Debug)]
struct CompiledNode {
    op: Op,
    width: u32,
    widths: [u32; 3],
    immediate: u32,
    operands: [u32; 3],
    /// First element and number of elements of a lookup, in `Compiled::elements`.
    table: (u32, u32),
}

/// A set of terms flattened into a list of steps, for enumerating models.
#[derive(Clone, Debug)]
pub struct Compiled {
    values: Vec<u128>,
    symbols: Vec<(SymbolId, u32)>,
    steps: Vec<(u32, CompiledNode)>,
    elements: Vec<u32>,
    roots: Vec<u32>,
}

impl Compiled {
    /// Flattens the terms below `roots`; `None` if there are more than `limit` of them.
    pub fn new(store: &Store, roots: &[ExprId], limit: usize) -> Option<Compiled> {
        let mut position: FxHashMap<ExprId, u32> = FxHashMap::default();
        let mut cone: Vec<ExprId> = Vec::new();
        let mut pending: Vec<ExprId> = roots.to_vec();
        while let Some(id) = pending.pop() {
            if position.insert(id, 0).is_some() {
                continue;
            }
            if cone.len() == limit || store.width(id) > MAX_ARITH_WIDTH {
                return None;
            }
            cone.push(id);
            store.for_each_child(id, |child| pending.push(child));
        }
        // Operands are older than their users.
        cone.sort_unstable();
        let mut compiled = Compiled {
            values: vec![0; cone.len()],
            symbols: Vec::new(),
            steps: Vec::new(),
            elements: Vec::new(),
            roots: Vec::new(),
        };
        for (index, &id) in cone.iter().enumerate() {
            position.insert(id, index as u32);
            let index = index as u32;
            let node = store.node(id);
            match node.op() {
                Op::Const => {
                    compiled.values[index as usize] = store.constant_value(id).unwrap_or(0);
                }
                Op::Symbol => compiled.symbols.push((SymbolId(node.args[0]), index)),
                op => {
                    let mut step = CompiledNode {
                        op,
                        width: node.width(),
                        widths: [0; 3],
                        immediate: node.immediate(),
                        operands: [0; 3],
                        table: (compiled.elements.len() as u32, 0),
                    };
                    for (slot, operand) in node.operands().enumerate() {
                        step.operands[slot] = position[&operand];
                        step.widths[slot] = store.width(operand);
                    }
                    if op == Op::Lookup {
                        let elements = store.table_elements(node);
                        step.table.1 = elements.len() as u32;
                        compiled
                            .elements
                            .extend(elements.iter().map(|id| position[id]));
                    }
                    compiled.steps.push((index, step));
                }
            }
        }
        compiled.roots = roots.iter().map(|root| position[root]).collect();
        Some(compiled)
    }

    /// How many terms are computed in a run.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The symbols the terms depend on.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + '_ {
        self.symbols.iter().map(|&(symbol, _)| symbol)
    }

    /// Computes every term with the symbols' values given by `assign`.
    pub fn run(&mut self, assign: impl Fn(SymbolId) -> u64) {
        for &(symbol, position) in &self.symbols {
            self.values[position as usize] = assign(symbol) as u128;
        }
        for &(position, step) in &self.steps {
            let value = |operand: u32| self.values[operand as usize];
            self.values[position as usize] = if step.op == Op::Lookup {
                let last = step.table.1 - 1;
                let index = u32::try_from(value(step.operands[0]))
                    .unwrap_or(last)
                    .min(last);
                value(self.elements[(step.table.0 + index) as usize])
            } else {
                let operands = Operands {
                    values: step.operands.map(value),
                    widths: step.widths,
                    immediate: step.immediate,
                };
                apply(step.op, step.width, &operands)
            };
        }
    }

    /// The value of root `index` after the last run.
    pub fn result(&self, index: usize) -> u128 {
        self.values[self.roots[index] as usize]
    }

    /// Whether every root (each of 1 bit) was true in the last run.
    pub fn all_hold(&self) -> bool {
        self.roots
            .iter()
            .all(|&root| self.values[root as usize] == 1)
    }
}
