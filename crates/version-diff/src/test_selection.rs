//! Which tests of a suite can execute a change?
//!
//! From a run of the suite on the new version the answer is exact: those that executed a
//! change point. Usually the recorded run is one of the old version. Until a test comes
//! to its first change the two versions are in step, so it has executed the old partner
//! of what comes right before a change point, or the partner of the point itself. A test
//! that has executed none of these cannot execute a change and need not be run again.

use crate::changes::{ChangeSet, FunctionChange};
use crate::express::points_of;
use program_graphs::Cfg;
use program_ir::{Block, Constant, EntityRef, Func, Inst, Module, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What one test executed.
#[derive(Clone, Debug, Default)]
pub struct TestCoverage {
    pub name: String,
    pub blocks: BTreeSet<(Func, Block)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Selection {
    /// Names of tests that may execute a change, in the order given.
    pub selected: Vec<String>,
    pub cannot_execute_a_change: Vec<String>,
}

/// From a run of the suite on the new version.
pub fn select_by_new_run(new: &Module, changes: &ChangeSet, suite: &[TestCoverage]) -> Selection {
    let mut dangerous = BTreeSet::new();
    for (func, points) in points_of(changes, new) {
        for (block, data) in new.functions[func].blocks.iter() {
            if data.insts.iter().any(|inst| points.contains(inst)) {
                dangerous.insert((func, block));
            }
        }
    }
    select(&dangerous, suite)
}

/// From a run of the suite on the old version.
pub fn select_by_old_run(
    old: &Module,
    new: &Module,
    changes: &ChangeSet,
    suite: &[TestCoverage],
) -> Selection {
    let points = changes.points(new);
    let old_of_new: BTreeMap<Func, Func> = changes
        .matches
        .iter()
        .map(|found| (found.new, found.old))
        .collect();
    let mut dangerous = BTreeSet::new();
    for (&func, points) in &points {
        let insts: HashSet<Inst> = points.iter().map(|point| point.inst).collect();
        match (changes.function(func), old_of_new.get(&func)) {
            (Some(change), _) => {
                dangerous.extend(before_changes(old, new, change, &insts));
            }
            // Only uses of changed globals; the bodies are the same.
            (None, Some(&in_old)) => {
                let form = changes.other_forms.get(&func);
                for (block, data) in new.functions[func].blocks.iter() {
                    let partner = form.map_or(Some(block), |form| form.old_block_of_new[block]);
                    if data.insts.iter().any(|inst| insts.contains(inst)) {
                        let entry = old.functions[in_old].entry();
                        dangerous.extend(partner.or(entry).map(|block| (in_old, block)));
                    }
                }
            }
            // An added function is called from a change, or through a table of functions.
            (None, None) => {}
        }
    }
    let added = changes.added_functions.iter().map(|&func| (new, func));
    let removed = changes.removed_functions.iter().map(|&func| (old, func));
    if added
        .chain(removed)
        .any(|(module, func)| is_in_a_table(module, func))
    {
        // Whoever goes through the table may call it; constructors are called before `main`.
        let everything = suite.iter().flat_map(|test| test.blocks.iter().copied());
        dangerous.extend(everything);
    }
    select(&dangerous, suite)
}

/// Whether a global holds the function's address from the start.
fn is_in_a_table(module: &Module, func: Func) -> bool {
    let mut relocations = module
        .globals
        .values()
        .flat_map(|global| &global.initialiser.relocations);
    relocations.any(|relocation| relocation.constant == Constant::FunctionAddress(func))
}

fn select(dangerous: &BTreeSet<(Func, Block)>, suite: &[TestCoverage]) -> Selection {
    let mut selection = Selection::default();
    for test in suite {
        if test.blocks.is_disjoint(dangerous) {
            selection.cannot_execute_a_change.push(test.name.clone());
        } else {
            selection.selected.push(test.name.clone());
        }
    }
    selection
}

/// The old blocks with partners of change points and of what comes right before one.
fn before_changes(
    old: &Module,
    new: &Module,
    change: &FunctionChange,
    points: &HashSet<Inst>,
) -> BTreeSet<(Func, Block)> {
    let function = &new.functions[change.new];
    let cfg = Cfg::of(function);
    let alignment = &change.comparison.alignment;
    let mut old_block = SecondaryMap::<Inst, Option<Block>>::new();
    for (block, data) in old.functions[change.old].blocks.iter() {
        data.insts
            .iter()
            .for_each(|&inst| old_block[inst] = Some(block));
    }
    let partner_block = |inst: Inst| {
        let jump = matches!(function.insts[inst].data, program_ir::InstData::Jump(_));
        let in_old = alignment.old_of_new[inst].filter(|_| !jump)?;
        old_block[in_old]
    };
    let mut found = BTreeSet::new();
    let mut entered = vec![false; function.blocks.len()];
    // Places to look back from: before the instruction at this index.
    let mut open: Vec<(Block, usize)> = Vec::new();
    for (block, data) in function.blocks.iter() {
        for (index, inst) in data.insts.iter().enumerate() {
            if points.contains(inst) {
                found.extend(partner_block(*inst).map(|block| (change.old, block)));
                open.push((block, index));
            }
        }
    }
    while let Some((block, index)) = open.pop() {
        let insts = &function.blocks[block].insts[..index];
        if let Some(in_old) = insts.iter().rev().find_map(|&inst| partner_block(inst)) {
            found.insert((change.old, in_old));
            continue;
        }
        if std::mem::replace(&mut entered[block.index()], true) {
            continue;
        }
        if Some(block) == function.entry() {
            let entry = old.functions[change.old].entry();
            found.extend(entry.map(|entry| (change.old, entry)));
        }
        for before in cfg.predecessors(block) {
            open.push((before, function.blocks[before].insts.len()));
        }
    }
    found
}
