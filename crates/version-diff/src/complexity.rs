//! How complex is a change? (Thesis §5.2, Definitions 13 to 15.)
//!
//! *Cyclomatic change complexity*: CyCC = E − N + 2P of the change sequence graph of the
//! changed blocks, the number of linearly independent sequences in which changes can be
//! executed. *CLoC*: the number of executable source lines that changed, those of deleted
//! statements included, since a deleted statement is a changed element (Definition 13).

use crate::calls::Calls;
use crate::change_sequence_graph::{ChangeSequenceGraph, count_changed_blocks};
use crate::changes::{ChangeSet, whole_function};
use crate::express::points_of;
use crate::statements::{SourceLine, StatementKind};
use program_ir::Module;
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Complexity {
    /// 0 if no change can be executed.
    pub cycc: u64,
    pub cloc: u64,
    pub nodes: u64,
    pub edges: u64,
    pub components: u64,
}

pub fn complexity(
    old: &Module,
    new: &Module,
    changes: &ChangeSet,
    calls: &Calls<'_>,
) -> Complexity {
    let (nodes, edges) = count_changed_blocks(calls, &points_of(changes, new));
    // Every node is reached from the entry.
    let components = usize::from(nodes > 0);
    Complexity {
        cloc: changed_lines(old, new, changes),
        ..of_counts(nodes, edges, components)
    }
}

/// All but CLoC.
pub fn of_graph(graph: &ChangeSequenceGraph) -> Complexity {
    of_counts(
        graph.nodes.len(),
        graph.edges.len(),
        graph.component_count(),
    )
}

fn of_counts(nodes: usize, edges: usize, components: usize) -> Complexity {
    Complexity {
        // Every component is connected, so E ≥ N − P.
        cycc: (edges + 2 * components - nodes) as u64,
        cloc: 0,
        nodes: nodes as u64,
        edges: edges as u64,
        components: components as u64,
    }
}

fn changed_lines(old: &Module, new: &Module, changes: &ChangeSet) -> u64 {
    let mut in_old: BTreeSet<SourceLine> = BTreeSet::new();
    let mut in_new: BTreeSet<SourceLine> = BTreeSet::new();
    let added = changes.added_functions.iter();
    let added = added.flat_map(|&func| whole_function(new, func, StatementKind::Added));
    let removed = changes.removed_functions.iter();
    let removed = removed.flat_map(|&func| whole_function(old, func, StatementKind::Deleted));
    let changed = changes
        .functions
        .iter()
        .flat_map(|change| change.statements.clone());
    for statement in changed.chain(added).chain(removed) {
        match statement.kind {
            StatementKind::Deleted => in_old.extend(statement.old),
            StatementKind::Added | StatementKind::Modified => in_new.extend(statement.new),
        }
    }
    (in_old.len() + in_new.len()) as u64
}
