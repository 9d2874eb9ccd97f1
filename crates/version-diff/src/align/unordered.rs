//! Partners for what has no order: stack slots and block parameters.
//!
//! The order of a function's stack slots and of a block's parameters follows the order
//! of declarations, which is no behaviour. Partners are found by what they are called
//! and by what aligned instructions do with them.

use super::{Alignment, is_stack_slot};
use crate::operation::{constant_of, edges, hash_of};
use program_ir::{
    Constant, Function, Inst, InstData, SecondaryMap, Value, ValueDef, VariablePlace,
};
use std::collections::{HashMap, HashSet};

/// What is known about one candidate; equal features speak for a pair.
#[derive(Default)]
struct Candidate {
    features: HashSet<u64>,
    name: Option<String>,
    /// Must be equal.
    essence: u64,
}

pub(super) fn align_stack_slots(old: &Function, new: &Function, alignment: &mut Alignment) {
    let slots = |function: &Function| -> Vec<Inst> {
        let Some(entry) = function.entry() else {
            return Vec::new();
        };
        let insts = function.blocks[entry].insts.iter().copied();
        insts
            .filter(|&inst| is_stack_slot(function, entry, inst))
            .collect()
    };
    let (old_slots, new_slots) = (slots(old), slots(new));
    if old_slots.is_empty() || new_slots.is_empty() {
        return;
    }
    let mut old_known = describe(old, slot_values(old, &old_slots), |inst| {
        alignment.new_of_old[inst].map(|_| hash_of(&inst.as_u32()))
    });
    let mut new_known = describe(new, slot_values(new, &new_slots), |inst| {
        alignment.old_of_new[inst].map(|in_old| hash_of(&in_old.as_u32()))
    });
    for (function, slots, known) in [
        (old, &old_slots, &mut old_known),
        (new, &new_slots, &mut new_known),
    ] {
        for (&slot, candidate) in slots.iter().zip(known) {
            let size = hash_of(&(2u8, slot_size(function, slot)));
            candidate.features.insert(size);
        }
    }
    for (in_old, in_new) in best_pairs(&old_known, &new_known, |_, _| 0) {
        alignment.pair_insts(old, new, old_slots[in_old], new_slots[in_new]);
    }
}

pub(super) fn align_block_params(old: &Function, new: &Function, alignment: &mut Alignment) {
    let (old_in, new_in) = (incoming(old), incoming(new));
    let mut in_old = Side::new(old, &old_in, |inst| {
        alignment.new_of_old[inst].map(|_| inst.as_u32())
    });
    let mut in_new = Side::new(new, &new_in, |inst| {
        alignment.old_of_new[inst].map(|in_old| in_old.as_u32())
    });
    for (value, colour) in old.params().iter().zip(0u64..) {
        in_old.colours[*value] = hash_of(&(9u8, colour));
    }
    for &value in new.params() {
        let partner = alignment.old_value_of_new[value];
        let place = partner.and_then(|one| old.params().iter().position(|&param| param == one));
        in_new.colours[value] = hash_of(&(9u8, place.map(|place| place as u64)));
    }
    // Colour refinement: each round looks one step further along passed values. Rounds
    // in which two parameters look alike speak for the pair; after a change nearby the
    // first rounds still do.
    let mut rounds_alike: HashMap<(Value, Value), usize> = HashMap::new();
    let pairs: Vec<(Value, Value)> = new
        .blocks
        .iter()
        .skip(1)
        .filter_map(|(block, data)| Some((alignment.old_block_of_new[block]?, data)))
        .flat_map(|(old_block, data)| {
            let in_old = &old.blocks[old_block].params;
            let pair = |&in_new| in_old.iter().map(move |&in_old| (in_old, in_new));
            data.params.iter().flat_map(pair)
        })
        .collect();
    if pairs.is_empty() {
        return;
    }
    for _ in 0..COLOUR_ROUNDS {
        in_old.refine();
        in_new.refine();
        for &pair in &pairs {
            if in_old.colours[pair.0] == in_new.colours[pair.1] {
                *rounds_alike.entry(pair).or_default() += 1;
            }
        }
    }
    for (new_block, new_data) in new.blocks.iter().skip(1) {
        let Some(old_block) = alignment.old_block_of_new[new_block] else {
            continue;
        };
        let old_data = &old.blocks[old_block];
        if old_data.params.is_empty() || new_data.params.is_empty() {
            continue;
        }
        let old_values = old_data.params.iter();
        let old_values = old_values.map(|&value| (value, type_of(old, value)));
        let new_values = new_data.params.iter();
        let new_values = new_values.map(|&value| (value, type_of(new, value)));
        let mut old_known = describe(old, old_values.collect(), |inst| {
            alignment.new_of_old[inst].map(|_| hash_of(&inst.as_u32()))
        });
        let mut new_known = describe(new, new_values.collect(), |inst| {
            alignment.old_of_new[inst].map(|in_old| hash_of(&in_old.as_u32()))
        });
        // The values that aligned edges pass.
        for (place, candidate) in old_known.iter_mut().enumerate() {
            for (terminator, edge, args) in &old_in[old_block] {
                if alignment.new_of_old[*terminator].is_some() {
                    let passed = passed(old, args[place], Some);
                    let feature = (1u8, terminator.as_u32(), *edge, passed);
                    candidate.features.insert(hash_of(&feature));
                }
            }
        }
        for (place, candidate) in new_known.iter_mut().enumerate() {
            for (terminator, edge, args) in &new_in[new_block] {
                if let Some(in_old) = alignment.old_of_new[*terminator] {
                    let passed =
                        passed(new, args[place], |value| alignment.old_value_of_new[value]);
                    let feature = (1u8, in_old.as_u32(), *edge, passed);
                    candidate.features.insert(hash_of(&feature));
                }
            }
        }
        let alike = |in_old: usize, in_new: usize| {
            let pair = (old_data.params[in_old], new_data.params[in_new]);
            3 * rounds_alike.get(&pair).copied().unwrap_or(0)
        };
        for (in_old, in_new) in best_pairs(&old_known, &new_known, alike) {
            alignment.pair_values(old_data.params[in_old], new_data.params[in_new]);
        }
    }
}

