//! How likely a difference is unintended, with the reason: what to look at first.
//!
//! First come ends that nobody wants (a crash, undefined behaviour, no end), then another exit status or error message, then other
//! output. A difference is marked as *probably intended* where something speaks for it: the golden version does the same, the input
//! failed before and succeeds now, or the change spells out the text that is new.

use compare::confirm::{Difference, StepDifference, VersionOutcome};
use compare::report::Report;
use compare::versions::golden::Class;
use exploration::compare::Observable;
use native::test_case::EndKind;

/// What kind of difference it is, the most alarming first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rank {
    /// The later version crashes, does something undefined, or does not end.
    BadEnd,
    /// Another exit status, or another way to end.
    End,
    /// Something on standard error.
    ErrorOutput,
    Output,
}

/// What to make of a difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Triage {
    pub rank: Rank,
    /// Why it may be intended; nothing if nothing speaks for it.
    pub intended: Option<String>,
}

impl Triage {
    /// What to look at first comes first.
    pub fn order(&self) -> (bool, Rank) {
        (self.intended.is_some(), self.rank)
    }
}

/// What to make of what two versions do.
pub fn triage(report: &Report, difference: &Difference, step: &StepDifference) -> Triage {
    let of = &report.steps[step.step];
    let [old, new] = [of.from, of.to].map(|version| &difference.outcomes[version]);
    let does_undefined = |version: usize| {
        let mut steps = difference.undefined.iter();
        steps.any(|step| step.version == version)
    };
    let rank = match does_undefined(of.to) && !does_undefined(of.from) {
        true => Rank::BadEnd,
        false => rank(step, old, new),
    };
    let intended = match does_undefined(of.to) {
        true => None,
        false => intended(difference, step, old, new),
    };
    Triage { rank, intended }
}

fn is_bad(outcome: &VersionOutcome) -> bool {
    outcome.end.kind != EndKind::Exit || outcome.end.undefined
}

fn rank(step: &StepDifference, old: &VersionOutcome, new: &VersionOutcome) -> Rank {
    let has = |wanted: fn(&Observable) -> bool| {
        let mut observed = step.observed.iter();
        observed.any(|one| one.of_call.is_none() && wanted(&one.observable))
    };
    if is_bad(new) && old.end.kind != new.end.kind {
        return Rank::BadEnd;
    }
    if has(|one| matches!(one, Observable::End | Observable::ExitStatus)) {
        return Rank::End;
    }
    match has(|one| *one == Observable::Stderr) {
        true => Rank::ErrorOutput,
        false => Rank::Output,
    }
}

fn intended(
    difference: &Difference,
    step: &StepDifference,
    old: &VersionOutcome,
    new: &VersionOutcome,
) -> Option<String> {
    match difference.class {
        Some(Ok(Class::Progression)) => {
            return Some("the new version does what the golden version does".to_owned());
        }
        Some(Ok(Class::Regression)) => return None,
        _ => {}
    }
    if is_bad(new) {
        return None;
    }
    let succeeds = |outcome: &VersionOutcome| outcome.end.shell_status == Some(0);
    if succeeds(new) && (is_bad(old) || !succeeds(old)) {
        return Some("the input failed before and succeeds now".to_owned());
    }
    let spelled = step.changes.iter().filter(|change| !change.is_removed);
    let spelled = spelled.filter_map(|change| change.code.as_deref());
    let mut texts = spelled.flat_map(texts);
    let shows = |outcome: &VersionOutcome, text: &str| {
        let text = text.as_bytes();
        let has = |bytes: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        has(&outcome.stdout) || has(&outcome.stderr) || outcome.files.values().any(|file| has(file))
    };
    let text = texts.find(|text| shows(new, text) && !shows(old, text))?;
    Some(format!("the change spells out the text \"{text}\""))
}

/// A text shorter than this may be anywhere.
const SHORTEST: usize = 3;

/// What a line of source puts in double quotes, up to the first escape or conversion.
fn texts(code: &str) -> Vec<String> {
    let parts = code.split('"').skip(1).step_by(2);
    let parts = parts.flat_map(|part| part.split(['\\', '%']).map(str::trim));
    let parts = parts.filter(|part| part.len() >= SHORTEST);
    parts.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_line() {
        assert_eq!(
            texts(r#"puts("hello\n"); f("%d items");"#),
            ["hello", "d items"]
        );
        assert!(texts(r#"putchar('x'); puts("");"#).is_empty());
    }
}
