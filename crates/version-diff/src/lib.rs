//! What changed between two versions of a program, what that can affect, and how the
//! changes can meet.

pub mod align;
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
pub mod regions;
pub mod render;
pub mod report;
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
