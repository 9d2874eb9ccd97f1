//! Same program, same input, same seed: the same report, byte for byte, instruction count included,
//! also while another run goes on beside it.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::vm;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::programs().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("determinism::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
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
