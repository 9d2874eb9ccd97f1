//! A drawing as SVG, without any program installed.

use super::drawing::{Drawing, EdgeStyle, NodeStyle};
use super::layout::{Item, layout};
use std::fmt::Write;

const CHARACTER_WIDTH: f64 = 7.2;
const LINE_HEIGHT: f64 = 16.0;
const PADDING: f64 = 8.0;
const COLUMN_GAP: f64 = 24.0;
const ROW_GAP: f64 = 40.0;
const BEND_WIDTH: f64 = 8.0;
const MARGIN: f64 = 20.0;

pub fn svg(drawing: &Drawing) -> String {
    let edges: Vec<(usize, usize)> = drawing
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layout = layout(drawing.nodes.len(), &edges);
    let size = |item: Item| match item {
        Item::Node(node) => {
            let label = &drawing.nodes[node].label;
            let widest = label
                .lines()
                .map(|line| line.chars().count())
                .max()
                .unwrap_or(0);
            let lines = label.lines().count().max(1);
            (
                (widest as f64 * CHARACTER_WIDTH + 2.0 * PADDING).max(30.0),
                lines as f64 * LINE_HEIGHT + 2.0 * PADDING,
            )
        }
        Item::Bend(_) => (BEND_WIDTH, 0.0),
    };
    let row_width = |row: &[Item]| {
        let widths: f64 = row.iter().map(|&item| size(item).0).sum();
        widths + COLUMN_GAP * row.len().saturating_sub(1) as f64
    };
    let width = layout
        .rows
        .iter()
        .map(|row| row_width(row))
        .fold(0.0, f64::max);
    let mut centres: Vec<Vec<(f64, f64)>> = Vec::new();
    let mut heights: Vec<f64> = Vec::new();
    let mut y = MARGIN;
    for row in &layout.rows {
        let height = row.iter().map(|&item| size(item).1).fold(0.0, f64::max);
        let mut x = MARGIN + (width - row_width(row)) / 2.0;
        let mut places = Vec::new();
        for &item in row {
            let item_width = size(item).0;
            places.push((x + item_width / 2.0, y + height / 2.0));
            x += item_width + COLUMN_GAP;
        }
        centres.push(places);
        heights.push(height);
        y += height + ROW_GAP;
    }
    let mut out = String::new();
    let (full_width, full_height) = (width + 2.0 * MARGIN + 30.0, y - ROW_GAP + MARGIN);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full_width:.0}\" height=\"{:.0}\" \
         viewBox=\"0 0 {full_width:.0} {:.0}\" font-family=\"monospace\" font-size=\"12\" \
         style=\"background:white\">",
        full_height.max(2.0 * MARGIN),
        full_height.max(2.0 * MARGIN)
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(&drawing.name));
    out.push_str(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
    );
    for (edge, bends) in drawing.edges.iter().zip(&layout.bends) {
        let (from, to) = (layout.places[edge.from], layout.places[edge.to]);
        let at = |place: (usize, usize)| centres[place.0][place.1];
        let (start, end) = (at(from), at(to));
        let half = |node: usize| {
            let (width, height) = size(Item::Node(node));
            (width / 2.0, height / 2.0)
        };
        let mut points = Vec::new();
        if edge.from == edge.to {
            let (half_width, half_height) = half(edge.from);
            let right = start.0 + half_width;
            points.extend([
                (right, start.1 - half_height / 2.0),
                (right + 20.0, start.1 - half_height / 2.0),
                (right + 20.0, start.1 + half_height / 2.0),
                (right, start.1 + half_height / 2.0),
            ]);
        } else {
            let down = from.0 < to.0;
            let sign = if down { 1.0 } else { -1.0 };
            let same_row = from.0 == to.0;
            let leave = if same_row {
                0.0
            } else {
                sign * half(edge.from).1
            };
            let arrive = if same_row {
                0.0
            } else {
                -sign * half(edge.to).1
            };
            let side = if same_row {
                (end.0 - start.0).signum()
            } else {
                0.0
            };
            points.push((start.0 + side * half(edge.from).0, start.1 + leave));
            for &bend in bends {
                let (x, y) = at(bend);
                let reach = heights[bend.0] / 2.0;
                points.extend([(x, y - sign * reach), (x, y + sign * reach)]);
            }
            points.push((end.0 - side * half(edge.to).0, end.1 + arrive));
        }
        let path: Vec<String> = points
            .iter()
            .map(|(x, y)| format!("{x:.1},{y:.1}"))
            .collect();
        let dashes = match edge.style {
            EdgeStyle::Solid => "",
            EdgeStyle::Dashed => " stroke-dasharray=\"6 3\"",
            EdgeStyle::Dotted => " stroke-dasharray=\"2 3\"",
        };
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"black\"{dashes} \
             marker-end=\"url(#arrow)\"/>",
            path.join(" ")
        );
        if !edge.label.is_empty() {
            let middle = points[points.len() / 2];
            let before = points[points.len() / 2 - 1];
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"#555\">{}</text>",
                (middle.0 + before.0) / 2.0 + 3.0,
                (middle.1 + before.1) / 2.0,
                escaped(&edge.label)
            );
        }
    }
    for (index, node) in drawing.nodes.iter().enumerate() {
        let (x, y) = centres[layout.places[index].0][layout.places[index].1];
        let (width, height) = size(Item::Node(index));
        let (fill, radius) = match node.style {
            NodeStyle::Plain => ("white", 0),
            NodeStyle::Changed => ("#f8d7a0", 0),
            NodeStyle::Interaction => ("#d5c8f0", 0),
            NodeStyle::Terminal => ("white", 10),
        };
        let _ = writeln!(
            out,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             rx=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>",
            x - width / 2.0,
            y - height / 2.0
        );
        for (number, line) in node.label.lines().enumerate() {
            let _ = writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\" xml:space=\"preserve\">{}</text>",
                x - width / 2.0 + PADDING,
                y - height / 2.0 + PADDING + LINE_HEIGHT * (number as f64 + 0.75),
                escaped(line)
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Not allowed in XML at all.
            control if control.is_control() && control != '\t' => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
    out
}
