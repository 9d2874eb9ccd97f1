//! The order of `dart`, kept as if nothing else searched.
//!
//! SAGE's refinement of DART: the flips of runs that showed something new, then those of their children, and so on by the number of
//! generations since there was news. New is code that no run entered before, and also a way taken more often than by
//! any run before: what is behind the last round of a loop covers nothing new until it is reached. Of the same generation
//! the latest run comes first, and of its flips the last, as in DART.
//!
//! A search that also takes flips out of this order finds runs before their turn. What they show must not count as
//! known yet: a run whose turn comes later would show nothing new, and its flips, which `dart` needs, would wait for
//! generations. So these runs are *ahead*. They are taken in when the turn of their flips comes, without being run
//! again. Then the search makes the runs that `dart` alone would make, in the same sequence, and what it does besides
//! costs it no more than that takes. (A run ahead may have another input than `dart` would have found for its flip.)
//!
//! Flips start from inputs of runs that were taken in ([`Bases`]), for the same reason.

use crate::bases::Bases;
use crate::path_tree::{Flip, FlipId, OpenFlip, PathTree, RunId, Step, Target};
use crate::reach::Key;
use concolic_vm::symbolic::Coverage;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// A number of times, the larger ones only by their magnitude: each is new once.
fn rounds(times: u32) -> u32 {
    const EXACT: u32 = 16;
    match times {
        0..=EXACT => times,
        _ => EXACT + times.ilog2() - EXACT.ilog2(),
    }
}

/// Ways that some run has taken, and how often at most, as [`rounds`].
#[derive(Debug, Default)]
pub struct Ways(FxHashMap<Target, u32>);

impl Ways {
    pub fn contains(&self, way: &Target) -> bool {
        self.0.contains_key(way)
    }

    /// Takes in how often a way was taken; whether that is more often than before, and whether it never was before.
    fn take_in(&mut self, way: Target, rounds: u32) -> (bool, bool) {
        let most = self.0.entry(way).or_default();
        let before = *most;
        *most = before.max(rounds);
        (rounds > before, before == 0)
    }

    /// What a run took more often than known.
    fn more(&self, path: &[Step]) -> FxHashMap<Target, u32> {
        let mut more: FxHashMap<Target, u32> = FxHashMap::default();
        for step in path {
            let (way, rounds) = (step.taken(), rounds(step.times));
            if self.0.get(&way).is_none_or(|&most| rounds > most) {
                let most = more.entry(way).or_default();
                *most = rounds.max(*most);
            }
        }
        more
    }

    /// Learns which ways a run took: how many of them more often than any before, and whether one is new.
    pub fn learn(&mut self, path: &[Step]) -> (u64, bool) {
        let mut all = (0, false);
        for step in path {
            let (more, new) = self.take_in(step.taken(), rounds(step.times));
            all = (all.0 + u64::from(more), all.1 | new);
        }
        all
    }
}

/// What a run has shown.
pub struct Sight<'r> {
    /// From the flipped event on.
    pub steps: &'r [Step],
    /// By version.
    pub coverage: Vec<&'r Coverage>,
    /// How many events its path has.
    pub length: usize,
    /// Whether flips may start from its input.
    pub is_whole: bool,
}

/// A run that is ahead: what it showed that was not known when it was over.
#[derive(Debug)]
struct Ahead {
    parent: Option<RunId>,
    ways: FxHashMap<Target, u32>,
    /// By version: operations.
    entered: Vec<Vec<u32>>,
    length: usize,
    is_whole: bool,
    flips: Vec<FlipId>,
}

#[derive(Debug, Default)]
pub struct DartOrder {
    queue: BinaryHeap<Reverse<(Key, FlipId)>>,
    sequence: u64,
    ways: Ways,
    /// By version.
    coverage: Vec<Coverage>,
    /// By run: how many generations ago there was news.
    generations: FxHashMap<RunId, u32>,
    bases: Bases,
    /// Flips that were taken before their turn.
    early: FxHashMap<FlipId, Flip>,
    /// Flips whose turn has come, and whose runs are not over.
    due: FxHashSet<Flip>,
    ahead: BTreeMap<RunId, Ahead>,
}

