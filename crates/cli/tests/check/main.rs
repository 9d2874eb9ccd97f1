//! `parallax check` as a user calls it, and what is true of small pairs of versions.
//! One executable: linking is most of what a small test costs.

mod all_changed;
mod alone;
mod attribution;
mod bad_input;
mod called;
mod cases;
mod emitted_tests;
mod endless;
mod express_example;
mod facts_once;
mod fingerprints;
mod first_use;
mod formats;
mod function;
mod function_tests;
mod interfaces;
mod json;
mod modes;
mod noise;
mod page;
mod report;
mod resumed;
mod review;
mod sequences;
#[path = "../support/mod.rs"]
mod support;
mod undefined;
mod undefined_differences;
mod usability;
mod versions;
mod whole_programs;
