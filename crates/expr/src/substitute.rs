//! Substitution: terms for symbols, the result in canonical form.

use rustc_hash::FxHashMap;

use crate::op::{ExprId, Op};
use crate::store::Store;
use crate::symbol::{Model, SymbolId};

impl Store {
    /// `id` with every symbol of `replacement` replaced by a term of the same width.
    pub fn substitute(&mut self, id: ExprId, replacement: &FxHashMap<SymbolId, ExprId>) -> ExprId {
        let mut done: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut pending = vec![id];
        let (mut children, mut operands, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        while let Some(&id) = pending.last() {
            if done.contains_key(&id) {
                pending.pop();
                continue;
            }
            let node = *self.node(id);
            let untouched = !self
                .symbols_of(id)
                .iter()
                .any(|symbol| replacement.contains_key(&symbol));
            if untouched {
                done.insert(id, id);
                continue;
            }
            if node.op() == Op::Symbol {
                let term = replacement[&SymbolId(node.args[0])];
                assert_eq!(
                    self.width(term),
                    node.width(),
                    "substitution changes a width"
                );
                done.insert(id, term);
                continue;
            }
            children.clear();
            self.for_each_child(id, |child| children.push(child));
            let before = pending.len();
            pending.extend(children.iter().filter(|child| !done.contains_key(child)));
            if pending.len() > before {
                continue;
            }
            let arity = node.op().arity();
            operands.clear();
            operands.extend(children[..arity].iter().map(|child| done[child]));
            elements.clear();
            elements.extend(children[arity..].iter().map(|child| done[child]));
            let result = self.rebuild(&node, &operands, &elements);
            done.insert(id, result);
        }
        done[&id]
    }

    /// `id` with the model's symbols fixed to their values.
    pub fn substitute_model(&mut self, id: ExprId, model: &Model) -> ExprId {
        let mut replacement = FxHashMap::default();
        for (symbol, value) in model.iter() {
            let width = self.symbol(symbol).width();
            replacement.insert(symbol, self.constant(value as u128, width));
        }
        self.substitute(id, &replacement)
    }
}
