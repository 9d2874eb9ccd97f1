//! Tests of functions that Parallax writes: in each format they compile and run without it, pass on the version that they expect and fail
//! on the other. What is expected is hostile to whoever writes it as C.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::Bench;

const OLD: &str = r#"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct point { int x; unsigned char tag; double w; };
struct node { int value; struct node *next; };
static int total;
int move(struct point *p, int dx) { if (dx < 0) { p->tag = '"'; p->x -= 1; errno = ERANGE; return -1; } p->x += dx; return p->x; }
int sum(const struct node *list) { int s = 0; while (list) { s += list->value; list = list->next; } return s; }
struct node *second(struct node *list) { if (!list || !list->next) return NULL; return list->next; }
size_t fill(char *out, size_t n) { if (n < 3) return 0; memcpy(out, "\"\0\377\n", n < 4 ? n : 4); return 3; }
int next(int by) { total += by; return total > 100; }
void say(int n) { if (n == 7) printf("100%%\n\"seven\"\?\?/ */\n%c\377", 0); }
void stop(int n) { if (n == 3) exit(4); }
void give_up(int n) { if (n == 3) abort(); }
double half(double x) { return x == 3 ? -0.0 : x / 2; }
double tiny(int n) { return n == 1 ? 5e-324 : n == 2 ? 0.1 + 0.2 : 1; }
float ratio(int n) { return n == 1 ? (float)(1e30f * 1e30f) : 1; }
char *copy(const char *s) { char *t = malloc(strlen(s) + 2); if (!t) return t; strcpy(t, s); if (*s == 'k') strcat(t, "!"); return t; }
long long low(int k) { return k == 5 ? -9223372036854775807LL - 1 : k; }
int least(int k) { return k == 5 ? -2147483647 - 1 : k; }
static unsigned long long big(_Bool b, signed char c) { return b && c == -3 ? 18446744073709551615ULL : 1; }
struct node *cut(struct node *list) { if (list && list->value == 9) { struct node *n = list->next; free(list); return n; } return list; }
void wide(unsigned short table[12]) { table[11] = 65535; table[3] = 1; }
char sign(char c) { return c == 'x' ? '\377' : '?'; }
int each(int (*f)(int), int n) { return n == 2 ? f(n) : 0; }
int main(void) { say((int)big(1, 2)); return 0; }
"#;

/// The functions, with what becomes of each in the new version. `each` has no test: a test in C has no functions that answer as the
/// input says.
const FUNCTIONS: [(&str, &str, &str); 19] = [
    ("move", "p->tag = '\"'", "p->tag = '\\''"),
    (
        "sum",
        "s += list->value;",
        "s += list->value == 5 ? 4 : list->value;",
    ),
    (
        "second",
        "return list->next; }\nsize_t",
        "return list; }\nsize_t",
    ),
    ("fill", "\\0\\377", "\\0\\376"),
    ("next", "> 100", ">= 100"),
    ("say", "\"seven\\\"", "\"Seven\\\""),
    ("stop", "exit(4)", "exit(5)"),
    ("give_up", "n == 3) abort", "n == 4) abort"),
    ("half", "? -0.0", "? 0.0"),
    ("tiny", "5e-324", "1e-323"),
    ("ratio", "(float)(1e30f * 1e30f)", "-(float)(1e30f * 1e30f)"),
    ("copy", "\"!\"", "\"?\""),
    (
        "low",
        "-9223372036854775807LL - 1 :",
        "-9223372036854775807LL - 0 :",
    ),
    ("least", "-2147483647 - 1 :", "-2147483647 - 0 :"),
    ("big", "18446744073709551615ULL", "18446744073709551614ULL"),
    ("cut", "== 9", "== 8"),
    ("wide", "table[3] = 1", "table[3] = 2"),
    ("sign", "'\\377' : '?'", "'\\376' : '?'"),
    ("each", "n == 2 ?", "n == 1 ?"),
];

