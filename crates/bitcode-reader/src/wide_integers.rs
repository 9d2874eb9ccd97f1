//! Integers of more than 128 bits, which optimised code uses to divide by multiplying
//! (Rust prints an `i128` that way) and C has as `_BitInt`.
//!
//! Such an integer is a list of 64-bit limbs, the lowest first; the last limb has the
//! width that is left. Whatever only moves values (loads, phis, selects, calls, …) treats
//! the limbs like the members of a struct. Here is what computes with them; division and
//! the rest is `Unsupported`.

use crate::function::FunctionReader;
use crate::llvm::{self, Opcode, TypeKind, ValueKind};
use program_ir::{BinaryOp, InstData, IntPredicate, OverflowOp, TernaryOp, Type, Value};

const LIMB: u32 = 64;
/// The widest integers that are split.
const MAX_WIDTH: u32 = 4096;

/// The limbs of a wide integer type; `None` for all other types.
pub(crate) fn limbs(ty: llvm::Type) -> Option<Vec<Type>> {
    if ty.kind() != TypeKind::LLVMIntegerTypeKind {
        return None;
    }
    let width = ty.int_width();
    if !(129..=MAX_WIDTH).contains(&width) {
        return None;
    }
    let whole = (width / LIMB) as usize;
    let mut limbs = vec![Type::I64; whole];
    if !width.is_multiple_of(LIMB) {
        limbs.push(Type::Int((width % LIMB) as u8));
    }
    Some(limbs)
}

/// The limbs of a wide integer constant, whose type has `count` of them.
pub(crate) fn constant_limbs(value: llvm::Value, count: usize) -> Option<Vec<u64>> {
    // The C interface has no getter for wide integers; LLVM prints signed decimals.
    let spelling = value.spelling();
    let digits = spelling.rsplit(' ').next()?;
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    let mut limbs = vec![0_u64; count];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for limb in &mut limbs {
            carry += u128::from(*limb) * 10;
            *limb = carry as u64;
            carry >>= LIMB;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            let (sum, carried) = (!*limb).overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, carried);
        }
    }
    Some(limbs)
}

/// Whether `value` computes with wide integers, so that its scalars are no lanes.
pub(crate) fn computes_wide(value: llvm::Value, opcode: Opcode) -> bool {
    let moves = matches!(
        opcode,
        Opcode::LLVMPHI
            | Opcode::LLVMSelect
            | Opcode::LLVMFreeze
            | Opcode::LLVMLoad
            | Opcode::LLVMStore
            | Opcode::LLVMInsertValue
            | Opcode::LLVMExtractValue
    );
    let calls_function = opcode == Opcode::LLVMCall
        && match value.called_value().kind() {
            ValueKind::LLVMInlineAsmValueKind => false,
            ValueKind::LLVMFunctionValueKind => value.called_value().intrinsic_id() == 0,
            _ => true,
        };
    if moves || calls_function {
        return false;
    }
    let is_wide = |value: llvm::Value| limbs(value.ty()).is_some();
    is_wide(value) || (0..value.operand_count() as u32).any(|index| is_wide(value.operand(index)))
}

impl FunctionReader<'_, '_> {
    pub(crate) fn read_wide(&mut self, value: llvm::Value, opcode: Opcode) -> Vec<Value> {
        let shape = self.shape(value.ty());
        let results = self.wide_operation(value, opcode, &shape.scalars);
        results.unwrap_or_else(|| {
            let name = crate::operations::opcode_name(opcode);
            let what = format!("`{name}` on an integer of more than 128 bits");
            self.unsupported(what, &shape.scalars)
        })
    }

