//! The misbehaving programs themselves: the sanitizers agree that there is an error, at the line
//! the program marks. Where no sanitizer can, the native run must end as the kind says.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use program_tests::corpus::{self, Program};
use program_tests::directives::{Directives, Expectation, Sanitizer};
use program_tests::native::{self, Build};

/// Native runs of these would go on until the host is exhausted.
const UNBOUNDED: &[&str] = &["step-limit", "memory-limit"];

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
    let directives = Directives::read(&program.source)?;
    let expectation = directives
        .expectation
        .as_ref()
        .ok_or("no `outcome` directive")?;
    if expectation.lines.is_empty() || expectation.stack.is_empty() {
        return Err("needs an `// ERROR` marker and a `stack` directive".into());
    }
    let reference = native::build(program, Build::Reference, scratch)?;
    let [run] = directives.runs.as_slice() else {
        return Err("a misbehaving program has one run".into());
    };
    match expectation.sanitizer {
        Sanitizer::None(_) if UNBOUNDED.contains(&expectation.kind.as_str()) => Ok(()),
        Sanitizer::None(_) => {
            let status = native::run(&reference, run, scratch)?.status;
            match ends_as(&expectation.kind, status) {
                true => Ok(()),
                false => Err(format!("ends natively with status {status}").into()),
            }
        }
        Sanitizer::Address => confirmed(program, expectation, "ERROR: AddressSanitizer"),
        Sanitizer::Undefined => confirmed(program, expectation, "runtime error: "),
    }
}

/// Whether a native run with this status can have ended by this kind of error.
fn ends_as(kind: &str, status: i32) -> bool {
    const SIGILL: i32 = 4;
    const SIGABRT: i32 = 6;
    match kind {
        "abort" | "assert" | "panic" => status == 128 + SIGABRT,
        "trap" => status == 128 + SIGILL,
        "signal" => status > 128,
        _ => status != 0,
    }
}

fn confirmed(program: &Program, expectation: &Expectation, words: &str) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directives = Directives::read(&program.source)?;
    let sanitized = native::build(program, Build::Sanitized, scratch)?;
    let outcome = native::run_sanitized(&sanitized, &directives.runs[0], scratch)?;
    let report = String::from_utf8_lossy(&outcome.stderr);
    if outcome.status == 0 || !report.contains(words) {
        return Err(format!("no `{words}` in the sanitizers' report:\n{report}").into());
    }
    let file = program
        .source
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let marked = |line: &u32| report.contains(&format!("{file}:{line}:"));
    match expectation.lines.iter().any(marked) {
        true => Ok(()),
        false => Err(format!(
            "the report names none of the lines {:?}:\n{report}",
            expectation.lines
        )
        .into()),
    }
}
