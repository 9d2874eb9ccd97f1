//! Changed regions: single-entry, single-exit parts of a function that hold its changes
//! (eXpress, "Changed Code Region", and §4.3).
//!
//! A region is the smallest part around a connected group of change points that control
//! enters in one place and leaves in one place, so that a check at its end sees the state
//! after every execution of the changes. eXpress takes one region per method; here each
//! group of changes has its own, which is smaller and so is a part of theirs.
//!
//! Changes inside a block that leave its branch alone need no more than a stretch of the
//! block. A changed branch takes in everything up to where its ways meet again.
//!
//! A changed global has no region: the state differs from the start.

pub mod definitions;

use crate::changes::{ChangeSet, FunctionChange};
use program_graphs::{Cfg, Dominators, PostDominators};
use program_ir::{Block, EntityRef, Func, Function, Inst, Module};
use std::collections::{BTreeMap, BTreeSet};

/// A place where control enters or leaves a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Just before this instruction.
    Before(Inst),
    /// Where the function is left.
    FunctionEnd,
}

/// One side of a changed region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    pub func: Func,
    pub entry: Place,
    pub exit: Place,
    /// In layout order.
    pub insts: Vec<Inst>,
}

/// A changed region in both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChangedRegion {
    pub new: Region,
    /// The region of the instructions that were replaced or deleted; `None` if the change
    /// only adds.
    pub old: Option<Region>,
    /// Change points inside, in layout order.
    pub points: Vec<Inst>,
}

pub fn changed_regions(old: &Module, new: &Module, changes: &ChangeSet) -> Vec<ChangedRegion> {
    let mut regions = Vec::new();
    for change in &changes.functions {
        regions.extend(regions_of_function(old, new, change));
    }
    regions
}

fn regions_of_function(old: &Module, new: &Module, change: &FunctionChange) -> Vec<ChangedRegion> {
    let points: BTreeSet<Inst> = change
        .comparison
        .points
        .iter()
        .map(|point| point.inst)
        .collect();
    let new_function = &new.functions[change.new];
    let old_function = &old.functions[change.old];
    let old_graph = Graph::of(old_function);
    let find = |region: &Region| {
        let alignment = &change.comparison.alignment;
        let inside: BTreeSet<Inst> = region.insts.iter().copied().collect();
        let mut replaced: BTreeSet<Inst> = inside
            .iter()
            .filter(|inst| points.contains(inst))
            .filter_map(|&inst| alignment.old_of_new[inst])
            .collect();
        for deletion in &change.comparison.deletions {
            if inside.contains(&deletion.marker) {
                replaced.extend(&deletion.old);
            }
        }
        // Everything that has a partner inside belongs to the old side too.
        if !replaced.is_empty() {
            replaced.extend(inside.iter().filter_map(|&inst| alignment.old_of_new[inst]));
        }
        old_graph.region_around(change.old, &replaced)
    };
    let graph = Graph::of(new_function);
    let regions = graph.regions(change.new, &points).into_iter();
    regions
        .map(|region| ChangedRegion {
            old: find(&region),
            points: region
                .insts
                .iter()
                .copied()
                .filter(|inst| points.contains(inst))
                .collect(),
            new: region,
        })
        .collect()
}

/// The regions of one function around some of its instructions.
pub fn regions_around(function: &Function, func: Func, insts: &BTreeSet<Inst>) -> Vec<Region> {
    Graph::of(function).regions(func, insts)
}

struct Graph<'a> {
    function: &'a Function,
    cfg: Cfg,
    dominators: Dominators,
    post_dominators: PostDominators,
}

/// Blocks of a growing region; `None` as exit is the function's end.
#[derive(Clone, Debug)]
struct Extent {
    entry: (Block, usize),
    exit: Option<(Block, usize)>,
    /// Blocks that are inside from start to end. Not those of entry and exit, unless
    /// inside as a whole.
    whole: BTreeSet<Block>,
}

impl<'a> Graph<'a> {
    fn of(function: &'a Function) -> Self {
        let cfg = Cfg::of(function);
        Graph {
            function,
            dominators: Dominators::of(&cfg),
            post_dominators: PostDominators::of(&cfg),
            cfg,
        }
    }

