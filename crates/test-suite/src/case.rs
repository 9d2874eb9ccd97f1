//! A test as data: the input of a difference, and what the chosen version does on it.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use compare::Report;
use compare::confirm::{Difference, StepDifference};
use compare::versions::changed_line::ReportedChange;
use compare::versions::golden::Class;
use native::outside::relative;
use native::test_case::EndKind;
use report::fingerprint::fingerprints;
use report::natively::outside;

use crate::expected::{Expected, expected};
use crate::name;

/// Which version behaves as the tests want.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expect {
    Old,
    New,
    /// The one that does what the golden version does.
    Golden,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Of the difference, from 1.
    pub number: usize,
    pub fingerprint: String,
    /// In lower case, with underscores.
    pub name: String,
    /// What stands above the test.
    pub comment: Vec<String>,
    /// The program's own name.
    pub program: Vec<u8>,
    pub arguments: Vec<Vec<u8>>,
    pub stdin: Vec<u8>,
    pub environment: BTreeMap<String, Vec<u8>>,
    /// By path relative to the working folder.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    pub expected: Expected,
    /// Which version does so: 0 the old one, 1 the new one.
    pub expected_of: usize,
    /// The native executables of both versions.
    pub executables: [PathBuf; 2],
}

/// A difference of which there is no test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    pub number: usize,
    pub why: String,
}

/// The tests of a report's differences, and those of which there is none.
pub fn cases(report: &Report, expect: Expect) -> (Vec<Case>, Vec<Left>) {
    let mut cases: Vec<Case> = Vec::new();
    let mut left = Vec::new();
    for ((difference, own), number) in report.differences.iter().zip(fingerprints(report)).zip(1..)
    {
        match case(report, number, difference, own.first(), expect) {
            Ok(mut case) => {
                let taken = |name: &str| cases.iter().any(|other| other.name == name);
                case.name = name::distinct(&case.name, taken);
                cases.push(case);
            }
            Err(why) => left.push(Left { number, why }),
        }
    }
    (cases, left)
}

fn case(
    report: &Report,
    number: usize,
    difference: &Difference,
    fingerprint: Option<&String>,
    expect: Expect,
) -> Result<Case, String> {
    let ([_, _], [step], Some(fingerprint)) =
        (&report.versions[..], &difference.steps[..], fingerprint)
    else {
        return Err("it is about more than two versions: check two at a time".to_owned());
    };
    if let Some(why) = &step.unconfirmed {
        return Err(format!("native runs do not show it: {why}"));
    }
    let input = &difference.given.input;
    if !input.variables.is_empty() {
        return Err(
            "its input is given by `parallax_symbolic`, which only Parallax can do".to_owned(),
        );
    }
    let expected_of = version(difference, expect)?;
    accepted(step, expected_of)?;
    let outcome = &difference.outcomes[expected_of];
    let expected = expected(outcome)?;
    let files = files(&input.files, &report.bounds.working_folder)?;
    for name in input.environment.keys() {
        if !is_harmless(name) {
            return Err(format!(
                "its input has the variable {name:?}, with which other code than the program's can be run"
            ));
        }
    }
    if let Some(path) = expected.files.keys().find(|path| !is_inside(path)) {
        return Err(format!(
            "it makes the file {path:?}, outside of the working folder"
        ));
    }
    let program = input.args.first().cloned().unwrap_or_default();
    Ok(Case {
        number,
        fingerprint: fingerprint.clone(),
        name: name::name(&program, input, &expected, outcome),
        comment: comment(report, difference, step, expected_of),
        program,
        arguments: input.args.iter().skip(1).cloned().collect(),
        stdin: input.stdin.clone(),
        environment: input.environment.clone(),
        files,
        expected,
        expected_of,
        executables: ["old", "new"].map(|version| step.folder.join("bin").join(version)),
    })
}

