//! The graphs of one version as drawings: control flow, control dependence, program
//! dependence, calls, change sequences.

use super::drawing::{Drawing, EdgeStyle, NodeStyle};
use crate::calls::Calls;
use crate::change_sequence_graph::{ChangeSequenceGraph, Node};
use crate::express::Points;
use crate::impact::Change;
use crate::operation::edges;
use crate::report::display_name;
use crate::statements::{SourceLine, lines};
use program_graphs::{DependenceGraph, DependenceKind, ProgramFacts};
use program_ir::{Block, EntityRef, Func, Function, Inst, InstData, Module, SecondaryMap};
use std::collections::{BTreeMap, BTreeSet};

type Lines = SecondaryMap<Inst, Option<SourceLine>>;

/// Source lines that a block's instructions come from, as `block3: 12-14, 20`.
fn block_label(function: &Function, lines: &Lines, block: Block) -> String {
    let numbers: BTreeSet<u32> = function.blocks[block]
        .insts
        .iter()
        .filter_map(|&inst| lines[inst])
        .map(|line| line.line)
        .collect();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let ranges = ranges.into_iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    let ranges: Vec<String> = ranges.collect();
    match ranges.is_empty() {
        true => block.to_string(),
        false => format!("{block}: {}", ranges.join(", ")),
    }
}

fn block_style(function: &Function, func: Func, block: Block, points: &Points) -> NodeStyle {
    let points = points.get(&func);
    let changed = |inst: &_| points.is_some_and(|points| points.contains(inst));
    match function.blocks[block].insts.iter().any(changed) {
        true => NodeStyle::Changed,
        false => NodeStyle::Plain,
    }
}

fn block_nodes(drawing: &mut Drawing, module: &Module, func: Func, points: &Points) {
    let function = &module.functions[func];
    let lines = lines(module, function);
    for block in function.blocks.keys() {
        let label = block_label(function, &lines, block);
        drawing.node(label, block_style(function, func, block, points));
    }
}

pub fn control_flow(module: &Module, func: Func, points: &Points) -> Drawing {
    let function = &module.functions[func];
    let mut drawing = Drawing::new(format!("control flow of {}", display_name(module, func)));
    block_nodes(&mut drawing, module, func, points);
    for (block, data) in function.blocks.iter() {
        let Some(&last) = data.insts.last() else {
            continue;
        };
        let terminator = &function.insts[last].data;
        for (index, edge) in edges(terminator).into_iter().enumerate() {
            let label = match terminator {
                InstData::Branch { .. } => ["true", "false"][index].to_owned(),
                InstData::Switch { cases, .. } => match cases.get(index) {
                    Some((value, _)) => value.to_string(),
                    None => "default".to_owned(),
                },
                InstData::Invoke { .. } => ["", "unwind"][index].to_owned(),
                _ => String::new(),
            };
            drawing.edge(block.index(), edge.block.index(), label, EdgeStyle::Solid);
        }
    }
    drawing
}

pub fn control_dependence(facts: &ProgramFacts<'_>, func: Func, points: &Points) -> Drawing {
    let module = facts.module;
    let name = format!("control dependence of {}", display_name(module, func));
    let mut drawing = Drawing::new(name);
    block_nodes(&mut drawing, module, func, points);
    let entry = drawing.node("entry", NodeStyle::Terminal);
    let flow = facts.control_flow(func);
    for &block in flow.cfg.reverse_post_order() {
        let causes = flow.control_dependence.causes(block);
        if causes.is_empty() {
            drawing.edge(entry, block.index(), "", EdgeStyle::Solid);
        }
        for controller in flow.control_dependence.controllers(block) {
            drawing.edge(controller.index(), block.index(), "", EdgeStyle::Solid);
        }
    }
    drawing
}

