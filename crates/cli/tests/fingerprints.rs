//! The fingerprint of a difference stays when other things change, and becomes another one when the change behind it is edited.

mod support;

use std::collections::BTreeSet;

use support::Bench;

const OLD: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static int twice(int number) { return number + number; }
static int price(int number) {
    int each = 12;
    return each * number;
}
int main(int argc, char **argv) {
    int number = argc > 1 ? argv[1][0] - '0' : 0;
    if (number < 0 || number > 9) return 2;
    printf("price %d\n", price(number));
    printf("twice %d\n", twice(number));
    return 0;
}
"#;

/// What `price` charges from five on.
const RULE: &str = "    if (number >= 5) each = 9;\n";

fn new(rule: &str) -> String {
    OLD.replace("int each = 12;\n", &format!("int each = 12;\n{rule}"))
}

/// Of the differences between the old version, with the same edit if that is asked for, and a new one.
fn fingerprints(old: &str, new: &str) -> BTreeSet<String> {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-args",
        "1",
        "1",
        "1",
        "--format",
        "json",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let report = said.json();
    let differences = report["differences"].as_array().unwrap().clone();
    let own =
        |difference: &serde_json::Value| difference["fingerprint"].as_str().unwrap().to_owned();
    differences.iter().map(own).collect()
}

#[test]
fn unrelated_edits_keep_fingerprints() {
    let before = fingerprints(OLD, &new(RULE));
    assert_eq!(before.len(), 1);
    let twice = "static int twice(int number) { return number + number; }\n";
    let reordered = |text: &str| {
        let without = text.replace(twice, "");
        without.replace("int main(", &format!("{twice}int main("))
    };
    let moved = |text: &str| {
        text.replace(
            "static int price",
            "\n\n/* What so many cost. */\n\nstatic int price",
        )
    };
    let laid_out = new("    if (number>=5) each=9;   // cheaper\n");
    for (what, old, new) in [
        ("lines move", moved(OLD), moved(&new(RULE))),
        (
            "lines move in the new version",
            OLD.to_owned(),
            moved(&new(RULE)),
        ),
        (
            "functions are reordered",
            OLD.to_owned(),
            reordered(&new(RULE)),
        ),
        (
            "the change is laid out in another way",
            OLD.to_owned(),
            laid_out,
        ),
    ] {
        assert_eq!(fingerprints(&old, &new), before, "{what}");
    }
}

/// Another difference has its own; that of the first stays among them.
#[test]
fn another_difference_keeps_fingerprints() {
    let before = fingerprints(OLD, &new(RULE));
    let both = new(RULE).replace(
        "if (number < 0 || number > 9) return 2;",
        "if (number < 0 || number > 9) return 3;",
    );
    let after = fingerprints(OLD, &both);
    assert!(
        after.is_superset(&before) && after.len() > before.len(),
        "{before:?} {after:?}"
    );
}

#[test]
fn an_edited_change_is_a_new_difference() {
    let before = fingerprints(OLD, &new(RULE));
    let after = fingerprints(OLD, &new("    if (number >= 5) each = 8;\n"));
    assert!(before.is_disjoint(&after), "{before:?} {after:?}");
}
