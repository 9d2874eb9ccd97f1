//! Measurements of `bench_check`: one line of JSON each, and tables of them.
//!
//! A measurement that is in the file already is not made again, unless the subject, its bounds or its seeds have
//! changed since.

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::first_difference::{Outcome, Searched};

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    pub subject: String,
    pub pair: String,
    pub strategy: String,
    pub seeded: bool,
    pub workers: usize,
    pub timeout_ms: u64,
    pub query_timeout_ms: u64,
    /// Of the subject's program, bounds and seeds.
    pub hash: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    #[serde(flatten)]
    pub task: Task,
    #[serde(flatten)]
    pub searched: Searched,
}

/// Records in memory and, if there is one, in a file.
pub struct Records {
    known: Vec<Record>,
    file: Option<File>,
}

impl Records {
    /// Goes on with a file; a last line that was not finished is left out.
    pub fn open(path: Option<&Path>) -> io::Result<Records> {
        let mut known = Vec::new();
        let mut file = None;
        if let Some(path) = path {
            let text = match std::fs::read_to_string(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
                text => text?,
            };
            known.extend(
                text.lines()
                    .filter_map(|line| serde_json::from_str(line).ok()),
            );
            let mut opened = OpenOptions::new().create(true).append(true).open(path)?;
            if !text.is_empty() && !text.ends_with('\n') {
                opened.write_all(b"\n")?;
            }
            file = Some(opened);
        }
        Ok(Records { known, file })
    }

    pub fn find(&self, task: &Task) -> Option<&Record> {
        self.known.iter().find(|record| record.task == *task)
    }

    pub fn add(&mut self, record: Record) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_string(&record)?;
            line.push('\n');
            file.write_all(line.as_bytes())?;
        }
        self.known.push(record);
        Ok(())
    }
}

/// Everything of one row: a strategy on one subject, or on all.
struct Row<'r> {
    records: Vec<&'r Record>,
}

impl Row<'_> {
    fn killed(&self) -> impl Iterator<Item = &Record> {
        let killed = |record: &&&Record| matches!(record.searched.outcome, Outcome::Killed { .. });
        self.records.iter().filter(killed).copied()
    }

    fn proved(&self) -> impl Iterator<Item = &Record> {
        let proved = |record: &&&Record| record.searched.outcome == Outcome::Proved;
        self.records.iter().filter(proved).copied()
    }

    /// What this strategy needs of a quantity, on the pairs that it and another both kill, as a part of
    /// what the other needs.
    fn ratio(&self, other: &Row<'_>, quantity: fn(&Searched) -> f64) -> String {
        let (mut own_sum, mut other_sum) = (0.0, 0.0);
        for (own, other) in self.both_kill(other) {
            own_sum += quantity(&own.searched);
            other_sum += quantity(&other.searched);
        }
        match other_sum > 0.0 {
            true => format!("{:.2}", own_sum / other_sum),
            false => "-".to_owned(),
        }
    }

    /// The geometric mean of the pairs' ratios. What took less than a millisecond counts as one.
    fn mean_ratio(&self, other: &Row<'_>, quantity: fn(&Searched) -> f64) -> String {
        let of = |record: &Record| quantity(&record.searched).max(0.001);
        let both = self.both_kill(other);
        let logarithms: f64 = both
            .iter()
            .map(|(own, other)| (of(own) / of(other)).ln())
            .sum();
        match both.len() {
            0 => "-".to_owned(),
            count => format!("{:.2}", (logarithms / count as f64).exp()),
        }
    }

    fn both_kill<'b>(&'b self, other: &'b Row<'_>) -> Vec<(&'b Record, &'b Record)> {
        let with_other = |own: &'b Record| {
            let same = |record: &&Record| {
                record.task.pair == own.task.pair && record.task.subject == own.task.subject
            };
            other.killed().find(same).map(|other| (own, other))
        };
        self.killed().filter_map(with_other).collect()
    }
}

fn runs(searched: &Searched) -> f64 {
    searched.runs as f64
}

fn wall(searched: &Searched) -> f64 {
    searched.wall_ms as f64 / 1000.0
}

fn processor(searched: &Searched) -> f64 {
    searched.processor_ms as f64 / 1000.0
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Of an even number, the mean of the two in the middle.
fn median(values: &[f64]) -> Option<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    let (below, above) = (values.len().checked_sub(1)? / 2, values.len() / 2);
    Some((values[below] + values[above]) / 2.0)
}

fn shown(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
}

/// The rows of a table: by subject, strategy and seeding in the order in which they first appear, then all subjects
/// together.
fn rows(records: &[Record]) -> Vec<(String, String, bool)> {
    let mut rows = Vec::new();
    let all = "all".to_owned();
    for of_all in [false, true] {
        for record in records {
            let Task {
                subject,
                strategy,
                seeded,
                ..
            } = &record.task;
            let name = if of_all { &all } else { subject };
            let row = (name.clone(), strategy.clone(), *seeded);
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    rows
}

fn row<'r>(records: &'r [Record], subject: &str, strategy: &str, seeded: bool) -> Row<'r> {
    let belongs = |record: &&Record| {
        (subject == "all" || record.task.subject == subject)
            && record.task.strategy == strategy
            && record.task.seeded == seeded
    };
    Row {
        records: records.iter().filter(belongs).collect(),
    }
}

