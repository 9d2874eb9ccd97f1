//! `llvm.ctlz` and `llvm.cttz`: whether the zeros of 0 are counted, or undefined (the *is zero poison* flag).
//!
//! Clang makes `__builtin_ffs(n)` and `__builtin_clzg(n, 8)` of a count with that flag and a `select` that does not take
//! it for 0. The count of 0 is computed there and never used, which is defined.

use crate::llvm::{IntPredicate, Opcode, Value, ValueKind};
use crate::translation::int_bits;
use program_ir::UnaryOp;

/// Operations between a count and its `select`.
const MOST_BETWEEN: u32 = 4;

/// The operation of a call: `counting`, or its variant for numbers that are not 0.
pub(crate) fn operation(call: Value, counting: UnaryOp) -> UnaryOp {
    let of_nonzero = match counting {
        UnaryOp::LeadingZeros => UnaryOp::LeadingZerosOfNonzero,
        UnaryOp::TrailingZeros => UnaryOp::TrailingZerosOfNonzero,
        other => return other,
    };
    let has_flag = int_bits(call.argument(1)) == Some(1);
    match has_flag && !is_unused_for_zero(call, call.argument(0), MOST_BETWEEN) {
        true => of_nonzero,
        false => counting,
    }
}

/// Whether all uses of a value, direct or through arithmetic, are in the arm of a `select` for which `number` is not 0.
fn is_unused_for_zero(value: Value, number: Value, between: u32) -> bool {
    let mut next = value.first_use();
    while let Some(edge) = next {
        next = edge.next();
        let user = edge.user();
        let is_unused = match user.opcode() {
            Opcode::LLVMSelect => arm_for_zero(user, number)
                .is_some_and(|arm| user.operand(0) != value && user.operand(arm) != value),
            Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMXor
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt => between > 0 && is_unused_for_zero(user, number, between - 1),
            _ => false,
        };
        if !is_unused {
            return false;
        }
    }
    true
}

/// The operand that a `select` takes if `number` is 0, if that is what it asks.
fn arm_for_zero(select: Value, number: Value) -> Option<u32> {
    let condition = select.operand(0);
    let is_comparison = condition.kind() == ValueKind::LLVMInstructionValueKind
        && condition.opcode() == Opcode::LLVMICmp;
    if !is_comparison || condition.operand(0) != number || !condition.operand(1).is_null() {
        return None;
    }
    match condition.int_predicate() {
        IntPredicate::LLVMIntEQ => Some(1),
        IntPredicate::LLVMIntNE => Some(2),
        _ => None,
    }
}
