//! How much of the input space a search has settled, found when it is over or stopped ([`crate::settled`]).
//!
//! Shares of partitions and pruned ways are counted when they are found, while their terms are at hand. If one cannot be
//! counted, random inputs are drawn at the end and followed through the tree: an input that leaves a run's path
//! at a way that nobody has taken is open; behind a pruned way it is equal; at the end of a path the
//! run's partitions decide. No input is run for that, only paths whose terms are gone.
//!
//! If only some inputs are meant, nothing is counted, since it is not known which inputs of a pruned way
//! are: random inputs are drawn, and those that are not meant are left out. Inputs that leave the tree
//! are run to find out. If none that is meant is drawn, no share is known.

use super::Coordinator;
use super::conclude::Conclusion;
use super::placing::Place;
use crate::frontier::Strategy;
use crate::messages::{Failure, Job, Outcome, Partition, Walked};
use crate::part::Part;
use crate::path_tree::RunId;
use crate::settled::Settled;
use crate::summary::Stop;
use concolic_vm::symbolic::SymbolicInput;
use inputs::random::parts;
use inputs::{CompactInput, SplitMix};
use rustc_hash::FxHashMap;
use std::time::Instant;

/// Random inputs that are followed.
const INPUTS: usize = 5_000;

impl Coordinator<'_> {
    /// Random inputs prove nothing.
    fn settles(&self) -> bool {
        let settings = self.settings;
        settings.versions > 1
            && settings.strategy != Strategy::Random
            && settings.settling.is_some()
    }

    /// Shares are counted as they are found.
    fn counts(&self) -> bool {
        self.settles() && self.settings.admits_all
    }

    /// Whether shares are counted, and every share could be so far.
    pub(super) fn counts_shares(&self) -> bool {
        self.counts() && !self.findings.shares.uncounted
    }

    /// Takes in the shares of ways out of these runs that were pruned.
    pub(super) fn counted_pruned(&mut self, runs: &[RunId], shares: Vec<Option<f64>>) {
        if !self.counts() {
            return;
        }
        let counted = &mut self.findings.shares;
        for (&run, share) in runs.iter().zip(shares) {
            match share {
                Some(share) => counted.pruned.push((run, share)),
                None => counted.uncounted = true,
            }
        }
    }

    /// By run: whether it has come through a way that was pruned. Only a seed does, and what comes out of it.
    fn behind_pruned(&self) -> Vec<bool> {
        let mut behind: Vec<bool> = Vec::new();
        for record in self.runs.iter() {
            let is_behind = record
                .origin
                .as_ref()
                .is_some_and(|flip| self.pruned.contain(flip) || behind[flip.run.0 as usize]);
            behind.push(is_behind);
        }
        behind
    }

    /// No input is left that was not looked at.
    fn is_explored(&self) -> bool {
        let stop = self.work.stop.as_ref();
        stop.is_none_or(|stop| *stop == Stop::Finished)
            && self.left() == 0
            && self.findings.gaps.is_empty()
            && self.findings.partitions.len() as u64 >= self.findings.paths
    }

    /// The sums of what was counted.
    fn counted(&self) -> Option<Settled> {
        if self.findings.shares.uncounted {
            return None;
        }
        let shapes = self.runs.roots.len() as f64;
        let behind_pruned = self.behind_pruned();
        let counts_here = |run: &RunId| !behind_pruned[run.0 as usize];
        let (mut equal, mut different, mut unknown) = (0.0, 0.0, false);
        for (run, share) in &self.findings.shares.pruned {
            if counts_here(run) {
                equal += share / shapes;
            }
        }
        for Partition {
            run, part, share, ..
        } in &self.findings.partitions
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
enum InputVerdict {
    Equal,
    Different,
    Open,
}

impl InputVerdict {
    fn of(part: &Part) -> InputVerdict {
        match part {
            Part::Equal { .. } => InputVerdict::Equal,
            Part::Different { .. } => InputVerdict::Different,
            Part::Unknown { .. } => InputVerdict::Open,
        }
    }
}

/// What a run's partitions say of the inputs of its path.
#[derive(Clone, Copy)]
enum Leaf {
    Whole(InputVerdict),
    /// One answer where the versions differ; the others are equal.
    WhereDifferent(InputVerdict),
    /// These inputs are not meant.
    NotMeant,
}

/// What is known of the tree when inputs are followed through it.
#[derive(Default)]
struct Tree {
    /// By run: its partitions.
    parts: FxHashMap<RunId, Vec<InputVerdict>>,
    /// By run, as far as it was asked for.
    leaves: FxHashMap<RunId, Leaf>,
    behind_pruned: Vec<bool>,
}

impl Tree {
    fn is_behind_pruned(&self, run: RunId) -> bool {
        self.behind_pruned[run.0 as usize]
    }
}

impl Conclusion<'_, '_> {
    /// What is settled, now that nobody searches any more.
    pub(super) fn settle(&mut self) -> Option<Settled> {
        let search = &*self.coordinator;
        let findings = &search.findings;
        if !search.settles() || matches!(search.work.stop, Some(Stop::CannotStart(_))) {
            return None;
        }
        let mut partitions = findings.partitions.iter();
        let all_equal = partitions.all(|partition| partition.part.is_equal());
        if findings.paths > 0 && search.is_explored() && all_equal {
            return Some(Settled::complete());
        }
        if search.counts()
            && let Some(settled) = search.counted()
        {
            return Some(settled);
        }
        if search.work.stop == Some(Stop::Memory) {
            self.ask(Job::Forget).ok()?;
        }
        // With more versions, one condition does not say which part of a path an input belongs to.
        match self.coordinator.settings.versions {
            2 => self.sample().ok()?,
            _ => None,
        }
    }

    fn sample(&mut self) -> Result<Option<Settled>, Failure> {
        let start = Instant::now();
        let search = &*self.coordinator;
        let shapes = search.settings.shapes.len();
        let mut random = SplitMix(search.settings.seed);
        let mut tree = Tree {
            behind_pruned: search.behind_pruned(),
            ..Tree::default()
        };
        for partition in &search.findings.partitions {
            let known = InputVerdict::of(&partition.part);
            tree.parts.entry(partition.run).or_default().push(known);
        }
        let most_time = search.settings.settling.unwrap_or_default();
        self.until = Some(start + most_time);
        let (mut equal, mut different, mut open) = (0, 0, 0);
        for number in 0..INPUTS {
            if number > 0 && start.elapsed() >= most_time {
                break;
            }
            let shape = random.below(shapes);
            let input = self.draw(shape, &mut random)?;
            match self.place(&input, &mut tree) {
                Ok(Some(InputVerdict::Equal)) => equal += 1,
                Ok(Some(InputVerdict::Different)) => different += 1,
                Ok(Some(InputVerdict::Open)) => open += 1,
                Ok(None) => {}
                Err(Failure::Stopped) => {
                    open += 1;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Settled::sampled(equal, different, open))
    }

    /// Any input of a shape.
    fn draw(&mut self, shape: usize, random: &mut SplitMix) -> Result<CompactInput, Failure> {
        let variables = match self.ask(Job::Variables)? {
            Outcome::Variables(variables) => variables,
            outcome => unreachable!("{outcome:?} names no variables"),
        };
        let mut input: SymbolicInput = self.coordinator.settings.shapes[shape].clone();
        let mut fill = |bytes: &mut [u8]| {
            for byte in bytes {
                *byte = random.draw() as u8;
            }
        };
        for part in parts(&mut input) {
            fill(&mut part.bytes);
        }
        for (name, size) in variables {
            let mut bytes = vec![0; size];
            fill(&mut bytes);
            input.variables.insert(name, bytes);
        }
        Ok(CompactInput::new(shape as u32, &input))
    }

    /// Whether an input is meant.
    fn admits(&mut self, input: &CompactInput) -> Result<bool, Failure> {
        if self.coordinator.settings.admits_all {
            return Ok(true);
        }
        let input = input.clone();
        self.truth(Job::Admits { input })
    }

    /// Follows an input through the tree.
    fn walk(&mut self, root: RunId, input: &CompactInput) -> Result<Place, Failure> {
        let (mut flip, mut among) = (None, vec![root]);
        loop {
            let job = Job::Walk {
                input: input.clone(),
                among: among.clone(),
                at: flip.as_ref().map(|flip: &crate::Flip| flip.event),
            };
            let walked: Walked = match self.ask(job)? {
                Outcome::Walked(walked) => walked,
                outcome => unreachable!("{outcome:?} is no way"),
            };
            match self.coordinator.place_of(flip.as_ref(), &among, walked) {
                Place::Along(further, children) => (flip, among) = (Some(further), children),
                place => return Ok(place),
            }
        }
    }

    /// Where an input ends; `None` if it is not meant.
    fn place(
        &mut self,
        input: &CompactInput,
        tree: &mut Tree,
    ) -> Result<Option<InputVerdict>, Failure> {
        let Some(root) = self.coordinator.runs.roots[input.shape as usize] else {
            let is_meant = self.admits(input)?;
            return Ok(is_meant.then_some(InputVerdict::Open));
        };
        let run = match self.walk(root, input)? {
            Place::Left(flip) => {
                let is_pruned = self.coordinator.pruned.contain(&flip);
                let is_meant = self.admits(input)?;
                return Ok(is_meant.then_some(
                    match is_pruned || tree.is_behind_pruned(flip.run) {
                        true => InputVerdict::Equal,
                        false => InputVerdict::Open,
                    },
                ));
            }
            Place::On(run) => run,
            Place::Along(..) => unreachable!("it was followed to its end"),
        };
        let leaf = match tree.leaves.get(&run) {
            Some(&leaf) => leaf,
            None => {
                let parts = tree.parts.get(&run).map_or(&[][..], Vec::as_slice);
                // All inputs of a path take the same decisions, so they are all meant or none is.
                let own = self.coordinator.runs.get(run).input.clone();
                let leaf = match self.admits(&own)? {
                    false => Leaf::NotMeant,
                    true if tree.is_behind_pruned(run) => Leaf::Whole(InputVerdict::Equal),
                    true => self.leaf(run, parts)?,
                };
                tree.leaves.insert(run, leaf);
                leaf
            }
        };
        Ok(match leaf {
            Leaf::Whole(known) => Some(known),
            Leaf::WhereDifferent(known) => {
                let input = Some(input.clone());
                match self.truth(Job::Differs { run, input })? {
                    true => Some(known),
                    false => Some(InputVerdict::Equal),
                }
            }
            Leaf::NotMeant => None,
        })
    }

    fn leaf(&mut self, run: RunId, parts: &[InputVerdict]) -> Result<Leaf, Failure> {
        let mut others = parts.iter().filter(|&&known| known != InputVerdict::Equal);
        let other = match parts {
            [] => InputVerdict::Open,
            _ => others.next().copied().unwrap_or(InputVerdict::Equal),
        };
        // A difference may be all there is, or what its condition leaves is empty or not looked at yet.
        let is_whole = match parts {
            [one] => *one != InputVerdict::Different,
            several => several.is_empty(),
        };
        let depends = !is_whole && self.truth(Job::Differs { run, input: None })?;
        Ok(match depends {
            false => Leaf::Whole(other),
            true => Leaf::WhereDifferent(other),
        })
    }
}
