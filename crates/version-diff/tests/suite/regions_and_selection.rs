//! Changed regions are single-entry and single-exit, hold their points, and may define what
//! runs see them define; a deletion leaves a marker; test selection leaves out no test that
//! executes a change.

use crate::small_language::edit::edited;
use crate::small_language::lower::{LowerOptions, lower};
use crate::small_language::random_program;
use crate::small_language::run::{Run, run};
use program_graphs::{FactsConfig, ProgramFacts};
use program_ir::{Func, Inst, Module, VariablePlace};
use random::SplitMix;
use std::collections::{BTreeSet, HashMap};
use version_diff::express::points_of;
use version_diff::regions::definitions::may_define;
use version_diff::regions::{Place, changed_regions, is_single_entry_single_exit};
use version_diff::test_selection::{TestCoverage, select_by_new_run, select_by_old_run};

const PAIRS: u64 = 600;

fn coverage(module: &Module, name: String, run: &Run) -> TestCoverage {
    let mut block_of = HashMap::new();
    for (func, function) in module.functions.iter() {
        for (block, data) in function.blocks.iter() {
            block_of.extend(data.insts.iter().map(|&inst| ((func, inst), block)));
        }
    }
    let blocks = run.executed.iter().map(|place| (place.0, block_of[place]));
    TestCoverage {
        name,
        blocks: blocks.collect(),
    }
}

#[test]
fn regions_have_one_entry_and_one_exit() {
    let (mut regions_seen, mut smaller) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 90_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        let changes = version_diff::diff(&old, &new);
        let regions = changed_regions(&old, &new, &changes);
        for region in &regions {
            regions_seen += 1;
            let function = &new.functions[region.new.func];
            smaller += usize::from(region.new.insts.len() < function.insts.len());
            assert!(!region.points.is_empty());
            assert!(
                is_single_entry_single_exit(function, &region.new),
                "seed {seed}: {region:?}\n{:#?}",
                function.blocks
            );
            if let Some(side) = &region.old {
                let function = &old.functions[side.func];
                assert!(
                    is_single_entry_single_exit(function, side),
                    "seed {seed}: {region:?}"
                );
            }
        }
        for change in &changes.functions {
            let mine = regions
                .iter()
                .filter(|region| region.new.func == change.new);
            let held: BTreeSet<_> = mine
                .flat_map(|region| region.points.iter().copied())
                .collect();
            let reachable = program_graphs::Cfg::of(&new.functions[change.new]);
            for (block, data) in new.functions[change.new].blocks.iter() {
                for point in &change.comparison.points {
                    if data.insts.contains(&point.inst) && reachable.is_reachable(block) {
                        assert!(held.contains(&point.inst), "seed {seed}: {point:?}");
                    }
                }
            }
        }
    }
    assert!(
        regions_seen > 300 && smaller * 2 > regions_seen,
        "{smaller} of {regions_seen}"
    );
}

/// Everything that is gone is marked at a change point that the new version can reach.
#[test]
fn a_deletion_leaves_a_marker() {
    let (mut gone, mut statements) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 110_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        for change in &version_diff::diff(&old, &new).functions {
            let (in_old, in_new) = (&old.functions[change.old], &new.functions[change.new]);
            let live = |function: &program_ir::Function| -> BTreeSet<Inst> {
                let cfg = program_graphs::Cfg::of(function);
                let blocks = function.blocks.iter();
                let blocks = blocks.filter(|(block, _)| cfg.is_reachable(*block));
                blocks.flat_map(|(_, data)| data.insts.clone()).collect()
            };
            let points: BTreeSet<Inst> = change
                .comparison
                .points
                .iter()
                .map(|point| point.inst)
                .collect();
            let new_live = live(in_new);
            let mut marked = BTreeSet::new();
            for deletion in &change.comparison.deletions {
                assert!(new_live.contains(&deletion.marker), "seed {seed}");
                assert!(points.contains(&deletion.marker), "seed {seed}");
                marked.extend(deletion.old.iter().copied());
            }
            for inst in live(in_old) {
                let jump = matches!(in_old.insts[inst].data, program_ir::InstData::Jump(_));
                let without_partner = change.comparison.alignment.new_of_old[inst].is_none();
                assert_eq!(
                    without_partner && !jump,
                    marked.contains(&inst),
                    "seed {seed}: {inst}"
                );
                gone += usize::from(without_partner && !jump);
            }
            for statement in &change.statements {
                if statement.kind == version_diff::StatementKind::Deleted {
                    assert!(statement.new.is_some(), "seed {seed}: {statement:?}");
                    statements += 1;
                }
            }
        }
    }
    assert!(gone > 300 && statements > 100, "{gone}, {statements}");
}

