//! Edits that change the text and not the program give an empty change set.

use crate::c_source::tokens::laid_out;
use crate::c_source::{compile, compile_with};
use program_ir::Module;
use std::collections::BTreeSet;
use std::path::Path;
use version_diff::{ChangeSet, diff};

/// Real programs of several kinds, from the project's own test programs.
const FILES: [&str; 12] = [
    "algorithms/json_parser.c",
    "algorithms/sorting_algorithms.c",
    "algorithms/expression_evaluator.c",
    "algorithms/sha256.c",
    "algorithms/binary_trees.c",
    "algorithms/huffman.c",
    "algorithms/virtual_machine.c",
    "aggregates/unions.c",
    "calls/function_pointers.c",
    "control/switch_forms.c",
    "control/goto_forms.c",
    "memory/arena_allocator.c",
];

fn text_of(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/c");
    std::fs::read_to_string(folder.join(file)).expect("a test program of the project")
}

fn describe(changes: &ChangeSet, new: &Module) -> String {
    let mut text = String::new();
    for change in &changes.functions {
        let name = &new.functions[change.new].name;
        text.push_str(&format!("{name}: {:?}\n", change.statements));
    }
    for change in &changes.globals {
        let name = change.new.map(|global| new.globals[global].name.clone());
        text.push_str(&format!("{name:?}: {:?}\n", change.differences));
    }
    for &func in &changes.added_functions {
        text.push_str(&format!("added {}\n", new.functions[func].name));
    }
    text
}

fn assert_no_change(what: &str, old: &Module, new: &Module) {
    let changes = diff(old, new);
    let none = changes.is_empty() && changes.removed_functions.is_empty();
    assert!(none, "{what}:\n{}", describe(&changes, new));
}

#[test]
fn reformatting_and_comments() {
    type Edit = fn(&str) -> String;
    let edits: [(&str, Edit); 5] = [
        ("every token on its own line", |text| laid_out(text, "\n")),
        ("the whole program on few lines", |text| laid_out(text, " ")),
        ("a comment behind every token", |text| {
            laid_out(text, " /* note */ ")
        }),
        ("empty lines between lines", |text| {
            text.replace('\n', "\n\n").replace("\\\n\n", "\\\n")
        }),
        ("a long header comment", |text| {
            format!("/*{}*/\n{text}", "words\n".repeat(300))
        }),
    ];
    for file in FILES {
        let text = text_of(file);
        let old = compile("program.c", &text);
        for (what, edit) in edits {
            let new = compile("program.c", &edit(&text));
            assert_no_change(&format!("{file}, {what}"), &old, &new);
        }
    }
}

#[test]
fn renamed_locals_and_parameters() {
    for file in FILES {
        let text = text_of(file);
        let old = compile("program.c", &text);
        let locals: BTreeSet<&str> = old
            .functions
            .values()
            .flat_map(|function| function.variables.values())
            .map(|variable| variable.name.as_str())
            .filter(|name| !name.is_empty())
            .collect();
        assert!(!locals.is_empty(), "{file} has locals");
        // Behind the includes, so that no header is touched; a name used for something
        // else too is renamed there as well.
        let at = text
            .rfind("#include")
            .and_then(|at| Some(at + text[at..].find('\n')? + 1));
        let at = at.unwrap_or(0);
        let symbols: BTreeSet<&str> = old
            .functions
            .values()
            .map(|function| function.name.as_str())
            .chain(old.globals.values().map(|global| global.name.as_str()))
            .collect();
        let mut edited = text[..at].to_owned();
        for name in locals {
            // A name that is a symbol as well would rename that.
            if !symbols.contains(name) {
                edited.push_str(&format!("#define {name} renamed_{name}\n"));
            }
        }
        edited.push_str(&text[at..]);
        let new = compile("program.c", &edited);
        assert_no_change(&format!("{file}, renamed locals"), &old, &new);
    }
}

/// A program to edit by hand.
const COUNTER: &str = r#"
#include <stdio.h>
#include <string.h>
#include "limits_here.h"

struct entry { char name[16]; int count; };
static struct entry table[LIMIT];
static int used = 0;

static int find(const char *name) {
  int low = 0, high = used, middle;
  while (low < high) {
    middle = (low + high) / 2;
    int order = strcmp(table[middle].name, name);
    if (order == 0) return middle;
    if (order < 0) low = middle + 1; else high = middle;
  }
  return -1;
}

