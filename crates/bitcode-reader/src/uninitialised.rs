//! Local variables that may be read before they are written stay in memory.
//!
//! `mem2reg` gives such a read any value, and may choose the one that another way assigns: of `int x; if (c) x = 5;
//! use(x);` it leaves `use(5)`. In memory the read gives what is there, and the machine can tell that nobody wrote
//! it. Found by the usual forward analysis: a variable is *unassigned* at a block's start if it is at the end of a
//! predecessor. Variables whose address is taken stay in memory anyway.
//!
//! A variable that is declared in a loop's body counts as assigned from its first assignment on, also in the next
//! round: natively at `-O0` it keeps its value, too.

use crate::llvm::{Block, Opcode, Value};
use std::collections::HashMap;

/// The loads to keep `mem2reg` away from: one for each such variable of the function.
pub(crate) fn reads_of_unassigned(function: Value) -> Vec<Value> {
    let variables = simple_variables(function);
    if variables.is_empty() {
        return Vec::new();
    }
    let (blocks, numbers) = blocks_of(function);
    let words = variables.len().div_ceil(64);
    let mut assigned: Vec<Vec<u64>> = Vec::new();
    // By block: reads before any assignment in it.
    let mut exposed: Vec<Vec<(usize, Value)>> = Vec::new();
    for &block in &blocks {
        let mut own = vec![0; words];
        let mut reads = Vec::new();
        for_each_instruction(block, |instruction| {
            let address = match instruction.opcode() {
                Opcode::LLVMLoad => instruction.operand(0),
                Opcode::LLVMStore => instruction.operand(1),
                _ => return,
            };
            let Some(&variable) = variables.get(&address) else {
                return;
            };
            let (word, bit) = (variable / 64, 1 << (variable % 64));
            if instruction.opcode() == Opcode::LLVMStore {
                own[word] |= bit;
            } else if own[word] & bit == 0 {
                reads.push((variable, instruction));
            }
        });
        assigned.push(own);
        exposed.push(reads);
    }
    let unassigned = unassigned_at_start(&blocks, &numbers, &assigned, words);
    let mut found: HashMap<usize, Value> = HashMap::new();
    for (reads, unassigned) in exposed.iter().zip(&unassigned) {
        for &(variable, read) in reads {
            if unassigned[variable / 64] >> (variable % 64) & 1 != 0 {
                found.entry(variable).or_insert(read);
            }
        }
    }
    found.into_values().collect()
}

/// The variables that only whole loads and stores touch, with numbers.
fn simple_variables(function: Value) -> HashMap<Value, usize> {
    let mut variables = HashMap::new();
    let Some(entry) = function.first_block() else {
        return variables;
    };
    for_each_instruction(entry, |instruction| {
        if instruction.opcode() != Opcode::LLVMAlloca {
            return;
        }
        let mut has_load = false;
        let mut is_simple = true;
        let mut next = instruction.first_use();
        while let Some(edge) = next {
            next = edge.next();
            let user = edge.user();
            match user.opcode() {
                Opcode::LLVMLoad => has_load = true,
                Opcode::LLVMStore => is_simple &= user.operand(0) != instruction,
                _ => is_simple = false,
            }
        }
        if has_load && is_simple {
            let number = variables.len();
            variables.insert(instruction, number);
        }
    });
    variables
}

fn blocks_of(function: Value) -> (Vec<Block>, HashMap<Block, usize>) {
    let mut blocks = Vec::new();
    let mut numbers = HashMap::new();
    let mut next = function.first_block();
    while let Some(block) = next {
        next = block.next();
        numbers.insert(block, blocks.len());
        blocks.push(block);
    }
    (blocks, numbers)
}

/// Only what can be reached from the entry counts.
fn unassigned_at_start(
    blocks: &[Block],
    numbers: &HashMap<Block, usize>,
    assigned: &[Vec<u64>],
    words: usize,
) -> Vec<Vec<u64>> {
    let mut unassigned = vec![vec![0; words]; blocks.len()];
    unassigned[0] = vec![u64::MAX; words];
    let mut pending = vec![0];
    while let Some(number) = pending.pop() {
        let Some(terminator) = blocks[number].terminator() else {
            continue;
        };
        let at_end: Vec<u64> = unassigned[number]
            .iter()
            .zip(&assigned[number])
            .map(|(before, assigned)| before & !assigned)
            .collect();
        for index in 0..terminator.successor_count() {
            let successor = numbers[&terminator.successor(index)];
            let mut grew = false;
            for (word, &more) in unassigned[successor].iter_mut().zip(&at_end) {
                grew |= more & !*word != 0;
                *word |= more;
            }
            if grew {
                pending.push(successor);
            }
        }
    }
    unassigned
}

fn for_each_instruction(block: Block, mut visit: impl FnMut(Value)) {
    let mut next = block.first_instruction();
    while let Some(instruction) = next {
        next = instruction.next_instruction();
        visit(instruction);
    }
}
