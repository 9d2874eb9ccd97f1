//! What a change can affect, which changes may meet, and where (thesis §2.3.1).
//!
//! A statement is affected by a change if it is in the change's static forward slice.
//! Changes *may interfere* if their slices intersect, and there is their interference
//! location; changes whose slices do not intersect can be tested apart.
//!
//! What a deleted or replaced statement did is not seen in the new version: a reader of a
//! variable that is no longer written is affected too. So `Impact::of_both` also slices
//! forward in the old version from what is gone, and goes on in the new version from the
//! partners of what it finds. The thesis slices the new version only; so does
//! `Impact::of`.

use crate::changes::{ChangeSet, whole_function};
use crate::compare::{ChangeKind, Taker};
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
    /// Instructions of the old version that are gone or replaced.
    pub old_points: Vec<(Func, Inst)>,
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
            let alignment = &function.comparison.alignment;
            let modified =
                function.comparison.points.iter().filter(|point| {
                    point.kind == ChangeKind::Modified && points.contains(&point.inst)
                });
            let replaced = modified.filter_map(|point| alignment.old_of_new[point.inst]);
            let gone = statement.gone.iter().copied().chain(replaced);
            all.push(Change {
                what: ChangedThing::Statement(function.new, statement.kind),
                line: statement.new,
                takers: takers.map(|&(_, taker)| (function.new, taker)).collect(),
                old_points: gone.map(|inst| (function.old, inst)).collect(),
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
                old_points: Vec::new(),
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
            old_points: Vec::new(),
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

    /// With the effects of what is gone, found in the old version.
    pub fn of_both(
        old: (&Module, &DependenceGraph),
        new: (&Module, &'a DependenceGraph),
        change_set: &ChangeSet,
    ) -> Self {
        let partners = Partners::of(old.0, new.0, change_set);
        let graph = new.1;
        let changes = changes_one_by_one(change_set, new.0);
        let slices = changes.iter().map(|change| {
            let mut criterion = criterion(graph, change);
            let before = Slice::of_insts(old.1, Direction::Forward, &change.old_points);
            for place in before.insts(old.1) {
                if let Some((func, inst)) = partners.in_new(place) {
                    criterion.extend(graph.all_of_inst(func, inst));
                }
            }
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

/// Old instructions as new ones, in changed functions and unchanged ones.
struct Partners<'a> {
    old: &'a Module,
    new: &'a Module,
    change_set: &'a ChangeSet,
    new_of_old: BTreeMap<Func, Func>,
}

impl<'a> Partners<'a> {
    fn of(old: &'a Module, new: &'a Module, change_set: &'a ChangeSet) -> Self {
        let matches = change_set.matches.iter();
        Partners {
            old,
            new,
            change_set,
            new_of_old: matches.map(|found| (found.old, found.new)).collect(),
        }
    }

    fn in_new(&self, (func, inst): (Func, Inst)) -> Option<(Func, Inst)> {
        let in_new = *self.new_of_old.get(&func)?;
        if let Some(change) = self.change_set.function(in_new) {
            return Some((in_new, change.comparison.alignment.new_of_old[inst]?));
        }
        if let Some(alignment) = self.change_set.other_forms.get(&in_new) {
            return Some((in_new, alignment.new_of_old[inst]?));
        }
        let (old, new) = (&self.old.functions[func], &self.new.functions[in_new]);
        old.blocks.iter().find_map(|(block, data)| {
            let index = data.insts.iter().position(|&one| one == inst)?;
            let partner = new.blocks.get(block)?.insts.get(index)?;
            Some((in_new, *partner))
        })
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
