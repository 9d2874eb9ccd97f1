//! `make bench`, the slices: what the dependence trace of a run and its relevant slices cost, for growing runs.
//!
//! Each program is run on one input with terms alone, then with a trace; then both slices are taken of the trace,
//! for a change in a function that the run does not enter. Every row is measured in a process of its own, so that its peak memory (`VmHWM`)
//! is that of the row. Times are processor seconds.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Duration;

use build::{Builder, Request};
use clap::Parser;
use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::TraceLimits;
use concolic_vm::symbolic::{Coverage, InputBytes, SymbolicInput, SymbolicLimits, SymbolicProcess};
use concolic_vm::{Limits, Program};
use exploration::relevance::{KnownWays, RelevanceFacts};
use exploration::{Subject, Version};
use expr::Store;
use program_ir::{Func, Inst};
use program_tests::processor_time::of_this_process;
use program_tests::{corpus, real};
use version_diff::own_changes::is_c_library;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

#[derive(Parser)]
struct Arguments {
    /// Only rows whose name contains this
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Leave out rows of more than a million instructions
    #[arg(long)]
    short: bool,
    /// Measure the row of this name in this process
    #[arg(long, value_name = "NAME", hide = true)]
    row: Option<String>,
}

struct Workload {
    name: String,
    program: PathBuf,
    args: Vec<String>,
    stdin: InputBytes,
    is_long: bool,
}

fn workloads() -> Result<Vec<Workload>> {
    let bench = corpus::tests_folder().with_file_name("bench");
    let real = real::real_folder();
    let mut all = Vec::new();
    for (work, sizes) in [
        ("arrays", [3_000, 32_000, 330_000]),
        ("sorts", [600, 6_000, 50_000]),
        ("text", [90, 1_000, 10_000]),
    ] {
        for size in sizes {
            all.push(Workload {
                name: format!("{work} {size}"),
                program: bench.join("slices.c"),
                args: vec![work.to_owned(), size.to_string()],
                stdin: InputBytes::symbolic(*b"some lower case, SOME UPPER CASE"),
                is_long: size == sizes[2],
            });
        }
    }
    let lines = |count: u32| -> Vec<u8> {
        let mut state = 1u32;
        let mut text = Vec::new();
        for _ in 0..count {
            state = state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
            text.extend_from_slice(format!("{} line\n", state >> 8).as_bytes());
        }
        text
    };
    let built =
        |name: &str, program: &str, args: &[&str], stdin: InputBytes, is_long: bool| Workload {
            name: name.to_owned(),
            program: real.join(program),
            args: args.iter().map(|&text| text.to_owned()).collect(),
            stdin,
            is_long,
        };
    let concrete = InputBytes::concrete;
    all.push(built(
        "sort 8 symbolic bytes",
        "coreutils/src/sort",
        &[],
        InputBytes::symbolic(*b"b\na\nd\nc\n"),
        false,
    ));
    all.push(built(
        "sort 8000 lines",
        "coreutils/src/sort",
        &[],
        concrete(lines(8_000)),
        true,
    ));
    all.push(built(
        "wc 64 symbolic bytes",
        "coreutils/src/wc",
        &[],
        InputBytes::symbolic(lines(9)[..64].to_vec()),
        false,
    ));
    all.push(built(
        "cut 30000 lines",
        "coreutils/src/cut",
        &["-c2-4"],
        concrete(lines(30_000)),
        true,
    ));
    all.push(built(
        "minigzip 60000 bytes",
        "zlib/minigzip",
        &["-c"],
        concrete(lines(4_000)),
        true,
    ));
    Ok(all)
}

fn main() -> ExitCode {
    match bench(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench_slices: error: {error}");
            ExitCode::from(2)
        }
    }
}

fn bench(arguments: &Arguments) -> Result<()> {
    let workloads = workloads()?;
    if let Some(row) = &arguments.row {
        let workload = workloads.iter().find(|workload| workload.name == *row);
        return measure(workload.ok_or("no such row")?);
    }
    println!(
        "| program | instructions | instances | trace bytes per instruction | plain run, s | traced / plain | behaviour, ns per instance | reachability | conditions decided | in behaviour | in reachability | trace and slices, s | peak MB |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for workload in &workloads {
        if !workload.name.contains(&arguments.only) || arguments.short && workload.is_long {
            continue;
        }
        let status = Command::new(std::env::current_exe()?)
            .args(["--row", &workload.name])
            .status()?;
        if !status.success() {
            println!("| {} | failed |", workload.name);
        }
    }
    Ok(())
}