fn seeding(seeded: bool) -> &'static str {
    match seeded {
        true => "yes",
        false => "no",
    }
}

/// How many pairs each strategy told apart, and what it took.
pub fn kill_table(records: &[Record]) -> String {
    let mut text = "| subject | strategy | seeds | killed | runs, mean | median | processor s, mean | median | \
                    wall s, mean | median | most | runs / `dart` | processor s / `dart` | geometric mean |\n\
                    |---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (subject, strategy, seeded) in rows(records) {
        let this = row(records, &subject, &strategy, seeded);
        let dart = row(records, &subject, "dart", seeded);
        let all = |quantity: fn(&Searched) -> f64| -> Vec<f64> {
            this.killed()
                .map(|record| quantity(&record.searched))
                .collect()
        };
        let (runs_of, processor_of, wall_of) = (all(runs), all(processor), all(wall));
        let _ = writeln!(
            text,
            "| {subject} | `{strategy}` | {} | {} of {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            seeding(seeded),
            runs_of.len(),
            this.records.len(),
            shown(mean(&runs_of), 1),
            shown(median(&runs_of), 0),
            shown(mean(&processor_of), 2),
            shown(median(&processor_of), 2),
            shown(mean(&wall_of), 2),
            shown(median(&wall_of), 2),
            shown(wall_of.iter().copied().reduce(f64::max), 1),
            this.ratio(&dart, runs),
            this.ratio(&dart, processor),
            this.mean_ratio(&dart, processor),
        );
    }
    text
}

/// What each strategy needs beside `dart`, as the eXpress paper counts it (§5.3.2): over all pairs that one of the two tells
/// apart, where a search that does not counts with all that it spent. (It would have needed more; the paper takes its bound.)
/// `beyond`: only of pairs for which `dart` made more runs than that.
pub fn beside_dart(records: &[Record], beyond: u64) -> String {
    let mut text = "| subject | strategy | seeds | both kill | only it | only `dart` | processor s, `dart` | it | ratio | \
                    both kill: processor s, `dart` | it | ratio | runs / `dart` |\n\
                    |---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n"
        .to_owned();
    for (subject, strategy, seeded) in rows(records) {
        if strategy == "dart" {
            continue;
        }
        let this = row(records, &subject, &strategy, seeded);
        let dart = row(records, &subject, "dart", seeded);
        let is_killed = |record: &Record| matches!(record.searched.outcome, Outcome::Killed { .. });
        let pairs = this.records.iter().filter_map(|own| {
            let same = |record: &&&Record| {
                record.task.pair == own.task.pair && record.task.subject == own.task.subject
            };
            let dart = dart.records.iter().find(same)?;
            (dart.searched.runs > beyond && (is_killed(own) || is_killed(dart)))
                .then_some((*own, *dart))
        });
        let pairs: Vec<(&Record, &Record)> = pairs.collect();
        let killed_by_both = |&(own, dart): &(&Record, &Record)| is_killed(own) && is_killed(dart);
        let both: Vec<_> = pairs.iter().copied().filter(killed_by_both).collect();
        let sums = |pairs: &[(&Record, &Record)], quantity: fn(&Searched) -> f64| {
            let add = |(own, dart): (f64, f64), pair: &(&Record, &Record)| {
                (
                    own + quantity(&pair.0.searched),
                    dart + quantity(&pair.1.searched),
                )
            };
            pairs.iter().fold((0.0, 0.0), add)
        };
        let ratio = |(own, dart): (f64, f64)| shown((dart > 0.0).then_some(own / dart), 2);
        let (all, of_both) = (sums(&pairs, processor), sums(&both, processor));
        let only_it = pairs.iter().filter(|(_, dart)| !is_killed(dart)).count();
        let _ = writeln!(
            text,
            "| {subject} | `{strategy}` | {} | {} | {only_it} | {} | {:.1} | {:.1} | {} | {:.1} | {:.1} | {} | {} |",
            seeding(seeded),
            both.len(),
            pairs.len() - both.len() - only_it,
            all.1,
            all.0,
            ratio(all),
            of_both.1,
            of_both.0,
            ratio(of_both),
            ratio(sums(&both, runs)),
        );
    }
    text
}

/// How many equivalent pairs each strategy proved equal, and what it took.
pub fn proof_table(records: &[Record]) -> String {
    let mut text =
        "| subject | strategy | seeds | proved | runs, mean | processor s, mean | wall s, mean |\n\
                    |---|---|---|---:|---:|---:|---:|\n"
            .to_owned();
    for (subject, strategy, seeded) in rows(records) {
        let this = row(records, &subject, &strategy, seeded);
        let all = |quantity: fn(&Searched) -> f64| {
            let values: Vec<f64> = this.proved().map(|one| quantity(&one.searched)).collect();
            mean(&values)
        };
        let _ = writeln!(
            text,
            "| {subject} | `{strategy}` | {} | {} of {} | {} | {} | {} |",
            seeding(seeded),
            this.proved().count(),
            this.records.len(),
            shown(all(runs), 1),
            shown(all(processor), 2),
            shown(all(wall), 2),
        );
    }
    text
}

