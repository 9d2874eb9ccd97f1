//! Calls: of functions, and the dispatch to intrinsics and inline assembly.

use crate::function::FunctionReader;
use crate::llvm::{self, TypeKind, ValueKind};
use program_ir::{ByVal, CallData, Callee, Constant, InstData, Type, Value};

impl FunctionReader<'_, '_> {
    pub(crate) fn read_call(&mut self, call: llvm::Value) -> Vec<Value> {
        let shape = self.shape(call.ty());
        match self.call_data(call) {
            Ok(data) => self.emit_all(InstData::Call(Box::new(data)), &shape.scalars),
            Err(NotACall::Intrinsic(name)) => self.read_intrinsic(call, &name),
            Err(NotACall::Assembly) => self.read_assembly(call),
            Err(NotACall::Unsupported(what)) => self.unsupported(what, &shape.scalars),
        }
    }

    /// The call of a function, with its arguments emitted.
    pub(crate) fn call_data(&mut self, call: llvm::Value) -> Result<CallData, NotACall> {
        let target = call.called_value();
        match target.kind() {
            ValueKind::LLVMInlineAsmValueKind => return Err(NotACall::Assembly),
            ValueKind::LLVMFunctionValueKind => {
                if let Some(name) = self.translation.intrinsic(target) {
                    return Err(NotACall::Intrinsic(name.to_string()));
                }
            }
            _ => {}
        }
        let own = self.shape(call.ty()).problem.clone();
        if let Some(problem) = self.operand_problem(call, &own) {
            return Err(NotACall::Unsupported(problem));
        }
        let ty = call.called_type();
        let (signature, _) = self.translation.signature(ty);
        let attributes = self.translation.attributes;
        let callee = self.scalar_operand(target);
        let callee = match self.function.constant(callee) {
            Some(Constant::FunctionAddress(func))
                if self.translation.module.functions[func].signature == signature =>
            {
                Callee::Direct(func)
            }
            _ => Callee::Indirect(callee),
        };
        let takes_list = match callee {
            Callee::Direct(func) => self.translation.module.functions[func].signature.variadic,
            Callee::Indirect(_) => signature.variadic,
        };
        let mut args = Vec::new();
        let mut by_val = Vec::new();
        let mut fixed_args = 0;
        for index in 0..call.argument_count() {
            for kind in [attributes.in_alloca, attributes.preallocated] {
                if call.argument_type_attribute(index, kind).is_some() {
                    return Err(NotACall::Unsupported("inalloca argument".to_owned()));
                }
            }
            if let Some(copied) = call.argument_type_attribute(index, attributes.by_val) {
                let align = call.argument_int_attribute(index, attributes.align);
                let llvm = self.translation.llvm;
                by_val.push(ByVal {
                    arg: args.len() as u32,
                    size: llvm.alloc_size(copied),
                    align: align.map_or_else(|| llvm.alignment(copied), |align| align as u32),
                });
            }
            let argument = call.argument(index);
            match argument.ty().kind() {
                TypeKind::LLVMMetadataTypeKind => {}
                TypeKind::LLVMVectorTypeKind if takes_list && index >= ty.param_count() => {
                    args.push(self.vector_in_list(argument)?);
                }
                _ => args.extend(self.operand(argument)),
            }
            if index < ty.param_count() {
                fixed_args = args.len() as u32;
            }
        }
        Ok(CallData {
            callee,
            args: args.into(),
            fixed_args,
            by_val: by_val.into(),
            returns: signature.returns.into(),
        })
    }

    /// A vector among the arguments of a `...`, as one scalar: `va_arg` reads its elements side by
    /// side, while every scalar of the list has a place of its own.
    fn vector_in_list(&mut self, argument: llvm::Value) -> Result<Value, NotACall> {
        let lanes = self.operand(argument);
        let bits: u32 = lanes.iter().map(|&lane| self.ty(lane).bits()).sum();
        match bits {
            1..=128 => Ok(self.pack(&lanes)),
            _ => {
                let spelling = llvm::shorten(argument.ty().spelling(), 80);
                let what = format!("variadic argument of type `{spelling}`");
                Err(NotACall::Unsupported(what))
            }
        }
    }

    /// A call of the library function `name`, with one result.
    pub(crate) fn call_library(
        &mut self,
        name: &str,
        args: &[Value],
        returns: &[Type],
    ) -> Vec<Value> {
        let signature = program_ir::Signature {
            params: args.iter().map(|&arg| self.ty(arg)).collect(),
            returns: returns.to_vec(),
            variadic: false,
        };
        let func = self.translation.function_or_import(name, signature.clone());
        let callee = match self.translation.module.functions[func].signature == signature {
            true => Callee::Direct(func),
            false => {
                let address = Constant::FunctionAddress(func);
                Callee::Indirect(self.constant_of(Type::Ptr, address))
            }
        };
        let call = CallData {
            callee,
            args: args.into(),
            fixed_args: args.len() as u32,
            by_val: Box::default(),
            returns: returns.into(),
        };
        self.emit_all(InstData::Call(Box::new(call)), returns)
    }
}

/// A call instruction that is not a call of a function.
pub(crate) enum NotACall {
    Intrinsic(String),
    Assembly,
    Unsupported(String),
}