/// Files of an input by their paths in the working folder. The report may be somebody else's.
fn files(
    given: &BTreeMap<String, Vec<u8>>,
    folder: &str,
) -> Result<BTreeMap<PathBuf, Vec<u8>>, String> {
    let inside = |(path, content): (&String, &Vec<u8>)| {
        let inside = relative(path.as_bytes(), folder.as_bytes());
        let inside = inside.filter(|path| is_inside(path)).ok_or_else(|| {
            format!("its input has the file {path:?}, outside of the working folder")
        })?;
        Ok((inside, content.clone()))
    };
    given.iter().map(inside).collect()
}

fn is_inside(path: &Path) -> bool {
    let mut parts = path.components();
    parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a variable only says something to the program: the loader of programs does what its own say, and what is no name of a
/// variable may be an option of `env`.
fn is_harmless(name: &str) -> bool {
    let is_of_name = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let is_of_loader = name.starts_with("LD_") || name == "GLIBC_TUNABLES";
    !name.is_empty() && name.chars().all(is_of_name) && !is_of_loader
}

/// Refuses the old behaviour of a difference that somebody wants.
pub(crate) fn accepted(step: &StepDifference, expected_of: usize) -> Result<(), String> {
    match (&step.accepted, expected_of) {
        (Some(accepted), 0) => Err(format!(
            "it is accepted ({}), so the old behaviour is not wanted; `--expect new` tests the new one",
            plain(&accepted.reason)
        )),
        _ => Ok(()),
    }
}

pub(crate) fn version(difference: &Difference, expect: Expect) -> Result<usize, String> {
    match (expect, difference.class) {
        (Expect::Old, _) | (Expect::Golden, Some(Ok(Class::Regression))) => Ok(0),
        (Expect::New, _) | (Expect::Golden, Some(Ok(Class::Progression))) => Ok(1),
        (Expect::Golden, Some(Ok(Class::Intermediate))) => {
            Err("neither version does what the golden version does".to_owned())
        }
        (Expect::Golden, Some(Err(_))) => {
            Err("the golden version does not tell the versions apart".to_owned())
        }
        (Expect::Golden, None) => Err("the check had no golden version (`--golden`)".to_owned()),
    }
}

/// How much of a line a comment has.
const MOST_OF_LINE: usize = 100;
const MOST_CHANGES: usize = 4;

/// Text in one line that cannot end a comment.
pub(crate) fn plain(text: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric();
    let text: String = text
        .replace('…', "...")
        .chars()
        .take(MOST_OF_LINE)
        .map(|c| if is_plain(c) { c } else { ' ' })
        .collect();
    text.replace("\"\"\"", "'''").replace('\\', "/")
}

pub(crate) fn comment(
    report: &Report,
    difference: &Difference,
    step: &StepDifference,
    expected_of: usize,
) -> Vec<String> {
    let other = &difference.outcomes[1 - expected_of];
    let [this, that] = match expected_of {
        0 => ["old", "new"],
        _ => ["new", "old"],
    };
    let observed: Vec<String> = step
        .observed
        .iter()
        .map(|one| match &one.of_call {
            Some(of_call) => of_call.to_string(),
            None => one.observable.to_string(),
        })
        .collect();
    let mut lines = vec![format!(
        "What the {this} version does; the {that} one differs in {}.",
        plain(&observed.join(" and "))
    )];
    if other.end.kind != EndKind::Exit {
        lines.push(format!(
            "The {that} version there: {}.",
            plain(&other.end.description)
        ));
    }
    let place = |change: &ReportedChange| {
        let code = change.code.as_deref().unwrap_or_default();
        let gone = if change.is_removed { " (removed)" } else { "" };
        format!(
            "Changed: {}:{} in {}{gone}: {}",
            plain(&change.file),
            change.line,
            plain(&change.function),
            plain(code)
        )
    };
    lines.extend(step.changes.iter().take(MOST_CHANGES).map(place));
    if step.changes.len() > MOST_CHANGES {
        lines.push(format!(
            "and {} more changed lines.",
            step.changes.len() - MOST_CHANGES
        ));
    }
    lines.extend(outside(report, difference, step).warning());
    lines
}
