//! Everything about one program that the dependence graphs are made from, in the order
//! in which it is found.

use crate::assumptions::{Assumption, Assumptions};
use crate::call_graph::CallGraph;
use crate::memory_access::{MemoryAccesses, OutsideWorld};
use crate::mod_ref::ModRef;
use crate::points_to::{PointsTo, PointsToConfig, default_roots};
use crate::{Cfg, ControlDependence, Dominators, PostDominators};
use program_ir::{Func, Module};

#[derive(Clone, Debug, Default)]
pub struct FactsConfig {
    /// Functions that the outside calls; empty for [`default_roots`].
    pub roots: Vec<Func>,
    pub points_to: PointsToConfig,
    pub world: OutsideWorld,
}

pub struct ProgramFacts<'a> {
    pub module: &'a Module,
    pub points_to: PointsTo,
    pub calls: CallGraph,
    pub accesses: MemoryAccesses,
    pub mod_ref: ModRef,
    pub assumptions: Assumptions,
}

impl<'a> ProgramFacts<'a> {
    pub fn of(module: &'a Module, config: &FactsConfig) -> Self {
        let roots = if config.roots.is_empty() {
            default_roots(module)
        } else {
            config.roots.clone()
        };
        let points_to = PointsTo::of(module, &roots, &config.points_to);
        let calls = CallGraph::of(module, &points_to);
        let accesses = MemoryAccesses::of(module, &points_to, &calls, config.world);
        let mod_ref = ModRef::of(&points_to, &calls, &accesses);
        let mut assumptions = points_to.assumptions.clone();
        assumptions.add(Assumption::CallsThatMayNotReturnReturn);
        if config.world == OutsideWorld::Ignored {
            assumptions.add(Assumption::WorldIsIgnored);
        }
        ProgramFacts {
            module,
            points_to,
            calls,
            accesses,
            mod_ref,
            assumptions,
        }
    }

    pub fn control_flow(&self, func: Func) -> ControlFlow {
        ControlFlow::of(self.calls.cfg(self.module, func))
    }
}

/// The control-flow analyses of one function, which are needed together.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    pub cfg: Cfg,
    pub dominators: Dominators,
    pub post_dominators: PostDominators,
    pub control_dependence: ControlDependence,
}

impl ControlFlow {
    pub fn of(cfg: Cfg) -> Self {
        let dominators = Dominators::of(&cfg);
        let post_dominators = PostDominators::of(&cfg);
        let control_dependence = ControlDependence::of(&cfg, &post_dominators);
        ControlFlow {
            cfg,
            dominators,
            post_dominators,
            control_dependence,
        }
    }

    /// Whether the block runs whenever the function is called (and ends).
    pub fn runs_always(&self, block: program_ir::Block) -> bool {
        self.cfg
            .entry()
            .is_some_and(|entry| self.post_dominators.post_dominates(block, entry))
    }
}
