//! Every control-flow algorithm against its simple twin, on random graphs: irreducible
//! ones, endless loops, unreachable blocks, several exits and exits amid the graph.

use program_graphs::components::simple as simple_components;
use program_graphs::control_dependence::simple as simple_dependence;
use program_graphs::dominators::simple as simple_dominators;
use program_graphs::loops::simple as simple_loops;
use program_graphs::post_dominators::simple as simple_post_dominators;
use program_graphs::{
    Cfg, Components, ControlCause, ControlDependence, Dominators, Loops, PostDominators,
};
use program_ir::{Block, EntityRef};
use proptest::prelude::*;

const GRAPHS: u32 = 12_000;

/// Up to nine blocks. Edges into the entry are left out, as the representation does.
fn graphs() -> impl Strategy<Value = Cfg> {
    (1usize..=9).prop_flat_map(|block_count| {
        let edge = (0..block_count, 0..block_count);
        let edges = proptest::collection::vec(edge, 0..=2 * block_count + 2);
        let exits = proptest::collection::vec(proptest::bool::weighted(0.05), block_count);
        (edges, exits).prop_map(move |(edges, exits)| {
            let edges: Vec<(Block, Block)> = edges
                .into_iter()
                .filter(|(_, to)| *to != 0)
                .map(|(from, to)| (Block::new(from), Block::new(to)))
                .collect();
            Cfg::from_edges(block_count, &edges, exits)
        })
    })
}

fn blocks(cfg: &Cfg) -> impl Iterator<Item = Block> + Clone + use<> {
    (0..cfg.block_count()).map(Block::new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(GRAPHS))]

    #[test]
    fn components_agree(cfg in graphs()) {
        let components = Components::of(cfg.graph());
        for left in blocks(&cfg) {
            for right in blocks(&cfg) {
                let expected = simple_components::same_component(cfg.graph(), left.as_u32(), right.as_u32());
                prop_assert_eq!(components.same(left.as_u32(), right.as_u32()), expected);
            }
            for next in cfg.successors(left) {
                let order = &components.component_of;
                prop_assert!(order[next.index()] <= order[left.index()]);
            }
        }
    }

    #[test]
    fn dominators_agree(cfg in graphs()) {
        let dominators = Dominators::of(&cfg);
        let frontiers = dominators.frontiers(&cfg);
        for block in blocks(&cfg) {
            prop_assert_eq!(dominators.immediate(block), simple_dominators::immediate(&cfg, block));
            for other in blocks(&cfg) {
                let expected = simple_dominators::dominates(&cfg, other, block);
                prop_assert_eq!(dominators.dominates(other, block), expected);
                let in_frontier = cfg.is_reachable(other)
                    && simple_dominators::in_frontier(&cfg, block, other);
                prop_assert_eq!(frontiers[block.index()].contains(&other), in_frontier);
            }
        }
    }

    #[test]
    fn post_dominators_agree(cfg in graphs()) {
        let post_dominators = PostDominators::of(&cfg);
        for block in blocks(&cfg) {
            let expected = simple_post_dominators::immediate(&cfg, block);
            prop_assert_eq!(post_dominators.immediate(block), expected);
            for other in blocks(&cfg) {
                let expected = simple_post_dominators::post_dominates(&cfg, other, block);
                prop_assert_eq!(post_dominators.post_dominates(other, block), expected);
            }
        }
    }

    #[test]
    fn control_dependence_agrees(cfg in graphs()) {
        let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
        for controller in blocks(&cfg) {
            for toward in cfg.successors(controller) {
                let cause = ControlCause { controller, toward };
                for block in blocks(&cfg) {
                    let expected = simple_dependence::depends(&cfg, block, cause);
                    prop_assert_eq!(dependence.causes(block).contains(&cause), expected);
                }
            }
        }
    }

    /// The property that makes control dependence fit for slicing, whatever the graph.
    #[test]
    fn sets_closed_under_control_dependence_are_weakly_committing(
        cfg in graphs(),
        seeds in proptest::collection::vec(0usize..9, 1..4),
    ) {
        let dependence = ControlDependence::of(&cfg, &PostDominators::of(&cfg));
        let mut set: Vec<Block> = Vec::new();
        let mut stack: Vec<Block> = seeds
            .into_iter()
            .filter(|&seed| seed < cfg.block_count())
            .map(Block::new)
            .filter(|&block| cfg.is_reachable(block))
            .collect();
        while let Some(block) = stack.pop() {
            if !set.contains(&block) {
                set.push(block);
                stack.extend(dependence.controllers(block));
            }
        }
        prop_assert!(simple_dependence::weakly_committing(&cfg, &set));
    }

    #[test]
    fn loops_agree(cfg in graphs()) {
        let loops = Loops::of(&cfg, &Dominators::of(&cfg));
        prop_assert_eq!(loops.is_reducible(), simple_loops::is_reducible(&cfg));
        for header in blocks(&cfg) {
            let found = loops.natural.iter().find(|natural| natural.header == header);
            for block in blocks(&cfg) {
                let expected = simple_loops::in_natural_loop(&cfg, header, block);
                prop_assert_eq!(found.is_some_and(|natural| natural.body.contains(&block)), expected);
            }
        }
        for natural in &loops.natural {
            let enclosing = loops.natural.iter().filter(|outer| outer.body.contains(&natural.header));
            prop_assert_eq!(natural.depth as usize, enclosing.count());
        }
        for region in &loops.irreducible {
            prop_assert!(region.entries.len() >= 2);
        }
    }
}
