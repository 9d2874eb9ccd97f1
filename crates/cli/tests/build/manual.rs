//! Completions and man pages are made, and are what their readers take.

use std::process::Command;

use crate::support::Bench;

#[test]
fn shells_take_the_completions() {
    let bench = Bench::new();
    for shell in ["bash", "zsh", "fish"] {
        let said = bench.parallax(&["completions", shell]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        for word in ["check", "explore", "sym-args", "html"] {
            assert!(said.stdout.contains(word), "{shell}: {word}");
        }
        if shell == "bash" {
            bench.write("completions.bash", &said.stdout);
        }
    }
    // What bash offers after `parallax check --sym-ar`.
    let script = "source completions.bash; COMP_WORDS=(parallax check --sym-ar); COMP_CWORD=2; \
                  _parallax parallax --sym-ar check; echo \"${COMPREPLY[@]}\"";
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(bench.folder())
        .output()
        .unwrap();
    let offered = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut offered: Vec<&str> = offered.split_whitespace().collect();
    offered.sort_unstable();
    assert_eq!(
        offered,
        ["--sym-arg", "--sym-args"],
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn every_command_has_a_man_page() {
    let bench = Bench::new();
    let said = bench.parallax(&["man", "pages"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    for page in [
        "parallax.1",
        "parallax-check.1",
        "parallax-report.1",
        "parallax-explore.1",
    ] {
        let text = std::fs::read_to_string(bench.path("pages").join(page)).unwrap();
        assert!(
            text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"),
            "{page}"
        );
    }
    bench.write("file", "");
    let said = bench.parallax(&["man", "file"]);
    assert_eq!(said.status, 2);
    assert!(
        said.stderr.contains("cannot write man pages to `file`"),
        "{}",
        said.stderr
    );
}
