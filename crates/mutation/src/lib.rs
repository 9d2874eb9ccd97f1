//! Mutants of a C source: copies that differ from it by one small change, such as a person makes by mistake.
//!
//! [`mutants`] finds every place where an [`Operator`] applies, by the syntax tree that tree-sitter gives. A mutant
//! is one edit of the text; [`Mutant::patch`] is that edit as a unified diff. This crate does no IO and starts no
//! compiler, so some mutants do not compile: whoever writes them out checks.
//!
//! A mutant keeps its number whatever operators are asked for: all places are numbered in the order of the text,
//! those that only [`Options`] bring in come after all others.

mod conditions;
mod expressions;
mod literals;
mod operator;
mod patch;
mod sample;
mod sites;
mod statements;
mod walk;

pub use operator::Operator;
pub use patch::Patch;
pub use sample::shuffled;
pub use sites::{MutationError, Options};
pub use walk::mutants;

/// One mutant: the original with the bytes `start..end` replaced.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mutant {
    /// From 1, the same for the same source.
    pub number: u32,
    pub operator: Operator,
    pub start: usize,
    pub end: usize,
    pub replacement: Vec<u8>,
    /// Of the first replaced byte, from 1.
    pub line: u32,
    /// In bytes, from 1.
    pub column: u32,
    /// `None` outside functions.
    pub function: Option<String>,
}

impl Mutant {
    /// A name for files and lists: `m0042`.
    pub fn id(&self) -> String {
        format!("m{:04}", self.number)
    }

    /// The mutated source.
    pub fn apply(&self, source: &[u8]) -> Vec<u8> {
        let mut text = source[..self.start].to_vec();
        text.extend(&self.replacement);
        text.extend(&source[self.end..]);
        text
    }

    /// What is replaced.
    pub fn original<'a>(&self, source: &'a [u8]) -> &'a [u8] {
        &source[self.start..self.end]
    }
}
