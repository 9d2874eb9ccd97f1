//! `parallax check` on programs whose meaning in the VM is not the one they have natively.

use crate::support::Bench;
use serde_json::Value;

/// The exit status and the report.
fn compared(old: &str, new: &str, arguments: &[&str]) -> (i32, Value) {
    let (bench, all) = prepared(old, new, arguments);
    let said = bench.parallax(&[&all[..], &["--format", "json"]].concat());
    let report = serde_json::from_str(&said.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", said.stdout, said.stderr));
    (said.status, report)
}

/// The report for people.
fn text(old: &str, new: &str, arguments: &[&str]) -> String {
    let (bench, all) = prepared(old, new, arguments);
    bench.parallax(&all).stdout
}

fn prepared<'a>(old: &str, new: &str, arguments: &[&'a str]) -> (Bench, Vec<&'a str>) {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    (bench, [&["check", "old.c", "new.c"], arguments].concat())
}

/// The place of the read and what it is for.
fn undefined(report: &Value) -> Vec<(String, u64, String)> {
    let reads = report["undefined"].as_array().unwrap().iter();
    let entry = |read: &Value| {
        (
            read["version"].as_str().unwrap().to_owned(),
            read["read_at"]["line"].as_u64().unwrap_or(0),
            read["use"].as_str().unwrap().to_owned(),
        )
    };
    reads.map(entry).collect()
}

fn entry(version: &str, line: u64, purpose: &str) -> (String, u64, String) {
    (version.to_owned(), line, purpose.to_owned())
}

/// The host's `isalpha` gives 1024, not 1.
#[test]
fn character_classes_are_numbers() {
    let old = "#include <ctype.h>
        #include <stdio.h>
        int main(int argc, char **argv) {
            int n = 0;
            for (char *p = argc > 1 ? argv[1] : \"\"; *p; p++) n += isalpha((unsigned char)*p);
            printf(\"%d\\n\", n);
            return 0;
        }";
    let new = old.replace(
        "n += isalpha((unsigned char)*p)",
        "if (isalpha((unsigned char)*p)) n++",
    );
    let (status, report) = compared(old, &new, &["--sym-arg", "1"]);
    assert_eq!(status, 1, "{report:#}");
    assert_eq!(report["differences"][0]["old"]["stdout"], "1024\n");
    assert_eq!(report["differences"][0]["confirmed_natively"], true);
}

#[test]
fn a_variable_without_its_initialisation() {
    let old = "#include <stdio.h>
        int main(int argc, char **argv) {
            int x = 0;
            if (argc > 1 && argv[1][0] == 'a') x = 5;
            putchar('0' + x);
            return 0;
        }";
    let new = old.replace("x = 0", "x");
    let (status, report) = compared(old, &new, &["--sym-arg", "1"]);
    assert_eq!(
        (status, &report["verdict"]),
        (3, &Value::from("undecided")),
        "{report:#}"
    );
    assert_eq!(
        undefined(&report),
        [entry("new", 5, "standard output")],
        "{report:#}"
    );
    assert_eq!(report["undefined"][0]["memory"], "variable 'x'");
    let text = text(old, &new, &["--sym-arg", "1"]);
    let words = "variable 'x', read at new.c:5 in main; it is put out to standard output";
    assert!(text.contains(words), "{text}");
    assert!(text.contains("memory that it never wrote"), "{text}");
}

/// `mem2reg` alone would take the 5 of the other way for it.
#[test]
fn the_value_of_another_way_is_not_taken() {
    let old = "int main(int argc, char **argv) {
            int x = 5;
            return x;
        }";
    let new = "int main(int argc, char **argv) {
            int x;
            if (argv[1][0] == 'a') x = 5;
            return x;
        }";
    let (status, report) = compared(old, new, &["--sym-arg", "1"]);
    assert_ne!(status, 0, "{report:#}");
    assert_eq!(
        undefined(&report),
        [entry("new", 4, "exit status")],
        "{report:#}"
    );
}

