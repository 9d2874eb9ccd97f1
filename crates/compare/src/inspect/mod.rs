//! Third stage: the runs of the search are looked at for what keeps a verdict from being more than it is. Do the versions depend on
//! memory that nobody wrote, do they do what C leaves undefined, does more than the input decide what they do?

mod determinism;
mod inspection;
pub mod undefined;

use exploration::{Summary, Verdict};

pub use determinism::{Dependence, Surrounding};
pub use inspection::{
    AssumedOperation, CodePlace, Operation, Undefined, UninitialisedRead, UninitialisedUse,
};

use crate::observer::{Event, Observer};
use crate::prepare::Prepared;
use crate::search::Searched;
use crate::search::findings::is_sample;
use crate::spec::{Mode, Spec};
use crate::versions::run::Versions;
use determinism::dependences;
use inspection::{Inspection, ends_at};

/// What stands against a verdict.
pub(crate) struct Inspected {
    pub(crate) undefined: Undefined,
    pub(crate) dependences: Vec<Dependence>,
}

pub(crate) fn inspect(
    prepared: &Prepared,
    versions: &Versions<'_>,
    searched: &mut Searched,
    spec: &Spec,
    observer: &dyn Observer,
) -> Inspected {
    observer.event(Event::Inspecting);
    let mut inputs = std::mem::take(&mut searched.found.inputs);
    inputs.append(&mut searched.others);
    let is_proved = |summary: &Summary| {
        let mut steps = versions.steps.iter();
        steps.any(|step| summary.verdict_where_defined(step.from, step.to) == Verdict::Equivalent)
    };
    let is_proved = searched.summary.as_ref().is_some_and(is_proved);
    if !is_proved || spec.search.mode == Mode::FindOnly {
        let mut number = 0;
        inputs.retain(|_| {
            number += 1;
            is_sample(number)
        });
    }
    let harness = &*prepared.harness;
    let inspection = Inspection {
        versions,
        harness,
        shapes: &searched.shapes,
        workers: spec.search.workers,
        interrupt: observer.interrupt(),
        until: ends_at(searched.began, spec.limits.time),
    };
    Inspected {
        undefined: inspection.of(&inputs),
        dependences: dependences(versions, harness, &searched.found.samples),
    }
}
