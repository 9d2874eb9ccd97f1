//! Hashes of instructions and bodies that do not depend on numbering or names.

use crate::operation::{
    constant_hash, constant_of, edges, hash_of, plain_operands, type_word, words,
};
use crate::version::ClassifiedModule;
use program_ir::{Function, Inst, SecondaryMap, Value, ValueDef};

/// Words, constant operands, and where they stand among the operands.
pub(crate) fn shape(version: &ClassifiedModule<'_>, function: &Function, inst: Inst) -> u64 {
    let mut parts = words(version, function, inst);
    for value in plain_operands(&function.insts[inst].data) {
        parts.push(constant_hash(version, function, value));
    }
    hash_of(&parts)
}

/// The shape of an instruction and of what its operands are computed from, `depth` deep.
pub(crate) fn deep_shape(
    function: &Function,
    shapes: &SecondaryMap<Inst, u64>,
    inst: Inst,
    depth: u32,
) -> u64 {
    let mut parts = vec![shapes[inst]];
    for value in plain_operands(&function.insts[inst].data) {
        parts.push(match function.values[value].def {
            ValueDef::Constant(_) => 1,
            ValueDef::Param(..) => type_word(function.ty(value)) << 8 | 2,
            ValueDef::Result(def, index) if depth > 0 => {
                deep_shape(function, shapes, def, depth - 1) ^ u64::from(index)
            }
            ValueDef::Result(..) => 3,
        });
    }
    hash_of(&parts)
}

/// Whether two bodies are the same but for numbering, names and source locations. A
/// "no" may still turn out to be no change; a "yes" is final.
pub(crate) fn identical_bodies(
    old_version: &ClassifiedModule<'_>,
    old: &Function,
    new_version: &ClassifiedModule<'_>,
    new: &Function,
) -> bool {
    if old.blocks.len() != new.blocks.len() || old.signature != new.signature {
        return false;
    }
    let (old_ordinal, new_ordinal) = (ordinals(old), ordinals(new));
    let same_value = |in_old: Value, in_new: Value| {
        if old.ty(in_old) != new.ty(in_new) {
            return false;
        }
        match (constant_of(old, in_old), constant_of(new, in_new)) {
            (Some(old), Some(new)) => {
                let key = old_version.constant_key(old);
                key.is_some() && key == new_version.constant_key(new)
            }
            (None, None) => old_ordinal[in_old] == new_ordinal[in_new],
            _ => false,
        }
    };
    let same_values = |in_old: &[Value], in_new: &[Value]| {
        in_old.len() == in_new.len()
            && in_old
                .iter()
                .zip(in_new)
                .all(|(&in_old, &in_new)| same_value(in_old, in_new))
    };
    old.blocks
        .values()
        .zip(new.blocks.values())
        .all(|(in_old, in_new)| {
            same_values(&in_old.params, &in_new.params)
                && in_old.insts.len() == in_new.insts.len()
                && in_old
                    .insts
                    .iter()
                    .zip(&in_new.insts)
                    .all(|(&in_old, &in_new)| {
                        let (old_data, new_data) =
                            (&old.insts[in_old].data, &new.insts[in_new].data);
                        let (old_edges, new_edges) = (edges(old_data), edges(new_data));
                        words(old_version, old, in_old) == words(new_version, new, in_new)
                            && same_values(&plain_operands(old_data), &plain_operands(new_data))
                            && old_edges.len() == new_edges.len()
                            && old_edges.iter().zip(&new_edges).all(|(in_old, in_new)| {
                                in_old.block == in_new.block
                                    && same_values(&in_old.args, &in_new.args)
                            })
                    })
        })
}

/// Non-constant values by order of definition.
fn ordinals(function: &Function) -> SecondaryMap<Value, u32> {
    let mut ordinals = SecondaryMap::with_default(u32::MAX);
    let mut next = 0;
    for block in function.blocks.values() {
        let results = block.insts.iter().flat_map(|&inst| function.results(inst));
        for value in block.params.iter().copied().chain(results) {
            ordinals[value] = next;
            next += 1;
        }
    }
    ordinals
}
