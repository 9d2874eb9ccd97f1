//! The changed lines of the new version, and which of them are responsible for a difference.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use concolic_vm::Program;
use concolic_vm::symbolic::SymbolicRun;
use exploration::attribution::TracedRun;
use exploration::compare::Observable;
use program_ir::{Block, Func, Inst, Module};
use version_diff::impact::{ChangedThing, changes_one_by_one};

use super::changed_line::{ChangedLine, Edit};
use super::covered::Covered;
use super::edits::{Definition, Edits};
use harness::c_function::DRIVER;
use harness::full_path;
use version_diff::own_changes::Compared;

/// The changed lines, with the blocks of the new version that execute them, and the changes that they belong to.
pub(crate) struct Changes {
    points: Vec<(Func, Block, ChangedLine)>,
    changes: Vec<Change>,
}

/// A change by its lines.
struct Change {
    lines: Vec<(Func, ChangedLine)>,
    /// By function and line, in the old version and in the new one.
    places: [BTreeSet<(Func, u32)>; 2],
    /// The blocks that hold its points, in the old version and in the new one, also where these have no line.
    blocks: [BTreeSet<(Func, Block)>; 2],
}

impl Changes {
    /// Of versions whose lines cannot be compared.
    pub(crate) fn none() -> Changes {
        Changes {
            points: Vec::new(),
            changes: Vec::new(),
        }
    }

    pub(crate) fn of(compared: &Compared) -> Changes {
        let Compared { old, new, changes } = compared;
        let one_by_one = changes_one_by_one(changes, new);
        let mut before: BTreeMap<(Func, u32), BTreeSet<(PathBuf, u32)>> = BTreeMap::new();
        for change in &one_by_one {
            let gone = change.old_points.iter();
            let gone = gone.filter_map(|&(func, inst)| changed_line(old, func, inst));
            let gone: Vec<_> = gone.map(|line| (line.path, line.line)).collect();
            for &(func, inst) in &change.points {
                if let Some(line) = line(new, func, inst) {
                    let lines = before.entry((func, line)).or_default();
                    lines.extend(gone.iter().cloned());
                }
            }
        }
        let edits = Edits::of(old, new, changes);
        let mut variables: BTreeMap<(Func, Inst), Definition> = BTreeMap::new();
        for change in &one_by_one {
            if let (ChangedThing::Global(_), Some(line)) = (change.what, &change.line) {
                let defined = (full_path(new, line.file), line.line);
                let users = change.points.iter();
                variables.extend(users.map(|&user| (user, defined.clone())));
            }
        }
        let mut known: HashMap<(Func, u32, Option<Definition>), Option<Arc<Edit>>> = HashMap::new();
        let mut changed_line = |func: Func, inst: Inst| {
            let mut changed = changed_line(new, func, inst)?;
            let lines = before.get(&(func, changed.line)).cloned();
            changed.before = lines.into_iter().flatten().collect();
            let variable = variables.get(&(func, inst));
            let edit = known.entry((func, changed.line, variable.cloned()));
            let edit = edit.or_insert_with(|| {
                let loc = new.functions[func].insts[inst].loc?;
                let scope = new.source.subprogram(new.source.locs[loc].scope);
                let written_in = new.source.scopes[scope].function.as_deref();
                let edit = edits.behind(&changed, written_in.unwrap_or(""), variable)?;
                Some(Arc::new(edit))
            });
            changed.edit = edit.clone();
            Some(changed)
        };
        let mut points = Vec::new();
        for (func, of_function) in changes.points(new) {
            for point in of_function {
                let mut blocks = new.functions[func].blocks.iter();
                let has_it = blocks.find(|(_, data)| data.insts.contains(&point.inst));
                let changed = changed_line(func, point.inst);
                if let (Some((block, _)), Some(changed)) = (has_it, changed) {
                    points.push((func, block, changed));
                }
            }
        }
        let changes = one_by_one.into_iter().map(|change| {
            let lines = change.points.iter();
            let lines = lines.filter_map(|&(func, inst)| Some((func, changed_line(func, inst)?)));
            let lines: BTreeSet<(Func, ChangedLine)> = lines.collect();
            let places = |module: &Module, points: &[(Func, Inst)]| {
                let places = points.iter();
                let places =
                    places.filter_map(|&(func, inst)| Some((func, line(module, func, inst)?)));
                places.collect()
            };
            Change {
                lines: lines.into_iter().collect(),
                blocks: [
                    blocks_of(old, &change.old_points),
                    blocks_of(new, &change.points),
                ],
                places: [places(old, &change.old_points), places(new, &change.points)],
            }
        });
        Changes {
            points,
            changes: changes.collect(),
        }
    }

