//! The programs under `tests/explore/small`: exploration finds the paths that brute force over all inputs
//! takes, each once, with every strategy and with several workers.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use exploration::Strategy;
use exploration::journal::Earlier;
use libtest_mimic::{Failed, Trial};
use program_tests::brute_force::{BruteForce, How};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::whole_program;

static PROGRAMS: AtomicUsize = AtomicUsize::new(0);
static INPUTS: AtomicUsize = AtomicUsize::new(0);
static PATHS: AtomicUsize = AtomicUsize::new(0);
static BEHAVIOURS: AtomicUsize = AtomicUsize::new(0);
static FAULTS: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::explored().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("no_path_lost::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

/// Prints what was looked at.
pub(crate) fn conclude(_complete: bool) -> bool {
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} programs, {} inputs, {} branch paths with their ends ({} of them errors), {} paths",
        count(&PROGRAMS),
        count(&INPUTS),
        count(&BEHAVIOURS),
        count(&FAULTS),
        count(&PATHS)
    );
    true
}

fn check(program: &Program) -> Result<(), Failed> {
    let start = Instant::now();
    let directives = Directives::read(&program.source)?;
    let domain = directives.explore.ok_or("no `explore` directive")?;
    let module = whole_program::load(&program.source)?;
    let explorable = whole_program::explorable(&module, &domain);
    let mut brute_force = BruteForce::new(&explorable, whole_program::inputs(&domain));
    let forced = start.elapsed();
    let ways = Strategy::ALL.map(|strategy| How::new(strategy, 1));
    for how in ways.into_iter().chain([How::new(Strategy::Dart, 4)]) {
        let explored = explorable.explore(&how, Earlier::default());
        brute_force
            .check(&explored)
            .map_err(|problem| format!("{} -j {}: {problem}", how.strategy, how.workers))?;
    }
    for (given, inputs) in whole_program::with_given_bytes(&module, &domain) {
        let mut brute_force = BruteForce::new(&given, inputs);
        for strategy in [Strategy::Dart, Strategy::Auto] {
            let explored = given.explore(&How::new(strategy, 1), Earlier::default());
            brute_force
                .check(&explored)
                .map_err(|problem| format!("{strategy} with given bytes: {problem}"))?;
        }
    }
    println!(
        "{}: {} inputs in {:.1} s, {} branch paths, {} paths in {:.1} s",
        program.name,
        brute_force.inputs().len(),
        forced.as_secs_f64(),
        brute_force.behaviours(),
        brute_force.paths(),
        (start.elapsed() - forced).as_secs_f64()
    );
    PROGRAMS.fetch_add(1, Ordering::Relaxed);
    INPUTS.fetch_add(brute_force.inputs().len(), Ordering::Relaxed);
    PATHS.fetch_add(brute_force.paths(), Ordering::Relaxed);
    BEHAVIOURS.fetch_add(brute_force.behaviours(), Ordering::Relaxed);
    FAULTS.fetch_add(brute_force.faults(), Ordering::Relaxed);
    Ok(())
}
