//! `parallax check`: on which inputs do two versions of a program behave differently?
//!
//! Both versions are explored together, path by path (`exploration::compare`): on each path the inputs that
//! behave the same are proved equal, and an input that does not is a *difference*. A difference is run natively
//! on both versions before it is called confirmed. `equivalent` is said only if every path within the bounds
//! was explored and proved.
//!
//! Exit status: 0 equivalent, 1 differences, 2 usage or build error, 3 undecided.

mod arguments;
mod changes;
mod differences;
mod examples;
mod json;
mod natively;
mod report;
mod search;
mod text;
mod version_files;

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Context;
use concolic_vm::Program;
use concolic_vm::linux::KernelConfig;
use exploration::Verdict;
use program_ir::Module;

pub(super) use arguments::Arguments;
use changes::Changes;
use differences::folded;
use examples::{examples, remove_examples};
use natively::Natively;
use report::Report;
use search::{Checker, Differences};
use version_files::{VersionFiles, without_debug_information};

use super::progress::LiveLine;
use super::{Format, announce, print, read_module};
use crate::build::Builder;
use crate::interrupt;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let interrupt = interrupt::watch()?;
    let builder = Builder::new(&announce)?;
    let names = VersionFiles {
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
        live: LiveLine::new(),
        found: Mutex::new(Differences::default()),
    };
    let summary = match same_code {
        true => None,
        false => Some(checker.explore(&space)?),
    };
    checker.live.clear();
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
