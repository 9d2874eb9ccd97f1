//! The x86 vector intrinsics that portable C and Rust code reaches with the baseline
//! instruction set (SSE2), and a few of its neighbours.

use crate::function::FunctionReader;
use crate::llvm;
use crate::shape::Shape;
use program_ir::{BinaryOp, InstData, IntPredicate, Type, Value};

impl FunctionReader<'_, '_> {
    /// `None` if it is not one of them.
    pub(crate) fn read_x86_intrinsic(
        &mut self,
        call: llvm::Value,
        name: &str,
        shape: &Shape,
    ) -> Option<Vec<Value>> {
        Some(match name.strip_prefix("x86.")? {
            "sse2.pmovmskb.128" | "sse2.movmsk.pd" | "sse.movmsk.ps" => {
                vec![self.sign_mask(call, shape)]
            }
            "sse2.psad.bw" => self.sum_of_absolute_differences(call),
            "sse2.packuswb.128" => self.pack_saturating(call, shape, false),
            "sse2.packsswb.128" | "sse2.packssdw.128" => self.pack_saturating(call, shape, true),
            "sse41.packusdw" => self.pack_saturating(call, shape, false),
            "sse2.pmadd.wd" => self.multiply_add_pairs(call),
            "sse2.pmulh.w" => self.multiply_high(call, true),
            "sse2.pmulhu.w" => self.multiply_high(call, false),
            "sse2.pavg.b" | "sse2.pavg.w" => self.average(call),
            "ssse3.pshuf.b.128" => self.shuffle_bytes(call),
            "sse2.pslli.w" | "sse2.pslli.d" | "sse2.pslli.q" | "sse2.psll.w" | "sse2.psll.d"
            | "sse2.psll.q" => self.shift(call, BinaryOp::Shl),
            "sse2.psrli.w" | "sse2.psrli.d" | "sse2.psrli.q" | "sse2.psrl.w" | "sse2.psrl.d"
            | "sse2.psrl.q" => self.shift(call, BinaryOp::LShr),
            "sse2.psrai.w" | "sse2.psrai.d" | "sse2.psra.w" | "sse2.psra.d" => {
                self.shift(call, BinaryOp::AShr)
            }
            "sse2.pause" => Vec::new(),
            "sse2.mfence" | "sse2.lfence" | "sse.sfence" => self.emit_all(InstData::Fence, &[]),
            _ => return None,
        })
    }

    /// The sign bit of every element, element 0 lowest.
    fn sign_mask(&mut self, call: llvm::Value, shape: &Shape) -> Value {
        let lanes = self.operand(call.argument(0));
        let bits: Vec<Value> = lanes
            .into_iter()
            .map(|lane| {
                let int = self.as_int(lane);
                let ty = self.ty(int);
                let zero = self.constant(ty, 0);
                self.compare(IntPredicate::Slt, int, zero)
            })
            .collect();
        let mask = self.pack(&bits);
        self.resize(mask, shape.scalars[0], false)
    }

    fn sum_of_absolute_differences(&mut self, call: llvm::Value) -> Vec<Value> {
        let differences = self.map_two_arguments(call, |this, left, right| {
            let left = this.resize(left, Type::I64, false);
            let right = this.resize(right, Type::I64, false);
            let larger = this.binary(BinaryOp::UMax, left, right);
            let smaller = this.binary(BinaryOp::UMin, left, right);
            this.binary(BinaryOp::Sub, larger, smaller)
        });
        differences
            .chunks(8)
            .filter_map(|chunk| {
                let all = chunk.iter().copied();
                all.reduce(|sum, next| self.binary(BinaryOp::Add, sum, next))
            })
            .collect()
    }

