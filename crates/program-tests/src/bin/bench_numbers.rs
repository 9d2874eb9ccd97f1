//! `make bench`, programs that read and print numbers: paths per second of an exploration.
//!
//! Each program of `bench/numbers` is explored by one worker until its inputs are exhausted or the time is up. With
//! `BASELINE_BIN`, another build of `parallax`, both explore one after the other in one run, and the last columns are ratios. Paths
//! are per processor second of the whole command, with the program already built; an exploration that stops at the time limit has
//! looked at other paths than one that does not, so its ratio is one of speed, not of the same work.

use std::path::{Path, PathBuf};
use std::process::Command;

use program_tests::processor_time::measure_once;
use program_tests::vm;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const LIMIT: &str = "10s";
/// Short explorations are measured so often, and the best time counts.
const REPEATED: usize = 3;

/// File and flags.
const PROGRAMS: [(&str, &str); 11] = [
    ("scanf_int.c", "--sym-stdin 6"),
    ("scanf_float.c", "--sym-stdin 6"),
    ("options.c", "--sym-arg 6"),
    ("atof.c", "--sym-arg 5"),
    ("calculator.c", "--sym-stdin 6"),
    ("csv_sum.c", "--sym-stdin 6"),
    ("json_number.c", "--sym-stdin 7"),
    ("sequence.c", "--sym-arg 3 --sym-arg 3"),
    ("expression.c", "--sym-arg 3 --sym-arg 1 --sym-arg 3"),
    ("words.c", "--sym-stdin 8"),
    ("checksum.c", "--sym-stdin 8"),
];

struct Explored {
    paths: f64,
    exhausted: bool,
    seconds: f64,
}

impl Explored {
    fn speed(&self) -> f64 {
        self.paths / self.seconds
    }

    fn row(&self) -> String {
        let end = if self.exhausted { "yes" } else { "no" };
        format!(
            "{} | {end} | {:.2} | {:.0}",
            self.paths,
            self.seconds,
            self.speed()
        )
    }
}

fn main() -> Result<()> {
    let parallax = vm::locate()?;
    let baseline = std::env::var_os("BASELINE_BIN").map(PathBuf::from);
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/numbers"));
    let only: Vec<String> = std::env::args().skip(1).collect();
    let columns = " paths | exhausted | seconds | paths/s |";
    match baseline {
        Some(_) => {
            println!("| program | before:{columns} after:{columns} paths/s ratio |");
            println!("|---|---:|---|---:|---:|---:|---|---:|---:|---:|");
        }
        None => {
            println!("| program |{columns}");
            println!("|---|---:|---|---:|---:|");
        }
    }
    for (file, flags) in PROGRAMS {
        if !only.is_empty() && !only.iter().any(|name| file.starts_with(name.as_str())) {
            continue;
        }
        let program = folder.join(file);
        let after = best(&parallax, &program, flags)?;
        match &baseline {
            Some(baseline) => {
                let before = best(baseline, &program, flags)?;
                let ratio = after.speed() / before.speed();
                println!(
                    "| {file} | {} | {} | {ratio:.1} |",
                    before.row(),
                    after.row()
                );
            }
            None => println!("| {file} | {} |", after.row()),
        }
    }
    Ok(())
}

fn best(parallax: &Path, program: &Path, flags: &str) -> Result<Explored> {
    // The first call builds the program.
    explore(parallax, program, &format!("{flags} --runs 1"))?;
    let mut best = explore(parallax, program, flags)?;
    for _ in 1..REPEATED {
        if !best.exhausted {
            break;
        }
        let again = explore(parallax, program, flags)?;
        if again.seconds < best.seconds {
            best = again;
        }
    }
    Ok(best)
}

fn explore(parallax: &Path, program: &Path, flags: &str) -> Result<Explored> {
    let mut command = Command::new(parallax);
    command
        .args([
            "explore",
            "--dry-run",
            "--format",
            "json",
            "--timeout",
            LIMIT,
        ])
        .arg(program)
        .args(flags.split_whitespace());
    let measured = measure_once(&mut command)
        .map_err(|error| format!("{}: {error}\n{command:?}", program.display()))?;
    let report: serde_json::Value = serde_json::from_slice(&measured.stdout)?;
    Ok(Explored {
        paths: report["paths"].as_f64().unwrap_or(f64::NAN),
        exhausted: report["exhausted"] == true,
        seconds: measured.seconds,
    })
}
