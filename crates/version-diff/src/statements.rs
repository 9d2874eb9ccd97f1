//! Changes in the words of users and papers: statements.
//!
//! A *statement* is what one function has on one source line. An instruction without a
//! location of its own belongs to the nearest line before it in its block. A statement of
//! the new version is **added** if nothing on its line was there before and it replaces
//! nothing, **modified** if some of it was there or it stands in place of a deleted one,
//! and a statement of the old version that has no partner is **deleted**; its marker is
//! the place in the new version where it would be.

use crate::compare::{ChangeKind, Comparison};
use program_ir::{File, Function, Inst, Module, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

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

/// The line of every instruction of a body.
pub fn lines(module: &Module, function: &Function) -> SecondaryMap<Inst, Option<SourceLine>> {
    let source = &module.source;
    let mut lines = SecondaryMap::new();
    let own_line = |inst: Inst| {
        let loc = function.insts[inst].loc?;
        let data = &source.locs[loc];
        (data.line > 0).then(|| SourceLine {
            file: source.scopes[data.scope].file,
            line: data.line,
        })
    };
    let function_line = function.scope.map(|scope| SourceLine {
        file: source.scopes[scope].file,
        line: source.scopes[scope].line,
    });
    for block in function.blocks.values() {
        let mut nearest = block
            .insts
            .iter()
            .find_map(|&inst| own_line(inst))
            .or(function_line);
        for &inst in &block.insts {
            nearest = own_line(inst).or(nearest);
            lines[inst] = nearest;
        }
    }
    lines
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
