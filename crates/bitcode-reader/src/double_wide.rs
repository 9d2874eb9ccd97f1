//! Integers of 256 bits, as pairs of 128-bit scalars, low half first.
//!
//! rustc multiplies `u128` numbers by widening them to `i256`. Beyond what that needs,
//! operations are translated as far as they fall apart into halves: arithmetic without
//! division, bitwise operations, shifts by constants, comparisons and casts. Others are
//! `Unsupported`.

use crate::function::FunctionReader;
use crate::llvm::{self, Opcode, TypeKind};
use program_ir::{BinaryOp, InstData, IntPredicate, OverflowOp, Type, Value};

/// The one integer width that has two scalars.
pub(crate) const DOUBLE_WIDE: u32 = 256;

pub(crate) fn is_double_wide(ty: llvm::Type) -> bool {
    ty.kind() == TypeKind::LLVMIntegerTypeKind && ty.int_width() == DOUBLE_WIDE
}

type Halves = [Value; 2];

impl FunctionReader<'_, '_> {
    /// Translates an operation that has a 256-bit operand or result; `None` if it has none,
    /// or moves such values as a whole (loads, stores, selects…).
    pub(crate) fn read_double_wide(
        &mut self,
        value: llvm::Value,
        opcode: Opcode,
    ) -> Option<Vec<Value>> {
        let arithmetic = matches!(
            opcode,
            Opcode::LLVMAdd
                | Opcode::LLVMSub
                | Opcode::LLVMMul
                | Opcode::LLVMUDiv
                | Opcode::LLVMSDiv
                | Opcode::LLVMURem
                | Opcode::LLVMSRem
                | Opcode::LLVMShl
                | Opcode::LLVMLShr
                | Opcode::LLVMAShr
                | Opcode::LLVMAnd
                | Opcode::LLVMOr
                | Opcode::LLVMXor
                | Opcode::LLVMICmp
                | Opcode::LLVMTrunc
                | Opcode::LLVMZExt
                | Opcode::LLVMSExt
                | Opcode::LLVMBitCast
                | Opcode::LLVMFPToUI
                | Opcode::LLVMFPToSI
                | Opcode::LLVMUIToFP
                | Opcode::LLVMSIToFP
        );
        let from_wide = arithmetic && is_double_wide(value.operand(0).ty());
        let to_wide = arithmetic && is_double_wide(value.ty());
        if !from_wide && !to_wide {
            return None;
        }
        let left = self.operand(value.operand(0));
        let result = match opcode {
            Opcode::LLVMZExt => Some([self.resize(left[0], Type::I128, false), self.zero()]),
            Opcode::LLVMSExt => {
                let low = self.resize(left[0], Type::I128, true);
                Some([low, self.sign_of(low)])
            }
            Opcode::LLVMTrunc => {
                let to = self.shape(value.ty()).scalars[0];
                return Some(vec![self.resize(left[0], to, false)]);
            }
            Opcode::LLVMICmp => {
                let right = self.operand(value.operand(1));
                let predicate = crate::operations::int_predicate(value.int_predicate());
                let (left, right) = ([left[0], left[1]], [right[0], right[1]]);
                return Some(vec![self.compare_halves(predicate, left, right)]);
            }
            _ if from_wide && to_wide && value.operand_count() == 2 => {
                let right = self.operand(value.operand(1));
                self.halves_arithmetic(opcode, [left[0], left[1]], [right[0], right[1]])
            }
            _ => None,
        };
        Some(match result {
            Some(halves) => halves.to_vec(),
            None => {
                let types = self.shape(value.ty()).scalars.clone();
                let name = crate::operations::opcode_name(opcode);
                self.unsupported(format!("`{name}` of a 256-bit integer"), &types)
            }
        })
    }

