//! Flips in an order that was fixed when they were queued; those that were taken elsewhere meanwhile are passed over.

use crate::path_tree::{FlipId, OpenFlip, PathTree};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Smaller comes first.
pub(crate) type Key = (u64, u64);

/// Takes the first flip of a queue that is still open.
pub(crate) fn first(
    queue: &mut BinaryHeap<Reverse<(Key, FlipId)>>,
    tree: &mut PathTree,
) -> Option<(FlipId, OpenFlip)> {
    std::iter::from_fn(|| queue.pop()).find_map(|Reverse((_, id))| Some((id, tree.take(id)?)))
}
