//! Which marked place can follow which, across calls and returns.
//!
//! A backward data-flow problem: for every block, the set of marks that control can come
//! to next from its start. Sets are bit sets over the marks, with one bit for "the function
//! returns first". A function is looked at again when what it calls has changed.

use super::{ChangeSequenceGraph, Node};
use crate::calls::Calls;
use program_graphs::Cfg;
use program_ir::{EntityRef, Func, Inst, InstData};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

/// How a marked instruction becomes a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    /// Its block (or part of a block) is the node.
    Block,
    /// This node. Several instructions may share it.
    Node(Node),
}

/// One step inside a block.
#[derive(Clone, Debug)]
enum BlockStep {
    /// Mark number.
    Node(usize),
    /// A call that can run a set of functions, all with marks in reach; `other` if it can
    /// also run something without.
    Call { callees: usize, other: bool },
}

/// Functions that some calls can run, and the union of their summaries. Calls through pointers share
/// large sets, so this is kept per set and not found again at each call.
struct Callees {
    functions: Vec<Func>,
    summary: Summary,
}

struct Body {
    cfg: Cfg,
    steps: Vec<Vec<BlockStep>>,
    /// Blocks where the function returns, and where the program ends.
    returns: Vec<bool>,
    ends: Vec<bool>,
}

/// The mark that stands for "the function returns before meeting one".
const RETURNS: usize = 0;
/// The program's exit.
const EXIT: usize = 1;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Marks(Vec<u64>);

impl Marks {
    fn insert(&mut self, mark: usize) {
        if self.0.len() <= mark / 64 {
            self.0.resize(mark / 64 + 1, 0);
        }
        self.0[mark / 64] |= 1 << (mark % 64);
    }

    fn remove(&mut self, mark: usize) {
        if let Some(word) = self.0.get_mut(mark / 64) {
            *word &= !(1 << (mark % 64));
        }
    }

    fn contains(&self, mark: usize) -> bool {
        let word = self.0.get(mark / 64).copied().unwrap_or(0);
        word >> (mark % 64) & 1 == 1
    }

    /// Whether anything was new.
    fn union_with(&mut self, other: &Marks) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grown = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= *more & !*word != 0;
            *word |= more;
        }
        grown
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(index, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| index * 64 + bit)
        })
    }
}

/// What a function looks like from a call of it, or what any of several does.
#[derive(Clone, Default)]
struct Summary {
    /// The marks that can come first; `RETURNS` if it can be passed without meeting one.
    first: Marks,
    /// The marks from which it can return without meeting another.
    last: Marks,
    /// What can come next where it is called, once it has returned.
    after: Marks,
}

/// The sequences as sets, before they are drawn out as a graph: with thousands of changed
/// blocks the edges are many.
pub(super) struct Sequences {
    nodes: Vec<Node>,
    /// By mark number.
    edges: Vec<Marks>,
    /// What the program can meet first.
    first: Marks,
    /// What the entry reaches.
    reached: Marks,
}

pub(super) fn sequences(calls: &Calls<'_>, marks: &BTreeMap<(Func, Inst), Mark>) -> Sequences {
    let marked = reaching(calls, marks);
    let mut search = SequenceSearch {
        nodes: vec![Node::Entry, Node::Exit],
        numbers: HashMap::from([(Node::Exit, EXIT)]),
        bodies: BTreeMap::new(),
        summaries: BTreeMap::new(),
        edges: Vec::new(),
        sets: Vec::new(),
        set_numbers: HashMap::new(),
    };
    for &func in &marked {
        let body = search.body(calls, marks, &marked, func);
        search.bodies.insert(func, body);
        search.summaries.insert(func, Summary::default());
    }
    search.solve();
    for set in &search.sets {
        for func in &set.functions {
            if let Some(summary) = search.summaries.get_mut(func) {
                summary.after.union_with(&set.summary.after);
            }
        }
    }
    let mut edges = search.edges;
    for summary in search.summaries.values() {
        for last in summary.last.iter() {
            edges[last].union_with(&summary.after);
        }
    }
    let mut first = Marks::default();
    for root in &calls.roots {
        if let Some(summary) = search.summaries.get(root) {
            first.union_with(&summary.first);
            for last in summary.last.iter() {
                edges[last].insert(EXIT);
            }
        }
    }
    first.remove(RETURNS);
    first.remove(EXIT);
    let mut reached = first.clone();
    let mut open: Vec<usize> = first.iter().collect();
    while let Some(mark) = open.pop() {
        for next in edges[mark].iter() {
            if !reached.contains(next) {
                reached.insert(next);
                open.push(next);
            }
        }
    }
    Sequences {
        nodes: search.nodes,
        edges,
        first,
        reached,
    }
}

