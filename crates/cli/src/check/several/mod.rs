//! `parallax check V0 V1 V2 …`: which of several versions behave the same, on which inputs?
//!
//! All versions are explored together as one program that runs them in turn (`exploration::worker`), and each partition
//! relates each two of them (thesis §3.2.3). What a version does to the one before it is told apart: it makes a
//! difference, or takes one back. The inputs that are common to all versions (§3.2.4) are those of the command line:
//! arguments, standard input, files and environment.
//!
//! There is no one change to go for, so nothing is pruned and the search is one for coverage. Everything else is as for
//! two versions: journal, examples and native runs, inspection for what C leaves undefined, self-check.

mod examples;
pub(super) mod groups;
mod json;
mod line;
mod report;
mod search;
mod text;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context, ensure};
use concolic_vm::Program;
use concolic_vm::linux::KernelConfig;
use exploration::journal::Earlier;
use exploration::{Summary, Verdict};
use program_ir::Module;

use super::built::Built;
use super::changes::Changes;
use super::contrast::Marks;
use super::examples::Budget;
use super::kept::{self, Compared, Kept};
use super::paired::Versions;
use super::paranoid::{Paranoid, SelfCheck};
use super::search::is_sample;
use super::undefined::{Inspection, ends_at};
use super::version_files::{VersionFiles, without_debug_information};
use super::{Arguments, MakeSolver, determinism, status};
use crate::interrupt;
use crate::journal_file::JOURNAL;
use crate::progress::LiveLine;
use crate::symbolic_input::Purpose;
use crate::{Format, announce, print, project_file, seeds, versions};
use build::{Builder, Request};
use examples::{Workshop, remove_examples};
use line::{Between, Line, reported};
use native::confirmation::Natively;
use report::Report;
use search::{Found, Search};

/// What the report calls the versions. More are not compared at once.
const LABELS: [&str; 16] = [
    "V0", "V1", "V2", "V3", "V4", "V5", "V6", "V7", "V8", "V9", "V10", "V11", "V12", "V13", "V14",
    "V15",
];

/// Refuses what is about two versions.
fn refuse(arguments: &Arguments) -> anyhow::Result<()> {
    let instead = "check two versions at a time for that";
    ensure!(
        arguments.golden.is_empty(),
        "`--golden` measures the change between two versions, and there are more: {instead}, or give the golden version as \
         one of the versions"
    );
    let options = &arguments.function;
    ensure!(
        options.function.is_none() && options.fn_assume.is_empty() && options.fn_array.is_none(),
        "`--fn` compares a function of two versions, and there are more: {instead}, as in `parallax check V0 V1 --fn NAME`"
    );
    let count = arguments.later.len() + 2;
    ensure!(
        count <= LABELS.len(),
        "{count} versions are too many: at most {} are compared at once; leave out some",
        LABELS.len()
    );
    Ok(())
}

/// The files of each version.
fn files_of(arguments: &Arguments) -> anyhow::Result<Vec<Vec<PathBuf>>> {
    let mut files = vec![
        arguments.versions.old_version()?,
        arguments.versions.new_version()?,
    ];
    files.extend(arguments.later.iter().map(|later| vec![later.clone()]));
    Ok(files)
}

