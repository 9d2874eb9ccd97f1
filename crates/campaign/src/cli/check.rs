//! `parallax check`: on which inputs do two versions of a program behave differently?
//!
//! Both versions are explored together, path by path (`exploration::compare`): on each path the inputs that
//! behave the same are proved equal, and an input that does not is a *difference*. A difference is run natively
//! on both versions before it is called confirmed. `equivalent` is said only if every path within the bounds
//! was explored and proved.
//!
//! Exit status: 0 equivalent, 1 differences, 2 usage or build error, 3 undecided.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicLimits;
use concolic_vm::{End, Limits, Outcome, Program};
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::worker::{Part, Proof, Ran};
use exploration::{
    Budget, Config, Found, InputRecord, InputSpace, Members, Observer, Partition, Progress,
    Subject, Summary, Verdict, Version,
};
use program_ir::{Func, Inst, Module, SourceMap};
use serde_json::json;

use super::explore::{duration, input_as_typed, json_input, memory_used, milliseconds, read_seeds};
use super::search_options::SearchOptions;
use super::symbolic_input::SymbolicArguments;
use super::versions::{Compared, Versions, crate_name};
use super::{Format, announce, print, read_module};
use crate::build::host::Instrumentation;
use crate::build::{Builder, Request};
use crate::interrupt;
use crate::native::{self, NativeEnd, NativeRun, Surroundings, Symbolize};
use crate::prediction::predict;
use crate::replay::{self, judge, judge_sanitized};
use crate::test_case::{Expected, TestCase, shell_word};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    versions: Versions,
    #[command(flatten)]
    input: SymbolicArguments,
    #[command(flatten)]
    search: SearchOptions,
    /// Decides all random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many workers search at the same time
    #[arg(short = 'j', long = "workers", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    workers: u16,
    /// Stop after this time, as in 30s, 5m or 1h
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    timeout: Duration,
    /// Stop after so many runs
    #[arg(long, value_name = "N")]
    runs: Option<u64>,
    /// Stop when this process holds so many megabytes
    #[arg(long, value_name = "MB", default_value_t = 8192)]
    memory: u64,
    /// Instructions after which a run counts as one that does not end
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    max_steps: u64,
    /// The most time for one question to the solver
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "5s")]
    query_timeout: Duration,
    /// Tests or inputs to begin with: a folder of folders, each with `argv` and, if needed, `stdin` and `files/`
    #[arg(long, value_name = "DIR")]
    seeds: Option<PathBuf>,
    /// Where an example of each difference is written [default: .parallax/check/NAME]
    #[arg(long, value_name = "DIR")]
    tests: Option<PathBuf>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// The most time for one native run.
const NATIVE_LIMIT: Duration = Duration::from_secs(10);
/// How many inputs of one kind of difference are kept, to be tried natively until one is confirmed.
const WITNESSES: usize = 3;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let interrupt = interrupt::watch()?;
    let builder = Builder::new(&announce)?;
    let names = Names {
        old: arguments.versions.old_version()?,
        new: arguments.versions.new_version()?,
    };
    let requests = names.requests(arguments);
    let mut modules = Vec::new();
    // What is not in the modules that are compared.
    let mut left_out = Vec::new();
    for (request, which) in requests.iter().zip(["old", "new"]) {
        let built = builder
            .program(request)
            .with_context(|| format!("cannot build the {which} version"))?;
        let missing = built.unresolved.iter();
        left_out
            .extend(missing.map(|name| format!("{which}: nothing defines `{name}` for the VM")));
        let warnings = built.warnings.iter();
        left_out.extend(warnings.map(|warning| format!("{which}: {warning}")));
        modules.push(read_module(&builder, &built)?);
    }
    let same_code = left_out.is_empty()
        && without_debug_information(&modules[0]) == without_debug_information(&modules[1]);
    let changes = Changes::find(arguments)?;
    let kernel = KernelConfig::default();
    let harness = |module: &Module| module.function_named("parallax_symbolic").is_some();
    let harness = modules.iter().all(harness);
    let settings = super::project_file::read()?.explore;
    let space = arguments
        .input
        .space(names.program(), &settings, &kernel, harness)?;
    let mut programs = Vec::new();
    for module in modules {
        programs.push(Program::new(module, 2 << 30)?);
    }
    let checker = Checker {
        arguments,
        programs: &programs,
        kernel: kernel.clone(),
        changes: &changes,
        interrupt: &interrupt,
        start,
        live: std::io::stderr().is_terminal(),
        found: Mutex::new(Differences::default()),
    };
    let summary = match same_code {
        true => None,
        false => Some(checker.explore(&space)?),
    };
    checker.clear_line();
    let mut found = std::mem::take(&mut *checker.found.lock().expect("no worker panicked"));
    found.groups = folded(found.groups);
    let folder = arguments
        .tests
        .clone()
        .unwrap_or_else(|| names.default_folder());
    remove_examples(&folder)?;
    let examples = match found.groups.is_empty() {
        true => Vec::new(),
        false => {
            let mut natively = Natively::new(&builder, &requests, names.program())?;
            examples(&checker, &mut natively, &found.groups, &folder)?
        }
    };
    let report = Report {
        arguments,
        names: &names,
        space: &space,
        summary: summary.as_ref(),
        differences: found.groups.iter().zip(examples).collect(),
        first: found.first,
        left_out,
        wall: start.elapsed(),
    };
    match arguments.format {
        Format::Text => print(&report.text())?,
        Format::Json => println!("{:#}", report.json()),
    }
    Ok(ExitCode::from(match report.verdict() {
        Verdict::Equivalent => 0,
        Verdict::Different => 1,
        Verdict::Undecided => 3,
    }))
}