const COLOUR_ROUNDS: usize = 8;

/// One body for colour refinement.
struct Side<'a> {
    function: &'a Function,
    /// Per parameter: the uses by partnered instructions.
    uses: HashMap<Value, u64>,
    /// Edge (common name), parameter, value passed.
    passes: Vec<(u64, Value, Value)>,
    colours: SecondaryMap<Value, u64>,
}

impl<'a> Side<'a> {
    fn new(
        function: &'a Function,
        incoming: &Incoming<'_>,
        common_name: impl Fn(Inst) -> Option<u32>,
    ) -> Self {
        let mut uses: HashMap<Value, u64> = HashMap::new();
        let mut colours = SecondaryMap::with_default(0);
        for (value, data) in function.values.iter() {
            colours[value] = match data.def {
                ValueDef::Constant(Constant::Bits(bits)) => hash_of(&(1u8, bits)),
                ValueDef::Constant(_) => 2,
                ValueDef::Result(inst, index) => hash_of(&(3u8, common_name(inst), index)),
                ValueDef::Param(..) => hash_of(&(4u8, type_of(function, value))),
            };
        }
        for block in function.blocks.values() {
            for &inst in &block.insts {
                let data = &function.insts[inst].data;
                for (place, value) in crate::operation::plain_operands(data).iter().enumerate() {
                    if matches!(function.values[*value].def, ValueDef::Param(..)) {
                        let one = hash_of(&(common_name(inst), place));
                        let sum = uses.entry(*value).or_default();
                        *sum = sum.wrapping_add(one);
                    }
                }
            }
        }
        let mut passes = Vec::new();
        for (block, data) in function.blocks.iter() {
            for (terminator, edge, args) in &incoming[block] {
                let name = hash_of(&(common_name(*terminator), edge));
                let pairs = data.params.iter().zip(args.iter());
                passes.extend(pairs.map(|(&param, &arg)| (name, param, arg)));
            }
        }
        Side {
            function,
            uses,
            passes,
            colours,
        }
    }

    fn refine(&mut self) {
        // Sums, so that order does not matter.
        let mut sums: HashMap<Value, u64> = HashMap::new();
        for &(name, param, arg) in &self.passes {
            let taken = sums.entry(param).or_default();
            *taken = taken.wrapping_add(hash_of(&(0u8, name, self.colours[arg])));
            if matches!(self.function.values[arg].def, ValueDef::Param(..)) {
                let given = sums.entry(arg).or_default();
                *given = given.wrapping_add(hash_of(&(1u8, name, self.colours[param])));
            }
        }
        let mut next = self.colours.clone();
        for block in self.function.blocks.values() {
            for &param in &block.params {
                let uses = self.uses.get(&param).copied().unwrap_or(0);
                let sum = sums.get(&param).copied().unwrap_or(0);
                next[param] = hash_of(&(self.colours[param], uses, sum));
            }
        }
        self.colours = next;
    }
}

