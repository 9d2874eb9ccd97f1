//! Versions out of git (`--git`) for `check`, `diff`, `impact` and `graph`: which ones are meant, how they are built, and
//! what must stay as it is.

use std::fs;

use crate::support::repository::assert_same;
use crate::support::{Bench, Said, parallax, said};

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
    assert!(said.stdout.contains("added more"), "{}", said.stdout);
    assert_same(&before, &bench.everything(), "afterwards");
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
    assert!(said.stdout.contains("seen natively"), "{}", said.stdout);
    assert!(said.stdout.contains("sum.c:9"), "{}", said.stdout);
    assert_same(&before, &bench.everything(), "afterwards");
    let script = bench.path(".parallax/check/work/001/reproduce.sh");
    let shown = crate::support::said(bench.command("sh").arg(script));
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

/// One clear message that says what to do, and nothing lost.
#[test]
fn bad_input() {
    let bench = three_commits();
    let cases: &[(&str, &[&str])] = &[
        ("absent", &["no revision `absent`", "git log"]),
        ("HEAD..absent", &["no revision `absent`"]),
        ("HEAD", &["`HEAD` compares `HEAD` with itself", "HEAD.."]),
        ("HEAD --all", &["does not name two versions", "OLD..NEW"]),
    ];
    for (span, expected) in cases {
        let said = diff(&bench, span);
        assert_eq!(said.status, 2, "{span}: {}", said.stderr);
        for text in *expected {
            assert!(
                said.stderr.contains(text),
                "{span}: {} lacks {text}",
                said.stderr
            );
        }
    }
    let said = bench.parallax(&["diff", "--git", "HEAD~1", "sum.c", "sum.c"]);
    assert!(
        said.stderr.contains("cannot be used with"),
        "{}",
        said.stderr
    );
    let said = bench.parallax(&["diff", "--build", "make", "sum.c", "sum.c"]);
    assert!(said.stderr.contains("--git"), "{}", said.stderr);

    // Two roots have no merge base.
    bench.git(&["checkout", "-q", "--orphan", "other"]);
    bench.commit_all("Begin again");
    let said = diff(&bench, "main...");
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("no common ancestor"),
        "{}",
        said.stderr
    );
    bench.git(&["checkout", "-q", "main"]);

    // A revision that does not build, and one that cannot be built at all.
    bench.commit_file("sum.c", &SUM.replace("int total", "int totl"), "Break it");
    let head = bench.git(&["rev-parse", "--short=10", "HEAD"]);
    let said = diff(&bench, "HEAD~1");
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("sum.c:7:9: error"), "{}", said.stderr);
    bench.git(&["rm", "-q", "sum.c"]);
    bench.commit_file("notes.txt", "words\n", "Leave");
    let said = diff(&bench, "HEAD~1");
    assert_eq!(said.status, 2);
    for text in [
        "cannot build HEAD (",
        "nothing shows how it is built",
        "CMakeLists.txt",
        "[build]",
    ] {
        assert!(said.stderr.contains(text), "{} lacks {text}", said.stderr);
    }
    assert!(!said.stderr.contains(&head), "{}", said.stderr);

    // Nothing in common.
    bench.git(&["rm", "-q", "notes.txt"]);
    bench.commit_file(
        "other.c",
        "int other(void) { return 1; }\n",
        "Something else",
    );
    let said = diff(&bench, "v1..HEAD");
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("no function in common"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("v1 ("), "{}", said.stderr);
    bench.assert_no_leftovers();
}

#[test]
fn no_repository() {
    let bench = Bench::new();
    bench.write("sum.c", SUM);
    let mut command = bench.command(parallax());
    command.args(["diff", "--git", "HEAD"]);
    // The folders above a test's may be anything.
    command.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
    let outside = said(&mut command);
    assert_eq!(outside.status, 2);
    assert!(
        outside.stderr.contains("is not in a git repository"),
        "{}",
        outside.stderr
    );
    bench.git(&["init", "-q", "--bare", "bare"]);
    let mut command = bench.command(parallax());
    command
        .args(["diff", "--git", "HEAD.."])
        .current_dir(bench.path("bare"));
    let bare = said(&mut command);
    assert_eq!(bare.status, 2);
    assert!(
        bare.stderr.contains("no revision `HEAD`"),
        "{}",
        bare.stderr
    );
}

