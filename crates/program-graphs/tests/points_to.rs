//! The points-to solver against its simple twin, on random programs.

mod random_program;

use program_graphs::points_to::Node;
use program_graphs::points_to::simple::SimplePointsTo;
use program_graphs::{ObjectKind, Offset, PointsTo};
use program_ir::{EntityRef, Func, Value};
use proptest::prelude::*;
use random_program::{Features, build, recipes};
use std::collections::BTreeSet;

const FEATURES: Features = Features {
    recursion: true,
    indirect_calls: true,
    unknown_externals: true,
    setjmp: false,
    max_functions: 3,
    max_blocks: 3,
    max_ops: 6,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn solver_agrees(recipe in recipes(FEATURES)) {
        let module = build(&recipe);
        let roots = [Func::new(0)];
        let fast = PointsTo::of(&module, &roots);
        let simple = SimplePointsTo::of(&module, &roots);
        prop_assert_eq!(&fast.reached, &simple.reached);
        for &func in &fast.reached {
            for value in 0..module.functions[func].values.len() {
                let value = Value::new(value);
                let found: BTreeSet<(ObjectKind, Offset)> = fast
                    .locations(fast.of_value(func, value))
                    .map(|location| (fast.kind(location.object), location.offset))
                    .collect();
                let expected: BTreeSet<(ObjectKind, Offset)> = simple
                    .sets
                    .get(&Node::Value(func, value))
                    .into_iter()
                    .flatten()
                    .map(|&location| {
                        let data = simple.memory.locations[location];
                        (simple.memory.objects[data.object].kind, data.offset)
                    })
                    .collect();
                prop_assert_eq!(found, expected, "{} in {}", value, module.functions[func].name);
            }
        }
    }
}
