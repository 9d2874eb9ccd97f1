//! Natural loops and irreducible regions.
//!
//! A *back edge* leads to a block that dominates its source; the *natural loop* of a
//! header is everything that reaches a back edge to it without passing it. What still
//! has cycles once the back edges are taken out has no single entry: each remaining
//! strongly connected component is an *irreducible region*.

pub mod simple;

use crate::{Cfg, Components, Dominators};
use program_ir::{Block, EntityRef};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NaturalLoop {
    pub header: Block,
    /// Sources of the back edges, ascending.
    pub latches: Vec<Block>,
    /// The header included, ascending.
    pub body: Vec<Block>,
    /// Index of the smallest natural loop that contains this one.
    pub parent: Option<u32>,
    /// 1 for an outermost loop.
    pub depth: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct IrreducibleRegion {
    /// Ascending.
    pub blocks: Vec<Block>,
    /// The blocks of the region that are entered from outside it; two or more.
    pub entries: Vec<Block>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loops {
    /// Outer loops before those they contain.
    pub natural: Vec<NaturalLoop>,
    pub irreducible: Vec<IrreducibleRegion>,
    innermost: Vec<Option<u32>>,
}

impl Loops {
    pub fn of(cfg: &Cfg, dominators: &Dominators) -> Self {
        let mut natural: Vec<NaturalLoop> = cfg
            .reverse_post_order()
            .iter()
            .filter_map(|&header| natural_loop(cfg, dominators, header))
            .collect();
        // Two natural loops with different headers are disjoint or one contains the
        // other, and a contained one is smaller; so larger first is outer first.
        natural.sort_by_key(|found| (std::cmp::Reverse(found.body.len()), found.header));
        let mut innermost = vec![None; cfg.block_count()];
        for index in 0..natural.len() {
            let parent: Option<u32> = innermost[natural[index].header.index()];
            natural[index].parent = parent;
            natural[index].depth = parent.map_or(1, |outer| natural[outer as usize].depth + 1);
            for &block in &natural[index].body {
                innermost[block.index()] = Some(index as u32);
            }
        }
        Loops {
            natural,
            irreducible: irreducible_regions(cfg, dominators),
            innermost,
        }
    }

    /// The smallest natural loop around `block`.
    pub fn innermost(&self, block: Block) -> Option<&NaturalLoop> {
        self.innermost[block.index()].map(|index| &self.natural[index as usize])
    }

    pub fn is_reducible(&self) -> bool {
        self.irreducible.is_empty()
    }
}

fn natural_loop(cfg: &Cfg, dominators: &Dominators, header: Block) -> Option<NaturalLoop> {
    let mut latches: Vec<Block> = cfg
        .predecessors(header)
        .filter(|&latch| dominators.dominates(header, latch))
        .collect();
    if latches.is_empty() {
        return None;
    }
    latches.sort_unstable();
    let mut inside = vec![false; cfg.block_count()];
    inside[header.index()] = true;
    let mut body = vec![header];
    let mut stack = latches.clone();
    while let Some(block) = stack.pop() {
        if cfg.is_reachable(block) && !std::mem::replace(&mut inside[block.index()], true) {
            body.push(block);
            stack.extend(cfg.predecessors(block));
        }
    }
    body.sort_unstable();
    Some(NaturalLoop {
        header,
        latches,
        body,
        parent: None,
        depth: 0,
    })
}

fn irreducible_regions(cfg: &Cfg, dominators: &Dominators) -> Vec<IrreducibleRegion> {
    let forward =
        |from: u32, to: u32| !dominators.dominates(Block::from_u32(to), Block::from_u32(from));
    let reachable = |block: u32| cfg.is_reachable(Block::from_u32(block));
    let components = Components::of_subgraph(cfg.graph(), reachable, forward);
    let mut regions: Vec<IrreducibleRegion> = components
        .members
        .iter()
        .filter(|members| members.len() > 1)
        .map(|members| {
            let blocks: Vec<Block> = members
                .iter()
                .map(|&block| Block::from_u32(block))
                .collect();
            let entered = |block: &Block| {
                cfg.predecessors(*block)
                    .any(|before| cfg.is_reachable(before) && !blocks.contains(&before))
            };
            IrreducibleRegion {
                entries: blocks.iter().copied().filter(entered).collect(),
                blocks,
            }
        })
        .collect();
    regions.sort_by_key(|region| region.blocks[0]);
    regions
}