/// The pairs without the wanted result, by name, with the reason.
pub fn others(records: &[Record], wanted: fn(&Outcome) -> bool) -> String {
    let mut text = String::new();
    for Record { task, searched } in records {
        if wanted(&searched.outcome) {
            continue;
        }
        let why = match &searched.outcome {
            Outcome::Killed { observables, .. } => {
                let names: Vec<String> = observables.iter().map(ToString::to_string).collect();
                format!("they differ: {}", names.join(", "))
            }
            Outcome::Proved => "proved equal within the bounds".to_owned(),
            Outcome::Survived { reason } => reason.clone(),
        };
        let seeds = if task.seeded { "with" } else { "without" };
        let _ = writeln!(
            text,
            "- {} {}, `{}` {seeds} seeds: {why}",
            task.subject, task.pair, task.strategy
        );
        for objection in &searched.not_confirmed {
            let _ = writeln!(
                text,
                "  - not confirmed: {}",
                objection.replace('\n', "\n    ")
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use exploration::InputRecord;

    fn record(pair: &str, strategy: &str, killed: bool, runs: u64) -> Record {
        Record {
            task: Task {
                subject: "s".to_owned(),
                pair: pair.to_owned(),
                strategy: strategy.to_owned(),
                seeded: false,
                workers: 1,
                timeout_ms: 1000,
                query_timeout_ms: 1000,
                hash: "h".to_owned(),
            },
            searched: Searched {
                outcome: match killed {
                    true => Outcome::Killed {
                        observables: Vec::new(),
                        input: InputRecord::default(),
                    },
                    false => Outcome::Survived {
                        reason: "no time".to_owned(),
                    },
                },
                runs,
                wall_ms: 1000 * runs,
                processor_ms: 1000 * runs,
                queries: 0,
                solving_ms: 0,
                reached: Some(true),
                not_confirmed: Vec::new(),
            },
        }
    }

    #[test]
    fn a_stopped_measurement_goes_on_where_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let (first, second) = (record("a", "dart", true, 3), record("b", "dart", false, 4));
        let mut records = Records::open(Some(&path)).unwrap();
        records.add(first.clone()).unwrap();
        // Stopped while it wrote.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += "{\"subject\":";
        std::fs::write(&path, text).unwrap();
        let mut records = Records::open(Some(&path)).unwrap();
        assert_eq!(records.find(&first.task), Some(&first));
        assert_eq!(records.find(&second.task), None);
        records.add(second.clone()).unwrap();
        let records = Records::open(Some(&path)).unwrap();
        assert_eq!(records.find(&second.task), Some(&second));
        let other = Task {
            timeout_ms: 7,
            ..first.task
        };
        assert_eq!(records.find(&other), None);
    }

    #[test]
    fn ratios_are_over_pairs_that_both_kill() {
        let records = [
            record("a", "dart", true, 4),
            record("b", "dart", true, 100),
            record("c", "dart", false, 1000),
            record("a", "other", true, 1),
            record("b", "other", false, 1000),
            record("c", "other", true, 9),
        ];
        let table = kill_table(&records);
        let line = |start: &str| table.lines().find(|line| line.starts_with(start)).unwrap();
        let dart = "| s | `dart` | no | 2 of 3 | 52.0 | 52 | 52.00 | 52.00 | 52.00 | 52.00 | 100.0 | 1.00 | 1.00 | 1.00 |";
        assert_eq!(line("| s | `dart`"), dart);
        assert!(line("| s | `other`").ends_with("| 0.25 | 0.25 | 0.25 |"));
        assert!(line("| all | `other`").contains("2 of 3 | 5.0 | 5 |"));
        let survivors = others(&records, |outcome| {
            matches!(outcome, Outcome::Killed { .. })
        });
        assert_eq!(survivors.lines().count(), 2);
    }

    #[test]
    fn a_search_that_fails_counts_with_what_it_spent() {
        let records = [
            record("a", "dart", true, 4),
            record("b", "dart", false, 100),
            record("c", "dart", true, 10),
            record("d", "dart", false, 100),
            record("a", "express", true, 2),
            record("b", "express", true, 8),
            record("c", "express", false, 40),
            record("d", "express", false, 100),
        ];
        let last = |beyond| {
            let table = beside_dart(&records, beyond);
            table.lines().last().unwrap().to_owned()
        };
        let all =
            "| all | `express` | no | 1 | 1 | 1 | 114.0 | 50.0 | 0.44 | 4.0 | 2.0 | 0.50 | 0.50 |";
        assert_eq!(last(0), all);
        let long = "| all | `express` | no | 0 | 1 | 1 | 110.0 | 48.0 | 0.44 | 0.0 | 0.0 | - | - |";
        assert_eq!(last(4), long);
    }

    #[test]
    fn the_middle_of_nothing_is_nothing() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
