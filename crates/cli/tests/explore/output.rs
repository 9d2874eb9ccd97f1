//! What `parallax explore` prints and writes for a small program: text, JSON, coverage.

use std::collections::BTreeMap;

use crate::support::Bench;
use serde_json::json;

const PROGRAM: &str = "#include <stdio.h>
#include <string.h>
static int classify(const char *word)
{
	if (word[0] == '-') return word[1] ? 2 : 1;
	if (strcmp(word, \"ok\") == 0) return 0;
	return 3;
}
static int never_called(void) { return 5; }
int main(int argc, char **argv)
{
	int table[3] = {10, 20, 30};
	if (argc < 2) return never_called();
	printf(\"%d\\n\", table[classify(argv[1])]);
	return 0;
}
";

const TEXT: &str = "\
classify.c: 4 paths in … s; exhausted: every input within the bounds takes one of them
  bounds: 1 argument of up to 2 bytes; standard input: empty
  lines executed: 9 of 10 (90%)

error 1: out-of-bounds read of 4 bytes at offset 12 of variable 'table' (12 bytes) (2 paths)
  at main (classify.c:14:17)
  input: classify ''
  test: tests/000001

4 tests in tests
run them natively: parallax replay classify.c --tests tests
";

#[test]
fn the_text() {
    let bench = Bench::new();
    bench.write("classify.c", PROGRAM);
    let said = bench.parallax(&[
        "explore",
        "classify.c",
        "--sym-arg",
        "2",
        "--tests",
        "tests",
    ]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert_eq!(without_time(&said.stdout), TEXT);
    assert_eq!(said.stderr, "");
}

#[test]
fn the_json() {
    let bench = Bench::new();
    bench.write("classify.c", PROGRAM);
    let arguments = [
        "explore",
        "classify.c",
        "--sym-arg",
        "2",
        "--dry-run",
        "--format",
        "json",
    ];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let expected = [
        ("paths", json!(4)),
        ("exhausted", json!(true)),
        ("open", json!(0)),
        ("strategy", json!("dart")),
        ("workers", json!(1)),
        (
            "bounds",
            json!(["1 argument of up to 2 bytes", "standard input: empty"]),
        ),
        ("assumptions", json!([])),
        ("gaps", json!([])),
        ("lines", json!({"executed": 9, "all": 10})),
        ("tests_folder", json!(null)),
    ];
    for (name, value) in expected {
        assert_eq!(report[name], value, "{name}");
    }
    for name in [
        "runs",
        "queries",
        "solver_ms",
        "run_ms",
        "wall_ms",
        "instructions",
        "peak_memory_kb",
    ] {
        assert!(report[name].is_number(), "{name}: {}", report[name]);
    }
    let errors = report["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["kind"], "out-of-bounds");
    assert_eq!(errors[0]["location"]["function"], "main");
    assert_eq!(errors[0]["location"]["line"], 14);
    assert_eq!(errors[0]["paths"], 2);
    assert!(errors[0]["input"]["argv"].is_array());
    let layers = report["layers"].as_array().unwrap();
    assert!(
        layers.iter().any(|layer| layer["layer"] == "quick"),
        "{layers:?}"
    );
}

/// By the rules of lcov's tracefiles: `TN`, then per file `SF`, one `DA` per line in ascending order, the two
/// sums, `end_of_record`.
#[test]
fn the_coverage_is_an_lcov_tracefile() {
    let bench = Bench::new();
    bench.write("classify.c", PROGRAM);
    let said = bench.parallax(&[
        "explore",
        "classify.c",
        "--sym-arg",
        "2",
        "--dry-run",
        "--lcov",
        "out.info",
    ]);
    assert_eq!(said.status, 1, "{}", said.stderr);
    let text = std::fs::read_to_string(bench.path("out.info")).unwrap();
    let files = parse_lcov(&text);
    assert_eq!(files.len(), 1, "libraries are left out");
    let (name, lines) = files.first_key_value().unwrap();
    assert!(name.ends_with("classify.c"), "{name}");
    assert!(lines[&5] > 0 && lines[&14] > 0);
    assert_eq!(lines[&9], 0, "the body of a function that is never called");
}

fn parse_lcov(text: &str) -> BTreeMap<String, BTreeMap<u32, u64>> {
    let mut files = BTreeMap::new();
    let mut lines = text.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with("TN:")));
    let mut current: Option<(String, BTreeMap<u32, u64>)> = None;
    let mut sums = Vec::new();
    for line in lines {
        if line == "end_of_record" {
            let (name, lines) = current.take().expect("a record was begun");
            let hit = lines.values().filter(|&&count| count > 0).count();
            assert_eq!(sums, [("LF", lines.len()), ("LH", hit)]);
            sums.clear();
            files.insert(name, lines);
            continue;
        }
        let (key, value) = line.split_once(':').expect("KEY:VALUE");
        match (key, &mut current) {
            ("SF", None) => current = Some((value.to_owned(), BTreeMap::new())),
            ("DA", Some((_, lines))) => {
                let (line, count) = value.split_once(',').expect("LINE,COUNT");
                let line: u32 = line.parse().expect("a number");
                assert!(lines.last_key_value().is_none_or(|(last, _)| *last < line));
                lines.insert(line, count.parse().expect("a number"));
            }
            ("LF", Some(_)) => sums.push(("LF", value.parse().expect("a number"))),
            ("LH", Some(_)) => sums.push(("LH", value.parse().expect("a number"))),
            _ => panic!("{line}: not expected here"),
        }
    }
    assert!(current.is_none(), "the last record is finished");
    files
}

/// `in 0.3 s` without the number.
fn without_time(text: &str) -> String {
    let (head, rest) = text
        .split_once(" paths in ")
        .expect("the first line tells the time");
    let (_, rest) = rest.split_once(" s;").expect("in seconds");
    format!("{head} paths in … s;{rest}")
}
