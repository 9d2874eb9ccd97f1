//! A kind of difference for people: the input, what the versions do on it, the changes behind it, and how to see it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use compare::confirm::{Difference, Observed, StepDifference, VersionOutcome};
use compare::report::{Report, StepReport};
use compare::versions::changed_line::ReportedChange;
use compare::versions::groups::label;
use exploration::compare::Observable;
use native::test_case::EndKind;

use crate::accepted::is_shown;
use crate::changed_lines;
use crate::contrast::{Labels, Marks, contrasted};
use crate::input::{in_folder, typed_input};
use crate::natively::changes_outside;
use crate::observables::{name, shown};
use crate::posix;
use crate::words::{self, effect, typed, word};
use crate::{calls, causes};

/// How many undefined operations of a difference are shown.
const MOST_UNDEFINED: usize = 3;

/// The difference of this number, from 1.
pub(crate) fn text(
    report: &Report,
    number: usize,
    difference: &Difference,
    marks: Marks,
) -> String {
    let (heading, body) = match (report.versions.len(), &difference.steps[..]) {
        (2, [step]) => of_two(report, number, difference, step, marks),
        _ => of_more(report, number, difference, marks),
    };
    let body = body.lines().map(|line| format!("   {line}\n"));
    format!("{heading}\n{}", body.collect::<String>())
}

fn of_two(
    report: &Report,
    number: usize,
    difference: &Difference,
    step: &StepDifference,
    marks: Marks,
) -> (String, String) {
    let observed = shown(report, difference, &step.observed, [0, 1]);
    let names = observed.iter();
    let names: Vec<String> = names
        .map(|one| name(report, &one.observable, one.of_call.as_ref()))
        .collect();
    let title = format!(
        "{number}. {} differ{}",
        names.join(" and "),
        if names.len() == 1 { "s" } else { "" }
    );
    let seen = match &step.unconfirmed {
        None => "seen natively".to_owned(),
        Some(why) => format!("seen in the VM only: {}", why.replace('\n', "\n   ")),
    };
    let mut body = String::new();
    match &difference.class {
        None => {}
        Some(Ok(class)) => body += &format!("{}\n", words::class(*class)),
        Some(Err(why)) => body += &format!("not classified: {}\n", words::unclassified(*why)),
    }
    let folder = &report.bounds.working_folder;
    body += &typed_input(&difference.given, folder, example(step));
    for (one, name) in observed.iter().zip(&names) {
        if observed.len() > 1 {
            body += &format!("{name}:\n");
        }
        body += &outcomes(report, one, difference, step, Labels::TWO, marks);
    }
    if let Some(steps) = undefined(report, difference) {
        body += &format!("undefined behaviour: {steps}\n");
    }
    // A variant is told below the difference that has them.
    let variant = match causes::by_the_same_change(report, number) {
        same if same.is_empty() => {
            body += &changes(&step.changes);
            same
        }
        same => format!("; {same}"),
    };
    if difference.partitions > 1 {
        let what = match report.finds_only() {
            true => "paths",
            false => "partitions",
        };
        body += &format!("the same on {} {what}", difference.partitions);
        body += &match difference.further_changes.len() {
            0 => "\n".to_owned(),
            1 => ", on some of them with another change that plays a part\n".to_owned(),
            lines => {
                format!(", on some of them with {lines} more changed lines that play a part\n")
            }
        };
    }
    if let Some(files) = changes_outside(report, difference, step) {
        body += &format!("{files}\n");
    }
    body += &reproduction(report, difference, step);
    let undefined = undefined_end(report, difference);
    (
        format!("{}, {seen}{undefined}{variant}", marks.heading(&title)),
        body,
    )
}

/// Of a run that ends with an error of C: which version's behaviour is undefined, unless that is so of both.
fn undefined_end(report: &Report, difference: &Difference) -> String {
    let is_undefined = |outcome: &VersionOutcome| {
        matches!(
            outcome.end.kind,
            EndKind::NullDereference
                | EndKind::WildDereference
                | EndKind::OutOfBounds
                | EndKind::UseAfterFree
                | EndKind::UseAfterReturn
                | EndKind::ReadOnlyWrite
                | EndKind::DoubleFree
                | EndKind::InvalidFree
                | EndKind::DivisionByZero
                | EndKind::DivisionOverflow
        )
    };
    match &difference.outcomes[..] {
        [old, new] if is_undefined(old) != is_undefined(new) => {
            let version = usize::from(is_undefined(new));
            let name = &report.versions[version].name;
            format!("; undefined behaviour of the {name} version")
        }
        _ => String::new(),
    }
}

