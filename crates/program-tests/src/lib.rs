//! Runs the programs under `tests/` natively and in the VM and compares what they did.
//!
//! - [`directives`] reads the `//@` lines at the head of a test program;
//! - [`domain`] is the input that a program is explored with, and enumerates it;
//! - [`brute_force`] holds exploration against the runs of all inputs;
//! - [`corpus`] finds the programs;
//! - [`generated`] compiles random programs for that, [`remembered_answers`] saves solving twice;
//! - [`partition_check`] holds the partitions of a comparison against those runs;
//! - [`whole_program`] is a program of ours, to be explored;
//! - [`native`] builds one with the ordinary compiler (cached by content) and runs it;
//! - [`vm`] runs one with `parallax run`;
//! - [`outcome`] is what a run did, and how two of them are compared;
//! - [`expected_error`] holds reports against what a misbehaving program says of itself;
//! - [`processor_time`] measures commands, for benchmarks, and [`proof_costs`] comparisons to the end;
//! - [`real`] runs programs of real projects, by the tables that [`invocations`] reads, and compares
//!   the files they leave ([`file_tree`]) too;
//! - [`debian_pairs`] builds real programs before and after a Debian patch;
//! - [`refactorings`] takes real functions out of their files ([`c_definitions`]) and rewrites them;
//! - [`subjects`] reads the programs to measure with, [`subject_inputs`] makes inputs for them, [`quick_runs`]
//!   runs them thousands of times, and [`mutant_list`] is what that says of their mutants;
//! - [`subject_space`] is the input that a search of a subject may choose, [`version_pairs`] are its program and a
//!   changed version, [`first_difference`] measures a search for a difference between them, and [`check_records`]
//!   keeps the measurements and makes tables of them;
//! - [`first_use`] reads ordinary programs with a hundred edits of known truth, and [`first_use_inputs`] makes inputs for them.
//!
//! `tests/corpus/native_*.rs` check the programs themselves: that they build, are deterministic, do not
//! depend on the optimisation level, and that the sanitizers agree with what each says about
//! itself. `vm_programs.rs` and `vm_misbehaving.rs` there hold the VM against them, and so do
//! `explored.rs` and `seeded_bugs.rs` for the programs under `tests/explore`. The format of
//! the programs is described in `tests/README.md`.

pub mod brute_force;
pub mod c_definitions;
pub mod chance;
pub mod check_records;
pub mod corpus;
pub mod debian_pairs;
pub mod directives;
pub mod domain;
pub mod expected_error;
pub mod file_tree;
pub mod first_difference;
pub mod first_use;
pub mod first_use_inputs;
pub mod function_pairs;
pub mod generated;
pub mod heap_functions;
pub mod invocations;
pub mod mutant_list;
pub mod native;
pub mod outcome;
pub mod partition_check;
pub mod processor_time;
pub mod proof_costs;
pub mod quick_runs;
pub mod real;
pub mod refactorings;
pub mod remembered_answers;
pub mod replays;
pub mod run_directory;
pub mod subject_inputs;
pub mod subject_space;
pub mod subjects;
pub mod version_pairs;
pub mod vm;
pub mod whole_program;
