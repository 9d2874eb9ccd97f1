//! The obvious twins: loops by the definition over paths, reducibility by collapsing.

use crate::Cfg;
use crate::dominators::simple::{dominates, reaches_without};
use program_ir::{Block, EntityRef};
use std::collections::BTreeSet;

/// Whether `block` is in the natural loop of `header`.
pub fn in_natural_loop(cfg: &Cfg, header: Block, block: Block) -> bool {
    let latches: Vec<Block> = cfg
        .predecessors(header)
        .filter(|&latch| dominates(cfg, header, latch))
        .collect();
    if latches.is_empty() || !cfg.is_reachable(block) {
        return false;
    }
    let seen = reaches_without(cfg, block, header);
    block == header || latches.iter().any(|latch| seen[latch.index()])
}

/// Whether self-loops can be dropped and blocks with one predecessor merged into it
/// until one block is left (Hecht and Ullman's T1 and T2).
pub fn is_reducible(cfg: &Cfg) -> bool {
    let mut nodes: BTreeSet<Block> = cfg.reverse_post_order().iter().copied().collect();
    let mut edges: BTreeSet<(Block, Block)> = nodes
        .iter()
        .flat_map(|&from| cfg.successors(from).map(move |to| (from, to)))
        .collect();
    loop {
        edges.retain(|(from, to)| from != to);
        let mergeable = nodes.iter().copied().find(|&node| {
            Some(node) != cfg.entry() && edges.iter().filter(|(_, to)| *to == node).count() == 1
        });
        let Some(node) = mergeable else {
            return nodes.len() <= 1;
        };
        let into = edges
            .iter()
            .find(|(_, to)| *to == node)
            .map(|(from, _)| *from);
        nodes.remove(&node);
        edges = edges
            .into_iter()
            .filter(|(_, to)| *to != node)
            .map(|(from, to)| match into {
                Some(into) if from == node => (into, to),
                _ => (from, to),
            })
            .collect();
    }
}
