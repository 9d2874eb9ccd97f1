//! `parallax check` as a user calls it.

use crate::support::Bench;
use serde_json::Value;

const OLD: &str = r#"
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

fn bench(new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", new);
    bench
}

fn json(bench: &Bench, arguments: &[&str]) -> (i32, Value) {
    let mut all = vec!["check", "old.c", "new.c", "--format", "json", "--paranoid"];
    all.extend(arguments);
    let said = bench.parallax(&all);
    let report = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr));
    (said.status, report)
}

#[test]
fn a_difference_is_found_and_confirmed() {
    let bench = bench(&OLD.replace("n > 10", "n >= 10").replace("n = 10", "n = 9"));
    let (status, report) = json(&bench, &["--sym-args", "0", "1", "2"]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(report["verdict"], "different");
    assert_eq!(report["exhausted"], true);
    let differences = report["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 1, "{report:#}");
    let first = &differences[0];
    assert_eq!(first["confirmed_natively"], true);
    assert_eq!(first["kind"][0], "stdout");
    assert_eq!(first["changes"][0]["line"], 7);
    let number = first["input"]["argv"][0].as_str().unwrap();
    assert!(number.trim().parse::<i32>().unwrap() >= 10, "{number}");
    // The tests that are left behind can be replayed on the version they were made for.
    let folder = first["tests"].as_str().unwrap();
    for version in ["old", "new"] {
        let tests = format!("{folder}/{version}");
        let said = bench.parallax(&["replay", &format!("{version}.c"), "--tests", &tests]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    }
    let said = bench.parallax(&["replay", "new.c", "--tests", &format!("{folder}/old")]);
    assert_eq!(said.status, 1, "{}", said.stdout);
}

#[test]
fn a_refactoring_is_proved_equal() {
    let new = OLD.replace("if (n > 10) n = 10;", "n = n < 11 ? n : 5 + 5;");
    let (status, report) = json(&bench(&new), &["--sym-args", "0", "1", "2"]);
    assert_eq!(
        (status, &report["verdict"]),
        (0, &Value::from("equivalent")),
        "{report:#}"
    );
    assert_eq!(report["differences"].as_array().unwrap().len(), 0);
    assert!(report["stats"]["paths"].as_u64().unwrap() > 5);
}

#[test]
fn the_same_code_needs_no_exploration() {
    let new = OLD
        .replace("int n = atoi", "/* the limit */ int n = atoi")
        .replace("(n", "(n ");
    let (status, report) = json(&bench(&new), &["--sym-args", "0", "1", "2"]);
    assert_eq!(status, 0);
    assert_eq!(report["same_code"], true);
}

#[test]
fn what_was_not_explored_is_undecided() {
    let new = OLD.replace("if (n > 10) n = 10;", "n = n < 11 ? n : 5 + 5;");
    let (status, report) = json(&bench(&new), &["--sym-args", "0", "1", "2", "--runs", "2"]);
    assert_eq!(
        (status, &report["verdict"]),
        (3, &Value::from("undecided")),
        "{report:#}"
    );
    assert_eq!(report["exhausted"], false);
}

#[test]
fn a_version_that_does_not_end_differs() {
    let new = OLD.replace("if (n > 10) n = 10;", "while (n > 10) n |= 16; ");
    let flags = ["--sym-args", "1", "1", "2", "--max-steps", "100000"];
    let (status, report) = json(&bench(&new), &flags);
    assert_eq!(status, 1, "{report:#}");
    let differences = report["differences"].as_array().unwrap();
    let endless = differences.iter().find(|one| one["kind"][0] == "end");
    let endless = endless.unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!(endless["new"]["end"]["kind"], "step-limit");
    assert_eq!(endless["confirmed_natively"], true, "{report:#}");
}

#[test]
fn a_memory_error_in_one_version_differs() {
    let new = OLD.replace(
        "int n = atoi",
        "char seen[100] = {0}; seen[atoi(argv[1])] = 1; int n = atoi",
    );
    let (status, report) = json(&bench(&new), &["--sym-args", "1", "1", "3"]);
    assert_eq!(status, 1, "{report:#}");
    let first = &report["differences"][0];
    assert_eq!(first["new"]["end"]["kind"], "out-of-bounds", "{report:#}");
    assert_eq!(first["confirmed_natively"], true, "{report:#}");
}

#[test]
fn errors_say_which_version_is_meant() {
    let bench = bench("int main(void) { return undeclared; }");
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-arg", "1"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot build the new version"),
        "{}",
        said.stderr
    );
    bench.write("new.c", "int helper(void) { return 1; }");
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-arg", "1"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("main"), "{}", said.stderr);
    let said = bench.parallax(&["check", "old.c", "missing.c"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("missing.c"), "{}", said.stderr);
}

#[test]
fn the_report_reads_well() {
    let bench = bench(&OLD.replace("n > 10", "n > 11"));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-args", "0", "1", "2"]);
    assert_eq!(said.status, 1);
    let text = said.stdout;
    assert!(
        text.starts_with("different: 1 kind of difference\n"),
        "{text}"
    );
    assert!(
        text.contains("1. standard output differs, seen natively\n   input: .parallax/check/new/001/bin/new 11 </dev/null\n"),
        "{text}"
    );
    assert!(
        text.contains("   old: 10\n   new: 11\n         ^\n"),
        "{text}"
    );
    assert!(
        text.contains("new.c:7 in main  | if (n > 11) n = 10;\n"),
        "{text}"
    );
    assert!(text.contains("0 not known"), "{text}");
}

fn compared(old: &str, new: &str, arguments: &[&str]) -> (i32, Value) {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    json(&bench, arguments)
}

#[test]
fn our_limit_on_calls_proves_nothing() {
    let deep = r#"
        #include <stdio.h>
        static int down(int n) { return n ? 1 + down(n - 1) : 0; }
        int main(int argc, char **argv) {
            printf("%d old\n", down(argv[1][0] ? 220000 : 1));
            return 0;
        }
    "#;
    let (_, report) = compared(deep, &deep.replace("%d old", "%d"), &["--sym-arg", "1"]);
    assert_ne!(report["verdict"], "equivalent", "{report:#}");
    assert!(
        report["partition_counts"]["unknown"].as_u64().unwrap() > 0,
        "{report:#}"
    );
}

/// Whatever the two kinds are: nothing is promised of these inputs, and that is said.
#[test]
fn undefined_behaviour_in_both_is_no_difference() {
    let access = r#"
        int main(int argc, char **argv) {
            static char a[4];
            volatile int i = argv[1][0];
            if (i > 'x') { return a[i]; }
            return 0;
        }
    "#;
    let new = access.replace("return a[i];", "a[i * 1000] = 1; return 0;");
    let (status, report) = compared(access, &new, &["--sym-arg", "1"]);
    assert_eq!(status, 0, "{report:#}");
    assert_eq!(report["verdict"], "equivalent");
    let undefined = &report["partition_counts"]["both_undefined"];
    assert!(undefined.as_u64().unwrap() > 0, "{report:#}");
}

#[test]
fn what_only_assembly_defines_is_not_the_same_code() {
    let program = r#"
        __asm__(".globl answer\nanswer: mov $1, %eax\nret\n");
        int answer(void);
        int main(int argc, char **argv) { return argv[1][0] == 'a' ? answer() : 0; }
    "#;
    let (status, report) = compared(program, &program.replace("$1", "$2"), &["--sym-arg", "1"]);
    assert_eq!(status, 3, "{report:#}");
    assert!(
        report["left_out"][0].as_str().unwrap().contains("answer"),
        "{report:#}"
    );
}

#[test]
fn nothing_of_the_users_is_removed() {
    let bench = bench(&OLD.replace("n > 10", "n > 11"));
    bench.write("mine/notes.txt", "keep me");
    bench.write("mine/001/notes.txt", "keep me too");
    let flags = ["--sym-args", "0", "1", "2", "--tests", "mine"];
    let said = bench.parallax(&[&["check", "old.c", "new.c"], &flags[..]].concat());
    assert!(
        [1, 2].contains(&said.status),
        "{}{}",
        said.stdout,
        said.stderr
    );
    for (name, text) in [
        ("mine/notes.txt", "keep me"),
        ("mine/001/notes.txt", "keep me too"),
    ] {
        assert_eq!(std::fs::read_to_string(bench.path(name)).unwrap(), text);
    }
}

#[test]
fn what_tests_do_not_record_is_not_called_confirmed() {
    let program = r#"
        #include <sys/stat.h>
        int main(int argc, char **argv) {
            if (argv[1][0] == 'd') mkdir("a", 0700);
            return 0;
        }
    "#;
    let (status, report) = compared(
        program,
        &program.replace("\"a\"", "\"b\""),
        &["--sym-arg", "1"],
    );
    assert_eq!(status, 3, "{report:#}");
    assert_eq!(
        report["differences"][0]["confirmed_natively"], false,
        "{report:#}"
    );
}

#[test]
fn folders_of_c_files_are_versions() {
    let bench = Bench::new();
    bench.write("v1/main.c", OLD);
    bench.write("v2/main.c", &OLD.replace("n > 10", "n > 11"));
    let said = bench.parallax(&["check", "v1", "v2", "--sym-args", "0", "1", "2"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
}

/// The VM gives `parallax_symbolic` its meaning: nothing is missing in versions that call it.
#[test]
fn harnesses_can_be_equivalent() {
    let harness = r#"
        void parallax_symbolic(void *, unsigned long, const char *);
        int main(void) {
            int n;
            parallax_symbolic(&n, sizeof n, "n");
            return n > 10 ? 1 : 0;
        }
    "#;
    let (status, report) = compared(harness, &harness.replace("n > 10", "10 < n"), &[]);
    assert_eq!(status, 0, "{report:#}");
    let (status, report) = compared(harness, &harness.replace("n > 10", "n > 9"), &[]);
    assert_eq!(status, 1, "{report:#}");
    let exact = &report["differences"][0]["input"]["exact"];
    assert_eq!(exact["variables"]["n"], "0a000000", "{report:#}");
}

/// The points-to analysis takes pointers to be copied whole. What it loses must not be pruned.
#[test]
fn a_function_pointer_copied_in_pieces_is_followed() {
    let old = r#"
#include <stdio.h>
struct operations { void (*say)(void); };
static void say(void) { puts("old"); }
static struct operations known = {say}, copy;
int main(int argc, char **argv) {
    for (unsigned i = 0; i < sizeof known; i++) ((char *)&copy)[i] = ((char *)&known)[i];
    if (argv[1][0] == 'q') copy.say();
    return 0;
}
"#;
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("\"old\"", "\"new\""));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-args", "1", "1", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
}
