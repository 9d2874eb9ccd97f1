//! Memory: addresses, stack objects, loads, stores, atomics.
//!
//! An access of a vector or aggregate becomes one access per scalar. Atomic accesses
//! are plain ones: a program has one thread.

use crate::function::FunctionReader;
use crate::llvm::{self, RmwOp, TypeKind};
use crate::shape::{Piece, Shape};
use crate::translation::{GepStep, contains_scalable, signed_bits};
use program_ir::{AtomicRmwOp, BinaryOp, InstData, IntPredicate, PtrTerm, Type, Value};

impl FunctionReader<'_, '_> {
    pub(crate) fn read_gep(&mut self, gep: llvm::Value) -> Vec<Value> {
        let lanes = match gep.ty().kind() {
            TypeKind::LLVMVectorTypeKind => gep.ty().vector_size() as usize,
            _ => 1,
        };
        let Some(steps) = self.translation.gep_steps(gep) else {
            return self.unsupported("address of a scalable type", &vec![Type::Ptr; lanes]);
        };
        let bases = self.operand(gep.operand(0));
        let mut offset = 0_i64;
        let mut indices: Vec<(Vec<Value>, i64)> = Vec::new();
        for step in steps {
            match step {
                GepStep::Field(bytes) => offset = offset.wrapping_add(bytes as i64),
                GepStep::Index { index, stride } => match signed_bits(index) {
                    Some(count) if index.ty().kind() == TypeKind::LLVMIntegerTypeKind => {
                        let bytes = (count as i64).wrapping_mul(stride as i64);
                        offset = offset.wrapping_add(bytes);
                    }
                    _ if stride == 0 => {}
                    _ => {
                        let scalars = self.operand(index);
                        indices.push((scalars, stride as i64));
                    }
                },
            }
        }
        let inbounds = gep.is_inbounds();
        (0..lanes)
            .map(|lane| {
                let of_lane = |values: &[Value]| match values.len() {
                    1 => values[0],
                    _ => values[lane],
                };
                let base = of_lane(&bases);
                let terms: Box<[PtrTerm]> = indices
                    .iter()
                    .map(|(values, scale)| PtrTerm {
                        index: self.resize(of_lane(values), Type::I64, true),
                        scale: *scale,
                    })
                    .collect();
                if terms.is_empty() && offset == 0 {
                    return base;
                }
                let data = InstData::PtrAdd {
                    base,
                    offset,
                    terms,
                    inbounds,
                };
                self.emit_one(data, Type::Ptr)
            })
            .collect()
    }

    pub(crate) fn read_alloca(&mut self, alloca: llvm::Value) -> Vec<Value> {
        let ty = alloca.allocated_type();
        if contains_scalable(ty) {
            return self.unsupported("stack object of a scalable type", &[Type::Ptr]);
        }
        let count = self.scalar_operand(alloca.operand(0));
        let data = InstData::Alloca {
            count: self.resize(count, Type::I64, false),
            element_size: self.translation.llvm.alloc_size(ty),
            align: alloca.alignment(),
        };
        self.emit_all(data, &[Type::Ptr])
    }

    pub(crate) fn read_load(&mut self, load: llvm::Value) -> Vec<Value> {
        let address = self.scalar_operand(load.operand(0));
        let shape = self.shape(load.ty());
        self.load_shape(address, &shape, load.alignment(), load.volatile())
    }

    pub(crate) fn read_store(&mut self, store: llvm::Value) -> Vec<Value> {
        let values = self.operand(store.operand(0));
        let address = self.scalar_operand(store.operand(1));
        let shape = self.shape(store.operand(0).ty());
        self.store_shape(
            address,
            &values,
            &shape,
            store.alignment(),
            store.volatile(),
        );
        Vec::new()
    }

    pub(crate) fn load_shape(
        &mut self,
        base: Value,
        shape: &Shape,
        align: u32,
        volatile: bool,
    ) -> Vec<Value> {
        let mut loaded = Vec::with_capacity(shape.scalars.len());
        for piece in &shape.pieces {
            match *piece {
                Piece::Scalar { offset } => {
                    let address = self.offset_address(base, offset as i64);
                    let data = InstData::Load {
                        address,
                        align: align_at(align, offset),
                        volatile,
                    };
                    loaded.push(self.emit_one(data, shape.scalars[loaded.len()]));
                }
                Piece::Packed { offset, count } => {
                    let types = &shape.scalars[loaded.len()..loaded.len() + count];
                    let total = count as u32 * types[0].bits();
                    if total > 128 {
                        let what = format!("load of {count} packed elements");
                        loaded.extend(self.unsupported(what, types));
                        continue;
                    }
                    let address = self.offset_address(base, offset as i64);
                    let data = InstData::Load {
                        address,
                        align: align_at(align, offset),
                        volatile,
                    };
                    let whole = self.emit_one(data, Type::Int(total as u8));
                    loaded.extend(self.unpack(whole, types));
                }
            }
        }
        loaded
    }

    pub(crate) fn store_shape(
        &mut self,
        base: Value,
        values: &[Value],
        shape: &Shape,
        align: u32,
        volatile: bool,
    ) {
        let mut stored = 0;
        for piece in &shape.pieces {
            let (offset, value) = match *piece {
                Piece::Scalar { offset } => {
                    stored += 1;
                    (offset, values[stored - 1])
                }
                Piece::Packed { offset, count } => {
                    let part = &values[stored..stored + count];
                    stored += count;
                    if count as u32 * self.ty(part[0]).bits() > 128 {
                        self.unsupported(format!("store of {count} packed elements"), &[]);
                        continue;
                    }
                    (offset, self.pack(part))
                }
            };
            let address = self.offset_address(base, offset as i64);
            let data = InstData::Store {
                address,
                value,
                align: align_at(align, offset),
                volatile,
            };
            self.emit(data, &[]);
        }
    }

