//! `parallax check`: on which inputs do two versions of a program behave differently?
//!
//! Both versions are explored together, path by path (`exploration::compare`): on each path the inputs that
//! behave the same are proved equal, and an input that does not is a *difference*. A difference is run natively
//! on both versions before it is called confirmed. `equivalent` is said only if every path within the bounds
//! was explored and proved.
//!
//! What was found is kept in a journal (`kept`), and the same call goes on from it.
//!
//! Exit status: 0 equivalent, 1 differences, 2 usage or build error, 3 undecided, 4 a proof was refuted (`--paranoid`).

mod arguments;
mod changes;
mod contrast;
mod determinism;
mod differences;
mod examples;
mod function;
mod golden;
mod json;
mod kept;
mod location;
mod paired;
mod paranoid;
mod partitions;
mod report;
mod reproduce;
mod search;
mod settled;
mod text;
mod undefined;
mod version_files;

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Context;
use concolic_vm::linux::KernelConfig;
use concolic_vm::{Limits, Program};
use exploration::journal::Earlier;
use exploration::{Strategy, Summary, Verdict};
use program_ir::Module;
use solver::Solver;

use crate::confirmation::Natively;
pub(super) use arguments::Arguments;
use changes::Changes;
use contrast::Marks;
use differences::folded;
use examples::{Budget, Workshop, remove_examples};
use function::FunctionCheck;
use golden::Golden;
use kept::{Compared, Kept};
use paired::Versions;
use paranoid::Paranoid;
use report::Report;
use search::{Findings, Search, is_sample};
use undefined::Inspection;
use version_files::{VersionFiles, without_debug_information};

use super::progress::LiveLine;
use super::symbolic_input::Purpose;
use super::{Format, announce, print, read_module, seeds};
use crate::build::Builder;
use crate::build::host::Instrumentation;
use crate::interrupt;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let status = check(arguments, &|_| solver::chain(&solver::Config::default()))?;
    Ok(ExitCode::from(status))
}

/// Makes the solver of each worker.
type MakeSolver = dyn Fn(usize) -> Box<dyn Solver> + Sync;

