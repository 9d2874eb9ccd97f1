//! Invariants 3, 6, 8 and 9 for one instruction: edges and types.

use super::Check;
use crate::{
    AtomicRmwOp, BlockCall, CallData, Callee, CastOp, Inst, InstData, TernaryOp, Type, UnaryOp,
    Value,
};
use std::collections::HashSet;

impl Check<'_> {
    pub(super) fn instruction(&mut self, inst: Inst) {
        let node = &self.function.insts[inst];
        let mut edges: Vec<BlockCall> = Vec::new();
        node.data.for_each_edge(|edge| edges.push(edge.clone()));
        for edge in edges {
            self.edge(inst, &edge);
        }
        let results: Vec<Type> = self
            .function
            .results(inst)
            .map(|result| self.function.ty(result))
            .collect();
        if let Some(problem) = self.type_problem(&node.data, &results) {
            self.fail_at(6, inst, problem);
        }
        let aligned = match &node.data {
            InstData::Alloca { align, .. }
            | InstData::Load { align, .. }
            | InstData::Store { align, .. } => align.is_power_of_two(),
            data => data.call().is_none_or(|call| {
                let mut copies = call.by_val.iter();
                copies.all(|by_val| by_val.align.is_power_of_two())
            }),
        };
        if !aligned {
            self.fail_at(9, inst, "alignment is not a power of two");
        }
        if let InstData::Switch { cases, .. } = &node.data {
            let mut seen = HashSet::new();
            if !cases.iter().all(|(bits, _)| seen.insert(*bits)) {
                self.fail_at(8, inst, "a case appears twice");
            }
        }
    }

    fn edge(&mut self, inst: Inst, edge: &BlockCall) {
        if Some(edge.block) == self.function.entry() {
            self.fail_at(3, inst, "an edge leads to the entry");
        }
        let params = &self.function.blocks[edge.block].params;
        let wanted = params.iter().map(|&param| self.function.ty(param));
        let given = edge.args.iter().map(|&arg| self.function.ty(arg));
        if !wanted.eq(given) {
            let message = format!("arguments do not fit the parameters of {}", edge.block);
            self.fail_at(6, inst, message);
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    /// What is wrong with the types of an instruction.
    fn type_problem(&self, data: &InstData, results: &[Type]) -> Option<String> {
        let demand = |holds: bool, what: &str| (!holds).then(|| what.to_owned());
        let is_int = |ty: Type| matches!(ty, Type::Int(_));
        match data {
            InstData::Unary { op, arg } => {
                let ty = self.ty(*arg);
                let fits = match op {
                    UnaryOp::ByteSwap => is_int(ty) && ty.bits().is_multiple_of(16),
                    op if op.is_float() => ty.is_float(),
                    _ => is_int(ty),
                };
                demand(fits && results == [ty], "operand or result type")
            }
            InstData::Binary { op, args, .. } => {
                let ty = self.ty(args[0]);
                let fits = ty.is_float() == op.is_float() && ty != Type::Ptr;
                let same = self.ty(args[1]) == ty;
                demand(fits && same && results == [ty], "operand or result type")
            }
            InstData::Ternary { op, args } => {
                let [first, second, third] = args.map(|arg| self.ty(arg));
                let fits = match op {
                    TernaryOp::Select => first == Type::I1 && second == third,
                    TernaryOp::FMulAdd => first.is_float() && first == second && second == third,
                    TernaryOp::FunnelShl | TernaryOp::FunnelShr => {
                        is_int(first) && first == second && second == third
                    }
                };
                demand(fits && results == [third], "operand or result type")
            }
            InstData::Overflow { args, .. } => {
                let ty = self.ty(args[0]);
                let fits = is_int(ty) && self.ty(args[1]) == ty;
                demand(fits && results == [ty, Type::I1], "operand or result type")
            }
            InstData::IntCompare { args, .. } => {
                let ty = self.ty(args[0]);
                let fits = ty.is_int_like() && self.ty(args[1]) == ty;
                demand(fits && results == [Type::I1], "operand or result type")
            }
            InstData::FloatCompare { args, .. } => {
                let ty = self.ty(args[0]);
                let fits = ty.is_float() && self.ty(args[1]) == ty;
                demand(fits && results == [Type::I1], "operand or result type")
            }
            InstData::FloatClass { arg, .. } => {
                let fits = self.ty(*arg).is_float();
                demand(fits && results == [Type::I1], "operand or result type")
            }
            InstData::Cast { op, arg } => match results {
                [to] => demand(
                    cast_fits(*op, self.ty(*arg), *to),
                    "cast between these types",
                ),
                _ => Some("a cast has one result".to_owned()),
            },
            InstData::PtrAdd { base, terms, .. } => {
                let indices = terms.iter().all(|term| self.ty(term.index) == Type::I64);
                let fits = self.ty(*base) == Type::Ptr && indices;
                demand(fits && results == [Type::Ptr], "operand or result type")
            }
            InstData::Alloca { count, .. } => {
                let fits = self.ty(*count) == Type::I64;
                demand(fits && results == [Type::Ptr], "operand or result type")
            }
            InstData::StackSave => demand(results == [Type::Ptr], "result type"),
            InstData::StackRestore { token } => demand(
                self.ty(*token) == Type::Ptr && results.is_empty(),
                "token type",
            ),
            InstData::Load { address, .. } => {
                let fits = self.ty(*address) == Type::Ptr && results.len() == 1;
                demand(fits, "operand or result type")
            }
            InstData::Store { address, .. } => {
                let fits = self.ty(*address) == Type::Ptr && results.is_empty();
                demand(fits, "operand or result type")
            }
            InstData::MemCopy {
                destination,
                source,
                length,
                ..
            } => {
                let types = [*destination, *source, *length].map(|arg| self.ty(arg));
                let fits = types == [Type::Ptr, Type::Ptr, Type::I64] && results.is_empty();
                demand(fits, "operand or result type")
            }
            InstData::MemSet {
                destination,
                byte,
                length,
            } => {
                let types = [*destination, *byte, *length].map(|arg| self.ty(arg));
                let fits = types == [Type::Ptr, Type::I8, Type::I64] && results.is_empty();
                demand(fits, "operand or result type")
            }
            InstData::AtomicRmw { op, address, value } => {
                let ty = self.ty(*value);
                let fits = match op {
                    AtomicRmwOp::Exchange => true,
                    AtomicRmwOp::FAdd | AtomicRmwOp::FSub => ty.is_float(),
                    _ => is_int(ty),
                };
                let address = self.ty(*address) == Type::Ptr;
                demand(fits && address && results == [ty], "operand or result type")
            }
            InstData::CompareExchange {
                address,
                expected,
                replacement,
            } => {
                let ty = self.ty(*expected);
                let fits = ty.is_int_like() && self.ty(*replacement) == ty;
                let fits = fits && self.ty(*address) == Type::Ptr;
                demand(fits && results == [ty, Type::I1], "operand or result type")
            }
            InstData::Call(call) | InstData::Invoke { call, .. } => {
                self.call_problem(call, results)
            }
            InstData::VaStart { list } | InstData::VaEnd { list } => demand(
                self.ty(*list) == Type::Ptr && results.is_empty(),
                "list type",
            ),
            InstData::VaCopy {
                destination,
                source,
            } => {
                let types = [*destination, *source].map(|arg| self.ty(arg));
                demand(types == [Type::Ptr; 2] && results.is_empty(), "list type")
            }
            InstData::Syscall { args } => {
                let fits = args.iter().all(|&arg| self.ty(arg) == Type::I64);
                demand(fits && results == [Type::I64], "operand or result type")
            }
            InstData::ThreadPointer => demand(results == [Type::Ptr], "result type"),
            InstData::Cpuid { leaf, subleaf } => {
                let fits = [*leaf, *subleaf].map(|arg| self.ty(arg)) == [Type::I32; 2];
                demand(fits && results == [Type::I32; 4], "operand or result type")
            }
            InstData::LandingPad => demand(results == [Type::Ptr, Type::I32], "result types"),
            InstData::Unsupported { .. } => None,
            InstData::Branch { condition, .. } => demand(
                self.ty(*condition) == Type::I1 && results.is_empty(),
                "condition type",
            ),
            InstData::Switch { arg, cases, .. } => {
                let ty = self.ty(*arg);
                let narrow = |bits: u128| ty.bits() == 128 || bits >> ty.bits() == 0;
                let fits = is_int(ty) && cases.iter().all(|(bits, _)| narrow(*bits));
                demand(fits && results.is_empty(), "operand type or case value")
            }
            InstData::IndirectJump { address, .. } => demand(
                self.ty(*address) == Type::Ptr && results.is_empty(),
                "address type",
            ),
            InstData::Return { values } => {
                let types = values.iter().map(|&value| self.ty(value));
                let fits = types.eq(self.function.signature.returns.iter().copied());
                demand(
                    fits && results.is_empty(),
                    "values differ from the signature",
                )
            }
            InstData::Fence
            | InstData::Jump(_)
            | InstData::Resume
            | InstData::Unreachable
            | InstData::Trap
            | InstData::UnsupportedTerminator { .. } => {
                demand(results.is_empty(), "it has no results")
            }
        }
    }

    fn call_problem(&self, call: &CallData, results: &[Type]) -> Option<String> {
        if *call.returns != *results {
            return Some("results differ from what the call returns".to_owned());
        }
        if call.fixed_args as usize > call.args.len() {
            return Some("more named arguments than arguments".to_owned());
        }
        for by_val in &call.by_val {
            let arg = call.args.get(by_val.arg as usize);
            if arg.is_none_or(|&arg| self.ty(arg) != Type::Ptr) {
                return Some("by-value argument that is not a pointer".to_owned());
            }
        }
        match call.callee {
            Callee::Indirect(target) => {
                (self.ty(target) != Type::Ptr).then(|| "target is not a pointer".to_owned())
            }
            Callee::Direct(func) => {
                let Some(callee) = self.module.functions.get(func) else {
                    return Some(format!("{func} does not exist"));
                };
                let signature = &callee.signature;
                let fixed = &call.args[..call.fixed_args as usize];
                let types = fixed.iter().map(|&arg| self.ty(arg));
                let fits = types.eq(signature.params.iter().copied())
                    && signature.returns == *call.returns
                    && (signature.variadic || fixed.len() == call.args.len());
                (!fits).then(|| format!("does not fit the signature of {func}"))
            }
        }
    }
}

fn cast_fits(op: CastOp, from: Type, to: Type) -> bool {
    let is_int = |ty: Type| matches!(ty, Type::Int(_));
    match op {
        CastOp::Truncate => is_int(from) && is_int(to) && to.bits() < from.bits(),
        CastOp::ZeroExtend | CastOp::SignExtend => {
            is_int(from) && is_int(to) && to.bits() > from.bits()
        }
        CastOp::FloatTruncate => from.is_float() && to.is_float() && to.bits() < from.bits(),
        CastOp::FloatExtend => from.is_float() && to.is_float() && to.bits() > from.bits(),
        CastOp::FloatToUnsigned
        | CastOp::FloatToSigned
        | CastOp::FloatToUnsignedSaturating
        | CastOp::FloatToSignedSaturating => from.is_float() && is_int(to),
        CastOp::UnsignedToFloat | CastOp::SignedToFloat => is_int(from) && to.is_float(),
        CastOp::Bits => from.is_float() != to.is_float() && from.bits() == to.bits(),
        CastOp::PtrToInt => from == Type::Ptr && to == Type::I64,
        CastOp::IntToPtr => from == Type::I64 && to == Type::Ptr,
    }
}