const FORMATS: [&str; 4] = ["c", "cmocka", "googletest", "unity"];

fn new(functions: &[&str]) -> String {
    let edits = FUNCTIONS
        .iter()
        .filter(|(name, ..)| functions.contains(name));
    let edits = edits.map(|(_, old, new)| (old, new));
    edits.fold(OLD.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// Where Unity is, if it is there: no package of Debian has it.
fn unity() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("UNITY")?);
    folder.join("unity.c").is_file().then_some(folder)
}

/// Builds a file of tests with a version, as its head says, and runs it.
fn passes(bench: &Bench, format: &str, file: &str, version: &str) -> bool {
    let text = fs::read_to_string(bench.path(file)).unwrap();
    let start = match version {
        "old" => "The old version:\n *   ",
        _ => "and the new one:\n *   ",
    };
    let command = text.split(start).nth(1).unwrap().lines().next().unwrap();
    let (build, test) = command.rsplit_once(" && ").unwrap();
    let run = |command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(bench.folder());
        shell.output().unwrap()
    };
    let built = run(build);
    let said = String::from_utf8_lossy(&built.stderr).into_owned();
    assert!(built.status.success(), "{format}, {file}: {said}");
    run(test).status.success()
}

fn checked(bench: &Bench, function: &str) {
    let report = format!("{function}.json");
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--fn",
        function,
        "--timeout",
        "10s",
        "--save",
        &report,
    ]);
    assert_eq!(said.status, 1, "{function}: {}{}", said.stdout, said.stderr);
}

fn bench(functions: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &new(functions));
    bench
}

/// With FUNCTION_TESTS=all each function in each format, and what either version does; otherwise each in one, by turns.
#[test]
fn tests_of_functions_hold_in_each_format() {
    let bench = bench(&FUNCTIONS.map(|(name, ..)| name));
    for (function, _, _) in FUNCTIONS {
        checked(&bench, function);
    }
    let all = std::env::var("FUNCTION_TESTS").is_ok_and(|what| what == "all");
    println!(
        "{:12} {:>6} {:>6} {:>8}",
        "format", "tests", "hold", "no test"
    );
    for (own, format) in FORMATS.into_iter().enumerate() {
        if format == "unity" && unity().is_none() {
            println!("{format:12} not tried: UNITY names no folder with unity.c");
            continue;
        }
        let (mut written, mut none) = (0, 0);
        for (number, (function, _, _)) in FUNCTIONS.into_iter().enumerate() {
            for (which, versions) in [["old", "new"], ["new", "old"]].into_iter().enumerate() {
                if !all && (number % 4 != own || number / 4 % 2 != which) {
                    continue;
                }
                match holds(&bench, function, format, versions) {
                    true => written += 1,
                    false => none += 1,
                }
            }
        }
        println!("{format:12} {written:>6} {written:>6} {none:>8}");
    }
}

/// Whether there is a test; if so it passes on the first of the versions and fails on the other.
fn holds(bench: &Bench, function: &str, format: &str, [passing, failing]: [&str; 2]) -> bool {
    let report = format!("{function}.json");
    let said = bench.parallax(&[
        "tests",
        &report,
        "--dir",
        "t",
        "--test-format",
        format,
        "--expect",
        passing,
    ]);
    let all = format!(
        "{function}, {format}, {passing}: {}{}",
        said.stdout, said.stderr
    );
    if function == "each" {
        assert_eq!(said.status, 1, "{all}");
        assert!(
            said.stdout.contains("f is a function, whose answers"),
            "{all}"
        );
        return false;
    }
    assert_eq!(said.status, 0, "{all}");
    let file = match format {
        "googletest" => format!("t/{function}_test.cc"),
        _ => format!("t/test_{function}.c"),
    };
    assert!(passes(bench, format, &file, passing), "{all}");
    assert!(!passes(bench, format, &file, failing), "{all}");
    let text = fs::read(bench.path(&file)).unwrap();
    let is_plain = |byte: &u8| *byte == b'\n' || (b' '..=b'~').contains(byte);
    assert!(text.iter().all(is_plain), "plain ASCII: {all}");
    fs::remove_file(bench.path(&file)).unwrap();
    true
}

