//! How far each branch is from a set of target instructions in the inter-procedural
//! control-dependence graph.
//!
//! Qi, Roychoudhury and Liang steer a search for change-reaching inputs by this distance
//! (section 3.1, Algorithm 1; weights in section 4.1): an edge from a branch to what it
//! controls weighs 1, as does one from a function's entry to what always runs in it; the
//! edge from a call to the entry of what it calls weighs 0. A branch without a path to a
//! target has no distance: flipping it cannot help.
//!
//! Found for all branches at once by one breadth-first search from the targets, backward,
//! with 0-edges put to the front of the queue.

pub mod simple;

use crate::program_facts::{ControlFlow, ProgramFacts};
use program_ir::{Block, Func, Inst};
use std::collections::{HashMap, VecDeque};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    /// What decides at the end of the block.
    Branch(Func, Block),
    /// Anything in the block.
    Block(Func, Block),
    Entry(Func),
}

#[derive(Clone, Debug, Default)]
pub struct Distances {
    known: HashMap<Place, u32>,
    /// For a branch, what it controls, by the way it must go.
    toward: HashMap<(Func, Block, Block), u32>,
}

impl Distances {
    pub fn to(facts: &ProgramFacts, targets: &[(Func, Inst)]) -> Self {
        let mut search = DistanceSearch {
            facts,
            flows: HashMap::new(),
            blocks: HashMap::new(),
            distances: Distances::default(),
            queue: VecDeque::new(),
        };
        for &(func, inst) in targets {
            if facts.calls.reached.binary_search(&func).is_ok()
                && let Some(block) = search.block_of(func, inst)
            {
                search.reach(Place::Block(func, block), 0, 0);
            }
        }
        while let Some((place, distance)) = search.queue.pop_front() {
            if search.distances.known[&place] == distance {
                search.expand(place, distance);
            }
        }
        search.distances
    }

    /// Of the branch that ends `block`.
    pub fn of_branch(&self, func: Func, block: Block) -> Option<u32> {
        self.known.get(&Place::Branch(func, block)).copied()
    }

    /// Of the same branch when it goes to its successor `toward`.
    pub fn of_edge(&self, func: Func, block: Block, toward: Block) -> Option<u32> {
        self.toward.get(&(func, block, toward)).copied()
    }

    /// Of the block: 0 if it holds a target, else that of what it calls or of its branch.
    pub fn of_block(&self, func: Func, block: Block) -> Option<u32> {
        self.known.get(&Place::Block(func, block)).copied()
    }

    /// The blocks that have a distance.
    pub fn blocks(&self) -> impl Iterator<Item = (Func, Block, u32)> + '_ {
        self.known
            .iter()
            .filter_map(|(place, &distance)| match *place {
                Place::Block(func, block) => Some((func, block, distance)),
                _ => None,
            })
    }

    pub fn of_entry(&self, func: Func) -> Option<u32> {
        self.known.get(&Place::Entry(func)).copied()
    }
}

struct DistanceSearch<'a> {
    facts: &'a ProgramFacts<'a>,
    /// Only of the functions that the search comes to.
    flows: HashMap<Func, ControlFlow>,
    blocks: HashMap<Func, HashMap<Inst, Block>>,
    distances: Distances,
    queue: VecDeque<(Place, u32)>,
}

impl DistanceSearch<'_> {
    fn reach(&mut self, place: Place, distance: u32, weight: u32) {
        let known = self.distances.known.entry(place).or_insert(u32::MAX);
        if distance < *known {
            *known = distance;
            if weight == 0 {
                self.queue.push_front((place, distance));
            } else {
                self.queue.push_back((place, distance));
            }
        }
    }

    fn expand(&mut self, place: Place, distance: u32) {
        match place {
            Place::Branch(func, block) => self.reach(Place::Block(func, block), distance, 0),
            Place::Entry(func) => {
                for (caller, inst) in self.facts.calls.callers(func).to_vec() {
                    if let Some(block) = self.block_of(caller, inst) {
                        self.reach(Place::Block(caller, block), distance, 0);
                    }
                }
            }
            Place::Block(func, block) => {
                let flow = self.flow(func);
                let always = flow.runs_always(block);
                let causes = flow.control_dependence.causes(block).to_vec();
                for cause in causes {
                    let edge = (func, cause.controller, cause.toward);
                    let known = self.distances.toward.entry(edge).or_insert(u32::MAX);
                    *known = (*known).min(distance + 1);
                    self.reach(Place::Branch(func, cause.controller), distance + 1, 1);
                }
                if always {
                    self.reach(Place::Entry(func), distance + 1, 1);
                }
            }
        }
    }

    fn flow(&mut self, func: Func) -> &ControlFlow {
        let facts = self.facts;
        self.flows
            .entry(func)
            .or_insert_with(|| facts.control_flow(func))
    }

    fn block_of(&mut self, func: Func, inst: Inst) -> Option<Block> {
        let function = &self.facts.module.functions[func];
        let blocks = self.blocks.entry(func).or_insert_with(|| {
            function
                .blocks
                .iter()
                .flat_map(|(block, data)| data.insts.iter().map(move |&inst| (inst, block)))
                .collect()
        });
        let block = blocks.get(&inst).copied()?;
        let flow = self.flow(func);
        let live =
            flow.cfg.is_reachable(block) && flow.cfg.live_insts(function, block).contains(&inst);
        live.then_some(block)
    }
}