/// Removes the examples of an earlier call, and nothing else.
fn remove_examples(folder: &Path) -> anyhow::Result<()> {
    for number in 1.. {
        let place = folder.join(format!("{number:03}"));
        if !place.join("old/argv").is_file() || !place.join("new/argv").is_file() {
            return Ok(());
        }
        std::fs::remove_dir_all(&place)
            .with_context(|| format!("cannot remove the earlier example `{}`", place.display()))?;
    }
    Ok(())
}

/// An example of each kind of difference, the first that native runs confirm, written as tests.
fn examples(
    checker: &Checker<'_>,
    natively: &mut Natively<'_>,
    groups: &[Group],
    folder: &Path,
) -> anyhow::Result<Vec<Example>> {
    let working_folder = &checker.kernel.working_directory;
    let mut examples = Vec::new();
    for (group, number) in groups.iter().zip(1..) {
        let mut best: Option<Example> = None;
        for (input, condition) in &group.witnesses {
            let (old, new) = (checker.run(0, input)?, checker.run(1, input)?);
            let test =
                |expected: &Expected| TestCase::new(input, working_folder, Some(expected.clone()));
            let (old_test, new_test) = (test(&old), test(&new));
            let objection = match observably_equal(&old, &new) {
                true => Some(
                    "what a test records (streams, exit status, contents of files in the working folder) is \
                     the same"
                        .to_owned(),
                ),
                false => natively.objection(&group.observables, &old_test, &new_test)?,
            };
            let confirmed = objection.is_none();
            if confirmed || best.is_none() {
                let place = folder.join(format!("{number:03}"));
                if best.is_some() {
                    std::fs::remove_dir_all(&place)
                        .with_context(|| format!("cannot renew the tests `{}`", place.display()))?;
                }
                std::fs::create_dir_all(&place)
                    .and_then(|()| old_test.write(&place.join("old")))
                    .and_then(|()| new_test.write(&place.join("new")))
                    .with_context(|| format!("cannot write the tests `{}`", place.display()))?;
                best = Some(Example {
                    input: input.clone(),
                    condition: condition.clone(),
                    old,
                    new,
                    unconfirmed: objection,
                    folder: Some(place),
                });
            }
            if confirmed {
                break;
            }
        }
        examples.push(best.expect("a group has a witness"));
    }
    Ok(examples)
}

/// The files of the two versions.
struct Names {
    old: Vec<PathBuf>,
    new: Vec<PathBuf>,
}

impl Names {
    /// Both versions have the same name to the program: where a version lies is no difference.
    fn requests(&self, arguments: &Arguments) -> [Request; 2] {
        let crate_name = crate_name(&self.old, &self.new);
        let mut more = crate_name.clone();
        for (old, new) in self.old.iter().zip(&self.new) {
            let is_c = |path: &Path| path.extension().is_some_and(|kind| kind == "c");
            if old != new && is_c(old) && is_c(new) {
                let mut flag = OsString::from("-fmacro-prefix-map=");
                flag.push(old);
                flag.push("=");
                flag.push(new);
                more.push(flag);
            }
        }
        let options = &arguments.versions.options;
        [
            options.request(&self.old, &more),
            options.request(&self.new, &crate_name),
        ]
    }