/// Statement by statement; an arrow leads from a statement to what depends on it.
pub fn program_dependence(
    module: &Module,
    graph: &DependenceGraph,
    func: Func,
    points: &Points,
) -> Drawing {
    let name = format!("program dependence of {}", display_name(module, func));
    let mut drawing = Drawing::new(name);
    let function = &module.functions[func];
    let lines = lines(module, function);
    let points = points.get(&func);
    let mut by_line: BTreeMap<u32, usize> = BTreeMap::new();
    for block in function.blocks.values() {
        for &inst in &block.insts {
            let Some(line) = lines[inst] else { continue };
            let node = *by_line
                .entry(line.line)
                .or_insert_with(|| drawing.node(format!("line {}", line.line), NodeStyle::Plain));
            if points.is_some_and(|points| points.contains(&inst)) {
                drawing.nodes[node].style = NodeStyle::Changed;
            }
        }
    }
    // Dependences through nodes that are no instructions are followed to instructions.
    let statement = |node: u32| {
        let (of, inst) = graph.nodes[node as usize].inst()?;
        let line = lines[inst].filter(|_| of == func)?;
        by_line.get(&line.line).copied()
    };
    let mut drawn = BTreeSet::new();
    let own = graph.function_nodes(func);
    for node in own.clone() {
        let Some(from) = statement(node) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        let mut open: Vec<(u32, bool)> = vec![(node, false)];
        while let Some((at, control)) = open.pop() {
            for edge in graph.dependents(at) {
                let control = control || edge.kind == DependenceKind::Control;
                match statement(edge.node) {
                    Some(to) if to != from => {
                        drawn.insert((from, to, control));
                    }
                    Some(_) => {}
                    None if own.contains(&edge.node) && seen.insert((edge.node, control)) => {
                        open.push((edge.node, control));
                    }
                    None => {}
                }
            }
        }
    }
    for (from, to, control) in drawn {
        let style = if control {
            EdgeStyle::Dashed
        } else {
            EdgeStyle::Solid
        };
        drawing.edge(from, to, "", style);
    }
    drawing
}

/// The functions with a body that `from` reaches by calls, changed ones marked.
pub fn calls(calls: &Calls<'_>, from: &[Func], points: &Points) -> Drawing {
    let mut drawing = Drawing::new("calls");
    let mut node_of: BTreeMap<Func, usize> = BTreeMap::new();
    let mut open: Vec<Func> = from.to_vec();
    let mut called: BTreeSet<(Func, Func)> = BTreeSet::new();
    while let Some(func) = open.pop() {
        let function = &calls.module.functions[func];
        if node_of.contains_key(&func) {
            continue;
        }
        let style = match (function.is_declaration(), points.contains_key(&func)) {
            (_, true) => NodeStyle::Changed,
            (true, _) => NodeStyle::Terminal,
            _ => NodeStyle::Plain,
        };
        node_of.insert(func, drawing.node(display_name(calls.module, func), style));
        for inst in function.insts.keys() {
            for &callee in calls.targets(func, inst) {
                called.insert((func, callee));
                open.push(callee);
            }
        }
    }
    for (caller, callee) in called {
        drawing.edge(node_of[&caller], node_of[&callee], "", EdgeStyle::Solid);
    }
    drawing
}

/// `changes`: the list that `Node::Change` numbers refer to; empty for a graph of blocks.
pub fn change_sequences(
    module: &Module,
    graph: &ChangeSequenceGraph,
    changes: &[Change],
) -> Drawing {
    let mut drawing = Drawing::new("change sequences");
    let mut node_of: BTreeMap<Node, usize> = BTreeMap::new();
    let mut known: BTreeMap<Func, Lines> = BTreeMap::new();
    for &node in &graph.nodes {
        let func = match node {
            Node::Block { func, .. } | Node::Interaction(func, _) | Node::Output(func, _) => func,
            Node::Change(number) => match changes.get(number as usize) {
                Some(change) if !change.points.is_empty() => change.points[0].0,
                _ => continue,
            },
            Node::Entry | Node::Exit => continue,
        };
        let function = &module.functions[func];
        known.entry(func).or_insert_with(|| lines(module, function));
    }
    let line_of = |func: Func, inst| {
        let line = known[&func][inst];
        let line = line.map_or_else(|| "?".to_owned(), |line| line.line.to_string());
        format!("{}: {line}", display_name(module, func))
    };
    for &node in &graph.nodes {
        let (label, style) = match node {
            Node::Entry => ("entry".to_owned(), NodeStyle::Terminal),
            Node::Exit => ("exit".to_owned(), NodeStyle::Terminal),
            Node::Block { func, block, .. } => {
                let label = block_label(&module.functions[func], &known[&func], block);
                let name = display_name(module, func);
                (format!("{name}\n{label}"), NodeStyle::Changed)
            }
            Node::Change(number) => {
                let change = changes.get(number as usize);
                let label = match change.and_then(|change| change.points.first()) {
                    Some(&(func, inst)) => line_of(func, inst),
                    None => format!("change {number}"),
                };
                (label, NodeStyle::Changed)
            }
            Node::Interaction(func, inst) => (line_of(func, inst), NodeStyle::Interaction),
            Node::Output(func, inst) => (
                format!("output\n{}", line_of(func, inst)),
                NodeStyle::Terminal,
            ),
        };
        node_of.insert(node, drawing.node(label, style));
    }
    for (from, to) in &graph.edges {
        if let (Some(&from), Some(&to)) = (node_of.get(from), node_of.get(to)) {
            drawing.edge(from, to, "", EdgeStyle::Solid);
        }
    }
    drawing
}
