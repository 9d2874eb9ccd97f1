//! The changes between two aligned bodies.
//!
//! **Property.** A run of the new body that executes no change point behaves as the old
//! body does on the same input. So changes explain every difference, whatever the
//! alignment was.
//!
//! The argument is a simulation. Call two instructions *in step* if they are partners
//! and control has come to both. From two in step,
//! 1. they do the same, since their words are equal and their operands correspond
//!    (`compare::operands`), or the new one is a change point (**modified**);
//! 2. control goes to two that are again in step, passing parameters that correspond on
//!    the way, or it meets a change point first: the next new instruction is **added** or
//!    modified, or a marker stands before it. A marker says where an instruction was
//!    **deleted**, or, where nothing is missing, that control is **rerouted**.
//!
//! An unconditional jump does nothing by itself, so jumps need no partner; what counts is
//! where control lands and what it passes (`compare::walk`).
//!
//! Locals are SSA values, so an assignment of a constant or of another variable leaves no
//! instruction. Its change is seen where the variable is used and, if the debug
//! information allows, pinned on the point where the variable gets its value
//! (**assigned**).

mod operands;
mod variables;
mod walk;

use crate::align::{Alignment, is_stack_slot};
use crate::input_space::CommonInputSpace;
use crate::operation::{edges, words};
use crate::version::ClassifiedModule;
use operands::{Correspondence, Operand};
use program_graphs::{Cfg, Dominators};
use program_ir::{Block, Callee, Func, Function, Inst, InstData, SecondaryMap, Value, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use walk::{Walk, walk};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ChangeKind {
    Added,
    Modified,
    /// Just before this instruction a variable gets another value than it used to.
    Assigned(Variable),
    /// Just before this instruction something was deleted.
    Deleted,
    /// Control comes here in the new version where it went elsewhere in the old one.
    Rerouted,
}

/// An instruction of the new version whose execution is the execution of a change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChangePoint {
    pub inst: Inst,
    pub kind: ChangeKind,
}

/// Instructions that only the old version has, and where they would be in the new one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deletion {
    /// In layout order.
    pub old: Vec<Inst>,
    /// Just before this instruction of the new version.
    pub marker: Inst,
}

#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub alignment: Alignment,
    /// In layout order of the new body.
    pub points: Vec<ChangePoint>,
    pub deletions: Vec<Deletion>,
    /// What takes over a difference that arises at a change point, where that is not the
    /// point's own result: uses of a variable assigned there, of a deleted result.
    pub takers: Vec<(Inst, Taker)>,
}

/// Something in the new body that has another value because of a change point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Taker {
    Inst(Inst),
    /// A block parameter.
    Param(Value),
}

/// How two versions of a body are compared.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions {
    /// A constant argument that is the line number of its own call in both versions
    /// (`__LINE__`, as `assert` passes it) is no change, nor is the place in a Rust panic.
    pub ignore_line_numbers: bool,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions {
            ignore_line_numbers: true,
        }
    }
}

/// One body with what comparing needs to know about it.
pub(crate) struct Body<'a> {
    pub(crate) version: &'a ClassifiedModule<'a>,
    pub(crate) function: &'a Function,
    pub(crate) cfg: Cfg,
    pub(crate) dominators: Dominators,
    /// Block and place in it.
    pub(crate) position: SecondaryMap<Inst, Option<(Block, u32)>>,
    /// How many edges enter each block.
    pub(crate) entries: SecondaryMap<Block, u32>,
}

impl<'a> Body<'a> {
    pub(crate) fn of(version: &'a ClassifiedModule<'a>, func: Func) -> Self {
        let function = &version.module.functions[func];
        let cfg = Cfg::of(function);
        let dominators = Dominators::of(&cfg);
        let mut position = SecondaryMap::new();
        let mut entries = SecondaryMap::new();
        for (block, data) in function.blocks.iter() {
            for (index, &inst) in data.insts.iter().enumerate() {
                position[inst] = Some((block, index as u32));
            }
            if let Some(&last) = data.insts.last() {
                for edge in edges(&function.insts[last].data) {
                    entries[edge.block] += 1;
                }
            }
        }
        Body {
            version,
            function,
            cfg,
            dominators,
            position,
            entries,
        }
    }

