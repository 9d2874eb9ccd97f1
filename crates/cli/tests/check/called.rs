//! Calls that do the same in both versions where they are made, and such that only look so.

use crate::support::Bench;
use serde_json::Value;

/// How a pair must be judged.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Judged {
    /// A partition was proved by what is called, and the versions are equivalent.
    Called,
    /// None was.
    Otherwise,
    Different,
}
use Judged::{Called, Different, Otherwise};

/// A name, what the programs have in common, a function of the old version, of the new one, what `main` does with two
/// bytes `a` and `b`, and the verdict.
type Case = (
    &'static str,
    &'static str,
    [&'static str; 2],
    &'static str,
    Judged,
);

const PROVE: [&str; 8] = [
    "check",
    "old.c",
    "new.c",
    "--sym-stdin",
    "2",
    "--verify-only",
    "--format",
    "json",
];

/// Compilers put small functions into their callers.
const TOP: [&str; 2] = [
    "int __attribute__((noinline)) top(int x) { return x == 4 ? 1 : x * 3; }",
    "int __attribute__((noinline)) top(int x) { return x >= 4 ? 1 : x * 3; }",
];

const CASES: [Case; 14] = [
    (
        "the caller has checked the range",
        "",
        TOP,
        "if (a > 4) return 2; printf(\"%d\\n\", top(a) + b);",
        Called,
    ),
    (
        "the caller has checked too little",
        "",
        TOP,
        "if (a > 5) return 2; printf(\"%d\\n\", top(a) + b);",
        Different,
    ),
    (
        "in a global",
        "static int height;",
        [
            "int __attribute__((noinline)) top(void) { return height == 4 ? 1 : height * 3; }",
            "int __attribute__((noinline)) top(void) { return height >= 4 ? 1 : height * 3; }",
        ],
        "height = a; if (height > 4) return 2; printf(\"%d\\n\", top() + b);",
        Called,
    ),
    (
        "a global that is written in between",
        "static int height; static void __attribute__((noinline)) grow(int by) { height += by; }",
        [
            "int __attribute__((noinline)) top(void) { return height == 4 ? 1 : height * 3; }",
            "int __attribute__((noinline)) top(void) { return height >= 4 ? 1 : height * 3; }",
        ],
        "height = a; if (height > 4) return 2; grow(b & 1); printf(\"%d\\n\", top());",
        Different,
    ),
    (
        "called a second time with something else",
        "",
        TOP,
        "if (a > 4) return 2; int sum = top(a); printf(\"%d\\n\", sum + top(b));",
        Different,
    ),
    (
        "called in a loop, the last time with something else",
        "",
        TOP,
        "if (a > 4) return 2; int sum = 0; for (int i = 0; i < 3; i++) sum += top(a + i); printf(\"%d\\n\", sum + b);",
        Different,
    ),
    (
        "what it returns decides whether it is called again",
        "",
        TOP,
        "if (a > 4) return 2; if (top(a) == 6) printf(\"%d\\n\", top(b)); else puts(\"no\");",
        Different,
    ),
    (
        "called again in the same range",
        "",
        TOP,
        "if (a > 4 || b > 4) return 2; int sum = top(a); printf(\"%d\\n\", sum + top(b));",
        Otherwise,
    ),
    (
        "called through another function",
        "static int __attribute__((noinline)) top(int x);
         int __attribute__((noinline)) both(int x, int y) { return top(x) * y + top(y) * (x + y * y * x); }",
        [
            "static int __attribute__((noinline)) top(int x) { return x == 4 ? 1 : x * 3; }",
            "static int __attribute__((noinline)) top(int x) { return x >= 4 ? 1 : x * 3; }",
        ],
        "if (a > 4 || b > 4) return 2; printf(\"%d\\n\", both(a, b));",
        Called,
    ),
    (
        "called through a pointer with too few arguments",
        "",
        [
            "int __attribute__((noinline)) top(int x, int p, int q, int r) { return x == 64 ? 17 : x; } int (*volatile pointer)(int) = (int (*)(int))top;",
            "int __attribute__((noinline)) top(int x, int p, int q, int r) { return x >= 64 ? 17 : x; } int (*volatile pointer)(int) = (int (*)(int))top;",
        ],
        "if (a > 64) return 2; int first = top(a, 0, 0, 0); if (a & 2) putchar('b'); if (a & 4) putchar('c'); if (a & 8) putchar('d');
         if (a % 5 == 3 && a % 9 == 2) putchar(pointer(a + 40)); return first;",
        Different,
    ),
    (
        "called at the end of the program",
        "static int last; void top(void);",
        [
            "void __attribute__((noinline)) top(void) { if (last == 4) last = 7; }",
            "void __attribute__((noinline)) top(void) { if (last >= 4) last = 7; }",
        ],
        "last = a; if (a > 4) return 2; top(); last = b; atexit(top); return last;",
        Otherwise,
    ),
    (
        "called again from a place that is jumped back to",
        "#include <setjmp.h>\nstatic jmp_buf place;",
        TOP,
        "volatile int x = a; if (a > 4) return 2; int again = setjmp(place); int y = top(x); if (!again) { x = b; longjmp(place, 1); } printf(\"%d\\n\", y);",
        Different,
    ),
    (
        "it fails, and elsewhere",
        "static int seen;",
        [
            "int __attribute__((noinline)) top(int x) { seen = x; return 12 / (x - 3); }",
            "int __attribute__((noinline)) top(int x) { seen = x; return x >= 4 ? 12 / (x - 3) : x == 3 ? 9 : 12 / (x - 3); }",
        ],
        "if (a > 4) return 2; printf(\"%d\\n\", top(a) + b);",
        Different,
    ),
    (
        "another thing has changed before it",
        "",
        [
            "static int __attribute__((noinline)) less(int x) { return x > 3 ? 3 : x; } int __attribute__((noinline)) top(int x) { return x == 4 ? 1 : x * 3; }",
            "static int __attribute__((noinline)) less(int x) { return x > 4 ? 4 : x; } int __attribute__((noinline)) top(int x) { return x >= 4 ? 1 : x * 3; }",
        ],
        "int c = less(a); printf(\"%d\\n\", top(c) + b);",
        Different,
    ),
];

#[test]
fn calls_are_compared_where_they_are_made() {
    for (name, common, functions, body, judged) in CASES {
        let program = |function: &str| {
            format!(
                "#include <stdio.h>\n#include <stdlib.h>\n{common}\n{function}\nint main(void) {{ int a = getchar(), b = getchar(); if (a < 0 || b < 0) return 1; {body} return 0; }}\n"
            )
        };
        let bench = Bench::new();
        bench.write("old.c", &program(functions[0]));
        bench.write("new.c", &program(functions[1]));
        let said = bench.parallax(&[&PROVE[..], &["--paranoid"]].concat());
        let report = said.json();
        let called = report["partition_counts"]["equal_called"].as_u64().unwrap() > 0;
        let verdict = report["verdict"].as_str().unwrap();
        let seen = match (verdict, called) {
            ("equivalent", true) => Called,
            ("equivalent", false) => Otherwise,
            ("different", _) => Different,
            _ => panic!("{name}: {}", said.stdout),
        };
        assert_eq!(seen, judged, "{name}: {}", said.stdout);
    }
}

/// A loop whose ways all lead to one call.
fn many_ways() -> Bench {
    let bench = Bench::new();
    let program = |function: &str| {
        format!(
            "#include <stdio.h>\n{function}\nint main(void) {{ int a = getchar(), b = getchar(); if (a < 0 || b < 0 || a > 4) return 1; \
             for (int i = 0; i < 8; i++) if (b >> i & 1) a = a * 3 % 5; printf(\"%d\\n\", top(a)); return 0; }}\n"
        )
    };
    bench.write("old.c", &program(TOP[0]));
    bench.write("new.c", &program(TOP[1]));
    bench
}

fn check(bench: &Bench, runs: &str) -> Value {
    let options = [&PROVE[..], &["--runs", runs]].concat();
    bench.parallax(&options).json()
}

/// What was proved is taken over, and the search goes on where it was.
#[test]
fn a_stopped_proof_by_calls_goes_on() {
    let bench = many_ways();
    let stopped = check(&bench, "20");
    assert_eq!(stopped["verdict"], "undecided", "{stopped}");
    let done = check(&bench, "100000");
    assert_eq!(done["verdict"], "equivalent", "{done}");
    let called = done["partition_counts"]["equal_called"].as_u64();
    assert!(called > Some(20), "{done}");
    // What is only repeated rests on the same.
    let again = check(&bench, "100000");
    assert_eq!(again["verdict"], "equivalent", "{again}");
    assert_eq!(again["assumptions"], done["assumptions"]);
}

/// What is known of a path goes by the places of its events. So nothing that was written down is used, and nothing is added to it, if the
/// path is another one.
#[test]
fn a_path_that_looks_different_leaves_the_verdict_open() {
    let bench = many_ways();
    check(&bench, "20");
    let journal = bench.path(".parallax/check/new/journal-of-slices");
    let text = std::fs::read_to_string(&journal).unwrap();
    let cut = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        line["run"]["path"]["cut"].as_u64()
    };
    let at = text.lines().position(|line| cut(line) > Some(2)).unwrap();
    let line = text.lines().nth(at).unwrap();
    let cut = cut(line).unwrap();
    let (whole, shorter) = (
        line.replace(&format!(",\"cut\":{cut}"), ""),
        line.replace(&format!("\"cut\":{cut}"), "\"cut\":1"),
    );
    for changed in [whole, shorter] {
        assert_ne!(changed, line);
        let other = text.replacen(line, &changed, 1);
        std::fs::write(&journal, &other).unwrap();
        for _ in 0..2 {
            let report = check(&bench, "100000");
            assert_eq!(report["verdict"], "undecided", "{report}");
            let why = report["stopped"].as_str().unwrap();
            assert!(why.contains("--fresh"), "{report}");
        }
        let after = std::fs::read_to_string(&journal).unwrap();
        assert!(after.starts_with(&other), "what was written is changed");
        // As it was, what has been added since is of no harm.
        std::fs::write(&journal, after.replacen(&changed, line, 1)).unwrap();
        assert_eq!(check(&bench, "100000")["verdict"], "equivalent");
    }
}

/// Whole paths and slices are kept apart: trying one does not cost what the other has proved.
#[test]
fn a_proof_with_slices_leaves_the_other_journal_alone() {
    let bench = many_ways();
    let journal = |name: &str| {
        let place = bench.path(&format!(".parallax/check/new/{name}"));
        std::fs::read_to_string(place).unwrap()
    };
    let search = [
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "2",
        "--runs",
        "30",
    ];
    let first = bench.parallax(&search);
    assert_eq!(first.status, 3, "{}{}", first.stdout, first.stderr);
    let kept = journal("journal");
    assert_eq!(check(&bench, "20")["verdict"], "undecided");
    assert_eq!(journal("journal"), kept);
    let sliced = journal("journal-of-slices");
    let again = bench.parallax(&search);
    let known = "paths known from an earlier check";
    assert!(again.stdout.contains(known), "{}", again.stdout);
    assert!(!again.stderr.contains("not used"), "{}", again.stderr);
    // Another search goes on with the proof beside it.
    assert!(journal("journal-of-slices").starts_with(&sliced));
    assert_eq!(check(&bench, "100000")["verdict"], "equivalent");
}
