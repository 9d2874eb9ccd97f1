//! What a test predicts: the outcome of a plain run of exactly its input.
//!
//! In an exploration, a string of at most *n* bytes lies in *n* + 1 bytes, and what is behind its end can be any
//! bytes. A program that goes on there sees them; given the string itself, it leaves an object. So a test with
//! strings is run once more with strings that end where they end.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{InputBytes, SymbolicInput, SymbolicLimits, SymbolicProcess};
use concolic_vm::{Limits, Program};
use exploration::InputRecord;

use crate::test_case::Expected;

/// The outcome of an input; nothing if the process cannot be started with it.
pub fn predict(
    program: &Program,
    kernel: &KernelConfig,
    limits: Limits,
    input: &InputRecord,
) -> Option<Expected> {
    let bytes = |content: &Vec<u8>| InputBytes::concrete(content.clone());
    let named = |(name, content): (&String, &Vec<u8>)| (name.clone(), bytes(content));
    let exact = SymbolicInput {
        args: input.args.iter().map(bytes).collect(),
        environment: input.environment.iter().map(named).collect(),
        stdin: bytes(&input.stdin),
        files: input.files.iter().map(named).collect(),
        variables: input.variables.clone(),
    };
    let mut store = expr::Store::new();
    let mut process = SymbolicProcess::start(
        program,
        &mut store,
        kernel.clone(),
        limits,
        SymbolicLimits::default(),
        &exact,
    )
    .ok()?;
    let run = process.run(&mut store);
    let kernel_after = process.machine().kernel();
    Some(Expected::of(
        &run.outcome,
        kernel_after,
        &kernel.working_directory,
    ))
}
