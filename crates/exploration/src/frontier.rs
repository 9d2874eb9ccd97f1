//! Which flip is next. A strategy orders flips and executes nothing, so all strategies search the same
//! tree and, left to the end, find the same paths.

use crate::path_tree::{FlipId, OpenFlip, PathTree, Step, Target};
use concolic_vm::symbolic::EventKind;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Strategy {
    /// Generational: all flips of a run before those of its children, runs that covered much that was
    /// new first (SAGE's refinement of DART).
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
}

impl Strategy {
    pub const ALL: [Strategy; 5] = [
        Strategy::Dart,
        Strategy::Dfs,
        Strategy::Bfs,
        Strategy::RandomPath,
        Strategy::Coverage,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Strategy::Dart => "dart",
            Strategy::Dfs => "dfs",
            Strategy::Bfs => "bfs",
            Strategy::RandomPath => "random-path",
            Strategy::Coverage => "coverage",
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
        let found = Strategy::ALL
            .into_iter()
            .find(|strategy| strategy.name() == text);
        found.ok_or_else(|| {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            format!("no strategy is called `{text}`; there are {names}")
        })
    }
}

/// Smaller comes first.
type Key = (u64, u64, u64);

/// The open flips in the order of a strategy.
#[derive(Debug)]
pub struct Frontier {
    strategy: Strategy,
    queue: BinaryHeap<Reverse<(Key, FlipId)>>,
    sequence: u64,
    random: SplitMix,
    /// Ways that some run has taken.
    taken: FxHashSet<Target>,
    /// How often a flip towards a target was handed out.
    tried: FxHashMap<Target, u64>,
}

impl Frontier {
    pub fn new(strategy: Strategy, seed: u64) -> Frontier {
        Frontier {
            strategy,
            queue: BinaryHeap::new(),
            sequence: 0,
            random: SplitMix(seed),
            taken: FxHashSet::default(),
            tried: FxHashMap::default(),
        }
    }

    /// Learns which ways a run took; whether one of them is new.
    pub fn learn(&mut self, path: &[Step]) -> bool {
        let mut new = false;
        for step in path {
            new |= self.taken.insert(step.taken());
        }
        new
    }

    /// Queues a flip of a run that covered `news` blocks for the first time.
    pub fn add(&mut self, id: FlipId, open: &OpenFlip, news: u64) {
        self.sequence += 1;
        let key = match self.strategy {
            Strategy::Dart => (u64::MAX - news, self.sequence, 0),
            Strategy::Dfs => (u64::MAX - self.sequence, 0, 0),
            Strategy::Bfs => (u64::from(open.flip.event), self.sequence, 0),
            Strategy::RandomPath => return,
            Strategy::Coverage => self.coverage_key(&open.target, self.sequence),
        };
        self.queue.push(Reverse((key, id)));
    }

    /// Branches that no run has taken first, then other new ways such as a pointer that leaves its
    /// object, then the rest; each by the number of attempts.
    fn coverage_key(&self, target: &Target, sequence: u64) -> Key {
        let rank = if self.taken.contains(target) {
            2
        } else {
            u64::from(!matches!(
                target.kind,
                EventKind::Branch | EventKind::Switch
            ))
        };
        let tried = self.tried.get(target).copied().unwrap_or(0);
        (tried + 4 * rank, rank, sequence)
    }

    /// The next flip, taken out of the tree.
    pub fn next(&mut self, tree: &mut PathTree) -> Option<OpenFlip> {
        if self.strategy == Strategy::RandomPath {
            let random = &mut self.random;
            let id = tree.random_descent(|count| random.below(count))?;
            return tree.take(id);
        }
        loop {
            let Reverse((key, id)) = self.queue.pop()?;
            let Some(open) = tree.peek(id) else { continue };
            if self.strategy == Strategy::Coverage {
                // What was new when it was queued may not be any more.
                let now = self.coverage_key(&open.target, key.2);
                if now > key {
                    self.queue.push(Reverse((now, id)));
                    continue;
                }
                *self.tried.entry(open.target).or_default() += 1;
            }
            return tree.take(id);
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