impl DartOrder {
    /// The next flip, taken out of the tree.
    pub fn next(&mut self, tree: &mut PathTree) -> Option<OpenFlip> {
        loop {
            let Some(Reverse((_, id))) = self.queue.pop() else {
                // Then all runs are as good as any.
                let (run, ahead) = self.ahead.pop_first()?;
                self.take_in(run, ahead, tree);
                continue;
            };
            if let Some(open) = tree.take(id) {
                self.due.insert(open.flip.clone());
                return Some(open);
            }
            // Others were settled, or need not be taken.
            let Some(flip) = self.early.remove(&id) else {
                continue;
            };
            let run = tree.child(&flip);
            match run.and_then(|run| Some((run, self.ahead.remove(&run)?))) {
                Some((run, ahead)) => self.take_in(run, ahead, tree),
                None => {
                    self.due.insert(flip);
                }
            }
        }
    }

    /// A flip was taken before its turn.
    pub fn taken_early(&mut self, id: FlipId, flip: &Flip) {
        self.early.insert(id, flip.clone());
    }

    /// A flip has its turn now.
    pub fn is_due(&mut self, flip: &Flip) {
        self.due.insert(flip.clone());
    }

    /// No run comes out of a flip.
    pub fn settled(&mut self, flip: &Flip) {
        self.due.remove(flip);
    }

    /// A run is over that came out of a flip; `flips` are the ways that it left open.
    pub fn add(
        &mut self,
        run: RunId,
        came_from: Option<&Flip>,
        sight: &Sight<'_>,
        flips: Vec<FlipId>,
        tree: &PathTree,
    ) {
        let is_due = came_from.is_none_or(|flip| self.due.remove(flip));
        self.coverage
            .resize(sight.coverage.len(), Coverage::default());
        let own = self.coverage.iter().zip(&sight.coverage);
        let ahead = Ahead {
            parent: came_from.map(|flip| flip.run),
            ways: self.ways.more(sight.steps),
            entered: own.map(|(own, seen)| own.missing(seen)).collect(),
            length: sight.length,
            is_whole: sight.is_whole,
            flips,
        };
        match is_due {
            true => self.take_in(run, ahead, tree),
            false => {
                self.ahead.insert(run, ahead);
            }
        }
    }

    fn take_in(&mut self, run: RunId, seen: Ahead, tree: &PathTree) {
        let mut is_new = false;
        for (way, rounds) in seen.ways {
            is_new |= self.ways.take_in(way, rounds).0;
        }
        for (own, entered) in self.coverage.iter_mut().zip(&seen.entered) {
            is_new |= own.add(entered);
        }
        let parent = seen.parent.and_then(|run| self.generations.get(&run));
        let generation = match is_new {
            true => 0,
            false => 1 + parent.copied().unwrap_or(0),
        };
        self.generations.insert(run, generation);
        let is_base = is_new && seen.is_whole;
        self.bases.add(run, seen.length, is_base, tree);
        for id in seen.flips {
            self.sequence += 1;
            let key = (u64::from(generation), u64::MAX - self.sequence);
            self.queue.push(Reverse((key, id)));
        }
    }

