//! What `parallax check` says of many version pairs, as lines of JSON, and two such files held against each other.
//!
//!   verdict_table --parallax EXECUTABLE --out FILE [--generated N] [--only KIND] [--all-refactorings]
//!   verdict_table --before FILE --after FILE
//!
//! The pairs: every regression and mutant of the subjects, the refactorings of real functions that `make test` looks at (or all), with their
//! mistakes, the examples, and whole programs of the program generator. Searches are bounded by their number of runs and have
//! one worker, so that two executables with the same search must say the same.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use build::Builder;
use clap::Parser;
use program_generator::{Settings, pair, print_whole};
use program_tests::debian_pairs::Result;
use program_tests::{refactorings, subjects, version_pairs};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Parser)]
struct Arguments {
    /// The executable that checks.
    #[arg(long)]
    parallax: Option<PathBuf>,
    /// Where to write what it says.
    #[arg(long)]
    out: Option<PathBuf>,
    /// How many generated pairs.
    #[arg(long, default_value_t = 500)]
    generated: usize,
    /// Only pairs of this kind: subject, refactoring, example or generated.
    #[arg(long)]
    only: Option<String>,
    /// Also the refactorings that `make test` leaves out.
    #[arg(long)]
    all_refactorings: bool,
    #[arg(long)]
    before: Option<PathBuf>,
    #[arg(long)]
    after: Option<PathBuf>,
}

/// A pair and how it is checked.
struct Pair {
    kind: &'static str,
    name: String,
    arguments: Vec<String>,
}

/// What was said of a pair.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
struct Said {
    kind: String,
    name: String,
    verdict: String,
    differences: usize,
    confirmed: usize,
    partitions: BTreeMap<String, u64>,
    runs: u64,
}

const SEARCH: [&str; 12] = [
    "--strategy",
    "dart",
    "--prune",
    "--runs",
    "120",
    "--timeout",
    "120s",
    "-j",
    "1",
    "--fresh",
    "--format",
    "json",
];

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    match (&arguments.before, &arguments.after) {
        (Some(before), Some(after)) => return compare(&read(before)?, &read(after)?),
        (None, None) => {}
        _ => return Err("--before and --after go together".into()),
    }
    let (Some(parallax), Some(out)) = (&arguments.parallax, &arguments.out) else {
        return Err("say which executable with --parallax, and where to write with --out".into());
    };
    let parallax = parallax.canonicalize()?;
    let sources = tempfile::tempdir()?;
    let mut all = pairs_of_subjects()?;
    all.extend(refactoring_pairs(arguments.all_refactorings)?);
    all.extend(examples());
    all.extend(generated(arguments.generated, sources.path())?);
    let is_wanted = |pair: &&Pair| arguments.only.as_ref().is_none_or(|only| pair.kind == only);
    let mut text = String::new();
    for pair in all.iter().filter(is_wanted) {
        text += &serde_json::to_string(&check(&parallax, pair)?)?;
        text.push('\n');
        std::fs::write(out, &text)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> Result<Vec<Said>> {
    let text = std::fs::read_to_string(file)?;
    let lines = text.lines().map(serde_json::from_str);
    Ok(lines.collect::<std::result::Result<_, _>>()?)
}

fn check(parallax: &Path, pair: &Pair) -> Result<Said> {
    let folder = tempfile::tempdir()?;
    let output = Command::new(parallax)
        .arg("check")
        .args(&pair.arguments)
        .args(SEARCH)
        .arg("--tests")
        .arg(folder.path().join("tests"))
        .current_dir(folder.path())
        .output()?;
    let report: Value = match output.status.code() {
        Some(0 | 1 | 3) => serde_json::from_slice(&output.stdout)?,
        _ => {
            let why = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{}: `parallax check` failed: {why}", pair.name).into());
        }
    };
    let differences = report["differences"].as_array().cloned();
    let differences = differences.unwrap_or_default();
    let confirmed = differences
        .iter()
        .filter(|difference| difference["confirmed_natively"] == true);
    let counts = report["partition_counts"].as_object().into_iter().flatten();
    Ok(Said {
        kind: pair.kind.to_owned(),
        name: pair.name.clone(),
        verdict: report["verdict"].as_str().unwrap_or("?").to_owned(),
        differences: differences.len(),
        confirmed: confirmed.count(),
        partitions: counts
            .filter_map(|(name, count)| Some((name.clone(), count.as_u64()?)))
            .collect(),
        runs: report["stats"]["runs"].as_u64().unwrap_or(0),
    })
}

/// The changed versions of the subjects, with the bounds of each.
fn pairs_of_subjects() -> Result<Vec<Pair>> {
    let builder = Builder::new(&|_| {})?;
    let mut all = Vec::new();
    for subject in subjects::subjects()? {
        let bounds = std::fs::read_to_string(
            subjects::subjects_folder()
                .join(&subject.name)
                .join("subject.toml"),
        )?;
        let bounds: toml::Table = toml::from_str(&bounds)?;
        let number = |value: &toml::Value| value.as_integer().unwrap_or(0).to_string();
        let mut space = vec!["--sym-args".to_owned()];
        let counts = bounds.get("sym_args").and_then(toml::Value::as_array);
        space.extend(counts.into_iter().flatten().map(number));
        let stdin = bounds.get("sym_stdin").map(number).unwrap_or_default();
        if stdin != "0" {
            space.extend(["--sym-stdin".to_owned(), stdin]);
        }
        for equivalent in [false, true] {
            for pair in version_pairs::pairs(&subject, equivalent) {
                let written = pair.write(&subject, &builder);
                let versions = written.map_err(|error| error.to_string())?;
                let files = versions.requests.iter().map(|request| {
                    let file = std::path::absolute(&request.inputs[0])?;
                    Ok(file.to_string_lossy().into_owned())
                });
                let mut arguments = files.collect::<std::io::Result<Vec<String>>>()?;
                arguments.extend(space.iter().cloned());
                all.push(Pair {
                    kind: "subject",
                    name: format!("{} {}", subject.name, pair.name),
                    arguments,
                });
            }
        }
    }
    Ok(all)
}

fn refactoring_pairs(slow_ones: bool) -> Result<Vec<Pair>> {
    let mut all = Vec::new();
    for case in refactorings::read_list()? {
        if !case.quick && !slow_ones {
            continue;
        }
        for (name, [old, new]) in case.version_files()? {
            let mut arguments = vec![old, new, "--fn".to_owned(), case.function.clone()];
            arguments.extend(case.check.iter().cloned());
            all.push(Pair {
                kind: "refactoring",
                name: format!("{} {name}", case.name),
                arguments,
            });
        }
    }
    Ok(all)
}

fn examples() -> Vec<Pair> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let pairs = [
        ("discount", &["--sym-args", "1", "2", "2"][..]),
        ("area", &[]),
        ("dial", &[]),
        ("readings", &[]),
    ];
    let pairs = pairs.into_iter().filter_map(|(name, bounds)| {
        let files = ["old.c", "new.c"].map(|file| folder.join(name).join(file));
        let mut arguments = Vec::new();
        for file in files {
            arguments.push(file.canonicalize().ok()?.to_string_lossy().into_owned());
        }
        arguments.extend(bounds.iter().map(|&bound| bound.to_owned()));
        Some(Pair {
            kind: "example",
            name: name.to_owned(),
            arguments,
        })
    });
    pairs.collect()
}

