//! A drawing as SVG, without any program installed.

use super::drawing::{Drawing, DrawnEdge, DrawnNode, EdgeStyle, NodeStyle};
use super::layout::{Item, Layout, layout};
use std::fmt::Write;

const CHARACTER_WIDTH: f64 = 7.2;
const LINE_HEIGHT: f64 = 16.0;
const PADDING: f64 = 8.0;
const COLUMN_GAP: f64 = 24.0;
const ROW_GAP: f64 = 40.0;
const BEND_WIDTH: f64 = 8.0;
const MARGIN: f64 = 20.0;

pub fn svg(drawing: &Drawing) -> String {
    let placed = Placed::of(drawing);
    let mut out = String::new();
    let height = placed.height.max(2.0 * MARGIN);
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"monospace\" font-size=\"12\" \
         style=\"background:white\">",
        width = placed.width,
    );
    let _ = writeln!(out, "<title>{}</title>", escaped(&drawing.name));
    out.push_str(
        "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
    );
    for (number, edge) in drawing.edges.iter().enumerate() {
        draw_edge(&mut out, edge, &placed.line(number, edge));
    }
    for (number, node) in drawing.nodes.iter().enumerate() {
        let (row, place) = placed.layout.places[number];
        draw_node(&mut out, node, placed.centres[row][place]);
    }
    out.push_str("</svg>\n");
    out
}

/// A point, or a width and a height.
type Pair = (f64, f64);

/// Where everything stands.
struct Placed<'d> {
    drawing: &'d Drawing,
    layout: Layout,
    /// The centre of each item of each row.
    centres: Vec<Vec<Pair>>,
    /// The height of each row.
    heights: Vec<f64>,
    width: f64,
    height: f64,
}

impl<'d> Placed<'d> {
    fn of(drawing: &'d Drawing) -> Placed<'d> {
        let edges = drawing.edges.iter().map(|edge| (edge.from, edge.to));
        let layout = layout(drawing.nodes.len(), &edges.collect::<Vec<_>>());
        let row_width = |row: &[Item]| {
            let widths: f64 = row.iter().map(|&item| item_size(drawing, item).0).sum();
            widths + COLUMN_GAP * row.len().saturating_sub(1) as f64
        };
        let widths = layout.rows.iter().map(|row| row_width(row));
        let width = widths.fold(0.0, f64::max);
        let (mut centres, mut heights) = (Vec::new(), Vec::new());
        let mut y = MARGIN;
        for row in &layout.rows {
            let sizes = row.iter().map(|&item| item_size(drawing, item).1);
            let height = sizes.fold(0.0, f64::max);
            let mut x = MARGIN + (width - row_width(row)) / 2.0;
            let mut places = Vec::new();
            for &item in row {
                let item_width = item_size(drawing, item).0;
                places.push((x + item_width / 2.0, y + height / 2.0));
                x += item_width + COLUMN_GAP;
            }
            centres.push(places);
            heights.push(height);
            y += height + ROW_GAP;
        }
        Placed {
            drawing,
            layout,
            centres,
            heights,
            width: width + 2.0 * MARGIN + 30.0,
            height: y - ROW_GAP + MARGIN,
        }
    }

    /// Half the width and height of a node.
    fn half(&self, node: usize) -> Pair {
        let (width, height) = node_size(&self.drawing.nodes[node]);
        (width / 2.0, height / 2.0)
    }

    /// The points of an edge's line.
    fn line(&self, number: usize, edge: &DrawnEdge) -> Vec<Pair> {
        let at = |(row, place): (usize, usize)| self.centres[row][place];
        let (from, to) = (self.layout.places[edge.from], self.layout.places[edge.to]);
        let (start, end) = (at(from), at(to));
        if edge.from == edge.to {
            let (half_width, half_height) = self.half(edge.from);
            let right = start.0 + half_width;
            return vec![
                (right, start.1 - half_height / 2.0),
                (right + 20.0, start.1 - half_height / 2.0),
                (right + 20.0, start.1 + half_height / 2.0),
                (right, start.1 + half_height / 2.0),
            ];
        }
        let sign = if from.0 < to.0 { 1.0 } else { -1.0 };
        let (leave, arrive, side) = match from.0 == to.0 {
            true => (0.0, 0.0, (end.0 - start.0).signum()),
            false => {
                let (leave, arrive) = (self.half(edge.from).1, self.half(edge.to).1);
                (sign * leave, -sign * arrive, 0.0)
            }
        };
        let mut points = vec![(start.0 + side * self.half(edge.from).0, start.1 + leave)];
        for &bend in &self.layout.bends[number] {
            let (x, y) = at(bend);
            let reach = self.heights[bend.0] / 2.0;
            points.extend([(x, y - sign * reach), (x, y + sign * reach)]);
        }
        points.push((end.0 - side * self.half(edge.to).0, end.1 + arrive));
        points
    }
}

fn item_size(drawing: &Drawing, item: Item) -> Pair {
    match item {
        Item::Node(node) => node_size(&drawing.nodes[node]),
        Item::Bend(_) => (BEND_WIDTH, 0.0),
    }
}

fn node_size(node: &DrawnNode) -> Pair {
    let widths = node.label.lines().map(|line| line.chars().count());
    let widest = widths.max().unwrap_or(0);
    let lines = node.label.lines().count().max(1);
    (
        (widest as f64 * CHARACTER_WIDTH + 2.0 * PADDING).max(30.0),
        lines as f64 * LINE_HEIGHT + 2.0 * PADDING,
    )
}

fn draw_edge(out: &mut String, edge: &DrawnEdge, points: &[Pair]) {
    let line: Vec<String> = points
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
        line.join(" ")
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

fn draw_node(out: &mut String, node: &DrawnNode, (x, y): Pair) {
    let (width, height) = node_size(node);
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
