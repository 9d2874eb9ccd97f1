//! Reads LLVM 22 modules into [`program_ir::Module`].
//!
//! The road of a module: `identification` (who wrote it) → LLVM's parser and verifier →
//! `normalise` (a few passes) → `globals` (symbols and data) → `function` and the files
//! named after kinds of instructions. Everything that LLVM knows and `program-ir` does
//! not (vectors, aggregates, phis, constant expressions, intrinsics) ends here.
//!
//! **Invariant: what has no translation becomes an `Unsupported` operation that names
//! it; reading fails only for modules that are no valid LLVM 22 modules** (and for the
//! rare initial value of a global that cannot be represented).
//!
//! LLVM can crash on malformed input. Run this in a process of its own: that is what the
//! program `parallax-read-bitcode` is for.

mod block_order;
mod calls;
mod control;
mod debug_info;
mod error;
mod float_intrinsics;
mod float_parts;
mod function;
mod globals;
mod identification;
mod inline_assembly;
mod intrinsics;
mod linking;
mod llvm;
mod memory;
mod normalise;
mod operations;
mod relative_tables;
mod sections;
mod shape;
mod stack_frames;
mod translation;
mod uninitialised;
mod vectors;
mod wide_integers;
mod x86_intrinsics;
mod zeros;

pub use error::{LLVM_MAJOR, ReadError};
pub use float_intrinsics::LIBRARY_FUNCTIONS_OF_INTRINSICS;
pub use linking::{LinkError, LinkRequest, Linked, link};

use program_ir::{Constant, Module};
use translation::Translation;

#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Functions and globals that must survive although nothing in the program refers
    /// to them, besides `main` and the start function.
    pub keep_symbols: Vec<String>,
}

/// Translates a module given as bitcode or as textual LLVM IR.
pub fn read_module(bytes: &[u8], options: &ReadOptions) -> Result<Module, ReadError> {
    identification::check_producer(bytes)?;
    let mut parsed = llvm::Module::parse(bytes)?;
    check_target(parsed.target_triple())?;
    let frames = stack_frames::frames(&parsed);
    normalise::normalise(&mut parsed, options)?;
    let mut translation = Translation::new(&parsed);
    translation.read_symbols()?;
    let mut next = parsed.first_function();
    while let Some(function) = next {
        next = function.next_function();
        if function.is_declaration() {
            continue;
        }
        if let Some(&Constant::FunctionAddress(func)) = translation.addresses.get(&function)
            && translation.is_defined_here(func)
        {
            function::read_function(&mut translation, function, func);
            let frame = frames.get(&function).copied().unwrap_or(0);
            translation.module.functions[func].frame_bytes =
                stack_frames::rest(&parsed, function, frame);
        }
    }
    Ok(translation.module)
}

fn check_target(triple: String) -> Result<(), ReadError> {
    let mut parts = triple.split('-');
    match parts.next() == Some("x86_64") && parts.any(|part| part == "linux") {
        true => Ok(()),
        false if triple.is_empty() => Err(ReadError::OtherTarget("an unnamed target".to_owned())),
        false => Err(ReadError::OtherTarget(triple)),
    }
}
