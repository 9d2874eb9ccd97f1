//! A difference as every format for other tools shows it: two versions, one input, what each did on it, the changes behind it. For
//! three versions or more, each step that a difference tells apart is one of these.

use compare::Report;
use compare::confirm::{Acceptance, Difference, Observed, StepDifference, VersionOutcome};
use compare::report::StepReport;
use compare::verdict::Finding;
use compare::versions::changed_line::ReportedChange;
use exploration::compare::Observable;
use harness::CallObservable;

use crate::accepted::is_shown;
use crate::contrast::Marks;
use crate::difference::{content, end_in_words, example, undefined};
use crate::excerpt;
use crate::exercise;
use crate::fingerprint::fingerprints;
use crate::folding::folded;
use crate::headline;
use crate::input::{given_command, typed_input};
use crate::natively::{self, changes_outside};
use crate::observables::{name, shown};
use crate::search::not_known;
use crate::triage::{Triage, triage};
use crate::words::{self, called, word};
use crate::{calls, causes};

/// How much of a command is part of a sentence.
const MOST_OF_COMMAND: usize = 200;
/// How much of an input, and of an output, is shown.
const MOST_OF_INPUT: usize = 4_000;

/// What two versions do differently on one input.
pub(crate) struct View<'r> {
    /// Of the difference, from 1.
    pub(crate) number: usize,
    pub(crate) fingerprint: String,
    /// As in `standard output and exit status differ`.
    pub(crate) title: String,
    /// What the two versions are called: `old` and `new`, or as in `V1` and `V2`.
    pub(crate) versions: [&'r str; 2],
    /// The call in one line, shortened.
    pub(crate) command: String,
    /// The input as one types it, in lines.
    pub(crate) input: String,
    pub(crate) observed: Vec<Contrast>,
    pub(crate) changes: &'r [ReportedChange],
    pub(crate) triage: Triage,
    pub(crate) accepted: Option<&'r Acceptance>,
    /// What happens on the input that C leaves undefined.
    pub(crate) undefined: Option<String>,
    /// Measured by a golden version.
    pub(crate) class: Option<&'static str>,
    /// Why native runs did not show it, if so.
    pub(crate) unconfirmed: Option<String>,
    pub(crate) reproduction: Option<Reproduction>,
    pub(crate) partitions: u64,
}

/// How to see a difference natively.
pub(crate) struct Reproduction {
    pub(crate) command: String,
    /// The files outside of its folder that the program changes then, or tries to, in words.
    pub(crate) outside: Option<String>,
}

/// One observable in both versions.
pub(crate) struct Contrast {
    pub(crate) what: What,
    pub(crate) name: String,
    pub(crate) old: Vec<u8>,
    pub(crate) new: Vec<u8>,
    /// These are words of ours, not what a program put out.
    pub(crate) in_words: bool,
}

/// What is observed, as far as tools tell it apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum What {
    Stdout,
    Stderr,
    File,
    End,
    ExitStatus,
    Returned,
    Argument,
    Global,
    Errno,
    Calls,
}

impl What {
    pub(crate) const ALL: [What; 10] = [
        What::Stdout,
        What::Stderr,
        What::File,
        What::End,
        What::ExitStatus,
        What::Returned,
        What::Argument,
        What::Global,
        What::Errno,
        What::Calls,
    ];

    fn of(observed: &Observed) -> What {
        match (&observed.of_call, &observed.observable) {
            (Some(CallObservable::Returned), _) | (None, Observable::Returned) => What::Returned,
            (Some(CallObservable::Argument(_)), _) => What::Argument,
            (Some(CallObservable::Global(_) | CallObservable::Kept(_)), _) => What::Global,
            (Some(CallObservable::Errno), _) => What::Errno,
            (Some(CallObservable::Calls), _) => What::Calls,
            (Some(CallObservable::Call(_) | CallObservable::Look(_)), _) => What::Returned,
            (Some(CallObservable::State(_) | CallObservable::StateAt(_)), _) => What::Argument,
            (None, Observable::Stdout) => What::Stdout,
            (None, Observable::Stderr) => What::Stderr,
            (None, Observable::File(_)) => What::File,
            (None, Observable::End) => What::End,
            (None, Observable::ExitStatus) => What::ExitStatus,
        }
    }
}

