//! Where in the tree an input belongs that was not found by a flip: it is followed from the first run of its shape along runs that
//! it agrees with, until it leaves them.

use super::Coordinator;
use super::purpose::{Errand, Purpose, Ticket};
use crate::messages::{Job, Walked};
use crate::path_tree::{Flip, RunId, Target};
use crate::shares::Source;
use inputs::CompactInput;

/// How far an input was followed.
pub(super) enum Place {
    /// It is on the path of a run.
    On(RunId),
    /// It goes a way that no run has taken.
    Left(Flip),
    /// It goes the way of a flip, and may be on the path of one of these runs, which came out of it and what it leaves.
    Along(Flip, Vec<RunId>),
}

impl Coordinator<'_> {
    /// Begins to follow an input, and runs it where it leaves the tree. Inputs that were made on the way are left out where no
    /// difference can be.
    pub(super) fn place(&self, purpose: Purpose, input: CompactInput) -> (Errand, Job) {
        let root = self.runs.roots[input.shape as usize];
        let root = root.expect("first runs come before seeds");
        walk(purpose, input, None, vec![root])
    }

    /// How far an input was followed along some runs.
    pub(super) fn place_of(&self, flip: Option<&Flip>, among: &[RunId], walked: Walked) -> Place {
        let Some(along) = walked.along else {
            let mut flip = flip.expect("every input goes along the first run").clone();
            flip.excluded.extend(among);
            return Place::Left(flip);
        };
        let run = among[along as usize];
        let Some((event, alternative)) = walked.left else {
            return Place::On(run);
        };
        let flip = Flip {
            run,
            event,
            alternative,
            excluded: Vec::new(),
        };
        let mut children = Vec::new();
        let mut rest = flip.clone();
        while let Some(child) = self.tree.child(&rest) {
            children.push(child);
            rest = rest.without(child);
        }
        match children.is_empty() {
            true => Place::Left(flip),
            false => Place::Along(flip, children),
        }
    }

    /// Goes on with an input that was followed.
    pub(super) fn placed(&mut self, ticket: &Ticket, walked: Walked) -> Option<(Errand, Job)> {
        let Errand::Place {
            purpose,
            input,
            flip,
            among,
        } = &ticket.errand
        else {
            unreachable!("only inputs that are placed are followed")
        };
        let purpose = *purpose;
        match self.place_of(flip.as_ref(), among, walked) {
            Place::Along(flip, among) => Some(walk(purpose, input.clone(), Some(flip), among)),
            Place::On(run) => {
                if purpose == Purpose::Seed {
                    self.runs.seeded.insert(run);
                }
                self.shown(ticket, purpose, None);
                None
            }
            Place::Left(flip) => {
                let target = self.take_flip(&flip, purpose == Purpose::Seed);
                let prunes = self.change.is_some_and(|change| change.prunes());
                let prunes = prunes && purpose.source() != Source::Flips;
                if prunes && target.is_none() && self.pruned.contain(&flip) {
                    self.shown(ticket, purpose, None);
                    return None;
                }
                let job = Job::Follow {
                    flip: flip.clone(),
                    input: input.clone(),
                };
                let errand = Errand::Follow {
                    purpose,
                    flip,
                    target,
                };
                Some((errand, job))
            }
        }
    }

    /// Takes a flip that nobody has solved yet, for an input that goes its way: a seed, or one that was made.
    fn take_flip(&mut self, flip: &Flip, is_seed: bool) -> Option<Target> {
        let open = self.tree.find_open(flip);
        if is_seed {
            self.frontier.give_turn(Some(flip));
        } else if let Some(id) = open {
            self.frontier.taken_early(id, flip);
        }
        if let Some(id) = open {
            return self.tree.take(id).map(|open| open.target);
        }
        let hard = &mut self.schedule.hard;
        let place = hard.iter().position(|hard| hard.0 == *flip)?;
        hard.remove(place).map(|(_, target)| target)
    }

    /// Counts what an input showed that was made: whether the versions differ on its path, unless that was known already.
    pub(super) fn shown(&mut self, ticket: &Ticket, purpose: Purpose, different: Option<bool>) {
        let (known, differs) = match different {
            None => (1, 0),
            Some(different) => (0, u64::from(different)),
        };
        match purpose {
            Purpose::Seed => {}
            Purpose::Splice => {
                let counts = &mut self.findings.spliced;
                counts.inputs += 1;
                counts.time += ticket.started.elapsed();
                counts.known += known;
                counts.different += differs;
            }
            Purpose::Candidate(rule) => {
                let counts = self.looks.counts.by_rule.entry(rule).or_default();
                counts.known += known;
                counts.different += differs;
            }
        }
    }
}

fn walk(
    purpose: Purpose,
    input: CompactInput,
    flip: Option<Flip>,
    among: Vec<RunId>,
) -> (Errand, Job) {
    let job = Job::Walk {
        input: input.clone(),
        among: among.clone(),
        at: flip.as_ref().map(|flip| flip.event),
    };
    let errand = Errand::Place {
        purpose,
        input,
        flip,
        among,
    };
    (errand, job)
}
