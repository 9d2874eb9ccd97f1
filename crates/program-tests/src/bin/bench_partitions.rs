//! `make bench`, the proofs: how many partitions there are with relevant slices and with whole paths, and what they cost.
//!
//! **By pair.** Versions of the subjects, and small programs of ours with many branches that have nothing to do with the
//! change (`bench/partitions`), are compared to the end in three ways ([`Way`]). Of each subject these are the first regressions,
//! the first mutants that are equivalent, and the first that are not, in the order of its lists, within small bounds. Where
//! time is over first, the share of the inputs that is settled is given.
//!
//! **By size.** Some of them again with slices and more and more bytes of input: partitions per second, and where time goes.
//!
//! The ways must not contradict each other; otherwise the exit status is 1. All with one worker, and times are processor seconds.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use build::Builder;
use clap::Parser;
use exploration::{InputSpace, Subject as Explored, Verdict};
use program_tests::brute_force::Explorable;
use program_tests::corpus;
use program_tests::proof_costs::{Cost, Way, compare};
use program_tests::subject_space::{PROGRAM_NAME, parse};
use program_tests::subjects::{Subject, subjects};
use program_tests::version_pairs::{Failure, Pair, load, pairs, request};

type Result<T> = std::result::Result<T, Failure>;

#[derive(Parser)]
struct Arguments {
    /// Only rows whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// One pair of each kind instead of two, and only the smaller sizes
    #[arg(long)]
    short: bool,
    /// The most seconds for one comparison
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0)]
    timeout: f64,
    /// Only the table by pair
    #[arg(long, conflicts_with = "sizes")]
    pairs: bool,
    /// Only the table by size
    #[arg(long)]
    sizes: bool,
}

/// The inputs of each subject, as `subject.toml` writes them; of the decision subject, the numbers of `numbers.c`.
const SPACES: [(&str, &str); 5] = [
    ("contingency_table", "sym_stdin = 4\nfiles = []"),
    (
        "line_range_cutter",
        "args = [\"-l\", 3]\nsym_stdin = 2\nfiles = []",
    ),
    ("priority_scheduler", "sym_stdin = 4\nfiles = []"),
    ("search_replace", "args = [2, 2]\nsym_stdin = 2\nfiles = []"),
    ("tokenizer", "sym_stdin = 2\nfiles = []"),
];

/// Our own programs, with their inputs.
const OWN: [(&str, &str); 4] = [
    ("characters", "args = [3]\nsym_stdin = 0\nfiles = []"),
    ("settings", "args = [3]\nsym_stdin = 0\nfiles = []"),
    ("rare_command", "args = [2, 3]\nsym_stdin = 0\nfiles = []"),
    ("early_limit", "args = [1, 3]\nsym_stdin = 0\nfiles = []"),
];

/// Two versions, and the inputs that they are compared on.
struct Work {
    name: String,
    files: [PathBuf; 2],
    space: InputSpace,
}

