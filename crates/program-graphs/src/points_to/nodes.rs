//! The nodes of the constraint graph, and which of them have been merged.

use crate::SparseSet;

/// What happens at a node when it gains locations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reaction {
    /// To the node, with `delta` added and spread by `stride`.
    Move(u32, i64, u64),
    LoadInto(u32),
    StoreFrom(u32),
    TransferTo(u32),
    TransferFrom(u32),
    Call(u32),
}

pub(super) const NO_NODE: u32 = u32::MAX;

/// What is known of each node, by its number. For a merged node, see its representative.
pub(super) struct Nodes {
    pub(super) parent: Vec<u32>,
    pub(super) current: Vec<SparseSet>,
    pub(super) pushed: Vec<SparseSet>,
    pub(super) copies: Vec<SparseSet>,
    /// Copies that have not carried anything yet.
    pub(super) fresh: Vec<SparseSet>,
    pub(super) reactions: Vec<Vec<Reaction>>,
    /// What its loads see, and what its stores store; [`NO_NODE`] if there are none.
    pub(super) load_hub: Vec<u32>,
    pub(super) store_hub: Vec<u32>,
}

impl Nodes {
    pub(super) fn new(count: u32) -> Nodes {
        let size = count as usize;
        Nodes {
            parent: (0..count).collect(),
            current: vec![SparseSet::new(); size],
            pushed: vec![SparseSet::new(); size],
            copies: vec![SparseSet::new(); size],
            fresh: vec![SparseSet::new(); size],
            reactions: vec![Vec::new(); size],
            load_hub: vec![NO_NODE; size],
            store_hub: vec![NO_NODE; size],
        }
    }

    pub(super) fn add(&mut self) -> u32 {
        let id = self.parent.len() as u32;
        self.parent.push(id);
        self.current.push(SparseSet::new());
        self.pushed.push(SparseSet::new());
        self.copies.push(SparseSet::new());
        self.fresh.push(SparseSet::new());
        self.load_hub.push(NO_NODE);
        self.store_hub.push(NO_NODE);
        self.reactions.push(Vec::new());
        id
    }

    /// The representative of a node.
    pub(super) fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[node as usize];
            self.parent[node as usize] = self.parent[above as usize];
            node = above;
        }
        node
    }

    /// The cycles of copies (Tarjan's strongly connected components), and the nodes that stand for themselves or for a
    /// cycle, sources first. The last member of a cycle is the one in the order.
    pub(super) fn cycles(&mut self) -> (Vec<u32>, Vec<Vec<u32>>) {
        const UNSEEN: u32 = u32::MAX;
        let count = self.parent.len();
        let mut index_of = vec![UNSEEN; count];
        let mut low = vec![0u32; count];
        let mut done = vec![false; count];
        let mut open: Vec<u32> = Vec::new();
        let mut order = Vec::new();
        let mut next_index = 0;
        let mut cycles: Vec<Vec<u32>> = Vec::new();
        let mut calls: Vec<(u32, Vec<u32>)> = Vec::new();
        for root in 0..count as u32 {
            if self.parent[root as usize] != root || index_of[root as usize] != UNSEEN {
                continue;
            }
            if self.copies[root as usize].is_empty() && self.fresh[root as usize].is_empty() {
                if !self.current[root as usize].is_empty() {
                    index_of[root as usize] = next_index;
                    next_index += 1;
                    done[root as usize] = true;
                    order.push(root);
                }
                continue;
            }
            index_of[root as usize] = next_index;
            low[root as usize] = next_index;
            next_index += 1;
            open.push(root);
            calls.push((root, self.all_copies(root)));
            while let Some((node, rest)) = calls.last_mut() {
                let node = *node;
                if let Some(next) = rest.pop() {
                    let next = self.find(next);
                    if index_of[next as usize] == UNSEEN {
                        index_of[next as usize] = next_index;
                        low[next as usize] = next_index;
                        next_index += 1;
                        open.push(next);
                        calls.push((next, self.all_copies(next)));
                    } else if !done[next as usize] {
                        low[node as usize] = low[node as usize].min(index_of[next as usize]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((above, _)) = calls.last() {
                    low[*above as usize] = low[*above as usize].min(low[node as usize]);
                }
                if low[node as usize] == index_of[node as usize] {
                    let mut group = Vec::new();
                    while let Some(member) = open.pop() {
                        done[member as usize] = true;
                        group.push(member);
                        if member == node {
                            break;
                        }
                    }
                    order.push(node);
                    if group.len() > 1 {
                        cycles.push(group);
                    }
                }
            }
        }
        order.reverse();
        (order, cycles)
    }

    fn all_copies(&self, node: u32) -> Vec<u32> {
        let (old, fresh) = (&self.copies[node as usize], &self.fresh[node as usize]);
        old.iter().chain(fresh.iter()).collect()
    }
}
