//! Functions that only hand on what an allocator gives them, like `xmalloc`.
//!
//! An object stands for all that is made at one call of an allocator. If that call is in a
//! wrapper, all blocks of the program would be one object; so a call of a wrapper makes
//! objects of its own. Inside the wrapper the allocator's result points to the objects of
//! all its callers, so nothing that the wrapper does with a block is missed.

use crate::externals::{Effect, external_model};
use program_ir::{
    Callee, CastOp, Constant, Func, Inst, InstData, Module, TernaryOp, Type, Value, ValueDef,
};
use std::collections::BTreeSet;

/// How deep wrappers of wrappers are looked through.
const DEPTH: usize = 4;

/// The calls that make what the function returns, those inside further wrappers
/// included. Empty if it is no wrapper: if it can return anything but null and a block
/// that it has just been given.
pub(super) fn allocations(module: &Module, func: Func) -> BTreeSet<(Func, Inst)> {
    let mut found = BTreeSet::new();
    match collect(module, func, DEPTH, &mut found) {
        Some(()) => found,
        None => BTreeSet::new(),
    }
}

fn collect(
    module: &Module,
    func: Func,
    depth: usize,
    found: &mut BTreeSet<(Func, Inst)>,
) -> Option<()> {
    let function = &module.functions[func];
    if depth == 0 || function.signature.returns != [Type::Ptr] {
        return None;
    }
    let mut work: Vec<Value> = Vec::new();
    for block in function.blocks.keys() {
        if let Some(last) = function.terminator(block)
            && let InstData::Return { values } = &function.insts[last].data
        {
            work.extend(values.iter().copied());
        }
    }
    let mut seen = BTreeSet::new();
    while let Some(value) = work.pop() {
        if !seen.insert(value) {
            continue;
        }
        match function.values[value].def {
            ValueDef::Constant(Constant::Bits(0)) => {}
            ValueDef::Constant(_) => return None,
            ValueDef::Param(block, _) if Some(block) == function.entry() => return None,
            ValueDef::Param(block, index) => {
                for node in function.insts.values() {
                    node.data.for_each_edge(|edge| {
                        if edge.block == block {
                            work.extend(edge.args.get(index as usize).copied());
                        }
                    });
                }
            }
            ValueDef::Result(inst, _) => match &function.insts[inst].data {
                InstData::Cast {
                    op: CastOp::Bits,
                    arg,
                } => work.push(*arg),
                InstData::Ternary {
                    op: TernaryOp::Select,
                    args,
                } => work.extend(&args[1..]),
                InstData::Call(call) => {
                    let Callee::Direct(callee) = call.callee else {
                        return None;
                    };
                    if !is_allocator(module, callee) {
                        collect(module, callee, depth - 1, found)?;
                    }
                    found.insert((func, inst));
                }
                _ => return None,
            },
        }
    }
    Some(())
}

/// Returns a new block, and nothing else.
fn is_allocator(module: &Module, func: Func) -> bool {
    let function = &module.functions[func];
    let model = external_model(&function.name).filter(|_| function.is_declaration());
    model.is_some_and(|model| {
        model.effects.contains(&Effect::Allocates)
            && !model
                .effects
                .iter()
                .any(|effect| matches!(effect, Effect::ReturnsInto(_)))
    })
}
