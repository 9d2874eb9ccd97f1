//! Which flip is next. A strategy orders flips and executes nothing, so all strategies search the same
//! tree and, left to the end, find the same paths. (`random` alone takes no flips, and comes to no end.)

use crate::auto::{Auto, Promise};
use crate::path_tree::{Flip, FlipId, OpenFlip, PathTree, Step, Target};
use crate::reach::{Key, Reach};
use concolic_vm::symbolic::EventKind;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Generational (SAGE's refinement of DART): the flips of runs that showed something new, then those of
    /// their children, and so on by the number of generations since there was news. New is code
    /// that no run entered before, and also a way taken more often than by any run before: what is
    /// behind the last round of a loop covers nothing new until it is reached. Of the same
    /// generation the latest run comes first, and of its flips the last, as in DART.
    ///
    /// With pruning the change is known: then every second turn goes to flips that a change was executed before, or that
    /// make the versions part, in the same order.
    #[default]
    Dart,
    /// The deepest flip of the latest run.
    Dfs,
    /// The flip after the fewest events.
    Bfs,
    /// A walk from the root that takes each way with the same probability, so short paths and rare
    /// ways are not starved by loops.
    RandomPath,
    /// Flips towards ways that no run has taken, least tried first.
    Coverage,
    /// Towards changes that no run has executed; see [`crate::reach`]. Then as `dart`.
    Reach,
    /// All that helps to find differences, by turns; see [`crate::auto`].
    Auto,
    /// Random inputs, without a solver; see [`crate::random`].
    Random,
}

impl Strategy {
    /// Those that search any tree of paths.
    pub const ALL: [Strategy; 5] = [
        Strategy::Dart,
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::RandomPath,
        Strategy::Coverage,
    ];

    /// Those that need a change to aim at.
    pub const CHANGE_DIRECTED: [Strategy; 2] = [Strategy::Reach, Strategy::Auto];

    pub fn is_change_directed(self) -> bool {
        Strategy::CHANGE_DIRECTED.contains(&self)
    }

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Dart => "dart",
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::RandomPath => "random-path",
            Strategy::Coverage => "coverage",
            Strategy::Reach => "reach",
            Strategy::Auto => "auto",
            Strategy::Random => "random",
        }
    }
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Strategy {
    type Err = String;

    fn from_str(text: &str) -> Result<Strategy, String> {
        let all = Strategy::ALL.into_iter().chain(Strategy::CHANGE_DIRECTED);
        let mut all = all.chain([Strategy::Random]);
        let found = all.clone().find(|strategy| strategy.name() == text);
        found.ok_or_else(|| {
            let names: Vec<&str> = all.by_ref().map(Strategy::name).collect();
            let names = names.join(", ");
            format!("no strategy is called `{text}`; there are {names}")
        })
    }
}

/// What a run has shown that none before it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// Blocks that it entered first.
    pub blocks: u64,
    /// Whether it took a way first.
    pub way: bool,
    /// Ways that it took more often.
    pub rounds: u64,
    /// How many generations ago there was news: 0 for a run with news of its own.
    pub generations: u32,
}

impl News {
    pub fn is_some(&self) -> bool {
        self.blocks > 0 || self.way || self.rounds > 0
    }
}

/// A number of times, the larger ones only by their magnitude: each is new once.
fn rounds(times: u32) -> u32 {
    const EXACT: u32 = 16;
    match times {
        0..=EXACT => times,
        _ => EXACT + times.ilog2() - EXACT.ilog2(),
    }
}

/// What is known of a flip with regard to the changes.
#[derive(Clone, Copy, Debug)]
pub struct Prospect<'p> {
    /// How far it is from each change that it can lead to.
    pub distances: &'p [(usize, u32)],
    pub promise: Promise,
}

impl Prospect<'_> {
    pub const NONE: Prospect<'static> = Prospect {
        distances: &[],
        promise: Promise::Nothing,
    };
}

