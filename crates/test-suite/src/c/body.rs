//! The functions of a test.

use harness::literal::text;
use harness::{Check, Wanted};

use super::case::FunctionCase;
use super::checks::{Words, lines, truth};

/// The statements of the call with what is asked for after it.
fn call(case: &FunctionCase, words: Words) -> Vec<String> {
    let mut all = Vec::new();
    for (name, value) in &case.surroundings.environment {
        let (name, value) = (text(name.as_bytes()), text(value));
        all.push(format!("setenv({name}, {value}, 1);"));
    }
    all.extend(case.code.given.iter().cloned());
    let checks: Vec<&Vec<Check>> = case
        .code
        .calls
        .iter()
        .map(|call| &call.checks[case.expected_of])
        .collect();
    let is_used = |name: &str| {
        let later = case.code.calls.iter().any(|call| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            call.call.split(|c| !is_part(c)).any(|word| word == name)
        });
        later
            || checks
                .iter()
                .any(|checks| checks.iter().any(|check| check.mentions(name)))
    };
    for (call, checks) in case.code.calls.iter().zip(&checks) {
        let looks = call
            .result
            .as_ref()
            .is_some_and(|result| is_used(&result.name));
        all.push(call.statement(looks));
        all.extend(checks.iter().flat_map(|check| lines(words, check)));
    }
    all
}

/// The name of the function that is called in a process of its own.
fn inner(case: &FunctionCase) -> String {
    format!("call_of_{}", case.name)
}

fn function(head: &str, lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
    format!("{head}\n{{\n{lines}}}\n")
}

/// A test, as functions. `head` is how the test itself begins, `first` what stands in it before all else.
pub(crate) fn functions(case: &FunctionCase, words: Words, head: &str, first: &[&str]) -> String {
    let comment = match &case.comment[..] {
        [] => String::new(),
        lines => format!("/* {} */\n", lines.join("\n * ")),
    };
    let mut own: Vec<String> = first.iter().map(|line| (*line).to_owned()).collect();
    let around = &case.surroundings;
    if !around.own_process {
        own.extend(call(case, words));
        return format!("{comment}{}", function(head, &own));
    }
    let inner = inner(case);
    let called = function(
        &format!("static void {inner}(void)"),
        &call(case, Words::Own),
    );
    own.push(format!(
        "struct ended ended = in_own_process({inner}, {}, {});",
        text(&around.stdin),
        around.stdin.len()
    ));
    let status = Check {
        actual: "ended.status".to_owned(),
        expected: Wanted::Signed(around.status.to_string()),
    };
    own.extend(lines(words, &status));
    for (name, output) in [("out", &around.stdout), ("err", &around.stderr)] {
        let (size, output) = (output.len(), text(output));
        own.push(truth(
            words,
            &format!("has_text(&ended.{name}, {output}, {size})"),
        ));
    }
    own.push("forget(&ended);".to_owned());
    format!("{comment}{called}\n{}", function(head, &own))
}
