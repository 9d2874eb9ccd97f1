//! `parallax complexity --git` on small repositories, each made here, and what it must leave alone.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::support::{Bench, Said, parallax, said};
use serde_json::Value;

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

fn git(bench: &Bench, arguments: &[&str]) -> String {
    let mut command = bench.command("git");
    command
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args([
            "-c",
            "init.defaultBranch=main",
            "-c",
            "commit.gpgSign=false",
        ])
        .args(arguments)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_SYSTEM", "/dev/null");
    let said = said(&mut command);
    assert_eq!(said.status, 0, "git {arguments:?}: {}", said.stderr);
    said.stdout.trim().to_owned()
}

/// Writes a file and commits everything.
fn commit(bench: &Bench, name: &str, text: &str, subject: &str) {
    bench.write(name, text);
    git(bench, &["add", "-A"]);
    git(bench, &["commit", "-q", "-m", subject]);
}

/// A program, a changed word, a word about it, a version that does not compile, the mended one, a longer one.
fn six_commits() -> Bench {
    let bench = Bench::new();
    git(&bench, &["init", "-q"]);
    commit(&bench, "sum.c", SUM, "Begin");
    let skipping = SUM.replace("i = 1", "i = 2");
    commit(&bench, "sum.c", &skipping, "Skip a word");
    commit(&bench, "README", "It adds up.\n", "Say what it does");
    let broken = skipping.replace("int total", "int totl");
    commit(&bench, "sum.c", &broken, "Break | it");
    let mended = skipping.replace("return 0", "return total");
    commit(&bench, "sum.c", &mended, "Mend it");
    let longer = mended.replace("return", "if (total > 7) puts(\"many\");\n    return");
    commit(&bench, "sum.c", &longer, "Say if there are many");
    bench
}

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {}", said.stderr))
}

