//! `parallax debug replay-queries`: logs that explorations write can be asked again, of every chain.

use crate::support::Bench;

/// Byte comparisons for the quick layers, and a sum of squares that only a back end decides.
const PROGRAM: &str = "#include <stdio.h>
int main(void) {
    int a = getchar(), b = getchar(), c = getchar();
    if (a == 'x') puts(\"x\");
    if (a * a + b * b == c * c && a > 0 && a < b) puts(\"a triple\");
    return 0;
}
";

fn logged() -> Bench {
    let bench = Bench::new();
    bench.write("triple.c", PROGRAM);
    let arguments = [
        "explore",
        "triple.c",
        "--sym-stdin",
        "3",
        "--dry-run",
        "--query-log",
        "log",
    ];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 0, "{}", said.stderr);
    bench
}

#[test]
fn answers_stay_the_same() {
    let bench = logged();
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    let count = log.matches("; query ").count();
    assert!(count >= 4, "{log}");
    for options in [
        &[][..],
        &["--backend", "z3"],
        &["--without-layer", "quick", "--without-layer", "cache"],
    ] {
        let said = bench.parallax(&[&["debug", "replay-queries", "log"], options].concat());
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(
            said.stdout.starts_with(&format!("{count} queries in")),
            "{}",
            said.stdout
        );
        assert!(
            said.stdout.contains("0 unknown, 0 contradictions"),
            "{}",
            said.stdout
        );
        let quick = said.stdout.lines().any(|line| line.starts_with("quick "));
        assert_eq!(quick, !options.contains(&"quick"), "{}", said.stdout);
    }
    let said = bench.parallax(&["debug", "replay-queries", "log", "log", "--compare"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let rows: Vec<Vec<&str>> = said
        .stdout
        .lines()
        .skip(1)
        .map(|row| row.split_whitespace().collect())
        .collect();
    assert_eq!(rows.len(), 9, "{}", said.stdout);
    for row in rows {
        let numbers = &row[row.len() - 8..];
        assert_eq!(
            numbers[0],
            (2 * count).to_string(),
            "both logs: {}",
            said.stdout
        );
        assert_eq!(
            &numbers[3..5],
            ["0", "0"],
            "unknown and changed: {}",
            said.stdout
        );
    }
}

#[test]
fn a_changed_answer_is_named() {
    let bench = logged();
    let log = std::fs::read_to_string(bench.path("log")).unwrap();
    let changed = log.replacen("; query 2 sat", "; query 2 unsat", 1);
    let changed = match changed == log {
        true => log.replacen("; query 2 unsat", "; query 2 sat", 1),
        false => changed,
    };
    assert_ne!(changed, log);
    bench.write("changed", &changed);
    let said = bench.parallax(&["debug", "replay-queries", "changed"]);
    assert!(said.stdout.contains("1 contradictions"), "{}", said.stdout);
    assert!(
        said.stdout.contains("contradictions in the queries [2]"),
        "{}",
        said.stdout
    );
}

#[test]
fn logs_that_cannot_be_used() {
    let bench = Bench::new();
    bench.write("empty", "");
    bench.write(
        "damaged",
        "; query 1 sat 5us\n(assert (= nonsense\n(check-sat)\n",
    );
    for (name, expected) in [
        ("absent", "cannot read the query log `absent`"),
        ("empty", "`empty` holds no queries"),
        ("damaged", "cannot use the query log `damaged`"),
    ] {
        let said = bench.parallax(&["debug", "replay-queries", name]);
        assert_eq!(said.status, 2, "{name}: {}", said.stdout);
        assert!(said.stderr.contains(expected), "{}", said.stderr);
    }
}
