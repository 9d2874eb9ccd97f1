//! Branches behind which constants decide that no change comes: a helper returns what its callers take for a failure.

use crate::c_source::compile;
use std::collections::BTreeSet;
use version_diff::calls::Calls;
use version_diff::diff;
use version_diff::express::{irrelevant_branches, points_of};
use version_diff::statements::lines;

/// `number` fails in line 4, and `pair` hands that on.
fn reader(main: &str) -> String {
    format!(
        "extern int read_byte(void); extern void output(int);
static int number(int *value) {{
  int c = read_byte();
  if (c < '0')
    return 2;
  *value = c;
  return 0;
}}
static int pair(int *value) {{
  int first = number(value);
  if (first != 0)
    return first;
  return number(value);
}}
{main}"
    )
}

/// The lines of branches that lead to no change, those that the graph knows and those that constants decide.
fn quiet_lines(main: &str) -> [BTreeSet<u32>; 2] {
    let old = compile("reader.c", &reader(main));
    let changed = main.replace("value + 1", "value + 2");
    let new = compile("reader.c", &reader(&changed));
    let root = new.function_named("main").expect("there is one");
    let calls = Calls::by_signature(&new, vec![root]);
    let irrelevant = irrelevant_branches(&calls, &points_of(&diff(&old, &new), &new));
    [&irrelevant.cannot_execute, &irrelevant.decided].map(|branches| {
        let line = |branch: &version_diff::express::Branch| {
            let function = &new.functions[branch.func];
            let last = function.terminator(branch.block).expect("blocks end");
            lines(&new, function)[last]
                .expect("branches have lines")
                .line
        };
        branches.iter().map(line).collect()
    })
}

#[test]
fn a_failure_that_all_callers_give_up_on_leads_nowhere() {
    let main = "int main(void) {
  int value = 0;
  while (pair(&value) == 0)
    output(value + 1);
  return 1;
}
";
    let [graph, decided] = quiet_lines(main);
    // The graph knows the end of the loop; that a failure leads there, only constants tell.
    assert_eq!(graph, BTreeSet::from([17]));
    assert_eq!(decided, BTreeSet::from([4]));
}

#[test]
fn a_failure_that_one_caller_goes_on_after_is_followed() {
    let main = "int main(void) {
  int value = 0;
  while (pair(&value) == 0)
    output(value + 1);
  if (number(&value) == 2)
    output(value + 1);
  return 1;
}
";
    let [_, decided] = quiet_lines(main);
    assert!(!decided.contains(&4), "{decided:?}");
    let ignored = main.replace("number(&value) == 2", "number(&value) < 9");
    let [_, decided] = quiet_lines(&ignored);
    assert!(!decided.contains(&4), "{decided:?}");
}

#[test]
fn other_constants_are_other_results() {
    let main = "int main(void) {
  int value = 0;
  while (pair(&value) != 3)
    output(value + 1);
  return 1;
}
";
    let [_, decided] = quiet_lines(main);
    assert_eq!(decided, BTreeSet::new());
}
