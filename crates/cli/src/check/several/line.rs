//! All versions on one input, in the VM.

use exploration::InputRecord;
use exploration::relations::{Relation, Relations};
use exploration::worker::VersionRun;
use expr::Store;

use super::super::paired::{Pair, Versions};
use super::groups::Groups;
use native::prediction::expected;
use native::test_case::Expected;

/// Which versions a report compares: each with the one before, in order, and the last with the first.
pub(super) fn reported(versions: usize) -> Vec<(usize, usize)> {
    let steps = (1..versions).map(|version| (version - 1, version));
    steps.chain([(0, versions - 1)]).collect()
}

/// Two versions that a report compares.
pub(super) struct Between<'v> {
    pub(super) one: usize,
    pub(super) other: usize,
    pub(super) versions: Versions<'v>,
    pub(super) same_code: bool,
}

/// The versions in order.
pub(super) struct Line<'v> {
    pub(super) all: Versions<'v>,
    /// In the order of [`reported`].
    pub(super) pairs: Vec<Between<'v>>,
}

/// What the versions did on an input.
pub(super) struct Shown {
    pub(super) groups: Groups,
    /// By version.
    pub(super) outcomes: Vec<Expected>,
    /// In the order of [`reported`].
    pub(super) pairs: Vec<Pair>,
    pub(super) instructions: u64,
}

impl<'v> Line<'v> {
    /// Each version with the one before it.
    pub(super) fn steps(&self) -> &[Between<'v>] {
        &self.pairs[..self.pairs.len() - 1]
    }

    /// Runs all; `None` if a process cannot be started.
    pub(super) fn run(&self, input: &InputRecord) -> Option<Shown> {
        let all = &self.all;
        let mut store = Store::new();
        let numbers = 0..all.programs.len();
        let runs = numbers.map(|version| all.run_version(version, &mut store, input));
        let runs: Vec<VersionRun<'_>> = runs.collect::<Option<_>>()?;
        let outcome = |run: &VersionRun<'_>| expected(&run.process, &run.run, &all.kernel);
        let outcomes: Vec<Expected> = runs.iter().map(outcome).collect();
        let relations = Relations::new(runs.len(), |one, other| {
            let expected = [&outcomes[one], &outcomes[other]];
            match all.differing(&mut store, [&runs[one], &runs[other]], expected) {
                Ok(observables) if observables.is_empty() => Relation::Same,
                Ok(_) => Relation::Different,
                Err(why) => Relation::NotKnown(why),
            }
        });
        let pair = |between: &Between<'_>| {
            let (one, other) = (&runs[between.one], &runs[between.other]);
            between.versions.pair(&mut store, input, one, other)
        };
        let pairs = self.pairs.iter().map(pair).collect();
        let instructions = runs.iter().map(|run| run.run.outcome.instructions);
        Some(Shown {
            groups: Groups::of(&relations),
            pairs,
            instructions: instructions.sum(),
            outcomes,
        })
    }
}
