//! The minimal inter-procedural CFG (eXpress §4.2, Algorithm 1).
//!
//! Built from one entry function. Each function is expanded once; a call of a function
//! that cannot execute a change is not expanded at all, since nothing inside matters for
//! what can be reached. That is the paper's aim with fewer vertices: Algorithm 1 also
//! walks functions that turn out to reach nothing, and stands in one changed method for
//! every function known to reach a change, which keeps reachability and loses the place.

use super::Points;
use crate::calls::Calls;
use program_ir::{Block, Func};
use std::collections::{BTreeSet, HashMap};

/// A block, or the rest of one after a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Vertex {
    pub func: Func,
    pub block: Block,
    /// 0 for the start of the block, n after its n-th expanded call.
    pub part: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum EdgeKind {
    Flow,
    Call,
    Return,
}

#[derive(Clone, Debug, Default)]
pub struct MinimalCfg {
    pub vertices: BTreeSet<Vertex>,
    pub edges: BTreeSet<(Vertex, Vertex, EdgeKind)>,
    /// Vertices that hold a change point.
    pub changed: BTreeSet<Vertex>,
    /// Functions that were expanded.
    pub functions: BTreeSet<Func>,
}

/// `reaching`: the functions that may execute a change, as `irrelevant_branches` tells.
pub fn minimal_cfg(
    calls: &Calls<'_>,
    points: &Points,
    reaching: &BTreeSet<Func>,
    entry: Func,
) -> MinimalCfg {
    let mut graph = MinimalCfg::default();
    let mut open = vec![entry];
    let mut returns: HashMap<Func, Vec<Vertex>> = HashMap::new();
    let mut expanded_calls: Vec<(Vertex, Func, Vertex)> = Vec::new();
    while let Some(func) = open.pop() {
        let function = &calls.module.functions[func];
        if function.is_declaration() || !graph.functions.insert(func) {
            continue;
        }
        let cfg = calls.cfg(func);
        for &block in cfg.reverse_post_order() {
            let mut here = Vertex {
                func,
                block,
                part: 0,
            };
            graph.vertices.insert(here);
            for &inst in cfg.live_insts(function, block) {
                if points
                    .get(&func)
                    .is_some_and(|points| points.contains(&inst))
                {
                    graph.changed.insert(here);
                }
                let targets = calls.targets(func, inst).iter();
                let callees: Vec<Func> = targets
                    .copied()
                    .filter(|one| reaching.contains(one))
                    .collect();
                if callees.is_empty() {
                    continue;
                }
                let next = Vertex {
                    part: here.part + 1,
                    ..here
                };
                graph.vertices.insert(next);
                if callees.len() < calls.targets(func, inst).len() {
                    graph.edges.insert((here, next, EdgeKind::Flow));
                }
                for callee in callees {
                    expanded_calls.push((here, callee, next));
                    open.push(callee);
                }
                here = next;
            }
            for next in cfg.successors(block) {
                let start = Vertex {
                    func,
                    block: next,
                    part: 0,
                };
                graph.edges.insert((here, start, EdgeKind::Flow));
            }
            if cfg.is_exit(block) {
                returns.entry(func).or_default().push(here);
            }
        }
    }
    for (from, callee, next) in expanded_calls {
        let start = Vertex {
            func: callee,
            block: Block::from_u32(0),
            part: 0,
        };
        graph.edges.insert((from, start, EdgeKind::Call));
        for &end in returns.get(&callee).into_iter().flatten() {
            graph.edges.insert((end, next, EdgeKind::Return));
        }
    }
    graph
}
