//! `parallax check` of three versions or more, as a user calls it.

use crate::support::{Bench, Said};
use serde_json::{Value, json};

/// Prints a number of two digits, at most 10.
const RIGHT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int n = atoi(argv[1]);
    if (n > 10) n = 10;
    printf("%d\n", n);
    return 0;
}
"#;

/// The limit itself is printed as 9.
fn broken() -> String {
    RIGHT.replace("n > 10) n = 10", "n >= 10) n = 9")
}

/// In another way than it was.
fn repaired() -> String {
    RIGHT.replace("if (n > 10) n = 10;", "n = n < 11 ? n : 5 + 5;")
}

fn bench(versions: &[&str]) -> Bench {
    let bench = Bench::new();
    for (number, text) in versions.iter().enumerate() {
        bench.write(&format!("v{number}.c"), text);
    }
    bench
}

fn check(bench: &Bench, versions: usize, more: &[&str]) -> Said {
    let files: Vec<String> = (0..versions).map(|number| format!("v{number}.c")).collect();
    let mut arguments = vec!["check"];
    arguments.extend(files.iter().map(String::as_str));
    arguments.extend(["--sym-args", "0", "1", "2"]);
    arguments.extend(more);
    bench.parallax(&arguments)
}

fn report(bench: &Bench, versions: usize, more: &[&str]) -> (i32, Value) {
    let said = check(bench, versions, &[&["--format", "json"], more].concat());
    let report = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr));
    (said.status, report)
}

/// The verdict on each pair that is reported, as `from`, `to` and the verdict.
fn verdicts(report: &Value) -> Vec<(u64, u64, &str)> {
    let pairs = report["pairs"].as_array().unwrap().iter();
    let mut verdicts = Vec::new();
    for pair in pairs {
        let [from, to] = ["from", "to"].map(|name| pair[name].as_u64().unwrap());
        verdicts.push((from, to, pair["verdict"].as_str().unwrap()));
    }
    verdicts
}

