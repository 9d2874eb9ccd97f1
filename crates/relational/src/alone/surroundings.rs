//! Whether anything but the program's own instructions, one after the other, can see what a function does before it returns.
//!
//! Another thread could, or a handler of a signal: of one that comes at any time, or of the one that a failing division
//! raises. A write that is left out matters if memory may not be written. And what an operation without a translation
//! does is not known at all. So nothing that a program may execute, its library included, may start threads or processes, install
//! handlers or timers, or change what memory may be used for.

use crate::changes::calls_of;
use crate::subject::Version;
use crate::system_calls::SystemCall;
use program_ir::{Function, InstData, Module};

/// Functions of the C library that make such a call where it does not matter: the program ends at once.
const ENDING: [&str; 1] = ["abort"];

/// Functions of the C library that make the call they are told to, of which none is revealing.
const CANCELLABLE: [&str; 3] = ["__syscall_cp", "__syscall_cp_c", "sccp"];

/// Functions that put memory to another use.
const MAPPING: [&str; 4] = ["mmap", "mmap64", "__mmap", "syscall"];

pub(super) fn are_blind(version: &Version<'_>) -> bool {
    let module = version.program.module();
    let (calls, _) = calls_of(version);
    calls.reached.iter().all(|&func| {
        let function = &module.functions[func];
        let name = function.name.as_str();
        let is_ending = ENDING.contains(&name);
        !MAPPING.contains(&name)
            && (is_ending
                || function
                    .insts
                    .values()
                    .all(|inst| is_blind(module, function, &inst.data)))
    })
}

fn is_blind(module: &Module, function: &Function, data: &InstData) -> bool {
    if matches!(
        data,
        InstData::Unsupported { .. } | InstData::UnsupportedTerminator { .. }
    ) {
        return false;
    }
    match SystemCall::of(module, function, data) {
        None => true,
        Some(SystemCall::AnyNumber) => CANCELLABLE.contains(&function.name.as_str()),
        Some(call) => !call.is_revealing(),
    }
}
