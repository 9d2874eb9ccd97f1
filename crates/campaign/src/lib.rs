//! The rim of Parallax: builds programs into guest modules, runs them, and speaks to the user.

pub mod build;
pub mod cli;
pub mod comparison;
pub mod confirmation;
pub mod history;
pub mod interrupt;
pub mod line_coverage;
pub mod minimise;
pub mod mutants;
pub mod native;
pub mod prediction;
pub mod replay;
pub mod sanitizer_report;
pub mod test_case;
pub mod undefined;
