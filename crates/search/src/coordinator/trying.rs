//! Handing out trials, and taking in what they have shown ([`crate::trials`]).

use super::Coordinator;
use super::purpose::{Errand, Ticket};
use crate::frontier::Strategy;
use crate::messages::{Job, Tried};
use crate::mutate::Mutator;
use crate::settings::Settings;
use crate::trials::{HARD, Trials, WITH_TERMS, Worth};

/// If they are asked for: with `auto`, where versions are compared path by path.
pub(super) fn trials(settings: &Settings) -> Option<Trials> {
    let is_possible =
        settings.strategy == Strategy::Auto && settings.versions > 1 && !settings.sliced;
    (settings.trials && is_possible).then(|| {
        let (seed, shapes) = (settings.seed, &settings.shapes);
        let mutator = Mutator::new(seed, shapes, &settings.seeds, &settings.words);
        Trials::new(mutator, settings.versions)
    })
}

impl Coordinator<'_> {
    /// Inputs to be tried, if it is their turn. They have no place in the tree, so nobody has to wait for them.
    pub(super) fn try_some(&mut self) -> Option<(Errand, Job)> {
        let is_due = self.trials.as_ref().is_some_and(Trials::are_due);
        match is_due {
            true => self.try_more(),
            false => None,
        }
    }

    /// Whether trials go on although nothing is left to do: what the others could not decide may still show a difference.
    pub(super) fn goes_on_trying(&self) -> bool {
        let goes_on = self.trials.as_ref().is_some_and(Trials::go_on_alone);
        goes_on && !self.findings.gaps.is_empty() && !self.findings.has_difference()
    }

    /// Inputs to be tried.
    pub(super) fn try_more(&mut self) -> Option<(Errand, Job)> {
        let trials = self.trials.as_mut()?;
        let (inputs, steps) = trials.order();
        let errand = Errand::Try {
            inputs: inputs.clone(),
        };
        Some((errand, Job::Try { inputs, steps }))
    }

    /// Takes in what trials have shown.
    pub(super) fn tried(&mut self, ticket: &Ticket, tried: &Tried) {
        let Errand::Try { inputs } = &ticket.errand else {
            unreachable!("only trials are tried")
        };
        let Some(trials) = &mut self.trials else {
            return;
        };
        trials.take(tried, ticket.work);
        for shown in &tried.shown {
            let Some(input) = inputs.get(shown.index as usize) else {
                continue;
            };
            let whole = || input.expand(&self.settings.shapes);
            match trials.worth(shown, &self.findings.coverage) {
                Worth::Difference => {
                    trials.learn(&whole(), true);
                    self.schedule.suggested.push_back(input.clone());
                }
                Worth::Place => {
                    trials.learn(&whole(), false);
                    trials.wait(input.clone());
                }
                Worth::Change => trials.learn(&whole(), false),
                Worth::Nothing => {}
            }
        }
    }

    /// Something else than trials has cost so much work, and so many hard questions.
    pub(super) fn spend_on_others(&mut self, work: u64, hard_queries: u64) {
        if let Some(trials) = &mut self.trials {
            trials.spend_on_others(WITH_TERMS * work + HARD * hard_queries);
        }
    }
}
