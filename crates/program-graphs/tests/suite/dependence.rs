//! Memory dependences and slices against their simple twins, on random programs.

use crate::random_program::{Features, build, recipes};
use program_graphs::dependence_graph::simple::memory_dependences;
use program_graphs::slice::simple::InlinedProgram;
use program_graphs::{
    DependenceConfig, DependenceGraph, DependenceKind, Direction, FactsConfig, NodeKind,
    ProgramFacts, Slice,
};
use program_ir::Inst;
use proptest::prelude::*;
use std::collections::HashSet;

const WITHOUT_RECURSION: Features = Features {
    recursion: false,
    indirect_calls: false,
    unknown_externals: false,
    setjmp: false,
    max_functions: 3,
    max_blocks: 2,
    max_ops: 5,
};

const WITH_EVERYTHING: Features = Features {
    recursion: true,
    indirect_calls: true,
    unknown_externals: true,
    setjmp: true,
    ..WITHOUT_RECURSION
};

const PRECISE: DependenceConfig = DependenceConfig {
    memory_budget: u64::MAX,
};

/// Memory dependences of a function with the merging nodes left out.
fn direct_memory_dependences(
    graph: &DependenceGraph,
    func: program_ir::Func,
) -> HashSet<(NodeKind, NodeKind)> {
    let is_merge = |node: u32| matches!(graph.nodes[node as usize], NodeKind::MemoryMerge(..));
    let mut pairs = HashSet::new();
    for node in graph.function_nodes(func).filter(|&node| !is_merge(node)) {
        let mut seen = HashSet::new();
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            for edge in graph.dependences(at) {
                if edge.kind != DependenceKind::Memory || !seen.insert(edge.node) {
                    continue;
                }
                if is_merge(edge.node) {
                    work.push(edge.node);
                } else {
                    pairs.insert((graph.nodes[node as usize], graph.nodes[edge.node as usize]));
                }
            }
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn memory_dependences_agree(recipe in recipes(WITH_EVERYTHING)) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        let graph = DependenceGraph::of(&facts, &PRECISE);
        for &func in &facts.calls.reached {
            let expected: HashSet<_> = memory_dependences(&facts, func, &graph.precise)
                .into_iter()
                .collect();
            prop_assert_eq!(direct_memory_dependences(&graph, func), expected);
        }
    }

    /// With all memory precise, slices are exactly those of the inlined program.
    #[test]
    fn slices_agree(recipe in recipes(WITHOUT_RECURSION), pick in any::<(u8, u8)>()) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        let graph = DependenceGraph::of(&facts, &PRECISE);
        let Some(inlined) = InlinedProgram::of(&facts, 40) else {
            return Ok(());
        };
        let func = facts.calls.reached[pick.0 as usize % facts.calls.reached.len()];
        let inst = Inst::from_u32(u32::from(pick.1) % module.functions[func].insts.len() as u32);
        for direction in [Direction::Backward, Direction::Forward] {
            let expected = inlined.slice(direction, func, inst);
            if expected.is_empty() {
                // The instruction cannot be executed.
                continue;
            }
            let found = Slice::of_insts(&graph, direction, &[(func, inst)]).insts(&graph);
            prop_assert_eq!(found, expected, "{:?} of {} in {}", direction, inst, func);
        }
    }

    /// However little memory is precise, nothing is missing from a slice.
    #[test]
    fn slices_with_ambient_memory_contain_the_precise_ones(
        recipe in recipes(WITH_EVERYTHING),
        pick in any::<(u8, u8)>(),
        budget in 0u64..60,
    ) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        let precise = DependenceGraph::of(&facts, &PRECISE);
        let coarse = DependenceGraph::of(&facts, &DependenceConfig { memory_budget: budget });
        let func = facts.calls.reached[pick.0 as usize % facts.calls.reached.len()];
        let inst = Inst::from_u32(u32::from(pick.1) % module.functions[func].insts.len() as u32);
        for direction in [Direction::Backward, Direction::Forward] {
            let expected = Slice::of_insts(&precise, direction, &[(func, inst)]).insts(&precise);
            let found = Slice::of_insts(&coarse, direction, &[(func, inst)]).insts(&coarse);
            prop_assert!(expected.is_subset(&found));
        }
    }

    /// An instruction is in the backward slice of another exactly if that one is in the
    /// forward slice of the first.
    #[test]
    fn slices_are_symmetric(recipe in recipes(WITH_EVERYTHING), pick in any::<(u8, u8)>()) {
        let module = build(&recipe);
        let facts = ProgramFacts::of(&module, &FactsConfig::default());
        let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
        let func = facts.calls.reached[pick.0 as usize % facts.calls.reached.len()];
        let inst = Inst::from_u32(u32::from(pick.1) % module.functions[func].insts.len() as u32);
        let backward = Slice::of_insts(&graph, Direction::Backward, &[(func, inst)]).insts(&graph);
        for &(other_func, other) in &backward {
            let criterion = [(other_func, other)];
            let forward = Slice::of_insts(&graph, Direction::Forward, &criterion);
            prop_assert!(forward.contains(&graph, func, inst));
        }
    }
}
