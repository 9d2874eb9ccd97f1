//! Work over many versions: the commits of a git history, which of them change a behaviour, and the mutants of a file.

pub mod bisect;
pub mod history;
pub mod mutants;
