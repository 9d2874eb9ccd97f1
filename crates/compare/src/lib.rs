//! Comparing versions of a program.

pub mod minimise;
pub mod undefined;
