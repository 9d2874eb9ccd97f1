//! Instructions that are not terminators, calls or memory accesses; also constant
//! expressions, which are the same operations without a place.

use crate::function::FunctionReader;
use crate::llvm::{self, Opcode, RealPredicate, TypeKind, ValueKind};
use crate::wide_integers::computes_wide;
use program_ir::{
    ArithFlags, BinaryOp, CastOp, Constant, FloatPredicate, InstData, IntPredicate, Type, UnaryOp,
    Value,
};

impl FunctionReader<'_, '_> {
    /// Emits what computes `value` and returns its scalars.
    pub(crate) fn read_operation(&mut self, value: llvm::Value, opcode: Opcode) -> Vec<Value> {
        let shape = self.shape(value.ty());
        if let Some(problem) = self.operand_problem(value, &shape.problem) {
            return self.unsupported(problem, &shape.scalars);
        }
        if computes_wide(value, opcode) {
            return self.read_wide(value, opcode);
        }
        if let Some(op) = binary_op(opcode) {
            let flags = arith_flags(value, opcode);
            return self.lanes(value, |this, left, right| {
                this.binary_with(op, flags, left, right)
            });
        }
        match opcode {
            Opcode::LLVMFNeg => self
                .operand(value.operand(0))
                .into_iter()
                .map(|arg| self.unary(UnaryOp::FNeg, arg))
                .collect(),
            Opcode::LLVMICmp => {
                let predicate = int_predicate(value.int_predicate());
                self.lanes(value, |this, left, right| {
                    this.compare(predicate, left, right)
                })
            }
            Opcode::LLVMFCmp => self.float_compare(value),
            Opcode::LLVMTrunc => self.cast_lanes(value, CastOp::Truncate, &shape.scalars),
            Opcode::LLVMZExt => self.cast_lanes(value, CastOp::ZeroExtend, &shape.scalars),
            Opcode::LLVMSExt => self.cast_lanes(value, CastOp::SignExtend, &shape.scalars),
            Opcode::LLVMFPToUI => self.cast_lanes(value, CastOp::FloatToUnsigned, &shape.scalars),
            Opcode::LLVMFPToSI => self.cast_lanes(value, CastOp::FloatToSigned, &shape.scalars),
            Opcode::LLVMUIToFP => self.cast_lanes(value, CastOp::UnsignedToFloat, &shape.scalars),
            Opcode::LLVMSIToFP => self.cast_lanes(value, CastOp::SignedToFloat, &shape.scalars),
            Opcode::LLVMFPTrunc => self.cast_lanes(value, CastOp::FloatTruncate, &shape.scalars),
            Opcode::LLVMFPExt => self.cast_lanes(value, CastOp::FloatExtend, &shape.scalars),
            Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr => {
                let args = self.operand(value.operand(0));
                let pairs = args.into_iter().zip(&shape.scalars);
                pairs
                    .map(|(arg, &to)| {
                        let int = self.cast(CastOp::PtrToInt, arg, Type::I64);
                        self.resize(int, to, false)
                    })
                    .collect()
            }
            Opcode::LLVMIntToPtr => {
                let args = self.operand(value.operand(0));
                args.into_iter()
                    .map(|arg| {
                        let int = self.resize(arg, Type::I64, false);
                        self.cast(CastOp::IntToPtr, int, Type::Ptr)
                    })
                    .collect()
            }
            Opcode::LLVMBitCast => {
                let args = self.operand(value.operand(0));
                self.bit_cast(args, &shape.scalars)
            }
            Opcode::LLVMAddrSpaceCast | Opcode::LLVMFreeze => self.operand(value.operand(0)),
            Opcode::LLVMSelect => self.read_select(value),
            Opcode::LLVMExtractElement => self.extract_element(value),
            Opcode::LLVMInsertElement => self.insert_element(value),
            Opcode::LLVMShuffleVector => self.shuffle(value),
            Opcode::LLVMExtractValue => {
                let aggregate = value.operand(0);
                let scalars = self.operand(aggregate);
                let start = self.leaf_start(aggregate.ty(), &value.indices());
                scalars[start..start + shape.scalars.len()].to_vec()
            }
            Opcode::LLVMInsertValue => {
                let mut scalars = self.operand(value.operand(0));
                let part = self.operand(value.operand(1));
                let start = self.leaf_start(value.ty(), &value.indices());
                scalars[start..start + part.len()].copy_from_slice(&part);
                scalars
            }
            Opcode::LLVMGetElementPtr => self.read_gep(value),
            Opcode::LLVMAlloca => self.read_alloca(value),
            Opcode::LLVMLoad => self.read_load(value),
            Opcode::LLVMStore => self.read_store(value),
            Opcode::LLVMAtomicRMW => self.read_atomic_rmw(value),
            Opcode::LLVMAtomicCmpXchg => self.read_compare_exchange(value),
            Opcode::LLVMFence => self.emit_all(InstData::Fence, &[]),
            Opcode::LLVMCall => self.read_call(value),
            Opcode::LLVMLandingPad if shape.scalars == [Type::Ptr, Type::I32] => {
                self.emit_all(InstData::LandingPad, &shape.scalars)
            }
            other => {
                let what = format!("instruction `{}`", opcode_name(other));
                self.unsupported(what, &shape.scalars)
            }
        }
    }

