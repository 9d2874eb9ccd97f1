//! Static slices: everything that a criterion may depend on (backward), or that may
//! depend on it (forward).
//!
//! Context-sensitive, by the two phases of Horwitz, Reps and Binkley. A node reached in
//! the first phase may be left toward callers; calls are crossed by summary edges. One
//! reached by entering a called function is not left toward callers again. Ambient
//! memory belongs to no context: whatever is reached through it starts anew in the first
//! phase. Thesis, section 2.2.3.

pub mod simple;

use crate::dependence_graph::{Dependence, DependenceGraph, DependenceKind};
use program_ir::{Func, Inst, Module};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Backward,
    Forward,
}

#[derive(Clone, Debug)]
pub struct Slice {
    /// Per node of the graph: 0, or the phases in which it was reached as bits.
    reached: Vec<u8>,
}

const FIRST: u8 = 1;
const SECOND: u8 = 2;

impl Slice {
    /// Of some nodes of the graph.
    pub fn of_nodes(graph: &DependenceGraph, direction: Direction, criterion: &[u32]) -> Slice {
        let mut slice = Slice {
            reached: vec![0; graph.nodes.len()],
        };
        let mut work = Vec::new();
        for &node in criterion {
            slice.reach(&mut work, node, FIRST);
        }
        while let Some((node, phase)) = work.pop() {
            let edges: &[Dependence] = match direction {
                Direction::Backward => graph.dependences(node),
                Direction::Forward => graph.dependents(node),
            };
            for edge in edges {
                let next = match (edge.kind, direction) {
                    (DependenceKind::Ambient, _) => Some(FIRST),
                    (DependenceKind::ToCaller, Direction::Backward)
                    | (DependenceKind::ToCallee, Direction::Forward) => {
                        (phase == FIRST).then_some(FIRST)
                    }
                    (DependenceKind::ToCallee, Direction::Backward)
                    | (DependenceKind::ToCaller, Direction::Forward) => Some(SECOND),
                    _ => Some(phase),
                };
                if let Some(next) = next {
                    slice.reach(&mut work, edge.node, next);
                }
            }
        }
        slice
    }

    /// Of whole instructions, with their arguments and results.
    pub fn of_insts(
        graph: &DependenceGraph,
        direction: Direction,
        criterion: &[(Func, Inst)],
    ) -> Slice {
        let nodes: Vec<u32> = criterion
            .iter()
            .flat_map(|&(func, inst)| graph.all_of_inst(func, inst))
            .collect();
        Slice::of_nodes(graph, direction, &nodes)
    }

    fn reach(&mut self, work: &mut Vec<(u32, u8)>, node: u32, phase: u8) {
        let known = &mut self.reached[node as usize];
        // Whatever the second phase does, the first does too.
        if *known & FIRST == 0 && *known & phase == 0 {
            *known |= phase;
            work.push((node, phase));
        }
    }

    pub fn contains_node(&self, node: u32) -> bool {
        self.reached[node as usize] != 0
    }

    pub fn contains(&self, graph: &DependenceGraph, func: Func, inst: Inst) -> bool {
        graph
            .all_of_inst(func, inst)
            .into_iter()
            .any(|node| self.contains_node(node))
    }

    pub fn insts(&self, graph: &DependenceGraph) -> BTreeSet<(Func, Inst)> {
        self.reached
            .iter()
            .zip(&graph.nodes)
            .filter(|(reached, _)| **reached != 0)
            .filter_map(|(_, kind)| kind.inst())
            .collect()
    }

    /// Source lines (file name, line) of the instructions. Plain jumps are left out: they
    /// carry the location of a closing brace, or none of their own.
    pub fn lines(&self, graph: &DependenceGraph, module: &Module) -> BTreeSet<(String, u32)> {
        self.insts(graph)
            .into_iter()
            .map(|(func, inst)| &module.functions[func].insts[inst])
            .filter(|node| !matches!(node.data, program_ir::InstData::Jump(_)))
            .filter_map(|node| {
                let loc = node.loc?;
                let file = module.source.file_name(loc).to_string();
                Some((file, module.source.locs[loc].line))
            })
            .collect()
    }
}
