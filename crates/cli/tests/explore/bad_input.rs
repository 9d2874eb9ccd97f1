//! What can go wrong with `parallax explore`: one message that says what to do, status 2, and nothing that was
//! found before is lost; or, where the run goes on, a summary that says what is missing.

use std::fs;

use crate::support::{Bench, Said, parallax, said};

const GUESS: &str = "#include <stdio.h>
int main(int argc, char **argv) { puts(argc > 1 && argv[1][0] == 'x' ? \"x\" : \"other\"); return 0; }
";

/// No quick layer decides this multiplication, and no back end does in a millisecond.
const HARD: &str = "#include <stddef.h>
#include <stdio.h>
void parallax_symbolic(void *pointer, size_t size, const char *name);
int main(void) {
    unsigned long a, b;
    parallax_symbolic(&a, sizeof a, \"a\");
    parallax_symbolic(&b, sizeof b, \"b\");
    if (a * b == 0x7fffffffe7e7e7e7 && a > 3000 && b > 3000 && a * a + b * b * b == 1234567891011) puts(\"found\");
    else puts(\"not found\");
    return 0;
}
";

/// Writes little on one path and much on the other.
const TALKATIVE: &str = "#include <stdio.h>
int main(void) {
    if (getchar() == 'x') for (int i = 0; i < 4000; i++) puts(\"a long line of text\");
    else puts(\"short\");
    return 0;
}
";

#[test]
fn bounds_and_options() {
    let bench = Bench::new();
    bench.write("guess.c", GUESS);
    bench.write("library.c", "int twice(int x) { return 2 * x; }\n");
    let nothing = "nothing of the input is symbolic";
    let cases: &[(&[&str], &[&str])] = &[
        (&["--sym-arg", "0"], &["0 bytes", "at least 1"]),
        (
            &["--sym-arg", "1", "--strategy", "reach"],
            &["is for two versions", "parallax check"],
        ),
        (&["--sym-args", "0", "2", "0"], &["0 bytes", "at least 1"]),
        (&["--sym-args", "0", "0", "4"], &[nothing]),
        (&["--sym-stdin", "0"], &[nothing]),
        (&["--sym-file", "f", "0"], &[nothing]),
        (&["--sym-env", "HOME", "0"], &[nothing]),
        (&["--", "fixed"], &[nothing, "parallax run"]),
        (
            &["--sym-args", "3", "1", "2"],
            &[
                "number of arguments",
                "at least 3",
                "smaller number comes first",
            ],
        ),
        (
            &["--sym-stdin", "5..2"],
            &["5..2", "smaller number comes first"],
        ),
        (
            &["--sym-file", "f", "5..2"],
            &["--sym-file f 5..2", "smaller number"],
        ),
        (
            &["--sym-arg", "99999999999"],
            &["too many", "the most is", "fewer"],
        ),
        (&["--sym-stdin", "0..900000"], &["too many"]),
        (
            &["--sym-stdin", "99999999999999999999999"],
            &["a number of bytes"],
        ),
        (&["--sym-stdin", "-3"], &["-3"]),
        (&["--sym-stdin", "many"], &["many", "0..8"]),
        (
            &["--sym-env", "HOME", "long"],
            &["--sym-env HOME long", "number of bytes"],
        ),
        (&["--sym-args", "1", "2"], &["--sym-args"]),
        (&["--", "--sym-args", "1", "2"], &["--sym-args MIN MAX LEN"]),
        (
            &["--sym-arg", "2", "--strategy", "fast"],
            &["`fast`", "dart, dfs, bfs, random-path, coverage"],
        ),
        (&["--sym-arg", "2", "-j", "0"], &["0 workers", "1 to 256"]),
        (&["--sym-arg", "2", "--timeout", "soon"], &["`soon`", "30s"]),
        (
            &["--sym-arg", "2", "--backend", "cvc5"],
            &["cvc5", "bit-blasting, z3, none"],
        ),
        (
            &["--sym-arg", "2", "--without-layer", "luck"],
            &["`luck`", "simplify"],
        ),
    ];
    for (arguments, expected) in cases {
        expect_error(&bench, &[&["guess.c"], *arguments].concat(), expected);
    }
    expect_error(
        &bench,
        &["library.c", "--sym-arg", "1"],
        &["no `main` function", "add the file"],
    );
    expect_error(
        &bench,
        &["absent.c", "--sym-arg", "1"],
        &["`absent.c` does not exist"],
    );
    assert!(!bench.path(".parallax").exists(), "nothing is kept");
}

#[test]
fn seeds() {
    let bench = Bench::new();
    bench.write("guess.c", GUESS);
    bench.write("folder/not_a_seed/notes", "words");
    bench.write("quoting/one/argv", "$'\\q\n");
    bench.write("variables/one/argv", "");
    bench.write("variables/one/variables", "n=0g\n");
    bench.write("result/one/argv", "a\n");
    bench.write("result/one/expected.json", "{}");
    fs::create_dir(bench.path("empty")).unwrap();
    let cases: &[(&str, &[&str])] = &[
        (
            "absent",
            &["cannot list the tests in `absent`", "No such file"],
        ),
        ("empty", &["`empty` holds no seeds", "`argv`"]),
        ("folder", &["`folder/not_a_seed` is not a test", "`argv`"]),
        ("quoting", &["`quoting/one/argv`", "quoting"]),
        ("variables", &["`n` is not hexadecimal"]),
        ("result", &["`result/one/expected.json`"]),
    ];
    for (folder, expected) in cases {
        expect_error(
            &bench,
            &["guess.c", "--sym-arg", "2", "--seeds", folder],
            expected,
        );
    }
    // Seeds outside the bounds are left out, by name, and the others are used.
    bench.write("mixed/long/argv", "much-too-long\n");
    bench.write("mixed/fits/argv", "x\n");
    let said = explore(&bench, &["guess.c", "--sym-arg", "2", "--seeds", "mixed"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stderr.contains("1 of 2 seeds used"), "{}", said.stderr);
    let why = "not used as a seed: long: its argument `much-too-long` has 13 bytes; the most is 2";
    assert!(said.stderr.contains(why), "{}", said.stderr);
    assert!(said.stdout.contains("2 paths"), "{}", said.stdout);
}

#[test]
fn the_project_file() {
    let bench = Bench::new();
    bench.write("guess.c", GUESS);
    let cases: &[(&str, &[&str])] = &[
        (
            "[explore]\nstratgy = \"dfs\"\n",
            &["unknown field `stratgy`", "`strategy`"],
        ),
        ("[explor]\n", &["unknown field `explor`"]),
        (
            "[explore]\nworkers = \"two\"\n",
            &["workers", "invalid type"],
        ),
        ("[explore]\nstrategy = \"slow\"\n", &["`slow`", "`dart`"]),
        (
            "[explore]\nargs = [{ sym = \"x\" }]\n",
            &["`x` is not a length"],
        ),
        ("[explore]\nargs = [{ simm = 3 }]\n", &["{ sym = LEN }"]),
        ("[explore]\nargs = 3\n", &["args", "invalid type"]),
        (
            "[explore]\nstdin = { file = \"absent\" }\n",
            &["`absent`", "No such file"],
        ),
        (
            "[explore]\nstdin = { sym = 2, min = 1 }\n",
            &["for arguments", "0..8"],
        ),
        (
            "[explore]\nargs = [{ sym = 2 }]\ntimeout = \"soon\"\n",
            &["`soon`", "30s"],
        ),
        ("[explore\n", &["parallax.toml", "line 1"]),
    ];
    for (text, expected) in cases {
        bench.write("parallax.toml", text);
        expect_error(
            &bench,
            &["guess.c"],
            &[&["parallax.toml"], *expected].concat(),
        );
    }
}

#[test]
fn no_place_to_keep_things() {
    let bench = Bench::new();
    bench.write("guess.c", GUESS);
    bench.write(".parallax", "a file where a folder should be");
    let arguments = ["guess.c", "--sym-arg", "2"];
    expect_error(
        &bench,
        &arguments,
        &["cannot keep the exploration", "--dry-run"],
    );
    let said = explore(&bench, &[&arguments[..], &["--dry-run"]].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    fs::remove_file(bench.path(".parallax")).unwrap();
    expect_error(
        &bench,
        &[&arguments[..], &["--tests", "/dev/null/tests"]].concat(),
        &["cannot make the folder `/dev/null/tests` for tests"],
    );
    expect_error(
        &bench,
        &[&arguments[..], &["--query-log", "absent/log"]].concat(),
        &["cannot write the query log `absent/log`"],
    );
    // The report is there although the coverage is not.
    let said = explore(
        &bench,
        &[&arguments[..], &["--lcov", "absent/lcov"]].concat(),
    );
    assert_eq!(said.status, 2);
    assert!(
        said.stderr
            .contains("cannot write the coverage to `absent/lcov`"),
        "{}",
        said.stderr
    );
    assert!(said.stdout.contains("2 paths"), "{}", said.stdout);
}

/// A limit on the size of files stands for a full disk: writing fails half-way in the same place.
#[test]
fn a_disk_that_fills_up() {
    let bench = Bench::new();
    bench.write("talkative.c", TALKATIVE);
    let bounds = ["talkative.c", "--sym-stdin", "1"];
    // Builds the program, which also writes files.
    assert_eq!(
        explore(&bench, &[&bounds[..], &["--dry-run"]].concat()).status,
        0
    );
    let script = format!(
        "trap '' XFSZ; ulimit -f 64; exec {} explore {} --tests tests",
        parallax().display(),
        bounds.join(" ")
    );
    let full = said(bench.command("sh").args(["-c", &script]));
    assert_eq!(full.status, 2, "{}{}", full.stdout, full.stderr);
    for words in [
        "cannot be written",
        "tests/000002",
        "make room",
        "same command again",
    ] {
        assert!(full.stdout.contains(words), "{} lacks {words}", full.stdout);
    }
    assert_eq!(
        tests(&bench),
        ["000001"],
        "what was written stays, half a test does not"
    );
    let first = fs::read(bench.path("tests/000001/expected.stdout")).unwrap();
    assert_eq!(first, b"short\n");

    let said = explore(&bench, &[&bounds[..], &["--tests", "tests"]].concat());
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("exhausted"), "{}", said.stdout);
    assert_eq!(tests(&bench), ["000001", "000002"]);
}

/// The same for the query log: the exploration goes on without it, and says so once.
#[test]
fn a_query_log_that_cannot_grow() {
    let bench = Bench::new();
    bench.write("hard.c", HARD);
    assert_eq!(
        explore(&bench, &["hard.c", "--dry-run", "--query-timeout", "1ms"]).status,
        0
    );
    let script = format!(
        "trap '' XFSZ; ulimit -f 0; exec {} explore hard.c --dry-run --query-timeout 1ms --query-log log",
        parallax().display()
    );
    let full = said(bench.command("sh").args(["-c", &script]));
    assert_eq!(full.status, 0, "{}", full.stderr);
    let words = "the query log cannot be written";
    assert_eq!(full.stderr.matches(words).count(), 1, "{}", full.stderr);
    assert!(full.stdout.contains("1 path"), "{}", full.stdout);
}

/// Without a solver, or with too little time for it, ways stay undecided: the exploration goes on with the others
/// and does not call itself exhausted.
#[test]
fn a_solver_that_does_not_answer() {
    let bench = Bench::new();
    bench.write("hard.c", HARD);
    for (arguments, why) in [
        (["--backend", "none"], "no back end"),
        (["--query-timeout", "1ms"], "time limit"),
    ] {
        let said = explore(&bench, &[&["hard.c", "--fresh"], &arguments[..]].concat());
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(said.stdout.contains("not exhausted"), "{}", said.stdout);
        assert!(!said.stdout.contains("exhausted:"), "{}", said.stdout);
        let words = format!("whether a way can be taken is not known: {why}");
        assert!(
            said.stdout.contains(&words),
            "{} lacks {words}",
            said.stdout
        );
        assert!(said.stdout.contains("1 test in"), "{}", said.stdout);
    }
    let json = explore(
        &bench,
        &["hard.c", "--fresh", "--backend", "none", "--format", "json"],
    );
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(report["exhausted"], false);
    assert_eq!(report["paths"], 1);
    assert!(
        report["gaps"][0]["what"]
            .as_str()
            .unwrap()
            .contains("no back end")
    );
}

fn explore(bench: &Bench, arguments: &[&str]) -> Said {
    bench.parallax(&[&["explore"], arguments].concat())
}

fn tests(bench: &Bench) -> Vec<String> {
    let entries = fs::read_dir(bench.path("tests")).unwrap().flatten();
    let mut names: Vec<_> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn expect_error(bench: &Bench, arguments: &[&str], expected: &[&str]) {
    let said = explore(bench, arguments);
    assert_eq!(
        said.status, 2,
        "{arguments:?}: {}{}",
        said.stdout, said.stderr
    );
    assert_eq!(said.stdout, "", "{arguments:?}");
    let count = said.stderr.matches("error:").count();
    assert_eq!(count, 1, "{arguments:?}: {}", said.stderr);
    for text in expected {
        assert!(
            said.stderr.contains(text),
            "{arguments:?}: {} lacks {text}",
            said.stderr
        );
    }
}
