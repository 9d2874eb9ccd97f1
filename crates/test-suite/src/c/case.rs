//! A test of a function as data: the call of a difference, and what the chosen version does on it.

use std::path::Path;

use compare::Report;
use compare::confirm::{Difference, VersionOutcome};
use harness::{TestCode, TestSources};
use native::test_case::EndKind;
use report::words::undefined_operation;

use super::around::Around;
use super::name;
use crate::case::{Expect, Left, accepted, comment, plain, version};
use crate::expected::expected;
use crate::name::distinct;

/// A test of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCase {
    /// Of the difference, from 1.
    pub number: usize,
    pub name: String,
    /// What stands above the test.
    pub comment: Vec<String>,
    pub code: TestCode,
    /// Which version does what the test expects: 0 the old one, 1 the new one.
    pub expected_of: usize,
    pub surroundings: Around,
}

/// The tests of a report about a function, and the differences of which there is none.
pub fn function_cases(report: &Report, expect: Expect) -> (Vec<FunctionCase>, Vec<Left>) {
    let mut cases: Vec<FunctionCase> = Vec::new();
    let mut left = Vec::new();
    for (difference, number) in report.differences.iter().zip(1..) {
        match case(report, difference, number, expect) {
            Ok(mut case) => {
                let taken = |name: &str| cases.iter().any(|other| other.name == name);
                case.name = distinct(&case.name, taken);
                cases.push(case);
            }
            Err(why) => left.push(Left { number, why }),
        }
    }
    (cases, left)
}

/// What the tests of a report are built with.
pub fn sources(report: &Report) -> Option<&[TestSources; 2]> {
    let sources = &report.function.as_ref()?.test_sources;
    sources.as_slice().try_into().ok()
}

fn case(
    report: &Report,
    difference: &Difference,
    number: usize,
    expect: Expect,
) -> Result<FunctionCase, String> {
    let [step] = &difference.steps[..] else {
        return Err("it is about more than two versions: check two at a time".to_owned());
    };
    if let Some(why) = &step.unconfirmed {
        return Err(format!("native runs do not show it: {why}"));
    }
    let expected_of = version(difference, expect)?;
    let mut undefined = difference.undefined.iter();
    if let Some(step) = undefined.find(|step| step.version == expected_of) {
        return Err(format!(
            "the version that is expected does something there that C leaves undefined ({})",
            undefined_operation(step.operation)
        ));
    }
    accepted(step, expected_of)?;
    let code = match &difference.test_code {
        Some(code) => code.clone()?,
        None if !difference
            .given
            .call
            .as_ref()
            .is_some_and(|call| call.sequence.is_empty()) =>
        {
            return Err(
                "it is about a sequence of calls, of which no tests are written".to_owned(),
            );
        }
        None => return Err("the report is of a version that kept no tests of functions".to_owned()),
    };
    let call = difference.given.call.as_ref();
    let call = call.ok_or("it is about no call of a function")?;
    let input = &difference.given.input;
    if !input.files.is_empty() {
        return Err("its input has files, which tests of functions do not make".to_owned());
    }
    if difference.outcomes.iter().any(leaves_files) {
        return Err(
            "the function writes files, at which tests of functions do not look".to_owned(),
        );
    }
    let [own, other] = [expected_of, 1 - expected_of].map(|at| &difference.outcomes[at]);
    let ended = expected(own)?;
    let surroundings = Around {
        own_process: code.has_state
            || [own, other].into_iter().any(|outcome| !comes_back(outcome))
            || [own, other].into_iter().any(puts_out)
            || !input.stdin.is_empty()
            || !input.environment.is_empty(),
        status: ended.status,
        stdin: input.stdin.clone(),
        environment: input.environment.clone(),
        stdout: own.stdout.clone(),
        stderr: own.stderr.clone(),
    };
    let mut lines = vec![plain_c(&call.to_string())];
    lines.extend(
        comment(report, difference, step, expected_of)
            .iter()
            .map(|line| plain_c(line)),
    );
    let not_asked = &code.not_asked[expected_of];
    if !not_asked.is_empty() {
        lines.push(plain_c(&format!(
            "Compared, but not asked for here: {}.",
            not_asked.join(", ")
        )));
    }
    Ok(FunctionCase {
        number,
        name: name::name(
            call,
            &code,
            expected_of,
            &surroundings,
            comes_back(own),
            own,
        ),
        comment: lines,
        code,
        expected_of,
        surroundings,
    })
}

fn comes_back(outcome: &VersionOutcome) -> bool {
    outcome.call.is_some() && outcome.end.kind == EndKind::Exit
}

fn puts_out(outcome: &VersionOutcome) -> bool {
    !outcome.stdout.is_empty() || !outcome.stderr.is_empty()
}

fn leaves_files(outcome: &VersionOutcome) -> bool {
    let is_own = |path: &Path| path.to_string_lossy().starts_with("parallax");
    outcome.files.keys().any(|path| !is_own(path))
}

/// Text for a comment of C: nothing in it ends or begins one, and there are no trigraphs.
pub(crate) fn plain_c(text: &str) -> String {
    plain(text)
        .replace("*/", "* /")
        .replace("/*", "/ *")
        .replace("??", "? ?")
}
