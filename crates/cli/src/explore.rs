//! `parallax explore`: finds inputs for the paths of a program.

use std::fs::File;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits};
use exploration::journal::Earlier;
use exploration::{
    Budget, ChangeConfig, Config, FoundTest, InputSpace, MachineConfig, Observer, Progress,
    Solving, Stop, Strategy, Subject, Summary, Transport, Version,
};
use serde_json::json;

use super::progress::LiveLine;
use super::symbolic_input::SymbolicArguments;
use super::{Format, Program, announce, print, tests_to_begin_with};
use crate::interrupt;
use crate::line_coverage::LineCoverage;
use build::Builder;
use build::cache::Key;
use compare::journal_file::KeptJournal;
use compare::prepare::seeds::Seeds;
use compare::{journal_file, memory_used};
use harness::read_module;
use native::prediction::predict;
use native::test_case::{Expected, TestCase, shell_word};
use report::input::{input_as_typed, json_input, milliseconds};
use report::progress::seeds_not_used;
use report::words::counted;

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
    let seeds = Seeds::of(&tests, &space, &shapes, &kernel)?;
    for line in seeds_not_used(&seeds.reasons, seeds.used.len(), seeds.all) {
        announce(&line);
    }
    let seeds = seeds.used;
    let strategy = arguments.strategy.or(settings.strategy).unwrap_or_default();
    if !Strategy::ALL.contains(&strategy) {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        bail!(
            "the strategy `{strategy}` is for two versions, and `explore` looks at one; use `parallax check OLD \
             NEW`, or one of {names}"
        );
    }
    let workers = arguments.workers.or(settings.workers).unwrap_or(1);
    if workers == 0 || workers > 256 {
        bail!("{workers} workers cannot search; give `-j` a number from 1 to 256");
    }
    let solver_config = arguments.solver.config()?;
    let most_time = arguments.timeout.or(settings.timeout()?);
    let place = match arguments.dry_run {
        true => None,
        false => Some(Place::open(arguments, &built.hash, &space)?),
    };
    let earlier = match &place {
        Some(place) => place.earlier(&shapes)?,
        None => Earlier::default(),
    };
    let query_log = match &arguments.query_log {
        Some(path) => Some(QueryLog::create(path)?),
        None => None,
    };
    let make_solver = |_: usize| match &query_log {
        Some(log) => solver::logged_chain(&solver_config, Box::new(log.clone())),
        None => solver::chain(&solver_config),
    };
    let limits = Limits {
        steps: arguments.max_steps,
        depth: arguments.max_depth,
        ..Limits::default()
    };
    let config = Config {
        strategy,
        seed: arguments.seed,
        workers,
        budget: Budget {
            time: most_time,
            runs: arguments.runs,
            instructions: arguments.max_instructions,
            memory: Some(arguments.memory << 20),
        },
        transport: Transport::Direct,
        machine: MachineConfig {
            kernel,
            limits,
            symbolic_limits: SymbolicLimits {
                decisions: arguments.max_decisions,
                ..SymbolicLimits::default()
            },
        },
        shapes,
        seeds,
        solving: Solving {
            query_timeout: arguments.query_timeout,
            most_terms: (arguments.memory << 20) as usize / (512 * workers),
            solver: &make_solver,
        },
        memory_used: &memory_used,
        interrupt: &interrupt,
        all_tests: arguments.all_tests,
        change: ChangeConfig::default(),
    };
    let reporter = Reporter {
        program: &program,
        kernel: config.machine.kernel.clone(),
        limits,
        strings: space.has_symbolic_strings(),
        behind_strings: Mutex::default(),
        tests: place.as_ref().map(|place| place.tests.clone()),
        live: LiveLine::new(),
    };
    let journal = match &place {
        Some(place) => Some(place.journal()?),
        None => None,
    };
    let versions = [Version {
        program: &program,
        subject: Subject::Whole,
    }];
    let summary = exploration::explore(&versions, config, earlier, journal, &reporter);
    reporter.live.clear();
    let lines = LineCoverage::new(&program, &summary.shown.coverage[0]);
    let report = Report {
        arguments,
        space: &space,
        strategy,
        workers,
        summary: &summary,
        lines: &lines,
        place: place.as_ref(),
        behind_strings: reporter.behind_strings.into_inner().expect("no panic"),
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

/// Where an exploration is kept: `.parallax/explore/NAME-KEY`.
struct Place {
    folder: PathBuf,
    tests: PathBuf,
    /// Held while the exploration goes on.
    _lock: File,
}

impl Place {
    fn open(arguments: &Arguments, program: &str, space: &InputSpace) -> anyhow::Result<Place> {
        let mut key = Key::new("explore 1");
        // Another Parallax may number events and their alternatives in another way.
        if let Ok(tool) = std::env::current_exe() {
            key.add_tool(&tool)?;
        }
        key.add(program);
        key.add(format!("{space:?}"));
        key.add(arguments.max_steps.to_le_bytes());
        key.add(arguments.max_decisions.to_le_bytes());
        key.add(arguments.max_depth.to_le_bytes());
        let name = arguments.program.inputs[0].file_stem().unwrap_or_default();
        let name = format!("{}-{}", name.to_string_lossy(), &key.finish()[..12]);
        let folder = Path::new(".parallax").join("explore").join(name);
        let fail = || {
            format!(
                "cannot keep the exploration in `{}`; run in a folder that can be written to, or give \
                 `--dry-run` to keep nothing",
                folder.display()
            )
        };
        native::own_folder::prepare(&folder).with_context(fail)?;
        let lock = journal_file::lock(&folder, "explore", "use `--dry-run`")?;
        let tests = arguments
            .tests
            .clone()
            .unwrap_or_else(|| folder.join("tests"));
        if arguments.fresh {
            let remove = |result: std::io::Result<()>| match result {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
                _ => Ok(()),
            };
            journal_file::remove(&folder.join(journal_file::JOURNAL))?;
            // Tests that the user asked to have elsewhere are the user's.
            remove(std::fs::remove_dir_all(folder.join("tests"))).with_context(fail)?;
        }
        std::fs::create_dir_all(&tests)
            .with_context(|| format!("cannot make the folder `{}` for tests", tests.display()))?;
        Ok(Place {
            folder,
            tests,
            _lock: lock,
        })
    }

    fn earlier(&self, shapes: &[SymbolicInput]) -> anyhow::Result<Earlier> {
        let journal = self.folder.join(journal_file::JOURNAL);
        let text = match journal_file::read(&journal)? {
            KeptJournal::Ours(text) => text,
            KeptJournal::Nothing => String::new(),
            KeptJournal::Foreign => {
                announce(&format!(
                    "`{}` is not used: it was not begun here by your Parallax, and may have come with the files",
                    journal.display()
                ));
                journal_file::remove(&journal)?;
                String::new()
            }
        };
        Earlier::read(&text, shapes).with_context(|| {
            format!(
                "cannot go on from `{}`; begin anew with `--fresh`",
                self.folder.join(journal_file::JOURNAL).display()
            )
        })
    }

    fn journal(&self) -> anyhow::Result<Box<dyn Write + Send>> {
        journal_file::append(&self.folder.join(journal_file::JOURNAL))
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

/// Writes tests, and one line of progress on a terminal.
struct Reporter<'p> {
    program: &'p concolic_vm::Program,
    kernel: KernelConfig,
    limits: Limits,
    tests: Option<PathBuf>,
    /// Whether arguments or variables of the environment are symbolic.
    strings: bool,
    /// Tests that end otherwise than their paths, and how; see [`native::prediction`].
    behind_strings: Mutex<Vec<(u64, String)>>,
    live: LiveLine,
}

impl Observer for Reporter<'_> {
    fn found(&self, found: &FoundTest<'_>) -> std::io::Result<()> {
        let Some(tests) = &self.tests else {
            return Ok(());
        };
        let folder = tests.join(format!("{:06}", found.test));
        let working_folder = &self.kernel.working_directory;
        let mut expected = Expected::of(found.outcome, found.kernel, working_folder);
        if self.strings
            && let Some(plain) = predict(self.program, &self.kernel, self.limits, &found.input)
            && plain != expected
        {
            let end = plain.end.description.clone();
            let mut behind = self.behind_strings.lock().expect("no panic");
            behind.push((found.test, end));
            expected = plain;
        }
        let test = TestCase::new(&found.input, working_folder, Some(expected));
        let written = match folder.exists() {
            // A run that is repeated has its test already, unless the folder is of another program.
            true if TestCase::read(&folder).is_ok_and(|old| old == test) => Ok(()),
            true => std::fs::remove_dir_all(&folder).and_then(|()| test.write(&folder)),
            false => test.write(&folder),
        };
        written.map_err(|error| {
            std::io::Error::new(
                error.kind(),
                format!("test `{}`: {error}", folder.display()),
            )
        })
    }

    fn progress(&self, progress: &Progress) {
        if !self.live.is_seen() {
            return;
        }
        let seconds = progress.wall.as_secs_f64();
        let (executed, lines) = LineCoverage::new(self.program, &progress.coverage[0]).totals();
        let busy = (progress.solving + progress.running).as_secs_f64();
        let share = if busy > 0.0 {
            progress.solving.as_secs_f64() / busy
        } else {
            0.0
        };
        let mut line = format!(
            "{:>4.0} s  {} paths  {:.0} runs/s  {executed}/{lines} lines  {} open  solver {:.0}%",
            seconds,
            progress.paths,
            progress.runs as f64 / seconds.max(0.001),
            progress.open_flips,
            100.0 * share
        );
        if progress.errors > 0 {
            line += &format!("  {}", counted(progress.errors as u64, "error"));
        }
        if progress.to_repeat > 0 {
            line += &format!("  (repeating {} earlier runs)", progress.to_repeat);
        }
        self.live.show(&line);
    }
}

/// The result, for people and for machines.
struct Report<'r> {
    arguments: &'r Arguments,
    space: &'r InputSpace,
    strategy: Strategy,
    workers: usize,
    summary: &'r Summary,
    lines: &'r LineCoverage,
    place: Option<&'r Place>,
    behind_strings: Vec<(u64, String)>,
}

