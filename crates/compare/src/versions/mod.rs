//! The versions that are compared, what has changed between them, and what they do on one input.

pub(crate) mod as_built;
pub mod changed_line;
pub(crate) mod changes;
pub(crate) mod covered;
mod edits;
pub(crate) mod executed;
pub(crate) mod exercise;
pub mod golden;
pub mod groups;
pub mod input_sources;
pub(crate) mod known_words;
pub mod obstacles;
pub(crate) mod outcome;
pub(crate) mod run;
pub mod source_files;
mod source_line;
