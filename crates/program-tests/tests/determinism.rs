//! Same program, same input, same seed: the same report, byte for byte, instruction count included,
//! also while another run goes on beside it.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::vm;

fn main() -> ExitCode {
    let programs = corpus::programs().expect("the tests folder is readable");
    let trials = programs
        .into_iter()
        .map(|program| Trial::test(program.name.clone(), move || check(&program)))
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    let directives = Directives::read(&program.source)?;
    for run in &directives.runs {
        let [first, second] = vm::report_twice(&parallax, program, run, scratch)?;
        if !first.contains("\"instructions\":") {
            return Err(format!("run `{}`: no instruction count in {first}", run.name).into());
        }
        if first != second {
            return Err(format!("run `{}`: {first} and then {second}", run.name).into());
        }
    }
    Ok(())
}