    /// Signed elements clamped to half their width.
    fn pack_saturating(&mut self, call: llvm::Value, shape: &Shape, signed: bool) -> Vec<Value> {
        let mut lanes = self.operand(call.argument(0));
        lanes.extend(self.operand(call.argument(1)));
        let to = shape.scalars[0];
        let (low, high) = match signed {
            true => (
                -(1_i128 << (to.bits() - 1)),
                (1_i128 << (to.bits() - 1)) - 1,
            ),
            false => (0, (1_i128 << to.bits()) - 1),
        };
        lanes
            .into_iter()
            .map(|lane| {
                let ty = self.ty(lane);
                let (low, high) = (
                    self.constant(ty, low as u128),
                    self.constant(ty, high as u128),
                );
                let raised = self.binary(BinaryOp::SMax, lane, low);
                let clamped = self.binary(BinaryOp::SMin, raised, high);
                self.resize(clamped, to, false)
            })
            .collect()
    }

    fn multiply_add_pairs(&mut self, call: llvm::Value) -> Vec<Value> {
        let products = self.map_two_arguments(call, |this, left, right| {
            let left = this.resize(left, Type::I32, true);
            let right = this.resize(right, Type::I32, true);
            this.binary(BinaryOp::Mul, left, right)
        });
        products
            .chunks_exact(2)
            .map(|pair| self.binary(BinaryOp::Add, pair[0], pair[1]))
            .collect()
    }

    fn multiply_high(&mut self, call: llvm::Value, signed: bool) -> Vec<Value> {
        self.map_two_arguments(call, |this, left, right| {
            let left = this.resize(left, Type::I32, signed);
            let right = this.resize(right, Type::I32, signed);
            let product = this.binary(BinaryOp::Mul, left, right);
            let sixteen = this.constant(Type::I32, 16);
            let high = this.binary(BinaryOp::LShr, product, sixteen);
            this.resize(high, Type::I16, false)
        })
    }

    /// Rounded up.
    fn average(&mut self, call: llvm::Value) -> Vec<Value> {
        self.map_two_arguments(call, |this, left, right| {
            let ty = this.ty(left);
            let left = this.resize(left, Type::I32, false);
            let right = this.resize(right, Type::I32, false);
            let one = this.constant(Type::I32, 1);
            let sum = this.binary(BinaryOp::Add, left, right);
            let sum = this.binary(BinaryOp::Add, sum, one);
            let half = this.binary(BinaryOp::LShr, sum, one);
            this.resize(half, ty, false)
        })
    }

    /// Each index byte picks a byte by its low four bits, or zero if its sign bit is set.
    fn shuffle_bytes(&mut self, call: llvm::Value) -> Vec<Value> {
        let bytes = self.operand(call.argument(0));
        let indices = self.operand(call.argument(1));
        indices
            .into_iter()
            .map(|index| {
                let (zero, fifteen) = (self.constant(Type::I8, 0), self.constant(Type::I8, 15));
                let low = self.binary(BinaryOp::And, index, fifteen);
                let picked = self.pick(&bytes, low);
                let cleared = self.compare(IntPredicate::Slt, index, zero);
                self.select(cleared, zero, picked)
            })
            .collect()
    }

    /// All elements by one amount, an `i32` or the low 64 bits of a vector. Amounts past
    /// the width give zero, or the sign.
    fn shift(&mut self, call: llvm::Value, op: BinaryOp) -> Vec<Value> {
        let lanes = self.operand(call.argument(0));
        let amount = self.operand(call.argument(1));
        let amount = match amount.len() {
            1 => self.resize(amount[0], Type::I64, false),
            count => {
                let low = self.pack(&amount[..count / 2]);
                self.resize(low, Type::I64, false)
            }
        };
        lanes
            .into_iter()
            .map(|lane| {
                let ty = self.ty(lane);
                let last = self.constant(Type::I64, u128::from(ty.bits() - 1));
                let too_far = self.compare(IntPredicate::Ugt, amount, last);
                let capped = self.select(too_far, last, amount);
                let count = self.resize(capped, ty, false);
                let shifted = self.binary(op, lane, count);
                match op {
                    BinaryOp::AShr => shifted,
                    _ => {
                        let zero = self.constant(ty, 0);
                        self.select(too_far, zero, shifted)
                    }
                }
            })
            .collect()
    }
}
