//! eXpress's path pruning (§4.5) as a filter around any strategy: what a search asks of the change ([`search::pruning`]), answered from
//! the static facts of the version pair.
//!
//! The paper explores the new version and prunes its branches. Here a path is one of the old version followed by
//! one of the new (`executor::worker`), and what both decide alike is an event of the old one; so it is mostly the old
//! version's ways that are pruned, by that version's own facts (`changes`).
//!
//! Where the run has executed changes, and both versions are in the same state behind them for all inputs that come
//! there, ways are pruned from there on; see `infection`.

use crate::changes::Relevance;
use crate::infection;
use crate::static_facts::StaticFacts;
use crate::version_run::VersionRun;
use concolic_vm::Program;
use concolic_vm::symbolic::{EventKind, PathEvent};
use search::Target;
use search::pruning::{Category, Change, Executed, ExecutedBefore, ExecutedVersion};

/// The change that a search looks at.
pub struct Aim<'a> {
    pub facts: &'a StaticFacts<'a>,
    pub prune: bool,
}

impl Aim<'_> {
    fn number(&self, version: u8, change: usize) -> usize {
        match version {
            0 => change,
            _ => self.facts.changes().changes(0).len() + change,
        }
    }

    pub fn program(&self, version: u8) -> &Program {
        self.facts.versions[usize::from(version)].program
    }

    /// The event of the old version from which on its run executes no change any more, by the static facts, if it
    /// executed one before, and comparing the states there can pay. The first `known` events of the path belong to other runs.
    pub fn settled_from(
        &self,
        path: &[PathEvent],
        known: usize,
        executed: Executed<'_>,
    ) -> Option<usize> {
        let first = self.first_behind(executed)[0]? as usize;
        if !self.prune || !self.facts.same_shape() {
            return None;
        }
        let own = executed.versions[0].own_events as usize;
        let facts = self.facts.changes();
        let program = self.program(0);
        let irrelevant = |event: &PathEvent| {
            let target = Target {
                version: 0,
                site: event.site,
                kind: event.kind,
                way: Some(event.way),
            };
            let is_branch = matches!(event.kind, EventKind::Branch | EventKind::Switch);
            is_branch && facts.relevance(program, &target) != Relevance::MayReach
        };
        let events = path[..own].get(first..)?;
        let from = first + events.iter().position(irrelevant)? + 1;
        let ways = path[..own].get(from.max(known + 1)..)?;
        let ways: usize = ways.iter().map(|event| event.alternatives.len()).sum();
        (ways >= infection::FEWEST_WAYS).then_some(from)
    }
}

/// `None` unless the run is one of two versions.
pub fn executed<'r>(runs: &'r [VersionRun<'_>]) -> Option<Executed<'r>> {
    let [old, new] = runs else {
        return None;
    };
    let version = |version: &'r VersionRun<'_>| ExecutedVersion {
        entered: &version.run.entered,
        coverage: &version.run.coverage,
        own_events: version.own_events as u32,
    };
    Some(Executed {
        versions: [version(old), version(new)],
    })
}

impl Change for Aim<'_> {
    /// How many changes there are, those of both versions counted through.
    fn changes(&self) -> usize {
        let facts = self.facts.changes();
        facts.changes(0).len() + facts.changes(1).len()
    }

    fn prunes(&self) -> bool {
        self.prune
    }

    /// The changes that a run executed.
    fn reached(&self, run: Executed<'_>) -> Vec<usize> {
        let facts = self.facts.changes();
        let mut reached = Vec::new();
        for (version, run) in (0..).zip(&run.versions) {
            let watch = facts.watch(version);
            let blocks = run
                .entered
                .iter()
                .filter_map(|entered| watch.block(entered));
            for (func, block) in blocks {
                let changes = facts.changes_in(version, func, block);
                reached.extend(changes.iter().map(|&change| self.number(version, change)));
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    /// By version: the first event of the path that the version came to after it had executed a change.
    fn first_behind(&self, run: Executed<'_>) -> [Option<u32>; 2] {
        let facts = self.facts.changes();
        let mut earlier = 0;
        let first = |version: u8| {
            let own = &run.versions[usize::from(version)];
            let watch = facts.watch(version);
            let mut entered = own.entered.iter();
            let first = entered.find(|entered| watch.contains(entered));
            let first = first.map(|entered| entered.events + earlier);
            earlier += own.own_events;
            first
        };
        [0, 1].map(first)
    }

    /// Why a way out of an event of a run need not be explored, if so.
    fn category(&self, target: &Target, behind: ExecutedBefore) -> Option<Category> {
        if !self.prune || behind == ExecutedBefore::Change {
            return None;
        }
        let program = self.program(target.version);
        match self.facts.changes().relevance(program, target) {
            Relevance::MayReach => None,
            _ if behind == ExecutedBefore::SameState => Some(Category::NotInfected),
            Relevance::CannotExecute => Some(Category::NotExecuted),
            Relevance::CannotPropagate => Some(Category::NotPropagated),
        }
    }

    /// How near a run has come to each change.
    fn approach(&self, run: Executed<'_>) -> Vec<Option<u32>> {
        let (facts, distances) = (self.facts.changes(), self.facts.distances());
        let mut all = Vec::new();
        for (version, run) in (0..).zip(&run.versions) {
            let program = self.program(version);
            let changes = 0..facts.changes(version).len();
            let near = |change| distances.approach(version, change, program, run.coverage);
            all.extend(changes.map(near));
        }
        all
    }

    /// How far a way out of a run is from each change that it can lead to: by what it controls; or, if it decides
    /// a guard's operand, by that and by how near the run has come to the guard. Of the two at the same distance
    /// the first is nearer.
    fn distances(&self, target: &Target, approach: &[Option<u32>]) -> Vec<(usize, u32)> {
        let (facts, distances) = (self.facts.changes(), self.facts.distances());
        let Some(edge) = facts.edge(self.program(target.version), target) else {
            return Vec::new();
        };
        let changes = 0..facts.changes(target.version).len();
        let distance = |change| {
            let number = self.number(target.version, change);
            let controlled = distances.distance_to(change, edge, target);
            let guard = || {
                let steps = distances.guard_distance_to(change, edge, target)?;
                Some(2 * (steps + approach[number]?) + 1)
            };
            let distance = controlled.map(|distance| 2 * distance).or_else(guard)?;
            Some((number, distance))
        };
        changes.filter_map(distance).collect()
    }
}