    /// The name that both versions are run under.
    fn program(&self) -> Vec<u8> {
        self.new[0].with_extension("").into_os_string().into_vec()
    }

    fn default_folder(&self) -> PathBuf {
        let name = self.new[0].file_stem();
        let name = name.unwrap_or(OsStr::new("program"));
        Path::new(".parallax").join("check").join(name)
    }
}

/// Files as one would type them.
fn typed(files: &[PathBuf]) -> String {
    let words: Vec<String> = files
        .iter()
        .map(|file| shell_word(file.as_os_str().as_bytes()))
        .collect();
    words.join(" ")
}

/// What a module computes: names of variables, lines and files do not count.
fn without_debug_information(module: &Module) -> Module {
    let mut module = module.clone();
    module.source = SourceMap::default();
    for function in module.functions.values_mut() {
        function.scope = None;
        function.variables.clear();
        function.bindings.clear();
        for inst in function.insts.values_mut() {
            inst.loc = None;
        }
    }
    for global in module.globals.values_mut() {
        global.info = None;
    }
    module
}

/// A changed line of the new version.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ChangedLine {
    file: String,
    line: u32,
    function: String,
}

/// The changes, and the instructions of the new version that execute them.
struct Changes {
    points: Vec<(Func, Inst, ChangedLine)>,
}

impl Changes {
    fn find(arguments: &Arguments) -> anyhow::Result<Changes> {
        let Compared { new, changes, .. } = arguments.versions.compare()?;
        let mut points = Vec::new();
        for (func, of_function) in changes.points(&new) {
            for point in of_function {
                let Some(loc) = new.functions[func].insts[point.inst].loc else {
                    continue;
                };
                let line = ChangedLine {
                    file: new.source.file_name(loc).to_owned(),
                    line: new.source.locs[loc].line,
                    function: version_diff::report::display_name(&new, func),
                };
                points.push((func, point.inst, line));
            }
        }
        Ok(Changes { points })
    }

    /// The changed lines that a run of the new version executed.
    fn executed(&self, program: &Program, ran: &Ran<'_>) -> Vec<ChangedLine> {
        let coverage = &ran.versions[1].run.coverage;
        let mut lines = BTreeSet::new();
        for (func, inst, line) in &self.points {
            let blocks = program.module().functions[*func].blocks.iter();
            let block = blocks
                .filter(|(_, data)| data.insts.contains(inst))
                .map(|(block, _)| block)
                .next();
            if line.line > 0 && block.is_some_and(|block| coverage.contains(program, *func, block))
            {
                lines.insert(line.clone());
            }
        }
        lines.into_iter().collect()
    }
}

/// What both versions did on one input.
struct Example {
    input: InputRecord,
    /// Of the partition that the input is in.
    condition: Vec<String>,
    old: Expected,
    new: Expected,
    /// Why native runs did not show it, if so.
    unconfirmed: Option<String>,
    folder: Option<PathBuf>,
}

/// Differences in the same observables on the way over the same changes.
struct Group {
    observables: Vec<Observable>,
    /// How both versions end, and where, if not normally.
    ends: [String; 2],
    changes: Vec<ChangedLine>,
    /// Further changes on the way of some of its partitions.
    also: BTreeSet<ChangedLine>,
    partitions: u64,
    /// A few inputs that show it, the shortest first, each with its partition's conditions.
    witnesses: Vec<(InputRecord, Vec<String>)>,
}

/// Folds a kind of difference into one that needs fewer changes: what is seen on the way over one change is
/// usually seen with others on the way too. It stays counted and named.
fn folded(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| group.changes.len());
    let mut kept: Vec<Group> = Vec::new();
    for group in groups {
        let explains = |other: &&mut Group| {
            let has = |change: &ChangedLine| group.changes.contains(change);
            other.observables == group.observables
                && other.ends == group.ends
                && !other.changes.is_empty()
                && other.changes.iter().all(has)
        };
        match kept.iter_mut().find(explains) {
            Some(simpler) => {
                simpler.partitions += group.partitions;
                let further = group.changes.into_iter();
                let new = further.filter(|change| !simpler.changes.contains(change));
                simpler.also.extend(new);
            }
            None => kept.push(group),
        }
    }
    kept
}

