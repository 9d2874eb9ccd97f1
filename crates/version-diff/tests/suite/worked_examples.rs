//! The papers' worked examples as programs of our own, giving the papers' tables.
//!
//! Variables are globals where a table speaks of assignments that SSA form would leave
//! without an instruction.

use crate::c_source::compile;
use program_graphs::{
    DependenceConfig, DependenceGraph, Direction, Distances, FactsConfig, ProgramFacts, Slice,
};
use program_ir::{Callee, Func, Inst, Module};
use std::collections::{BTreeMap, BTreeSet};
use version_diff::calls::Calls;
use version_diff::change_sequence_graph::interactions::{InteractionOptions, with_interactions};
use version_diff::change_sequence_graph::{Node, of_changed_blocks};
use version_diff::complexity::complexity;
use version_diff::express::{Branch, irrelevant_branches, points_of};
use version_diff::impact::{Impact, changes_one_by_one};
use version_diff::statements::lines;
use version_diff::{ChangeSet, diff};

fn facts(module: &Module) -> ProgramFacts<'_> {
    ProgramFacts::of(module, &FactsConfig::default())
}

fn root(module: &Module, name: &str) -> Func {
    module.function_named(name).expect("the example has it")
}

/// Three changes in a program that reads two numbers (thesis, Figure 2.1). Its statement
/// numbers are our line numbers less three.
const THREE_CHANGES: &str = "\
extern int read_number(void); extern void output(int);
int i, j, a, b, o;
int main(void) {
  i = read_number(); j = read_number();
  a = i;
  b = 0;
  o = 0;
  if (a > 0) {
    b = j;
    o = 1;
  }
  if (b > 0)
    o = 2;
  output(o);
}
";

fn three_changes() -> String {
    THREE_CHANGES
        .replace("a = i;", "a = i + 1;")
        .replace("b = j;", "b = j + 1;")
        .replace("o = 2;", "o = o + 1;")
}

fn statement_numbers(
    module: &Module,
    insts: impl IntoIterator<Item = (Func, Inst)>,
    less: u32,
) -> Vec<u32> {
    let insts: BTreeSet<(Func, Inst)> = insts.into_iter().collect();
    let lines = version_diff::impact::source_lines(module, &insts);
    let numbers: BTreeSet<u32> = lines
        .into_iter()
        .filter(|line| line.line > less)
        .map(|line| line.line - less)
        .collect();
    numbers.into_iter().collect()
}

fn insts_on_line(module: &Module, func: Func, line: u32) -> Vec<(Func, Inst)> {
    let function = &module.functions[func];
    let lines = lines(module, function);
    let all = function
        .blocks
        .values()
        .flat_map(|block| block.insts.clone());
    all.filter(|&inst| lines[inst].is_some_and(|at| at.line == line))
        .map(|inst| (func, inst))
        .collect()
}

#[test]
fn slices_of_the_three_changes() {
    // Thesis, Figure 2.3. Its backward slice of statement 2 leaves the statement itself
    // out; here a slice always contains its criterion.
    let table = |text: &str, rows: &[(u32, &[u32], &[u32])]| {
        let module = compile("three.c", text);
        let facts = facts(&module);
        let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
        for &(statement, forward, backward) in rows {
            let criterion = insts_on_line(&module, root(&module, "main"), statement + 3);
            assert!(!criterion.is_empty());
            for (direction, expected) in [
                (Direction::Forward, forward),
                (Direction::Backward, backward),
            ] {
                let slice = Slice::of_insts(&graph, direction, &criterion);
                let found = statement_numbers(&module, slice.insts(&graph), 3);
                assert_eq!(
                    found, expected,
                    "{direction:?} slice of {statement} in\n{text}"
                );
            }
        }
    };
    table(
        THREE_CHANGES,
        &[
            (2, &[2, 5, 6, 7, 9, 10, 11], &[1, 2]),
            (6, &[6, 9, 10, 11], &[1, 2, 5, 6]),
            (10, &[10, 11], &[1, 2, 3, 5, 6, 9, 10]),
        ],
    );
    table(
        &three_changes(),
        &[
            (2, &[2, 5, 6, 7, 9, 10, 11], &[1, 2]),
            (6, &[6, 9, 10, 11], &[1, 2, 5, 6]),
            (10, &[10, 11], &[1, 2, 3, 4, 5, 6, 7, 9, 10]),
        ],
    );
}

