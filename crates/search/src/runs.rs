//! What is kept of each run: enough to do it again.

use crate::path_tree::{Flip, RunId};
use inputs::CompactInput;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

/// A run to be done again: which, its input, and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunRecord {
    pub run: RunId,
    pub input: CompactInput,
    /// The flip it came out of.
    pub origin: Option<Flip>,
    /// What its path looks like, if that is known.
    pub path: Option<PathShape>,
}

/// What a path looks like, however its terms are numbered. Flips name its events by their places, so it must look the same
/// whenever it is run again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathShape {
    /// A hash of all events.
    pub hash: u64,
    /// How many events of the old version were kept, if the path was cut before a call.
    pub cut: Option<u32>,
}

/// All runs, by their numbers; a run comes after the one that it follows.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    records: Vec<RunRecord>,
    /// By run: how many generations ago there was news; 0 for a run with news of its own.
    generations: Vec<u32>,
    /// The first run of each shape, once it is over.
    pub(crate) roots: Vec<Option<RunId>>,
    /// Runs of seeds that did not begin a shape.
    pub(crate) seeded: FxHashSet<RunId>,
}

impl Runs {
    pub(crate) fn new(shapes: usize) -> Runs {
        Runs {
            roots: vec![None; shapes],
            ..Runs::default()
        }
    }

    /// How many there are, which is the number of the next one.
    pub(crate) fn next(&self) -> RunId {
        RunId(self.records.len() as u32)
    }

    /// Takes in the next run.
    pub(crate) fn add(&mut self, record: RunRecord) {
        assert_eq!(record.run, self.next(), "runs are numbered through");
        let follows = record.origin.as_ref().map(|flip| flip.run);
        assert!(follows.is_none_or(|before| before < record.run));
        self.records.push(record);
    }

    pub(crate) fn get(&self, run: RunId) -> &RunRecord {
        &self.records[run.0 as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &RunRecord> {
        self.records.iter()
    }

    /// The run that a run comes from.
    pub(crate) fn parent(&self, run: RunId) -> Option<RunId> {
        self.get(run).origin.as_ref().map(|flip| flip.run)
    }

    /// A run and those that it comes from.
    pub(crate) fn line(&self, run: RunId) -> impl Iterator<Item = RunId> {
        std::iter::successors(Some(run), |&run| self.parent(run))
    }

    /// The generations since there was news, for a run that showed nothing new itself.
    pub(crate) fn generations_after(&self, origin: Option<&Flip>) -> u32 {
        let parent = origin.and_then(|flip| self.generations.get(flip.run.0 as usize));
        1 + parent.copied().unwrap_or(0)
    }

    pub(crate) fn set_generations(&mut self, run: RunId, generations: u32) {
        let place = run.0 as usize;
        if self.generations.len() <= place {
            self.generations.resize(place + 1, 0);
        }
        self.generations[place] = generations;
    }
}
