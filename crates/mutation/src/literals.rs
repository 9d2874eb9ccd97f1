//! Constants that are one off.

use tree_sitter::Node;

use crate::Operator;
use crate::sites::{Options, Sites};

pub(crate) fn collect(node: Node, options: Options, sites: &mut Sites) {
    match node.kind() {
        "number_literal" | "char_literal" => {
            if !sites.bounds.contains(&node.start_byte()) {
                one_off(Operator::Constant, node, sites);
            }
        }
        "string_literal" if options.strings && sites.text(node) != b"\"\"" => {
            sites.replace(Operator::Constant, node, "\"\"");
        }
        _ => {}
    }
}

pub(crate) fn is_number(node: Node) -> bool {
    node.kind() == "number_literal"
}

/// One larger and one smaller. A plain decimal number is computed, so that the mutant reads like a slip of the pen.
pub(crate) fn one_off(operator: Operator, node: Node, sites: &mut Sites) {
    let text = sites.text(node).to_vec();
    let plain = str::from_utf8(&text)
        .ok()
        .filter(|text| *text == "0" || !text.starts_with('0'))
        .and_then(|text| text.parse::<u32>().ok())
        .filter(|number| *number < i32::MAX as u32);
    let replacements = match plain {
        Some(0) => ["1".to_owned().into_bytes(), b"(-1)".to_vec()],
        Some(number) => [number + 1, number - 1].map(|number| number.to_string().into_bytes()),
        None => [&b" + 1"[..], b" - 1"].map(|change| [b"(", &text[..], change, b")"].concat()),
    };
    for replacement in replacements {
        sites.replace(operator, node, replacement);
    }
}
