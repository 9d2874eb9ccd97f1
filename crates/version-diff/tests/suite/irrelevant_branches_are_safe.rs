//! By brute force: no run that takes a branch of B_E, or one behind which constants decide, executes a change afterwards,
//! and no run that takes a branch of B_P executes one at all.

use crate::small_language::edit::edited;
use crate::small_language::lower::{LowerOptions, lower};
use crate::small_language::random_program;
use crate::small_language::run::run;
use program_graphs::{FactsConfig, ProgramFacts};
use program_ir::{Func, Inst};
use random::SplitMix;
use std::collections::HashMap;
use version_diff::calls::Calls;
use version_diff::express::{Branch, irrelevant_branches, points_of};

const PAIRS: u64 = 1_000;

#[test]
fn runs_keep_what_the_branches_promise() {
    let (mut taken_e, mut taken_p, mut taken_decided) = (0, 0, 0);
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 50_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        let changes = version_diff::diff(&old, &new);
        let points = points_of(&changes, &new);
        let entry = Func::from_u32(new.functions.len() as u32 - 1);
        let config = FactsConfig {
            roots: vec![entry],
            ..FactsConfig::default()
        };
        let facts = ProgramFacts::of(&new, &config);
        let calls = match seed % 2 {
            0 => Calls::by_signature(&new, vec![entry]),
            _ => Calls::from_graph(&new, &facts.calls, vec![entry]),
        };
        let irrelevant = irrelevant_branches(&calls, &points);
        assert!(
            irrelevant
                .cannot_propagate
                .is_subset(&irrelevant.cannot_execute)
        );
        let is_point =
            |(func, inst): &(Func, Inst)| points.get(func).is_some_and(|set| set.contains(inst));
        let mut block_of = HashMap::new();
        for (func, function) in new.functions.iter() {
            for (block, data) in function.blocks.iter() {
                block_of.extend(data.insts.iter().map(|&inst| ((func, inst), block)));
            }
        }
        for first in -1..=2 {
            for second in -1..=2 {
                let trace = run(&new, &[first, second]);
                let executed: Vec<bool> = trace.executed.iter().map(is_point).collect();
                for &(at, edge) in &trace.branches {
                    let place = trace.executed[at];
                    let branch = Branch {
                        func: place.0,
                        block: block_of[&place],
                        edge: edge as u32,
                    };
                    let is_decided = irrelevant.decided.contains(&branch);
                    taken_decided += u64::from(is_decided);
                    if irrelevant.cannot_execute.contains(&branch) || is_decided {
                        taken_e += 1;
                        assert!(
                            !executed[at + 1..].contains(&true),
                            "seed {seed}: a change after {branch:?}"
                        );
                    }
                    if irrelevant.cannot_propagate.contains(&branch) {
                        taken_p += 1;
                        assert!(
                            !executed.contains(&true),
                            "seed {seed}: a change with {branch:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(taken_e > 1_000, "{taken_e} branches of B_E were taken");
    assert!(taken_p > 100, "{taken_p} branches of B_P were taken");
    assert!(
        taken_decided > 500,
        "{taken_decided} branches of which constants decide were taken"
    );
}
