//! Measures how fast differences between versions of the subjects are found, and what is proved equal.
//!
//! A pair of versions is a subject's program and one of its hand-made regressions or mutants. Every pair that some
//! input tells apart is searched with every strategy, with the subject's seeds and without, until the first
//! difference (`program_tests::first_difference` says what counts). With `--equivalent` the pairs are those that no
//! input tells apart, and what counts is a proof.
//!
//! With `--out FILE`, each result is a line of that file, and a measurement that was stopped goes on.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use build::Builder;
use build::cache::Key;
use clap::{Parser, ValueEnum};
use program_tests::check_records::{
    Record, Records, Task, beside_dart, kill_table, others, proof_table,
};
use program_tests::first_difference::{Direction, Method, Outcome, search};
use program_tests::subject_space::{seeded, unseeded};
use program_tests::subjects::{Subject, subjects};
use program_tests::version_pairs::{Failure, Pair, build_all, load, pairs, spread};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[derive(Parser, Debug)]
struct Arguments {
    /// Which subject; may be repeated [default: all]
    #[arg(long = "subject", value_name = "NAME")]
    subjects: Vec<String>,
    /// Which pair, as m0042 or 01-name; may be repeated [default: all]
    #[arg(long = "pair", value_name = "NAME")]
    pairs: Vec<String>,
    /// How to search; may be repeated
    #[arg(long = "strategy", value_name = "NAME", default_value = "dart")]
    strategies: Vec<Direction>,
    /// Whether the subject's seeds are run first
    #[arg(long, value_enum, default_value = "both")]
    seeding: Seeding,
    /// The most time for one search, in seconds
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "30s")]
    timeout: Duration,
    /// The most time for one question to the solver, in seconds
    #[arg(long, value_name = "TIME", value_parser = seconds, default_value = "5s")]
    query_timeout: Duration,
    /// Where questions to the solver are written, for `parallax debug replay-queries`
    #[arg(long, value_name = "FILE")]
    query_log: Option<PathBuf>,
    /// At most so many pairs of each subject
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// How many workers a search has
    #[arg(short = 'j', long = "workers", value_name = "N", default_value_t = 1)]
    workers: usize,
    /// Beside `dart`, only compare pairs for which it makes more runs than this
    #[arg(long, value_name = "N", default_value_t = 0)]
    beyond: u64,
    /// Measure proofs of the equivalent mutants
    #[arg(long)]
    equivalent: bool,
    /// Where results are kept, a line each
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum Seeding {
    Both,
    With,
    Without,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.strip_suffix('s').unwrap_or(text).parse().ok();
    let time = number.and_then(|number| Duration::try_from_secs_f64(number).ok());
    time.ok_or_else(|| format!("`{text}` is not a time; write it as 30s"))
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench_check: error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing is wrong with the subjects: no pair that is called equivalent differs.
fn measure(arguments: &Arguments) -> Result<bool, Failure> {
    let chosen = chosen(arguments)?;
    let all: Vec<(&Subject, &Pair)> = chosen
        .iter()
        .flat_map(|(subject, pairs)| pairs.iter().map(move |pair| (subject, pair)))
        .collect();
    eprintln!("building {} pairs", all.len());
    build_all(&all)?;
    let builder = Builder::new(&|_| {})?;
    let mut records = Records::open(arguments.out.as_deref())?;
    let mut measured = Vec::new();
    for (subject, pairs) in &chosen {
        for pair in pairs {
            measured.extend(measure_pair(
                arguments,
                &builder,
                subject,
                pair,
                &mut records,
            )?);
        }
    }
    // Together in the tables.
    measured.sort_by_key(|record| {
        let task = &record.task;
        let same = |direction: &Direction| direction.name == task.strategy;
        let strategy = arguments.strategies.iter().position(same);
        (task.subject.clone(), task.seeded, strategy)
    });
    let timeout = arguments.timeout.as_secs_f64();
    println!("Up to {timeout} s each, {} worker(s).\n", arguments.workers);
    let killed = |outcome: &Outcome| matches!(outcome, Outcome::Killed { .. });
    if !arguments.equivalent {
        println!("{}", kill_table(&measured));
        println!("{}", beside_dart(&measured, arguments.beyond));
        print!("{}", others(&measured, killed));
        return Ok(true);
    }
    let proved = |outcome: &Outcome| *outcome == Outcome::Proved;
    print!("{}\n{}", proof_table(&measured), others(&measured, proved));
    Ok(!measured
        .iter()
        .any(|record| killed(&record.searched.outcome)))
}

fn chosen(arguments: &Arguments) -> Result<Vec<(Subject, Vec<Pair>)>, Failure> {
    let all = subjects()?;
    for name in &arguments.subjects {
        if all.iter().all(|subject| subject.name != *name) {
            let names: Vec<&str> = all.iter().map(|subject| subject.name.as_str()).collect();
            return Err(format!(
                "no subject is called `{name}`; there are {}",
                names.join(", ")
            )
            .into());
        }
    }
    let named = |names: &[String], name: &String| names.is_empty() || names.contains(name);
    let mut chosen = Vec::new();
    for subject in all {
        if named(&arguments.subjects, &subject.name) {
            let mut pairs = pairs(&subject, arguments.equivalent);
            pairs.retain(|pair| named(&arguments.pairs, &pair.name));
            let pairs = spread(pairs, arguments.limit.unwrap_or(usize::MAX));
            chosen.push((subject, pairs));
        }
    }
    Ok(chosen)
}

fn measure_pair(
    arguments: &Arguments,
    builder: &Builder<'_>,
    subject: &Subject,
    pair: &Pair,
    records: &mut Records,
) -> Result<Vec<Record>, Failure> {
    let hash = hash(subject)?;
    let mut tasks = Vec::new();
    for direction in &arguments.strategies {
        let without = !matches!(arguments.seeding, Seeding::With);
        let with = !matches!(arguments.seeding, Seeding::Without);
        for seeded in [without.then_some(false), with.then_some(true)]
            .into_iter()
            .flatten()
        {
            let task = Task {
                subject: subject.name.clone(),
                pair: pair.name.clone(),
                strategy: direction.name.clone(),
                seeded,
                workers: arguments.workers,
                timeout_ms: arguments.timeout.as_millis() as u64,
                query_timeout_ms: arguments.query_timeout.as_millis() as u64,
                hash: hash.clone(),
            };
            tasks.push((direction, task));
        }
    }
    let known = |records: &Records| -> Vec<Record> {
        let found = tasks
            .iter()
            .filter_map(|(_, task)| records.find(task).cloned());
        found.collect()
    };
    if known(records).len() == tasks.len() {
        return Ok(known(records));
    }
    let versions = pair.write(subject, builder)?;
    let old = load(builder, &versions.requests[0])?;
    let new = load(builder, &versions.requests[1])?;
    for (direction, task) in &tasks {
        if records.find(task).is_some() {
            continue;
        }
        let start = match task.seeded {
            true => seeded(&subject.space, &subject.seeds),
            false => unseeded(&subject.space),
        };
        let method = Method {
            direction: (*direction).clone(),
            workers: arguments.workers,
            timeout: arguments.timeout,
            query_timeout: arguments.query_timeout,
            query_log: arguments.query_log.clone(),
        };
        let searched = search(builder, [&old, &new], &versions, &start, &method)?;
        let words = match &searched.outcome {
            Outcome::Killed { .. } => "killed",
            Outcome::Proved => "proved equal",
            Outcome::Survived { .. } => "survived",
        };
        eprintln!(
            "{} {} {} {}: {words}, {} runs, {:.2} s",
            task.subject,
            task.pair,
            task.strategy,
            if task.seeded {
                "with seeds"
            } else {
                "without seeds"
            },
            searched.runs,
            searched.wall_ms as f64 / 1000.0,
        );
        records.add(Record {
            task: task.clone(),
            searched,
        })?;
    }
    Ok(known(records))
}

/// Of what a measurement depends on besides the pair.
fn hash(subject: &Subject) -> Result<String, Failure> {
    let mut key = Key::new("bench_check 1");
    key.add(std::fs::read(&subject.program.source)?);
    key.add(subject.space.bounds().join("\n"));
    for seed in &subject.seeds {
        key.add(seed.arguments.join("\n"));
        key.add(&seed.stdin);
    }
    Ok(key.finish())
}