/// Whole programs, with bounds of what they read.
fn generated(count: usize, folder: &Path) -> Result<Vec<Pair>> {
    let mut all = Vec::new();
    for seed in 0..count as u64 {
        let settings = Settings {
            faults: seed % 2 == 1,
            ..Settings::default()
        };
        let pair = pair(seed, settings);
        let mut arguments = Vec::new();
        for (which, program) in [("old", &pair.old), ("new", &pair.new)] {
            let file = folder.join(format!("{seed}-{which}.c"));
            std::fs::write(&file, print_whole(program).text)?;
            arguments.push(file.to_string_lossy().into_owned());
        }
        let (length, stdin) = pair.old.input_sizes();
        if pair.old.takes_argument() {
            arguments.extend(["--sym-arg".to_owned(), length.to_string()]);
        }
        if stdin > 0 {
            arguments.extend(["--sym-stdin".to_owned(), stdin.to_string()]);
        }
        if arguments.len() > 2 {
            all.push(Pair {
                kind: "generated",
                name: seed.to_string(),
                arguments,
            });
        }
    }
    Ok(all)
}

/// Prints a row for each kind of pair, and every pair of which something else is said.
fn compare(before: &[Said], after: &[Said]) -> Result<ExitCode> {
    println!(
        "| pairs | number | equivalent | different | undecided | partitions | same verdict | same in all |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut kinds: Vec<&String> = after.iter().map(|said| &said.kind).collect();
    kinds.dedup();
    let mut others = Vec::new();
    for kind in kinds {
        let own: Vec<&Said> = after.iter().filter(|said| said.kind == *kind).collect();
        let verdicts = |verdict: &str| own.iter().filter(|said| said.verdict == verdict).count();
        let partitions: u64 = own.iter().flat_map(|said| said.partitions.values()).sum();
        let (mut same_verdict, mut same) = (0, 0);
        for said in &own {
            let mut known = before.iter();
            let known = known.find(|known| known.kind == said.kind && known.name == said.name);
            let Some(known) = known else {
                others.push(format!("{kind} {}: not checked before", said.name));
                continue;
            };
            same_verdict += usize::from(known.verdict == said.verdict);
            same += usize::from(known == *said);
            if known != *said {
                others.push(format!("before {known:?}\nafter  {said:?}"));
            }
        }
        println!(
            "| {kind} | {} | {} | {} | {} | {partitions} | {same_verdict} | {same} |",
            own.len(),
            verdicts("equivalent"),
            verdicts("different"),
            verdicts("undecided"),
        );
    }
    for other in &others {
        println!("\n{other}");
    }
    Ok(ExitCode::from(u8::from(!others.is_empty())))
}
