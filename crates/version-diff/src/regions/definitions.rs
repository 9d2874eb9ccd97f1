//! What a changed region may define: the state to compare at its end (eXpress §4.3).

use super::{Place, Region};
use program_graphs::mod_ref::inst_effects;
use program_graphs::{ObjectKind, ProgramFacts};
use program_ir::{Func, Function, Global, Inst, Value, Variable, VariablePlace};
use std::collections::BTreeSet;

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Definitions {
    /// SSA values that are defined inside, or passed to the exit, and used outside.
    pub values: Vec<Value>,
    /// Local variables that get a value inside.
    pub variables: BTreeSet<Variable>,
    pub globals: BTreeSet<Global>,
    /// Stack objects, by function and `alloca`.
    pub stack: BTreeSet<(Func, Inst)>,
    /// Heap objects, by where they are allocated.
    pub heap: BTreeSet<(Func, Inst)>,
    /// Memory that has no name of these kinds: arguments, the environment, files.
    pub other_memory: bool,
}

pub fn may_define(facts: &ProgramFacts<'_>, region: &Region) -> Definitions {
    let function = &facts.module.functions[region.func];
    let inside: BTreeSet<Inst> = region.insts.iter().copied().collect();
    let defined = defined(function, region, &inside);
    let mut found = Definitions {
        values: used_outside(function, &inside, &defined),
        ..Definitions::default()
    };
    for binding in &function.bindings {
        // What was computed inside may be bound only behind it.
        let at_the_exit = region.exit == Place::Before(binding.before)
            && matches!(binding.place, VariablePlace::Value(value) if defined.contains(&value));
        if inside.contains(&binding.before) || at_the_exit {
            found.variables.insert(binding.variable);
        }
    }
    let mut note = |cell: u32| {
        let data = facts.accesses.cells.cells[program_graphs::Cell::from_u32(cell)];
        match facts.points_to.kind(data.object) {
            ObjectKind::Global(global) => {
                found.globals.insert(global);
            }
            ObjectKind::Stack(func, inst) => {
                found.stack.insert((func, inst));
            }
            ObjectKind::Heap(func, inst) => {
                found.heap.insert((func, inst));
            }
            ObjectKind::Function(_) => {}
            _ => found.other_memory = true,
        }
    };
    for &inst in &region.insts {
        let effects = inst_effects(&facts.accesses, region.func, inst);
        effects.writes.iter().for_each(&mut note);
        for target in facts.calls.targets(region.func, inst) {
            let effects = facts.mod_ref.of_function(target.func);
            effects.writes.iter().for_each(&mut note);
        }
    }
    found
}

/// Results, parameters of blocks that begin inside, and those of the block that the exit
/// is the beginning of: edges from inside pass their values.
fn defined(function: &Function, region: &Region, inside: &BTreeSet<Inst>) -> BTreeSet<Value> {
    let mut defined: BTreeSet<Value> = BTreeSet::new();
    for block in function.blocks.values() {
        if block
            .insts
            .first()
            .is_some_and(|first| inside.contains(first) || region.exit == Place::Before(*first))
        {
            defined.extend(&block.params);
        }
        for &inst in block.insts.iter().filter(|inst| inside.contains(inst)) {
            defined.extend(function.results(inst));
        }
    }
    defined
}

fn used_outside(
    function: &Function,
    inside: &BTreeSet<Inst>,
    defined: &BTreeSet<Value>,
) -> Vec<Value> {
    let mut used = BTreeSet::new();
    for (_, data) in function.blocks.iter() {
        for &inst in data.insts.iter().filter(|inst| !inside.contains(inst)) {
            function.insts[inst].data.for_each_operand(|value| {
                if defined.contains(&value) {
                    used.insert(value);
                }
            });
        }
    }
    used.into_iter().collect()
}
