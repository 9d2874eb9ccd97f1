//! Control-dependence distances against the simple twin, on random programs.

use crate::random_program::{Features, build, recipes};
use program_graphs::distance::simple::{Place, distances};
use program_graphs::{Distances, FactsConfig, ProgramFacts};
use program_ir::Inst;
use proptest::prelude::*;

const FEATURES: Features = Features {
    recursion: true,
    indirect_calls: true,
    unknown_externals: false,
    setjmp: true,
    max_functions: 4,
    max_blocks: 6,
    max_ops: 3,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn distances_agree(recipe in recipes(FEATURES), picks in any::<[(u8, u8); 2]>()) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        let targets = picks.map(|(function, inst)| {
            let func = facts.calls.reached[function as usize % facts.calls.reached.len()];
            let count = module.functions[func].insts.len() as u32;
            (func, Inst::from_u32(u32::from(inst) % count))
        });
        let found = Distances::to(&facts, &targets);
        let expected = distances(&facts, &targets);
        for &func in &facts.calls.reached {
            let function = &module.functions[func];
            prop_assert_eq!(found.of_entry(func), expected.get(&Place::Entry(func)).copied());
            let cfg = facts.calls.cfg(&module, func);
            for &block in cfg.reverse_post_order() {
                let live = cfg.live_insts(function, block);
                let distance = |inst: &Inst| expected.get(&Place::Inst(func, *inst)).copied();
                let nearest = live.iter().filter_map(distance).min();
                prop_assert_eq!(found.of_block(func, block), nearest);
                let last = live.last().expect("a terminator");
                let is_call = function.insts[*last].data.call().is_some();
                if !is_call && !targets.contains(&(func, *last)) {
                    prop_assert_eq!(found.of_branch(func, block), distance(last));
                }
                let ways = cfg.successors(block);
                let best = ways.filter_map(|next| found.of_edge(func, block, next)).min();
                prop_assert_eq!(found.of_branch(func, block), best);
            }
        }
    }
}
