//! What a user calls the things that are compared.

use compare::confirm::{Difference, Observed};
use compare::report::Report;
use exploration::compare::Observable;
use harness::CallObservable;
use serde_json::{Value, json};

use crate::calls::json_observable;
use crate::excerpt;
use crate::input::in_folder;

/// What the user calls an observable; `of_call` is what it is to the call of a function.
pub(crate) fn name(
    report: &Report,
    observable: &Observable,
    of_call: Option<&CallObservable>,
) -> String {
    match (observable, of_call) {
        (_, Some(of_call)) => of_call.to_string(),
        (Observable::End, None) if report.function.is_some() => "how the call ends".to_owned(),
        (Observable::File(path), None) => {
            let path = in_folder(&report.bounds.working_folder, path);
            format!("file {}", excerpt::name(path))
        }
        (observable, None) => observable.to_string(),
    }
}

/// What is shown as differing between two versions, by their numbers. If one call does not come back, that is the difference, and
/// not all that it would have done then.
pub(crate) fn shown(
    report: &Report,
    difference: &Difference,
    observed: &[Observed],
    [old, new]: [usize; 2],
) -> Vec<Observed> {
    let came_back = |version: usize| difference.outcomes[version].call.is_some();
    match report.function.is_some() && came_back(old) != came_back(new) {
        true => vec![Observed {
            observable: Observable::End,
            of_call: None,
        }],
        false => observed.to_vec(),
    }
}

/// For machines.
pub(crate) fn json(observed: &[Observed]) -> Value {
    let all = observed.iter();
    let all = all.map(|observed| match &observed.of_call {
        Some(of_call) => json_observable(of_call),
        None => json!(observed.observable),
    });
    all.collect()
}
