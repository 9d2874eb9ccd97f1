//! What a call of a function may change besides its arguments: globals, and `errno`.
//!
//! The functions that it may call are those that its code names, by a call or by address. A global may be written
//! unless each use of its address in their code only reads it. Both take in too much rather than too little:
//! observing a global that does not change costs little.

use std::collections::BTreeSet;

use program_ir::{Callee, Constant, Func, Function, Global, InstData, Module, Value, ValueDef};

use version_diff::own_changes::{is_c_library, is_library_file};

#[derive(Default)]
pub(crate) struct Effects {
    /// Variables that a call may change.
    pub(crate) globals: BTreeSet<Global>,
    /// Variables that a call may read or change.
    pub(crate) touched: BTreeSet<Global>,
    pub(crate) uses_errno: bool,
    /// The functions and variables of the C library that the versions' own code names.
    pub(crate) library: BTreeSet<String>,
}

pub(crate) fn effects(module: &Module, root: Func) -> Effects {
    let mut effects = Effects::default();
    let mut known = BTreeSet::from([root]);
    let mut pending = vec![root];
    let mut looked_at = BTreeSet::new();
    while let Some(func) = pending.pop() {
        let function = &module.functions[func];
        if function.name == "__errno_location" || function.name == "___errno_location" {
            effects.uses_errno = true;
        }
        if is_c_library(module, func) || function.is_declaration() {
            effects.library.insert(function.name.clone());
            continue;
        }
        let mut named = Vec::new();
        for node in function.insts.values() {
            if let Some(call) = node.data.call()
                && let Callee::Direct(callee) = call.callee
            {
                named.push(callee);
            }
        }
        let mut globals = Vec::new();
        for (value, data) in function.values.iter() {
            match data.def {
                ValueDef::Constant(Constant::FunctionAddress(callee)) => named.push(callee),
                ValueDef::Constant(Constant::GlobalAddress { global, .. }) => {
                    globals.push(global);
                    if may_write(function, value) {
                        effects.globals.insert(global);
                    }
                }
                _ => {}
            }
        }
        // What a table of the program points to is reached through it.
        while let Some(global) = globals.pop() {
            if !looked_at.insert(global) {
                continue;
            }
            effects.touched.insert(global);
            let info = module.globals[global].info.as_ref();
            if info.is_none_or(|info| is_library_file(module, info.file)) {
                effects.library.insert(module.globals[global].name.clone());
            }
            for relocation in &module.globals[global].initialiser.relocations {
                match relocation.constant {
                    Constant::FunctionAddress(callee) => named.push(callee),
                    Constant::GlobalAddress { global, .. } => {
                        effects.globals.insert(global);
                        globals.push(global);
                    }
                    _ => {}
                }
            }
        }
        pending.extend(named.into_iter().filter(|&callee| known.insert(callee)));
    }
    effects
}

/// Which of some globals anything in the program's own code may write.
pub(crate) fn written(module: &Module, globals: &BTreeSet<Global>) -> BTreeSet<Global> {
    let mut written = BTreeSet::new();
    // What holds an address from the beginning may be used to write there.
    for holder in module.globals.values() {
        for relocation in &holder.initialiser.relocations {
            if let Constant::GlobalAddress { global, .. } = relocation.constant {
                written.extend(globals.contains(&global).then_some(global));
            }
        }
    }
    for (func, function) in module.functions.iter() {
        if is_c_library(module, func) {
            continue;
        }
        for (value, data) in function.values.iter() {
            if let ValueDef::Constant(Constant::GlobalAddress { global, .. }) = data.def
                && globals.contains(&global)
                && !written.contains(&global)
                && may_write(function, value)
            {
                written.insert(global);
            }
        }
    }
    written
}

/// Whether memory may be written through an address, or the address goes where that is not known.
fn may_write(function: &Function, address: Value) -> bool {
    let mut pending = vec![address];
    let mut known = BTreeSet::from([address]);
    while let Some(address) = pending.pop() {
        for node in function.insts.values() {
            let mut is_used = false;
            node.data
                .for_each_operand(|operand| is_used |= operand == address);
            if !is_used {
                continue;
            }
            match &node.data {
                InstData::Load { .. } | InstData::IntCompare { .. } => {}
                InstData::MemCopy { destination, .. } if *destination != address => {}
                InstData::PtrAdd { base, .. } if *base == address => {
                    let result = node.first_result.iter().copied();
                    pending.extend(result.filter(|&result| known.insert(result)));
                }
                _ => return true,
            }
        }
    }
    false
}
