//! What is collected while the syntax tree is walked: edits of the text.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Parser};

use crate::Operator;

/// What to mutate that is left alone otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Arguments of `assert` and `static_assert`.
    pub asserts: bool,
    /// Bodies of `#define` and conditions of `#if`.
    pub directives: bool,
    /// Strings: they become empty.
    pub strings: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum MutationError {
    #[error("the C parser gave up on the source")]
    NotParsed,
    #[error("the source is longer than {limit} bytes")]
    TooLong { limit: usize },
}

/// One replacement of a piece of text.
pub(crate) struct Edit {
    pub(crate) operator: Operator,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) replacement: Vec<u8>,
    pub(crate) function: Option<Rc<str>>,
}

/// Collects edits while the tree is walked.
pub(crate) struct Sites<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) edits: Vec<Edit>,
    /// Literals that are loop bounds: one off there is the business of [`Operator::LoopBound`].
    pub(crate) bounds: HashSet<usize>,
    /// The function whose definition is being walked.
    pub(crate) function: Option<Rc<str>>,
}

impl Sites<'_> {
    pub(crate) fn text(&self, node: Node) -> &[u8] {
        &self.source[node.byte_range()]
    }

    pub(crate) fn replace(
        &mut self,
        operator: Operator,
        node: Node,
        replacement: impl Into<Vec<u8>>,
    ) {
        self.replace_range(operator, node.byte_range(), replacement.into());
    }

    pub(crate) fn replace_range(
        &mut self,
        operator: Operator,
        range: Range<usize>,
        replacement: Vec<u8>,
    ) {
        self.edits.push(Edit {
            operator,
            start: range.start,
            end: range.end,
            replacement,
            function: self.function.clone(),
        });
    }
}

pub(crate) fn parse(source: &[u8]) -> Result<tree_sitter::Tree, MutationError> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_c::LANGUAGE.into())
        .expect("the grammar fits the parser library");
    parser.parse(source, None).ok_or(MutationError::NotParsed)
}
