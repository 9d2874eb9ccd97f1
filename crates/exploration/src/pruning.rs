//! eXpress's path pruning (§4.5) as a filter around any strategy: ways behind which no difference can be are not
//! offered.
//!
//! The paper explores the new version and prunes its branches. Here a path is one of the old version followed by
//! one of the new (`worker`), and what both decide alike is an event of the old one; so it is mostly the old
//! version's ways that are pruned, by that version's own facts (`changes`).
//!
//! **A pruned way is a proof.** Let a run of one version have executed no change point of that version before an
//! event, and let a way out of the event lead to none (B_E, or B_P, which is a part of it). Every input that
//! follows the run up to the event and then goes this way executes no change point in that version. So both
//! versions behave the same on it: [`Category::NotExecuted`], [`Category::NotPropagated`].
//!
//! That a change was executed is noted when its block is entered, which may be too early and is never too late.
//! Where the run has executed a change the static word "nor before it" of B_P is not trusted.
//!
//! Where the run has executed changes, and both versions are in the same state behind them for all inputs that come
//! there, the same holds from there on: [`Category::NotInfected`]; see `infection`.

use crate::changes::Relevance;
use crate::infection;
use crate::path_tree::Target;
use crate::static_facts::StaticFacts;
use crate::worker::{Ran, VersionRun};
use concolic_vm::symbolic::{Coverage, Entered, EventKind, PathEvent};
use concolic_vm::{CodeSite, Program, StackFrame};
use std::collections::BTreeMap;
use std::fmt;

/// Why a way need not be explored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Category {
    /// P¬P: the way is in B_P.
    NotPropagated,
    /// P¬E: the way is in B_E, and the run executed no change before it.
    NotExecuted,
    /// P¬I: the way is in B_E, and the changes that the run executed before it had no effect on the state.
    NotInfected,
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::NotPropagated => {
                "no change is executed before or after it, whatever the input"
            }
            Category::NotExecuted => "no change was executed before it, and none can be after it",
            Category::NotInfected => {
                "changes executed before it left both versions in the same state, and none can be after it"
            }
        })
    }
}

/// What was not explored, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// Ways of P¬P, P¬E and P¬I. Whether an input goes such a way is not known.
    pub not_p: u64,
    pub not_e: u64,
    pub not_i: u64,
    pub places: Vec<PrunedPlace>,
}

impl Pruned {
    pub fn ways(&self) -> u64 {
        self.not_p + self.not_e + self.not_i
    }
}

/// Ways out of one place that were pruned for the same reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrunedPlace {
    pub category: Category,
    pub version: u8,
    pub place: Option<StackFrame>,
    pub ways: u64,
}

/// A pruned way: which event of a run, and which of its alternatives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrunedWay {
    pub event: u32,
    pub alternative: u32,
    pub category: Category,
}

/// What lies before an event of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behind {
    /// No change was executed.
    Nothing,
    Change,
    /// Changes were executed, and the versions are in the same state.
    SameState,
}

impl Behind {
    /// What lies before an event at which a version may go another way: `first` is by version the first event
    /// behind a change, and from `same_state_from` on both versions are in the same state.
    pub(crate) fn of(
        first: [Option<u32>; 2],
        target: &Target,
        event: u32,
        same_state_from: Option<usize>,
    ) -> Behind {
        let first = first[usize::from(target.version)];
        let changed = first.is_some_and(|first| first <= event);
        let same_state = same_state_from.is_some_and(|from| from <= event as usize);
        match (changed, same_state && target.version == 0) {
            (false, _) => Behind::Nothing,
            (true, false) => Behind::Change,
            (true, true) => Behind::SameState,
        }
    }
}

/// What a run of all versions executed.
#[derive(Clone, Copy)]
pub struct Executed<'r> {
    /// By version.
    versions: [ExecutedVersion<'r>; 2],
}

#[derive(Clone, Copy)]
struct ExecutedVersion<'r> {
    entered: &'r [Entered],
    coverage: &'r Coverage,
    own_events: usize,
}

impl<'r> Executed<'r> {
    /// `None` unless the run is one of two versions.
    pub fn by(ran: &'r Ran<'_>) -> Option<Executed<'r>> {
        let [old, new] = &ran.versions[..] else {
            return None;
        };
        let version = |version: &'r VersionRun<'_>| ExecutedVersion {
            entered: &version.run.entered,
            coverage: &version.run.coverage,
            own_events: version.own_events,
        };
        Some(Executed {
            versions: [version(old), version(new)],
        })
    }

    pub fn to_owned(self) -> OwnedExecuted {
        OwnedExecuted(self.versions.map(|version| {
            let entered = version.entered.to_vec();
            (entered, version.coverage.clone(), version.own_events)
        }))
    }
}

