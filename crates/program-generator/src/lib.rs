//! Random C programs whose inputs can all be enumerated.
//!
//! A program reads one to three bytes from `argv[1]` and standard input and uses each modulo a small
//! number, so a few thousand inputs show everything it can do. It branches on them in
//! most ways that C knows. Without faults it is free of undefined behaviour on every input.
//!
//! The same seed and settings give the same program, byte for byte.

pub mod ast;
mod batch;
mod edit;
mod generate;
mod inputs;
mod print;
mod random;
mod typing;
mod walk;

pub use batch::{GUEST_FLAGS, print_batch};
pub use edit::{Edit, EditKind, Pair, edited, pair};
pub use generate::{Settings, generate};
pub use inputs::Input;
pub use print::{Printed, print_member, print_whole};
