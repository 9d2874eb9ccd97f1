//! Change sets as terminal text, graphs as Graphviz text and as SVG.

pub mod distribution;
pub mod drawing;
pub mod graphs;
mod layout;
pub mod svg;
pub mod terminal;

pub use drawing::{Drawing, EdgeStyle, NodeStyle};
