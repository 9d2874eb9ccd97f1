//! The rows of `parallax complexity --git`, as text, Markdown and JSON.

use clap::ValueEnum;
use serde_json::{Value, json};

use build::git::Commit;
use campaign::history::{Measured, Outcome};
use report::input::milliseconds;
use report::words::counted;

const REVISION_LENGTH: usize = 10;
const SUBJECT_LENGTH: usize = 60;
const REASON_LENGTH: usize = 160;

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableFormat {
    Text,
    Json,
    Markdown,
}

pub(super) fn header(format: TableFormat) -> String {
    match format {
        TableFormat::Text => format!(
            "{:<REVISION_LENGTH$} {:>6} {:>6} {:>6} {:>6} {:>9} {:>11}  subject\n",
            "commit", "CyCC", "CLoC", "nodes", "edges", "functions", "analysis ms"
        ),
        TableFormat::Markdown => {
            "| commit | CyCC | CLoC | nodes | edges | functions | analysis ms | subject |\n\
             |---|---:|---:|---:|---:|---:|---:|---|\n"
                .to_owned()
        }
        TableFormat::Json => String::new(),
    }
}

pub(super) fn row(commit: &Commit, outcome: &Outcome, format: TableFormat) -> String {
    let id: String = commit.id.chars().take(REVISION_LENGTH).collect();
    let subject = shortened(&commit.subject, SUBJECT_LENGTH);
    let numbers = match outcome {
        Outcome::Measured(measured) => numbers(measured),
        Outcome::Skipped(_) => std::array::from_fn(|_| "-".to_owned()),
    };
    let [cycc, cloc, nodes, edges, functions, analysis] = numbers;
    match (format, outcome) {
        (TableFormat::Json, _) => String::new(),
        (TableFormat::Text, _) => {
            let mut row = format!(
                "{id:<REVISION_LENGTH$} {cycc:>6} {cloc:>6} {nodes:>6} {edges:>6} {functions:>9} {analysis:>11}  {subject}\n"
            );
            if let Outcome::Skipped(reason) = outcome {
                row += &format!("{:REVISION_LENGTH$} skipped: {}\n", "", in_short(reason));
            }
            row
        }
        (TableFormat::Markdown, _) => {
            let mut subject = cell(&subject);
            if let Outcome::Skipped(reason) = outcome {
                subject += &format!(" (skipped: {})", cell(&in_short(reason)));
            }
            format!(
                "| {id} | {cycc} | {cloc} | {nodes} | {edges} | {functions} | {analysis} | {subject} |\n"
            )
        }
    }
}

fn numbers(measured: &Measured) -> [String; 6] {
    let found = &measured.complexity;
    [
        found.cycc.to_string(),
        found.cloc.to_string(),
        found.nodes.to_string(),
        found.edges.to_string(),
        measured.changed_functions.to_string(),
        format!("{:.0}", milliseconds(measured.analysis)),
    ]
}

/// What follows the last row; for JSON, everything.
pub(super) fn end(done: &[(&Commit, &Outcome)], summary: &Summary, format: TableFormat) -> String {
    match format {
        TableFormat::Text => format!("{}\n", summary.lines().join("\n")),
        TableFormat::Markdown => format!("\n{}.\n", summary.lines().join(".\n")),
        TableFormat::Json => {
            let commits = done
                .iter()
                .map(|(commit, outcome)| json_row(commit, outcome));
            let document = json!({
                "commits": commits.collect::<Vec<_>>(),
                "summary": summary.json(),
            });
            format!("{document:#}\n")
        }
    }
}

fn json_row(commit: &Commit, outcome: &Outcome) -> Value {
    let mut row = json!({ "commit": commit.id, "subject": commit.subject });
    let fields = match outcome {
        Outcome::Measured(measured) => {
            let found = &measured.complexity;
            json!({
                "cycc": found.cycc,
                "cloc": found.cloc,
                "nodes": found.nodes,
                "edges": found.edges,
                "changed_functions": measured.changed_functions,
                "analysis_ms": milliseconds(measured.analysis),
                "compile_ms": milliseconds(measured.compilation),
            })
        }
        Outcome::Skipped(reason) => json!({ "skipped": reason }),
    };
    if let (Value::Object(row), Value::Object(fields)) = (&mut row, fields) {
        row.extend(fields);
    }
    row
}

/// All rows in a few numbers.
pub(super) struct Summary<'a> {
    wanted: usize,
    is_interrupted: bool,
    skipped: usize,
    pub(super) measured: Vec<&'a Measured>,
}

