//! `parallax tests`: what it writes runs without Parallax, passes on the version that it expects and fails on the other.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::Bench;

/// Bytes of all kinds on the way in and out: an argument that is no text, standard input with a zero byte, a file, a message with the
/// program's own name.
const OLD: &str = r#"
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    int first = argc > 1 ? (unsigned char)argv[1][0] : 0;
    int next = getchar();
    if (first == 0xff) { putchar(0); putchar('%'); putchar('\''); puts("\\ \033[1m"); return 3; }
    if (first == 'e') { fprintf(stderr, "%s: wrong\n", argv[0]); return 1; }
    if (first == 'f') { FILE *file = fopen("out.txt", "w"); if (!file) return 4; fputs("one\n", file); fclose(file); return 0; }
    if (next == 0) puts("zero");
    return 0;
}
"#;

fn new() -> String {
    OLD.replace("return 3;", "return 2;")
        .replace("wrong", "bad")
        .replace("one\\n", "two\\n")
        .replace("\"zero\"", "\"null\"")
}

fn checked(old: &str, new: &str) -> Bench {
    let bench = Bench::new();
    bench.write("old.c", old);
    bench.write("new.c", new);
    let arguments = [
        "check",
        "old.c",
        "new.c",
        "--sym-args",
        "0",
        "1",
        "1",
        "--sym-stdin",
        "1",
        "--save",
        "report.json",
    ];
    let said = bench.parallax(&arguments);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    for version in ["old", "new"] {
        let status = Command::new("cc")
            .arg(format!("{version}.c"))
            .args(["-o", version])
            .current_dir(bench.folder())
            .status();
        assert!(status.unwrap().success());
    }
    bench
}

/// Runs a file of tests on a version: which fail, and how many there are.
fn run(bench: &Bench, format: &str, file: &str, version: &str) -> (usize, usize) {
    let mut command = match format {
        "sh" => Command::new("sh"),
        "bats" => Command::new("bats"),
        _ => Command::new("/usr/bin/python3"),
    };
    if format == "pytest" {
        command.args(["-m", "pytest", "-p", "no:cacheprovider", "-v", "--tb=no"]);
    } else if format == "bats" {
        command.arg("--tap");
    }
    let output = command
        .arg(file)
        .env("PROGRAM", version)
        .current_dir(bench.folder())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let failed = text
        .lines()
        .filter(|line| line.starts_with("not ok") || line.contains(" FAILED"))
        .count();
    let passed = text
        .lines()
        .filter(|line| line.starts_with("ok ") || line.contains(" PASSED"))
        .count();
    assert_eq!(
        output.status.success(),
        failed == 0,
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (failed, failed + passed)
}

#[test]
fn tests_pass_on_one_version_and_fail_on_the_other() {
    let bench = checked(OLD, &new());
    let report: serde_json::Value = bench
        .parallax(&["report", "report.json", "--format", "json"])
        .json();
    let differences = report["differences"].as_array().unwrap().len();
    assert!(differences >= 4, "{report}");
    for (format, file) in [
        ("sh", "t/test_new.sh"),
        ("bats", "t/new.bats"),
        ("pytest", "t/test_new.py"),
    ] {
        for (expect, passes, fails) in [("old", "./old", "./new"), ("new", "./new", "./old")] {
            let said = bench.parallax(&[
                "tests",
                "report.json",
                "--dir",
                "t",
                "--test-format",
                format,
                "--expect",
                expect,
            ]);
            assert_eq!(said.status, 0, "{format}: {}{}", said.stdout, said.stderr);
            assert_eq!(
                run(&bench, format, file, passes),
                (0, differences),
                "{format}, {expect}"
            );
            assert_eq!(
                run(&bench, format, file, fails),
                (differences, differences),
                "{format}, {expect}"
            );
        }
    }
    let text = fs::read_to_string(bench.path("t/test_new.sh")).unwrap();
    assert!(
        text.contains("exits_2()") && text.contains("# Changed: new.c:"),
        "{text}"
    );
    assert!(
        text.bytes()
            .all(|byte| byte == b'\n' || (b' '..=b'~').contains(&byte)),
        "plain ASCII"
    );
}

/// What people wrote stays; what is not ours is not touched.
#[test]
fn files_of_others_stay() {
    let bench = checked(OLD, &new());
    let tests =
        |more: &[&str]| bench.parallax(&[&["tests", "report.json", "--no-run"], more].concat());
    assert_eq!(tests(&[]).status, 0);
    let path: PathBuf = bench.path("test_new.sh");
    let first = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        first.replace("#!/bin/sh\n", "#!/bin/sh\n# mine\n") + "# mine too\n",
    )
    .unwrap();
    assert_eq!(tests(&["--expect", "new"]).status, 0);
    let second = fs::read_to_string(&path).unwrap();
    assert!(
        second.contains("# mine\n")
            && second.ends_with("# mine too\n")
            && second.contains("exits_2()")
    );
    fs::write(&path, "echo mine\n").unwrap();
    let said = tests(&[]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("--force"), "{}", said.stderr);
    assert_eq!(fs::read_to_string(&path).unwrap(), "echo mine\n");
    assert_eq!(tests(&["--force"]).status, 0);
    assert!(!fs::read_to_string(&path).unwrap().contains("echo mine"));
}

