//! Constants that are one off.

use tree_sitter::Node;

use crate::Operator;
use crate::sites::{Options, Sites};

pub(crate) fn collect(node: Node, options: Options, sites: &mut Sites) {
    match node.kind() {
        "number_literal" | "char_literal" if !sites.bounds.contains(&node.start_byte()) => {
            one_off(Operator::Constant, node, sites);
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
    let replacements = match plain_decimal(&text) {
        Some(0) => ["1".to_owned(), "(-1)".to_owned()].map(String::into_bytes),
        Some(number) => [number + 1, number - 1].map(|number| number.to_string().into_bytes()),
        None => [&b" + 1"[..], b" - 1"].map(|change| [b"(", &text[..], change, b")"].concat()),
    };
    for replacement in replacements {
        sites.replace(operator, node, replacement);
    }
}

/// The grammar takes a sign before a number as its part. Octal numbers, suffixes and what an `int` cannot hold are
/// left to the compiler.
fn plain_decimal(text: &[u8]) -> Option<i32> {
    let text = str::from_utf8(text).ok()?;
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    let number = text.parse().ok().filter(|_| is_plain)?;
    (number < i32::MAX && number > i32::MIN + 1).then_some(number)
}
