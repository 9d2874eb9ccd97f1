//! Which flip is next. A strategy only chooses the order; every flip is tried in the end, so all strategies, left to the end, find the
//! same paths. (`random` alone takes no flips, and comes to no end.)

use crate::auto::{Auto, Promise};
use crate::bases::Bases;
use crate::dart_order::{DartOrder, Sight, Ways};
use crate::flip_queue::{Key, first};
use crate::path_tree::{Flip, FlipId, OpenFlip, PathStep, PathTree, RunId, Target};
use crate::reach::Reach;
use concolic_vm::symbolic::EventKind;
use inputs::SplitMix;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Generational; see [`crate::dart_order`].
    ///
    /// With pruning the change is known: then half of what turns cost goes to flips that a change was executed before, or
    /// that make the versions part.
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
    /// Random inputs, without a solver; see [`inputs::random`].
    Random,
}

impl Strategy {
    /// The strategies that search any tree of paths.
    pub const ALL: [Strategy; 5] = [
        Strategy::Dart,
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::RandomPath,
        Strategy::Coverage,
    ];

    /// The strategies that need a change to aim at.
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
    /// With `dart`, `reach` and `auto`.
    order: DartOrder,
    /// Of all runs, for flips that are not taken in that order.
    bases: Bases,
    /// With `dart`: flips that a change was executed before, or that make the versions part, if that is known.
    promising: BinaryHeap<Reverse<(Key, FlipId)>>,
    /// Flips that are being tried.
    in_work: FxHashMap<Flip, Turn>,
    /// What turns have cost that the order of `dart` was owed, and all else.
    spent: Spent,
    /// With `dfs` and `bfs`.
    queue: BinaryHeap<Reverse<(Key, FlipId)>>,
    sequence: u64,
    random: SplitMix,
    /// The ways that all runs have taken.
    ways: Ways,
    targets: Targets,
    reach: Reach,
    auto: Auto,
}

