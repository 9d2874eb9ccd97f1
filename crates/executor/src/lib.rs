//! The executor of a search: does one job after the other and answers with plain data. It owns terms, solver and machines, and chooses
//! nothing.
//!
//! | module | idea |
//! |---|---|
//! | [`local`] | an executor in the process of the programs that it runs: a face to the coordinator |
//! | [`worker`] | solves a flip, runs an input, compares the versions on its path |
//! | [`observer`] | who is told of a search while it goes on |
//! | [`members`] | which inputs a partition, or a pruned way, stands for |
//!
//! The crate opens no files.

pub mod local;
pub mod members;
pub mod observer;
pub mod worker;

pub use local::{LocalExecutor, Shared};
pub use members::{Members, PrunedInputs};
pub use observer::{FoundTest, Observer};
