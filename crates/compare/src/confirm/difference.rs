//! A kind of difference with its example, as a report has it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use exploration::compare::Observable;
use harness::{CallObservable, CallOutcome, Harness, TestCode};
use native::outside::Outside;
use native::test_case::{Expected, ExpectedEnd};
use serde::{Deserialize, Serialize};

use super::acceptance::Acceptance;
use super::defined::UndefinedStep;
use super::examples::{Example, StepExample};
use crate::given::Given;
use crate::search::kinds::Kind;
use crate::versions::changed_line::{ReportedChange, reported};
use crate::versions::golden::Classified;
use crate::versions::groups::Groups;

/// A kind of difference: what differs, between which versions, and an input that shows it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// What differs between any two versions.
    pub observed: Vec<Observed>,
    /// Which versions behave the same.
    pub groups: Groups,
    pub given: Given,
    /// The input that it was made from, and the condition of the partition that one is in.
    pub found_with: Given,
    pub condition: Vec<String>,
    /// Whether it is known that no part of the input can be left out.
    pub is_minimal: bool,
    /// By version.
    pub outcomes: Vec<VersionOutcome>,
    /// The call as a test in C makes it, or why none does; `None` if it is about a program.
    #[serde(default)]
    pub test_code: Option<Result<TestCode, String>>,
    /// Measured by a golden version, if there is one.
    pub class: Option<Classified>,
    /// What the versions do on the example that C leaves undefined and the VM does not. No example without was found.
    pub undefined: Vec<UndefinedStep>,
    /// Each two versions that it tells apart.
    pub steps: Vec<StepDifference>,
    /// Changes on the way of some of its partitions, but not of the example.
    pub further_changes: Vec<ReportedChange>,
    /// How many partitions show it.
    pub partitions: u64,
}

/// Something that differs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Observed {
    pub observable: Observable,
    /// What it is to the call of a function.
    pub of_call: Option<CallObservable>,
}

/// What a version did in the VM.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionOutcome {
    pub end: ExpectedEnd,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    #[serde(default)]
    pub outside: Outside,
    /// What is seen of the call of a function, if there is one that came back.
    pub call: Option<CallOutcome>,
}

/// What two versions do differently on the example.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepDifference {
    /// The number of the step.
    pub step: usize,
    /// All that differs between them, also besides what the kind of difference is told by.
    pub observed: Vec<Observed>,
    /// Where each begins to differ.
    pub locations: Vec<String>,
    /// Of files that have another mode or owner in one version: what each has.
    pub attributes: BTreeMap<String, [String; 2]>,
    /// The changed lines that are responsible.
    pub changes: Vec<ReportedChange>,
    /// Why native runs did not show it, if so.
    pub unconfirmed: Option<String>,
    /// Where the tests are.
    pub folder: PathBuf,
    /// The script that shows it, if native runs do.
    pub script: Option<PathBuf>,
    /// If somebody wants it so. A comparison knows nothing of this; whoever shows the report says it.
    #[serde(default)]
    pub accepted: Option<Acceptance>,
}

impl Difference {
    pub(super) fn of(harness: &dyn Harness, kind: &Kind, example: &Example) -> Difference {
        let observed = |observables: &[Observable]| -> Vec<Observed> {
            let observables = observables.iter();
            let observables = observables.map(|observable| Observed {
                observable: observable.clone(),
                of_call: harness.observed(observable),
            });
            observables.collect()
        };
        let step = |own: &StepExample| StepDifference {
            step: own.step,
            observed: observed(&own.observables),
            locations: kind.locations_of(&own.observables),
            attributes: own.attributes.clone(),
            changes: reported(&own.changes),
            unconfirmed: own.unconfirmed.clone(),
            folder: own.folder.clone(),
            script: own.script(),
            accepted: None,
        };
        let outcome = |expected: &Expected| VersionOutcome {
            end: expected.end.clone(),
            stdout: expected.stdout.clone(),
            stderr: expected.stderr.clone(),
            files: expected.files.clone(),
            outside: expected.outside.clone(),
            call: harness.outcome(&expected.files),
        };
        let test_code = match &example.outcomes[..] {
            [old, new] => harness.test_code(&example.input, [&old.files, &new.files]),
            _ => None,
        };
        let told = example.steps.iter().flat_map(|step| &step.changes);
        Difference {
            observed: observed(&kind.symptom.observables),
            groups: kind.symptom.groups.clone(),
            given: Given::of(harness, &example.input),
            found_with: Given::of(harness, &example.found_with),
            condition: example.condition.clone(),
            is_minimal: example.is_minimal,
            outcomes: example.outcomes.iter().map(outcome).collect(),
            test_code,
            class: example.class,
            undefined: example.undefined.clone(),
            steps: example.steps.iter().map(step).collect(),
            further_changes: reported(kind.further(told)),
            partitions: kind.partitions,
        }
    }

    /// Whether native runs show it, for each two versions that differ.
    pub fn is_confirmed(&self) -> bool {
        !self.steps.is_empty() && self.confirmed() == self.steps.len()
    }

    /// How many steps native runs tell apart.
    pub fn confirmed(&self) -> usize {
        let confirmed = |step: &&StepDifference| step.unconfirmed.is_none();
        self.steps.iter().filter(confirmed).count()
    }

    /// What it is about two versions, by the number of their step.
    pub fn of_step(&self, step: usize) -> Option<&StepDifference> {
        self.steps.iter().find(|own| own.step == step)
    }
}
