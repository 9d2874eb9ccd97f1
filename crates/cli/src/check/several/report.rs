//! What is reported of several versions, whatever the format.

use std::path::PathBuf;
use std::time::Duration;

use exploration::{InputSpace, Summary, Verdict};

use super::super::Arguments;
use super::super::determinism::Dependence;
use super::super::paranoid::{Refuted, SelfCheck};
use super::super::partitions::Listed;
use super::super::report::{ALWAYS_ASSUMED, PANICS_END, notes, with_surroundings};
use super::super::undefined::{Assumed, Undefined};
use super::super::version_files::is_rust;
use super::examples::Example;
use super::groups::Effect;
use super::line::{Between, Line};
use super::search::Kind;

pub(super) struct Report<'r> {
    pub(super) arguments: &'r Arguments,
    /// By version.
    pub(super) files: &'r [Vec<PathBuf>],
    pub(super) line: &'r Line<'r>,
    pub(super) space: &'r InputSpace,
    /// The guest's.
    pub(super) working_folder: &'r str,
    /// `None` if all versions are the same code.
    pub(super) summary: Option<&'r Summary>,
    pub(super) examples: Vec<(&'r Kind, Example)>,
    pub(super) partitions: &'r Listed,
    pub(super) first: Option<(u64, Duration)>,
    /// Parts of the versions that the VM does not have.
    pub(super) left_out: Vec<String>,
    /// What decides the versions' behaviour besides their input.
    pub(super) dependences: Vec<Dependence>,
    /// What they do that C leaves undefined.
    pub(super) undefined: Undefined,
    /// With `--paranoid`: what native runs say of the proofs.
    pub(super) self_check: Option<SelfCheck>,
    pub(super) wall: Duration,
}

/// What is known of two versions that are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Finding {
    SameCode,
    Equivalent,
    Different,
    /// With the reason.
    Undecided(&'static str),
}

impl Finding {
    pub(super) fn verdict(self) -> Verdict {
        match self {
            Finding::SameCode | Finding::Equivalent => Verdict::Equivalent,
            Finding::Different => Verdict::Different,
            Finding::Undecided(_) => Verdict::Undecided,
        }
    }
}

/// Kinds of difference between two versions, by their number from 1.
#[derive(Default)]
pub(super) struct Kinds {
    pub(super) all: Vec<usize>,
    /// The later version behaves as an earlier one again.
    pub(super) undoes: Vec<usize>,
    /// It behaves as no version before.
    pub(super) introduces: Vec<usize>,
}

impl Report<'_> {
    /// Whether a version differs from the one before.
    pub(super) fn verdict(&self) -> Verdict {
        let steps = self.line.steps().iter().enumerate();
        let steps = steps.map(|(number, step)| self.finding(number, step).verdict());
        let steps: Vec<Verdict> = steps.collect();
        if steps.contains(&Verdict::Different) {
            return Verdict::Different;
        }
        match steps.iter().all(|&step| step == Verdict::Equivalent) {
            true => Verdict::Equivalent,
            false => Verdict::Undecided,
        }
    }

    /// What is known of two versions; `number` is theirs among those that are compared. A difference counts when native
    /// runs have shown it; one that only the VM shows leaves the answer open.
    pub(super) fn finding(&self, number: usize, pair: &Between<'_>) -> Finding {
        if pair.same_code {
            return Finding::SameCode;
        }
        let Some(summary) = self.summary else {
            return Finding::SameCode;
        };
        let is_of = |version: &str| pair.versions.names.contains(&version);
        match summary.verdict_between(pair.one, pair.other) {
            Verdict::Different if self.is_confirmed(number) => Finding::Different,
            Verdict::Different => {
                Finding::Undecided("a difference was found, and native runs do not confirm it")
            }
            Verdict::Undecided if !summary.exhausted() => {
                Finding::Undecided("no difference was found, and not everything was explored")
            }
            Verdict::Undecided => {
                Finding::Undecided("no difference was found, and not everything is proved equal")
            }
            Verdict::Equivalent if self.refuted().is_some() => {
                Finding::Undecided("a proof was refuted by native runs, see below")
            }
            Verdict::Equivalent if !self.left_out.is_empty() => {
                Finding::Undecided("no difference was found, but not all code was compared")
            }
            Verdict::Equivalent if self.dependences.iter().any(|found| is_of(found.version)) => {
                Finding::Undecided(
                    "no difference was found, but what they do depends on more than their input",
                )
            }
            Verdict::Equivalent
                if self
                    .undefined
                    .reads
                    .iter()
                    .any(|found| is_of(found.version)) =>
            {
                Finding::Undecided(
                    "no difference was found, but what they do depends on memory that was never written",
                )
            }
            Verdict::Equivalent if self.undefined.unfinished => Finding::Undecided(
                "no difference was found, but not every run was looked at for memory that is read and was never written",
            ),
            Verdict::Equivalent => Finding::Equivalent,
        }
    }

    fn is_confirmed(&self, number: usize) -> bool {
        let mut examples = self.examples.iter();
        examples.any(|(_, example)| {
            let own = example.of_pair(number);
            own.is_some_and(|own| own.unconfirmed.is_none())
        })
    }

    /// The kinds of difference between two versions that are compared.
    pub(super) fn kinds(&self, pair: &Between<'_>) -> Kinds {
        let mut kinds = Kinds::default();
        for ((kind, _), number) in self.examples.iter().zip(1..) {
            let groups = &kind.symptom.groups;
            if !groups.differ(pair.one, pair.other) {
                continue;
            }
            kinds.all.push(number);
            let effects = groups.effects();
            let own = effects.iter().find(|(version, _)| *version == pair.other);
            match own {
                Some((_, Effect::Undoes { .. })) => kinds.undoes.push(number),
                Some((_, Effect::Introduces)) => kinds.introduces.push(number),
                _ => {}
            }
        }
        kinds
    }

    /// The proof that does not hold, if there is one.
    pub(super) fn refuted(&self) -> Option<&Refuted> {
        self.self_check.as_ref()?.refuted.as_ref()
    }

    pub(super) fn bounds(&self) -> Vec<String> {
        with_surroundings(self.space.bounds(), self.space, self.arguments)
    }

    /// Values that were taken as they are, and files that were not there.
    pub(super) fn notes(&self) -> Vec<String> {
        self.summary.map_or_else(Vec::new, notes)
    }

    /// What the verdicts rest on besides the bounds.
    pub(super) fn assumptions(&self) -> Vec<String> {
        let mut assumptions = self.notes();
        assumptions.extend(self.undefined.assumed.iter().map(Assumed::in_words));
        if self.summary.is_some() {
            assumptions.extend(ALWAYS_ASSUMED.map(str::to_owned));
            let in_rust = self.files.iter().any(|files| is_rust(files));
            assumptions.extend(in_rust.then(|| PANICS_END.to_owned()));
        }
        assumptions
    }
}
