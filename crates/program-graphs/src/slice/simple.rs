//! The obvious twin of slices, for programs without recursion: every chain of calls gets
//! its own copy of the called function, so contexts cannot be confused, and all memory
//! dependences are found by walking backward through the whole copied program.

use super::Direction;
use crate::cells::Cell;
use crate::memory_access::{AccessKind, Actor};
use crate::points_to::CallBinding;
use crate::program_facts::{ControlFlow, ProgramFacts};
use program_ir::{Block, Callee, Func, Inst, InstData, Value, ValueDef};
use std::collections::{BTreeMap, BTreeSet};

/// One activation of a function: who called it from where, and how.
struct Context {
    func: Func,
    caller: Option<(usize, Inst, CallBinding)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item {
    Inst(Inst),
    Param(Value),
    Argument(Inst, u32),
    CallResult(Inst, u32),
    ReturnValue(Inst, u32),
}

type Place = (usize, Item);

pub struct InlinedProgram<'a> {
    facts: &'a ProgramFacts<'a>,
    flows: BTreeMap<Func, ControlFlow>,
    contexts: Vec<Context>,
    dependences: BTreeMap<Place, BTreeSet<Place>>,
}

impl<'a> InlinedProgram<'a> {
    /// `None` if there are more activations than `limit`.
    pub fn of(facts: &'a ProgramFacts<'a>, limit: usize) -> Option<Self> {
        let mut program = InlinedProgram {
            facts,
            flows: BTreeMap::new(),
            contexts: Vec::new(),
            dependences: BTreeMap::new(),
        };
        for &func in &facts.calls.reached {
            program.flows.insert(func, facts.control_flow(func));
        }
        for &func in &facts.points_to.roots {
            program.contexts.push(Context { func, caller: None });
        }
        let mut next = 0;
        while next < program.contexts.len() {
            if program.contexts.len() > limit {
                return None;
            }
            let func = program.contexts[next].func;
            for inst in program.live(func) {
                for target in facts.calls.targets(func, inst) {
                    if !facts.module.functions[target.func].is_declaration() {
                        program.contexts.push(Context {
                            func: target.func,
                            caller: Some((next, inst, target.binding)),
                        });
                    }
                }
            }
            next += 1;
        }
        for context in 0..program.contexts.len() {
            program.fill(context);
        }
        Some(program)
    }