/// The exit status: as for two versions, different if a version differs from the one before.
pub(super) fn check(arguments: &Arguments, make_solver: &MakeSolver) -> anyhow::Result<u8> {
    let start = Instant::now();
    refuse(arguments)?;
    let strategy = arguments.search.for_several()?;
    let interrupt = interrupt::watch()?;
    let builder = Builder::new(&announce)?;
    let files = files_of(arguments)?;
    let labels = &LABELS[..files.len()];
    // All are built and run as the last one is named.
    let names = VersionFiles::new(files[0].clone(), files[files.len() - 1].clone());
    let requests: Vec<Request> = files
        .iter()
        .map(|own| names.request(own, arguments))
        .collect();
    let Built {
        modules,
        hashes,
        left_out,
    } = Built::new(&builder, &requests, labels, anyhow::Error::from)?;
    let bare: Vec<Module> = modules.iter().map(without_debug_information).collect();
    let same_code = |one: usize, other: usize| left_out.is_empty() && bare[one] == bare[other];
    let all_same_code = (1..files.len()).all(|version| same_code(0, version));
    let mut changes = Vec::new();
    for step in files.windows(2) {
        changes.push(changes_between(&step[0], &step[1], arguments)?);
    }
    let project = project_file::read()?;
    let kernel = KernelConfig::default();
    let harness = |module: &Module| module.function_named("parallax_symbolic").is_some();
    let harness = modules.iter().all(harness);
    let space = arguments.input.space(
        names.program(),
        &project.explore,
        &kernel,
        harness,
        Purpose::Compare,
    )?;
    let shapes = space.shapes();
    let seed_folder = arguments.seeds.as_deref();
    let seeds = seeds::read(seed_folder, &project.tests, &space, &shapes, &kernel)?;
    let folder = match &arguments.tests {
        Some(folder) => folder.clone(),
        None => default_folder(&names),
    };
    let was_there = folder.exists();
    native::own_folder::prepare(&folder)
        .with_context(|| format!("cannot make the folder `{}` for tests", folder.display()))?;
    let kept = match all_same_code {
        true => None,
        false => {
            let compared = Compared::new(arguments, labels, &hashes, &space, None)?;
            let lock = kept::lock(&folder)?;
            let path = folder.join(JOURNAL);
            let kept = Kept::open(&path, &compared, &shapes, arguments.fresh, announce)?;
            Some((kept, lock))
        }
    };
    // The folder stays locked until the end.
    let (earlier, journal, _lock) = match kept {
        Some((kept, lock)) => (kept.earlier, Some(kept.journal), Some(lock)),
        None => (Earlier::default(), None, None),
    };
    remove_examples(&folder)?;
    let mut programs = Vec::new();
    for module in modules {
        programs.push(Program::new(module, arguments.max_memory)?);
    }
    let no_changes = Changes::none();
    let versions_of = |which: &[usize], changes| Versions {
        programs: which.iter().map(|&version| &programs[version]).collect(),
        names: which.iter().map(|&version| LABELS[version]).collect(),
        kernel: kernel.clone(),
        limits: arguments.limits(),
        symbolic_limits: arguments.symbolic_limits(),
        changes,
        trace_facts: Default::default(),
        tracing: Mutex::default(),
        golden: None,
    };
    let numbers: Vec<usize> = (0..files.len()).collect();
    let between = |(one, other): (usize, usize)| Between {
        one,
        other,
        versions: versions_of(
            &[one, other],
            match other == one + 1 {
                true => &changes[one],
                false => &no_changes,
            },
        ),
        same_code: same_code(one, other),
    };
    let line = Line {
        all: versions_of(&numbers, &no_changes),
        pairs: reported(files.len()).into_iter().map(between).collect(),
    };
    let live = LiveLine::new();
    let search = Search {
        arguments,
        line: &line,
        strategy,
        interrupt: &interrupt,
        start,
        live: &live,
        make_solver,
        found: Mutex::new(Found::default()),
    };
    let summary = match all_same_code {
        true => None,
        false => Some(search.explore(shapes.clone(), seeds, earlier, journal)),
    };
    let mut found = search.found.into_inner().expect("no worker panicked");
    live.show("looking for memory that is read and was never written");
    let mut inputs = std::mem::take(&mut found.common.inputs);
    let proved = |summary: &Summary| {
        let mut pairs = line.pairs.iter();
        pairs.any(|pair| summary.verdict_between(pair.one, pair.other) == Verdict::Equivalent)
    };
    if !summary.as_ref().is_some_and(proved) {
        let mut number = 0;
        inputs.retain(|_| {
            number += 1;
            is_sample(number)
        });
    }
    let inspection = Inspection {
        versions: &line.all,
        shapes: &shapes,
        workers: arguments.workers.into(),
        interrupt: &interrupt,
        until: ends_at(start, arguments.timeout),
    };
    let undefined = inspection.of(&inputs);
    let mut self_check = None;
    if arguments.paranoid && summary.is_some() {
        let mut checked = SelfCheck::default();
        for (one, other) in exploration::relations::pairs(files.len()) {
            let claims: Vec<_> = found.claims_on(one, other).collect();
            if claims.is_empty() || checked.refuted.is_some() {
                continue;
            }
            let paranoid = Paranoid {
                versions: &versions_of(&[one, other], &no_changes),
                names: &VersionFiles::new(files[one].clone(), files[other].clone()),
                folder: &folder,
                interrupt: &interrupt,
                live: &live,
                time: arguments.timeout.saturating_sub(checked.time),
            };
            let both = [requests[one].clone(), requests[other].clone()];
            let natively = Natively::new(
                &builder,
                &both,
                names.program(),
                arguments.native.confinement()?,
            )?;
            checked.add(paranoid.check(&natively, &claims)?);
        }
        self_check = Some(checked);
    }
    found.fold();
    let both_requests: Vec<[Request; 2]> = line
        .pairs
        .iter()
        .map(|pair| [pair.one, pair.other].map(|version| requests[version].clone()))
        .collect();
    let mut examples = Vec::new();
    if !found.kinds.is_empty() {
        let mut natively = Vec::new();
        for (pair, requests) in line.pairs.iter().zip(&both_requests) {
            let mut both = Natively::new(
                &builder,
                requests,
                names.program(),
                arguments.native.confinement()?,
            )?;
            both.names = [LABELS[pair.one], LABELS[pair.other]];
            natively.push(both);
        }
        let mut workshop = Workshop {
            line: &line,
            natively,
            shapes: &shapes,
            interrupt: &interrupt,
            folder: &folder,
            budget: match arguments.minimise {
                true => Budget::LARGE,
                false => Budget::SMALL,
            },
        };
        for (kind, number) in found.kinds.iter().zip(1..) {
            live.show(&format!(
                "running natively: {number} of {} kinds of difference",
                found.kinds.len()
            ));
            let example = workshop.example(kind, number)?;
            examples.push((kind, example));
        }
    }
    live.clear();
    if examples.is_empty() && !was_there {
        // Nothing is in it.
        let _ = std::fs::remove_dir(&folder);
    }
    let report = Report {
        arguments,
        files: &files,
        line: &line,
        space: &space,
        working_folder: &String::from_utf8_lossy(&kernel.working_directory),
        summary: summary.as_ref(),
        examples,
        partitions: &found.common.listed,
        first: found.common.first,
        left_out,
        self_check,
        dependences: determinism::dependences(&line.all, &found.common.samples),
        undefined,
        wall: start.elapsed(),
    };
    print(&match arguments.format {
        Format::Text => report.text(Marks::of_stdout()),
        Format::Json => format!("{:#}\n", report.json()),
    })?;
    Ok(status(report.refuted(), report.verdict()))
}

fn changes_between(
    old: &[PathBuf],
    new: &[PathBuf],
    arguments: &Arguments,
) -> anyhow::Result<Changes> {
    let names = VersionFiles::new(old.to_vec(), new.to_vec());
    Ok(match names.languages_differ() {
        true => Changes::none(),
        false => Changes::of(versions::compare(old, new, &arguments.versions.options)?),
    })
}

/// Beside that of a check of two versions.
fn default_folder(names: &VersionFiles) -> PathBuf {
    let folder = names.default_folder();
    let name = folder.file_name().unwrap_or_default();
    let mut name = name.to_owned();
    name.push("-versions");
    folder.parent().unwrap_or(Path::new("")).join(name)
}
