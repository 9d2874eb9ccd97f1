//! Translation of one function body: its blocks, its operands, and the small emitters
//! that the instruction translations are written with.

use crate::block_order::BlockOrder;
use crate::llvm::{self, Opcode, ValueKind};
use crate::shape::Shape;
use crate::translation::{Translation, int_bits, truncate};
use crate::wide_integers;
use program_ir::{
    ArithFlags, BinaryOp, Block, BlockCall, CastOp, Constant, Func, Function, Inst, InstData,
    IntPredicate, Loc, TernaryOp, Type, UnaryOp, Value, Variable, VariableBinding, VariablePlace,
};
use std::collections::HashMap;
use std::rc::Rc;

pub(crate) struct FunctionReader<'a, 'm> {
    pub(crate) translation: &'a mut Translation<'m>,
    pub(crate) function: Function,
    pub(crate) variables: HashMap<(llvm::Metadata, Option<llvm::Metadata>), Variable>,
    order: Rc<BlockOrder>,
    /// Where instructions are appended.
    block: Block,
    loc: Option<Loc>,
    /// The scalars of LLVM's arguments and instructions, as ranges of `scalars`.
    values: HashMap<llvm::Value, (u32, u32)>,
    scalars: Vec<Value>,
    constants: HashMap<(Type, Constant), Value>,
    /// Bindings that wait for the next instruction.
    pending: Vec<(Variable, VariablePlace)>,
    scratch: Option<Value>,
    /// What is being read.
    current: Option<llvm::Value>,
    /// The block got its terminator before LLVM's did.
    pub(crate) ended: bool,
}

/// Translates the body of `source` into `func`.
pub(crate) fn read_function(translation: &mut Translation<'_>, source: llvm::Value, func: Func) {
    let order = translation.block_order(source);
    let declared = translation.module.functions[func].clone();
    let mut reader = FunctionReader {
        translation,
        function: declared,
        variables: HashMap::new(),
        order: Rc::clone(&order),
        block: Block::from_u32(0),
        loc: None,
        values: HashMap::new(),
        scalars: Vec::new(),
        constants: HashMap::new(),
        pending: Vec::new(),
        scratch: None,
        current: None,
        ended: false,
    };
    for _ in 0..order.numbers.len() {
        reader.function.add_block();
    }
    reader.read_params(source);
    for &block in &order.reverse_postorder {
        reader.read_block(block);
    }
    for block in &order.unreachable {
        reader.enter(order.numbers[block]);
        reader.emit(InstData::Unreachable, &[]);
    }
    reader.translation.module.functions[func] = reader.function;
}

impl FunctionReader<'_, '_> {
    fn read_params(&mut self, source: llvm::Value) {
        let entry = Block::from_u32(0);
        let types = source.global_value_type().param_types();
        for (index, ty) in types.into_iter().enumerate() {
            let shape = self.shape(ty);
            let scalars: Vec<Value> = shape
                .scalars
                .iter()
                .map(|&ty| self.function.add_block_param(entry, ty))
                .collect();
            self.define(source.param(index as u32), &scalars);
        }
    }

    fn read_block(&mut self, source: llvm::Block) {
        let block = self.order.numbers[&source];
        self.enter(block);
        let mut next = source.first_instruction();
        while let Some(instruction) = next {
            next = instruction.next_instruction();
            self.read_instruction(instruction);
            if self.ended {
                break;
            }
        }
    }

    fn read_instruction(&mut self, instruction: llvm::Value) {
        self.read_records(instruction);
        self.current = Some(instruction);
        let opcode = instruction.opcode();
        if opcode == Opcode::LLVMPHI {
            let shape = self.shape(instruction.ty());
            let block = self.block;
            let params: Vec<Value> = shape
                .scalars
                .iter()
                .map(|&ty| self.function.add_block_param(block, ty))
                .collect();
            return self.define(instruction, &params);
        }
        self.loc = match instruction.debug_location() {
            Some(location) => {
                let translation = &mut *self.translation;
                Some(translation.debug.loc(
                    translation.llvm,
                    &mut translation.module.source,
                    location,
                ))
            }
            None => None,
        };
        match opcode {
            Opcode::LLVMRet
            | Opcode::LLVMBr
            | Opcode::LLVMSwitch
            | Opcode::LLVMIndirectBr
            | Opcode::LLVMInvoke
            | Opcode::LLVMUnreachable
            | Opcode::LLVMResume
            | Opcode::LLVMCallBr
            | Opcode::LLVMCleanupRet
            | Opcode::LLVMCatchRet
            | Opcode::LLVMCatchSwitch => self.read_terminator(instruction, opcode),
            _ => {
                let results = self.read_operation(instruction, opcode);
                self.define(instruction, &results);
            }
        }
    }