#[test]
fn a_shallow_clone() {
    let bench = three_commits();
    let from = format!("file://{}", bench.folder().display());
    bench.git(&["clone", "-q", "--depth", "1", &from, "shallow"]);
    let mut command = bench.command(parallax());
    command
        .args(["diff", "--git", "HEAD~1"])
        .current_dir(bench.path("shallow"));
    let found = said(&mut command);
    assert_eq!(found.status, 2);
    assert!(
        found.stderr.contains("git fetch --unshallow"),
        "{}",
        found.stderr
    );
}

#[test]
fn programs_that_are_not_in_both() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.write("sum.c", SUM);
    let makefile = |names: &str| {
        format!("all: {names}\n{names}: sum.c\n\t$(CC) -DNAME='\"$@\"' -o $@ sum.c\n")
    };
    bench.commit_file("Makefile", &makefile("sum"), "One program");
    bench.commit_file("Makefile", &makefile("sum total"), "Two programs");
    bench.commit_file("Makefile", &makefile("total"), "The other program");
    let said = diff(&bench, "HEAD~2..HEAD~1");
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("several programs"), "{}", said.stderr);
    assert!(
        said.stderr.contains("--target NAME") && said.stderr.contains("sum, total"),
        "{}",
        said.stderr
    );
    let said = bench.parallax(&["diff", "--git", "HEAD~2..HEAD~1", "--target", "sum"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let said = bench.parallax(&["diff", "--git", "HEAD~1", "--target", "sum"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr
            .contains("no program or library named `sum`; it builds total"),
        "{}",
        said.stderr
    );
    let said = diff(&bench, "HEAD~2..HEAD");
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("called `sum` in HEAD~2"),
        "{}",
        said.stderr
    );
    // A build that does not use the compiler it is given.
    bench.commit_file(
        "Makefile",
        &makefile("total").replace("$(CC)", "cc"),
        "Insist",
    );
    let said = diff(&bench, "HEAD~1");
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("built through `parallax cc`"),
        "{}",
        said.stderr
    );
}

#[test]
fn submodules() {
    let bench = Bench::new();
    bench.git(&["init", "-q", "library"]);
    bench.write("library/part.h", "#define PART 1\n");
    let commit = |text: &str| {
        bench.git_in("library", &["add", "-A"]);
        bench.git_in("library", &["commit", "-q", "-m", text]);
    };
    commit("Begin");
    bench.git(&["init", "-q", "main"]);
    bench.git_in(
        "main",
        &["submodule", "--quiet", "add", "../library", "library"],
    );
    bench.write(
        "main/main.c",
        "#include \"library/part.h\"\nint main(void) { return PART; }\n",
    );
    bench.git_in("main", &["add", "-A"]);
    bench.git_in("main", &["commit", "-q", "-m", "Begin"]);
    bench.write("library/part.h", "#define PART 2\n");
    commit("Another value");
    bench.git_in("main/library", &["pull", "-q"]);
    bench.git_in(
        "main",
        &["commit", "-q", "-a", "-m", "Take the other value"],
    );
    let run = |span: &str, folder: &str| {
        let mut command = bench.command(parallax());
        command
            .args(["check", "--git", span])
            .current_dir(bench.path(folder));
        said(&mut command)
    };
    let before = bench.everything();
    let found = run("HEAD~1", "main");
    assert_eq!(found.status, 1, "{}{}", found.stdout, found.stderr);
    assert_same(&before, &bench.everything(), "afterwards");
    // What is not committed inside it belongs to no revision.
    bench.write("main/library/part.h", "#define PART 3\n");
    let found = run("HEAD..", "main");
    assert_eq!(found.status, 2);
    assert!(
        found
            .stderr
            .contains("submodule `library` has uncommitted changes"),
        "{}",
        found.stderr
    );
    let found = run("HEAD~1", "main");
    assert_eq!(found.status, 1, "committed revisions: {}", found.stderr);
    // A copy without the submodule's files.
    bench.write("main/Makefile", "prog: main.c\n\t$(CC) -o prog main.c\n");
    bench.git_in("main", &["add", "Makefile"]);
    bench.git_in("main", &["commit", "-q", "-m", "Build"]);
    bench.git(&["clone", "-q", "main", "copy"]);
    let found = run("HEAD..", "copy");
    assert_eq!(found.status, 2);
    assert!(
        found.stderr.contains("git submodule update --init library"),
        "{}",
        found.stderr
    );
}

