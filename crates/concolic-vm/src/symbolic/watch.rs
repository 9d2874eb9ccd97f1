//! When a run first came to each place: which of these places matter may be asked after the run.

use crate::coverage::Coverage;
use crate::program::Program;
use program_ir::{Block, Func};
use serde::{Deserialize, Serialize};

/// The first time that a run came to a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entered {
    /// The place, by its number in the program.
    operation: u32,
    /// How many events were on the path before.
    pub events: u32,
}

impl Entered {
    /// The number of the place in its program.
    pub fn operation(&self) -> u32 {
        self.operation
    }

    pub(super) fn new(operation: usize, events: usize) -> Entered {
        Entered {
            operation: operation as u32,
            events: events as u32,
        }
    }
}

/// Blocks of one program, to ask of what a run entered whether it is one of them.
#[derive(Clone, Debug)]
pub struct Watch {
    marked: Coverage,
    /// By the number of their first operation.
    blocks: Vec<(u32, Func, Block)>,
}

impl Watch {
    pub fn new(program: &Program, blocks: impl Iterator<Item = (Func, Block)>) -> Watch {
        let mut watch = Watch {
            marked: Coverage::new(program),
            blocks: Vec::new(),
        };
        for (func, block) in blocks {
            if let Some(operation) = program.first_operation(func, block) {
                watch.marked.mark(operation);
                watch.blocks.push((operation as u32, func, block));
            }
        }
        watch.blocks.sort_unstable();
        watch
    }

    pub fn contains(&self, entered: &Entered) -> bool {
        self.marked.is_marked(entered.operation as usize)
    }

    /// The block that was entered, if it is one of these.
    pub fn block(&self, entered: &Entered) -> Option<(Func, Block)> {
        if !self.contains(entered) {
            return None;
        }
        let place = self
            .blocks
            .binary_search_by_key(&entered.operation, |block| block.0);
        place
            .ok()
            .map(|place| (self.blocks[place].1, self.blocks[place].2))
    }
}
