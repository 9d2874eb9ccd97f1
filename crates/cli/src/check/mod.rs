//! `parallax check`: on which inputs do two versions of a program behave differently?
//!
//! Both versions are explored together, path by path (`exploration::compare`): on each path the inputs that
//! behave the same are proved equal, and an input that does not is a *difference*. A difference is run natively
//! on both versions before it is called confirmed. `equivalent` is said only if every path within the bounds
//! was explored and proved.
//!
//! What was found is kept in a journal (`kept`), and the same call goes on from it. Three versions or more are compared by
//! `several`.
//!
//! Exit status: 0 equivalent, 1 differences, 2 usage or build error, 3 undecided, 4 a proof was refuted (`--paranoid`,
//! or a test behind a way that was left out).

mod arguments;
mod both;
mod built;
mod changes;
mod contrast;
mod determinism;
mod differences;
mod edits;
mod examples;
mod function;
mod golden;
mod json;
mod kept;
mod location;
mod no_main;
mod paired;
mod paranoid;
mod partitions;
mod report;
mod reproduce;
mod search;
mod settled;
mod several;
mod source_line;
mod text;
mod undefined;
mod version_files;

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;
use concolic_vm::Program;
use concolic_vm::linux::KernelConfig;
use exploration::journal::Earlier;
use exploration::{StaticFacts, Strategy, Subject, Summary, Verdict, Version, alone};
use program_ir::Module;
use solver::Solver;

pub(super) use arguments::Arguments;
use built::Built;
use changes::Changes;
use contrast::Marks;
use differences::{Group, folded};
use examples::{Budget, Example, Workshop, remove_examples};
use function::FunctionCheck;
use golden::Golden;
use kept::{Compared, Kept, SLICES};
use native::confirmation::Natively;
use paired::Versions;
use paranoid::{Paranoid, Refuted};
use report::Report;
use search::{Findings, Search, is_sample};
use undefined::Inspection;
use version_files::{VersionFiles, without_debug_information};

use super::journal_file::JOURNAL;
use super::progress::LiveLine;
use super::search_options::Mode;
use super::symbolic_input::Purpose;
use super::{Format, announce, print, seeds};
use crate::interrupt;
use build::Builder;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let status = match arguments.later.is_empty() {
        true => check(arguments, &Trusted::OWN)?,
        false => several::check(arguments, Trusted::OWN.make_solver)?,
    };
    Ok(ExitCode::from(status))
}

/// Makes the solver of each worker.
type MakeSolver = dyn Fn(usize) -> Box<dyn Solver> + Sync;

/// What proofs rest on. Tests put liars in their places.
#[derive(Clone, Copy)]
struct Trusted<'t> {
    make_solver: &'t MakeSolver,
    make_facts: for<'p> fn(Version<'p>, Version<'p>) -> StaticFacts<'p>,
}

impl Trusted<'_> {
    const OWN: Trusted<'static> = Trusted {
        make_solver: &|_| solver::chain(&solver::Config::default()),
        make_facts: |old, new| StaticFacts::new(old, new),
    };
}

