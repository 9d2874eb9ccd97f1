//! One example of each kind of difference: made small, and for each two versions that it tells apart, run natively and left behind
//! as tests with a script that shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use concolic_vm::symbolic::SymbolicInput;
use exploration::InputRecord;
use exploration::compare::Observable;
use harness::RawFile;
use native::confirmation::{Natively, observably_equal};
use native::test_case::{Expected, TestCase};

use super::budget::Budget;
use super::defined::{UndefinedStep, defined_like, undefined_steps};
use super::minimise::Minimised;
use super::reproduce;
use crate::error::{Error, Result, Trying};
use crate::observer::Observer;
use crate::search::kinds::{Kind, Witness};
use crate::versions::changed_line::ChangedLine;
use crate::versions::golden::Classified;
use crate::versions::groups::Groups;
use crate::versions::run::{Shown, Versions};

/// What the versions did on one input.
pub(super) struct Example {
    pub(super) shown: Shown,
    /// What each version does as it was built, source lines included.
    pub(super) outcomes: Vec<Expected>,
    pub(super) input: InputRecord,
    /// The input that it was made from, and the condition of the partition that one is in.
    pub(super) found_with: InputRecord,
    pub(super) condition: Vec<String>,
    /// Whether it is known that no part of it can be left out.
    pub(super) is_minimal: bool,
    /// Measured by a golden version, if there is one.
    pub(super) class: Option<Classified>,
    /// What the versions do on the way that C leaves undefined and the VM does not.
    pub(super) undefined: Vec<UndefinedStep>,
    /// For each step that makes a difference.
    pub(super) steps: Vec<StepExample>,
}

/// What two versions did on the input of an example.
pub(super) struct StepExample {
    /// The number of the step.
    pub(super) step: usize,
    /// All that differs between them.
    pub(super) observables: Vec<Observable>,
    /// Of files that have another mode or owner in one version: what each has.
    pub(super) attributes: BTreeMap<String, [String; 2]>,
    /// The changed lines that are responsible.
    pub(super) changes: Vec<ChangedLine>,
    /// Why native runs did not show it, if so.
    pub(super) unconfirmed: Option<String>,
    pub(super) folder: PathBuf,
}

impl StepExample {
    /// The script that shows it, if native runs do.
    pub(super) fn script(&self) -> Option<PathBuf> {
        let is_seen = self.unconfirmed.is_none();
        is_seen.then(|| self.folder.join(reproduce::SCRIPT))
    }
}

impl Example {
    /// Whether a reader sees no difference between this example and another.
    pub(super) fn reads_as(&self, other: &Example) -> bool {
        let class = |example: &Example| example.class.map(Result::ok);
        let mut steps = self.steps.iter().zip(&other.steps);
        (&self.input, &self.shown.groups) == (&other.input, &other.shown.groups)
            && self.steps.len() == other.steps.len()
            && steps.all(|(own, other)| {
                (own.step, &own.observables, &own.changes)
                    == (other.step, &other.observables, &other.changes)
            })
            && class(self) == class(other)
    }

    /// How many steps native runs tell apart.
    fn confirmed(&self) -> usize {
        let confirmed = |step: &&StepExample| step.unconfirmed.is_none();
        self.steps.iter().filter(confirmed).count()
    }
}

/// What examples are made with.
pub(super) struct Workshop<'w> {
    pub(super) versions: &'w Versions<'w>,
    /// By step.
    pub(super) natively: Vec<Natively<'w>>,
    /// An example must have one of these.
    pub(super) shapes: &'w [SymbolicInput],
    pub(super) observer: &'w dyn Observer,
    pub(super) budget: Budget,
    pub(super) folder: &'w Path,
    pub(super) raw_files: Vec<RawFile>,
}

