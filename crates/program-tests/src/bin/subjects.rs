//! Looks after the subjects: `fuzz` runs them under the sanitizers, `mutants` tries mutants on native inputs.
//!
//! - `subjects fuzz COUNT [NAME…]`: each subject on its first COUNT inputs; a report of the sanitizers, a crash or
//!   an endless run is an error.
//! - `subjects mutants COUNT [NAME…]`: writes `mutants.txt` of each subject: the mutants that
//!   `parallax mutate --limit 24 --seed 1` chooses, and any that the old list held, each with what the first
//!   COUNT inputs say of it. What the old list says to have survived as many is not run again: delete the list when
//!   the program or its inputs have changed.
//! - `subjects all-mutants COUNT NAME`: prints what COUNT inputs say of every mutant that compiles; writes nothing.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use mutation::{Mutant, Options};
use program_tests::directives::Run;
use program_tests::mutant_list::{Entry, Fate, How};
use program_tests::native::{self, Build};
use program_tests::quick_runs::{QuickOutcome, run};
use program_tests::subject_inputs::inputs;
use program_tests::subjects::{Subject, c_program, subjects};
use program_tests::vm;

type Failure = Box<dyn std::error::Error + Send + Sync>;

const CHOSEN: &str = "24";
const SEED: &str = "1";
const PATIENCE: Duration = Duration::from_secs(2);
const SANITIZERS: [(&str, &str); 2] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:detect_stack_use_after_return=1",
    ),
    ("UBSAN_OPTIONS", "print_stacktrace=0"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words[..] {
        [
            command @ ("fuzz" | "mutants" | "all-mutants"),
            count,
            ref names @ ..,
        ] => start(command, count, names),
        _ => Err("usage: subjects fuzz|mutants|all-mutants COUNT [NAME…]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("subjects: error: {error}");
            ExitCode::from(2)
        }
    }
}

fn start(command: &str, count: &str, names: &[&str]) -> Result<(), Failure> {
    let count = count
        .parse()
        .map_err(|_| format!("`{count}` is not a number of inputs"))?;
    let scratch = std::env::temp_dir().join(format!("parallax-subjects-{}", std::process::id()));
    let chosen = subjects()?
        .into_iter()
        .filter(|subject| names.is_empty() || names.contains(&subject.name.as_str()));
    for subject in chosen {
        match command {
            "fuzz" => fuzz(&subject, count, &scratch)?,
            "mutants" => write_list(&subject, count, &scratch)?,
            _ => print_all(&subject, count, &scratch)?,
        }
    }
    std::fs::remove_dir_all(&scratch)?;
    Ok(())
}

/// Gives each item to a thread of its own, as many at a time as there are processors; results in order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let worker = || -> Result<Vec<(usize, R)>, Failure> {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            match items.get(index) {
                Some(item) => found.push((index, work(item)?)),
                None => return Ok(found),
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut found = Vec::new();
    std::thread::scope(|scope| -> Result<(), Failure> {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            found.extend(worker.join().expect("a worker does not panic")?);
        }
        Ok(())
    })?;
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, result)| result).collect())
}

fn fuzz(subject: &Subject, count: usize, scratch: &Path) -> Result<(), Failure> {
    let sanitized = native::build(&subject.program, Build::Sanitized, scratch)?;
    let bad = in_parallel(&inputs(subject, count), |input| {
        let outcome = run(&sanitized, input, &SANITIZERS, Duration::from_secs(20))?;
        Ok(complaint(&outcome).map(|words| format!("{:?}: {words}", input)))
    })?;
    if let Some(words) = bad.into_iter().flatten().next() {
        return Err(format!("{}: {words}", subject.name).into());
    }
    println!("{}: {count} inputs, no report", subject.name);
    Ok(())
}

/// What is wrong with a run of the original under the sanitizers.
fn complaint(outcome: &QuickOutcome) -> Option<String> {
    let QuickOutcome::Ended(ended) = outcome else {
        return Some("does not end".to_owned());
    };
    // No subject has a status above 3.
    let bad = is_reported(outcome) || ended.status > 3;
    let said = String::from_utf8_lossy(&ended.stdout);
    bad.then(|| format!("status {}: {said}", ended.status))
}

/// Whether the sanitizers found an error.
fn is_reported(outcome: &QuickOutcome) -> bool {
    let QuickOutcome::Ended(outcome) = outcome else {
        return false;
    };
    let said = String::from_utf8_lossy(&outcome.stdout);
    said.contains("runtime error:") || said.contains("Sanitizer")
}

