//! `parallax impact` on small pairs of versions: what is affected, what is not, and which tests matter.

use std::collections::BTreeSet;

use crate::support::{Bench, Said};
use serde_json::Value;

const ORDERS: &str = "#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
static int price = 3;
static int compare(const void *left, const void *right)
{
    const int *a = left, *b = right;
    return *a - *b;
}
static void check(int count)
{
    if (count > 5)
        exit(2);
}
int main(int argc, char **argv)
{
    int numbers[8] = {0}, count = 0;
    for (int i = 1; i < argc && count < 8; i++)
        numbers[count++] = atoi(argv[i]);
    check(count);
    errno = 0;
    char *block = malloc((size_t)count);
    if (errno)
        puts(\"no memory\");
    printf(\"%d things\\n\", count);
    qsort(numbers, (size_t)count, sizeof *numbers, compare);
    printf(\"least %d\\n\", numbers[0]);
    printf(\"cost %d\\n\", count * price);
    free(block);
    return 0;
}
";

fn pair(replacements: &[(&str, &str)]) -> Bench {
    let bench = Bench::new();
    bench.write("old/orders.c", ORDERS);
    let mut new = ORDERS.to_owned();
    for (from, to) in replacements {
        assert_eq!(new.matches(from).count(), 1, "{from}");
        new = new.replace(from, to);
    }
    bench.write("new/orders.c", &new);
    bench
}

fn impact(bench: &Bench, more: &[&str]) -> Said {
    let mut all = vec!["impact", "old/orders.c", "new/orders.c"];
    all.extend(more);
    bench.parallax(&all)
}

fn json(bench: &Bench, more: &[&str]) -> Value {
    let said = impact(bench, &[more, &["--format", "json"]].concat());
    assert_eq!(said.status, 1, "{}", said.stderr);
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", said.stdout))
}

/// The texts of the lines that a change affects.
fn affected(report: &Value, change: usize) -> BTreeSet<String> {
    lines(&report["changes"][change]["affects"])
}

fn lines(lines: &Value) -> BTreeSet<String> {
    let lines = lines.as_array().expect("a list of lines").iter();
    let text = |line: &Value| line["text"].as_str().unwrap_or_default().to_owned();
    lines.map(text).collect()
}

fn affects(report: &Value, change: usize, text: &str) -> bool {
    affected(report, change)
        .iter()
        .any(|line| line.contains(text))
}

#[test]
fn one_output_does_not_affect_the_others() {
    let bench = pair(&[("%d things", "%d things!")]);
    let report = json(&bench, &[]);
    assert_eq!(report["changes"][0]["kind"], "modified");
    assert_eq!(report["changes"][0]["inside"], "main");
    assert_eq!(affected(&report, 0), BTreeSet::new());
}

#[test]
fn what_a_callback_returns_affects_what_is_sorted() {
    let bench = pair(&[("return *a - *b;", "return *b - *a;")]);
    let report = json(&bench, &[]);
    assert!(affects(&report, 0, "qsort("));
    assert!(affects(&report, 0, "least %d"));
    assert!(!affects(&report, 0, "cost %d"));
}

#[test]
fn the_size_of_an_allocation_affects_the_error_number() {
    let bench = pair(&[("malloc((size_t)count)", "malloc((size_t)count - 1)")]);
    let report = json(&bench, &[]);
    assert!(affects(&report, 0, "if (errno)"));
    assert!(affects(&report, 0, "no memory"));
    assert!(!affects(&report, 0, "cost %d"));
    // Through the library's own code as well.
    let report = json(&bench, &["--all"]);
    assert!(affects(&report, 0, "if (errno)"));
}

#[test]
fn a_lost_jump_affects_what_it_jumped_over() {
    let bench = Bench::new();
    let old = "#include <stdio.h>
int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        puts(\"early\");
        return 1;
    }
    puts(\"late\");
    return 0;
}
";
    bench.write("old/orders.c", old);
    bench.write("new/orders.c", &old.replace("        return 1;\n", ""));
    assert!(affects(&json(&bench, &[]), 0, "late"));
}

/// `xmalloc` only hands on what `malloc` gives: its callers' blocks are not one object. But what it keeps
/// of them is theirs.
#[test]
fn blocks_of_a_wrapped_allocator_are_told_apart() {
    let bench = Bench::new();
    let old = "#include <stdio.h>
#include <stdlib.h>
static int *newest;
static void *xmalloc(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    newest = block;
    return block;
}
int main(void)
{
    int *one = xmalloc(sizeof *one);
    *one = 1;
    int *two = xmalloc(sizeof *two);
    *two = 2;
    printf(\"one %d\", *one);
    printf(\"two %d\", *two);
    printf(\"newest %d\", *newest);
    return 0;
}
";
    bench.write("old/orders.c", old);
    bench.write("new/orders.c", &old.replace("*two = 2", "*two = 3"));
    let report = json(&bench, &[]);
    assert!(!affects(&report, 0, "one %d"));
    assert!(affects(&report, 0, "two %d"));
    assert!(affects(&report, 0, "newest %d"));
}

#[test]
fn changes_meet_where_both_have_an_effect() {
    let bench = pair(&[
        ("price = 3", "price = 4"),
        ("count < 8; i++", "count < 7; i++"),
        ("*a - *b", "*b - *a"),
    ]);
    let report = json(&bench, &[]);
    assert_eq!(report["changes"].as_array().map(Vec::len), Some(3));
    let meetings = report["interferences"].as_array().expect("a list");
    let cost = meetings.iter().find(|meeting| {
        let at = lines(&meeting["at"]);
        at.iter().any(|line| line.contains("cost %d"))
    });
    let least = meetings.iter().find(|meeting| {
        let at = lines(&meeting["at"]);
        at.iter().any(|line| line.contains("least %d"))
    });
    let (cost, least) = (cost.expect("a meeting"), least.expect("a meeting"));
    assert_eq!(cost["changes"].as_array().map(Vec::len), Some(2));
    assert_eq!(least["changes"].as_array().map(Vec::len), Some(2));
    assert_ne!(cost["changes"], least["changes"]);
}

#[test]
fn tests_that_cannot_execute_a_change_are_named() {
    let bench = pair(&[("*a - *b", "*b - *a")]);
    bench.write("suite.txt", "# several\n1 2 3\n\n'3' < empty\n");
    bench.write("empty", "");
    let report = json(&bench, &["--tests", "suite.txt"]);
    let tests = &report["tests"];
    assert_eq!(tests["can_execute_a_change"], serde_json::json!(["1 2 3"]));
    let cannot = &tests["cannot_execute_a_change"];
    assert_eq!(*cannot, serde_json::json!(["'3' < empty"]));
    let said = impact(&bench, &["--tests", "suite.txt", "--max-steps", "100"]);
    assert!(
        said.stdout.contains("may execute a change: 2 of 2"),
        "{}",
        said.stdout
    );
    let said = impact(&bench, &["--tests", "suite.txt", "--format", "markdown"]);
    assert!(
        said.stdout.contains("| `1 2 3` | it can |"),
        "{}",
        said.stdout
    );
}

#[test]
fn bad_input_is_explained() {
    let bench = pair(&[("price = 3", "price = 4")]);
    let same = bench.parallax(&["impact", "old/orders.c", "old/orders.c"]);
    assert_eq!((same.status, same.stdout.as_str()), (0, "no change\n"));
    let missing = impact(&bench, &["--tests", "nothing.txt"]);
    assert_eq!(missing.status, 2);
    assert!(
        missing
            .stderr
            .contains("cannot read the tests in `nothing.txt`")
    );
    bench.write("empty.txt", "# none\n");
    let empty = impact(&bench, &["--tests", "empty.txt"]);
    assert!(
        empty.stderr.contains("`empty.txt` has no test"),
        "{}",
        empty.stderr
    );
    bench.write("broken.txt", "fine\n'open\n");
    let broken = impact(&bench, &["--tests", "broken.txt"]);
    assert!(
        broken
            .stderr
            .contains("line 2 of `broken.txt` is not a test"),
        "{}",
        broken.stderr
    );
}