    pub(crate) fn data(&self, inst: Inst) -> &'a InstData {
        &self.function.insts[inst].data
    }

    pub(crate) fn is_jump(&self, inst: Inst) -> bool {
        matches!(self.data(inst), InstData::Jump(_))
    }

    pub(crate) fn is_slot(&self, inst: Inst) -> bool {
        self.position[inst].is_some_and(|(block, _)| is_stack_slot(self.function, block, inst))
    }

    pub(crate) fn line(&self, inst: Inst) -> Option<u32> {
        let loc = self.function.insts[inst].loc?;
        Some(self.version.module.source.locs[loc].line)
    }

    /// Instructions of reachable blocks, in layout order.
    fn live(&self) -> impl Iterator<Item = Inst> + '_ {
        let blocks = self.function.blocks.iter();
        blocks
            .filter(|(block, _)| self.cfg.is_reachable(*block))
            .flat_map(|(_, data)| data.insts.iter().copied())
    }

    /// Whether `before` is executed on every way to `after`.
    fn precedes(&self, before: Inst, after: Inst) -> bool {
        let (Some(before), Some(after)) = (self.position[before], self.position[after]) else {
            return false;
        };
        if before.0 == after.0 {
            before.1 <= after.1
        } else {
            self.dominators.dominates(before.0, after.0)
        }
    }
}

/// The parameters of matched functions that do not keep their places.
pub(crate) type InputSpaces = HashMap<u32, CommonInputSpace>;

pub(crate) fn compare(
    old: &Body<'_>,
    new: &Body<'_>,
    alignment: Alignment,
    inputs: &InputSpaces,
    options: CompareOptions,
) -> Comparison {
    let mut comparer = Comparer {
        old,
        new,
        alignment: &alignment,
        inputs,
        correspondence: Correspondence::new(old, new, &alignment, options),
        flags: BTreeMap::new(),
        pending: Vec::new(),
        deletions: BTreeMap::new(),
        takers: BTreeSet::new(),
        claimed: HashSet::new(),
    };
    comparer.compare_instructions();
    comparer.compare_control();
    comparer.claim_leftovers();
    comparer.settle_pending();
    let Comparer {
        flags,
        deletions,
        takers,
        ..
    } = comparer;
    let mut points: Vec<ChangePoint> = flags
        .into_iter()
        .map(|(inst, kind)| ChangePoint { inst, kind })
        .collect();
    points.sort_by_key(|point| new.position[point.inst]);
    let deletions = deletions.into_iter().map(|(marker, mut gone)| {
        gone.sort_by_key(|&inst| old.position[inst]);
        Deletion { old: gone, marker }
    });
    let deletions = deletions.collect();
    Comparison {
        points,
        deletions,
        takers: takers.into_iter().collect(),
        alignment,
    }
}

struct Comparer<'a, 'b> {
    old: &'a Body<'b>,
    new: &'a Body<'b>,
    alignment: &'a Alignment,
    inputs: &'a InputSpaces,
    correspondence: Correspondence<'a, 'b>,
    flags: BTreeMap<Inst, ChangeKind>,
    /// Uses that need no change point if the deletion of this old instruction was marked
    /// on every way to them.
    pending: Vec<(Inst, Inst, Taker)>,
    takers: BTreeSet<(Inst, Taker)>,
    deletions: BTreeMap<Inst, Vec<Inst>>,
    claimed: HashSet<Inst>,
}

impl Comparer<'_, '_> {
    fn flag(&mut self, inst: Inst, kind: ChangeKind) {
        // Added and modified say more than a marker does.
        let slot = self.flags.entry(inst).or_insert(kind);
        if matches!(kind, ChangeKind::Added | ChangeKind::Modified) {
            *slot = kind;
        }
    }

