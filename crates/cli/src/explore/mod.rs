//! `parallax explore`: finds inputs for the paths of a program.

mod place;
mod report;
mod test_probe;
mod test_writer;

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use ::report::progress::seeds_not_used;
use anyhow::{Context, bail};
use build::Builder;
use clap::Args;
use compare::memory_used;
use compare::prepare::seeds::Seeds;
use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits};
use exploration::journal::Earlier;
use exploration::{
    Budget, ChangeConfig, Config, InputSpace, MachineConfig, Solving, Stop, Strategy, Subject,
    Transport, Version,
};
use harness::read_module;

use self::place::Place;
use self::report::ExploreReport;
use self::test_probe::TestProbe;
use self::test_writer::TestWriter;
use super::notation::{some_time, time_limit};
use super::progress::LiveLine;
use super::project_file::ExploreSettings;
use super::symbolic_input::SymbolicArguments;
use super::{Format, Program, announce, print, tests_to_begin_with};
use crate::interrupt;
use crate::line_coverage::LineCoverage;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    program: Program,
    #[command(flatten)]
    input: SymbolicArguments,
    /// Which way is tried next: dart, dfs, bfs, random-path or coverage [default: dart]
    #[arg(long, value_name = "NAME")]
    strategy: Option<Strategy>,
    /// Decides all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many workers search at the same time [default: 1]
    #[arg(short = 'j', long = "workers", value_name = "N")]
    workers: Option<usize>,
    /// Stop after this time, as in 30s, 5m or 1h; 0 means no limit, also where the project file has one
    #[arg(long, value_name = "TIME", value_parser = time_limit)]
    timeout: Option<Duration>,
    /// Stop after so many runs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    runs: Option<u64>,
    /// Stop after so many instructions in all runs together
    #[arg(long, value_name = "N")]
    max_instructions: Option<u64>,
    /// Stop when this process holds so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    memory: u64,
    /// Instructions after which a single run is cut off
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    max_steps: u64,
    /// Decisions about the input after which a run goes on for its own input alone
    #[arg(long, value_name = "N", default_value_t = SymbolicLimits::default().decisions, value_parser = clap::value_parser!(u32).range(1..))]
    max_decisions: u32,
    /// Calls within calls after which a run counts as one whose stack overflows
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, value_parser = clap::value_parser!(u32).range(1..))]
    max_depth: u32,
    /// The most time for one question to the solver
    #[arg(long, value_name = "TIME", value_parser = some_time, default_value = "5s")]
    query_timeout: Duration,
    /// Tests or inputs to begin with: a folder of folders, each with `argv` and, if needed, `stdin` and `files/`
    #[arg(long, value_name = "DIR")]
    seeds: Option<PathBuf>,
    /// Where tests are written [default: in the folder that keeps the exploration]
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    /// Write a test for every path, not only for those that show something new
    #[arg(long)]
    all_tests: bool,
    /// Write no tests and keep nothing to go on from
    #[arg(long, conflicts_with_all = ["tests", "all_tests"])]
    dry_run: bool,
    /// Forget what an earlier exploration found and begin anew
    #[arg(long)]
    fresh: bool,
    /// Write the lines that were executed, as an lcov tracefile
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Write every question to the solver to a file, for `parallax debug replay-queries`
    #[arg(long, value_name = "FILE")]
    query_log: Option<PathBuf>,
    #[command(flatten)]
    solver: super::solver_options::SolverOptions,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let interrupt = interrupt::watch()?;
    let task = Task::read(arguments)?;
    let place = match arguments.dry_run {
        true => None,
        false => Some(Place::open(arguments, &task.hash, &task.space)?),
    };
    let earlier = match &place {
        Some(place) => place.earlier(&task.shapes)?,
        None => Earlier::default(),
    };
    let query_log = match &arguments.query_log {
        Some(path) => Some(QueryLog::create(path)?),
        None => None,
    };
    let make_solver = |_: usize| match &query_log {
        Some(log) => solver::logged_chain(&task.solver, Box::new(log.clone())),
        None => solver::chain(&task.solver),
    };
    let machine = arguments.machine();
    let observer = TestWriter {
        program: &task.program,
        kernel: machine.kernel.clone(),
        limits: machine.limits,
        strings: task.space.has_symbolic_strings(),
        behind_strings: Mutex::default(),
        tests: place.as_ref().map(|place| place.tests.clone()),
        live: LiveLine::new(),
    };
    let probe = TestProbe {
        working_folder: machine.kernel.working_directory.clone(),
        is_asked: place.is_some(),
    };
    let config = Config {
        strategy: task.strategy,
        seed: arguments.seed,
        workers: task.workers,
        budget: arguments.budget(task.most_time),
        transport: Transport::Direct,
        machine,
        shapes: task.shapes,
        seeds: task.seeds,
        solving: Solving {
            query_timeout: arguments.query_timeout,
            most_terms: (arguments.memory << 20) as usize / (512 * task.workers),
            solver: &make_solver,
        },
        memory_used: &memory_used,
        interrupt: &interrupt,
        all_tests: arguments.all_tests,
        change: ChangeConfig::default(),
    };
    let journal = match &place {
        Some(place) => Some(place.journal()?),
        None => None,
    };
    let versions = [Version {
        program: &task.program,
        subject: Subject::Whole,
    }];
    let summary = exploration::explore(&versions, config, earlier, journal, &probe, &observer);
    observer.live.clear();
    let lines = LineCoverage::new(&task.program, &summary.shown.coverage[0]);
    let report = ExploreReport {
        inputs: &arguments.program.inputs,
        space: &task.space,
        strategy: task.strategy,
        workers: task.workers,
        summary: &summary,
        lines: &lines,
        place: place.as_ref(),
        behind_strings: observer.behind_strings.into_inner().expect("no panic"),
    };
    match arguments.format {
        Format::Text => print(&report.text())?,
        Format::Json => print(&format!("{}\n", report.json()))?,
    }
    // After the report, which must not be lost for want of a place for the coverage.
    if let Some(path) = &arguments.lcov {
        std::fs::write(path, lines.lcov())
            .with_context(|| format!("cannot write the coverage to `{}`", path.display()))?;
    }
    Ok(match summary.stop {
        Stop::CannotWrite(_) | Stop::CannotStart(_) => ExitCode::from(2),
        _ if !summary.shown.errors.is_empty() => ExitCode::from(1),
        _ => ExitCode::SUCCESS,
    })
}

