//! How the layers are stacked: [`chain`] is the whole story.

use std::io::Write;

use crate::backends::bitblast::BitBlaster;
use crate::backends::z3::Z3;
use crate::layers::boxes::Boxes;
use crate::layers::cache::Cache;
use crate::layers::fallback::Fallback;
use crate::layers::quick::Quick;
use crate::layers::simplify::Simplify;
use crate::layers::slicing::Slicing;
use crate::layers::validate::Validate;
use crate::log::Logging;
use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};

/// What decides the queries that the layers do not.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Backend {
    /// Z3 alone.
    Z3,
    /// Our bit-blaster, Z3 for what it does not support (floating-point arithmetic).
    BitBlasting,
    /// Nothing: undecided queries are `Unknown`.
    None,
}

/// Which layers are there. The default is what measurement favours; see `docs/solver.md`.
#[derive(Clone, Debug)]
pub struct Config {
    pub simplify: bool,
    pub slicing: bool,
    pub cache: bool,
    pub boxes: bool,
    pub quick: bool,
    pub backend: Backend,
    /// Whether a model that fails validation panics, instead of being reported and counted as unknown.
    pub panic_on_wrong_model: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            simplify: true,
            slicing: true,
            cache: true,
            boxes: true,
            quick: true,
            backend: Backend::BitBlasting,
            panic_on_wrong_model: cfg!(debug_assertions),
        }
    }
}

/// The solver: validation outermost, then the layers from cheap to dear, then the back end.
pub fn chain(config: &Config) -> Box<dyn Solver> {
    let mut solver = backend(config.backend);
    if config.quick {
        solver = Box::new(Quick::new(solver));
    }
    if config.boxes {
        solver = Box::new(Boxes::new(solver));
    }
    if config.cache {
        solver = Box::new(Cache::new(solver));
    }
    if config.slicing {
        solver = Box::new(Slicing::new(solver));
    }
    if config.simplify {
        solver = Box::new(Simplify::new(solver));
    }
    Box::new(Validate::new(solver, config.panic_on_wrong_model))
}

/// The same, with every query and its answer written to a log that [`crate::log::replay`] reads.
pub fn logged_chain(config: &Config, log: Box<dyn Write + Send>) -> Box<dyn Solver> {
    Box::new(Logging::new(chain(config), log))
}

fn backend(backend: Backend) -> Box<dyn Solver> {
    match backend {
        Backend::Z3 => Box::new(Z3::new()),
        Backend::BitBlasting => Box::new(Fallback::new(
            Box::new(BitBlaster::new()),
            Box::new(Z3::new()),
        )),
        Backend::None => Box::new(Nothing(LayerStatistics::new("none"))),
    }
}

/// The back end that decides nothing.
struct Nothing(LayerStatistics);

impl Solver for Nothing {
    fn name(&self) -> &'static str {
        "none"
    }

    fn solve(&mut self, _: &expr::Store, _: &Query) -> Answer {
        self.0.asked += 1;
        self.0.unknown += 1;
        Answer::Unknown(Reason::NoBackend)
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        vec![self.0.clone()]
    }

    fn reset(&mut self) {}
}