/// The open flips in the order of a strategy.
#[derive(Debug)]
pub struct Frontier {
    strategy: Strategy,
    queue: BinaryHeap<Reverse<(Key, FlipId)>>,
    /// With `dart`: those of them that a change was executed before, or that make the versions part, if that is known.
    promising: BinaryHeap<Reverse<(Key, FlipId)>>,
    promising_is_next: bool,
    sequence: u64,
    random: SplitMix,
    /// Ways that some run has taken, and how often at most, as [`rounds`].
    taken: FxHashMap<Target, u32>,
    targets: Targets,
    reach: Reach,
    auto: Auto,
}

impl Frontier {
    pub fn new(strategy: Strategy, seed: u64) -> Frontier {
        Frontier {
            strategy,
            queue: BinaryHeap::new(),
            promising: BinaryHeap::new(),
            promising_is_next: true,
            sequence: 0,
            random: SplitMix(seed),
            taken: FxHashMap::default(),
            targets: Targets::default(),
            reach: Reach::default(),
            auto: Auto::default(),
        }
    }

    /// Sets how many changes there are to aim at, before the first flip.
    pub fn aim_at(&mut self, changes: usize) {
        self.reach = Reach::new(changes);
        self.auto = Auto::new(changes);
    }

    /// Whether what was learned decides the order.
    pub fn learns(&self) -> bool {
        !matches!(self.strategy, Strategy::Dfs | Strategy::Bfs)
    }

    /// Learns which ways a run took, and tells what is new about it.
    pub fn learn(&mut self, path: &[Step]) -> News {
        let mut news = News::default();
        for step in path {
            let most = self.taken.entry(step.taken()).or_default();
            news.way |= *most == 0;
            if rounds(step.times) > *most {
                *most = rounds(step.times);
                news.rounds += 1;
            }
        }
        news
    }

    /// Queues a flip of a run with something new about it.
    pub fn add(&mut self, id: FlipId, open: &OpenFlip, news: News, prospect: Prospect<'_>) {
        let by_generation = self.by_generation(news);
        let key = match self.strategy {
            Strategy::Dart => {
                self.promise(id, by_generation, prospect.promise);
                by_generation
            }
            Strategy::Reach => {
                self.reach.add(id, prospect.distances, by_generation);
                by_generation
            }
            Strategy::Auto => {
                let Prospect { distances, promise } = prospect;
                return self.auto.add(id, distances, promise, by_generation);
            }
            Strategy::Dfs => (0, u64::MAX - self.sequence),
            Strategy::Bfs => (u64::from(open.flip.event), self.sequence),
            Strategy::RandomPath | Strategy::Random => return,
            Strategy::Coverage => return self.targets.add(id, open.target, &self.taken),
        };
        self.queue.push(Reverse((key, id)));
    }

    /// Learns what a flip promises that was queued before that was known.
    pub fn add_promise(&mut self, id: FlipId, news: News, promise: Promise) {
        if self.strategy == Strategy::Dart {
            let key = self.by_generation(news);
            self.promise(id, key, promise);
        }
    }

    fn promise(&mut self, id: FlipId, key: Key, promise: Promise) {
        if promise != Promise::Nothing {
            self.promising.push(Reverse((key, id)));
        }
    }

    fn by_generation(&mut self, news: News) -> Key {
        self.sequence += 1;
        (u64::from(news.generations), u64::MAX - self.sequence)
    }

    /// The next flip, taken out of the tree.
    pub fn next(&mut self, tree: &mut PathTree) -> Option<OpenFlip> {
        let by_target = match self.strategy {
            Strategy::RandomPath => {
                let random = &mut self.random;
                let id = tree.random_descent(|count| random.below(count))?;
                return tree.take(id);
            }
            Strategy::Auto => return self.auto.next(tree),
            Strategy::Random => return None,
            Strategy::Reach => {
                let nearest = self.reach.next(tree);
                if nearest.is_some() {
                    return nearest;
                }
                false
            }
            Strategy::Coverage => true,
            Strategy::Dart | Strategy::Dfs | Strategy::Bfs => false,
        };
        if by_target {
            let id = self.targets.next(tree, &self.taken)?;
            return tree.take(id);
        }
        self.promising_is_next = !self.promising_is_next;
        if !self.promising_is_next
            && let Some(open) = first(&mut self.promising, tree)
        {
            return Some(open);
        }
        first(&mut self.queue, tree)
    }
}

