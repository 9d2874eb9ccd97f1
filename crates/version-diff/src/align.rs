//! Which instruction of the new body is which of the old one.
//!
//! Instructions are laid out in block order, which follows the source, and aligned as
//! two sequences without crossings: first by instructions whose neighbourhood of
//! operands is unique in both bodies, then, between such anchors, by best total score of
//! likeness. Source lines relative to the function's first are a tie-breaker and nothing
//! more, so moved lines and reformatting do not matter. Then blocks are aligned by the
//! instructions they share, and their parameters and the fixed stack slots, which have
//! no order, by use (`align::unordered`).
//!
//! An alignment is a guess. Whatever it is, `compare` finds a set of changes that
//! explains every difference in behaviour; a good guess makes the set small.

mod sequence;
mod unordered;

use crate::fingerprint::{deep_shape, shape};
use crate::input_space::CommonInputSpace;
use crate::operation::{constant_of, kind};
use crate::version::ClassifiedModule;
use program_ir::{Block, Constant, Func, Function, Inst, InstData, SecondaryMap, Value};
use sequence::Item;

/// How deep the computation of operands is looked at to recognise an instruction.
const OPERAND_DEPTH: u32 = 2;

/// Partners between two bodies; each has at most one.
#[derive(Clone, Debug, Default)]
pub struct Alignment {
    pub old_of_new: SecondaryMap<Inst, Option<Inst>>,
    pub new_of_old: SecondaryMap<Inst, Option<Inst>>,
    pub old_block_of_new: SecondaryMap<Block, Option<Block>>,
    pub new_block_of_old: SecondaryMap<Block, Option<Block>>,
    /// Results of partners, and parameters of partner blocks.
    pub old_value_of_new: SecondaryMap<Value, Option<Value>>,
    pub new_value_of_old: SecondaryMap<Value, Option<Value>>,
}

impl Alignment {
    pub(crate) fn pair_insts(
        &mut self,
        old: &Function,
        new: &Function,
        in_old: Inst,
        in_new: Inst,
    ) {
        self.old_of_new[in_new] = Some(in_old);
        self.new_of_old[in_old] = Some(in_new);
        for (in_old, in_new) in old.results(in_old).zip(new.results(in_new)) {
            if old.ty(in_old) == new.ty(in_new) {
                self.pair_values(in_old, in_new);
            }
        }
    }

    pub(crate) fn pair_values(&mut self, in_old: Value, in_new: Value) {
        self.old_value_of_new[in_new] = Some(in_old);
        self.new_value_of_old[in_old] = Some(in_new);
    }
}

pub fn align(
    old_version: &ClassifiedModule<'_>,
    old_func: Func,
    new_version: &ClassifiedModule<'_>,
    new_func: Func,
    inputs: &CommonInputSpace,
) -> Alignment {
    let old = &old_version.module.functions[old_func];
    let new = &new_version.module.functions[new_func];
    let mut alignment = Alignment::default();
    let old_items = items(old_version, old);
    let new_items = items(new_version, new);
    for (in_old, in_new) in sequence::align(&old_items, &new_items) {
        let (in_old, in_new) = (old_items[in_old].inst, new_items[in_new].inst);
        alignment.pair_insts(old, new, in_old, in_new);
    }
    align_blocks(old, new, &mut alignment);
    for (index, &in_new) in new.params().iter().enumerate() {
        if let Some(at) = inputs.old_of_new[index] {
            alignment.pair_values(old.params()[at as usize], in_new);
        }
    }
    unordered::align_stack_slots(old, new, &mut alignment);
    unordered::align_block_params(old, new, &mut alignment);
    alignment
}

/// A stack object that exists once per call, wherever its instruction stands.
pub fn is_stack_slot(function: &Function, block: Block, inst: Inst) -> bool {
    match &function.insts[inst].data {
        InstData::Alloca { count, .. } => {
            Some(block) == function.entry()
                && matches!(constant_of(function, *count), Some(Constant::Bits(_)))
        }
        _ => false,
    }
}

fn items(version: &ClassifiedModule<'_>, function: &Function) -> Vec<Item> {
    let mut shapes = SecondaryMap::with_default(0);
    for (inst, _) in function.insts.iter() {
        shapes[inst] = shape(version, function, inst);
    }
    let source = &version.module.source;
    let first_line = function.scope.map_or(0, |scope| source.scopes[scope].line);
    let mut items = Vec::with_capacity(function.insts.len());
    for (block, data) in function.blocks.iter() {
        for &inst in &data.insts {
            if is_stack_slot(function, block, inst) {
                continue;
            }
            let node = &function.insts[inst];
            let line = node.loc.map_or(0, |loc| source.locs[loc].line);
            items.push(Item {
                inst,
                deep: deep_shape(function, &shapes, inst, OPERAND_DEPTH),
                shape: shapes[inst],
                kind: kind(&node.data),
                relative_line: i64::from(line) - i64::from(first_line),
            });
        }
    }
    items
}

/// Blocks that have most of their aligned instructions in common.
fn align_blocks(old: &Function, new: &Function, alignment: &mut Alignment) {
    let mut block_of_old = SecondaryMap::<Inst, Option<Block>>::new();
    for (block, data) in old.blocks.iter() {
        data.insts
            .iter()
            .for_each(|&inst| block_of_old[inst] = Some(block));
    }
    let mut votes = Vec::new();
    for (block, data) in new.blocks.iter() {
        let mut counts: Vec<(Block, usize)> = Vec::new();
        let last = data.insts.last();
        for inst in &data.insts {
            let Some(in_old) = alignment.old_of_new[*inst] else {
                continue;
            };
            let Some(old_block) = block_of_old[in_old] else {
                continue;
            };
            // Terminators carry the edges, which is what block partners are needed for.
            let weight = if Some(inst) == last { 2 } else { 1 };
            match counts.iter_mut().find(|(found, _)| *found == old_block) {
                Some((_, count)) => *count += weight,
                None => counts.push((old_block, weight)),
            }
        }
        votes.extend(
            counts
                .into_iter()
                .map(|(in_old, count)| (count, in_old, block)),
        );
    }
    votes.sort_by_key(|&(count, in_old, in_new)| (std::cmp::Reverse(count), in_new, in_old));
    if let (Some(old_entry), Some(new_entry)) = (old.entry(), new.entry()) {
        alignment.old_block_of_new[new_entry] = Some(old_entry);
        alignment.new_block_of_old[old_entry] = Some(new_entry);
    }
    for (_, in_old, in_new) in votes {
        if alignment.old_block_of_new[in_new].is_none()
            && alignment.new_block_of_old[in_old].is_none()
        {
            alignment.old_block_of_new[in_new] = Some(in_old);
            alignment.new_block_of_old[in_old] = Some(in_new);
        }
    }
}
