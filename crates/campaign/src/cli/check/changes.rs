//! The changed lines of the new version, and which of them are named with a difference.

use std::collections::BTreeSet;

use concolic_vm::Program;
use exploration::worker::Ran;
use program_ir::{Func, Inst};

use super::Arguments;
use crate::cli::versions::Compared;

/// A changed line of the new version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct ChangedLine {
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) function: String,
}

/// The changes, and the instructions of the new version that execute them.
pub(super) struct Changes {
    pub(super) points: Vec<(Func, Inst, ChangedLine)>,
}

impl Changes {
    pub(super) fn find(arguments: &Arguments) -> anyhow::Result<Changes> {
        let Compared { new, changes, .. } = arguments.versions.compare()?;
        let mut points = Vec::new();
        for (func, of_function) in changes.points(&new) {
            for point in of_function {
                let Some(loc) = new.functions[func].insts[point.inst].loc else {
                    continue;
                };
                let line = ChangedLine {
                    file: new.source.file_name(loc).to_owned(),
                    line: new.source.locs[loc].line,
                    function: version_diff::report::display_name(&new, func),
                };
                points.push((func, point.inst, line));
            }
        }
        Ok(Changes { points })
    }

    /// The changed lines that a run of the new version executed.
    pub(super) fn executed(&self, program: &Program, ran: &Ran<'_>) -> Vec<ChangedLine> {
        let coverage = &ran.versions[1].run.coverage;
        let mut lines = BTreeSet::new();
        for (func, inst, line) in &self.points {
            let blocks = program.module().functions[*func].blocks.iter();
            let block = blocks
                .filter(|(_, data)| data.insts.contains(inst))
                .map(|(block, _)| block)
                .next();
            if line.line > 0 && block.is_some_and(|block| coverage.contains(program, *func, block))
            {
                lines.insert(line.clone());
            }
        }
        lines.into_iter().collect()
    }
}
