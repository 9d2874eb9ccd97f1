//! Static def-use: where is a value used that an instruction defines?
//!
//! A value in a register is used by the instructions of its function that name it. A jump that passes it to a block
//! parameter uses it; behind a branch that passes it, the parameter's uses count. What a store writes is used by the
//! loads that may read it (points-to), through calls as well.

use program_graphs::{AccessKind, ProgramFacts};
use program_ir::{Func, Function, Inst, InstData, Value};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The instructions that use a value, through block parameters too.
pub fn of_value(function: &Function, value: Value) -> BTreeSet<Inst> {
    let mut found = BTreeSet::new();
    let mut seen: FxHashSet<Value> = FxHashSet::default();
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        for (_, block) in function.blocks.iter() {
            for &inst in &block.insts {
                let data = &function.insts[inst].data;
                if matches!(data, InstData::Jump(_)) {
                    data.for_each_operand(|operand| {
                        if operand == value {
                            found.insert(inst);
                        }
                    });
                    continue;
                }
                let mut passed = 0;
                data.for_each_edge(|edge| {
                    let params = &function.blocks[edge.block].params;
                    for (&argument, &param) in edge.args.iter().zip(params) {
                        if argument == value {
                            passed += 1;
                            work.push(param);
                        }
                    }
                });
                let mut named = 0;
                data.for_each_operand(|operand| named += usize::from(operand == value));
                if named > passed {
                    found.insert(inst);
                }
            }
        }
    }
    found
}

/// The instructions that use what an instruction defines, in a register or in memory.
pub fn of_definition(facts: &ProgramFacts<'_>, func: Func, inst: Inst) -> Vec<(Func, Inst)> {
    let function = &facts.module.functions[func];
    let mut found: BTreeSet<(Func, Inst)> = BTreeSet::new();
    for result in function.results(inst) {
        found.extend(
            of_value(function, result)
                .into_iter()
                .map(|inst| (func, inst)),
        );
    }
    let accesses = &facts.accesses;
    let writes = accesses.of_inst(func, inst).iter();
    for write in writes.filter(|access| access.kind == AccessKind::Write) {
        let changed = &accesses.sets[write.cells].overlapping;
        for &reader in &facts.calls.reached {
            for read in accesses.of_function(reader) {
                let is_read = read.kind == AccessKind::Read;
                if is_read && accesses.sets[read.cells].cells.intersects(changed) {
                    found.insert((reader, read.inst));
                }
            }
        }
    }
    found.remove(&(func, inst));
    found.into_iter().collect()
}
