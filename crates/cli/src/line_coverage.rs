//! Which source lines of the program were executed, and the same as an lcov tracefile.
//!
//! A line counts as executed if a block with an instruction of that line was entered. Libraries are left out.

use std::collections::BTreeMap;
use std::fmt::Write;

use concolic_vm::symbolic::Coverage;
use concolic_vm::{Program, StackFrame};

/// The lines with code, by file; whether each was executed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineCoverage {
    pub files: BTreeMap<String, BTreeMap<u32, bool>>,
}

impl LineCoverage {
    pub fn new(program: &Program, coverage: &Coverage) -> LineCoverage {
        let module = program.module();
        let own: Vec<bool> = module
            .source
            .files
            .values()
            .map(|file| {
                let frame = StackFrame {
                    function: String::new(),
                    file: Some(file.name.clone()),
                    line: 0,
                    column: 0,
                };
                frame.is_programs_own()
            })
            .collect();
        let mut files: BTreeMap<String, BTreeMap<u32, bool>> = BTreeMap::new();
        for (func, function) in module.functions.iter() {
            for (block, data) in function.blocks.iter() {
                let mut executed = None;
                for &inst in &data.insts {
                    let Some(loc) = function.insts[inst].loc else {
                        continue;
                    };
                    let place = &module.source.locs[loc];
                    let file = module.source.scopes[place.scope].file;
                    if place.line == 0 || !own[file.as_u32() as usize] {
                        continue;
                    }
                    let executed =
                        *executed.get_or_insert_with(|| coverage.contains(program, func, block));
                    let lines = match files.get_mut(module.source.file_name(loc)) {
                        Some(lines) => lines,
                        None => files
                            .entry(module.source.file_name(loc).to_owned())
                            .or_default(),
                    };
                    *lines.entry(place.line).or_default() |= executed;
                }
            }
        }
        LineCoverage { files }
    }

    /// Lines executed, and lines with code.
    pub fn totals(&self) -> (usize, usize) {
        let lines = || self.files.values().flat_map(BTreeMap::values);
        (
            lines().filter(|&&executed| executed).count(),
            lines().count(),
        )
    }

    /// An lcov tracefile. How often a line was executed is not counted: 1 means at least once.
    pub fn lcov(&self) -> String {
        let mut text = String::from("TN:\n");
        for (file, lines) in &self.files {
            let _ = writeln!(text, "SF:{file}");
            for (line, &executed) in lines {
                let _ = writeln!(text, "DA:{line},{}", u8::from(executed));
            }
            let hit = lines.values().filter(|&&executed| executed).count();
            let _ = writeln!(text, "LF:{}\nLH:{hit}\nend_of_record", lines.len());
        }
        text
    }
}