fn main() -> ExitCode {
    match bench(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench_partitions: error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether nothing contradicts.
fn bench(arguments: &Arguments) -> Result<bool> {
    let builder = Builder::new(&|_| {})?;
    let folder = tempfile::tempdir()?;
    let mut consistent = true;
    if !arguments.sizes {
        consistent &= by_pair(arguments, &builder, folder.path())?;
    }
    if !arguments.pairs {
        by_size(arguments, &builder, folder.path())?;
    }
    Ok(consistent)
}

fn by_pair(arguments: &Arguments, builder: &Builder<'_>, folder: &Path) -> Result<bool> {
    let mut groups: Vec<(String, Vec<Work>)> = Vec::new();
    for (name, space) in OWN {
        groups.push((name.to_owned(), vec![own(name, space)?]));
    }
    for subject in subjects()? {
        let chosen = chosen(&subject, arguments.short);
        let works = chosen.iter();
        let works = works.map(|pair| of_subject(&subject, pair, builder, folder));
        groups.push((subject.name.clone(), works.collect::<Result<_>>()?));
    }
    println!("Up to {} s each, one worker.\n", arguments.timeout);
    println!(
        "| pair | verdict | whole paths | pruned | slices | whole / slices | pruned / slices | whole, s | pruned, s | slices, s |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    let mut consistent = true;
    let mut summary = Vec::new();
    for (group, works) in groups {
        let mut measured = Vec::new();
        for work in works
            .iter()
            .filter(|work| work.name.contains(&arguments.only))
        {
            let costs = [Way::WholePaths, Way::Pruned, Way::Slices];
            let costs = run(arguments, builder, work, &costs)?;
            println!("{}", pair_row(&work.name, &costs));
            for (number, cost) in costs.iter().enumerate() {
                for other in &costs[..number] {
                    if let Some(why) = cost.contradiction(other) {
                        eprintln!("bench_partitions: {}: contradiction: {why}", work.name);
                        consistent = false;
                    }
                }
            }
            measured.push(costs);
        }
        summary.push((group, measured));
    }
    println!("\nPairs that all three ways exhaust, added up:\n");
    println!(
        "| program | pairs | exhausted | whole paths | pruned | slices | whole / slices | pruned / slices | slices, s / whole | slices, s / pruned |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (group, measured) in summary.iter().filter(|(_, measured)| !measured.is_empty()) {
        println!("{}", summary_row(group, measured));
    }
    println!();
    Ok(consistent)
}

fn own(name: &str, space: &str) -> Result<Work> {
    let folder = corpus::tests_folder().with_file_name("bench");
    let folder = folder.join("partitions").join(name);
    Ok(Work {
        name: name.to_owned(),
        files: ["old.c", "new.c"].map(|file| folder.join(file)),
        space: parse(space)?,
    })
}

/// The first of each kind.
fn chosen(subject: &Subject, short: bool) -> Vec<Pair> {
    let most = if short { 1 } else { 2 };
    let (regressions, others): (Vec<Pair>, Vec<Pair>) = pairs(subject, false)
        .into_iter()
        .partition(Pair::is_regression);
    [regressions, pairs(subject, true), others]
        .into_iter()
        .flat_map(|kind| kind.into_iter().take(most))
        .collect()
}

fn of_subject(
    subject: &Subject,
    pair: &Pair,
    builder: &Builder<'_>,
    folder: &Path,
) -> Result<Work> {
    let versions = pair.write(subject, builder)?;
    let name = format!("{} {}", subject.name, pair.name);
    let space = SPACES.iter().find(|(name, _)| *name == subject.name);
    let (files, space) = match space {
        Some((_, space)) => {
            let files = versions.requests.map(|request| request.inputs[0].clone());
            (files, parse(space)?)
        }
        None => {
            let driver = subject.folder.join("numbers.c");
            let files = versions.through(&driver, &folder.join(&name))?;
            let space = InputSpace {
                program_name: PROGRAM_NAME.to_vec(),
                ..InputSpace::default()
            };
            (files, space)
        }
    };
    Ok(Work { name, files, space })
}

fn run<const N: usize>(
    arguments: &Arguments,
    builder: &Builder<'_>,
    work: &Work,
    ways: &[Way; N],
) -> Result<[Cost; N]> {
    let old = load(builder, &request(&work.files[0]))?;
    let new = load(builder, &request(&work.files[1]))?;
    let [old, new] = [&old, &new].map(|program| Explorable {
        program,
        subject: Explored::Whole,
        shapes: work.space.shapes(),
    });
    let time = Duration::try_from_secs_f64(arguments.timeout)?;
    Ok(ways.map(|way| compare(&old, &new, way, time)))
}

fn verdict(costs: &[Cost]) -> &'static str {
    let is = |verdict| costs.iter().any(|cost| cost.verdict == verdict);
    match (is(Verdict::Different), is(Verdict::Equivalent)) {
        (true, true) => "CONTRADICTION",
        (true, false) => "different",
        (false, true) => "equivalent",
        (false, false) => "undecided",
    }
}

/// The number of partitions; if some inputs are left, also which share is settled.
fn partitions(cost: &Cost) -> String {
    match (cost.exhausted, cost.settled_share()) {
        (true, _) => cost.partitions.to_string(),
        (false, Some(share)) => format!("{} ({:.1}% settled)", cost.partitions, 100.0 * share),
        (false, None) => format!("{} (not exhausted)", cost.partitions),
    }
}

fn pair_row(name: &str, costs: &[Cost; 3]) -> String {
    let ratio = |of: &Cost| match of.exhausted && costs[2].exhausted {
        true => format!("{:.1}", of.partitions as f64 / costs[2].partitions as f64),
        false => "-".to_owned(),
    };
    let [whole, pruned, slices] = costs;
    let seconds = costs
        .each_ref()
        .map(|cost| format!("{:.2}", cost.processor.as_secs_f64()));
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} |",
        verdict(costs),
        partitions(whole),
        partitions(pruned),
        partitions(slices),
        ratio(whole),
        ratio(pruned),
        seconds.join(" | ")
    )
}

fn summary_row(group: &str, measured: &[[Cost; 3]]) -> String {
    let all = measured
        .iter()
        .filter(|costs| costs.iter().all(|cost| cost.exhausted));
    let exhausted: Vec<&[Cost; 3]> = all.collect();
    if exhausted.is_empty() {
        let pairs = measured.len();
        return format!("| {group} | {pairs} | 0 | - | - | - | - | - | - | - |");
    }
    let count = |way: usize| -> f64 {
        let partitions = exhausted.iter().map(|costs| costs[way].partitions);
        partitions.sum::<usize>() as f64
    };
    let seconds = |way: usize| -> f64 {
        let times = exhausted.iter().map(|costs| costs[way].processor);
        times.sum::<Duration>().as_secs_f64()
    };
    format!(
        "| {group} | {} | {} | {} | {} | {} | {:.1} | {:.1} | {:.2} | {:.2} |",
        measured.len(),
        exhausted.len(),
        count(0),
        count(1),
        count(2),
        count(0) / count(2),
        count(1) / count(2),
        seconds(2) / seconds(0),
        seconds(2) / seconds(1),
    )
}

