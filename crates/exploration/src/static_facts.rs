//! What is known of two versions without a run, each part found when it is asked for first and then shared.
//!
//! Most pairs are told apart by their first inputs, and finding all of this costs as much as many runs: a search asks for
//! nothing until it needs it. The parts, the cheapest first: what can be called, the changes with the ways that cannot
//! lead to them (to prune by), all facts of both programs, and the distances to changes (to aim by).
//!
//! All of it speaks of the modules that the VM runs, libraries included.

use crate::change_distances::ChangeDistances;
use crate::changes::ChangeFacts;
use crate::subject::Version;
use program_graphs::{CallFacts, FactsConfig, ProgramFacts};
use std::sync::OnceLock;

pub struct StaticFacts<'p> {
    /// The old version and the new one.
    pub versions: [Version<'p>; 2],
    calls: [OnceLock<CallFacts>; 2],
    programs: [OnceLock<ProgramFacts<'p>>; 2],
    changes: OnceLock<ChangeFacts>,
    distances: OnceLock<ChangeDistances>,
}

impl<'p> StaticFacts<'p> {
    /// Finds nothing yet.
    pub fn new(old: Version<'p>, new: Version<'p>) -> StaticFacts<'p> {
        StaticFacts {
            versions: [old, new],
            calls: Default::default(),
            programs: Default::default(),
            changes: OnceLock::new(),
            distances: OnceLock::new(),
        }
    }

    fn config(&self, version: usize) -> FactsConfig {
        FactsConfig {
            roots: self.versions[version].roots(),
            ..FactsConfig::default()
        }
    }

    pub fn calls(&self, version: usize) -> &CallFacts {
        let module = self.versions[version].program.module();
        self.calls[version].get_or_init(|| CallFacts::of(module, &self.config(version)))
    }

    pub fn program(&self, version: usize) -> &ProgramFacts<'p> {
        let module = self.versions[version].program.module();
        self.programs[version].get_or_init(|| {
            let calls = self.calls(version).clone();
            ProgramFacts::with_calls(module, calls, self.config(version).world)
        })
    }

    pub fn changes(&self) -> &ChangeFacts {
        let [old, new] = &self.versions;
        self.changes.get_or_init(|| {
            let calls = [0, 1].map(|version| &self.calls(version).calls);
            ChangeFacts::of(old, new, calls)
        })
    }

    pub fn distances(&self) -> &ChangeDistances {
        self.distances.get_or_init(|| {
            let programs = [0, 1].map(|version| self.program(version));
            ChangeDistances::of(self.changes(), programs)
        })
    }
}
