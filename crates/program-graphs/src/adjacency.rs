//! A directed graph over dense u32 nodes as two flat arrays.

/// The out-edges of every node, in the order in which they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    /// Invariant: one longer than the number of nodes, ascending.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Adjacency {
    pub fn from_edges(node_count: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; node_count + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..node_count {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut targets = vec![0u32; edges.len()];
        for &(from, to) in edges {
            let slot = &mut next[from as usize];
            targets[*slot as usize] = to;
            *slot += 1;
        }
        Adjacency { starts, targets }
    }

    pub fn node_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub fn edge_count(&self) -> usize {
        self.targets.len()
    }

    pub fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node] as usize..self.starts[node + 1] as usize]
    }

    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.node_count() as u32)
            .flat_map(move |from| self.of(from).iter().map(move |&to| (from, to)))
    }

    pub fn reversed(&self) -> Adjacency {
        let edges: Vec<_> = self.edges().map(|(from, to)| (to, from)).collect();
        Adjacency::from_edges(self.node_count(), &edges)
    }

    /// Which nodes can be reached from `roots`, the roots themselves included.
    pub fn reachable_from(&self, roots: impl IntoIterator<Item = u32>) -> Vec<bool> {
        let mut seen = vec![false; self.node_count()];
        let mut stack: Vec<u32> = Vec::new();
        for root in roots {
            if !std::mem::replace(&mut seen[root as usize], true) {
                stack.push(root);
            }
        }
        while let Some(node) = stack.pop() {
            for &next in self.of(node) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    stack.push(next);
                }
            }
        }
        seen
    }

    /// The nodes reachable from `root` in reverse post-order of a depth-first search
    /// that visits out-edges in order.
    pub fn reverse_post_order(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.node_count()];
        let mut order = Vec::new();
        let mut stack = vec![(root, 0usize)];
        seen[root as usize] = true;
        while let Some((node, next_edge)) = stack.last_mut() {
            match self.of(*node).get(*next_edge) {
                Some(&next) => {
                    *next_edge += 1;
                    if !std::mem::replace(&mut seen[next as usize], true) {
                        stack.push((next, 0));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}
