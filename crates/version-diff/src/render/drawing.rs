//! A graph ready to be drawn: labelled nodes, styled edges; and its Graphviz form.

use std::fmt::Write;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum NodeStyle {
    #[default]
    Plain,
    /// A change.
    Changed,
    /// An interaction location.
    Interaction,
    /// Entry, exit, output.
    Terminal,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EdgeStyle {
    #[default]
    Solid,
    Dashed,
    Dotted,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnNode {
    /// Lines are separated by `\n`.
    pub label: String,
    pub style: NodeStyle,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrawnEdge {
    pub from: usize,
    pub to: usize,
    pub label: String,
    pub style: EdgeStyle,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Drawing {
    pub name: String,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
}

impl Drawing {
    pub fn new(name: impl Into<String>) -> Self {
        Drawing {
            name: name.into(),
            ..Drawing::default()
        }
    }

    pub fn node(&mut self, label: impl Into<String>, style: NodeStyle) -> usize {
        self.nodes.push(DrawnNode {
            label: label.into(),
            style,
        });
        self.nodes.len() - 1
    }

    pub fn edge(&mut self, from: usize, to: usize, label: impl Into<String>, style: EdgeStyle) {
        self.edges.push(DrawnEdge {
            from,
            to,
            label: label.into(),
            style,
        });
    }

    pub fn to_dot(&self) -> String {
        let mut text = String::new();
        let _ = writeln!(text, "digraph {} {{", quoted(&self.name));
        let _ = writeln!(text, "  node [shape=box, fontname=\"monospace\"];");
        for (index, node) in self.nodes.iter().enumerate() {
            let style = match node.style {
                NodeStyle::Plain => "",
                NodeStyle::Changed => ", style=filled, fillcolor=\"#f8d7a0\"",
                NodeStyle::Interaction => ", style=filled, fillcolor=\"#d5c8f0\"",
                NodeStyle::Terminal => ", style=rounded",
            };
            let _ = writeln!(text, "  n{index} [label={}{style}];", quoted(&node.label));
        }
        for edge in &self.edges {
            let mut attributes = Vec::new();
            if !edge.label.is_empty() {
                attributes.push(format!("label={}", quoted(&edge.label)));
            }
            match edge.style {
                EdgeStyle::Solid => {}
                EdgeStyle::Dashed => attributes.push("style=dashed".to_owned()),
                EdgeStyle::Dotted => attributes.push("style=dotted".to_owned()),
            }
            let attributes = if attributes.is_empty() {
                String::new()
            } else {
                format!(" [{}]", attributes.join(", "))
            };
            let _ = writeln!(text, "  n{} -> n{}{attributes};", edge.from, edge.to);
        }
        text.push_str("}\n");
        text
    }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}
