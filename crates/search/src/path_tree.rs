//! The tree of paths, with one node per run.
//!
//! A run follows its parent up to the event where it was flipped and has its own way from there. So the
//! tree of all paths needs no node per branch: a run is a chain of events, and other runs, or flips that
//! nobody has taken yet, hang at them.
//!
//! **Each path is found exactly once.** A run offers flips only at events after the one it was flipped at;
//! those before belong to its ancestors. The alternatives of an event exclude each other, so no two flips
//! lead to the same path. Where an alternative stands for many ways ("any other value"), the run that came
//! out of it took one; what is left is offered again as the same flip with that run *excluded*.

use concolic_vm::CodeSite;
use concolic_vm::symbolic::EventKind;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct RunId(pub u32);

/// Go with `run` up to its event number `event`, and there another way.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct Flip {
    pub run: RunId,
    pub event: u32,
    /// Which of the event's alternatives.
    pub alternative: u32,
    /// Runs that took this alternative already: their conditions at the event are to be false.
    pub excluded: Vec<RunId>,
}

impl Flip {
    /// The same flip without what `child` covers.
    pub fn without(&self, child: RunId) -> Flip {
        let mut flip = self.clone();
        flip.excluded.push(child);
        flip
    }
}

/// Where a flip leads, as far as it is known before it is solved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Target {
    /// Which of the programs that are run on the same input.
    pub version: u8,
    pub site: CodeSite,
    pub kind: EventKind,
    pub way: Option<u64>,
}

/// An event of a path without its terms.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathStep {
    pub version: u8,
    pub site: CodeSite,
    pub kind: EventKind,
    pub way: u64,
    /// How often the path has gone this way here, up to this event and with it.
    pub times: u32,
    /// The way of each alternative, where it is known.
    pub others: Vec<Option<u64>>,
    /// Where a later version goes if it decides the same and goes the other way.
    pub twin: Option<Target>,
}

impl PathStep {
    pub fn taken(&self) -> Target {
        Target {
            version: self.version,
            site: self.site,
            kind: self.kind,
            way: Some(self.way),
        }
    }
}

/// A flip nobody has taken yet, by its place in the tree's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FlipId(pub u32);

#[derive(Clone, Debug)]
pub struct OpenFlip {
    pub flip: Flip,
    pub target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hanging {
    Flip(FlipId),
    Run(RunId),
}

#[derive(Clone, Debug, Default)]
struct Node {
    /// The run and event that this run hangs at.
    parent: Option<(RunId, u32)>,
    /// What hangs at which of its events and is not used up.
    live: BTreeMap<u32, Vec<Hanging>>,
    /// Open flips in the whole subtree.
    open: usize,
}

#[derive(Debug, Default)]
pub struct PathTree {
    nodes: FxHashMap<RunId, Node>,
    roots: Vec<RunId>,
    flips: Vec<Option<Box<OpenFlip>>>,
    open: usize,
    /// Which run came out of a flip.
    children: FxHashMap<Flip, RunId>,
    /// Flips that were settled before the tree was built; see [`PathTree::remember`].
    remembered: FxHashSet<Flip>,
}

impl PathTree {
    /// A flip that need not be offered: it was settled before, by a run or because there is no input.
    pub fn remember(&mut self, flip: Flip) {
        self.remembered.insert(flip);
    }

    /// Hangs a run into the tree: behind the flip it came out of, or as a root.
    pub fn add_run(&mut self, run: RunId, came_from: Option<&Flip>) {
        let parent = came_from.map(|flip| (flip.run, flip.event));
        self.nodes.insert(
            run,
            Node {
                parent,
                ..Node::default()
            },
        );
        match came_from {
            Some(flip) => {
                self.children.insert(flip.clone(), run);
            }
            None => self.roots.push(run),
        }
    }

    /// Offers a flip, unless it was settled before.
    pub fn offer(&mut self, flip: Flip, target: Target) -> Option<FlipId> {
        if self.remembered.contains(&flip) {
            return None;
        }
        let id = FlipId(self.flips.len() as u32);
        self.hang(flip.run, flip.event, Hanging::Flip(id));
        self.flips.push(Some(Box::new(OpenFlip { flip, target })));
        self.open += 1;
        Some(id)
    }

    pub fn open_flips(&self) -> usize {
        self.open
    }

    pub fn peek(&self, id: FlipId) -> Option<&OpenFlip> {
        self.flips[id.0 as usize].as_deref()
    }

    /// Takes a flip; `None` if it has been taken already.
    pub fn take(&mut self, id: FlipId) -> Option<OpenFlip> {
        let taken = *self.flips[id.0 as usize].take()?;
        self.open -= 1;
        self.unhang(taken.flip.run, taken.flip.event, Hanging::Flip(id));
        Some(taken)
    }

    /// The run and event that a run hangs at.
    pub fn parent(&self, run: RunId) -> Option<(RunId, u32)> {
        self.nodes.get(&run)?.parent
    }

    /// The run that came out of a flip.
    pub fn child(&self, flip: &Flip) -> Option<RunId> {
        self.children.get(flip).copied()
    }

