//! What runs have executed of a version.

use concolic_vm::Program;
use concolic_vm::symbolic::Coverage;
use program_ir::{Block, Func};

/// A version with what the runs of a search covered of it.
#[derive(Clone, Copy)]
pub(crate) struct Covered<'c> {
    pub(crate) program: &'c Program,
    pub(crate) coverage: &'c Coverage,
}

impl Covered<'_> {
    pub(super) fn has(&self, func: Func, block: Block) -> bool {
        self.coverage.contains(self.program, func, block)
    }
}
