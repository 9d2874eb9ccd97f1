//! Changes in the words of users and papers: statements.
//!
//! A *statement* is what one function has on one source line. An instruction without a
//! location of its own belongs to the nearest line before it in its block, and a block
//! without any line to the branch above it. A statement of
//! the new version is **added** if nothing on its line was there before and it replaces
//! nothing, **modified** if some of it was there or it stands in place of a deleted one,
//! and a statement of the old version that has no partner is **deleted**; its marker is
//! the place in the new version where it would be.

use crate::compare::{ChangeKind, Comparison};
use program_graphs::{Cfg, Dominators};
use program_ir::{
    Block, File, Function, Inst, Module, Scope, SecondaryMap, ValueDef, VariablePlace,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceLine {
    pub file: File,
    pub line: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum StatementKind {
    Added,
    Modified,
    Deleted,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StatementChange {
    pub kind: StatementKind,
    /// Where it is in the old version; `None` if added.
    pub old: Option<SourceLine>,
    /// Where it is in the new version; for a deleted one, the line it would stand before.
    pub new: Option<SourceLine>,
    /// The local variables whose assignment changed, where no instruction shows it.
    pub assigned: Vec<String>,
    /// Change points in the new body.
    pub points: Vec<Inst>,
    /// Instructions of the old body that are gone.
    pub gone: Vec<Inst>,
}

/// Where an instruction comes from: a line, and the source function it stands in, which is
/// another one than the body's where code was inlined.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Place {
    pub(crate) scope: Scope,
    pub(crate) line: u32,
}

/// The line of every instruction of a body.
pub fn lines(module: &Module, function: &Function) -> SecondaryMap<Inst, Option<SourceLine>> {
    let places = places(module, function);
    let mut lines = SecondaryMap::new();
    for block in function.blocks.values() {
        for &inst in &block.insts {
            lines[inst] = places[inst].map(|place| SourceLine {
                file: module.source.scopes[place.scope].file,
                line: place.line,
            });
        }
    }
    lines
}

/// The place of every instruction of a body: its own, or that of the variable it makes
/// room for, or the nearest before it in its block. A block without any takes over from
/// the block that dominates it: what merges after a branch belongs to the branch.
pub(crate) fn places(module: &Module, function: &Function) -> SecondaryMap<Inst, Option<Place>> {
    let source = &module.source;
    let mut variable_of = HashMap::new();
    for binding in &function.bindings {
        if let VariablePlace::Memory(address) = binding.place
            && let ValueDef::Result(inst, _) = function.values[address].def
        {
            let variable = &function.variables[binding.variable];
            variable_of.entry(inst).or_insert(Place {
                scope: variable.scope,
                line: variable.line,
            });
        }
    }
    let own_place = |inst: Inst| {
        let own = function.insts[inst].loc.map(|loc| Place {
            scope: source.locs[loc].scope,
            line: source.locs[loc].line,
        });
        let room = variable_of.get(&inst).copied();
        own.filter(|place| place.line > 0)
            .or(room.filter(|place| place.line > 0))
    };
    let header = function.scope.map(|scope| Place {
        scope,
        line: source.scopes[scope].line,
    });
    let mut places = SecondaryMap::new();
    let mut without = Vec::new();
    for (block, data) in function.blocks.iter() {
        let mut nearest = data.insts.iter().find_map(|&inst| own_place(inst));
        if nearest.is_none() {
            without.push(block);
        }
        for &inst in &data.insts {
            nearest = own_place(inst).or(nearest);
            places[inst] = nearest;
        }
    }
    if !without.is_empty() {
        let cfg = Cfg::of(function);
        let dominators = Dominators::of(&cfg);
        for block in without {
            let above = std::iter::successors(dominators.immediate(block), |&above| {
                dominators.immediate(above)
            });
            let last_of = |above: Block| {
                let last = function.terminator(above)?;
                own_place(last).or(places[last])
            };
            let place = above.into_iter().find_map(last_of).or(header);
            for &inst in &function.blocks[block].insts {
                places[inst] = place;
            }
        }
    }
    places
}

/// The statements behind the change points of one function.
pub(crate) fn statements(
    old_module: &Module,
    old: &Function,
    new_module: &Module,
    new: &Function,
    comparison: &Comparison,
) -> Vec<StatementChange> {
    let old_lines = lines(old_module, old);
    let new_lines = lines(new_module, new);
    let alignment = &comparison.alignment;

    // What stands on the lines of both versions and is partner of one another.
    let mut partner_lines: BTreeMap<SourceLine, BTreeSet<SourceLine>> = BTreeMap::new();
    let mut kept_old_lines: BTreeMap<SourceLine, SourceLine> = BTreeMap::new();
    for block in new.blocks.values() {
        for &inst in &block.insts {
            let in_old = alignment.old_of_new[inst];
            if let (Some(new_line), Some(old_line)) =
                (new_lines[inst], in_old.and_then(|in_old| old_lines[in_old]))
            {
                partner_lines.entry(new_line).or_default().insert(old_line);
                kept_old_lines.entry(old_line).or_insert(new_line);
            }
        }
    }

    let mut changed: BTreeMap<Option<SourceLine>, StatementChange> = BTreeMap::new();
    let mut markers: BTreeSet<Inst> = BTreeSet::new();
    for point in &comparison.points {
        let variable = match point.kind {
            ChangeKind::Deleted => {
                markers.insert(point.inst);
                continue;
            }
            ChangeKind::Assigned(variable) => Some(variable),
            _ => None,
        };
        let line = new_lines[point.inst];
        let statement = changed.entry(line).or_insert_with(|| empty(line));
        statement.points.push(point.inst);
        match variable {
            Some(variable) => {
                let name = &new.variables[variable].name;
                if !statement.assigned.contains(name) {
                    statement.assigned.push(name.clone());
                }
                statement.kind = StatementKind::Modified;
            }
            None if point.kind != ChangeKind::Added => statement.kind = StatementKind::Modified,
            None => {}
        }
    }
    for (line, statement) in &mut changed {
        if let Some(partners) = line.as_ref().and_then(|line| partner_lines.get(line)) {
            statement.kind = StatementKind::Modified;
            statement.old = partners.first().copied();
        }
    }

    let mut deleted: BTreeMap<(Option<SourceLine>, Inst), Vec<Inst>> = BTreeMap::new();
    for deletion in &comparison.deletions {
        for &inst in &deletion.old {
            let key = (old_lines[inst], deletion.marker);
            deleted.entry(key).or_default().push(inst);
        }
        markers.remove(&deletion.marker);
    }
    let mut only_deleted = Vec::new();
    for ((old_line, marker), gone) in deleted {
        let kept = old_line.and_then(|line| kept_old_lines.get(&line).copied());
        let marker_line = new_lines[marker];
        let replaced = changed.get(&marker_line).is_some_and(|statement| {
            statement.kind == StatementKind::Added && statement.old.is_none()
        });
        if let Some(new_line) = kept {
            let statement = changed
                .entry(Some(new_line))
                .or_insert_with(|| empty(Some(new_line)));
            statement.kind = StatementKind::Modified;
            statement.old = old_line;
            statement.points.push(marker);
            statement.gone.extend(gone);
        } else if replaced && let Some(statement) = changed.get_mut(&marker_line) {
            statement.kind = StatementKind::Modified;
            statement.old = old_line;
            statement.gone.extend(gone);
        } else {
            only_deleted.push(StatementChange {
                kind: StatementKind::Deleted,
                old: old_line,
                new: marker_line,
                assigned: Vec::new(),
                points: vec![marker],
                gone,
            });
        }
    }
    // Markers whose deleted instructions were claimed elsewhere.
    for marker in markers {
        let line = new_lines[marker];
        let statement = changed.entry(line).or_insert_with(|| empty(line));
        statement.kind = StatementKind::Modified;
        statement.points.push(marker);
    }
    let mut all: Vec<StatementChange> = changed.into_values().chain(only_deleted).collect();
    for statement in &mut all {
        statement.points.sort_unstable();
        statement.points.dedup();
    }
    all.sort_by_key(|statement| (statement.new, statement.old, statement.kind));
    all
}

fn empty(new: Option<SourceLine>) -> StatementChange {
    StatementChange {
        kind: StatementKind::Added,
        old: None,
        new,
        assigned: Vec::new(),
        points: Vec::new(),
        gone: Vec::new(),
    }
}
