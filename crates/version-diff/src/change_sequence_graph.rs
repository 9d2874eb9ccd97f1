//! In which orders can changes be executed? (Thesis, Definition 14 and Algorithm 7.)
//!
//! The change sequence graph has the program's entry and exit and some *marked* places as
//! nodes, and an edge where control may pass from one to another without passing a third.
//! `of_changed_blocks` marks the changed basic blocks, which is what complexity is
//! measured on; `interactions` marks changed statements, outputs and interaction
//! locations for guidance (Algorithm 5).
//!
//! Calls are followed into functions that hold marks, and returns back to where the call
//! was made, which Algorithm 7 leaves out: per function it is found which marks can come
//! first, which last, and whether it can be passed without meeting one. A block is split
//! after a call that can meet a mark. Changed blocks that the program cannot reach are no
//! nodes; they are listed apart.

pub mod interactions;
mod sequence;

use crate::calls::Calls;
use crate::express::Points;
use program_ir::{Block, Func, Inst};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    Entry,
    Exit,
    /// A changed block; `part` is 0, or n for what follows its n-th call that can meet a
    /// change.
    Block {
        func: Func,
        block: Block,
        part: u32,
    },
    /// Change number n of the list that the graph was made for.
    Change(u32),
    /// A statement, known by its first instruction, that several changes may affect.
    Interaction(Func, Inst),
    /// An instruction that writes output.
    Output(Func, Inst),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ChangeSequenceGraph {
    pub nodes: BTreeSet<Node>,
    pub edges: BTreeSet<(Node, Node)>,
    /// Changed blocks that cannot be reached from the entry.
    pub unreachable: Vec<(Func, Block)>,
}

impl ChangeSequenceGraph {
    pub fn successors(&self, node: Node) -> impl Iterator<Item = Node> + '_ {
        let edges = self.edges.iter().filter(move |edge| edge.0 == node);
        edges.map(|edge| edge.1)
    }

    /// Connected components, directions ignored.
    pub fn component_count(&self) -> usize {
        let mut parent: HashMap<Node, Node> = self.nodes.iter().map(|&node| (node, node)).collect();
        fn root(parent: &HashMap<Node, Node>, mut node: Node) -> Node {
            while parent[&node] != node {
                node = parent[&node];
            }
            node
        }
        for &(from, to) in &self.edges {
            let (from, to) = (root(&parent, from), root(&parent, to));
            parent.insert(from, to);
        }
        self.nodes
            .iter()
            .filter(|&&node| parent[&node] == node)
            .count()
    }
}

/// Algorithm 7. Empty (without entry and exit) if no change can be reached.
pub fn of_changed_blocks(calls: &Calls<'_>, points: &Points) -> ChangeSequenceGraph {
    let mut graph = sequence::sequences(calls, &block_marks(points)).graph();
    let mut present = BTreeSet::new();
    for node in &graph.nodes {
        if let Node::Block { func, block, .. } = node {
            present.insert((*func, *block));
        }
    }
    for (&func, insts) in points {
        for (block, data) in calls.module.functions[func].blocks.iter() {
            let changed = data.insts.iter().any(|inst| insts.contains(inst));
            if changed && !present.contains(&(func, block)) {
                graph.unreachable.push((func, block));
            }
        }
    }
    graph
}

/// How many nodes and edges [`of_changed_blocks`] has, without drawing it out.
pub fn count_changed_blocks(calls: &Calls<'_>, points: &Points) -> (usize, usize) {
    sequence::sequences(calls, &block_marks(points)).counts()
}

fn block_marks(points: &Points) -> BTreeMap<(Func, Inst), sequence::Mark> {
    let mut marks = BTreeMap::new();
    for (&func, insts) in points {
        for &inst in insts {
            marks.insert((func, inst), sequence::Mark::Block);
        }
    }
    marks
}
