//! `make bench`: the VM's speed beside native code and LLVM's own interpreter, in one run.
//!
//! Times are processor seconds (user and system, the best of three runs): wall time on a shared machine
//! says little. The exception is the start of a run, which is felt as wall time.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use program_tests::processor_time::{Measured, measure_once};
use program_tests::{corpus, real, vm};

const RUNS: usize = 3;
const START_RUNS: usize = 20;

/// One program and its three forms.
struct Workload {
    name: &'static str,
    /// What `parallax run` is given.
    guest: PathBuf,
    native: PathBuf,
    /// For LLVM's interpreter.
    bitcode: PathBuf,
    arguments: Vec<OsString>,
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let parallax = vm::locate()?;
    let scratch = std::env::temp_dir().join(format!("parallax-bench-{}", std::process::id()));
    std::fs::create_dir_all(&scratch)?;
    let result = measure_all(&parallax, &scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    result
}

fn measure_all(parallax: &Path, scratch: &Path) -> Result<()> {
    let bench = corpus::tests_folder().with_file_name("bench");
    let lines = scratch.join("lines");
    std::fs::write(&lines, hundred_thousand_lines())?;
    let real = real::real_folder();
    let workloads = [
        compiled(
            "integer loop",
            &bench.join("integer_loop.c"),
            "20000000",
            scratch,
        )?,
        compiled("sieve", &bench.join("sieve.c"), "20000000", scratch)?,
        compiled("recursive calls", &bench.join("recursion.c"), "35", scratch)?,
        built(
            parallax,
            "sort 100,000 lines",
            &real.join("coreutils/src/sort"),
            lines,
        )?,
        built(
            parallax,
            "Lua script",
            &real.join("lua/lua"),
            bench.join("script.lua"),
        )?,
    ];
    println!(
        "| program | IR instructions | native, s | `lli` interpreter, s | Parallax, s | million IR instructions/s | Parallax/native | `lli`/Parallax |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut notes = String::new();
    for workload in &workloads {
        let native = measure(command(&workload.native, &workload.arguments))?;
        let guest = measure(guest_command(parallax, workload))?;
        let instructions = instruction_count(&guest.stderr)?;
        let mut interpreter = Command::new("lli-22");
        interpreter
            .arg("--force-interpreter")
            .arg(&workload.bitcode)
            .args(&workload.arguments);
        let (lli, lli_ratio) = match measure_once(&mut interpreter) {
            Ok(lli) => (
                format!("{:.3}", lli.seconds),
                format!("{:.1}", lli.seconds / guest.seconds),
            ),
            Err(error) => {
                let reason = error.to_string();
                let first = reason.lines().next().unwrap_or_default();
                let _ = writeln!(notes, "`lli` cannot run `{}`: {first}", workload.name);
                ("cannot".to_owned(), "-".to_owned())
            }
        };
        println!(
            "| {} | {instructions} | {:.3} | {lli} | {:.3} | {:.0} | {:.1} | {lli_ratio} |",
            workload.name,
            native.seconds,
            guest.seconds,
            instructions as f64 / guest.seconds / 1e6,
            guest.seconds / native.seconds,
        );
    }
    print!("{notes}");
    let start = start_time(parallax, &real.join("coreutils/src/sort"))?;
    println!(
        "From `parallax run` to the first instruction of coreutils' `sort`, warm cache: {} ms (median of {START_RUNS})",
        start.as_millis()
    );
    Ok(())
}

/// A C file of ours: native code at `-O1`; for `lli`, bitcode with variables in registers, as the VM's is.
fn compiled(name: &'static str, source: &Path, argument: &str, scratch: &Path) -> Result<Workload> {
    let stem = source.file_stem().unwrap_or_default();
    let (native, bitcode) = (scratch.join(stem), scratch.join(stem).with_extension("bc"));
    let unoptimised = ["-O0", "-Xclang", "-disable-O0-optnone", "-c", "-emit-llvm"];
    for (options, output) in [(&["-O1"][..], &native), (&unoptimised, &bitcode)] {
        let mut compiler = Command::new("clang-22");
        succeed(compiler.args(options).arg(source).arg("-o").arg(output))?;
    }
    let mut normalise = Command::new("opt-22");
    succeed(
        normalise
            .arg("-passes=sroa")
            .arg(&bitcode)
            .arg("-o")
            .arg(&bitcode),
    )?;
    Ok(Workload {
        name,
        guest: source.to_owned(),
        native,
        bitcode,
        arguments: vec![argument.into()],
    })
}

fn succeed(command: &mut Command) -> Result<()> {
    match command.status()?.success() {
        true => Ok(()),
        false => Err(format!("{command:?} failed").into()),
    }
}

/// A program built by `scripts/build-real.sh`: native as its project builds it.
fn built(
    parallax: &Path,
    name: &'static str,
    program: &Path,
    argument: PathBuf,
) -> Result<Workload> {
    let output = Command::new(parallax).arg("build").arg(program).output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let module = text
        .lines()
        .last()
        .ok_or("`parallax build` named no module")?;
    Ok(Workload {
        name,
        guest: program.to_owned(),
        native: program.to_owned(),
        bitcode: PathBuf::from(module),
        arguments: vec![argument.into_os_string()],
    })
}

fn command(program: &Path, arguments: &[OsString]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).env("LC_ALL", "C");
    command
}

fn guest_command(parallax: &Path, workload: &Workload) -> Command {
    let mut command = command(parallax, &[]);
    command.args(["run", "--count", "--env", "LC_ALL=C"]);
    for argument in &workload.arguments {
        if Path::new(argument).is_file() {
            let name = argument.to_string_lossy();
            command.args(["--file", &format!("{name}={name}")]);
        }
    }
    command
        .arg(&workload.guest)
        .arg("--")
        .args(&workload.arguments);
    command
}

/// The best of several runs, after one that fills the caches.
fn measure(mut command: Command) -> Result<Measured> {
    measure_once(&mut command)?;
    let mut best = measure_once(&mut command)?;
    for _ in 1..RUNS {
        let next = measure_once(&mut command)?;
        if next.seconds < best.seconds {
            best = next;
        }
    }
    Ok(best)
}

fn instruction_count(stderr: &str) -> Result<u64> {
    let line = stderr.lines().last().unwrap_or_default();
    let number = line
        .strip_prefix("parallax: ")
        .and_then(|line| line.strip_suffix(" instructions"));
    Ok(number
        .ok_or(format!("no instruction count: {stderr}"))?
        .parse()?)
}

fn start_time(parallax: &Path, program: &Path) -> Result<Duration> {
    let mut times = Vec::new();
    for _ in 0..START_RUNS {
        let start = Instant::now();
        Command::new(parallax)
            .args(["run", "--max-steps", "1"])
            .arg(program)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[START_RUNS / 2])
}

fn hundred_thousand_lines() -> String {
    let mut state = 1u64;
    let mut text = String::new();
    for _ in 0..100_000 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let _ = writeln!(text, "{:012x} line", state >> 16);
    }
    text
}