#[test]
fn interference_of_the_three_changes() {
    // Thesis, Figure 2.5.
    let old = compile("three.c", THREE_CHANGES);
    let new = compile("three.c", &three_changes());
    let changes = diff(&old, &new);
    let one_by_one = changes_one_by_one(&changes, &new);
    let changed: Vec<u32> = one_by_one
        .iter()
        .filter_map(|change| change.line)
        .map(|line| line.line - 3)
        .collect();
    assert_eq!(changed, [2, 6, 10]);
    let facts = facts(&new);
    let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
    let impact = Impact::of(&graph, one_by_one);
    let meet = |set: &[usize]| statement_numbers(&new, impact.interference(set), 3);
    assert_eq!(meet(&[0, 1]), [6, 9, 10, 11]);
    assert_eq!(meet(&[0, 2]), [10, 11]);
    assert_eq!(meet(&[1, 2]), [10, 11]);
    assert_eq!(meet(&[0, 1, 2]), [10, 11]);
    assert_eq!(impact.interfering_pairs(), [(0, 1), (0, 2), (1, 2)]);
}

/// A scanner of number ranges in the manner of `cut` (thesis, Figure 4.5). The numbers in
/// the comments are the figure's.
const RANGES_OLD: &str = "\
extern void fail(int);
int number, start, left_given;
int main(int count, char **words) {
  char *at = words[1]; int c;

  while ((c = *at++)) {
    if (c >= '0' && c <= '9') {       /* 3 */
      number = number * 10 + c - '0'; /* 4 */

    } else if (c == '-') {            /* 6 */

      start = number ? number : 1;    /* 8 */
    } else if (c == '.')              /* 9 */
      fail(start);                    /* 10 */
  }
}
";
const RANGES_NEW: &str = "\
extern void fail(int);
int number, start, left_given;
int main(int count, char **words) {
  char *at = words[1]; int c;
  left_given = 0;                     /* 1 */
  while ((c = *at++)) {
    if (c >= '0' && c <= '9') {       /* 3 */
      number = number * 10 + c - '0'; /* 4 */
      left_given = 1;                 /* 5 */
    } else if (c == '-') {            /* 6 */
      c = left_given;                 /* 7 */
      start = c ? number : 1;         /* 8 */
    } else if (c == '.')              /* 9 */
      fail(start);                    /* 10 */
  }
}
";

#[test]
fn change_sequence_graph_of_the_range_scanner() {
    // Thesis, Figure 4.6: the changes in lines 1, 5 and 7 interact in line 8. There line
    // 8 is textually unchanged; here it has to name another variable, so the changed
    // statements are kept apart by naming 8's change as well.
    let old = compile("ranges.c", RANGES_OLD);
    let new = compile("ranges.c", RANGES_NEW);
    let changes = diff(&old, &new);
    let facts = facts(&new);
    let graph = DependenceGraph::of(&facts, &DependenceConfig::default());
    let mut one_by_one = changes_one_by_one(&changes, &new);
    let number = |line: u32| match line {
        5 => 1,
        9 => 5,
        11 => 7,
        12 => 8,
        other => panic!("line {other} is not changed"),
    };
    one_by_one.retain(|change| number(change.line.expect("it has a line").line) != 8);
    let changed: Vec<u32> = one_by_one
        .iter()
        .filter_map(|change| change.line)
        .map(|line| number(line.line))
        .collect();
    assert_eq!(changed, [1, 5, 7]);
    let main = root(&new, "main");
    let outputs: BTreeSet<(Func, Inst)> = calls_of(&new, main, "fail");
    let impact = Impact::of(&graph, one_by_one);
    let calls = Calls::from_graph(&new, &facts.calls, vec![main]);
    let sequence = with_interactions(
        &calls,
        &impact,
        &outputs,
        InteractionOptions {
            only_important: true,
        },
    );
    let lines = lines(&new, &new.functions[main]);
    let name = |node: Node| -> String {
        match node {
            Node::Entry => "entry".into(),
            Node::Exit => "exit".into(),
            Node::Change(change) => changed[change as usize].to_string(),
            Node::Interaction(_, inst) => {
                format!("i{}", lines[inst].expect("it has a line").line - 4)
            }
            Node::Output(..) => "output".into(),
            Node::Block { .. } => panic!("statements are marked here"),
        }
    };
    let edges: BTreeSet<(String, String)> = sequence
        .edges
        .iter()
        .map(|&(from, to)| (name(from), name(to)))
        .collect();
    let has = |from: &str, to: &str| edges.contains(&(from.to_owned(), to.to_owned()));
    assert!(has("entry", "1"), "{edges:?}");
    // The critical sequence: 1, 5, 7, meeting in 8, shown at the output.
    assert!(has("1", "5") && has("5", "7"), "{edges:?}");
    assert!(has("5", "i8") && has("7", "i8"), "{edges:?}");
    assert!(has("i8", "output"), "{edges:?}");
    // Other sequences: the dash first, several digits, several dashes.
    assert!(has("1", "7") && has("5", "5"), "{edges:?}");
    assert!(has("i8", "5") && has("i8", "7"), "{edges:?}");
    // 1 comes once and first.
    assert!(
        !edges.iter().any(|(from, to)| to == "1" && from != "entry"),
        "{edges:?}"
    );
}