#[test]
fn malloc_for_calloc() {
    let old = "#include <stdlib.h>
        #include <string.h>
        int main(int argc, char **argv) {
            char *p = calloc(4, 1);
            if (argc > 1) memcpy(p, argv[1], strlen(argv[1]));
            int status = 4; if (p[1]) status = 3;
            free(p);
            return status;
        }";
    let new = old.replace("calloc(4, 1)", "malloc(4)");
    let (status, report) = compared(old, &new, &["--sym-arg", "2"]);
    assert_eq!(status, 3, "{report:#}");
    assert_eq!(
        undefined(&report),
        [entry("new", 6, "decision")],
        "{report:#}"
    );
    assert_eq!(report["undefined"][0]["made_at"]["line"], 4);
    // What realloc adds is not written either; what it keeps is.
    let grown = old.replace("calloc(4, 1);", "realloc(calloc(SIZE, 1), 4);");
    for (size, expected) in [("1", 3), ("2", 0)] {
        let (status, report) = compared(old, &grown.replace("SIZE", size), &["--sym-arg", "2"]);
        assert_eq!(status, expected, "{report:#}");
    }
}

/// Padding, unused parts of buffers, and bits of a byte that is written later.
#[test]
fn harmless_reads_are_not_named() {
    let old = "#include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        struct item { char name; int count; unsigned low : 3, high : 5; };
        static struct item made(int count) {
            struct item item;
            item.name = 'i';
            item.count = count;
            item.low = 2;
            item.high = count & 7;
            return item;
        }
        int main(int argc, char **argv) {
            struct item one = made(argc), two = one, *list = malloc(4 * sizeof *list);
            list[2] = two;
            memcpy(list, list + 2, sizeof *list);
            list = realloc(list, 9 * sizeof *list);
            char buffer[64], other[64];
            snprintf(buffer, sizeof buffer, \"%c%d\", list->name, list->count);
            memcpy(other, buffer, sizeof other);
            int unknown;
            memcpy(&unknown, buffer + 32, sizeof unknown);
            unknown = (unknown & 0) | list->low | list->high;
            printf(\"%s %d %zu\\n\", other, unknown ^ 0, strlen(argc > 1 ? argv[1] : other));
            free(list);
            return 0;
        }";
    let (status, report) = compared(
        old,
        &old.replace("unknown ^ 0", "unknown"),
        &["--sym-args", "0", "1", "2"],
    );
    assert_eq!(undefined(&report), [], "{report:#}");
    assert_eq!(status, 0, "{report:#}");
}

/// On the input that was run, `x` is multiplied by zero; on others of its path it is not.
#[test]
fn all_inputs_of_a_path_count() {
    let old = "#include <stdio.h>
        int main(int argc, char **argv) {
            int x[2] = {0};
            putchar(x[1] * argv[1][0] + 'A');
            return 0;
        }";
    let new = old.replace("x[2] = {0}", "x[2]");
    let (status, report) = compared(old, &new, &["--sym-arg", "1"]);
    assert_eq!(status, 3, "{report:#}");
    assert_eq!(undefined(&report), [entry("new", 4, "standard output")]);
}

#[test]
fn overflow_shifts_and_overlapping_copies_are_assumptions() {
    let old = "#include <stdio.h>
        #include <string.h>
        static int next(int v) { return v + 1; }
        int main(int argc, char **argv) {
            int v = 3;
            char t[8] = \"abcdefg\";
            if (argv[1][0] == 'm') v = 2147483647;
            if (argv[1][0] == 'c') memcpy(t + 1, t, 4);
            if (argv[1][0] == 'd') memmove(t + 1, t, 4);
            if (argv[1][0] == 's') v = 1 << (32 + (argv[1][1] & 1));
            printf(\"%d %s\\n\", next(v) > v, t);
            return 0;
        }";
    let new = old.replace("v + 1", "1 + v");
    // Without partitions, `next` is proved by itself.
    let (status, report) = compared(old, &new, &["--sym-arg", "2", "--partitions"]);
    let said = text(old, &new, &["--sym-arg", "2", "--partitions"]);
    assert_eq!(
        (status, &report["verdict"]),
        (0, &Value::from("equivalent")),
        "{report:#}"
    );
    let assumptions = report["assumptions"].as_array().unwrap();
    for version in ["old", "new"] {
        for words in [
            format!("signed overflow wraps, at {version}.c:3 in next of the {version} version"),
            format!(
                "`memcpy` moves blocks that overlap, at {version}.c:8 in main of the {version} version"
            ),
            format!(
                "the distance of a shift counts modulo the width, at {version}.c:10 in main of the {version} version"
            ),
        ] {
            assert!(
                assumptions.contains(&Value::from(words.clone())),
                "{words}: {report:#}"
            );
            assert!(said.contains(&format!("assumed here: {words}")), "{said}");
        }
    }
    assert!(!said.contains("c:9 "), "memmove may: {said}");
    assert!(said.contains(", provided that "), "{said}");
    // Without such runs there is no such condition.
    let plain = old
        .replace("2147483647", "7")
        .replace("memcpy", "memmove")
        .replace("32 +", "3 +");
    let said = text(
        &plain,
        &plain.replace("v + 1", "1 + v"),
        &["--sym-arg", "2", "--partitions"],
    );
    assert!(said.starts_with("equivalent"), "{said}");
    assert!(!said.contains("assumed here"), "{said}");
    assert!(!said.contains("provided"), "{said}");
}

/// The seed's sum is computed ahead by the optimised library, overflows, and is thrown away.
#[test]
fn what_a_library_computes_is_not_the_programs() {
    let old = "#include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            srand(argv[1][0]);
            printf(\"%d\\n\", rand() + 0);
            return argv[1][0] > 'k';
        }";
    let said = text(old, &old.replace("> 'k'", ">= 'l'"), &["--sym-arg", "1"]);
    assert!(!said.contains("assumed here"), "{said}");
    assert!(!said.contains("provided"), "{said}");
    // What the program itself adds is.
    let sum = old.replace("rand() + 0", "rand() + 2147483647");
    let said = text(&sum, &sum.replace("> 'k'", ">= 'l'"), &["--sym-arg", "1"]);
    assert!(
        said.contains("assumed here: signed overflow wraps, at old.c:5"),
        "{said}"
    );
}

/// The input that shows it is the call and not the driver's command.
#[test]
fn an_assumption_about_a_function_names_a_call() {
    let old = "int next(int v) { return v > 2147483646 ? v + 1 : 0; }";
    let new = old.replace("v + 1", "1 + v");
    let said = text(old, &new, &["--fn", "next"]);
    assert!(said.contains(", as for `next(v = 2147483647)`"), "{said}");
}

/// One place may use unwritten memory several times, and only a later time may matter: `u * u + u` is always even.
#[test]
fn every_use_at_a_place_counts() {
    let old = "#include <stdio.h>
        int main(void) {
            unsigned char u;
            int odd = 0;
            for (int k = 1; k <= 2; k++)
                if ((u * u + k * u) & 1) odd++;
            putchar('a' + odd);
            return 0;
        }";
    let new = old.replace("'a' + odd", "odd + 'a'");
    let (status, report) = compared(old, &new, &["--sym-stdin", "0"]);
    assert_eq!(status, 3, "{report:#}");
    assert!(!undefined(&report).is_empty(), "{report:#}");
}

/// Native runs of such programs say nothing about a proof.
#[test]
fn undefined_behaviour_refutes_no_proof() {
    let old = "#include <stdio.h>
        #include <string.h>
        static void fill(int with) { char bytes[400]; memset(bytes, with, 400); }
        static void show(void) { char bytes[64]; putchar(bytes[20]); }
        int main(void) { int c = getchar(); fill(65); if (c == 'y') show(); putchar(c & 127); return 0; }";
    let new = old.replace("65", "66");
    let (status, report) = compared(old, &new, &["--sym-stdin", "1", "--paranoid"]);
    assert_eq!(status, 3, "{report:#}");
    assert!(report["self_check"]["refuted"].is_null(), "{report:#}");
}

/// A pointer that is copied byte by byte is still a pointer.
#[test]
fn pointers_that_are_copied_in_pieces_are_followed() {
    let old = "#include <stdio.h>
        int main(void) {
            int c = getchar(), seen = 1, *from = &seen, *to;
            for (unsigned i = 0; i < sizeof from; i++) ((char *)&to)[i] = ((char *)&from)[i];
            if (c == 'q') *to = 5;
            if (seen == 5) putchar('o');
            return 0;
        }";
    let (status, report) = compared(old, &old.replace("'o'", "'n'"), &["--sym-stdin", "1"]);
    assert_eq!(status, 1, "{report:#}");
}

/// `qsort` moves pointers, too.
#[test]
fn pointers_that_are_sorted_are_followed() {
    let old = "#include <stdio.h>
        #include <stdlib.h>
        static int one = 1, two = 2;
        static int by_value(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
        int main(void) {
            int c = getchar();
            int *all[2] = { &two, &one };
            qsort(all, 2, sizeof *all, by_value);
            if (c == 'q') *all[0] = 5;
            if (one == 5) putchar('o');
            return 0;
        }";
    let (status, report) = compared(old, &old.replace("'o'", "'n'"), &["--sym-stdin", "1"]);
    assert_eq!(status, 1, "{report:#}");
}

/// Only the argument 0 shows it, so some run must have it.
#[test]
fn the_zeros_of_zero_are_an_assumption() {
    let assumed =
        "provided that counting the zeros of 0, as `__builtin_clz(0)` does, gives the width";
    let cases = [
        ("n ? __builtin_clz(n) : 32", "__builtin_clz(n)", true),
        ("n ? __builtin_ctzll(n) : 64", "__builtin_ctzll(n)", true),
        // The count of 0 is computed and thrown away.
        ("n ? __builtin_ctz(n) + 1 : 0", "__builtin_ffs(n)", false),
        (
            "n ? 31 - __builtin_clz(n) : 7",
            "n ? __builtin_clz(n) ^ 31 : 7",
            false,
        ),
        ("__builtin_clz(n | 1)", "__builtin_clz(1 | n)", false),
    ];
    for (old, new, expected) in cases {
        let version = |value: &str| format!("int f(unsigned n) {{ return {value}; }}\n");
        let (bench, all) = prepared(&version(old), &version(new), &["--fn", "f"]);
        let said = bench.parallax(&all);
        assert_eq!(said.status, 0, "{}", said.stdout);
        assert!(said.stdout.starts_with("equivalent"), "{}", said.stdout);
        assert_eq!(
            said.stdout.contains(assumed),
            expected,
            "{new}: {}",
            said.stdout
        );
        let place = "at new.c:1 in f of the new version";
        assert_eq!(said.stdout.contains(place), expected, "{}", said.stdout);
    }
}

/// What decides is computed before the decision, and the input of the second path is one that overflows.
#[test]
fn an_overflow_before_the_first_decision_is_an_assumption() {
    let old = "#include <stdio.h>
        int main(void) {
            int n = 0;
            if (fread(&n, 1, sizeof n, stdin) != sizeof n) return 2;
            puts(n == 2147483647 ? \"last\" : \"not the last\");
            return 0;
        }";
    let new = old.replace("n == 2147483647", "n + 1 < n");
    let said = text(old, &new, &["--sym-stdin", "4"]);
    assert!(said.starts_with("equivalent"), "{said}");
    assert!(
        said.contains("assumed here: signed overflow wraps, at new.c:5 in main of the new version"),
        "{said}"
    );
}
