//! `parallax debug`: each form is the program's.

use crate::support::Bench;

const PROGRAM: &str = "#include <fcntl.h>
#include <unistd.h>
int larger(int a, int b) { if (a > b) return a; return b; }
int main(int argc, char **argv) {
    int file = open(\"notes.txt\", O_RDONLY);
    if (open(\"absent\", O_RDONLY) >= 0) return 9;
    return larger(argc, file) - 3;
}
";

fn say(bench: &Bench, arguments: &[&str]) -> String {
    let said = bench.parallax(arguments);
    assert_eq!(said.status, 0, "{}", said.stderr);
    said.stdout
}

#[test]
fn forms() {
    let bench = Bench::new();
    bench.write("larger.c", PROGRAM);

    let one = say(&bench, &["debug", "ir", "larger.c", "--function", "larger"]);
    assert!(one.contains("\"larger\" (i32, i32) -> (i32)"), "{one}");
    assert!(!one.contains("\"main\""), "{one}");
    let all = say(&bench, &["debug", "ir", "larger.c"]);
    assert!(all.contains(&one) && all.contains("exported \"main\""));
    let module = program_ir::parse_module(&all).expect("the text of a module parses");
    assert_eq!(program_ir::print_module(&module), all);

    let graph = say(
        &bench,
        &["debug", "cfg", "larger.c", "--function", "larger"],
    );
    assert!(graph.starts_with("digraph \"larger\" {"), "{graph}");
    assert!(
        graph.contains("block0 -> block1") && graph.contains("block0 -> block2"),
        "{graph}"
    );
    let blocks = graph.matches("[label=").count();
    assert_eq!(
        blocks,
        one.lines().filter(|line| line.starts_with("block")).count()
    );

    let code = say(
        &bench,
        &["debug", "code", "larger.c", "--function", "larger"],
    );
    assert!(
        code.contains("\"larger\": ") && code.contains("Return"),
        "{code}"
    );
    assert!(say(&bench, &["debug", "code", "larger.c"]).contains("builtin"));
}

#[test]
fn system_calls() {
    let bench = Bench::new();
    bench.write("larger.c", PROGRAM);
    bench.write("notes.txt", "words");
    let said = bench.parallax(&[
        "debug",
        "syscalls",
        "larger.c",
        "--file",
        "notes.txt=notes.txt",
    ]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(
        said.stderr.contains("\"notes.txt\"") && said.stderr.contains(" = 3\n"),
        "{}",
        said.stderr
    );
    assert!(
        said.stderr.contains("\"absent\"") && said.stderr.contains("(ENOENT)"),
        "{}",
        said.stderr
    );
    assert!(said.stderr.contains("exit_group"), "{}", said.stderr);
}
