//! Branches that stand in for a guard that cannot be flipped (Qi et al., §4.3, second kind).
//!
//! A guard near a change may compare something that does not depend on input by data: a flag that was set in
//! one arm of an earlier branch, or what `strcmp` returned. It is no event, and no control dependence leads from
//! it to the branches that decided its operand. The paper slices the trace backward for them. Here the *static* dependence
//! graph of the version is searched backward from the changes, along data and control: simple, the same for all
//! runs, and coarser. A branch is as many steps from a change as there are branches on the shortest such chain; a
//! step through memory that is not followed precisely counts as one more. It orders flips and decides nothing else.

use program_graphs::{ControlFlow, ProgramFacts};
use program_graphs::{Dependence, DependenceConfig, DependenceGraph, DependenceKind, NodeKind};
use program_ir::{Block, Func, Inst};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How many steps each way of a branch is from a change.
#[derive(Clone, Debug, Default)]
pub struct Guards {
    /// By the block that the branch ends, and the one that the way leads to.
    steps: FxHashMap<(Func, Block, Block), u32>,
}

/// Whether the search may still go up to callers (as in `program_graphs::slice`).
const UP: usize = 0;
const DOWN: usize = 1;
/// Programs with more instructions are not searched.
const MOST_INSTRUCTIONS: usize = 200_000;
/// Nodes for memory that is followed precisely. What an order of flips is worth does not pay for more: with the default, a
/// program of ten lines with `atoi` and `printf` took a minute.
const MEMORY_BUDGET: u64 = 10_000;

/// The graph that is searched; `None` if the program is too large.
pub fn graph(facts: &ProgramFacts<'_>) -> Option<DependenceGraph> {
    let size = |func: &Func| facts.module.functions[*func].insts.len();
    let instructions: usize = facts.calls.reached.iter().map(size).sum();
    (instructions <= MOST_INSTRUCTIONS).then(|| {
        let config = DependenceConfig {
            memory_budget: MEMORY_BUDGET,
        };
        DependenceGraph::of(facts, &config)
    })
}

impl Guards {
    pub fn to(
        facts: &ProgramFacts<'_>,
        graph: &DependenceGraph,
        targets: &[(Func, Inst)],
    ) -> Guards {
        let mut search = GuardSearch {
            facts,
            flows: FxHashMap::default(),
            guards: Guards::default(),
        };
        let mut known = vec![[u32::MAX; 2]; graph.nodes.len()];
        let mut open = BinaryHeap::new();
        for &(func, inst) in targets {
            for node in graph.all_of_inst(func, inst) {
                known[node as usize][UP] = 0;
                open.push(Reverse((0, node, UP)));
            }
        }
        while let Some(Reverse((steps, node, phase))) = open.pop() {
            if known[node as usize][phase] < steps {
                continue;
            }
            let kind = graph.nodes[node as usize];
            let here = steps + u32::from(search.is_branch(kind));
            for &Dependence {
                node: next,
                kind: how,
            } in graph.dependences(node)
            {
                let (next_phase, further) = match how {
                    DependenceKind::Ambient => (UP, 1),
                    DependenceKind::ToCaller if phase == DOWN => continue,
                    DependenceKind::ToCallee => (DOWN, 0),
                    _ => (phase, 0),
                };
                let steps = here + further;
                search.note(kind, graph.nodes[next as usize], steps);
                if steps < known[next as usize][next_phase] {
                    known[next as usize][next_phase] = steps;
                    open.push(Reverse((steps, next, next_phase)));
                }
            }
        }
        search.guards
    }

    /// Of the branch that ends `block` when it goes to `toward`.
    pub fn of_edge(&self, func: Func, block: Block, toward: Block) -> Option<u32> {
        self.steps.get(&(func, block, toward)).copied()
    }
}

struct GuardSearch<'a> {
    facts: &'a ProgramFacts<'a>,
    flows: FxHashMap<Func, Flow>,
    guards: Guards,
}

struct Flow {
    control: ControlFlow,
    /// The block that a terminator ends.
    ends: FxHashMap<Inst, Block>,
}

impl Flow {
    fn of(facts: &ProgramFacts<'_>, func: Func) -> Flow {
        let function = &facts.module.functions[func];
        let ends = function.blocks.keys();
        let ends = ends.filter_map(|block| Some((function.terminator(block)?, block)));
        Flow {
            control: facts.control_flow(func),
            ends: ends.collect(),
        }
    }
}

impl GuardSearch<'_> {
    fn is_branch(&self, node: NodeKind) -> bool {
        let NodeKind::Inst(func, inst) = node else {
            return false;
        };
        let data = &self.facts.module.functions[func].insts[inst].data;
        data.successors().len() > 1
    }

    /// Notes that `from` depends on `on`, if that is a branch: a block on those ways that it hangs on, anything
    /// else on all of them.
    fn note(&mut self, from: NodeKind, on: NodeKind, steps: u32) {
        let NodeKind::Inst(func, inst) = on else {
            return;
        };
        if !self.is_branch(on) {
            return;
        }
        let facts = self.facts;
        let flow = self
            .flows
            .entry(func)
            .or_insert_with(|| Flow::of(facts, func));
        let ways: Vec<(Block, Block)> = match from {
            NodeKind::Block(of, block) if of == func => {
                let causes = flow.control.control_dependence.causes(block).iter();
                let own = causes.filter(|cause| flow.ends.get(&inst) == Some(&cause.controller));
                own.map(|cause| (cause.controller, cause.toward)).collect()
            }
            _ => {
                let block = flow.ends.get(&inst);
                let successors = |&block: &Block| {
                    let ways = flow.control.cfg.successors(block);
                    ways.map(move |toward| (block, toward))
                };
                block.into_iter().flat_map(successors).collect()
            }
        };
        for (block, toward) in ways {
            let least = self
                .guards
                .steps
                .entry((func, block, toward))
                .or_insert(steps);
            *least = steps.min(*least);
        }
    }
}
