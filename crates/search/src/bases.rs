//! From which input a flip starts: whatever its conditions leave open stays as it is there.
//!
//! Of the flipped run and the runs that go with it beyond the flipped event, the one with the longest path. A
//! program takes its input piece by piece, so a long path has accepted more of it, and behind the flip
//! the program is likely to accept that too. The latest run would be a poor choice: it may well be one that was refused.
//!
//! Only runs that showed something new are looked at. Of a path of which only what matters is kept (`relevance`), only that counts.

use crate::path_tree::{Flip, PathTree, RunId};
use rustc_hash::FxHashMap;

#[derive(Debug, Default)]
pub(crate) struct Bases {
    /// By run: how many events its path has.
    lengths: Vec<u32>,
    /// By run: of its descendants with news those that are the best for some event. The later ones in the list hang
    /// earlier, and are at least as long.
    descendants: FxHashMap<RunId, Vec<Descendant>>,
}

#[derive(Clone, Copy, Debug)]
struct Descendant {
    run: RunId,
    /// The event of the run at which it or its ancestor hangs.
    event: u32,
    length: u32,
}

impl Bases {
    /// Takes in a run that hangs in the tree, and whether it may be a base for others.
    pub(crate) fn add(&mut self, run: RunId, length: usize, is_base: bool, tree: &PathTree) {
        let place = run.0 as usize;
        let length = length as u32;
        if self.lengths.len() <= place {
            self.lengths.resize(place + 1, 0);
        }
        self.lengths[place] = length;
        let mut at = run;
        while let Some((ancestor, event)) = tree.parent(at).filter(|_| is_base) {
            let known = self.descendants.entry(ancestor).or_default();
            let behind = known.partition_point(|other| other.event >= event);
            let better = known[..behind].last();
            // The better one is better for the further ancestors too.
            if better.is_some_and(|other| other.length > length) {
                break;
            }
            // It stands in for those that hang no later and are no longer.
            let first = known.partition_point(|other| other.event > event);
            let worse = known[first..].partition_point(|other| other.length <= length);
            let descendant = Descendant { run, event, length };
            known.splice(first..first + worse, [descendant]);
            at = ancestor;
        }
    }

    /// The run whose input is the best start.
    pub(crate) fn of(&self, flip: &Flip) -> RunId {
        let own = self.lengths.get(flip.run.0 as usize).copied();
        let known = self.descendants.get(&flip.run);
        let known = known.map_or(&[][..], Vec::as_slice);
        let beyond = known.partition_point(|other| other.event > flip.event);
        match known[..beyond].last() {
            Some(best) if Some(best.length) >= own => best.run,
            _ => flip.run,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_tree::tests::flip;
    use inputs::SplitMix;

    #[derive(Default)]
    struct Bench {
        tree: PathTree,
        bases: Bases,
        /// By run: where it hangs, and how long its path is.
        runs: Vec<(Option<(u32, u32)>, u32)>,
    }

    impl Bench {
        fn run(&mut self, from: Option<(u32, u32)>, length: u32) {
            let run = RunId(self.runs.len() as u32);
            let came_from = from.map(|(run, event)| flip(run, event));
            self.tree.add_run(run, came_from.as_ref());
            self.bases.add(run, length as usize, true, &self.tree);
            self.runs.push((from, length));
        }

        fn base(&self, run: u32, event: u32) -> u32 {
            self.bases.of(&flip(run, event)).0
        }

        /// Whether a run goes with another one beyond an event.
        fn goes_with(&self, mut run: u32, other: u32, event: u32) -> bool {
            while run > other {
                let (Some((parent, at)), _) = self.runs[run as usize] else {
                    return false;
                };
                if parent == other {
                    return at > event;
                }
                run = parent;
            }
            run == other
        }
    }

    #[test]
    fn the_longest_path_beyond_the_event() {
        let mut bench = Bench::default();
        bench.run(None, 10);
        bench.run(Some((0, 4)), 30);
        bench.run(Some((0, 6)), 20);
        bench.run(Some((0, 2)), 8);
        bench.run(Some((1, 9)), 40);
        // It is refused early.
        bench.run(Some((1, 8)), 12);
        assert_eq!([1, 3].map(|event| bench.base(0, event)), [4, 4]);
        assert_eq!([4, 5].map(|event| bench.base(0, event)), [2, 2]);
        assert_eq!([6, 9].map(|event| bench.base(0, event)), [0, 0]);
        assert_eq!([7, 8, 9].map(|event| bench.base(1, event)), [4, 4, 1]);
        assert_eq!(bench.base(3, 5), 3);
    }

    /// Against looking at all runs.
    #[test]
    fn no_other_run_is_better() {
        let mut random = SplitMix(7);
        for _ in 0..200 {
            let mut bench = Bench::default();
            bench.run(None, 1 + random.below(9) as u32);
            for number in 1..30 {
                let parent = random.below(number) as u32;
                let event = random.below(6) as u32;
                bench.run(Some((parent, event)), 1 + random.below(9) as u32);
            }
            for (run, event) in (0..30).flat_map(|run| (0..6).map(move |event| (run, event))) {
                let fits = (run..30).filter(|&other| bench.goes_with(other, run, event));
                let best = fits.max_by_key(|&other| (bench.runs[other as usize].1, other));
                assert_eq!(Some(bench.base(run, event)), best, "{run} at {event}");
            }
        }
    }
}
