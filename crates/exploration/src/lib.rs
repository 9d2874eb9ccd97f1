//! Path exploration: dynamic symbolic execution of one program, or of two versions or more on the same inputs.
//!
//! The crate [`search`](::search) decides which input is run next, and knows no terms. Here is what has them: executors that
//! solve, run and compare, and the relational proofs that they use.
//!
//! | module | idea |
//! |---|---|
//! | [`explore`](mod@explore) | puts a search together |
//! | [`observer`] | who is told of it |
//! | [`executor`] | does jobs: a face to the coordinator |
//! | [`worker`] | solves a flip, runs an input, compares the versions on its path |
//! | [`subject`] | what is explored: a program, or one function of it |
//! | [`aim`] | which ways cannot show a difference, and how far ways are from a change |
//! | [`static_facts`] | what is known of two versions without a run, found when it is asked for |
//! | [`changes`] | static facts of a change: its points, irrelevant ways |
//! | `system_calls` | which system calls a function makes, as far as its text says |
//! | [`change_distances`], [`guards`] | how far ways are from a change; branches that decide operands of conditions near it |
//! | [`alone`] | changed functions that do the same by themselves |
//! | [`infection`] | changes that were executed without an effect on the state |
//! | [`relevance`] | which decisions of a run matter: relevant slices |
//! | [`attribution`] | which changes are responsible for a difference |
//! | [`compare`] | what two versions did on one path, and for which inputs it differs |
//! | [`propagate`] | makes a change's effect go farther: where did it stop, and which inputs get past that |
//! | `counting` | how many inputs satisfy the conditions of a path |
//!
//! The crate opens no files.

pub mod aim;
pub mod alone;
pub mod attribution;
pub mod change_distances;
pub mod changes;
pub mod compare;
mod counting;
pub mod executor;
pub mod explore;
pub mod guards;
pub mod infection;
pub mod observer;
pub mod outputs;
pub mod propagate;
pub mod relevance;
pub mod static_facts;
pub mod subject;
mod system_calls;
pub mod worker;

pub use inputs::fit;
pub use search::{auto, journal, part, path_tree, relations, settled, summary};

/// Strategies, under the names that they have here.
pub mod frontier {
    pub use inputs::SplitMix;
    pub use search::frontier::*;
}

/// Inputs, under the names that they have here.
pub mod input {
    pub use inputs::{ArgSpace, CompactInput, InputError, InputSpace, StreamSpace, ValueSpace};
}

pub use changes::{ChangeFacts, Relevance};
pub use executor::{Behind, Members};
pub use explore::{ChangeConfig, Config, Solving, explore};
pub use inputs::{InputRecord, InputSpace};
pub use observer::{Found, Observer};
pub use search::{
    Budget, Category, Flip, Gap, Partition, Progress, Pruned, PrunedPlace, PrunedWay, RunId,
    SpliceCounts, Stop, Strategy, Summary, Transport, Verdict, WronglyPruned,
};
pub use static_facts::StaticFacts;
pub use subject::{MachineConfig, Subject, Version};
