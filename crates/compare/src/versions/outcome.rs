//! How runs end, as far as kinds of difference are told apart by it.

use concolic_vm::{End, EndKind, Outcome};
use native::test_case::ExpectedEnd;

/// How a run ended, and where if not normally.
pub(crate) fn ending(outcome: &Outcome) -> String {
    match (&outcome.end, outcome.location()) {
        (End::Exit { .. }, _) => "exit".to_owned(),
        // Where a run is when it is cut off is chance.
        (End::StepLimit { .. }, _) => outcome.end.kind().to_string(),
        (end, Some(place)) => format!("{} at {place}", end.kind()),
        (end, None) => end.kind().to_string(),
    }
}

/// Whether a run was still going on when it had executed as many instructions as it may.
pub(crate) fn is_cut_off(end: &ExpectedEnd) -> bool {
    end.kind == EndKind::StepLimit
}
