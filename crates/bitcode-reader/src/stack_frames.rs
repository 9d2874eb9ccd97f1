//! How much stack a call of a function takes natively.
//!
//! A native stack is bounded (8 MB by default on Linux), and a program that recurses beyond it crashes. So that no run
//! goes deeper than a native one could, each function says how large its frame is **as clang lays it out at `-O0`**, before
//! `mem2reg` takes local variables out of memory: return address and frame pointer, every local
//! variable, and a place for each value that must survive a call or the end of its block. It is an estimate that errs on the
//! large side: registers may hold some of these values.
//!
//! What the translated body allocates by itself is counted by the machine when it does; only the rest is the frame's.

use crate::llvm::{self, Block, Opcode, Value, ValueKind};
use crate::translation::int_bits;
use std::collections::HashMap;

/// Return address and saved frame pointer.
const LINKAGE: u64 = 16;
const WORD: u64 = 8;
const STACK_ALIGNMENT: u64 = 16;
/// Where a function of further arguments keeps the registers that these may be in.
const REGISTER_SAVE_AREA: u64 = 176;
/// What is spilled for want of registers, in a function that spills at all.
const SPARE: u64 = 16;

/// Frames of all functions with a body, before any pass.
pub(crate) fn frames(module: &llvm::Module) -> HashMap<Value, u64> {
    let mut frames = HashMap::new();
    let mut next = module.first_function();
    while let Some(function) = next {
        next = function.next_function();
        if !function.is_declaration() {
            let mut bytes = locals(module, function) + surviving_values(module, function);
            if function.global_value_type().is_variadic() {
                bytes += REGISTER_SAVE_AREA;
            }
            frames.insert(function, LINKAGE + bytes.next_multiple_of(STACK_ALIGNMENT));
        }
    }
    frames
}

/// What is left of a frame when the local variables that the body still has are counted elsewhere.
pub(crate) fn rest(module: &llvm::Module, function: Value, frame: u64) -> u32 {
    let rest = frame.saturating_sub(locals(module, function)).max(LINKAGE);
    u32::try_from(rest).unwrap_or(u32::MAX)
}

/// Bytes of the local variables of fixed size.
fn locals(module: &llvm::Module, function: Value) -> u64 {
    let mut bytes = 0_u64;
    for_each_instruction(function, |instruction| {
        if instruction.opcode() == Opcode::LLVMAlloca
            && let Some(count) = int_bits(instruction.operand(0))
        {
            let size = module.alloc_size(instruction.allocated_type());
            let all = size.saturating_mul(u64::try_from(count).unwrap_or(u64::MAX));
            bytes = bytes.saturating_add(all.checked_next_multiple_of(4).unwrap_or(all));
        }
    });
    bytes
}

/// Bytes of the values that are used in another block than their own, by a phi, or behind a call.
fn surviving_values(module: &llvm::Module, function: Value) -> u64 {
    let mut calls_before: HashMap<Value, u32> = HashMap::new();
    let mut calls = 0;
    for_each_instruction(function, |instruction| {
        calls_before.insert(instruction, calls);
        calls += u32::from(is_call(instruction));
    });
    // From where on a value is there: its block, and how many calls come before.
    let survives = |value: Value, block: Option<Block>, from: u32| {
        std::iter::successors(value.first_use(), |one| one.next()).any(|one| {
            let user = one.user();
            user.kind() == ValueKind::LLVMInstructionValueKind
                && (Some(user.parent()) != block
                    || user.opcode() == Opcode::LLVMPHI
                    || calls_before.get(&user).is_some_and(|&at| at > from))
        })
    };
    let size = |value: Value| match value.ty().is_sized() {
        true => module.alloc_size(value.ty()).max(WORD),
        false => 0,
    };
    let mut surviving = 0;
    for index in 0..function.global_value_type().param_count() {
        let param = function.param(index);
        if survives(param, function.first_block(), 0) {
            surviving += size(param);
        }
    }
    for_each_instruction(function, |instruction| {
        if instruction.opcode() == Opcode::LLVMAlloca {
            return;
        }
        // A call's own result is made by it.
        let from = calls_before[&instruction] + u32::from(is_call(instruction));
        let is_phi = instruction.opcode() == Opcode::LLVMPHI;
        if is_phi || survives(instruction, Some(instruction.parent()), from) {
            surviving += size(instruction);
        }
    });
    match surviving {
        0 => 0,
        bytes => bytes + SPARE,
    }
}

fn is_call(instruction: Value) -> bool {
    matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke)
}

fn for_each_instruction(function: Value, mut visit: impl FnMut(Value)) {
    let mut next_block = function.first_block();
    while let Some(block) = next_block {
        next_block = block.next();
        let mut next = block.first_instruction();
        while let Some(instruction) = next {
            next = instruction.next_instruction();
            visit(instruction);
        }
    }
}
