//! What changed between two versions of a program, what that can affect, and how the
//! changes can meet.
//!
//! - [`diff()`] gives the [`ChangeSet`] of two modules: `match_functions` and
//!   `match_globals` say what is the same thing in both, `align` guesses which instruction
//!   is which, `compare` finds change points that explain every difference, `statements`
//!   groups them by source line.
//! - `express`, `regions`: static facts that guide and prune exploration.
//! - `impact`, `test_selection`: what a change can affect, and which tests can execute it.
//! - `change_sequence_graph`, `complexity`: in which orders changes can be executed.
//! - `report`, `render`: all of it in words and pictures.
//!
//! **Invariant: a run of the new version that executes no change point behaves as the old
//! version does on the same input.** (`compare` says why; tests check it by execution.)
//!
//! **Nothing here reads files or serialises**; source texts come through
//! [`report::Sources`].

pub mod align;
pub mod attributes;
pub mod calls;
pub mod change_sequence_graph;
pub mod changes;
pub mod compare;
pub mod complexity;
pub mod express;
mod fingerprint;
pub mod impact;
pub mod input_space;
pub mod match_functions;
mod match_globals;
mod operation;
pub mod own_changes;
pub mod regions;
pub mod render;
pub mod report;
pub mod source_locations;
pub mod statements;
pub mod symbols;
pub mod test_selection;
pub mod version;

pub use align::Alignment;
pub use changes::{
    ChangeSet, FunctionChange, GlobalChange, GlobalDifference, diff, diff_with, whole_function,
};
pub use compare::{ChangeKind, ChangePoint, CompareOptions, Comparison, Deletion, Taker};
pub use input_space::CommonInputSpace;
pub use match_functions::{FunctionMatch, MatchKind};
pub use statements::{SourceLine, StatementChange, StatementKind};
