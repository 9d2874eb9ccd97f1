//! The misbehaving programs themselves: the sanitizers agree that there is an error, at the line
//! the program marks. Where no sanitizer can, the native run must end as the kind says.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::{Directives, Sanitizer};
use program_tests::expected_error::problem_of_native_run;
use program_tests::native::{self, Build};

/// Native runs of these would go on until the host is exhausted.
const UNBOUNDED: &[&str] = &["step-limit", "memory-limit"];

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::misbehaving().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("native_misbehaving::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directives = Directives::read(&program.source)?;
    let expectation = directives
        .expectation
        .as_ref()
        .ok_or("no `outcome` directive")?;
    if expectation.lines.is_empty() || expectation.stack.is_empty() {
        return Err("needs an `// ERROR` marker and a `stack` directive".into());
    }
    let [run] = directives.runs.as_slice() else {
        return Err("a misbehaving program has one run".into());
    };
    native::build(program, Build::Reference, scratch)?;
    if UNBOUNDED.contains(&expectation.kind.as_str())
        && matches!(expectation.sanitizer, Sanitizer::None(_))
    {
        return Ok(());
    }
    match problem_of_native_run(program, expectation, run, scratch)? {
        Some(problem) => Err(problem.into()),
        None => Ok(()),
    }
}