/// What the workers have found.
#[derive(Default)]
struct Differences {
    groups: Vec<Group>,
    /// Runs until the first difference, and the time.
    first: Option<(u64, Duration)>,
    paths: u64,
    /// Whether a progress line stands on the terminal.
    shown: bool,
}

struct Checker<'c> {
    arguments: &'c Arguments,
    programs: &'c [Program],
    kernel: KernelConfig,
    changes: &'c Changes,
    interrupt: &'c AtomicBool,
    start: Instant,
    live: bool,
    found: Mutex<Differences>,
}

impl Observer for Checker<'_> {
    fn found(&self, _: &Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, progress: &Progress) {
        if !self.live {
            return;
        }
        let mut found = self.found.lock().expect("no worker panicked");
        let line = format!(
            "{:>4.0} s  {} paths  {} open  {} kind{} of difference",
            progress.wall.as_secs_f64(),
            progress.paths,
            progress.open_flips,
            found.groups.len(),
            if found.groups.len() == 1 { "" } else { "s" },
        );
        found.shown = true;
        eprint!("\r\x1b[K{line}");
        let _ = std::io::stderr().flush();
    }

    fn path(&self, _: &Ran<'_>) {
        self.found.lock().expect("no worker panicked").paths += 1;
    }

    fn partition(&self, partition: &Partition, ran: &Ran<'_>, members: &mut Members<'_, '_>) {
        let Part::Different {
            observables,
            witness,
        } = &partition.part
        else {
            return;
        };
        let changes = self.changes.executed(&self.programs[1], ran);
        let ends = [0, 1].map(|version| ending(&ran.versions[version].run.outcome));
        let witness = InputRecord::of(witness);
        let mut found = self.found.lock().expect("no worker panicked");
        let runs = found.paths;
        found
            .first
            .get_or_insert_with(|| (runs, self.start.elapsed()));
        let same = |group: &&mut Group| {
            group.observables == *observables && group.ends == ends && group.changes == changes
        };
        match found.groups.iter_mut().find(same) {
            Some(group) => {
                group.partitions += 1;
                let longest = group.witnesses.last();
                let is_better = longest.is_none_or(|(longest, _)| size(&witness) < size(longest));
                if is_better || group.witnesses.len() < WITNESSES {
                    group.witnesses.push((witness, members.describe()));
                    group.witnesses.sort_by_key(|(witness, _)| size(witness));
                    group.witnesses.truncate(WITNESSES);
                }
            }
            None => found.groups.push(Group {
                observables: observables.clone(),
                ends,
                changes,
                also: BTreeSet::new(),
                partitions: 1,
                witnesses: vec![(witness, members.describe())],
            }),
        }
    }
}

/// How a run ended, and where if not normally.
fn ending(outcome: &Outcome) -> String {
    match (&outcome.end, outcome.location()) {
        (End::Exit { .. }, _) => "exit".to_owned(),
        (end, Some(place)) => format!("{} at {place}", end.kind()),
        (end, None) => end.kind().to_owned(),
    }
}

/// Short inputs are better examples.
fn size(input: &InputRecord) -> usize {
    let nonzero = |bytes: &Vec<u8>| bytes.iter().filter(|&&byte| byte != 0).count();
    let strings: usize = input.args.iter().map(|arg| 1 + arg.len()).sum();
    strings
        + nonzero(&input.stdin)
        + input.files.values().map(nonzero).sum::<usize>()
        + input.variables.values().map(nonzero).sum::<usize>()
}

