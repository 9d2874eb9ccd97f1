//! Control dependence of blocks, after Ferrante, Ottenstein and Warren.
//!
//! **Definition.** Block `x` depends on block `c` going toward its successor `s` if `x`
//! post-dominates `s` and does not strictly post-dominate `c`, where post-dominance is
//! that of `post_dominators`: with one virtual exit, and an extra edge to it from the
//! header of every region that control never leaves.
//!
//! This is the *non-termination insensitive* (weak) kind: a statement after a loop does
//! not depend on whether the loop ends. The papers' slices are of this kind ("considers
//! all potential, terminating executions"), and so are the dynamic control dependences
//! that a run yields.
//!
//! **Why it is enough without a unique end.** A set of blocks is safe to slice by if
//! every block outside the set meets at most one of the set's blocks first (it is
//! *weakly committing*; Danicic et al., "A unifying theory of control dependence and its
//! application to arbitrary program structures"). A set closed under the dependence
//! above is weakly committing in the graph with the extra edges, hence also without
//! them, since leaving edges out only takes paths away. The argument asks neither for
//! reducibility nor for termination, and the tests check the property itself.
//!
//! Inside an endless region everything depends on the region's header, as in a loop
//! whose header tests a condition. That costs some precision, never safety.

pub mod simple;

use crate::{Adjacency, Cfg, PostDominators};
use program_ir::{Block, EntityRef};

/// Taken because `controller` goes toward its successor `toward`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ControlCause {
    pub controller: Block,
    pub toward: Block,
}

#[derive(Clone, Debug)]
pub struct ControlDependence {
    causes: Vec<Vec<ControlCause>>,
    dependents: Adjacency,
}

impl ControlDependence {
    pub fn of(cfg: &Cfg, post_dominators: &PostDominators) -> Self {
        let mut causes = vec![Vec::new(); cfg.block_count()];
        let mut pairs = Vec::new();
        for &controller in cfg.reverse_post_order() {
            let stop = post_dominators.immediate(controller);
            for toward in cfg.successors(controller) {
                let cause = ControlCause { controller, toward };
                let mut dependent = Some(toward);
                while let Some(block) = dependent
                    && Some(block) != stop
                {
                    causes[block.index()].push(cause);
                    pairs.push((controller.as_u32(), block.as_u32()));
                    dependent = post_dominators.immediate(block);
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        ControlDependence {
            causes,
            dependents: Adjacency::from_edges(cfg.block_count(), &pairs),
        }
    }

    /// What the execution of `block` depends on. Empty: only on the function being
    /// called (or the block is unreachable).
    pub fn causes(&self, block: Block) -> &[ControlCause] {
        &self.causes[block.index()]
    }

    /// Distinct blocks on which `block` depends.
    pub fn controllers(&self, block: Block) -> Vec<Block> {
        let mut controllers: Vec<Block> = self
            .causes(block)
            .iter()
            .map(|cause| cause.controller)
            .collect();
        controllers.sort_unstable();
        controllers.dedup();
        controllers
    }

    /// Distinct blocks that depend on `controller`.
    pub fn dependents(&self, controller: Block) -> impl Iterator<Item = Block> + '_ {
        let dependents = self.dependents.of(controller.as_u32());
        dependents.iter().map(|&block| Block::from_u32(block))
    }
}
