//! What native runs may do, and what a program does on the host when somebody runs it: files outside of its folder.

use std::collections::BTreeSet;

use compare::Report;
use compare::confirm::{Difference, StepDifference};
use native::confirmation::NATIVE_RUNS_ARE_OFF;
use native::outside::Outside;
use native::test_case::shell_word;
use serde_json::{Value, json};

/// How many files are named.
const MOST_NAMED: usize = 4;

/// What either version of a step does, or tries to do, outside of its folder.
pub fn outside(report: &Report, difference: &Difference, own: &StepDifference) -> Outside {
    let step = &report.steps[own.step];
    let of = |version: usize| &difference.outcomes[version].outside;
    of(step.from).both(of(step.to))
}

/// The files outside that it changes or tries to, in one line.
pub(crate) fn changes_outside(
    report: &Report,
    difference: &Difference,
    own: &StepDifference,
) -> Option<String> {
    let changed = outside(report, difference, own).changed;
    let named = changed.iter().take(MOST_NAMED);
    let mut words: Vec<String> = named.map(|name| shell_word(name)).collect();
    if changed.len() > MOST_NAMED {
        words.push(format!("and {} more", changed.len() - MOST_NAMED));
    }
    (!words.is_empty()).then(|| {
        format!(
            "outside its folder it changes, or tries to: {}",
            words.join(", ")
        )
    })
}

pub(crate) fn outside_json(outside: &Outside) -> Value {
    let names = |names: &BTreeSet<Vec<u8>>| -> Vec<String> {
        let names = names.iter();
        names
            .map(|name| String::from_utf8_lossy(name).into_owned())
            .collect()
    };
    json!({"changed": names(&outside.changed), "looked_for": names(&outside.looked_for)})
}

/// Whether something was run natively, or would have been.
fn are_due(report: &Report) -> bool {
    let proofs = &report.proofs;
    !report.differences.is_empty() || proofs.self_check.is_some() || proofs.wrong_pruning.is_some()
}

/// Then every difference says so, and there is nothing to look at.
pub(crate) fn are_off(report: &Report) -> bool {
    let steps = report
        .differences
        .iter()
        .flat_map(|difference| &difference.steps);
    let mut reasons = steps.filter_map(|step| step.unconfirmed.as_deref());
    reasons.any(|reason| reason.ends_with(NATIVE_RUNS_ARE_OFF))
}

/// How versions were run natively, for machines.
pub(crate) fn how(report: &Report) -> Option<&'static str> {
    are_due(report).then(|| match report.asked.unconfined {
        true => "unconfined",
        false if are_off(report) => "off",
        false => "sandbox",
    })
}

/// What to say where native runs were in no sandbox.
pub(crate) fn unconfined(report: &Report) -> Option<&'static str> {
    (how(report) == Some("unconfined")).then_some(
        "native runs were in no sandbox: the versions ran with all rights of the user, and may have changed files, these results too",
    )
}
