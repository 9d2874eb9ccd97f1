//! What is known of two versions without a run, each part found when it is asked for first and then shared.
//!
//! Most pairs are told apart by their first inputs, and finding all of this costs as much as many runs: a search asks for
//! nothing until it needs it. The parts, the cheapest first: the changes with the ways that cannot lead to them (to
//! prune by), all facts of both programs, and the distances to changes (to aim by).
//!
//! All of it speaks of the modules that the VM runs, libraries included.

use crate::change_distances::ChangeDistances;
use crate::changes::ChangeFacts;
use crate::diffs::Diffs;
use crate::infection;
use crate::subject::Version;
use program_graphs::{FactsConfig, ProgramFacts};
use std::sync::{Arc, OnceLock};
use version_diff::ChangeSet;

/// What finding the facts of an instruction costs, in instructions of a run.
const WORK: u64 = 500;

pub struct StaticFacts<'p> {
    /// The old version and the new one.
    pub versions: [Version<'p>; 2],
    programs: [OnceLock<ProgramFacts<'p>>; 2],
    diffs: Diffs,
    changes: OnceLock<ChangeFacts>,
    distances: OnceLock<ChangeDistances>,
    same_shape: OnceLock<bool>,
}

impl<'p> StaticFacts<'p> {
    /// Finds nothing yet.
    pub fn new(old: Version<'p>, new: Version<'p>) -> StaticFacts<'p> {
        StaticFacts::with_diffs(old, new, Diffs::default())
    }

    /// `diffs` are of these versions.
    pub fn with_diffs(old: Version<'p>, new: Version<'p>, diffs: Diffs) -> StaticFacts<'p> {
        StaticFacts {
            versions: [old, new],
            programs: Default::default(),
            diffs,
            changes: OnceLock::new(),
            distances: OnceLock::new(),
            same_shape: OnceLock::new(),
        }
    }

    pub fn program(&self, version: usize) -> &ProgramFacts<'p> {
        let of = self.versions[version];
        self.programs[version].get_or_init(|| {
            let config = FactsConfig {
                roots: of.roots(),
                ..FactsConfig::default()
            };
            ProgramFacts::of(of.program.module(), &config)
        })
    }

    /// About how much work it is to find all of this, in instructions of a run: a search that does as much without it loses at
    /// most half of its time.
    pub fn work(&self) -> u64 {
        let functions = |version: &Version<'p>| {
            let functions = version.program.module().functions.values();
            functions
                .map(|function| function.insts.len() as u64)
                .sum::<u64>()
        };
        WORK * self.versions.iter().map(functions).sum::<u64>()
    }

    pub fn changes(&self) -> &ChangeFacts {
        let [old, new] = &self.versions;
        self.changes
            .get_or_init(|| ChangeFacts::of(old, new, &self.diffs))
    }

    /// What changed from the old version to the new one.
    pub fn forward(&self) -> Arc<ChangeSet> {
        let [old, new] = &self.versions;
        self.diffs.forward(old, new)
    }

    /// What changed from the new version to the old one.
    pub fn backward(&self) -> Arc<ChangeSet> {
        let [old, new] = &self.versions;
        self.diffs.backward(old, new)
    }

    /// Whether these facts are about these programs.
    fn are_of(&self, versions: &[Version<'_>; 2]) -> bool {
        let mut both = self.versions.iter().zip(versions);
        both.all(|(own, other)| std::ptr::eq(own.program, other.program))
    }

    /// Versions compared: these if the facts are about them.
    pub(crate) fn diffs_of(&self, versions: &[Version<'_>; 2]) -> Diffs {
        match self.are_of(versions) {
            true => self.diffs.clone(),
            false => Diffs::default(),
        }
    }

    /// Whether the versions have the same instructions at the same places, except for changes; see `infection`.
    pub fn same_shape(&self) -> bool {
        let [old, new] = self.versions.map(|version| version.program);
        *self
            .same_shape
            .get_or_init(|| infection::same_shape(old, new, self.changes()))
    }

    pub fn distances(&self) -> &ChangeDistances {
        self.distances
            .get_or_init(|| ChangeDistances::of(self.changes(), |version| self.program(version)))
    }
}
