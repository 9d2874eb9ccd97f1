//! Terminators.

use crate::function::FunctionReader;
use crate::llvm::{self, Opcode};
use crate::operations::opcode_name;
use crate::translation::int_bits;
use crate::wide_integers;
use program_ir::{BlockCall, InstData, Value};
use std::collections::HashSet;

impl FunctionReader<'_, '_> {
    pub(crate) fn read_terminator(&mut self, terminator: llvm::Value, opcode: Opcode) {
        if let Some(problem) = self.operand_problem(terminator, &None) {
            return self.unsupported_terminator(problem);
        }
        match opcode {
            Opcode::LLVMRet => {
                let values = match terminator.operand_count() {
                    0 => Vec::new(),
                    _ => self.operand(terminator.operand(0)),
                };
                self.emit(
                    InstData::Return {
                        values: values.into(),
                    },
                    &[],
                );
            }
            Opcode::LLVMBr if terminator.is_conditional() => {
                let condition = self.scalar_operand(terminator.condition());
                let from = terminator.parent();
                let then = self.edge(from, terminator.successor(0));
                let otherwise = self.edge(from, terminator.successor(1));
                self.emit(
                    InstData::Branch {
                        condition,
                        then,
                        otherwise,
                    },
                    &[],
                );
            }
            Opcode::LLVMBr => {
                let target = self.edge(terminator.parent(), terminator.successor(0));
                self.emit(InstData::Jump(target), &[]);
            }
            Opcode::LLVMSwitch => self.read_switch(terminator),
            Opcode::LLVMIndirectBr => self.read_indirect_branch(terminator),
            Opcode::LLVMInvoke => self.read_invoke(terminator),
            Opcode::LLVMResume => {
                self.emit(InstData::Resume, &[]);
            }
            Opcode::LLVMUnreachable => {
                self.emit(InstData::Unreachable, &[]);
            }
            other => self.unsupported_terminator(format!("terminator `{}`", opcode_name(other))),
        }
    }

    fn unsupported_terminator(&mut self, what: String) {
        let what = what.into_boxed_str();
        let operands = self.current_operands();
        self.emit(InstData::UnsupportedTerminator { what, operands }, &[]);
    }

    fn read_switch(&mut self, switch: llvm::Value) {
        if wide_integers::limbs(switch.operand(0).ty()).is_some() {
            let what = "`switch` on an integer of more than 128 bits";
            return self.unsupported_terminator(what.to_owned());
        }
        let arg = self.scalar_operand(switch.operand(0));
        let from = switch.parent();
        let default = self.edge(from, switch.successor(0));
        let cases = (1..switch.successor_count())
            .filter_map(|index| {
                let bits = int_bits(switch.switch_case_value(index))?;
                Some((bits, self.edge(from, switch.successor(index))))
            })
            .collect();
        self.emit(
            InstData::Switch {
                arg,
                cases,
                default,
            },
            &[],
        );
    }

    fn read_indirect_branch(&mut self, branch: llvm::Value) {
        let address = self.scalar_operand(branch.operand(0));
        let from = branch.parent();
        let mut seen = HashSet::new();
        let targets = (0..branch.successor_count())
            .map(|index| branch.successor(index))
            .filter(|&target| seen.insert(target))
            .collect::<Vec<_>>()
            .into_iter()
            .map(|target| self.edge(from, target))
            .collect();
        self.emit(InstData::IndirectJump { address, targets }, &[]);
    }

    fn read_invoke(&mut self, invoke: llvm::Value) {
        let from = invoke.parent();
        let (normal, unwind) = (invoke.normal_destination(), invoke.unwind_destination());
        let shape = self.shape(invoke.ty());
        let Ok(call) = self.call_data(invoke) else {
            // An intrinsic, inline assembly or something unsupported: it does not throw.
            let results = self.read_call(invoke);
            self.define(invoke, &results);
            let target = self.edge(from, normal);
            self.emit(InstData::Jump(target), &[]);
            return;
        };
        let unwind = self.edge(from, unwind);
        if !self.enters_phi(invoke, normal) {
            let normal = self.edge(from, normal);
            let data = InstData::Invoke {
                call: Box::new(call),
                normal,
                unwind,
            };
            let results = self.emit_all(data, &shape.scalars);
            return self.define(invoke, &results);
        }
        // A phi takes the result, which exists only after the call: give the edge a
        // block of its own.
        let middle = self.function.add_block();
        let data = InstData::Invoke {
            call: Box::new(call),
            normal: BlockCall {
                block: middle,
                args: Box::default(),
            },
            unwind,
        };
        let results: Vec<Value> = self.emit_all(data, &shape.scalars);
        self.define(invoke, &results);
        self.enter(middle);
        let target = self.edge(from, normal);
        self.emit(InstData::Jump(target), &[]);
    }

    /// Whether a phi of `block` takes `value`.
    fn enters_phi(&self, value: llvm::Value, block: llvm::Block) -> bool {
        let mut next = block.first_instruction();
        while let Some(phi) = next {
            if phi.opcode() != Opcode::LLVMPHI {
                return false;
            }
            next = phi.next_instruction();
            if (0..phi.incoming_count()).any(|index| phi.incoming_value(index) == value) {
                return true;
            }
        }
        false
    }
}
