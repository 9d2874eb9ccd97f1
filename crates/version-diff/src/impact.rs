//! What a change can affect, which changes may meet, and where (thesis §2.3.1).
//!
//! A statement is affected by a change if it is in the change's static forward slice.
//! Changes *may interfere* if their slices intersect, and there is their interference
//! location; changes whose slices do not intersect can be tested apart.
//!
//! What a deleted or replaced statement did is not seen in the new version: a reader of a
//! variable that is no longer written is affected too. So `Impact::of_both` also slices
//! forward in the old version from what is gone, and goes on in the new version from the
//! partners of what it finds. Nor do slices see that a statement is executed under other
//! conditions because a jump came or went; `moved_control` finds those. The thesis slices
//! the new version only, from the change points; so does `Impact::of`.

use crate::align::Alignment;
use crate::changes::{ChangeSet, FunctionChange, whole_function};
use crate::compare::{ChangeKind, Taker};
use crate::statements::{SourceLine, StatementKind, lines};
use program_graphs::{DependenceGraph, DependenceKind, Direction, NodeKind, Slice};
use program_ir::{EntityRef, Func, Global, Inst, InstData, Module, Value};
use std::collections::{BTreeMap, BTreeSet};

/// One change, the unit of impact: a changed statement, or a changed global.
#[derive(Clone, Debug)]
pub struct Change {
    pub what: ChangedThing,
    /// Where it is in the new version; for a deleted statement, the line it would stand
    /// before.
    pub line: Option<SourceLine>,
    /// Where a modified or deleted statement is in the old version.
    pub old_line: Option<SourceLine>,
    /// The change points of the statement.
    pub points: Vec<(Func, Inst)>,
    /// What is different in the new version by itself, at these points.
    pub differences: Vec<(Func, Difference)>,
    /// What takes over its effect besides the points' own results.
    pub takers: Vec<(Func, Taker)>,
    /// Instructions of the old version that are gone or replaced.
    pub old_points: Vec<(Func, Inst)>,
}

/// What differs at a change point. (Markers of what is gone differ in nothing.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Difference {
    Inst(Inst),
    /// Only what the terminator passes to blocks.
    Edges(Inst),
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
            let differences = differences(new, function, &points);
            all.push(Change {
                differences,
                what: ChangedThing::Statement(function.new, statement.kind),
                line: statement.new,
                old_line: statement.old,
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
                old_line: None,
                differences: (statement.points.iter())
                    .map(|&inst| (func, Difference::Inst(inst)))
                    .collect(),
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
        let users: Vec<(Func, Inst)> = users.collect();
        all.push(Change {
            differences: (users.iter())
                .map(|&(func, inst)| (func, Difference::Inst(inst)))
                .collect(),
            what: ChangedThing::Global(global),
            line: info.map(|info| SourceLine {
                file: info.file,
                line: info.line,
            }),
            old_line: None,
            points: users,
            takers: Vec::new(),
            old_points: Vec::new(),
        });
    }
    all
}

