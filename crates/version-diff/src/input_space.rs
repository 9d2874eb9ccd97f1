//! The common input space of two versions of a function (thesis §3.2 on version pairs
//! with different inputs): which parameter of the new version is which of the old one.
//!
//! Parameters keep their place if only names changed. If the same names with the same
//! types come in another order, they were reordered. Otherwise names decide, and what is
//! left is paired in order by type. An input of both versions fixes the common
//! parameters; the others are free in the version that has them.
//!
//! A function that is called through pointers gets its arguments by place, whatever its
//! parameters are called, so there only the place counts (`may_reorder` is false).

use program_ir::{Constant, Func, Function, InstData, Module, Value, ValueDef, VariablePlace};
use std::collections::HashMap;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommonInputSpace {
    /// For each parameter of the new version its place in the old one.
    pub old_of_new: Vec<Option<u32>>,
    /// Parameters that only the old version has.
    pub only_old: Vec<u32>,
    /// Parameters that only the new version has.
    pub only_new: Vec<u32>,
}

impl CommonInputSpace {
    pub fn of(old: &Function, new: &Function, may_reorder: bool) -> Self {
        let (old_types, new_types) = (&old.signature.params, &new.signature.params);
        let (old_names, new_names) = (parameter_names(old), parameter_names(new));
        Self::of_parameters(&old_names, old_types, &new_names, new_types, may_reorder)
    }

    /// The same for parameters of any kind of type: names and types in order.
    pub fn of_parameters<T: PartialEq>(
        old_names: &[Option<String>],
        old_types: &[T],
        new_names: &[Option<String>],
        new_types: &[T],
        may_reorder: bool,
    ) -> Self {
        let mut old_of_new = vec![None; new_types.len()];
        let in_place = old_types == new_types && !reordered(old_names, new_names);
        if in_place || !may_reorder {
            for index in 0..new_types.len().min(old_types.len()) {
                if old_types[index] == new_types[index] {
                    old_of_new[index] = Some(index as u32);
                }
            }
        } else {
            let mut taken = vec![false; old_types.len()];
            for (index, name) in new_names.iter().enumerate() {
                let found = old_names.iter().enumerate().position(|(at, old_name)| {
                    name.is_some()
                        && old_name == name
                        && !taken[at]
                        && old_types[at] == new_types[index]
                });
                if let Some(at) = found {
                    taken[at] = true;
                    old_of_new[index] = Some(at as u32);
                }
            }
            let mut from = 0;
            for index in 0..new_types.len() {
                if let Some(at) = old_of_new[index] {
                    from = at as usize + 1;
                    continue;
                }
                // A parameter whose name lives on elsewhere is not the one renamed here.
                let found = (from..old_types.len()).find(|&at| {
                    let gone = old_names[at].is_none() || !new_names.contains(&old_names[at]);
                    let fresh =
                        new_names[index].is_none() || !old_names.contains(&new_names[index]);
                    !taken[at] && old_types[at] == new_types[index] && gone && fresh
                });
                if let Some(at) = found {
                    taken[at] = true;
                    old_of_new[index] = Some(at as u32);
                    from = at + 1;
                }
            }
        }
        let all = 0..old_types.len() as u32;
        CommonInputSpace {
            only_old: all.filter(|at| !old_of_new.contains(&Some(*at))).collect(),
            only_new: (0..new_types.len() as u32)
                .filter(|&at| old_of_new[at as usize].is_none())
                .collect(),
            old_of_new,
        }
    }

    /// Nothing was added, removed or reordered.
    pub fn is_identity(&self) -> bool {
        let in_place = |(index, old): (usize, &Option<u32>)| *old == Some(index as u32);
        self.only_old.is_empty() && self.old_of_new.iter().enumerate().all(in_place)
    }
}

/// The same distinct names in another order.
fn reordered(old: &[Option<String>], new: &[Option<String>]) -> bool {
    let sorted = |names: &[Option<String>]| {
        let mut names = names.to_vec();
        names.sort();
        names
    };
    let (old_sorted, new_sorted) = (sorted(old), sorted(new));
    let distinct = old_sorted.windows(2).all(|pair| pair[0] != pair[1]);
    old != new && distinct && old_sorted == new_sorted && !old.contains(&None)
}

/// The source names of the parameters, where the debug information tells.
pub fn parameter_names(function: &Function) -> Vec<Option<String>> {
    let mut names = vec![None; function.signature.params.len()];
    let mut note = |value: Value, name: &str| {
        if let ValueDef::Param(block, index) = function.values[value].def
            && Some(block) == function.entry()
        {
            let slot: &mut Option<String> = &mut names[index as usize];
            slot.get_or_insert_with(|| name.to_owned());
        }
    };
    let mut in_memory = HashMap::new();
    for binding in &function.bindings {
        let variable = &function.variables[binding.variable];
        match binding.place {
            _ if variable.parameter == 0 => {}
            VariablePlace::Value(value) => note(value, &variable.name),
            VariablePlace::Memory(address) => {
                in_memory.insert(address, &variable.name);
            }
            VariablePlace::Gone => {}
        }
    }
    // A parameter whose address is taken is stored first.
    let entry = function.entry().map(|entry| &function.blocks[entry]);
    for &inst in entry.into_iter().flat_map(|entry| &entry.insts) {
        if let InstData::Store { address, value, .. } = &function.insts[inst].data
            && let Some(name) = in_memory.get(address)
        {
            note(*value, name);
        }
    }
    names
}

/// Whether the function can be called through a pointer, and so with its parameters in
/// an order that no direct call shows.
pub fn addresses_taken(module: &Module) -> Vec<bool> {
    let mut taken = vec![false; module.functions.len()];
    let mut note = |constant: Constant| {
        if let Constant::FunctionAddress(func) = constant {
            taken[func_index(func)] = true;
        }
    };
    for function in module.functions.values() {
        for node in function.insts.values() {
            node.data.for_each_operand(|value| {
                if let ValueDef::Constant(constant) = function.values[value].def {
                    note(constant);
                }
            });
        }
    }
    for global in module.globals.values() {
        for relocation in &global.initialiser.relocations {
            note(relocation.constant);
            relocation.minus.into_iter().for_each(&mut note);
        }
    }
    taken
}

fn func_index(func: Func) -> usize {
    func.as_u32() as usize
}
