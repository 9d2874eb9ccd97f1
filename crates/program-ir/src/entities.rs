//! Ids: u32 newtypes over dense maps. Their `Display` is how the text form spells
//! them, so that a log line can be searched in a dump.

use cranelift_entity::entity_impl;
use serde::{Deserialize, Serialize};

macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

entity!(
    /// A function of the module, defined or only declared.
    Func, "fn");
entity!(
    /// A global variable.
    Global, "g");
entity!(
    /// A basic block of one function.
    Block, "block");
entity!(
    /// An instruction of one function.
    Inst, "inst");
entity!(
    /// An SSA value of one function: block parameter, instruction result or constant.
    Value, "v");
entity!(
    /// A source file.
    File, "file");
entity!(
    /// A lexical scope: a subprogram or a block inside one.
    Scope, "scope");
entity!(
    /// A source location with its chain of inlined calls.
    Loc, "loc");
entity!(
    /// A C or Rust type as the debug information describes it.
    DebugType, "type");
entity!(
    /// A source-level variable of one function.
    Variable, "var");
