//! Measures what `parallax check` finds and proves of the decision subject as a function of twelve numbers (thesis Fig. 3.8).
//!
//! Every mutant and regression of `altitude_advisory` is compared with the original through `numbers.c`, by several ways to
//! search, each within the same time. Some changes are only in how arguments are read, which `numbers.c` does not do: there both versions
//! are the same.

use std::path::Path;
use std::process::{Command, ExitCode};

use build::Builder;
use clap::Parser;
use program_tests::subjects::{Subject, subjects};
use program_tests::version_pairs::{Failure, Pair, pairs};
use program_tests::vm;
use serde_json::Value;

type Result<T> = std::result::Result<T, Failure>;

#[derive(Parser, Debug)]
struct Arguments {
    /// Which pair, as m0042; may be repeated [default: all]
    #[arg(long = "pair", value_name = "NAME")]
    pairs: Vec<String>,
    /// The most time for one check
    #[arg(long, value_name = "TIME", default_value = "5s")]
    timeout: String,
}

const SUBJECT: &str = "altitude_advisory";

/// Ways to check, with their options.
const WAYS: [(&str, &[&str]); 4] = [
    ("check", &[]),
    ("--verify-only", &["--verify-only"]),
    ("dart", &["--strategy", "dart"]),
    ("express", &["--strategy", "dart", "--prune"]),
];

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_decision: error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What became of one check.
struct Outcome {
    verdict: String,
    partitions: u64,
    search_s: f64,
}

fn measure(arguments: &Arguments) -> Result<()> {
    let all = subjects()?;
    let subject = all.iter().find(|subject| subject.name == SUBJECT);
    let subject = subject.ok_or("the decision subject is missing")?;
    let builder = Builder::new(&|_| {})?;
    let folder = tempfile::tempdir()?;
    println!("Up to {} each, one worker.\n", arguments.timeout);
    println!(
        "| way | pairs | different | equivalent | undecided | partitions, mean | search s, mean | most |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut notes = Vec::new();
    for equivalent in [false, true] {
        let mut chosen = pairs(subject, equivalent);
        let wanted =
            |pair: &Pair| arguments.pairs.is_empty() || arguments.pairs.contains(&pair.name);
        chosen.retain(wanted);
        if chosen.is_empty() {
            continue;
        }
        for (way, options) in WAYS {
            let mut outcomes = Vec::new();
            for pair in &chosen {
                let outcome = check(arguments, subject, &builder, folder.path(), pair, options)?;
                let expected = if equivalent {
                    "equivalent"
                } else {
                    "different"
                };
                if outcome.verdict != expected {
                    notes.push(format!("- {way}: {} is {}", pair.name, outcome.verdict));
                }
                outcomes.push(outcome);
            }
            let kind = if equivalent {
                "equivalent"
            } else {
                "not equivalent"
            };
            println!("{}", row(&format!("{way}, {kind}"), &outcomes));
        }
    }
    println!();
    notes.iter().for_each(|note| println!("{note}"));
    Ok(())
}

fn row(name: &str, outcomes: &[Outcome]) -> String {
    let count = |verdict: &str| {
        let with = outcomes.iter().filter(|outcome| outcome.verdict == verdict);
        with.count()
    };
    let number = outcomes.len().max(1) as f64;
    let partitions: u64 = outcomes.iter().map(|outcome| outcome.partitions).sum();
    let seconds: f64 = outcomes.iter().map(|outcome| outcome.search_s).sum();
    let most = outcomes.iter().map(|outcome| outcome.search_s);
    format!(
        "| {name} | {} | {} | {} | {} | {:.0} | {:.2} | {:.2} |",
        outcomes.len(),
        count("different"),
        count("equivalent"),
        count("undecided"),
        partitions as f64 / number,
        seconds / number,
        most.fold(0.0, f64::max)
    )
}

fn check(
    arguments: &Arguments,
    subject: &Subject,
    builder: &Builder<'_>,
    folder: &Path,
    pair: &Pair,
    options: &[&str],
) -> Result<Outcome> {
    let versions = pair.write(subject, builder)?;
    let files = versions.through(&subject.folder.join("numbers.c"), folder)?;
    let output = Command::new(vm::locate()?)
        .arg("check")
        .args(&files)
        .args(["--format", "json", "--fresh", "-j", "1", "--timeout"])
        .arg(&arguments.timeout)
        .arg("--tests")
        .arg(folder.join("tests"))
        .args(options)
        .output()?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let partitions = report["partition_counts"].as_object();
    let partitions = partitions.into_iter().flat_map(|counts| counts.values());
    Ok(Outcome {
        verdict: report["verdict"].as_str().unwrap_or_default().to_owned(),
        partitions: partitions.filter_map(Value::as_u64).sum(),
        search_s: report["stats"]["search_ms"].as_f64().unwrap_or(0.0) / 1000.0,
    })
}
