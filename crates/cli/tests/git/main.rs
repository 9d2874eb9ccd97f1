//! Versions out of git: `--git`, `parallax bisect`, `init` and `complexity --git`, on repositories that are made here.
//! One executable: linking is most of what a small test costs.

mod bisect;
mod history;
mod init;
mod revisions;
mod revisions_built;
#[path = "../support/mod.rs"]
mod support;
