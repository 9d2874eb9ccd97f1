//! Last stage: the report, as data. Text, JSON and whatever else is written are made from it alone (crate `report`).

mod assumptions;
mod consistent;
mod exercise_report;
mod search_report;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use exploration::Strategy;
use harness::TestSources;
use harness::whole_program::is_rust;
use serde::{Deserialize, Serialize};

pub use assumptions::Assumption;
pub use exercise_report::{ExerciseReport, Widest};
pub use search_report::{
    Costs, GapReport, Made, Note, PropagationReport, PrunedPlace, PrunedReport, Pruning,
    SearchReport, SettledReport, ShareMethod, ShareReport, Stopped,
};

use crate::confirm::{Confirmed, Difference, Refuted, SelfCheck};
use crate::inspect::{Dependence, Inspected, Undefined};
use crate::prepare::Prepared;
use crate::search::Searched;
use crate::search::growth::Growth;
use crate::search::partitions::PartitionList;
use crate::spec::{Listing, Mode, Spec};
use crate::verdict::{
    Evidence, Exercise, Finding, Partitions, Verdict, finding, otherwise, overall,
};
use crate::versions::as_built::AsBuilt;
use crate::versions::exercise::Exercised;
use crate::versions::groups::Effect;
use crate::versions::run::{VersionStep, Versions};
use assumptions::{Basis, assumptions};

/// All that is said of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    pub verdict: Verdict,
    pub asked: Asked,
    pub versions: Vec<VersionReport>,
    /// The function that was compared, if it was not the program.
    pub function: Option<FunctionReport>,
    /// Each version with the one before; of three or more, also the last with the first.
    pub steps: Vec<StepReport>,
    /// Changed functions that were proved to do the same by themselves. If there are some, nothing was explored.
    pub same_functions: Vec<String>,
    /// `None` if nothing was explored.
    pub search: Option<SearchReport>,
    pub differences: Vec<Difference>,
    pub first_difference: Option<FirstDifference>,
    pub partitions: PartitionList,
    pub reservations: Reservations,
    pub assumptions: Vec<Assumption>,
    pub proofs: Proofs,
    pub bounds: Bounds,
    pub wall: Duration,
}

/// What the comparison was asked to do, as far as a reader needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub mode: Mode,
    /// To stop at the first difference.
    pub first: bool,
    /// Random inputs were tried: they have no paths, and no journal.
    pub random: bool,
    /// Native runs had all rights of the user, by the user's word.
    #[serde(default)]
    pub unconfined: bool,
    pub listing: Listing,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VersionReport {
    /// `old` and `new`; of three or more, `V0`, `V1` and so on.
    pub name: String,
    pub files: Vec<PathBuf>,
    /// What to call it, if not by its files: a git revision.
    pub label: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FunctionReport {
    pub name: String,
    /// Which parameters are compared with which, where that may surprise.
    pub matched: Option<String>,
    /// Whether some arguments are not meant.
    pub leaves_out_inputs: bool,
    /// Functions of a sequence's type that no input calls, each with the reason.
    #[serde(default)]
    pub not_called: Vec<String>,
    /// What a test in C of each version is built with.
    #[serde(default)]
    pub test_sources: Vec<TestSources>,
}

/// What is known of two versions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct StepReport {
    /// Their numbers.
    pub from: usize,
    pub to: usize,
    pub finding: Finding,
    /// What would be known if they were meant to differ as they do: the answer about all other inputs.
    pub otherwise: Finding,
    /// Which changed lines were executed; `None` if nothing was explored, or the lines are not known.
    pub exercise: Option<ExerciseReport>,
    /// The kinds of difference between them, by number from 1.
    pub differences: Vec<usize>,
    /// Those in which the later version behaves as an earlier one again.
    pub undoes: Vec<usize>,
    /// Those in which it behaves as no version before.
    pub introduces: Vec<usize>,
}

/// When the first difference was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FirstDifference {
    pub runs: u64,
    pub wall: Duration,
}

/// What stands against a verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reservations {
    /// Parts of the versions that are not compared.
    pub left_out: Vec<String>,
    /// What decides the versions' behaviour besides their input.
    pub dependences: Vec<Dependence>,
    /// What they do that C leaves undefined.
    pub undefined: Undefined,
}

/// What native runs say of proofs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Proofs {
    /// If they were tried out.
    pub self_check: Option<SelfCheck>,
    /// A test that shows that pruning is wrong.
    pub wrong_pruning: Option<Refuted>,
}

impl Proofs {
    /// The proof that does not hold, if there is one.
    pub fn refuted(&self) -> Option<&Refuted> {
        let self_check = self.self_check.as_ref();
        let refuted = self_check.and_then(|found| found.refuted.as_ref());
        refuted.or(self.wrong_pruning.as_ref())
    }
}