    /// The slice of an instruction, in all its contexts, as instructions.
    pub fn slice(&self, direction: Direction, func: Func, inst: Inst) -> BTreeSet<(Func, Inst)> {
        let mut reversed: BTreeMap<Place, BTreeSet<Place>> = BTreeMap::new();
        for (&from, targets) in &self.dependences {
            for &to in targets {
                reversed.entry(to).or_default().insert(from);
            }
        }
        let graph = match direction {
            Direction::Backward => &self.dependences,
            Direction::Forward => &reversed,
        };
        let mut work: Vec<Place> = self
            .dependences
            .keys()
            .copied()
            .filter(|&(context, item)| {
                self.contexts[context].func == func && inst_of(item) == Some(inst)
            })
            .collect();
        let mut seen: BTreeSet<Place> = work.iter().copied().collect();
        while let Some(place) = work.pop() {
            for &next in graph.get(&place).into_iter().flatten() {
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        seen.into_iter()
            .filter_map(|(context, item)| Some((self.contexts[context].func, inst_of(item)?)))
            .collect()
    }

    fn live(&self, func: Func) -> Vec<Inst> {
        let function = &self.facts.module.functions[func];
        let cfg = &self.flows[&func].cfg;
        cfg.reverse_post_order()
            .iter()
            .flat_map(|&block| cfg.live_insts(function, block))
            .copied()
            .collect()
    }

    fn calls_body(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        targets
            .iter()
            .any(|target| !self.facts.module.functions[target.func].is_declaration())
    }

    fn calls_external(&self, func: Func, inst: Inst) -> bool {
        self.facts.calls.targets(func, inst).iter().any(|target| {
            target.binding == CallBinding::Callback
                || self.facts.module.functions[target.func].is_declaration()
        })
    }

    fn depend(&mut self, from: Place, to: Place) {
        self.dependences.entry(from).or_default().insert(to);
    }

    fn depend_on_value(&mut self, from: Place, value: Value) {
        let (context, _) = from;
        let func = self.contexts[context].func;
        match self.facts.module.functions[func].values[value].def {
            ValueDef::Param(..) => self.depend(from, (context, Item::Param(value))),
            ValueDef::Result(inst, index) => {
                let item = if self.calls_body(func, inst) {
                    Item::CallResult(inst, u32::from(index))
                } else {
                    Item::Inst(inst)
                };
                self.depend(from, (context, item));
            }
            ValueDef::Constant(_) => {}
        }
    }

    fn fill(&mut self, context: usize) {
        let func = self.contexts[context].func;
        let function = &self.facts.module.functions[func];
        let flow = self.flows[&func].clone();
        if let Some((above, call, binding)) = self.contexts[context].caller {
            for (index, &param) in function.params().iter().enumerate() {
                let item = match binding {
                    CallBinding::Arguments => Item::Argument(call, index as u32),
                    CallBinding::Callback => Item::Inst(call),
                };
                self.depend((context, Item::Param(param)), (above, item));
            }
        }
        for &block in flow.cfg.reverse_post_order() {
            for (index, &inst) in flow.cfg.live_insts(function, block).iter().enumerate() {
                let place = (context, Item::Inst(inst));
                self.dependences.entry(place).or_default();
                for cause in self.executed_because(context, &flow, block) {
                    self.depend(place, cause);
                }
                self.fill_operands(context, inst);
                self.fill_edges(context, &flow, block, inst);
                self.fill_memory(context, block, index, inst);
            }
        }
    }

    fn executed_because(&self, context: usize, flow: &ControlFlow, block: Block) -> Vec<Place> {
        let function = &self.facts.module.functions[self.contexts[context].func];
        let mut causes = Vec::new();
        if let Some((above, call, _)) = self.contexts[context].caller
            && flow.runs_always(block)
        {
            causes.push((above, Item::Inst(call)));
        }
        for controller in flow.control_dependence.controllers(block) {
            for decider in flow.cfg.deciders(function, controller) {
                causes.push((context, Item::Inst(decider)));
            }
        }
        causes
    }

    fn fill_operands(&mut self, context: usize, inst: Inst) {
        let func = self.contexts[context].func;
        let data = &self.facts.module.functions[func].insts[inst].data;
        let place = (context, Item::Inst(inst));
        match data {
            InstData::Return { values } => {
                for (index, &value) in values.iter().enumerate() {
                    let part = (context, Item::ReturnValue(inst, index as u32));
                    self.depend(part, place);
                    self.depend_on_value(part, value);
                }
            }
            InstData::Jump(_) => {}
            InstData::Branch { condition, .. } => self.depend_on_value(place, *condition),
            InstData::Switch { arg, .. } => self.depend_on_value(place, *arg),
            InstData::IndirectJump { address, .. } => self.depend_on_value(place, *address),
            InstData::Call(call) | InstData::Invoke { call, .. } => {
                if let Callee::Indirect(target) = call.callee {
                    self.depend_on_value(place, target);
                }
                let has_body = self.calls_body(func, inst);
                for (index, &arg) in call.args.iter().enumerate() {
                    if has_body {
                        let part = (context, Item::Argument(inst, index as u32));
                        self.depend(part, place);
                        self.depend_on_value(part, arg);
                    }
                    if !has_body || self.calls_external(func, inst) {
                        self.depend_on_value(place, arg);
                    }
                }
                self.fill_callback_results(context, inst);
                if has_body {
                    for index in
                        0..u32::from(self.facts.module.functions[func].insts[inst].result_count)
                    {
                        self.fill_call_result(context, inst, index);
                    }
                }
            }
            _ => {
                let mut operands = Vec::new();
                data.for_each_operand(|value| operands.push(value));
                for value in operands {
                    self.depend_on_value(place, value);
                }
            }
        }
    }

    /// An external may use what the functions that it calls return.
    fn fill_callback_results(&mut self, context: usize, inst: Inst) {
        for called in 0..self.contexts.len() {
            if self.contexts[called].caller != Some((context, inst, CallBinding::Callback)) {
                continue;
            }
            let callee = self.contexts[called].func;
            for returning in self.live(callee) {
                let data = &self.facts.module.functions[callee].insts[returning].data;
                if let InstData::Return { values } = data {
                    for index in 0..values.len() as u32 {
                        let returned = (called, Item::ReturnValue(returning, index));
                        self.depend((context, Item::Inst(inst)), returned);
                    }
                }
            }
        }
    }

    fn calls_back(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        targets
            .iter()
            .any(|target| target.binding == CallBinding::Callback)
    }

    fn fill_call_result(&mut self, context: usize, inst: Inst, index: u32) {
        let part = (context, Item::CallResult(inst, index));
        self.depend(part, (context, Item::Inst(inst)));
        for called in 0..self.contexts.len() {
            if self.contexts[called].caller != Some((context, inst, CallBinding::Arguments)) {
                continue;
            }
            let callee = self.contexts[called].func;
            for returning in self.live(callee) {
                let data = &self.facts.module.functions[callee].insts[returning].data;
                if matches!(data, InstData::Return { .. }) {
                    self.depend(part, (called, Item::ReturnValue(returning, index)));
                }
            }
        }
    }

    fn fill_edges(&mut self, context: usize, flow: &ControlFlow, block: Block, inst: Inst) {
        let function = &self.facts.module.functions[self.contexts[context].func];
        let data = &function.insts[inst].data;
        let choosers = match data {
            InstData::Jump(_) => self.executed_because(context, flow, block),
            _ => vec![(context, Item::Inst(inst))],
        };
        let mut passed = Vec::new();
        data.for_each_edge(|edge| {
            let params = &function.blocks[edge.block].params;
            passed.extend(params.iter().copied().zip(edge.args.iter().copied()));
        });
        for (param, arg) in passed {
            let place = (context, Item::Param(param));
            for &chooser in &choosers {
                self.depend(place, chooser);
            }
            self.depend_on_value(place, arg);
        }
    }

    fn fill_memory(&mut self, context: usize, block: Block, index: usize, inst: Inst) {
        let func = self.contexts[context].func;
        let has_body = self.calls_body(func, inst);
        for access in self.facts.accesses.of_inst(func, inst) {
            if access.kind != AccessKind::Read {
                continue;
            }
            let (item, part) = match access.actor {
                Actor::Argument(arg) if has_body => (Item::Argument(inst, arg), Part::Start),
                _ => (Item::Inst(inst), Part::AfterArguments),
            };
            let cells: Vec<u32> = self.facts.accesses.sets[access.cells]
                .cells
                .iter()
                .collect();
            for cell in cells {
                let start = Point {
                    context,
                    block,
                    index,
                    part,
                };
                let mut writers = self.writers_before(start, Cell::from_u32(cell));
                // What an external reads may have been written by what it called.
                if item == Item::Inst(inst) && self.calls_back(func, inst) {
                    let end = Point {
                        part: Part::End,
                        ..start
                    };
                    writers.extend(self.writers_before(end, Cell::from_u32(cell)));
                }
                for writer in writers {
                    self.depend((context, item), writer);
                }
            }
        }
    }

    /// Everything that may have written what `cell` holds at `start`.
    fn writers_before(&self, start: Point, cell: Cell) -> BTreeSet<Place> {
        let mut writers = BTreeSet::new();
        let mut seen = BTreeSet::from([start]);
        let mut work = vec![start];
        while let Some(point) = work.pop() {
            for before in self.step_back(point, cell, &mut writers) {
                if seen.insert(before) {
                    work.push(before);
                }
            }
        }
        writers
    }

    fn step_back(&self, point: Point, cell: Cell, writers: &mut BTreeSet<Place>) -> Vec<Point> {
        let Point { context, block, .. } = point;
        let func = self.contexts[context].func;
        let function = &self.facts.module.functions[func];
        let cfg = &self.flows[&func].cfg;
        let insts = cfg.live_insts(function, block);
        match point.part {
            // After the instruction: through what it calls, or past it.
            Part::End => {
                let inst = insts[point.index];
                let mut before = Vec::new();
                let mut entered = false;
                for (called, child) in self.contexts.iter().enumerate() {
                    let is_callee = child
                        .caller
                        .is_some_and(|(above, at, _)| above == context && at == inst);
                    if is_callee && self.writes(child.func, cell) {
                        entered = true;
                        before.extend(self.ends_of(called));
                    }
                }
                let all = self
                    .facts
                    .calls
                    .targets(func, inst)
                    .iter()
                    .all(|target| self.writes(target.func, cell));
                if !entered || !all {
                    before.push(Point {
                        part: Part::BeforeCallee,
                        ..point
                    });
                }
                before
            }
            Part::BeforeCallee => self.own_writes(point, cell, false, writers),
            Part::AfterArguments => self.own_writes(point, cell, true, writers),
            Part::Start if point.index > 0 => vec![Point {
                index: point.index - 1,
                part: Part::End,
                ..point
            }],
            Part::Start => {
                let mut before = Vec::new();
                for earlier in cfg
                    .predecessors(block)
                    .filter(|&block| cfg.is_reachable(block))
                {
                    before.push(self.end_of(context, earlier));
                }
                if Some(block) == cfg.entry()
                    && let Some((above, call, binding)) = self.contexts[context].caller
                    && self.touches(func, cell)
                {
                    let point = self.point_of(above, call);
                    // It may have been called back before.
                    if binding == CallBinding::Callback {
                        before.push(Point {
                            part: Part::End,
                            ..point
                        });
                    }
                    before.push(point);
                }
                before
            }
        }
    }

    fn own_writes(
        &self,
        point: Point,
        cell: Cell,
        of_arguments: bool,
        writers: &mut BTreeSet<Place>,
    ) -> Vec<Point> {
        let func = self.contexts[point.context].func;
        let cfg = &self.flows[&func].cfg;
        let function = &self.facts.module.functions[func];
        let inst = cfg.live_insts(function, point.block)[point.index];
        let cells = &self.facts.accesses.cells.cells;
        for access in self.facts.accesses.of_inst(func, inst) {
            let writes = access.kind == AccessKind::Write
                && matches!(access.actor, Actor::Argument(_)) == of_arguments
                && self.facts.accesses.sets[access.cells]
                    .overlapping
                    .contains(cell.as_u32());
            if !writes {
                continue;
            }
            let item = match access.actor {
                Actor::Argument(arg) if self.calls_body(func, inst) => Item::Argument(inst, arg),
                _ => Item::Inst(inst),
            };
            writers.insert((point.context, item));
            let replaced = access
                .replaces
                .is_some_and(|replaced| cells[replaced].covers(&cells[cell]));
            if replaced && !cfg.returns_twice() {
                return Vec::new();
            }
        }
        vec![Point {
            part: if of_arguments {
                Part::Start
            } else {
                Part::AfterArguments
            },
            ..point
        }]
    }

    fn writes(&self, func: Func, cell: Cell) -> bool {
        let effects = self.facts.mod_ref.interface(&self.facts.calls, func);
        !self.facts.module.functions[func].is_declaration()
            && effects.writes.contains(cell.as_u32())
    }

    fn touches(&self, func: Func, cell: Cell) -> bool {
        let effects = self.facts.mod_ref.interface(&self.facts.calls, func);
        effects.writes.contains(cell.as_u32()) || effects.reads.contains(cell.as_u32())
    }

    /// The ends of the blocks from which the activation returns.
    fn ends_of(&self, context: usize) -> Vec<Point> {
        let func = self.contexts[context].func;
        let function = &self.facts.module.functions[func];
        let cfg = &self.flows[&func].cfg;
        cfg.reverse_post_order()
            .iter()
            .filter(|&&block| {
                cfg.live_insts(function, block).last().is_some_and(|&last| {
                    matches!(
                        function.insts[last].data,
                        InstData::Return { .. } | InstData::Resume
                    )
                })
            })
            .map(|&block| self.end_of(context, block))
            .collect()
    }

    fn end_of(&self, context: usize, block: Block) -> Point {
        let func = self.contexts[context].func;
        let live = self.flows[&func]
            .cfg
            .live_insts(&self.facts.module.functions[func], block);
        Point {
            context,
            block,
            index: live.len() - 1,
            part: Part::End,
        }
    }

    /// Just before the called function runs.
    fn point_of(&self, context: usize, inst: Inst) -> Point {
        let func = self.contexts[context].func;
        let function = &self.facts.module.functions[func];
        let cfg = &self.flows[&func].cfg;
        for &block in cfg.reverse_post_order() {
            let live = cfg.live_insts(function, block);
            if let Some(index) = live.iter().position(|&other| other == inst) {
                return Point {
                    context,
                    block,
                    index,
                    part: Part::BeforeCallee,
                };
            }
        }
        unreachable!("activations are made only for live calls")
    }
}

/// A moment in the execution of one instruction of one activation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Point {
    context: usize,
    block: Block,
    index: usize,
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Start,
    /// Arguments are passed, the instruction has not read or written.
    AfterArguments,
    /// The instruction has written, what it calls has not run.
    BeforeCallee,
    End,
}

fn inst_of(item: Item) -> Option<Inst> {
    match item {
        Item::Inst(inst)
        | Item::Argument(inst, _)
        | Item::CallResult(inst, _)
        | Item::ReturnValue(inst, _) => Some(inst),
        Item::Param(_) => None,
    }
}