/// Once a terminator passes one other value, its further edges are not compared; so all
/// that it passes counts as different.
fn differences(
    new: &Module,
    function: &FunctionChange,
    points: &[Inst],
) -> Vec<(Func, Difference)> {
    let comparison = &function.comparison;
    let here = comparison.points.iter();
    let here = here.filter(|point| points.contains(&point.inst));
    let different = here.filter_map(|point| {
        let inst = point.inst;
        let mut takers = comparison.takers.iter().filter(|(of, _)| *of == inst);
        let any = takers.clone().next().is_some();
        let only_passes = any
            && takers.all(|(_, taker)| matches!(taker, Taker::Param(_)))
            && new.functions[function.new].insts[inst].data.is_terminator();
        match point.kind {
            ChangeKind::Assigned(_) | ChangeKind::Deleted => None,
            ChangeKind::Modified if only_passes => Some(Difference::Edges(inst)),
            ChangeKind::Added | ChangeKind::Modified | ChangeKind::Rerouted => {
                Some(Difference::Inst(inst))
            }
        }
    });
    different
        .map(|difference| (function.new, difference))
        .collect()
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
        let moved = moved_control(old.1, graph, &partners);
        let slices = changes.iter().enumerate().map(|(number, change)| {
            let mut criterion = own_criterion(new.0, graph, change);
            for &(func, inst) in &moved {
                if can_move_control(new.0, old.0, &changes, number, func) {
                    criterion.extend(graph.all_of_inst(func, inst));
                }
            }
            let before = Slice::of_insts(old.1, Direction::Forward, &change.old_points);
            for place in before.insts(old.1) {
                if let Some((func, inst)) = partners.in_new(place) {
                    criterion.extend(graph.all_of_inst(func, inst));
                }
            }
            Slice::of_nodes(graph, Direction::Forward, &criterion)
        });
        let slices = slices.collect();
        Impact {
            slices,
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

    /// The lines that more than one change may affect, by the changes that do.
    pub fn meeting_lines(&self, module: &Module) -> BTreeMap<Vec<usize>, BTreeSet<SourceLine>> {
        let mut changes_of: BTreeMap<(Func, Inst), Vec<usize>> = BTreeMap::new();
        for change in 0..self.changes.len() {
            for place in self.affected(change) {
                changes_of.entry(place).or_default().push(change);
            }
        }
        let mut places: BTreeMap<Vec<usize>, BTreeSet<(Func, Inst)>> = BTreeMap::new();
        for (place, changes) in changes_of {
            if changes.len() > 1 {
                places.entry(changes).or_default().insert(place);
            }
        }
        let lines = places.into_iter();
        lines
            .map(|(changes, places)| (changes, source_lines(module, &places)))
            .collect()
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
struct Partners {
    /// By the old function: the new one, and per old instruction the new one.
    of_function: BTreeMap<Func, (Func, Vec<Option<Inst>>)>,
}

impl Partners {
    fn of(old: &Module, new: &Module, change_set: &ChangeSet) -> Self {
        let changed: BTreeMap<Func, &Alignment> = (change_set.functions.iter())
            .map(|change| (change.new, &change.comparison.alignment))
            .collect();
        let mut of_function = BTreeMap::new();
        for found in &change_set.matches {
            let (in_old, in_new) = (&old.functions[found.old], &new.functions[found.new]);
            let alignment = changed.get(&found.new).copied();
            let alignment = alignment.or_else(|| change_set.other_forms.get(&found.new));
            let mut partners = vec![None; in_old.insts.len()];
            if let Some(alignment) = alignment {
                for (inst, partner) in in_old.insts.keys().zip(&mut partners) {
                    *partner = alignment.new_of_old[inst];
                }
            } else {
                // The bodies are the same, instruction by instruction.
                for (old, new) in in_old.blocks.values().zip(in_new.blocks.values()) {
                    for (inst, &partner) in old.insts.iter().zip(&new.insts) {
                        partners[inst.index()] = Some(partner);
                    }
                }
            }
            of_function.insert(found.old, (found.new, partners));
        }
        Partners { of_function }
    }

    fn in_new(&self, (func, inst): (Func, Inst)) -> Option<(Func, Inst)> {
        let (in_new, partners) = self.of_function.get(&func)?;
        Some((*in_new, partners[inst.index()]?))
    }
}

/// Instructions of the new version that are executed under other conditions than their
/// partners in the old one: other branches decide about them. So is what comes behind a
/// `return`, `break` or `exit` that was added or deleted, although it depends on nothing
/// of that statement.
fn moved_control(
    old: &DependenceGraph,
    new: &DependenceGraph,
    partners: &Partners,
) -> Vec<(Func, Inst)> {
    let mut moved = Vec::new();
    for (&old_func, (new_func, insts)) in &partners.of_function {
        for (index, partner) in insts.iter().enumerate() {
            let Some(partner) = *partner else { continue };
            let before = Deciders::of(old, old_func, Inst::new(index));
            let after = Deciders::of(new, *new_func, partner);
            let (Some(before), Some(after)) = (before, after) else {
                continue;
            };
            let in_new = |inst: &Inst| insts[inst.index()];
            let expected: Option<BTreeSet<Inst>> = before.insts.iter().map(in_new).collect();
            if before.always != after.always || expected != Some(after.insts) {
                moved.push((*new_func, partner));
            }
        }
    }
    moved
}

/// What decides whether an instruction is executed.
struct Deciders {
    /// The instruction is executed whenever its function is called.
    always: bool,
    insts: BTreeSet<Inst>,
}

impl Deciders {
    /// `None` if the instruction is never executed.
    fn of(graph: &DependenceGraph, func: Func, inst: Inst) -> Option<Deciders> {
        let control = |node: u32| {
            let edges = graph.dependences(node).iter();
            edges.filter(|edge| edge.kind == DependenceKind::Control)
        };
        let mut deciders = Deciders {
            always: false,
            insts: BTreeSet::new(),
        };
        let block = control(graph.inst(func, inst)?).next()?.node;
        for edge in control(block) {
            match graph.nodes[edge.node as usize] {
                NodeKind::Inst(_, decider) => {
                    deciders.insts.insert(decider);
                }
                _ => deciders.always = true,
            }
        }
        Some(deciders)
    }
}

/// Whether the change may be the reason that control moved in `func`: it is made there
/// and concerns control or a call, which may not return; or no such change is made there.
fn can_move_control(
    new: &Module,
    old: &Module,
    changes: &[Change],
    number: usize,
    func: Func,
) -> bool {
    let is_in =
        |change: &Change| matches!(change.what, ChangedThing::Statement(of, _) if of == func);
    let concerns = |module: &Module, &(func, inst): &(Func, Inst)| {
        let data = &module.functions[func].insts[inst].data;
        data.is_terminator() || data.call().is_some()
    };
    let can = |change: &Change| {
        let points = change.points.iter().any(|place| concerns(new, place));
        is_in(change) && (points || change.old_points.iter().any(|place| concerns(old, place)))
    };
    can(&changes[number]) || !changes.iter().any(can)
}

/// What differs in the new version by itself, and what takes over a difference.
fn own_criterion(new: &Module, graph: &DependenceGraph, change: &Change) -> Vec<u32> {
    let mut nodes = Vec::new();
    for &(func, difference) in &change.differences {
        match difference {
            Difference::Inst(inst) => nodes.extend(graph.all_of_inst(func, inst)),
            Difference::Edges(inst) => {
                let function = &new.functions[func];
                function.insts[inst].data.for_each_edge(|edge| {
                    let params = function.blocks[edge.block].params.iter();
                    nodes.extend(params.filter_map(|&param| param_node(graph, func, param)));
                });
            }
        }
    }
    nodes.extend(taker_nodes(graph, change));
    nodes
}

fn criterion(graph: &DependenceGraph, change: &Change) -> Vec<u32> {
    let mut nodes = taker_nodes(graph, change);
    for &(func, inst) in &change.points {
        nodes.extend(graph.all_of_inst(func, inst));
    }
    nodes
}

fn taker_nodes(graph: &DependenceGraph, change: &Change) -> Vec<u32> {
    let mut nodes = Vec::new();
    for &(func, taker) in &change.takers {
        match taker {
            Taker::Inst(inst) => nodes.extend(graph.all_of_inst(func, inst)),
            Taker::Param(value) => nodes.extend(param_node(graph, func, value)),
        }
    }
    nodes
}

fn param_node(graph: &DependenceGraph, func: Func, param: Value) -> Option<u32> {
    let is_param = |node: &u32| graph.nodes[*node as usize] == NodeKind::Param(func, param);
    graph.function_nodes(func).find(is_param)
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