/// Where native programs are left that show it.
pub(crate) fn example(step: &StepDifference) -> Option<&Path> {
    step.script.as_deref().and_then(Path::parent)
}

fn of_more(
    report: &Report,
    number: usize,
    difference: &Difference,
    marks: Marks,
) -> (String, String) {
    let groups = &difference.groups;
    let effects = groups.effects().into_iter();
    let effects: Vec<String> = effects
        .map(|(version, what)| effect(&what, version))
        .collect();
    let title = format!("{number}. {groups}");
    let seen = match difference.confirmed() {
        _ if difference.is_confirmed() => "seen natively",
        0 => "seen in the VM only",
        _ => "seen natively in part",
    };
    let folder = &report.bounds.working_folder;
    let example = difference.steps.iter().find_map(example);
    let mut body = typed_input(&difference.given, folder, example);
    for step in &difference.steps {
        if is_shown(report, difference, step) {
            body += &step_text(report, difference, step, marks);
        }
    }
    if difference.partitions > 1 {
        body += &format!("the same on {} partitions\n", difference.partitions);
    }
    let heading = marks.heading(&title);
    let same = causes::by_the_same_change(report, number);
    let variant = match same.is_empty() {
        true => same,
        false => format!("; {same}"),
    };
    let effects = effects.join("; ");
    (format!("{heading}: {effects}, {seen}{variant}"), body)
}

/// As in `V0 → V1`.
pub(crate) fn step_name(step: &StepReport) -> String {
    format!("{} → {}", label(step.from), label(step.to))
}

/// What two of several versions do on an example.
fn step_text(
    report: &Report,
    difference: &Difference,
    own: &StepDifference,
    marks: Marks,
) -> String {
    let step = &report.steps[own.step];
    let names = [step.from, step.to].map(|version| report.versions[version].name.as_str());
    let mut text = String::new();
    for one in &own.observed {
        let name = name(report, &one.observable, one.of_call.as_ref());
        text += &format!("{}, {name}:\n", step_name(step));
        let both = outcomes(report, one, difference, own, Labels::of(names), marks);
        text.extend(both.lines().map(|line| format!("  {line}\n")));
    }
    let lines = changes(&own.changes);
    text.extend(lines.lines().map(|line| format!("  {line}\n")));
    if let Some(files) = changes_outside(report, difference, own) {
        text += &format!("  {files}\n");
    }
    match (&own.script, &own.unconfirmed) {
        (Some(script), _) => text += &format!("  reproduce: sh {}\n", word(script)),
        (None, why) => {
            let why = why.as_deref().unwrap_or_default().replace('\n', "\n  ");
            text += &format!(
                "  not seen natively: {why}\n  tests: {}\n",
                word(&own.folder)
            );
        }
    }
    text
}

/// What both versions of a step did, as far as it is an observable.
fn outcomes(
    report: &Report,
    observed: &Observed,
    difference: &Difference,
    own: &StepDifference,
    labels: Labels<'_>,
    marks: Marks,
) -> String {
    let step = &report.steps[own.step];
    let [old, new] = [step.from, step.to].map(|version| &difference.outcomes[version]);
    if let Some(of_call) = &observed.of_call
        && let (Some(old), Some(new)) = (calls::outcome(of_call, old), calls::outcome(of_call, new))
    {
        // Backslashes are the text's own already.
        let both = contrasted(old.as_bytes(), new.as_bytes(), marks, labels);
        return both.replace("\\\\", "\\");
    }
    match &observed.observable {
        Observable::Stdout => contrasted(&old.stdout, &new.stdout, marks, labels),
        Observable::Stderr => contrasted(&old.stderr, &new.stderr, marks, labels),
        Observable::File(path) => {
            let given = &difference.given.input.files;
            let [old, new] = [old, new].map(|outcome| content(path, outcome, given));
            match own.attributes.get(path) {
                None => contrasted(&old, &new, marks, labels),
                Some([old_has, new_has]) => {
                    let mut text = labels.lines(&marks.of_old(old_has), &marks.of_new(new_has));
                    if old != new {
                        text += &contrasted(&old, &new, marks, labels);
                    }
                    text
                }
            }
        }
        Observable::End | Observable::ExitStatus | Observable::Returned => {
            let is_call = observed.observable == Observable::End && report.function.is_some();
            let end = |outcome: &VersionOutcome| match &outcome.call {
                Some(call) if is_call => calls::came_back(call),
                _ => end_in_words(outcome, report.bounds.instructions),
            };
            labels.lines(&marks.of_old(&end(old)), &marks.of_new(&end(new)))
        }
    }
}

