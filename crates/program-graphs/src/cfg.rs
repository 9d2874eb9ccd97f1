//! The control-flow graph of one function, block by block.
//!
//! It holds what the terminators say, and three things they do not say:
//! - A call that is known never to return ends its block: the block leaves the
//!   function there, and its terminator is not reached.
//! - A call that returns a second time (`setjmp`) can be returned to from any call that
//!   comes later. So every block with such a later call has an extra edge to the block
//!   returned to. The edge enters that block at its start, which only adds paths.
//! - Blocks that the entry does not reach keep their edges but are in no order;
//!   analyses leave them out.

use crate::Adjacency;
use program_ir::{Block, EntityRef, Function, Inst, InstData};

/// What a call does with control, as far as the caller's graph is concerned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallControl {
    Returns,
    NeverReturns,
    /// Returns, and may return again whenever another call is running.
    ReturnsTwice,
}

#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Adjacency,
    predecessors: Adjacency,
    /// Blocks from which control may leave the function.
    exits: Vec<bool>,
    /// For a block that ends early: how many of its instructions can execute.
    cut_after: Vec<Option<u32>>,
    /// Calls that can jump to where another call returns a second time.
    jumping_calls: Vec<Vec<Inst>>,
    returns_twice: bool,
    reverse_post_order: Vec<Block>,
    /// Position in `reverse_post_order`; `u32::MAX` if unreachable.
    position: Vec<u32>,
}

impl Cfg {
    /// Every call returns exactly once.
    pub fn of(function: &Function) -> Self {
        Self::with_calls(function, |_| CallControl::Returns)
    }

    pub fn with_calls(function: &Function, control: impl Fn(Inst) -> CallControl) -> Self {
        let block_count = function.blocks.len();
        let mut exits = vec![false; block_count];
        let mut cut_after = vec![None; block_count];
        let mut calls = vec![Vec::new(); block_count];
        let mut return_again = Vec::new();
        let mut edges = Vec::new();
        for (block, data) in function.blocks.iter() {
            for (index, &inst) in data.insts.iter().enumerate() {
                if function.insts[inst].data.call().is_none() {
                    continue;
                }
                match control(inst) {
                    CallControl::Returns => calls[block.index()].push(inst),
                    CallControl::ReturnsTwice => return_again.push(block),
                    CallControl::NeverReturns => {
                        calls[block.index()].push(inst);
                        if !matches!(function.insts[inst].data, InstData::Invoke { .. }) {
                            cut_after[block.index()] = Some(index as u32 + 1);
                            break;
                        }
                    }
                }
            }
            let mut targets = match function.terminator(block) {
                Some(last) if cut_after[block.index()].is_none() => {
                    let data = &function.insts[last].data;
                    match data {
                        InstData::Invoke { unwind, .. }
                            if control(last) == CallControl::NeverReturns =>
                        {
                            vec![unwind.block]
                        }
                        _ => data.successors(),
                    }
                }
                _ => Vec::new(),
            };
            exits[block.index()] = targets.is_empty();
            remove_repeats(&mut targets);
            edges.extend(targets.into_iter().map(|to| (block, to)));
        }
        return_again.dedup();
        let returns_twice = !return_again.is_empty();
        let mut jumping_calls = vec![Vec::new(); block_count];
        // A jump leads only to a call that has returned once already. Jumps make more
        // blocks follow such a call, so this is repeated until nothing is added.
        let mut jumps = std::collections::BTreeSet::new();
        let mut grown = returns_twice;
        while grown {
            grown = false;
            let pairs: Vec<(u32, u32)> = edges
                .iter()
                .chain(&jumps)
                .map(|(from, to)| (from.as_u32(), to.as_u32()))
                .collect();
            let graph = Adjacency::from_edges(block_count, &pairs);
            let reached = graph.reachable_from([0]);
            for &target in return_again.iter().filter(|block| reached[block.index()]) {
                let follows = graph.reachable_from([target.as_u32()]);
                for (index, insts) in calls.iter().enumerate() {
                    if follows[index] && !insts.is_empty() {
                        grown |= jumps.insert((Block::new(index), target));
                        jumping_calls[index].clone_from(insts);
                    }
                }
            }
        }
        edges.extend(jumps);
        let mut cfg = Self::from_edges(block_count, &edges, exits);
        cfg.cut_after = cut_after;
        cfg.jumping_calls = jumping_calls;
        cfg.returns_twice = returns_twice;
        cfg
    }

