//! The points-to solver against its simple twin, on random programs.

use crate::random_program::{Features, build, recipes};
use program_graphs::points_to::Node;
use program_graphs::points_to::simple::SimplePointsTo;
use program_graphs::{ObjectKind, Offset, PointsTo, PointsToConfig};
use program_ir::{EntityRef, Func, Value};
use proptest::prelude::*;
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
    fn solver_agrees(
        recipe in recipes(FEATURES),
        places_per_object in prop::sample::select(vec![1, 64]),
    ) {
        let module = build(&recipe);
        let roots = [Func::new(0)];
        let config = PointsToConfig { places_per_object, largest_set: usize::MAX };
        let fast = PointsTo::of(&module, &roots, &config);
        let simple = SimplePointsTo::of(&module, &roots, places_per_object);
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

    /// Taking vague pointers for one only adds places.
    #[test]
    fn crowds_contain_what_is_precise(recipe in recipes(FEATURES), largest_set in 1usize..6) {
        let module = build(&recipe);
        let roots = [Func::new(0)];
        let places_per_object = 64;
        let precise = PointsToConfig { places_per_object, largest_set: usize::MAX };
        let precise = PointsTo::of(&module, &roots, &precise);
        let vague = PointsTo::of(&module, &roots, &PointsToConfig { places_per_object, largest_set });
        prop_assert!(precise.reached.is_subset(&vague.reached));
        for &func in &precise.reached {
            for value in 0..module.functions[func].values.len() {
                let value = Value::new(value);
                for place in precise.locations(precise.of_value(func, value)) {
                    let kind = precise.kind(place.object);
                    let kept = vague.locations(vague.of_value(func, value)).any(|other| {
                        vague.kind(other.object) == kind
                            && (other.offset == place.offset || other.offset == Offset::ANY)
                    });
                    prop_assert!(kept, "{:?} of {} in {}", kind, value, func);
                }
            }
        }
    }
}
