//! The report for people.

use std::path::Path;

use compare::Report;
use compare::report::{SearchReport, StepReport};
use compare::verdict::{Finding, Verdict};

use crate::advice::advice;
use crate::contrast::Marks;
use crate::difference;
use crate::excerpt::printable;
use crate::folding::{advised_once, folded};
use crate::headline::headline;
use crate::input::as_for;
use crate::search::{known_before, not_known, pruned_text, unexplored};
use crate::words::{self, counted};
use crate::{accepted, causes, growth, partitions, review, settled};

/// How many kinds of difference are shown in full.
const MOST_SHOWN: usize = 10;

/// The report for people. What others have called their files and functions controls nothing in it.
pub fn text(report: &Report, marks: Marks) -> String {
    let text = advised_once(&whole(report, marks));
    printable(&text, marks).into_owned()
}

fn whole(report: &Report, marks: Marks) -> String {
    let mut text = headline(report, marks);
    let Some(search) = &report.search else {
        return text + &bounds_of_same_code(report);
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
    text += &what_stands_against_it(report, search);
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

/// What is open, what stands against a verdict, and notes: what is alike is told a few times, and counted.
fn what_stands_against_it(report: &Report, search: &SearchReport) -> String {
    let mut text = not_known(search) + &reservations(report);
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
    let lines = folded(text.lines().map(str::to_owned)).into_iter();
    lines.map(|line| line + "\n").collect()
}

/// The code of a function by itself is what its calls can come to: that depends on what its arguments and variables can be.
fn bounds_of_same_code(report: &Report) -> String {
    let is_same = |step: &StepReport| step.finding == Finding::SameCode;
    match report.function.is_some() && report.steps.iter().all(is_same) {
        true => format!("bounds: {}\n", bounds(report).join("; ")),
        false => String::new(),
    }
}

/// One difference in full, by its number from 1.
pub fn one_difference(report: &Report, number: usize, marks: Marks) -> String {
    difference::text(report, number, &report.differences[number - 1], marks)
}

/// Those that nobody has accepted in full, and the others in a line each.
fn differences(report: &Report, marks: Marks) -> String {
    let mut text = String::new();
    let (wanted, mut unwanted): (Vec<_>, Vec<_>) = (report.differences.iter().zip(1..))
        .partition(|(difference, _)| accepted::is_accepted(report, difference));
    // Variants follow the first of their kind, further in.
    let firsts = causes::first_of_kind(report);
    unwanted.sort_by_key(|&(_, number)| (firsts[number - 1], number));
    let mut shown: Vec<usize> = Vec::new();
    for &(difference, number) in unwanted.iter().take(MOST_SHOWN) {
        text.push('\n');
        let first = firsts[number - 1];
        let own = difference::text(report, number, difference, marks);
        match shown.contains(&first) {
            true => text.extend(own.lines().map(|line| format!("   {line}\n"))),
            false => text += &own,
        }
        shown.push(first);
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
        let reviewed = review::reviewed(report);
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