/// All differences, what to look at first before the others; accepted ones last.
pub(crate) fn views(report: &Report) -> Vec<View<'_>> {
    let mut views = Vec::new();
    let fingerprints = fingerprints(report);
    for ((difference, own), number) in report.differences.iter().zip(fingerprints).zip(1..) {
        for (step, fingerprint) in difference.steps.iter().zip(own) {
            if is_shown(report, difference, step) {
                views.push(view(report, number, difference, step, fingerprint));
            }
        }
    }
    views.sort_by_key(|view| (view.accepted.is_some(), view.triage.order(), view.number));
    views
}

fn view<'r>(
    report: &'r Report,
    number: usize,
    difference: &'r Difference,
    step: &'r StepDifference,
    fingerprint: String,
) -> View<'r> {
    let of = &report.steps[step.step];
    let pair = [of.from, of.to];
    let observed = shown(report, difference, &step.observed, pair);
    let outcomes = pair.map(|version| &difference.outcomes[version]);
    let observed: Vec<Contrast> = observed
        .iter()
        .flat_map(|one| contrasts(report, one, difference, step, outcomes))
        .collect();
    let mut names: Vec<&str> = observed.iter().map(|one| one.name.as_str()).collect();
    names.dedup();
    let verb = if names.len() == 1 {
        "differs"
    } else {
        "differ"
    };
    let variant = match causes::by_the_same_change(report, number) {
        same if same.is_empty() => same,
        same => format!(", {same}"),
    };
    let title = format!("{} {verb}{variant}", names.join(" and "));
    let title = excerpt::words(&title, MOST_OF_COMMAND);
    let command = given_command(&difference.given).unwrap_or_else(|| {
        let lines = typed_input(&difference.given, &report.bounds.working_folder, None);
        lines.lines().collect::<Vec<_>>().join("; ")
    });
    let folder = &report.bounds.working_folder;
    let input = typed_input(&difference.given, folder, example(step));
    View {
        number,
        fingerprint,
        title,
        versions: pair.map(|version| report.versions[version].name.as_str()),
        command: excerpt::words(&command, MOST_OF_COMMAND).replace('\n', " "),
        input: excerpt::words(&input, MOST_OF_INPUT),
        observed,
        changes: &step.changes,
        triage: triage(report, difference, step),
        accepted: step.accepted.as_ref(),
        undefined: undefined(report, difference).map(|steps| excerpt::words(&steps, MOST_OF_INPUT)),
        class: match difference.class {
            Some(Ok(class)) => Some(words::class(class)),
            _ => None,
        },
        unconfirmed: step
            .unconfirmed
            .as_deref()
            .map(|why| excerpt::words(why, MOST_OF_INPUT)),
        reproduction: step.script.as_deref().map(|script| Reproduction {
            command: excerpt::words(&format!("sh {}", word(script)), MOST_OF_INPUT),
            outside: changes_outside(report, difference, step)
                .map(|files| excerpt::words(&files, MOST_OF_INPUT)),
        }),
        partitions: difference.partitions,
    }
}

/// An observable in both versions. Of a file with other attributes these come first, and its content if that differs too.
fn contrasts(
    report: &Report,
    observed: &Observed,
    difference: &Difference,
    step: &StepDifference,
    [old, new]: [&VersionOutcome; 2],
) -> Vec<Contrast> {
    let name = name(report, &observed.observable, observed.of_call.as_ref());
    let name = excerpt::words(&name, MOST_OF_COMMAND).replace('\n', " ");
    let what = What::of(observed);
    let contrast = |[old, new]: [Vec<u8>; 2], in_words: bool| Contrast {
        what,
        name: name.clone(),
        old,
        new,
        in_words,
    };
    if let Some(of_call) = &observed.of_call
        && let (Some(old), Some(new)) = (calls::outcome(of_call, old), calls::outcome(of_call, new))
    {
        return vec![contrast([old.into_bytes(), new.into_bytes()], true)];
    }
    match &observed.observable {
        Observable::Stdout => vec![contrast([old.stdout.clone(), new.stdout.clone()], false)],
        Observable::Stderr => vec![contrast([old.stderr.clone(), new.stderr.clone()], false)],
        Observable::File(path) => {
            let given = &difference.given.input.files;
            let both = [old, new].map(|outcome| content(path, outcome, given));
            let attributes = step.attributes.get(path);
            let attributes =
                attributes.map(|both| contrast(both.clone().map(String::into_bytes), true));
            let content =
                (attributes.is_none() || both[0] != both[1]).then(|| contrast(both, false));
            attributes.into_iter().chain(content).collect()
        }
        Observable::End | Observable::ExitStatus | Observable::Returned => {
            let is_call = observed.observable == Observable::End && report.function.is_some();
            let end = |outcome: &VersionOutcome| match &outcome.call {
                Some(call) if is_call => calls::came_back(call),
                _ => end_in_words(outcome, report.bounds.instructions),
            };
            vec![contrast([old, new].map(|own| end(own).into_bytes()), true)]
        }
    }
}

