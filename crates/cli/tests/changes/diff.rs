//! `parallax diff`, `complexity` and `graph` on small pairs of versions, each in its own folder.

use crate::support::{Bench, Said};
use serde_json::Value;

const SUM: &str = "#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#define LIMIT 8
static int sum(const int *numbers, int count)
{
    int total = 0;
    for (int i = 0; i < count; i++)
        total += numbers[i];
    return total;
}
int main(int argc, char **argv)
{
    int numbers[LIMIT], count = 0;
    for (int i = 1; i < argc && count < LIMIT; i++)
        numbers[count++] = atoi(argv[i]);
    assert(count >= 0);
    printf(\"%d\\n\", sum(numbers, count));
    return 0;
}
";

/// `old/sum.c` is the program above, `new/sum.c` the same with one piece of text replaced.
fn pair(from: &str, to: &str) -> Bench {
    assert_eq!(SUM.matches(from).count(), 1, "{from}");
    let bench = Bench::new();
    bench.write("old/sum.c", SUM);
    bench.write("new/sum.c", &SUM.replace(from, to));
    bench
}

fn off_by_one() -> Bench {
    pair("i < count; i++", "i <= count; i++")
}

fn compare(bench: &Bench, command: &str, more: &[&str]) -> Said {
    let mut all = vec![command, "old/sum.c", "new/sum.c"];
    all.extend(more);
    bench.parallax(&all)
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", said.stderr))
}

#[test]
fn an_off_by_one() {
    let bench = off_by_one();
    let said = compare(&bench, "diff", &[]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let (changes, note) = said.stdout.split_once("not compared: ").unwrap();
    assert_eq!(
        changes,
        "changed sum
  - old/sum.c:8  for (int i = 0; i < count; i++)
  + new/sum.c:8  for (int i = 0; i <= count; i++)
"
    );
    assert!(note.contains("__LINE__") && note.contains("__FILE__"));

    let said = compare(&bench, "diff", &["--format", "markdown"]);
    assert_eq!(said.status, 1);
    assert!(
        said.stdout.starts_with(
            "### changed sum

```diff
- old/sum.c:8  for (int i = 0; i < count; i++)
+ new/sum.c:8  for (int i = 0; i <= count; i++)
```
"
        ),
        "{}",
        said.stdout
    );
    bench.assert_no_leftovers();
}

#[test]
fn json_fields() {
    let bench = off_by_one();
    let said = compare(&bench, "diff", &["--format", "json"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let report = json(&said);
    assert_eq!(report["changed"], true);
    assert_eq!(report["globals"], Value::Array(Vec::new()));
    assert!(!report["not_compared"].as_array().unwrap().is_empty());
    let [function] = &report["functions"].as_array().unwrap()[..] else {
        panic!("{report:#}");
    };
    assert_eq!(function["status"], "changed");
    assert_eq!(function["name"], "sum");
    assert_eq!(function["old_name"], Value::Null);
    assert_eq!(function["has_other_signature"], false);
    let [statement] = &function["statements"].as_array().unwrap()[..] else {
        panic!("{report:#}");
    };
    assert_eq!(statement["kind"], "modified");
    assert_eq!(statement["old"]["file"], "old/sum.c");
    assert_eq!(statement["new"]["line"], 8);
    assert_eq!(statement["new"]["text"], "for (int i = 0; i <= count; i++)");
}

/// Comments, moved lines (`assert` holds line and file) and the versions' places are no change.
#[test]
fn what_is_no_change() {
    let commented = SUM
        .replace("static int", "/* Adds up.\n */\nstatic int")
        .replace("int total = 0;", "int total = 0; // so far");
    for name in ["new/sum.c", "some/other/place/total.c"] {
        let bench = Bench::new();
        bench.write("old/sum.c", SUM);
        bench.write(name, &commented);
        let said = bench.parallax(&["diff", "old/sum.c", name]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        assert!(
            said.stdout.starts_with("no change\nnot compared: "),
            "{}",
            said.stdout
        );
        let said = bench.parallax(&["diff", "old/sum.c", name, "--format", "json"]);
        assert_eq!(said.status, 0);
        assert_eq!(json(&said)["changed"], false);
    }
    let bench = Bench::new();
    bench.write("sum.c", SUM);
    let said = bench.parallax(&["diff", "sum.c", "sum.c"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.starts_with("no change\n"), "{}", said.stdout);
}

/// Build systems often give full paths, which `__FILE__` then is.
#[test]
fn a_project_in_two_places() {
    let bench = Bench::new();
    for folder in ["old", "new-and-longer"] {
        let place = bench.path(folder);
        let place = place.display();
        bench.write(
            &format!("{folder}/compile_commands.json"),
            &format!(
                "[{{\"directory\": \"{place}\", \"file\": \"{place}/src/half.c\",
                   \"command\": \"cc -c {place}/src/half.c -o half.o\"}}]"
            ),
        );
        bench.write(
            &format!("{folder}/src/half.h"),
            "#include <assert.h>
static inline int half(int n) { assert(n % 2 == 0); return n / 2; }
",
        );
        bench.write(
            &format!("{folder}/src/half.c"),
            "#include <stdio.h>
#include \"half.h\"
int main(int argc, char **argv) { printf(__FILE__ \": %d\\n\", half(argc)); return 0; }
",
        );
    }
    let said = bench.parallax(&["diff", "old", "new-and-longer"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

/// A panic's place holds the file's name and its length.
#[test]
fn a_rust_program_in_two_places() {
    let text = "fn main() {
    let word = std::env::args().nth(1).unwrap();
    println!(\"{}\", word.len());
}
";
    let bench = Bench::new();
    bench.write("old/long.rs", text);
    bench.write("a/much/longer/path/long.rs", &format!("// Longer.\n{text}"));
    bench.write("new/long.rs", &text.replace("nth(1)", "nth(2)"));
    let said = bench.parallax(&["diff", "old/long.rs", "a/much/longer/path/long.rs"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = bench.parallax(&["diff", "old/long.rs", "new/long.rs"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(
        said.stdout.contains("changed long::main\n"),
        "{}",
        said.stdout
    );
}

/// A file's name is its crate's name, which is in every symbol; and the names in reports are the source's.
#[test]
fn two_rust_files_are_one_crate() {
    let text = "trait Shape { fn area(&self) -> i32; }
struct Square(i32);
struct Strip(i32);
impl Shape for Square { fn area(&self) -> i32 { self.0 * self.0 } }
impl Shape for Strip { fn area(&self) -> i32 { self.0 * 2 } }
fn main() {
    let count = std::env::args().count() as i32;
    let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(count)), Box::new(Strip(count))];
    println!(\"{}\", shapes.iter().map(|shape| shape.area()).sum::<i32>());
}
";
    let bench = Bench::new();
    bench.write("old.rs", text);
    bench.write("2-new.rs", &text.replace("self.0 * 2", "self.0 * 3"));
    let said = bench.parallax(&["diff", "old.rs", "2-new.rs"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let (changes, _) = said.stdout.split_once("not compared: ").unwrap();
    assert_eq!(
        changes,
        "changed <_2_new::Strip as _2_new::Shape>::area
  - old.rs:5  impl Shape for Strip { fn area(&self) -> i32 { self.0 * 2 } }
  + 2-new.rs:5  impl Shape for Strip { fn area(&self) -> i32 { self.0 * 3 } }
"
    );
    let said = bench.parallax(&["graph", "calls", "old.rs"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for name in ["old::main", "<old::Square as old::Shape>::area"] {
        assert!(
            said.stdout.contains(&format!("label=\"{name}\"")),
            "{name}: {}",
            said.stdout
        );
    }
    for mangled in ["\"_R", "\"_ZN"] {
        assert!(!said.stdout.contains(mangled), "{}", said.stdout);
    }
    // By the last part of its path where that is clear; otherwise the choice is shown.
    let cfg = |name: &str| bench.parallax(&["graph", "cfg", "old.rs", "--function", name]);
    assert_eq!(cfg("<old::Strip as old::Shape>::area").status, 0);
    let said = cfg("area");
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("<old::Strip as old::Shape>::area"),
        "{}",
        said.stderr
    );
}

/// Versions of several files: named, or all C files of a folder.
#[test]
fn several_files() {
    let bench = Bench::new();
    for (folder, number) in [("old", 2), ("new", 3)] {
        bench.write(&format!("{folder}/half.h"), "int half(int);\n");
        bench.write(
            &format!("{folder}/half.c"),
            &format!("#include <assert.h>\n#include \"half.h\"\nint half(int n) {{ assert(n); return n / {number}; }}\n"),
        );
        bench.write(
            &format!("{folder}/main.c"),
            "#include \"half.h\"\nint main(int argc, char **argv) { return half(argc); }\n",
        );
    }
    let named = [
        "--old",
        "old/main.c",
        "old/half.c",
        "--new",
        "new/main.c",
        "new/half.c",
    ];
    for arguments in [&["old", "new"][..], &named] {
        let said = bench.parallax(&[&["diff"], arguments].concat());
        assert_eq!(said.status, 1, "{arguments:?}: {}", said.stderr);
        let (changes, _) = said.stdout.split_once("not compared: ").unwrap();
        assert!(changes.starts_with("changed half\n"), "{changes}");
        assert_eq!(changes.matches("half.c:3").count(), 2, "{changes}");
        assert!(!changes.contains("main"), "{changes}");
    }
    // Two programs in one folder. That there is a new file is seen, though none that was read has changed.
    bench.write("new/other.c", "int main(void) { return 0; }\n");
    let said = bench.parallax(&["diff", "old", "new"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("several files with a `main`"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("main, other"), "{}", said.stderr);
    let said = bench.parallax(&["graph", "calls", "new", "--target", "other"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    // With a build system beside them, C files alone may be another program.
    bench.write("old/Makefile", "all:\n");
    let said = bench.parallax(&["graph", "calls", "old"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("parallax cc"), "{}", said.stderr);
    bench.assert_no_leftovers();
}

/// There is nothing to run in a library, but something to compare.
#[test]
fn a_rust_library() {
    let bench = Bench::new();
    for (folder, number) in [("old", 2), ("new", 3)] {
        bench.write(
            &format!("{folder}/Cargo.toml"),
            "[package]\nname = \"half-way\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
        );
        bench.write(
            &format!("{folder}/src/lib.rs"),
            &format!("pub fn half(n: i32) -> i32 {{ n / {number} }}\npub fn same(n: i32) -> i32 {{ n }}\n"),
        );
    }
    let said = bench.parallax(&["diff", "old", "new"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let (changes, _) = said.stdout.split_once("not compared: ").unwrap();
    assert!(changes.starts_with("changed half_way::half\n"), "{changes}");
    assert!(!changes.contains("same"), "{changes}");
    let said = bench.parallax(&["run", "old"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("has no `main`"), "{}", said.stderr);
    let said = bench.parallax(&["diff", "old", "new", "--target", "absent"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("there are: half"), "{}", said.stderr);
}

/// Closures end up inside functions of the standard library.
#[test]
fn a_rust_closure() {
    let text = "fn main() {
    let words = std::env::args().skip(1);
    let lengths: Vec<usize> = words.map(|word| word.len() * 2).collect();
    println!(\"{lengths:?} {:?}\", lengths.iter().position(|&length| length > 6));
}
";
    let bench = Bench::new();
    bench.write("old.rs", text);
    for (from, to) in [("* 2", "* 3"), ("> 6", "> 7"), ("word.len() * 2", "2")] {
        bench.write("new.rs", &text.replace(from, to));
        let said = bench.parallax(&["diff", "old.rs", "new.rs"]);
        assert_eq!(said.status, 1, "{from} {to}: {}", said.stderr);
        // Not the lines of the library that were inlined there.
        let line = if from == "> 6" { 4 } else { 3 };
        let changed = format!("\n  + new.rs:{line}  ");
        assert!(said.stdout.contains(&changed), "{}", said.stdout);
        assert_eq!(said.stdout.matches(".rs:").count(), 2, "{}", said.stdout);
    }
}

#[test]
fn the_value_of_a_macro() {
    let bench = pair("#define LIMIT 8", "#define LIMIT 4");
    let said = compare(&bench, "diff", &["--format", "json"]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let report = json(&said);
    let [function] = &report["functions"].as_array().unwrap()[..] else {
        panic!("{report:#}");
    };
    assert_eq!(function["name"], "main");
    let statements = function["statements"].as_array().unwrap();
    assert!(
        statements.iter().any(|one| one["new"]["line"] == 15),
        "{report:#}"
    );
}

/// A new library call links more of the C library, which is no change of the program.
#[test]
fn library_code_is_left_out() {
    let bench = pair("atoi(argv[i])", "strtol(argv[i], 0, 10)");
    let said = compare(&bench, "diff", &[]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let (changes, _) = said.stdout.split_once("not compared: ").unwrap();
    assert_eq!(
        changes,
        "changed main
  - old/sum.c:16  numbers[count++] = atoi(argv[i]);
  + new/sum.c:16  numbers[count++] = strtol(argv[i], 0, 10);
"
    );
    let said = compare(&bench, "complexity", &["--format", "json"]);
    assert_eq!(json(&said)["cloc"], 1);
}

#[test]
fn complexity_of_one_line() {
    // The condition of a loop: it comes first, after itself, and last.
    let bench = off_by_one();
    let said = compare(&bench, "complexity", &["--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let found = json(&said);
    let expected = serde_json::json!({ "cycc": 2, "cloc": 1, "nodes": 3, "edges": 3 });
    assert_eq!(found, expected);
    let said = compare(&bench, "complexity", &[]);
    assert_eq!(
        said.stdout,
        "CyCC 2, of 3 nodes and 3 edges in the change sequence graph\nCLoC 1\n"
    );

    // What every run executes once.
    let bench = pair("return 0;", "return count;");
    let said = compare(&bench, "complexity", &["--format", "json"]);
    let found = json(&said);
    let expected = serde_json::json!({ "cycc": 1, "cloc": 1, "nodes": 3, "edges": 2 });
    assert_eq!(found, expected);

    bench.write("new/sum.c", SUM);
    let said = compare(&bench, "complexity", &["--format", "json"]);
    let expected = serde_json::json!({ "cycc": 0, "cloc": 0, "nodes": 0, "edges": 0 });
    assert_eq!(json(&said), expected);
}

/// Regression: an exit that no run reaches took one from CyCC.
#[test]
fn complexity_of_a_program_that_never_ends() {
    let text = "#include <stdio.h>\nint main(void) { puts(\"a\"); for (;;); }\n";
    let bench = Bench::new();
    bench.write("old/sum.c", text);
    bench.write("new/sum.c", &text.replace("\"a\"", "\"b\""));
    let said = compare(&bench, "complexity", &["--format", "json"]);
    let expected = serde_json::json!({ "cycc": 1, "cloc": 1, "nodes": 2, "edges": 1 });
    assert_eq!(json(&said), expected);
}

#[test]
fn drawings() {
    let bench = off_by_one();
    let draw = |arguments: &[&str]| {
        let mut all = vec!["graph"];
        all.extend(arguments);
        let said = bench.parallax(&all);
        assert_eq!(said.status, 0, "{arguments:?}: {}", said.stderr);
        said.stdout
    };
    let changed = "fillcolor=\"#f8d7a0\"";
    for kind in ["cfg", "cdg", "pdg"] {
        let since = ["--function", "sum", "--since", "old/sum.c"];
        let dot = draw(&[&[kind, "new/sum.c"][..], &since].concat());
        assert!(
            dot.starts_with("digraph \"") && dot.contains(" -> "),
            "{dot}"
        );
        assert_eq!(dot.matches(changed).count(), 1, "{dot}");
        let plain = draw(&[kind, "new/sum.c", "--function", "sum"]);
        assert!(!plain.contains(changed), "{plain}");
    }
    let calls = draw(&["calls", "new/sum.c"]);
    for name in ["main", "sum", "printf"] {
        assert!(calls.contains(&format!("label=\"{name}\"")), "{calls}");
    }
    assert!(!calls.contains("vfprintf"), "{calls}");
    let sequences = draw(&["csg", "old/sum.c", "new/sum.c"]);
    assert_eq!(sequences.matches(" -> ").count(), 3, "{sequences}");
    let picture = draw(&["csg", "old/sum.c", "new/sum.c", "--format", "svg"]);
    assert!(picture.contains("<svg") && picture.ends_with("</svg>\n"));
    assert_eq!(picture.matches("<rect").count(), 3, "{picture}");
}

#[test]
fn bad_input() {
    let bench = off_by_one();
    bench.write("broken.c", "int main(void) { return absent; }\n");
    bench.write("one.c", "int one(void) { return 1; }\n");
    bench.write(
        "two.c",
        "int two(int a, char *b) { return a * b[3] + 7; }\n",
    );
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["diff", "old/sum.c", "broken.c"],
            &["the new version", "does not compile", "absent"],
        ),
        (
            &["complexity", "broken.c", "old/sum.c"],
            &["the old version", "does not compile"],
        ),
        (
            &["diff", "old/sum.c", "absent.c"],
            &["the new version", "`absent.c` does not exist"],
        ),
        (&["diff", "one.c", "two.c"], &["no function in common"]),
        (&["diff", "old/sum.c"], &["<NEW>"]),
        (
            &["diff", "old/sum.c", "new/sum.c", "--format", "xml"],
            &["text, json, markdown"],
        ),
        (
            &["graph", "cfg", "old/sum.c", "--function", "absent"],
            &["no function `absent`"],
        ),
        (&["graph", "cfg", "old/sum.c"], &["--function <NAME>"]),
    ];
    for (arguments, expected) in cases {
        let said = bench.parallax(arguments);
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{arguments:?}");
        for text in *expected {
            assert!(
                said.stderr.contains(text),
                "{arguments:?}: {} lacks {text}",
                said.stderr
            );
        }
    }
    bench.assert_no_leftovers();
}