impl Frontier {
    fn reaching(&mut self) -> &mut Reach {
        match self.strategy {
            Strategy::Auto => self.auto.reach(),
            _ => &mut self.reach,
        }
    }

    /// Notes changes that a run executed; how many of them no run had executed before.
    pub fn reached(&mut self, changes: &[usize]) -> usize {
        self.reaching().reached(changes)
    }

    /// Whether there is a change that no run has executed.
    pub fn misses_a_change(&mut self) -> bool {
        self.reaching().misses_a_change()
    }

    /// What the run of a flip was worth, between 0 and 1; may be told in parts.
    pub fn reward(&mut self, flip: &Flip, reward: f64) {
        self.auto.reward(flip, reward);
    }

    /// A flip was tried, and all its rewards were told.
    pub fn done(&mut self, flip: &Flip) {
        self.reaching().done(flip);
        self.auto.done(flip);
    }

    /// A flip proved impossible; `in_its_way` are open flips at branches that it conflicts with.
    pub fn infeasible(&mut self, flip: &Flip, in_its_way: &[FlipId]) {
        let key = (0, u64::MAX - self.sequence);
        self.reaching().infeasible(flip, in_its_way, key);
        self.auto.done(flip);
    }

    /// Whether distances from changes, and what impossible flips conflict with, matter.
    pub fn is_change_directed(&self) -> bool {
        self.strategy.is_change_directed()
    }
}

/// Takes the first flip of a queue that is still open.
fn first(queue: &mut BinaryHeap<Reverse<(Key, FlipId)>>, tree: &mut PathTree) -> Option<OpenFlip> {
    while let Some(Reverse((_, id))) = queue.pop() {
        if let Some(open) = tree.take(id) {
            return Some(open);
        }
    }
    None
}

/// Flips by where they lead, so that each target has its turn: a target that few runs reach is not starved
/// by those that every run has many flips to.
#[derive(Debug, Default)]
struct Targets {
    numbers: FxHashMap<Target, usize>,
    queues: Vec<TargetQueue>,
    /// The targets that have flips, by [`TargetQueue::priority`].
    order: BinaryHeap<Reverse<(u64, usize)>>,
}

#[derive(Debug)]
struct TargetQueue {
    target: Target,
    /// In the order of their discovery.
    flips: VecDeque<FlipId>,
    /// How many were handed out.
    tried: u64,
}

impl TargetQueue {
    /// Branches that no run has taken first, then other new ways such as a pointer that leaves its
    /// object, then the rest; each by the number of attempts. Smaller comes first.
    fn priority(&self, taken: &FxHashMap<Target, u32>) -> u64 {
        let is_branch = matches!(self.target.kind, EventKind::Branch | EventKind::Switch);
        let rank = match taken.contains_key(&self.target) {
            true => 2,
            false => u64::from(!is_branch),
        };
        self.tried + 4 * rank
    }
}

impl Targets {
    fn add(&mut self, id: FlipId, target: Target, taken: &FxHashMap<Target, u32>) {
        let number = *self.numbers.entry(target).or_insert(self.queues.len());
        if number == self.queues.len() {
            self.queues.push(TargetQueue {
                target,
                flips: VecDeque::new(),
                tried: 0,
            });
        }
        let queue = &mut self.queues[number];
        queue.flips.push_back(id);
        if queue.flips.len() == 1 {
            self.order.push(Reverse((queue.priority(taken), number)));
        }
    }

    /// A flip that is still open.
    fn next(&mut self, tree: &PathTree, taken: &FxHashMap<Target, u32>) -> Option<FlipId> {
        loop {
            let Reverse((priority, number)) = self.order.pop()?;
            let queue = &mut self.queues[number];
            while queue
                .flips
                .front()
                .is_some_and(|&id| tree.peek(id).is_none())
            {
                queue.flips.pop_front();
            }
            // What was new when it was queued may not be any more.
            let now = queue.priority(taken);
            if now > priority && !queue.flips.is_empty() {
                self.order.push(Reverse((now, number)));
                continue;
            }
            let Some(id) = queue.flips.pop_front() else {
                continue;
            };
            queue.tried += 1;
            if !queue.flips.is_empty() {
                self.order.push(Reverse((queue.priority(taken), number)));
            }
            return Some(id);
        }
    }
}

