//! Change sets as text, graphs as Graphviz text and SVG.

use crate::c_source::compile;
use program_graphs::{DependenceConfig, DependenceGraph, FactsConfig, ProgramFacts};
use version_diff::calls::Calls;
use version_diff::change_sequence_graph::of_changed_blocks;
use version_diff::diff;
use version_diff::express::points_of;
use version_diff::render::svg::svg;
use version_diff::render::terminal::{TerminalOptions, terminal};
use version_diff::render::{Drawing, graphs};
use version_diff::report::{LineReport, Sources, report};

const OLD: &str = "\
extern void put(int);
static int limit = 3;
static int step(int n) { return n + 1; }
static void gone(void) { put(0); }
int main(int count, char **words) {
  int start = 1, total;
  total = 0;
  for (int i = start; i < limit; i++) {
    put(i);
    total += step(i);
  }
  put(total);
  gone();
  return 0;
}
";

const NEW: &str = "\
extern void put(int);
static int limit = 4;
static int advance(int n) { return n + 1; }
static void fresh(int a, int b) { put(a * b); }
int main(int count, char **words) {
  int start = 2, total;
  total = 0;
  for (int i = start; i < limit; i++) {
    total += advance(i);
  }
  if (total > 10)
    fresh(total, count);
  put(total - 1);
  return 0;
}
";

struct Texts;

impl Sources for Texts {
    fn old_text(&self, _: &LineReport) -> Option<String> {
        Some(OLD.to_owned())
    }

    fn new_text(&self, _: &LineReport) -> Option<String> {
        Some(NEW.to_owned())
    }
}

#[test]
fn a_change_set_reads_like_a_diff() {
    let (old, new) = (compile("steps.c", OLD), compile("steps.c", NEW));
    let changes = diff(&old, &new);
    let report = report(&old, &new, &changes, &Texts);
    let plain = terminal(&report, &Texts, TerminalOptions { coloured: false });
    assert_eq!(
        plain,
        "\
changed main
  - steps.c:6  int start = 1, total;
  + steps.c:6  int start = 2, total;
  - steps.c:9  put(i);
  - steps.c:10  total += step(i);
  + steps.c:9  total += advance(i);
  + steps.c:11  if (total > 10)
  + steps.c:12  fresh(total, count);
  - steps.c:12  put(total);
  + steps.c:13  put(total - 1);
  - steps.c:13  gone();  [before steps.c:14]
added fresh
  + steps.c:4  static void fresh(int a, int b) { put(a * b); }
removed gone
  - steps.c:4  static void gone(void) { put(0); }
global limit: other initial value (steps.c:2)
  - steps.c:2  static int limit = 3;
  + steps.c:2  static int limit = 4;
  used by main
"
    );
    let coloured = terminal(&report, &Texts, TerminalOptions { coloured: true });
    assert!(coloured.contains("\u{1b}[32m  + steps.c:12"));
    let same = version_diff::report::report(&old, &old, &diff(&old, &old), &Texts);
    let nothing = terminal(&same, &Texts, TerminalOptions { coloured: false });
    assert_eq!(nothing, "no change\n");
}

#[test]
fn every_graph_can_be_drawn() {
    let (old, new) = (compile("steps.c", OLD), compile("steps.c", NEW));
    let changes = diff(&old, &new);
    let points = points_of(&changes, &new);
    let facts = ProgramFacts::of(&new, &FactsConfig::default());
    let dependence = DependenceGraph::of(&facts, &DependenceConfig::default());
    let main = new.function_named("main").expect("it has main");
    let calls = Calls::from_graph(&new, &facts.calls, vec![main]);
    let sequences = of_changed_blocks(&calls, &points);
    let drawings: [Drawing; 5] = [
        graphs::control_flow(&new, main, &points),
        graphs::control_dependence(&facts, main, &points),
        graphs::program_dependence(&new, &dependence, main, &points),
        graphs::calls(&calls, &[main], &points),
        graphs::change_sequences(&new, &sequences, &[]),
    ];
    for drawing in &drawings {
        assert!(!drawing.edges.is_empty(), "{}", drawing.name);
        let dot = drawing.to_dot();
        assert!(dot.starts_with("digraph \"") && dot.ends_with("}\n"));
        assert_eq!(
            dot.matches(" -> ").count(),
            drawing.edges.len(),
            "{}",
            drawing.name
        );
        assert!(
            dot.contains("#f8d7a0"),
            "{}: a change is marked",
            drawing.name
        );
        let picture = svg(drawing);
        assert_eq!(picture.matches("<rect").count(), drawing.nodes.len());
        assert_eq!(picture.matches("<polyline").count(), drawing.edges.len());
        assert!(!picture.contains("NaN") && picture.ends_with("</svg>\n"));
    }
}