    fn halves_arithmetic(&mut self, opcode: Opcode, a: Halves, b: Halves) -> Option<Halves> {
        Some(match opcode {
            Opcode::LLVMAnd => self.each_half(BinaryOp::And, a, b),
            Opcode::LLVMOr => self.each_half(BinaryOp::Or, a, b),
            Opcode::LLVMXor => self.each_half(BinaryOp::Xor, a, b),
            Opcode::LLVMAdd => self.with_carry(OverflowOp::UAdd, BinaryOp::Add, a, b),
            Opcode::LLVMSub => self.with_carry(OverflowOp::USub, BinaryOp::Sub, a, b),
            Opcode::LLVMMul => {
                let [low, mut high] = self.widening_product(a[0], b[0]);
                for (left, right) in [(a[0], b[1]), (a[1], b[0])] {
                    let cross = self.binary(BinaryOp::Mul, left, right);
                    high = self.binary(BinaryOp::Add, high, cross);
                }
                [low, high]
            }
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                let amount = u32::try_from(self.constant_bits(b[0])?).ok()?;
                if self.constant_bits(b[1])? != 0 || amount >= DOUBLE_WIDE {
                    return None;
                }
                self.shift_halves(opcode, a, amount)
            }
            _ => return None,
        })
    }

    fn zero(&mut self) -> Value {
        self.constant(Type::I128, 0)
    }

    /// 128 copies of the sign bit.
    fn sign_of(&mut self, half: Value) -> Value {
        let amount = self.constant(Type::I128, 127);
        self.binary(BinaryOp::AShr, half, amount)
    }

    fn each_half(&mut self, op: BinaryOp, a: Halves, b: Halves) -> Halves {
        [self.binary(op, a[0], b[0]), self.binary(op, a[1], b[1])]
    }

    fn with_carry(&mut self, low: OverflowOp, high: BinaryOp, a: Halves, b: Halves) -> Halves {
        let data = InstData::Overflow {
            op: low,
            args: [a[0], b[0]],
        };
        let results = self.emit_all(data, &[Type::I128, Type::I1]);
        let carry = self.resize(results[1], Type::I128, false);
        let upper = self.binary(high, a[1], b[1]);
        [results[0], self.binary(high, upper, carry)]
    }

    /// The whole product of two 128-bit numbers, by 64-bit digits.
    fn widening_product(&mut self, a: Value, b: Value) -> Halves {
        let [a0, a1] = self.digits(a);
        let [b0, b1] = self.digits(b);
        let low = self.binary(BinaryOp::Mul, a0, b0);
        let high = self.binary(BinaryOp::Mul, a1, b1);
        let mut product = [low, high];
        for (left, right) in [(a0, b1), (a1, b0)] {
            let cross = self.binary(BinaryOp::Mul, left, right);
            let [low, high] = self.digits(cross);
            let amount = self.constant(Type::I128, 64);
            let shifted = self.binary(BinaryOp::Shl, low, amount);
            product = self.with_carry(OverflowOp::UAdd, BinaryOp::Add, product, [shifted, high]);
        }
        product
    }

    /// Low and high 64 bits, each as a 128-bit number.
    fn digits(&mut self, value: Value) -> [Value; 2] {
        let mask = self.constant(Type::I128, u128::from(u64::MAX));
        let amount = self.constant(Type::I128, 64);
        [
            self.binary(BinaryOp::And, value, mask),
            self.binary(BinaryOp::LShr, value, amount),
        ]
    }

    fn shift_halves(&mut self, opcode: Opcode, a: Halves, amount: u32) -> Halves {
        let left = matches!(opcode, Opcode::LLVMShl);
        let fill = match opcode {
            Opcode::LLVMAShr => self.sign_of(a[1]),
            _ => self.zero(),
        };
        // Shifting left is shifting right with the halves exchanged.
        let (near, far) = if left { (a[1], a[0]) } else { (a[0], a[1]) };
        let (near, far) = if amount >= 128 {
            (far, fill)
        } else {
            (near, far)
        };
        let bits = amount % 128;
        let (new_near, new_far) = if bits == 0 {
            (near, far)
        } else {
            let by = self.constant(Type::I128, u128::from(bits));
            let rest = self.constant(Type::I128, u128::from(128 - bits));
            let (towards, back) = match left {
                true => (BinaryOp::Shl, BinaryOp::LShr),
                false => (BinaryOp::LShr, BinaryOp::Shl),
            };
            let kept = self.binary(towards, near, by);
            let moved = self.binary(back, far, rest);
            let near = self.binary(BinaryOp::Or, kept, moved);
            let far = match opcode {
                Opcode::LLVMAShr => self.binary(BinaryOp::AShr, far, by),
                _ => self.binary(towards, far, by),
            };
            (near, far)
        };
        if left {
            [new_far, new_near]
        } else {
            [new_near, new_far]
        }
    }

    fn compare_halves(&mut self, predicate: IntPredicate, a: Halves, b: Halves) -> Value {
        use IntPredicate::{Eq, Ne, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult};
        let same_high = self.compare(Eq, a[1], b[1]);
        // On equal high halves the low ones decide, as unsigned numbers.
        let (high, low) = match predicate {
            Eq => (Eq, Eq),
            Ne => (Ne, Ne),
            Ult | Ule | Ugt | Uge => (predicate, predicate),
            Slt => (Slt, Ult),
            Sle => (Sle, Ule),
            Sgt => (Sgt, Ugt),
            Sge => (Sge, Uge),
        };
        let by_high = self.compare(high, a[1], b[1]);
        let by_low = self.compare(low, a[0], b[0]);
        self.select(same_high, by_low, by_high)
    }
}

/// The halves of a 256-bit constant, from LLVM's decimal spelling.
pub(crate) fn constant_halves(spelling: &str) -> Option<[u128; 2]> {
    let digits = spelling.rsplit(' ').next()?;
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, digits),
    };
    // Four 64-bit digits, low first.
    let mut number = [0_u64; 4];
    for digit in digits.chars() {
        let mut carry = u128::from(digit.to_digit(10)?);
        for part in &mut number {
            let sum = u128::from(*part) * 10 + carry;
            *part = sum as u64;
            carry = sum >> 64;
        }
    }
    let [a, b, c, d] = number.map(u128::from);
    let (low, high) = (a | b << 64, c | d << 64);
    Some(if negative {
        let (low, borrowed) = 0_u128.overflowing_sub(low);
        [
            low,
            0_u128.wrapping_sub(high).wrapping_sub(u128::from(borrowed)),
        ]
    } else {
        [low, high]
    })
}

#[cfg(test)]
mod tests {
    use super::constant_halves;

    #[test]
    fn spellings_of_wide_constants() {
        assert_eq!(constant_halves("i256 5"), Some([5, 0]));
        assert_eq!(constant_halves("i256 -1"), Some([u128::MAX, u128::MAX]));
        let two_to_128 = "i256 340282366920938463463374607431768211456";
        assert_eq!(constant_halves(two_to_128), Some([0, 1]));
        let minus = "i256 -340282366920938463463374607431768211456";
        assert_eq!(constant_halves(minus), Some([0, u128::MAX]));
        assert_eq!(constant_halves("i256 x"), None);
    }
}