    /// Why `value` cannot be translated: a type of it or of an operand has no scalars.
    pub(crate) fn operand_problem(
        &mut self,
        value: llvm::Value,
        own: &Option<String>,
    ) -> Option<String> {
        if own.is_some() {
            return own.clone();
        }
        for index in 0..value.operand_count() as u32 {
            let operand = value.operand(index);
            if !matches!(
                operand.kind(),
                ValueKind::LLVMMetadataAsValueValueKind
                    | ValueKind::LLVMInlineAsmValueKind
                    | ValueKind::LLVMBasicBlockValueKind
            ) && let Some(problem) = &self.shape(operand.ty()).problem
            {
                return Some(problem.clone());
            }
        }
        None
    }

    /// Applies `emit` to the corresponding scalars of the first two operands.
    pub(crate) fn lanes(
        &mut self,
        value: llvm::Value,
        mut emit: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Vec<Value> {
        let left = self.operand(value.operand(0));
        let right = self.operand(value.operand(1));
        left.into_iter()
            .zip(right)
            .map(|(left, right)| emit(self, left, right))
            .collect()
    }

    fn cast_lanes(&mut self, value: llvm::Value, op: CastOp, to: &[Type]) -> Vec<Value> {
        let args = self.operand(value.operand(0));
        args.into_iter()
            .zip(to)
            .map(|(arg, &to)| self.cast(op, arg, to))
            .collect()
    }

    fn float_compare(&mut self, value: llvm::Value) -> Vec<Value> {
        let predicate = value.real_predicate();
        self.lanes(value, |this, left, right| {
            match float_predicate(predicate) {
                Ok(predicate) => {
                    let args = [left, right];
                    this.emit_one(InstData::FloatCompare { predicate, args }, Type::I1)
                }
                Err(always) => this.constant(Type::I1, u128::from(always)),
            }
        })
    }

    fn read_select(&mut self, value: llvm::Value) -> Vec<Value> {
        let conditions = self.operand(value.operand(0));
        let yes = self.operand(value.operand(1));
        let no = self.operand(value.operand(2));
        let per_lane = value.operand(0).ty().kind() == TypeKind::LLVMVectorTypeKind;
        yes.into_iter()
            .zip(no)
            .enumerate()
            .map(|(index, (yes, no))| {
                let condition = conditions[if per_lane { index } else { 0 }];
                self.select(condition, yes, no)
            })
            .collect()
    }

    /// Number of the first scalar of the member that `indices` lead to.
    fn leaf_start(&mut self, mut ty: llvm::Type, indices: &[u32]) -> usize {
        let mut start = 0;
        for &index in indices {
            if ty.kind() == TypeKind::LLVMStructTypeKind {
                for before in 0..index {
                    start += self.shape(ty.field(before)).scalars.len();
                }
                ty = ty.field(index);
            } else {
                ty = ty.element();
                start += index as usize * self.shape(ty).scalars.len();
            }
        }
        start
    }

    pub(crate) fn undef(&mut self, types: &[Type]) -> Vec<Value> {
        types
            .iter()
            .map(|&ty| self.constant_of(ty, Constant::Undef))
            .collect()
    }
}

fn binary_op(opcode: Opcode) -> Option<BinaryOp> {
    Some(match opcode {
        Opcode::LLVMAdd => BinaryOp::Add,
        Opcode::LLVMSub => BinaryOp::Sub,
        Opcode::LLVMMul => BinaryOp::Mul,
        Opcode::LLVMUDiv => BinaryOp::UDiv,
        Opcode::LLVMSDiv => BinaryOp::SDiv,
        Opcode::LLVMURem => BinaryOp::URem,
        Opcode::LLVMSRem => BinaryOp::SRem,
        Opcode::LLVMShl => BinaryOp::Shl,
        Opcode::LLVMLShr => BinaryOp::LShr,
        Opcode::LLVMAShr => BinaryOp::AShr,
        Opcode::LLVMAnd => BinaryOp::And,
        Opcode::LLVMOr => BinaryOp::Or,
        Opcode::LLVMXor => BinaryOp::Xor,
        Opcode::LLVMFAdd => BinaryOp::FAdd,
        Opcode::LLVMFSub => BinaryOp::FSub,
        Opcode::LLVMFMul => BinaryOp::FMul,
        Opcode::LLVMFDiv => BinaryOp::FDiv,
        Opcode::LLVMFRem => BinaryOp::FRem,
        _ => return None,
    })
}

fn arith_flags(value: llvm::Value, opcode: Opcode) -> ArithFlags {
    let mut flags = ArithFlags::default();
    if value.kind() != ValueKind::LLVMInstructionValueKind {
        return flags;
    }
    match opcode {
        Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl => {
            flags.no_signed_wrap = value.no_signed_wrap();
            flags.no_unsigned_wrap = value.no_unsigned_wrap();
        }
        Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr => {
            flags.exact = value.exact();
        }
        _ => {}
    }
    flags
}

pub(crate) fn int_predicate(predicate: llvm::IntPredicate) -> IntPredicate {
    use llvm::IntPredicate as P;
    match predicate {
        P::LLVMIntEQ => IntPredicate::Eq,
        P::LLVMIntNE => IntPredicate::Ne,
        P::LLVMIntUGT => IntPredicate::Ugt,
        P::LLVMIntUGE => IntPredicate::Uge,
        P::LLVMIntULT => IntPredicate::Ult,
        P::LLVMIntULE => IntPredicate::Ule,
        P::LLVMIntSGT => IntPredicate::Sgt,
        P::LLVMIntSGE => IntPredicate::Sge,
        P::LLVMIntSLT => IntPredicate::Slt,
        P::LLVMIntSLE => IntPredicate::Sle,
    }
}

/// `Err` for the predicates that do not look at their operands.
fn float_predicate(predicate: RealPredicate) -> Result<FloatPredicate, bool> {
    use RealPredicate as P;
    Ok(match predicate {
        P::LLVMRealPredicateFalse => return Err(false),
        P::LLVMRealPredicateTrue => return Err(true),
        P::LLVMRealOEQ => FloatPredicate::Oeq,
        P::LLVMRealOGT => FloatPredicate::Ogt,
        P::LLVMRealOGE => FloatPredicate::Oge,
        P::LLVMRealOLT => FloatPredicate::Olt,
        P::LLVMRealOLE => FloatPredicate::Ole,
        P::LLVMRealONE => FloatPredicate::One,
        P::LLVMRealORD => FloatPredicate::Ord,
        P::LLVMRealUNO => FloatPredicate::Uno,
        P::LLVMRealUEQ => FloatPredicate::Ueq,
        P::LLVMRealUGT => FloatPredicate::Ugt,
        P::LLVMRealUGE => FloatPredicate::Uge,
        P::LLVMRealULT => FloatPredicate::Ult,
        P::LLVMRealULE => FloatPredicate::Ule,
        P::LLVMRealUNE => FloatPredicate::Une,
    })
}

/// LLVM's spelling of an opcode, for messages.
pub(crate) fn opcode_name(opcode: Opcode) -> String {
    format!("{opcode:?}").replace("LLVM", "").to_lowercase()
}