    /// Executing it is executing a change, whatever stands before it.
    fn is_changed(&self, inst: Inst) -> bool {
        let kind = self.flags.get(&inst);
        matches!(kind, Some(ChangeKind::Added | ChangeKind::Modified))
    }

    fn compare_instructions(&mut self) {
        let live: Vec<Inst> = self.new.live().collect();
        for &inst in &live {
            match self.alignment.old_of_new[inst] {
                None if self.new.is_jump(inst) || self.new.is_slot(inst) => {}
                None => self.flag(inst, ChangeKind::Added),
                Some(in_old) if self.new.is_jump(inst) && self.old.is_jump(in_old) => {}
                Some(in_old) => {
                    if !self.same_words(in_old, inst) {
                        self.flag(inst, ChangeKind::Modified);
                    }
                }
            }
        }
        for inst in live {
            if let Some(in_old) = self.alignment.old_of_new[inst]
                && !self.is_changed(inst)
            {
                let pairs = self.operand_pairs(in_old, inst);
                self.compare_operands(in_old, inst, &pairs);
            }
        }
    }

    fn same_words(&self, in_old: Inst, in_new: Inst) -> bool {
        if let Some(inputs) = self.reordered_call(in_new) {
            // Both call the same function; a lost or new parameter changes the call.
            let keeps_parameters = inputs.only_new.is_empty() && inputs.only_old.is_empty();
            return keeps_parameters && self.same_results_of_calls(in_old, in_new);
        }
        words(self.old.version, self.old.function, in_old)
            == words(self.new.version, self.new.function, in_new)
    }

    /// Whether two calls with parameters in another order return the same types and pass no copies of objects.
    fn same_results_of_calls(&self, in_old: Inst, in_new: Inst) -> bool {
        let calls = [self.old.data(in_old).call(), self.new.data(in_new).call()];
        let [Some(old), Some(new)] = calls else {
            return false;
        };
        old.returns == new.returns && old.by_val.is_empty() && new.by_val.is_empty()
    }

    /// The input space of a directly called function whose parameters moved.
    fn reordered_call(&self, in_new: Inst) -> Option<&CommonInputSpace> {
        let call = self.new.data(in_new).call()?;
        let in_old = self.alignment.old_of_new[in_new]?;
        let old_call = self.old.data(in_old).call()?;
        match (old_call.callee, call.callee) {
            (Callee::Direct(old), Callee::Direct(new)) => {
                let class = self.new.version.function_class(new);
                let same = self.old.version.function_class(old) == class;
                self.inputs.get(&class).filter(|_| same)
            }
            _ => None,
        }
    }

    fn operand_pairs(&self, in_old: Inst, in_new: Inst) -> Vec<Operand> {
        let old = crate::operation::plain_operands(self.old.data(in_old));
        let new = crate::operation::plain_operands(self.new.data(in_new));
        match self.reordered_call(in_new) {
            Some(inputs) => {
                let pair = |(index, &in_new): (usize, &_)| {
                    let at = inputs.old_of_new.get(index).copied().flatten();
                    let at = at.map_or(index, |at| at as usize);
                    Some(Operand {
                        old: *old.get(at)?,
                        new: in_new,
                        into: None,
                    })
                };
                new.iter().enumerate().filter_map(pair).collect()
            }
            None => {
                let pairs = old.into_iter().zip(new);
                let operand = |(old, new)| Operand {
                    old,
                    new,
                    into: None,
                };
                pairs.map(operand).collect()
            }
        }
    }

    /// Flags `in_new`, or what explains its operands, if they do not correspond.
    fn compare_operands(&mut self, in_old: Inst, in_new: Inst, operands: &[Operand]) {
        for &operand in operands {
            let flags = &self.flags;
            let changed = |inst: Inst| {
                matches!(
                    flags.get(&inst),
                    Some(ChangeKind::Added | ChangeKind::Modified)
                )
            };
            let taker = operand.into.map_or(Taker::Inst(in_new), Taker::Param);
            match self
                .correspondence
                .explain(operand, in_old, in_new, &changed)
            {
                operands::Explanation::Same => {}
                operands::Explanation::Flags(points) => {
                    for point in points {
                        self.flag(point.inst, point.kind);
                        self.takers.insert((point.inst, taker));
                    }
                }
                operands::Explanation::IfDeletionIsMarked(gone) => {
                    self.pending.push((gone, in_new, taker));
                }
                operands::Explanation::Changed => {
                    self.flag(in_new, ChangeKind::Modified);
                    self.takers.insert((in_new, taker));
                }
            }
        }
    }

