//! The fixed LLVM passes that every module goes through before translation.
//!
//! 1. `internalize` + `globaldce`: once a program is linked with its C library, only its
//!    entry points matter. This drops most of the library. Done only if the module has
//!    the start function `__parallax_start`; a part of a program is kept whole.
//! 2. `mem2reg`: at `-O0` every local variable is a stack slot; promote those that only
//!    whole loads and stores touch to SSA values, keeping their debug records.
//!
//! Not `sroa`: it deletes accesses that are statically out of a stack object's bounds,
//! which the machine must report. Nor `instcombine`, `simplifycfg` or anything else that
//! may assume the absence of undefined behaviour, merges source lines or removes
//! branches. Vectors need no pass: the translation is scalar by itself.

use crate::float_intrinsics::library_functions;
use crate::{ReadError, ReadOptions, llvm};
use std::collections::BTreeSet;

pub(crate) const START: &str = "__parallax_start";

pub(crate) fn normalise(module: &mut llvm::Module, options: &ReadOptions) -> Result<(), ReadError> {
    let mut passes = Vec::new();
    if module.function(START).is_some() {
        let mut kept: BTreeSet<String> = options.keep_symbols.iter().cloned().collect();
        kept.extend([START.to_owned(), "main".to_owned()]);
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
    }
    passes.push("function(mem2reg)".to_owned());
    module.run_passes(&passes.join(","))
}
