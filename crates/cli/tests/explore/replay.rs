//! `parallax replay`: each kind of program, each kind of verdict, and what a user can get wrong.

use std::fs;

use crate::support::{Bench, Said};

/// Each way a run can end that a test can predict.
const ENDS: &str = "#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    switch (getchar()) {
    case 'a': abort();
    case 'b': assert(!\"a bad byte\");
    case 'e': fputs(\"an error\\n\", stderr); return 3;
    case 'f': { FILE *out = fopen(\"made.txt\", \"w\"); fputs(\"content\\n\", out); fclose(out); return 0; }
    }
    puts(\"something else\");
    return 0;
}
";

const BUGS: &str = "#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int deep(int n) { char page[4096]; memset(page, n, sizeof page); return n == 0 ? page[0] : deep(n + 1) + page[n & 7]; }
int main(void) {
    int c = getchar();
    int *numbers = malloc(4 * sizeof *numbers);
    if (c == 'h') numbers[4] = 1;
    if (c == 'n') *(volatile int *)0 = 1;
    if (c == 'd') printf(\"%d\\n\", 10 / (c - 'd'));
    if (c == 'u') { free(numbers); numbers[0] = 1; }
    if (c == 'f') { free(numbers); }
    if (c == 's') printf(\"%d\\n\", deep(1));
    free(numbers);
    return 0;
}
";

#[test]
fn all_as_predicted() {
    let bench = Bench::new();
    bench.write("ends.c", ENDS);
    explore(&bench, &["ends.c", "--sym-stdin", "1"], 1);
    let said = replay(&bench, &["ends.c"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let all = "ends.c: 5 of 5 tests replayed";
    assert!(said.stdout.contains(all), "{}", said.stdout);
    assert!(said.stdout.contains("5 as predicted"), "{}", said.stdout);
    let made = fs::read(
        bench
            .path("tests")
            .join(test_with(&bench, "f"))
            .join("expected.files/made.txt"),
    );
    assert_eq!(made.unwrap(), b"content\n");
    bench.assert_no_leftovers();
}

#[test]
fn every_difference_is_shown() {
    let bench = Bench::new();
    bench.write("ends.c", ENDS);
    explore(&bench, &["ends.c", "--sym-stdin", "1"], 1);
    let (error, file, abort) = (
        test_with(&bench, "e"),
        test_with(&bench, "f"),
        test_with(&bench, "a"),
    );
    bench.write(
        &format!("tests/{error}/expected.stderr"),
        "an error\nand another\n",
    );
    bench.write(&format!("tests/{file}/expected.files/made.txt"), "other\n");
    let json = bench.path(&format!("tests/{abort}/expected.json"));
    let text = fs::read_to_string(&json).unwrap();
    fs::write(&json, text.replace("134", "0")).unwrap();
    let said = replay(&bench, &["ends.c"]);
    assert_eq!(said.status, 1);
    for words in [
        "3 not as predicted",
        "2 as predicted",
        "stderr differs from line 2",
        "expected: and another\\n",
        "seen    : nothing more",
        "file made.txt differs from line 1",
        "expected: other\\n",
        "exit status: expected 0 (abort), seen 134 (signal 6)",
        "stdin: a",
    ] {
        assert!(said.stdout.contains(words), "{} lacks {words}", said.stdout);
    }
    let said = replay(&bench, &["ends.c", "--format", "json"]);
    assert_eq!(said.status, 1);
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    assert_eq!(report["tests"], 5);
    assert_eq!(report["as_predicted"], 2);
    assert_eq!(report["mismatches"].as_array().unwrap().len(), 3);
}

#[test]
fn sanitizers_confirm_errors() {
    let bench = Bench::new();
    bench.write("bugs.c", BUGS);
    explore(&bench, &["bugs.c", "--sym-stdin", "1"], 1);
    let said = replay(&bench, &["bugs.c"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    for words in [
        "confirmed: heap-buffer-overflow at bugs.c:8",
        "at bugs.c:9",
        "confirmed: division by zero at bugs.c:10",
        "confirmed: heap-use-after-free at bugs.c:11",
        "confirmed: attempting double-free at bugs.c:14",
        "confirmed: stack-overflow",
        "7 as predicted, 6 of these confirmed by a sanitizer",
    ] {
        assert!(said.stdout.contains(words), "{} lacks {words}", said.stdout);
    }

    let said = replay(&bench, &["bugs.c", "--sanitize", "never"]);
    assert_eq!(said.status, 0);
    let words = "1 as predicted, 6 not confirmed";
    assert!(said.stdout.contains(words), "{}", said.stdout);
    assert!(
        said.stdout.contains("not confirmed: division by zero"),
        "{}",
        said.stdout
    );

    // An error that is not there is not confirmed by another.
    let test = test_with(&bench, "d");
    bench.write(&format!("tests/{test}/stdin"), "h");
    let said = replay(&bench, &["bugs.c"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout
            .contains("expected: division by zero at bugs.c:10"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout
            .contains("seen: heap-buffer-overflow at bugs.c:8"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_harness_gets_its_values() {
    let bench = Bench::new();
    bench.write(
        "harness.c",
        "#include <stddef.h>
#include <stdio.h>
void parallax_symbolic(void *pointer, size_t size, const char *name);
int main(void) {
    int first, second;
    parallax_symbolic(&first, sizeof first, \"n\");
    parallax_symbolic(&second, sizeof second, \"n\");
    if (first == 4711 && second == -3) puts(\"both\");
    else if (second == 17) puts(\"second\");
    else puts(\"neither\");
    return 0;
}
",
    );
    explore(&bench, &["harness.c"], 0);
    let said = replay(&bench, &["harness.c"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let outputs: Vec<String> = fs::read_dir(bench.path("tests"))
        .unwrap()
        .map(|test| fs::read_to_string(test.unwrap().path().join("expected.stdout")).unwrap())
        .collect();
    for words in ["both\n", "second\n", "neither\n"] {
        assert!(
            outputs.iter().any(|output| output == words),
            "{outputs:?} lack {words}"
        );
    }
}

#[test]
fn rust_files_and_harnesses() {
    let bench = Bench::new();
    bench.write(
        "harness.rs",
        "unsafe extern \"C\" { fn parallax_symbolic(pointer: *mut u8, size: usize, name: *const std::ffi::c_char); }
fn main() {
    let mut value = [0u8; 2];
    unsafe { parallax_symbolic(value.as_mut_ptr(), 2, c\"value\".as_ptr()) };
    match value {
        [b'o', b'k'] => println!(\"ok\"),
        [0xff, n] if n > 250 => panic!(\"the second byte is large\"),
        _ => std::process::exit(7),
    }
}
",
    );
    explore(&bench, &["harness.rs"], 1);
    let said = replay(&bench, &["harness.rs"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("not confirmed"), "{}", said.stdout);

    // Stable Rust has no sanitizers: an error is counted apart.
    bench.write(
        "null.rs",
        "use std::io::Read;
fn main() {
    let mut byte = [0u8];
    let _ = std::io::stdin().read(&mut byte);
    if byte[0] == b'x' { unsafe { std::ptr::write_volatile(std::ptr::null_mut::<u8>().wrapping_add(8), 1) } }
}
",
    );
    explore(&bench, &["null.rs", "--sym-stdin", "1"], 1);
    let said = replay(&bench, &["null.rs"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("1 not confirmed"), "{}", said.stdout);
    assert!(
        said.stdout
            .contains("stable Rust has no build with address sanitizer"),
        "{}",
        said.stdout
    );
}

#[test]
fn packages_and_built_programs() {
    let bench = Bench::new();
    bench.write(
        "package/Cargo.toml",
        "[package]\nname = \"sign\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
    );
    bench.write(
        "package/src/main.rs",
        "fn main() {
    let word = std::env::args().nth(1).unwrap_or_default();
    if word.starts_with('-') { eprintln!(\"negative\"); std::process::exit(1) }
}
",
    );
    // `args` panics at arguments that are not UTF-8.
    explore(&bench, &["package", "--sym-arg", "1"], 1);
    let said = replay(&bench, &["package"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        !bench.path("package/target").exists(),
        "the user's folder is left alone"
    );

    bench.write("bugs.c", BUGS);
    let built = bench
        .shell("mkdir built && $CC -g -c bugs.c -o built/bugs.o && $CC built/bugs.o -o built/bugs");
    assert_eq!(built.status, 0, "{}", built.stderr);
    for program in ["built/bugs", "built"] {
        explore(&bench, &[program, "--sym-stdin", "1"], 1);
        let said = replay(&bench, &[program]);
        assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
        let words = "7 as predicted, 6 of these confirmed by a sanitizer";
        assert!(said.stdout.contains(words), "{}", said.stdout);
    }
}

/// The native run gets the name that the program had when it was explored, whatever is said now.
#[test]
fn the_program_keeps_its_name() {
    let bench = Bench::new();
    bench.write("name.c", "#include <stdio.h>\nint main(int c, char **v) { puts(v[0]); return c > 1 && v[1][0] == 'x'; }\n");
    explore(&bench, &["./name.c", "--sym-arg", "1"], 0);
    let absolute = bench.path("name.c");
    let said = replay(&bench, &[absolute.to_str().unwrap()]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

/// A symbolic argument has room behind its end; the test's argument has not.
#[test]
fn behind_the_end_of_an_argument() {
    let bench = Bench::new();
    bench.write(
        "overwrite.c",
        "#include <stdio.h>\nint main(int c, char **v) { if (c > 1) { v[1][0] = '!'; puts(v[1]); } return 0; }\n",
    );
    let _ = fs::remove_dir_all(bench.path("tests"));
    let said = bench.parallax(&[
        "explore",
        "overwrite.c",
        "--sym-arg",
        "2",
        "--all-tests",
        "--tests",
        "tests",
    ]);
    assert!(
        said.stdout.contains("behind the end of an argument"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.contains("out-of-bounds read"),
        "{}",
        said.stdout
    );
    let said = replay(&bench, &["overwrite.c"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("not confirmed: out-of-bounds read"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.contains("where arguments lie"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_run_that_does_not_end() {
    let bench = Bench::new();
    bench.write(
        "endless.c",
        "#include <stdio.h>\nint main(void) { if (getchar() == 'x') for (;;) ; return 0; }\n",
    );
    explore(
        &bench,
        &["endless.c", "--sym-stdin", "1", "--max-steps", "100000"],
        0,
    );
    let said = replay(&bench, &["endless.c"]);
    assert_eq!(said.status, 0, "{}", said.stdout);
    let words = "1 as predicted, 1 skipped because they predict nothing";
    assert!(said.stdout.contains(words), "{}", said.stdout);
    // A native run that goes on where an end is predicted.
    let test = test_with(&bench, "x");
    bench.write(
        &format!("tests/{test}/expected.json"),
        "{\"kind\": \"exit\", \"shell_status\": 0, \"description\": \"exit with status 0\", \"undefined\": false}",
    );
    let said = replay(&bench, &["endless.c", "--timeout", "200ms"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout.contains("goes on after the time limit"),
        "{}",
        said.stdout
    );
}

#[test]
fn wrong_usage() {
    let bench = Bench::new();
    bench.write("ends.c", ENDS);
    bench.write("wrong.c", "int main(void) { return missing; }\n");
    bench.write("notes.txt", "words");
    bench.write("no_tests/x/notes", "words");
    bench.write("tests/one/argv", "");
    bench.write("damaged/one/argv", "");
    bench.write("damaged/one/expected.json", "{");
    fs::create_dir(bench.path("empty")).unwrap();
    let cases: &[(&[&str], &[&str])] = &[
        (&["ends.c"], &["--tests"]),
        (
            &["ends.c", "--tests", "absent"],
            &["cannot list the tests in `absent`"],
        ),
        (
            &["ends.c", "--tests", "empty"],
            &["`empty` holds no tests", "parallax explore"],
        ),
        (
            &["ends.c", "--tests", "no_tests"],
            &["`no_tests/x` is not a test"],
        ),
        (
            &["ends.c", "--tests", "damaged"],
            &["damaged/one/expected.json"],
        ),
        (
            &["absent.c", "--tests", "tests"],
            &["`absent.c` does not exist"],
        ),
        (
            &["wrong.c", "--tests", "tests"],
            &["does not compile natively", "missing"],
        ),
        (
            &["notes.txt", "--tests", "tests"],
            &["has no native build", "give C files"],
        ),
        (&["ends.c", "--tests", "tests", "--timeout", "x"], &["30s"]),
        (
            &["ends.c", "--tests", "tests", "--sanitize", "x"],
            &["auto, never"],
        ),
    ];
    for (arguments, expected) in cases {
        let said = bench.parallax(&[&["replay"], *arguments].concat());
        assert_eq!(
            said.status, 2,
            "{arguments:?}: {}{}",
            said.stdout, said.stderr
        );
        assert_eq!(said.stdout, "", "{arguments:?}");
        for words in *expected {
            assert!(
                said.stderr.contains(words),
                "{arguments:?}: {} lacks {words}",
                said.stderr
            );
        }
    }
    let said = replay(&bench, &["ends.c"]);
    assert_eq!(said.status, 0);
    assert!(
        said.stdout.contains("0 of 1 test replayed"),
        "{}",
        said.stdout
    );
}

/// Explores into the folder `tests`, which starts empty.
fn explore(bench: &Bench, arguments: &[&str], status: i32) {
    let _ = fs::remove_dir_all(bench.path("tests"));
    let fixed = ["explore", "--all-tests", "--fresh", "--tests", "tests"];
    let said = bench.parallax(&[&fixed, arguments].concat());
    assert_eq!(
        said.status, status,
        "{arguments:?}: {}{}",
        said.stdout, said.stderr
    );
}

fn replay(bench: &Bench, arguments: &[&str]) -> Said {
    bench.parallax(&[&["replay", "--tests", "tests"], arguments].concat())
}

/// The name of the test with this standard input.
fn test_with(bench: &Bench, stdin: &str) -> String {
    let entries = fs::read_dir(bench.path("tests")).unwrap().flatten();
    let mut with = entries.filter(|entry| {
        fs::read(entry.path().join("stdin")).is_ok_and(|bytes| bytes == stdin.as_bytes())
    });
    let found = with
        .next()
        .unwrap_or_else(|| panic!("no test has the input {stdin}"));
    found.file_name().to_string_lossy().into_owned()
}