#[test]
fn a_row_for_each_commit() {
    let bench = six_commits();
    // What the user is working on, and has marked for the next commit, stays as it is.
    bench.write("sum.c", "not C at all\n");
    bench.write("new.c", "nor this\n");
    git(&bench, &["add", "new.c"]);
    let state = || {
        let commands = [
            "status --porcelain",
            "worktree list",
            "for-each-ref",
            "stash list",
        ];
        commands.map(|command| git(&bench, &command.split(' ').collect::<Vec<_>>()))
    };
    let before = state();

    let said = bench.parallax(&["complexity", "--git", "HEAD~5..", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let report = json(&said);
    let rows = report["commits"].as_array().unwrap();
    let subjects: Vec<&str> = rows
        .iter()
        .map(|row| row["subject"].as_str().unwrap())
        .collect();
    let expected = [
        "Skip a word",
        "Say what it does",
        "Break | it",
        "Mend it",
        "Say if there are many",
    ];
    assert_eq!(subjects, expected);
    let numbers = |row: &Value| {
        let names = ["cycc", "cloc", "nodes", "edges", "changed_functions"];
        names.map(|name| row[name].as_u64())
    };
    assert_eq!(numbers(&rows[0]), [1, 1, 3, 2, 1].map(Some));
    assert_eq!(numbers(&rows[1]), [0; 5].map(Some));
    assert_eq!(numbers(&rows[2]), [None; 5]);
    let reason = rows[2]["skipped"].as_str().unwrap();
    assert!(
        reason.contains("does not build") && reason.contains("sum.c:7:9: error:"),
        "{reason}"
    );
    assert!(!reason.contains("/history/"), "{reason}");
    assert_eq!(rows[3]["skipped"], "its parent does not build");
    assert_eq!(numbers(&rows[4]), [2, 1, 4, 4, 1].map(Some));
    assert_eq!(report["summary"]["measured"], 3);
    assert_eq!(report["summary"]["changed"], 2);
    assert!(report["summary"]["mean_analysis_ms"].as_f64().unwrap() > 0.0);

    let said = bench.parallax(&[
        "complexity",
        "--git",
        "HEAD~5..HEAD",
        "--source",
        "sum.c",
        "-j",
        "3",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let rows: Vec<&str> = said.stdout.lines().collect();
    assert!(
        rows[0].starts_with("commit ") && rows[0].ends_with(" subject"),
        "{}",
        rows[0]
    );
    let row = rows[1].split_whitespace().collect::<Vec<_>>();
    assert_eq!(row[1..6], ["1", "1", "3", "2", "1"], "{}", said.stdout);
    assert!(
        rows[4].contains("skipped: it does not build: sum.c:7:9: error: "),
        "{}",
        rows[4]
    );
    assert!(
        said.stdout
            .contains("5 commits: 2 with a change that can be executed, 1 without, 2 skipped"),
        "{}",
        said.stdout
    );
    // A cell cannot be ended by a subject.
    let said = bench.parallax(&[
        "complexity",
        "--git",
        "HEAD~5..HEAD",
        "--format",
        "markdown",
    ]);
    let table: Vec<&str> = said
        .stdout
        .lines()
        .filter(|line| line.starts_with('|'))
        .collect();
    assert_eq!(table.len(), 2 + 5, "{}", said.stdout);
    for row in table {
        assert_eq!(row.replace("\\|", "").matches('|').count(), 9, "{row}");
    }

    assert_eq!(state(), before);
    assert_eq!(
        fs::read_to_string(bench.path("sum.c")).unwrap(),
        "not C at all\n"
    );
    bench.assert_no_leftovers();
}

/// The merge is what came in through it; the commits of the branch are not rows.
#[test]
fn a_merge_is_compared_to_its_first_parent() {
    let bench = Bench::new();
    git(&bench, &["init", "-q"]);
    commit(&bench, "sum.c", SUM, "Begin");
    git(&bench, &["checkout", "-q", "-b", "side"]);
    commit(&bench, "sum.c", &SUM.replace("return 0", "return 1"), "One");
    commit(&bench, "sum.c", &SUM.replace("return 0", "return 2"), "Two");
    git(&bench, &["checkout", "-q", "main"]);
    commit(&bench, "README", "words\n", "Document");
    git(&bench, &["merge", "-q", "--no-ff", "-m", "Join", "side"]);
    let said = bench.parallax(&["complexity", "--git", "HEAD~2..HEAD", "--format", "json"]);
    let report = json(&said);
    let rows = report["commits"].as_array().unwrap();
    let found: Vec<_> = rows
        .iter()
        .map(|row| (&row["subject"], &row["cloc"]))
        .collect();
    let expected = [
        (&Value::from("Document"), &Value::from(0)),
        (&Value::from("Join"), &Value::from(1)),
    ];
    assert_eq!(found, expected, "{report:#}");
}

/// A compiler that keeps a list of what it was asked to compile.
fn listing_compiler(bench: &Bench) -> std::path::PathBuf {
    let list = bench.path("compiled.txt");
    let script = format!(
        "#!/bin/sh\nfor last; do :; done\necho \"$last\" >>{}\nexec clang-22 \"$@\"\n",
        list.display()
    );
    bench.write_script("listing", &script)
}

#[test]
fn what_stays_the_same_is_compiled_once() {
    let bench = Bench::new();
    let compiler = listing_compiler(&bench);
    let list = bench.path("compiled.txt");
    git(&bench, &["init", "-q"]);
    bench.write("help.h", "int half(int);\n");
    bench.write(
        "help.c",
        "#include \"help.h\"\nint half(int n) { return n / 2; }\n",
    );
    let main = "#include \"help.h\"\nint main(int argc, char **argv) { return half(argc); }\n";
    commit(&bench, "main.c", main, "Begin");
    commit(
        &bench,
        "main.c",
        &main.replace("(argc)", "(argc + 1)"),
        "Change main",
    );
    commit(&bench, "notes", "words\n", "Take notes");
    commit(
        &bench,
        "help.h",
        "int half(int number);\n",
        "Name a parameter",
    );
    let measure = |jobs: &str| {
        let mut command = bench.command(parallax());
        command
            .args([
                "complexity",
                "--git",
                "HEAD~3..HEAD",
                "--source",
                "main.c",
                "help.c",
            ])
            .args(["--format", "json", "-j", jobs])
            .env("PARALLAX_CLANG", &compiler);
        let said = said(&mut command);
        assert_eq!(said.status, 0, "{}", said.stderr);
        let report = json(&said);
        let rows = report["commits"].as_array().unwrap().iter();
        rows.map(|row| row["cloc"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(measure("1"), [1, 0, 0]);
    let compiled = fs::read_to_string(&list).unwrap();
    let times = |name: &str| compiled.lines().filter(|line| *line == name).count();
    // The changed header is read by both files.
    assert_eq!((times("main.c"), times("help.c")), (3, 2), "{compiled}");
    fs::remove_file(&list).unwrap();
    assert_eq!(measure("2"), [1, 0, 0]);
    assert!(!list.exists(), "a second run compiles nothing");
}

#[test]
fn a_build_command() {
    let bench = Bench::new();
    git(&bench, &["init", "-q"]);
    bench.write("Makefile", "sum: sum.c\n\t$(CC) -o sum sum.c\n");
    commit(&bench, "sum.c", SUM, "Begin");
    commit(
        &bench,
        "sum.c",
        &SUM.replace("return 0", "return total"),
        "Return it",
    );
    let said = bench.parallax(&["complexity", "--git", "HEAD"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("has a Makefile") && said.stderr.contains("--build"),
        "{}",
        said.stderr
    );
    let with = |command: &str| {
        bench.parallax(&[
            "complexity",
            "--git",
            "HEAD",
            "--build",
            command,
            "--format",
            "json",
        ])
    };
    let report = json(&with("make"));
    assert_eq!(report["commits"][0]["cloc"], 1, "{report:#}");
    let said = with("make absent");
    assert_eq!(said.status, 2, "{}", said.stdout);
    let reason = json(&said)["commits"][0]["skipped"].to_string();
    assert!(reason.contains("No rule to make target"), "{reason}");
}

#[test]
fn a_rust_library() {
    let bench = Bench::new();
    git(&bench, &["init", "-q"]);
    bench.write(
        "Cargo.toml",
        "[package]\nname = \"half-way\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    let text = "pub struct Half(pub i32);
impl Half {
    pub fn of(n: i32) -> Half {
        Half(n / 2)
    }
}
";
    commit(&bench, "src/lib.rs", text, "Begin");
    commit(
        &bench,
        "src/lib.rs",
        &format!("// Halves.\n{text}"),
        "Explain",
    );
    commit(
        &bench,
        "src/lib.rs",
        &text.replace("n / 2", "n / 3"),
        "Divide by three",
    );
    let said = bench.parallax(&["complexity", "--git", "HEAD~2..", "--format", "json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let report = json(&said);
    assert_eq!(report["commits"][0]["cloc"], 0, "{report:#}");
    assert_eq!(report["commits"][1]["cloc"], 1, "{report:#}");
    // Cargo's files are ours, too.
    assert!(!bench.path("target").exists());
}

#[test]
fn a_plot() {
    let bench = six_commits();
    let said = bench.parallax(&["complexity", "--git", "HEAD~5..", "--plot", "out.svg"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let picture = fs::read_to_string(bench.path("out.svg")).unwrap();
    assert!(picture.starts_with("<svg") && picture.ends_with("</svg>\n"));
    for words in [
        "Complexity of the commits HEAD~5..",
        "5 commits: 2 with a change",
        "CyCC: median 1, mean 1.5",
        "CLoC: median 1, mean 1.0",
    ] {
        assert!(picture.contains(words), "{words}: {picture}");
    }
    let said = bench.parallax(&["complexity", "--git", "HEAD", "--plot", "absent/out.svg"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot write `absent/out.svg`"),
        "{}",
        said.stderr
    );
}

#[test]
fn bad_input() {
    let bench = six_commits();
    let root = git(&bench, &["rev-list", "--max-parents=0", "HEAD"]);
    let cases: &[(&[&str], &[&str])] = &[
        (&["--git", "absent"], &["no revision `absent`", "git log"]),
        (&["--git", "HEAD..absent"], &["no revision `absent`"]),
        (&["--git", "HEAD~99..HEAD"], &["no revision `HEAD~99`"]),
        (
            &["--git", "HEAD..HEAD"],
            &["no commit lies in `HEAD..HEAD`"],
        ),
        (
            &["--git", "HEAD..HEAD~2"],
            &["no commit lies in", "older revision comes first"],
        ),
        (&["--git", "HEAD~2...HEAD"], &["not a range", "A..B"]),
        (&["--git", "HEAD --all"], &["not a range"]),
        (&["--git", &root], &["no commit could be measured"]),
        (&["--git", "HEAD~2"], &["no commit could be measured"]),
        (
            &["--git", "HEAD", "--source", "absent.c"],
            &["`absent.c` is not in", "newest commit"],
        ),
        (
            &["--git", "HEAD", "sum.c", "sum.c"],
            &["cannot be used with"],
        ),
        (&["--git", "HEAD", "-j", "0"], &["'0'", "--jobs"]),
        (&["--plot", "x.svg"], &["--git"]),
        (&[], &["<OLD> <NEW>", "--git"]),
    ];
    for (arguments, expected) in cases {
        let said = bench.parallax(&[&["complexity"], *arguments].concat());
        assert_eq!(said.status, 2, "{arguments:?}: {}", said.stderr);
        for text in *expected {
            assert!(
                said.stderr.contains(text),
                "{arguments:?}: {} lacks {text}",
                said.stderr
            );
        }
    }
    let measure = |folder: &Path, path: Option<&str>| {
        let mut command = bench.command(parallax());
        command
            .args(["complexity", "--git", "HEAD"])
            .current_dir(folder);
        // The folders above a test's may be anything.
        command.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
        if let Some(path) = path {
            command.env("PATH", path);
        }
        said(&mut command)
    };
    let outside = tempfile::tempdir().unwrap();
    let said = measure(outside.path(), None);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("is not in a git repository"),
        "{}",
        said.stderr
    );
    let said = measure(&bench.folder(), Some("/nowhere"));
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("`git` was not found"),
        "{}",
        said.stderr
    );

    // A repository in which nothing can be built.
    fs::create_dir(bench.path("texts")).unwrap();
    commit(&bench, "texts/notes", "words\n", "Take notes");
    let said = measure(&bench.path("texts"), None);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr
            .contains("`texts/` has neither a Cargo.toml nor C files"),
        "{}",
        said.stderr
    );
    // One without a commit.
    git(&bench, &["init", "-q", "empty"]);
    let said = measure(&bench.path("empty"), None);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("no revision `HEAD`"),
        "{}",
        said.stderr
    );
    bench.assert_no_leftovers();
}

/// Compiles, except what holds the word `forever`: then it says so and waits to be killed.
const STUCK: &str = "#!/bin/sh
here=$(dirname \"$0\")
for last; do :; done
if grep -q forever \"$last\"; then
    echo $$ >\"$here/compiler.new\"
    mv \"$here/compiler.new\" \"$here/compiler\"
    read forever <\"$here/never\"
fi
exec clang-22 \"$@\"
";

#[test]
fn an_interrupted_history_keeps_its_rows() {
    let bench = six_commits();
    commit(
        &bench,
        "sum.c",
        &format!("{SUM}/* forever */\n"),
        "Take long",
    );
    let stuck = bench.write_script("stuck", STUCK);
    let pipe = bench.path("never");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let _ = fs::remove_file(bench.path("compiler"));
        let mut command = bench.command(Path::new("env"));
        // A background job of a shell ignores interrupts, and so would what it starts.
        command
            .arg("--default-signal=INT,TERM")
            .arg(parallax())
            .args([
                "complexity",
                "--git",
                "HEAD~6..",
                "--format",
                "json",
                "-j",
                "1",
            ])
            .env("PARALLAX_CLANG", &stuck)
            .stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let compiler = wait_for(&bench.path("compiler"), &mut child);
        send(signal, &child.id().to_string());
        let output = child.wait_with_output().unwrap();
        send("KILL", compiler.trim());
        assert_eq!(output.status.code(), Some(status));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["summary"]["interrupted"], true);
        assert_eq!(report["summary"]["commits"], 6);
        let rows = report["commits"].as_array().unwrap();
        assert_eq!(rows.len(), 5, "{report:#}");
        assert_eq!(rows[4]["cycc"], 2);
    }
    // What was left behind is removed by the next run.
    let said = bench.parallax(&["complexity", "--git", "HEAD~1"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    bench.assert_no_leftovers();
}

/// The content of a file that a compiler of this child is about to rename into place.
fn wait_for(path: &Path, child: &mut Child) -> String {
    loop {
        if let Ok(text) = fs::read_to_string(path) {
            return text;
        }
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended without its compiler");
        std::thread::yield_now();
    }
}

fn send(signal: &str, process: &str) {
    let script = format!("kill -{signal} {process}");
    assert!(
        Command::new("sh")
            .args(["-c", &script])
            .status()
            .unwrap()
            .success()
    );
}
