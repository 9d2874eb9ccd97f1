//! Static graphs of one program: control flow, calls, memory, dependence, slices.
//!
//! One analysis per file. Beside each stands a slow, obviously correct twin in a
//! `simple` module with the same meaning; tests compare the two, and a caller may do so
//! on real programs.

mod adjacency;
pub mod cfg;
pub mod components;
pub mod control_dependence;
pub mod dominators;
pub mod loops;
pub mod post_dominators;

pub use adjacency::Adjacency;
pub use cfg::{CallControl, Cfg};
pub use components::Components;
pub use control_dependence::{ControlCause, ControlDependence};
pub use dominators::Dominators;
pub use loops::{IrreducibleRegion, Loops, NaturalLoop};
pub use post_dominators::PostDominators;
