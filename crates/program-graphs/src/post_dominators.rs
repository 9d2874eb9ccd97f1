//! Post-dominators: dominators of the reversed graph from one virtual exit.
//!
//! The virtual exit follows every block where control may leave the function: returns,
//! traps, resumed unwinding, calls that never return. A region that control enters and
//! never leaves has no such block, so each *sink* (a strongly connected component
//! without edges out of it and without an exit) gets one extra edge to the virtual exit,
//! from its header: its first block in reverse post-order. That reads an endless loop
//! as one that a header test could end. Every reachable block then reaches the exit, and
//! the relation is a tree. `control_dependence` says why this is enough.

pub mod simple;

use crate::dominators::Tree;
use crate::{Adjacency, Cfg, Components};
use program_ir::{Block, EntityRef};

#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    virtual_exit: u32,
    endless_headers: Vec<Block>,
}

impl PostDominators {
    pub fn of(cfg: &Cfg) -> Self {
        let endless_headers = endless_headers(cfg);
        let virtual_exit = cfg.block_count() as u32;
        let mut forward = Vec::new();
        for &block in cfg.reverse_post_order() {
            if cfg.is_exit(block) || endless_headers.contains(&block) {
                forward.push((block.as_u32(), virtual_exit));
            }
            forward.extend(
                cfg.successors(block)
                    .map(|to| (block.as_u32(), to.as_u32())),
            );
        }
        let graph = Adjacency::from_edges(cfg.block_count() + 1, &forward);
        let order = graph.reversed().reverse_post_order(virtual_exit);
        PostDominators {
            tree: Tree::new(&order, &graph),
            virtual_exit,
            endless_headers,
        }
    }

    /// `None` if only the virtual exit comes after, and for unreachable blocks.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        let parent = self.tree.parent[block.index()];
        (parent != u32::MAX && parent != self.virtual_exit).then(|| Block::from_u32(parent))
    }

    /// Whether every path from `above` to the exit passes `below` (or is it). False if
    /// one of them is unreachable from the entry.
    pub fn post_dominates(&self, below: Block, above: Block) -> bool {
        self.tree.dominates(below.as_u32(), above.as_u32())
    }

    /// The headers of the regions that control never leaves.
    pub fn endless_headers(&self) -> &[Block] {
        &self.endless_headers
    }
}

fn endless_headers(cfg: &Cfg) -> Vec<Block> {
    let reachable = |block: u32| cfg.is_reachable(Block::from_u32(block));
    let components = Components::of_subgraph(cfg.graph(), reachable, |_, _| true);
    let mut leaves = vec![false; components.members.len()];
    for &block in cfg.reverse_post_order() {
        let own = components.component_of[block.index()];
        let goes_out = cfg
            .successors(block)
            .any(|to| components.component_of[to.index()] != own);
        leaves[own as usize] |= goes_out || cfg.is_exit(block);
    }
    let mut headers: Vec<Block> = components
        .members
        .iter()
        .zip(&leaves)
        .filter(|(_, leaves)| !**leaves)
        .filter_map(|(members, _)| {
            let blocks = members.iter().map(|&block| Block::from_u32(block));
            blocks.min_by_key(|&block| cfg.position(block))
        })
        .collect();
    headers.sort_unstable();
    headers
}
