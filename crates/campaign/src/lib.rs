//! Work over many versions: the commits of a git history, and the mutants of a file.

pub mod history;
pub mod mutants;