    /// A bare graph. Block 0 is the entry; blocks without successors are exits.
    pub fn from_edges(block_count: usize, edges: &[(Block, Block)], mut exits: Vec<bool>) -> Self {
        let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
        let mut seen = std::collections::HashSet::new();
        for &(from, to) in edges {
            if seen.insert((from, to)) {
                pairs.push((from.as_u32(), to.as_u32()));
            }
        }
        let successors = Adjacency::from_edges(block_count, &pairs);
        let predecessors = successors.reversed();
        for (block, exit) in exits.iter_mut().enumerate() {
            *exit |= successors.of(block as u32).is_empty();
        }
        let reverse_post_order: Vec<Block> = if block_count == 0 {
            Vec::new()
        } else {
            let order = successors.reverse_post_order(0);
            order.into_iter().map(Block::from_u32).collect()
        };
        let mut position = vec![u32::MAX; block_count];
        for (index, block) in reverse_post_order.iter().enumerate() {
            position[block.index()] = index as u32;
        }
        Cfg {
            successors,
            predecessors,
            exits,
            cut_after: vec![None; block_count],
            jumping_calls: vec![Vec::new(); block_count],
            returns_twice: false,
            reverse_post_order,
            position,
        }
    }

    pub fn block_count(&self) -> usize {
        self.position.len()
    }

    pub fn entry(&self) -> Option<Block> {
        self.reverse_post_order.first().copied()
    }

    /// Distinct blocks that can follow, in source order.
    pub fn successors(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        let targets = self.successors.of(block.as_u32());
        targets.iter().map(|&to| Block::from_u32(to))
    }

    /// Distinct blocks that can come before, reachable or not.
    pub fn predecessors(&self, block: Block) -> impl ExactSizeIterator<Item = Block> + '_ {
        let sources = self.predecessors.of(block.as_u32());
        sources.iter().map(|&from| Block::from_u32(from))
    }

    pub fn graph(&self) -> &Adjacency {
        &self.successors
    }

    pub fn reverse_graph(&self) -> &Adjacency {
        &self.predecessors
    }

    /// Whether control may leave the function in this block.
    pub fn is_exit(&self, block: Block) -> bool {
        self.exits[block.index()]
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block.index()] != u32::MAX
    }

    /// The reachable blocks, every block before its successors except along retreating
    /// edges.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.reverse_post_order
    }

    pub fn position(&self, block: Block) -> Option<u32> {
        let position = self.position[block.index()];
        (position != u32::MAX).then_some(position)
    }

    /// Whether a call in this function can return a second time.
    pub fn returns_twice(&self) -> bool {
        self.returns_twice
    }

    /// The instructions of `block` that can execute: all, or those up to a call that
    /// never returns.
    pub fn live_insts<'a>(&self, function: &'a Function, block: Block) -> &'a [Inst] {
        let insts = &function.blocks[block].insts;
        match self.cut_after[block.index()] {
            Some(count) => &insts[..count as usize],
            None => insts,
        }
    }

    /// The instructions that can execute, in order of number.
    pub fn all_live_insts(&self, function: &Function) -> Vec<Inst> {
        let mut insts: Vec<Inst> = self
            .reverse_post_order
            .iter()
            .flat_map(|&block| self.live_insts(function, block))
            .copied()
            .collect();
        insts.sort_unstable();
        insts
    }

    /// The instructions that choose which successor of `block` comes next. The
    /// terminator, also where it is a plain jump and so chooses nothing, and calls that
    /// can jump elsewhere.
    pub fn deciders(&self, function: &Function, block: Block) -> Vec<Inst> {
        let mut deciders = self.jumping_calls[block.index()].clone();
        if let Some(&last) = self.live_insts(function, block).last()
            && !deciders.contains(&last)
        {
            deciders.push(last);
        }
        deciders
    }
}

fn remove_repeats(blocks: &mut Vec<Block>) {
    let mut seen = std::collections::HashSet::new();
    blocks.retain(|&block| seen.insert(block));
}
