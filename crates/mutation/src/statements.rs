//! Statements left out.

use tree_sitter::Node;

use crate::Operator;
use crate::sites::Sites;

/// Simple statements only: without an `if` or a loop as a whole the mutant would be another program. The newlines
/// of the statement stay, so that every other line keeps its number.
pub(crate) fn collect(node: Node, sites: &mut Sites) {
    let is_simple = matches!(
        node.kind(),
        "expression_statement"
            | "break_statement"
            | "continue_statement"
            | "goto_statement"
            | "return_statement"
    );
    if !is_simple || sites.text(node) == b";" || node.has_error() {
        return;
    }
    let newlines = sites
        .text(node)
        .iter()
        .filter(|byte| **byte == b'\n')
        .count();
    let mut empty = b";".to_vec();
    empty.extend(std::iter::repeat_n(b'\n', newlines));
    sites.replace(Operator::DeleteStatement, node, empty);
}
