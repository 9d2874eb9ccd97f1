//! The fixed LLVM passes that every module goes through before translation.
//!
//! 1. `internalize` + `globaldce`: once a program is linked with its C library, only its
//!    entry points matter. This drops most of the library. Done only if the module has
//!    the start function `__parallax_start`; a part of a program is kept whole.
//! 2. `mem2reg`: at `-O0` every local variable is a stack slot; promote those that only
//!    whole loads and stores touch to SSA values, keeping their debug records. Not in
//!    functions that call `setjmp`: `longjmp` would bring back the old values of what
//!    was promoted, while a local in memory keeps the last one, as natively at `-O0`. And not
//!    locals that may be read before they are written, see [`crate::uninitialised`].
//!
//! Not `sroa`: it deletes accesses that are statically out of a stack object's bounds,
//! which the machine must report. Nor `instcombine`, `simplifycfg` or anything else that
//! may assume the absence of undefined behaviour, merges source lines or removes
//! branches. Vectors need no pass: the translation is scalar by itself.

use crate::float_intrinsics::library_functions;
use crate::llvm::Opcode;
use crate::sections::names_to_keep;
use crate::uninitialised::reads_of_unassigned;
use crate::{ReadError, ReadOptions, llvm};
use std::collections::BTreeSet;

pub(crate) const START: &str = "__parallax_start";

pub(crate) fn normalise(module: &mut llvm::Module, options: &ReadOptions) -> Result<(), ReadError> {
    let mut passes = Vec::new();
    if module.function(START).is_some() {
        let mut kept: BTreeSet<String> = options.keep_symbols.iter().cloned().collect();
        kept.extend([START.to_owned(), "main".to_owned()]);
        kept.extend(names_to_keep(module));
        let mut next = module.first_function();
        while let Some(function) = next {
            next = function.next_function();
            if let Some(name) = function.intrinsic_name() {
                let name = name.strip_prefix("llvm.").unwrap_or(&name);
                kept.extend(library_functions(name));
            }
        }
        let kept: Vec<String> = kept
            .into_iter()
            .map(|name| format!("preserve-gv={name}"))
            .collect();
        passes.push(format!("internalize<{}>", kept.join(";")));
        passes.push("globaldce".to_owned());
        module.run_passes(&passes.join(","))?;
    }
    keep_locals_of_functions_that_call_setjmp(module);
    let mut kept = Vec::new();
    let mut next = module.first_function();
    while let Some(function) = next {
        next = function.next_function();
        kept.extend(reads_of_unassigned(function));
    }
    // What is volatile is not promoted.
    kept.retain(|read| !read.volatile());
    kept.iter().for_each(|read| read.set_volatile(true));
    let done = module.run_passes("function(mem2reg)");
    kept.iter().for_each(|read| read.set_volatile(false));
    done
}

/// Marks them `optnone`, which makes LLVM skip `mem2reg`.
fn keep_locals_of_functions_that_call_setjmp(module: &llvm::Module) {
    let returns_twice = llvm::attribute_kind("returns_twice");
    let mut next = module.first_function();
    while let Some(function) = next {
        next = function.next_function();
        if calls_with_attribute(function, returns_twice) {
            // LLVM wants the second wherever the first is.
            for name in ["optnone", "noinline"] {
                module.add_function_attribute(function, llvm::attribute_kind(name));
            }
        }
    }
}

fn calls_with_attribute(function: llvm::Value, kind: u32) -> bool {
    let mut next_block = function.first_block();
    while let Some(block) = next_block {
        next_block = block.next();
        let mut next = block.first_instruction();
        while let Some(instruction) = next {
            next = instruction.next_instruction();
            if matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
                && instruction.calls_with_attribute(kind)
            {
                return true;
            }
        }
    }
    false
}
