//! The body of a `#define`, which the grammar keeps as plain text.

use tree_sitter::Node;

use crate::Mutant;
use crate::sites::{Options, Sites, parse};

use super::mutants;

pub(crate) fn has_body(node: Node) -> bool {
    matches!(node.kind(), "preproc_def" | "preproc_function_def")
        && node.child_by_field_name("value").is_some()
}

/// Mutates the body as an expression, if it is one.
pub(crate) fn body(node: Node, options: Options, sites: &mut Sites) {
    const HEAD: &[u8] = b"int body(void) { return ";
    let Some(value) = node.child_by_field_name("value") else {
        return;
    };
    let text = sites.text(value);
    let fragment = [HEAD, text, b"; }"].concat();
    if text.contains(&b'\n') || parse(&fragment).is_ok_and(|tree| tree.root_node().has_error()) {
        return;
    }
    let inside = HEAD.len()..HEAD.len() + text.len();
    let fits = |mutant: &Mutant| mutant.start >= inside.start && mutant.end <= inside.end;
    let shift = value.start_byte() as isize - HEAD.len() as isize;
    for mutant in mutants(&fragment, options)
        .unwrap_or_default()
        .into_iter()
        .filter(fits)
    {
        let shifted = |at: usize| at.wrapping_add_signed(shift);
        let range = shifted(mutant.start)..shifted(mutant.end);
        sites.replace_range(mutant.operator, range, mutant.replacement);
    }
}