    fn regions(&self, func: Func, insts: &BTreeSet<Inst>) -> Vec<Region> {
        let mut groups: Vec<BTreeSet<Inst>> = Vec::new();
        for (block, data) in self.function.blocks.iter() {
            let here = data
                .insts
                .iter()
                .copied()
                .filter(|inst| insts.contains(inst));
            let here: BTreeSet<Inst> = here.collect();
            if !here.is_empty() && self.cfg.is_reachable(block) {
                groups.push(here);
            }
        }
        // Regions that overlap become one.
        loop {
            let regions: Vec<Region> = groups
                .iter()
                .filter_map(|group| self.region_around(func, group))
                .collect();
            let mut owner: BTreeMap<Inst, usize> = BTreeMap::new();
            let mut merged = None;
            'search: for (index, region) in regions.iter().enumerate() {
                for &inst in &region.insts {
                    if let Some(&other) = owner.get(&inst) {
                        merged = Some((other, index));
                        break 'search;
                    }
                    owner.insert(inst, index);
                }
            }
            let Some((first, second)) = merged else {
                return regions;
            };
            let group = groups.remove(second);
            groups[first].extend(group);
        }
    }

    /// The smallest single-entry, single-exit part that holds `insts`; `None` if none of
    /// them is reachable.
    fn region_around(&self, func: Func, insts: &BTreeSet<Inst>) -> Option<Region> {
        let mut places: Vec<(Block, usize)> = Vec::new();
        for &block in self.cfg.reverse_post_order() {
            for (index, inst) in self.function.blocks[block].insts.iter().enumerate() {
                if insts.contains(inst) {
                    places.push((block, index));
                }
            }
        }
        let extent = self.grow(&places)?;
        let mut inside = Vec::new();
        for (block, data) in self.function.blocks.iter() {
            for (index, &inst) in data.insts.iter().enumerate() {
                if extent.contains(block, index) {
                    inside.push(inst);
                }
            }
        }
        let inst_at = |(block, index): (Block, usize)| self.function.blocks[block].insts[index];
        Some(Region {
            func,
            entry: Place::Before(inst_at(extent.entry)),
            exit: extent
                .exit
                .map_or(Place::FunctionEnd, |place| Place::Before(inst_at(place))),
            insts: inside,
        })
    }

    fn grow(&self, places: &[(Block, usize)]) -> Option<Extent> {
        let (&first, rest) = places.split_first()?;
        let chooses = |block: Block| self.cfg.successors(block).len() != 1;
        // A stretch of one block.
        let same_block = places.iter().all(|place| place.0 == first.0);
        let last_index = places
            .iter()
            .filter(|place| place.0 == first.0)
            .map(|place| place.1)
            .max()?;
        let end = self.function.blocks[first.0].insts.len() - 1;
        if same_block && last_index < end {
            return Some(Extent {
                entry: first,
                exit: Some((first.0, last_index + 1)),
                whole: BTreeSet::new(),
            });
        }
        let mut top = first.0;
        for place in rest {
            top = self.common_dominator(top, place.0);
        }
        // Where the ways of everything inside have met again.
        let mut bottom = Some(first.0);
        for place in places {
            bottom = bottom.and_then(|bottom| self.common_post_dominator(bottom, place.0));
        }
        loop {
            bottom = bottom.and_then(|bottom| self.common_post_dominator(bottom, top));
            let in_bottom = bottom.and_then(|bottom| {
                let here = places.iter().filter(|place| place.0 == bottom);
                here.map(|place| place.1).max()
            });
            if let Some(block) = bottom
                && (in_bottom == Some(self.function.blocks[block].insts.len() - 1)
                    || (block == top && (chooses(block) || places.len() > 1)))
            {
                // The bottom's own terminator is inside: the exit lies behind it.
                bottom = self.post_dominators.immediate(block);
                continue;
            }
            let start = places
                .iter()
                .filter(|place| place.0 == top)
                .map(|place| place.1)
                .min();
            let top_end = self.function.blocks[top].insts.len() - 1;
            let exit = bottom.map(|block| (block, in_bottom.map_or(0, |index| index + 1)));
            let whole = self.between(top, bottom);
            let extent = Extent {
                entry: (
                    top,
                    if whole.contains(&top) {
                        0
                    } else {
                        start.unwrap_or(top_end)
                    },
                ),
                exit,
                whole,
            };
            match self.second_entry(&extent, top) {
                None => return Some(extent),
                Some(outside) => {
                    let wider = self.common_dominator(top, outside);
                    if wider == top {
                        // Entered from outside although dominated: the exit was inside a
                        // loop around the region.
                        let Some(block) = bottom else {
                            return Some(extent);
                        };
                        bottom = self.post_dominators.immediate(block);
                    } else {
                        top = wider;
                    }
                }
            }
        }
    }

    /// Blocks on ways from `top` to `bottom`, without `bottom`; `top` only if a way leads
    /// back to it.
    fn between(&self, top: Block, bottom: Option<Block>) -> BTreeSet<Block> {
        let mut inside = BTreeSet::new();
        let mut open: Vec<Block> = self.cfg.successors(top).collect();
        while let Some(block) = open.pop() {
            if Some(block) != bottom && inside.insert(block) {
                open.extend(self.cfg.successors(block));
            }
        }
        inside
    }

    /// A block outside from which control enters other than at the entry.
    fn second_entry(&self, extent: &Extent, top: Block) -> Option<Block> {
        let is_inside = |block: Block| block == top || extent.whole.contains(&block);
        for &block in &extent.whole {
            if block == top {
                continue;
            }
            let entering = |before: &Block| self.cfg.is_reachable(*before) && !is_inside(*before);
            if let Some(before) = self.cfg.predecessors(block).find(entering) {
                return Some(before);
            }
        }
        match extent.exit {
            // The exit block's beginning is inside.
            Some((block, index)) if index > 0 => self
                .cfg
                .predecessors(block)
                .find(|&before| self.cfg.is_reachable(before) && !is_inside(before)),
            _ => None,
        }
    }

    fn common_dominator(&self, mut left: Block, right: Block) -> Block {
        while !self.dominators.dominates(left, right) {
            match self.dominators.immediate(left) {
                Some(above) => left = above,
                None => return left,
            }
        }
        left
    }

    fn common_post_dominator(&self, mut left: Block, right: Block) -> Option<Block> {
        while !self.post_dominators.post_dominates(left, right) {
            left = self.post_dominators.immediate(left)?;
        }
        Some(left)
    }
}

