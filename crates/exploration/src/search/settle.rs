//! How much of the input space a search has settled, found when it is over or stopped ([`crate::settled`]).
//!
//! Shares of partitions and pruned ways are counted when they are found, while their terms are at hand. If one cannot be
//! counted, random inputs are drawn at the end and followed through the tree: an input that leaves a run's path
//! at a way that nobody has taken is open; behind a pruned way it is equal; at the end of a path the
//! run's partitions decide. No input is run for that, only paths whose terms are gone.
//!
//! If only some inputs are meant ([`super::Observer::admits`]), nothing is counted, since it is not known which inputs of a pruned way
//! are: random inputs are drawn, and those that are not meant are left out. Inputs that leave the tree
//! are run to find out. If none that is meant is drawn, no share is known.

use super::state::State;
use super::{Place, Search};
use crate::frontier::{SplitMix, Strategy};
use crate::path_tree::RunId;
use crate::pruning::PrunedWay;
use crate::random::parts;
use crate::settled::Settled;
use crate::summary::{Partition, Stop};
use crate::worker::{Part, Path, Ran, RunError, Worker};
use concolic_vm::symbolic::SymbolicInput;
use expr::ExprId;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};

/// Random inputs that are followed.
const INPUTS: usize = 5_000;
/// The most time for that. Few searches come near: then the number of inputs depends on the machine.
const MOST_TIME: Duration = Duration::from_secs(1);

/// What is gathered during the search.
#[derive(Default)]
pub(super) struct Settling {
    /// Something could not be counted, so nothing more is.
    uncounted: bool,
    /// By run: the share of the inputs behind its pruned ways.
    pruned: Vec<(RunId, f64)>,
}

impl State {
    /// By run: whether it has come through a way that was pruned. Only a seed does, and what comes out of it.
    fn behind_pruned(&self) -> Vec<bool> {
        let mut behind: Vec<bool> = Vec::with_capacity(self.lineage.0.len());
        for known in &self.lineage.0 {
            let is_behind = known
                .origin
                .as_ref()
                .is_some_and(|(flip, from)| self.is_pruned(flip) || behind[from.run.0 as usize]);
            behind.push(is_behind);
        }
        behind
    }

    /// No input is left that was not looked at.
    fn is_explored(&self) -> bool {
        let stopped = self
            .stop
            .as_ref()
            .is_some_and(|stop| *stop != Stop::Finished);
        !stopped
            && self.left() == 0
            && self.gaps.is_empty()
            && self.partitions.len() as u64 >= self.paths
    }

    /// The sums of what was counted.
    fn counted(&self) -> Option<Settled> {
        if self.settling.uncounted {
            return None;
        }
        let shapes = self.roots.len() as f64;
        let behind_pruned = self.behind_pruned();
        let counts_here = |run: &RunId| !behind_pruned[run.0 as usize];
        let (mut equal, mut different, mut unknown) = (0.0, 0.0, false);
        for (run, share) in &self.settling.pruned {
            if counts_here(run) {
                equal += share / shapes;
            }
        }
        for Partition {
            run, part, share, ..
        } in &self.partitions
        {
            if !counts_here(run) {
                continue;
            }
            match part {
                Part::Equal { .. } => equal += (*share)? / shapes,
                Part::Different { .. } => different += (*share)? / shapes,
                Part::Unknown { .. } => unknown = true,
            }
        }
        let nothing_open = self.is_explored() && !unknown;
        Some(Settled::counted(equal, different, nothing_open))
    }
}

/// Where a random input ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Equal,
    Different,
    Open,
}

impl Known {
    fn of(part: &Part) -> Known {
        match part {
            Part::Equal { .. } => Known::Equal,
            Part::Different { .. } => Known::Different,
            Part::Unknown { .. } => Known::Open,
        }
    }
}

/// What a run's partitions say of the inputs of its path.
#[derive(Clone, Copy)]
enum Leaf {
    Whole(Known),
    /// One answer where the condition holds; the others are equal.
    Where(ExprId, Known),
    /// These inputs are not meant.
    NotMeant,
}

/// What is known of the tree when inputs are followed through it.
#[derive(Default)]
struct Tree {
    /// By run: its partitions.
    parts: FxHashMap<RunId, Vec<Known>>,
    /// By run, as far as it was asked for.
    leaves: FxHashMap<RunId, Leaf>,
    behind_pruned: Vec<bool>,
}

impl Tree {
    fn is_behind_pruned(&self, run: RunId) -> bool {
        self.behind_pruned[run.0 as usize]
    }
}

impl<'p> Search<'_, '_, 'p> {
    /// Random inputs prove nothing.
    fn settles(&self) -> bool {
        let compares = self.surroundings.versions.len() > 1;
        compares && self.config.strategy != Strategy::Random && self.observer.settles()
    }

    /// Shares are counted as they are found.
    fn counts(&self) -> bool {
        self.settles() && self.observer.admits_all()
    }

    /// Counts a part, unless something could not be counted before.
    pub(super) fn share_of(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        part: &crate::worker::PathPart,
    ) -> Option<f64> {
        let is_unknown = matches!(part.part, Part::Unknown { .. });
        if !self.counts() || is_unknown || self.lock().settling.uncounted {
            return None;
        }
        let share = worker.share_of(ran, part);
        self.lock().settling.uncounted |= share.is_none();
        share
    }

    /// Takes in the ways out of a run that were pruned.
    pub(super) fn note_pruned(
        &self,
        worker: &mut Worker<'p>,
        path: &Path,
        run: RunId,
        ways: &[PrunedWay],
    ) {
        if ways.is_empty() || !self.counts() {
            return;
        }
        let is_counted = !self.lock().settling.uncounted;
        let share = is_counted.then(|| worker.shares_of_ways(path, ways));
        let settling = &mut self.lock().settling;
        match share.flatten() {
            Some(share) => settling.pruned.push((run, share)),
            None => settling.uncounted = true,
        }
    }

