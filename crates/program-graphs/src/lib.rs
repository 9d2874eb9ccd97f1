//! Static graphs of one program: control flow, calls, memory, dependence, slices.
//!
//! One analysis per file. Beside each stands a slow, obviously correct twin in a
//! `simple` module with the same meaning; tests compare the two, and a caller may do so
//! on real programs.

mod adjacency;
pub mod assumptions;
pub mod call_graph;
pub mod cells;
pub mod cfg;
pub mod components;
pub mod control_dependence;
pub mod dependence_graph;
pub mod distance;
pub mod dominators;
pub mod externals;
pub mod library;
pub mod location;
pub mod loops;
pub mod memory_access;
pub mod mod_ref;
pub mod points_to;
pub mod post_dominators;
mod program_facts;
pub mod slice;
mod sparse_set;

pub use adjacency::Adjacency;
pub use assumptions::{Assumption, Assumptions};
pub use call_graph::{CallGraph, CallTarget};
pub use cells::{Cell, CellData, Cells};
pub use cfg::{CallControl, Cfg};
pub use components::Components;
pub use control_dependence::{ControlCause, ControlDependence};
pub use dependence_graph::{
    Dependence, DependenceConfig, DependenceGraph, DependenceKind, NodeKind,
};
pub use distance::Distances;
pub use dominators::Dominators;
pub use location::{AbstractMemory, Location, LocationData, Object, ObjectKind, Offset};
pub use loops::{IrreducibleRegion, Loops, NaturalLoop};
pub use memory_access::{Access, AccessKind, Actor, CellSet, MemoryAccesses, OutsideWorld};
pub use mod_ref::{Effects, ModRef};
pub use points_to::{CallBinding, PointsTo, PointsToConfig, default_roots};
pub use post_dominators::PostDominators;
pub use program_facts::{ControlFlow, FactsConfig, ProgramFacts};
pub use slice::{Direction, Slice};
pub use sparse_set::SparseSet;