impl Checker<'_> {
    fn explore(&self, space: &InputSpace) -> anyhow::Result<Summary> {
        let arguments = self.arguments;
        let shapes = space.shapes();
        let seeds = match &arguments.seeds {
            Some(folder) => read_seeds(folder, space, &shapes, &self.kernel)?,
            None => Vec::new(),
        };
        let workers = usize::from(arguments.workers);
        let version = |program| Version {
            program,
            subject: Subject::Whole,
        };
        let versions = [version(&self.programs[0]), version(&self.programs[1])];
        let facts = arguments.search.facts(&versions[0], &versions[1]);
        let config = Config {
            strategy: arguments.search.strategy,
            seed: arguments.seed,
            workers,
            budget: Budget {
                time: Some(arguments.timeout),
                runs: arguments.runs,
                instructions: None,
                memory: Some(arguments.memory << 20),
            },
            kernel: self.kernel.clone(),
            limits: self.limits(),
            symbolic_limits: SymbolicLimits::default(),
            shapes,
            seeds,
            query_timeout: arguments.query_timeout,
            most_terms: (arguments.memory << 20) as usize / (512 * workers),
            solver: &|_| solver::chain(&solver::Config::default()),
            memory_used: &memory_used,
            interrupt: self.interrupt,
            all_tests: false,
            changes: facts.as_ref(),
            prune: arguments.search.prunes(),
        };
        Ok(exploration::explore(
            &versions,
            config,
            Earlier::default(),
            None,
            self,
        ))
    }

    fn limits(&self) -> Limits {
        Limits {
            steps: self.arguments.max_steps,
            ..Limits::default()
        }
    }

    fn clear_line(&self) {
        let mut found = self.found.lock().expect("no worker panicked");
        if std::mem::take(&mut found.shown) {
            eprint!("\r\x1b[K");
        }
    }

    /// What a version does on an input, in the VM.
    fn run(&self, version: usize, input: &InputRecord) -> anyhow::Result<Expected> {
        predict(&self.programs[version], &self.kernel, self.limits(), input)
            .context("a process cannot be started with an input that was found")
    }
}

/// Whether two runs look the same to a user of the program.
fn observably_equal(old: &Expected, new: &Expected) -> bool {
    let end = |expected: &Expected| (expected.end.kind.clone(), expected.end.shell_status);
    end(old) == end(new)
        && (&old.stdout, &old.stderr, &old.files) == (&new.stdout, &new.stderr, &new.files)
}

/// What a version did natively, as it was predicted.
struct Seen {
    run: NativeRun,
    /// The error that ended it, if it was no normal end.
    error: Option<String>,
}

/// Runs examples natively on both versions. A first Ctrl-C ends the search, not this: what was found is
/// confirmed.
struct Natively<'n> {
    builder: &'n Builder<'n>,
    requests: &'n [Request; 2],
    name: Vec<u8>,
    plain: [PathBuf; 2],
    /// Builds with sanitizers, made when needed; an error says why there is none.
    sanitized: [Option<Result<PathBuf, String>>; 2],
    /// Where the programs were built.
    folder: PathBuf,
    never: AtomicBool,
}

