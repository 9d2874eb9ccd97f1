//! Versions with runs that do not end, or compute for very long: the time limit and an interrupt hold, and what was found
//! is told.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Bench, parallax};
use serde_json::Value;

/// The new version decides about its input in each of its rounds, without end for many inputs.
const HALVED: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    if (argc < 2) return 1;
    int n = atoi(argv[1]), count = 0;
    while (n CONDITION) {
        n /= 2;
        count++;
    }
    printf(\"%d\\n\", count);
    return 0;
}
";

/// One decision, and terms that grow with every round.
const HASHED: &str = "#include <stdio.h>
int main(int argc, char **argv) {
    unsigned hash = argc > 1 ? (unsigned char)argv[1][0] : 7;
    for (int i = 0; i < 5000000; i++) hash = hash * 31 + (hash >> SHIFT);
    printf(\"%u\\n\", hash);
    return 0;
}
";

/// The question whether outputs differ has too many operations for a solver.
const MULTIPLIED: &str = "#include <stdio.h>
int main(void) {
    unsigned char in[4] = {0};
    size_t n = fread(in, 1, sizeof in, stdin);
    unsigned hash = 2166136261u;
    for (int round = 0; round < 20000; round++)
        for (size_t i = 0; i < n; i++) hash = (hash ^ (in[INDEX] + round)) * 16777619u;
    printf(\"%08x\\n\", hash);
    return 0;
}
";

/// More than the time that is asked for: a few seconds to look at what was found natively, on a machine that is busy.
const SLACK: Duration = Duration::from_secs(30);

fn bench(program: &str, [pattern, old, new]: [&str; 3]) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", &program.replace(pattern, old));
    bench.write("new.c", &program.replace(pattern, new));
    bench.build(&["old.c"]);
    bench.build(&["new.c"]);
    bench
}

fn halved() -> Bench {
    bench(HALVED, ["CONDITION", "> 0", "!= 1"])
}

/// A check under way, and its report.
fn start(bench: &Bench, timeout: &str) -> Child {
    let report = fs::File::create(bench.path("report")).unwrap();
    // A background job of a shell ignores interrupts, and so would what it starts.
    bench
        .command(Path::new("env"))
        .arg("--default-signal=INT")
        .arg(parallax())
        .args(["check", "old.c", "new.c", "--format", "json"])
        .args(["--timeout", timeout])
        .stdout(report)
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The report of a check that must be over within a time.
fn report(bench: &Bench, mut check: Child, within: Duration) -> Value {
    let start = Instant::now();
    while check.try_wait().unwrap().is_none() {
        if start.elapsed() > within {
            check.kill().unwrap();
            check.wait().unwrap();
            panic!("still running after {within:?}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let text = fs::read_to_string(bench.path("report")).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The difference that one version does not end is among those found.
fn assert_no_end_is_told(report: &Value) {
    assert_eq!(report["verdict"], "different", "{report}");
    let mut differences = report["differences"].as_array().unwrap().iter();
    assert!(
        differences
            .any(|one| one["new"]["end"]["kind"] == "step-limit"
                && one["confirmed_natively"] == true),
        "{report}"
    );
}

#[test]
fn decisions_without_end_stop_in_time() {
    let bench = halved();
    let report = report(&bench, start(&bench, "4s"), SLACK);
    assert_no_end_is_told(&report);
}

#[test]
fn a_long_computation_stops_in_time() {
    let bench = bench(HASHED, ["SHIFT", "3", "5"]);
    let report = report(&bench, start(&bench, "2s"), SLACK);
    assert_eq!(report["verdict"], "undecided", "{report}");
}

#[test]
fn questions_that_are_too_large_stop_in_time() {
    let bench = bench(MULTIPLIED, ["INDEX", "i", "n - 1 - i"]);
    let report = report(&bench, start(&bench, "2s"), SLACK);
    assert_ne!(report["verdict"], "equivalent", "{report}");
}

#[test]
fn an_interrupt_keeps_what_was_found() {
    let bench = halved();
    let mut check = start(&bench, "0");
    let journal = bench.path(".parallax/check/new/journal");
    let found = || fs::read_to_string(&journal).is_ok_and(|text| text.contains("\"different\""));
    while !found() {
        assert!(check.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(Duration::from_millis(20));
    }
    let kill = Command::new("kill")
        .args(["-INT", &check.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let report = report(&bench, check, SLACK);
    assert_no_end_is_told(&report);
}

/// The last decision that is allowed is the size of an array, in the middle of a block that ends in a branch. States that
/// are compared there must not be those of one input: bit 20 of `n` shows the difference.
#[test]
fn what_is_taken_as_it_is_is_not_the_state_of_all_inputs() {
    let program = "#include <unistd.h>
        void parallax_symbolic(void *at, unsigned long size, const char *name);
        int main(void) {
            unsigned n = 0, status = 0;
            unsigned char more = 0;
            if (read(0, &n, 4) != 4) return 9;
            for (unsigned i = 0; i < 3; i++) if (n == 5000 + i) goto change;
            for (unsigned i = 0; i < 16; i++) if (n == 1000000 + i) return 3;
        change:;
            unsigned is_some = n != 0;
            unsigned bit = ((n >> SHIFT) & 1) * is_some;
            char block[(n == 77777) + 1];
            block[0] = 1;
            if (n != 0) {
                status += 2;
                if (status == 99) return 5;
                parallax_symbolic(&more, 1, \"more\");
                if (more == 3) status++;
                if (more == 5) status++;
                if (more == 7) status++;
            }
            unsigned char out = (unsigned char)(bit + block[0]);
            write(1, &out, 1);
            parallax_symbolic(&more, 1, \"last\");
            _exit(status);
        }";
    let bench = bench(program, ["SHIFT", "20", "21"]);
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "4",
        "--strategy",
        "bfs",
        "--prune",
        "--max-decisions",
        "20",
        "--timeout",
        "5s",
    ]);
    assert_ne!(said.status, 0, "{}", said.stdout);
}
