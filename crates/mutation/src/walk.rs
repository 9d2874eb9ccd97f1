//! Walks the syntax tree and collects the edits of every operator.

mod directives;

use std::collections::HashSet;
use std::rc::Rc;

use tree_sitter::Node;

use crate::sites::{Edit, MutationError, Options, Sites, parse};
use crate::{Mutant, conditions, expressions, literals, statements};

/// The parser counts in 32 bits.
const MAX_SOURCE: usize = 1 << 28;

/// All mutants of a source, in the order of the text; those that only `options` bring in come last.
pub fn mutants(source: &[u8], options: Options) -> Result<Vec<Mutant>, MutationError> {
    if source.len() > MAX_SOURCE {
        return Err(MutationError::TooLong { limit: MAX_SOURCE });
    }
    let always = found(source, Options::default())?;
    let all = match options == Options::default() {
        true => Vec::new(),
        false => found(source, options)?,
    };
    let known: HashSet<&Mutant> = always.iter().collect();
    let is_new = |mutant: &Mutant| !known.contains(mutant);
    let added: Vec<Mutant> = all.into_iter().filter(is_new).collect();
    let mut mutants = always;
    mutants.extend(added);
    for (index, mutant) in mutants.iter_mut().enumerate() {
        mutant.number = index as u32 + 1;
    }
    Ok(mutants)
}

fn found(source: &[u8], options: Options) -> Result<Vec<Mutant>, MutationError> {
    let tree = parse(source)?;
    let mut sites = Sites {
        source,
        edits: Vec::new(),
        bounds: HashSet::new(),
        function: None,
    };
    visit(tree.root_node(), options, &mut sites);
    let mut edits = sites.edits;
    edits.sort_by(|left, right| {
        let key = |edit: &Edit| (edit.start, edit.end, edit.operator);
        key(left).cmp(&key(right))
    });
    let mut lines = LineStarts::of(source);
    let mutants = edits.into_iter().map(|edit| {
        let (line, column) = lines.position(edit.start);
        Mutant {
            number: 0,
            operator: edit.operator,
            line,
            column,
            function: edit.function.map(|name| name.to_string()),
            start: edit.start,
            end: edit.end,
            replacement: edit.replacement,
        }
    });
    Ok(mutants.collect())
}

/// Without recursion: a file may nest as deeply as it likes.
fn visit(root: Node, options: Options, sites: &mut Sites) {
    let mut open: Vec<(Node, Option<Rc<str>>)> = vec![(root, None)];
    while let Some((node, around)) = open.pop() {
        if is_left_alone(node, options, sites) {
            continue;
        }
        sites.function = function_name(node, sites).or(around);
        if options.directives && directives::has_body(node) {
            directives::body(node, options, sites);
            continue;
        }
        // What the parser could not read as C has no operators that could be trusted.
        if !node.is_error() && !node.is_missing() {
            conditions::collect(node, sites);
            expressions::collect(node, sites);
            literals::collect(node, options, sites);
            statements::collect(node, sites);
        }
        let mut cursor = node.walk();
        let condition = directive_condition(node).filter(|_| !options.directives);
        let children = node.children(&mut cursor);
        let children: Vec<Node> = children.filter(|child| Some(*child) != condition).collect();
        for child in children.into_iter().rev() {
            open.push((child, sites.function.clone()));
        }
    }
}

fn is_left_alone(node: Node, options: Options, sites: &Sites) -> bool {
    match node.kind() {
        "preproc_include"
        | "preproc_call"
        | "gnu_asm_expression"
        | "attribute_specifier"
        | "attribute_declaration"
        | "ms_declspec_modifier"
        | "comment" => true,
        "preproc_def" | "preproc_function_def" => !options.directives,
        "call_expression" => !options.asserts && is_assert(node, sites),
        "expression_statement" => {
            let inner = node.named_child(0);
            !options.asserts && inner.is_some_and(|inner| is_assert(inner, sites))
        }
        _ => false,
    }
}

fn is_assert(call: Node, sites: &Sites) -> bool {
    let function = call.child_by_field_name("function");
    function.is_some_and(|function| {
        [&b"assert"[..], b"static_assert", b"_Static_assert"].contains(&sites.text(function))
    })
}

/// The condition of an `#if` or `#elif`, but not the code between the directives.
fn directive_condition(node: Node) -> Option<Node> {
    match node.kind() {
        "preproc_if" | "preproc_elif" => node.child_by_field_name("condition"),
        _ => None,
    }
}

/// If the node is a function definition: what it defines.
fn function_name(node: Node, sites: &Sites) -> Option<Rc<str>> {
    if node.kind() != "function_definition" {
        return None;
    }
    let mut declarator = node.child_by_field_name("declarator")?;
    while let Some(inner) = inner_declarator(declarator) {
        declarator = inner;
    }
    Some(String::from_utf8_lossy(sites.text(declarator)).into())
}

fn inner_declarator(declarator: Node) -> Option<Node> {
    match declarator.kind() {
        "parenthesized_declarator" => declarator.named_child(0),
        _ => declarator.child_by_field_name("declarator"),
    }
}

/// Positions from offsets that only grow.
struct LineStarts<'a> {
    source: &'a [u8],
    line: u32,
    line_start: usize,
    at: usize,
}

impl<'a> LineStarts<'a> {
    fn of(source: &'a [u8]) -> LineStarts<'a> {
        LineStarts {
            source,
            line: 1,
            line_start: 0,
            at: 0,
        }
    }

    fn position(&mut self, offset: usize) -> (u32, u32) {
        while self.at < offset {
            if self.source[self.at] == b'\n' {
                self.line += 1;
                self.line_start = self.at + 1;
            }
            self.at += 1;
        }
        (self.line, (offset - self.line_start) as u32 + 1)
    }
}
