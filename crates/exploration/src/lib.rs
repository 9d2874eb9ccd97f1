//! Path exploration: dynamic symbolic execution of one program, or of two versions or more on the same inputs.
//!
//! Here a search is put together ([`explore`](mod@explore)) of a coordinator, which decides what is run next and knows no terms
//! ([`search`]), and executors, which solve, run and compare ([`executor`]) by the means of [`relational`]. For those who only want to
//! explore, what these crates have is named here too.

pub mod explore;

pub use executor::{local, probe, worker};
pub use inputs::fit;
pub use relational::{
    aim, alone, attribution, change_distances, changes, compare, guards, infection, outputs,
    propagate, relevance, static_facts, subject,
};
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

pub use executor::{FoundTest, Members, Probe, PrunedInputs};
pub use explore::{ChangeConfig, Config, Solving, explore};
pub use inputs::{InputRecord, InputSpace};
pub use relational::{ChangeFacts, Diffs, MachineConfig, Relevance, StaticFacts, Subject, Version};
pub use search::{
    Budget, Category, Flip, Gap, Note, Observer, Partition, Progress, Pruned, PrunedPlace,
    PrunedWay, RunId, SETTLING, SpliceCounts, Stop, Strategy, Summary, Transport, Verdict,
    WronglyPruned,
};