    fn wide_operation(
        &mut self,
        value: llvm::Value,
        opcode: Opcode,
        to: &[Type],
    ) -> Option<Vec<Value>> {
        let left = match opcode {
            Opcode::LLVMCall => return None,
            _ => self.operand(value.operand(0)),
        };
        let resized = |this: &mut Self, signed| {
            let count = to.iter().map(|ty| ty.bits()).sum::<u32>().div_ceil(LIMB);
            let limbs = this.full_limbs(&left, count as usize, signed);
            this.of_limbs(&limbs, to)
        };
        Some(match opcode {
            Opcode::LLVMZExt | Opcode::LLVMTrunc => resized(self, false),
            Opcode::LLVMSExt => resized(self, true),
            Opcode::LLVMBitCast => {
                let mut widths = left.iter().map(|&limb| self.ty(limb).bits());
                let first = widths.next()?;
                if widths.any(|width| width != first)
                    || to.iter().any(|ty| ty.bits() != to[0].bits())
                {
                    return None;
                }
                self.bit_cast(left, to)
            }
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                let op = match opcode {
                    Opcode::LLVMAnd => BinaryOp::And,
                    Opcode::LLVMOr => BinaryOp::Or,
                    _ => BinaryOp::Xor,
                };
                self.lanes(value, |this, left, right| this.binary(op, left, right))
            }
            Opcode::LLVMICmp => {
                let right = self.operand(value.operand(1));
                let predicate = crate::operations::int_predicate(value.int_predicate());
                vec![self.compare_wide(predicate, &left, &right)]
            }
            Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul => {
                let right = self.operand(value.operand(1));
                let count = to.len();
                let left = self.full_limbs(&left, count, false);
                let right = self.full_limbs(&right, count, false);
                let limbs = match opcode {
                    Opcode::LLVMAdd => self.carry_through(OverflowOp::UAdd, &left, &right),
                    Opcode::LLVMSub => self.carry_through(OverflowOp::USub, &left, &right),
                    _ => self.multiply_wide(&left, &right),
                };
                self.of_limbs(&limbs, to)
            }
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                let amount = self.operand(value.operand(1))[0];
                let signed = opcode == Opcode::LLVMAShr;
                let limbs = self.full_limbs(&left, to.len(), signed);
                let limbs = self.shift_wide(opcode == Opcode::LLVMShl, signed, &limbs, amount);
                self.of_limbs(&limbs, to)
            }
            _ => return None,
        })
    }

    /// `count` full limbs of an integer of any width, extended or cut.
    fn full_limbs(&mut self, scalars: &[Value], count: usize, signed: bool) -> Vec<Value> {
        let mut limbs = Vec::with_capacity(count);
        for (index, &scalar) in scalars.iter().enumerate() {
            let signed = signed && index + 1 == scalars.len();
            match self.ty(scalar).bits() > LIMB {
                // One scalar of up to 128 bits.
                true => {
                    let wide = self.resize(scalar, Type::I128, signed);
                    limbs.extend(self.unpack(wide, &[Type::I64; 2]));
                }
                false => limbs.push(self.resize(scalar, Type::I64, signed)),
            }
        }
        let fill = match signed {
            true => {
                let top = limbs[limbs.len() - 1];
                let most = self.constant(Type::I64, u128::from(LIMB - 1));
                self.binary(BinaryOp::AShr, top, most)
            }
            false => self.constant(Type::I64, 0),
        };
        limbs.resize(count, fill);
        limbs
    }

    /// The scalars of an integer type (wide or not) that full limbs make up.
    fn of_limbs(&mut self, limbs: &[Value], to: &[Type]) -> Vec<Value> {
        match to {
            [one] if one.bits() > LIMB => {
                let whole = self.pack(&limbs[..2]);
                vec![self.resize(whole, *one, false)]
            }
            _ => to
                .iter()
                .zip(limbs)
                .map(|(&ty, &limb)| self.resize(limb, ty, false))
                .collect(),
        }
    }

    /// Addition or subtraction, limb by limb.
    fn carry_through(&mut self, op: OverflowOp, left: &[Value], right: &[Value]) -> Vec<Value> {
        let mut carry: Option<Value> = None;
        let mut limbs = Vec::with_capacity(left.len());
        for (&left, &right) in left.iter().zip(right) {
            let types = [Type::I64, Type::I1];
            let args = [left, right];
            let first = self.emit_all(InstData::Overflow { op, args }, &types);
            let (sum, mut next) = (first[0], first[1]);
            limbs.push(match carry {
                None => sum,
                Some(carry) => {
                    let args = [sum, self.resize(carry, Type::I64, false)];
                    let second = self.emit_all(InstData::Overflow { op, args }, &types);
                    next = self.binary(BinaryOp::Or, next, second[1]);
                    second[0]
                }
            });
            carry = Some(next);
        }
        limbs
    }

    /// As on paper, with limbs for digits.
    fn multiply_wide(&mut self, left: &[Value], right: &[Value]) -> Vec<Value> {
        let count = left.len();
        let zero = self.constant(Type::I64, 0);
        let mut limbs = vec![zero; count];
        for (low, &digit) in left.iter().enumerate() {
            let digit = self.resize(digit, Type::I128, false);
            let mut carry = self.constant(Type::I128, 0);
            for at in low..count {
                let other = self.resize(right[at - low], Type::I128, false);
                let before = self.resize(limbs[at], Type::I128, false);
                // (2^64 − 1)² + 2 · (2^64 − 1) is still below 2^128.
                let product = self.binary(BinaryOp::Mul, digit, other);
                let sum = self.binary(BinaryOp::Add, product, before);
                let sum = self.binary(BinaryOp::Add, sum, carry);
                limbs[at] = self.resize(sum, Type::I64, false);
                let width = self.constant(Type::I128, u128::from(LIMB));
                carry = self.binary(BinaryOp::LShr, sum, width);
            }
        }
        limbs
    }

    fn shift_wide(
        &mut self,
        left: bool,
        signed: bool,
        limbs: &[Value],
        amount: Value,
    ) -> Vec<Value> {
        let fill = match signed {
            true => {
                let most = self.constant(Type::I64, u128::from(LIMB - 1));
                self.binary(BinaryOp::AShr, limbs[limbs.len() - 1], most)
            }
            false => self.constant(Type::I64, 0),
        };
        let count = limbs.len() as i64;
        // The limb at a distance from a limb, in the direction that bits come from.
        let source = |index: i64| match usize::try_from(index) {
            Ok(index) if index < limbs.len() => limbs[index],
            _ => fill,
        };
        let step = if left { -1 } else { 1 };
        let shifted_by = |this: &mut Self, index: i64, whole: i64, bits: Value| {
            let near = source(index + step * whole);
            let far = source(index + step * (whole + 1));
            let (op, args) = match left {
                true => (TernaryOp::FunnelShl, [near, far, bits]),
                false => (TernaryOp::FunnelShr, [far, near, bits]),
            };
            this.emit_one(InstData::Ternary { op, args }, Type::I64)
        };
        if let Some(amount) = self.constant_bits(amount) {
            let bits = self.constant(Type::I64, amount % u128::from(LIMB));
            let whole = i64::try_from(amount / u128::from(LIMB)).unwrap_or(count);
            let indices = 0..count;
            return indices
                .map(|index| shifted_by(self, index, whole.min(count), bits))
                .collect();
        }
        let (six, low) = (self.constant(Type::I64, 6), self.constant(Type::I64, 63));
        let bits = self.binary(BinaryOp::And, amount, low);
        let whole = self.binary(BinaryOp::LShr, amount, six);
        (0..count)
            .map(|index| {
                let choices: Vec<Value> = (0..count)
                    .map(|whole| shifted_by(self, index, whole, bits))
                    .collect();
                self.pick(&choices, whole)
            })
            .collect()
    }

    fn compare_wide(&mut self, predicate: IntPredicate, left: &[Value], right: &[Value]) -> Value {
        use IntPredicate::*;
        let (left, right) = match predicate {
            Ugt | Ule | Sgt | Sle => (right, left),
            _ => (left, right),
        };
        // After the exchange: `Ult` for `Ult` and `Ugt`, and the opposite of it for the rest.
        let (on_top, opposite) = match predicate {
            Eq => (None, false),
            Ne => (None, true),
            Ult | Ugt => (Some(Ult), false),
            Uge | Ule => (Some(Ult), true),
            Slt | Sgt => (Some(Slt), false),
            Sge | Sle => (Some(Slt), true),
        };
        let last = left.len() - 1;
        let mut result = None;
        for (index, (&left, &right)) in left.iter().zip(right).enumerate() {
            let equal = self.compare(Eq, left, right);
            let less = on_top.map(|on_top| match index == last {
                true => self.compare(on_top, left, right),
                false => self.compare(Ult, left, right),
            });
            result = Some(match (result, less) {
                (None, None) => equal,
                (None, Some(less)) => less,
                (Some(lower), None) => self.binary(BinaryOp::And, lower, equal),
                (Some(lower), Some(less)) => self.select(equal, lower, less),
            });
        }
        let result = result.expect("a wide integer has limbs");
        match opposite {
            true => {
                let one = self.constant(Type::I1, 1);
                self.binary(BinaryOp::Xor, result, one)
            }
            false => result,
        }
    }
}
