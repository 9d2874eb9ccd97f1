//! The obvious twin: two nodes are in one component if each reaches the other.

use crate::Adjacency;

pub fn same_component(graph: &Adjacency, left: u32, right: u32) -> bool {
    graph.reachable_from([left])[right as usize] && graph.reachable_from([right])[left as usize]
}
