//! The store: one growing array of nodes, interned, with facts and symbol sets beside them.
//!
//! Operands are always older than the node that uses them, so ids are a topological order: every pass
//! over a term is a loop, not a recursion. A store belongs to one thread; both program versions share
//! it, which is what makes equal computations equal ids.

use hashbrown::HashTable;

use crate::facts::{self, Facts};
use crate::interned::Interned;
use crate::op::{ExprId, MAX_ARITH_WIDTH, MAX_WIDTH, Node, Op};
use crate::rules::Rule;
use crate::semantics::{Operands, apply, mask};
use crate::symbol::{Symbol, SymbolId};
use crate::symbol_set::{SymbolSet, SymbolSetId, SymbolSets};
use crate::table::{Table, TableId, Tables};
use crate::words::Words;

/// How many results of rules are remembered before they are all forgotten.
const MOST_REWRITTEN: usize = 1 << 20;

/// One application of a rule: `before` was asked for, `after` was given.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rewrite {
    pub rule: Rule,
    pub before: Node,
    pub after: ExprId,
}

/// All terms of one worker.
#[derive(Debug)]
pub struct Store {
    pub(crate) nodes: Vec<Node>,
    facts: Vec<Facts>,
    symbol_sets_of: Vec<SymbolSetId>,
    interned: HashTable<u32>,
    /// Results of rules by the node asked for: a run asks for the same terms again and again.
    rewritten: HashTable<(Node, ExprId)>,
    /// Constants of more than 64 bits.
    wide_constants: Interned<u128>,
    symbols: Interned<Symbol>,
    sets: SymbolSets,
    pub(crate) tables: Tables,
    pub(crate) work: u64,
    rule_counts: [u64; Rule::ALL.len()],
    recorded: Option<Vec<Rewrite>>,
    pub(crate) words: Words,
    always_false: ExprId,
    always_true: ExprId,
}

impl Default for Store {
    fn default() -> Store {
        Store::new()
    }
}

impl Store {
    pub fn new() -> Store {
        let placeholder = Node::new(Op::Const, 1, [0; 3]);
        let mut store = Store {
            nodes: vec![placeholder],
            facts: vec![Facts::constant(0)],
            symbol_sets_of: vec![SymbolSetId::EMPTY],
            interned: HashTable::new(),
            rewritten: HashTable::new(),
            wide_constants: Interned::default(),
            symbols: Interned::default(),
            sets: SymbolSets::new(),
            tables: Tables::default(),
            work: 0,
            rule_counts: [0; Rule::ALL.len()],
            recorded: None,
            words: Words::default(),
            always_false: ExprId::stored(1),
            always_true: ExprId::stored(2),
        };
        store.always_false = store.constant(0, 1);
        store.always_true = store.constant(1, 1);
        store
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// How often a term was asked for, or an element of a table looked at: a measure of time that is the same on every
    /// machine.
    pub fn work(&self) -> u64 {
        self.work
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()]
    }

    #[inline]
    pub fn op(&self, id: ExprId) -> Op {
        self.nodes[id.index()].op
    }

    #[inline]
    pub fn width(&self, id: ExprId) -> u32 {
        self.nodes[id.index()].width as u32
    }

    /// The value of a constant term.
    #[inline]
    pub fn constant_value(&self, id: ExprId) -> Option<u128> {
        let node = &self.nodes[id.index()];
        if node.op != Op::Const {
            return None;
        }
        Some(if node.width <= 64 {
            (node.args[1] as u128) << 32 | node.args[0] as u128
        } else {
            *self.wide_constants.get(node.args[0])
        })
    }

    #[inline]
    pub fn is_constant(&self, id: ExprId) -> bool {
        self.op(id) == Op::Const
    }

    pub fn truth(&self, value: bool) -> ExprId {
        if value {
            self.always_true
        } else {
            self.always_false
        }
    }

    /// Whether a 1-bit term is the constant true / false.
    pub fn is_true(&self, id: ExprId) -> bool {
        id == self.always_true
    }

    pub fn is_false(&self, id: ExprId) -> bool {
        id == self.always_false
    }

    /// Known bits and interval; `None` for terms wider than 64 bits.
    #[inline]
    pub fn facts(&self, id: ExprId) -> Option<Facts> {
        (self.width(id) <= 64).then(|| self.facts[id.index()])
    }

    /// The symbols a term depends on.
    #[inline]
    pub fn symbols_of(&self, id: ExprId) -> &SymbolSet {
        self.sets.get(self.symbol_sets_of[id.index()])
    }

    #[inline]
    pub fn symbol_set_id(&self, id: ExprId) -> SymbolSetId {
        self.symbol_sets_of[id.index()]
    }

    pub fn symbol_set(&self, id: SymbolSetId) -> &SymbolSet {
        self.sets.get(id)
    }

    /// The union of two sets of symbols, interned.
    pub fn union_symbols(&mut self, a: SymbolSetId, b: SymbolSetId) -> SymbolSetId {
        self.sets.union(a, b)
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        self.symbols.get(id.0)
    }

