//! Constants, as operands and as relocations in global initialisers.

use crate::{Block, Func, Global};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Constant {
    /// The bits of an integer, pointer or float, zero-extended.
    Bits(u128),
    /// An undefined or poison value. The machine reads it as zero.
    Undef,
    /// The address of a global, plus a byte offset.
    GlobalAddress {
        global: Global,
        offset: i64,
    },
    FunctionAddress(Func),
    /// The address of a label, for computed goto.
    BlockAddress {
        func: Func,
        block: Block,
    },
}

impl Constant {
    pub const ZERO: Constant = Constant::Bits(0);
}