impl Sequences {
    /// Nodes and edges of the graph, entry and exit included. Where no run that meets a mark ends there is
    /// no exit: as a node by itself it would count against the sequences that there are.
    pub(super) fn counts(&self) -> (usize, usize) {
        let marks = self.reached.iter().filter(|&mark| mark != EXIT);
        let (mut nodes, mut edges) = (0, self.first.count());
        for mark in marks {
            nodes += 1;
            edges += self.edges[mark].count();
        }
        if nodes == 0 {
            (0, 0)
        } else {
            (nodes + 1 + usize::from(self.ends()), edges)
        }
    }

    fn ends(&self) -> bool {
        self.reached.contains(EXIT)
    }

    pub(super) fn graph(&self) -> ChangeSequenceGraph {
        let mut graph = ChangeSequenceGraph::default();
        for mark in self.reached.iter().filter(|&mark| mark != EXIT) {
            let node = self.nodes[mark];
            graph.nodes.insert(node);
            let next = self.edges[mark].iter();
            graph
                .edges
                .extend(next.map(|next| (node, self.nodes[next])));
        }
        if !graph.nodes.is_empty() {
            graph.nodes.insert(Node::Entry);
            if self.ends() {
                graph.nodes.insert(Node::Exit);
            }
            let first = self.first.iter();
            graph
                .edges
                .extend(first.map(|mark| (Node::Entry, self.nodes[mark])));
        }
        graph
    }
}

/// The functions that can meet a mark.
fn reaching(calls: &Calls<'_>, marks: &BTreeMap<(Func, Inst), Mark>) -> BTreeSet<Func> {
    let mut found = BTreeSet::new();
    let mut open: Vec<Func> = marks.keys().map(|&(func, _)| func).collect();
    while let Some(func) = open.pop() {
        let has_body = !calls.module.functions[func].is_declaration();
        if has_body && calls.reached.binary_search(&func).is_ok() && found.insert(func) {
            open.extend(calls.callers(func).iter().map(|(caller, _)| *caller));
        }
    }
    found
}

struct SequenceSearch {
    /// By mark number; `nodes[RETURNS]` is not used.
    nodes: Vec<Node>,
    numbers: HashMap<Node, usize>,
    bodies: BTreeMap<Func, Body>,
    summaries: BTreeMap<Func, Summary>,
    /// By mark number.
    edges: Vec<Marks>,
    sets: Vec<Callees>,
    set_numbers: HashMap<Vec<Func>, usize>,
}

impl SequenceSearch {
    fn set_number(&mut self, functions: Vec<Func>) -> usize {
        let next = self.sets.len();
        let number = *self.set_numbers.entry(functions.clone()).or_insert(next);
        if number == next {
            self.sets.push(Callees {
                functions,
                summary: Summary::default(),
            });
        }
        number
    }

    fn number(&mut self, node: Node) -> usize {
        let next = self.nodes.len();
        let number = *self.numbers.entry(node).or_insert(next);
        if number == next {
            self.nodes.push(node);
        }
        number
    }

    fn body(
        &mut self,
        calls: &Calls<'_>,
        marks: &BTreeMap<(Func, Inst), Mark>,
        marked: &BTreeSet<Func>,
        func: Func,
    ) -> Body {
        let function = &calls.module.functions[func];
        let count = function.blocks.len();
        let mut body = Body {
            steps: vec![Vec::new(); count],
            returns: vec![false; count],
            ends: vec![false; count],
            cfg: calls.cfg(func),
        };
        for &block in body.cfg.reverse_post_order() {
            let mut part = 0;
            let steps = &mut body.steps[block.index()];
            let insts = body.cfg.live_insts(function, block);
            for &inst in insts {
                let node = match marks.get(&(func, inst)) {
                    Some(Mark::Block) => Some(Node::Block { func, block, part }),
                    Some(Mark::Node(node)) => Some(*node),
                    None => None,
                };
                if let Some(node) = node {
                    let number = self.number(node);
                    if !matches!(steps.last(), Some(BlockStep::Node(last)) if *last == number) {
                        steps.push(BlockStep::Node(number));
                    }
                }
                let targets = calls.targets(func, inst);
                let with_marks = targets.iter().copied().filter(|one| marked.contains(one));
                let callees: Vec<Func> = with_marks.collect();
                if !callees.is_empty() {
                    part += 1;
                    let other = callees.len() < targets.len();
                    let callees = self.set_number(callees);
                    steps.push(BlockStep::Call { callees, other });
                }
            }
            let last = insts.last().map(|&inst| &function.insts[inst].data);
            let returns = matches!(last, Some(InstData::Return { .. } | InstData::Resume));
            body.returns[block.index()] = returns;
            body.ends[block.index()] = !returns && body.cfg.is_exit(block);
        }
        body
    }

