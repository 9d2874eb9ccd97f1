//! The first lines of a report: the verdict, with what it depends on.

use std::collections::BTreeSet;

use compare::Report;
use compare::confirm::Difference;
use compare::inspect::AssumedOperation;
use compare::report::StepReport;
use compare::verdict::{Finding, Verdict};
use compare::versions::groups::label;

use crate::causes::kinds_of;
use crate::changed_lines::MOST_CHANGES;
use crate::contrast::Marks;
use crate::difference::step_name;
use crate::words::{self, called, listed};
use crate::{accepted, exercise, growth, natively};

/// The verdict; of several versions, also what is known of each two that are compared.
pub(crate) fn headline(report: &Report, marks: Marks) -> String {
    let mut text = match &report.steps[..] {
        [step] => headline_of_two(report, step, marks),
        steps => {
            let mut text = headline_of_more(report, marks);
            for version in &report.versions {
                text += &format!("  {}: {}\n", version.name, called(version));
            }
            text.extend(steps.iter().map(|step| step_text(report, step)));
            text
        }
    };
    if let Some(unconfined) = natively::unconfined(report) {
        text += &format!("{unconfined}\n");
    }
    text
}

fn headline_of_two(report: &Report, step: &StepReport, marks: Marks) -> String {
    let version = |number: usize| {
        let files = called(&report.versions[number]);
        match &report.function {
            Some(function) => format!("{} of {files}", function.name),
            None => files,
        }
    };
    let (old, new) = (version(0), version(1));
    let heading = marks.heading(words::verdict(report.verdict));
    let mut text = match step.finding {
        Finding::SameCode => format!(
            "{heading}: nothing has changed, {old} and {new} compile to the same code for the VM\n"
        ),
        Finding::SameFunctions => {
            format!("{heading}: {old} and {new} behave the same on every input, without bounds\n")
        }
        Finding::Equivalent => {
            let rests_on = within_and_provided(report);
            format!("{heading}: {old} and {new} behave the same on every input {rests_on}\n")
        }
        Finding::Different => {
            let kinds = kinds_of(report, 1..=report.differences.len());
            let kinds = kinds + &accepted_kinds(report);
            match only_through(report) {
                None => format!("{heading}: {kinds}\n"),
                Some(undefined) => {
                    let heading = marks.heading("different only through undefined behaviour");
                    format!(
                        "{heading}: {kinds}, no input without {undefined} was found to differ\n"
                    )
                }
            }
        }
        Finding::NotExercised => format!("{heading}: {}\n", exercise::headline(report, step)),
        Finding::Undecided(open) => {
            format!("{heading}: {}\n", words::open(open, report.finds_only()))
        }
    };
    text += &exercise::text(report, step);
    // Which parameters are the same, where that may surprise, belongs to the verdict.
    let matched = report.function.as_ref();
    if let Some(matched) = matched.and_then(|function| function.matched.as_ref()) {
        text += &format!("parameters are matched by name: {matched}\n");
    }
    // And so does what no sequence of calls has.
    let not_called = report.function.iter().flat_map(|own| &own.not_called);
    for function in not_called {
        text += &format!("not called: {function}\n");
    }
    if step.finding == Finding::SameFunctions {
        text += &same_functions(&report.same_functions);
    }
    if report.search.is_none() {
        text += &words::assumed_line(report);
    }
    text
}

/// Within which bounds versions are the same, and what that depends on.
fn within_and_provided(report: &Report) -> String {
    let provided = provided(report.reservations.undefined.assumed.iter());
    growth::within(report, defined(report)) + &provided
}

/// The undefined operations without which no difference was found, if that is so.
fn only_through(report: &Report) -> Option<String> {
    let is_undefined = |difference: &Difference| !difference.undefined.is_empty();
    if !report.differences.iter().all(is_undefined) {
        return None;
    }
    let all = report.differences.iter();
    let all = all.flat_map(|difference| &difference.undefined);
    let all: BTreeSet<&str> = all
        .map(|step| words::undefined_operation(step.operation))
        .collect();
    Some(all.into_iter().collect::<Vec<_>>().join(" or "))
}

/// Why nothing was explored.
fn same_functions(names: &[String]) -> String {
    let listed = match names.len() {
        ..=MOST_CHANGES => names.join(", "),
        all => {
            let first = names[..MOST_CHANGES].join(", ");
            format!("{first} and {} more", all - MOST_CHANGES)
        }
    };
    let verb = if names.len() == 1 { "does" } else { "do" };
    format!(
        "no run was needed: {listed} {verb} the same in both, whatever the arguments and the globals are\n"
    )
}

