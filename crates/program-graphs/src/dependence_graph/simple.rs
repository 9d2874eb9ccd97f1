//! The obvious twin of dependences through precise memory inside one function: from every
//! read, walk backward along all paths, one access at a time, until a write that surely
//! replaces what is read.

use super::NodeKind;
use crate::SparseSet;
use crate::cells::Cell;
use crate::externals::{Effect, ExternalModel, external_model};
use crate::memory_access::{AccessKind, Actor};
use crate::program_facts::ProgramFacts;
use program_ir::{Block, EntityRef, Func, Inst, InstData};
use std::collections::BTreeSet;

#[derive(Clone, Copy)]
enum CellAccess {
    Read(NodeKind, Cell),
    Write(NodeKind, Cell, bool),
}

/// Pairs of a reading and a writing node, for the cells of `precise`.
pub fn memory_dependences(
    facts: &ProgramFacts,
    func: Func,
    precise: &SparseSet,
) -> Vec<(NodeKind, NodeKind)> {
    let function = &facts.module.functions[func];
    let cfg = facts.calls.cfg(facts.module, func);
    let interface = facts.mod_ref.interface(&facts.calls, func);
    let jumping = jumping_functions(facts);
    let outgoing = || interface.writes.intersection(precise);
    let mut steps: Vec<Vec<CellAccess>> = vec![Vec::new(); function.blocks.len()];
    for &block in cfg.reverse_post_order() {
        let live = cfg.live_insts(function, block);
        for &inst in live {
            steps[block.index()].extend(steps_of(facts, func, inst, precise, cfg.returns_twice()));
            let mut targets = facts.calls.targets(func, inst).iter();
            if targets.any(|target| jumping.contains(&target.func)) {
                for cell in outgoing().iter().map(Cell::from_u32) {
                    steps[block.index()]
                        .push(CellAccess::Read(NodeKind::MemoryOut(func, cell), cell));
                }
            }
        }
        let leaves = live.last().is_some_and(|&last| {
            matches!(
                function.insts[last].data,
                InstData::Return { .. } | InstData::Resume
            )
        });
        if leaves {
            for cell in outgoing().iter().map(Cell::from_u32) {
                steps[block.index()].push(CellAccess::Read(NodeKind::MemoryOut(func, cell), cell));
            }
        }
    }
    let mut pairs = Vec::new();
    for &block in cfg.reverse_post_order() {
        for (index, step) in steps[block.index()].iter().enumerate() {
            let CellAccess::Read(reader, cell) = *step else {
                continue;
            };
            let mut seen: BTreeSet<Block> = BTreeSet::new();
            let mut work: Vec<(Block, usize)> = vec![(block, index)];
            while let Some((block, end)) = work.pop() {
                let mut replaced = false;
                for step in steps[block.index()][..end].iter().rev() {
                    if let CellAccess::Write(writer, written, surely) = *step
                        && written == cell
                    {
                        pairs.push((reader, writer));
                        if surely {
                            replaced = true;
                            break;
                        }
                    }
                }
                if replaced {
                    continue;
                }
                let entered = interface.reads.contains(cell.as_u32())
                    || interface.writes.contains(cell.as_u32());
                if Some(block) == cfg.entry() && entered {
                    pairs.push((reader, NodeKind::MemoryIn(func, cell)));
                }
                for before in cfg.predecessors(block) {
                    if cfg.is_reachable(before) && seen.insert(before) {
                        work.push((before, steps[before.index()].len()));
                    }
                }
            }
        }
    }
    pairs
}

/// `longjmp` and everything that can lead to it, if the program has a place to jump to.
fn jumping_functions(facts: &ProgramFacts) -> BTreeSet<Func> {
    let is = |func: Func, wanted: fn(&ExternalModel) -> bool| {
        let function = &facts.module.functions[func];
        let model = external_model(&function.name).filter(|_| function.is_declaration());
        model.is_some_and(|model| wanted(&model))
    };
    let mut jumping = BTreeSet::new();
    let returns_twice = |func| {
        is(func, |model| {
            model.control == crate::CallControl::ReturnsTwice
        })
    };
    let mut calls = facts.calls.calls();
    if !calls.any(|(_, _, targets)| targets.iter().any(|target| returns_twice(target.func))) {
        return jumping;
    }
    let jumps = |&func: &Func| is(func, |model| model.effects.contains(&Effect::JumpsBack));
    jumping.extend(facts.module.functions.keys().filter(jumps));
    loop {
        let known = jumping.len();
        for (caller, _, targets) in facts.calls.calls() {
            if targets.iter().any(|target| jumping.contains(&target.func)) {
                jumping.insert(caller);
            }
        }
        if jumping.len() == known {
            return jumping;
        }
    }
}

fn steps_of(
    facts: &ProgramFacts,
    func: Func,
    inst: Inst,
    precise: &SparseSet,
    returns_twice: bool,
) -> Vec<CellAccess> {
    let mut steps = Vec::new();
    let bodies: Vec<Func> = facts
        .calls
        .targets(func, inst)
        .iter()
        .map(|target| target.func)
        .filter(|&target| !facts.module.functions[target].is_declaration())
        .collect();
    for access in facts.accesses.of_inst(func, inst) {
        let node = match access.actor {
            Actor::Argument(arg) if !bodies.is_empty() => NodeKind::Argument(func, inst, arg),
            _ => NodeKind::Inst(func, inst),
        };
        let set = &facts.accesses.sets[access.cells];
        let cells = &facts.accesses.cells.cells;
        match access.kind {
            AccessKind::Read => {
                for cell in set.cells.intersection(precise).iter() {
                    steps.push(CellAccess::Read(node, Cell::from_u32(cell)));
                }
            }
            AccessKind::Write => {
                for cell in set.overlapping.intersection(precise).iter() {
                    let cell = Cell::from_u32(cell);
                    let covered = access
                        .replaces
                        .is_some_and(|replaced| cells[replaced].covers(&cells[cell]));
                    steps.push(CellAccess::Write(node, cell, covered && !returns_twice));
                }
            }
        }
    }
    let has_external = facts.calls.targets(func, inst).len() > bodies.len();
    for cell in precise.iter() {
        let writes = |target: &Func| {
            let effects = facts.mod_ref.interface(&facts.calls, *target);
            effects.writes.contains(cell)
        };
        let reads = |target: &Func| {
            let effects = facts.mod_ref.interface(&facts.calls, *target);
            effects.reads.contains(cell)
        };
        let cell_id = Cell::from_u32(cell);
        if bodies.iter().any(|target| reads(target) || writes(target)) {
            let node = NodeKind::MemoryArgument(func, inst, cell_id);
            steps.push(CellAccess::Read(node, cell_id));
        }
        if bodies.iter().any(writes) {
            let surely = bodies.iter().all(writes) && !has_external && !returns_twice;
            let node = NodeKind::MemoryResult(func, inst, cell_id);
            steps.push(CellAccess::Write(node, cell_id, surely));
        }
    }
    // An external that calls back does so again, and reads again.
    let mut targets = facts.calls.targets(func, inst).iter();
    if targets.any(|target| target.binding == crate::CallBinding::Callback) {
        let reads = steps.iter().filter_map(|step| match *step {
            CellAccess::Read(node, cell) if !matches!(node, NodeKind::Argument(..)) => {
                Some(CellAccess::Read(node, cell))
            }
            _ => None,
        });
        let again: Vec<CellAccess> = reads.collect();
        steps.extend(again);
    }
    steps
}