/// The exit status.
fn check(arguments: &Arguments, trusted: &Trusted<'_>) -> anyhow::Result<u8> {
    let start = Instant::now();
    arguments.search.check()?;
    let interrupt = interrupt::watch()?;
    let builder = Builder::new(&announce)?;
    let names = VersionFiles::of(&arguments.versions)?;
    let function = FunctionCheck::prepare(&builder, &names, arguments)?;
    let requests = match &function {
        Some(function) => function.requests.clone(),
        None => names.requests(arguments),
    };
    let Built {
        modules,
        hashes,
        mut left_out,
    } = Built::new(&builder, &requests, &["old", "new"], |error| {
        no_main::suggest_functions(error, &arguments.versions)
    })?;
    anyhow::ensure!(
        function.is_none() || modules.iter().all(function::may_be_called),
        "no argument is left by `--fn-assume`: the function is never called, and there is nothing to compare. Give a \
         condition that some arguments satisfy"
    );
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
    let mut seeds = seeds::read(folder, tests, &space, &shapes, &kernel)?;
    let folder = arguments.tests.clone().unwrap_or_else(|| match &function {
        Some(function) => function.default_folder(&names.default_folder()),
        None => names.default_folder(),
    });
    let was_there = folder.exists();
    // A folder that cannot be used is better known before the search than after it.
    native::own_folder::prepare(&folder)
        .with_context(|| format!("cannot make the folder `{}` for tests", folder.display()))?;
    let mut programs = Vec::new();
    for module in modules {
        programs.push(Program::new(module, arguments.max_memory)?);
    }
    // Who asks for partitions, or for proofs to be doubted, gets them; and who asks for one function wants to see how it
    // was called.
    let may_be_short = arguments.search.proves()
        && arguments.partitions.is_none()
        && !arguments.paranoid
        && function.is_none();
    let same_functions = match !same_code && left_out.is_empty() && may_be_short {
        true => {
            let [old, new] = [0, 1].map(|version| Version {
                program: &programs[version],
                subject: Subject::Whole,
            });
            alone::same_by_themselves(&old, &new, &mut *(trusted.make_solver)(0))
        }
        false => None,
    };
    let nothing_to_explore = same_code || same_functions.is_some();
    let kept = match nothing_to_explore || arguments.search.strategy() == Strategy::Random {
        true => None,
        false => {
            let labels = ["old", "new"];
            let compared = Compared::new(arguments, &labels, &hashes, &space, function.as_ref())?;
            let lock = kept::lock(&folder)?;
            let (whole, sliced) = (folder.join(JOURNAL), folder.join(SLICES));
            let path = match arguments.search.slices() {
                true => &sliced,
                false => &whole,
            };
            let fresh = arguments.fresh;
            let kept = Kept::open(path, &compared, &shapes, fresh, announce)?;
            // Of the proof beside the search nothing is said.
            let beside = arguments.search.proves_too();
            let beside = beside.then(|| Kept::open(&sliced, &compared, &shapes, fresh, |_| ()));
            Some((kept, beside.transpose()?, lock))
        }
    };
    // The folder stays locked until the end.
    let (kept, beside, _lock) = match kept {
        Some((kept, beside, lock)) => (Some(kept), beside, Some(lock)),
        None => (None, None, None),
    };
    let (earlier, journal) = match kept {
        Some(mut kept) => {
            if let Some(function) = &function {
                for (_, seed) in &mut kept.seeds {
                    let is_known = |name: &String| function.kinds.contains_key(name);
                    seed.variables.retain(|name, _| is_known(name));
                }
            }
            seeds.extend(kept.seeds);
            (kept.earlier, Some(kept.journal))
        }
        None => (Earlier::default(), None),
    };
    let (proved, slices_journal) = match beside {
        Some(kept) => (kept.earlier, Some(kept.journal)),
        None => (Earlier::default(), None),
    };
    remove_examples(&folder)?;
    let versions = Versions {
        programs: programs.iter().collect(),
        names: vec!["old", "new"],
        kernel,
        limits: arguments.limits(),
        symbolic_limits: arguments.symbolic_limits(),
        changes: &changes,
        trace_facts: Default::default(),
        tracing: Mutex::default(),
        golden: golden.as_ref(),
    };
    let live = LiveLine::new();
    let (stop_search, stop_proof) = (AtomicBool::new(false), AtomicBool::new(false));
    let unseen = LiveLine::unseen();
    let proves_too = arguments.search.proves_too();
    let kinds = function.as_ref().map(|function| function.kinds.clone());
    let kinds = kinds.unwrap_or_default();
    let search = |proves_alone: bool| Search {
        arguments,
        versions: &versions,
        interrupt: match (proves_alone, proves_too) {
            (true, _) => &stop_proof,
            (false, true) => &stop_search,
            (false, false) => &interrupt,
        },
        start,
        live: if proves_alone { &unseen } else { &live },
        kinds: kinds.clone(),
        trusted,
        proves_alone,
        function: function.as_ref(),
        found: Mutex::new(Findings::default()),
    };
    let search_began = Instant::now();
    let (summary, mut found) = if nothing_to_explore {
        (None, Findings::default())
    } else if proves_too {
        let (summary, found) = both::search_and_prove(
            |search| search.explore(shapes.clone(), seeds, earlier, journal),
            |proof| proof.explore(shapes.clone(), Vec::new(), proved, slices_journal),
            [search(false), search(true)],
            [&stop_search, &stop_proof],
            &interrupt,
        );
        (Some(summary), found)
    } else {
        let search = search(false);
        let summary = search.explore(shapes.clone(), seeds, earlier, journal);
        let found = search.found.into_inner().expect("no worker panicked");
        (Some(summary), found)
    };
    live.show("looking for memory that is read and was never written");
    let mut inputs = std::mem::take(&mut found.inputs);
    let is_proved = summary.as_ref().map(Summary::verdict) == Some(Verdict::Equivalent);
    if !is_proved || arguments.search.mode() == Mode::FindOnly {
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
        until: undefined::ends_at(search_began, arguments.timeout),
    };
    let undefined = inspection.of(&inputs);
    found.groups = folded(found.groups);
    let mut differences = Vec::new();
    let mut self_check = None;
    let paranoid = Paranoid {
        versions: &versions,
        names: &names,
        folder: &folder,
        interrupt: &interrupt,
        live: &live,
        time: arguments.timeout,
    };
    let wrong = summary
        .as_ref()
        .and_then(|summary| summary.wrongly_pruned.as_ref());
    let wrong_pruning = match wrong {
        None => None,
        Some(wrong) => {
            let natively = Natively::new(
                &builder,
                &requests,
                names.program(),
                arguments.native.confinement()?,
            )?;
            Some(paranoid.wrong_pruning(&natively, wrong)?)
        }
    };
    if arguments.paranoid && summary.is_some() && wrong_pruning.is_none() {
        let natively = Natively::new(
            &builder,
            &requests,
            names.program(),
            arguments.native.confinement()?,
        )?;
        let claims: Vec<_> = found.claims.iter().collect();
        self_check = Some(paranoid.check(&natively, &claims)?);
    }
    if !found.groups.is_empty() {
        let mut natively = Natively::new(
            &builder,
            &requests,
            names.program(),
            arguments.native.confinement()?,
        )?;
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
        let all = found.groups.len();
        for (group, number) in std::mem::take(&mut found.groups).into_iter().zip(1..) {
            live.show(&format!(
                "running natively: {number} of {all} kinds of difference"
            ));
            let mut example = workshop.example(&mut natively, &group)?;
            let mut known = differences.iter_mut();
            match known.find(|(_, known): &&mut (Group, Example)| known.reads_as(&example)) {
                Some((known, _)) => known.absorb(group),
                None => {
                    workshop.leave(&mut natively, &mut example, differences.len() + 1)?;
                    differences.push((group, example));
                }
            }
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
        same_functions: same_functions.unwrap_or_default(),
        differences,
        partitions: &found.listed,
        first: found.first,
        left_out,
        self_check,
        wrong_pruning,
        dependences: determinism::dependences(&versions, &found.samples),
        undefined,
        wall: start.elapsed(),
    };
    print(&match arguments.format {
        Format::Text => report.text(Marks::of_stdout()),
        Format::Json => format!("{:#}\n", report.json()),
    })?;
    Ok(status(report.refuted(), report.verdict()))
}

/// The exit status. A proof that does not hold is announced.
fn status(refuted: Option<&Refuted>, verdict: Verdict) -> u8 {
    if let Some(refuted) = refuted {
        announce(&format!(
            "INTERNAL ERROR: {}; please send `{}`, its README says more",
            refuted.why,
            refuted.bundle.display()
        ));
        return paranoid::STATUS;
    }
    match verdict {
        Verdict::Equivalent => 0,
        Verdict::Different => 1,
        Verdict::Undecided => 3,
    }
}
