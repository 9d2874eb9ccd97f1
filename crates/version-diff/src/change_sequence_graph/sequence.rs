//! Which marked place can follow which, across calls and returns.

use super::{ChangeSequenceGraph, Node};
use crate::calls::Calls;
use program_graphs::Cfg;
use program_ir::{Block, EntityRef, Func, Inst, InstData};
use std::collections::{BTreeMap, BTreeSet};

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
enum Step {
    Node(Node),
    /// A call that can run these functions, all with marks in reach; `other` if it can
    /// also run something without.
    Call {
        callees: Vec<Func>,
        other: bool,
    },
}

struct Body {
    cfg: Cfg,
    steps: Vec<Vec<Step>>,
    /// Blocks where the function returns, and where the program ends.
    returns: Vec<bool>,
    ends: Vec<bool>,
}

/// What a function looks like from a call of it.
#[derive(Clone, Default, PartialEq)]
struct Summary {
    first: BTreeSet<Node>,
    last: BTreeSet<Node>,
    /// It can be run without meeting a mark.
    is_passable: bool,
}

/// What can come next from a place.
#[derive(Clone, Default)]
struct Next {
    nodes: BTreeSet<Node>,
    returns: bool,
}

pub(super) fn sequence_graph(
    calls: &Calls<'_>,
    marks: &BTreeMap<(Func, Inst), Mark>,
) -> ChangeSequenceGraph {
    let marked = reaching(calls, marks);
    let mut search = Search {
        bodies: BTreeMap::new(),
        summaries: BTreeMap::new(),
        edges: BTreeSet::new(),
    };
    for &func in &marked {
        search
            .bodies
            .insert(func, body(calls, marks, &marked, func));
        search.summaries.insert(func, Summary::default());
    }
    search.solve();
    let mut graph = ChangeSequenceGraph::default();
    let mut edges = search.edges;
    for root in &calls.roots {
        if let Some(summary) = search.summaries.get(root) {
            edges.extend(summary.first.iter().map(|&node| (Node::Entry, node)));
            edges.extend(summary.last.iter().map(|&node| (node, Node::Exit)));
        }
    }
    // Keep what the entry reaches.
    let mut open = vec![Node::Entry];
    let mut reached = BTreeSet::from([Node::Entry]);
    while let Some(node) = open.pop() {
        for &(_, next) in edges
            .range((node, Node::Entry)..)
            .take_while(|edge| edge.0 == node)
        {
            graph.edges.insert((node, next));
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    if reached.len() > 1 {
        graph.nodes = reached;
        graph.nodes.insert(Node::Exit);
    } else {
        graph.edges.clear();
    }
    graph
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

fn body(
    calls: &Calls<'_>,
    marks: &BTreeMap<(Func, Inst), Mark>,
    marked: &BTreeSet<Func>,
    func: Func,
) -> Body {
    let function = &calls.module.functions[func];
    let cfg = calls.cfg(func);
    let count = function.blocks.len();
    let mut body = Body {
        steps: vec![Vec::new(); count],
        returns: vec![false; count],
        ends: vec![false; count],
        cfg,
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
            if let Some(node) = node
                && !matches!(steps.last(), Some(Step::Node(last)) if *last == node)
            {
                steps.push(Step::Node(node));
            }
            let targets = calls.targets(func, inst);
            let callees: Vec<Func> = targets
                .iter()
                .copied()
                .filter(|one| marked.contains(one))
                .collect();
            if !callees.is_empty() {
                part += 1;
                let other = callees.len() < targets.len();
                steps.push(Step::Call { callees, other });
            }
        }
        let last = insts.last().map(|&inst| &function.insts[inst].data);
        let returns = matches!(last, Some(InstData::Return { .. } | InstData::Resume));
        body.returns[block.index()] = returns;
        body.ends[block.index()] = !returns && body.cfg.is_exit(block);
    }
    body
}

struct Search {
    bodies: BTreeMap<Func, Body>,
    summaries: BTreeMap<Func, Summary>,
    edges: BTreeSet<(Node, Node)>,
}

impl Search {
    /// Repeats until nothing is added: everything only grows.
    fn solve(&mut self) {
        loop {
            let before = (self.edges.len(), self.summaries.clone());
            let funcs: Vec<Func> = self.bodies.keys().copied().collect();
            for func in funcs {
                self.visit(func);
            }
            if (self.edges.len(), &self.summaries) == (before.0, &before.1) {
                return;
            }
        }
    }

    fn visit(&mut self, func: Func) {
        let body = &self.bodies[&func];
        let mut summary = self.summaries[&func].clone();
        let mut edges = Vec::new();
        if let Some(entry) = body.cfg.entry() {
            let next = self.next(body, entry, 0);
            summary.is_passable |= next.returns;
            summary.first.extend(next.nodes);
        }
        for &block in body.cfg.reverse_post_order() {
            for (index, step) in body.steps[block.index()].iter().enumerate() {
                let sources: BTreeSet<Node> = match step {
                    Step::Node(node) => BTreeSet::from([*node]),
                    Step::Call { callees, .. } => {
                        let last = callees
                            .iter()
                            .flat_map(|callee| &self.summaries[callee].last);
                        last.copied().collect()
                    }
                };
                if sources.is_empty() {
                    continue;
                }
                let next = self.next(body, block, index + 1);
                for source in sources {
                    edges.extend(next.nodes.iter().map(|&node| (source, node)));
                    if next.returns {
                        summary.last.insert(source);
                    }
                }
            }
        }
        // A function without a mark before its end is passed, not entered.
        summary.first.remove(&Node::Exit);
        self.edges.extend(edges);
        self.summaries.insert(func, summary);
    }

    /// What can come next from step `index` of `block` on.
    fn next(&self, body: &Body, block: Block, index: usize) -> Next {
        let mut found = Next::default();
        let mut seen = vec![false; body.steps.len()];
        let mut open = vec![(block, index)];
        while let Some((block, index)) = open.pop() {
            if !self.walk(body, block, index, &mut found) {
                continue;
            }
            found.returns |= body.returns[block.index()];
            if body.ends[block.index()] {
                found.nodes.insert(Node::Exit);
            }
            for next in body.cfg.successors(block) {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    open.push((next, 0));
                }
            }
        }
        found
    }

    /// Walks the steps of one block; whether its end is reached without a mark.
    fn walk(&self, body: &Body, block: Block, index: usize, found: &mut Next) -> bool {
        for step in &body.steps[block.index()][index..] {
            match step {
                Step::Node(node) => {
                    found.nodes.insert(*node);
                    return false;
                }
                Step::Call { callees, other } => {
                    let mut passable = *other;
                    for callee in callees {
                        let summary = &self.summaries[callee];
                        found.nodes.extend(&summary.first);
                        passable |= summary.is_passable;
                    }
                    if !passable {
                        return false;
                    }
                }
            }
        }
        true
    }
}
