//! `check --html`, `check --save` and `parallax report`.

use crate::support::Bench;

const OLD: &str = r#"
#include <stdio.h>
int main(int argc, char **argv) {
    if (argc > 1 && argv[1][0] == 'x') puts("x");
    return 0;
}
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("old.c", OLD);
    bench.write("new.c", &OLD.replace("puts(\"x\")", "puts(\"y\")"));
    bench
}

const CHECK: [&str; 6] = ["check", "old.c", "new.c", "--sym-args", "1", "1"];

#[test]
fn a_check_leaves_a_page_and_a_report_behind() {
    let bench = bench();
    let said = bench.parallax(
        &[
            &CHECK[..],
            &["1", "--html", "page.html", "--save", "report.json"],
        ]
        .concat(),
    );
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let page = std::fs::read_to_string(bench.path("page.html")).unwrap();
    let text = page.replace("&#x2f;", "/");
    for part in [
        "different",
        "standard output differs",
        "<mark>y</mark>",
        "sh .parallax/check/new/001/reproduce.sh",
    ] {
        assert!(text.contains(part), "{part}");
    }
    // The source around the change is in it.
    assert!(page.contains("int main(int argc"));
    // Nothing is loaded from anywhere.
    for address in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(address), "{address}");
    }
    let said = bench.parallax(&["report", "report.json"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert_eq!(
        std::fs::read_to_string(bench.path("report.html")).unwrap(),
        page
    );
    let again = bench.parallax(&["report", "report.json", "--format", "sarif"]);
    let value: serde_json::Value = serde_json::from_str(&again.stdout).unwrap();
    assert_eq!(value["version"], "2.1.0");
}

/// What cannot be written is known before the search; what is no report is said to be none.
#[test]
fn bad_files_are_refused() {
    let bench = bench();
    let html = |file: &str| bench.parallax(&[&CHECK[..], &["1", "--html", file]].concat());
    for (file, why) in [
        ("none/page.html", "cannot write `none/page.html`"),
        (".", "`.` is a folder"),
    ] {
        let said = html(file);
        assert_eq!(said.status, 2, "{}", said.stdout);
        assert!(said.stderr.contains(why), "{}", said.stderr);
        assert_eq!(said.stdout, "", "nothing was checked");
    }
    let full = html("/dev/full");
    assert_eq!(full.status, 2);
    assert!(
        full.stdout.starts_with("different"),
        "the answer is not lost: {}",
        full.stdout
    );
    assert!(
        full.stderr.contains("cannot write `/dev/full`"),
        "{}",
        full.stderr
    );
    for (text, why) in [
        ("", "is no saved report"),
        (
            "{\"schema\": \"parallax-report-0\", \"parallax\": \"0.0.1\", \"report\": {}}",
            "was saved by another Parallax",
        ),
        (
            "{\"schema\": \"parallax-report-1\", \"parallax\": \"0.0.1\", \"report\": {}}",
            "cannot be read by this one",
        ),
    ] {
        bench.write("report.json", text);
        let said = bench.parallax(&["report", "report.json"]);
        assert_eq!(said.status, 2);
        assert!(said.stderr.contains(why), "{}", said.stderr);
    }
    let said = bench.parallax(&["report", "none.json"]);
    assert!(
        said.status == 2 && said.stderr.contains("--save"),
        "{}",
        said.stderr
    );
}

/// The commands in the files for CI servers, as they stand there, in a repository with a pull request that changes something.
#[test]
fn the_commands_for_ci_servers_work() {
    let bench = Bench::new();
    bench.git(&["init", "-q"]);
    bench.write(".gitignore", ".parallax\nparallax.*\n");
    let base = bench.commit_file("program.c", OLD, "Begin");
    bench.commit_file(
        "program.c",
        &OLD.replace("puts(\"x\")", "puts(\"y\")"),
        "Change",
    );
    let tool = std::path::Path::new(env!("CARGO_BIN_EXE_parallax"));
    let path = format!(
        "{}:{}",
        tool.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    for (file, left, status) in [
        (
            "github-actions.yml",
            &["parallax.html", "parallax.sarif", "parallax.md", "summary"][..],
            0,
        ),
        ("gitlab-ci.yml", &["parallax.html", "parallax.xml"], 1),
    ] {
        let text = format!("{}/../../docs/ci/{file}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(text).unwrap();
        let (_, rest) = text.split_once("# compare: begin\n").unwrap();
        let (script, _) = rest.split_once("# compare: end").unwrap();
        let mut command = bench.command("sh");
        command
            .args(["-e", "-c", script])
            .env("PATH", &path)
            .env("PARALLAX_BASE", &base)
            .env("PARALLAX_ARGUMENTS", "--sym-args 1 1 1")
            .env("GITHUB_OUTPUT", bench.path("output"))
            .env("GITHUB_STEP_SUMMARY", bench.path("summary"));
        let said = crate::support::said(&mut command);
        assert_eq!(
            said.status, status,
            "{file}: {}{}",
            said.stdout, said.stderr
        );
        for name in left {
            let written = std::fs::read_to_string(bench.path(name)).unwrap();
            assert!(
                written.contains("standard output differs")
                    || written.contains("Standard output differs"),
                "{file}: {name}"
            );
        }
    }
    assert_eq!(
        std::fs::read_to_string(bench.path("output")).unwrap(),
        "status=1\n"
    );
}
