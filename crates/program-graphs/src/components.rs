//! Strongly connected components: Tarjan's algorithm without recursion.

pub mod simple;

use crate::Adjacency;

/// The strongly connected components of a graph, callees before callers: an edge
/// leads from a component to one with the same or a lower number.
#[derive(Clone, Debug)]
pub struct Components {
    pub component_of: Vec<u32>,
    pub members: Vec<Vec<u32>>,
}

impl Components {
    pub fn of(graph: &Adjacency) -> Self {
        Self::of_subgraph(graph, |_| true, |_, _| true)
    }

    /// Of the nodes and edges that are kept. A node left out has component `u32::MAX`.
    pub fn of_subgraph(
        graph: &Adjacency,
        keep_node: impl Fn(u32) -> bool,
        keep_edge: impl Fn(u32, u32) -> bool,
    ) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let node_count = graph.node_count();
        let mut index_of = vec![UNSEEN; node_count];
        let mut low = vec![0u32; node_count];
        let mut component_of = vec![u32::MAX; node_count];
        let mut members = Vec::new();
        let mut open = Vec::new();
        let mut next_index = 0;
        let mut calls: Vec<(u32, usize)> = Vec::new();
        for root in 0..node_count as u32 {
            if index_of[root as usize] != UNSEEN || !keep_node(root) {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, edge)) = calls.last_mut() {
                let node = *node;
                if *edge == 0 {
                    index_of[node as usize] = next_index;
                    low[node as usize] = next_index;
                    next_index += 1;
                    open.push(node);
                }
                if let Some(&next) = graph.of(node).get(*edge) {
                    *edge += 1;
                    // The first visit of a node is told by its edge counter being zero,
                    // so a node without out-edges is finished in the branch below.
                    if !keep_node(next) || !keep_edge(node, next) {
                        continue;
                    }
                    if index_of[next as usize] == UNSEEN {
                        calls.push((next, 0));
                    } else if component_of[next as usize] == u32::MAX {
                        low[node as usize] = low[node as usize].min(index_of[next as usize]);
                    }
                } else {
                    calls.pop();
                    if let Some(&(parent, _)) = calls.last() {
                        low[parent as usize] = low[parent as usize].min(low[node as usize]);
                    }
                    if low[node as usize] == index_of[node as usize] {
                        let component = members.len() as u32;
                        let mut group = Vec::new();
                        while let Some(member) = open.pop() {
                            component_of[member as usize] = component;
                            group.push(member);
                            if member == node {
                                break;
                            }
                        }
                        group.sort_unstable();
                        members.push(group);
                    }
                }
            }
        }
        Components {
            component_of,
            members,
        }
    }

    pub fn same(&self, left: u32, right: u32) -> bool {
        self.component_of[left as usize] == self.component_of[right as usize]
    }
}