/// How a flip came to be tried.
#[derive(Clone, Copy, Debug)]
struct Turn {
    /// Its number, if it is not its turn in the order of `dart`.
    early: Option<FlipId>,
    /// The order of `dart` had a turn to come. Otherwise it is somebody else's, who may have had no flip.
    is_owed: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spent {
    owed: u64,
    otherwise: u64,
}

impl Frontier {
    pub fn new(strategy: Strategy, seed: u64) -> Frontier {
        Frontier {
            strategy,
            order: DartOrder::default(),
            bases: Bases::default(),
            promising: BinaryHeap::new(),
            in_work: FxHashMap::default(),
            spent: Spent::default(),
            queue: BinaryHeap::new(),
            sequence: 0,
            random: SplitMix(seed),
            ways: Ways::default(),
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

    fn keeps_dart_order(&self) -> bool {
        matches!(
            self.strategy,
            Strategy::Dart | Strategy::Reach | Strategy::Auto
        )
    }

    /// Learns which ways a run took, and tells what is new about it.
    pub fn learn(&mut self, path: &[PathStep]) -> News {
        let (rounds, way) = self.ways.learn(path);
        News {
            way,
            rounds,
            ..News::default()
        }
    }

    /// Takes in a run that is over, with what is new about it and the flips that it offers.
    pub fn add_run(
        &mut self,
        run: RunId,
        came_from: Option<&Flip>,
        news: News,
        sight: &Sight<'_>,
        flips: impl Iterator<Item = FlipId>,
        tree: &PathTree,
    ) {
        let is_base = news.is_some() && sight.is_whole;
        self.bases.add(run, sight.length, is_base, tree);
        if self.keeps_dart_order() {
            self.order.add(run, came_from, sight, flips.collect(), tree);
        }
    }

    /// The run from whose input a flip starts.
    pub fn base(&self, flip: &Flip) -> RunId {
        match self.strategy {
            // A strategy that learns nothing must not depend on what other runs have shown: then leaving out some of
            // them leaves the others as they are.
            Strategy::Dfs | Strategy::Bfs => flip.run,
            _ => match self.in_work.get(flip) {
                Some(Turn { early: None, .. }) => self.order.base(flip),
                _ => self.bases.of(flip),
            },
        }
    }

    /// Queues a flip of a run with something new about it.
    pub fn add(&mut self, id: FlipId, open: &OpenFlip, news: News, prospect: Prospect<'_>) {
        let by_generation = self.by_generation(news);
        let key = match self.strategy {
            Strategy::Dart => return self.promise(id, by_generation, prospect.promise),
            Strategy::Reach => return self.reach.add(id, prospect.distances, by_generation),
            Strategy::Auto => {
                let Prospect { distances, promise } = prospect;
                return self.auto.add(id, distances, promise, by_generation);
            }
            Strategy::Dfs => (0, u64::MAX - self.sequence),
            Strategy::Bfs => (u64::from(open.flip.event), self.sequence),
            Strategy::RandomPath | Strategy::Random => return,
            Strategy::Coverage => return self.targets.add(id, open.target, &self.ways),
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
        match self.strategy {
            Strategy::Random => None,
            Strategy::RandomPath => {
                let random = &mut self.random;
                let id = tree.random_descent(|count| random.below(count))?;
                tree.take(id)
            }
            Strategy::Coverage => {
                let id = self.targets.next(tree, &self.ways)?;
                tree.take(id)
            }
            Strategy::Dfs | Strategy::Bfs => Some(first(&mut self.queue, tree)?.1),
            Strategy::Dart | Strategy::Reach | Strategy::Auto => {
                let is_owed = self.owes_dart();
                let other = match is_owed {
                    true => None,
                    false => self.next_early(tree),
                };
                let (early, open) = match other {
                    Some((id, open)) => {
                        self.order.taken_early(id, &open.flip);
                        (Some(id), open)
                    }
                    None => (None, self.order.next(tree)?),
                };
                let turn = Turn { early, is_owed };
                self.in_work.insert(open.flip.clone(), turn);
                Some(open)
            }
        }
    }

    /// A flip that need not wait for its turn in the order of `dart`.
    fn next_early(&mut self, tree: &mut PathTree) -> Option<(FlipId, OpenFlip)> {
        match self.strategy {
            Strategy::Reach => self.reach.next(tree),
            Strategy::Auto => self.auto.next(tree),
            Strategy::Dart => first(&mut self.promising, tree),
            _ => None,
        }
    }

    /// An input was made that goes the way of a flip, before its turn.
    pub fn taken_early(&mut self, id: FlipId, flip: &Flip) {
        if self.keeps_dart_order() {
            self.order.taken_early(id, flip);
        }
    }

    /// The run that comes out of a flip need not wait for its turn.
    pub fn give_turn(&mut self, flip: Option<&Flip>) {
        if let Some(flip) = flip.filter(|_| self.keeps_dart_order()) {
            self.order.give_turn(flip);
        }
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

    /// Whether a flip is being tried in a turn that the order of `dart` was not owed.
    pub fn is_not_owed(&self, flip: &Flip) -> bool {
        self.in_work.get(flip).is_some_and(|turn| !turn.is_owed)
    }

    /// What a turn has cost.
    pub fn spend(&mut self, flip: &Flip, cost: u64) {
        match self.in_work.remove(flip) {
            Some(turn) if turn.is_owed => self.spent.owed += cost,
            Some(_) => self.spent.otherwise += cost,
            None => {}
        }
    }

    /// What was done besides flips has cost.
    pub fn spend_besides(&mut self, cost: u64) {
        self.spent.otherwise += cost;
    }

    /// Whether the order of `dart` has had less than its part.
    pub fn owes_dart(&self) -> bool {
        let Spent { owed, otherwise } = self.spent;
        matches!(self.strategy, Strategy::Dart | Strategy::Auto) && owed < otherwise
    }

    /// A flip proved impossible; `in_its_way` are open flips at branches that it conflicts with.
    pub fn infeasible(&mut self, flip: &Flip, in_its_way: &[FlipId]) {
        let key = (0, u64::MAX - self.sequence);
        self.reaching().infeasible(flip, in_its_way, key);
        self.auto.done(flip);
        self.no_run(flip);
    }

    /// Takes note that the solver could not tell whether a flip is feasible.
    pub fn undecided(&mut self, flip: &Flip) {
        self.done(flip);
        self.no_run(flip);
    }

    fn no_run(&mut self, flip: &Flip) {
        let early = self.in_work.get(flip).and_then(|turn| turn.early);
        self.order.settled(flip, early);
    }

    /// Whether distances from changes, and what impossible flips conflict with, matter.
    pub fn is_change_directed(&self) -> bool {
        self.strategy.is_change_directed()
    }
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
    fn priority(&self, ways: &Ways) -> u64 {
        let is_branch = matches!(self.target.kind, EventKind::Branch | EventKind::Switch);
        let rank = match ways.contains(&self.target) {
            true => 2,
            false => u64::from(!is_branch),
        };
        self.tried + 4 * rank
    }
}

impl Targets {
    fn add(&mut self, id: FlipId, target: Target, ways: &Ways) {
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
            self.order.push(Reverse((queue.priority(ways), number)));
        }
    }

    /// A flip that is still open.
    fn next(&mut self, tree: &PathTree, ways: &Ways) -> Option<FlipId> {
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
            let now = queue.priority(ways);
            if now > priority && !queue.flips.is_empty() {
                self.order.push(Reverse((now, number)));
                continue;
            }
            let Some(id) = queue.flips.pop_front() else {
                continue;
            };
            queue.tried += 1;
            if !queue.flips.is_empty() {
                self.order.push(Reverse((queue.priority(ways), number)));
            }
            return Some(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path_tree::tests::flip;
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
        flips: Vec<FlipId>,
    }

    impl Bench {
        fn new(strategy: Strategy) -> Bench {
            let mut tree = PathTree::default();
            tree.add_run(RunId(0), None);
            Bench {
                tree,
                frontier: Frontier::new(strategy, 0),
                flips: Vec::new(),
            }
        }

        /// Offers a flip; its event number, by which it is known again.
        fn add(&mut self, target: Target, promise: Promise) -> u32 {
            let flip = flip(0, self.flips.len() as u32);
            let id = self.tree.offer(flip, target).unwrap();
            let open = self.tree.peek(id).unwrap();
            let prospect = Prospect {
                promise,
                ..Prospect::NONE
            };
            self.frontier.add(id, open, News::default(), prospect);
            self.flips.push(id);
            id.0
        }

        /// The run that offers the flips is over.
        fn run_is_over(&mut self) {
            let sight = Sight {
                steps: &[],
                coverage: Vec::new(),
                length: self.flips.len(),
                is_whole: true,
            };
            let flips = self.flips.iter().copied();
            self.frontier
                .add_run(RunId(0), None, News::default(), &sight, flips, &self.tree);
        }

        fn next(&mut self) -> Option<u32> {
            Some(self.frontier.next(&mut self.tree)?.flip.event)
        }
    }

    #[test]
    fn what_is_behind_a_change_has_half_of_what_turns_cost() {
        let mut bench = Bench::new(Strategy::Dart);
        for number in 0..600 {
            let promise = match number {
                0..50 => Promise::BehindChange,
                50..100 => Promise::Parting,
                _ => Promise::Nothing,
            };
            bench.add(target(1, 1), promise);
        }
        bench.run_is_over();
        let mut turns = Vec::new();
        while let Some(event) = bench.next() {
            // Behind the change, runs take nine times as long.
            let cost = if event < 100 { 9 } else { 1 };
            bench.frontier.spend(&flip(0, event), cost);
            turns.push(event);
        }
        assert_eq!(turns[..3], [99, 599, 598]);
        let promising = turns[..100].iter().filter(|&&event| event < 100).count();
        assert_eq!(promising, 10);
        assert_eq!(turns.len(), 600);
    }

    #[test]
    fn coverage_gives_every_target_its_turn() {
        let mut bench = Bench::new(Strategy::Coverage);
        let common: Vec<u32> = (0..100)
            .map(|_| bench.add(target(1, 1), Promise::Nothing))
            .collect();
        let rare = bench.add(target(2, 1), Promise::Nothing);
        assert_eq!(bench.next(), Some(common[0]));
        assert_eq!(bench.next(), Some(rare));
        let late = bench.add(target(3, 1), Promise::Nothing);
        assert_eq!(bench.next(), Some(late));
        assert_eq!(bench.next(), Some(common[1]));
        let rest = std::iter::from_fn(|| bench.next()).count();
        assert_eq!(rest, 98);
    }
}