    /// The open flip that is equal to this one.
    pub fn find_open(&self, flip: &Flip) -> Option<FlipId> {
        let hanging = self.nodes.get(&flip.run)?.live.get(&flip.event)?;
        hanging.iter().find_map(|hanging| match *hanging {
            Hanging::Flip(id) if self.peek(id).is_some_and(|open| open.flip == *flip) => Some(id),
            _ => None,
        })
    }

    /// The open flips at an event of a run's path, which may belong to an ancestor that it shares the event with.
    pub fn open_at(&self, run: RunId, event: u32) -> Vec<FlipId> {
        let mut run = run;
        while let Some((parent, at)) = self.parent(run)
            && event <= at
        {
            run = parent;
        }
        let node = self.nodes.get(&run);
        let hanging = node.and_then(|node| node.live.get(&event));
        let flips = hanging
            .into_iter()
            .flatten()
            .filter_map(|hanging| match *hanging {
                Hanging::Flip(id) => Some(id),
                Hanging::Run(_) => None,
            });
        flips.collect()
    }

    /// Walks down from a root; at each place where something hangs, all ways are as likely, the
    /// run's own included. `choose(n)` gives a number below n.
    pub fn random_descent(&self, mut choose: impl FnMut(usize) -> usize) -> Option<FlipId> {
        let is_live = |run: &&RunId| self.nodes[run].open > 0;
        let roots: Vec<RunId> = self.roots.iter().filter(is_live).copied().collect();
        let mut run = match roots.len() {
            0 => return None,
            count => roots[choose(count)],
        };
        'runs: loop {
            let node = &self.nodes[&run];
            let mut places = node.live.values().peekable();
            while let Some(hanging) = places.next() {
                // Behind the last place nothing is left to find.
                let ways = hanging.len() + usize::from(places.peek().is_some());
                match hanging.get(choose(ways)) {
                    Some(Hanging::Flip(id)) => return Some(*id),
                    Some(Hanging::Run(child)) => {
                        run = *child;
                        continue 'runs;
                    }
                    None => {}
                }
            }
            return None;
        }
    }

    /// Hangs something at an event; subtrees that come alive are hung at their parents.
    fn hang(&mut self, run: RunId, event: u32, what: Hanging) {
        let (mut run, mut event, mut what) = (run, event, Some(what));
        loop {
            let node = self
                .nodes
                .get_mut(&run)
                .expect("a flip belongs to a run in the tree");
            if let Some(what) = what.take() {
                node.live.entry(event).or_default().push(what);
            }
            node.open += 1;
            let came_alive = node.open == 1;
            let Some((parent, at)) = node.parent else {
                return;
            };
            if came_alive {
                what = Some(Hanging::Run(run));
            }
            (run, event) = (parent, at);
        }
    }

    fn unhang(&mut self, run: RunId, event: u32, what: Hanging) {
        let (mut run, mut event, mut what) = (run, event, Some(what));
        loop {
            let node = self
                .nodes
                .get_mut(&run)
                .expect("a flip belongs to a run in the tree");
            if let Some(what) = what.take()
                && let Some(hanging) = node.live.get_mut(&event)
            {
                hanging.retain(|&other| other != what);
                if hanging.is_empty() {
                    node.live.remove(&event);
                }
            }
            node.open -= 1;
            let died = node.open == 0;
            let Some((parent, at)) = node.parent else {
                return;
            };
            if died {
                what = Some(Hanging::Run(run));
            }
            (run, event) = (parent, at);
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn flip(run: u32, event: u32) -> Flip {
        Flip {
            run: RunId(run),
            event,
            alternative: 0,
            excluded: Vec::new(),
        }
    }

    fn target() -> Target {
        Target {
            version: 0,
            site: CodeSite::NONE,
            kind: EventKind::Branch,
            way: Some(1),
        }
    }

    #[test]
    fn every_open_flip_can_be_met_by_a_random_descent() {
        let mut tree = PathTree::default();
        tree.add_run(RunId(0), None);
        let ids: Vec<FlipId> = (0..3)
            .filter_map(|event| tree.offer(flip(0, event), target()))
            .collect();
        let taken = tree.take(ids[1]).unwrap();
        assert!(tree.take(ids[1]).is_none());
        tree.add_run(RunId(1), Some(&taken.flip));
        let below = tree.offer(flip(1, 5), target()).unwrap();
        let mut met = FxHashSet::default();
        let mut state = 1usize;
        for _ in 0..200 {
            let found = tree.random_descent(|count| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 33) % count
            });
            met.insert(found.unwrap());
        }
        assert_eq!(met, FxHashSet::from_iter([ids[0], ids[2], below]));
        for id in [ids[0], ids[2], below] {
            tree.take(id).unwrap();
        }
        assert_eq!(tree.open_flips(), 0);
        assert_eq!(tree.random_descent(|_| 0), None);
    }

    #[test]
    fn settled_flips_are_not_offered_again() {
        let mut tree = PathTree::default();
        tree.remember(flip(0, 1));
        tree.add_run(RunId(0), None);
        assert!(tree.offer(flip(0, 1), target()).is_none());
        let rest = flip(0, 1).without(RunId(7));
        assert!(tree.offer(rest.clone(), target()).is_some());
        assert!(tree.find_open(&rest).is_some());
        assert!(tree.find_open(&flip(0, 1)).is_none());
    }
}