impl<'n> Natively<'n> {
    fn new(
        builder: &'n Builder<'n>,
        requests: &'n [Request; 2],
        name: Vec<u8>,
    ) -> anyhow::Result<Natively<'n>> {
        native::adopt_umask();
        let plain =
            |version: usize| builder.host_program(&requests[version], Instrumentation::Nothing);
        Ok(Natively {
            builder,
            requests,
            name,
            plain: [plain(0)?, plain(1)?],
            sanitized: [None, None],
            folder: std::env::current_dir().context("cannot tell the current folder")?,
            never: AtomicBool::new(false),
        })
    }

    /// `None` if both versions do natively what they did in the VM, and one of the observables differs
    /// there too; otherwise what is in the way.
    fn objection(
        &mut self,
        observables: &[Observable],
        old: &TestCase,
        new: &TestCase,
    ) -> anyhow::Result<Option<String>> {
        let old = match self.seen(0, old)? {
            Ok(seen) => seen,
            Err(objection) => return Ok(Some(objection)),
        };
        let new = match self.seen(1, new)? {
            Ok(seen) => seen,
            Err(objection) => return Ok(Some(objection)),
        };
        let differs = |observable: &Observable| match observable {
            Observable::Stdout => old.run.stdout != new.run.stdout,
            // The sanitizers write their reports there.
            Observable::Stderr => {
                old.error.is_none() && new.error.is_none() && old.run.stderr != new.run.stderr
            }
            Observable::File(_) => old.run.files != new.run.files,
            Observable::End | Observable::ExitStatus | Observable::Returned => {
                old.error != new.error || old.error.is_none() && old.run.end != new.run.end
            }
        };
        Ok(match observables.iter().any(differs) {
            true => None,
            false => Some("the native runs do not differ in it".to_owned()),
        })
    }

    /// What a version does natively, if that is what it did in the VM.
    fn seen(&mut self, version: usize, test: &TestCase) -> anyhow::Result<Result<Seen, String>> {
        let which = ["old", "new"][version];
        let Some(expected) = &test.expected else {
            return Ok(Err("nothing was predicted".to_owned()));
        };
        if expected.end.kind == "step-limit" {
            let run = self.run(test, &self.plain[version], false)?;
            let limit = NATIVE_LIMIT.as_secs();
            return Ok(match run.end {
                NativeEnd::TimedOut | NativeEnd::TooMuchOutput => {
                    let error = Some("no end".to_owned());
                    Ok(Seen { run, error })
                }
                _ => Err(format!(
                    "the {which} version ends natively within {limit} s"
                )),
            });
        }
        let (run, error, verdict) = if expected.end.undefined {
            let executable = match self.sanitized(version)? {
                Ok(executable) => executable,
                Err(why) => return Ok(Err(format!("{}: {why}", expected.end.description))),
            };
            let run = self.run(test, &executable, true)?;
            let verdict = judge_sanitized(expected, &run, &self.folder);
            (run, Some(expected.end.kind.clone()), verdict)
        } else {
            let first = self.run(test, &self.plain[version], false)?;
            let second = self.run(test, &self.plain[version], false)?;
            if first != second {
                return Ok(Err(format!(
                    "the {which} version is not deterministic: two native runs of this input differ"
                )));
            }
            let verdict = judge(test, expected, &first);
            (first, None, verdict)
        };
        Ok(match verdict {
            replay::Verdict::AsPredicted | replay::Verdict::Confirmed(_) => Ok(Seen { run, error }),
            replay::Verdict::Mismatch(text) => {
                Err(format!("the {which} version natively: {}", text.trim_end()))
            }
            replay::Verdict::NotConfirmed(why) | replay::Verdict::Skipped(why) => {
                Err(format!("{which}: {why}"))
            }
        })
    }

    fn run(
        &self,
        test: &TestCase,
        executable: &Path,
        sanitized: bool,
    ) -> anyhow::Result<NativeRun> {
        let surroundings = Surroundings {
            executable,
            program_name: &self.name,
            timeout: NATIVE_LIMIT,
            sanitizers: sanitized.then_some(Symbolize::Yes),
            interrupt: &self.never,
        };
        native::run(test, &surroundings)
    }

    fn sanitized(&mut self, version: usize) -> anyhow::Result<Result<PathBuf, String>> {
        if self.sanitized[version].is_none() {
            let request = &self.requests[version];
            self.sanitized[version] = Some(match self.builder.no_sanitizers(request)? {
                Some(why) => Err(why.to_owned()),
                None => Ok(self
                    .builder
                    .host_program(request, Instrumentation::Sanitizers)?),
            });
        }
        Ok(self.sanitized[version].clone().expect("just made"))
    }
}

/// The result, for people and for machines.
struct Report<'r> {
    arguments: &'r Arguments,
    names: &'r Names,
    space: &'r InputSpace,
    /// `None` if both versions are the same code.
    summary: Option<&'r Summary>,
    differences: Vec<(&'r Group, Example)>,
    first: Option<(u64, Duration)>,
    /// Parts of the versions that the VM does not have.
    left_out: Vec<String>,
    wall: Duration,
}

/// Partitions by what is known of them.
#[derive(Default)]
struct Counts {
    same_terms: u64,
    by_solver: u64,
    different: u64,
    unknown: u64,
}

