//! The order of `dart`, kept as if nothing else searched.
//!
//! It is SAGE's refinement of DART: the flips of runs that showed something new, then those of their children, and so
//! on by the number of generations since there was news. New is code that no run entered before, and also a way taken
//! more often than by any run before: what is behind the last round of a loop covers nothing new until it is reached.
//! Of the same generation the latest run comes first, and of its flips the last, as in DART.
//!
//! A search that also takes flips out of this order finds runs before their turn. What they show must not count as
//! known yet: a run whose turn comes later would show nothing new, and its flips, which `dart` needs, would wait for
//! generations. So these runs are *ahead*. They are taken in when the turn of their flips comes, without being run
//! again. So flips have their turns in the order that they would have if nothing else was searched. They start from
//! inputs of runs that were taken in.
//!
//! The order is that of `dart` alone up to this:
//! - A run ahead may have another input than `dart` would have found for its flip, and what the solver has seen before
//!   may make it give another input.
//! - A way that is pruned is not run, so it shows nothing and is no base.
//! - A flip that was too hard for the solver at first is tried later from the best of all runs.
//! - Seeds, inputs suggested by a proof and runs of an earlier session are taken in at once.
//! - When no flip waits, all runs ahead are taken in, also while others are still at work on a flip that is due.

use crate::bases::Bases;
use crate::flip_queue::Key;
use crate::path_tree::{Flip, FlipId, OpenFlip, PathStep, PathTree, RunId, Target};
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
    fn more(&self, path: &[PathStep]) -> FxHashMap<Target, u32> {
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
    pub fn learn(&mut self, path: &[PathStep]) -> (u64, bool) {
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
    pub steps: &'r [PathStep],
    /// By version.
    pub coverage: Vec<&'r Coverage>,
    /// How many events its path has.
    pub length: usize,
    /// Whether flips may start from its input.
    pub is_whole: bool,
}

/// What a run that is over showed that is not known. Of one that is ahead, also not from the runs that it comes from.
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

impl Ahead {
    fn is_empty(&self) -> bool {
        self.ways.is_empty() && self.entered.iter().all(Vec::is_empty)
    }

    /// Leaves out what another run has shown.
    fn leave_out(&mut self, other: &Ahead) {
        self.ways
            .retain(|way, rounds| other.ways.get(way).is_none_or(|most| most < rounds));
        for (own, other) in self.entered.iter_mut().zip(&other.entered) {
            own.retain(|operation| other.binary_search(operation).is_err());
        }
    }
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
    pub fn give_turn(&mut self, flip: &Flip) {
        self.due.insert(flip.clone());
    }

    /// No run comes out of a flip, which was taken before its turn if it has a number.
    pub fn settled(&mut self, flip: &Flip, early: Option<FlipId>) {
        self.due.remove(flip);
        if let Some(id) = early {
            self.early.remove(&id);
        }
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
        let mut seen = Ahead {
            parent: came_from.map(|flip| flip.run),
            ways: self.ways.more(sight.steps),
            entered: own.map(|(own, seen)| own.missing(seen)).collect(),
            length: sight.length,
            is_whole: sight.is_whole,
            flips,
        };
        if is_due {
            return self.take_in(run, seen, tree);
        }
        // Those that it comes from are taken in before it.
        let mut from = seen.parent.and_then(|run| self.ahead.get(&run));
        while let Some(before) = from.filter(|_| !seen.is_empty()) {
            seen.leave_out(before);
            from = before.parent.and_then(|run| self.ahead.get(&run));
        }
        self.ahead.insert(run, seen);
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
    use crate::path_tree::tests::flip;
    use concolic_vm::CodeSite;
    use concolic_vm::symbolic::EventKind;
    use inputs::SplitMix;

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
            let step = |seed: u64, &event: &u32| seed.wrapping_mul(31).wrapping_add(event.into());
            let seed = path.iter().fold(1, step);
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
                steps.push(PathStep {
                    version: 0,
                    site: taken.site,
                    kind: taken.kind,
                    way: taken.way.unwrap(),
                    times: 1 + random.below(3) as u32,
                    others: Vec::new(),
                    twin: None,
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
            bench.order.settled(&open.flip, None);
        }
        // One of a flip that is not known.
        bench.run(Some(&flip(0, 90)));
        assert!(bench.next().is_some());
    }

    #[test]
    fn by_generations_and_the_latest_first() {
        let step = |pc: u32| PathStep {
            version: 0,
            site: CodeSite { function: 0, pc },
            kind: EventKind::Branch,
            way: 1,
            times: 1,
            others: Vec::new(),
            twin: None,
        };
        let mut tree = PathTree::default();
        let mut order = DartOrder::default();
        let mut numbers = Vec::new();
        let mut run = |order: &mut DartOrder, tree: &mut PathTree, from: Option<&Flip>, pc: u32| {
            let run = RunId(numbers.len() as u32);
            tree.add_run(run, from);
            let first = from.map_or(0, |flip| flip.event + 1);
            let target = step(pc).taken();
            let flips = [first, first + 1].map(|event| tree.offer(flip(run.0, event), target));
            let sight = Sight {
                steps: &[step(pc)],
                coverage: Vec::new(),
                length: first as usize + 2,
                is_whole: true,
            };
            order.add(
                run,
                from,
                &sight,
                flips.into_iter().flatten().collect(),
                tree,
            );
            numbers.push(run);
        };
        run(&mut order, &mut tree, None, 0);
        let mut turns = Vec::new();
        // The first run after it shows something new, the others nothing.
        while turns.len() < 7 {
            let flip = order.next(&mut tree).unwrap().flip;
            run(&mut order, &mut tree, Some(&flip), turns.is_empty().into());
            turns.push((flip.run.0, flip.event));
        }
        let news = [(0, 1), (1, 3), (1, 2), (0, 0)];
        let children = [(4, 2), (4, 1), (3, 4)];
        assert_eq!(turns, [&news[..], &children].concat());
    }

    /// Before the turn of its flip, at it while it is in work, and after it proved impossible.
    #[test]
    fn flips_that_are_taken_early() {
        let mut bench = Bench::new();
        let [first, .., last] = bench.offered[..] else {
            panic!("the first run offers several flips");
        };
        let early = bench.tree.take(last).unwrap().flip;
        bench.order.taken_early(last, &early);
        let impossible = bench.tree.take(first).unwrap().flip;
        bench.order.taken_early(first, &impossible);
        bench.order.settled(&impossible, Some(first));
        while let Some(open) = bench.order.next(&mut bench.tree) {
            bench.order.settled(&open.flip, None);
        }
        assert_eq!(bench.order.due, FxHashSet::from_iter([early.clone()]));
        bench.run(Some(&early));
        // It was due, so it was taken in at once.
        assert!(bench.order.due.is_empty() && bench.order.ahead.is_empty());
        assert!(bench.order.early.is_empty());
        assert!(bench.next().is_some());
    }

    #[test]
    fn another_round_of_a_loop_is_news_once() {
        let mut ways = Ways::default();
        let path = |rounds: u32| -> Vec<PathStep> {
            let step = |times| PathStep {
                version: 0,
                site: CodeSite::NONE,
                kind: EventKind::Branch,
                way: 1,
                times,
                others: Vec::new(),
                twin: None,
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