    /// The id of a symbol, if some term uses it.
    pub fn find_symbol(&self, symbol: &Symbol) -> Option<SymbolId> {
        self.symbols.find(symbol).map(SymbolId)
    }

    /// The term of a symbol, if it was made.
    pub fn find_symbol_term(&self, id: SymbolId) -> Option<ExprId> {
        let node = Node::new(Op::Symbol, self.symbol(id).width(), [id.0, 0, 0]);
        self.find(&node)
    }

    #[inline]
    fn find(&self, node: &Node) -> Option<ExprId> {
        let found = self
            .interned
            .find(hash_node(node), |&id| self.nodes[id as usize] == *node);
        found.map(|&id| ExprId::stored(id))
    }

    /// The symbol of a `Symbol` term.
    #[inline]
    pub fn as_symbol(&self, id: ExprId) -> Option<SymbolId> {
        let node = self.node(id);
        (node.op == Op::Symbol).then_some(SymbolId(node.args[0]))
    }

    pub fn symbol_count(&self) -> usize {
        self.symbols.len()
    }

    pub(crate) fn table(&self, id: TableId) -> &Table {
        self.tables.get(id)
    }

    /// The elements of a `Lookup` node's table.
    pub fn table_elements(&self, lookup: &Node) -> &[ExprId] {
        assert_eq!(lookup.op, Op::Lookup, "only lookups have a table");
        &self.table(TableId(lookup.args[1])).elements
    }

    /// Calls `visit` for every direct subterm: operands, and the elements of a lookup's table.
    pub fn for_each_child(&self, id: ExprId, mut visit: impl FnMut(ExprId)) {
        let node = self.node(id);
        node.operands().for_each(&mut visit);
        if node.op == Op::Lookup {
            self.table_elements(node).iter().copied().for_each(visit);
        }
    }

