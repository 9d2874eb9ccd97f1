//! Every graph algorithm agrees with its simple twin on every function of coreutils' `sort`, `cut` and `ls`
//! and of the Lua interpreter, C library included: `make test-real`, after `scripts/build-real.sh`.
//!
//! The twins ask a question of every pair of blocks. In functions with more than `ALL_PAIRS` blocks, a
//! regular sample of the pairs is asked, about as many as that function size has. Summaries and
//! memory dependences are compared on the program without its C library.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use build::cache::Cache;
use build::{Builder, Request};
use program_graphs::call_graph::simple::never_returning;
use program_graphs::components::simple as simple_components;
use program_graphs::control_dependence::simple as simple_dependence;
use program_graphs::dependence_graph::simple::memory_dependences;
use program_graphs::dominators::simple as simple_dominators;
use program_graphs::library::without_library;
use program_graphs::loops::simple as simple_loops;
use program_graphs::mod_ref::simple::effects;
use program_graphs::post_dominators::simple as simple_post_dominators;
use program_graphs::{
    Cfg, Components, ControlCause, DependenceConfig, DependenceGraph, DependenceKind, Dominators,
    FactsConfig, Loops, NodeKind, PostDominators, ProgramFacts,
};
use program_ir::{Block, EntityRef, Func, Module};
use version_diff::own_changes::is_c_library;

const PROGRAMS: [&str; 4] = [
    "coreutils/src/sort",
    "coreutils/src/cut",
    "coreutils/src/ls",
    "lua/lua",
];
const ALL_PAIRS: usize = 40;

#[test]
fn algorithms_agree_with_their_twins_on_real_programs() {
    let cache = Cache::locate().expect("a cache folder");
    let folder = cache.root().join("real");
    let mut all = 0;
    for program in PROGRAMS {
        let module = read(&folder.join(program));
        let mut functions = 0;
        for (func, function) in module.functions.iter() {
            if !function.is_declaration() {
                check_control_flow(&Cfg::of(function), &format!("{program}: {}", function.name));
                functions += 1;
            }
            let _ = func;
        }
        let own = without_library(&module, |func| is_c_library(&module, func));
        let summarised = check_program(&own, program);
        println!(
            "{program}: control flow of {functions} functions, memory of {summarised} of its own"
        );
        all += functions;
    }
    println!("{all} functions checked");
    assert!(all > 1000);
}

fn read(path: &Path) -> Module {
    let builder = Builder::new(&|_| {}).expect("a builder");
    let request = Request {
        inputs: vec![PathBuf::from(path)],
        ..Request::default()
    };
    let built = builder
        .program(&request)
        .expect("a built program; run `make test-real`");
    let image = std::fs::read(builder.image(&built).expect("an image")).expect("readable");
    program_ir::read_image(&image).expect("an image is whole")
}

/// All blocks, or every so many of them.
fn sample(cfg: &Cfg, phase: usize) -> impl Iterator<Item = Block> + Clone + use<> {
    let count = cfg.block_count();
    let step = count.div_ceil(ALL_PAIRS);
    (phase % step..count).step_by(step).map(Block::new)
}

