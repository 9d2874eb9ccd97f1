//! What programs and files of strangers must not be able to do.
//! One executable: linking is most of what a small test costs.

mod attacks;
mod box_build;
mod outside;
mod place;
#[path = "../support/mod.rs"]
mod support;
mod untrusted;
