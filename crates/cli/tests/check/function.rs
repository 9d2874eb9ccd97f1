//! `parallax check OLD NEW --fn NAME` as a user calls it.

use crate::support::{Bench, Said};
use serde_json::Value;

fn bench(old: &str, new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    bench
}

fn json(bench: &Bench, versions: [&str; 2], arguments: &[&str]) -> Value {
    let all = [
        &["check", versions[0], versions[1], "--format", "json"],
        arguments,
    ]
    .concat();
    let said = bench.parallax(&all);
    serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr))
}

fn text(bench: &Bench, arguments: &[&str]) -> Said {
    bench.parallax(&[&["check", "old.c", "new.c"], arguments].concat())
}

/// The report has these lines, in this order.
fn says(said: &Said, lines: &[&str]) {
    let mut rest = said.stdout.as_str();
    for line in lines {
        let place = rest.find(line);
        let place = place.unwrap_or_else(|| panic!("{line}:\n{}{}", said.stdout, said.stderr));
        rest = &rest[place + line.len()..];
    }
}

const MIN: &str = "
int min(int a, int b, int c) {
    int least = a;
    if (b < least) least = b;
    if (c < least) least = c;
    return least;
}
";

/// The thesis' example (§3.4): equivalent mutants are proved equal, the others are told apart, each in under a second.
#[test]
#[ignore = "half a minute of processor time; `make test-real` runs it"]
fn mutants_of_min() {
    told_apart(&MUTANTS);
}

#[test]
fn some_mutants_of_min() {
    told_apart(&MUTANTS[1..5]);
}

/// What is replaced by what, and whether the function stays the same.
const MUTANTS: [(&str, &str, bool); 15] = [
    ("b < least", "b <= least", true),
    ("c < least", "c <= least", true),
    ("b < least", "b < a", true),
    ("b < least", "b > least", false),
    ("b < least", "b >= least", false),
    ("b < least", "b == least", false),
    ("b < least", "b != least", false),
    ("c < least", "c > least", false),
    ("c < least", "c >= least", false),
    ("c < least", "c == least", false),
    ("c < least", "c != least", false),
    ("c < least", "c < a", false),
    ("least = a", "least = b", false),
    ("least = c", "least = b", false),
    ("return least", "return -least", false),
];

fn told_apart(mutants: &[(&str, &str, bool)]) {
    let bench = Bench::new();
    bench.write("old.c", MIN);
    for (number, &(from, to, is_equal)) in mutants.iter().enumerate() {
        let name = format!("mutant-{number}.c");
        assert_eq!(MIN.matches(from).count(), 1, "{from}");
        bench.write(&name, &MIN.replace(from, to));
        let report = json(&bench, ["old.c", &name], &["--fn", "min"]);
        let expected = if is_equal { "equivalent" } else { "different" };
        assert_eq!(report["verdict"], expected, "{from} -> {to}: {report:#}");
        assert_eq!(report["exhausted"], true, "{from} -> {to}: {report:#}");
        let search = report["stats"]["search_ms"].as_f64().unwrap();
        assert!(search < 1000.0, "{from} -> {to}: {search} ms");
        let partitions = report["partition_counts"].as_object().unwrap().values();
        let partitions: u64 = partitions.map(|count| count.as_u64().unwrap()).sum();
        println!("{from} -> {to}: {expected}, {partitions} partitions, search {search:.1} ms");
        for difference in report["differences"].as_array().unwrap() {
            assert_eq!(difference["confirmed_natively"], true, "{difference:#}");
        }
    }
}

const MANY: &str = r#"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef enum { RED, GREEN, BLUE } colour;
typedef struct { int x, y; } point;
struct box { point low, high; char tag[3]; };
struct name { char *text; unsigned length; };
int calls;
static long total;