    pub(crate) fn read_atomic_rmw(&mut self, rmw: llvm::Value) -> Vec<Value> {
        let shape = self.shape(rmw.ty());
        let op = match rmw.rmw_op() {
            RmwOp::LLVMAtomicRMWBinOpXchg => AtomicRmwOp::Exchange,
            RmwOp::LLVMAtomicRMWBinOpAdd => AtomicRmwOp::Add,
            RmwOp::LLVMAtomicRMWBinOpSub => AtomicRmwOp::Sub,
            RmwOp::LLVMAtomicRMWBinOpAnd => AtomicRmwOp::And,
            RmwOp::LLVMAtomicRMWBinOpNand => AtomicRmwOp::Nand,
            RmwOp::LLVMAtomicRMWBinOpOr => AtomicRmwOp::Or,
            RmwOp::LLVMAtomicRMWBinOpXor => AtomicRmwOp::Xor,
            RmwOp::LLVMAtomicRMWBinOpMax => AtomicRmwOp::SMax,
            RmwOp::LLVMAtomicRMWBinOpMin => AtomicRmwOp::SMin,
            RmwOp::LLVMAtomicRMWBinOpUMax => AtomicRmwOp::UMax,
            RmwOp::LLVMAtomicRMWBinOpUMin => AtomicRmwOp::UMin,
            RmwOp::LLVMAtomicRMWBinOpFAdd => AtomicRmwOp::FAdd,
            RmwOp::LLVMAtomicRMWBinOpFSub => AtomicRmwOp::FSub,
            other => return self.read_rare_rmw(rmw, other, &shape),
        };
        if shape.scalars.len() != 1 {
            return self.unsupported("atomicrmw on a vector", &shape.scalars);
        }
        let address = self.scalar_operand(rmw.operand(0));
        let value = self.scalar_operand(rmw.operand(1));
        let data = InstData::AtomicRmw { op, address, value };
        self.emit_all(data, &shape.scalars)
    }

    /// With one thread, an atomic update is a load, a computation and a store.
    fn read_rare_rmw(&mut self, rmw: llvm::Value, op: RmwOp, shape: &Shape) -> Vec<Value> {
        let plain = match op {
            RmwOp::LLVMAtomicRMWBinOpFMax => Some(BinaryOp::FMaxNum),
            RmwOp::LLVMAtomicRMWBinOpFMin => Some(BinaryOp::FMinNum),
            RmwOp::LLVMAtomicRMWBinOpFMaximum => Some(BinaryOp::FMaximum),
            RmwOp::LLVMAtomicRMWBinOpFMinimum => Some(BinaryOp::FMinimum),
            RmwOp::LLVMAtomicRMWBinOpUSubSat => Some(BinaryOp::USubSat),
            RmwOp::LLVMAtomicRMWBinOpUIncWrap
            | RmwOp::LLVMAtomicRMWBinOpUDecWrap
            | RmwOp::LLVMAtomicRMWBinOpUSubCond => None,
            other => {
                let what = format!("{other:?}").replace("LLVMAtomicRMWBinOp", "atomicrmw ");
                return self.unsupported(what.to_lowercase(), &shape.scalars);
            }
        };
        let address = self.scalar_operand(rmw.operand(0));
        let values = self.operand(rmw.operand(1));
        let (align, volatile) = (rmw.alignment(), rmw.volatile());
        let old = self.load_shape(address, shape, align, volatile);
        let new: Vec<Value> = old
            .iter()
            .zip(values)
            .map(|(&old, value)| match plain {
                Some(plain) => self.binary(plain, old, value),
                None => self.wrapping_update(op, old, value),
            })
            .collect();
        self.store_shape(address, &new, shape, align, volatile);
        old
    }

    fn wrapping_update(&mut self, op: RmwOp, old: Value, value: Value) -> Value {
        let ty = self.ty(old);
        let (zero, one) = (self.constant(ty, 0), self.constant(ty, 1));
        match op {
            // old >= value ? 0 : old + 1
            RmwOp::LLVMAtomicRMWBinOpUIncWrap => {
                let wraps = self.compare(IntPredicate::Uge, old, value);
                let next = self.binary(BinaryOp::Add, old, one);
                self.select(wraps, zero, next)
            }
            // old == 0 or old > value ? value : old - 1
            RmwOp::LLVMAtomicRMWBinOpUDecWrap => {
                let is_zero = self.compare(IntPredicate::Eq, old, zero);
                let above = self.compare(IntPredicate::Ugt, old, value);
                let wraps = self.binary(BinaryOp::Or, is_zero, above);
                let next = self.binary(BinaryOp::Sub, old, one);
                self.select(wraps, value, next)
            }
            // old >= value ? old - value : old
            _ => {
                let enough = self.compare(IntPredicate::Uge, old, value);
                let less = self.binary(BinaryOp::Sub, old, value);
                self.select(enough, less, old)
            }
        }
    }

    pub(crate) fn read_compare_exchange(&mut self, exchange: llvm::Value) -> Vec<Value> {
        let shape = self.shape(exchange.ty());
        let data = InstData::CompareExchange {
            address: self.scalar_operand(exchange.operand(0)),
            expected: self.scalar_operand(exchange.operand(1)),
            replacement: self.scalar_operand(exchange.operand(2)),
        };
        self.emit_all(data, &shape.scalars)
    }
}

/// The alignment known at `offset` bytes from an address aligned to `align`.
fn align_at(align: u32, offset: u64) -> u32 {
    match offset {
        0 => align.max(1),
        _ => 1 << align.max(1).trailing_zeros().min(offset.trailing_zeros()),
    }
}
