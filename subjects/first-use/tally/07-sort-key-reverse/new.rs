//! tally: counts how often each word occurs on standard input.
//!
//!   tally [--min N] [--top N] [--ignore-case]
//!
//! Words are separated by white space; punctuation at both ends is taken off. Sorted by count,
//! then by word. --min leaves out rare words, --top prints only the first N.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::ExitCode;

#[derive(Debug)]
struct Settings {
    min: u32,
    top: Option<usize>,
    ignore_case: bool,
}

#[derive(Debug)]
enum Problem {
    Unknown(String),
    Missing(&'static str),
    BadNumber(String),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Unknown(arg) => write!(f, "unknown option {arg}"),
            Problem::Missing(option) => write!(f, "{option} needs a number"),
            Problem::BadNumber(text) => write!(f, "not a number: {text}"),
        }
    }
}

fn number(args: &mut dyn Iterator<Item = String>, option: &'static str) -> Result<u32, Problem> {
    let text = args.next().ok_or(Problem::Missing(option))?;
    text.parse().map_err(|_| Problem::BadNumber(text))
}

fn parse_args(mut args: impl Iterator<Item = String>) -> Result<Settings, Problem> {
    let mut settings = Settings { min: 1, top: None, ignore_case: false };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--min" => settings.min = number(&mut args, "--min")?,
            "--top" => settings.top = Some(number(&mut args, "--top")? as usize),
            "--ignore-case" | "-i" => settings.ignore_case = true,
            _ => return Err(Problem::Unknown(arg)),
        }
    }
    Ok(settings)
}

fn normalise(word: &str, settings: &Settings) -> Option<String> {
    let word = word.trim_matches(|c: char| c.is_ascii_punctuation());
    if word.is_empty() {
        return None;
    }
    if settings.ignore_case {
        Some(word.to_ascii_lowercase())
    } else {
        Some(word.to_string())
    }
}

fn count_words(text: &str, settings: &Settings) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for word in text.split_ascii_whitespace() {
        if let Some(word) = normalise(word, settings) {
            *counts.entry(word).or_insert(0) += 1;
        }
    }
    counts
}

fn report(counts: BTreeMap<String, u32>, settings: &Settings) -> usize {
    let mut rows: Vec<(String, u32)> = counts.into_iter().collect();
    rows.sort_by_key(|&(_, count)| Reverse(count));
    let mut printed = 0;
    for (word, count) in rows {
        if count < settings.min {
            break;
        }
        if settings.top.is_some_and(|top| printed >= top) {
            break;
        }
        println!("{count:>4} {word}");
        printed += 1;
    }
    printed
}

fn main() -> ExitCode {
    let settings = match parse_args(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(problem) => {
            eprintln!("tally: {problem}");
            return ExitCode::from(2);
        }
    };
    let mut bytes = Vec::new();
    if let Err(error) = io::stdin().read_to_end(&mut bytes) {
        eprintln!("tally: {error}");
        return ExitCode::from(1);
    }
    let text = String::from_utf8_lossy(&bytes);
    let counts = count_words(&text, &settings);
    if report(counts, &settings) == 0 {
        eprintln!("tally: no words");
        return ExitCode::from(1);
    }
    ExitCode::SUCCESS
}
