//! `make bench`, the symbolic part: what an exploration costs, and what each layer of the solver saves.
//!
//! Each program is explored to the end, or to a number of runs where there is no end in sight, by one
//! worker; then once more without each layer. Times are processor seconds of the whole command (the build
//! is in the cache); what a missing layer costs is a ratio. A missing layer may change which models come
//! back and so, where the number of runs ends the exploration, what is explored.

use std::path::{Path, PathBuf};
use std::process::Command;

use program_tests::processor_time::measure_once;
use program_tests::{corpus, real, vm};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The layers that can be switched off; with the last, everything goes to the back end.
const WITHOUT: [&[&str]; 5] = [
    &["simplify"],
    &["slicing"],
    &["cache"],
    &["quick"],
    &["simplify", "slicing", "cache", "quick"],
];

/// What an exploration may cost without a layer before it is given up.
const LIMIT: &str = "60s";

struct Workload {
    name: &'static str,
    program: PathBuf,
    flags: &'static str,
}

fn main() -> Result<()> {
    let parallax = vm::locate()?;
    let bench = corpus::tests_folder().join("explore/bench");
    let coreutils = real::real_folder().join("coreutils/src");
    let own = |name, file: &str, flags| Workload {
        name,
        program: bench.join(file),
        flags,
    };
    let built = |name, flags| Workload {
        name,
        program: coreutils.join(name),
        flags,
    };
    let workloads = [
        own("scanner, 8 bytes", "scanner8.c", "--sym-stdin 8"),
        own(
            "scanner, 16 bytes",
            "scanner.c",
            "--sym-stdin 16 --runs 20000",
        ),
        own("bubble sort, 6 ints", "bubble_sort.c", ""),
        own("decision, 12 ints", "decision.c", ""),
        own("maze", "maze.c", "--sym-stdin 32"),
        built("echo", "--sym-args 0 2 4"),
        built("wc", "--sym-args 0 2 3 --sym-stdin 4 --runs 5000"),
        built("cut", "--sym-args 0 2 4 --sym-stdin 4 --runs 5000"),
        built("expr", "--sym-args 0 3 3 --runs 200"),
    ];
    println!(
        "| program | paths | exhausted | seconds | paths/s | queries | to back end | solver share | peak MB | × without simplify | slicing | cache | quick | all four |"
    );
    println!("|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for workload in &workloads {
        // The first call builds the program.
        explore(&parallax, workload, &[])?;
        let (seconds, report) = explore(&parallax, workload, &[])?;
        let number = |name: &str| report[name].as_f64().unwrap_or(f64::NAN);
        let asked = |name: &str| {
            let layers = report["layers"].as_array();
            let layer = layers.and_then(|all| all.iter().find(|layer| layer["layer"] == name));
            layer.and_then(|layer| layer["asked"].as_u64()).unwrap_or(0)
        };
        let share = number("solver_ms") / (number("solver_ms") + number("run_ms"));
        let mut row = format!(
            "| {} | {} | {} | {seconds:.2} | {:.0} | {} | {} | {:.0}% | {:.0} |",
            workload.name,
            number("paths"),
            if report["exhausted"] == true {
                "yes"
            } else {
                "no"
            },
            number("paths") / seconds,
            number("queries"),
            asked("bit-blasting").max(asked("z3")),
            100.0 * share,
            number("peak_memory_kb") / 1024.0
        );
        for layers in WITHOUT {
            let (other, changed) = explore(&parallax, workload, layers)?;
            let same = changed["paths"] == report["paths"];
            row += &format!(" {:.1}{} |", other / seconds, if same { "" } else { "*" });
        }
        println!("{row}");
    }
    println!("\n`*`: not all paths of the first column were found within {LIMIT} of wall time.");
    Ok(())
}

fn explore(
    parallax: &Path,
    workload: &Workload,
    without: &[&str],
) -> Result<(f64, serde_json::Value)> {
    let include = concat!(env!("CARGO_MANIFEST_DIR"), "/../concolic-vm/include");
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
        .arg(&workload.program);
    if workload.program.extension().is_some() {
        command.arg(format!("--cflag=-I{include}"));
    }
    command.args(workload.flags.split_whitespace());
    for layer in without {
        command.args(["--without-layer", layer]);
    }
    // A run that finds errors ends with status 1; the programs here have none.
    let measured = measure_once(&mut command)
        .map_err(|error| format!("{}: {error}\n{command:?}", workload.name))?;
    Ok((measured.seconds, serde_json::from_slice(&measured.stdout)?))
}
