//! How long small checks take: what is built, loaded, compared and known without a run weighs most in them.
//!
//! Checks of `examples/discount`, in a folder of our own: the same code in two places (an answer without a run), a difference, an
//! equivalent pair, and the same equivalent pair with sources that no cache has seen (a cold build). With `--before EXECUTABLE` an
//! earlier Parallax does the same in turn, and rows have the ratio. Wall time is what a user waits for, as medians; a busy
//! machine moves it. Instructions, counted by `valgrind --tool=callgrind` where that is installed, are the same on any machine;
//! they are those of Parallax itself, without compilers and native runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const ROUNDS: usize = 15;
const COLD_ROUNDS: usize = 3;

/// A pair of files to check, and the exit status that says the right verdict.
struct Row {
    name: &'static str,
    versions: [&'static str; 2],
    status: i32,
    cold: bool,
}

const ROWS: [Row; 4] = [
    Row {
        name: "the same code",
        versions: ["old.c", "copy.c"],
        status: 0,
        cold: false,
    },
    Row {
        name: "a difference",
        versions: ["old.c", "new.c"],
        status: 1,
        cold: false,
    },
    Row {
        name: "equivalent",
        versions: ["old.c", "fixed.c"],
        status: 0,
        cold: false,
    },
    Row {
        name: "equivalent, built anew",
        versions: ["old.c", "fixed.c"],
        status: 0,
        cold: true,
    },
];

fn main() -> Result<()> {
    let executables = executables()?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/discount");
    let old = fs::read_to_string(examples.join("old.c"))?;
    let new = fs::read_to_string(examples.join("new.c"))?;
    let fixed = new.replace("BULK_FROM = 10", "BULK_FROM = 11");
    if fixed == new {
        return Err("examples/discount/new.c has another text than this bench expects".into());
    }
    let scratch = tempfile::tempdir()?;
    let texts = [
        ("old.c", &old),
        ("copy.c", &old),
        ("new.c", &new),
        ("fixed.c", &fixed),
    ];
    for (name, text) in texts {
        fs::write(scratch.path().join(name), text)?;
    }
    // Seconds tell the sources of one bench from those of the last.
    let mut serial = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)?
        .as_nanos();
    let mut table = Vec::new();
    for row in &ROWS {
        let rounds = if row.cold { COLD_ROUNDS } else { ROUNDS };
        let mut times = vec![Vec::new(); executables.len()];
        for round in 0..=rounds {
            for (executable, times) in executables.iter().zip(&mut times) {
                if row.cold {
                    serial += 1;
                    for (name, text) in texts {
                        let text = format!("{text}\n/* {serial} */\n");
                        fs::write(scratch.path().join(name), text)?;
                    }
                }
                let start = Instant::now();
                check(&mut Command::new(executable), row, scratch.path())?;
                // The first round fills the cache.
                if round > 0 {
                    times.push(start.elapsed().as_secs_f64() * 1e3);
                }
            }
        }
        let medians: Vec<f64> = times.into_iter().map(median).collect();
        let counts = match row.cold {
            true => None,
            false => counted(&executables, row, scratch.path())?,
        };
        table.push((row.name, medians, counts));
    }
    print(&table, executables.len() > 1);
    Ok(())
}

/// This Parallax, and before it the one that it is compared with, if there is one.
fn executables() -> Result<Vec<PathBuf>> {
    let mut arguments = std::env::args_os().skip(1);
    let mut executables = Vec::new();
    while let Some(argument) = arguments.next() {
        match (argument.to_str(), arguments.next()) {
            (Some("--before"), Some(before)) => executables.push(PathBuf::from(before)),
            _ => return Err("usage: bench_start [--before EXECUTABLE]".into()),
        }
    }
    let beside = std::env::current_exe()?.with_file_name("parallax");
    let own = std::env::var_os("PARALLAX_BIN").map_or(beside, PathBuf::from);
    executables.push(own);
    for executable in &mut executables {
        *executable = fs::canonicalize(&*executable)
            .map_err(|error| format!("cannot use `{}`: {error}", executable.display()))?;
    }
    Ok(executables)
}

/// Runs a check with `command`, and insists on its verdict.
fn check(command: &mut Command, row: &Row, folder: &Path) -> Result<()> {
    let output = command
        .arg("check")
        .args(row.versions)
        .args(["--sym-args", "1", "2", "2", "--fresh"])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()?;
    match output.status.code() == Some(row.status) {
        true => Ok(()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            Err(format!("{}: ended with {}: {said}", row.name, output.status).into())
        }
    }
}

/// How many million instructions each executable takes; nothing without valgrind.
fn counted(executables: &[PathBuf], row: &Row, folder: &Path) -> Result<Option<Vec<f64>>> {
    let mut counts = Vec::new();
    for executable in executables {
        let out = folder.join("callgrind.out");
        let mut command = Command::new("valgrind");
        command
            .arg("--tool=callgrind")
            .arg(format!("--callgrind-out-file={}", out.display()))
            .arg(executable);
        if check(&mut command, row, folder).is_err() {
            return Ok(None);
        }
        let text = fs::read_to_string(&out)?;
        let total = text
            .lines()
            .find_map(|line| line.strip_prefix("totals: "))
            .or_else(|| text.lines().find_map(|line| line.strip_prefix("summary: ")));
        let total: f64 = total.ok_or("callgrind counted nothing")?.trim().parse()?;
        counts.push(total / 1e6);
    }
    Ok(Some(counts))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The name of a check and, for each executable, the median of its wall times and its instructions, if they were counted.
type Measured<'r> = (&'r str, Vec<f64>, Option<Vec<f64>>);

fn print(table: &[Measured<'_>], compared: bool) {
    let cells = |values: &[f64]| match (values, compared) {
        ([before, now], true) => format!("{before:.0} | {now:.0} | {:.2}", now / before),
        ([now], _) => format!("{now:.0}"),
        _ => "".to_owned(),
    };
    match compared {
        true => {
            println!(
                "| small check | before, ms | now, ms | ratio | before, million instructions | now | ratio |"
            );
            println!("|---|---:|---:|---:|---:|---:|---:|");
        }
        false => {
            println!("| small check | median, ms | million instructions |");
            println!("|---|---:|---:|");
        }
    }
    for (name, medians, counts) in table {
        let counts = match counts {
            Some(counts) => cells(counts),
            None if compared => " | | ".to_owned(),
            None => String::new(),
        };
        println!("| {name} | {} | {counts} |", cells(medians));
    }
}
