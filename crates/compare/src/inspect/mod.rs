//! Third stage: the runs of the search are looked at for what keeps a verdict from being more than it is. Do the versions depend on
//! memory that nobody wrote, do they do what C leaves undefined, does more than the input decide what they do?
//!
//! A search whose bounds grow has each round looked at before a wider one takes its place, so that a round that is
//! taken for an answer was looked at to its end.

mod determinism;
mod inspection;
pub mod undefined;

use std::time::{Duration, Instant};

use concolic_vm::symbolic::SymbolicInput;
use exploration::input::CompactInput;

pub use determinism::{Dependence, Surrounding};
pub use inspection::{
    AssumedOperation, CodePlace, Operation, Undefined, UninitialisedRead, UninitialisedUse,
};

use crate::observer::{Event, Observer};
use crate::spec::Spec;
use crate::versions::run::Versions;
pub(crate) use determinism::dependences;
use harness::Harness;
use inspection::Inspection;

/// What a look at the runs may take when the search has used up all of its time.
const AT_LEAST: Duration = Duration::from_secs(1);

/// What stands against a verdict.
pub(crate) struct Inspected {
    pub(crate) undefined: Undefined,
    pub(crate) dependences: Vec<Dependence>,
    /// Whether all runs were looked at, or as many as time allowed, and not samples of them.
    pub(crate) is_whole: bool,
}

/// What all looks at runs of a comparison have.
#[derive(Clone, Copy)]
pub(crate) struct Looking<'l> {
    pub(crate) versions: &'l Versions<'l>,
    pub(crate) harness: &'l dyn Harness,
    pub(crate) spec: &'l Spec,
    pub(crate) observer: &'l dyn Observer,
}

impl Looking<'_> {
    /// Looks at all of the inputs, each with the number of its shape, or at as many as time allows.
    pub(crate) fn at(
        self,
        inputs: &[CompactInput],
        shapes: &[SymbolicInput],
        time: Duration,
    ) -> Undefined {
        self.observer.event(Event::Inspecting);
        let inspection = Inspection {
            versions: self.versions,
            harness: self.harness,
            shapes,
            workers: self.spec.search.workers,
            interrupt: self.observer.interrupt(),
            until: Instant::now() + time.max(AT_LEAST),
        };
        inspection.of(inputs)
    }
}

/// All of the first runs are samples, and fewer and fewer of the later ones.
pub(crate) fn is_sample(number: u64) -> bool {
    number < 16 || number.is_power_of_two()
}

/// Some of the inputs.
pub(crate) fn samples(inputs: Vec<CompactInput>) -> Vec<CompactInput> {
    let numbered = inputs.into_iter().zip(1..);
    numbered
        .filter_map(|(input, number)| is_sample(number).then_some(input))
        .collect()
}