    /// How often each rule fired, not counting results that were remembered.
    pub fn rule_counts(&self) -> impl Iterator<Item = (Rule, u64)> + '_ {
        Rule::ALL
            .iter()
            .map(|&rule| (rule, self.rule_counts[rule as usize]))
    }

    /// Starts keeping every rule application, for proofs.
    pub fn record_rewrites(&mut self) {
        self.recorded = Some(Vec::new());
    }

    /// Hands over the applications kept since the last call.
    pub fn take_rewrites(&mut self) -> Vec<Rewrite> {
        self.recorded
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Adds a node as it stands: no rule is applied and no other term will share it. For tests that
    /// compare a rewritten term with the one asked for.
    pub fn unsimplified(&mut self, node: Node) -> ExprId {
        self.push(node)
    }

    /// A 1-bit term, not simplified either, that is true where a rewrite would be wrong.
    pub fn refutation(&mut self, rewrite: &Rewrite) -> ExprId {
        let before = self.push(rewrite.before);
        let equal = self.push(Node::binary(Op::Eq, 1, before, rewrite.after));
        self.push(Node::unary(Op::Not, 1, equal))
    }

    /// A constant of at most 128 bits.
    #[inline]
    pub fn constant(&mut self, value: u128, width: u32) -> ExprId {
        assert!(
            (1..=MAX_ARITH_WIDTH).contains(&width),
            "constant of {width} bits"
        );
        self.work += 1;
        let value = value & mask(width);
        let args = if width <= 64 {
            [value as u32, (value >> 32) as u32, 0]
        } else {
            [self.wide_constants.id(&value), 0, 0]
        };
        self.intern(Node::new(Op::Const, width, args))
    }

    /// The term of an input byte or count.
    pub fn symbol_term(&mut self, symbol: &Symbol) -> ExprId {
        let id = SymbolId(self.symbols.id(symbol));
        self.symbol_id_term(id)
    }

    /// The term of a symbol that is already known.
    pub fn symbol_id_term(&mut self, id: SymbolId) -> ExprId {
        let width = self.symbol(id).width();
        self.intern(Node::new(Op::Symbol, width, [id.0, 0, 0]))
    }

    /// The canonical term for a node: an existing one, the result of the first rule that applies, or
    /// a new one.
    #[inline]
    pub(crate) fn make(&mut self, node: Node) -> ExprId {
        self.work += 1;
        let mut node = node;
        if node.op.is_commutative() && self.swap_operands(&node) {
            self.rule_counts[Rule::CommuteOperands as usize] += 1;
            let before = node;
            node.args.swap(0, 1);
            if self.recorded.is_some() {
                // The proof compares the two orders themselves, before any other rule.
                let after = self.push(node);
                self.record(Rule::CommuteOperands, before, after);
            }
        }
        if let Some(id) = self.find(&node) {
            return id;
        }
        let remembered = self
            .rewritten
            .find(hash_node(&node), |(known, _)| *known == node);
        match remembered {
            Some(&(_, id)) => id,
            None => self.make_new(node),
        }
    }

    fn make_new(&mut self, node: Node) -> ExprId {
        let rewrite = self.fold_constants(&node).or_else(|| self.rewrite(&node));
        if let Some((rule, result)) = rewrite {
            return self.rewritten(rule, node, result);
        }
        if node.width <= 64
            && let Some(value) = self.facts_of(&node).value()
        {
            let result = self.constant(value as u128, node.width());
            return self.rewritten(Rule::KnownBits, node, result);
        }
        self.intern(node)
    }

    fn rewritten(&mut self, rule: Rule, before: Node, after: ExprId) -> ExprId {
        self.rule_counts[rule as usize] += 1;
        if self.recorded.is_some() {
            self.record(rule, before, after);
            return after;
        }
        if self.rewritten.len() >= MOST_REWRITTEN {
            self.rewritten.clear();
        }
        let hash = |(node, _): &(Node, ExprId)| hash_node(node);
        self.rewritten
            .insert_unique(hash_node(&before), (before, after), hash);
        after
    }

    fn record(&mut self, rule: Rule, before: Node, after: ExprId) {
        if let Some(recorded) = &mut self.recorded {
            recorded.push(Rewrite {
                rule,
                before,
                after,
            });
        }
    }

    #[inline]
    fn swap_operands(&self, node: &Node) -> bool {
        let [a, b, _] = node.args;
        let constant = |id: u32| self.nodes[id as usize].op == Op::Const;
        match (constant(a), constant(b)) {
            (true, false) => true,
            (false, true) => false,
            _ => a > b,
        }
    }

    fn fold_constants(&mut self, node: &Node) -> Option<(Rule, ExprId)> {
        if node.op.arity() == 0 || node.op == Op::Lookup || node.width() > MAX_ARITH_WIDTH {
            return None;
        }
        let operands = self.constant_operands(node)?;
        let value = apply(node.op, node.width(), &operands);
        Some((Rule::FoldConstants, self.constant(value, node.width())))
    }

    fn constant_operands(&self, node: &Node) -> Option<Operands> {
        let mut operands = Operands {
            values: [0; 3],
            widths: [0; 3],
            immediate: node.immediate(),
        };
        for (index, operand) in node.operands().enumerate() {
            operands.values[index] = self.constant_value(operand)?;
            operands.widths[index] = self.width(operand);
        }
        Some(operands)
    }

    #[inline]
    fn intern(&mut self, node: Node) -> ExprId {
        debug_assert!((1..=MAX_WIDTH).contains(&node.width()));
        let hash = hash_node(&node);
        if let Some(&id) = self
            .interned
            .find(hash, |&id| self.nodes[id as usize] == node)
        {
            return ExprId::stored(id);
        }
        let id = self.push(node);
        let nodes = &self.nodes;
        self.interned
            .insert_unique(hash, id.raw(), |&id| hash_node(&nodes[id as usize]));
        id
    }

    fn push(&mut self, node: Node) -> ExprId {
        let facts = if node.width <= 64 {
            self.facts_of(&node)
        } else {
            Facts::unknown(64)
        };
        let mut symbols = match node.op {
            Op::Symbol => self.sets.single(SymbolId(node.args[0])),
            Op::Lookup => self.table(TableId(node.args[1])).symbols,
            _ => SymbolSetId::EMPTY,
        };
        for operand in node.operands() {
            symbols = self
                .sets
                .union(symbols, self.symbol_sets_of[operand.index()]);
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        self.nodes.push(node);
        self.facts.push(facts);
        self.symbol_sets_of.push(symbols);
        ExprId::stored(id)
    }

    pub(crate) fn facts_of(&self, node: &Node) -> Facts {
        match node.op {
            Op::Const => Facts::constant((node.args[1] as u64) << 32 | node.args[0] as u64),
            Op::Symbol => Facts::unknown(node.width()),
            Op::Lookup => self.table(TableId(node.args[1])).facts,
            op => {
                let mut operands = [None; 3];
                let mut widths = [0; 3];
                for (index, operand) in node.operands().enumerate() {
                    operands[index] = self.facts(operand);
                    widths[index] = self.width(operand);
                }
                facts::transfer(op, node.width(), node.immediate(), operands, widths)
            }
        }
    }
}

/// Two multiplications and a fold: the node is 16 bytes, and the table wants its top seven bits mixed.
#[inline]
fn hash_node(node: &Node) -> u64 {
    let head = (node.op as u64) << 16 | node.width as u64 | (node.args[0] as u64) << 32;
    let tail = (node.args[1] as u64) << 32 | node.args[2] as u64;
    let mixed = (head ^ 0x243f_6a88_85a3_08d3) as u128
        * (tail ^ 0x1319_8a2e_0370_7344).wrapping_mul(0x9e37_79b9_7f4a_7c15) as u128;
    let folded = (mixed as u64) ^ (mixed >> 64) as u64;
    folded.wrapping_mul(0xd6e8_feb8_6659_fd93)
        ^ head.rotate_left(29).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}
