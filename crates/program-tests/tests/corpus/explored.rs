//! The programs under `tests/explore/small`: their inputs can be enumerated, they do in the VM what they
//! do natively, and the sanitizers are content with the runs they name. Those under `tests/explore/bench`
//! run to their end.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Language, Program};
use program_tests::directives::Directives;
use program_tests::native::{self, Build};
use program_tests::vm;

/// What brute force can run in a few seconds.
const MOST_INPUTS: u64 = 66_000;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::explored().expect("the tests folder is readable");
    let benchmarks = corpus::exploration_benchmarks().expect("the tests folder is readable");
    let small = programs.into_iter().map(|program| {
        Trial::test(format!("explored::{}", program.name), move || {
            check(&program)
        })
    });
    let benchmarks = benchmarks.into_iter().map(|program| {
        let name = format!("explored::bench/{}", program.name);
        Trial::test(name, move || check_ends(&program))
    });
    small.chain(benchmarks).collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directives = Directives::read(&program.source)?;
    let domain = directives.explore.ok_or("no `explore` directive")?;
    if !(2..=MOST_INPUTS).contains(&domain.size()) {
        return Err(format!("{} inputs cannot be enumerated", domain.size()).into());
    }
    let parallax = vm::locate()?;
    let reference = native::build(program, Build::Reference, scratch)?;
    for run in &directives.runs {
        let native = native::run(&reference, run, scratch)?.normalised();
        let guest = vm::run(&parallax, program, run, scratch)?;
        let guest = guest.without_report().normalised();
        let mut others = vec![("the VM", guest)];
        if program.language == Language::C {
            let sanitized = native::build(program, Build::Sanitized, scratch)?;
            let outcome = native::run_sanitized(&sanitized, run, scratch)?;
            others.push(("the sanitizers", outcome.normalised()));
        }
        for (name, other) in others {
            if let Some(difference) = native.difference(&other) {
                let heading = format!("run `{}`: - native, + {name}", run.name);
                return Err(format!("{heading}\n{difference}").into());
            }
        }
    }
    Ok(())
}

/// Benchmarks may ask for variables that only the VM gives them, so there is no native twin.
fn check_ends(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    for run in &Directives::read(&program.source)?.runs {
        let report = vm::report(&parallax, program, run, None, scratch)?;
        if report.kind != "exit" {
            return Err(format!("run `{}` ends with {}", run.name, report.kind).into());
        }
    }
    Ok(())
}
