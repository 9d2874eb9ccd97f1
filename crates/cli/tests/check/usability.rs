//! What `parallax check` does with unusual calls: one input, flags that contradict each other, programs of one name.

use crate::support::{Bench, Said};

const PROGRAM: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    int c = getchar();
    printf("%d %d\n", argc > 1 && argv[1][0] == 'x', c == 'y');
    return 0;
}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("old.c", PROGRAM);
    bench.write("new.c", &PROGRAM.replace("'x'", "'z'"));
    bench
}

fn check(bench: &Bench, more: &[&str]) -> Said {
    bench.parallax(&[&["check", "old.c", "new.c"], more].concat())
}

/// Which inputs a partition has is said in full: how many arguments and bytes, too.
#[test]
fn partitions_say_how_long_their_inputs_are() {
    let bench = Bench::new();
    let old = "#include <stdio.h>
        int main(int argc, char **argv) {
            int c = getchar();
            return argc > 1 && c == EOF;
        }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("return argc", "return argc + 0"));
    let versions = ["check", "old.c", "new.c", "--partitions"];
    let shapes = ["--sym-args", "0", "1", "1", "--sym-stdin", "0..2"];
    let said = bench.parallax(&[&versions[..], &shapes].concat()).stdout;
    for line in [
        "equal (terms): no arguments; standard input: empty\n",
        "equal (terms): no arguments; standard input: 1 byte\n",
        "equal (terms): 1 argument; standard input: 2 bytes\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(!said.contains("every input\n"), "{said}");
    // What is the same everywhere is said by the bounds.
    let said = bench.parallax(&[&versions[..], &["--sym-stdin", "1"]].concat());
    assert!(said.stdout.contains(": every input\n"), "{}", said.stdout);
}

/// Why runs were cut off is said once.
#[test]
fn a_limit_is_said_once() {
    let bench = Bench::new();
    let old = "int main(int argc, char **argv) {
            for (volatile int i = 0; argv[1][0] == 'x'; i++);
            return argc > 3;
        }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("> 3", "> 4"));
    let words = [
        "check",
        "old.c",
        "new.c",
        "--sym-arg",
        "1",
        "--max-steps",
        "9000",
    ];
    let said = bench.parallax(&words);
    let times = said
        .stdout
        .matches("stopped after 9000 instructions")
        .count();
    assert_eq!((said.status, times), (3, 1), "{}", said.stdout);
}

/// `--timeout 0` is no limit, as for other tools, and not one that is over at once.
#[test]
fn no_time_limit() {
    let bench = Bench::new();
    let old = "#include <stdio.h>
        int main(void) { int a = getchar(), b = getchar(); return a * a + b == 300; }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("a * a + b", "b + a * a"));
    let words = [
        "check",
        "old.c",
        "new.c",
        "--sym-stdin",
        "2",
        "--timeout",
        "0",
    ];
    let said = bench.parallax(&words);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
}

