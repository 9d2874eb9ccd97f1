//! Call graph facts and mod/ref summaries against their simple twins.

use crate::random_program::{Features, build, recipes};
use program_graphs::call_graph::simple::never_returning;
use program_graphs::mod_ref::simple::effects;
use program_graphs::{FactsConfig, ProgramFacts};
use proptest::prelude::*;

const FEATURES: Features = Features {
    recursion: true,
    indirect_calls: true,
    unknown_externals: true,
    setjmp: true,
    max_functions: 5,
    max_blocks: 3,
    max_ops: 5,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn summaries_agree(recipe in recipes(FEATURES)) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        for &func in &facts.calls.reached {
            let expected = effects(&facts.points_to, &facts.calls, &facts.accesses, func);
            prop_assert_eq!(facts.mod_ref.of_function(func), &expected);
        }
        let never = never_returning(&module, &facts.points_to);
        for &func in &facts.calls.reached {
            prop_assert_eq!(facts.calls.never_returns(func), never.contains(&func));
        }
    }
}
