//! Comparing versions of a program, or of a function: [`Comparison::run`] takes a [`Spec`] and gives a [`Report`].
//!
//! The stages, in order, each a folder:
//!
//! | stage | what it does |
//! |---|---|
//! | [`prepare`] | builds and loads the versions, compares their code, opens the folder with what an earlier comparison left |
//! | [`search`] | explores all versions together; collects partitions and kinds of difference |
//! | [`inspect`] | looks at the runs for memory that was never written, undefined operations, and dependences on more than the input |
//! | [`confirm`] | makes examples small, runs them natively, leaves them behind; doubts proofs |
//! | [`report`] | puts it together: what is known of each step, by the policy of [`verdict`] |
//!
//! What they share: the [`spec`], the [`observer`] that is told what happens, [`versions`] (the versions, their changes, what they do on
//! one input), [`trusted`] (what proofs rest on).
//!
//! Nothing here prints, parses arguments or ends the process. Words for people are in the crate `report`.

mod comparison;
pub mod confirm;
pub mod error;
pub mod given;
mod growing_bounds;
pub mod inspect;
mod lengths;
pub mod observer;
pub mod prepare;
pub mod report;
pub mod search;
mod size;
pub mod spec;
pub mod trusted;
pub mod verdict;
pub mod versions;

pub use comparison::Comparison;
pub use confirm::minimise;
pub use error::Error;
pub use inspect::undefined;
pub use observer::{Event, NotUsed, Observer, Unobserved};
pub use prepare::{changed_code, journal_file};
pub use report::Report;
pub use search::memory::memory_used;
pub use spec::Spec;
pub use verdict::Verdict;
