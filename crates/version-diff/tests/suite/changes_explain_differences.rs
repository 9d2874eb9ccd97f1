//! A run of the new version that executes no change point behaves as the old version
//! does; and versions that differ in form only have no changes.

use crate::small_language::edit::edited;
use crate::small_language::lower::{LowerOptions, lower};
use crate::small_language::random_program;
use crate::small_language::run::run;
use program_ir::{Func, Inst};
use random::SplitMix;
use std::collections::HashSet;
use version_diff::diff;

const PAIRS: u64 = 1_000;

fn options(random: &mut SplitMix) -> LowerOptions {
    LowerOptions {
        no_bindings: random.chance(30),
        reversed_params: false,
        line_offset: random.below(10) as u32,
        pruned: random.chance(50),
    }
}

#[test]
fn a_run_without_changes_behaves_as_before() {
    let (mut unchanged_runs, mut different_runs) = (0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let lowering = options(&mut random);
        let old = lower(&old_program, lowering);
        // Also between forms that align badly: the property does not depend on it.
        let new_lowering = if random.chance(50) {
            lowering
        } else {
            LowerOptions {
                reversed_params: random.chance(50),
                ..options(&mut random)
            }
        };
        let new = lower(&new_program, new_lowering);
        let changes = diff(&old, &new);
        let points: HashSet<(Func, Inst)> = changes
            .points(&new)
            .into_iter()
            .flat_map(|(func, points)| points.into_iter().map(move |point| (func, point.inst)))
            .collect();
        for first in -1..=2 {
            for second in -1..=2 {
                let old_run = run(&old, &[first, second]);
                let new_run = run(&new, &[first, second]);
                let executes_a_change = new_run.executed.iter().any(|at| points.contains(at));
                let same = old_run.behaviour() == new_run.behaviour();
                unchanged_runs += u32::from(!executes_a_change);
                different_runs += u32::from(!same);
                assert!(
                    executes_a_change || same || !changes.globals.is_empty(),
                    "seed {seed}, input {first} {second}: differs without executing a change\n\
                     {old_program:#?}\n{new_program:#?}"
                );
            }
        }
    }
    assert!(
        unchanged_runs > 500,
        "{unchanged_runs} runs without a change"
    );
    assert!(different_runs > 500, "{different_runs} different runs");
}

#[test]
fn other_forms_of_the_same_program_are_no_change() {
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed);
        let program = random_program(&mut random);
        let form = options(&mut random);
        let old = lower(&program, form);
        for (line_offset, reversed_params) in [(7, false), (0, true), (3, true)] {
            // Without names, parameters in another order are told apart by use alone,
            // which is a guess.
            let reversed_params = reversed_params && !form.no_bindings;
            let new = lower(
                &program,
                LowerOptions {
                    line_offset,
                    reversed_params,
                    ..form
                },
            );
            let changes = diff(&old, &new);
            assert!(
                changes.is_empty(),
                "seed {seed}: {:?}\n{program:#?}",
                changes
                    .functions
                    .iter()
                    .map(|change| &change.comparison.points)
                    .collect::<Vec<_>>()
            );
        }
    }
}