static int sum(const int *a, int n) {
    int all = 0;
    for (int i = 0; i < n; i++) all += a[i];
    return all;
}
char *upper(const char *s) {
    char *copy = malloc(strlen(s) + 1);
    strcpy(copy, s);
    for (char *p = copy; *p; p++) if (*p >= 'a' && *p <= 'z') *p -= 32;
    return copy;
}
void strip(char *s) { size_t n = strlen(s); while (n > 0 && s[n - 1] == ' ') s[--n] = 0; }
colour next(colour c, bool back) { return back ? (c + 2) % 3 : (c + 1) % 3; }
void move(struct box *b, int dx) { b->low.x += dx; b->high.x += dx; }
point add(point p, point q) { p.x += q.x; p.y += q.y; return p; }
double half(double x) { if (x < 0) { errno = EDOM; return 0; } return x / 2; }
int divide(int a, int b) { return a / b; }
char *find(char *s, int c) { for (; *s; s++) if (*s == c) return s; return NULL; }
unsigned clamp(unsigned v, unsigned most) { return v > most ? most : v; }
void count(int n) { calls += n; total++; }
void greet(char first) { printf("hello %c\n", first); }
int leave(int n) { if (n == 3) exit(4); return n; }
void cut(struct name *n) { n->text[1] = 0; n->length = 1; }
int *series(int n) { int *all = malloc(2 * sizeof(int)); all[0] = n; all[1] = n + 1; return all; }
int drop(int n) { static int kept; kept += n; return n; }
int main(void) { return sum((int[]){1, 2}, 2) != 3; }
"#;

fn many_changed() -> String {
    let changes = [
        ("all += a[i]", "all += i == 2 ? 0 : a[i]"),
        ("<= 'z'", "<= 'y'"),
        ("n > 0 &&", "n > 1 &&"),
        ("(c + 2) % 3", "(c + 1) % 3"),
        ("b->high.x += dx;", "b->high.x += dx; b->tag[1] = 'x';"),
        ("p.y += q.y", "p.y -= q.y"),
        ("x < 0", "x < -1"),
        ("return a / b", "return b ? a / b : 0"),
        ("return NULL", "return s"),
        ("v > most ? most : v", "v > most ? v : most"),
        ("total++;", ""),
        ("hello", "hallo"),
        ("exit(4)", "return 4"),
        ("n->text[1]", "n->text[2]"),
        ("kept += n", "kept -= n"),
        ("all[1] = n + 1", "all[1] = n + 2"),
    ];
    changes.iter().fold(MANY.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    })
}

