//! Every program under `tests/misbehaving` is reported by the VM with the right kind, line and stack.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::expected_error::problems_of_report;
use program_tests::vm;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::misbehaving().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("vm_misbehaving::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    let directives = Directives::read(&program.source)?;
    let expectation = directives
        .expectation
        .as_ref()
        .ok_or("no `outcome` directive")?;
    let report = vm::report(
        &parallax,
        program,
        &directives.runs[0],
        expectation.max_steps,
        scratch,
    )?;
    let problems = problems_of_report(program, expectation, &report);
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}
