//! The tests of `compare`, in one executable: linking is most of what a small test costs.

mod comparison;
mod support;
mod wrong_proofs;
