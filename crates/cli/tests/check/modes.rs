//! `parallax check --find-only` searches and proves nothing, `--verify-only` proves and makes no inputs to find differences.

use crate::support::Bench;
use serde_json::Value;

const OLD: &str = r#"
#include <stdio.h>
int main(void) {
    int c = getchar();
    if (c == 'x') puts("cross");
    putchar(c & 127);
    return 0;
}
"#;

/// Written otherwise; a solver is needed to see that nothing else has changed.
fn refactored() -> String {
    OLD.replace("c & 127", "c % 128")
        .replace("getchar()", "getchar() & 255")
}

fn bench(new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", &OLD.replace("getchar()", "getchar() & 255"));
    bench.write("new.c", new);
    // Its path holds inputs on which the versions differ, if they do, and others.
    bench.write("seeds/1/argv", "");
    bench.write("seeds/1/stdin", "~");
    bench
}

fn check(bench: &Bench, more: &[&str]) -> (i32, Value) {
    let flags = ["check", "old.c", "new.c", "--sym-stdin", "1"];
    let said = bench.parallax(&[&flags[..], &["--format", "json"], more].concat());
    let report = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr));
    (said.status, report)
}

#[test]
fn a_search_alone_proves_nothing() {
    let bench = bench(&refactored());
    let (status, report) = check(&bench, &["--find-only"]);
    assert_eq!((status, &report["verdict"]), (3, &"undecided".into()));
    assert_eq!(report["mode"], "find-only");
    assert_eq!(report["exhausted"], true);
    assert_eq!(report["partitions"], serde_json::json!([]));
    let counts = report["partition_counts"].as_object().unwrap();
    assert!(counts.values().all(|count| *count == 0), "{report:#}");
    assert!(report["settled"].is_null());
    let flags = ["check", "old.c", "new.c", "--sym-stdin", "1", "--find-only"];
    let said = bench.parallax(&flags);
    assert!(
        said.stdout
            .starts_with("undecided: nothing was found; nothing was proved\n"),
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("equal"), "{}", said.stdout);
    // A check of both kinds goes on from there.
    let (status, report) = check(&bench, &[]);
    assert_eq!((status, &report["verdict"]), (0, &"equivalent".into()));
    assert_eq!(report["mode"], "find-and-verify");
    assert!(report["stats"]["paths_before"].as_u64().unwrap() > 0);
}

#[test]
fn the_same_code_is_equivalent_without_a_search() {
    let old = OLD.replace("getchar()", "getchar() & 255");
    let bench = bench(&format!("/* as it was */{old}"));
    let (status, report) = check(&bench, &["--find-only"]);
    assert_eq!((status, &report["verdict"]), (0, &"equivalent".into()));
}

#[test]
fn a_search_alone_asks_nothing_that_serves_a_proof() {
    let bench = bench(&refactored().replace("% 128", "% 64"));
    let (mut asked, mut verdicts) = (Vec::new(), Vec::new());
    for more in [&["--find-only"][..], &[]] {
        let flags = ["--strategy", "dfs", "--seeds", "seeds", "--fresh"];
        let (status, report) = check(&bench, &[&flags[..], more].concat());
        assert_eq!(status, 1, "{report:#}");
        assert_eq!(report["differences"][0]["confirmed_natively"], true);
        asked.push(report["stats"]["queries"].as_u64().unwrap());
        verdicts.push(report["verdict"].clone());
    }
    assert_eq!(verdicts, ["different", "different"]);
    // Whether the rest of a differing path is empty.
    assert!(asked[0] < asked[1], "{asked:?}");
}

#[test]
fn a_proof_alone_makes_no_inputs_to_find_differences() {
    for (new, status, verdict) in [
        (refactored(), 0, "equivalent"),
        (refactored().replace("% 128", "% 64"), 1, "different"),
    ] {
        let bench = bench(&new);
        let (ended, report) = check(&bench, &["--verify-only"]);
        assert_eq!((ended, report["verdict"].as_str()), (status, Some(verdict)));
        assert_eq!(report["mode"], "verify-only");
        assert_eq!(report["exhausted"], true);
        assert_eq!(report["stats"]["propagation"]["looks"], 0);
        assert_eq!(report["stats"]["propagation"]["spliced"]["inputs"], 0);
        assert!(!report["partitions"].as_array().unwrap().is_empty());
        let differences = report["differences"].as_array().unwrap();
        assert_eq!(differences.is_empty(), status == 0, "{report:#}");
    }
}

#[test]
fn modes_that_contradict_other_flags_are_refused() {
    let bench = bench(&refactored());
    for flags in [
        ["--find-only", "--verify-only"],
        ["--find-only", "--partitions"],
        ["--find-only", "--paranoid"],
        ["--verify-only", "--first"],
        ["--verify-only", "--strategy=auto"],
    ] {
        let said = bench.parallax(&[&["check", "old.c", "new.c"], &flags[..]].concat());
        assert_eq!(said.status, 2, "{flags:?}: {}{}", said.stdout, said.stderr);
        for words in [
            flags[0],
            flags[1].split_once('=').map_or(flags[1], |(flag, _)| flag),
            "cannot be used with",
        ] {
            assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
        }
    }
}

/// A search that would take long: each byte of standard input is a way of its own.
const LONG: &str = "#include <stdio.h>
int main(int argc, char **argv) {
    int c;
    unsigned sum = 0;
    while ((c = getchar()) != EOF) sum = sum * 3 + (c % 7 == 2 ? c : 1);
    printf(\"%u %s\\n\", sum, argc > 1 && argv[1][0] == 'q' ? \"q\" : \"other\");
    return 0;
}
";

fn long() -> Bench {
    let bench = Bench::new();
    bench.write("old.c", LONG);
    bench.write("new.c", &LONG.replace("\"q\"", "\"quick\""));
    bench
}

#[test]
fn a_difference_is_told_before_the_search_ends() {
    let said = long().parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-args",
        "0",
        "1",
        "1",
        "--sym-stdin",
        "14",
        "--timeout",
        "6s",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let told = "standard output differs, seen natively, as for `";
    assert!(said.stderr.contains(told), "{}", said.stderr);
    assert!(
        said.stderr.contains("; the search goes on"),
        "{}",
        said.stderr
    );
    assert!(
        said.stdout.contains("time budget is used up"),
        "{}",
        said.stdout
    );
}

#[test]
fn the_first_difference_ends_a_search_that_asks_for_one() {
    let said = long().parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-args",
        "0",
        "1",
        "1",
        "--sym-stdin",
        "24",
        "--timeout",
        "300s",
        "--first",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let why = "not everything was explored: stopped at the first difference (--first)";
    assert!(said.stdout.contains(why), "{}", said.stdout);
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
}
