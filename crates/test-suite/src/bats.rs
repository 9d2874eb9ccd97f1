//! Tests for bats, the Bash Automated Testing System.

use crate::case::Case;
use crate::shell::{HELPERS, body};

const HEAD: &str = r#"# Run with: PROGRAM=path/to/program bats FILE
# Each test runs the program in a folder of its own, with all of your rights.
setup() {
    export LC_ALL=C
    umask 022
    : "${PROGRAM:?is not set: the program that is tested}"
    case $PROGRAM in
    /*) program=$PROGRAM ;;
    *) program=$PWD/$PROGRAM ;;
    esac
    limit=
    if command -v timeout >/dev/null; then limit='timeout 10'; fi
    scratch=$(mktemp -d)
    mkdir "$scratch/folder"
    cd "$scratch/folder"
}

teardown() {
    cd /
    rm -rf "$scratch"
}

"#;

pub(crate) fn text(cases: &[Case]) -> String {
    // bats has a `run` of its own.
    let helpers = HELPERS
        .replace("run() {", "start() {")
        .replace("run_as() {", "start_as() {");
    let mut text = format!("{HEAD}{helpers}");
    for case in cases {
        text.push('\n');
        text.extend(case.comment.iter().map(|line| format!("# {line}\n")));
        text += &format!("@test \"{}\" {{\n", case.name);
        for line in body(case, "start") {
            text += &format!("    {line} || return 1\n");
        }
        text += "}\n";
    }
    text
}
