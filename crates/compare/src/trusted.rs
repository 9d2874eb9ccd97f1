//! What proofs rest on: the solver, and the static facts of the change.

use exploration::{StaticFacts, Version};
use solver::Solver;

/// Makes the solver of each worker.
pub type MakeSolver = dyn Fn(usize) -> Box<dyn Solver> + Sync;

/// What proofs rest on. Tests put liars in their places.
#[derive(Clone, Copy)]
pub struct Trusted<'t> {
    pub make_solver: &'t MakeSolver,
    pub make_facts: for<'p> fn(Version<'p>, Version<'p>) -> StaticFacts<'p>,
}

impl Trusted<'_> {
    pub const OWN: Trusted<'static> = Trusted {
        make_solver: &|_| solver::chain(&solver::Config::default()),
        make_facts: |old, new| StaticFacts::new(old, new),
    };
}