impl Report<'_> {
    /// A difference counts when native runs have shown it; one that only the VM shows leaves the answer open.
    fn verdict(&self) -> Verdict {
        let Some(summary) = self.summary else {
            return Verdict::Equivalent;
        };
        match summary.verdict() {
            Verdict::Different if self.confirmed() == 0 => Verdict::Undecided,
            Verdict::Equivalent if !self.left_out.is_empty() => Verdict::Undecided,
            verdict => verdict,
        }
    }

    fn confirmed(&self) -> usize {
        self.differences
            .iter()
            .filter(|(_, example)| example.unconfirmed.is_none())
            .count()
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for partition in self.summary.iter().flat_map(|summary| &summary.partitions) {
            match partition.part {
                Part::Equal {
                    by: Proof::SameTerms,
                } => counts.same_terms += 1,
                Part::Equal { by: Proof::Solver } => counts.by_solver += 1,
                Part::Different { .. } => counts.different += 1,
                Part::Unknown { .. } => counts.unknown += 1,
            }
        }
        counts
    }

    fn text(&self) -> String {
        let plural =
            |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (old, new) = (typed(&self.names.old), typed(&self.names.new));
        let Some(summary) = self.summary else {
            return format!("equivalent: {old} and {new} compile to the same code for the VM\n");
        };
        let counts = self.counts();
        let equal = counts.same_terms + counts.by_solver;
        let mut text = match self.verdict() {
            Verdict::Equivalent => format!(
                "equivalent: {old} and {new} behave the same on every input within the bounds\n"
            ),
            Verdict::Different => format!(
                "different: {}\n",
                plural(self.differences.len() as u64, "kind of difference")
                    .replace("kind of differences", "kinds of difference")
            ),
            Verdict::Undecided => {
                "undecided: no difference was confirmed, and not everything is proved equal\n"
                    .to_owned()
            }
        };
        for ((group, example), number) in self.differences.iter().zip(1..) {
            text += &difference_text(number, group, example, self.names);
        }
        if !self.differences.is_empty() {
            text.push('\n');
        }
        text += &format!(
            "{} in {:.1} s: {} proved equal ({} by equal terms, {} by the solver), {} different, {} not known\n",
            plural(summary.partitions.len() as u64, "partition"),
            self.wall.as_secs_f64(),
            equal,
            counts.same_terms,
            counts.by_solver,
            counts.different,
            counts.unknown
        );
        if !summary.exhausted() {
            text += &format!("not everything was explored: {}", summary.stop);
            text += &match summary.open_flips {
                0 => "\n".to_owned(),
                open => format!(", {} not tried\n", plural(open as u64, "way")),
            };
        }
        let mut reasons = BTreeSet::new();
        for partition in &summary.partitions {
            if let Part::Unknown { why } = &partition.part {
                reasons.insert(why);
            }
        }
        for why in reasons {
            text += &format!("not known: {why}\n");
        }
        for what in &self.left_out {
            text += &format!("not compared: {what}\n");
        }
        for (gap, times) in &summary.gaps {
            text += &format!("incomplete: {gap} ({times} times)\n");
        }
        for taken in &summary.taken_as_is {
            let note = taken.note(summary.exhausted());
            text += &format!("note: {note}\n");
        }
        text += &self.arguments.search.pruned_text(summary);
        text += &format!("bounds: {}\n", self.bounds().join("; "));
        text
    }

    fn bounds(&self) -> Vec<String> {
        let mut bounds = self.space.bounds();
        if self.space.environment.is_empty() {
            bounds.push("environment: empty".to_owned());
        }
        bounds.push(format!(
            "runs of up to {} instructions",
            self.arguments.max_steps
        ));
        bounds
    }

    fn json(&self) -> serde_json::Value {
        let outcome = |expected: &Expected| {
            json!({
                "end": expected.end,
                "stdout": String::from_utf8_lossy(&expected.stdout),
                "stderr": String::from_utf8_lossy(&expected.stderr),
                "files": expected.files.iter().map(|(name, content)| {
                    (name.display().to_string(), json!(String::from_utf8_lossy(content)))
                }).collect::<serde_json::Map<_, _>>(),
            })
        };
        let differences: Vec<_> = self
            .differences
            .iter()
            .zip(1..)
            .map(|((group, example), id)| {
                json!({
                    "id": id,
                    "kind": group.observables,
                    "input": json_input(&example.input),
                    "old": outcome(&example.old),
                    "new": outcome(&example.new),
                    "confirmed_natively": example.unconfirmed.is_none(),
                    "unconfirmed_because": example.unconfirmed,
                    "changes": group.changes.iter().map(|change| json!({
                        "file": change.file, "line": change.line, "function": change.function,
                    })).collect::<Vec<_>>(),
                    "further_changes": group.also.iter().map(|change| json!({
                        "file": change.file, "line": change.line, "function": change.function,
                    })).collect::<Vec<_>>(),
                    "partitions": group.partitions,
                    "condition": example.condition,
                    "tests": example.folder,
                })
            })
            .collect();
        let counts = self.counts();
        let empty = Vec::new();
        let assumptions: Vec<_> = self
            .summary
            .map_or(&empty, |summary| &summary.taken_as_is)
            .iter()
            .map(|taken| {
                json!({
                    "what": taken.what.describe(),
                    "place": taken.place.as_ref().map(ToString::to_string),
                    "runs": taken.runs,
                })
            })
            .collect();
        let gaps = self.summary.map(|summary| {
            let gap = |(gap, times): (&exploration::Gap, &u64)| json!({"what": gap.to_string(), "times": times});
            summary.gaps.iter().map(gap).collect::<Vec<_>>()
        });
        let number = |of: &dyn Fn(&Summary) -> f64| self.summary.map_or(0.0, of);
        json!({
            "schema": "parallax-check-1",
            "verdict": match self.verdict() {
                Verdict::Equivalent => "equivalent",
                Verdict::Different => "different",
                Verdict::Undecided => "undecided",
            },
            "same_code": self.summary.is_none(),
            "exhausted": self.summary.is_none_or(|summary| summary.exhausted()),
            "stopped": self.summary.map(|summary| summary.stop.to_string()),
            "bounds": self.bounds(),
            "assumptions": assumptions,
            "gaps": gaps.unwrap_or_default(),
            "left_out": self.left_out,
            "differences": differences,
            "partitions": {
                "equal_by_terms": counts.same_terms,
                "equal_by_solver": counts.by_solver,
                "different": counts.different,
                "unknown": counts.unknown,
            },
            "stats": {
                "runs": number(&|summary| summary.runs as f64) as u64,
                "paths": number(&|summary| summary.paths as f64) as u64,
                "pruned": self.arguments.search.pruned_json(self.summary),
                "queries": number(&|summary| summary.counts.queries as f64) as u64,
                "wall_ms": milliseconds(self.wall),
                "solver_ms": number(&|summary| milliseconds(summary.counts.solving)),
            },
            "first_difference": self.first.map(|(runs, wall)| json!({"runs": runs, "wall_ms": milliseconds(wall)})),
        })
    }
}