fn measure(workload: &Workload) -> Result<()> {
    let builder = Builder::new(&|_| {})?;
    let built = builder.program(&Request {
        inputs: vec![workload.program.clone()],
        ..Request::default()
    })?;
    let image = std::fs::read(builder.image(&built)?)?;
    let module = program_ir::read_image(&image)?;
    let program = Program::new(module, 1 << 30)?;
    let version = Version {
        program: &program,
        subject: Subject::Whole,
    };
    let name = [workload
        .name
        .split(' ')
        .next()
        .unwrap_or_default()
        .to_owned()];
    let args = name.iter().chain(&workload.args);
    let input = SymbolicInput {
        args: args
            .map(|arg| InputBytes::concrete(arg.as_bytes()))
            .collect(),
        stdin: workload.stdin.clone(),
        ..SymbolicInput::default()
    };
    let start = |store: &mut Store| -> Result<SymbolicProcess<'_>> {
        let kernel = KernelConfig::default();
        let limits = Limits::default();
        let symbolic = SymbolicLimits::default();
        Ok(version
            .subject
            .start(&program, store, kernel, limits, symbolic, &input)?)
    };
    let (plain, coverage) = {
        let mut store = Store::new();
        let mut process = start(&mut store)?;
        let (plain, run) = timed(|| process.run(&mut store));
        (plain, run.coverage)
    };
    let unreached = first_unreached(&program, &coverage).ok_or("every function is executed")?;
    let facts = RelevanceFacts::of(&version, [unreached]);
    let mut store = Store::new();
    let mut process = start(&mut store)?;
    let (traced, (run, trace)) = timed(|| {
        let limits = TraceLimits::bytes(2 << 30);
        process.run_tracing(&mut store, &facts.trace, limits)
    });
    drop(process);
    let mut known = KnownWays::default();
    let end = &run.outcome.end;
    let (behaviour, behaviour_kept) = timed(|| facts.behaviour(&mut known, &trace, end));
    let (reachability, reachability_kept) = timed(|| facts.reachability(&mut known, &trace, end));
    let instructions = run.outcome.instructions as f64;
    let instances = trace.len() as f64;
    let per_instance = |time: Duration| time.as_secs_f64() * 1e9 / instances;
    let decided = trace.conditions.iter().map(|&(_, condition)| condition);
    let decided: BTreeSet<_> = decided.collect();
    let [behaviour_kept, reachability_kept] =
        [behaviour_kept, reachability_kept].map(|kept| kept.map(|kept| kept.len()).ok());
    let kept = |kept: Option<usize>| kept.map_or("-".to_owned(), |kept| kept.to_string());
    println!(
        "| {} | {instructions} | {instances} | {:.1} | {:.2} | {:.1} | {:.0} | {:.0} | {} | {} | {} | {:.2} | {} |",
        workload.name,
        trace.memory() as f64 / instructions,
        plain.as_secs_f64(),
        traced.as_secs_f64() / plain.as_secs_f64(),
        per_instance(behaviour),
        per_instance(reachability),
        decided.len(),
        kept(behaviour_kept),
        kept(reachability_kept),
        (traced + behaviour + reachability).as_secs_f64(),
        peak_memory()
    );
    Ok(())
}

/// A place of the program's own code in a function that the run does not enter.
fn first_unreached(program: &Program, coverage: &Coverage) -> Option<(Func, Inst)> {
    let module = program.module();
    module.functions.iter().find_map(|(func, function)| {
        let entry = function.entry()?;
        let is_own = !is_c_library(module, func);
        (is_own && !coverage.contains(program, func, entry)).then_some(())?;
        Some((func, *function.blocks[entry].insts.first()?))
    })
}

fn timed<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let start = of_this_process();
    let result = work();
    (of_this_process() - start, result)
}

/// In MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
