//! A schedule of searches for differences: reach the changes, go where the versions part, look around behind a
//! change, and everything in the order of `dart`.
//!
//! Each of the first three is an *arm*. While there is a change that no run has executed, every second of their turns
//! goes towards one. Which arm has the other turns is decided by success (the upper confidence bounds of
//! Auer et al. for bandits): its mean reward so far, and a bonus that grows while it waits, so none starves. A
//! run is worth most if it shows a kind of difference for the first time. The choice among arms depends on what was
//! found alone.
//!
//! The order of `dart` has half of all time, and is not changed by what else is found ([`crate::dart_order`]): so with one
//! worker, `auto` comes to what `dart` finds in about twice its time. (With more, the others wait while one tries a
//! spliced input.)
//!
//! Between flips come looks of propagation and spliced inputs ([`crate::splice`]). What these cost differs too
//! much for turns: they share the time ([`crate::shares`]), so the order of a search depends on the clock.

use crate::flip_queue::{Key, first};
use crate::path_tree::{Flip, FlipId, OpenFlip, PathTree};
use crate::reach::Reach;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a flip promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Promise {
    /// The new version decided something that the old one did not: another way makes them part.
    Parting,
    /// A change was executed before it.
    BehindChange,
    Nothing,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Arm {
    Reach,
    Parting,
    BehindChange,
}

const ARMS: [Arm; 3] = [Arm::Reach, Arm::Parting, Arm::BehindChange];

/// What an arm is taken to have won before its first turn: the first turns go from left to right.
const PRIOR: [f64; 3] = [1.0, 0.9, 0.5];
/// How much waiting counts.
const CURIOSITY: f64 = 0.2;

#[derive(Clone, Copy, Debug, Default)]
struct Score {
    turns: f64,
    reward: f64,
}

#[derive(Debug, Default)]
pub struct Auto {
    reach: Reach,
    /// For the arms other than [`Arm::Reach`].
    queues: [BinaryHeap<Reverse<(Key, FlipId)>>; 3],
    scores: [Score; 3],
    turns: f64,
    in_work: FxHashMap<Flip, Arm>,
}

impl Auto {
    pub fn new(changes: usize) -> Auto {
        Auto {
            reach: Reach::new(changes),
            ..Auto::default()
        }
    }

    pub fn reach(&mut self) -> &mut Reach {
        &mut self.reach
    }

    pub fn add(&mut self, id: FlipId, distances: &[(usize, u32)], promise: Promise, key: Key) {
        self.reach.add(id, distances, key);
        let arm = match promise {
            Promise::Parting => Arm::Parting,
            Promise::BehindChange => Arm::BehindChange,
            Promise::Nothing => return,
        };
        self.queues[arm as usize].push(Reverse((key, id)));
    }

    pub fn next(&mut self, tree: &mut PathTree) -> Option<(FlipId, OpenFlip)> {
        let mut order = ARMS;
        let value = |arm: Arm| {
            let score = &self.scores[arm as usize];
            let turns = score.turns + 1.0;
            let mean = (score.reward + PRIOR[arm as usize]) / turns;
            mean + CURIOSITY * ((1.0 + self.turns).ln() / turns).sqrt()
        };
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        if self.turns % 2.0 == 0.0 {
            order.sort_by_key(|&arm| arm != Arm::Reach);
        }
        for arm in order {
            let open = match arm {
                Arm::Reach => self.reach.next(tree),
                _ => first(&mut self.queues[arm as usize], tree),
            };
            if let Some((id, open)) = open {
                self.scores[arm as usize].turns += 1.0;
                self.turns += 1.0;
                self.in_work.insert(open.flip.clone(), arm);
                return Some((id, open));
            }
        }
        None
    }

    /// What the run of a flip was worth, between 0 and 1; may be told in parts.
    pub fn reward(&mut self, flip: &Flip, reward: f64) {
        if let Some(&arm) = self.in_work.get(flip) {
            self.scores[arm as usize].reward += reward;
        }
    }

    /// A flip was tried, and all its rewards were told.
    pub fn done(&mut self, flip: &Flip) {
        self.in_work.remove(flip);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_tree::{RunId, Target};
    use concolic_vm::CodeSite;
    use concolic_vm::symbolic::EventKind;

    fn offer(tree: &mut PathTree, event: u32) -> FlipId {
        let flip = Flip {
            run: RunId(0),
            event,
            alternative: 0,
            excluded: Vec::new(),
        };
        let target = Target {
            version: 0,
            site: CodeSite::NONE,
            kind: EventKind::Branch,
            way: Some(1),
        };
        tree.offer(flip, target).unwrap()
    }

    /// The arms take turns by what they have earned, and every flip has its turn in the end.
    #[test]
    fn success_decides_and_nothing_starves() {
        let mut tree = PathTree::default();
        tree.add_run(RunId(0), None);
        let mut auto = Auto::new(1);
        for event in 0..300 {
            let id = offer(&mut tree, event);
            let (distances, promise): (&[_], _) = match event % 3 {
                0 => (&[], Promise::Parting),
                1 => (&[], Promise::BehindChange),
                _ => (&[(0, 4)], Promise::Nothing),
            };
            auto.add(id, distances, promise, (0, u64::from(event)));
        }
        let mut order = Vec::new();
        while let Some((_, open)) = auto.next(&mut tree) {
            // Only what is behind a change pays.
            if open.flip.event % 3 == 1 {
                auto.reward(&open.flip, 1.0);
            }
            auto.done(&open.flip);
            order.push(open.flip.event);
        }
        assert_eq!(order.len(), 300);
        let count = |kind: u32| {
            order[..120]
                .iter()
                .filter(|&&event| event % 3 == kind)
                .count()
        };
        // Every second turn goes towards the change that was not reached.
        assert_eq!(count(2), 60);
        assert!(count(1) > 2 * count(0), "{} and {}", count(1), count(0));
        assert!(count(0) > 0);
    }
}
