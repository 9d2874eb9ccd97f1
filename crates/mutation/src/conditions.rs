//! Negated conditions and loop bounds that are one off.

use tree_sitter::Node;

use crate::Operator;
use crate::literals;
use crate::sites::Sites;

pub(crate) fn collect(node: Node, sites: &mut Sites) {
    let is_loop = matches!(
        node.kind(),
        "for_statement" | "while_statement" | "do_statement"
    );
    if !is_loop && !matches!(node.kind(), "if_statement" | "conditional_expression") {
        return;
    }
    let Some(condition) = node.child_by_field_name("condition") else {
        return;
    };
    for clause in clauses(condition, sites) {
        negate(clause, sites);
        if is_loop {
            shift_bound(clause, sites);
        }
    }
}

/// The condition, and every operand of the `&&` and `||` that it is made of.
fn clauses<'tree>(condition: Node<'tree>, sites: &Sites) -> Vec<Node<'tree>> {
    let mut found = Vec::new();
    let mut open = vec![condition];
    while let Some(node) = open.pop() {
        let node = without_parentheses(node);
        if node.has_error() || node.is_missing() {
            continue;
        }
        found.push(node);
        let sign = node.child_by_field_name("operator");
        let joins = sign.is_some_and(|sign| [&b"&&"[..], b"||"].contains(&sites.text(sign)));
        if node.kind() == "binary_expression" && joins {
            open.extend(node.child_by_field_name("right"));
            open.extend(node.child_by_field_name("left"));
        }
    }
    found
}

fn without_parentheses(mut node: Node) -> Node {
    while node.kind() == "parenthesized_expression" {
        match node.named_child(0) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// `!x` becomes `x`, anything else `!(…)`.
fn negate(clause: Node, sites: &mut Sites) {
    // A declaration in the condition of a `for` or a comma expression.
    if !clause.is_named() || clause.kind() == "comma_expression" {
        return;
    }
    let sign = clause.child_by_field_name("operator");
    let replacement = match clause.child_by_field_name("argument") {
        Some(argument)
            if clause.kind() == "unary_expression"
                && sign.is_some_and(|sign| sites.text(sign) == b"!") =>
        {
            sites.text(argument).to_vec()
        }
        _ => [b"!(", sites.text(clause), b")"].concat(),
    };
    sites.replace(Operator::NegateCondition, clause, replacement);
}

/// The right side of `<`, `<=`, `>` and `>=`, one larger and one smaller.
fn shift_bound(clause: Node, sites: &mut Sites) {
    let is_ordering = clause.kind() == "binary_expression"
        && clause
            .child_by_field_name("operator")
            .is_some_and(|sign| [&b"<"[..], b"<=", b">", b">="].contains(&sites.text(sign)));
    let Some(bound) = clause.child_by_field_name("right").filter(|_| is_ordering) else {
        return;
    };
    if literals::is_number(bound) {
        sites.bounds.insert(bound.start_byte());
        literals::one_off(Operator::LoopBound, bound, sites);
        return;
    }
    let text = sites.text(bound).to_vec();
    let binds_tightly = matches!(
        bound.kind(),
        "identifier"
            | "field_expression"
            | "subscript_expression"
            | "call_expression"
            | "parenthesized_expression"
            | "sizeof_expression"
    );
    for change in [" + 1", " - 1"] {
        let shifted = match binds_tightly {
            true => [&text[..], change.as_bytes()].concat(),
            false => [b"(", &text[..], b")", change.as_bytes()].concat(),
        };
        sites.replace(Operator::LoopBound, bound, shifted);
    }
}
