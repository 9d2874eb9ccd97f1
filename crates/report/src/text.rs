//! The report for people.

use std::collections::BTreeSet;
use std::path::Path;

use compare::Report;
use compare::confirm::Difference;
use compare::inspect::AssumedOperation;
use compare::report::{SearchReport, StepReport};
use compare::verdict::{Finding, Verdict};
use compare::versions::groups::label;

use crate::advice::advice;
use crate::changed_lines::MOST_CHANGES;
use crate::contrast::Marks;
use crate::difference::{self, step_name};
use crate::excerpt::printable;
use crate::input::as_for;
use crate::search::{known_before, not_known, pruned_text, unexplored};
use crate::words::{self, called, counted, kinds_of_difference, listed};
use crate::{accepted, exercise, growth, partitions, settled};

/// How many kinds of difference are shown in full.
const MOST_SHOWN: usize = 10;

/// The report for people. What others have called their files and functions controls nothing in it.
pub fn text(report: &Report, marks: Marks) -> String {
    printable(&whole(report, marks), marks).into_owned()
}

fn whole(report: &Report, marks: Marks) -> String {
    let mut text = headline(report, marks);
    let Some(search) = &report.search else {
        return text;
    };
    text += &differences(report, marks);
    text += &match (report.finds_only(), report.asked.random) {
        (true, _) => tried(
            report,
            &counted(search.paths, "path"),
            "--find-only",
            search,
        ),
        (_, true) => {
            let inputs = counted(search.runs, "random input");
            tried(report, &inputs, "--strategy random", search)
        }
        _ => counts(report),
    };
    if let Some(which) = report.asked.listing.partitions {
        text += &partitions::text(report, which);
    }
    text += &known_before(search);
    let leaves_out = report
        .function
        .as_ref()
        .is_some_and(|of| of.leaves_out_inputs);
    let leaves_out = leaves_out && !report.asked.random;
    let explain = report.asked.listing.explain;
    let counts = &report.partitions.counts;
    text += &settled::text(search, counts, leaves_out, explain.shares);
    text += &self_check(report);
    text += &unexplored(report, search);
    text += &not_known(search);
    text += &reservations(report);
    for gap in &search.gaps {
        text += &format!(
            "incomplete: {} ({})\n",
            gap.what,
            counted(gap.times, "time")
        );
    }
    for note in words::notes_to_tell(report) {
        text += &format!("note: {note}\n");
    }
    text += &pruned_text(report, &search.pruned);
    let is_proved =
        |step: &StepReport| matches!(step.finding, Finding::Equivalent | Finding::NotExercised);
    let is_proved_apart = accepted::verdict(report) == Verdict::Equivalent;
    if is_proved_apart || report.steps.iter().any(is_proved) {
        text += &words::assumed_line(report);
    }
    text += &format!("bounds: {}\n", bounds(report).join("; "));
    if let Some(advice) = advice(report) {
        text += &format!("next: {}\n", advice.words());
    }
    text
}

/// The verdict; of several versions, also what is known of each two that are compared.
pub(crate) fn headline(report: &Report, marks: Marks) -> String {
    match &report.steps[..] {
        [step] => headline_of_two(report, step, marks),
        steps => {
            let mut text = headline_of_more(report, marks);
            for version in &report.versions {
                text += &format!("  {}: {}\n", version.name, called(version));
            }
            text.extend(steps.iter().map(|step| step_text(report, step)));
            text
        }
    }
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
            let kinds = kinds_of_difference(report.differences.len());
            let kinds = kinds + &accepted::in_headline(report);
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
pub(crate) fn within_and_provided(report: &Report) -> String {
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
        Finding::Different => format!("different: {}", step_kinds(step)),
        Finding::NotExercised => {
            "not exercised: no input within the bounds executes the change".to_owned()
        }
        Finding::Undecided(open) => format!("undecided: {}", words::open_step(open)),
    };
    format!(
        "{}: {finding}\n{}",
        step_name(step),
        exercise::text(report, step)
    )
}

