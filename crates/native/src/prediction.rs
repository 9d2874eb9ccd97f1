//! What a test predicts: the outcome of a plain run of exactly its input.
//!
//! In an exploration, a string of at most *n* bytes lies in *n* + 1 bytes, and what is behind its end can be any
//! bytes. A program that goes on there sees them; given the string itself, it leaves an object. So a test with
//! strings is run once more with strings that end where they end.

use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{
    InputBytes, SymbolicInput, SymbolicLimits, SymbolicProcess, SymbolicRun,
};
use concolic_vm::{Limits, Program};
use exploration::InputRecord;
use expr::Store;

use crate::test_case::Expected;

/// The outcome of an input; nothing if the process cannot be started with it.
pub fn predict(
    program: &Program,
    kernel: &KernelConfig,
    limits: Limits,
    input: &InputRecord,
) -> Option<Expected> {
    let (process, run) = run_exactly(program, &mut Store::new(), kernel, limits, input)?;
    Some(expected(&process, &run, kernel))
}

/// What a test expects of a run.
pub fn expected(process: &SymbolicProcess, run: &SymbolicRun, kernel: &KernelConfig) -> Expected {
    let kernel_after = process.machine().kernel();
    Expected::of(&run.outcome, kernel_after, &kernel.working_directory)
}

/// An input of exactly these bytes.
pub fn exactly(input: &InputRecord) -> SymbolicInput {
    let bytes = |content: &Vec<u8>| InputBytes::concrete(content.clone());
    let named = |(name, content): (&String, &Vec<u8>)| (name.clone(), bytes(content));
    SymbolicInput {
        args: input.args.iter().map(bytes).collect(),
        environment: input.environment.iter().map(named).collect(),
        stdin: bytes(&input.stdin),
        files: input.files.iter().map(named).collect(),
        variables: input.variables.clone(),
    }
}

/// A plain run of exactly these bytes; nothing if the process cannot be started with them.
pub fn run_exactly<'p>(
    program: &'p Program,
    store: &mut Store,
    kernel: &KernelConfig,
    limits: Limits,
    input: &InputRecord,
) -> Option<(SymbolicProcess<'p>, SymbolicRun)> {
    let exact = exactly(input);
    let mut process = SymbolicProcess::start(
        program,
        store,
        kernel.clone(),
        limits,
        SymbolicLimits::default(),
        &exact,
    )
    .ok()?;
    let run = process.run(store);
    Some((process, run))
}
