//! What the plain command `parallax check OLD NEW` says of the edits below `subjects/first-use`.
//!
//!   first_use [--only PART]... [-j N] [--timeout TIME] [--json-times]
//!
//! Each pair is checked in a fresh folder, so that nothing of an earlier check is found again. Prints a Markdown table with the
//! headline, the exit status and the times as a user would see them, and totals; the meaning of the last column is described
//! in `subjects/first-use/README.md`. The exit status says whether no answer was wrong, misnamed or failed.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use program_tests::debian_pairs::Result;
use program_tests::first_use::{self, Edit, Kind, Verdict};
use program_tests::vm;
use serde_json::Value;

#[derive(Parser)]
struct Arguments {
    /// Only edits with this part in their name; may be repeated.
    #[arg(long)]
    only: Vec<String>,
    /// How many pairs are checked at the same time.
    #[arg(short, default_value_t = 1)]
    jobs: usize,
    /// Passed on to `parallax check`.
    #[arg(long, default_value = "30s")]
    timeout: String,
    /// Check each pair a second time with `--format json`, for the time at which the search had its first difference.
    #[arg(long)]
    json_times: bool,
}

/// A pair of files and the truth about them.
struct Pair {
    old: String,
    new: String,
    edit: Edit,
}

/// What the command printed, and when.
struct Said {
    headline: String,
    /// The headline and the first line of each difference.
    summary: String,
    status: Option<i32>,
    /// When the first line about a difference was there.
    first_difference: Option<Duration>,
    /// When the command ended.
    verdict: Duration,
    /// When the search had its first difference, by its own account.
    searched: Option<Duration>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Right,
    Open,
    Missed,
    Misnamed,
    Wrong,
    Failed,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let parallax = vm::locate()?.canonicalize()?;
    let pairs = pairs(&arguments.only)?;
    let answers = check_all(&parallax, &pairs, &arguments)?;
    println!(
        "| edit | kind | truth | smallest witness | headline | status | first difference | verdict | |"
    );
    println!("|---|---|---|---|---|---:|---:|---:|---|");
    let mut totals: BTreeMap<(Kind, Mark), usize> = BTreeMap::new();
    for (pair, said) in pairs.iter().zip(&answers) {
        let mark = judge(&pair.edit, said);
        *totals.entry((pair.edit.truth.kind, mark)).or_default() += 1;
        print_row(&pair.edit, said, mark);
    }
    print_totals(&totals);
    let is_bad = |mark: Mark| matches!(mark, Mark::Wrong | Mark::Misnamed | Mark::Failed);
    let bad = totals.keys().any(|&(_, mark)| is_bad(mark));
    Ok(ExitCode::from(u8::from(bad)))
}

fn pairs(only: &[String]) -> Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for program in first_use::programs()? {
        let old = program.old.source.to_string_lossy().into_owned();
        for edit in program.edits {
            if only.is_empty() || only.iter().any(|part| edit.name.contains(part)) {
                pairs.push(Pair {
                    old: old.clone(),
                    new: edit.new.source.to_string_lossy().into_owned(),
                    edit,
                });
            }
        }
    }
    match pairs.is_empty() {
        true => Err(format!("no edit has a name with one of {only:?} in it").into()),
        false => Ok(pairs),
    }
}

/// The answers in the order of the pairs. The first error of the machinery around a check ends everything.
fn check_all(parallax: &Path, pairs: &[Pair], arguments: &Arguments) -> Result<Vec<Said>> {
    let next = AtomicUsize::new(0);
    let answers: Mutex<BTreeMap<usize, Said>> = Mutex::default();
    let error: Mutex<Option<String>> = Mutex::default();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(pair) = pairs.get(at) else { return };
            if error.lock().expect("no panic while it is held").is_some() {
                return;
            }
            match check(parallax, pair, arguments) {
                Ok(said) => {
                    eprintln!("{}: {}", pair.edit.name, said.headline);
                    let mut answers = answers.lock().expect("no panic while it is held");
                    answers.insert(at, said);
                }
                Err(problem) => {
                    let mut error = error.lock().expect("no panic while it is held");
                    *error = Some(format!("{}: {problem}", pair.edit.name));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(work);
        }
    });
    if let Some(problem) = error.into_inner()? {
        return Err(problem.into());
    }
    Ok(answers.into_inner()?.into_values().collect())
}

fn check(parallax: &Path, pair: &Pair, arguments: &Arguments) -> Result<Said> {
    let command = |folder: &Path| {
        let mut command = Command::new(parallax);
        command
            .args(["check", &pair.old, &pair.new])
            .args(["--timeout", &arguments.timeout])
            .current_dir(folder)
            .stdin(Stdio::null());
        command
    };
    let folder = tempfile::tempdir()?;
    let mut said = watch(&mut command(folder.path()))?;
    if arguments.json_times {
        let folder = tempfile::tempdir()?;
        let output = command(folder.path()).args(["--format", "json"]).output()?;
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let milliseconds = report["first_difference"]["wall_ms"].as_f64();
        said.searched = milliseconds.map(|count| Duration::from_secs_f64(count / 1000.0));
    }
    Ok(said)
}

