//! What proofs rest on: the solver, and the static facts of the change.

use exploration::{Diffs, StaticFacts, Version};
use solver::Solver;

/// Makes the solver of each worker.
pub type MakeSolver = dyn Fn(usize) -> Box<dyn Solver> + Sync;

/// What proofs rest on. Tests put liars in their places.
#[derive(Clone, Copy)]
pub struct Trusted<'t> {
    pub make_solver: &'t MakeSolver,
    /// The last argument is what was already found of the two versions' code.
    pub make_facts: for<'p> fn(Version<'p>, Version<'p>, Diffs) -> StaticFacts<'p>,
}

impl Trusted<'_> {
    pub const OWN: Trusted<'static> = Trusted {
        make_solver: &|_| solver::chain(&solver::Config::default()),
        make_facts: |old, new, diffs| StaticFacts::with_diffs(old, new, diffs),
    };
}
