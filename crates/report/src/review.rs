//! Differences as somebody decides on them: whether they are intended.

use compare::Report;
use compare::confirm::Acceptance;

use crate::view::views;

/// A difference as somebody decides on it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reviewed {
    /// Of the difference, from 1.
    pub number: usize,
    pub fingerprint: String,
    /// What differs, and on which call.
    pub what: String,
    /// Why it is probably intended, if something speaks for it.
    pub intended: Option<String>,
    pub accepted: Option<Acceptance>,
}

/// All differences, what to look at first before the others; accepted ones last.
pub fn reviewed(report: &Report) -> Vec<Reviewed> {
    let views = views(report).into_iter();
    views
        .map(|view| Reviewed {
            number: view.number,
            what: format!("{} on {}", view.title, view.command),
            fingerprint: view.fingerprint,
            intended: view.triage.intended,
            accepted: view.accepted.cloned(),
        })
        .collect()
}