    pub(crate) fn enter(&mut self, block: Block) {
        self.block = block;
        self.ended = false;
        self.pending.clear();
    }

    pub(crate) fn block_of(&self, block: llvm::Block) -> Block {
        self.order.numbers[&block]
    }

    pub(crate) fn define(&mut self, value: llvm::Value, scalars: &[Value]) {
        let start = self.scalars.len() as u32;
        self.scalars.extend_from_slice(scalars);
        self.values.insert(value, (start, scalars.len() as u32));
    }

    /// The scalars of an argument or instruction, if they are known.
    pub(crate) fn known(&self, value: llvm::Value) -> Option<Vec<Value>> {
        let &(start, length) = self.values.get(&value)?;
        let start = start as usize;
        Some(self.scalars[start..start + length as usize].to_vec())
    }

    pub(crate) fn shape(&mut self, ty: llvm::Type) -> Rc<Shape> {
        self.translation.shape(ty)
    }

    /// The scalars of an operand. Constant expressions that are not addresses are
    /// computed here and now.
    pub(crate) fn operand(&mut self, value: llvm::Value) -> Vec<Value> {
        match self.known(value) {
            Some(scalars) => scalars,
            None => self.constant_operand(value),
        }
    }

    pub(crate) fn scalar_operand(&mut self, value: llvm::Value) -> Value {
        self.operand(value)[0]
    }

    fn constant_operand(&mut self, value: llvm::Value) -> Vec<Value> {
        let shape = self.shape(value.ty());
        match value.kind() {
            ValueKind::LLVMConstantIntValueKind if shape.scalars.len() == 1 => {
                let bits = int_bits(value).unwrap_or(0);
                vec![self.constant(shape.scalars[0], bits)]
            }
            ValueKind::LLVMConstantIntValueKind if wide_integers::limbs(value.ty()).is_some() => {
                let limbs = wide_integers::constant_limbs(value, shape.scalars.len());
                let limbs = limbs.unwrap_or_else(|| vec![0; shape.scalars.len()]);
                let pairs = limbs.into_iter().zip(&shape.scalars);
                pairs
                    .map(|(limb, &ty)| self.constant(ty, u128::from(limb)))
                    .collect()
            }
            ValueKind::LLVMConstantFPValueKind if shape.scalars.len() == 1 => {
                let ty = shape.scalars[0];
                let bits = self.float_bits(value, ty);
                vec![self.constant(ty, bits)]
            }
            ValueKind::LLVMConstantPointerNullValueKind
            | ValueKind::LLVMConstantAggregateZeroValueKind => {
                let types = shape.scalars.iter();
                types.map(|&ty| self.constant(ty, 0)).collect()
            }
            // Vectors may also be splats of a scalar constant.
            ValueKind::LLVMConstantIntValueKind
            | ValueKind::LLVMConstantFPValueKind
            | ValueKind::LLVMConstantArrayValueKind
            | ValueKind::LLVMConstantStructValueKind
            | ValueKind::LLVMConstantVectorValueKind
            | ValueKind::LLVMConstantDataArrayValueKind
            | ValueKind::LLVMConstantDataVectorValueKind
                if shape.problem.is_none() =>
            {
                let mut scalars = Vec::with_capacity(shape.scalars.len());
                let mut index = 0;
                while scalars.len() < shape.scalars.len() {
                    let Some(element) = value.aggregate_element(index) else {
                        break;
                    };
                    scalars.extend(self.operand(element));
                    index += 1;
                }
                scalars
            }
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind
            | ValueKind::LLVMBlockAddressValueKind
            | ValueKind::LLVMConstantExprValueKind
                if shape.scalars.len() == 1 =>
            {
                let ty = shape.scalars[0];
                let linear = self.translation.linear(value);
                match linear.and_then(|linear| linear.as_constant(ty)) {
                    Some(constant) => vec![self.constant_of(ty, constant)],
                    None if value.kind() == ValueKind::LLVMConstantExprValueKind => {
                        self.read_operation(value, value.const_opcode())
                    }
                    None => vec![self.constant_of(ty, Constant::Undef)],
                }
            }
            ValueKind::LLVMConstantExprValueKind => {
                self.read_operation(value, value.const_opcode())
            }
            // Undef, poison, and what only a block that cannot be reached defines.
            _ => {
                let types = shape.scalars.iter();
                types
                    .map(|&ty| self.constant_of(ty, Constant::Undef))
                    .collect()
            }
        }
    }

    fn float_bits(&mut self, value: llvm::Value, ty: Type) -> u128 {
        let int = self.translation.llvm.int_type(ty.bits());
        int_bits(value.bit_cast(int)).unwrap_or(0)
    }

