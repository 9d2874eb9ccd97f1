//! The obvious twin: collect every function that can run, then everything they do, then
//! leave out what lies in their frames.

use super::{Effects, frame_of, own_effects};
use crate::call_graph::CallGraph;
use crate::cells::Cell;
use crate::memory_access::MemoryAccesses;
use crate::points_to::PointsTo;
use program_ir::Func;
use std::collections::BTreeSet;

pub fn effects(
    points_to: &PointsTo,
    calls: &CallGraph,
    accesses: &MemoryAccesses,
    func: Func,
) -> Effects {
    let mut running: BTreeSet<Func> = BTreeSet::from([func]);
    loop {
        let more: Vec<Func> = calls
            .calls()
            .filter(|(caller, ..)| running.contains(caller))
            .flat_map(|(_, _, targets)| targets.iter().map(|target| target.func))
            .filter(|target| !running.contains(target))
            .collect();
        if more.is_empty() {
            break;
        }
        running.extend(more);
    }
    let mut all = Effects::default();
    for &func in &running {
        all.include(&own_effects(accesses, func));
    }
    let seen = |cell: &u32| {
        frame_of(points_to, accesses, Cell::from_u32(*cell))
            .is_none_or(|owner| !running.contains(&owner))
    };
    Effects {
        reads: all.reads.iter().filter(seen).collect(),
        writes: all.writes.iter().filter(seen).collect(),
    }
}