/// Brute force over all inputs: what a run gives inside a region and uses behind it, and
/// which globals it writes there, calls included.
#[test]
fn regions_may_define_what_runs_define() {
    let (mut values_seen, mut globals_seen, mut variables_seen) = (0, 0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 130_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        let changes = version_diff::diff(&old, &new);
        let regions = changed_regions(&old, &new, &changes);
        if regions.is_empty() {
            continue;
        }
        let facts = ProgramFacts::of(&new, &FactsConfig::default());
        let known: Vec<_> = regions
            .iter()
            .map(|region| may_define(&facts, &region.new))
            .collect();
        for first in -1..=2 {
            for second in -1..=2 {
                let run = run(&new, &[first, second]);
                for (region, known) in regions.iter().zip(&known) {
                    let region = &region.new;
                    let inside: BTreeSet<Inst> = region.insts.iter().copied().collect();
                    let is_inside = |place: usize| {
                        let (func, inst) = run.executed[place];
                        func == region.func && inside.contains(&inst)
                    };
                    // Calls from inside: the frame of the call, until it goes on.
                    let mut within = vec![false; run.executed.len()];
                    let mut calling: HashMap<usize, bool> = HashMap::new();
                    for place in 0..run.executed.len() {
                        let frame = run.frames[place];
                        let called_inside = match place == frame && place > 0 {
                            true => within[place - 1],
                            false => calling.get(&frame).copied().unwrap_or(false),
                        };
                        calling.insert(frame, called_inside);
                        within[place] = called_inside || is_inside(place);
                    }
                    for &(place, global) in &run.written {
                        if within[place] {
                            assert!(known.globals.contains(&global), "seed {seed}");
                            globals_seen += 1;
                        }
                    }
                    let function = &new.functions[region.func];
                    for &(given_at, value) in &run.given {
                        if !is_inside(given_at) {
                            continue;
                        }
                        let frame = run.frames[given_at];
                        let used_behind = (given_at + 1..run.executed.len()).any(|place| {
                            let mut uses = false;
                            if run.frames[place] == frame && !is_inside(place) {
                                let data = &function.insts[run.executed[place].1].data;
                                data.for_each_operand(|operand| uses |= operand == value);
                            }
                            uses
                        });
                        if used_behind {
                            assert!(known.values.contains(&value), "seed {seed}: {value}");
                            values_seen += 1;
                            for binding in &function.bindings {
                                let here = inside.contains(&binding.before)
                                    || region.exit == Place::Before(binding.before);
                                if here && binding.place == VariablePlace::Value(value) {
                                    let known = known.variables.contains(&binding.variable);
                                    assert!(known, "seed {seed}: {}", binding.variable);
                                    variables_seen += 1;
                                }
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(
        values_seen > 500 && globals_seen > 500 && variables_seen > 500,
        "{values_seen} values, {globals_seen} globals, {variables_seen} variables"
    );
}

#[test]
fn no_test_that_executes_a_change_is_left_out() {
    let (mut selected, mut left_out) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 70_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        let changes = version_diff::diff(&old, &new);
        let points = points_of(&changes, &new);
        let mut old_suite = Vec::new();
        let mut new_suite = Vec::new();
        let mut executing = BTreeSet::new();
        for first in -1..=2 {
            for second in -1..=2 {
                let name = format!("{first} {second}");
                let old_run = run(&old, &[first, second]);
                let new_run = run(&new, &[first, second]);
                let is_point = |(func, inst): &(Func, _)| {
                    points.get(func).is_some_and(|points| points.contains(inst))
                };
                if new_run.executed.iter().any(is_point) {
                    executing.insert(name.clone());
                }
                old_suite.push(coverage(&old, name.clone(), &old_run));
                new_suite.push(coverage(&new, name, &new_run));
            }
        }
        let by_new = select_by_new_run(&new, &changes, &new_suite);
        let exact: BTreeSet<String> = by_new.selected.into_iter().collect();
        assert_eq!(exact, executing, "seed {seed}");
        let by_old = select_by_old_run(&old, &new, &changes, &old_suite);
        for name in &executing {
            assert!(
                by_old.selected.contains(name),
                "seed {seed}: {name} is left out"
            );
        }
        selected += by_old.selected.len();
        left_out += by_old.cannot_execute_a_change.len();
    }
    assert!(
        selected > 500 && left_out > 500,
        "{selected} selected, {left_out} left out"
    );
}
