//! Dependences through memory, inside one function: SSA form for the precise cells, by
//! dominance frontiers and a walk over the dominator tree.
//!
//! A write that surely replaces a cell becomes the cell's version. Any other write makes
//! a new version that merges the write with the version before, so edges stay few, yet a
//! write is not thought to depend on the value that it may leave in place.

use super::DependenceKind::Memory;
use super::{Builder, NodeKind};
use crate::CallControl;
use crate::SparseSet;
use crate::cells::Cell;
use crate::externals::{Effect, external_model};
use crate::memory_access::{AccessKind, Actor};
use crate::program_facts::{ControlFlow, ProgramFacts};
use program_ir::{Block, EntityRef, Func, Inst, InstData};
use std::collections::HashMap;

/// What an instruction does with cells, in order. Cells are numbered within the function.
enum Event {
    Use {
        node: u32,
        cell: u32,
    },
    Define {
        node: u32,
        cell: u32,
        surely: bool,
    },
    /// The function may be left from here by a jump to a caller's `setjmp`.
    Leave,
}

impl Builder<'_> {
    pub(super) fn memory(&mut self, func: Func, flow: &ControlFlow) {
        let interface = self.facts.mod_ref.interface(&self.facts.calls, func);
        let tracked = self.precise.clone();
        let inputs = {
            let mut cells = interface.reads.clone();
            cells.union_with(&interface.writes);
            cells.intersection(&tracked)
        };
        let outputs = interface.writes.intersection(&tracked);

        let mut numbers: HashMap<Cell, u32> = HashMap::new();
        let mut cells: Vec<Cell> = Vec::new();
        let mut number = |cell: Cell| {
            *numbers.entry(cell).or_insert_with(|| {
                cells.push(cell);
                cells.len() as u32 - 1
            })
        };
        let mut initial: Vec<(u32, u32)> = Vec::new();
        for cell in inputs.iter().map(Cell::from_u32) {
            let node = self.node(NodeKind::MemoryIn(func, cell));
            self.interfaces[func.index()].memory_in.insert(cell, node);
            initial.push((number(cell), node));
        }
        let mut outgoing: Vec<(u32, u32)> = Vec::new();
        for cell in outputs.iter().map(Cell::from_u32) {
            let node = self.node(NodeKind::MemoryOut(func, cell));
            self.interfaces[func.index()].memory_out.insert(cell, node);
            outgoing.push((number(cell), node));
        }
        let events = self.events(func, flow, &mut number);
        if events.iter().all(Vec::is_empty) && outgoing.is_empty() {
            return;
        }
        self.rename(func, flow, &cells, &initial, &outgoing, &events);
    }

    /// Per block.
    fn events(
        &mut self,
        func: Func,
        flow: &ControlFlow,
        number: &mut impl FnMut(Cell) -> u32,
    ) -> Vec<Vec<Event>> {
        let facts = self.facts;
        let function = &facts.module.functions[func];
        let inst_base = self.inst_base[func.index()];
        let call_index: HashMap<Inst, usize> = self
            .calls
            .iter()
            .enumerate()
            .rev()
            .take_while(|(_, call)| call.func == func)
            .map(|(index, call)| (call.inst, index))
            .collect();
        let mut events: Vec<Vec<Event>> = (0..function.blocks.len()).map(|_| Vec::new()).collect();
        for &block in flow.cfg.reverse_post_order() {
            let mut list = Vec::new();
            for &inst in flow.cfg.live_insts(function, block) {
                let called = call_index.get(&inst).copied();
                for access in facts.accesses.of_inst(func, inst) {
                    let node = match (access.actor, called) {
                        (Actor::Argument(arg), Some(call)) => self.calls[call].args[arg as usize],
                        _ => inst_base + inst.as_u32(),
                    };
                    let set = &facts.accesses.sets[access.cells];
                    if access.kind == AccessKind::Read {
                        for cell in set.cells.intersection(&self.precise).iter() {
                            let cell = number(Cell::from_u32(cell));
                            list.push(Event::Use { node, cell });
                        }
                        if !set.cells.difference(&self.precise).is_empty() {
                            self.ambient_reads.push((node, access.cells));
                        }
                        continue;
                    }
                    let seen = set.overlapping.intersection(&facts.accesses.read);
                    for cell in seen.intersection(&self.precise).iter() {
                        let cell = Cell::from_u32(cell);
                        let surely = !flow.cfg.returns_twice()
                            && access.replaces.is_some_and(|replaced| {
                                let data = &facts.accesses.cells.cells;
                                data[replaced].covers(&data[cell])
                            });
                        list.push(Event::Define {
                            node,
                            cell: number(cell),
                            surely,
                        });
                    }
                    if !seen.difference(&self.precise).is_empty() {
                        self.ambient_writes.push((node, access.cells));
                    }
                }
                if let Some(call) = called {
                    self.call_events(call, flow, number, &mut list);
                    if self.calls_back(func, inst) {
                        self.callback_events(call, number, &mut list);
                    }
                }
                let jumps = |target: &crate::CallTarget| self.may_jump[target.func.index()];
                if facts.calls.targets(func, inst).iter().any(jumps) {
                    list.push(Event::Leave);
                }
            }
            events[block.index()] = list;
        }
        events
    }

    fn call_events(
        &mut self,
        call: usize,
        flow: &ControlFlow,
        number: &mut impl FnMut(Cell) -> u32,
        list: &mut Vec<Event>,
    ) {
        let facts = self.facts;
        let (func, inst) = (self.calls[call].func, self.calls[call].inst);
        let mut touched = SparseSet::new();
        let mut written = SparseSet::new();
        // Cells that every target writes, so that its result says all about them.
        let mut by_all: Option<SparseSet> = None;
        for target in facts.calls.targets(func, inst) {
            if facts.module.functions[target.func].is_declaration() {
                by_all = Some(SparseSet::new());
                continue;
            }
            let effects = facts.mod_ref.interface(&facts.calls, target.func);
            let writes = effects.writes.intersection(&self.precise);
            touched.union_with(&effects.reads.intersection(&self.precise));
            touched.union_with(&writes);
            written.union_with(&writes);
            by_all = Some(match by_all {
                Some(known) => known.intersection(&writes),
                None => writes,
            });
        }
        let by_all = by_all.unwrap_or_default();
        for cell in touched.iter().map(Cell::from_u32) {
            let node = self.node(NodeKind::MemoryArgument(func, inst, cell));
            self.calls[call].memory_args.push((cell, node));
            let cell = number(cell);
            list.push(Event::Use { node, cell });
        }
        for cell in written.iter().map(Cell::from_u32) {
            let node = self.node(NodeKind::MemoryResult(func, inst, cell));
            self.calls[call].memory_results.push((cell, node));
            list.push(Event::Define {
                node,
                cell: number(cell),
                surely: by_all.contains(cell.as_u32()) && !flow.cfg.returns_twice(),
            });
        }
    }

    /// An external may call back any number of times, and use memory in between.
    fn callback_events(
        &self,
        call: usize,
        number: &mut impl FnMut(Cell) -> u32,
        list: &mut Vec<Event>,
    ) {
        let nodes = &self.calls[call];
        for &(cell, node) in &nodes.memory_args {
            list.push(Event::Use {
                node,
                cell: number(cell),
            });
        }
        for access in self.facts.accesses.of_inst(nodes.func, nodes.inst) {
            if access.kind == AccessKind::Read && access.actor == Actor::Instruction {
                let cells = &self.facts.accesses.sets[access.cells].cells;
                for cell in cells.intersection(&self.precise).iter() {
                    list.push(Event::Use {
                        node: nodes.node,
                        cell: number(Cell::from_u32(cell)),
                    });
                }
            }
        }
    }

    fn rename(
        &mut self,
        func: Func,
        flow: &ControlFlow,
        cells: &[Cell],
        initial: &[(u32, u32)],
        outgoing: &[(u32, u32)],
        events: &[Vec<Event>],
    ) {
        let function = &self.facts.module.functions[func];
        let merges = self.place_merges(func, flow, cells, events);
        let mut current: Vec<Option<u32>> = vec![None; cells.len()];
        for &(cell, node) in initial {
            current[cell as usize] = Some(node);
        }
        enum Walk {
            Visit(Block),
            Undo(u32, Option<u32>),
        }
        let mut steps: Vec<Walk> = flow.cfg.entry().map(Walk::Visit).into_iter().collect();
        while let Some(step) = steps.pop() {
            let block = match step {
                Walk::Undo(cell, version) => {
                    current[cell as usize] = version;
                    continue;
                }
                Walk::Visit(block) => block,
            };
            for &(cell, node) in &merges[block.index()] {
                steps.push(Walk::Undo(cell, current[cell as usize]));
                current[cell as usize] = Some(node);
            }
            for event in &events[block.index()] {
                match *event {
                    Event::Use { node, cell } => {
                        if let Some(version) = current[cell as usize] {
                            self.edge(node, version, Memory);
                        }
                    }
                    Event::Define { node, cell, surely } => {
                        let before = current[cell as usize];
                        steps.push(Walk::Undo(cell, before));
                        let version = match before {
                            Some(before) if !surely => {
                                let kind = NodeKind::MemoryMerge(func, cells[cell as usize]);
                                let merged = self.node(kind);
                                self.edge(merged, before, Memory);
                                self.edge(merged, node, Memory);
                                merged
                            }
                            _ => node,
                        };
                        current[cell as usize] = Some(version);
                    }
                    Event::Leave => self.leave(outgoing, &current),
                }
            }
            let leaves = flow
                .cfg
                .live_insts(function, block)
                .last()
                .is_some_and(|&last| {
                    matches!(
                        function.insts[last].data,
                        InstData::Return { .. } | InstData::Resume
                    )
                });
            if leaves {
                self.leave(outgoing, &current);
            }
            for next in flow.cfg.successors(block) {
                for &(cell, node) in &merges[next.index()] {
                    if let Some(version) = current[cell as usize] {
                        self.edge(node, version, Memory);
                    }
                }
            }
            // Below the undo steps of this block, so they run after the subtree. The
            // children come last and are thus visited first.
            steps.extend(flow.dominators.children(block).map(Walk::Visit));
        }
    }

    fn leave(&mut self, outgoing: &[(u32, u32)], current: &[Option<u32>]) {
        for &(cell, node) in outgoing {
            if let Some(version) = current[cell as usize] {
                self.edge(node, version, Memory);
            }
        }
    }

    /// Where paths with different versions of a cell join: per block, the cell and the
    /// node of its merge.
    fn place_merges(
        &mut self,
        func: Func,
        flow: &ControlFlow,
        cells: &[Cell],
        events: &[Vec<Event>],
    ) -> Vec<Vec<(u32, u32)>> {
        let mut defining: Vec<Vec<Block>> = vec![Vec::new(); cells.len()];
        for &block in flow.cfg.reverse_post_order() {
            for event in &events[block.index()] {
                if let Event::Define { cell, .. } = event
                    && defining[*cell as usize].last() != Some(&block)
                {
                    defining[*cell as usize].push(block);
                }
            }
        }
        let frontiers = flow.dominators.frontiers(&flow.cfg);
        let mut merges = vec![Vec::new(); flow.cfg.block_count()];
        let mut placed = vec![u32::MAX; flow.cfg.block_count()];
        for (cell, blocks) in defining.into_iter().enumerate() {
            let mut stack = blocks;
            while let Some(block) = stack.pop() {
                for &join in &frontiers[block.index()] {
                    if placed[join.index()] != cell as u32 {
                        placed[join.index()] = cell as u32;
                        let node = self.node(NodeKind::MemoryMerge(func, cells[cell]));
                        merges[join.index()].push((cell as u32, node));
                        stack.push(join);
                    }
                }
            }
        }
        merges
    }
}

