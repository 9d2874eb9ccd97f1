//! Deciding conjunctions of terms.
//!
//! A [`Query`] asks whether some input makes all its constraints true; a [`Solver`] answers `Sat` with a
//! model, `Unsat`, or `Unknown` with a reason. [`chain`] stacks small layers, each of which answers what
//! it can and passes the rest down, over a back end. The crate knows terms and no programs.

pub mod backends;
mod chain;
pub mod layers;
pub mod log;
mod query;

pub use chain::{Backend, Config, chain, logged_chain};
pub use query::{Answer, LayerStatistics, Query, Reason, Solver};