fn step_kinds(step: &StepReport) -> String {
    let numbers = |numbers: &[usize]| {
        let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        numbers.join(", ")
    };
    let mut text = kinds_of_difference(step.differences.len());
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

/// One difference in full, by its number from 1.
pub fn one_difference(report: &Report, number: usize, marks: Marks) -> String {
    difference::text(report, number, &report.differences[number - 1], marks)
}

/// Those that nobody has accepted in full, and the others in a line each.
fn differences(report: &Report, marks: Marks) -> String {
    let mut text = String::new();
    let (wanted, unwanted): (Vec<_>, Vec<_>) = (report.differences.iter().zip(1..))
        .partition(|(difference, _)| accepted::is_accepted(report, difference));
    for &(difference, number) in unwanted.iter().take(MOST_SHOWN) {
        text.push('\n');
        text += &difference::text(report, number, difference, marks);
    }
    if let Some((more, _)) = unwanted.get(MOST_SHOWN) {
        let number = unwanted.len() - MOST_SHOWN;
        let folder = match (report.versions.len(), &more.steps[..]) {
            (2, [step]) => step.folder.parent(),
            _ => None,
        };
        let place = match folder {
            Some(folder) if folder == Path::new("") => "in . and ".to_owned(),
            Some(folder) => format!("in {} and ", folder.display()),
            None => String::new(),
        };
        text += &format!("\n… and {number} more, {place}with --format json\n");
    }
    if !wanted.is_empty() {
        text.push('\n');
        let reviewed = accepted::reviewed(report);
        let lines = reviewed.iter().filter_map(|one| {
            let because = accepted::because(one.accepted.as_ref()?);
            let (number, id, what) = (one.number, &one.fingerprint, &one.what);
            Some(format!("accepted: {number}. {what} [{id}]: {because}\n"))
        });
        let left = wanted.len().saturating_sub(MOST_SHOWN);
        text.extend(lines.take(MOST_SHOWN));
        if left > 0 {
            text += &format!("… and {left} more that are accepted\n");
        }
    }
    if !report.differences.is_empty() {
        text.push('\n');
    }
    text
}

/// How many partitions there are.
fn counts(report: &Report) -> String {
    let counts = &report.partitions.counts;
    let all = counted(counts.all(), "partition");
    let wall = report.wall.as_secs_f64();
    let equal = counts.equal();
    let (terms, solver) = (counts.equal_by_terms, counts.equal_by_solver);
    let unknown = match counts.both_undefined {
        0 => counts.unknown.to_string(),
        both => format!("{both} undefined in both, {}", counts.unknown),
    };
    let different = counts.different;
    if report.versions.len() > 2 {
        return format!(
            "{all} in {wall:.1} s: on {equal} all versions are proved equal ({terms} by equal terms, {solver} by the solver), on \
             {different} some differ, {unknown} not known\n"
        );
    }
    let more = [
        (counts.equal_unreached, "without a change executed"),
        (
            counts.equal_converged,
            "in the same state after the changes",
        ),
        (counts.equal_called, "by what is called"),
    ];
    let more = more.iter().filter(|(count, _)| *count > 0);
    let more: String = more
        .map(|(count, how)| format!(", {count} {how}"))
        .collect();
    format!(
        "{all} in {wall:.1} s: {equal} proved equal ({terms} by equal terms, {solver} by the solver{more}), {different} different, \
         {unknown} not known\n"
    )
}

/// The same where nothing was to be proved.
fn tried(report: &Report, tried: &str, option: &str, search: &SearchReport) -> String {
    format!(
        "{tried} tried in {:.1} s, the versions differ on {}; nothing was proved of the others ({option})\n",
        report.wall.as_secs_f64(),
        search.different
    )
}

/// What native runs say of the proofs.
fn self_check(report: &Report) -> String {
    let internal_error = report.proofs.refuted().map_or_else(String::new, |refuted| {
        let (why, bundle) = (&refuted.why, refuted.bundle.display());
        format!("INTERNAL ERROR: a proof is refuted: {why}; see {bundle}\n")
    });
    let Some(found) = &report.proofs.self_check else {
        return internal_error;
    };
    let inputs = counted(found.same, "input");
    let mut text = match report.versions.len() {
        2 => format!(
            "self-check: native runs of both versions agree on {inputs} of partitions proved equal"
        ),
        _ => format!(
            "self-check: native runs agree on {inputs} of partitions on which two versions are proved equal"
        ),
    };
    if found.not_run > 0 {
        text += &format!("; {} were not run for want of time", found.not_run);
    }
    if let Some(excuse) = &found.excuse {
        text += &format!("; {} say nothing ({excuse})", found.excused);
    }
    text + "\n" + &internal_error
}

/// What stands against a verdict.
fn reservations(report: &Report) -> String {
    let mut text = String::new();
    let found = &report.reservations;
    for what in &found.left_out {
        text += &format!("not compared: {what}\n");
    }
    for dependence in &found.dependences {
        text += &format!(
            "not deterministic: what the {} version does depends on {}{}; it was compared for one choice of it only\n",
            report.versions[dependence.version].name,
            words::surrounding(dependence.on),
            as_for(&dependence.given)
        );
    }
    for read in &found.undefined.reads {
        let what = words::uninitialised_read(report, read);
        text += &format!("undefined: {what}{}\n", as_for(&read.given));
    }
    for assumed in &found.undefined.assumed {
        let what = words::operation_there(report, assumed);
        text += &format!("assumed here: {what}{}\n", as_for(&assumed.given));
    }
    if let Some(cut) = words::not_inspected(found.undefined.cut) {
        text += &format!("incomplete: {} {cut}\n", found.undefined.cut);
    }
    text
}

/// The bounds of the input, and what else bounds a run.
fn bounds(report: &Report) -> Vec<String> {
    let mut bounds = report.bounds.input.clone();
    bounds.extend(growth::beyond(report));
    if report.bounds.empty_environment {
        bounds.push("environment: empty".to_owned());
    }
    bounds.push(format!(
        "runs of up to {} instructions and a stack of {} bytes",
        report.bounds.instructions, report.bounds.stack
    ));
    bounds
}