/// A pair for growing inputs: its bounds with `N` for the size, and the sizes.
struct Growing {
    name: &'static str,
    files: [PathBuf; 2],
    space: &'static str,
    sizes: Vec<usize>,
}

fn by_size(arguments: &Arguments, builder: &Builder<'_>, folder: &Path) -> Result<()> {
    println!("Slices, up to {} s each, one worker.\n", arguments.timeout);
    println!(
        "| pair | bytes | partitions | exhausted | partitions/s | tracing and slicing | solving | running | other | whole paths | of them per s |"
    );
    println!("|---|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|");
    for growing in growing(builder, folder)? {
        let sizes = growing.sizes.iter();
        let most = if arguments.short { 2 } else { usize::MAX };
        for size in sizes.take(most) {
            let work = Work {
                name: growing.name.to_owned(),
                files: growing.files.clone(),
                space: parse(&growing.space.replace('N', &size.to_string()))?,
            };
            if !work.name.contains(&arguments.only) {
                continue;
            }
            let [slices, whole] = run(arguments, builder, &work, &[Way::Slices, Way::WholePaths])?;
            println!("{}", size_row(&work.name, *size, &slices, &whole));
        }
    }
    Ok(())
}

fn growing(builder: &Builder<'_>, folder: &Path) -> Result<Vec<Growing>> {
    let all = subjects()?;
    let first_regression = |name: &str| -> Result<[PathBuf; 2]> {
        let subject = all.iter().find(|subject| subject.name == name);
        let subject = subject.ok_or_else(|| format!("no subject is called {name}"))?;
        let first = chosen(subject, true).into_iter().next();
        let first = first.ok_or_else(|| format!("{name} has no regression"))?;
        let versions = first.write(subject, builder)?;
        Ok(versions.requests.map(|request| request.inputs[0].clone()))
    };
    let netstrings = corpus::tests_folder().with_file_name("examples");
    let netstrings = netstrings.join("netstrings.c");
    let changed = folder.join("netstrings.c");
    let text = std::fs::read_to_string(&netstrings)?;
    std::fs::write(
        &changed,
        text.replace("length > LONGEST", "length >= LONGEST"),
    )?;
    let arguments = "args = [N]\nsym_stdin = 0\nfiles = []";
    let stdin = "sym_stdin = N\nfiles = []";
    Ok(vec![
        Growing {
            name: "characters",
            files: own("characters", OWN[0].1)?.files,
            space: arguments,
            sizes: (1..=6).collect(),
        },
        Growing {
            name: "settings",
            files: own("settings", OWN[1].1)?.files,
            space: arguments,
            sizes: (1..=6).collect(),
        },
        Growing {
            name: "netstrings",
            files: [netstrings, changed],
            space: stdin,
            sizes: vec![2, 4, 6, 8, 10],
        },
        Growing {
            name: "tokenizer",
            files: first_regression("tokenizer")?,
            space: stdin,
            sizes: (1..=3).collect(),
        },
        Growing {
            name: "search_replace",
            files: first_regression("search_replace")?,
            space: "args = [3, 1]\nsym_stdin = N\nfiles = []",
            sizes: (1..=4).collect(),
        },
    ])
}

fn size_row(name: &str, size: usize, slices: &Cost, whole: &Cost) -> String {
    let per_second = |cost: &Cost| cost.partitions as f64 / cost.processor.as_secs_f64();
    let wall = slices.wall.as_secs_f64();
    let counts = &slices.counts;
    let parts = [
        counts.tracing + counts.slicing,
        counts.solving,
        counts.running,
    ];
    let mut shares = parts.map(|part| part.as_secs_f64() / wall).to_vec();
    shares.push((1.0 - shares.iter().sum::<f64>()).max(0.0));
    let shares: Vec<String> = shares
        .iter()
        .map(|share| format!("{:.0}%", 100.0 * share))
        .collect();
    format!(
        "| {name} | {size} | {} | {} | {:.0} | {} | {} | {:.0} |",
        slices.partitions,
        if slices.exhausted { "yes" } else { "no" },
        per_second(slices),
        shares.join(" | "),
        match whole.exhausted {
            true => whole.partitions.to_string(),
            false => format!("{}, not all", whole.partitions),
        },
        per_second(whole),
    )
}