/// Runs the command and notes when its lines come.
fn watch(command: &mut Command) -> Result<Said> {
    let start = Instant::now();
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err("the command has no pipes".into());
    };
    let (stdout, stderr) = std::thread::scope(|scope| {
        let stderr = scope.spawn(|| lines(stderr, start));
        let stdout = lines(stdout, start);
        (stdout, stderr.join().expect("reading does not panic"))
    });
    let (stdout, stderr) = (stdout?, stderr?);
    let status = child.wait()?.code();
    let verdict = start.elapsed();
    let both = || stdout.iter().chain(&stderr);
    let about_difference = both().filter(|(_, line)| is_about_difference(line));
    let headline = stdout
        .iter()
        .find(|(_, line)| is_headline(line))
        .or(stdout.first());
    let headline = headline.or(stderr.last()).map(|(_, line)| line.clone());
    let summary = both().map(|(_, line)| line.as_str());
    let summary: Vec<&str> = summary
        .filter(|line| is_headline(line) || starts_entry(line))
        .collect();
    Ok(Said {
        first_difference: about_difference.map(|&(when, _)| when).min(),
        headline: headline.unwrap_or_default(),
        summary: summary.join("\n"),
        status,
        verdict,
        searched: None,
    })
}

fn lines(stream: impl Read, start: Instant) -> std::io::Result<Vec<(Duration, String)>> {
    let mut found = Vec::new();
    for line in BufReader::new(stream).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        found.push((start.elapsed(), line));
    }
    Ok(found)
}

/// The words that a verdict begins with.
const VERDICTS: [&str; 5] = [
    "equivalent",
    "different",
    "undecided",
    "not exercised",
    "nothing has changed",
];

fn is_headline(line: &str) -> bool {
    VERDICTS.iter().any(|verdict| line.starts_with(verdict))
}

/// A headline that says so, or the first line of a numbered difference.
fn is_about_difference(line: &str) -> bool {
    line.starts_with("different") || starts_entry(line)
}

/// The first line of a difference: its number, and what differs.
fn starts_entry(line: &str) -> bool {
    let number = line.split_once(". ").map(|(number, _)| number);
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

fn judge(edit: &Edit, said: &Said) -> Mark {
    let begins = |word: &str| said.headline.starts_with(word);
    let claims_equal = begins("equivalent") || begins("nothing has changed");
    let claims_difference = begins("different");
    match said.status {
        Some(0 | 1 | 3) => {}
        _ => return Mark::Failed,
    }
    let fits = match said.status {
        Some(0) => claims_equal,
        Some(1) => claims_difference,
        _ => !claims_equal && !claims_difference,
    };
    if !fits {
        return Mark::Wrong;
    }
    let names_it = || {
        let summary = said.summary.to_lowercase();
        let mut words = edit.truth.names.iter().flat_map(|name| name.words());
        words.any(|word| summary.contains(word))
    };
    match edit.truth.verdict {
        Verdict::Equivalent if claims_equal => Mark::Right,
        Verdict::Equivalent if claims_difference => Mark::Wrong,
        Verdict::Different if claims_equal => Mark::Missed,
        Verdict::Different if claims_difference && !names_it() => Mark::Misnamed,
        Verdict::Different if claims_difference => Mark::Right,
        _ => Mark::Open,
    }
}

fn print_row(edit: &Edit, said: &Said, mark: Mark) {
    let truth = &edit.truth;
    let verdict = match truth.verdict {
        Verdict::Equivalent => "equivalent".to_owned(),
        Verdict::Different => {
            let names: Vec<String> = truth.names.iter().map(ToString::to_string).collect();
            format!("different: {}", names.join(", "))
        }
    };
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    let seen = said.first_difference.map(seconds).unwrap_or_default();
    let first_difference = match said.searched {
        Some(time) => format!("{seen} (found: {})", seconds(time)),
        None => seen,
    };
    let status = said.status.map(|code| code.to_string());
    let cells = [
        edit.name.clone(),
        truth.kind.to_string(),
        verdict,
        truth.needs.clone().unwrap_or_default(),
        said.headline.clone(),
        status.unwrap_or_else(|| "signal".to_owned()),
        first_difference,
        seconds(said.verdict),
        mark.word().to_owned(),
    ];
    let cells = cells.map(|cell| cell.replace('|', "\\|"));
    println!("| {} |", cells.join(" | "));
}

fn print_totals(totals: &BTreeMap<(Kind, Mark), usize>) {
    println!("\n| kind | edits | right | open | missed | misnamed | wrong | failed |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let marks = [
        Mark::Right,
        Mark::Open,
        Mark::Missed,
        Mark::Misnamed,
        Mark::Wrong,
        Mark::Failed,
    ];
    let row = |name: &str, kinds: &[Kind]| {
        let count = |mark: Mark| -> usize {
            let found = kinds.iter().filter_map(|&kind| totals.get(&(kind, mark)));
            found.sum()
        };
        let counts = marks.map(count);
        let all: usize = counts.iter().sum();
        let counts = counts.map(|count| count.to_string());
        println!("| {name} | {all} | {} |", counts.join(" | "));
    };
    let kinds = [Kind::Refactoring, Kind::Fix, Kind::Feature, Kind::Fault];
    for kind in kinds {
        row(&kind.to_string(), &[kind]);
    }
    row("all", &kinds);
}

impl Mark {
    fn word(self) -> &'static str {
        match self {
            Mark::Right => "right",
            Mark::Open => "open",
            Mark::Missed => "missed",
            Mark::Misnamed => "misnamed",
            Mark::Wrong => "**wrong**",
            Mark::Failed => "**failed**",
        }
    }
}
