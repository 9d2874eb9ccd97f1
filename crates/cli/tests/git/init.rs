//! `parallax init`: what it finds, what it writes, and what it leaves alone.

use std::fs;

use crate::support::repository::assert_same;
use crate::support::{Bench, parallax, said};

const MAIN: &str = "int main(int argc, char **argv)\n{\n    return argc;\n}\n";

/// What is written can be used: `diff` reads it.
fn usable(bench: &Bench) {
    let said = bench.parallax(&["diff", "--git", "HEAD.."]);
    assert!(said.status < 2, "{}", said.stderr);
}

#[test]
fn a_project_with_a_makefile() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.write("main.c", MAIN);
    bench.write(
        "Makefile",
        "all: one two\none two: main.c\n\t$(CC) -D$@ -o $@ main.c\n",
    );
    bench.commit_all("Begin");
    let before = bench.everything();
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for words in [
        "found: a project with a Makefile (`Makefile`)",
        "programs: one, two",
        "say which is meant",
        "wrote parallax.toml",
    ] {
        assert!(said.stdout.contains(words), "{}", said.stdout);
    }
    let text = fs::read_to_string(bench.path("parallax.toml")).unwrap();
    assert!(
        text.contains("command = \"make CC=\\\"$CC\\\"\"\n"),
        "{text}"
    );
    assert!(text.contains("# target = \"one\"\n"), "{text}");
    let mut after = bench.everything();
    after.remove(&bench.path("parallax.toml"));
    assert_same(&before, &after, "afterwards");
    // With the choice made, it is all that is needed.
    let chosen = text.replace("# target = \"one\"", "target = \"one\"");
    bench.write("parallax.toml", &chosen);
    usable(&bench);

    // A second time nothing is lost.
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("--force"), "{}", said.stderr);
    let now = fs::read_to_string(bench.path("parallax.toml")).unwrap();
    assert_eq!(now, chosen);
    let said = bench.parallax(&["init", "--force"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let now = fs::read_to_string(bench.path("parallax.toml")).unwrap();
    assert_eq!(now, text);
    bench.assert_no_leftovers();
}

#[test]
fn c_files_and_cargo() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.write("part.c", "int part(void) { return 1; }\n");
    bench.commit_file("tool.c", MAIN, "Begin");
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout.contains("a folder of C files"),
        "{}",
        said.stdout
    );
    assert!(said.stdout.contains("programs: tool\n"), "{}", said.stdout);
    let text = fs::read_to_string(bench.path("parallax.toml")).unwrap();
    assert!(
        text.contains("\ntarget = \"tool\"\n") && !text.contains("\ncommand"),
        "{text}"
    );
    usable(&bench);

    let bench = Bench::new();
    bench.write(
        "Cargo.toml",
        "[package]\nname = \"half-way\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n",
    );
    bench.write("src/main.rs", "fn main() {}\n");
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout
            .contains("found: a Cargo package (`Cargo.toml`)\nprograms: half-way\n"),
        "{}",
        said.stdout
    );
    assert!(!bench.path("target").exists());
}

/// A build that fails is told and written down; the file is there to be corrected.
#[test]
fn what_is_not_known_is_said() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.commit_file("CMakeLists.txt", "no such command\n", "Begin");
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stdout
            .contains("programs: not known; the build failed: `cmake"),
        "{}",
        said.stdout
    );
    let text = fs::read_to_string(bench.path("parallax.toml")).unwrap();
    assert!(
        text.contains("\ncommand = \"cmake") && text.contains("\n# the build failed"),
        "{text}"
    );
    let said = bench.parallax(&["init", "--force", "--no-build"]);
    assert!(
        said.stdout.contains("the build was not tried"),
        "{}",
        said.stdout
    );

    let bench = Bench::new();
    bench.write("notes.txt", "words\n");
    let mut command = bench.command(parallax());
    command
        .arg("init")
        .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
    let outside = said_of(&mut command);
    assert_eq!(outside.0, 2);
    assert!(outside.1.contains("looked for Cargo.toml"), "{}", outside.1);
    assert!(!bench.path("parallax.toml").exists());
    // A folder of that name is in the way, with or without force.
    bench.write("Makefile", "all:\n");
    fs::create_dir(bench.path("parallax.toml")).unwrap();
    let said = bench.parallax(&["init"]);
    assert_eq!(said.status, 2);
    let said = bench.parallax(&["init", "--force", "--no-build"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot write `parallax.toml`"),
        "{}",
        said.stderr
    );
    let left: Vec<_> = fs::read_dir(bench.folder()).unwrap().flatten().collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

fn said_of(command: &mut std::process::Command) -> (i32, String) {
    let said = said(command);
    (said.status, said.stderr)
}