/// The addresses of the slots. Slots of different sizes can be two versions of one.
fn slot_values(function: &Function, slots: &[Inst]) -> Vec<(Value, u64)> {
    let address = |&inst: &Inst| function.results(inst).next();
    slots
        .iter()
        .filter_map(address)
        .map(|value| (value, 0))
        .collect()
}

fn slot_size(function: &Function, slot: Inst) -> Option<u64> {
    match &function.insts[slot].data {
        InstData::Alloca {
            count,
            element_size,
            ..
        } => match constant_of(function, *count) {
            Some(Constant::Bits(count)) => Some((count as u64).wrapping_mul(*element_size)),
            _ => None,
        },
        _ => None,
    }
}

fn type_of(function: &Function, value: Value) -> u64 {
    crate::operation::type_word(function.ty(value))
}

/// A passed value in words of the old version.
fn passed(
    function: &Function,
    value: Value,
    in_old: impl Fn(Value) -> Option<Value>,
) -> (u8, u128) {
    match constant_of(function, value) {
        Some(Constant::Bits(bits)) => (0, bits),
        Some(_) => (1, 0),
        None => match in_old(value) {
            Some(value) => (2, u128::from(value.as_u32())),
            None => (3, u128::from(value.as_u32())),
        },
    }
}

type Incoming<'a> = SecondaryMap<program_ir::Block, Vec<(Inst, u32, &'a [Value])>>;

fn incoming(function: &Function) -> Incoming<'_> {
    let mut incoming: Incoming<'_> = SecondaryMap::new();
    for block in function.blocks.values() {
        let Some(&last) = block.insts.last() else {
            continue;
        };
        for (index, edge) in edges(&function.insts[last].data).into_iter().enumerate() {
            incoming[edge.block].push((last, index as u32, &edge.args));
        }
    }
    incoming
}

/// Name and uses of each value, a use being an aligned instruction and a place in it.
fn describe(
    function: &Function,
    values: Vec<(Value, u64)>,
    common_name: impl Fn(Inst) -> Option<u64>,
) -> Vec<Candidate> {
    let mut index_of: HashMap<Value, usize> = HashMap::new();
    let mut candidates = Vec::with_capacity(values.len());
    for (index, &(value, essence)) in values.iter().enumerate() {
        index_of.insert(value, index);
        candidates.push(Candidate {
            essence,
            ..Candidate::default()
        });
    }
    for binding in &function.bindings {
        let value = match binding.place {
            VariablePlace::Value(value) | VariablePlace::Memory(value) => value,
            VariablePlace::Gone => continue,
        };
        if let Some(&index) = index_of.get(&value) {
            let name = &function.variables[binding.variable].name;
            candidates[index].name.get_or_insert_with(|| name.clone());
        }
    }
    for block in function.blocks.values() {
        for &inst in &block.insts {
            let mut place = 0u32;
            function.insts[inst].data.for_each_operand(|value| {
                if let Some(&index) = index_of.get(&value)
                    && let Some(name) = common_name(inst)
                {
                    candidates[index]
                        .features
                        .insert(hash_of(&(0u8, name, place)));
                }
                place += 1;
            });
        }
    }
    candidates
}

/// Greedily the pairs that have most in common; a leftover of the same essence and place
/// is taken last.
fn best_pairs(
    old: &[Candidate],
    new: &[Candidate],
    alike: impl Fn(usize, usize) -> usize,
) -> Vec<(usize, usize)> {
    let mut scored = Vec::new();
    for (in_old, old_one) in old.iter().enumerate() {
        for (in_new, new_one) in new.iter().enumerate() {
            if old_one.essence != new_one.essence {
                continue;
            }
            let common = old_one.features.intersection(&new_one.features).count();
            let same_name = old_one.name.is_some() && old_one.name == new_one.name;
            let score = 4 * common + 30 * usize::from(same_name) + alike(in_old, in_new);
            let distance = in_old.abs_diff(in_new);
            scored.push((std::cmp::Reverse(score), distance, in_old, in_new));
        }
    }
    scored.sort_unstable();
    let (mut taken_old, mut taken_new) = (vec![false; old.len()], vec![false; new.len()]);
    let mut pairs = Vec::new();
    for (_, _, in_old, in_new) in scored {
        if !taken_old[in_old] && !taken_new[in_new] {
            taken_old[in_old] = true;
            taken_new[in_new] = true;
            pairs.push((in_old, in_new));
        }
    }
    pairs
}
