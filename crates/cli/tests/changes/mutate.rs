//! `parallax mutate`: what it writes can be applied and compiled, the same every time; what it cannot do it says.

use std::collections::BTreeMap;

use crate::support::Bench;
use serde_json::Value;

/// `#if 0` code has mutants that are equal; the format and the pointer have mutants that do not compile.
const PROGRAM: &str = r#"#include <stdio.h>
#include "limits_of_ours.h"

static int count(const char *text, int limit)
{
    int found = 0;
    while (text[found] != '\0' && found < limit)
        found++;
#if 0
    found = found + 7;
#endif
    return found;
}

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    printf("%d %s\n", count(argv[1], LIMIT), argv[1]);
    return 0;
}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("src/count.c", PROGRAM);
    bench.write("src/limits_of_ours.h", "#define LIMIT 5\n");
    bench
}

fn index(bench: &Bench, folder: &str) -> Value {
    let text = std::fs::read_to_string(bench.path(folder).join("mutants.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn field<'a>(mutant: &'a Value, name: &str) -> &'a str {
    mutant[name].as_str().unwrap_or_default()
}

#[test]
fn every_patch_applies_and_compiles() {
    let bench = bench();
    let said = bench.parallax(&["mutate", "src/count.c", "--out", "mutants"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let index = index(&bench, "mutants");
    let mutants = index["mutants"].as_array().unwrap();
    let last = said.stdout.lines().last().unwrap();
    assert!(
        last.starts_with(&format!("{} mutants in mutants; ", mutants.len())),
        "{last}"
    );
    assert!(index["stillborn"].as_u64().unwrap() > 0, "{last}");

    let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
    let mut lines_of_equal = Vec::new();
    for mutant in mutants {
        *statuses.entry(field(mutant, "status")).or_default() += 1;
        if field(mutant, "status") == "equal" {
            lines_of_equal.push(mutant["line"].as_u64().unwrap());
        }
        let patch = bench.path("mutants").join(field(mutant, "patch"));
        let head = std::fs::read_to_string(&patch).unwrap();
        for word in [field(mutant, "id"), field(mutant, "operator")] {
            assert!(head.contains(word), "{head}");
        }
        let script = format!(
            "cp src/count.c mutated.c && patch -p1 --fuzz=0 -s mutated.c {0} && ! cmp -s src/count.c mutated.c && \
             clang-22 -w -c -iquote src mutated.c -o mutated.o",
            patch.display()
        );
        let said = bench.shell(&script);
        assert_eq!(said.status, 0, "{}{}\n{head}", said.stdout, said.stderr);
    }
    assert!(statuses["viable"] > 20, "{statuses:?}");
    assert_eq!(statuses["equal"], lines_of_equal.len());
    assert!(!lines_of_equal.is_empty(), "{statuses:?}");
    assert!(
        lines_of_equal.iter().all(|line| *line == 10),
        "{lines_of_equal:?}"
    );
    let functions: Vec<&str> = mutants.iter().map(|one| field(one, "function")).collect();
    assert!(functions.contains(&"count") && functions.contains(&"main"));
}

/// A relative include folder starts where the user is, not where the file is.
#[test]
fn compiler_arguments_are_passed_on() {
    let bench = bench();
    bench.write(
        "src/other.c",
        "#include <ours.h>\nint twice(void) { return OURS * FACTOR; }\n",
    );
    bench.write("include/ours.h", "#define OURS 21\n");
    let plain = bench.parallax(&["mutate", "src/other.c", "--out", "plain"]);
    assert_eq!(plain.status, 2);
    assert!(
        plain.stderr.contains("'ours.h' file not found"),
        "{}",
        plain.stderr
    );
    let said = bench.parallax(&[
        "mutate",
        "src/other.c",
        "--out",
        "good",
        "--cflag",
        "-Iinclude",
        "--cflag",
        "-DFACTOR=2",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("arithmetic"), "{}", said.stdout);
}

#[test]
fn a_choice_depends_on_the_seed_alone_and_keeps_ids() {
    let bench = bench();
    let mutate = |folder: &str, options: &[&str]| {
        let mut arguments = vec!["mutate", "src/count.c", "--out", folder, "--format", "json"];
        arguments.extend(options);
        let said = bench.parallax(&arguments);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let printed: Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(printed, index(&bench, folder));
        printed["mutants"].as_array().unwrap().clone()
    };
    let all = mutate("all", &[]);
    let five = mutate("five", &["--limit", "5", "--seed", "3"]);
    let again = mutate("again", &["--limit", "5", "--seed", "3"]);
    let others = mutate("others", &["--limit", "5", "--seed", "4"]);
    assert_eq!(five, again);
    assert_ne!(five, others);
    let viable = five.iter().filter(|one| one["status"] == "viable").count();
    assert_eq!(viable, 5);
    let by_operator = mutate("by-operator", &["--operators", "constant,loop-bound"]);
    let expected = ["constant", "loop-bound"];
    assert!(
        by_operator
            .iter()
            .all(|one| expected.contains(&field(one, "operator")))
    );
    for mutant in five.iter().chain(&by_operator) {
        assert!(all.contains(mutant), "{mutant} is not among all mutants");
    }
    let directives = mutate("directives", &["--include", "directives,strings"]);
    assert!(directives.len() > all.len());
}

#[test]
fn what_cannot_be_done_is_said() {
    let bench = bench();
    bench.write("notes.txt", "These are words, not C.\n");
    bench.write("empty.c", "");
    bench.write("plain.c", "extern char *name;\n");
    bench.write("full/file", "x");
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["absent.c", "--out", "o"],
            &["cannot read `absent.c`", "No such file"],
        ),
        (&["src", "--out", "o"], &["cannot read `src`", "directory"]),
        (
            &["notes.txt", "--out", "o"],
            &["clang-22", "compiling `notes.txt`", "notes.txt:1:"],
        ),
        (
            &["src/count.c", "--out", "full"],
            &["`full` is not empty", "--out a new folder"],
        ),
        (
            &["src/count.c", "--out", "notes.txt"],
            &["`notes.txt` for --out", "Not a directory"],
        ),
        (
            &["empty.c", "--out", "o"],
            &["`empty.c` has no place for a mutation"],
        ),
        (
            &["plain.c", "--out", "o"],
            &["`plain.c` has no place for a mutation"],
        ),
        (
            &["src/count.c", "--out", "o", "--operators", "bitwise"],
            &["no place for a mutation by these operators", "--operators"],
        ),
        (
            &["src/count.c", "--out", "o", "--operators", "bits"],
            &["no mutation operator is called `bits`", "negate-condition"],
        ),
        (&["src/count.c", "--out", "o", "--limit", "0"], &["--limit"]),
        (
            &["src/count.c", "--out", "o", "--include", "words"],
            &["--include", "directives"],
        ),
        (&["src/count.c"], &["--out"]),
    ];
    for (arguments, expected) in cases {
        let mut all = vec!["mutate"];
        all.extend(*arguments);
        let said = bench.parallax(&all);
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.stderr);
        assert_eq!(said.stdout, "", "{arguments:?}");
        for text in *expected {
            assert!(
                said.stderr.contains(text),
                "{arguments:?}: {} lacks {text}",
                said.stderr
            );
        }
    }
    assert!(
        !bench.path("o").exists(),
        "a failed call left a folder behind"
    );
}