static int add(const char *name) {
  static int calls;
  char copy[16];
  int index = find(name);
  calls++;
  if (index < 0) {
    index = used++;
    strncpy(copy, name, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    strcpy(table[index].name, copy);
  }
  table[index].count += 1;
  return calls;
}

int main(int argc, char **argv) {
  int i, total = 0;
  for (i = 1; i < argc; i++) {
    total = add(argv[i]);
  }
  for (i = 0; i < used; i++)
    printf("%s %d\n", table[i].name, table[i].count);
  printf("%d in total\n", total);
  return total == 0;
}
"#;

const LIMITS: &str = "#define LIMIT 10\n#define UNUSED_LIMIT 5\n";

#[test]
fn edits_by_hand() {
    let find_at = COUNTER.find("static int find").expect("it is there");
    let add_at = COUNTER.find("static int add").expect("it is there");
    let main_at = COUNTER.find("int main").expect("it is there");
    let (head, find) = (&COUNTER[..find_at], &COUNTER[find_at..add_at]);
    let (add, main) = (&COUNTER[add_at..main_at], &COUNTER[main_at..]);
    let declarations = "static int find(const char *name);\nstatic int add(const char *name);\n";
    let edited = |from: &str, to: &str| {
        assert!(COUNTER.contains(from), "{from}");
        COUNTER.replace(from, to)
    };
    let edits: Vec<(&str, String)> = vec![
        (
            "functions in another order",
            format!("{head}{declarations}{main}{add}{find}"),
        ),
        (
            "declarations in front",
            format!("{head}{declarations}{find}{add}{main}"),
        ),
        (
            "includes in another order",
            edited(
                "#include <stdio.h>\n#include <string.h>",
                "#include <string.h>\n#include <stdio.h>",
            ),
        ),
        (
            "a further include",
            edited(
                "#include <stdio.h>",
                "#include <stdio.h>\n#include <ctype.h>",
            ),
        ),
        (
            "a split declaration",
            edited(
                "int low = 0, high = used, middle;",
                "int middle; int low = 0; int high = used;",
            ),
        ),
        (
            "a declaration moved into the loop",
            edited(
                "int low = 0, high = used, middle;",
                "int low = 0, high = used;",
            )
            .replace("    middle = (low", "    int middle = (low"),
        ),
        (
            "another order of declarations",
            edited(
                "char copy[16];\n  int index",
                "int unused; char copy[16];\n  int index",
            ),
        ),
        (
            "swapped declarations",
            edited(
                "static int calls;\n  char copy[16];",
                "char copy[16];\n  static int calls;",
            ),
        ),
        (
            "a renamed static function",
            COUNTER.replace("find(", "look_up("),
        ),
        (
            "a renamed parameter",
            edited(
                "static int find(const char *name)",
                "static int find(const char *word)",
            )
            .replace("].name, name)", "].name, word)")
            .replace(
                "strcpy(table[index].name, word)",
                "strcpy(table[index].name, name)",
            ),
        ),
        (
            "braces",
            edited(
                "for (i = 0; i < used; i++)\n    printf(\"%s %d\\n\", table[i].name, table[i].count);",
                "for (i = 0; i < used; i++) {\n    printf(\"%s %d\\n\", table[i].name, table[i].count);\n  }",
            ),
        ),
        (
            "parentheses",
            edited("return total == 0;", "return ((total) == (0));"),
        ),
        (
            "a loop variable of its own",
            edited(
                "for (i = 0; i < used; i++)",
                "for (int i = 0; i < used; i++)",
            ),
        ),
        (
            "a number in another base",
            edited("char copy[16];", "char copy[0x10];"),
        ),
        (
            "a literal in two pieces",
            edited("\"%d in total\\n\"", "\"%d in\" \" total\\n\""),
        ),
        (
            "an unused typedef",
            edited(
                "static int used",
                "typedef unsigned long word;\nstatic int used",
            ),
        ),
        (
            "an unused macro",
            edited("static int used", "#define FACTOR 3\nstatic int used"),
        ),
        (
            "an unused prototype",
            edited("static int used", "int elsewhere(int);\nstatic int used"),
        ),
        (
            "a macro for a constant",
            edited("middle + 1", "middle + STEP")
                .replace("static int used", "#define STEP 1\nstatic int used"),
        ),
        (
            "an enum constant for a number",
            edited("return -1;", "return NOT_FOUND;").replace(
                "static int used",
                "enum { NOT_FOUND = -1 };\nstatic int used",
            ),
        ),
        (
            "a renamed struct and field",
            COUNTER.replace("entry", "row").replace("count", "times"),
        ),
        (
            "a typedef for a type",
            edited("int index = find(name);", "number index = find(name);")
                .replace("static int used", "typedef int number;\nstatic int used"),
        ),
        (
            "an explicit zero",
            edited("static int calls;", "static int calls = 0;"),
        ),
        (
            "a renamed static variable",
            COUNTER.replace("used", "filled"),
        ),
        (
            "no else",
            edited(
                "    if (order < 0) low = middle + 1; else high = middle;",
                "    if (order < 0)\n      low = middle + 1;\n    else\n      high = middle;",
            ),
        ),
        (
            "a line moved into a header",
            edited(
                "#include \"limits_here.h\"\n",
                "#include \"limits_here.h\"\n\n\n#line 500\n",
            ),
        ),
    ];
    assert!(edits.len() >= 20);
    let headers = [("limits_here.h", LIMITS)];
    let old = compile_with("counter.c", COUNTER, &headers);
    for (what, text) in edits {
        assert_ne!(text, COUNTER, "{what}");
        let new = compile_with("counter.c", &text, &headers);
        assert_no_change(what, &old, &new);
    }
    let unused = LIMITS.replace("UNUSED_LIMIT 5", "UNUSED_LIMIT 6");
    let new = compile_with("counter.c", COUNTER, &[("limits_here.h", &unused)]);
    assert_no_change("another value of an unused macro", &old, &new);
}

/// `__LINE__` is where the assertion ends, and its call is where it begins.
#[test]
fn the_line_of_an_assertion_over_several_lines_is_no_change() {
    let text = "#include <assert.h>\nint main(int count, char **words) { assert(count < 9); }\n";
    let old = compile("check.c", text);
    let new = compile("check.c", &text.replace("count < 9", "count\n<\n9\n"));
    assert_no_change("an assertion over several lines", &old, &new);
    let new = compile("check.c", &text.replace("count < 9", "count < 8"));
    assert!(!diff(&old, &new).is_empty());
}

#[test]
fn the_line_of_an_assertion_is_no_change_unless_asked_for() {
    let text = "#include <assert.h>\nint main(int count, char **words) { assert(count < 9); }\n";
    let old = compile("check.c", text);
    let new = compile("check.c", &format!("\n\n\n{text}"));
    assert_no_change("a moved assertion", &old, &new);
    let exact = version_diff::CompareOptions {
        ignore_line_numbers: false,
    };
    assert!(!version_diff::diff_with(&old, &new, exact).is_empty());
}
