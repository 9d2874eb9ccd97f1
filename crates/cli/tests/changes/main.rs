//! What changed between versions and what depends on it: `parallax diff`, `impact`, `mutate`, and the graphs below them.
//! One executable: linking is most of what a small test costs.

mod diff;
mod diff_reports;
mod impact;
mod mutate;
mod observed_dependences;
#[path = "../support/mod.rs"]
mod support;