/// What the verdict is about.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// What varies, in words.
    pub input: Vec<String>,
    /// The same as flags have it; `None` if it is not as simple as these.
    pub widest: Option<Widest>,
    /// How far they have grown, where nobody gave any.
    pub grown: Option<Growth>,
    pub empty_environment: bool,
    /// Of a run.
    pub instructions: u64,
    /// In bytes.
    pub stack: u64,
    pub decisions: u32,
    /// The guest's.
    pub working_folder: String,
}

impl Report {
    /// Each version with the one before it.
    pub fn single_steps(&self) -> &[StepReport] {
        &self.steps[..self.versions.len() - 1]
    }

    /// Nothing was to be proved.
    pub fn finds_only(&self) -> bool {
        self.asked.mode == Mode::FindOnly
    }
}

/// What the stages have come to.
pub(crate) struct Stages<'s> {
    pub(crate) prepared: &'s Prepared,
    pub(crate) versions: &'s Versions<'s>,
    pub(crate) searched: Searched,
    pub(crate) inspected: Inspected,
    pub(crate) confirmed: Confirmed,
}

/// The report of what the stages have come to. `start` is when the comparison began.
pub(crate) fn report(stages: Stages<'_>, spec: &Spec, start: Instant) -> Report {
    let steps = stages.steps(spec);
    let Stages {
        prepared,
        searched,
        inspected,
        confirmed,
        ..
    } = stages;
    let harness = &*prepared.harness;
    let same_functions = prepared.same_functions.clone().unwrap_or_default();
    let search = searched.summary.as_ref().map(SearchReport::of);
    let used = |of: &dyn Fn(&SearchReport) -> bool| search.as_ref().is_some_and(of);
    let basis = Basis {
        explored: search.is_some(),
        same_functions: !same_functions.is_empty(),
        by_calls: searched.found.listed.counts.equal_called > 0,
        pruned: used(&|search| search.pruned.ways() > 0),
        sliced: used(&|search| search.costs.sliced > 0),
        in_rust: spec.versions.iter().any(|files| is_rust(files)),
        without_lines: prepared.as_built.iter().any(AsBuilt::has_lines),
    };
    let left_out = prepared.left_out.iter().chain(harness.left_out());
    let left_out = left_out.chain(&searched.found.left_out);
    let versions = prepared.names.iter().zip(&spec.versions);
    let labels = spec.named.iter().flat_map(|named| &named.labels);
    let labels = labels.cloned().map(Some).chain(std::iter::repeat(None));
    let first = searched.found.first;
    Report {
        verdict: overall(
            steps
                .iter()
                .take(spec.versions.len() - 1)
                .map(|step| step.finding),
        ),
        asked: Asked {
            mode: spec.search.mode,
            first: spec.search.first,
            random: spec.search.strategy == Strategy::Random,
            unconfined: !spec.confirm.confined,
            listing: spec.listing,
        },
        versions: versions
            .zip(labels)
            .map(|((&name, files), label)| VersionReport {
                name: name.to_owned(),
                files: files.clone(),
                label,
            })
            .collect(),
        function: harness.function().map(|name| FunctionReport {
            name: name.to_owned(),
            matched: harness.matched().map(str::to_owned),
            leaves_out_inputs: harness.leaves_out_inputs(),
            not_called: harness.not_called().to_vec(),
            test_sources: harness.test_sources().to_vec(),
        }),
        steps,
        same_functions,
        assumptions: assumptions(&basis),
        search,
        differences: confirmed.differences,
        first_difference: first.map(|(runs, wall)| FirstDifference { runs, wall }),
        partitions: searched.found.listed,
        reservations: Reservations {
            left_out: left_out.cloned().collect(),
            dependences: inspected.dependences,
            undefined: inspected.undefined,
        },
        proofs: Proofs {
            self_check: confirmed.self_check,
            wrong_pruning: confirmed.wrong_pruning,
        },
        bounds: Bounds {
            input: harness.bounds(&searched.space),
            widest: match harness.function() {
                Some(_) => None,
                None => Widest::of(&searched.space),
            },
            grown: searched.growth,
            empty_environment: searched.space.environment.is_empty(),
            instructions: spec.limits.steps,
            stack: spec.limits.stack,
            decisions: spec.limits.decisions,
            working_folder: String::from_utf8_lossy(&prepared.kernel.working_directory)
                .into_owned(),
        },
        wall: start.elapsed(),
    }
}