    pub(crate) fn constant(&mut self, ty: Type, bits: u128) -> Value {
        self.constant_of(ty, Constant::Bits(truncate(bits, ty)))
    }

    pub(crate) fn constant_of(&mut self, ty: Type, constant: Constant) -> Value {
        let function = &mut self.function;
        *self
            .constants
            .entry((ty, constant))
            .or_insert_with(|| function.add_constant(ty, constant))
    }

    /// The bits of a scalar that is a plain constant.
    pub(crate) fn constant_bits(&self, value: Value) -> Option<u128> {
        match self.function.constant(value)? {
            Constant::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    // Emitters.

    pub(crate) fn emit(&mut self, data: InstData, results: &[Type]) -> Inst {
        let inst = self.function.append(self.block, data, results, self.loc);
        for (variable, place) in self.pending.drain(..) {
            self.function.bindings.push(VariableBinding {
                variable,
                before: inst,
                place,
            });
        }
        inst
    }

    pub(crate) fn emit_all(&mut self, data: InstData, results: &[Type]) -> Vec<Value> {
        let inst = self.emit(data, results);
        self.function.results(inst).collect()
    }

    pub(crate) fn emit_one(&mut self, data: InstData, ty: Type) -> Value {
        self.emit_all(data, &[ty])[0]
    }

    pub(crate) fn unsupported(&mut self, what: impl Into<String>, results: &[Type]) -> Vec<Value> {
        let what = what.into().into_boxed_str();
        let operands = self.current_operands();
        self.emit_all(InstData::Unsupported { what, operands }, results)
    }

    /// The operands of the instruction that is being read: what has no translation is still not the same as
    /// something else.
    pub(crate) fn current_operands(&self) -> Box<str> {
        let Some(instruction) = self.current else {
            return Box::default();
        };
        let operands =
            (0..instruction.operand_count() as u32).map(|index| instruction.operand(index));
        let is_empty = |value| self.known(value).is_some_and(|scalars| scalars.is_empty());
        if operands.clone().any(is_empty) || self.ends_block(instruction) {
            // Nothing short tells it apart.
            let whole = instruction.spelling();
            let end = whole.find(", !").unwrap_or(whole.len());
            return whole[..end].trim().into();
        }
        let mut spelled: Vec<String> = operands.map(|value| self.spelled(value)).collect();
        match instruction.opcode() {
            Opcode::LLVMICmp => spelled.push(format!("{:?}", instruction.int_predicate())),
            Opcode::LLVMFCmp => spelled.push(format!("{:?}", instruction.real_predicate())),
            Opcode::LLVMAtomicRMW => spelled.push(format!("{:?}", instruction.rmw_op())),
            Opcode::LLVMShuffleVector => {
                let mask = 0..instruction.mask_length();
                spelled.extend(mask.map(|index| instruction.mask_value(index).to_string()));
            }
            _ => {}
        }
        spelled.join(", ").into_boxed_str()
    }

    fn ends_block(&self, instruction: llvm::Value) -> bool {
        use Opcode::{LLVMCallBr, LLVMCatchRet, LLVMCatchSwitch, LLVMCleanupRet};
        use Opcode::{LLVMIndirectBr, LLVMInvoke, LLVMSwitch};
        matches!(
            instruction.opcode(),
            LLVMCallBr
                | LLVMCatchRet
                | LLVMCatchSwitch
                | LLVMCleanupRet
                | LLVMIndirectBr
                | LLVMInvoke
                | LLVMSwitch
        )
    }

    fn spelled(&self, value: llvm::Value) -> String {
        if let Some(scalars) = self.known(value) {
            let scalars: Vec<String> = scalars.iter().map(ToString::to_string).collect();
            return scalars.join(" ");
        }
        match value.kind() {
            ValueKind::LLVMInlineAsmValueKind => {
                let (template, constraints) = value.inline_assembly();
                format!("{template} {constraints}")
            }
            ValueKind::LLVMFunctionValueKind
            | ValueKind::LLVMGlobalVariableValueKind
            | ValueKind::LLVMGlobalAliasValueKind
            | ValueKind::LLVMGlobalIFuncValueKind => value.name(),
            _ => value.spelling(),
        }
    }

    pub(crate) fn ty(&self, value: Value) -> Type {
        self.function.ty(value)
    }

    pub(crate) fn unary(&mut self, op: UnaryOp, arg: Value) -> Value {
        let ty = self.ty(arg);
        self.emit_one(InstData::Unary { op, arg }, ty)
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, left: Value, right: Value) -> Value {
        self.binary_with(op, ArithFlags::default(), left, right)
    }

    pub(crate) fn binary_with(
        &mut self,
        op: BinaryOp,
        flags: ArithFlags,
        left: Value,
        right: Value,
    ) -> Value {
        let ty = self.ty(left);
        let args = [left, right];
        self.emit_one(InstData::Binary { op, flags, args }, ty)
    }

    pub(crate) fn compare(&mut self, predicate: IntPredicate, left: Value, right: Value) -> Value {
        let args = [left, right];
        self.emit_one(InstData::IntCompare { predicate, args }, Type::I1)
    }

    pub(crate) fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        if yes == no {
            return yes;
        }
        let ty = self.ty(yes);
        let data = InstData::Ternary {
            op: TernaryOp::Select,
            args: [condition, yes, no],
        };
        self.emit_one(data, ty)
    }

    pub(crate) fn cast(&mut self, op: CastOp, arg: Value, to: Type) -> Value {
        self.emit_one(InstData::Cast { op, arg }, to)
    }

    /// An integer brought to another width.
    pub(crate) fn resize(&mut self, arg: Value, to: Type, signed: bool) -> Value {
        let from = self.ty(arg).bits();
        if let Some(bits) = self.constant_bits(arg) {
            let unused = 128 - from;
            let bits = match signed {
                true => (((bits << unused) as i128) >> unused) as u128,
                false => bits,
            };
            return self.constant(to, bits);
        }
        match from.cmp(&to.bits()) {
            std::cmp::Ordering::Equal => arg,
            std::cmp::Ordering::Greater => self.cast(CastOp::Truncate, arg, to),
            std::cmp::Ordering::Less if signed => self.cast(CastOp::SignExtend, arg, to),
            std::cmp::Ordering::Less => self.cast(CastOp::ZeroExtend, arg, to),
        }
    }

    /// The bits of any scalar as an integer of its width.
    pub(crate) fn as_int(&mut self, arg: Value) -> Value {
        match self.ty(arg) {
            Type::Int(_) => arg,
            Type::Ptr => self.cast(CastOp::PtrToInt, arg, Type::I64),
            float => self.cast(CastOp::Bits, arg, Type::Int(float.bits() as u8)),
        }
    }

    /// An integer's bits as a scalar of a type of the same width.
    pub(crate) fn int_as(&mut self, arg: Value, to: Type) -> Value {
        match to {
            Type::Int(_) => arg,
            Type::Ptr => self.cast(CastOp::IntToPtr, arg, Type::Ptr),
            float => self.cast(CastOp::Bits, arg, float),
        }
    }

    /// `address + offset` bytes.
    pub(crate) fn offset_address(&mut self, base: Value, offset: i64) -> Value {
        if offset == 0 {
            return base;
        }
        let data = InstData::PtrAdd {
            base,
            offset,
            terms: Box::default(),
            inbounds: true,
        };
        self.emit_one(data, Type::Ptr)
    }

    /// Sixteen bytes of stack that accesses of disabled vector lanes are diverted to.
    pub(crate) fn scratch(&mut self) -> Value {
        if let Some(scratch) = self.scratch {
            return scratch;
        }
        let count = self.constant(Type::I64, 1);
        let data = InstData::Alloca {
            count,
            element_size: 16,
            align: 16,
        };
        let entry = Block::from_u32(0);
        let inst = self.function.append(entry, data, &[Type::Ptr], self.loc);
        let insts = &mut self.function.blocks[entry].insts;
        insts.pop();
        insts.insert(0, inst);
        let scratch = self.function.results(inst).next();
        self.scratch = scratch;
        scratch.expect("an alloca has one result")
    }

    // Debug records.

    fn read_records(&mut self, instruction: llvm::Value) {
        let mut next = instruction.first_record();
        while let Some(record) = next {
            next = record.next();
            if let Some((variable, place)) = self.read_record(record) {
                self.pending.retain(|(other, _)| *other != variable);
                self.pending.push((variable, place));
            }
        }
    }

    /// The edge between two blocks, with the values that the phis of `to` take on it.
    pub(crate) fn edge(&mut self, from: llvm::Block, to: llvm::Block) -> BlockCall {
        let args = self.phi_arguments(from, to);
        BlockCall {
            block: self.block_of(to),
            args: args.into(),
        }
    }

    fn phi_arguments(&mut self, from: llvm::Block, to: llvm::Block) -> Vec<Value> {
        let mut args = Vec::new();
        let mut guess = 0;
        let mut next = to.first_instruction();
        while let Some(phi) = next {
            if phi.opcode() != Opcode::LLVMPHI {
                break;
            }
            next = phi.next_instruction();
            // The phis of a block nearly always list their predecessors in one order.
            let count = phi.incoming_count();
            if guess >= count || phi.incoming_block(guess) != from {
                guess = (0..count)
                    .find(|&index| phi.incoming_block(index) == from)
                    .unwrap_or(0);
            }
            let value = phi.incoming_value(guess);
            args.extend(self.operand(value));
        }
        args
    }
}
