//! `parallax explore` and `replay`: what is found, written, and found again.
//! One executable: linking is most of what a small test costs.

mod bad_input;
mod killed;
mod output;
mod replay;
mod replay_queries;
#[path = "../support/mod.rs"]
mod support;
