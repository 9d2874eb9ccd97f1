//! The system dependence graph of Horwitz, Reps and Binkley: one program dependence
//! graph per function, joined at calls, with summary edges.
//!
//! An edge leads from a node to what it depends on. Registers give data edges directly,
//! since they are in SSA form. Memory is treated in one of two ways, cell by cell:
//!
//! - A *precise* cell is a variable like any other: it gets its own SSA form in each
//!   function (`memory`), and its values enter and leave functions as extra parameters
//!   and results, so its dependences respect order and calling contexts.
//! - An *ambient* cell is one node for the whole program: a read depends on all writes.
//!
//! Both are safe. Precise cells cost nodes at every call that can touch them, so the
//! cheapest cells are made precise until the budget is used up: locals, and globals and
//! fields that few calls touch. Small programs are wholly precise.

mod memory;
mod registers;
pub mod simple;
mod summary;

use crate::cells::Cell;
use crate::memory_access::CellSet;
use crate::program_facts::ProgramFacts;
use crate::{Adjacency, SparseSet};
use program_ir::{Block, EntityRef, Func, Inst, Value};
use std::collections::HashMap;
use std::ops::Range;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NodeKind {
    /// The function is called.
    Entry(Func),
    /// The block is executed.
    Block(Func, Block),
    /// The instruction; of a call, that the call happens.
    Inst(Func, Inst),
    /// A block parameter; those of the entry block are the function's parameters.
    Param(Func, Value),
    /// An argument of a call of a function with a body.
    Argument(Func, Inst, u32),
    /// A result of such a call.
    CallResult(Func, Inst, u32),
    /// One value of a return instruction.
    ReturnValue(Func, Inst, u32),
    /// A result of the function, whichever return gives it.
    Result(Func, u32),
    /// A cell when the function is entered, and when it is left.
    MemoryIn(Func, Cell),
    MemoryOut(Func, Cell),
    /// A cell when the called function is entered, and when it is left.
    MemoryArgument(Func, Inst, Cell),
    MemoryResult(Func, Inst, Cell),
    /// A cell that may hold one of several values: where paths join, and after a write
    /// that may or may not have changed it.
    MemoryMerge(Func, Cell),
    /// An ambient cell, and what reads and writes of the same cells share.
    Ambient(Cell),
    AmbientRead(CellSet),
    AmbientWrite(CellSet),
}

impl NodeKind {
    pub fn func(self) -> Option<Func> {
        match self {
            NodeKind::Entry(func)
            | NodeKind::Block(func, _)
            | NodeKind::Inst(func, _)
            | NodeKind::Param(func, _)
            | NodeKind::Argument(func, ..)
            | NodeKind::CallResult(func, ..)
            | NodeKind::ReturnValue(func, ..)
            | NodeKind::Result(func, _)
            | NodeKind::MemoryIn(func, _)
            | NodeKind::MemoryOut(func, _)
            | NodeKind::MemoryArgument(func, ..)
            | NodeKind::MemoryResult(func, ..)
            | NodeKind::MemoryMerge(func, _) => Some(func),
            NodeKind::Ambient(_) | NodeKind::AmbientRead(_) | NodeKind::AmbientWrite(_) => None,
        }
    }

