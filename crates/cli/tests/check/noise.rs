//! What is no difference to anybody: lines of panics and assertions, and the bits of a NaN. `--exact` compares them.

use crate::support::{Bench, Said};

const ASSERTING: &str = "#include <assert.h>
#include <stdio.h>
BEFORE
int main(void) { int c = getchar(); assert(c != 'x'); printf(\"%d\\n\", c == 'y'); return 0; }
";

/// Its own messages have lines, too, and those are what it prints.
const PRINTING: &str = "#include <stdio.h>
BEFORE
int main(void) { int c = getchar(); if (c == 'x') fprintf(stderr, \"line %d\\n\", __LINE__); return 0; }
";

const PANICKING: &str = "use std::io::Read;
BEFORE
fn main() {
    let mut text = [0u8; 1];
    std::io::stdin().read_exact(&mut text).unwrap();
    assert!(text[0] != b'x', \"bad\");
    println!(\"{}\", LINE);
}
";

/// A constant that looks like a source location and is none.
const IMITATING: &str = "BEFORE
static PLACE: &(&str, u32, u32) = &(\"new.rs\", NUMBER, 1);
#[inline(never)]
fn tell(place: &(&str, u32, u32)) { println!(\"{} {} {}\", place.0, place.1, place.2); }
fn main() { tell(PLACE); }
";

fn check(bench: &Bench, files: [&str; 2], more: &[&str]) -> Said {
    let common = ["--sym-stdin", "0..1", "--sym-args", "0", "0", "0"];
    let mut arguments = vec!["check", files[0], files[1]];
    arguments.extend(common);
    arguments.extend(more);
    bench.parallax(&arguments)
}

/// The same program, some lines further down.
fn moved(program: &str, ending: &str) -> Bench {
    let bench = Bench::new();
    bench.write(&format!("old.{ending}"), &program.replace("BEFORE", ""));
    bench.write(&format!("new.{ending}"), &program.replace("BEFORE", "\n\n"));
    bench
}

#[test]
fn lines_of_assertions_do_not_count() {
    let bench = moved(ASSERTING, "c");
    let files = ["old.c", "new.c"];
    let said = check(&bench, files, &["--paranoid"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("(`--exact` compares them)"));
    let said = check(&bench, files, &["--exact"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout
            .contains("standard error differs, seen natively")
    );
    assert!(!said.stdout.contains("(`--exact` compares them)"));
}

#[test]
fn lines_that_a_program_prints_itself_count() {
    let said = check(&moved(PRINTING, "c"), ["old.c", "new.c"], &[]);
    assert_eq!(said.status, 1, "{}", said.stdout);
}

/// A difference that is there natively is confirmed, although native messages have lines.
#[test]
fn a_difference_beside_a_moved_assertion_is_confirmed() {
    let bench = moved(ASSERTING, "c");
    let other = ASSERTING
        .replace("BEFORE", "\n\n")
        .replace("c != 'x'", "c != 'z'");
    bench.write("new.c", &other);
    let said = check(&bench, ["old.c", "new.c"], &[]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(!said.stdout.contains("VM only"), "{}", said.stdout);
    // What it shows is what the native program prints.
    assert!(said.stdout.contains("new.c:6"), "{}", said.stdout);
}

#[test]
fn lines_of_panics_do_not_count() {
    let bench = moved(&PANICKING.replace("LINE", "1"), "rs");
    let files = ["old.rs", "new.rs"];
    let said = check(&bench, files, &["--paranoid"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = check(&bench, files, &["--exact"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout.contains("panicked at new.rs:8:5"),
        "{}",
        said.stdout
    );
}

#[test]
fn lines_that_a_program_of_rust_prints_itself_count() {
    let said = check(
        &moved(&PANICKING.replace("LINE", "line!()"), "rs"),
        ["old.rs", "new.rs"],
        &[],
    );
    assert_eq!(said.status, 1, "{}", said.stdout);
}

#[test]
fn a_constant_that_looks_like_a_location_counts() {
    let bench = Bench::new();
    bench.write(
        "old.rs",
        &IMITATING.replace("BEFORE", "").replace("NUMBER", "2"),
    );
    bench.write(
        "new.rs",
        &IMITATING.replace("BEFORE", "").replace("NUMBER", "3"),
    );
    let said = check(&bench, ["old.rs", "new.rs"], &[]);
    assert_eq!(said.status, 1, "{}", said.stdout);
}

#[test]
fn any_nan_is_a_nan() {
    let bench = Bench::new();
    let function = "double f(double a, double b) { return SUM; }\n";
    bench.write("old.c", &function.replace("SUM", "a + b"));
    bench.write("new.c", &function.replace("SUM", "b + a"));
    let arguments = ["check", "old.c", "new.c", "--fn", "f"];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 0, "{}", said.stdout);
    assert!(said.stdout.contains("one NaN counts as any other"));
    let exact = bench.parallax(&[&arguments[..], &["--exact"]].concat());
    assert_ne!(exact.status, 0, "{}", exact.stdout);
    // A NaN is still something else than a number.
    bench.write(
        "new.c",
        &function.replace("SUM", "a + b == a + b ? a + b : 0"),
    );
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 1, "{}", said.stdout);
}

/// Where a stored pointer points to is compared, also inside a global; not what lies where an object is gone.
#[test]
fn stored_pointers_are_compared_by_their_place() {
    let bench = Bench::new();
    let program = "#include <stdlib.h>
static int numbers[4]; int *kept = numbers;
void f(int x) { TEXT }
";
    for (old, new, status) in [
        ("kept = &numbers[x & 3];", "kept = numbers + x % 4u;", 0),
        ("kept = &numbers[x & 3];", "kept = &numbers[x & 2];", 1),
        ("int y = x; kept = &y;", "int y = x + 1; kept = &y;", 0),
        ("int y = x; kept = &y;", "kept = numbers;", 1),
    ] {
        bench.write("old.c", &program.replace("TEXT", old));
        bench.write("new.c", &program.replace("TEXT", new));
        let said = bench.parallax(&["check", "old.c", "new.c", "--fn", "f"]);
        assert_eq!(said.status, status, "{old} {new}\n{}", said.stdout);
    }
}

/// All elements of a block that a function made are compared.
#[test]
fn what_is_behind_the_first_element_is_compared() {
    let bench = Bench::new();
    let program = "#include <stdlib.h>
int *made(int x) { if (x < 0) return NULL; int *two = malloc(8); two[0] = x; two[1] = TWO; return two; }
";
    bench.write("old.c", &program.replace("TWO", "1"));
    bench.write("new.c", &program.replace("TWO", "2"));
    let arguments = ["check", "old.c", "new.c", "--fn", "made"];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 1, "{}", said.stdout);
    // No such block is made then, and the changed statement is not executed either.
    let said = bench.parallax(&[&arguments[..], &["--fn-assume", "x < 0"]].concat());
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.starts_with("not exercised"), "{}", said.stdout);
}

/// What a `void *` leads to may hold pointers that nobody can follow: that is said if a run showed such a pointer.
#[test]
fn memory_without_a_type_is_named_where_it_matters() {
    let bench = Bench::new();
    let program = "#include <stdlib.h>
void *made(int x) { if (x < 0) return NULL; int **one = malloc(8); *one = malloc(4); **one = ONE; return one; }
";
    bench.write("old.c", &program.replace("ONE", "1"));
    bench.write("new.c", &program.replace("ONE", "2"));
    let arguments = ["check", "old.c", "new.c", "--fn", "made"];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.contains("not compared: "), "{}", said.stdout);
    let said = bench.parallax(&[&arguments[..], &["--fn-assume", "x < 0"]].concat());
    assert_eq!(said.status, 3, "{}", said.stdout);
    assert!(said.stdout.starts_with("not exercised"), "{}", said.stdout);
    assert!(!said.stdout.contains("not compared"), "{}", said.stdout);
}
