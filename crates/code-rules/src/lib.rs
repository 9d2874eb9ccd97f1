//! Rules of our own code that no lint of the compiler knows. `tests/rules.rs` holds every crate to them.
//!
//! | module | rule |
//! |---|---|
//! | [`sizes`] | no function of more than 100 lines, no struct of more than 15 fields |
//! | [`cycles`] | modules that are siblings do not import each other in a circle |
//! | [`wording`] | doc comments stand alone; the words of the glossary; names that say too little are given to one type each |
//!
//! Code under `#[cfg(test)]` is not looked at, but for its words.

pub mod cycles;
pub mod sizes;
mod sources;
pub mod wording;

pub use sources::{Crate, Module, crates};
