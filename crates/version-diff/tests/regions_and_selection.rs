//! Changed regions are single-entry and single-exit and hold their points; test selection
//! leaves out no test that executes a change.

mod small_language;

use program_ir::{Func, Module};
use small_language::edit::edited;
use small_language::lower::{LowerOptions, lower};
use small_language::run::{Run, run};
use small_language::{Random, random_program};
use std::collections::{BTreeSet, HashMap};
use version_diff::express::points_of;
use version_diff::regions::{changed_regions, is_single_entry_single_exit};
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
        let mut random = Random::new(seed + 90_000);
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

#[test]
fn no_test_that_executes_a_change_is_left_out() {
    let (mut selected, mut left_out) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = Random::new(seed + 70_000);
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