/// The cheapest cells, as many as the budget allows. Only cells that are read matter.
/// What functions touch that the outside calls at a time of its own choice is ambient:
/// the graph has no edge for such a call.
pub(super) fn choose_precise_cells(facts: &ProgramFacts, budget: u64) -> SparseSet {
    let mut costs = vec![0u64; facts.accesses.cells.cells.len()];
    let mut uses_of_set: HashMap<_, u64> = HashMap::new();
    for &func in &facts.calls.reached {
        for access in facts.accesses.of_function(func) {
            *uses_of_set
                .entry((access.cells, access.kind == AccessKind::Write))
                .or_default() += 1;
        }
        let effects = facts.mod_ref.interface(&facts.calls, func);
        // Its nodes at every call, and the share of summaries that each output takes.
        let calls = facts.calls.callers(func).len() as u64 + 1;
        let body = facts.module.functions[func].insts.len() as u64 / 64 + 1;
        for cell in effects.reads.iter() {
            costs[cell as usize] += calls;
        }
        for cell in effects.writes.iter() {
            costs[cell as usize] += 2 * calls + body;
        }
    }
    for ((set, is_write), uses) in uses_of_set {
        let data = &facts.accesses.sets[set];
        let cells = if is_write {
            &data.overlapping
        } else {
            &data.cells
        };
        for cell in cells.iter() {
            costs[cell as usize] += uses;
        }
    }
    let mut by_cost: Vec<(u64, u32)> = facts
        .accesses
        .read
        .difference(&touched_at_any_time(facts))
        .iter()
        .map(|cell| (costs[cell as usize], cell))
        .collect();
    by_cost.sort_unstable();
    let mut left = budget;
    by_cost
        .into_iter()
        .take_while(|(cost, _)| {
            let affordable = *cost <= left;
            left = left.saturating_sub(*cost);
            affordable
        })
        .map(|(_, cell)| cell)
        .collect()
}

