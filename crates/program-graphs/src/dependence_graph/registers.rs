//! Dependences through registers and control, inside one function.
//!
//! A block parameter is assigned on the edges into its block. So it depends on the
//! arguments there, and on what chooses among those edges: the branch at the end of a
//! predecessor, or, if that ends in a plain jump, on the predecessor being executed.

use super::DependenceKind::{Control, Data};
use super::{Builder, CallNodes, NodeKind};
use crate::points_to::CallBinding;
use crate::program_facts::ControlFlow;
use program_ir::{Callee, EntityRef, Func, Inst, InstData, Value, ValueDef};
use std::collections::HashMap;

impl Builder<'_> {
    pub(super) fn registers_and_control(&mut self, func: Func, flow: &ControlFlow) {
        let function = &self.facts.module.functions[func];
        let entry = self.node(NodeKind::Entry(func));
        self.interfaces[func.index()].entry = entry;
        let block_base = self.nodes.len() as u32;
        for block in function.blocks.keys() {
            self.node(NodeKind::Block(func, block));
        }
        let inst_base = self.nodes.len() as u32;
        self.inst_base[func.index()] = inst_base;
        for inst in function.insts.keys() {
            self.node(NodeKind::Inst(func, inst));
        }
        let mut params: HashMap<Value, u32> = HashMap::new();
        for (_, block) in function.blocks.iter() {
            for &param in &block.params {
                let node = self.node(NodeKind::Param(func, param));
                params.insert(param, node);
            }
        }
        self.interfaces[func.index()].params = function
            .params()
            .iter()
            .map(|param| params[param])
            .collect();
        for index in 0..function.signature.returns.len() {
            let node = self.node(NodeKind::Result(func, index as u32));
            self.interfaces[func.index()].results.push(node);
        }

        // Results of calls have nodes of their own.
        let mut call_results: HashMap<(Inst, u16), u32> = HashMap::new();
        for &block in flow.cfg.reverse_post_order() {
            for &inst in flow.cfg.live_insts(function, block) {
                if self.calls_body(func, inst) {
                    for index in 0..function.insts[inst].result_count {
                        let kind = NodeKind::CallResult(func, inst, u32::from(index));
                        let node = self.node(kind);
                        call_results.insert((inst, index), node);
                    }
                }
            }
        }
        let definition = |value: Value| match function.values[value].def {
            ValueDef::Param(..) => params.get(&value).copied(),
            ValueDef::Result(inst, index) => Some(match call_results.get(&(inst, index)) {
                Some(&node) => node,
                None => inst_base + inst.as_u32(),
            }),
            ValueDef::Constant(_) => None,
        };

        for &block in flow.cfg.reverse_post_order() {
            let block_node = block_base + block.as_u32();
            if flow.runs_always(block) {
                self.edge(block_node, entry, Control);
            }
            for controller in flow.control_dependence.controllers(block) {
                for decider in flow.cfg.deciders(function, controller) {
                    self.edge(block_node, inst_base + decider.as_u32(), Control);
                }
            }
            for &inst in flow.cfg.live_insts(function, block) {
                let node = inst_base + inst.as_u32();
                self.edge(node, block_node, Control);
                self.operands(func, inst, node, &definition, &call_results);
                let data = &function.insts[inst].data;
                data.for_each_edge(|edge| {
                    let chooser = match data {
                        InstData::Jump(_) => block_node,
                        _ => node,
                    };
                    let entered = &function.blocks[edge.block].params;
                    for (&param, &arg) in entered.iter().zip(&edge.args) {
                        self.edge(params[&param], chooser, Control);
                        if let Some(source) = definition(arg) {
                            self.edge(params[&param], source, Data);
                        }
                    }
                });
            }
        }
    }

    fn operands(
        &mut self,
        func: Func,
        inst: Inst,
        node: u32,
        definition: &impl Fn(Value) -> Option<u32>,
        call_results: &HashMap<(Inst, u16), u32>,
    ) {
        let data = &self.facts.module.functions[func].insts[inst].data;
        if let InstData::Return { values } = data {
            for (index, &value) in values.iter().enumerate() {
                let part = self.node(NodeKind::ReturnValue(func, inst, index as u32));
                self.parts.entry((func, inst)).or_default().push(part);
                self.edge(part, node, Control);
                if let Some(source) = definition(value) {
                    self.edge(part, source, Data);
                }
                if let Some(&result) = self.interfaces[func.index()].results.get(index) {
                    self.edge(result, part, Data);
                }
            }
            return;
        }
        let Some(call) = data.call().filter(|_| self.calls_body(func, inst)) else {
            let mut sources = Vec::new();
            match data {
                // What an edge carries concerns the parameters it assigns.
                InstData::Jump(_) => {}
                InstData::Branch { condition, .. } => sources.push(*condition),
                InstData::Switch { arg, .. } => sources.push(*arg),
                InstData::IndirectJump { address, .. } => sources.push(*address),
                InstData::Invoke { call, .. } => {
                    sources.extend(call.args.iter().copied());
                    if let Callee::Indirect(target) = call.callee {
                        sources.push(target);
                    }
                }
                _ => data.for_each_operand(|value| sources.push(value)),
            }
            for source in sources.into_iter().filter_map(definition) {
                self.edge(node, source, Data);
            }
            return;
        };
        if let Callee::Indirect(target) = call.callee
            && let Some(source) = definition(target)
        {
            self.edge(node, source, Data);
        }
        let calls_external = self.calls_external(func, inst);
        let mut args = Vec::new();
        for (index, &arg) in call.args.iter().enumerate() {
            let part = self.node(NodeKind::Argument(func, inst, index as u32));
            self.parts.entry((func, inst)).or_default().push(part);
            args.push(part);
            self.edge(part, node, Control);
            if let Some(source) = definition(arg) {
                self.edge(part, source, Data);
                if calls_external {
                    self.edge(node, source, Data);
                }
            }
        }
        let result_count = self.facts.module.functions[func].insts[inst].result_count;
        let results: Vec<u32> = (0..result_count)
            .map(|index| call_results[&(inst, index)])
            .collect();
        for &result in &results {
            self.parts.entry((func, inst)).or_default().push(result);
            self.edge(result, node, Control);
        }
        self.calls.push(CallNodes {
            func,
            inst,
            node,
            args,
            results,
            memory_args: Vec::new(),
            memory_results: Vec::new(),
        });
    }

    /// Whether the instruction can call a function that has a body.
    pub(super) fn calls_body(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        targets
            .iter()
            .any(|target| !self.facts.module.functions[target.func].is_declaration())
    }

    /// Whether an external that the instruction calls may call functions of the program.
    pub(super) fn calls_back(&self, func: Func, inst: Inst) -> bool {
        let targets = self.facts.calls.targets(func, inst);
        targets
            .iter()
            .any(|target| target.binding == CallBinding::Callback)
    }

    pub(super) fn calls_external(&self, func: Func, inst: Inst) -> bool {
        self.facts.calls.targets(func, inst).iter().any(|target| {
            target.binding == CallBinding::Callback
                || self.facts.module.functions[target.func].is_declaration()
        })
    }
}
