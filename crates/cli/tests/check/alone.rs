//! Changed functions that do the same by themselves, and such that only look so.

use crate::support::Bench;

/// How a pair must be judged.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Judged {
    /// Without a run.
    Alone,
    /// By exploring, which has bounds.
    Explored,
    Different,
    /// Not at all.
    Open,
}
use Judged::{Alone, Different, Explored, Open};

/// A name, the functions of the old version, of the new one, what `main` does with its byte, and the verdict.
type Case = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    Judged,
);

const DISTANCE: &str = "static int distance(int a, int b) { return a > b ? a - b : b - a; }";

const CASES: [Case; 28] = [
    (
        "another comparison",
        DISTANCE,
        "static int distance(int a, int b) { return a >= b ? a - b : b - a; }",
        "printf(\"%d\\n\", distance(in, 7));",
        Alone,
    ),
    (
        "a product of two unknowns",
        "int rate; static int after(int a) { return a + rate * a / 60; }",
        "int rate; static int after(int a) { return a * rate / 60 + a; }",
        "rate = in; printf(\"%d\\n\", after(in + 3));",
        Alone,
    ),
    (
        "a function is taken out",
        "static int twice(int a) { int sum = a; sum += a; return sum + 1; }",
        "static int sum(int a, int b) { return a + b; } static int twice(int a) { int both = sum(a, a); return both + 1; }",
        "printf(\"%d\\n\", twice(in));",
        Alone,
    ),
    (
        "another order of writing",
        "int x, y; static void set(int a) { x = a; y = a + 1; }",
        "int x, y; static void set(int a) { y = 1 + a; x = a; }",
        "set(in); printf(\"%d %d\\n\", x, y);",
        Alone,
    ),
    (
        "what is left in a global",
        "int x, y; static void set(int a) { x = a; y = a; }",
        "int x, y; static void set(int a) { x = a; if (a != 200) y = a; }",
        "set(in); printf(\"%d\\n\", y);",
        Different,
    ),
    (
        "an element of a table",
        "static const int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = table[i]; return k < 7 ? 1 : 0; }",
        "static const int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = table[i]; return 7 > k; }",
        "printf(\"%d\\n\", at(in & 3));",
        Explored,
    ),
    (
        "an element of a table that is surely there",
        "static const int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = table[i & 3]; return k < 7 ? 1 : 0; }",
        "static const int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = table[i & 3]; return 7 > k; }",
        "printf(\"%d\\n\", at(in));",
        Alone,
    ),
    (
        "an element that is not there, read later",
        "int g, table[4] = {1, 2, 3, 4}; static int at(unsigned k, int d) { int x = table[k]; int y = 7 / d; g = x; return y; }",
        "int g, table[4] = {1, 2, 3, 4}; static int at(unsigned k, int d) { int y = 7 / d; int x = table[k]; g = x; return y; }",
        "printf(\"%d\\n\", at(in * 0x1000000u, in == 0));",
        Explored,
    ),
    (
        "another element that is not there",
        "int table[4] = {1, 2, 3, 4}; static int at(unsigned k) { volatile int x = table[k]; return k >= 4 ? 0 : x; }",
        "int table[4] = {1, 2, 3, 4}; static int at(unsigned k) { volatile int x = table[k >= 4 ? 4 : k]; return k >= 4 ? 0 : x; }",
        "printf(\"%d\\n\", at(in * 10000000u));",
        Explored,
    ),
    (
        "a handler that is installed through a pointer",
        "#include <signal.h>\n#include <stdlib.h>\nstatic int g; static int f(int k, int d) { g = 7; return k / d; }
         static void handler(int s) { printf(\"%d\\n\", g); fflush(stdout); _Exit(s); }
         static void setup(int a, int b, int c, int d) { signal(SIGFPE, handler); } void (*volatile start)(int) = (void (*)(int))setup;",
        "#include <signal.h>\n#include <stdlib.h>\nstatic int g; static int f(int k, int d) { int r = k / d; g = 7; return r; }
         static void handler(int s) { printf(\"%d\\n\", g); fflush(stdout); _Exit(s); }
         static void setup(int a, int b, int c, int d) { signal(SIGFPE, handler); } void (*volatile start)(int) = (void (*)(int))setup;",
        "start(in); printf(\"%d\\n\", f(9, in));",
        Open,
    ),
    (
        "an element that is not there",
        "static int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = table[i]; return k * 0; }",
        "static int table[4] = {5, 6, 7, 8}; static int at(int i) { int k = 1; return k * 0; }",
        "printf(\"%d\\n\", at(in & 3));",
        Explored,
    ),
    (
        "a division that may fail",
        "static int part(int a, int b) { return a / b + 0; }",
        "static int part(int a, int b) { return 0 + a / b; }",
        "printf(\"%d\\n\", part(100, in | 1));",
        Alone,
    ),
    (
        "a division less",
        "static int part(int a, int b) { int q = a / b; return q * 0 + a; }",
        "static int part(int a, int b) { int q = a + b; return q * 0 + a; }",
        "if (in < 100) part(1, in); puts(\"x\");",
        Different,
    ),
    (
        "parameters and arguments change places",
        "static int less(int a, int b) { return a - b; }",
        "static int less(int b, int a) { return b - a; }",
        "printf(\"%d\\n\", LESS);",
        Different,
    ),
    (
        "only some arguments matter",
        "static int top(int a) { return a > 300; }",
        "static int top(int a) { return a > 301; }",
        "printf(\"%d\\n\", top(in));",
        Explored,
    ),
    (
        "the caller makes up for it",
        "static int near(int a) { return a + 1; } static int both(int a) { return near(a) + 2; }",
        "static int near(int a) { return a + 2; } static int both(int a) { return near(a) + 1; }",
        "printf(\"%d\\n\", both(in));",
        Alone,
    ),
    (
        "one caller does not make up for it",
        "static int near(int a) { return a + 1; } static int both(int a) { return near(a) + 2; }",
        "static int near(int a) { return a + 2; } static int both(int a) { return near(a) + 1; }",
        "printf(\"%d\\n\", in == 77 ? near(in) : both(in));",
        Different,
    ),
    (
        "called through a pointer",
        "static int near(int a) { return a + 1; } static int both(int a) { return near(a) + 2; } int (*way)(int) = near;",
        "static int near(int a) { return a + 2; } static int both(int a) { return near(a) + 1; } int (*way)(int) = near;",
        "printf(\"%d\\n\", in == 77 ? way(in) : both(in));",
        Different,
    ),
    (
        "a loop",
        "static int sum(int n) { int s = 0; for (int i = 0; i < (n & 3); i++) s += i; return s; }",
        "static int sum(int n) { int s = 0; for (int i = 0; i < (n & 3); i++) s = i + s; return s; }",
        "printf(\"%d\\n\", sum(in));",
        Explored,
    ),
    (
        "output",
        "static void say(int n) { if (n > 3) puts(\"x\"); }",
        "static void say(int n) { if (n >= 4) puts(\"x\"); }",
        "say(in);",
        Explored,
    ),
    (
        "an element that is not there and does not matter",
        "static int t[4] = {1, 2, 3, 4}; static int at(int i) { int k = t[i]; return k * 0 + (i == 9 ? 1 : 0); }",
        "static int t[4] = {1, 2, 3, 4}; static int at(int i) { int k = t[i]; return k * 0 + (i == 9 ? 2 : 0); }",
        "printf(\"%d\\n\", at(in & 3));",
        Explored,
    ),
    (
        "a division behind an element that is not there",
        "static int t[4] = {1, 2, 3, 4}; static int at(int i) { int k = t[i]; int q = 1 / (i - 9); return k * 0 + q * 0; }",
        "static int t[4] = {1, 2, 3, 4}; static int at(int i) { int k = t[i]; int q = 1 + (i - 9); return k * 0 + q * 0; }",
        "printf(\"%d\\n\", at(in & 3));",
        Explored,
    ),
    (
        "a variable that is gone",
        "static int *place(void) { int x = 1; return &x; } static int get(int a) { return *place() * 0 + a; }",
        "static int *place(void) { int x = 1; return &x; } static int get(int a) { place(); return a; }",
        "printf(\"%d\\n\", in == 7 ? get(in) : in);",
        Different,
    ),
    (
        "a handler sees what was done before a failure",
        "#include <signal.h>\n#include <stdlib.h>\nint x; static void h(int s) { printf(\"%d\\n\", x); exit(0); }\n\
         static int f(int a, int b) { x = a; return a % b; }",
        "#include <signal.h>\n#include <stdlib.h>\nint x; static void h(int s) { printf(\"%d\\n\", x); exit(0); }\n\
         static int f(int a, int b) { int r = a % b; x = a; return r; }",
        "signal(SIGFPE, h); printf(\"%d\\n\", f(100, in));",
        Open,
    ),
    (
        "memory that may not be written",
        "#include <sys/mman.h>\nint x __attribute__((aligned(4096))); static int f(int i) { x = x; return i; }",
        "#include <sys/mman.h>\nint x __attribute__((aligned(4096))); static int f(int i) { return i + 0; }",
        "mprotect(&x, 4, PROT_READ); printf(\"%d\\n\", f(in));",
        Different,
    ),
    (
        "too much stack",
        "static int f(int x) { char b[16]; b[0] = 1; return x + b[0]; }",
        "static int f(int x) { char b[64 << 20]; b[0] = 1; return x + b[0]; }",
        "printf(\"%d\\n\", f(in));",
        Open,
    ),
    (
        "assembly of another operand",
        "static int f(int c, int d) { if (c == 65) __asm__(\"addl %1,%0\" : \"+r\"(c) : \"r\"(c)); return c; }",
        "static int f(int c, int d) { if (c == 65) __asm__(\"addl %1,%0\" : \"+r\"(c) : \"r\"(d)); return c; }",
        "printf(\"%d\\n\", f(in, 3));",
        Open,
    ),
    (
        "another first value",
        "int first = 3; static int get(int a) { return a + first; }",
        "int first = 4; static int get(int a) { return first + a; }",
        "printf(\"%d\\n\", get(in));",
        Different,
    ),
];

#[test]
fn functions_are_judged_by_what_they_do() {
    for (name, old, new, body, judged) in CASES {
        let program = |functions: &str, less: &str| {
            let body = body.replace("LESS", less);
            format!(
                "#include <stdio.h>\n{functions}\nint main(void) {{ int in = getchar(); if (in < 0) return 1; {body} return 0; }}\n"
            )
        };
        let bench = Bench::new();
        bench.write("old.c", &program(old, "less(in, 3)"));
        bench.write("new.c", &program(new, "less(3, in)"));
        let said = bench.parallax(&[
            "check",
            "old.c",
            "new.c",
            "--sym-stdin",
            "1",
            "--format",
            "json",
        ]);
        let report = said.json();
        let is_alone = !report["same_functions"].as_array().unwrap().is_empty();
        let verdict = report["verdict"].as_str().unwrap();
        let expected = match judged {
            Alone => (true, "equivalent"),
            Explored => (false, "equivalent"),
            Different => (false, "different"),
            Open => (false, "undecided"),
        };
        assert_eq!((is_alone, verdict), expected, "{name}: {}", said.stdout);
    }
}

#[test]
fn the_report_says_why_no_run_was_needed() {
    let bench = Bench::new();
    let program = |operator: &str| {
        let distance = DISTANCE.replace('>', operator);
        format!(
            "#include <stdio.h>\n{distance}\nint main(void) {{ printf(\"%d\\n\", distance(getchar(), getchar())); return 0; }}\n"
        )
    };
    bench.write("old.c", &program(">"));
    bench.write("new.c", &program(">="));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-stdin", "2"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    for part in [
        "equivalent: old.c and new.c behave the same on every input, without bounds\n",
        "no run was needed: distance does the same in both, whatever the arguments and the globals are\n",
        "assumed: no uninitialised memory matters; ",
    ] {
        assert!(said.stdout.contains(part), "{part}: {}", said.stdout);
    }
    // Partitions are there for who asks.
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "2",
        "--partitions",
    ]);
    assert!(said.stdout.contains("within the bounds"), "{}", said.stdout);
}