    /// The run from whose input a flip starts.
    pub fn base(&self, flip: &Flip) -> RunId {
        self.bases.of(flip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::SplitMix;
    use crate::path_tree::tests::flip;
    use concolic_vm::CodeSite;
    use concolic_vm::symbolic::EventKind;

    /// A program made up as it is run: where a path goes depends on the flips that led to it alone.
    #[derive(Default)]
    struct Bench {
        tree: PathTree,
        order: DartOrder,
        /// By run: what its flips were.
        paths: Vec<Vec<u32>>,
        /// Flips that were offered.
        offered: Vec<FlipId>,
    }

    impl Bench {
        fn new() -> Bench {
            let mut bench = Bench::default();
            bench.run(None);
            bench
        }

        fn path(&self, flip: &Flip) -> Vec<u32> {
            let mut path = self.paths[flip.run.0 as usize].clone();
            path.push(flip.event);
            path
        }

        fn run(&mut self, came_from: Option<&Flip>) {
            let run = RunId(self.paths.len() as u32);
            let path = came_from.map_or(Vec::new(), |flip| self.path(flip));
            let seed = path
                .iter()
                .fold(1, |seed, &event| seed * 31 + u64::from(event));
            let mut random = SplitMix(seed);
            let first = came_from.map_or(0, |flip| flip.event + 1);
            let length = first + 1 + random.below(5) as u32;
            self.tree.add_run(run, came_from);
            let target = |random: &mut SplitMix| Target {
                version: 0,
                site: CodeSite {
                    function: 0,
                    pc: random.below(12) as u32,
                },
                kind: EventKind::Branch,
                way: Some(random.below(2) as u64),
            };
            let (mut steps, mut flips) = (Vec::new(), Vec::new());
            for event in first..length {
                let taken = target(&mut random);
                steps.push(Step {
                    version: 0,
                    site: taken.site,
                    kind: taken.kind,
                    way: taken.way.unwrap(),
                    times: 1 + random.below(3) as u32,
                    others: Vec::new(),
                });
                let other = self.tree.offer(flip(run.0, event), taken);
                flips.extend(other);
            }
            let mut coverage = Coverage::default();
            coverage.add(&[random.below(60) as u32]);
            let sight = Sight {
                steps: &steps,
                coverage: vec![&coverage],
                length: length as usize,
                is_whole: true,
            };
            self.offered.extend(&flips);
            self.paths.push(path);
            self.order.add(run, came_from, &sight, flips, &self.tree);
        }

        /// Takes a flip in the order; the path behind it.
        fn next(&mut self) -> Option<Vec<u32>> {
            let flip = self.order.next(&mut self.tree)?.flip;
            self.run(Some(&flip));
            Some(self.path(&flip))
        }

        /// Takes some flip out of it.
        fn early(&mut self, random: &mut SplitMix) -> Option<Vec<u32>> {
            let id = self.offered[random.below(self.offered.len())];
            let flip = self.tree.take(id)?.flip;
            self.order.taken_early(id, &flip);
            self.run(Some(&flip));
            Some(self.path(&flip))
        }
    }

    #[test]
    fn what_else_is_searched_does_not_change_the_order() {
        let mut alone = Bench::new();
        let alone: Vec<_> = std::iter::from_fn(|| alone.next()).take(300).collect();
        for seed in 0..50 {
            let mut random = SplitMix(seed);
            let mut bench = Bench::new();
            let mut early = FxHashSet::default();
            let mut rest = alone.iter();
            while rest.len() > 0 {
                early.extend((0..random.below(4)).filter_map(|_| bench.early(&mut random)));
                // What was run before is not run again.
                let wanted = rest.by_ref().find(|&path| !early.contains(path));
                if let Some(wanted) = wanted {
                    assert_eq!(bench.next().as_ref(), Some(wanted));
                }
            }
            assert!(early.iter().filter(|path| alone.contains(path)).count() > 10);
        }
    }

    #[test]
    fn runs_ahead_are_taken_in_at_the_latest_when_there_is_nothing_else() {
        let mut bench = Bench::new();
        while let Some(open) = bench.order.next(&mut bench.tree) {
            // No input goes the way of any of them.
            bench.order.settled(&open.flip);
        }
        // One of a flip that is not known.
        bench.run(Some(&flip(0, 90)));
        assert!(bench.next().is_some());
    }

    #[test]
    fn another_round_of_a_loop_is_news_once() {
        let mut ways = Ways::default();
        let path = |rounds: u32| -> Vec<Step> {
            let step = |times| Step {
                version: 0,
                site: CodeSite::NONE,
                kind: EventKind::Branch,
                way: 1,
                times,
                others: Vec::new(),
            };
            (1..=rounds).map(step).collect()
        };
        assert_eq!(ways.learn(&path(2)), (2, true));
        assert_eq!(ways.learn(&path(2)), (0, false));
        assert_eq!(ways.learn(&path(3)), (1, false));
        assert!(ways.learn(&path(1000)).0 > 0);
        assert_eq!(ways.learn(&path(1001)), (0, false));
        assert!(ways.learn(&path(2000)).0 > 0);
    }
}
