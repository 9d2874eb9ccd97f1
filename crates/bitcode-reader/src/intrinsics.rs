//! LLVM's intrinsics, except those on floats and those of x86.
//!
//! Names are without the leading `llvm.` and the type suffix. What has no translation
//! becomes `Unsupported`, which fails only if it is executed.

use crate::function::FunctionReader;
use crate::llvm;
use crate::shape::Shape;
use crate::translation::int_bits;
use crate::zeros;
use program_ir::{
    BinaryOp, CastOp, InstData, IntPredicate, OverflowOp, TernaryOp, Type, UnaryOp, Value,
};

impl FunctionReader<'_, '_> {
    pub(crate) fn read_intrinsic(&mut self, call: llvm::Value, name: &str) -> Vec<Value> {
        if is_annotation(name) {
            return Vec::new();
        }
        let shape = self.shape(call.ty());
        if let Some(problem) = self.operand_problem(call, &shape.problem) {
            return self.unsupported(format!("llvm.{name}: {problem}"), &shape.scalars);
        }
        if let Some(op) = unary_op(name) {
            let op = zeros::operation(call, op);
            return self.map_argument(call, |this, arg| this.unary(op, arg));
        }
        if let Some(op) = binary_op(name) {
            return self.map_two_arguments(call, |this, left, right| this.binary(op, left, right));
        }
        if let Some(op) = overflow_op(name) {
            return self.overflow(call, op);
        }
        if let Some(operation) = name.strip_prefix("vector.reduce.") {
            return self.reduce(call, operation, &shape);
        }
        match name {
            "expect"
            | "expect.with.probability"
            | "launder.invariant.group"
            | "strip.invariant.group"
            | "ssa.copy"
            | "threadlocal.address"
            | "arithmetic.fence"
            | "annotation"
            | "ptr.annotation"
            | "preserve.array.access.index"
            | "preserve.union.access.index" => self.operand(call.argument(0)),
            "objectsize" => {
                let minimum = int_bits(call.argument(1)) == Some(1);
                let bits = if minimum { 0 } else { u128::MAX };
                vec![self.constant(shape.scalars[0], bits)]
            }
            "is.constant" => vec![self.constant(Type::I1, 0)],
            "type.test" | "public.type.test" => vec![self.constant(Type::I1, 1)],
            "allow.runtime.check" | "allow.ubsan.check" => vec![self.constant(Type::I1, 1)],
            "get.rounding" => vec![self.constant(shape.scalars[0], 1)],
            "returnaddress" | "frameaddress" | "addressofreturnaddress" => {
                vec![self.constant(Type::Ptr, 0)]
            }
            "eh.typeid.for" => vec![self.constant(shape.scalars[0], 0)],
            "memcpy" | "memcpy.inline" | "memmove" => {
                let data = InstData::MemCopy {
                    destination: self.scalar_operand(call.argument(0)),
                    source: self.scalar_operand(call.argument(1)),
                    length: self.length_argument(call),
                    may_overlap: name == "memmove",
                };
                self.emit_all(data, &[])
            }
            "memset" | "memset.inline" => {
                let data = InstData::MemSet {
                    destination: self.scalar_operand(call.argument(0)),
                    byte: self.scalar_operand(call.argument(1)),
                    length: self.length_argument(call),
                };
                self.emit_all(data, &[])
            }
            "fshl" | "fshr" => {
                let op = match name {
                    "fshl" => TernaryOp::FunnelShl,
                    _ => TernaryOp::FunnelShr,
                };
                self.map_three_arguments(call, op)
            }
            "ucmp" | "scmp" => self.three_way_compare(call, name == "scmp", &shape),
            "ptrmask" => self.map_two_arguments(call, |this, address, mask| {
                let bits = this.cast(CastOp::PtrToInt, address, Type::I64);
                let mask = this.resize(mask, Type::I64, false);
                let masked = this.binary(BinaryOp::And, bits, mask);
                this.cast(CastOp::IntToPtr, masked, Type::Ptr)
            }),
            "stacksave" => self.emit_all(InstData::StackSave, &shape.scalars),
            "stackrestore" => {
                let token = self.scalar_operand(call.argument(0));
                self.emit_all(InstData::StackRestore { token }, &[])
            }
            "va_start" => {
                let list = self.scalar_operand(call.argument(0));
                self.emit_all(InstData::VaStart { list }, &[])
            }
            "va_end" => {
                let list = self.scalar_operand(call.argument(0));
                self.emit_all(InstData::VaEnd { list }, &[])
            }
            "va_copy" => {
                let data = InstData::VaCopy {
                    destination: self.scalar_operand(call.argument(0)),
                    source: self.scalar_operand(call.argument(1)),
                };
                self.emit_all(data, &[])
            }
            "trap" | "debugtrap" | "ubsantrap" => self.trap(),
            "load.relative" => self.load_relative(call),
            "vscale" => self.unsupported("scalable vectors", &shape.scalars),
            "experimental.cttz.elts" => self.trailing_zero_elements(call, &shape),
            "masked.load" => self.masked_load(call, &shape),
            "masked.store" => self.masked_store(call),
            "masked.gather" => self.masked_gather(call, &shape),
            "masked.scatter" => self.masked_scatter(call),
            "stepvector" => {
                let types = shape.scalars.iter().enumerate();
                types
                    .map(|(index, &ty)| self.constant(ty, index as u128))
                    .collect()
            }
            "thread.pointer" => self.emit_all(InstData::ThreadPointer, &[Type::Ptr]),
            "vector.reverse" => {
                let mut lanes = self.operand(call.argument(0));
                lanes.reverse();
                lanes
            }
            "vector.insert" => {
                let mut whole = self.operand(call.argument(0));
                let part = self.operand(call.argument(1));
                let start = int_bits(call.argument(2)).unwrap_or(0) as usize;
                whole[start..start + part.len()].copy_from_slice(&part);
                whole
            }
            "vector.extract" => {
                let whole = self.operand(call.argument(0));
                let start = int_bits(call.argument(1)).unwrap_or(0) as usize;
                whole[start..start + shape.scalars.len()].to_vec()
            }
            "clear_cache" => Vec::new(),
            _ => match self.read_float_intrinsic(call, name, &shape) {
                Some(results) => results,
                None => match self.read_x86_intrinsic(call, name, &shape) {
                    Some(results) => results,
                    None => self.unsupported(format!("llvm.{name}"), &shape.scalars),
                },
            },
        }
    }

