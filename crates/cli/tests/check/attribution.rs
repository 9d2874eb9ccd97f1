//! Which changed lines `parallax check` names with a difference: those that it comes from.

use crate::support::Bench;
use serde_json::Value;

const SHAPES: &str = r#"
#include <stdio.h>
static int area(int w, int h) { return w * h; }
static int edge(int w, int h) { return 2 * (w + h); }
int main(int argc, char **argv) {
    int w = argv[1][0], h = argv[1][1];
    printf("area %d\n", area(w, h));
    printf("edge %d\n", edge(w, h));
    if (w > 'x') puts("wide");
    return 0;
}
"#;

/// The lines named with each difference, in order.
fn named(old: &str, new: &str, options: &[&str]) -> Vec<Vec<u64>> {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    let words = ["check", "old.c", "new.c", "--format", "json"];
    let said = bench.parallax(&[&words, options].concat());
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let report: Value = serde_json::from_str(&said.stdout).expect("JSON");
    let differences = report["differences"].as_array().expect("a list");
    let lines = differences.iter().map(|difference| {
        let changes = difference["changes"].as_array().expect("a list");
        changes
            .iter()
            .filter_map(|change| change["line"].as_u64())
            .collect()
    });
    lines.collect()
}

#[test]
fn only_the_changes_that_a_difference_comes_from() {
    let new = SHAPES
        .replace("w * h;", "w * h + 0;")
        .replace("2 * (w + h)", "2 * (w + h) + (w == 'k')")
        .replace("w > 'x'", "w >= 'x'");
    let mut lines = named(SHAPES, &new, &["--sym-args", "1", "1", "2"]);
    lines.sort();
    // Two kinds may come from the same change.
    lines.dedup();
    // The area is computed in another way, with the same result.
    assert_eq!(lines, [vec![4], vec![9]]);
}

/// A changed global is used in two lines. What is named is its definition, once.
#[test]
fn the_definition_of_a_global() {
    let old = r#"
#include <stdio.h>
static int limit = 'm';
int main(int argc, char **argv) {
    volatile int unused = limit;
    putchar(argv[1][0] > limit ? 'a' : 'b');
    return 0;
}
"#;
    let new = old.replace("'m'", "'n'");
    let lines = named(old, &new, &["--sym-args", "1", "1", "1"]);
    assert_eq!(lines, [[3]], "{lines:?}");
}

/// The length of a block is known before it is known to be wrong.
#[test]
fn blocks_of_impossible_length() {
    let old = r#"
#include <string.h>
#include <stdio.h>
int main(int argc, char **argv) {
    char text[8];
    int length = argv[1][0] - '0';
    if (length < 0 || length > 8) return 2;
    memset(text, 'x', 8);
    memset(text, 'y', length);
    putchar(text[0]);
    return 0;
}
"#;
    for call in [
        "memset(text, 'z', length - 1)",
        "memcpy(text, argv[1], length - 1)",
    ] {
        let new = old
            .replace("memset(text, 'y', length)", call)
            .replace("'x', 8", "'w', 8");
        let lines = named(old, &new, &["--sym-args", "1", "1", "1"]);
        assert!(lines.contains(&vec![9]), "{call}: {lines:?}");
    }
}

/// What is named with each difference: file, line, whether it is gone, and why it matters if its text is the same.
fn places(report: &Value) -> Vec<(String, u64, bool, String)> {
    let differences = report["differences"].as_array().expect("a list");
    let changes = differences
        .iter()
        .flat_map(|difference| difference["changes"].as_array().expect("a list"));
    let place = |change: &Value| {
        let file = change["file"].as_str().expect("a file").to_owned();
        let line = change["line"].as_u64().expect("a line");
        let removed = change["removed"].as_bool().expect("a truth");
        let notes = change["notes"].as_array().expect("a list");
        let notes = notes.iter().map(|note| note.as_str().expect("a text"));
        (file, line, removed, notes.collect())
    };
    changes.map(place).collect()
}

/// Compilers give an edit to the lines around it.
#[test]
fn the_edited_line_is_named() {
    const PROGRAM: &str = r#"#include <stdio.h>
#include "size.h"
static const int table[] = { 3,
    5,
    7 };
/* How far. */
enum { NEAR = 1,
    FAR = 9 };

static int grown(int c)
{
    int step = 2;
    if (c == 'p' ||
        c == 'q')
        return 40;
    if (c == 'r') {
        step += 4;
        step *= 2;
    }
    if (c == 's' + FAR)
        return SIZE;
    return step;
}

int main(void)
{
    int c = getchar();
    int n = c >= '0' && c <= '2' ? table[c - '0'] : grown(c);
    printf("%d\n", n);
    return 0;
}
"#;
    const HEADER: &str = "#define OTHER 1\n#define SIZE 60\n";
    // What is replaced by what, and the file, the line, whether it is gone, and why it matters.
    let far = "enum constant FAR is 8, was 9 (new/program.c:8)";
    let size = "macro SIZE is 61, was 60 (new/size.h:2)";
    let edits = [
        ("    5,", "    6,", "new/program.c", 4, false, ""),
        ("FAR = 9", "FAR = 8", "new/program.c", 20, false, far),
        (
            "int step = 2",
            "int step = 3",
            "new/program.c",
            12,
            false,
            "",
        ),
        (
            "'p' ||\n        c == 'q')",
            "'p')",
            "old/program.c",
            14,
            true,
            "",
        ),
        ("        step += 4;\n", "", "old/program.c", 17, true, ""),
        ("SIZE 60", "SIZE 61", "new/program.c", 21, false, size),
    ];
    for (before, after, file, line, removed, why) in edits {
        let bench = Bench::new();
        for (version, is_new) in [("old", false), ("new", true)] {
            let edited = |text: &str| match is_new {
                true => text.replace(before, after).replace("How far", "As far"),
                false => text.to_owned(),
            };
            bench.write(&format!("{version}/program.c"), &edited(PROGRAM));
            bench.write(&format!("{version}/size.h"), &edited(HEADER));
        }
        let words = [
            "check",
            "old/program.c",
            "new/program.c",
            "--format",
            "json",
        ];
        let report = bench
            .parallax(&[&words[..], &["--sym-stdin", "1"]].concat())
            .json();
        let mut named = places(&report);
        // Two kinds may come from the same change.
        named.dedup();
        let expected = (file.to_owned(), line, removed, why.to_owned());
        assert_eq!(named, [expected], "{before} -> {after}: {report}");
    }
}
