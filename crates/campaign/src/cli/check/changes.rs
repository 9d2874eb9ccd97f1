//! The changed lines of the new version, and which of them are responsible for a difference.

use std::collections::BTreeSet;
use std::path::PathBuf;

use concolic_vm::Program;
use concolic_vm::symbolic::SymbolicRun;
use exploration::compare::Observable;
use program_ir::{Block, Func};

use super::Arguments;
use crate::cli::versions::Compared;

/// A changed line of the new version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChangedLine {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) function: String,
    /// Where the file was when the version was built.
    pub(super) path: PathBuf,
}

/// The changed lines, with the blocks of the new version that execute them.
pub(super) struct Changes {
    points: Vec<(Func, Block, ChangedLine)>,
}

impl Changes {
    /// Of versions whose lines cannot be compared.
    pub(super) fn none() -> Changes {
        Changes { points: Vec::new() }
    }

    pub(super) fn find(arguments: &Arguments) -> anyhow::Result<Changes> {
        let Compared { new, changes, .. } = arguments.versions.compare()?;
        let mut points = Vec::new();
        for (func, of_function) in changes.points(&new) {
            for point in of_function {
                let function = &new.functions[func];
                let Some(loc) = function.insts[point.inst].loc else {
                    continue;
                };
                let mut blocks = function.blocks.iter();
                let has_it = blocks.find(|(_, data)| data.insts.contains(&point.inst));
                let line = new.source.locs[loc].line;
                if let Some((block, _)) = has_it.filter(|_| line > 0) {
                    let scope = &new.source.scopes[new.source.locs[loc].scope];
                    let file = &new.source.files[scope.file];
                    let changed = ChangedLine {
                        file: new.source.file_name(loc).to_owned(),
                        line,
                        function: version_diff::report::display_name(&new, func),
                        path: PathBuf::from(&file.directory).join(&file.name),
                    };
                    points.push((func, block, changed));
                }
            }
        }
        Ok(Changes { points })
    }

    /// The changed lines that are responsible for a difference in these observables: at present all that the new
    /// version's run executed, whatever the observables depend on.
    pub(super) fn responsible(
        &self,
        program: &Program,
        new: &SymbolicRun,
        _observables: &[Observable],
    ) -> Vec<ChangedLine> {
        let executed = |(func, block, _): &&(Func, Block, ChangedLine)| {
            new.coverage.contains(program, *func, *block)
        };
        let lines = self.points.iter().filter(executed);
        let lines: BTreeSet<&ChangedLine> = lines.map(|(_, _, line)| line).collect();
        lines.into_iter().cloned().collect()
    }
}