    fn compare_control(&mut self) {
        if let (Some(old_entry), Some(new_entry)) =
            (self.old.function.entry(), self.new.function.entry())
        {
            let from_old = walk(self.old, None, (old_entry, 0));
            let from_new = walk(self.new, None, (new_entry, 0));
            self.compare_walks(None, &from_old, &from_new);
        }
        let live: Vec<Inst> = self.new.live().collect();
        for inst in live {
            let Some(in_old) = self.alignment.old_of_new[inst] else {
                continue;
            };
            if self.new.is_slot(inst) || self.new.is_jump(inst) {
                continue;
            }
            let old_data = self.old.data(in_old);
            let new_data = self.new.data(inst);
            if !old_data.is_terminator() {
                let from_old = walk(self.old, None, after(self.old, in_old));
                let from_new = walk(self.new, None, after(self.new, inst));
                self.compare_walks(Some(inst), &from_old, &from_new);
                continue;
            }
            let (old_edges, new_edges) = (edges(old_data).len(), edges(new_data).len());
            if old_edges == new_edges {
                for index in 0..old_edges {
                    let from_old = walk::along(self.old, in_old, index);
                    let from_new = walk::along(self.new, inst, index);
                    self.compare_walks(Some(inst), &from_old, &from_new);
                }
            } else {
                for index in 0..old_edges {
                    let from_old = walk::along(self.old, in_old, index);
                    self.claim(from_old.landing, inst);
                }
            }
        }
    }

    /// `from` is the new instruction that control comes from; `None` at the entry.
    fn compare_walks(&mut self, from: Option<Inst>, old: &Walk, new: &Walk) {
        let modified = from.is_some_and(|from| self.is_changed(from));
        let in_step = self.alignment.old_of_new[new.landing] == Some(old.landing)
            || (old.is_endless && new.is_endless);
        if !in_step {
            let marker = self.marker(from, new);
            let deleted = self.alignment.new_of_old[old.landing].is_none();
            if self.is_changed(new.landing) {
                if deleted {
                    self.claim(old.landing, new.landing);
                }
            } else if deleted {
                self.flag(marker, ChangeKind::Deleted);
                self.claim(old.landing, marker);
            } else if !modified {
                self.flag(marker, ChangeKind::Rerouted);
            }
            return;
        }
        if modified {
            return;
        }
        let old_passes = self.passes(self.old, old, |block| {
            self.alignment.new_block_of_old[block].is_some_and(|in_new| self.has_partners(in_new))
        });
        let new_passes = self.passes(self.new, new, |block| self.has_partners(block));
        let same_blocks = old_passes.len() == new_passes.len()
            && old_passes.iter().zip(&new_passes).all(|(in_old, in_new)| {
                self.alignment.old_block_of_new[in_new.2] == Some(in_old.2)
            });
        if !same_blocks {
            let marker = self.marker(from, new);
            if !self.is_changed(new.landing) {
                self.flag(marker, ChangeKind::Rerouted);
            }
            return;
        }
        for (in_old, in_new) in old_passes.into_iter().zip(new_passes) {
            let old_args = &edges(self.old.data(in_old.0))[in_old.1].args;
            let new_args = &edges(self.new.data(in_new.0))[in_new.1].args;
            let old_params = &self.old.function.blocks[in_old.2].params;
            let new_params = &self.new.function.blocks[in_new.2].params;
            let mut operands = Vec::new();
            for (place, &param) in new_params.iter().enumerate() {
                let partner = self.alignment.old_value_of_new[param];
                let at = partner.and_then(|old| old_params.iter().position(|&one| one == old));
                if let Some(at) = at {
                    operands.push(Operand {
                        old: old_args[at],
                        new: new_args[place],
                        into: Some(param),
                    });
                }
            }
            self.compare_operands(in_old.0, in_new.0, &operands);
        }
    }