fn check_control_flow(cfg: &Cfg, name: &str) {
    let components = Components::of(cfg.graph());
    let dominators = Dominators::of(cfg);
    let frontiers = dominators.frontiers(cfg);
    let post_dominators = PostDominators::of(cfg);
    let dependence = program_graphs::ControlDependence::of(cfg, &post_dominators);
    let loops = Loops::of(cfg, &dominators);
    // The twin asks this of every block for each pair.
    let leaves: Vec<bool> = (0..cfg.block_count())
        .map(|block| simple_post_dominators::leaves(cfg, Block::new(block)))
        .collect();
    let post_dominates = |below: Block, above: Block| {
        if !cfg.is_reachable(below) || !cfg.is_reachable(above) {
            return false;
        }
        let seen = simple_dominators::reaches_without(cfg, above, below);
        let is_left = |block: &Block| seen[block.index()] && leaves[block.index()];
        below == above || !cfg.reverse_post_order().iter().any(is_left)
    };
    // Two samples that differ, so that pairs of unlike blocks are among them.
    for block in sample(cfg, 0) {
        for other in sample(cfg, 1) {
            let expected =
                simple_components::same_component(cfg.graph(), block.as_u32(), other.as_u32());
            assert_eq!(
                components.same(block.as_u32(), other.as_u32()),
                expected,
                "{name}"
            );
            let expected = simple_dominators::dominates(cfg, other, block);
            assert_eq!(dominators.dominates(other, block), expected, "{name}");
            let expected =
                cfg.is_reachable(other) && simple_dominators::in_frontier(cfg, block, other);
            assert_eq!(
                frontiers[block.index()].contains(&other),
                expected,
                "{name}"
            );
            let expected = post_dominates(other, block);
            assert_eq!(
                post_dominators.post_dominates(other, block),
                expected,
                "{name}"
            );
            for toward in cfg.successors(block) {
                let cause = ControlCause {
                    controller: block,
                    toward,
                };
                let strictly = other != block && post_dominates(other, block);
                let expected =
                    cfg.is_reachable(block) && post_dominates(other, toward) && !strictly;
                assert_eq!(
                    dependence.causes(other).contains(&cause),
                    expected,
                    "{name}"
                );
            }
            let found = loops.natural.iter().find(|natural| natural.header == block);
            let expected = simple_loops::in_natural_loop(cfg, block, other);
            let found = found.is_some_and(|natural| natural.body.contains(&other));
            assert_eq!(found, expected, "{name}");
        }
    }
    // These twins look at all pairs by themselves.
    if cfg.block_count() <= ALL_PAIRS / 2 {
        for block in sample(cfg, 0) {
            for toward in cfg.successors(block) {
                let cause = ControlCause {
                    controller: block,
                    toward,
                };
                for other in sample(cfg, 0) {
                    let expected = simple_dependence::depends(cfg, other, cause);
                    assert_eq!(
                        dependence.causes(other).contains(&cause),
                        expected,
                        "{name}"
                    );
                }
            }
        }
        assert_eq!(
            loops.is_reducible(),
            simple_loops::is_reducible(cfg),
            "{name}"
        );
        for block in sample(cfg, 0) {
            let expected = simple_dominators::immediate(cfg, block);
            assert_eq!(dominators.immediate(block), expected, "{name}");
            let expected = simple_post_dominators::immediate(cfg, block);
            assert_eq!(post_dominators.immediate(block), expected, "{name}");
        }
    }
}

/// How many functions were compared.
fn check_program(module: &Module, name: &str) -> usize {
    let facts = ProgramFacts::of(module, &FactsConfig::default());
    let never = never_returning(module, &facts.points_to);
    let graph = DependenceGraph::of(
        &facts,
        &DependenceConfig {
            memory_budget: 20_000,
        },
    );
    for &func in &facts.calls.reached {
        let function = &module.functions[func].name;
        let expected = effects(&facts.points_to, &facts.calls, &facts.accesses, func);
        assert_eq!(
            facts.mod_ref.of_function(func),
            &expected,
            "{name}: {function}"
        );
        assert_eq!(
            facts.calls.never_returns(func),
            never.contains(&func),
            "{name}: {function}"
        );
        let expected: HashSet<_> = memory_dependences(&facts, func, &graph.precise)
            .into_iter()
            .collect();
        let found = direct_memory_dependences(&graph, func);
        let lost: Vec<_> = expected.difference(&found).collect();
        let added: Vec<_> = found.difference(&expected).collect();
        assert!(
            lost.is_empty() && added.is_empty(),
            "{name}: {function}: lost {lost:?}, added {added:?}"
        );
    }
    facts.calls.reached.len()
}

/// Memory dependences of a function with the merging nodes left out.
fn direct_memory_dependences(graph: &DependenceGraph, func: Func) -> HashSet<(NodeKind, NodeKind)> {
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
