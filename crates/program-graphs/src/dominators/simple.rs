//! The obvious twin: `above` dominates `below` if without `above` the entry no longer
//! reaches `below`.

use crate::Cfg;
use program_ir::{Block, EntityRef};

pub fn dominates(cfg: &Cfg, above: Block, below: Block) -> bool {
    let Some(entry) = cfg.entry() else {
        return false;
    };
    if !cfg.is_reachable(above) || !cfg.is_reachable(below) {
        return false;
    }
    above == below || !reaches_without(cfg, entry, above)[below.index()]
}

/// Blocks reachable from `start` on paths that never enter `avoided`.
pub fn reaches_without(cfg: &Cfg, start: Block, avoided: Block) -> Vec<bool> {
    let mut seen = vec![false; cfg.block_count()];
    let mut stack = vec![start];
    while let Some(block) = stack.pop() {
        if block != avoided && !std::mem::replace(&mut seen[block.index()], true) {
            stack.extend(cfg.successors(block));
        }
    }
    seen
}

/// The closest strict dominator: the one that all other strict dominators dominate.
pub fn immediate(cfg: &Cfg, block: Block) -> Option<Block> {
    let strict: Vec<Block> = cfg
        .reverse_post_order()
        .iter()
        .copied()
        .filter(|&above| above != block && dominates(cfg, above, block))
        .collect();
    strict
        .iter()
        .copied()
        .find(|&closest| strict.iter().all(|&other| dominates(cfg, other, closest)))
}

pub fn in_frontier(cfg: &Cfg, block: Block, candidate: Block) -> bool {
    let strictly = block != candidate && dominates(cfg, block, candidate);
    !strictly
        && cfg
            .predecessors(candidate)
            .any(|before| dominates(cfg, block, before))
}