#[test]
fn what_is_broken_and_repaired_is_told_apart() {
    let bench = bench(&[RIGHT, &broken(), &repaired()]);
    let (status, report) = report(&bench, 3, &["--paranoid"]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(report["verdict"], "different");
    assert_eq!(report["exhausted"], true);
    let expected = [
        (0, 1, "different"),
        (1, 2, "different"),
        (0, 2, "equivalent"),
    ];
    assert_eq!(verdicts(&report), expected, "{report:#}");
    assert_eq!(report["pairs"][1]["undoes"], json!([1]));
    assert_eq!(report["pairs"][1]["introduces"], json!([]));
    let differences = report["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{report:#}");
    let first = &differences[0];
    assert_eq!(first["groups"], json!([[0, 2], [1]]));
    assert_eq!(first["confirmed_natively"], true, "{report:#}");
    let effects = [
        json!({"version": 1, "effect": "introduces", "as": []}),
        json!({"version": 2, "effect": "undoes", "as": [0]}),
    ];
    assert_eq!(first["effects"], json!(effects));
    let outputs = first["outcomes"].as_array().unwrap().iter();
    let outputs: Vec<&str> = outputs.map(|one| one["stdout"].as_str().unwrap()).collect();
    assert_eq!(outputs, ["10\n", "9\n", "10\n"]);
    for (pair, line) in first["pairs"].as_array().unwrap().iter().zip([7, 7]) {
        assert_eq!(pair["changes"][0]["line"], line, "{report:#}");
        let script = pair["reproduce"].as_str().unwrap();
        let shown = bench.command("sh").args(["-c", script]).output().unwrap();
        assert_eq!(shown.status.code(), Some(1), "{script}: {shown:?}");
    }
    let tests = first["pairs"][1]["tests"].as_str().unwrap();
    for (version, which) in [("v1.c", "old"), ("v2.c", "new")] {
        let tests = format!("{tests}/{which}");
        let said = bench.parallax(&["replay", version, "--tests", &tests]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    }
    let self_check = &report["self_check"];
    assert!(self_check["same"].as_u64().unwrap() > 20, "{self_check}");
    assert_eq!(self_check["refuted"], Value::Null);
}

#[test]
fn the_report_reads_well() {
    let bench = bench(&[RIGHT, &broken(), &repaired()]);
    let said = check(&bench, 3, &["--partitions"]);
    assert_eq!(said.status, 1);
    let text = said.stdout;
    let begin = "\
different: V1 and V2 each behave in another way than the version before
  V0: v0.c
  V1: v1.c
  V2: v2.c
V0 → V1: different: 1 kind of difference (1)
V1 → V2: different: 1 kind of difference (1); undoes 1
V0 → V2: equivalent

1. V0 = V2 ≠ V1: V1 behaves in another way than V0; V2 behaves as V0 again, seen natively
   input: .parallax/check/v2-versions/001/V0-V1/bin/new 10 </dev/null
   V0 → V1, standard output:
     V0   10
     V1   9
          ^^
     changed lines behind it:
       v1.c:7 in main  | if (n >= 10) n = 9;
     reproduce: sh .parallax/check/v2-versions/001/V0-V1/reproduce.sh
   V1 → V2, standard output:
     V1   9
     V2   10
          ^^
     changed lines behind it:
       v2.c:7 in main  | n = n < 11 ? n : 5 + 5;
";
    assert!(text.starts_with(begin), "{text}");
    let partition = "  V0 = V2 ≠ V1: 1 argument; argv[1][0] in '0'..'9'; ";
    assert!(text.contains(partition), "{text}");
    assert!(
        text.contains("standard output: V0 and V2 10\\n, V1 9\\n"),
        "{text}"
    );
}

#[test]
fn versions_that_are_all_the_same_are_proved_so() {
    let twice = RIGHT.replace("if (n > 10) n = 10;", "if (n >= 11) { n = 10; }");
    let bench = bench(&[RIGHT, &repaired(), &twice, RIGHT]);
    let (status, report) = report(&bench, 4, &[]);
    assert_eq!(status, 0, "{report:#}");
    let expected = [
        (0, 1, "equivalent"),
        (1, 2, "equivalent"),
        (2, 3, "equivalent"),
        (0, 3, "equivalent"),
    ];
    assert_eq!(verdicts(&report), expected);
    assert_eq!(report["pairs"][3]["same_code"], true);
    assert_eq!(report["pairs"][0]["same_code"], false);
}

#[test]
fn each_step_has_a_verdict_of_its_own() {
    let more = broken().replace("n = 9", "n = 8");
    let bench = bench(&[RIGHT, &repaired(), &broken(), &more]);
    let (status, report) = report(&bench, 4, &[]);
    assert_eq!(status, 1, "{report:#}");
    let expected = [
        (0, 1, "equivalent"),
        (1, 2, "different"),
        (2, 3, "different"),
        (0, 3, "different"),
    ];
    assert_eq!(verdicts(&report), expected);
    assert_eq!(
        report["differences"][0]["groups"],
        json!([[0, 1], [2], [3]])
    );
    assert_eq!(report["pairs"][2]["introduces"], json!([1]));
}

/// What the others do is known all the same.
#[test]
fn a_version_that_does_not_end_hides_nothing_of_the_others() {
    let endless = RIGHT.replace("if (n > 10) n = 10;", "while (n > 10) n |= 16;");
    let bench = bench(&[RIGHT, &endless, &repaired()]);
    let (status, report) = report(&bench, 3, &["--max-steps", "100000"]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(report["exhausted"], false);
    let expected = [
        (0, 1, "different"),
        (1, 2, "different"),
        (0, 2, "equivalent"),
    ];
    assert_eq!(verdicts(&report), expected, "{report:#}");
    let end = &report["differences"][0]["outcomes"][1]["end"]["kind"];
    assert_eq!(end, "step-limit", "{report:#}");
}

/// Both write behind the end of an array; natively, anything may follow, and no difference between the two is claimed, nor that they are
/// the same on those inputs.
#[test]
fn two_versions_with_the_same_error_are_equal_where_they_are_defined() {
    let wild = |value: &str| {
        let write = format!("char seen[9]; seen[atoi(argv[1])] = {value}; int n = atoi");
        RIGHT.replace("int n = atoi", &write)
    };
    let bench = bench(&[RIGHT, &wild("1"), &wild("2")]);
    let (status, report) = report(&bench, 3, &[]);
    assert_eq!(status, 1, "{report:#}");
    let expected = [
        (0, 1, "different"),
        (1, 2, "equivalent"),
        (0, 2, "different"),
    ];
    assert_eq!(verdicts(&report), expected, "{report:#}");
    let first = &report["differences"][0];
    assert_eq!(first["groups"], json!([[0], [1], [2]]));
    assert_eq!(first["not_known"], json!([[1, 2]]));
    let text = check(&bench, 3, &[]).stdout;
    let expected =
        "1. V0 | V1 | V2 (how V1 and V2 relate is not known): V1 behaves in another way than V0";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("V0 → V2, how the run ends:"), "{text}");
    let expected = "V1 → V2: equivalent where their behaviour is defined\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn a_stopped_check_is_undecided_and_goes_on() {
    let bench = bench(&[RIGHT, &repaired(), RIGHT]);
    let (status, stopped) = report(&bench, 3, &["--runs", "3"]);
    assert_eq!(status, 3, "{stopped:#}");
    // The same code needs no exploration.
    let expected = [
        (0, 1, "undecided"),
        (1, 2, "undecided"),
        (0, 2, "equivalent"),
    ];
    assert_eq!(verdicts(&stopped), expected);
    let (status, whole) = report(&bench, 3, &[]);
    assert_eq!(status, 0, "{whole:#}");
    assert_eq!(whole["stats"]["paths_before"], 3, "{whole:#}");
    // Other versions have nothing of it.
    bench.write("v1.c", &broken());
    let (status, other) = report(&bench, 3, &[]);
    assert_eq!(status, 1, "{other:#}");
    assert_eq!(other["stats"]["paths_before"], 0, "{other:#}");
}

#[test]
fn what_nobody_wrote_keeps_a_step_from_being_equivalent() {
    let reads = RIGHT.replace(
        "return 0;",
        "int m; if (argc > 5) m = 1; return m == 77 && m != 77;",
    );
    let bench = bench(&[RIGHT, &repaired(), &reads]);
    let (status, report) = report(&bench, 3, &[]);
    assert_eq!(status, 3, "{report:#}");
    let expected = [
        (0, 1, "equivalent"),
        (1, 2, "undecided"),
        (0, 2, "undecided"),
    ];
    assert_eq!(verdicts(&report), expected, "{report:#}");
    assert_eq!(report["undefined"][0]["version"], "V2");
}

#[test]
fn what_is_for_two_versions_is_refused() {
    let bench = bench(&[RIGHT, &broken(), &repaired()]);
    let cases: &[(&[&str], &str)] = &[
        (
            &["--golden", "v0.c"],
            "`--golden` measures the change between two versions",
        ),
        (
            &["--fn", "main"],
            "`--fn` compares a function of two versions",
        ),
        (
            &["--fn-array", "3"],
            "`--fn` compares a function of two versions",
        ),
        (
            &["--prune"],
            "`--prune` and `--explain-pruning` are about the change between two versions",
        ),
        (&["--explain-pruning"], "check two versions at a time"),
        (
            &["--strategy", "reach"],
            "it is one of dart, dfs, bfs, random-path, coverage",
        ),
        (
            &["--strategy", "random"],
            "`--strategy random` is for two versions",
        ),
        (&["--old", "v0.c", "--new", "v1.c"], "cannot be used with"),
    ];
    for (more, message) in cases {
        let said = check(&bench, 3, more);
        assert_eq!(said.status, 2, "{more:?}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.stdout, "", "{more:?}");
        assert!(said.stderr.contains(message), "{more:?}: {}", said.stderr);
    }
    let many = ["v0.c"; 14];
    let said = check(&bench, 3, &many);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("17 versions are too many"),
        "{}",
        said.stderr
    );
    let said = check(&bench, 3, &["missing.c"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("missing.c"), "{}", said.stderr);
    bench.write("v1.c", "int main(void) { return undeclared; }");
    let said = check(&bench, 3, &[]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot build the V1 version"),
        "{}",
        said.stderr
    );
    assert!(!bench.path(".parallax").exists());
}
