//! Differences are tried out natively while the search goes on, so that a user need not wait for its end.
//!
//! Only whether native runs show a difference is found out here, on the input that the search came upon. What is reported is made
//! afterwards by the fourth stage, which makes that input small. A search that ends at once is left alone: its report comes as soon.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use build::Builder;

use super::{Stage, get_ready};
use crate::given::Given;
use crate::observer::{Event, Observer};
use crate::prepare::Prepared;
use crate::search::findings::FoundDifference;
use crate::spec::Spec;
use crate::versions::run::Versions;

/// Between two looks at whether the search is over.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Nothing is told of a search that is over so soon.
const SOON: Duration = Duration::from_secs(1);
/// How many kinds of difference are told before the report.
const MOST_TOLD: usize = 10;

/// Passes on what a search says, and stops it when its user does or when it has what was asked for.
struct Stoppable<'o> {
    observer: &'o dyn Observer,
    stop: AtomicBool,
}

impl Stoppable<'_> {
    /// Passes the user's word on until the search is over.
    fn watch(&self, over: &Receiver<()>) {
        while over.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
            if self.observer.interrupt().load(Ordering::Relaxed) {
                self.stop.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl Observer for Stoppable<'_> {
    fn event(&self, event: Event<'_>) {
        self.observer.event(event);
    }

    fn interrupt(&self) -> &AtomicBool {
        &self.stop
    }
}

/// Runs a search, which gets who watches it and where it sends the differences that it finds.
pub(crate) fn while_confirming<S>(
    builder: &Builder<'_>,
    prepared: &Prepared,
    versions: &Versions<'_>,
    spec: &Spec,
    observer: &dyn Observer,
    search: impl FnOnce(&dyn Observer, &Sender<FoundDifference>) -> S,
) -> S {
    let stoppable = Stoppable {
        observer,
        stop: AtomicBool::new(false),
    };
    let over = AtomicBool::new(false);
    let early = Early {
        builder,
        prepared,
        versions,
        spec,
        observer: &stoppable,
        over: &over,
        began: Instant::now(),
    };
    let (sender, found) = channel();
    let (goes_on, ended) = channel();
    std::thread::scope(|scope| {
        let stoppable = &stoppable;
        scope.spawn(move || stoppable.watch(&ended));
        scope.spawn(move || early.confirm(&found));
        let searched = search(stoppable, &sender);
        over.store(true, Ordering::Relaxed);
        // Both threads hear of it at once.
        drop((sender, goes_on));
        searched
    })
}

struct Early<'e> {
    builder: &'e Builder<'e>,
    prepared: &'e Prepared,
    versions: &'e Versions<'e>,
    spec: &'e Spec,
    observer: &'e Stoppable<'e>,
    over: &'e AtomicBool,
    began: Instant,
}

impl Early<'_> {
    /// Tries out what is found until the search is over.
    fn confirm(&self, found: &Receiver<FoundDifference>) {
        let mut waiting = VecDeque::new();
        let (mut is_ready, mut told) = (false, 0);
        loop {
            match found.recv_timeout(BETWEEN_LOOKS) {
                Ok(difference) => waiting.push_back(difference),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if !is_ready && !waiting.is_empty() {
                get_ready(self.builder, self.prepared, self.spec);
                is_ready = true;
            }
            let is_soon = self.began.elapsed() < SOON && !self.spec.search.first;
            if is_soon || told == MOST_TOLD {
                continue;
            }
            let Some(difference) = waiting.pop_front() else {
                continue;
            };
            if self.is_seen_natively(&difference) && !self.over.load(Ordering::Relaxed) {
                told += 1;
                self.tell(&difference);
            }
        }
    }

    fn is_seen_natively(&self, difference: &FoundDifference) -> bool {
        let (prepared, versions, spec) = (self.prepared, self.versions, self.spec);
        let stage = Stage {
            interrupt: Some(self.over),
            ..Stage::new(self.builder, prepared, versions, spec, self.observer)
        };
        let confirmed = stage.is_seen_natively(&difference.groups, &difference.input);
        confirmed.unwrap_or(false)
    }

    fn tell(&self, difference: &FoundDifference) {
        let given = Given::of(&*self.prepared.harness, &difference.input);
        self.observer.event(Event::Confirmed {
            given: &given,
            observables: &difference.observables,
            after: self.began.elapsed(),
            is_last: self.spec.search.first,
        });
        if self.spec.search.first {
            self.observer.stop.store(true, Ordering::Relaxed);
        }
    }
}