/// The same for a run that is gone.
pub struct OwnedExecuted([(Vec<Entered>, Coverage, usize); 2]);

impl OwnedExecuted {
    pub fn get(&self) -> Executed<'_> {
        let version = |version: usize| {
            let (entered, coverage, own_events) = &self.0[version];
            ExecutedVersion {
                entered,
                coverage,
                own_events: *own_events,
            }
        };
        Executed {
            versions: [version(0), version(1)],
        }
    }
}

/// The change that a search looks at.
pub struct Aim<'a> {
    pub facts: &'a StaticFacts<'a>,
    pub prune: bool,
}

impl Aim<'_> {
    /// How many changes there are, those of both versions counted through.
    pub fn changes(&self) -> usize {
        let facts = self.facts.changes();
        facts.changes(0).len() + facts.changes(1).len()
    }

    fn number(&self, version: u8, change: usize) -> usize {
        match version {
            0 => change,
            _ => self.facts.changes().changes(0).len() + change,
        }
    }

    pub(crate) fn program(&self, version: u8) -> &Program {
        self.facts.versions[usize::from(version)].program
    }

    /// The changes that a run executed.
    pub fn reached(&self, run: Executed<'_>) -> Vec<usize> {
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
    pub fn first_behind(&self, run: Executed<'_>) -> [Option<u32>; 2] {
        let facts = self.facts.changes();
        let mut earlier = 0;
        let first = |version: u8| {
            let own = &run.versions[usize::from(version)];
            let watch = facts.watch(version);
            let mut entered = own.entered.iter();
            let first = entered.find(|entered| watch.contains(entered));
            let first = first.map(|entered| entered.events + earlier);
            earlier += own.own_events as u32;
            first
        };
        [0, 1].map(first)
    }

    /// Why a way out of an event of a run need not be explored, if so.
    pub fn category(&self, target: &Target, behind: Behind) -> Option<Category> {
        if !self.prune || behind == Behind::Change {
            return None;
        }
        let program = self.program(target.version);
        match self.facts.changes().relevance(program, target) {
            Relevance::MayReach => None,
            _ if behind == Behind::SameState => Some(Category::NotInfected),
            Relevance::CannotExecute => Some(Category::NotExecuted),
            Relevance::CannotPropagate => Some(Category::NotPropagated),
        }
    }

    /// The event of the old version from which on its run executes no change any more, by the static facts, if it
    /// executed one before, and comparing the states there can pay.
    pub fn settled_from(&self, ran: &Ran<'_>, executed: Executed<'_>) -> Option<usize> {
        let first = self.first_behind(executed)[0]? as usize;
        if !self.prune || !self.facts.same_shape() {
            return None;
        }
        let own = executed.versions[0].own_events;
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
        let events = ran.path.events[..own].get(first..)?;
        let from = first + events.iter().position(irrelevant)? + 1;
        let known = ran.path.events.len() - ran.steps.len();
        let ways = ran.path.events[..own].get(from.max(known + 1)..)?;
        let ways: usize = ways.iter().map(|event| event.alternatives.len()).sum();
        (ways >= infection::FEWEST_WAYS).then_some(from)
    }

    /// How near a run has come to each change.
    pub fn approach(&self, run: Executed<'_>) -> Vec<Option<u32>> {
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
    pub fn distances(&self, target: &Target, approach: &[Option<u32>]) -> Vec<(usize, u32)> {
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

/// Counts what is pruned, by place.
#[derive(Debug, Default)]
pub struct PrunedCount {
    ways: BTreeMap<(Category, u8, CodeSite), u64>,
}

impl PrunedCount {
    pub fn add(&mut self, category: Category, target: &Target) {
        let key = (category, target.version, target.site);
        *self.ways.entry(key).or_default() += 1;
    }

    pub fn summary(self, programs: &[&Program]) -> Pruned {
        let mut pruned = Pruned::default();
        for ((category, version, site), ways) in self.ways {
            match category {
                Category::NotPropagated => pruned.not_p += ways,
                Category::NotExecuted => pruned.not_e += ways,
                Category::NotInfected => pruned.not_i += ways,
            }
            let place = programs[usize::from(version)].source_frame(site);
            // Several operations may stem from one line.
            let same = |other: &&mut PrunedPlace| {
                other.category == category && other.version == version && other.place == place
            };
            match pruned.places.iter_mut().find(same) {
                Some(known) => known.ways += ways,
                None => pruned.places.push(PrunedPlace {
                    category,
                    version,
                    place,
                    ways,
                }),
            }
        }
        pruned
    }
}
