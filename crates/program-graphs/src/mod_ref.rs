//! What memory a call of a function may read and write, its callees included.
//!
//! The stack objects of the function and of everything it calls are gone when it
//! returns, so a caller does not see them. Inside a recursion they stay visible: an outer
//! activation's objects may be meant.

pub mod simple;

use crate::SparseSet;
use crate::call_graph::CallGraph;
use crate::cells::Cell;
use crate::location::ObjectKind;
use crate::memory_access::{AccessKind, MemoryAccesses};
use crate::points_to::PointsTo;
use program_ir::{EntityRef, Func, Inst};

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Effects {
    /// Cells as they are accessed.
    pub reads: SparseSet,
    /// All cells that may change, hence all that overlap a written one.
    pub writes: SparseSet,
}

impl Effects {
    fn include(&mut self, other: &Effects) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
    }

    fn without(&self, hidden: &SparseSet) -> Effects {
        Effects {
            reads: self.reads.difference(hidden),
            writes: self.writes.difference(hidden),
        }
    }
}

#[derive(Clone, Debug)]
pub struct ModRef {
    /// As callers outside a recursion see it.
    visible: Vec<Effects>,
    /// As callers inside the same recursion see it; empty if there is none.
    within: Vec<Effects>,
}

impl ModRef {
    pub fn of(points_to: &PointsTo, calls: &CallGraph, accesses: &MemoryAccesses) -> Self {
        let function_count = calls.components.component_of.len();
        let frames = frame_cells(points_to, accesses, function_count);
        let mut mod_ref = ModRef {
            visible: vec![Effects::default(); function_count],
            within: vec![Effects::default(); function_count],
        };
        let mut callees: Vec<Vec<Func>> = vec![Vec::new(); function_count];
        for (caller, _, targets) in calls.calls() {
            callees[caller.index()].extend(targets.iter().map(|target| target.func));
        }
        // Callees first. `gone`: frames of whatever a call of the function can run.
        let mut gone = vec![SparseSet::new(); function_count];
        for members in &calls.components.members {
            let mut effects = Effects::default();
            let mut gone_below = SparseSet::new();
            let mut own_frames = SparseSet::new();
            for &member in members {
                let func = Func::from_u32(member);
                effects.include(&own_effects(accesses, func));
                for callee in &callees[func.index()] {
                    effects.include(&mod_ref.visible[callee.index()]);
                    gone_below.union_with(&gone[callee.index()]);
                }
                own_frames.union_with(&frames[func.index()]);
            }
            let effects = effects.without(&gone_below);
            let visible = effects.without(&own_frames);
            own_frames.union_with(&gone_below);
            for &member in members {
                mod_ref.visible[member as usize] = visible.clone();
                gone[member as usize] = own_frames.clone();
                if calls.is_recursive(Func::from_u32(member)) {
                    mod_ref.within[member as usize] = effects.clone();
                }
            }
        }
        mod_ref
    }

    pub fn of_function(&self, func: Func) -> &Effects {
        &self.visible[func.index()]
    }

    /// What the function's interface has to mention: with its own stack objects if a
    /// recursive call could mean them.
    pub fn interface(&self, calls: &CallGraph, func: Func) -> &Effects {
        if calls.is_recursive(func) {
            &self.within[func.index()]
        } else {
            &self.visible[func.index()]
        }
    }
}

/// What the function's own instructions do.
pub fn own_effects(accesses: &MemoryAccesses, func: Func) -> Effects {
    let mut effects = Effects::default();
    for access in accesses.of_function(func) {
        let set = &accesses.sets[access.cells];
        match access.kind {
            AccessKind::Read => effects.reads.union_with(&set.cells),
            AccessKind::Write => effects.writes.union_with(&set.overlapping),
        };
    }
    effects
}

/// What one instruction does by itself.
pub fn inst_effects(accesses: &MemoryAccesses, func: Func, inst: Inst) -> Effects {
    let mut effects = Effects::default();
    for access in accesses.of_inst(func, inst) {
        let set = &accesses.sets[access.cells];
        match access.kind {
            AccessKind::Read => effects.reads.union_with(&set.cells),
            AccessKind::Write => effects.writes.union_with(&set.overlapping),
        };
    }
    effects
}

/// The function in whose stack frame the cell lies.
pub fn frame_of(points_to: &PointsTo, accesses: &MemoryAccesses, cell: Cell) -> Option<Func> {
    match points_to.kind(accesses.cells.cells[cell].object) {
        ObjectKind::Stack(func, _) | ObjectKind::ByValueCopy(func, ..) => Some(func),
        _ => None,
    }
}

fn frame_cells(
    points_to: &PointsTo,
    accesses: &MemoryAccesses,
    function_count: usize,
) -> Vec<SparseSet> {
    let mut frames = vec![SparseSet::new(); function_count];
    for cell in accesses.cells.cells.keys() {
        if let Some(func) = frame_of(points_to, accesses, cell) {
            frames[func.index()].insert(cell.as_u32());
        }
    }
    frames
}
