//! What is in the way of a change that no run has executed: the branches that runs came to and never took towards it, with what their
//! conditions are made from.
//!
//! From the blocks of the change one goes back along the control flow, and from the entry of a function to its calls. The first
//! blocks that some run has entered end in these branches. This is for people to read: no verdict rests on it.

use std::collections::{BTreeSet, VecDeque};

use program_ir::{Block, Func, Inst, InstData, Module, Value};
use serde::{Deserialize, Serialize};
use version_diff::calls::Calls;

use super::covered::Covered;
use super::input_sources::{InputSource, Sources};
use super::source_line::source_line;
use harness::full_path;

/// Obstacles that are told of; those that are nearest to the change come first.
const MOST_OBSTACLES: usize = 3;

/// A branch that runs came to and never took towards a change.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Obstacle {
    pub file: String,
    pub line: u32,
    pub function: String,
    /// Its text, if the source is still there.
    pub code: Option<String>,
    /// What its condition is made from, as far as that was found.
    pub from: Vec<InputSource>,
}

/// The nearest branches before blocks that no run has entered.
pub(super) fn obstacles(version: Covered<'_>, ahead: &BTreeSet<(Func, Block)>) -> Vec<Obstacle> {
    let module = version.program.module();
    let calls = Calls::from_default_roots(module);
    let mut open: VecDeque<(Func, Block)> = ahead.iter().copied().collect();
    let mut seen: BTreeSet<(Func, Block)> = ahead.clone();
    let mut found: Vec<Obstacle> = Vec::new();
    while let Some((func, block)) = open.pop_front() {
        let function = &module.functions[func];
        let cfg = calls.cfg(func);
        let within = cfg.predecessors(block).map(|before| (func, before));
        let mut before: Vec<(Func, Block)> = within.collect();
        if function.entry() == Some(block) {
            let callers = calls.callers(func).iter();
            let callers = callers.filter_map(|&(caller, inst)| {
                let mut blocks = module.functions[caller].blocks.iter();
                let has_it = blocks.find(|(_, data)| data.insts.contains(&inst))?;
                Some((caller, has_it.0))
            });
            before.extend(callers);
        }
        for place in before {
            if !seen.insert(place) {
                continue;
            }
            match version.has(place.0, place.1) {
                true => found.extend(obstacle(module, &calls, place)),
                false => open.push_back(place),
            }
        }
        found.dedup();
        if found.len() >= MOST_OBSTACLES {
            found.truncate(MOST_OBSTACLES);
            break;
        }
    }
    found
}

/// The branch at the end of a block, if it is one of the program's own.
fn obstacle(module: &Module, calls: &Calls<'_>, (func, block): (Func, Block)) -> Option<Obstacle> {
    let function = &module.functions[func];
    let last: Inst = function.terminator(block)?;
    let condition: Value = match &function.insts[last].data {
        InstData::Branch { condition, .. } => *condition,
        InstData::Switch { arg, .. } => *arg,
        _ => return None,
    };
    let loc = function.insts[last].loc?;
    let scope = &module.source.scopes[module.source.locs[loc].scope];
    let line = module.source.locs[loc].line;
    if line == 0 || version_diff::own_changes::is_library(module, func) {
        return None;
    }
    Some(Obstacle {
        file: module.source.file_name(loc).to_owned(),
        line,
        function: version_diff::report::display_name(module, func),
        code: source_line(&full_path(module, scope.file), line, &[]),
        from: Sources::of(module, calls, func, condition),
    })
}
