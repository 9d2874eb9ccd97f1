//! Propagating the effect of a change to an output (Qi et al., §3.2, Algorithm 2).

pub mod align;
pub mod transfer;
