//! Which changed lines `parallax check` names with a difference: those that it comes from.

mod support;

use serde_json::Value;
use support::Bench;

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

/// A changed global is used in two lines; the one that the difference comes from is first.
#[test]
fn the_line_in_the_slice_is_first() {
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
    assert_eq!(lines, [[6, 5]], "{lines:?}");
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
