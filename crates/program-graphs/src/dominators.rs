//! Dominators, by the iterative algorithm of Cooper, Harvey and Kennedy ("A Simple,
//! Fast Dominance Algorithm"). It needs no reducibility, and on graphs as deep as
//! those of C functions it is as fast as the near-linear algorithms.

pub mod simple;

use crate::{Adjacency, Cfg};
use program_ir::{Block, EntityRef};

/// A dominator tree over dense nodes, whichever way the edges were followed.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The immediate dominator; of the root, itself; `u32::MAX` if unreachable.
    pub(crate) parent: Vec<u32>,
    /// Entry and exit times of a walk over the tree: ancestors enclose descendants.
    enter: Vec<u32>,
    leave: Vec<u32>,
    pub(crate) children: Adjacency,
}

impl Tree {
    /// `order` is a reverse post-order from the root along the edges whose reverse is
    /// `incoming`.
    pub(crate) fn new(order: &[u32], incoming: &Adjacency) -> Tree {
        let node_count = incoming.node_count();
        let mut position = vec![u32::MAX; node_count];
        for (index, &node) in order.iter().enumerate() {
            position[node as usize] = index as u32;
        }
        // All in positions: a dominator has a lower position than what it dominates.
        let mut parent_position = vec![u32::MAX; order.len()];
        if let Some(root) = parent_position.first_mut() {
            *root = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (index, &node) in order.iter().enumerate().skip(1) {
                let mut meet = u32::MAX;
                for &before in incoming.of(node) {
                    let mut other = position[before as usize];
                    if other == u32::MAX || parent_position[other as usize] == u32::MAX {
                        continue;
                    }
                    if meet == u32::MAX {
                        meet = other;
                        continue;
                    }
                    while meet != other {
                        if meet > other {
                            meet = parent_position[meet as usize];
                        } else {
                            other = parent_position[other as usize];
                        }
                    }
                }
                if parent_position[index] != meet {
                    parent_position[index] = meet;
                    changed = true;
                }
            }
        }
        let mut parent = vec![u32::MAX; node_count];
        let mut tree_edges = Vec::with_capacity(order.len());
        for (index, &node) in order.iter().enumerate() {
            let above = order[parent_position[index] as usize];
            parent[node as usize] = above;
            if index > 0 {
                tree_edges.push((above, node));
            }
        }
        let children = Adjacency::from_edges(node_count, &tree_edges);
        let (mut enter, mut leave) = (vec![0; node_count], vec![0; node_count]);
        let mut time = 0;
        let mut stack: Vec<(u32, usize)> =
            order.first().map(|&root| (root, 0)).into_iter().collect();
        while let Some((node, next_child)) = stack.last_mut() {
            if *next_child == 0 {
                time += 1;
                enter[*node as usize] = time;
            }
            match children.of(*node).get(*next_child) {
                Some(&child) => {
                    *next_child += 1;
                    stack.push((child, 0));
                }
                None => {
                    time += 1;
                    leave[*node as usize] = time;
                    stack.pop();
                }
            }
        }
        Tree {
            parent,
            enter,
            leave,
            children,
        }
    }

    pub(crate) fn reached(&self, node: u32) -> bool {
        self.parent[node as usize] != u32::MAX
    }

    pub(crate) fn dominates(&self, above: u32, below: u32) -> bool {
        self.reached(above)
            && self.reached(below)
            && self.enter[above as usize] <= self.enter[below as usize]
            && self.leave[below as usize] <= self.leave[above as usize]
    }
}

#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    pub fn of(cfg: &Cfg) -> Self {
        let order: Vec<u32> = cfg
            .reverse_post_order()
            .iter()
            .map(|block| block.as_u32())
            .collect();
        Dominators {
            tree: Tree::new(&order, cfg.reverse_graph()),
        }
    }

    /// `None` for the entry and for unreachable blocks.
    pub fn immediate(&self, block: Block) -> Option<Block> {
        let parent = self.tree.parent[block.index()];
        (parent != u32::MAX && parent != block.as_u32()).then(|| Block::from_u32(parent))
    }

    /// Whether every path from the entry to `below` passes `above` (or is it). False if
    /// one of them is unreachable.
    pub fn dominates(&self, above: Block, below: Block) -> bool {
        self.tree.dominates(above.as_u32(), below.as_u32())
    }

    pub fn children(&self, block: Block) -> impl Iterator<Item = Block> + '_ {
        let children = self.tree.children.of(block.as_u32());
        children.iter().map(|&child| Block::from_u32(child))
    }

    /// For each block, the blocks where its dominance ends: those that it does not
    /// strictly dominate, but of which it dominates a predecessor.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<Block>> {
        let mut frontiers = vec![Vec::new(); cfg.block_count()];
        for &block in cfg.reverse_post_order() {
            let above = self.immediate(block);
            for before in cfg.predecessors(block) {
                let mut runner = cfg.is_reachable(before).then_some(before);
                while let Some(at) = runner
                    && Some(at) != above
                {
                    if frontiers[at.index()].last() != Some(&block) {
                        frontiers[at.index()].push(block);
                    }
                    runner = self.immediate(at);
                }
            }
        }
        frontiers
    }
}
