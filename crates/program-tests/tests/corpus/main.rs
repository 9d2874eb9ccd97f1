//! Programs of ours, one trial for each program and question: what they do natively, in the VM, with sanitizers, twice, and what a check
//! says of their changed versions. Trials are called `question::program`.

mod determinism;
mod explored;
mod first_use;
mod native_misbehaving;
mod native_programs;
mod never_written;
mod refactorings;
mod replay;
mod seeded_bugs;
mod subjects;
mod vm_misbehaving;
mod vm_programs;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let questions = [
        determinism::trials,
        explored::trials,
        first_use::trials,
        native_misbehaving::trials,
        native_programs::trials,
        never_written::trials,
        refactorings::trials,
        replay::trials,
        seeded_bugs::trials,
        subjects::trials,
        vm_misbehaving::trials,
        vm_programs::trials,
    ];
    let trials: Vec<Trial> = questions.into_iter().flat_map(|trials| trials()).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    replay::conclude();
    conclusion.exit_code()
}
