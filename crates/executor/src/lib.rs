//! The executor of a search: does one job after the other and answers with plain data. It owns terms, solver and machines, and chooses
//! nothing.
//!
//! | module | idea |
//! |---|---|
//! | [`local`] | an executor in the process of the programs that it runs: a face to the coordinator |
//! | [`worker`] | solves a flip, runs an input, compares the versions on its path |
//! | [`probe`] | what is noted of runs for the observer of the search |
//! | [`members`] | which inputs a partition, or a pruned way, stands for |
//!
//! The crate opens no files.

pub mod local;
pub mod members;
pub mod probe;
pub mod worker;

pub use local::{LocalExecutor, Shared};
pub use members::{Members, PrunedInputs};
pub use probe::{FoundTest, Probe};
