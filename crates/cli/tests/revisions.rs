//! Versions out of git (`--git`) for `check`, `diff`, `impact` and `graph`: which ones are meant, how they are built, and
//! what must stay as it is.

mod support;

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use support::{Bench, Said, parallax, said};

const SUM: &str = "#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int total = 0;
    for (int i = 1; i < argc; i++)
        total += atoi(argv[i]);
    printf(\"%d\\n\", total);
    return 0;
}
";

/// A program in three commits: it skips a word, then it returns its sum. The first is tagged.
fn three_commits() -> Bench {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.commit_file("sum.c", SUM, "Begin");
    bench.git(&["tag", "v1"]);
    let skipping = SUM.replace("i = 1", "i = 2");
    bench.commit_file("sum.c", &skipping, "Skip a word");
    let returning = skipping.replace("return 0", "return total");
    bench.commit_file("sum.c", &returning, "Return the sum");
    bench
}

fn diff(bench: &Bench, span: &str) -> Said {
    bench.parallax(&["diff", "--git", span])
}

/// Which statements a `diff` calls modified.
fn changed(said: &Said) -> Vec<&str> {
    let lines = said.stdout.lines().map(str::trim);
    lines
        .filter_map(|line| line.strip_prefix('+'))
        .map(str::trim)
        .collect()
}

#[test]
fn what_an_argument_means() {
    let bench = three_commits();
    let skips = "for (int i = 2; i < argc; i++)";
    let returns = "return total;";
    let has = |span: &str, expected: &[&str]| {
        let said = diff(&bench, span);
        assert_eq!(said.status, 1, "{span}: {}{}", said.stdout, said.stderr);
        for line in [skips, returns] {
            let is_changed = changed(&said).iter().any(|text| text.contains(line));
            assert_eq!(
                is_changed,
                expected.contains(&line),
                "{span}: {}",
                said.stdout
            );
        }
    };
    has("HEAD~1", &[returns]);
    has("v1", &[skips, returns]);
    has("v1..HEAD~1", &[skips]);
    has("v1..", &[skips, returns]);
    has("HEAD~1..main", &[returns]);
    // The other way round.
    let said = diff(&bench, "HEAD..HEAD~1");
    assert!(said.stdout.contains("return 0;"), "{}", said.stdout);

    // What came since a branch left, whatever happened to the branch meanwhile.
    bench.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    bench.commit_file("sum.c", &SUM.replace("i = 1", "i = 3"), "Skip two");
    let said = diff(&bench, "main...");
    assert!(said.stdout.contains("i = 3"), "{}", said.stdout);
    assert!(!said.stdout.contains("return total"), "{}", said.stdout);
    has("side...main", &[returns]);

    // Uncommitted changes, marked for the next commit or not, and new files.
    bench.git(&["checkout", "-q", "main"]);
    bench.write(".gitignore", "ignored.c\n");
    bench.write("ignored.c", "not C at all\n");
    bench.write("more.c", "int more(void) { return 7; }\n");
    bench.git(&["add", "more.c"]);
    bench.write(
        "sum.c",
        &SUM.replace(
            "int total = 0",
            "extern int more(void);\n    int total = more()",
        ),
    );
    let before = bench.everything();
    let said = diff(&bench, "HEAD..");
    assert_eq!(said.status, 1, "{}", said.stderr);
    assert!(said.stdout.contains("total = more()"), "{}", said.stdout);
    assert!(said.stdout.contains("added: more"), "{}", said.stdout);
    assert_eq!(bench.everything(), before);
    bench.git(&["checkout", "-q", "."]);
    bench.git(&["rm", "-q", "--cached", "more.c"]);
    fs::remove_file(bench.path("more.c")).unwrap();
    let said = diff(&bench, "HEAD..");
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    bench.assert_no_leftovers();
}

/// A difference is found, run natively, and told with the names of the revisions.
#[test]
fn a_check_of_two_revisions() {
    let bench = three_commits();
    let before = bench.everything();
    let said = bench.parallax(&["check", "--git", "HEAD~1", "--", "x", "5"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("confirmed"), "{}", said.stdout);
    assert!(said.stdout.contains("sum.c:9"), "{}", said.stdout);
    assert_eq!(bench.everything(), before);
    let script = bench.path(".parallax/check/work/1/reproduce.sh");
    let script = match script.exists() {
        true => script,
        false => find(&bench.path(".parallax"), "reproduce.sh"),
    };
    let shown = support::said(bench.command("sh").arg(script));
    assert_eq!(shown.status, 1, "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.contains("exit status 5"), "{}", shown.stdout);

    let said = bench.parallax(&["check", "--git", "v1..HEAD~1", "--", "4"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let head = bench.git(&["rev-parse", "--short=10", "HEAD"]);
    bench.commit_file("README", "It adds up.\n", "Say what it does");
    let said = bench.parallax(&["check", "--git", "HEAD~1"]);
    assert_eq!(said.status, 0, "{}{}", said.stdout, said.stderr);
    let words = format!("HEAD~1 ({head}) and HEAD (");
    assert!(said.stdout.contains(&words), "{}", said.stdout);
    let said = bench.parallax(&["check", "--git", "v1..HEAD", "--fn", "main"]);
    assert_ne!(said.status, 101, "{}", said.stderr);
    bench.assert_no_leftovers();
}

fn find(folder: &Path, name: &str) -> std::path::PathBuf {
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.file_name().is_some_and(|own| own == name) {
                return path;
            }
        }
    }
    panic!("no {name} below {}", folder.display());
}

#[test]
fn impact_and_graph_take_revisions_too() {
    let bench = three_commits();
    let said = bench.parallax(&["impact", "--git", "HEAD~1"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("return total"), "{}", said.stdout);
    let said = bench.parallax(&["graph", "csg", "--git", "v1"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stdout.contains("digraph"), "{}", said.stdout);
    bench.write("tests", "1 2\n");
    let said = bench.parallax(&["impact", "--git", "HEAD~1", "--tests", "tests"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("1 2"), "{}", said.stdout);
}

/// `__FILE__` and debug information say the same wherever a version lies.
#[test]
fn no_place_shows() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    let text = "#include <stdio.h>\nint main(void) { puts(__FILE__); return VALUE; }\n";
    let make = "CFLAGS = -O1\nall: plain full\nplain: main.c\n\t$(CC) -DVALUE=0 -o $@ main.c\n\
                full: main.c\n\t$(CC) -DVALUE=0 -o $@ $(CURDIR)/main.c\n";
    bench.write("main.c", text);
    bench.commit_file("Makefile", make, "Begin");
    bench.commit_file("Makefile", &make.replace("VALUE=0", "VALUE=1"), "Fail");
    for target in ["plain", "full"] {
        let said = bench.parallax(&[
            "check", "--git", "HEAD~1", "--target", target, "--format", "json",
        ]);
        assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
        let report = said.json();
        let differences = report["differences"].as_array().unwrap();
        assert_eq!(differences.len(), 1, "{report:#}");
        let one = &differences[0];
        assert_eq!(one["confirmed_natively"], true, "{report:#}");
        assert_eq!(one["old"]["stdout"], one["new"]["stdout"], "{report:#}");
        let cache = bench.cache();
        let cache = cache.to_string_lossy();
        assert!(
            !one["old"]["stdout"].to_string().contains(&*cache),
            "{report:#}"
        );
    }
}
