//! The functions of `tests/cases/functions-first-use`, each by itself: none needs a harness, none is refused, and each verdict is as the
//! case's `truth` says.

use std::path::Path;

use crate::support::Bench;

fn bench() -> Bench {
    let bench = Bench::new();
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/functions-first-use");
    for name in ["old.c", "new.c"] {
        std::fs::copy(case.join(name), bench.path(name)).unwrap();
    }
    bench
}

/// A proof ends by itself; the time is for machines that do other things too.
fn is_proved(functions: &[&str]) {
    let bench = bench();
    for function in functions {
        let said = bench.parallax(&[
            "check",
            "old.c",
            "new.c",
            "--fn",
            function,
            "--timeout",
            "60s",
        ]);
        let all = format!("{function}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.status, 0, "{all}");
        assert!(said.stdout.starts_with("equivalent: "), "{all}");
    }
}

#[test]
fn rewritten_functions_on_numbers_and_variables_are_equivalent() {
    is_proved(&[
        "popcount",
        "abs64",
        "next_id",
        "clamp",
        "use",
        "ticket",
        "color_name",
        "flag_sum",
        "union_int",
        "matrix",
        "vsum",
    ]);
}

#[test]
fn rewritten_functions_on_memory_are_equivalent() {
    is_proved(&[
        "count_char",
        "trim",
        "grow",
        "make_rect",
        "list_sum",
        "push",
        "apply",
        "parse_int",
        "sum_buf",
        "checksum",
        "hash_mem",
        "fill",
        "person_ok",
        "take_opaque",
        "takes_file",
    ]);
}

#[test]
fn changed_functions_are_different() {
    let bench = bench();
    let cases: [(&str, &str, &str); 7] = [
        ("midpoint", "different: 1 kind", "midpoint("),
        ("upcase", "different: 1 kind", "z"),
        ("average", "different: ", "average("),
        ("lerp", "different: ", "lerp("),
        ("hyp", "different: ", "hyp("),
        ("set_limit", "different: 1 kind", "set_limit(n = -"),
        (
            "contains",
            "different only through undefined behaviour",
            "signed overflow",
        ),
    ];
    for (function, headline, words) in cases {
        let said = bench.parallax(&[
            "check",
            "old.c",
            "new.c",
            "--fn",
            function,
            "--timeout",
            "15s",
        ]);
        let all = format!("{function}: {}{}", said.stdout, said.stderr);
        assert_eq!(said.status, 1, "{all}");
        assert!(said.stdout.starts_with(headline), "{all}");
        assert!(said.stdout.contains(words), "{all}");
    }
}