/// The cells of functions that unknown code keeps (handlers of exits and signals), and
/// those by which several roots can meet.
fn touched_at_any_time(facts: &ProgramFacts) -> SparseSet {
    let interface = |func: Func| facts.mod_ref.interface(&facts.calls, func);
    let mut touched = SparseSet::new();
    for &func in &facts.points_to.called_by_unknown {
        touched.union_with(&interface(func).reads);
        touched.union_with(&interface(func).writes);
    }
    if let [_, _, ..] = facts.points_to.roots[..] {
        for &root in &facts.points_to.roots {
            touched.union_with(&interface(root).writes);
        }
    }
    touched
}

/// Functions that call `longjmp`, themselves or through others, in a program that has a
/// `setjmp` to jump to.
pub(super) fn functions_that_may_jump(facts: &ProgramFacts) -> Vec<bool> {
    let model = |func: Func| {
        let function = &facts.module.functions[func];
        external_model(&function.name).filter(|_| function.is_declaration())
    };
    let mut may_jump = vec![false; facts.module.functions.len()];
    let can_be_jumped_to = |func: Func| {
        let control = model(func).map(|model| model.control);
        control == Some(CallControl::ReturnsTwice) && !facts.calls.callers(func).is_empty()
    };
    if !facts.module.functions.keys().any(can_be_jumped_to) {
        return may_jump;
    }
    let jumps =
        |func: Func| model(func).is_some_and(|model| model.effects.contains(&Effect::JumpsBack));
    let mut stack: Vec<Func> = facts
        .module
        .functions
        .keys()
        .filter(|&func| jumps(func))
        .collect();
    while let Some(func) = stack.pop() {
        if !std::mem::replace(&mut may_jump[func.index()], true) {
            stack.extend(facts.calls.callers(func).iter().map(|(caller, _)| *caller));
        }
    }
    may_jump
}