    pub(crate) fn map_argument(
        &mut self,
        call: llvm::Value,
        mut emit: impl FnMut(&mut Self, Value) -> Value,
    ) -> Vec<Value> {
        let args = self.operand(call.argument(0));
        args.into_iter().map(|arg| emit(self, arg)).collect()
    }

    pub(crate) fn map_two_arguments(
        &mut self,
        call: llvm::Value,
        mut emit: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Vec<Value> {
        let left = self.operand(call.argument(0));
        let right = self.operand(call.argument(1));
        left.into_iter()
            .zip(right)
            .map(|(left, right)| emit(self, left, right))
            .collect()
    }

    pub(crate) fn map_three_arguments(&mut self, call: llvm::Value, op: TernaryOp) -> Vec<Value> {
        let first = self.operand(call.argument(0));
        let second = self.operand(call.argument(1));
        let third = self.operand(call.argument(2));
        first
            .into_iter()
            .zip(second)
            .zip(third)
            .map(|((first, second), third)| {
                let args = [first, second, third];
                let ty = self.ty(first);
                self.emit_one(InstData::Ternary { op, args }, ty)
            })
            .collect()
    }

    fn length_argument(&mut self, call: llvm::Value) -> Value {
        let length = self.scalar_operand(call.argument(2));
        self.resize(length, Type::I64, false)
    }

    /// `{ values, overflows }`, of scalars or vectors.
    fn overflow(&mut self, call: llvm::Value, op: OverflowOp) -> Vec<Value> {
        let left = self.operand(call.argument(0));
        let right = self.operand(call.argument(1));
        let (mut values, mut overflows) = (Vec::new(), Vec::new());
        for args in left.into_iter().zip(right).map(|(l, r)| [l, r]) {
            let ty = self.ty(args[0]);
            let results = self.emit_all(InstData::Overflow { op, args }, &[ty, Type::I1]);
            values.push(results[0]);
            overflows.push(results[1]);
        }
        values.extend(overflows);
        values
    }

    fn three_way_compare(&mut self, call: llvm::Value, signed: bool, shape: &Shape) -> Vec<Value> {
        let (less, greater) = match signed {
            true => (IntPredicate::Slt, IntPredicate::Sgt),
            false => (IntPredicate::Ult, IntPredicate::Ugt),
        };
        let ty = shape.scalars[0];
        self.map_two_arguments(call, |this, left, right| {
            let (minus_one, one) = (this.constant(ty, u128::MAX), this.constant(ty, 1));
            let zero = this.constant(ty, 0);
            let is_greater = this.compare(greater, left, right);
            let is_less = this.compare(less, left, right);
            let not_less = this.select(is_greater, one, zero);
            this.select(is_less, minus_one, not_less)
        })
    }

    /// A trap ends the block; what LLVM has after it is never executed.
    pub(crate) fn trap(&mut self) -> Vec<Value> {
        self.emit(InstData::Trap, &[]);
        self.ended = true;
        Vec::new()
    }

    /// Index of the first nonzero element, or their number.
    fn trailing_zero_elements(&mut self, call: llvm::Value, shape: &Shape) -> Vec<Value> {
        let lanes = self.operand(call.argument(0));
        let ty = shape.scalars[0];
        let mut found = self.constant(ty, lanes.len() as u128);
        for (index, lane) in lanes.into_iter().enumerate().rev() {
            let lane_type = self.ty(lane);
            let zero = self.constant(lane_type, 0);
            let here = self.compare(IntPredicate::Ne, lane, zero);
            let index = self.constant(ty, index as u128);
            found = self.select(here, index, found);
        }
        vec![found]
    }

    fn reduce(&mut self, call: llvm::Value, operation: &str, shape: &Shape) -> Vec<Value> {
        let with_start = matches!(operation, "fadd" | "fmul");
        let op = match operation {
            "add" => BinaryOp::Add,
            "mul" => BinaryOp::Mul,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "umin" => BinaryOp::UMin,
            "umax" => BinaryOp::UMax,
            "smin" => BinaryOp::SMin,
            "smax" => BinaryOp::SMax,
            "fadd" => BinaryOp::FAdd,
            "fmul" => BinaryOp::FMul,
            "fmin" => BinaryOp::FMinNum,
            "fmax" => BinaryOp::FMaxNum,
            "fminimum" => BinaryOp::FMinimum,
            "fmaximum" => BinaryOp::FMaximum,
            other => {
                return self.unsupported(format!("llvm.vector.reduce.{other}"), &shape.scalars);
            }
        };
        let mut lanes = match with_start {
            true => self.operand(call.argument(0)),
            false => Vec::new(),
        };
        lanes.extend(self.operand(call.argument(u32::from(with_start))));
        let folded = lanes
            .into_iter()
            .reduce(|left, right| self.binary(op, left, right));
        folded.into_iter().collect()
    }

    // In a masked access, a disabled lane is diverted to scratch memory.

    fn masked_load(&mut self, call: llvm::Value, shape: &Shape) -> Vec<Value> {
        if !is_per_element(shape) {
            return self.unsupported("llvm.masked.load of packed elements", &shape.scalars);
        }
        let base = self.scalar_operand(call.argument(0));
        let addresses = self.lane_addresses(base, shape);
        self.load_lanes(call, addresses, shape)
    }

    fn masked_gather(&mut self, call: llvm::Value, shape: &Shape) -> Vec<Value> {
        let addresses = self.operand(call.argument(0));
        self.load_lanes(call, addresses, shape)
    }

    fn masked_store(&mut self, call: llvm::Value) -> Vec<Value> {
        let shape = self.shape(call.argument(0).ty());
        if !is_per_element(&shape) {
            return self.unsupported("llvm.masked.store of packed elements", &[]);
        }
        let base = self.scalar_operand(call.argument(1));
        let addresses = self.lane_addresses(base, &shape);
        self.store_lanes(call, addresses)
    }

    fn masked_scatter(&mut self, call: llvm::Value) -> Vec<Value> {
        let addresses = self.operand(call.argument(1));
        self.store_lanes(call, addresses)
    }

    fn lane_addresses(&mut self, base: Value, shape: &Shape) -> Vec<Value> {
        let bytes = i64::from(shape.scalars[0].store_bytes());
        (0..shape.scalars.len())
            .map(|index| self.offset_address(base, index as i64 * bytes))
            .collect()
    }

    fn load_lanes(
        &mut self,
        call: llvm::Value,
        addresses: Vec<Value>,
        shape: &Shape,
    ) -> Vec<Value> {
        // The alignment was an operand of its own until LLVM 22.
        let first = call.argument_count() - 2;
        let mask = self.operand(call.argument(first));
        let otherwise = self.operand(call.argument(first + 1));
        let scratch = self.scratch();
        let mut loaded = Vec::new();
        for ((enabled, otherwise), lane) in mask.into_iter().zip(otherwise).zip(addresses) {
            let store = InstData::Store {
                address: scratch,
                value: otherwise,
                align: 1,
                volatile: false,
            };
            self.emit(store, &[]);
            let load = InstData::Load {
                address: self.select(enabled, lane, scratch),
                align: 1,
                volatile: false,
            };
            loaded.push(self.emit_one(load, shape.scalars[0]));
        }
        loaded
    }

    fn store_lanes(&mut self, call: llvm::Value, addresses: Vec<Value>) -> Vec<Value> {
        let values = self.operand(call.argument(0));
        let mask = self.operand(call.argument(call.argument_count() - 1));
        let scratch = self.scratch();
        for ((enabled, value), lane) in mask.into_iter().zip(values).zip(addresses) {
            let store = InstData::Store {
                address: self.select(enabled, lane, scratch),
                value,
                align: 1,
                volatile: false,
            };
            self.emit(store, &[]);
        }
        Vec::new()
    }
}

fn is_per_element(shape: &Shape) -> bool {
    shape.scalars.len() == shape.pieces.len()
}

/// Intrinsics that only tell something to the optimiser or the debugger.
fn is_annotation(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["dbg.", "lifetime.", "invariant.", "experimental.noalias"];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || matches!(
            name,
            "assume"
                | "donothing"
                | "prefetch"
                | "sideeffect"
                | "var.annotation"
                | "codeview.annotation"
                | "experimental.noalias.scope.decl"
                | "pseudoprobe"
                | "fake.use"
                | "instrprof.increment"
                | "pcmarker"
        )
}

fn unary_op(name: &str) -> Option<UnaryOp> {
    Some(match name {
        "ctpop" => UnaryOp::CountOnes,
        "ctlz" => UnaryOp::LeadingZeros,
        "cttz" => UnaryOp::TrailingZeros,
        "bswap" => UnaryOp::ByteSwap,
        "bitreverse" => UnaryOp::BitReverse,
        "abs" => UnaryOp::Abs,
        _ => return None,
    })
}

fn binary_op(name: &str) -> Option<BinaryOp> {
    Some(match name {
        "umin" => BinaryOp::UMin,
        "umax" => BinaryOp::UMax,
        "smin" => BinaryOp::SMin,
        "smax" => BinaryOp::SMax,
        "uadd.sat" => BinaryOp::UAddSat,
        "sadd.sat" => BinaryOp::SAddSat,
        "usub.sat" => BinaryOp::USubSat,
        "ssub.sat" => BinaryOp::SSubSat,
        "ushl.sat" => BinaryOp::UShlSat,
        "sshl.sat" => BinaryOp::SShlSat,
        _ => return None,
    })
}

fn overflow_op(name: &str) -> Option<OverflowOp> {
    Some(match name {
        "uadd.with.overflow" => OverflowOp::UAdd,
        "sadd.with.overflow" => OverflowOp::SAdd,
        "usub.with.overflow" => OverflowOp::USub,
        "ssub.with.overflow" => OverflowOp::SSub,
        "umul.with.overflow" => OverflowOp::UMul,
        "smul.with.overflow" => OverflowOp::SMul,
        _ => return None,
    })
}
