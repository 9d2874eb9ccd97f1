//! A Linux process made of bitcode: runs one version of a program on one concrete
//! input, deterministically, and says how it ended.
//!
//! The machine calls no solver and chooses no path. It is told the input, and a run can
//! be repeated from a clone of the machine. It knows one version; pairing lives elsewhere.

mod branch_trace;
mod builtins;
mod coverage;
mod decode;
mod dump;
pub mod eval;
mod float;
pub mod linux;
mod live_slots;
mod machine;
pub mod memory;
mod monitor;
pub mod observe;
mod op;
mod outcome;
mod process;
mod program;
mod site;
mod step;
pub mod symbolic;

pub use branch_trace::BranchTrace;
pub use builtins::{is_jump, is_system_call};
pub use machine::{Limits, Machine};
pub use outcome::{End, EndKind, Limit, MemoryError, ObjectDescription, Outcome, StackFrame};
pub use process::{Start, StartError};
pub use program::{LoadError, Program};
pub use site::CodeSite;
