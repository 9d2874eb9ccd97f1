//! A version is built and read once for all that a check wants of it, though its code is compared under its own name and run
//! under the other's.

use std::fs;

use crate::support::Bench;

const OLD: &str = r#"
#include <stdio.h>
static const char *where = __FILE__;
int main(int argc, char **argv) {
    int n = argc > 1 ? argv[1][0] : 0;
    puts(where);
    printf("%d\n", n * 2);
    return 0;
}
"#;

/// How many entries of a kind the private cache of a test has.
fn entries(bench: &Bench, kind: &str) -> usize {
    fs::read_dir(bench.cache().join(kind)).map_or(0, Iterator::count)
}

#[test]
fn each_version_is_built_and_read_once() {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &OLD.replace("n * 2", "n + n"));
    let said = bench.parallax(&["check", "old.c", "new.c", "--sym-args", "1", "1", "1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert_eq!(entries(&bench, "builds"), 2, "builds of two versions");
    assert_eq!(entries(&bench, "images"), 2, "modules that were read");
}

#[test]
fn the_name_of_a_version_is_no_change() {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &OLD.replace("n * 2", "n * 3"));
    let words = ["check", "old.c", "new.c", "--sym-args", "1", "1", "1"];
    let said = bench.parallax(&[&words[..], &["--format", "json"]].concat());
    let report = said.json();
    for difference in report["differences"].as_array().expect("a list") {
        let changes = difference["changes"].as_array().expect("a list");
        let lines: Vec<_> = changes
            .iter()
            .map(|change| change["line"].as_u64())
            .collect();
        assert_eq!(lines, [Some(7)], "{report:#}");
    }
    assert_eq!(said.status, 1, "{}", said.stderr);
    // The same of versions that lie in folders, several files each.
    for (folder, factor) in [("a", "n * 2"), ("b", "n * 3")] {
        bench.write(
            &format!("{folder}/main.c"),
            &OLD.replace("n * 2", "twice(n)")
                .replace("int main", "int twice(int);\nint main"),
        );
        let twice = format!(
            "const char *there(void) {{ return __FILE__; }}\nint twice(int n) {{ return {factor}; }}\n"
        );
        bench.write(&format!("{folder}/twice.c"), &twice);
    }
    let said = bench.parallax(&[
        "check",
        "--old",
        "a/main.c",
        "a/twice.c",
        "--new",
        "b/main.c",
        "b/twice.c",
        "--sym-args",
        "1",
        "1",
        "1",
        "--format",
        "json",
    ]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let report = said.json();
    for difference in report["differences"].as_array().expect("a list") {
        let changes = difference["changes"].as_array().expect("a list");
        let lines: Vec<_> = changes
            .iter()
            .map(|change| change["line"].as_u64())
            .collect();
        assert_eq!(lines, [Some(2)], "{report:#}");
    }
}

/// rustc names the other file in debug information too.
#[test]
fn a_version_in_rust_is_built_once() {
    let text = |factor: &str| {
        format!(
            "fn main() {{\n    let n = std::env::args().nth(1).map_or(0, |word| word.len());\n    let m = {factor};\n    if m == 77 {{\n        panic!(\"no\");\n    }}\n    std::process::exit(m as i32);\n}}\n"
        )
    };
    let bench = Bench::new();
    bench.write("old.rs", &text("n * 2"));
    bench.write("new.rs", &text("n * 3"));
    let said = bench.parallax(&["check", "old.rs", "new.rs", "--sym-args", "1", "1", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    // The panic, which names the file and its line, has not changed.
    let named = said.stdout.lines().filter(|line| line.contains("new.rs:"));
    let named: Vec<&str> = named.map(str::trim).collect();
    assert_eq!(named, ["new.rs:3 in new::main  | let m = n * 3;"]);
    assert_eq!(entries(&bench, "builds"), 2, "builds of two versions");
}