impl<'a> Summary<'a> {
    pub(super) fn of(
        done: &[(&'a Commit, &'a Outcome)],
        wanted: usize,
        is_interrupted: bool,
    ) -> Summary<'a> {
        let measured: Vec<&Measured> = done
            .iter()
            .filter_map(|(_, outcome)| match outcome {
                Outcome::Measured(measured) => Some(measured),
                Outcome::Skipped(_) => None,
            })
            .collect();
        Summary {
            wanted,
            is_interrupted,
            skipped: done.len() - measured.len(),
            measured,
        }
    }

    /// Commits whose change can be executed: the others have an empty change sequence graph.
    fn changed(&self) -> Vec<&'a Measured> {
        let measured = self.measured.iter().copied();
        measured.filter(|one| one.complexity.nodes > 0).collect()
    }

    pub(super) fn in_words(&self) -> String {
        let changed = self.changed().len();
        let mut words = format!(
            "{}: {changed} with a change that can be executed, {} without, {} skipped",
            counted(self.wanted as u64, "commit"),
            self.measured.len() - changed,
            self.skipped
        );
        let missing = self.wanted - self.measured.len() - self.skipped;
        if self.is_interrupted {
            words += &format!(", {missing} not measured: interrupted");
        }
        words
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = vec![self.in_words()];
        let changed = self.changed();
        type Value = fn(&Measured) -> u64;
        let values: [(&str, Value); 2] = [
            ("CyCC", |one| one.complexity.cycc),
            ("CLoC", |one| one.complexity.cloc),
        ];
        if !changed.is_empty() {
            for (name, value) in values {
                let values: Vec<u64> = changed.iter().map(|one| value(one)).collect();
                lines.push(format!(
                    "{name} of those: median {}, mean {:.1}, largest {}",
                    median(&values),
                    values.iter().sum::<u64>() as f64 / values.len() as f64,
                    values.iter().max().unwrap_or(&0)
                ));
            }
        }
        if let Some((mean, largest)) = self.analysis() {
            lines.push(format!(
                "analysis without compiling: {mean:.0} ms of processor time per commit on average, at most {largest:.0} ms"
            ));
        }
        lines
    }

    /// Mean and largest time of a commit, in milliseconds.
    fn analysis(&self) -> Option<(f64, f64)> {
        let times = self.measured.iter().map(|one| milliseconds(one.analysis));
        let count = self.measured.len();
        (count > 0).then(|| {
            let sum: f64 = times.clone().sum();
            (sum / count as f64, times.fold(0.0, f64::max))
        })
    }

    fn json(&self) -> Value {
        let (mean, largest) = self.analysis().unzip();
        json!({
            "commits": self.wanted,
            "measured": self.measured.len(),
            "changed": self.changed().len(),
            "skipped": self.skipped,
            "interrupted": self.is_interrupted,
            "mean_analysis_ms": mean,
            "largest_analysis_ms": largest,
        })
    }
}

/// The lower one of two in the middle.
fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() - 1) / 2]
}

/// A long message on one line: how it begins, and then the line that names the error, if there is one.
fn in_short(reason: &str) -> String {
    let mut lines = reason.lines();
    let first = lines.next().unwrap_or_default();
    let cause = lines.find(|line| line.contains("error"));
    let both = match (first.split_once(": "), cause) {
        (Some((what, _)), Some(cause)) => format!("{what}: {}", cause.trim()),
        _ => first.to_owned(),
    };
    shortened(&both, REASON_LENGTH)
}

fn shortened(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let kept: String = text.chars().take(length - 1).collect();
    format!("{}…", kept.trim_end())
}

/// Text that cannot end a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('|', "\\|")
        .replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("größer als fünf", 6), "größe…");
        assert_eq!(shortened("ab cd", 4), "ab…");
    }

    #[test]
    fn a_reason_is_one_line() {
        let reason = "it does not build: `a.c` does not compile:\nIn file included\na.c:3:1: error: expected ;\nmore";
        assert_eq!(
            in_short(reason),
            "it does not build: a.c:3:1: error: expected ;"
        );
    }

    #[test]
    fn the_median_of_an_even_number_is_one_of_them() {
        assert_eq!(median(&[4, 1]), 1);
        assert_eq!(median(&[9, 1, 4]), 4);
    }

    #[test]
    fn bars_in_a_subject_stay_in_their_cell() {
        assert_eq!(cell("a | b"), "a \\| b");
    }
}
