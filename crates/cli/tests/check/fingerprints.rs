//! The fingerprint of a difference stays when other things change, and becomes another one when the change behind it is edited.
//!
//! Sources are edited in all the ways below: each change by itself, each two together, and with edits of both versions that mean
//! nothing, of which every subset occurs.

use std::collections::{BTreeMap, BTreeSet};

use crate::support::Bench;

const OLD: &str = r#"
#include <stdio.h>
static int price(int number) {
    int each = 12;
    return each * number;
}
static int twice(int number) { return number + number; }
static const char *name(int number) {
    if (number < 3)
        return "few";
    return "many";
}
int main(int argc, char **argv) {
    int number = argc > 1 ? argv[1][0] - '0' : 0;
    if (number < 0 || number > 9)
        return 2;
    printf("price %d\n", price(number));
    printf("twice %d\n", twice(number));
    puts(name(number));
    return 0;
}
"#;

/// Changes of behaviour: what they are, what is replaced, and by what.
const CHANGES: [(&str, &str, &str); 5] = [
    (
        "another price from five on",
        "int each = 12;",
        "int each = 12;\n    if (number >= 5) each = 9;",
    ),
    ("another border", "number < 3", "number < 4"),
    ("another status", "return 2;", "return 3;"),
    ("fewer numbers", "number > 9", "number > 8"),
    (
        "a warning always",
        "    puts(name(number));",
        "    puts(name(number));\n    fputs(\"deprecated\\n\", stderr);",
    ),
];

/// Pairs of changes that lie on the way of all or nearly all inputs, so that the one is only seen together with the other: one of their
/// fingerprints is another one then. This list can only shrink.
const ENTANGLED: [(&str, &str); 3] = [
    ("another price from five on", "a warning always"),
    ("another border", "fewer numbers"),
    ("another border", "a warning always"),
];

/// Edits that mean nothing, of both versions or of the new one.
const NEUTRAL: [fn(&str) -> String; 4] = [
    // Lines move.
    |text| text.replace("static int twice", "\n\n/* A sum. */\n\nstatic int twice"),
    // Functions are reordered.
    |text| {
        let start = text.find("static const char *name").unwrap();
        let end = text.find("int main(").unwrap();
        let name = &text[start..end];
        let rest = [&text[..start], &text[end..]].concat();
        rest.replace("static int price", &format!("{name}static int price"))
    },
    // Statements are laid out in another way.
    |text| {
        text.replace("int each = 12;", "int  each=12; // a piece")
            .replace("if (number >= 5) each = 9;", "if (number>=5)  each = 9;")
            .replace("return number + number;", "return number+number;")
    },
    // There is a function that nobody calls.
    |text| {
        text.replace(
            "int main(",
            "int spare(int x) { return x / 2; }\n\nint main(",
        )
    },
];

fn edited(text: &str, change: usize) -> String {
    let (what, from, to) = CHANGES[change];
    assert!(text.contains(from), "{what}");
    text.replace(from, to)
}

/// Of the differences between two versions, with what is said of them.
fn fingerprints(bench: &Bench, old: &str, new: &str) -> BTreeMap<String, String> {
    bench.write("old.c", old);
    bench.write("new.c", new);
    let arguments = ["check", "old.c", "new.c", "--format", "json"];
    let bounds = ["--sym-args", "1", "1", "1"];
    let said = bench.parallax(&[&arguments[..], &bounds].concat());
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let report = said.json();
    let differences = report["differences"].as_array().unwrap().iter();
    differences
        .map(|one| {
            let own = one["fingerprint"].as_str().unwrap().to_owned();
            let what = format!("{} {} {}", one["kind"], one["location"], one["changes"]);
            (own, what)
        })
        .collect()
}

#[test]
fn unrelated_edits_and_other_differences_keep_fingerprints() {
    let bench = Bench::new();
    let alone = |change| fingerprints(&bench, OLD, &edited(OLD, change));
    let alone: Vec<BTreeMap<String, String>> = (0..CHANGES.len()).map(alone).collect();
    let mut subset = 0;
    let mut faults = Vec::new();
    for one in 0..CHANGES.len() {
        for other in one..CHANGES.len() {
            subset += 1;
            let chosen = |number: &usize| subset >> number & 1 == 1;
            let edits: Vec<usize> = (0..NEUTRAL.len()).filter(chosen).collect();
            let apply = |text: String| edits.iter().fold(text, |text, &edit| NEUTRAL[edit](&text));
            let mut new = edited(OLD, one);
            if other != one {
                new = edited(&new, other);
            }
            let found = fingerprints(&bench, &apply(OLD.to_owned()), &apply(new));
            let mut before = alone[one].keys().chain(alone[other].keys());
            let is_kept = before.all(|own| found.contains_key(own));
            let is_kept = is_kept && (other != one || found.len() == alone[one].len());
            let is_entangled = ENTANGLED.contains(&(CHANGES[one].0, CHANGES[other].0));
            if is_kept == is_entangled {
                faults.push(format!(
                    "{} and {} {edits:?}: {:#?} {:#?} {found:#?}",
                    CHANGES[one].0, CHANGES[other].0, alone[one], alone[other]
                ));
            }
        }
    }
    assert_eq!(subset, 15);
    assert!(
        faults.is_empty(),
        "{} of 15: {}",
        faults.len(),
        faults.join("\n")
    );
}

/// Each change has a fingerprint of its own, and another one when it is edited.
#[test]
fn an_edited_change_is_a_new_difference() {
    let bench = Bench::new();
    let mut known = BTreeSet::new();
    let again = [
        ("each = 9", "each = 8"),
        ("number < 4", "number < 5"),
        ("return 3;", "return 4;"),
        ("number > 8", "number > 7"),
        ("deprecated\\n", "old\\n"),
    ];
    for (change, (from, to)) in again.into_iter().enumerate() {
        let new = edited(OLD, change);
        assert!(new.contains(from), "{from}");
        for new in [new.clone(), new.replace(from, to)] {
            for (own, what) in fingerprints(&bench, OLD, &new) {
                assert!(known.insert(own), "{}: {what}", CHANGES[change].0);
            }
        }
    }
}
