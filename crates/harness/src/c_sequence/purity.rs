//! Whether a function only looks: whether it, and all that it calls, writes no memory but its own variables.
//!
//! A function that only looks leaves a state as it was, so it is enough to call it at the end of a sequence. What is not known to be
//! so counts as writing.

use std::collections::BTreeSet;

use program_ir::{Callee, Func, Function, InstData, Module, Value, ValueDef};
use version_diff::own_changes::is_c_library;

/// Functions of the C library that look at their arguments and at nothing else.
const LOOKING: [&str; 17] = [
    "strlen", "strnlen", "strcmp", "strncmp", "strcoll", "memcmp", "memchr", "strchr", "strrchr",
    "strstr", "strspn", "strcspn", "strpbrk", "abs", "labs", "llabs", "bcmp",
];

/// Functions after which nothing is called.
const ENDING: [&str; 2] = ["__assert_fail", "abort"];

pub(crate) fn only_looks(module: &Module, root: Func) -> bool {
    let mut known = BTreeSet::from([root]);
    let mut pending = vec![root];
    while let Some(func) = pending.pop() {
        let function = &module.functions[func];
        let name = function.name.as_str();
        if is_c_library(module, func) || function.is_declaration() {
            match LOOKING.contains(&name) || ENDING.contains(&name) {
                true => continue,
                false => return false,
            }
        }
        for node in function.insts.values() {
            if writes(function, &node.data) {
                return false;
            }
            if let Some(call) = node.data.call() {
                match call.callee {
                    Callee::Direct(callee) => {
                        pending.extend(known.insert(callee).then_some(callee));
                    }
                    Callee::Indirect(_) => return false,
                }
            }
        }
    }
    true
}

fn writes(function: &Function, data: &InstData) -> bool {
    match data {
        InstData::Store {
            address, volatile, ..
        } => *volatile || !is_own(function, *address),
        InstData::MemCopy { destination, .. } | InstData::MemSet { destination, .. } => {
            !is_own(function, *destination)
        }
        InstData::Load { volatile, .. } => *volatile,
        InstData::AtomicRmw { .. }
        | InstData::CompareExchange { .. }
        | InstData::Fence
        | InstData::VaStart { .. }
        | InstData::VaCopy { .. }
        | InstData::VaEnd { .. }
        | InstData::Syscall { .. }
        | InstData::ThreadPointer
        | InstData::LandingPad
        | InstData::Unsupported { .. } => true,
        _ => false,
    }
}

/// Whether an address is in a variable of the function itself.
fn is_own(function: &Function, mut address: Value) -> bool {
    loop {
        let ValueDef::Result(inst, _) = function.values[address].def else {
            return false;
        };
        address = match &function.insts[inst].data {
            InstData::PtrAdd { base, .. } => *base,
            InstData::Alloca { .. } => return true,
            _ => return false,
        };
    }
}

/// Whether a function gives a parameter of its own, by number, to `free`.
pub(crate) fn frees(module: &Module, func: Func, parameter: usize) -> bool {
    let function = &module.functions[func];
    let entry = function.blocks.values().next();
    let Some(&own) = entry.and_then(|entry| entry.params.get(parameter)) else {
        return false;
    };
    let mut calls = function.insts.values().filter_map(|node| node.data.call());
    calls.any(|call| {
        let Callee::Direct(callee) = call.callee else {
            return false;
        };
        module.functions[callee].name == "free" && call.args.first() == Some(&own)
    })
}
