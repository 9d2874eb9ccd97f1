//! `parallax review`, and checks of versions whose differences are accepted.

use crate::support::{Bench, Said, parallax};
use serde_json::Value;

const OLD: &str = r#"
#include <stdio.h>
static int price(int number) { return 12 * number; }
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    if (argv[1][0] == 'n') { puts("none"); return 0; }
    printf("%d\n", price(argv[1][0] & 7));
    return 0;
}
"#;

const DATE_AND_AUTHOR: [&str; 2] = ["--author", "Ada"];

fn new() -> String {
    OLD.replace("12 * number", "11 * number")
        .replace("\"none\"", "\"nothing\"")
}

fn check(bench: &Bench, more: &[&str]) -> Said {
    let mut arguments = vec!["check", "old.c", "new.c", "--sym-args", "1", "1", "1"];
    arguments.extend(["--save", "report.json"]);
    arguments.extend(more);
    bench.parallax(&arguments)
}

fn checked(new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", new);
    let said = check(&bench, &[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    bench
}

fn typed(bench: &Bench, lines: &str) -> Said {
    bench.write("typed", lines);
    bench.shell(&format!(
        "{} review report.json --author Ada <typed",
        parallax().display()
    ))
}

/// The fingerprints, in the order of a review.
fn fingerprints(bench: &Bench) -> Vec<String> {
    let said = bench.parallax(&["review", "report.json", "--list"]);
    let lines = said.stdout.lines().filter(|line| !line.starts_with(' '));
    let first = lines.filter_map(|line| line.split(' ').next());
    first.map(str::to_owned).collect()
}

#[test]
fn what_is_accepted_is_told_apart() {
    let bench = checked(&new());
    let all = fingerprints(&bench);
    assert_eq!(all.len(), 2, "{all:?}");
    // One of the two.
    let said = typed(&bench, "i\nfewer letters\nr\n");
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout
            .contains("1 difference accepted, 1 regression, 0 open"),
        "{}",
        said.stdout
    );
    let text = std::fs::read_to_string(bench.path("parallax-accepted.toml")).unwrap();
    assert!(
        text.contains(&format!("fingerprint = \"{}\"", all[0])),
        "{text}"
    );
    let said = check(&bench, &[]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let headline = "different: 2 kinds of difference, 1 of them accepted\n";
    assert!(said.stdout.starts_with(headline), "{}", said.stdout);
    assert!(
        said.stdout.contains("fewer letters (Ada, 2"),
        "{}",
        said.stdout
    );
    // Both, without being asked.
    let mut arguments = vec![
        "review",
        "report.json",
        "--accept",
        &all[1],
        "--reason",
        "new prices",
    ];
    arguments.extend(DATE_AND_AUTHOR);
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = check(&bench, &["--format", "json"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let found = said.json();
    assert_eq!(found["verdict"], "different");
    assert_eq!(found["verdict_apart_from_accepted"], "equivalent");
    assert_eq!(found["unaccepted"], 0);
    assert_eq!(found["differences"][0]["accepted"]["author"], "Ada");
    let said = check(&bench, &[]);
    let headline = "different: 2 kinds of difference, all accepted; both versions behave the same on every other input";
    assert!(said.stdout.starts_with(headline), "{}", said.stdout);
    // Taken back.
    let said = bench.parallax(&["review", "report.json", "--forget", &all[1]]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert_eq!(check(&bench, &[]).status, 1);
}

/// What is accepted hides nothing else: another edit of the same line, a difference elsewhere, what was not explored.
#[test]
fn what_is_accepted_hides_nothing_else() {
    let bench = checked(&new());
    assert_eq!(typed(&bench, "i\nfewer letters\ni\nnew prices\n").status, 0);
    assert_eq!(check(&bench, &[]).status, 0);
    bench.write("new.c", &new().replace("11 * number", "10 * number"));
    let said = check(&bench, &[]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout.contains("1 of them accepted"),
        "{}",
        said.stdout
    );
    bench.write("new.c", &new().replace("return 2;", "return 3;"));
    let bounds = ["--sym-args", "0", "1", "1"];
    let another = bench.parallax(&[&["check", "old.c", "new.c"], &bounds[..]].concat());
    assert_eq!(another.status, 1, "{}", another.stdout);
    assert!(
        another.stdout.contains("2 of them accepted"),
        "{}",
        another.stdout
    );
    bench.write("new.c", &new());
    let cut = check(&bench, &["--fresh", "--runs", "2"]);
    assert_ne!(cut.status, 0, "{}", cut.stdout);
    // Bounds that grow stop at a difference, so nothing is known of larger ones.
    let grown = bench.parallax(&["check", "old.c", "new.c", "--timeout", "20s"]);
    assert_eq!(grown.status, 3, "{}{}", grown.stdout, grown.stderr);
    assert!(grown.stdout.contains("give bounds"), "{}", grown.stdout);
}

/// What is not known does not become `equivalent` by acceptance.
#[test]
fn what_is_not_known_stays_so() {
    let source = OLD.replace(
        "return 0;\n}",
        "int left; if (argv[1][0] == 'u') putchar(left); return 0;\n}",
    );
    let bench = Bench::new();
    bench.write("old.c", &source);
    bench.write("new.c", &source.replace("12 * number", "11 * number"));
    assert_eq!(check(&bench, &[]).status, 1);
    let said = typed(&bench, "i\na\ni\nb\ni\nc\n");
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let said = check(&bench, &[]);
    assert_eq!(said.status, 3, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("memory that it never wrote"),
        "{}",
        said.stdout
    );
}

#[test]
fn a_review_can_be_undone_filtered_and_broken_off() {
    let bench = checked(&new());
    let all = fingerprints(&bench);
    // A reason is needed; what was decided is undone; the end of the input ends the review.
    let said = typed(&bench, "?\ni\n\ni\nwhy\nu\nl\n");
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("needs a reason"), "{}", said.stdout);
    assert!(
        said.stdout.contains("0 differences accepted"),
        "{}",
        said.stdout
    );
    let listed = |all: &[String]| {
        bench
            .parallax(&["review", "report.json", "--list"])
            .stdout
            .matches("accepted: ")
            .count()
            == all.len()
    };
    assert!(listed(&[]));
    let said = typed(&bench, "f\nno such text\n");
    assert_eq!(
        said.stdout.matches("[1 of 2]").count(),
        1,
        "{}",
        said.stdout
    );
    assert!(!said.stdout.contains("[2 of 2]"), "{}", said.stdout);
    let said = typed(&bench, "f\nnothing\ni\nwhy\nq\n");
    assert!(
        said.stdout.contains("1 difference accepted"),
        "{}",
        said.stdout
    );
    assert!(listed(&all[..1]));
}

/// What people write into the file stays, and what is wrong in it is named by its place.
#[test]
fn the_file_belongs_to_people() {
    let bench = checked(&new());
    let all = fingerprints(&bench);
    let by_hand = format!(
        "# ours\n[[accepted]]\nreason = \"by hand\" # yes\nfingerprint = \"{}\"\n",
        all[0]
    );
    bench.write("parallax-accepted.toml", &by_hand);
    let said = bench.parallax(&[
        "review",
        "report.json",
        "--accept",
        &all[1],
        "--reason",
        "a\n[[accepted]]\"'",
    ]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let text = std::fs::read_to_string(bench.path("parallax-accepted.toml")).unwrap();
    assert!(text.starts_with(&by_hand), "{text}");
    assert_eq!(text.matches("fingerprint").count(), 2, "{text}");
    assert_eq!(check(&bench, &[]).status, 0);
    for (wrong, place) in [
        (
            "[[accepted]]\nfingerprint = 3\nreason = \"\"\n",
            "line 2, column 15",
        ),
        (
            "[[accepted]]\nfingerprint = \"a\"\n",
            "missing field `reason`",
        ),
        ("[[accepted]\n", "line 1"),
        (
            "[[accepted]]\nfingerprint = \"a\"\nreason = \"\"\nresaon = \"\"\n",
            "line 4",
        ),
        (
            "[[accepted]]\nfingerprint = \"a\"\nreason = \"\"\n[[accepted]]\nfingerprint = \"a\"\nreason = \"\"\n",
            "twice",
        ),
    ] {
        bench.write("parallax-accepted.toml", wrong);
        for said in [
            check(&bench, &[]),
            bench.parallax(&["review", "report.json", "--list"]),
        ] {
            assert_eq!(said.status, 2, "{wrong}: {}{}", said.stdout, said.stderr);
            assert!(said.stderr.contains(place), "{wrong}: {}", said.stderr);
        }
        let kept = std::fs::read_to_string(bench.path("parallax-accepted.toml")).unwrap();
        assert_eq!(kept, wrong);
    }
}

#[test]
fn wrong_calls_are_answered() {
    let bench = checked(&new());
    let all = fingerprints(&bench);
    for (arguments, expected) in [
        (&["--accept", "abc", "--reason", "x"][..], "--list"),
        (&["--accept", &all[0]][..], "--reason"),
        (
            &["--accept", &all[0], "--reason", " "][..],
            "`--reason` is empty",
        ),
        (&["--forget", "abc"][..], "nothing to take back"),
        (
            &[
                "--accepted",
                "no/such/folder/file.toml",
                "--accept",
                &all[0],
                "--reason",
                "x",
            ][..],
            "cannot write",
        ),
    ] {
        let mut all = vec!["review", "report.json"];
        all.extend(arguments);
        let said = bench.parallax(&all);
        assert_eq!(
            said.status, 2,
            "{arguments:?}: {}{}",
            said.stdout, said.stderr
        );
        assert!(
            said.stderr.contains(expected),
            "{arguments:?}: {}",
            said.stderr
        );
    }
    let said = check(&bench, &["--accepted", "none.toml"]);
    assert_eq!(said.status, 2, "{}", said.stderr);
    assert!(
        said.stderr.contains("there is no file `none.toml`"),
        "{}",
        said.stderr
    );
}

/// All formats tell an accepted difference from the others.
#[test]
fn every_format_says_accepted() {
    let bench = checked(&new());
    assert_eq!(typed(&bench, "i\nfewer letters\ni\nnew prices\n").status, 0);
    let format = |format: &str| {
        let arguments = ["report", "report.json", "--out", "-", "--format", format];
        let arguments = match format {
            "html" => vec!["report", "report.json", "--out", "page.html"],
            _ => [&arguments[..2], &arguments[4..]].concat(),
        };
        let said = bench.parallax(&arguments);
        assert_eq!(said.status, 0, "{}", said.stderr);
        match format {
            "html" => std::fs::read_to_string(bench.path("page.html")).unwrap(),
            _ => said.stdout,
        }
    };
    let sarif: Value = serde_json::from_str(&format("sarif")).unwrap();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        assert_eq!(result["suppressions"][0]["status"], "accepted");
    }
    let junit = format("junit");
    assert!(!junit.contains("<failure"), "{junit}");
    assert_eq!(junit.matches("<skipped").count(), 2, "{junit}");
    assert_eq!(format("markdown").matches("Accepted: ").count(), 2);
    assert_eq!(format("html").matches(">accepted</span>").count(), 2);
    let text = format("text");
    assert_eq!(text.matches("accepted: ").count(), 2, "{text}");
    // A test that asks for what is not wanted any more is not written.
    let tests = bench.parallax(&["tests", "report.json", "--no-run"]);
    assert!(
        tests.stdout.contains("so the old behaviour is not wanted"),
        "{}{}",
        tests.stdout,
        tests.stderr
    );
}
