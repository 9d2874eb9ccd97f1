//! Differences that somebody wants, by their fingerprints: a report tells them apart from the others, and if there are no others, the
//! answer is about all inputs on which the versions do not differ.

use std::collections::BTreeMap;

use compare::Report;
use compare::confirm::{Acceptance, Difference, StepDifference};
use compare::verdict::{Finding, Verdict, overall};

use crate::excerpt;
use crate::fingerprint::fingerprints;

/// How much of a reason is part of a line.
const MOST_OF_REASON: usize = 300;

/// Marks the differences whose fingerprints are accepted, and no others.
pub fn accept(report: &mut Report, accepted: &BTreeMap<String, Acceptance>) {
    let all = fingerprints(report);
    for (difference, own) in report.differences.iter_mut().zip(all) {
        for (step, fingerprint) in difference.steps.iter_mut().zip(own) {
            step.accepted = accepted.get(&fingerprint).cloned();
        }
    }
}

/// Whether a step of a difference is shown by itself: the last version with the first follows from the steps, if these are known.
pub(crate) fn is_shown(report: &Report, difference: &Difference, step: &StepDifference) -> bool {
    step.step < report.single_steps().len() || !difference.groups.not_known.is_empty()
}

/// Whether all that is shown of a difference is wanted.
pub(crate) fn is_accepted(report: &Report, difference: &Difference) -> bool {
    let steps = difference.steps.iter();
    let mut shown = steps.filter(|step| is_shown(report, difference, step));
    !difference.steps.is_empty() && shown.all(|step| step.accepted.is_some())
}

/// How many kinds of difference are wanted.
pub fn accepted(report: &Report) -> usize {
    let differences = report.differences.iter();
    differences.filter(|one| is_accepted(report, one)).count()
}

/// How many are not.
pub fn unaccepted(report: &Report) -> usize {
    report.differences.len() - accepted(report)
}

/// The answer apart from differences that are wanted: what exit statuses follow.
pub fn verdict(report: &Report) -> Verdict {
    overall(report.single_steps().iter().map(|step| {
        let mut own = step.differences.iter();
        let is_wanted = !step.differences.is_empty()
            && own.all(|&number| is_accepted(report, &report.differences[number - 1]));
        match step.finding {
            Finding::Different if is_wanted => step.otherwise,
            finding => finding,
        }
    }))
}

/// Who wants it, and why.
pub fn because(acceptance: &Acceptance) -> String {
    let Acceptance {
        reason,
        author,
        date,
    } = acceptance;
    let [reason, author, date] =
        [reason, author, date].map(|text| excerpt::words(text, MOST_OF_REASON).replace('\n', " "));
    format!("{reason} ({author}, {date})")
}