    /// The changes one by one: the lines of each, and the blocks of the old and of the new version that hold it.
    pub(super) fn one_by_one(&self) -> impl Iterator<Item = (Vec<&ChangedLine>, ChangeBlocks<'_>)> {
        self.changes.iter().map(|change| {
            let lines = change.lines.iter().map(|(_, line)| line).collect();
            let [old, new] = &change.blocks;
            (lines, [old, new])
        })
    }

    /// The numbers of those of which the old version or the new one has executed a part.
    pub(crate) fn executed_by<'c>(
        &'c self,
        versions: [Covered<'c>; 2],
    ) -> impl Iterator<Item = u32> + 'c {
        let changes = self.changes.iter().zip(0..);
        let executed = changes.filter(move |(change, _)| {
            let mut sides = versions.iter().zip(&change.blocks);
            sides.any(|(version, blocks)| {
                blocks.iter().any(|&(func, block)| version.has(func, block))
            })
        });
        executed.map(|(_, number)| number)
    }

    /// The lines of the old version, or of the new one, that hold changes, by function.
    pub(super) fn places(&self, version: usize) -> BTreeSet<(Func, u32)> {
        let places = self.changes.iter().map(|change| &change.places[version]);
        places.flatten().copied().collect()
    }

    /// The changed lines that the new version's run executed.
    pub(crate) fn executed(&self, program: &Program, new: &SymbolicRun) -> Vec<ChangedLine> {
        let executed = |(func, block, _): &&(Func, Block, ChangedLine)| {
            new.coverage.contains(program, *func, *block)
        };
        let lines = self.points.iter().filter(executed);
        let lines: BTreeSet<&ChangedLine> = lines.map(|(_, _, line)| line).collect();
        lines.into_iter().cloned().collect()
    }

    /// The lines of changes in the dynamic slice of what differs, in either version: those that are themselves in the
    /// new version's slice first, each by position; empty if there are none.
    pub(crate) fn responsible(
        &self,
        old: &TracedRun,
        new: &TracedRun,
        observables: &[Observable],
    ) -> Vec<ChangedLine> {
        let places = |run: &TracedRun, other: &TracedRun| -> BTreeSet<(Func, u32)> {
            let module = run.program.module();
            let places = run.responsible(other, observables).into_iter();
            let places = places.filter_map(|(func, inst)| Some((func, line(module, func, inst)?)));
            places.collect()
        };
        let sliced = [places(old, new), places(new, old)];
        let is_responsible = |change: &&Change| {
            let mut both = change.places.iter().zip(&sliced);
            both.any(|(places, sliced)| !places.is_disjoint(sliced))
        };
        let lines = self.changes.iter().filter(is_responsible);
        let lines = lines.flat_map(|change| &change.lines);
        let lines = lines.map(|(func, changed)| {
            let is_sliced = sliced[1].contains(&(*func, changed.line));
            (!is_sliced, changed)
        });
        let lines: BTreeSet<(bool, &ChangedLine)> = lines.collect();
        lines.into_iter().map(|(_, line)| line.clone()).collect()
    }
}

/// Blocks of the old and of the new version.
pub(super) type ChangeBlocks<'c> = [&'c BTreeSet<(Func, Block)>; 2];

fn blocks_of(module: &Module, points: &[(Func, Inst)]) -> BTreeSet<(Func, Block)> {
    let mut by_function: BTreeMap<Func, BTreeSet<Inst>> = BTreeMap::new();
    for &(func, inst) in points {
        by_function.entry(func).or_default().insert(inst);
    }
    let mut found = BTreeSet::new();
    for (func, insts) in by_function {
        let blocks = module.functions[func].blocks.iter();
        let blocks = blocks.filter(|(_, data)| data.insts.iter().any(|inst| insts.contains(inst)));
        found.extend(blocks.map(|(block, _)| (func, block)));
    }
    found
}

fn line(module: &Module, func: Func, inst: Inst) -> Option<u32> {
    let loc = module.functions[func].insts[inst].loc?;
    Some(module.source.locs[loc].line).filter(|&line| line > 0)
}

fn changed_line(module: &Module, func: Func, inst: Inst) -> Option<ChangedLine> {
    let loc = module.functions[func].insts[inst].loc?;
    let scope = &module.source.scopes[module.source.locs[loc].scope];
    let file = &module.source.files[scope.file];
    // That a driver calls a function with other arguments is no change of the program's.
    if file.name == DRIVER {
        return None;
    }
    Some(ChangedLine {
        file: module.source.file_name(loc).to_owned(),
        line: line(module, func, inst)?,
        function: version_diff::report::display_name(module, func),
        path: full_path(module, scope.file),
        before: Vec::new(),
        edit: None,
    })
}
