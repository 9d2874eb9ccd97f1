//! Watching for blocks: when did a run first enter one of them?

use super::Coverage;
use crate::program::Program;
use crate::site::CodeSite;
use program_ir::{Block, Func};
use std::sync::Arc;

/// Blocks of one program that are watched for.
#[derive(Clone, Debug)]
pub struct Watch {
    blocks: Arc<Coverage>,
}

impl Watch {
    pub fn new(program: &Program, blocks: impl Iterator<Item = (Func, Block)>) -> Watch {
        let mut marked = Coverage::new(program);
        for (func, block) in blocks {
            if let Some(operation) = program.first_operation(func, block) {
                marked.mark(operation);
            }
        }
        Watch {
            blocks: Arc::new(marked),
        }
    }

    pub(super) fn is_watched(&self, operation: usize) -> bool {
        self.blocks.is_marked(operation)
    }

    /// The blocks that a run had entered already when it began to watch.
    pub(super) fn entered_before(&self, program: &Program, coverage: &Coverage) -> Vec<Entered> {
        let mut entered = Vec::new();
        for func in program.module().functions.keys() {
            for block in self.blocks.blocks(program, func) {
                if coverage.contains(program, func, block) {
                    entered.push(Entered {
                        func,
                        block,
                        events: 0,
                    });
                }
            }
        }
        entered
    }
}

/// The first time that a run entered a watched block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entered {
    pub func: Func,
    pub block: Block,
    /// How many events were on the path before.
    pub events: u32,
}

impl Entered {
    pub(super) fn at(program: &Program, site: CodeSite, events: usize) -> Option<Entered> {
        Some(Entered {
            func: Func::from_u32(site.function),
            block: program.block_entered(site)?,
            events: events as u32,
        })
    }
}
