//! Mutants of the programs under `tests/explore/small`, real C library included, compared with their originals: what is
//! said of each partition is true of every input in it, by brute force over all inputs, with and without slices.
//!
//! `MUTANTS` names another number of mutants for each program.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use exploration::Strategy;
use libtest_mimic::{Failed, Trial};
use mutation::{mutants, shuffled};
use program_tests::brute_force::{How, Slices};
use program_tests::corpus::{self, Program};
use program_tests::directives::Directives;
use program_tests::partition_check::{behaves_the_same, compare};
use program_tests::whole_program;

const MUTANTS: usize = 1;
/// Programs with more inputs take too long.
const MOST_INPUTS: usize = 1 << 12;
const MOST_RUNS: u64 = 5_000;

static PAIRS: AtomicUsize = AtomicUsize::new(0);
static INPUTS: AtomicUsize = AtomicUsize::new(0);
static DIFFERENT: AtomicUsize = AtomicUsize::new(0);
static PATHS: AtomicUsize = AtomicUsize::new(0);
static SLICED: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::explored().expect("the tests folder is readable");
    let in_c = |program: &Program| program.source.extension().is_some_and(|name| name == "c");
    let trials = programs.into_iter().filter(in_c).zip(0..);
    trials
        .map(|(program, seed)| {
            Trial::test(format!("sliced_programs::{}", program.name), move || {
                check(&program, seed)
            })
        })
        .collect()
}

/// Prints what was looked at.
pub(crate) fn conclude(_complete: bool) -> bool {
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} mutants, {} of them different; {} inputs; {} partitions of whole paths, {} of slices",
        count(&PAIRS),
        count(&DIFFERENT),
        count(&INPUTS),
        count(&PATHS),
        count(&SLICED)
    );
    true
}

fn check(program: &Program, seed: u64) -> Result<(), Failed> {
    let wanted = std::env::var("MUTANTS").map_or(MUTANTS, |text| text.parse().expect("a number"));
    let directives = Directives::read(&program.source)?;
    let domain = directives.explore.ok_or("no `explore` directive")?;
    let inputs = whole_program::inputs(&domain);
    if inputs.len() > MOST_INPUTS {
        return Ok(());
    }
    let source = std::fs::read(&program.source)?;
    let mutants = mutants(&source, Default::default())?;
    let original = whole_program::load(&program.source)?;
    let original = whole_program::explorable(&original, &domain);
    let folder = tempfile::tempdir()?;
    let mut taken = 0;
    for index in shuffled(mutants.len(), seed) {
        if taken == wanted {
            break;
        }
        let mutant = &mutants[index];
        let file = folder.path().join("mutant.c");
        std::fs::write(&file, mutant.apply(&source))?;
        // Not every mutant compiles.
        let Ok(changed) = whole_program::load(&file) else {
            continue;
        };
        let changed = whole_program::explorable(&changed, &domain);
        let ends = |input| !changed.run(input).behaviour.1.starts_with("step-limit");
        if !inputs.iter().all(ends) {
            continue;
        }
        taken += 1;
        let same: Vec<bool> = inputs
            .iter()
            .map(|input| behaves_the_same(&original, &changed, input))
            .collect();
        PAIRS.fetch_add(1, Ordering::Relaxed);
        INPUTS.fetch_add(inputs.len(), Ordering::Relaxed);
        DIFFERENT.fetch_add(usize::from(same.contains(&false)), Ordering::Relaxed);
        let strategy = [Strategy::Dart, Strategy::Auto, Strategy::Bfs][index % 3];
        for slices in [Slices::None, Slices::Unreached, Slices::All] {
            let mut how = How::new(strategy, 1);
            how.runs = Some(MOST_RUNS);
            how.query_timeout = Duration::from_secs(5);
            how.slices = slices;
            let compared = compare(&original, &changed, &how, &inputs);
            compared
                .check(&same, true)
                .map_err(|problem| format!("{}, {strategy}, {slices:?}: {problem}", mutant.id()))?;
            match slices {
                Slices::None => PATHS.fetch_add(compared.partitions.len(), Ordering::Relaxed),
                Slices::All => SLICED.fetch_add(compared.partitions.len(), Ordering::Relaxed),
                Slices::Unreached => 0,
            };
        }
    }
    Ok(())
}