/// Which inputs a proof leaves out, if it leaves out any.
fn defined(report: &Report) -> &'static str {
    match are_undefined_somewhere(report) {
        false => "",
        true => " on which their behaviour is defined",
    }
}

/// Whether on some inputs two versions both do what C leaves undefined; of several versions, a third one may differ there.
fn are_undefined_somewhere(report: &Report) -> bool {
    let seen = report.search.as_ref();
    report.partitions.counts.both_undefined > 0
        || seen.is_some_and(|search| !search.both_undefined.is_empty())
}

fn headline_of_more(report: &Report, marks: Marks) -> String {
    let heading = marks.heading(words::verdict(report.verdict));
    match report.verdict {
        Verdict::Equivalent if report.search.is_none() => {
            format!(
                "{heading}: nothing has changed, all versions compile to the same code for the VM\n{}",
                words::assumed_line(report)
            )
        }
        Verdict::Equivalent => {
            let within = growth::within(report, defined(report));
            format!("{heading}: all versions behave the same on every input {within}\n")
        }
        Verdict::Different => {
            let steps = report.single_steps().iter();
            let steps = steps.filter(|step| step.finding == Finding::Different);
            let versions: Vec<usize> = steps.map(|step| step.to).collect();
            let (behave, before) = match &versions[..] {
                [only] => ("behaves", label(only - 1)),
                _ => ("each behave", "the version before".to_owned()),
            };
            format!(
                "{heading}: {} {behave} in another way than {before}\n",
                listed(&versions)
            )
        }
        Verdict::NotExercised => {
            format!(
                "{heading}: the versions are equal on every input within the bounds, but not every change was executed\n"
            )
        }
        Verdict::Undecided => {
            format!("{heading}: not every version is proved to behave as the one before\n")
        }
    }
}

/// What is known of two of several versions.
fn step_text(report: &Report, step: &StepReport) -> String {
    let finding = match step.finding {
        Finding::SameCode => "equivalent, the same code".to_owned(),
        Finding::SameFunctions => "equivalent".to_owned(),
        Finding::Equivalent => {
            let assumed = report.reservations.undefined.assumed.iter();
            let own = assumed.filter(|one| [step.from, step.to].contains(&one.version));
            let defined = match are_undefined_somewhere(report) {
                false => "",
                true => " where their behaviour is defined",
            };
            format!("equivalent{defined}{}", provided(own))
        }
        Finding::Different => format!("different: {}", step_kinds(report, step)),
        Finding::NotExercised => format!("not exercised: {}", exercise::headline_of_step(step)),
        Finding::Undecided(open) => format!("undecided: {}", words::open_step(open)),
    };
    format!(
        "{}: {finding}\n{}",
        step_name(step),
        exercise::text(report, step)
    )
}

fn step_kinds(report: &Report, step: &StepReport) -> String {
    let numbers = |numbers: &[usize]| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let mut text = kinds_of(report, step.differences.iter().copied());
    text += &format!(" ({})", numbers(&step.differences));
    // Of the first step, each is new.
    if !step.undoes.is_empty() {
        text += &format!("; undoes {}", numbers(&step.undoes));
        if !step.introduces.is_empty() {
            text += &format!("; introduces {}", numbers(&step.introduces));
        }
    }
    text
}

/// What an `equivalent` depends on, as it follows one.
fn provided<'u>(assumed: impl Iterator<Item = &'u AssumedOperation>) -> String {
    let assumed: BTreeSet<_> = assumed.map(|one| words::operation(one.operation)).collect();
    match assumed.is_empty() {
        true => String::new(),
        false => {
            let assumed: Vec<_> = assumed.into_iter().collect();
            format!(", provided that {}", assumed.join(" and "))
        }
    }
}

/// What follows the number of kinds in a headline.
fn accepted_kinds(report: &Report) -> String {
    match (accepted::accepted(report), accepted::unaccepted(report)) {
        (0, _) => String::new(),
        (some, 1..) => format!(", {some} of them accepted"),
        (_, 0) => format!(", all accepted; {}", apart(report)),
    }
}

/// What is known of all other inputs, where every difference is accepted.
fn apart(report: &Report) -> String {
    let [step] = report.single_steps() else {
        return match accepted::verdict(report) {
            Verdict::Equivalent => "nothing else differs".to_owned(),
            _ => "not everything else is proved equal".to_owned(),
        };
    };
    match step.otherwise {
        Finding::Equivalent | Finding::SameCode | Finding::SameFunctions | Finding::Different => {
            format!(
                "both versions behave the same on every other input {}",
                within_and_provided(report)
            )
        }
        Finding::NotExercised => "besides them, a change was not executed".to_owned(),
        Finding::Undecided(open) => {
            format!("besides them, {}", words::open(open, report.finds_only()))
        }
    }
}