    /// What is settled, now that nobody searches any more.
    pub(super) fn settle(&self, worker: &mut Worker<'p>) -> Option<Settled> {
        if !self.settles() {
            return None;
        }
        {
            let state = self.lock();
            if matches!(state.stop, Some(Stop::CannotStart(_))) {
                return None;
            }
            let is_equal = |partition: &Partition| matches!(partition.part, Part::Equal { .. });
            if state.paths > 0 && state.is_explored() && state.partitions.iter().all(is_equal) {
                return Some(Settled::complete());
            }
            if self.counts()
                && let Some(settled) = state.counted()
            {
                return Some(settled);
            }
            if state.stop == Some(Stop::Memory) {
                worker.forget();
            }
        }
        // With more versions, one condition does not say which part of a path an input belongs to.
        match self.surroundings.versions.len() {
            2 => self.sample(worker).ok()?,
            _ => None,
        }
    }

    fn sample(&self, worker: &mut Worker<'p>) -> Result<Option<Settled>, RunError> {
        let start = Instant::now();
        let mut random = SplitMix(self.config.seed);
        let mut tree = Tree::default();
        {
            let state = self.lock();
            tree.behind_pruned = state.behind_pruned();
            for partition in &state.partitions {
                let known = Known::of(&partition.part);
                tree.parts.entry(partition.run).or_default().push(known);
            }
        }
        worker.until = Some(start + MOST_TIME);
        let (mut equal, mut different, mut open) = (0, 0, 0);
        for number in 0..INPUTS {
            if number > 0 && start.elapsed() >= MOST_TIME {
                break;
            }
            let shape = random.below(self.config.shapes.len());
            let input = self.draw(worker, shape, &mut random);
            match self.place(worker, shape as u32, &input, &mut tree) {
                Ok(Some(Known::Equal)) => equal += 1,
                Ok(Some(Known::Different)) => different += 1,
                Ok(Some(Known::Open)) => open += 1,
                Ok(None) => {}
                Err(RunError::Stopped) => {
                    open += 1;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Settled::sampled(equal, different, open))
    }

    /// Any input of a shape.
    fn draw(&self, worker: &Worker<'p>, shape: usize, random: &mut SplitMix) -> SymbolicInput {
        let mut input = self.config.shapes[shape].clone();
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = random.draw() as u8;
            }
        };
        for part in parts(&mut input) {
            fill(&mut part.bytes);
        }
        for (name, size) in worker.variables() {
            let mut bytes = vec![0; size];
            fill(&mut bytes);
            input.variables.insert(name, bytes);
        }
        input
    }

    /// Whether an input is meant.
    fn admits(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
    ) -> Result<bool, RunError> {
        if self.observer.admits_all() {
            return Ok(true);
        }
        Ok(self.observer.admits(&worker.runs_of(shape, input)?))
    }

    /// Where an input ends; `None` if it is not meant.
    fn place(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
        tree: &mut Tree,
    ) -> Result<Option<Known>, RunError> {
        let Some(root) = self.lock().roots[shape as usize] else {
            let is_meant = self.admits(worker, shape, input)?;
            return Ok(is_meant.then_some(Known::Open));
        };
        let root = self.lock().known(root);
        let run = match self.walk(worker, root, input)? {
            Place::Left(flip) => {
                let is_pruned = self.lock().is_pruned(&flip);
                let is_meant = self.admits(worker, shape, input)?;
                return Ok(is_meant.then_some(
                    match is_pruned || tree.is_behind_pruned(flip.run) {
                        true => Known::Equal,
                        false => Known::Open,
                    },
                ));
            }
            Place::On(run) => run,
        };
        let leaf = match tree.leaves.get(&run.run) {
            Some(&leaf) => leaf,
            None => {
                let parts = tree.parts.get(&run.run).map_or(&[][..], Vec::as_slice);
                // All inputs of a path take the same decisions, so they are all meant or none is.
                let own = run.input.expand(&self.config.shapes);
                let leaf = match self.admits(worker, run.input.shape, &own)? {
                    false => Leaf::NotMeant,
                    true if tree.is_behind_pruned(run.run) => Leaf::Whole(Known::Equal),
                    true => self.leaf(worker, &run, parts)?,
                };
                tree.leaves.insert(run.run, leaf);
                leaf
            }
        };
        Ok(match leaf {
            Leaf::Whole(known) => Some(known),
            Leaf::Where(condition, known) => match worker.holds_for(condition, input) {
                true => Some(known),
                false => Some(Known::Equal),
            },
            Leaf::NotMeant => None,
        })
    }

    fn leaf(
        &self,
        worker: &mut Worker<'p>,
        run: &std::sync::Arc<crate::worker::Known>,
        parts: &[Known],
    ) -> Result<Leaf, RunError> {
        let mut others = parts.iter().filter(|&&known| known != Known::Equal);
        let other = match parts {
            [] => Known::Open,
            _ => others.next().copied().unwrap_or(Known::Equal),
        };
        // A difference may be all there is, or what its condition leaves is empty or not looked at yet.
        let is_whole = match parts {
            [one] => *one != Known::Different,
            several => several.is_empty(),
        };
        let condition = match is_whole {
            true => None,
            false => worker.difference_condition(run)?,
        };
        Ok(match condition {
            None => Leaf::Whole(other),
            Some(condition) => Leaf::Where(condition, other),
        })
    }
}
