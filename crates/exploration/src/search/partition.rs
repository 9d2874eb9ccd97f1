//! Finding out how the versions relate on the path of a run, and telling it: to the observer, to what is known, and to the
//! journal.

use super::state::{Patience, QUICK};
use super::{Members, Search};
use crate::journal::{EarlierPart, EarlierParts};
use crate::part::Part;
use crate::path_tree::{Flip, RunId};
use crate::shares::Source;
use crate::summary::Partition;
use crate::worker::{Ran, RelatedPart, Worker};
use std::time::Duration;

/// How a run came to be compared.
#[derive(Clone, Copy)]
pub(super) struct Occasion<'f> {
    pub(super) came_from: Option<&'f Flip>,
    pub(super) source: Source,
    pub(super) patience: Patience,
}

impl<'p> Search<'_, '_, 'p> {
    fn time_left(&self) -> Option<Duration> {
        let limit = self.config.budget.time;
        limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// Compares the versions on a path that was run; whether two differ on one of its inputs. What is hard for the
    /// solver is left for later if there is little patience.
    pub(super) fn partition(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        on: Occasion<'_>,
    ) -> bool {
        if ran.versions.len() < 2 || ran.diverged {
            return false;
        }
        let told = (on.came_from, on.source);
        let earlier = self.lock().earlier_parts.remove(&run);
        let known = earlier.as_ref();
        if let Some(known) = known.and_then(|earlier| worker.compare_again(ran, earlier)) {
            for part in &known {
                self.note_part(worker, ran, run, part, told);
            }
            return known.iter().any(|part| part.part.part.is_different());
        }
        let (mut comparison, first) = worker.begin_comparison(ran);
        let differs_here = first.part.part.is_different();
        let mut found = vec![first];
        if comparison.is_open() && !differs_here {
            // Whether there is another part says whether this one has all inputs of the path.
            let quick = on.patience == Patience::Little && self.config.query_timeout > QUICK;
            let left = self.time_left();
            let time = match quick {
                true => Some(left.map_or(QUICK, |left| left.min(QUICK))),
                false => left,
            };
            match worker.another_part(&mut comparison, ran, time) {
                None => found = found.into_iter().map(RelatedPart::without_others).collect(),
                Some(another) if quick && another.part.part.timed_out() => {
                    self.lock().hard_comparisons.push_back(run);
                    return false;
                }
                Some(another) => found.push(another),
            }
        }
        for part in &found {
            self.note_part(worker, ran, run, part, told);
        }
        // A difference is told before anything more is asked.
        if differs_here {
            if earlier.is_none() {
                self.write_parts(worker, ran, run, &found, false);
            }
            if !self.observer.proves() && comparison.rest_is_equal() {
                return true;
            }
        }
        while let Some(another) = worker.another_part(&mut comparison, ran, self.time_left()) {
            self.note_part(worker, ran, run, &another, told);
            found.push(another);
        }
        let says = |earlier: EarlierParts| {
            let parts: Vec<&Part> = found.iter().map(|part| &part.part.part).collect();
            earlier.are(&parts)
        };
        if !earlier.is_some_and(says) {
            self.write_parts(worker, ran, run, &found, true);
        }
        found.iter().any(|part| part.part.part.is_different())
    }

    /// Writes down what is known of a path.
    fn write_parts(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        parts: &[RelatedPart],
        done: bool,
    ) {
        let in_words = {
            let mut state = self.lock();
            if !state.journal.is_kept() {
                return;
            }
            // Words for long paths cost more than their proofs.
            let conditions = ran.path.events.len() * parts.len();
            let fits = conditions <= state.words_left;
            state.words_left -= if fits { conditions } else { 0 };
            fits
        };
        let record = |related: &RelatedPart| {
            let words = in_words.then(|| worker.describe(ran, &related.part));
            EarlierPart::new(&related.part.part, words.unwrap_or_default())
        };
        let parts = parts.iter().map(record).collect();
        let mut state = self.lock();
        if let Err(error) = state.journal.compared(run, EarlierParts { parts, done }) {
            state.cannot_write(&error);
        }
    }

    pub(super) fn note_part(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        related: &RelatedPart,
        (came_from, source): (Option<&Flip>, Source),
    ) {
        let part = &related.part;
        let partition = Partition {
            run,
            part: part.part.clone(),
            relations: related.relations.clone(),
            share: self.share_of(worker, ran, part),
        };
        let mut members = Members { worker, ran, part };
        self.observer.partition(&partition, ran, &mut members);
        self.lock().note_partition(partition, came_from, source);
    }
}
