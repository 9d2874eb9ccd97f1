//! Runs the programs under `tests/` natively and in the VM and compares what they did.
//!
//! - [`directives`] reads the `//@` lines at the head of a test program;
//! - [`corpus`] finds the programs;
//! - [`native`] builds one with the ordinary compiler (cached by content) and runs it;
//! - [`vm`] runs one with `parallax run`;
//! - [`outcome`] is what a run did, and how two of them are compared;
//! - [`real`] runs programs of real projects, by the tables that [`invocations`] reads, and compares
//!   the files they leave ([`file_tree`]) too.
//!
//! `tests/native_*.rs` check the programs themselves: that they build, are deterministic, do not
//! depend on the optimisation level, and that the sanitizers agree with what each says about
//! itself. `tests/programs.rs` and `tests/misbehaving.rs` hold the VM against them. The format of
//! the programs is described in `tests/README.md`.

pub mod corpus;
pub mod directives;
pub mod file_tree;
pub mod invocations;
pub mod native;
pub mod outcome;
pub mod real;
pub mod replays;
pub mod run_directory;
pub mod vm;