impl Extent {
    fn contains(&self, block: Block, index: usize) -> bool {
        if self.whole.contains(&block) {
            return true;
        }
        let after_entry = block == self.entry.0 && index >= self.entry.1;
        match self.exit {
            Some(exit) if exit.0 == self.entry.0 => after_entry && index < exit.1,
            Some(exit) if block == exit.0 => index < exit.1,
            _ => after_entry,
        }
    }
}

/// Whether control enters and leaves a set of instructions in one place each: the
/// definition, checked edge by edge.
pub fn is_single_entry_single_exit(function: &Function, region: &Region) -> bool {
    let inside: BTreeSet<Inst> = region.insts.iter().copied().collect();
    let cfg = Cfg::of(function);
    let mut entries = BTreeSet::new();
    let mut exits = BTreeSet::new();
    let mut step = |from: Option<Inst>, to: Place| {
        let from_inside = from.is_some_and(|from| inside.contains(&from));
        let to_inside = matches!(to, Place::Before(to) if inside.contains(&to));
        match (from_inside, to_inside) {
            (false, true) => entries.insert(to),
            (true, false) => exits.insert(to),
            _ => false,
        };
    };
    for &block in cfg.reverse_post_order() {
        let insts = &function.blocks[block].insts;
        if block.index() == 0 {
            step(None, Place::Before(insts[0]));
        }
        for pair in insts.windows(2) {
            step(Some(pair[0]), Place::Before(pair[1]));
        }
        let last = insts.last().copied();
        for next in cfg.successors(block) {
            step(last, Place::Before(function.blocks[next].insts[0]));
        }
        if cfg.is_exit(block) {
            step(last, Place::FunctionEnd);
        }
    }
    entries.len() <= 1 && exits.len() <= 1
}
