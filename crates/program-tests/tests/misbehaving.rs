//! Every program under `tests/misbehaving` is reported by the VM with the right kind, line and stack.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::vm::{self, Frame};

fn main() -> ExitCode {
    let programs = corpus::misbehaving().expect("the tests folder is readable");
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

    let own_file = program.source.file_name().unwrap_or_default();
    let is_own = |frame: &&Frame| Path::new(&frame.file).file_name() == Some(own_file);
    let own: Vec<&Frame> = report.stack.iter().filter(is_own).collect();
    let line = own.first().map(|frame| frame.line);
    let functions: Vec<&str> = own.iter().map(|frame| frame.function.as_str()).collect();

    let mut problems = Vec::new();
    if report.kind != expectation.kind {
        problems.push(format!(
            "kind: expected {}, got {}",
            expectation.kind, report.kind
        ));
    }
    if !line.is_some_and(|line| expectation.lines.contains(&line)) {
        problems.push(format!(
            "line: expected one of {:?}, got {line:?}",
            expectation.lines
        ));
    }
    if !expectation.stack_matches(&functions) {
        problems.push(format!(
            "stack: expected {:?}, got {functions:?}",
            expectation.stack
        ));
    }
    if report.location.as_ref() != own.first().copied() {
        problems.push(format!(
            "location: expected the program's innermost frame, got {:?}",
            report.location
        ));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}