fn calls_of(module: &Module, func: Func, callee: &str) -> BTreeSet<(Func, Inst)> {
    let function = &module.functions[func];
    let calls = function.insts.iter().filter(|(_, node)| {
        node.data.call().is_some_and(|call| match call.callee {
            Callee::Direct(target) => module.functions[target].name == callee,
            Callee::Indirect(_) => false,
        })
    });
    calls.map(|(inst, _)| (func, inst)).collect()
}

fn cycc(old: &str, new: &str) -> u64 {
    let old = compile("shape.c", old);
    let new = compile("shape.c", new);
    let changes = diff(&old, &new);
    let calls = Calls::from_default_roots(&new);
    complexity(&old, &new, &changes, &calls).cycc
}

#[test]
fn complexity_of_a_changed_return_value() {
    // Thesis, Figures 5.1 and 5.3 (left): one changed statement, CyCC 1.
    let text = |result: &str| {
        format!(
            "extern int digit(void);
            int main(void) {{
              int value = 0, sign = digit() < 0 ? -1 : 1, c;
              do {{
                c = digit();
                if (c >= 0) value = 10 * value + sign * c;
              }} while (c >= 0);
              return {result};
            }}"
        )
    };
    assert_eq!(cycc(&text("value * sign"), &text("value")), 1);
}

#[test]
fn complexity_of_a_nested_condition() {
    // Thesis, Figures 5.2 and 5.3 (middle): three added conditions, CyCC 4.
    let text = |added: &str| {
        format!(
            "extern int kind(void), level(void), is_loop(void); extern void report(void), usual(void);
            int main(void) {{
              if (kind() == 3)
                usual();
              {added}
              return 0;
            }}"
        )
    };
    let added = "else if (kind() == 7) {
                if (level() == 0) {
                  report();
                } else {
                  if (is_loop()) {
                    report();
                  }
                }
              }";
    assert_eq!(cycc(&text(""), &text(added)), 4);
}

#[test]
fn complexity_of_two_changes_that_repeat() {
    // Thesis, Figure 5.3 (right): 100 and 200 in any order, 200 repeatedly; CyCC 5.
    let text = |first: u32, second: u32| {
        format!(
            "extern int more(void), which(void); extern void put(int);
            int main(void) {{
              do {{
                if (which()) {{
                  put({first});
                  if (!more()) return 1;
                }}
                if (which()) return 2;
                do {{ put({second}); }} while (which());
              }} while (more());
              return 0;
            }}"
        )
    };
    // Between two executions of the first change the second is always executed, and
    // everything else can follow everything.
    let old = compile("shape.c", &text(1, 2));
    let new = compile("shape.c", &text(100, 200));
    let changes = diff(&old, &new);
    let calls = Calls::from_default_roots(&new);
    let graph = of_changed_blocks(&calls, &points_of(&changes, &new));
    assert_eq!(graph.nodes.len(), 4, "{graph:?}");
    assert_eq!(
        complexity(&old, &new, &changes, &calls).cycc,
        5,
        "{graph:?}"
    );
}

/// The scanner of the eXpress paper's Figure 1: brackets in order, then a space or the
/// sixteenth character decide. Comments give the figure's line numbers.
fn bracket_scanner(added: &str) -> String {
    format!(
        "int scan(const char *c, int length) {{
  int state = 0;
  if (length == 0)                                   /* 2 */
    return -1;                                       /* 3 */
  for (int i = 0; i < length; i++) {{                 /* 4 */
    if (c[i] == '[') state = 1;                      /* 5 */
    else if (state == 1 && c[i] == '{{') state = 2;   /* 6 */
    else if (state == 2 && c[i] == '<') state = 3;   /* 7 */
    else if (state == 3 && c[i] == '*') {{            /* 8 */
      state = 4;                                     /* 9 */
      {added}
    }}
    if (c[i] == ' ')                                 /* 12 */
      return state;                                  /* 13 */
    if (!(c[i] >= 'a' && c[i] <= 'z')) {{             /* 14 */
      state = -1;                                    /* 15 */
      return state;
    }}
  }}
  if (length >= 15 && c[15] == '}}')                  /* 16 */
    return state;                                    /* 17 */
  return -2;                                         /* 18 */
}}
"
    )
}

