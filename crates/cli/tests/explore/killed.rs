//! An exploration that is killed half-way: the next one goes on from it, loses at most the runs in flight,
//! and the tests that were written stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use crate::support::{Bench, parallax};
use serde_json::Value;

/// Each byte is told apart from seven others: 8^5 = 32768 paths, too many to be over before the kill.
const PROGRAM: &str = r#"
#include <stdio.h>

int main(void) {
    unsigned char input[5];
    unsigned all = 0;
    if (fread(input, 1, sizeof input, stdin) != sizeof input) return 1;
    for (int i = 0; i < 5; i++) {
        switch (input[i]) {
        case 'a': all += 1; break;
        case 'b': all += 2; break;
        case 'c': all += 3; break;
        case 'd': all += 5; break;
        case 'e': all += 7; break;
        case 'f': all += 11; break;
        case 'g': all += 13; break;
        default: break;
        }
    }
    return all & 127;
}
"#;
const WORKERS: u64 = 2;
/// Runs that must be over before the kill.
const ENOUGH: usize = 300;

fn arguments(runs: &str) -> Vec<&str> {
    vec![
        "explore",
        "eight.c",
        "--sym-stdin",
        "5",
        "-j",
        "2",
        "--all-tests",
        "--format",
        "json",
        "--runs",
        runs,
    ]
}

#[test]
fn a_killed_exploration_loses_at_most_the_runs_in_flight() {
    let bench = Bench::new();
    bench.write("eight.c", PROGRAM);
    bench.build(&["eight.c"]);
    let mut child = bench
        .command(parallax())
        .args(arguments("1000000"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let folder = wait_for_runs(&bench, &mut child);
    child.kill().unwrap();
    child.wait().unwrap();

    let journal = folder.join("journal");
    let before = fs::read(&journal).unwrap();
    let whole = before.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let known = runs(&before[..whole]);
    let tests = tests_in(&folder.join("tests"));
    assert!(known.len() >= ENOUGH, "{}", known.len());
    // A test is written when its run stands in the journal; those of the last runs may be missing.
    let missing = known.len().saturating_sub(tests.len()) as u64;
    assert!(missing <= WORKERS, "{missing} of {} tests", known.len());

    let said = bench.parallax(&arguments("100"));
    assert_eq!(said.status, 0, "{}", said.stderr);
    let report: Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["paths_before"], known.len());
    let new = report["runs"].as_u64().unwrap();
    assert!((100..100 + WORKERS).contains(&new), "{new}");
    assert_eq!(report["paths"], known.len() as u64 + new);
    assert_eq!(report["gaps"], serde_json::json!([]));

    let after = fs::read(&journal).unwrap();
    assert_eq!(after[..whole], before[..whole], "what was written stays");
    let all = runs(&after);
    assert_eq!(all.len() as u64, known.len() as u64 + new);
    // Each path of this program is a choice of eight ways for each byte.
    let class = |byte: &u8| match byte {
        b'a'..=b'g' => *byte,
        _ => 0,
    };
    let classes = all.iter().map(|input| input.iter().map(class).collect());
    let paths: BTreeSet<Vec<u8>> = classes.collect();
    assert_eq!(paths.len(), all.len(), "no path twice");
    let tests_after = tests_in(&folder.join("tests"));
    for (name, content) in &tests {
        assert_eq!(tests_after.get(name), Some(content), "{name}");
    }
    assert_eq!(tests_after.len(), all.len());
    for (name, content) in &tests_after {
        assert!(content.contains_key("expected.json"), "{name} is whole");
    }
}

/// Waits until the journal has enough lines; the folder it is in.
fn wait_for_runs(bench: &Bench, child: &mut Child) -> PathBuf {
    loop {
        let folders = fs::read_dir(bench.path(".parallax/explore"));
        let folder = folders.ok().and_then(|mut all| all.next()?.ok());
        if let Some(folder) = folder.map(|entry| entry.path()) {
            let journal = fs::read(folder.join("journal")).unwrap_or_default();
            if runs(&journal).len() >= ENOUGH {
                return folder;
            }
        }
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

/// The standard inputs of the runs in a journal.
fn runs(journal: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(journal);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = whole
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let inputs = lines.filter_map(|line| {
        let text = line.get("run")?["input"]["stdin"].as_str()?.to_owned();
        let digits = (0..text.len())
            .step_by(2)
            .map(|at| text[at..at + 2].to_owned());
        Some(
            digits
                .map(|byte| u8::from_str_radix(&byte, 16).unwrap())
                .collect(),
        )
    });
    inputs.collect()
}

/// The files of each test.
fn tests_in(folder: &Path) -> BTreeMap<String, BTreeMap<String, Vec<u8>>> {
    let mut tests = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        // What was killed in the middle of writing may have left a part of its last tests.
        if name.starts_with(".unfinished-") {
            continue;
        }
        let mut files = BTreeMap::new();
        for file in fs::read_dir(entry.path()).unwrap() {
            let file = file.unwrap();
            let content = fs::read(file.path()).unwrap_or_default();
            files.insert(file.file_name().into_string().unwrap(), content);
        }
        tests.insert(name, files);
    }
    tests
}
