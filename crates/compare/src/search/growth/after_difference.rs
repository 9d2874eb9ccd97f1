//! After the first difference: what no input has executed yet may make others.
//!
//! A difference is an answer, but not the whole one where a part of the change was never executed. So as long as time is left, larger
//! inputs are run: those beyond the bounds first, as they execute most; a round ends as soon as nothing is missing. Nothing is proved any
//! more. The bounds, the partitions and their shares stay those of the round that found the first difference; only what differs and
//! what is executed is taken in from others.

use std::collections::BTreeSet;
use std::time::Duration;

use exploration::Stop;

use super::{Growing, Next, ROUNDS_BEYOND};
use crate::observer::Event;
use crate::prepare::folder::Journals;
use crate::search::{Round, Searched};
use crate::versions::changed_line::ReportedChange;
use crate::versions::executed::ChangeNumber;
use crate::versions::exercise::Exercised;

/// What no input has executed of the changes.
#[derive(Default)]
struct Missing {
    changes: BTreeSet<ChangeNumber>,
    /// As a user is told of them.
    lines: Vec<ReportedChange>,
}

impl Growing<'_, '_, '_> {
    /// The next round after a difference, and its time, if there is one.
    pub(super) fn next_after_difference(&mut self, best: &Searched) -> Option<(Next, Duration)> {
        let searching = self.rounds.searching;
        let missing = self.missing(best);
        if searching.spec.search.first || missing.lines.is_empty() {
            return None;
        }
        if !self.is_told {
            self.is_told = true;
            let lines = &missing.lines[..];
            searching.observer.event(Event::NotExecutedYet { lines });
        }
        let left = self.left();
        if self.beyond + 1 < ROUNDS_BEYOND {
            return Some((Next::Beyond(self.beyond), left / 2));
        }
        self.find_asides(best, 0);
        if let Some(aside) = self.aside(best, |_| true) {
            return Some((aside, left / 2));
        }
        if let Some(wider) = self.wider(best) {
            return Some((wider, left / 2));
        }
        (self.beyond < ROUNDS_BEYOND).then_some((Next::Beyond(1), left))
    }

    /// Explores a round after a difference, and takes in what comes of it.
    pub(super) fn round_after_difference(
        &mut self,
        next: Next,
        time: Duration,
        best: &mut Searched,
    ) {
        let round = match &next {
            Next::Wider(_, _, space) | Next::Aside(_, space, _) => {
                Some(Round::of(space.clone(), time))
            }
            Next::Beyond(number) => self.beyond(*number, time, best),
        };
        let Some(mut round) = round else {
            return;
        };
        round.proves = false;
        round.until = Some(self.missing(best).changes);
        round.kinds = std::mem::take(&mut best.found.kinds);
        let found = self.rounds.search(round, &mut Journals::default());
        let stop = found.summary.as_ref().map(|summary| &summary.stop);
        let is_completed = stop == Some(&Stop::Finished);
        match next {
            Next::Wider(grown, _, _) if is_completed => self.grown = grown,
            Next::Wider(_, dimension, _) => self.stuck.push(dimension),
            Next::Aside(number, ..) => {
                let is_news = best.found.executed.is_added_to_by(&found.found.executed);
                self.asides[number].went(is_completed, is_news);
            }
            Next::Beyond(_) => {}
        }
        self.growth.after_difference += found.summary.as_ref().map_or(0, |summary| summary.runs);
        best.take_after_difference(found);
    }

    fn missing(&self, best: &Searched) -> Missing {
        let versions = self.rounds.searching.versions;
        let mut missing = Missing::default();
        for step in versions
            .single_steps()
            .iter()
            .filter(|step| !step.same_code)
        {
            let beyond = Exercised::of(step, versions, &best.executed_beyond);
            let Some(exercised) = Exercised::of(step, versions, &best.found.executed) else {
                continue;
            };
            let known = &best.executed_beyond.changes.defined;
            missing.changes.extend(exercised.missing.difference(known));
            missing
                .lines
                .extend(exercised.missing_lines(beyond.as_ref()));
        }
        missing
    }
}

impl Searched {
    /// Takes in what inputs show that are no part of these bounds.
    fn take_after_difference(&mut self, mut other: Searched) {
        self.assume_too(other.summary.as_ref());
        let (own, found) = (&mut self.found, &mut other.found);
        own.kinds = std::mem::take(&mut found.kinds);
        own.executed.merge(&found.executed);
        own.take_readers(found);
        own.reads_stdin |= found.reads_stdin;
        own.left_out.append(&mut found.left_out);
        // An input that shows a difference is made small within one of these.
        self.shapes.append(&mut other.shapes);
    }
}
