//! Which blocks were entered.

use crate::program::Program;
use program_ir::{Block, Func};

/// The places that control went to, as one bit per operation of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    bits: Vec<u64>,
}

impl Coverage {
    pub(crate) fn new(program: &Program) -> Coverage {
        Coverage {
            bits: vec![0; program.operation_count().div_ceil(64)],
        }
    }

    /// Whether it was not marked before.
    #[inline(always)]
    pub(crate) fn mark(&mut self, operation: usize) -> bool {
        let (word, bit) = (&mut self.bits[operation / 64], 1 << (operation % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    pub(crate) fn is_marked(&self, operation: usize) -> bool {
        let word = self.bits.get(operation / 64);
        word.is_some_and(|word| word >> (operation % 64) & 1 == 1)
    }

    pub fn contains(&self, program: &Program, func: Func, block: Block) -> bool {
        let Some(operation) = program.first_operation(func, block) else {
            return false;
        };
        self.is_marked(operation)
    }

    /// The blocks of a function that were entered, in order.
    pub fn blocks(&self, program: &Program, func: Func) -> Vec<Block> {
        let blocks = program.module().functions[func].blocks.keys();
        blocks
            .filter(|&block| self.contains(program, func, block))
            .collect()
    }

    /// Adds what another run of the same program covered; how many places were new.
    pub fn merge(&mut self, other: &Coverage) -> usize {
        if self.bits.len() < other.bits.len() {
            self.bits.resize(other.bits.len(), 0);
        }
        let mut new = 0;
        for (mine, theirs) in self.bits.iter_mut().zip(&other.bits) {
            new += (theirs & !*mine).count_ones() as usize;
            *mine |= theirs;
        }
        new
    }

    /// The operations that another run of the same program covered and this one did not.
    pub fn missing(&self, other: &Coverage) -> Vec<u32> {
        let mut missing = Vec::new();
        for (place, theirs) in other.bits.iter().enumerate() {
            let mut left = theirs & !self.bits.get(place).copied().unwrap_or(0);
            while left != 0 {
                missing.push(place as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        missing
    }

    /// The coverage of a run that has executed these operations.
    pub fn of(operations: impl Iterator<Item = u32> + Clone) -> Coverage {
        let last = operations.clone().max();
        let mut coverage = Coverage {
            bits: vec![0; last.map_or(0, |last| last as usize / 64 + 1)],
        };
        for operation in operations {
            coverage.mark(operation as usize);
        }
        coverage
    }

    /// Adds operations; whether one of them was new.
    pub fn add(&mut self, operations: &[u32]) -> bool {
        let mut new = false;
        for &operation in operations {
            let size = operation as usize / 64 + 1;
            if self.bits.len() < size {
                self.bits.resize(size, 0);
            }
            new |= self.mark(operation as usize);
        }
        new
    }
}