/// Each kind of argument, result and effect, as the report shows it. All are seen natively.
#[test]
fn arguments_and_outcomes_in_the_users_words() {
    let bench = bench(MANY, &many_changed());
    let cases: [(&[&str], &[&str]); 14] = [
        (
            &["sum", "--fn-assume", "n >= 0 && n <= 4"],
            &[
                "returned value differs",
                "sum(a = {0, 0, 1, 0}, n = 3)",
                "old: returns 1",
                "new: returns 0",
            ],
        ),
        (
            &["upper", "--fn-array", "2"],
            &[
                "returned value differs",
                "upper(s = \"z\")",
                "old: returns \"Z\"",
                "new: returns \"z\"",
            ],
        ),
        (
            &["strip"],
            &[
                "*s differs",
                "strip(s = \" \")",
                "old: *s = \"\"",
                "new: *s = \" \"",
            ],
        ),
        (
            &["next"],
            &[
                "next(c = RED, back = true)",
                "old: returns BLUE",
                "new: returns GREEN",
            ],
        ),
        (
            &["move"],
            &[
                "*b differs",
                "move(b = &{low = {x = 0, y = 0}, high = {x = 0, y = 0}, tag = \"\"}, dx = 0)",
            ],
        ),
        (
            &["add"],
            &[
                "add(p = {x = 0, y = 0}, q = {x = 0, y = 1})",
                "returns {x = 0, y = 1}",
                "returns {x = 0, y = -1}",
            ],
        ),
        (
            &["half"],
            &[
                "errno and returned value differ",
                "half(x = -",
                "old: errno = 33",
                "new: errno = 0",
                "old: returns 0.0",
                "new: returns -",
            ],
        ),
        (
            &["divide"],
            &[
                "how the call ends differs",
                "divide(a = 0, b = 0)",
                "old: division by zero at old.c:",
                "new: returns 0",
            ],
        ),
        (
            &["find"],
            &[
                "find(s = \"\", c = 0)",
                "old: returns NULL",
                "new: returns s\n",
            ],
        ),
        (
            &["clamp"],
            &[
                "clamp(v = ",
                "changed lines behind it:",
                "in clamp  | unsigned clamp",
            ],
        ),
        (
            &["count"],
            &[
                "global total differs",
                "count(n = 0)",
                "old: global total = 1",
                "new: global total = 0",
            ],
        ),
        (
            &["greet"],
            &[
                "standard output differs",
                "greet(first = ",
                "old: hello",
                "new: hallo",
            ],
        ),
        (
            &["leave"],
            &[
                "how the call ends differs",
                "leave(n = 3)",
                "old: exit with status 4",
                "new: returns 4",
            ],
        ),
        (
            &["cut"],
            &["*n->text differs", "cut(n = &{text = \"", "length = 0})"],
        ),
    ];
    for (arguments, lines) in cases {
        let said = text(&bench, &[&["--fn"], arguments].concat());
        assert_eq!(
            said.status, 1,
            "{arguments:?}: {}{}",
            said.stdout, said.stderr
        );
        says(&said, lines);
        says(&said, &[", seen natively"]);
        assert!(!said.stdout.contains("parallax."), "{}", said.stdout);
    }
    // All of an array that a function makes is compared, and what a function keeps to itself.
    let said = text(&bench, &["--fn", "series"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(&said, &["returns &{0, 1}", "returns &{0, 2}"]);
    let said = text(&bench, &["--fn", "drop"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &[
            "global drop.kept differs, seen natively",
            " with drop.kept = ",
        ],
    );
}

/// The conditions of partitions name the parameters.
#[test]
fn conditions_are_about_parameters() {
    let old = "unsigned least(unsigned x, unsigned y) { return x < y ? x : y; }";
    let bench = bench(old, &old.replace("x < y", "y < x"));
    let report = json(&bench, ["old.c", "new.c"], &["--fn", "least"]);
    let mut said: Vec<(String, String)> = report["partitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let conditions = entry["condition"].as_array().unwrap().iter();
            let conditions: Vec<&str> = conditions.map(|one| one.as_str().unwrap()).collect();
            (
                entry["verdict"].as_str().unwrap().to_owned(),
                conditions.join(", "),
            )
        })
        .collect();
    said.sort();
    let words: Vec<&str> = said.iter().map(|(verdict, _)| verdict.as_str()).collect();
    assert_eq!(words, ["different", "different", "equal"], "{said:?}");
    for (_, conditions) in &said {
        assert!(
            !conditions.contains("byte") && !conditions.contains("unsigned"),
            "{said:?}"
        );
    }
    assert!(
        said[2].1.contains("x <= y") && said[2].1.contains("y <= x"),
        "{said:?}"
    );
}

/// What a call leaves is said as values, with names, and which inputs a partition has by whole parameters.
#[test]
fn partitions_have_values_and_not_bytes() {
    let old = "struct pair { int x; unsigned char y; };
        struct pair f(int a, unsigned char c, int *out) {
            struct pair p = { a - 1, c };
            *out = -7;
            switch (a) { case 1: case 2: case 3: p.x = 3; }
            return p;
        }";
    let bench = bench(old, &old.replace("p.x = 3", "p.x = 4"));
    let words = ["--fn", "f", "--fn-array", "2", "--no-prune", "--partitions"];
    let said = text(&bench, &words);
    says(
        &said,
        &[
            "  different: a in 0..3; a != 0",
            "    *out: {-7, out[1]}",
            "    returned value: old {x = 3, y = c}, new {x = 4, y = c}",
            "  equal (terms): a == 0 or a > 3 (unsigned)",
            "    returned value: {x = a - 1, y = c}",
        ],
    );
    assert!(!said.stdout.contains("byte "), "{}", said.stdout);
    assert!(!said.stdout.contains("exit status: 0"), "{}", said.stdout);
    // Only some of them.
    let only = |which: &str| text(&bench, &[&words[..5], &[which]].concat()).stdout;
    assert!(only("--partitions=different").contains("  different: "));
    assert!(!only("--partitions=different").contains("  equal ("));
    assert!(only("--partitions=equal").contains("  equal ("));
    assert!(!only("--partitions=equal").contains("  different: "));
    assert!(!only("--partitions=open").contains("  and "));
}

/// `const` does not keep a function from writing.
#[test]
fn what_is_const_is_compared_too() {
    let old = "int mark(const int *place) { *(int *)place = 3; return 0; }";
    let bench = bench(old, &old.replace('3', "4"));
    let said = text(&bench, &["--fn", "mark"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

/// The script runs both versions' drivers and shows values, not bytes.
#[test]
fn the_script_shows_values() {
    let bench = bench(MIN, &MIN.replace("c < least", "c > least"));
    let said = text(&bench, &["--fn", "min"]);
    let line = said
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix("reproduce: "));
    let line = line.unwrap_or_else(|| panic!("{}", said.stdout));
    let output = bench.command("sh").args(["-c", line]).output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{shown}");
    let report = json(&bench, ["old.c", "new.c"], &["--fn", "min"]);
    for version in ["old", "new"] {
        let value = &report["differences"][0][version]["call"]["returned value"];
        let value = value.as_str().unwrap();
        let words =
            format!("== {version}: exit status 0\n== {version}, returned value: {value} \n");
        assert!(shown.contains(&words), "{words}{shown}");
    }
}

/// Callers that go by places see a difference, so the verdict itself says how parameters are matched.
#[test]
fn swapped_parameters_are_named_with_the_verdict() {
    let bench = bench(
        "int less(int a, int b) { return a - b; }\n",
        "int less(int b, int a) { return a - b; }\n",
    );
    let said = text(&bench, &["--fn", "less"]);
    let mut lines = said.stdout.lines();
    let verdict = lines.next().unwrap_or_default();
    assert!(verdict.starts_with("equivalent: "), "{}", said.stdout);
    let matched = "parameters are matched by name: less(a, b) of the old version is compared with less(b, a) of the new one";
    assert_eq!(lines.next(), Some(matched), "{}", said.stdout);
    let report = json(&bench, ["old.c", "new.c"], &["--fn", "less"]);
    assert_eq!(report["matched"], matched);
}

/// Böhme's thesis, §3.2.4: parameters that come, go, and change places and types.
#[test]
fn changed_input_spaces() {
    let old = "
        typedef struct { int a; } pair;
        int swapped(int a, int b) { return a - b; }
        int added(int a) { return a * 2; }
        int removed(int a, int k) { return k > 5 ? a * 3 : a * 2; }
        long wider(int n) { return n + 1; }
        int other(int n) { return n > 0; }
        int renamed(int width, int height) { return width - height; }
        int member(pair *p) { return p->a; }
        void result(int *p) { *p = 1; }
    ";
    let new = "
        typedef struct { int a; short b; } pair;
        int swapped(int b, int a) { return a - b; }
        int added(int a, int k) { return k > 5 ? a * 3 : a * 2; }
        int removed(int a) { return a * 2; }
        long wider(long n) { return n + 1; }
        int other(double n) { return n > 0; }
        int renamed(int w, int h) { return w + -h; }
        int member(pair *p) { return p->b == 7 ? p->a + 1 : p->a; }
        int result(int *p) { *p = 1; return 0; }
    ";
    let bench = bench(old, new);
    let cases = [
        ("swapped", 0, "parameters come in another order", ""),
        (
            "added",
            1,
            "parameter k is only in the new version: the old version ignores it",
            "added(a = 1, k = 6)",
        ),
        (
            "removed",
            1,
            "parameter k is only in the old version: the new version ignores it",
            "removed(a = 1, k = 6)",
        ),
        (
            "wider",
            1,
            "n is `int` in the old version and `long` in the new one: compared for the values that both types have",
            "wider(n = 2147483647)",
        ),
        (
            "other",
            1,
            "parameter n is `int` in the old version and `double` in the new one: they are two inputs, old.n and new.n",
            "other(new.n = ",
        ),
        (
            "renamed",
            0,
            "parameter width of the old version is w in the new one",
            "",
        ),
        (
            "member",
            1,
            "p->b is only in the new version",
            "member(p = &{a = 0, b = 7})",
        ),
        (
            "result",
            3,
            "the returned value: the old version returns nothing",
            "",
        ),
    ];
    for (function, status, note, call) in cases {
        let said = text(&bench, &["--fn", function]);
        assert_eq!(
            said.status, status,
            "{function}: {}{}",
            said.stdout, said.stderr
        );
        match status {
            // What is left out is said before the bounds.
            3 => says(&said, &[call, note, "bounds: "]),
            _ => says(&said, &[call, "bounds: ", note]),
        }
    }
}

/// Sources that belong together: a header's function, a global of another source, and a `static` of two.
#[test]
fn versions_of_several_files() {
    let bench = Bench::new();
    for (version, by, sign) in [("v1", "x + x", ""), ("v2", "x * 3", "-")] {
        bench.write(
            &format!("{version}/lib.h"),
            &format!(
                "
            int twice(int x);
            static int turns;
            static inline int turned(int x) {{ turns++; return {sign}x; }}
        "
            ),
        );
        bench.write(
            &format!("{version}/lib.c"),
            &format!(
                "
            #include \"lib.h\"
            #include <assert.h>
            int count;
            static int helper(int x) {{ return {by}; }}
            int twice(int x) {{ assert(x != 77); count = helper(x); return 0; }}
        "
            ),
        );
        bench.write(
            &format!("{version}/main.c"),
            "
            #include \"lib.h\"
            static int helper(int x) { return x + 1; }
            int both(int x) { return twice(helper(x)); }
            int main(void) { return both(2); }
        ",
        );
    }
    let check =
        |arguments: &[&str]| bench.parallax(&[&["check", "v1", "v2", "--fn"], arguments].concat());
    let said = check(&["both"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &[
            "global count differs",
            "both(x = 0)",
            "old: global count = 2",
            "new: global count = 3",
        ],
    );
    let said = check(&["turned"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(&said, &["old: returns 1", "new: returns -1"]);
    let said = check(&["helper"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stderr
            .contains("`--fn lib.c:helper` or `--fn main.c:helper`"),
        "{}",
        said.stderr
    );
    let said = check(&["main.c:helper"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("nothing has changed"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_golden_version_classifies() {
    let bench = bench(
        &MIN.replace("c < least", "c > least"),
        &MIN.replace("b < least", "b > least"),
    );
    bench.write("golden.c", MIN);
    let report = json(
        &bench,
        ["old.c", "new.c"],
        &["--fn", "min", "--golden", "golden.c"],
    );
    let classes = report["differences"].as_array().unwrap().iter();
    let classes: Vec<&str> = classes.map(|one| one["class"].as_str().unwrap()).collect();
    // Where the new version is wrong, the least number is the first one, and so the old version is wrong too.
    assert_eq!(classes.len(), 2, "{classes:?}");
    for class in ["progression", "intermediate"] {
        assert!(classes.contains(&class), "{class}: {classes:?}");
    }
}

/// As in functions like `memcmp` and `memcpy`.
#[test]
fn what_a_void_pointer_points_to_is_bytes() {
    let old = "
        #include <stddef.h>
        int same(const void *a, const void *b, size_t n) {
            for (size_t i = 0; i < n; i++)
                if (((const char *)a)[i] != ((const char *)b)[i]) return 0;
            return 1;
        }
        void fill(void *to, int byte, size_t n) {
            for (size_t i = 0; i < n; i++) ((char *)to)[i] = byte;
        }
    ";
    let new = "
        #include <stddef.h>
        int same(const void *a, const void *b, size_t n) {
            const unsigned char *one = a, *two = b, *end = one + n;
            while (one != end) if (*one++ != *two++) return 0;
            return 1;
        }
        void fill(void *to, int byte, size_t n) {
            unsigned char *at = to;
            while (n > 1) at[--n] = byte;
        }
    ";
    let bench = bench(old, new);
    let assumed = ["--fn-assume", "n <= 3", "--fn-array", "3"];
    let said = text(&bench, &[&["--fn", "same"], &assumed[..]].concat());
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    says(
        &said,
        &[
            "equivalent: same of",
            "a: 3 elements, n from 0 to that; b: 3 elements, n from 0 to that",
        ],
    );
    let said = text(
        &bench,
        &[&["--fn", "same", "--fn-assume", "a[0] == 7"], &assumed[..]].concat(),
    );
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = text(&bench, &[&["--fn", "fill"], &assumed[..]].concat());
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    says(&said, &["*to differs, seen natively", "input: fill(to = {"]);
}

/// Found by a review: only conditions that the compiler folds were refused, all others ended in `equivalent`.
#[test]
fn an_assumption_that_nothing_satisfies_is_refused() {
    let bench = bench(
        "int f(int n) { return n; }",
        "int f(int n) { return n + 1; }",
    );
    for assumed in ["0", "n > 3 && n < 2"] {
        let said = text(&bench, &["--fn", "f", "--fn-assume", assumed]);
        assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
        assert!(
            said.stderr.contains("no argument is left by `--fn-assume`"),
            "{}",
            said.stderr
        );
    }
    let said = text(&bench, &["--fn", "f", "--fn-assume", "n > 3 && n < 5"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}

#[test]
fn what_cannot_be_compared_is_said_once() {
    let text = "
        struct list { int value; struct list *next; };
        union either { int i; float f; };
        struct flags { unsigned a : 3; };
        struct hidden;
        int minimum(int a) { return a; }
        int several(int n, ...) { return n; }
        int callback(int (*step)(int)) { return step(1); }
        struct handle { void *p; };
        int anything(struct handle *h) { return h->p != 0; }
        int length(struct list *l) { return l->value; }
        int choose(union either e) { return e.i; }
        int bits(struct flags f) { return f.a; }
        int unknown(struct hidden *h) { return h != 0; }
        int words(char **w) { return w != 0; }
        long double precise(long double x) { return x; }
        int declared(int);
        int main(void) { return declared(minimum(1)); }
    ";
    let bench = bench(
        &format!("{text} int declared(int n) {{ return n; }} int before(int n) {{ return n; }}"),
        &format!("{text} int declared(int n) {{ return n; }} int after(int n) {{ return n; }}"),
    );
    let cases: [(&[&str], &[&str]); 9] = [
        (
            &["minimun"],
            &[
                "neither version has a function `minimun`",
                "similar: `minimum`",
            ],
        ),
        (
            &["before"],
            &[
                "the new version has no function `before`",
                "the old one has",
            ],
        ),
        (
            &["after"],
            &["the old version has no function `after`", "the new one has"],
        ),
        (&["printf"], &["neither version has a function `printf`"]),
        (&["main"], &["`main` is the program itself"]),
        (&["two words"], &["`two words` is no name of a C function"]),
        (
            &["precise"],
            &["parameter `x` of `precise` is `long double`"],
        ),
        (&["minimum", "--sym-arg", "3"], &["has no command line"]),
        (
            &["minimum", "--fn-assume", "a >"],
            &["`--fn-assume` needs a C expression", "expected expression"],
        ),
    ];
    for (arguments, words) in cases {
        let said = bench.parallax(&[&["check", "old.c", "new.c", "--fn"], arguments].concat());
        assert_eq!(
            (said.status, said.stdout.as_str()),
            (2, ""),
            "{arguments:?}: {}",
            said.stderr
        );
        for words in words {
            assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
        }
        assert_eq!(
            said.stderr.matches("parallax: error:").count(),
            1,
            "{}",
            said.stderr
        );
    }
    let said = bench.parallax(&["check", "old.c", "new.c", "--fn-assume", "1"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("say which with `--fn NAME`"),
        "{}",
        said.stderr
    );
    bench.write("lib.rs", "pub fn minimum(a: i32) -> i32 { a }");
    let said = bench.parallax(&["check", "lib.rs", "lib.rs", "--fn", "minimum"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("`--fn` needs C files"),
        "{}",
        said.stderr
    );
    bench.write("broken.c", "int minimum(int a) { return nothing; }");
    let said = bench.parallax(&["check", "old.c", "broken.c", "--fn", "minimum"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("the new version") && said.stderr.contains("nothing"),
        "{}",
        said.stderr
    );
}

/// Of four arguments three differ; the other 252 are no part of the space.
#[test]
fn shares_are_of_the_arguments_that_an_assumption_admits() {
    let version = |value: &str| {
        let both = [("narrow", "unsigned char"), ("wide", "int")];
        both.map(|(name, ty)| format!("int {name}({ty} n) {{ return {value}; }}\n"))
            .concat()
    };
    let bench = bench(&version("0"), &version("n > 0"));
    let versions = ["old.c", "new.c"];
    let report = json(
        &bench,
        versions,
        &["--fn", "narrow", "--fn-assume", "n <= 3"],
    );
    let settled = &report["settled"];
    let interval = &settled["interval"]["different"];
    let (low, high) = (interval[0].as_f64().unwrap(), interval[1].as_f64().unwrap());
    assert!(0.5 < low && low < 0.75 && 0.75 < high, "{settled:#}");
    let equal = settled["equal"].as_f64().unwrap();
    assert!((0.1..0.4).contains(&equal), "{settled:#}");
    assert_eq!(settled["open"], 0.0, "{settled:#}");
    // No random argument is one of four in 2^32.
    let few = ["--fn", "wide", "--fn-assume", "n >= 0 && n <= 3"];
    assert!(json(&bench, versions, &few)["settled"].is_null());
    says(
        &text(&bench, &few),
        &["settled: the share is not known, since no random input is within the bounds"],
    );
    // Without an assumption all are counted.
    let report = json(&bench, versions, &["--fn", "narrow"]);
    assert_eq!(report["settled"]["different"], 255.0 / 256.0);
}