/// What happens on the example that C leaves undefined.
pub(crate) fn undefined(report: &Report, difference: &Difference) -> Option<String> {
    let steps = difference.undefined.iter();
    let mut steps: Vec<String> = steps
        .map(|step| words::undefined_step(report, step))
        .collect();
    steps.dedup();
    let more = steps.len().saturating_sub(MOST_UNDEFINED);
    steps.truncate(MOST_UNDEFINED);
    match (steps.is_empty(), more) {
        (true, _) => None,
        (false, 0) => Some(steps.join("; ")),
        (false, more) => Some(format!("{}; and {more} more", steps.join("; "))),
    }
}

/// What is in a file after a run.
pub(crate) fn content(
    path: &str,
    outcome: &VersionOutcome,
    given: &BTreeMap<String, Vec<u8>>,
) -> Vec<u8> {
    let same = |name: &&PathBuf| Path::new(path).ends_with(name);
    let name = outcome.files.keys().find(same);
    name.map(|name| outcome.files[name].clone())
        .or_else(|| given.get(path).cloned())
        .unwrap_or_default()
}

pub(crate) fn end_in_words(outcome: &VersionOutcome, max_steps: u64) -> String {
    let end = &outcome.end;
    if end.kind == EndKind::StepLimit {
        return format!("does not end within {max_steps} instructions");
    }
    let place = match (&end.file, end.line) {
        (Some(file), Some(line)) if end.kind != EndKind::Exit => {
            format!(" at {file}:{line}")
        }
        _ => String::new(),
    };
    format!("{}{place}", end.description)
}

/// The changed lines that a difference comes from, with their code.
fn changes(lines: &[ReportedChange]) -> String {
    match lines.is_empty() {
        true => String::new(),
        false => format!("changed lines behind it:\n{}", changed_lines::text(lines)),
    }
}

/// A command that shows the difference: natively, or in the VM if it is seen there only.
fn reproduction(report: &Report, difference: &Difference, step: &StepDifference) -> String {
    if let Some(script) = &step.script {
        return format!("reproduce: sh {}\n", word(script));
    }
    let input = &difference.given.input;
    if !input.variables.is_empty() || report.function.is_some() {
        return format!("tests: {}\n", word(&step.folder));
    }
    let test = step.folder.join("new");
    let name = input.args.first().map_or(&b""[..], Vec::as_slice);
    let mut given = format!(" --arg0 {}", posix::word(name));
    given += &match input.stdin.is_empty() {
        true => " --stdin /dev/null".to_owned(),
        false => format!(" --stdin {}", word(&test.join("stdin"))),
    };
    for (name, value) in &input.environment {
        let pair = [name.as_bytes(), b"=", value].concat();
        given += &format!(" --env {}", posix::word(&pair));
    }
    for path in input.files.keys() {
        let name = in_folder(&report.bounds.working_folder, path);
        let copy = test.join("files").join(name);
        let pair = format!("{}={path}", copy.display());
        given += &format!(" --file {}", posix::word(pair.as_bytes()));
    }
    let arguments = input.args.iter().skip(1);
    let arguments: String = arguments
        .map(|arg| format!(" {}", posix::word(arg)))
        .collect();
    let runs = report.versions.iter();
    let runs = runs.map(|version| {
        format!(
            "parallax run {}{given} --{arguments}",
            typed(&version.files)
        )
    });
    let runs = posix::with_newline(runs.collect::<Vec<_>>().join("; "));
    format!("in the VM: {runs}\n")
}
