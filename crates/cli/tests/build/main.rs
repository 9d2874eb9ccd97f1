//! `parallax build`, `cc`, `run` and `debug`, and the guest libc that programs are linked with.
//! One executable: linking is most of what a small test costs.

mod bad_arguments;
mod build;
mod cc;
mod cc_sanitized;
mod debug;
mod files_out;
mod interrupted;
mod libc;
mod manual;
mod run;
mod runtime;
#[path = "../support/mod.rs"]
mod support;
