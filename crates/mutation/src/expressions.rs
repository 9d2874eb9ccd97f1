//! Swapped operators and swapped arguments.

use tree_sitter::Node;

use crate::Operator;
use crate::sites::Sites;

/// Each operator with its replacements. Of the relational ones, those that Kaminski, Ammann and Offutt show to be
/// enough ("Improving logic-based testing", 2013), without their constants: [`Operator::NegateCondition`] comes
/// close to these.
const BINARY: &[(&str, Operator, &[&str])] = &[
    ("<", Operator::Relational, &["<=", "!="]),
    ("<=", Operator::Relational, &["<", "=="]),
    (">", Operator::Relational, &[">=", "!="]),
    (">=", Operator::Relational, &[">", "=="]),
    ("==", Operator::Relational, &["<=", ">="]),
    ("!=", Operator::Relational, &["<", ">"]),
    ("+", Operator::Arithmetic, &["-", "*"]),
    ("-", Operator::Arithmetic, &["+", "*"]),
    ("*", Operator::Arithmetic, &["+", "/"]),
    ("/", Operator::Arithmetic, &["*", "%"]),
    ("%", Operator::Arithmetic, &["*", "/"]),
    ("&&", Operator::Logical, &["||"]),
    ("||", Operator::Logical, &["&&"]),
    ("&", Operator::Bitwise, &["|", "^"]),
    ("|", Operator::Bitwise, &["&", "^"]),
    ("^", Operator::Bitwise, &["&", "|"]),
    ("<<", Operator::Bitwise, &[">>"]),
    (">>", Operator::Bitwise, &["<<"]),
];

const ASSIGNMENT: &[(&str, Operator, &str)] = &[
    ("+=", Operator::Arithmetic, "-="),
    ("-=", Operator::Arithmetic, "+="),
    ("*=", Operator::Arithmetic, "/="),
    ("/=", Operator::Arithmetic, "*="),
    ("%=", Operator::Arithmetic, "*="),
    ("&=", Operator::Bitwise, "|="),
    ("|=", Operator::Bitwise, "&="),
    ("^=", Operator::Bitwise, "|="),
    ("<<=", Operator::Bitwise, ">>="),
    (">>=", Operator::Bitwise, "<<="),
];

pub(crate) fn collect(node: Node, sites: &mut Sites) {
    match node.kind() {
        "binary_expression" => swap_binary(node, sites),
        "assignment_expression" => swap_assignment(node, sites),
        "update_expression" => swap_update(node, sites),
        "unary_expression" => drop_complement(node, sites),
        "call_expression" => swap_arguments(node, sites),
        _ => {}
    }
}

fn swap_binary(node: Node, sites: &mut Sites) {
    let Some(sign) = node.child_by_field_name("operator") else {
        return;
    };
    let rule = BINARY
        .iter()
        .find(|(from, _, _)| from.as_bytes() == sites.text(sign));
    let Some((_, operator, replacements)) = rule else {
        return;
    };
    for replacement in *replacements {
        sites.replace(*operator, sign, *replacement);
    }
}

fn swap_assignment(node: Node, sites: &mut Sites) {
    let Some(sign) = node.child_by_field_name("operator") else {
        return;
    };
    let rule = ASSIGNMENT
        .iter()
        .find(|(from, _, _)| from.as_bytes() == sites.text(sign));
    if let Some((_, operator, replacement)) = rule {
        sites.replace(*operator, sign, *replacement);
    }
}

fn swap_update(node: Node, sites: &mut Sites) {
    let Some(sign) = node.child_by_field_name("operator") else {
        return;
    };
    let replacement = match sites.text(sign) {
        b"++" => "--",
        b"--" => "++",
        _ => return,
    };
    sites.replace(Operator::Arithmetic, sign, replacement);
}

/// `~x` becomes `x`.
fn drop_complement(node: Node, sites: &mut Sites) {
    if let Some(sign) = node.child_by_field_name("operator")
        && sites.text(sign) == b"~"
    {
        sites.replace(Operator::Bitwise, sign, " ");
    }
}

/// Each two neighbours. Strings stay where they are: a format that is no longer one shows nothing.
fn swap_arguments(node: Node, sites: &mut Sites) {
    let Some(list) = node.child_by_field_name("arguments") else {
        return;
    };
    let mut cursor = list.walk();
    let is_argument = |argument: &Node| argument.kind() != "comment";
    let arguments: Vec<Node> = list
        .named_children(&mut cursor)
        .filter(is_argument)
        .collect();
    for pair in arguments.windows(2) {
        let [left, right] = [pair[0], pair[1]];
        let is_string = |one: Node| matches!(one.kind(), "string_literal" | "concatenated_string");
        let unreadable = left.has_error() || right.has_error();
        if unreadable
            || is_string(left)
            || is_string(right)
            || sites.text(left) == sites.text(right)
        {
            continue;
        }
        let between = &sites.source[left.end_byte()..right.start_byte()];
        let swapped = [sites.text(right), between, sites.text(left)].concat();
        let range = left.start_byte()..right.end_byte();
        sites.replace_range(Operator::SwapArguments, range, swapped);
    }
}
