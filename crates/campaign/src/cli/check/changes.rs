//! The changed lines of the new version, and which of them are responsible for a difference.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use concolic_vm::Program;
use concolic_vm::symbolic::SymbolicRun;
use exploration::attribution::TracedRun;
use exploration::compare::Observable;
use program_ir::{Block, Func, Inst, Module};
use version_diff::impact::changes_one_by_one;

use super::function::DRIVER;
use crate::cli::versions::Compared;

/// A changed line of the new version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct ChangedLine {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) function: String,
    /// Where the file was when the version was built.
    pub(super) path: PathBuf,
    /// The old version's lines that are changed or gone with it, each in its file.
    pub(super) before: Vec<(PathBuf, u32)>,
}

/// The changed lines, with the blocks of the new version that execute them, and the changes that they belong to.
pub(super) struct Changes {
    points: Vec<(Func, Block, ChangedLine)>,
    changes: Vec<Change>,
}

/// A change by its lines.
struct Change {
    lines: Vec<(Func, ChangedLine)>,
    /// By function and line, in the old version and in the new one.
    places: [BTreeSet<(Func, u32)>; 2],
}

impl Changes {
    /// Of versions whose lines cannot be compared.
    pub(super) fn none() -> Changes {
        Changes {
            points: Vec::new(),
            changes: Vec::new(),
        }
    }

    pub(super) fn of(compared: Compared) -> Changes {
        let Compared { old, new, changes } = compared;
        let one_by_one = changes_one_by_one(&changes, &new);
        let mut before: BTreeMap<(Func, u32), BTreeSet<(PathBuf, u32)>> = BTreeMap::new();
        for change in &one_by_one {
            let gone = change.old_points.iter();
            let gone = gone.filter_map(|&(func, inst)| changed_line(&old, func, inst));
            let gone: Vec<_> = gone.map(|line| (line.path, line.line)).collect();
            for &(func, inst) in &change.points {
                if let Some(line) = line(&new, func, inst) {
                    let lines = before.entry((func, line)).or_default();
                    lines.extend(gone.iter().cloned());
                }
            }
        }
        let changed_line = |module: &Module, func: Func, inst: Inst| {
            let mut changed = changed_line(module, func, inst)?;
            let lines = before.get(&(func, changed.line)).cloned();
            changed.before = lines.into_iter().flatten().collect();
            Some(changed)
        };
        let mut points = Vec::new();
        for (func, of_function) in changes.points(&new) {
            for point in of_function {
                let mut blocks = new.functions[func].blocks.iter();
                let has_it = blocks.find(|(_, data)| data.insts.contains(&point.inst));
                let changed = changed_line(&new, func, point.inst);
                if let (Some((block, _)), Some(changed)) = (has_it, changed) {
                    points.push((func, block, changed));
                }
            }
        }
        let changes = one_by_one.into_iter().map(|change| {
            let lines = change.points.iter();
            let lines =
                lines.filter_map(|&(func, inst)| Some((func, changed_line(&new, func, inst)?)));
            let lines: BTreeSet<(Func, ChangedLine)> = lines.collect();
            let places = |module: &Module, points: &[(Func, Inst)]| {
                let places = points.iter();
                let places =
                    places.filter_map(|&(func, inst)| Some((func, line(module, func, inst)?)));
                places.collect()
            };
            Change {
                lines: lines.into_iter().collect(),
                places: [
                    places(&old, &change.old_points),
                    places(&new, &change.points),
                ],
            }
        });
        Changes {
            points,
            changes: changes.collect(),
        }
    }

    /// The changed lines that the new version's run executed.
    pub(super) fn executed(&self, program: &Program, new: &SymbolicRun) -> Vec<ChangedLine> {
        let executed = |(func, block, _): &&(Func, Block, ChangedLine)| {
            new.coverage.contains(program, *func, *block)
        };
        let lines = self.points.iter().filter(executed);
        let lines: BTreeSet<&ChangedLine> = lines.map(|(_, _, line)| line).collect();
        lines.into_iter().cloned().collect()
    }

    /// The lines of changes in the dynamic slice of what differs, in either version: those that are themselves in the
    /// new version's slice first, each by position; empty if there are none.
    pub(super) fn responsible(
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
        path: PathBuf::from(&file.directory).join(&file.name),
        before: Vec::new(),
    })
}
