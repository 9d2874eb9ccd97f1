//! Reaching the changes (Qi, Roychoudhury and Liang, §3.1, Algorithm 1): of all ways that lie open, the one whose
//! branch is nearest to a change in the inter-procedural control-dependence graph.
//!
//! - Each change that no run has executed yet has its own queue, and the changes take turns.
//! - In a loop the same branch comes up again and again at the same distance. So, unlike in the paper, a way counts
//!   as farther each time it was tried for the same change: the next nearest has its turn too.
//! - "Flips whose condition does not depend on input are never sent to the solver" (§4.2) holds by itself: only
//!   such conditions are events.
//! - Correlated branches (§4.3, first kind): conditions unrelated to the flipped one are left out of the query
//!   (`worker::relevant`).
//! - An untainted guard (§4.3, second kind) is no event and cannot be flipped. The branches that its
//!   operands depend on stand in for it (`guards`).
//! - Beyond the paper, *transitive conflicts*: when no input goes a way, the branches on the path before it that
//!   look at the same bytes are in its way. Other ways out of these are queued with its distance, one farther. Those
//!   of them that prove impossible hand it on in turn.

use crate::flip_queue::Key;
use crate::path_tree::{Flip, FlipId, OpenFlip, PathTree, Target};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How much farther a way is for each time it was tried.
const TRIED: u32 = 2;
/// Conflicts are not handed on further than this.
const FARTHEST: u32 = 1 << 10;

/// How far a flip was when it was queued, its key and itself, and how far its branch is.
type Queued = (u32, Key, FlipId, u32);

/// The open flips towards changes that were not reached yet.
#[derive(Debug, Default)]
pub struct Reach {
    /// By change.
    queues: Vec<BinaryHeap<Reverse<Queued>>>,
    /// How often a way was tried for a change.
    tried: FxHashMap<(usize, Target), u32>,
    reached: Vec<bool>,
    /// Whose turn it is.
    turn: usize,
    /// Flips that are being tried: for which change, at which distance.
    in_work: FxHashMap<Flip, (usize, u32)>,
}

impl Reach {
    pub fn new(changes: usize) -> Reach {
        Reach {
            queues: vec![BinaryHeap::new(); changes],
            reached: vec![false; changes],
            ..Reach::default()
        }
    }

    /// Queues a flip for each change that it may lead to.
    pub fn add(&mut self, id: FlipId, distances: &[(usize, u32)], key: Key) {
        for &(change, distance) in distances {
            if !self.reached[change] {
                self.queues[change].push(Reverse((distance, key, id, distance)));
            }
        }
    }

    /// Whether there is a change that no run has executed.
    pub fn misses_a_change(&self) -> bool {
        self.reached.contains(&false)
    }

    /// Notes changes that a run executed; how many of them no run had executed before.
    pub fn reached(&mut self, changes: &[usize]) -> usize {
        let mut new = 0;
        for &change in changes {
            if !std::mem::replace(&mut self.reached[change], true) {
                self.queues[change] = BinaryHeap::new();
                new += 1;
            }
        }
        new
    }

    pub fn next(&mut self, tree: &mut PathTree) -> Option<(FlipId, OpenFlip)> {
        for _ in 0..self.queues.len() {
            let change = self.turn;
            self.turn = (self.turn + 1) % self.queues.len();
            while let Some(Reverse((queued, key, id, distance))) = self.queues[change].pop() {
                let Some(open) = tree.peek(id) else {
                    continue;
                };
                let tried = self.tried.entry((change, open.target)).or_default();
                let now = distance + TRIED * *tried;
                if now > queued {
                    self.queues[change].push(Reverse((now, key, id, distance)));
                    continue;
                }
                *tried += 1;
                let open = tree.take(id).expect("it was just seen");
                self.in_work.insert(open.flip.clone(), (change, distance));
                return Some((id, open));
            }
        }
        None
    }

    /// A flip was tried and led to a run.
    pub fn done(&mut self, flip: &Flip) {
        self.in_work.remove(flip);
    }

    /// A flip proved impossible; `in_its_way` are open flips at branches that it conflicts with.
    pub fn infeasible(&mut self, flip: &Flip, in_its_way: &[FlipId], key: Key) {
        let Some((change, distance)) = self.in_work.remove(flip) else {
            return;
        };
        if self.reached[change] || distance >= FARTHEST {
            return;
        }
        for &id in in_its_way {
            let farther = distance + 1;
            self.queues[change].push(Reverse((farther, key, id, farther)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_tree::RunId;
    use concolic_vm::CodeSite;
    use concolic_vm::symbolic::EventKind;

    struct Bench {
        tree: PathTree,
        reach: Reach,
    }

    impl Bench {
        fn new(changes: usize) -> Bench {
            let mut tree = PathTree::default();
            tree.add_run(RunId(0), None);
            let reach = Reach::new(changes);
            Bench { tree, reach }
        }

        fn add(&mut self, event: u32, distances: &[(usize, u32)]) {
            let flip = Flip {
                run: RunId(0),
                event,
                alternative: 0,
                excluded: Vec::new(),
            };
            let target = Target {
                version: 0,
                site: CodeSite {
                    function: 0,
                    pc: event,
                },
                kind: EventKind::Branch,
                way: Some(1),
            };
            let id = self.tree.offer(flip, target).unwrap();
            self.reach.add(id, distances, (0, u64::from(event)));
        }

        fn next(&mut self) -> Option<Flip> {
            Some(self.reach.next(&mut self.tree)?.1.flip)
        }
    }

    #[test]
    fn the_nearest_flip_of_each_change_in_turn() {
        let mut bench = Bench::new(2);
        bench.add(0, &[(0, 5)]);
        bench.add(1, &[(0, 3), (1, 9)]);
        bench.add(2, &[(1, 7)]);
        bench.add(3, &[]);
        let order: Vec<u32> = std::iter::from_fn(|| Some(bench.next()?.event)).collect();
        // Of the first change, then of the second, and so on; what leads to none is not its business.
        assert_eq!(order, [1, 2, 0]);
    }

    #[test]
    fn a_change_that_was_reached_has_no_more_turns() {
        let mut bench = Bench::new(2);
        bench.add(0, &[(0, 1)]);
        bench.add(1, &[(1, 2)]);
        assert_eq!(bench.reach.reached(&[0]), 1);
        assert_eq!(bench.reach.reached(&[0]), 0);
        assert_eq!(bench.next().map(|flip| flip.event), Some(1));
        assert_eq!(bench.next(), None);
    }

    #[test]
    fn what_is_in_the_way_of_an_impossible_flip_takes_over_its_distance() {
        let mut bench = Bench::new(1);
        bench.add(4, &[]);
        bench.add(5, &[(0, 9)]);
        bench.add(6, &[(0, 2)]);
        let nearest = bench.next().unwrap();
        assert_eq!(nearest.event, 6);
        let in_its_way = bench.tree.open_at(RunId(0), 4);
        bench.reach.infeasible(&nearest, &in_its_way, (0, 0));
        let order: Vec<u32> = std::iter::from_fn(|| Some(bench.next()?.event)).collect();
        assert_eq!(order, [4, 5]);
    }
}