    /// The edges of a walk that enter a block with parameters that have partners.
    fn passes(
        &self,
        body: &Body<'_>,
        walk: &Walk,
        relevant: impl Fn(Block) -> bool,
    ) -> Vec<(Inst, usize, Block)> {
        let edge = |&(inst, index): &(Inst, usize)| {
            let block = edges(body.data(inst))[index].block;
            relevant(block).then_some((inst, index, block))
        };
        walk.edges.iter().filter_map(edge).collect()
    }

    fn has_partners(&self, new_block: Block) -> bool {
        let params = &self.new.function.blocks[new_block].params;
        let paired = |&param: &_| self.alignment.old_value_of_new[param].is_some();
        params.iter().any(paired)
    }

    /// Where a marker is met exactly when control takes this walk, or else more often.
    fn marker(&self, from: Option<Inst>, walk: &Walk) -> Inst {
        match (from, walk.edges.first()) {
            // The walk starts inside a block.
            (_, Some((inst, _))) if Some(*inst) != from => walk.first,
            (_, None) => walk.first,
            (Some(from), Some(&(inst, index))) => {
                let target = edges(self.new.data(inst))[index].block;
                if self.new.entries[target] == 1 {
                    walk.first
                } else {
                    from
                }
            }
            (None, Some(_)) => walk.first,
        }
    }

    /// Notes the deletion of `start` and of what follows it up to the next instruction
    /// that has a partner.
    fn claim(&mut self, start: Inst, marker: Inst) {
        let mut stack = vec![start];
        while let Some(inst) = stack.pop() {
            if self.alignment.new_of_old[inst].is_some() || !self.claimed.insert(inst) {
                continue;
            }
            if !self.old.is_jump(inst) {
                self.deletions.entry(marker).or_default().push(inst);
            }
            if self.old.data(inst).is_terminator() {
                for index in 0..edges(self.old.data(inst)).len() {
                    stack.push(walk::along(self.old, inst, index).landing);
                }
            } else {
                stack.push(walk(self.old, None, after(self.old, inst)).landing);
            }
        }
    }

    /// Deletions that follow only modified control are marked at the nearest partner.
    fn claim_leftovers(&mut self) {
        let live: Vec<Inst> = self.old.live().collect();
        for (index, &inst) in live.iter().enumerate() {
            let unmatched = self.alignment.new_of_old[inst].is_none();
            if !unmatched
                || self.claimed.contains(&inst)
                || self.old.is_jump(inst)
                || self.old.is_slot(inst)
            {
                continue;
            }
            let partner = |inst: &Inst| self.alignment.new_of_old[*inst];
            let following = live[index..].iter().find_map(partner);
            let marker = following.or_else(|| live[..index].iter().rev().find_map(partner));
            if let Some(marker) = marker {
                self.flag(marker, ChangeKind::Deleted);
                self.claim(inst, marker);
            }
        }
    }

    fn settle_pending(&mut self) {
        let mut marker_of = HashMap::new();
        for (&marker, gone) in &self.deletions {
            marker_of.extend(gone.iter().map(|&inst| (inst, marker)));
        }
        for (gone, use_point, taker) in std::mem::take(&mut self.pending) {
            let marker = marker_of.get(&gone).copied().filter(|&marker| {
                self.flags.contains_key(&marker) && self.new.precedes(marker, use_point)
            });
            match marker {
                Some(marker) => {
                    self.takers.insert((marker, taker));
                }
                None => {
                    self.flag(use_point, ChangeKind::Modified);
                    self.takers.insert((use_point, taker));
                }
            }
        }
    }
}

fn after(body: &Body<'_>, inst: Inst) -> (Block, u32) {
    let (block, index) = body.position[inst].expect("a live instruction is in a block");
    (block, index + 1)
}
