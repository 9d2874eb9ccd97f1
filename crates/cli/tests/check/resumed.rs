//! A check that is killed again and again: the next one goes on from what was proved, and the last one says what one that
//! was left alone says.

use std::fs;
use std::process::Stdio;

use crate::support::{Bench, parallax};
use serde_json::Value;

/// Each of three bytes is told apart from five others: 216 paths. The sum is written in two ways that need a solver to be
/// told equal, and differs behind one of the paths.
fn program(sum: &str, rare: &str) -> String {
    format!(
        r#"
#include <stdio.h>

int main(void) {{
    unsigned char in[3];
    unsigned all = 0;
    if (fread(in, 1, sizeof in, stdin) != sizeof in) return 1;
    for (int i = 0; i < 3; i++) {{
        switch (in[i]) {{
        case 'a': all += 1; break;
        case 'b': all += 2; break;
        case 'c': all += 3; break;
        case 'd': all += 5; break;
        case 'e': all += 7; break;
        default: break;
        }}
    }}
    if (all == 21) {rare};
    putchar({sum});
    return all & 127;
}}
"#
    )
}

const OLD_SUM: &str = "(unsigned char)(in[0] + 5 + all)";
const NEW_SUM: &str = "(unsigned char)((in[0] ^ 5) + 2 * (in[0] & 5) + all)";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("old.c", &program(OLD_SUM, "all = 21"));
    bench.write("new.c", &program(NEW_SUM, "all = 22"));
    bench.build(&["old.c"]);
    bench.build(&["new.c"]);
    bench
}

const CHECK: [&str; 7] = [
    "check",
    "old.c",
    "new.c",
    "--sym-stdin",
    "3",
    "--format",
    "json",
];

