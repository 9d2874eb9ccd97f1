//! What two runs, or two versions, tell: for which inputs they differ, which changes matter, and which proofs there are that nothing
//! differs.
//!
//! | module | idea |
//! |---|---|
//! | [`subject`] | what is explored: a program, or one function of it |
//! | [`version_run`] | what one version did on an input |
//! | [`compare`] | what two versions did on one path, and for which inputs it differs |
//! | [`outputs`] | what the versions put out on a path, in words |
//! | [`static_facts`] | what is known of two versions without a run, found when it is asked for |
//! | [`changes`] | static facts of a change: its points, irrelevant ways |
//! | `system_calls` | which system calls a function makes, as far as its text says |
//! | [`change_distances`], [`guards`] | how far ways are from a change; branches that decide operands of conditions near it |
//! | [`aim`] | what a search asks of the change |
//! | [`infection`] | changes that were executed without an effect on the state |
//! | [`alone`] | changed functions that do the same by themselves |
//! | [`relevance`] | which decisions of a run matter: relevant slices |
//! | [`attribution`] | which changes are responsible for a difference |
//! | [`propagate`] | makes a change's effect go farther: where did it stop, and which inputs get past that |
//! | `both` | doing the same for both versions at the same time |
//! | [`counting`] | how many inputs satisfy the conditions of a path |
//!
//! The crate opens no files.

pub mod aim;
pub mod alone;
pub mod attribution;
mod both;
pub mod change_distances;
pub mod changes;
pub mod compare;
pub mod counting;
pub mod diffs;
pub mod guards;
pub mod infection;
pub mod outputs;
pub mod propagate;
pub mod relevance;
pub mod static_facts;
pub mod subject;
mod system_calls;
pub mod version_run;

pub use changes::{ChangeFacts, Relevance};
pub use diffs::Diffs;
pub use static_facts::StaticFacts;
pub use subject::{MachineConfig, Subject, Version};
pub use version_run::{Shared, VersionRun};
