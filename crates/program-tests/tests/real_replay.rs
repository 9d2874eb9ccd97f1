//! Every test that exploring a real program writes goes natively as the VM predicted: `make test-real`.
//!
//! The programs are built by `scripts/build-real.sh`. At the end a table says how many tests were replayed.
//!
//! With `REPLAY_UNCONFINED=1` each test is also run without a sandbox and must go as it did in one. The inputs are invented: do
//! that where nothing can be lost, as docs/security.md shows.

use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use program_tests::real::real_folder;
use program_tests::replays::{KnownDifference, Replayed, explore_and_replay};
use program_tests::vm;

const COREUTILS: &[&str] = &[
    "base64", "basename", "cat", "cksum", "comm", "csplit", "cut", "dirname", "echo", "expand",
    "expr", "factor", "fmt", "fold", "head", "join", "nl", "numfmt", "od", "paste", "printf",
    "seq", "sort", "split", "sum", "tac", "tail", "test", "tr", "tsort", "unexpand", "uniq", "wc",
];

/// Program below the folder of real projects, and what is symbolic.
const OTHERS: &[(&str, &[&str])] = &[
    // Its page headers show the clock.
    (
        "coreutils/src/pr",
        &["--sym-stdin", "4", "--", "-t", "--sym-args", "0", "2", "3"],
    ),
    ("lua/lua", &["--sym-stdin", "4", "--", "-"]),
    ("zlib/minigzip", &["--sym-stdin", "4"]),
    ("zlib/minigzip", &["--sym-stdin", "4", "--", "-d"]),
];

/// `cksum --debug` says what the processor can do, and the VM's has no `cpuid`; `printf %a` takes a `long double`;
/// `sort -R` orders by random bytes.
const KNOWN: &[(&str, KnownDifference)] = &[
    (
        "src/cksum",
        KnownDifference::Line(
            "cksum: failed to get cpuid",
            "cksum: using pclmul hardware support",
        ),
    ),
    ("src/printf", KnownDifference::LongDouble),
    ("src/sort", KnownDifference::Order),
    (
        "src/tac",
        KnownDifference::Line("read error: Is a directory", "read error: Invalid argument"),
    ),
    ("src/test", KnownDifference::Owner),
];

type Table = Arc<Mutex<Vec<(String, Replayed)>>>;

fn main() -> ExitCode {
    let table = Table::default();
    let mut trials = Vec::new();
    let mut add = |program: String, bounds: &'static [&'static str]| {
        let name = format!("{program} {}", bounds.join(" "));
        let table = table.clone();
        trials.push(Trial::test(name.clone(), move || {
            check(&program, bounds, name, &table)
        }));
    };
    for name in COREUTILS {
        let bounds = &["--sym-args", "0", "2", "3", "--sym-stdin", "4"];
        add(format!("coreutils/src/{name}"), bounds);
    }
    for (program, bounds) in OTHERS {
        add((*program).to_owned(), bounds);
    }
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    print_table(&mut table.lock().unwrap());
    conclusion.exit_code()
}

fn check(
    program: &str,
    bounds: &[&'static str],
    name: String,
    table: &Table,
) -> Result<(), Failed> {
    let executable = real_folder().join(program);
    if !executable.is_file() {
        return Err(format!(
            "{} is not built: run `make test-real`, or scripts/build-real.sh first",
            executable.display()
        )
        .into());
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("real-replay");
    // Before the program's own arguments.
    let arguments: Vec<&str> = ["--timeout", "10s"].iter().chain(bounds).copied().collect();
    let known: Vec<KnownDifference> = KNOWN
        .iter()
        .filter(|(name, _)| program.ends_with(name))
        .map(|(_, known)| *known)
        .collect();
    let replayed = explore_and_replay(&vm::locate()?, &executable, &arguments, &known, &scratch)?;
    table.lock().unwrap().push((name, replayed));
    Ok(())
}

fn print_table(table: &mut [(String, Replayed)]) {
    table.sort_by(|one, other| one.0.cmp(&other.0));
    println!(
        "| program | tests | as predicted | known difference | errors not confirmed | without prediction |"
    );
    println!("|---|---:|---:|---:|---:|---:|");
    let mut sum = Replayed::default();
    for (name, replayed) in table.iter() {
        println!("| `{name}` | {} |", columns(replayed));
        sum += replayed.clone();
    }
    println!("| all | {} |", columns(&sum));
}

fn columns(replayed: &Replayed) -> String {
    format!(
        "{} | {} | {} | {} | {}",
        replayed.tests,
        replayed.as_predicted,
        replayed.known_differences,
        replayed.not_confirmed,
        replayed.skipped
    )
}
