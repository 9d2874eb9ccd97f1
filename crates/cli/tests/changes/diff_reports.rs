//! What `parallax diff` says about realistic small edits, as a user reads it.
//!
//! Each folder of `diff_reports` is a program; each `.txt` in it an edit and, below `----`, the report.
//! An edit is pieces of text to be replaced (`-` lines by the `+` lines below them), set apart by empty
//! lines; a piece without `+` lines is removed, with its line's end. `BLESS=1` rewrites the reports.

use crate::support::Bench;
use std::path::{Path, PathBuf};

#[test]
fn a_shop_in_c() {
    check("shop", "program.c", 35);
}

#[test]
fn branches_that_meet() {
    check("grade", "program.c", 5);
}

#[test]
fn lists_and_macros() {
    check("lists", "program.c", 9);
}

#[test]
fn a_header() {
    check("stack", "program.c", 2);
}

#[test]
fn a_rust_program() {
    check("tokens", "program.rs", 7);
}

/// `at_least`: how many edits of this program there must be.
fn check(program: &str, main: &str, at_least: usize) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/changes/diff_reports");
    let (mut files, mut cases) = (Vec::new(), Vec::new());
    for path in sorted(&folder.join(program)) {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        match name.ends_with(".txt") {
            true => cases.push((path, text)),
            false => files.push((name, text)),
        }
    }
    assert!(cases.len() >= at_least, "edits have been lost");
    let bench = Bench::new();
    for (name, text) in &files {
        bench.write(&format!("old/{name}"), text);
    }
    let mut wrong = Vec::new();
    for (path, case) in &cases {
        let (edits, expected) = case.split_once("----\n").expect("an edit and a report");
        let mut new = files.clone();
        for (from, to) in replacements(edits) {
            let mut found = false;
            for (_, text) in &mut new {
                found |= text.contains(&from);
                *text = text.replace(&from, &to);
            }
            assert!(found, "{}: {from}", path.display());
        }
        for (name, text) in &new {
            bench.write(&format!("new/{name}"), text);
        }
        let [old, new] = ["old", "new"].map(|side| format!("{side}/{main}"));
        let said = bench.parallax(&["diff", &old, &new]);
        assert!(said.status <= 1, "{}: {}", path.display(), said.stderr);
        let report = said.stdout.split_once("not compared: ").unwrap().0;
        if report != expected {
            wrong.push(format!(
                "{}\nexpected:\n{expected}now:\n{report}",
                path.display()
            ));
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(path, format!("{edits}----\n{report}")).unwrap();
            }
        }
    }
    let blessed = std::env::var_os("BLESS").is_some();
    assert!(blessed || wrong.is_empty(), "{}", wrong.join("\n"));
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the program's folder");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn replacements(edits: &str) -> Vec<(String, String)> {
    let pieces = edits.split("\n\n").map(|piece| {
        let side = |sign: char| -> Vec<&str> {
            let lines = piece.lines().filter_map(|line| line.strip_prefix(sign));
            lines
                .map(|line| line.strip_prefix(' ').unwrap_or(line))
                .collect()
        };
        let (from, to) = (side('-').join("\n"), side('+'));
        assert!(!from.is_empty(), "a piece of text to replace: {piece}");
        match to.is_empty() {
            true => (from + "\n", String::new()),
            false => (from, to.join("\n")),
        }
    });
    pieces.collect()
}