/// A small random generator: the same seed gives the same search.
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.draw()) * count as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_tree::RunId;
    use concolic_vm::CodeSite;

    fn target(pc: u32, way: u64) -> Target {
        let function = 0;
        Target {
            version: 0,
            site: CodeSite { function, pc },
            kind: EventKind::Branch,
            way: Some(way),
        }
    }

    struct Bench {
        tree: PathTree,
        frontier: Frontier,
        events: u32,
    }

    impl Bench {
        fn new(strategy: Strategy) -> Bench {
            let mut tree = PathTree::default();
            tree.add_run(RunId(0), None);
            Bench {
                tree,
                frontier: Frontier::new(strategy, 0),
                events: 0,
            }
        }

        /// Offers a flip; its event number, by which it is known again.
        fn add(&mut self, target: Target, generations: u32) -> u32 {
            self.add_with(target, generations, Promise::Nothing)
        }

        fn add_with(&mut self, target: Target, generations: u32, promise: Promise) -> u32 {
            self.events += 1;
            let flip = Flip {
                run: RunId(0),
                event: self.events,
                alternative: 0,
                excluded: Vec::new(),
            };
            let id = self.tree.offer(flip, target).unwrap();
            let news = News {
                generations,
                ..News::default()
            };
            let open = self.tree.peek(id).unwrap();
            let prospect = Prospect {
                promise,
                ..Prospect::NONE
            };
            self.frontier.add(id, open, news, prospect);
            self.events
        }

        fn next(&mut self) -> Option<u32> {
            Some(self.frontier.next(&mut self.tree)?.flip.event)
        }
    }

    #[test]
    fn dart_goes_by_generations_and_the_latest_first() {
        let mut bench = Bench::new(Strategy::Dart);
        let far = bench.add(target(1, 1), 2);
        let [early, late] = [(); 2].map(|()| bench.add(target(1, 1), 1));
        let near = bench.add(target(1, 1), 0);
        let order: Vec<_> = std::iter::from_fn(|| bench.next()).collect();
        assert_eq!(order, [near, late, early, far]);
    }

    #[test]
    fn what_is_behind_a_change_has_every_second_turn() {
        let mut bench = Bench::new(Strategy::Dart);
        let early = bench.add(target(1, 1), 0);
        let plain = [(); 4].map(|()| bench.add(target(1, 1), 0));
        bench
            .frontier
            .add_promise(FlipId(0), News::default(), Promise::BehindChange);
        let behind = bench.add_with(target(2, 1), 3, Promise::BehindChange);
        let parting = bench.add_with(target(3, 1), 2, Promise::Parting);
        let order: Vec<_> = std::iter::from_fn(|| bench.next()).collect();
        let [a, b, c, d] = plain;
        assert_eq!(order, [early, d, parting, c, behind, b, a]);
    }

    #[test]
    fn coverage_gives_every_target_its_turn() {
        let mut bench = Bench::new(Strategy::Coverage);
        let common: Vec<u32> = (0..100).map(|_| bench.add(target(1, 1), 0)).collect();
        let rare = bench.add(target(2, 1), 0);
        assert_eq!(bench.next(), Some(common[0]));
        assert_eq!(bench.next(), Some(rare));
        let late = bench.add(target(3, 1), 0);
        assert_eq!(bench.next(), Some(late));
        assert_eq!(bench.next(), Some(common[1]));
        let rest = std::iter::from_fn(|| bench.next()).count();
        assert_eq!(rest, 98);
    }

    #[test]
    fn another_round_of_a_loop_is_news_once() {
        let mut frontier = Frontier::new(Strategy::Dart, 0);
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
        assert!(frontier.learn(&path(2)).way);
        assert_eq!(frontier.learn(&path(2)), News::default());
        let longer = frontier.learn(&path(3));
        assert_eq!((longer.way, longer.rounds), (false, 1));
        assert!(frontier.learn(&path(1000)).is_some());
        assert!(!frontier.learn(&path(1001)).is_some());
        assert!(frontier.learn(&path(2000)).is_some());
    }
}