/// A version that crashes cannot be expected, and the check's executables are needed to try tests out.
#[test]
fn what_is_no_test_is_said() {
    let crash = OLD.replace("return 3;", "return *(volatile int *)0;");
    let bench = checked(OLD, &crash);
    let said = bench.parallax(&["tests", "report.json", "--expect", "new"]);
    assert_eq!(said.status, 1, "{}", said.stdout);
    assert!(
        said.stdout
            .contains("no test of difference 1: the version that is expected does nothing there"),
        "{}",
        said.stdout
    );
    let said = bench.parallax(&["tests", "report.json", "--expect", "golden"]);
    assert!(said.stdout.contains("no golden version"), "{}", said.stdout);
    fs::remove_dir_all(bench.path(".parallax")).unwrap();
    let said = bench.parallax(&["tests", "report.json"]);
    assert_eq!(said.status, 2);
    assert!(said.stderr.contains("--no-run"), "{}", said.stderr);
}

/// Nothing of this is there in the VM, and in the sandbox nobody loses it. Who runs a test may.
#[test]
fn files_outside_are_named_wherever_somebody_may_run_the_program() {
    let program = |answer: &str| {
        OLD.replace("#include <string.h>", "#include <unistd.h>\n#include <fcntl.h>")
            .replace("return 3;", answer)
            .replace(
                "int next",
                "unlink(\"/srv/precious\\n\"); close(open(\"../b\", O_WRONLY | O_CREAT, 0600)); access(\"/etc/seen\", R_OK);\n    int next",
            )
    };
    // What the old version alone does counts, too.
    let old = program("return 3;").replace("int next", "rmdir(\"/srv/old\"); int next");
    let bench = checked(&old, &program("return 2;"));
    let changed = ["/srv/precious\\n", "../b", "/srv/old"];
    let warning = "CAREFUL: on this input the program changes files outside its folder";
    let assert_named = |what: &str, text: &str, mark: &str| {
        assert!(text.contains(&format!("{mark}{warning}")), "{what}: {text}");
        for name in changed.into_iter().chain(["/etc/seen"]) {
            let line = format!("{mark}  {name}");
            let is_there = text.lines().any(|other| other.trim_start() == line);
            assert!(is_there, "{what}, {name}: {text}");
        }
    };
    for (format, file) in [
        ("sh", "t/test_new.sh"),
        ("bats", "t/new.bats"),
        ("pytest", "t/test_new.py"),
    ] {
        let said = bench.parallax(&[
            "tests",
            "report.json",
            "--dir",
            "t",
            "--test-format",
            format,
        ]);
        assert_eq!(said.status, 0, "{format}: {}{}", said.stdout, said.stderr);
        let text = fs::read_to_string(bench.path(file)).unwrap();
        assert_named(format, &text, "# ");
    }
    // An argument in it is no text.
    let script = fs::read(bench.path(".parallax/check/new/001/reproduce.sh")).unwrap();
    assert_named("reproduce.sh", &String::from_utf8_lossy(&script), "# ");

    for format in ["text", "markdown", "sarif", "junit", "html"] {
        let said = bench.parallax(&["report", "report.json", "--format", format, "--out", "out"]);
        assert_eq!(said.status, 0, "{format}: {}", said.stderr);
        let text = fs::read_to_string(bench.path("out")).unwrap();
        assert!(
            text.contains("outside its folder it changes"),
            "{format}: {text}"
        );
        for name in ["/srv/precious", "../b", "/srv/old"] {
            // A page has slashes as numbers.
            let text = text.replace("&#x2f;", "/");
            assert!(text.contains(name), "{format}, {name}: {text}");
        }
        assert!(!text.contains("/etc/seen"), "{format}: {text}");
    }
    let json = bench
        .parallax(&["report", "report.json", "--format", "json"])
        .json();
    let outside = &json["differences"][0]["old"]["outside"];
    assert_eq!(outside["looked_for"], serde_json::json!(["/etc/seen"]));
    assert_eq!(
        outside["changed"],
        serde_json::json!(["../b", "/srv/old", "/srv/precious\n"])
    );
}