impl Workshop<'_> {
    /// An example of a kind of difference: the first that native runs confirm most of.
    pub(super) fn example(&mut self, kind: &Kind) -> Result<Example> {
        let differing = self.differing(&kind.symptom.groups);
        let mut best: Option<Example> = None;
        'witnesses: for witness in &kind.witnesses {
            let shown = self.run(&witness.input)?;
            let small = self.smaller(&differing, witness, &shown);
            let is_smaller = small.input != witness.input;
            let inputs = [(small.input.clone(), small.is_minimal)]
                .into_iter()
                .chain(is_smaller.then(|| (witness.input.clone(), false)));
            for (input, is_minimal) in inputs {
                let example = self.judged(&differing, witness, input, is_minimal)?;
                let known = best.as_ref().map(Example::confirmed);
                let is_better = known.is_none_or(|known| known < example.confirmed());
                let is_whole = example.confirmed() == differing.len();
                if is_better {
                    best = Some(example);
                }
                if is_whole {
                    break 'witnesses;
                }
            }
        }
        let mut example = best.expect("a kind has a witness");
        for step in &mut example.steps {
            if step.observables.is_empty() {
                step.observables.clone_from(&kind.symptom.observables);
            }
        }
        if let (Some(golden), [step]) = (self.versions.golden, &example.steps[..]) {
            let [old, new] = &example.shown.outcomes[..] else {
                unreachable!("a golden version measures the change between two")
            };
            let natively = &self.natively[step.step];
            let is_confirmed = step.unconfirmed.is_none();
            let input = &example.input;
            let settings = self.versions.settings();
            let own = (
                &settings,
                [0, 1].map(|version| self.versions.lined(version)),
            );
            example.class =
                Some(golden.classify(natively, own, input, [old, new], is_confirmed)?);
        }
        Ok(example)
    }

    /// The steps that make a difference.
    fn differing(&self, groups: &Groups) -> Vec<usize> {
        let steps = self.versions.steps.iter().enumerate();
        let differing = steps.filter(|(_, step)| groups.differ(step.from, step.to));
        differing.map(|(step, _)| step).collect()
    }

    /// Whether native runs show on an input, as it is, that some of the versions differ that are told apart.
    pub(super) fn is_seen_natively(
        &mut self,
        groups: &Groups,
        input: &InputRecord,
    ) -> Result<bool> {
        let (shown, outcomes) = (self.run(input)?, self.as_built(input)?);
        for step in self.differing(groups) {
            if self.objection(input, &shown, &outcomes, step)?.is_none() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Leaves an example behind, under its number.
    pub(super) fn leave(&mut self, example: &mut Example, number: usize) -> Result<()> {
        let folder = self.folder.join(format!("{number:03}"));
        let versions = self.versions;
        for step in &mut example.steps {
            let of = &versions.steps[step.step];
            let pair = [of.from, of.to];
            step.folder = match versions.programs.len() {
                2 => folder.clone(),
                _ => folder.join(pair.map(|version| versions.names[version]).join("-")),
            };
            let place = &step.folder;
            let [old, new] =
                pair.map(|version| self.test(&example.input, Some(&example.outcomes[version])));
            std::fs::create_dir_all(place)
                .and_then(|()| old.write(&place.join("old")))
                .and_then(|()| new.write(&place.join("new")))
                .trying(|| format!("cannot write the tests `{}`", place.display()))?;
            if step.unconfirmed.is_none() {
                let natively = &mut self.natively[step.step];
                reproduce::write(natively, [&old, &new], place, &self.raw_files)?;
            }
        }
        Ok(())
    }

    fn run(&self, input: &InputRecord) -> Result<Shown> {
        let shown = self.versions.run(input);
        shown.ok_or(Error::CannotRepeat)
    }

    /// What the versions do on an input as they were built.
    fn as_built(&self, input: &InputRecord) -> Result<Vec<Expected>> {
        let versions = 0..self.versions.programs.len();
        let outcomes = versions.map(|version| {
            let lined = self.versions.lined(version);
            self.versions.settings().predicted(lined, input)
        });
        let outcomes: Option<Vec<Expected>> = outcomes.collect();
        outcomes.ok_or(Error::CannotRepeat)
    }

    /// A smaller input within the bounds that shows the same, on the way over no other changes.
    ///
    /// If it can be had, with defined behaviour alone.
    fn smaller(&mut self, differing: &[usize], witness: &Witness, shown: &Shown) -> Minimised {
        let versions = self.versions;
        let of = self.versions_of(differing);
        let is_defined = |input: &InputRecord| undefined_steps(versions, &of, input).is_empty();
        let shapes = self.shapes;
        let fits = |input: &InputRecord| {
            let mut shapes = shapes.iter();
            shapes.any(|shape| input.in_shape(shape).is_some())
        };
        let defined = match is_defined(&witness.input) {
            true => Some(witness.input.clone()),
            false => defined_like(versions, &of, &witness.input, fits, shown),
        };
        let show = |input: &InputRecord| {
            let other = versions.run(input)?;
            let is_same = other.shows_same(shown) && (defined.is_none() || is_defined(input));
            Some((other.instructions, is_same))
        };
        let interrupt = self.observer.interrupt();
        let start = defined.as_ref().unwrap_or(&witness.input);
        self.budget.smaller(start, shapes, interrupt, show)
    }

    /// The versions that steps are about.
    fn versions_of(&self, steps: &[usize]) -> Vec<usize> {
        let steps = steps.iter().map(|&step| &self.versions.steps[step]);
        let versions: BTreeSet<usize> = steps.flat_map(|step| [step.from, step.to]).collect();
        versions.into_iter().collect()
    }

    /// What an input shows natively in the steps that make a difference.
    fn judged(
        &mut self,
        differing: &[usize],
        witness: &Witness,
        input: InputRecord,
        is_minimal: bool,
    ) -> Result<Example> {
        let mut shown = self.run(&input)?;
        let outcomes = self.as_built(&input)?;
        let mut steps = Vec::new();
        for &step in differing {
            let unconfirmed = self.objection(&input, &shown, &outcomes, step)?;
            let own = &mut shown.steps[step];
            steps.push(StepExample {
                step,
                observables: std::mem::take(&mut own.observables),
                attributes: std::mem::take(&mut own.attributes),
                changes: std::mem::take(&mut own.changes),
                unconfirmed,
                folder: PathBuf::new(),
            });
        }
        let undefined = undefined_steps(self.versions, &self.versions_of(differing), &input);
        Ok(Example {
            shown,
            outcomes,
            input,
            found_with: witness.input.clone(),
            condition: witness.condition.clone(),
            is_minimal,
            class: None,
            undefined,
            steps,
        })
    }

    /// Why native runs do not show what a step changes on an input, if so.
    fn objection(
        &mut self,
        input: &InputRecord,
        shown: &Shown,
        as_built: &[Expected],
        step: usize,
    ) -> Result<Option<String>> {
        let observables = &shown.steps[step].symptom.observables;
        let of = &self.versions.steps[step];
        let [old, new] = [of.from, of.to].map(|version| &shown.outcomes[version]);
        Ok(if observables.is_empty() {
            Some("given exactly this input, the versions do the same in the VM, too".to_owned())
        } else if observably_equal(old, new) && shown.steps[step].attributes.is_empty() {
            Some(
                "what a test records (streams, exit status, contents of files in the working folder) is the same"
                    .to_owned(),
            )
        } else {
            let tests = [of.from, of.to].map(|version| self.test(input, Some(&as_built[version])));
            let [old, new] = tests;
            self.natively[step].objection(observables, &old, &new)?
        })
    }

    fn test(&self, input: &InputRecord, expected: Option<&Expected>) -> TestCase {
        let working_folder = &self.versions.kernel.working_directory;
        TestCase::new(input, working_folder, expected.cloned())
    }
}