fn write_list(subject: &Subject, count: usize, scratch: &Path) -> Result<(), Failure> {
    let path = subject.folder.join("mutants.txt");
    let old = &subject.mutants;
    let survived = |entry: &&Entry| matches!(entry.1, Fate::Survived { inputs } if inputs >= count);
    let mut entries: Vec<Entry> = old.iter().filter(survived).copied().collect();
    let mut numbers = numbers(subject, &["--limit", CHOSEN, "--seed", SEED], scratch)?;
    numbers.extend(old.iter().map(|(number, _)| *number));
    numbers.sort_unstable();
    numbers.dedup();
    numbers.retain(|number| entries.iter().all(|(known, _)| known != number));
    entries.extend(fates(subject, &numbers, count, scratch)?);
    entries.sort_unstable_by_key(|(number, _)| *number);
    let mut text =
        "# Written by `cargo run --release -p program-tests --bin subjects -- mutants COUNT`.\n"
            .to_owned();
    for (number, fate) in &entries {
        text += &format!("m{number:04} {fate}\n");
    }
    std::fs::write(&path, text)?;
    let killed = |entry: &&Entry| matches!(entry.1, Fate::Killed { .. });
    let killed = entries.iter().filter(killed).count();
    println!(
        "{}: {killed} of {} killed by {count} inputs",
        subject.name,
        entries.len()
    );
    Ok(())
}

fn print_all(subject: &Subject, count: usize, scratch: &Path) -> Result<(), Failure> {
    let numbers = numbers(subject, &[], scratch)?;
    for (number, fate) in fates(subject, &numbers, count, scratch)? {
        println!("{} m{number:04} {fate}", subject.name);
    }
    Ok(())
}

/// The numbers of the mutants that compile and are not equal, from `parallax mutate`.
fn numbers(subject: &Subject, options: &[&str], scratch: &Path) -> Result<Vec<u32>, Failure> {
    let folder = scratch.join("mutants").join(&subject.name);
    let output = Command::new(vm::locate()?)
        .args(["mutate", "--format", "json", "--out"])
        .arg(&folder)
        .args(options)
        .arg(&subject.program.source)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let index: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mutants = index["mutants"].as_array().into_iter().flatten();
    let viable = mutants.filter(|mutant| mutant["status"] == "viable");
    let ids = viable.filter_map(|mutant| mutant["id"].as_str()?.strip_prefix('m')?.parse().ok());
    Ok(ids.collect())
}

fn fates(
    subject: &Subject,
    numbers: &[u32],
    count: usize,
    scratch: &Path,
) -> Result<Vec<Entry>, Failure> {
    let inputs = inputs(subject, count);
    let original = Original {
        executable: native::build(&subject.program, Build::Reference, scratch)?,
        outcomes: vec![OnceLock::new(); count],
    };
    let source = std::fs::read(&subject.program.source)?;
    let all = mutation::mutants(&source, Options::default())?;
    in_parallel(numbers, |number| {
        let mutant = all.iter().find(|mutant| mutant.number == *number);
        let mutant = mutant.ok_or_else(|| format!("{} has no m{number:04}", subject.name))?;
        let fate = fate(subject, mutant, &source, &inputs, &original, scratch)?;
        Ok((*number, fate))
    })
}

/// The original, and what it does on each input, found out when it is needed.
struct Original {
    executable: PathBuf,
    outcomes: Vec<OnceLock<QuickOutcome>>,
}

impl Original {
    fn outcome(&self, number: usize, input: &Run) -> Result<&QuickOutcome, Failure> {
        let outcome = &self.outcomes[number];
        match outcome.get() {
            Some(known) => Ok(known),
            None => {
                let found = run(&self.executable, input, &[], PATIENCE)?;
                Ok(outcome.get_or_init(|| found))
            }
        }
    }
}

fn fate(
    subject: &Subject,
    mutant: &Mutant,
    source: &[u8],
    inputs: &[Run],
    original: &Original,
    scratch: &Path,
) -> Result<Fate, Failure> {
    let folder = scratch.join(&subject.name).join(mutant.id());
    std::fs::create_dir_all(&folder)?;
    let program = c_program(&subject.name, folder.join("program.c"));
    std::fs::write(&program.source, mutant.apply(source))?;
    let executable = native::build(&program, Build::Reference, scratch)?;
    for (number, input) in inputs.iter().enumerate() {
        let outcome = run(&executable, input, &[], PATIENCE)?;
        if outcome == *original.outcome(number, input)? {
            continue;
        }
        let sanitized = native::build(&program, Build::Sanitized, scratch)?;
        let how = match outcome {
            _ if is_reported(&run(&sanitized, input, &SANITIZERS, PATIENCE)?) => How::Undefined,
            QuickOutcome::Endless => How::Endless,
            QuickOutcome::Ended(_) => How::Differs,
        };
        return Ok(Fate::Killed { input: number, how });
    }
    Ok(Fate::Survived {
        inputs: inputs.len(),
    })
}
