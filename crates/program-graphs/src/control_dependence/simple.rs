//! The obvious twin: the definition, word by word, over the obvious post-dominance.

use super::ControlCause;
use crate::Cfg;
use crate::post_dominators::simple::post_dominates;
use program_ir::Block;

pub fn depends(cfg: &Cfg, block: Block, cause: ControlCause) -> bool {
    let strictly = block != cause.controller && post_dominates(cfg, block, cause.controller);
    cfg.is_reachable(cause.controller)
        && cfg
            .successors(cause.controller)
            .any(|to| to == cause.toward)
        && post_dominates(cfg, block, cause.toward)
        && !strictly
}

/// The members of `set` that can be the first to be met on a path from `start`.
pub fn first_met(cfg: &Cfg, set: &[Block], start: Block) -> Vec<Block> {
    let mut met = Vec::new();
    let mut seen = vec![start];
    let mut stack = vec![start];
    while let Some(block) = stack.pop() {
        if set.contains(&block) {
            met.push(block);
            continue;
        }
        for next in cfg.successors(block) {
            if !seen.contains(&next) {
                seen.push(next);
                stack.push(next);
            }
        }
    }
    met
}

/// Whether every reachable block outside `set` meets at most one of `set` first.
pub fn weakly_committing(cfg: &Cfg, set: &[Block]) -> bool {
    cfg.reverse_post_order()
        .iter()
        .all(|&block| first_met(cfg, set, block).len() <= 1)
}
