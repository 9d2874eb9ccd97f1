//! What a change can affect, which changes may meet, and where (thesis §2.3.1).
//!
//! A statement is affected by a change if it is in the change's static forward slice.
//! Changes *may interfere* if their slices intersect, and there is their interference
//! location; changes whose slices do not intersect can be tested apart.

use crate::changes::{ChangeSet, whole_function};
use crate::compare::Taker;
use crate::statements::{SourceLine, StatementKind, lines};
use program_graphs::{DependenceGraph, Direction, NodeKind, Slice};
use program_ir::{Func, Global, Inst, InstData, Module};
use std::collections::{BTreeMap, BTreeSet};

/// One change, the unit of impact: a changed statement, or a changed global.
#[derive(Clone, Debug)]
pub struct Change {
    pub what: ChangedThing,
    /// Where it is in the new version.
    pub line: Option<SourceLine>,
    /// Its change points.
    pub points: Vec<(Func, Inst)>,
    /// What takes over its effect besides the points' own results.
    pub takers: Vec<(Func, Taker)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ChangedThing {
    Statement(Func, StatementKind),
    Global(Global),
}

/// The changes of a change set one by one, in the order of the new version's functions.
pub fn changes_one_by_one(changes: &ChangeSet, new: &Module) -> Vec<Change> {
    let mut all = Vec::new();
    for function in &changes.functions {
        for statement in &function.statements {
            let points: Vec<Inst> = statement.points.clone();
            let takers = function.comparison.takers.iter();
            let takers = takers.filter(|(point, _)| points.contains(point));
            all.push(Change {
                what: ChangedThing::Statement(function.new, statement.kind),
                line: statement.new,
                takers: takers.map(|&(_, taker)| (function.new, taker)).collect(),
                points: points
                    .into_iter()
                    .map(|inst| (function.new, inst))
                    .collect(),
            });
        }
    }
    for &func in &changes.added_functions {
        for statement in whole_function(new, func, StatementKind::Added) {
            all.push(Change {
                what: ChangedThing::Statement(func, StatementKind::Added),
                line: statement.new,
                points: statement.points.iter().map(|&inst| (func, inst)).collect(),
                takers: Vec::new(),
            });
        }
    }
    for change in &changes.globals {
        let Some(global) = change.new else { continue };
        let info = new.globals[global].info.as_ref();
        let users = change.users.iter();
        let users = users.flat_map(|(&func, insts)| insts.iter().map(move |&inst| (func, inst)));
        all.push(Change {
            what: ChangedThing::Global(global),
            line: info.map(|info| SourceLine {
                file: info.file,
                line: info.line,
            }),
            points: users.collect(),
            takers: Vec::new(),
        });
    }
    all
}

/// The forward slices of some changes over one dependence graph.
pub struct Impact<'a> {
    pub graph: &'a DependenceGraph,
    pub changes: Vec<Change>,
    slices: Vec<Slice>,
}

impl<'a> Impact<'a> {
    /// `graph` is that of the new version.
    pub fn of(graph: &'a DependenceGraph, changes: Vec<Change>) -> Self {
        let slices = changes.iter().map(|change| {
            let criterion = criterion(graph, change);
            Slice::of_nodes(graph, Direction::Forward, &criterion)
        });
        Impact {
            slices: slices.collect(),
            graph,
            changes,
        }
    }

    /// The instructions that change number `change` may affect, its own included.
    pub fn affected(&self, change: usize) -> BTreeSet<(Func, Inst)> {
        self.slices[change].insts(self.graph)
    }

    pub fn affected_lines(&self, module: &Module, change: usize) -> BTreeSet<SourceLine> {
        source_lines(module, &self.affected(change))
    }

    /// Where all of the changes `set` may take effect together. Empty: they cannot
    /// interfere.
    pub fn interference(&self, set: &[usize]) -> BTreeSet<(Func, Inst)> {
        let Some((first, rest)) = set.split_first() else {
            return BTreeSet::new();
        };
        let mut common = self.affected(*first);
        for &change in rest {
            let slice = &self.slices[change];
            common.retain(|&(func, inst)| slice.contains(self.graph, func, inst));
        }
        common
    }

    pub fn interference_lines(&self, module: &Module, set: &[usize]) -> BTreeSet<SourceLine> {
        source_lines(module, &self.interference(set))
    }

    /// The pairs of changes that may interfere.
    pub fn interfering_pairs(&self) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for first in 0..self.changes.len() {
            for second in first + 1..self.changes.len() {
                if !self.interference(&[first, second]).is_empty() {
                    pairs.push((first, second));
                }
            }
        }
        pairs
    }

    /// For every node of the graph that more than one change may affect, which they are.
    pub(crate) fn meetings(&self) -> BTreeMap<u32, BTreeSet<usize>> {
        let mut meetings = BTreeMap::new();
        for node in 0..self.graph.nodes.len() as u32 {
            let here: BTreeSet<usize> = (0..self.slices.len())
                .filter(|&change| self.slices[change].contains_node(node))
                .collect();
            if here.len() > 1 {
                meetings.insert(node, here);
            }
        }
        meetings
    }
}

fn criterion(graph: &DependenceGraph, change: &Change) -> Vec<u32> {
    let mut nodes = Vec::new();
    for &(func, inst) in &change.points {
        nodes.extend(graph.all_of_inst(func, inst));
    }
    for &(func, taker) in &change.takers {
        match taker {
            Taker::Inst(inst) => nodes.extend(graph.all_of_inst(func, inst)),
            Taker::Param(value) => {
                let is_param =
                    |node: &u32| graph.nodes[*node as usize] == NodeKind::Param(func, value);
                nodes.extend(graph.function_nodes(func).find(is_param));
            }
        }
    }
    nodes
}

/// The lines of instructions, plain jumps left out: they stand for a closing brace.
pub fn source_lines(module: &Module, insts: &BTreeSet<(Func, Inst)>) -> BTreeSet<SourceLine> {
    let mut found = BTreeSet::new();
    let mut known = None;
    for &(func, inst) in insts {
        let function = &module.functions[func];
        if matches!(function.insts[inst].data, InstData::Jump(_)) {
            continue;
        }
        let lines = match &known {
            Some((of, lines)) if *of == func => lines,
            _ => &known.insert((func, lines(module, function))).1,
        };
        found.extend(lines[inst]);
    }
    found
}
