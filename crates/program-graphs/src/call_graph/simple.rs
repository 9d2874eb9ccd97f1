//! The obvious twin of "never returns": rounds over all functions until nothing changes,
//! with reachability searched anew each time, instruction by instruction.

use crate::externals::external_model;
use crate::{CallBinding, CallControl, PointsTo};
use program_ir::{Block, Func, InstData, Module};
use std::collections::BTreeSet;

pub fn never_returning(module: &Module, points_to: &PointsTo) -> BTreeSet<Func> {
    let mut never: BTreeSet<Func> = module
        .functions
        .iter()
        .filter(|(_, function)| {
            function.is_declaration()
                && external_model(&function.name)
                    .is_some_and(|model| model.control == CallControl::NeverReturns)
        })
        .map(|(func, _)| func)
        .collect();
    loop {
        let before = never.len();
        for (func, function) in module.functions.iter() {
            if !function.is_declaration() && !reaches_return(module, points_to, &never, func) {
                never.insert(func);
            }
        }
        if never.len() == before {
            return never;
        }
    }
}

fn reaches_return(
    module: &Module,
    points_to: &PointsTo,
    never: &BTreeSet<Func>,
    func: Func,
) -> bool {
    let function = &module.functions[func];
    let stops = |inst| {
        let mut called = points_to
            .targets
            .get(&(func, inst))
            .into_iter()
            .flatten()
            .filter(|(_, binding)| *binding == CallBinding::Arguments)
            .peekable();
        called.peek().is_some() && called.all(|(target, _)| never.contains(target))
    };
    // Where a second return can happen, any call before may lead to it; those paths only
    // revisit blocks that were already reached.
    let mut seen: BTreeSet<Block> = BTreeSet::new();
    let mut stack: Vec<Block> = function.entry().into_iter().collect();
    while let Some(block) = stack.pop() {
        if !seen.insert(block) {
            continue;
        }
        for &inst in &function.blocks[block].insts {
            match &function.insts[inst].data {
                InstData::Return { .. } => return true,
                InstData::Invoke { unwind, .. } if stops(inst) => stack.push(unwind.block),
                InstData::Call(_) if stops(inst) => break,
                data => stack.extend(data.successors()),
            }
        }
    }
    false
}
