//! What waits to be done, in queues by where it comes from, and whose turn it is.
//!
//! Runs of an earlier session and first runs come before all else, then seeds, one after the other. Between flips come
//! comparisons that were hard, spliced inputs and looks, as much of each as it is worth ([`crate::shares`]). Flips that were hard
//! for the solver come last.

use super::purpose::Purpose;
use crate::frontier::Strategy;
use crate::messages::EarlierRun;
use crate::path_tree::{Flip, RunId, Target};
use crate::propagation::{Candidate, FLIPS_PER_LOOK};
use crate::settings::Settings;
use crate::shares::{Shares, Source};
use crate::splice::Splicer;
use crate::trials::Trials;
use inputs::CompactInput;
use inputs::random::RandomInputs;
use std::collections::VecDeque;

/// Spliced inputs that are run one after the other: workers wait for each other when they begin.
const SPLICES_AT_ONCE: usize = 8;
/// Runs that wait for a look; of more, the latest are kept.
const MOST_LOOKS: usize = 64;

pub(super) struct Schedule {
    pub(super) repeats: VecDeque<EarlierRun>,
    pub(super) firsts: VecDeque<CompactInput>,
    pub(super) seeds: VecDeque<CompactInput>,
    /// Inputs on which a call does something else in the new version: as seeds.
    pub(super) suggested: VecDeque<CompactInput>,
    pub(super) candidates: VecDeque<Candidate>,
    /// Made and not yet run.
    splices: VecDeque<CompactInput>,
    /// Inputs that may have executed a change without showing it, to be looked at.
    looks: VecDeque<CompactInput>,
    /// Flips that the solver has not decided quickly.
    pub(super) hard: VecDeque<(Flip, Target)>,
    /// Runs on whose paths it has not decided quickly whether the versions differ.
    pub(super) hard_comparisons: VecDeque<RunId>,
    /// With the strategy `random` alone.
    pub(super) random: Option<RandomInputs>,
    /// With `auto` alone.
    pub(super) splicer: Option<Splicer>,
    /// With `auto`, the time of looks and splices is shared out.
    pub(super) shares: Shares,
    pub(super) shares_time: bool,
    pub(super) flips_since_look: u32,
}

impl Schedule {
    /// `started` says of which shapes an earlier session has run an input.
    pub(super) fn new(
        settings: &Settings,
        repeats: Vec<EarlierRun>,
        started: impl Fn(usize) -> bool,
    ) -> Schedule {
        let compact = |(shape, input): (u32, _)| CompactInput::new(shape, input);
        let mut seeds: VecDeque<CompactInput> = settings
            .seeds
            .iter()
            .map(|(shape, input)| compact((*shape, input)))
            .collect();
        let mut firsts = VecDeque::new();
        for (shape, input) in (0..).zip(&settings.shapes) {
            if !started(shape as usize) {
                // A seed is a better start than zeros; the zeros are found by themselves.
                let seed = seeds.iter().position(|seed| seed.shape == shape);
                let first = seed.and_then(|seed| seeds.remove(seed));
                firsts.push_back(first.unwrap_or_else(|| compact((shape, input))));
            }
        }
        let (seed, shapes) = (settings.seed, &settings.shapes);
        let is_auto = settings.strategy == Strategy::Auto;
        Schedule {
            repeats: repeats.into(),
            firsts,
            seeds,
            suggested: VecDeque::new(),
            candidates: VecDeque::new(),
            splices: VecDeque::new(),
            looks: VecDeque::new(),
            hard: VecDeque::new(),
            hard_comparisons: VecDeque::new(),
            random: (settings.strategy == Strategy::Random)
                .then(|| RandomInputs::new(seed, shapes, &settings.seeds)),
            splicer: (settings.versions == 2 && is_auto)
                .then(|| Splicer::new(seed, shapes, &settings.seeds)),
            shares: Shares::default(),
            shares_time: is_auto,
            flips_since_look: FLIPS_PER_LOOK,
        }
    }

    /// An input that was made and waits to be run, with why.
    pub(super) fn made(&mut self) -> Option<(Purpose, CompactInput)> {
        if let Some(input) = self.suggested.pop_front() {
            return Some((Purpose::Seed, input));
        }
        let candidate = self.candidates.pop_front()?;
        Some((Purpose::Candidate(candidate.rule), candidate.input))
    }

    pub(super) fn has_made(&self) -> bool {
        !self.candidates.is_empty() || !self.suggested.is_empty()
    }

    /// A random input.
    pub(super) fn draw(&mut self) -> Option<CompactInput> {
        let (shape, input) = self.random.as_mut()?.draw();
        Some(CompactInput::new(shape, &input))
    }

    /// Whether a spliced input waits; some are made if it is their turn. Inputs whose trials came to new places have it before.
    pub(super) fn has_splice(&mut self, is_due: bool, trials: Option<&mut Trials>) -> bool {
        if let Some(splicer) = &mut self.splicer
            && self.splices.is_empty()
            && is_due
        {
            let mut tried = trials;
            for _ in 0..SPLICES_AT_ONCE {
                if let Some(input) = tried.as_mut().and_then(|trials| trials.waiting()) {
                    self.splices.push_back(input);
                    continue;
                }
                let (shape, input) = splicer.draw();
                self.splices.push_back(CompactInput::new(shape, &input));
            }
        }
        self.splicer.is_some() && !self.splices.is_empty()
    }

    pub(super) fn splice(&mut self) -> Option<CompactInput> {
        self.splices.pop_front()
    }

    /// Takes in a run to be looked at.
    pub(super) fn offer_look(&mut self, input: CompactInput) {
        if self.looks.len() >= MOST_LOOKS {
            self.looks.pop_front();
        }
        self.looks.push_back(input);
    }

    /// A run to be looked at, if it is the turn of looks.
    pub(super) fn look(&mut self, is_due: bool) -> Option<CompactInput> {
        let is_due = match self.shares_time {
            true => is_due,
            false => self.flips_since_look >= FLIPS_PER_LOOK,
        };
        let look = match is_due {
            true => self.looks.pop_front()?,
            false => return None,
        };
        self.flips_since_look = 0;
        Some(look)
    }

    pub(super) fn is_due(&self, source: Source) -> bool {
        self.shares.is_due(source)
    }

    /// Inputs that were made and must be run before a search is over.
    pub(super) fn made_left(&self) -> usize {
        self.candidates.len() + self.splices.len() + self.suggested.len()
    }

    /// What is left to do before every input was looked at, besides open flips.
    pub(super) fn left(&self) -> usize {
        self.hard.len()
            + self.hard_comparisons.len()
            + self.repeats.len()
            + self.seeds.len()
            + self.firsts.len()
    }
}