/// Tests of functions are code, and a saved report may come from a stranger.
#[test]
fn a_report_of_somebody_else_becomes_no_code() {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &new(&["half"]));
    checked(&bench, "half");
    let text = fs::read_to_string(bench.path("half.json")).unwrap();
    bench.write("half.json", &text.replace("half(", "system(1), half("));
    let said = bench.parallax(&["tests", "half.json", "--dir", "t", "--no-run"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("--write-tests"), "{}", said.stderr);
    assert!(!bench.path("t").exists());
}

/// The tests of several functions are one project of CMake; what people wrote stays.
#[test]
fn all_changed_functions_are_in_one_ctest() {
    let functions = ["stop", "half", "sum", "next"];
    let bench = Bench::new();
    // A program is what its `main` reaches.
    let (library, _) = OLD.split_once("int main(").unwrap();
    bench.write("old.c", library);
    let changed = new(&functions);
    bench.write("new.c", changed.split_once("int main(").unwrap().0);
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--all-changed",
        "--timeout",
        "10s",
        "--write-tests",
        "t",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let lists = fs::read_to_string(bench.path("t/CMakeLists.txt")).unwrap();
    assert!(
        lists.matches("add_executable(").count() == 4,
        "{lists}{}",
        said.stderr
    );
    fs::write(bench.path("t/CMakeLists.txt"), format!("{lists}# mine\n")).unwrap();
    checked(&bench, "stop");
    let again = bench.parallax(&[
        "tests",
        "stop.json",
        "--dir",
        "t",
        "--expect",
        "new",
        "--no-run",
    ]);
    assert_eq!(again.status, 0, "{}{}", again.stdout, again.stderr);
    let changed = fs::read_to_string(bench.path("t/CMakeLists.txt")).unwrap();
    assert!(
        changed.ends_with("# mine\n") && changed.contains("stop_of_3_exits_5"),
        "{changed}"
    );
    assert_eq!(
        changed.matches("add_executable(").count(),
        lists.matches("add_executable(").count()
    );
    assert_eq!(
        bench
            .parallax(&["tests", "stop.json", "--dir", "t", "--no-run"])
            .status,
        0
    );
    for (version, passes) in [("old", true), ("new", false)] {
        let script = format!(
            "cmake -S t -B b-{version} -DSOURCE=\"$PWD/{version}.c\" && cmake --build b-{version} && ctest --test-dir b-{version}"
        );
        let done = Command::new("sh")
            .args(["-c", &script])
            .current_dir(bench.folder())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        assert_eq!(done.status.success(), passes, "{said}");
        assert!(passes || said.contains("0% tests passed"), "{said}");
    }
}

/// What is no test is said, and formats are for what they are for.
#[test]
fn what_is_no_test_of_a_function_is_said() {
    let bench = bench(&["stop"]);
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--fn",
        "stop",
        "--write-tests",
        "t",
        "--test-format",
        "sh",
    ]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    assert!(said.stderr.contains("cmocka"), "{}", said.stderr);
    let said = bench.parallax(&[
        "check",
        "old.c",
        "new.c",
        "--write-tests",
        "t",
        "--test-format",
        "unity",
    ]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    bench.write(
        "more.c",
        &OLD.replace(
            "int sum(const struct node *list)",
            "int sum(const struct node *list, int from)",
        )
        .replace("int s = 0", "int s = from"),
    );
    let said = bench.parallax(&[
        "check",
        "old.c",
        "more.c",
        "--fn",
        "sum",
        "--timeout",
        "10s",
        "--write-tests",
        "t",
    ]);
    assert!(
        said.stderr.contains("different parameters"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert!(!bench.path("t").exists());
}
