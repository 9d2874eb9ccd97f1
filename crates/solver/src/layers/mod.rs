//! The layers of the chain, each over the one below.

pub mod boxes;
pub mod cache;
pub mod cross_check;
pub mod fallback;
pub mod quick;
pub mod simplify;
pub mod slicing;
pub mod validate;