/// The whole lines of the journal.
fn journal(bench: &Bench) -> Vec<Value> {
    let text = fs::read_to_string(bench.path(".parallax/check/new/journal")).unwrap_or_default();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What must not depend on interruptions.
fn result(report: &Value) -> Value {
    let differences = report["differences"].as_array().unwrap().iter();
    let differences = differences.map(|one| {
        serde_json::json!([
            one["kind"],
            one["changes"],
            one["confirmed_natively"],
            one["partitions"]
        ])
    });
    serde_json::json!({
        "verdict": report["verdict"],
        "exhausted": report["exhausted"],
        "counts": report["partition_counts"],
        "paths": report["stats"]["paths"],
        "differences": differences.collect::<Vec<_>>(),
        "gaps": report["gaps"],
    })
}

#[test]
fn a_check_that_is_killed_comes_to_the_same_end() {
    let bench = bench();
    let alone = bench.parallax(&[&CHECK[..], &["--tests", "alone"]].concat());
    assert_eq!(alone.status, 1, "{}", alone.stderr);
    let alone = alone.json();
    assert_eq!(alone["exhausted"], true);
    let mut known = 0;
    for (enough, workers) in [(10, "1"), (80, "2"), (200, "1")] {
        let mut child = bench
            .command(parallax())
            .args(CHECK)
            .args(["-j", workers])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while journal(&bench).len() < enough {
            assert!(child.try_wait().unwrap().is_none(), "it ended too early");
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let lines = journal(&bench);
        assert!(lines.len() >= known, "what was written stays");
        known = lines.len();
    }
    // As if the last line had been torn.
    let path = bench.path(".parallax/check/new/journal");
    let mut bytes = fs::read(&path).unwrap();
    bytes.extend(b"{\"run\":{\"id\":");
    fs::write(&path, bytes).unwrap();
    let runs = |lines: &[Value]| {
        lines
            .iter()
            .filter(|line| line.get("run").is_some())
            .count()
    };
    let before = runs(&journal(&bench)) as u64;

    let resumed = bench.parallax(&CHECK);
    assert_eq!(resumed.status, 1, "{}", resumed.stderr);
    assert_eq!(resumed.stderr, "", "nothing is refused");
    let resumed = resumed.json();
    assert_eq!(result(&resumed), result(&alone));
    assert_eq!(resumed["stats"]["paths_before"], before);
    let all = resumed["stats"]["paths"].as_u64().unwrap();
    assert_eq!(resumed["stats"]["runs"], all - before);

    // What was proved can be read: condition, verdict, proof, witness.
    let lines = journal(&bench);
    let parts = lines
        .iter()
        .filter_map(|line| line["compared"]["parts"].as_array());
    let parts: Vec<&Value> = parts.flatten().collect();
    let with = |verdict: &str, field: &str| {
        let mut parts = parts.iter();
        parts.any(|part| part["verdict"] == verdict && !part[field].is_null())
    };
    assert!(with("equal", "proof") && with("different", "witness"));
    assert!(parts.iter().all(|part| part["condition"].is_array()));

    // A finished check is told again without a single question.
    let again = bench.parallax(&CHECK).json();
    assert_eq!(result(&again), result(&alone));
    assert_eq!(again["stats"]["runs"], 0);
    assert_eq!(again["stats"]["queries"], 0);
    assert_eq!(journal(&bench).len(), lines.len());
}

/// A run that does not go where it should is a bug of ours. If one is met, no later check may take the ways behind it for
/// explored.
#[test]
fn a_run_that_went_astray_stays_a_gap() {
    let bench = bench();
    bench.write("new.c", &program(NEW_SUM, "all = 21"));
    let check = [&CHECK[..], &["--strategy", "dart"]].concat();
    let whole = bench.parallax(&check);
    assert_eq!(whole.json()["verdict"], "equivalent", "{}", whole.stdout);
    let mut lines = journal(&bench);
    let run = lines
        .iter_mut()
        .rev()
        .find(|line| line.get("run").is_some());
    run.unwrap()["run"]["diverged"] = true.into();
    let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(bench.path(".parallax/check/new/journal"), text.concat()).unwrap();
    let resumed = bench.parallax(&check);
    let report = resumed.json();
    assert_eq!(report["verdict"], "undecided", "{}", resumed.stdout);
    let gaps = report["gaps"].to_string();
    assert!(gaps.contains("did not take the way"), "{gaps}");
}

#[test]
fn what_is_of_other_versions_or_bounds_is_refused() {
    let bench = bench();
    let short = [&CHECK[..], &["--runs", "20"]].concat();
    let first = bench.parallax(&short);
    assert_eq!(
        (first.status, &first.stderr[..]),
        (3, ""),
        "{}",
        first.stdout
    );
    let report = first.json();
    let shares = &report["settled"];
    assert_eq!(shares["method"], "counted");
    let share = |name: &str| shares[name].as_f64().unwrap();
    // Twenty of the paths, and most of the inputs: those without any of the five letters are one path.
    assert!(share("equal") > 0.9 && share("open") > 0.0, "{shares}");
    assert!(shares["by_partition"]["equal"].as_f64().unwrap() < 0.9);

    bench.write("new.c", &program(NEW_SUM, "all = 23"));
    let changed = bench.parallax(&short);
    assert!(
        changed
            .stderr
            .contains("is not used: the new version changed since"),
        "{}",
        changed.stderr
    );
    assert_eq!(changed.json()["stats"]["paths_before"], 0);
    let goes_on = bench.parallax(&short);
    assert_eq!(goes_on.stderr, "");
    assert_eq!(goes_on.json()["stats"]["paths_before"], 20);
    let bounds = bench.parallax(&[&short[..], &["--max-steps", "1000000"]].concat());
    assert!(
        bounds.stderr.contains("not used: --max-steps changed"),
        "{}",
        bounds.stderr
    );
    let fresh = bench.parallax(&[&short[..], &["--max-steps", "1000000", "--fresh"]].concat());
    assert_eq!(fresh.stderr, "");
    assert_eq!(fresh.json()["stats"]["paths_before"], 0);
}

/// The difference is behind one of 216 paths.
#[test]
fn what_differed_within_other_bounds_is_tried_first() {
    let bench = bench();
    assert_eq!(bench.parallax(&CHECK).status, 1);
    let few = [
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "2..3",
        "--runs",
        "4",
    ];
    let json = ["--format", "json"];
    let said = bench.parallax(&[&few[..], &json].concat());
    let words = "the bounds changed since; the proof begins anew, with 1 input that showed a difference then\n";
    assert!(said.stderr.ends_with(words), "{}", said.stderr);
    assert_eq!(said.stderr.lines().count(), 1);
    let report = said.json();
    assert_eq!(report["verdict"], "different", "{report:#}");
    assert_eq!(report["stats"]["paths_before"], 0);
    let fresh = bench.parallax(&[&few[..], &json, &["--fresh"]].concat());
    assert_eq!(fresh.json()["verdict"], "undecided");
    // An input that lies outside of the bounds is left out.
    assert_eq!(bench.parallax(&CHECK).status, 1);
    let short = [
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "2",
        "--format",
        "json",
    ];
    let said = bench.parallax(&short);
    let words = "the bounds changed since; the proof begins anew\n";
    assert!(said.stderr.ends_with(words), "{}", said.stderr);
    // The change needs three bytes.
    assert_eq!(said.json()["verdict"], "not exercised");
}

#[test]
fn a_function_is_tried_first_where_it_differed() {
    let bench = Bench::new();
    let program = |odd: u32| {
        format!(
            "int weigh(unsigned a, unsigned b) {{\n    unsigned sum = 0;\n    for (int i = 0; i < 6; i++) {{\n        \
             if (a >> i & 1) sum += i;\n        if (b >> i & 1) sum += 2 * i;\n    }}\n    return a == 50 && b == 51 ? {odd} \
             : sum;\n}}\n"
        )
    };
    bench.write("old.c", &program(1));
    bench.write("new.c", &program(2));
    let function = ["check", "old.c", "new.c", "--fn", "weigh", "--fn-assume"];
    let said = bench.parallax(&[&function[..], &["a < 64 && b < 64"]].concat());
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let few = ["a < 60 && b < 60", "--runs", "4", "--format", "json"];
    let said = bench.parallax(&[&function[..], &few].concat());
    let words = "is not used: the bounds changed since; the proof begins anew, with 1 input that";
    assert!(said.stderr.contains(words), "{}", said.stderr);
    let report = said.json();
    assert_eq!(report["verdict"], "different", "{report:#}");
    let call = &report["differences"][0]["input"]["call"]["text"];
    assert_eq!(call, "weigh(a = 50, b = 51)");
}