#[test]
fn one_input_is_compared() {
    let bench = bench();
    let said = check(&bench, &["--", "a"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("1 partition in"), "{}", said.stdout);
    let said = check(&bench, &["--", "x"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
}

#[test]
fn standard_input_may_be_short_by_default() {
    let bench = bench();
    bench.write(
        "new.c",
        &PROGRAM.replace(
            "int c = getchar();",
            "int c = getchar(); if (c == EOF) puts(\"empty\");",
        ),
    );
    let said = check(&bench, &[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stderr.contains("--sym-stdin 0..1"), "{}", said.stderr);
    assert!(said.stdout.contains("empty"), "{}", said.stdout);
}

#[test]
fn flags_that_contradict_each_other() {
    let bench = bench();
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["--prune", "--no-prune"],
            &["--prune", "--no-prune", "cannot be used with"],
        ),
        (
            &["--strategy", "random", "--prune"],
            &["leave out `--prune`", "auto"],
        ),
        (
            &["--sym-env", "A=B", "3"],
            &["--sym-env A=B 3", "--env NAME=VALUE"],
        ),
        (&["--max-steps", "0"], &["--max-steps", "0 is not in 1.."]),
        (&["--runs", "0"], &["--runs", "0 is not in 1.."]),
        (
            &["--query-timeout", "0s"],
            &["--query-timeout", "in `0s` nothing can be done", "1ms"],
        ),
        (
            &["--sym-file", "", "4"],
            &["`` is no name of a file", "--sym-file NAME N"],
        ),
        (
            &["--file", "old.c=sub/"],
            &["`sub/` is no name of a file", "--file HOST=GUEST"],
        ),
    ];
    for (arguments, words) in cases {
        let said = check(&bench, &[&["--sym-arg", "1"], *arguments].concat());
        assert_eq!(
            said.status, 2,
            "{arguments:?}: {}{}",
            said.stdout, said.stderr
        );
        assert_eq!(said.stdout, "");
        for words in *words {
            assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
        }
    }
}

/// Versions without `main` are libraries: their functions can be compared.
#[test]
fn without_main_functions_are_suggested() {
    let bench = Bench::new();
    let library = "static int twice(int x) { return 2 * x; }
        int once(int x) { return twice(x) / 2; }
        int thrice(int x) { return 3 * x; }\n";
    bench.write("old.c", library);
    let new = library.replace("3 * x", "x + 2 * x");
    bench.write("new.c", &new.replace("2 * x;", "x + x;"));
    let said = check(&bench, &["--sym-arg", "1"]);
    assert_eq!((said.status, &said.stdout[..]), (2, ""), "{}", said.stderr);
    for words in ["`old.c` has no `main`", "--fn NAME", "`twice`, `thrice`"] {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
    assert!(!said.stderr.contains("once"), "{}", said.stderr);
    assert_eq!(said.stderr.lines().count(), 1, "{}", said.stderr);
}

#[test]
fn a_program_that_cannot_be_linked_is_a_build_error() {
    let bench = bench();
    bench.write("new.c", "int missing(void);\nint main(int argc, char **argv) { return argc > 1 ? missing() : 0; }\n");
    let said = check(&bench, &["--sym-arg", "1"]);
    assert_eq!(said.status, 2, "{}{}", said.stdout, said.stderr);
    assert_eq!(said.stdout, "");
    for words in ["cannot link the new version", "missing"] {
        assert!(said.stderr.contains(words), "{words}: {}", said.stderr);
    }
}

#[test]
fn programs_of_one_name_have_their_own_folders() {
    let bench = bench();
    bench.write("a/main.c", &PROGRAM.replace("'x'", "'p'"));
    bench.write("b/main.c", &PROGRAM.replace("'x'", "'q'"));
    for version in ["a/main.c", "b/main.c"] {
        let said = bench.parallax(&["check", "old.c", version, "--sym-arg", "1"]);
        assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    }
    for folder in ["a", "b"] {
        let script = format!(".parallax/check/{folder}/main/001/reproduce.sh");
        let shown = bench.shell(&format!("sh {script} || true")).stdout;
        assert!(shown.contains("== what differs:"), "{shown}");
    }
}

#[test]
fn the_script_says_which_build_it_runs() {
    let bench = Bench::new();
    let old = "#include <stdlib.h>
        int main(int argc, char **argv) {
            char *p = malloc(2);
            p[argv[1][0] == 'x' ? 1 : 0] = 1;
            free(p);
            return 0;
        }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("malloc(2)", "malloc(1)"));
    let said = check(&bench, &["--sym-arg", "1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let shown = bench
        .shell("sh .parallax/check/new/001/reproduce.sh || true")
        .stdout;
    assert!(
        shown.contains("== new (built with sanitizers): exit status"),
        "{shown}"
    );
    assert!(shown.contains("== old: exit status 0"), "{shown}");
}

#[test]
fn modes_of_files_are_printed() {
    let bench = Bench::new();
    let old = "#include <fcntl.h>
        #include <unistd.h>
        int main(void) {
            int file = open(\"out\", O_CREAT | O_WRONLY, 0644);
            write(file, \"text\", 4);
            return 0;
        }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("0644", "0600"));
    let said = check(&bench, &["--stdin", "/dev/null"]);
    assert!(
        said.stdout.contains("old: mode 644, owner 1000:1000"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert!(
        said.stdout.contains("new: mode 600, owner 1000:1000"),
        "{}",
        said.stdout
    );
}

/// A program that finds no file is compared without it, and the report says so.
#[test]
fn a_file_that_is_missing_is_noted() {
    let bench = Bench::new();
    let old = "#include <stdio.h>
        int main(int argc, char **argv) {
            FILE *file = fopen(\"settings\", \"r\");
            FILE *other = argc > 1 ? fopen(argv[1], \"r\") : NULL;
            if (!file) return 1;
            return (getc(file) == 'y') + 2;
        }";
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("'y'", "'Y'"));
    let said = check(&bench, &["--sym-args", "0", "1", "2"]);
    // The change is behind it.
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    let note =
        "note: the file `settings` was opened and does not exist; `--sym-file settings 0..8`";
    assert!(said.stdout.contains(note), "{}", said.stdout);
    // What the input names is no surprise.
    assert_eq!(
        said.stdout.matches("was opened").count(),
        1,
        "{}",
        said.stdout
    );
    let said = check(&bench, &["--sym-file", "settings", "0..8"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(!said.stdout.contains("was opened"), "{}", said.stdout);
}

/// The first difference of this program needs no input; the second a word.
const LATE: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    if (argc < 2) {
        puts("usage");
        return 1;
    }
    if (argc > 2 && strcmp(argv[2], "--verbose") == 0) {
        puts("verbose");
    }
    MORE
    puts(argv[1]);
    return 0;
}
"#;

/// A difference is not the whole answer as long as no input has executed some changed line: larger ones are tried, and what is executed
/// then is compared too.
#[test]
fn a_check_goes_on_until_the_change_is_executed() {
    let old = LATE.replace("MORE", "");
    let new = old
        .replace("\"usage\"", "\"usage: late\"")
        .replace("\"verbose\"", "\"VERBOSE\"");
    let bench = Bench::new();
    bench.write("old.c", &old);
    bench.write("new.c", &new);
    let said = check(&bench, &["--timeout", "60s"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    for words in [
        "different: 2 kinds",
        "usage: late",
        "+ VERBOSE",
        "larger inputs looked for",
    ] {
        assert!(said.stdout.contains(words), "{words}:\n{}", said.stdout);
    }
    assert!(!said.stdout.contains("not executed:"), "{}", said.stdout);
    assert!(
        said.stderr
            .contains("no input has executed new.c:11 in main so far"),
        "{}",
        said.stderr
    );
    // The first one is enough for who says so.
    let said = check(&bench, &["--timeout", "60s", "--first", "--fresh"]);
    assert!(
        said.stdout.starts_with("different: 1 kind"),
        "{}",
        said.stdout
    );
    assert!(
        said.stdout.contains("2 of 3 changed lines")
            || said.stdout.contains("1 of 2 changed lines"),
        "{}",
        said.stdout
    );
}

/// What no input has executed is named beside a difference, also where nothing executes it.
#[test]
fn a_difference_names_what_was_not_executed() {
    let old = LATE.replace("MORE", "");
    let more = "if (!malloc(10)) {\n        puts(\"no memory\");\n        return 3;\n    }";
    let new = LATE
        .replace("MORE", more)
        .replace("\"usage\"", "\"usage: late\"");
    let bench = Bench::new();
    bench.write("old.c", &old);
    bench.write("new.c", &new);
    let said = check(&bench, &["--timeout", "6s"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout
            .contains("executed by some input; not executed:\n  new.c:14 in main"),
        "{}",
        said.stdout
    );
    let json = check(&bench, &["--timeout", "6s", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_str(&json.stdout).expect("a report");
    let lines = report["exercise"]["not_executed"]
        .as_array()
        .expect("lines");
    assert!(lines.iter().any(|line| line["line"] == 14), "{lines:?}");
}

/// What stands behind `input:` can be pasted into any POSIX shell, whatever is in the input, and does what the report says of the new version.
#[test]
fn the_input_line_can_be_pasted() {
    let old = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main(int argc, char **argv) {
            char text[64] = "";
            size_t n = fread(text, 1, sizeof text - 1, stdin);
            char *mode = getenv("MODE");
            FILE *file = fopen("a.txt", "r");
            if (n == 2 && text[0] == 0 && text[1] == '%') puts("ONE");
            if (argc > 1 && argv[1][0] == 1 && argv[1][1] == '\'') puts("TWO");
            if (mode && mode[0] == '\'' && mode[1] == '\n') puts("THREE");
            if (file && getc(file) == 200) puts("FOUR");
            return 0;
        }
    "#;
    let words = [
        ("ONE", "one"),
        ("TWO", "two"),
        ("THREE", "three"),
        ("FOUR", "four"),
    ];
    let new = words
        .iter()
        .fold(old.to_owned(), |text, (old, new)| text.replace(old, new));
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", &new);
    let bounds = [
        "--sym-args",
        "0",
        "1",
        "2",
        "--sym-stdin",
        "0..2",
        "--sym-env",
        "MODE",
        "2",
        "--sym-file",
        "a.txt",
        "0..1",
    ];
    let said = check(&bench, &bounds);
    let commands: Vec<&str> = said
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("   input: "))
        .collect();
    assert_eq!(commands.len(), words.len(), "{}", said.stdout);
    let mut shown: Vec<String> = commands
        .iter()
        .map(|command| bench.shell(command).stdout)
        .collect();
    shown.sort();
    assert_eq!(
        shown,
        ["four\n", "one\n", "three\n", "two\n"],
        "{}",
        said.stdout
    );
}

/// A long standard input comes from the test that is left behind.
#[test]
fn a_long_input_can_be_pasted() {
    let old = r#"
        #include <stdio.h>
        int main(void) {
            char text[200];
            return fread(text, 1, sizeof text, stdin) == 90 && text[89] == 7;
        }
    "#;
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", &old.replace("== 7", "== 8"));
    let said = check(&bench, &["--sym-stdin", "90"]);
    let mut lines = said.stdout.lines();
    let command = lines
        .find_map(|line| line.strip_prefix("   input: "))
        .expect("an input");
    assert!(
        command.contains(" <.parallax/check/new/001/new/stdin"),
        "{command}"
    );
    let status = bench
        .shell(&format!("{command} && echo 0 || echo $?"))
        .stdout;
    assert!(["0\n", "1\n"].contains(&&status[..]), "{status}");
}
