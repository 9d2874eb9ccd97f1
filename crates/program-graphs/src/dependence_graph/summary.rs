//! Summary edges: from a call's result to each argument that it can depend on, along
//! paths that enter and leave the called function properly (Reps, Horwitz, Sagiv and
//! Rosay, "Speeding up Slicing").
//!
//! For each result of a function, walk backward inside the function, across calls by the
//! summaries known so far. A parameter reached means a summary edge at every call. Callees
//! come first, so only inside a recursion does a new summary extend earlier walks.

use super::{Dependence, DependenceGraph, DependenceKind, NodeKind};
use crate::call_graph::CallGraph;
use program_ir::{EntityRef, Func};
use std::collections::{HashMap, HashSet};

pub(super) fn summary_edges(graph: &DependenceGraph, calls: &CallGraph) -> Vec<(u32, Dependence)> {
    let mut summaries: HashMap<u32, Vec<u32>> = HashMap::new();
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    let mut found = Vec::new();
    for members in &calls.components.members {
        let mut walks = Walks::new(graph, members);
        while let Some((walk, node)) = walks.work.pop() {
            if is_parameter(graph, node) {
                for (result, argument) in pairs(graph, walks.results[walk as usize], node) {
                    if !seen.insert((result, argument)) {
                        continue;
                    }
                    summaries.entry(result).or_default().push(argument);
                    found.push((
                        result,
                        Dependence {
                            node: argument,
                            kind: DependenceKind::Summary,
                        },
                    ));
                    walks.extend(graph, result, argument);
                }
            }
            for dependence in graph.dependences(node) {
                if stays_inside(dependence.kind) {
                    walks.reach(graph, walk, dependence.node);
                }
            }
            for &argument in summaries.get(&node).into_iter().flatten() {
                walks.reach(graph, walk, argument);
            }
        }
    }
    found
}

/// One backward walk per result of each function of a recursion.
struct Walks {
    /// Where each walk starts.
    results: Vec<u32>,
    /// Nodes reached, as bits over the function's nodes.
    reached: Vec<Vec<u64>>,
    by_function: HashMap<Func, Vec<u32>>,
    work: Vec<(u32, u32)>,
}

impl Walks {
    fn new(graph: &DependenceGraph, members: &[u32]) -> Walks {
        let mut walks = Walks {
            results: Vec::new(),
            reached: Vec::new(),
            by_function: HashMap::new(),
            work: Vec::new(),
        };
        for &member in members {
            let func = Func::from_u32(member);
            let range = graph.function_nodes(func);
            for node in range.clone() {
                let kind = graph.nodes[node as usize];
                if matches!(kind, NodeKind::Result(..) | NodeKind::MemoryOut(..)) {
                    let walk = walks.results.len() as u32;
                    walks.results.push(node);
                    walks.reached.push(vec![0; range.len().div_ceil(64)]);
                    walks.by_function.entry(func).or_default().push(walk);
                    walks.reach(graph, walk, node);
                }
            }
        }
        walks
    }

    fn reach(&mut self, graph: &DependenceGraph, walk: u32, node: u32) {
        let Some(func) = graph.nodes[node as usize].func() else {
            return;
        };
        let local = (node - graph.function_nodes[func.index()].start) as usize;
        let word = &mut self.reached[walk as usize][local / 64];
        if *word >> (local % 64) & 1 == 0 {
            *word |= 1 << (local % 64);
            self.work.push((walk, node));
        }
    }

    /// Continues the walks that have passed `result` at `argument`.
    fn extend(&mut self, graph: &DependenceGraph, result: u32, argument: u32) {
        let Some(func) = graph.nodes[result as usize].func() else {
            return;
        };
        let local = (result - graph.function_nodes[func.index()].start) as usize;
        for walk in self.by_function.get(&func).cloned().unwrap_or_default() {
            if self.reached[walk as usize][local / 64] >> (local % 64) & 1 == 1 {
                self.reach(graph, walk, argument);
            }
        }
    }
}

/// Parameters, cells on entry, and the entry itself: that something in the function is
/// executed at all depends on the call.
fn is_parameter(graph: &DependenceGraph, node: u32) -> bool {
    let edges = graph.dependences(node);
    edges
        .iter()
        .any(|edge| edge.kind == DependenceKind::ToCaller)
}

fn stays_inside(kind: DependenceKind) -> bool {
    match kind {
        DependenceKind::Data | DependenceKind::Memory | DependenceKind::Control => true,
        DependenceKind::ToCaller
        | DependenceKind::ToCallee
        | DependenceKind::Summary
        | DependenceKind::Ambient => false,
    }
}

/// At each call: its node for the result, and its node for the parameter.
fn pairs(graph: &DependenceGraph, result: u32, parameter: u32) -> Vec<(u32, u32)> {
    let call_of = |node: u32| match graph.nodes[node as usize] {
        NodeKind::MemoryArgument(func, inst, _) | NodeKind::MemoryResult(func, inst, _) => {
            Some((func, inst))
        }
        kind => kind.inst(),
    };
    let mut arguments: HashMap<_, Vec<u32>> = HashMap::new();
    for edge in graph.dependences(parameter) {
        if edge.kind == DependenceKind::ToCaller {
            arguments
                .entry(call_of(edge.node))
                .or_default()
                .push(edge.node);
        }
    }
    let mut pairs = Vec::new();
    for edge in graph.dependents(result) {
        if edge.kind == DependenceKind::ToCallee {
            let matching = arguments.get(&call_of(edge.node));
            pairs.extend(matching.into_iter().flatten().map(|&arg| (edge.node, arg)));
        }
    }
    pairs
}
