//! Which layers the solver has: for measurements and for finding faults in one of them.

use anyhow::bail;
use clap::{Args, ValueEnum};
use solver::Backend;

#[derive(Args, Debug)]
pub(super) struct SolverOptions {
    /// What decides the questions that the quick layers do not
    #[arg(
        long,
        value_enum,
        default_value = "bit-blasting",
        hide_short_help = true
    )]
    backend: BackendName,
    /// Leave out a layer of the solver (simplify, slicing, cache, boxes or quick); may be repeated
    #[arg(long, value_name = "LAYER", hide_short_help = true)]
    without_layer: Vec<String>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum BackendName {
    /// Our bit-blaster onto CaDiCaL; Z3 for floating point
    BitBlasting,
    Z3,
    /// Nothing: what the layers do not decide is unknown
    None,
}

impl SolverOptions {
    pub(super) fn config(&self) -> anyhow::Result<solver::Config> {
        let mut config = solver::Config {
            backend: match self.backend {
                BackendName::BitBlasting => Backend::BitBlasting,
                BackendName::Z3 => Backend::Z3,
                BackendName::None => Backend::None,
            },
            ..solver::Config::default()
        };
        for layer in &self.without_layer {
            match layer.as_str() {
                "simplify" => config.simplify = false,
                "slicing" => config.slicing = false,
                "cache" => config.cache = false,
                "boxes" => config.boxes = false,
                "quick" => config.quick = false,
                _ => bail!(
                    "the solver has no layer `{layer}`; `--without-layer` takes simplify, slicing, cache, boxes or quick"
                ),
            }
        }
        Ok(config)
    }
}
