//! Rules of our own code that no lint of the compiler knows. `tests/rules.rs` holds every crate to them.
//!
//! | module | rule |
//! |---|---|
//! | [`sizes`] | no function of more than 100 lines, no struct of more than 15 fields |
//! | [`cycles`] | modules that are siblings do not import each other in a circle |
//!
//! Code under `#[cfg(test)]` is not looked at.

pub mod cycles;
pub mod sizes;
mod sources;

pub use sources::{Crate, Module, crates};