#[test]
fn irrelevant_branches_of_the_bracket_scanner() {
    // eXpress §3: B_E is <2,3>, <4,16>, <12,13>, <14,15>, <16,17>, <16,18>; B_P is <2,3>.
    let old = compile("scan.c", &bracket_scanner(""));
    let added = "if (length == 15) state = state + 1; /* 10, 11 */";
    let new = compile("scan.c", &bracket_scanner(added));
    let changes = diff(&old, &new);
    let scan = root(&new, "scan");
    let calls = Calls::by_signature(&new, vec![scan]);
    let irrelevant = irrelevant_branches(&calls, &points_of(&changes, &new));
    let function = &new.functions[scan];
    let lines = lines(&new, function);
    let of_lines = |branches: &BTreeSet<Branch>| -> BTreeSet<u32> {
        branches
            .iter()
            .map(|branch| {
                let last = function.terminator(branch.block).expect("blocks end");
                lines[last].expect("branches have lines").line
            })
            .collect()
    };
    // By the text's lines: 3 is figure line 2, 5 is 4, 13 is 12, 15 is 14, 20 is 16.
    assert_eq!(
        of_lines(&irrelevant.cannot_execute),
        BTreeSet::from([3, 5, 13, 15, 20])
    );
    assert_eq!(of_lines(&irrelevant.cannot_propagate), BTreeSet::from([3]));
    let mut per_line: BTreeMap<u32, usize> = BTreeMap::new();
    for branch in &irrelevant.cannot_execute {
        let last = function.terminator(branch.block).expect("blocks end");
        *per_line
            .entry(lines[last].expect("branches have lines").line)
            .or_default() += 1;
    }
    // One way out of each condition, except that both comparisons of 14 have one to 15,
    // and all ways of the two comparisons of 16 are irrelevant.
    assert_eq!(
        per_line,
        BTreeMap::from([(3, 1), (5, 1), (13, 1), (15, 2), (20, 4)])
    );
}

#[test]
fn distances_in_the_two_branch_example() {
    // Qi et al., Figure 1: the branch in line 7 is at distance 1 of the change in line 8,
    // the one in line 16 cannot lead to it.
    let text = |number: u32| {
        format!(
            "extern int input(void); int y, o;
int main(void) {{
  int x = input();
  if (x > 0) {{
    y = {number};
    if (x - y > 0)
      o = y;
    else
      o = 0;
  }} else
    o = -1;
  if (x > 20)
    o = 10;
}}
"
        )
    };
    let old = compile("steps.c", &text(3));
    let new = compile("steps.c", &text(2));
    let changes: ChangeSet = diff(&old, &new);
    let targets: Vec<(Func, Inst)> = changes
        .points(&new)
        .into_iter()
        .flat_map(|(func, points)| points.into_iter().map(move |point| (func, point.inst)))
        .collect();
    assert_eq!(statement_numbers(&new, targets.clone(), 0), [5]);
    let facts = facts(&new);
    let distances = Distances::to(&facts, &targets);
    let main = root(&new, "main");
    let function = &new.functions[main];
    let lines = lines(&new, function);
    let mut found = BTreeMap::new();
    for (block, _) in function.blocks.iter() {
        let last = function.terminator(block).expect("blocks end");
        if function.insts[last].data.successors().len() > 1 {
            let line = lines[last].expect("branches have lines").line;
            found.insert(line, distances.of_branch(main, block));
        }
    }
    assert_eq!(found, BTreeMap::from([(4, Some(1)), (6, None), (12, None)]));
}

#[test]
fn a_deleted_assignment_affects_its_readers() {
    let text = |assignment: &str| {
        format!(
            "extern int read_number(void); extern void output(int);
int a, b;
int main(void) {{
  a = read_number();
  {assignment}
  output(a);
  output(b);
}}
"
        )
    };
    let old = compile("gone.c", &text("a = a + 1;"));
    let new = compile("gone.c", &text(""));
    let changes = diff(&old, &new);
    let (old_facts, new_facts) = (facts(&old), facts(&new));
    let config = DependenceConfig::default();
    let old_graph = DependenceGraph::of(&old_facts, &config);
    let new_graph = DependenceGraph::of(&new_facts, &config);
    let impact = Impact::of_both((&old, &old_graph), (&new, &new_graph), &changes);
    assert_eq!(impact.changes.len(), 1);
    let affected = statement_numbers(&new, impact.affected(0), 0);
    assert!(
        affected.contains(&6),
        "the reader is affected: {affected:?}"
    );
    assert!(
        !affected.contains(&4),
        "what came before is not: {affected:?}"
    );
}