/// What is explored and how: the arguments, and where they are silent the project file.
struct Task {
    program: concolic_vm::Program,
    /// The content hash of the program.
    hash: String,
    space: InputSpace,
    shapes: Vec<SymbolicInput>,
    /// Each with the number of its shape.
    seeds: Vec<(u32, SymbolicInput)>,
    strategy: Strategy,
    workers: usize,
    solver: solver::Config,
    most_time: Option<Duration>,
}

impl Task {
    fn read(arguments: &Arguments) -> anyhow::Result<Task> {
        let builder = Builder::new(&announce)?;
        let built = builder.program(&arguments.program.request())?;
        let module = read_module(&builder, &built)?;
        let project = super::project_file::read()?;
        let settings = &project.explore;
        let kernel = KernelConfig::default();
        let harness = module.function_named("parallax_symbolic").is_some();
        let name = arguments.program.name();
        let asked = arguments.input.asked(name, settings, &kernel)?;
        let space = asked.for_exploring(harness)?;
        let program = concolic_vm::Program::new(module, 2 << 30)?;
        let shapes = space.shapes();
        let tests = tests_to_begin_with::read(arguments.seeds.as_deref(), &project.tests)?;
        let seeds = Seeds::of(&tests, (&space, false), &shapes, &kernel)?;
        for line in seeds_not_used(&seeds.reasons, seeds.used.len(), seeds.all) {
            announce(&line);
        }
        Ok(Task {
            program,
            hash: built.hash,
            space,
            shapes,
            seeds: seeds.used,
            strategy: arguments.strategy(settings)?,
            workers: arguments.workers(settings)?,
            solver: arguments.solver.config()?,
            most_time: arguments.timeout.or(settings.timeout()?),
        })
    }
}

impl Arguments {
    fn strategy(&self, settings: &ExploreSettings) -> anyhow::Result<Strategy> {
        let strategy = self.strategy.or(settings.strategy).unwrap_or_default();
        if !Strategy::ALL.contains(&strategy) {
            let names = Strategy::ALL.map(Strategy::name).join(", ");
            bail!(
                "the strategy `{strategy}` is for two versions, and `explore` looks at one; use `parallax check OLD \
                 NEW`, or one of {names}"
            );
        }
        Ok(strategy)
    }

    fn workers(&self, settings: &ExploreSettings) -> anyhow::Result<usize> {
        let workers = self.workers.or(settings.workers).unwrap_or(1);
        if workers == 0 || workers > 256 {
            bail!("{workers} workers cannot search; give `-j` a number from 1 to 256");
        }
        Ok(workers)
    }

    fn budget(&self, time: Option<Duration>) -> Budget {
        Budget {
            time,
            runs: self.runs,
            instructions: self.max_instructions,
            memory: Some(self.memory << 20),
        }
    }

    fn machine(&self) -> MachineConfig {
        MachineConfig {
            kernel: KernelConfig::default(),
            limits: Limits {
                steps: self.max_steps,
                depth: self.max_depth,
                ..Limits::default()
            },
            symbolic_limits: SymbolicLimits {
                decisions: self.max_decisions,
                ..SymbolicLimits::default()
            },
        }
    }
}

/// A log that all workers write to, each entry in one piece.
#[derive(Clone)]
struct QueryLog(std::sync::Arc<File>);

impl QueryLog {
    fn create(path: &Path) -> anyhow::Result<QueryLog> {
        let file = File::options().create(true).append(true).open(path);
        let file = file.and_then(|file| file.set_len(0).map(|()| file));
        let file =
            file.with_context(|| format!("cannot write the query log `{}`", path.display()))?;
        Ok(QueryLog(file.into()))
    }
}

impl Write for QueryLog {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        (&*self.0).write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