fn difference_text(number: usize, group: &Group, example: &Example, names: &Names) -> String {
    let observables: Vec<String> = group.observables.iter().map(ToString::to_string).collect();
    let seen = match &example.unconfirmed {
        None => "seen natively".to_owned(),
        Some(why) => format!("seen in the VM only: {why}"),
    };
    let mut text = format!(
        "\n{number}. {} differ{}, {seen}\n",
        observables.join(" and "),
        if observables.len() == 1 { "s" } else { "" }
    );
    for line in input_as_typed(&example.input).lines() {
        text += &format!(
            "   {}
",
            line.trim_start()
        );
    }
    for observable in &group.observables {
        let (old, new) = match observable {
            Observable::Stdout => contrasted(&example.old.stdout, &example.new.stdout),
            Observable::Stderr => contrasted(&example.old.stderr, &example.new.stderr),
            Observable::File(path) => {
                let content = |expected: &Expected| {
                    let same = |name: &&PathBuf| Path::new(path).ends_with(name);
                    let name = expected.files.keys().find(same);
                    name.map(|name| expected.files[name].clone())
                        .or_else(|| example.input.files.get(path).cloned())
                        .unwrap_or_default()
                };
                contrasted(&content(&example.old), &content(&example.new))
            }
            Observable::End | Observable::ExitStatus | Observable::Returned => (
                example.old.end.description.clone(),
                example.new.end.description.clone(),
            ),
        };
        let label = match group.observables.len() {
            1 => String::new(),
            _ => format!(" {observable}"),
        };
        text += &format!("   old{label}: {old}\n   new{label}: {new}\n");
    }
    if !group.changes.is_empty() {
        text += "   changed lines on the way:\n";
        for change in &group.changes {
            text += &format!(
                "     {}:{} in {}\n",
                change.file, change.line, change.function
            );
        }
    }
    if group.partitions > 1 {
        text += &format!("   the same on {} partitions", group.partitions);
        text += &match group.also.len() {
            0 => "\n".to_owned(),
            1 => ", on some of them with another changed line on the way\n".to_owned(),
            lines => format!(", on some of them with {lines} more changed lines on the way\n"),
        };
    }
    if let Some(folder) = &example.folder {
        let word = |path: &Path| shell_word(path.as_os_str().as_bytes());
        text += &format!(
            "   reproduce: parallax replay {} --tests {}; parallax replay {} --tests {}\n",
            typed(&names.old),
            word(&folder.join("old")),
            typed(&names.new),
            word(&folder.join("new"))
        );
    }
    text
}

/// Two outputs around the place where they part.
fn contrasted(old: &[u8], new: &[u8]) -> (String, String) {
    const BEFORE: usize = 24;
    const SHOWN: usize = 72;
    let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let start = common.saturating_sub(BEFORE);
    let part = |bytes: &[u8]| {
        let end = bytes.len().min(start + SHOWN);
        let shown = shell_word(&bytes[start.min(bytes.len())..end]);
        let before = if start > 0 { "… " } else { "" };
        let after = if end < bytes.len() { " …" } else { "" };
        format!("{before}{shown}{after}")
    };
    (part(old), part(new))
}