    /// Looks at functions until nothing is added: everything only grows.
    fn solve(&mut self) {
        self.edges = vec![Marks::default(); self.nodes.len()];
        // The sets that hold a function, and the functions that call one of a set.
        let mut sets_of: BTreeMap<Func, Vec<usize>> = BTreeMap::new();
        for (number, set) in self.sets.iter().enumerate() {
            for &func in &set.functions {
                sets_of.entry(func).or_default().push(number);
            }
        }
        let mut callers: Vec<BTreeSet<Func>> = vec![BTreeSet::new(); self.sets.len()];
        for (&func, body) in &self.bodies {
            for step in body.steps.iter().flatten() {
                if let BlockStep::Call { callees, .. } = step {
                    callers[*callees].insert(func);
                }
            }
        }
        let mut queue: VecDeque<Func> = self.bodies.keys().copied().collect();
        let mut waiting: BTreeSet<Func> = self.bodies.keys().copied().collect();
        while let Some(func) = queue.pop_front() {
            waiting.remove(&func);
            if !self.visit(func) {
                continue;
            }
            for &set in sets_of.get(&func).into_iter().flatten() {
                let (summary, all) = (&self.summaries[&func], &mut self.sets[set].summary);
                let first_grown = all.first.union_with(&summary.first);
                let last_grown = all.last.union_with(&summary.last);
                if !first_grown && !last_grown {
                    continue;
                }
                for &caller in &callers[set] {
                    if waiting.insert(caller) {
                        queue.push_back(caller);
                    }
                }
            }
        }
    }

    /// Whether the function's summary has grown.
    fn visit(&mut self, func: Func) -> bool {
        let body = &self.bodies[&func];
        let mut starts = vec![Marks::default(); body.steps.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for &block in body.cfg.reverse_post_order().iter().rev() {
                let mut next = self.at_end(body, block.index(), &starts);
                for step in body.steps[block.index()].iter().rev() {
                    next = self.before(step, next);
                }
                changed |= starts[block.index()].union_with(&next);
            }
        }
        let mut summary = self.summaries[&func].clone();
        let mut grown = false;
        if let Some(entry) = body.cfg.entry() {
            grown |= summary.first.union_with(&starts[entry.index()]);
        }
        let mut edges: Vec<(usize, Marks)> = Vec::new();
        let mut after: BTreeMap<usize, Marks> = BTreeMap::new();
        for &block in body.cfg.reverse_post_order() {
            if body.steps[block.index()].is_empty() {
                continue;
            }
            let mut next = self.at_end(body, block.index(), &starts);
            for step in body.steps[block.index()].iter().rev() {
                let returns = next.contains(RETURNS);
                let mut following = next.clone();
                following.remove(RETURNS);
                match step {
                    BlockStep::Node(mark) => {
                        edges.push((*mark, following));
                        if returns && !summary.last.contains(*mark) {
                            summary.last.insert(*mark);
                            grown = true;
                        }
                    }
                    BlockStep::Call { callees, .. } => {
                        after.entry(*callees).or_default().union_with(&following);
                        if returns {
                            let last = &self.sets[*callees].summary.last;
                            grown |= summary.last.union_with(last);
                        }
                    }
                }
                next = self.before(step, next);
            }
        }
        self.summaries.insert(func, summary);
        for (mark, following) in edges {
            self.edges[mark].union_with(&following);
        }
        for (set, following) in after {
            self.sets[set].summary.after.union_with(&following);
        }
        grown
    }

    /// What comes next at the end of a block.
    fn at_end(&self, body: &Body, block: usize, starts: &[Marks]) -> Marks {
        let mut next = Marks::default();
        if body.returns[block] {
            next.insert(RETURNS);
        }
        if body.ends[block] {
            next.insert(EXIT);
        }
        for following in body.cfg.successors(program_ir::Block::new(block)) {
            next.union_with(&starts[following.index()]);
        }
        next
    }

    /// What comes next before a step, given what comes after it.
    fn before(&self, step: &BlockStep, after: Marks) -> Marks {
        let mut next = Marks::default();
        match step {
            BlockStep::Node(mark) => next.insert(*mark),
            BlockStep::Call { callees, other } => {
                next.union_with(&self.sets[*callees].summary.first);
                let passable = *other || next.contains(RETURNS);
                next.remove(RETURNS);
                if passable {
                    next.union_with(&after);
                }
            }
        }
        next
    }
}
