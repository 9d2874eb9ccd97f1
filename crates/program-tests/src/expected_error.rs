//! Whether the VM and the sanitizers report the error that a program says it has.

use std::path::Path;

use crate::corpus::Program;
use crate::directives::{Expectation, Run, Sanitizer};
use crate::native::{self, Build, NativeError};
use crate::vm::{Frame, MemoryErrorReport};

/// What is wrong with the VM's report.
pub fn problems_of_report(
    program: &Program,
    expectation: &Expectation,
    report: &MemoryErrorReport,
) -> Vec<String> {
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
    problems
}

/// What is wrong with the native run: no report of the sanitizer at a marked line or, where no sanitizer
/// sees the error, an end that does not fit its kind.
pub fn problem_of_native_run(
    program: &Program,
    expectation: &Expectation,
    run: &Run,
    scratch: &Path,
) -> Result<Option<String>, NativeError> {
    let words = match expectation.sanitizer {
        Sanitizer::Address => "ERROR: AddressSanitizer",
        Sanitizer::Undefined => "runtime error: ",
        Sanitizer::None(_) => {
            let reference = native::build(program, Build::Reference, scratch)?;
            let status = native::run(&reference, run, scratch)?.status;
            let fits = ends_as(&expectation.kind, status);
            return Ok((!fits).then(|| format!("ends natively with status {status}")));
        }
    };
    let sanitized = native::build(program, Build::Sanitized, scratch)?;
    let outcome = native::run_sanitized(&sanitized, run, scratch)?;
    let report = String::from_utf8_lossy(&outcome.stderr);
    if outcome.status == 0 || !report.contains(words) {
        return Ok(Some(format!(
            "no `{words}` in the sanitizers' report:\n{report}"
        )));
    }
    let file = program.source.file_name().unwrap_or_default();
    let file = file.to_string_lossy();
    let marked = |line: &u32| report.contains(&format!("{file}:{line}:"));
    let found = expectation.lines.iter().any(marked);
    Ok((!found).then(|| {
        format!(
            "the report names none of the lines {:?}:\n{report}",
            expectation.lines
        )
    }))
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