/// The exit status.
fn check(arguments: &Arguments, make_solver: &MakeSolver) -> anyhow::Result<u8> {
    let start = Instant::now();
    arguments.search.check()?;
    let interrupt = interrupt::watch()?;
    let builder = Builder::new(&announce)?;
    let names = VersionFiles {
        old: arguments.versions.old_version()?,
        new: arguments.versions.new_version()?,
    };
    let function = FunctionCheck::prepare(&builder, &names, arguments)?;
    let requests = match &function {
        Some(function) => function.requests.clone(),
        None => names.requests(arguments),
    };
    let mut modules = Vec::new();
    let mut hashes = Vec::new();
    // What is not in the modules that are compared.
    let mut left_out = Vec::new();
    for (request, which) in requests.iter().zip(["old", "new"]) {
        let built = builder
            .program(request)
            .with_context(|| format!("cannot build the {which} version"))?;
        if !built.unresolved.is_empty() {
            // What only assembly or the host's library defines links natively.
            builder
                .host_program(request, Instrumentation::Nothing)
                .with_context(|| format!("cannot link the {which} version"))?;
        }
        let missing = built.unresolved.iter();
        left_out
            .extend(missing.map(|name| format!("{which}: nothing defines `{name}` for the VM")));
        let warnings = built.warnings.iter();
        left_out.extend(warnings.map(|warning| format!("{which}: {warning}")));
        modules.push(read_module(&builder, &built)?);
        hashes.push(built.hash);
    }
    let same_code = left_out.is_empty()
        && without_debug_information(&modules[0]) == without_debug_information(&modules[1]);
    let golden = match &arguments.golden[..] {
        [] => None,
        files => {
            let driver = function
                .as_ref()
                .and_then(|function| function.golden.clone());
            let request = driver.unwrap_or_else(|| names.request(files, arguments));
            Some(Golden::build(&builder, &request)?)
        }
    };
    let changes = match names.languages_differ() {
        true => {
            announce(
                "the versions are written in different languages: their behaviour is compared, and no changed \
                 lines are named",
            );
            Changes::none()
        }
        false => Changes::of(match &function {
            Some(function) => function.compare(&modules)?,
            None => arguments.versions.compare()?,
        }),
    };
    let project = super::project_file::read()?;
    let kernel = KernelConfig::default();
    let harness = |module: &Module| module.function_named("parallax_symbolic").is_some();
    let harness = function.is_some() || modules.iter().all(harness);
    let mut space = arguments.input.space(
        names.program(),
        &project.explore,
        &kernel,
        harness,
        Purpose::Compare,
    )?;
    let mut tests = &project.tests[..];
    if function.is_some() {
        // What the project file says of the program's command line is not about a function.
        space.args.clear();
        tests = &[];
    }
    let shapes = space.shapes();
    let folder = arguments.seeds.as_deref();
    let seeds = seeds::read(folder, tests, &space, &shapes, &kernel)?;
    let folder = arguments.tests.clone().unwrap_or_else(|| match &function {
        Some(function) => function.default_folder(&names.default_folder()),
        None => names.default_folder(),
    });
    let was_there = folder.exists();
    // A folder that cannot be used is better known before the search than after it.
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder `{}` for tests", folder.display()))?;
    let kept = match same_code || arguments.search.strategy == Strategy::Random {
        true => None,
        false => {
            let compared = Compared::new(arguments, [&hashes[0], &hashes[1]], &space)?;
            Some(Kept::open(&folder, &compared, &shapes, arguments.fresh)?)
        }
    };
    // The folder stays locked until the end.
    let (earlier, journal, _lock) = match kept {
        Some(kept) => (kept.earlier, Some(kept.journal), Some(kept.lock)),
        None => (Earlier::default(), None, None),
    };
    remove_examples(&folder)?;
    let mut programs = Vec::new();
    for module in modules {
        programs.push(Program::new(module, 2 << 30)?);
    }
    let versions = Versions {
        programs: &programs,
        kernel,
        limits: Limits {
            steps: arguments.max_steps,
            ..Limits::default()
        },
        changes: &changes,
        trace_facts: Default::default(),
        tracing: Mutex::default(),
        golden: golden.as_ref(),
    };
    let live = LiveLine::new();
    let search = Search {
        arguments,
        versions: &versions,
        interrupt: &interrupt,
        start,
        live: &live,
        kinds: match &function {
            Some(function) => function.kinds.clone(),
            None => Default::default(),
        },
        function: function.as_ref(),
        make_solver,
        found: Mutex::new(Findings::default()),
    };
    let summary = match same_code {
        true => None,
        false => Some(search.explore(shapes.clone(), seeds, earlier, journal)),
    };
    let mut found = search.found.into_inner().expect("no worker panicked");
    live.show("looking for memory that is read and was never written");
    let mut inputs = std::mem::take(&mut found.inputs);
    if summary.as_ref().map(Summary::verdict) != Some(Verdict::Equivalent) {
        let mut number = 0;
        inputs.retain(|_| {
            number += 1;
            is_sample(number)
        });
    }
    let inspection = Inspection {
        versions: &versions,
        shapes: &shapes,
        workers: arguments.workers.into(),
        interrupt: &interrupt,
    };
    let undefined = inspection.of(&inputs);
    found.groups = folded(found.groups);
    let mut differences = Vec::new();
    let mut self_check = None;
    if arguments.paranoid && summary.is_some() {
        let paranoid = Paranoid {
            versions: &versions,
            names: &names,
            folder: &folder,
            interrupt: &interrupt,
            live: &live,
            time: arguments.timeout,
        };
        let natively = Natively::new(&builder, &requests, names.program())?;
        self_check = Some(paranoid.check(&natively, &found.claims)?);
    }
    if !found.groups.is_empty() {
        let mut natively = Natively::new(&builder, &requests, names.program())?;
        let mut workshop = Workshop {
            versions: &versions,
            shapes: &shapes,
            interrupt: &interrupt,
            budget: match arguments.minimise {
                true => Budget::LARGE,
                false => Budget::SMALL,
            },
            folder: &folder,
            raw_files: match &function {
                Some(function) => function.raw_files(),
                None => Vec::new(),
            },
        };
        for (group, number) in found.groups.iter().zip(1..) {
            live.show(&format!(
                "running natively: {number} of {} kinds of difference",
                found.groups.len()
            ));
            let example = workshop.example(&mut natively, group, number)?;
            differences.push((group, example));
        }
    }
    live.clear();
    if differences.is_empty() && !was_there {
        // Nothing is in it.
        let _ = std::fs::remove_dir(&folder);
    }
    if let Some(function) = &function {
        left_out.extend_from_slice(function.left_out());
    }
    let report = Report {
        arguments,
        function: function.as_ref(),
        names: &names,
        space: &space,
        working_folder: &String::from_utf8_lossy(&versions.kernel.working_directory),
        summary: summary.as_ref(),
        differences,
        partitions: &found.listed,
        first: found.first,
        left_out,
        self_check,
        dependences: determinism::dependences(&versions, &found.samples),
        undefined,
        wall: start.elapsed(),
    };
    print(&match arguments.format {
        Format::Text => report.text(Marks::of_stdout()),
        Format::Json => format!("{:#}\n", report.json()),
    })?;
    if let Some(refuted) = report.refuted() {
        announce(&format!(
            "INTERNAL ERROR: {}; please send `{}`, its README says more",
            refuted.why,
            refuted.bundle.display()
        ));
        return Ok(paranoid::STATUS);
    }
    Ok(match report.verdict() {
        Verdict::Equivalent => 0,
        Verdict::Different => 1,
        Verdict::Undecided => 3,
    })
}
