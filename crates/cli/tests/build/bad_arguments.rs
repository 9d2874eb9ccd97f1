//! What a user can get wrong on the command line of `run` and `debug`, beyond the program itself (see
//! `build.rs` for that): status 2, one message with the cause, nothing on standard output, nothing left.

use crate::support::Bench;

#[test]
fn of_a_run() {
    let bench = Bench::new();
    bench.write("good.c", "int main(void) { return 0; }\n");
    bench.write("notes.txt", "words");
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["--file", "absent=x"],
            &["cannot read host file `absent`", "No such file"],
        ),
        (
            &["--file", ".=x"],
            &["cannot read host file `.`", "directory"],
        ),
        (&["--file", "notes.txt"], &["--file", "joined by `=`"]),
        (
            &["--stdin", "absent"],
            &["standard input from `absent`", "No such file"],
        ),
        (
            &["--cwd", "notes.txt"],
            &["notes.txt` as working folder", "not a folder"],
        ),
        (
            &["--cwd", "absent"],
            &["`absent` as working folder", "No such file"],
        ),
        (&["--env", "NAME"], &["--env", "joined by `=`"]),
        (&["--env", "=value"], &["--env", "joined by `=`"]),
        (&["--user", "root"], &["--user", "joined by `:`"]),
        (&["--user", "0:wheel"], &["`wheel` is not a number"]),
        (&["--max-steps", "many"], &["--max-steps", "invalid"]),
        (&["--format", "xml"], &["--format", "text, json"]),
        (&["--no-such-flag"], &["--no-such-flag", "--help"]),
        (&["--target"], &["--target"]),
    ];
    for (arguments, expected) in cases {
        let mut all = vec!["run", "good.c"];
        all.extend(*arguments);
        expect_error(&bench, &all, expected);
    }
    bench.assert_no_leftovers();
}

#[test]
fn of_a_dump() {
    let bench = Bench::new();
    bench.write("good.c", "int main(void) { return 0; }\n");
    let cases: &[(&[&str], &[&str])] = &[
        (
            &["ir", "good.c", "--function", "absent"],
            &["no function `absent`"],
        ),
        (
            &["code", "good.c", "--function", "mai"],
            &["no function `mai`", "main"],
        ),
        (&["cfg", "good.c"], &["--function NAME"]),
        (
            &["cfg", "absent.c", "--function", "main"],
            &["`absent.c` does not exist"],
        ),
    ];
    for (arguments, expected) in cases {
        let mut all = vec!["debug"];
        all.extend(*arguments);
        expect_error(&bench, &all, expected);
    }
    bench.assert_no_leftovers();
}

fn expect_error(bench: &Bench, arguments: &[&str], expected: &[&str]) {
    let said = bench.parallax(arguments);
    assert_eq!(said.status, 2, "{arguments:?}: {}", said.stderr);
    assert_eq!(said.stdout, "", "{arguments:?}");
    assert_eq!(
        said.stderr.matches("error:").count(),
        1,
        "{arguments:?}: {}",
        said.stderr
    );
    for text in expected {
        assert!(
            said.stderr.contains(text),
            "{arguments:?}: {} lacks {text}",
            said.stderr
        );
    }
}
