//! The outputs in the README's tour and in the tutorial are what the commands print, but for how long things
//! took. `BLESS=1` rewrites them.

use std::path::Path;
use std::process::Command;

/// A command of a `console` block, and where its output stands, as line numbers of the document.
struct Step<'a> {
    command: &'a str,
    output: std::ops::Range<usize>,
}

#[test]
fn the_tour_is_true() {
    check("README.md", 10);
}

#[test]
fn the_tutorial_is_true() {
    check("docs/tutorial-explore.md", 6);
}

#[test]
fn the_tutorial_about_functions_is_true() {
    check("docs/tutorial-function.md", 6);
}

#[test]
fn the_tutorial_about_sequences_is_true() {
    check("docs/tutorial-sequence.md", 5);
}

#[test]
fn the_tutorial_about_repositories_is_true() {
    check("docs/tutorial-repository.md", 8);
}

#[test]
fn the_tutorial_about_reviews_is_true() {
    check("docs/tutorial-review.md", 9);
}

fn check(document: &str, at_least: usize) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join(document)).expect("the document is there");
    let lines: Vec<&str> = text.lines().collect();
    let steps = steps(&lines);
    assert!(
        steps.len() >= at_least,
        "commands of {document} have been lost"
    );

    let folder = tempfile::tempdir().expect("a folder for the tour");
    let copied = Command::new("cp")
        .arg("-r")
        .args([root.join("examples"), folder.path().join("examples")])
        .status();
    assert!(copied.expect("cp runs").success());

    let mut blessed = String::new();
    let mut wrong = Vec::new();
    let mut next = 0;
    for step in &steps {
        let said = say(step.command, folder.path());
        let expected = lines[step.output.clone()].join("\n");
        if without_times(&said) != without_times(&expected) {
            wrong.push(format!(
                "$ {}\n{document}:\n{expected}\nnow:\n{said}",
                step.command
            ));
        }
        push_lines(&mut blessed, &lines[next..step.output.start]);
        push_lines(&mut blessed, &said.lines().collect::<Vec<_>>());
        next = step.output.end;
    }
    push_lines(&mut blessed, &lines[next..]);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(root.join(document), blessed).expect("the document is writable");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

/// ` in 0.3 s` without the number.
fn without_times(text: &str) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len().saturating_sub(1) {
        let is_time = words[at - 1] == "in"
            && words[at].parse::<f64>().is_ok()
            && words[at + 1].trim_end_matches([';', ':']) == "s";
        if is_time {
            words[at] = "…";
        }
    }
    words.join(" ")
}

fn steps<'a>(lines: &[&'a str]) -> Vec<Step<'a>> {
    let mut steps: Vec<Step<'a>> = Vec::new();
    let mut inside = false;
    for (number, line) in lines.iter().enumerate() {
        if line.starts_with("```") {
            inside = *line == "```console";
        } else if inside && let Some(command) = line.strip_prefix("$ ") {
            steps.push(Step {
                command,
                output: number + 1..number + 1,
            });
        } else if inside && let Some(step) = steps.last_mut() {
            step.output.end = number + 1;
        }
    }
    steps
}

/// Both streams, as a terminal shows them, without differences that are told early: which are depends on the clock.
fn say(command: &str, folder: &Path) -> String {
    let executables = Path::new(env!("CARGO_BIN_EXE_parallax")).parent();
    let executables = executables.expect("an executable is in a folder").display();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &format!("{{ {command}; }} 2>&1")])
        .env("PATH", format!("{executables}:{path}"))
        .current_dir(folder)
        .output()
        .expect("sh runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let is_early =
        |line: &str| line.starts_with("parallax: after ") && line.ends_with("; the search goes on");
    let lines: Vec<&str> = text.lines().filter(|line| !is_early(line)).collect();
    lines.join("\n").trim_end().to_owned()
}

fn push_lines(text: &mut String, lines: &[&str]) {
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
}
