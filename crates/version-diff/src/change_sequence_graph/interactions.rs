//! The change sequence graph with interaction locations (thesis §4.4, Definition 11,
//! Algorithm 5), which guides the search for change-interaction errors.
//!
//! Nodes are the changes, the outputs, and the statements that more than one change may
//! affect. An edge into a change or an output means that control may come to it next; an
//! edge into an interaction location comes from each change that it depends on, as in the
//! algorithm. From an interaction location the sequence goes on.
//!
//! The thesis leaves room to keep only *important* interaction locations. Here a location
//! is important if no single thing that it depends on directly, other than a change, is
//! affected by all the changes that affect it: changes meet there, and do not just arrive
//! together.

use super::sequence::{Mark, sequences};
use super::{ChangeSequenceGraph, Node};
use crate::calls::Calls;
use crate::impact::Impact;
use crate::statements::{SourceLine, lines};
use program_ir::{Func, Inst, InstData};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug)]
pub struct InteractionOptions {
    /// Leave out locations that only pass on what met elsewhere.
    pub only_important: bool,
}

/// `outputs`: the instructions of the new version that write output.
pub fn with_interactions(
    calls: &Calls<'_>,
    impact: &Impact<'_>,
    outputs: &BTreeSet<(Func, Inst)>,
    options: InteractionOptions,
) -> ChangeSequenceGraph {
    let mut marks: BTreeMap<(Func, Inst), Mark> = BTreeMap::new();
    let mut statements = Statements::default();
    for (number, change) in impact.changes.iter().enumerate() {
        for &point in &change.points {
            marks.insert(point, Mark::Node(Node::Change(number as u32)));
            if let Some(line) = statements.line(calls, point) {
                statements.changed.insert((point.0, line));
            }
        }
    }
    for &(func, inst) in outputs {
        marks
            .entry((func, inst))
            .or_insert(Mark::Node(Node::Output(func, inst)));
    }
    let mut affected_by: BTreeMap<Node, BTreeSet<usize>> = BTreeMap::new();
    for ((func, inst), changes) in locations(impact, options) {
        if matches!(
            calls.module.functions[func].insts[inst].data,
            InstData::Jump(_)
        ) {
            continue;
        }
        let Some(line) = statements.line(calls, (func, inst)) else {
            continue;
        };
        if statements.changed.contains(&(func, line)) || marks.contains_key(&(func, inst)) {
            continue;
        }
        let first = *statements.first.entry((func, line)).or_insert(inst);
        let node = Node::Interaction(func, first);
        marks.insert((func, inst), Mark::Node(node));
        affected_by.entry(node).or_default().extend(changes);
    }
    let mut graph = sequences(calls, &marks).graph();
    // Into an interaction location leads what it depends on, not what came before.
    graph
        .edges
        .retain(|(_, to)| !matches!(to, Node::Interaction(..)));
    for (node, changes) in affected_by {
        if graph.nodes.contains(&node) {
            for change in changes {
                let change = Node::Change(change as u32);
                if graph.nodes.contains(&change) {
                    graph.edges.insert((change, node));
                }
            }
        }
    }
    graph
}

/// Instructions that several changes may affect, and which these are.
fn locations(
    impact: &Impact<'_>,
    options: InteractionOptions,
) -> BTreeMap<(Func, Inst), BTreeSet<usize>> {
    let meetings = impact.meetings();
    let graph = impact.graph;
    let points: BTreeSet<(Func, Inst)> = impact
        .changes
        .iter()
        .flat_map(|change| change.points.iter().copied())
        .collect();
    let mut found: BTreeMap<(Func, Inst), BTreeSet<usize>> = BTreeMap::new();
    let mut open: Vec<u32> = Vec::new();
    for (&node, changes) in &meetings {
        let inherited = graph.dependences(node).iter().any(|edge| {
            let place = graph.nodes[edge.node as usize].inst();
            let is_change = place.is_some_and(|place| points.contains(&place));
            !is_change && meetings.get(&edge.node) == Some(changes)
        });
        if !options.only_important || !inherited {
            open.push(node);
        }
    }
    // A meeting at something that is no instruction shows at the instructions that use it.
    let mut seen: BTreeSet<u32> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        match graph.nodes[node as usize].inst() {
            Some(place) => found
                .entry(place)
                .or_default()
                .extend(meetings[&node].iter()),
            None => {
                for edge in graph.dependents(node) {
                    if meetings.contains_key(&edge.node) && seen.insert(edge.node) {
                        open.push(edge.node);
                    }
                }
            }
        }
    }
    found
}

/// Instructions by source line, so that a statement is one node.
#[derive(Default)]
struct Statements {
    lines: BTreeMap<Func, program_ir::SecondaryMap<Inst, Option<SourceLine>>>,
    first: BTreeMap<(Func, SourceLine), Inst>,
    changed: BTreeSet<(Func, SourceLine)>,
}

impl Statements {
    fn line(&mut self, calls: &Calls<'_>, (func, inst): (Func, Inst)) -> Option<SourceLine> {
        let lines = self
            .lines
            .entry(func)
            .or_insert_with(|| lines(calls.module, &calls.module.functions[func]));
        lines[inst]
    }
}
