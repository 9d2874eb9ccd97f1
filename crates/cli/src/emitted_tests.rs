//! Regression tests of the differences that a check found, in a framework of the user's: `check --write-tests DIR`, and `parallax tests`
//! for a saved report. Those of functions are made in `function_tests`. Only those that hold are written: see `test_suite::trial`.
//!
//! Exit status of `parallax tests`: 0 if every difference has a test, 1 if some have none, 2 for errors.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use compare::Report;
use native::confinement::Confinement;
use report::words::counted;
use test_suite::block::{Comments, Marks};
use test_suite::trial::{TIMES, trials};
use test_suite::{Case, Framework, Left, cases};

use crate::accepted_file::AcceptedOptions;
use crate::native_options::NativeOptions;
use crate::new_file::NewFile;
use crate::test_target::{
    Outcome, Target, TestOptions, before, none, those_that_hold, without_test,
};
use crate::{announce, function_tests, interrupt, print, saved_report};

const MARKS: Marks<'_> = Marks {
    comments: Comments::Hash,
    label: "",
};

#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What `parallax check --save FILE` has written
    #[arg(value_name = "FILE")]
    saved: PathBuf,
    /// The folder that the tests are written to
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    #[command(flatten)]
    options: TestOptions,
    #[command(flatten)]
    accepted: AcceptedOptions,
    /// Replace a file that has no part that Parallax wrote
    #[arg(long)]
    force: bool,
    /// Write tests that nobody has run
    #[arg(long)]
    no_run: bool,
    #[command(flatten)]
    native: NativeOptions,
}

pub(crate) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut found = saved_report::read(&arguments.saved)?;
    if found.function.is_some() {
        saved_report::ensure_own(&arguments.saved)?;
    }
    report::accepted::accept(&mut found, &arguments.accepted.read()?);
    let outcome = write(
        &found,
        &Target {
            folder: &arguments.dir,
            options: &arguments.options,
            force: arguments.force,
            tried: match arguments.no_run {
                true => None,
                false => Some(arguments.native.confinement()?),
            },
        },
    )?;
    print(&outcome.said)?;
    Ok(ExitCode::from(u8::from(!outcome.is_whole)))
}

/// Writes tests of a report's differences.
pub(crate) fn write(found: &Report, target: &Target<'_>) -> anyhow::Result<Outcome> {
    let function = found.function.as_ref();
    let framework = target.options.framework(function.is_some())?;
    if let Some(function) = function {
        return function_tests::write(found, &function.name, framework, target);
    }
    let (cases, mut left) = cases(found, target.options.expect());
    let Some(first) = cases.first() else {
        return Ok(none(&left));
    };
    let program = program(first);
    let path = target.folder.join(framework.file_name(&program));
    let before = before(&path, MARKS, target.force)?;
    std::fs::create_dir_all(target.folder)
        .with_context(|| format!("cannot make the folder `{}`", target.folder.display()))?;
    let file = NewFile::at(&path)?;
    let holding = match &target.tried {
        None => cases,
        Some(confinement) => holding(framework, cases, &mut left, confinement)?,
    };
    if holding.is_empty() {
        return Ok(none(&left));
    }
    let ours = framework.text(&holding);
    let text = before
        .and_then(|before| MARKS.replaced(&before, &ours))
        .unwrap_or_else(|| MARKS.file(framework.head(), &ours));
    file.write(&text)?;
    let tried = match &target.tried {
        None => "none was run".to_owned(),
        Some(_) => format!(
            "each passes on the version that it expects and fails on the other, {TIMES} times"
        ),
    };
    let many = counted(holding.len() as u64, "test");
    let command = framework.command("path/to/program", &path.display().to_string());
    Ok(Outcome {
        said: format!(
            "{many} in {}: {tried}\nrun with: {command}\n{}",
            path.display(),
            without_test(&left)
        ),
        is_whole: left.is_empty(),
    })
}

/// What a file is called after.
fn program(case: &Case) -> String {
    let name = String::from_utf8_lossy(&case.program).into_owned();
    let name = Path::new(&name)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let name: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    match name.is_empty() {
        true => "program".to_owned(),
        false => name,
    }
}

fn holding(
    framework: Framework,
    cases: Vec<Case>,
    left: &mut Vec<Left>,
    confinement: &Confinement,
) -> anyhow::Result<Vec<Case>> {
    announce(&format!(
        "running {} on both versions, {TIMES} times",
        counted(cases.len() as u64, "test")
    ));
    let interrupt = interrupt::watch()?;
    let trials = trials(framework, &cases, confinement, &interrupt)?;
    Ok(those_that_hold(cases, trials, |case| case.number, left))
}
