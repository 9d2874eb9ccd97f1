//! `parallax check --trials` also runs inputs without terms: it finds what is hard for a solver and easy to hit by chance.

use crate::support::Bench;
use serde_json::Value;

/// The answer is behind products of what was read, whose high bits are mixed into the low ones.
const PROGRAM: &str = r#"
#include <stdio.h>
int main(void) {
    unsigned char text[8] = {0};
    if (fread(text, 1, 8, stdin) != 8) return 2;
    unsigned a = text[0] | text[1] << 8 | text[2] << 16 | (unsigned)text[3] << 24;
    unsigned b = text[4] | text[5] << 8 | text[6] << 16 | (unsigned)text[7] << 24;
    unsigned x = a * b + 12345u;
    x ^= x * (b | 1u) >> 7;
    x *= x ^ a;
    puts(x % 2053u == LEFT ? "hit" : "miss");
    return 0;
}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("old.c", &PROGRAM.replace("LEFT", "17u"));
    bench.write("new.c", &PROGRAM.replace("LEFT", "18u"));
    bench
}

fn check(bench: &Bench, more: &[&str]) -> (i32, Value) {
    let flags = ["check", "old.c", "new.c", "--sym-stdin", "8", "--fresh"];
    let limits = ["--query-timeout", "20ms", "--timeout", "60s"];
    let flags = [&flags[..], &limits, &["--format", "json"], more].concat();
    let said = bench.parallax(&flags);
    let report = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr));
    (said.status, report)
}

#[test]
fn trials_find_a_difference_that_is_hard_for_a_solver() {
    let bench = bench();
    let (status, report) = check(&bench, &["--trials"]);
    assert_eq!((status, &report["verdict"]), (1, &"different".into()));
    assert_eq!(report["differences"][0]["confirmed_natively"], true);
    let trials = &report["stats"]["propagation"]["trials"];
    assert!(trials["different"].as_u64().unwrap() > 0, "{trials}");
    assert!(
        trials["inputs"].as_u64().unwrap() > report["stats"]["runs"].as_u64().unwrap(),
        "{report:#}"
    );
}

#[test]
fn without_the_flag_there_are_no_trials() {
    let (_, report) = check(&bench(), &["--runs", "3"]);
    let made = report["stats"]["propagation"].as_object().unwrap();
    assert_eq!(made["trials"], Value::Null);
}

#[test]
fn trials_belong_to_auto_between_two_versions() {
    let bench = bench();
    for (flags, why) in [
        (&["new.c", "--strategy", "dart"][..], "--strategy dart"),
        (&["new.c", "old.c"], "two versions"),
        (&["new.c", "--verify-only"], "--verify-only"),
    ] {
        let said = bench.parallax(&[&["check", "old.c", "--trials"], flags].concat());
        assert_eq!(said.status, 2, "{}", said.stderr);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }
}
