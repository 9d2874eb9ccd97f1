//! The changed blocks that a run executes one after the other are edges of the change
//! sequence graph, from the entry to the exit.

use crate::small_language::edit::edited;
use crate::small_language::lower::{LowerOptions, lower};
use crate::small_language::random_program;
use crate::small_language::run::run;
use program_ir::{Func, Module};
use random::SplitMix;
use std::collections::{BTreeSet, HashMap};
use version_diff::calls::Calls;
use version_diff::change_sequence_graph::{
    ChangeSequenceGraph, Node, count_changed_blocks, of_changed_blocks,
};
use version_diff::complexity::of_graph;
use version_diff::express::{Points, points_of};

const PAIRS: u64 = 800;

/// A block without its part: the order of parts is the order of calls in the block.
fn block(node: Node) -> Node {
    match node {
        Node::Block { func, block, .. } => Node::Block {
            func,
            block,
            part: 0,
        },
        other => other,
    }
}

/// Changed blocks in the order in which a run executes their change points.
fn sequence(module: &Module, points: &Points, executed: &[(Func, program_ir::Inst)]) -> Vec<Node> {
    let mut block_of = HashMap::new();
    for (func, function) in module.functions.iter() {
        for (at, data) in function.blocks.iter() {
            block_of.extend(data.insts.iter().map(|&inst| ((func, inst), at)));
        }
    }
    let is_point = |place: &&(Func, _)| {
        points
            .get(&place.0)
            .is_some_and(|points| points.contains(&place.1))
    };
    let mut nodes = vec![Node::Entry];
    for place in executed.iter().filter(is_point) {
        nodes.push(Node::Block {
            func: place.0,
            block: block_of[place],
            part: 0,
        });
    }
    nodes.push(Node::Exit);
    nodes
}

fn block_edges(graph: &ChangeSequenceGraph) -> BTreeSet<(Node, Node)> {
    let edges = graph.edges.iter();
    edges.map(|&(from, to)| (block(from), block(to))).collect()
}

#[test]
fn executed_sequences_are_paths() {
    let mut steps = 0;
    for seed in 0..PAIRS {
        let mut random = SplitMix(seed + 20_000);
        let old_program = random_program(&mut random);
        let new_program = edited(&old_program, &mut random);
        let old = lower(&old_program, LowerOptions::default());
        let new = lower(&new_program, LowerOptions::default());
        let changes = version_diff::diff(&old, &new);
        let points = points_of(&changes, &new);
        let entry = Func::from_u32(new.functions.len() as u32 - 1);
        let calls = Calls::by_signature(&new, vec![entry]);
        let graph = of_changed_blocks(&calls, &points);
        let edges = block_edges(&graph);
        assert_eq!(
            graph.component_count(),
            usize::from(!graph.nodes.is_empty()),
            "seed {seed}"
        );
        assert_eq!(of_graph(&graph).cycc == 0, graph.nodes.is_empty());
        let counted = count_changed_blocks(&calls, &points);
        assert_eq!(
            counted,
            (graph.nodes.len(), graph.edges.len()),
            "seed {seed}"
        );
        for first in -1..=2 {
            for second in -1..=2 {
                let trace = run(&new, &[first, second]);
                let nodes = sequence(&new, &points, &trace.executed);
                if nodes.len() == 2 {
                    continue;
                }
                for pair in nodes.windows(2) {
                    // Points of one block follow one another without an edge.
                    if pair[0] != pair[1] {
                        steps += 1;
                        assert!(
                            edges.contains(&(pair[0], pair[1])),
                            "seed {seed}: {pair:?} is not in {edges:?}"
                        );
                    }
                }
            }
        }
    }
    assert!(steps > 5_000, "{steps} steps");
}
