//! The tests of `solver`, in one executable: linking is most of what a small test costs.

mod asked_again;
mod chain;
mod layers;
mod rules;
#[path = "../../../expr/tests/suite/support/mod.rs"]
mod support;
mod synthetic;