impl Report<'_> {
    fn text(&self) -> String {
        let summary = self.summary;
        let name = self.arguments.program.inputs[0].display();
        let mut text = format!(
            "{name}: {} in {:.1} s; ",
            counted(summary.paths, "path"),
            summary.effort.wall.as_secs_f64()
        );
        text += &match (&summary.stop, summary.exhausted()) {
            (_, true) => "exhausted: every input within the bounds takes one of them\n".to_owned(),
            (Stop::Finished, false) => "not exhausted, see below\n".to_owned(),
            (stop, _) => format!(
                "not exhausted: {stop}, {} not tried\n",
                counted(summary.open_flips as u64, "way")
            ),
        };
        if let Stop::CannotWrite(_) = summary.stop {
            text += "  make room or choose another folder, and give the same command again: it goes on from here\n";
        }
        if summary.paths_before > 0 {
            text += &format!(
                "  {} known from an earlier exploration\n",
                counted(summary.paths_before, "path")
            );
        }
        text += &format!("  bounds: {}\n", self.space.bounds().join("; "));
        let (executed, all) = self.lines.totals();
        if all > 0 {
            text += &format!(
                "  lines executed: {executed} of {all} ({:.0}%)\n",
                100.0 * executed as f64 / all as f64
            );
        }
        for (gap, times) in &summary.gaps {
            text += &format!("  incomplete: {gap} ({times} times)\n");
        }
        for taken in &summary.assumed.taken_as_is {
            let note = taken.note(summary.exhausted());
            text += &format!("  note: {note}\n");
        }
        if let Some((test, end)) = self.behind_strings.first() {
            text += &format!(
                "  note: {} behind the end of an argument or variable, which the exploration does not follow; \
                 test {test:06}: {end}\n",
                match self.behind_strings.len() {
                    1 => "1 test goes".to_owned(),
                    number => format!("{number} tests go"),
                }
            );
        }
        for (error, number) in summary.shown.errors.iter().zip(1..) {
            text += &format!(
                "\nerror {number}: {} ({})\n",
                error.description,
                counted(error.paths, "path")
            );
            if let Some(place) = &error.location {
                text += &format!("  at {place}\n");
            }
            text += &input_as_typed(&error.input);
            if let Some(place) = self.place {
                text += &format!(
                    "  test: {}\n",
                    place.tests.join(format!("{:06}", error.test)).display()
                );
            }
        }
        if let Some(place) = self.place {
            let programs: Vec<String> = self
                .arguments
                .program
                .inputs
                .iter()
                .map(|input| shell_word(input.as_os_str().as_bytes()))
                .collect();
            // Not all of them could be written.
            let up_to = match summary.stop {
                Stop::CannotWrite(_) => "up to ",
                _ => "",
            };
            text += &format!(
                "\n{up_to}{} in {}\nrun them natively: parallax replay {} --tests {}\n",
                counted(summary.shown.tests, "test"),
                place.tests.display(),
                programs.join(" "),
                shell_word(place.tests.as_os_str().as_bytes())
            );
        }
        text
    }

    fn json(&self) -> serde_json::Value {
        let summary = self.summary;
        let (executed, all) = self.lines.totals();
        let frame = |frame: &concolic_vm::StackFrame| json!({"function": frame.function, "file": frame.file, "line": frame.line, "column": frame.column});
        let errors: Vec<_> = summary
            .shown
            .errors
            .iter()
            .map(|error| {
                json!({
                    "kind": error.kind,
                    "description": error.description,
                    "location": error.location.as_ref().map(frame),
                    "paths": error.paths,
                    "input": json_input(&error.input),
                    "test": self.place.map(|place| place.tests.join(format!("{:06}", error.test))),
                })
            })
            .collect();
        let behind_strings: Vec<_> = self
            .behind_strings
            .iter()
            .map(|(test, end)| json!({"test": test, "end": end}))
            .collect();
        let gaps: Vec<_> = summary
            .gaps
            .iter()
            .map(|(gap, times)| json!({"what": gap.to_string(), "times": times}))
            .collect();
        let assumptions: Vec<_> = summary
            .assumed
            .taken_as_is
            .iter()
            .map(|taken| {
                json!({
                    "what": taken.what.describe(),
                    "place": taken.place.as_ref().map(frame),
                    "runs": taken.runs,
                    "all_values_tried": summary.exhausted(),
                })
            })
            .collect();
        let layers: Vec<_> = summary
            .effort
            .layers
            .iter()
            .map(|layer| {
                json!({
                    "layer": layer.layer,
                    "asked": layer.asked,
                    "sat": layer.sat,
                    "unsat": layer.unsat,
                    "unknown": layer.unknown,
                    "ms": milliseconds(layer.time),
                })
            })
            .collect();
        json!({
            "schema": "parallax-explore-1",
            "paths": summary.paths,
            "paths_before": summary.paths_before,
            "runs": summary.runs,
            "executions": summary.effort.counts.executions,
            "instructions": summary.effort.counts.instructions,
            "exhausted": summary.exhausted(),
            "stopped": summary.stop.to_string(),
            "open": summary.open_flips,
            "errors": errors,
            "gaps": gaps,
            "assumptions": assumptions,
            "bounds": self.space.bounds(),
            "strategy": self.strategy.name(),
            "workers": self.workers,
            "queries": summary.effort.counts.queries,
            "solver_ms": milliseconds(summary.effort.counts.solving),
            "run_ms": milliseconds(summary.effort.counts.running),
            "wall_ms": milliseconds(summary.effort.wall),
            "behind_strings": behind_strings,
            "layers": layers,
            "lines": {"executed": executed, "all": all},
            "tests": summary.shown.tests,
            "tests_folder": self.place.map(|place| &place.tests),
            "peak_memory_kb": peak_memory(),
        })
    }
}

/// The most memory that this process ever held.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// `30s`, `5m`, `1h`, `250ms`, or a number of seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let wrong = || format!("`{text}` is not a time; write it as 30s, 5m, 1h or 250ms");
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(wrong()),
    };
    Duration::try_from_secs_f64(number * factor).map_err(|_| wrong())
}

/// What stands for no limit: more than a lifetime.
const NO_LIMIT: Duration = Duration::from_secs(1 << 32);

/// The most time that something may take; 0 is no limit.
pub(super) fn time_limit(text: &str) -> Result<Duration, String> {
    Ok(match duration(text)? {
        Duration::ZERO => NO_LIMIT,
        // Moments that far away cannot be told.
        time => time.min(NO_LIMIT),
    })
}

/// A duration that is not none.
pub(super) fn some_time(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err(format!(
            "in `{text}` nothing can be done; give at least 1ms"
        )),
        time => Ok(time),
    }
}