    /// The instruction that the node is part of.
    pub fn inst(self) -> Option<(Func, Inst)> {
        match self {
            NodeKind::Inst(func, inst)
            | NodeKind::Argument(func, inst, _)
            | NodeKind::CallResult(func, inst, _)
            | NodeKind::ReturnValue(func, inst, _) => Some((func, inst)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DependenceKind {
    /// Through a register.
    Data,
    /// Through a precise cell of memory.
    Memory,
    Control,
    /// From a called function's entry or parameter to a call or argument.
    ToCaller,
    /// From a call's result to the called function's result.
    ToCallee,
    /// From a call's result to an argument, for all paths through the called function.
    Summary,
    /// To or from the node of an ambient cell.
    Ambient,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dependence {
    pub node: u32,
    pub kind: DependenceKind,
}

#[derive(Clone, Copy, Debug)]
pub struct DependenceConfig {
    /// Roughly how many nodes may be spent on precise memory cells. Zero: all memory is
    /// ambient.
    pub memory_budget: u64,
}

impl Default for DependenceConfig {
    fn default() -> Self {
        DependenceConfig {
            memory_budget: 200_000,
        }
    }
}

#[derive(Clone, Debug)]
pub struct DependenceGraph {
    pub nodes: Vec<NodeKind>,
    dependences: EdgeTable,
    dependents: EdgeTable,
    function_nodes: Vec<Range<u32>>,
    inst_base: Vec<u32>,
    /// The nodes that belong to an instruction besides its own.
    parts: HashMap<(Func, Inst), Vec<u32>>,
    /// The cells that are treated precisely.
    pub precise: SparseSet,
}

impl DependenceGraph {
    pub fn of(facts: &ProgramFacts, config: &DependenceConfig) -> Self {
        let precise = memory::choose_precise_cells(facts, config.memory_budget);
        let mut builder = Builder::new(facts, precise);
        for &func in &facts.calls.reached {
            builder.function(func);
        }
        builder.join_calls();
        builder.join_ambient();
        builder.finish()
    }

    /// What the node depends on.
    pub fn dependences(&self, node: u32) -> &[Dependence] {
        self.dependences.of(node)
    }

    /// What depends on the node; each names the depending node.
    pub fn dependents(&self, node: u32) -> &[Dependence] {
        self.dependents.of(node)
    }

    /// The function's program dependence graph is the subgraph of these nodes. Empty for
    /// functions that the roots do not reach.
    pub fn function_nodes(&self, func: Func) -> Range<u32> {
        self.function_nodes[func.index()].clone()
    }

    pub fn entry(&self, func: Func) -> Option<u32> {
        let range = self.function_nodes(func);
        (!range.is_empty()).then_some(range.start)
    }

    pub fn inst(&self, func: Func, inst: Inst) -> Option<u32> {
        (!self.function_nodes(func).is_empty())
            .then(|| self.inst_base[func.index()] + inst.as_u32())
    }

    /// The instruction's node, and those of its arguments and results.
    pub fn all_of_inst(&self, func: Func, inst: Inst) -> Vec<u32> {
        let mut nodes: Vec<u32> = self.inst(func, inst).into_iter().collect();
        nodes.extend(self.parts.get(&(func, inst)).into_iter().flatten());
        nodes
    }

    pub fn edge_count(&self) -> usize {
        self.dependences.edges.len()
    }
}

#[derive(Clone, Debug, Default)]
struct EdgeTable {
    starts: Vec<u32>,
    edges: Vec<Dependence>,
}

impl EdgeTable {
    fn new(node_count: usize, edges: &[(u32, Dependence)]) -> EdgeTable {
        let pairs: Vec<(u32, u32)> = edges
            .iter()
            .enumerate()
            .map(|(index, (from, _))| (*from, index as u32))
            .collect();
        // Sorted by source, with the edge's index as the target.
        let order = Adjacency::from_edges(node_count, &pairs);
        let mut starts = Vec::with_capacity(node_count + 1);
        let mut sorted = Vec::with_capacity(edges.len());
        for node in 0..node_count as u32 {
            starts.push(sorted.len() as u32);
            sorted.extend(order.of(node).iter().map(|&index| edges[index as usize].1));
        }
        starts.push(sorted.len() as u32);
        EdgeTable {
            starts,
            edges: sorted,
        }
    }

    fn of(&self, node: u32) -> &[Dependence] {
        let node = node as usize;
        &self.edges[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// The nodes by which a function is joined to its callers.
#[derive(Clone, Default)]
struct Interface {
    entry: u32,
    params: Vec<u32>,
    results: Vec<u32>,
    memory_in: HashMap<Cell, u32>,
    memory_out: HashMap<Cell, u32>,
}

/// The nodes of one call of functions with a body.
struct CallNodes {
    func: Func,
    inst: Inst,
    node: u32,
    args: Vec<u32>,
    results: Vec<u32>,
    memory_args: Vec<(Cell, u32)>,
    memory_results: Vec<(Cell, u32)>,
}

struct Builder<'a> {
    facts: &'a ProgramFacts<'a>,
    precise: SparseSet,
    nodes: Vec<NodeKind>,
    edges: Vec<(u32, Dependence)>,
    function_nodes: Vec<Range<u32>>,
    inst_base: Vec<u32>,
    parts: HashMap<(Func, Inst), Vec<u32>>,
    interfaces: Vec<Interface>,
    calls: Vec<CallNodes>,
    /// Reads and writes of ambient cells: who, which.
    ambient_reads: Vec<(u32, CellSet)>,
    ambient_writes: Vec<(u32, CellSet)>,
    /// Functions from which a jump to a `setjmp` of a caller may start.
    may_jump: Vec<bool>,
}

impl<'a> Builder<'a> {
    fn new(facts: &'a ProgramFacts<'a>, precise: SparseSet) -> Self {
        let function_count = facts.module.functions.len();
        Builder {
            facts,
            precise,
            nodes: Vec::new(),
            edges: Vec::new(),
            function_nodes: vec![0..0; function_count],
            inst_base: vec![0; function_count],
            parts: HashMap::new(),
            interfaces: vec![Interface::default(); function_count],
            calls: Vec::new(),
            ambient_reads: Vec::new(),
            ambient_writes: Vec::new(),
            may_jump: memory::functions_that_may_jump(facts),
        }
    }

    fn node(&mut self, kind: NodeKind) -> u32 {
        let id = self.nodes.len() as u32;
        self.nodes.push(kind);
        id
    }

    fn edge(&mut self, from: u32, to: u32, kind: DependenceKind) {
        self.edges.push((from, Dependence { node: to, kind }));
    }

    fn function(&mut self, func: Func) {
        let start = self.nodes.len() as u32;
        let flow = self.facts.control_flow(func);
        self.registers_and_control(func, &flow);
        self.memory(func, &flow);
        self.function_nodes[func.index()] = start..self.nodes.len() as u32;
    }

    /// Joins calls with the functions they call.
    fn join_calls(&mut self) {
        use DependenceKind::{ToCallee, ToCaller};
        let calls = std::mem::take(&mut self.calls);
        let interfaces = std::mem::take(&mut self.interfaces);
        for call in &calls {
            for target in self.facts.calls.targets(call.func, call.inst) {
                if self.facts.module.functions[target.func].is_declaration() {
                    continue;
                }
                let callee = &interfaces[target.func.index()];
                self.edge(callee.entry, call.node, ToCaller);
                if target.binding == crate::CallBinding::Callback {
                    // What an external passes is not known; it comes from its call.
                    for &param in &callee.params {
                        self.edge(param, call.node, ToCaller);
                    }
                    // What it makes of the results is not known either.
                    for &result in &callee.results {
                        self.edge(call.node, result, ToCallee);
                    }
                } else {
                    for (&param, &arg) in callee.params.iter().zip(&call.args) {
                        self.edge(param, arg, ToCaller);
                    }
                    for (&result, &inner) in call.results.iter().zip(&callee.results) {
                        self.edge(result, inner, ToCallee);
                    }
                }
                for (cell, arg) in &call.memory_args {
                    if let Some(&inner) = callee.memory_in.get(cell) {
                        self.edge(inner, *arg, ToCaller);
                    }
                }
                for (cell, result) in &call.memory_results {
                    if let Some(&inner) = callee.memory_out.get(cell) {
                        self.edge(*result, inner, ToCallee);
                    }
                }
            }
        }
    }

    /// Joins reads with writes of ambient cells, by way of the cells and of the sets of
    /// cells that accesses share.
    fn join_ambient(&mut self) {
        let mut cells: HashMap<Cell, u32> = HashMap::new();
        let mut sets: HashMap<(CellSet, bool), u32> = HashMap::new();
        let reads = std::mem::take(&mut self.ambient_reads);
        let writes = std::mem::take(&mut self.ambient_writes);
        let accesses = reads
            .into_iter()
            .map(|access| (access, false))
            .chain(writes.into_iter().map(|access| (access, true)));
        for ((user, set), is_write) in accesses {
            let shared = match sets.get(&(set, is_write)) {
                Some(&shared) => shared,
                None => {
                    let shared = self.node(if is_write {
                        NodeKind::AmbientWrite(set)
                    } else {
                        NodeKind::AmbientRead(set)
                    });
                    sets.insert((set, is_write), shared);
                    let data = &self.facts.accesses.sets[set];
                    let touched = if is_write {
                        data.overlapping.intersection(&self.facts.accesses.read)
                    } else {
                        data.cells.clone()
                    };
                    for cell in touched.difference(&self.precise).iter() {
                        let cell = Cell::from_u32(cell);
                        let node = match cells.get(&cell) {
                            Some(&node) => node,
                            None => {
                                let node = self.node(NodeKind::Ambient(cell));
                                cells.insert(cell, node);
                                node
                            }
                        };
                        if is_write {
                            self.edge(node, shared, DependenceKind::Ambient);
                        } else {
                            self.edge(shared, node, DependenceKind::Ambient);
                        }
                    }
                    shared
                }
            };
            if is_write {
                self.edge(shared, user, DependenceKind::Ambient);
            } else {
                self.edge(user, shared, DependenceKind::Ambient);
            }
        }
    }

    fn finish(mut self) -> DependenceGraph {
        self.edges.sort_unstable();
        self.edges.dedup();
        let node_count = self.nodes.len();
        let mut graph = DependenceGraph {
            dependences: EdgeTable::new(node_count, &self.edges),
            dependents: EdgeTable::default(),
            nodes: self.nodes,
            function_nodes: self.function_nodes,
            inst_base: self.inst_base,
            parts: self.parts,
            precise: self.precise,
        };
        let reversed: Vec<(u32, Dependence)> = reverse(&self.edges);
        graph.dependents = EdgeTable::new(node_count, &reversed);
        let summaries = summary::summary_edges(&graph, &self.facts.calls);
        self.edges.extend(summaries);
        self.edges.sort_unstable();
        graph.dependences = EdgeTable::new(node_count, &self.edges);
        graph.dependents = EdgeTable::new(node_count, &reverse(&self.edges));
        graph
    }
}

fn reverse(edges: &[(u32, Dependence)]) -> Vec<(u32, Dependence)> {
    edges
        .iter()
        .map(|&(from, Dependence { node, kind })| (node, Dependence { node: from, kind }))
        .collect()
}