impl Contrast {
    /// Both versions in one line.
    pub(crate) fn in_line(&self, most: usize) -> [String; 2] {
        [&self.old, &self.new].map(|bytes| match bytes.is_empty() {
            true => "(nothing)".to_owned(),
            false if self.in_words => excerpt::words(&String::from_utf8_lossy(bytes), most),
            false => excerpt::in_line(bytes, most),
        })
    }

    /// Both versions in lines.
    pub(crate) fn in_lines(&self, most: usize) -> [String; 2] {
        [&self.old, &self.new].map(|bytes| match self.in_words {
            true => excerpt::words(&String::from_utf8_lossy(bytes), most),
            false => excerpt::in_lines(bytes, most),
        })
    }
}

/// The versions that are compared, as in `old.c and new.c`.
pub(crate) fn compared(report: &Report) -> String {
    let names: Vec<String> = report.versions.iter().map(called).collect();
    let names = excerpt::words(&names.join(" and "), MOST_OF_COMMAND);
    match &report.function {
        Some(function) => match &function.matched {
            Some(matched) => {
                let matched = excerpt::words(&matched.to_string(), MOST_OF_COMMAND);
                format!(
                    "{} of {names} (parameters are matched by name: {matched})",
                    function.name
                )
            }
            None => format!("{} of {names}", function.name),
        },
        None => names,
    }
}

/// The verdict with its reason, as the report for people begins, without a line end.
pub(crate) fn answer(report: &Report) -> String {
    let headline = headline::headline(report, Marks::Signs);
    excerpt::words(headline.lines().next().unwrap_or_default(), MOST_OF_INPUT)
}

/// Whether everything about every step is known: a report of which this is not so reads as no proof in any format.
pub(crate) fn is_settled(report: &Report) -> bool {
    let is_known = |step: &StepReport| match step.finding {
        Finding::SameCode | Finding::SameFunctions | Finding::Equivalent | Finding::Different => {
            true
        }
        Finding::NotExercised | Finding::Undecided(_) => false,
    };
    report.steps.iter().all(is_known)
}

/// What stands against the verdict, besides a proof that is refuted.
pub(crate) fn reservations(report: &Report) -> Vec<String> {
    let found = &report.reservations;
    let mut all: Vec<String> = natively::unconfined(report)
        .map(str::to_owned)
        .into_iter()
        .collect();
    if let Some(search) = &report.search {
        if !search.stop.finished {
            all.push(format!("not everything was explored: {}", search.stop.why));
        }
        let gaps = search.gaps.iter();
        all.extend(gaps.map(|gap| {
            let times = words::counted(gap.times, "time");
            format!("incomplete: {} ({times})", gap.what)
        }));
        all.extend(not_known(search).lines().map(str::to_owned));
    }
    let steps = report.steps.iter();
    let exercise: Vec<String> = steps.map(|step| exercise::text(report, step)).collect();
    let lines = exercise.iter().flat_map(|text| text.lines());
    all.extend(lines.map(|line| line.trim_start().to_owned()));
    let not_called = report.function.iter().flat_map(|own| &own.not_called);
    all.extend(not_called.map(|function| format!("not called: {function}")));
    let left_out = found.left_out.iter();
    all.extend(left_out.map(|what| format!("not compared: {what}")));
    let reads = found.undefined.reads.iter();
    all.extend(reads.map(|read| format!("undefined: {}", words::uninitialised_read(report, read))));
    for dependence in &found.dependences {
        all.push(format!(
            "not deterministic: what the {} version does depends on {}; it was compared for one choice of it only",
            report.versions[dependence.version].name,
            words::surrounding(dependence.on)
        ));
    }
    if let Some(cut) = words::not_inspected(found.undefined.cut) {
        all.push(format!("incomplete: {} {cut}", found.undefined.cut));
    }
    folded(all)
}
