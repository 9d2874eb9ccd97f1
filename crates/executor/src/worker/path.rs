//! The path of a run through all versions: its events in order, and what it looks like.

use super::{RunError, VersionRun};
use concolic_vm::symbolic::PathEvent;
use expr::{ExprId, Store, SymbolSet};
use relational::Shared;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use search::{Flip, PathShape, PathStep, Target};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The events of a path. Under its conditions, what was found of the run holds.
#[derive(Clone)]
pub struct Path {
    pub events: Rc<[PathEvent]>,
    /// The version of each event.
    pub owners: Rc<[u8]>,
}

impl Path {
    pub(crate) fn shape(&self, cut: Option<u32>) -> PathShape {
        let mut hasher = FxHasher::default();
        for (event, owner) in self.events.iter().zip(&self.owners[..]) {
            let ways = event.alternatives.len();
            let when = event.instructions;
            (event.site, event.kind, event.way, ways, owner, when).hash(&mut hasher);
        }
        PathShape {
            hash: hasher.finish(),
            cut,
        }
    }

    /// Its conditions, without those on symbols whose values another one says.
    pub(crate) fn without_implied(&self, store: &Store) -> Vec<ExprId> {
        let taken = taken_symbols(store, &self.events);
        let is_needed = |event: &&PathEvent| {
            let mut symbols = store.symbols_of(event.condition).iter();
            event.takes_input() || symbols.any(|symbol| !taken.contains(symbol))
        };
        let needed = self.events.iter().filter(is_needed);
        needed.map(|event| event.condition).collect()
    }

    /// Whether it looks as it did before, if that was written down.
    pub(crate) fn check(
        &self,
        cut: Option<u32>,
        before: Option<PathShape>,
    ) -> Result<(), RunError> {
        match before {
            Some(before) if self.shape(cut) != before => Err(RunError::OtherPath),
            _ => Ok(()),
        }
    }

    /// Puts what was decided up to the last change before all else (thesis §3.3: branches are put in another order before
    /// one is negated). So an input that decides it otherwise is free to behave in any way afterwards.
    pub(super) fn put_first(&mut self, early: &FxHashSet<ExprId>) {
        let events = self.events.iter().zip(&self.owners[..]);
        let (first, then): (Vec<_>, Vec<_>) =
            events.partition(|(event, _)| early.contains(&event.condition));
        let all = || first.iter().chain(&then);
        let owners = all().map(|(_, owner)| **owner).collect();
        let events = all().map(|(event, _)| (*event).clone()).collect();
        *self = Path { events, owners };
    }

    /// Of the versions' paths in order; what an earlier one has decided is left out of the later ones, and noted with
    /// their runs.
    pub(super) fn of(
        store: &Store,
        paths: Vec<Vec<PathEvent>>,
        versions: &mut [VersionRun<'_>],
    ) -> Path {
        let mut events: Vec<PathEvent> = Vec::new();
        let mut owners: Vec<u8> = Vec::new();
        let mut decided: FxHashSet<ExprId> = FxHashSet::default();
        // Symbols that have one value.
        let mut taken = SymbolSet::default();
        let count = paths.len();
        for (version, mut own) in paths.into_iter().enumerate() {
            let of_version = &mut versions[version];
            if version > 0 {
                let is_own = |event: &PathEvent| {
                    let mut symbols = store.symbols_of(event.condition).iter();
                    !decided.contains(&event.condition) && symbols.any(|one| !taken.contains(one))
                };
                // Counted by the events that are left.
                let (mut seen, mut left) = (0, 0);
                for entered in &mut of_version.run.entered {
                    let before = &own[..own.len().min(entered.events as usize)];
                    left += before[seen..].iter().filter(|event| is_own(event)).count();
                    (seen, entered.events) = (before.len(), left as u32);
                }
                let shared = own.iter().filter(|event| !is_own(event));
                of_version.shared = shared.map(Shared::of).collect();
                own.retain(is_own);
            }
            if version + 1 < count {
                decided.extend(own.iter().map(|event| event.condition));
                taken = taken.union(&taken_symbols(store, &own));
            }
            of_version.own_events = own.len();
            owners.resize(owners.len() + own.len(), version as u8);
            if events.is_empty() {
                events = own;
            } else {
                events.append(&mut own);
            }
        }
        Path {
            events: events.into(),
            owners: owners.into(),
        }
    }
}

/// The symbols that have one value because the input was concretised.
fn taken_symbols(store: &Store, events: &[PathEvent]) -> SymbolSet {
    let takes = events.iter().filter(|event| event.takes_input());
    takes.fold(SymbolSet::default(), |all, event| {
        all.union(store.symbols_of(event.condition))
    })
}

/// The events from number `first` on, without their terms.
pub(super) fn steps(path: &Path, first: usize) -> Vec<PathStep> {
    let mut times: FxHashMap<Target, u32> = FxHashMap::default();
    let mut steps = Vec::with_capacity(path.events.len().saturating_sub(first));
    for (index, (event, &version)) in path.events.iter().zip(&path.owners[..]).enumerate() {
        let mut step = PathStep {
            version,
            site: event.site,
            kind: event.kind,
            way: event.way,
            times: 0,
            others: Vec::new(),
            twin: None,
        };
        let times = times.entry(step.taken()).or_default();
        *times += 1;
        if index >= first {
            step.times = *times;
            step.others = event.alternatives.iter().map(|other| other.way).collect();
            steps.push(step);
        }
    }
    steps
}

/// The path of a run that came out of a flip: what the flipped run has decided up to there, the other way, and what
/// matters in the run itself.
pub(super) fn continued(from: &Path, flip: &Flip, own: &Path) -> Path {
    let event = flip.event as usize;
    let mut events: Vec<PathEvent> = from.events[..=event].to_vec();
    let mut owners: Vec<u8> = from.owners[..=event].to_vec();
    let taken = events[event].alternatives[flip.alternative as usize];
    events[event].condition = taken.condition;
    events[event].way = taken.way.unwrap_or(events[event].way);
    events[event].alternatives.clear();
    let decided: FxHashSet<ExprId> = events.iter().map(|event| event.condition).collect();
    for (event, &owner) in own.events.iter().zip(&own.owners[..]) {
        if !decided.contains(&event.condition) {
            events.push(event.clone());
            owners.push(owner);
        }
    }
    Path {
        events: events.into(),
        owners: owners.into(),
    }
}
