//! The obvious twin: `below` post-dominates `above` if without `below` the virtual exit
//! can no longer be reached from `above`.

use crate::Cfg;
use crate::dominators::simple::reaches_without;
use program_ir::{Block, EntityRef};

/// Blocks that the virtual exit follows, found by the definition of a sink: nothing
/// reachable from it leaves, and everything reachable from it can come back.
pub fn leaves(cfg: &Cfg, block: Block) -> bool {
    let reachable = |from: Block| cfg.graph().reachable_from([from.as_u32()]);
    if cfg.is_exit(block) {
        return true;
    }
    let region: Vec<Block> = reachable(block)
        .iter()
        .enumerate()
        .filter(|(_, reached)| **reached)
        .map(|(index, _)| Block::new(index))
        .collect();
    let is_sink = region
        .iter()
        .all(|&other| !cfg.is_exit(other) && reachable(other)[block.index()]);
    is_sink
        && region
            .iter()
            .all(|&other| cfg.position(block) <= cfg.position(other))
}

pub fn post_dominates(cfg: &Cfg, below: Block, above: Block) -> bool {
    if !cfg.is_reachable(below) || !cfg.is_reachable(above) {
        return false;
    }
    let seen = reaches_without(cfg, above, below);
    let exit_reached = cfg
        .reverse_post_order()
        .iter()
        .any(|&block| seen[block.index()] && leaves(cfg, block));
    below == above || !exit_reached
}

pub fn immediate(cfg: &Cfg, block: Block) -> Option<Block> {
    let strict: Vec<Block> = cfg
        .reverse_post_order()
        .iter()
        .copied()
        .filter(|&below| below != block && post_dominates(cfg, below, block))
        .collect();
    strict.iter().copied().find(|&closest| {
        strict
            .iter()
            .all(|&other| post_dominates(cfg, other, closest))
    })
}