/// What lies where we want to write is not ours.
#[test]
fn a_file_in_the_way() {
    let bench = three_commits();
    bench.write(".parallax", "mine\n");
    let said = bench.parallax(&["check", "--git", "HEAD~1", "--", "x", "5"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot make the folder"),
        "{}",
        said.stderr
    );
    assert_eq!(
        fs::read_to_string(bench.path(".parallax")).unwrap(),
        "mine\n"
    );
    let revisions = bench.cache().join("revisions");
    fs::remove_dir_all(&revisions).unwrap();
    fs::write(&revisions, "mine\n").unwrap();
    let said = diff(&bench, "HEAD~1");
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot create `") && said.stderr.contains("revisions"),
        "{}",
        said.stderr
    );
    assert_eq!(fs::read_to_string(&revisions).unwrap(), "mine\n");
}

/// A hook of the user's does not run, and what a broken run left is begun anew.
#[test]
fn hooks_and_damage() {
    let bench = three_commits();
    for hook in ["post-checkout", "post-index-change"] {
        bench.write_script(
            &format!(".git/hooks/{hook}"),
            "#!/bin/sh\ntouch \"$(dirname \"$0\")/ran\"\n",
        );
    }
    assert_eq!(diff(&bench, "HEAD~1..").status, 1);
    assert!(!bench.path(".git/hooks/ran").exists());
    let revisions = bench.cache().join("revisions");
    let mut kept = 0;
    for entry in fs::read_dir(&revisions).unwrap() {
        let folder = entry.unwrap().path();
        fs::remove_file(folder.join("version.json")).unwrap();
        fs::remove_dir_all(folder.join("tree")).unwrap();
        kept += 1;
    }
    assert_eq!(kept, 2);
    assert_eq!(diff(&bench, "HEAD~1..").status, 1);
}

/// What one has only fetched may be a stranger's. What is on one's own branches one builds anyway.
#[test]
fn a_revision_that_was_only_fetched_is_said_to_be_built_with_all_rights() {
    let bench = three_commits();
    bench.git(&["checkout", "-q", "-b", "side"]);
    bench.commit_file("sum.c", &SUM.replace("i = 1", "i = 3"), "Skip two");
    let reminder = "on no branch of yours, and built with all of your rights";
    for span in ["main..side", "v1", "side~1.."] {
        let said = diff(&bench, span);
        assert!(!said.stderr.contains(reminder), "{span}: {}", said.stderr);
    }
    // As after a fetch.
    bench.git(&["update-ref", "refs/remotes/origin/side", "side"]);
    bench.git(&["checkout", "-q", "main"]);
    bench.git(&["branch", "-q", "-D", "side"]);
    let said = diff(&bench, "main..origin/side");
    assert_eq!(said.stderr.matches(reminder).count(), 1, "{}", said.stderr);
    assert!(
        said.stderr.contains("origin/side (") && !said.stderr.contains("main ("),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("--box-build"), "{}", said.stderr);
    // A CI server has no branch, and has checked out what it builds.
    bench.git(&["checkout", "-q", "origin/side"]);
    let said = diff(&bench, "main..HEAD");
    assert!(!said.stderr.contains(reminder), "{}", said.stderr);
}

/// The functions of a program that is not decided are compared by themselves, also out of git.
#[test]
fn functions_below_a_report() {
    let old = "#include <stdio.h>
int twice(int x) { while (x > 1000) x -= 7; return x + x; }
int main(void)
{
    FILE *file = fopen(\"/etc/no-such-program.conf\", \"r\");
    if (file) printf(\"%d\\n\", twice(getc(file)));
    return 0;
}
";
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.commit_file("prog.c", old, "Begin");
    bench.commit_file(
        "prog.c",
        &old.replace("x + x", "2 * x + (x == 77)"),
        "Change",
    );
    let said = bench.parallax(&["check", "--git", "HEAD~1..HEAD", "--timeout", "10s"]);
    assert!(
        said.stdout.starts_with("not exercised"),
        "{}{}",
        said.stdout,
        said.stderr
    );
    assert!(
        said.stdout.contains("different      twice  twice(x = 77)"),
        "{}",
        said.stdout
    );
}
