//! Which blocks of a function are translated, under which numbers and in which order.
//!
//! Blocks keep LLVM's order. Unreachable ones are left out, unless their address is
//! taken. Translation goes in reverse postorder, in which every definition comes before
//! the uses that it dominates.

use crate::llvm::{self, Opcode, ValueKind};
use program_ir::{Block, EntityRef};
use std::collections::{HashMap, HashSet};

pub(crate) struct BlockOrder {
    pub(crate) numbers: HashMap<llvm::Block, Block>,
    pub(crate) reverse_postorder: Vec<llvm::Block>,
    /// Never executed, but nameable.
    pub(crate) unreachable: Vec<llvm::Block>,
}

impl BlockOrder {
    pub(crate) fn of(function: llvm::Value) -> BlockOrder {
        let reverse_postorder = reverse_postorder(function);
        let reachable: HashSet<llvm::Block> = reverse_postorder.iter().copied().collect();
        let mut numbers = HashMap::new();
        let mut unreachable = Vec::new();
        let mut next = function.first_block();
        while let Some(block) = next {
            next = block.next();
            if !reachable.contains(&block) {
                if !has_address_taken(block) {
                    continue;
                }
                unreachable.push(block);
            }
            numbers.insert(block, Block::new(numbers.len()));
        }
        BlockOrder {
            numbers,
            reverse_postorder,
            unreachable,
        }
    }
}

/// The successors that our terminators have: none for those without translation.
pub(crate) fn successors(terminator: llvm::Value) -> Vec<llvm::Block> {
    match terminator.opcode() {
        Opcode::LLVMBr | Opcode::LLVMSwitch | Opcode::LLVMIndirectBr | Opcode::LLVMInvoke => (0
            ..terminator.successor_count())
            .map(|index| terminator.successor(index))
            .collect(),
        _ => Vec::new(),
    }
}

fn reverse_postorder(function: llvm::Value) -> Vec<llvm::Block> {
    let Some(entry) = function.first_block() else {
        return Vec::new();
    };
    let next_blocks = |block: llvm::Block| match block.terminator() {
        Some(terminator) => successors(terminator),
        None => Vec::new(),
    };
    let mut order = Vec::new();
    let mut seen = HashSet::from([entry]);
    let mut stack = vec![(entry, next_blocks(entry))];
    while let Some((block, todo)) = stack.last_mut() {
        match todo.pop() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next_blocks(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn has_address_taken(block: llvm::Block) -> bool {
    let mut next = block.as_value().first_use();
    while let Some(this) = next {
        if this.user().kind() == ValueKind::LLVMBlockAddressValueKind {
            return true;
        }
        next = this.next();
    }
    false
}
