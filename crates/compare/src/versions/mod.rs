//! The versions that are compared, what has changed between them, and what they do on one input.

pub(crate) mod as_built;
pub mod changed_line;
pub(crate) mod changes;
mod edits;
pub mod golden;
pub mod groups;
pub(crate) mod outcome;
pub(crate) mod run;
pub mod source_files;
mod source_line;