impl Stages<'_> {
    fn steps(&self, spec: &Spec) -> Vec<StepReport> {
        let steps = self.versions.steps.iter().enumerate();
        let steps = steps.map(|(number, step)| self.step(number, step, spec));
        steps.collect()
    }

    fn step(&self, number: usize, step: &VersionStep<'_>, spec: &Spec) -> StepReport {
        let exercised = self.exercised(step);
        let beyond = self.exercised_beyond(step);
        let mut evidence = self.evidence(number, step, spec);
        evidence.exercise = match &exercised {
            Some(exercised) => exercised.as_evidence(beyond.as_ref()),
            None => self.exercise_of_all(step),
        };
        let mut report = StepReport {
            from: step.from,
            to: step.to,
            finding: finding(&evidence),
            otherwise: otherwise(&evidence),
            exercise: exercised
                .as_ref()
                .map(|own| ExerciseReport::of(own, beyond.as_ref())),
            differences: Vec::new(),
            undoes: Vec::new(),
            introduces: Vec::new(),
        };
        for (difference, number) in self.confirmed.differences.iter().zip(1..) {
            let groups = &difference.groups;
            if !groups.differ(step.from, step.to) {
                continue;
            }
            report.differences.push(number);
            let effects = groups.effects();
            match effects.iter().find(|(version, _)| *version == step.to) {
                Some((_, Effect::Undoes { .. })) => report.undoes.push(number),
                Some((_, Effect::Introduces)) => report.introduces.push(number),
                Some((_, Effect::Changes)) | None => {}
            }
        }
        report
    }

    /// What the search has executed of the changes of a step.
    fn exercised(&self, step: &VersionStep<'_>) -> Option<Exercised> {
        let summary = self.searched.summary.as_ref()?;
        // Random inputs are runs as any others.
        if summary.paths + summary.runs == 0 {
            return None;
        }
        let (versions, runs) = (self.versions, &self.searched.found.executed);
        match self.prepared.harness.function() {
            Some(_) => Exercised::of_function(step, versions, runs, &*self.prepared.harness),
            None => Exercised::of(step, versions, runs),
        }
    }

    /// The same of runs beyond the bounds.
    fn exercised_beyond(&self, step: &VersionStep<'_>) -> Option<Exercised> {
        Exercised::of(step, self.versions, &self.searched.executed_beyond)
    }

    /// Of the first and the last of several versions: what is missing of any step is missing of the whole.
    fn exercise_of_all(&self, step: &VersionStep<'_>) -> Exercise {
        let single = self.versions.single_steps().iter();
        let mut within = single.filter(|own| own.from >= step.from && own.to <= step.to);
        let is_missing = |own: &VersionStep<'_>| {
            let exercised = self.exercised(own);
            let vacuous = [Exercise::Never, Exercise::Undefined];
            !own.same_code && exercised.is_some_and(|of| vacuous.contains(&of.as_evidence(None)))
        };
        match within.any(is_missing) {
            true => Exercise::Never,
            false => Exercise::NotKnown,
        }
    }

    /// What a verdict on two versions rests on.
    fn evidence(&self, number: usize, step: &VersionStep<'_>, spec: &Spec) -> Evidence {
        let is_of = |version: usize| version == step.from || version == step.to;
        let Inspected {
            undefined,
            dependences,
            is_whole,
        } = &self.inspected;
        let prepared = self.prepared;
        let summary = self.searched.summary.as_ref();
        let is_confirmed = |difference: &Difference| {
            let own = difference.of_step(number);
            own.is_some_and(|own| own.unconfirmed.is_none())
        };
        let proofs = &self.confirmed;
        let refuted = |check: &SelfCheck| check.refuted.is_some();
        let is_undefined = summary.is_some_and(|summary| summary.are_undefined(step.from, step.to));
        Evidence {
            same_code: step.same_code,
            same_functions: prepared.same_functions.is_some(),
            partitions: match summary
                .map(|summary| summary.verdict_where_defined(step.from, step.to))
            {
                Some(exploration::Verdict::Equivalent) => Partitions::AllEqual,
                Some(exploration::Verdict::Different) => Partitions::SomeDifferent,
                Some(exploration::Verdict::Undecided) if is_undefined => Partitions::AllUndefined,
                Some(exploration::Verdict::Undecided) | None => Partitions::SomeUnknown,
            },
            others: match summary.map(|summary| summary.verdict_of_others(step.from, step.to)) {
                Some(exploration::Verdict::Equivalent) => Partitions::AllEqual,
                _ => Partitions::SomeUnknown,
            },
            others_inspected: *is_whole,
            stopped_growing: self.searched.growth.is_some(),
            exhausted: summary.is_some_and(|summary| summary.exhausted()),
            finds_only: spec.search.mode == Mode::FindOnly,
            confirmed: self.confirmed.differences.iter().any(is_confirmed),
            refuted: proofs.wrong_pruning.is_some()
                || proofs.self_check.as_ref().is_some_and(refuted),
            code_left_out: !prepared.left_out.is_empty()
                || !prepared.harness.left_out().is_empty()
                || !self.searched.found.left_out.is_empty(),
            uninitialised_read: undefined.reads.iter().any(|read| is_of(read.version)),
            not_inspected: undefined.unfinished,
            not_deterministic: dependences.iter().any(|found| is_of(found.version)),
            exercise: Exercise::NotKnown,
        }
    }
}
