//! Every test that exploring our own programs writes goes natively as the VM predicted.
//!
//! Explored are the programs of `tests/explore/small` and `tests/explore/bugs`, within the bounds their
//! `//@ explore:` line gives, and those of `tests/programs` that read arguments or standard input. At the end a
//! line says how many tests were replayed.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use libtest_mimic::{Failed, Trial};
use program_tests::replays::{Replayed, explore_and_replay, explore_directive};
use program_tests::{corpus, vm};

/// For programs that do not say what of their input is symbolic.
const BOUNDS: &[&str] = &["--sym-args", "0", "1", "3", "--sym-stdin", "4"];
/// Keeps the whole within a minute.
const BUDGET: &[&str] = &["--runs", "25", "--timeout", "10s", "--seed", "1"];

/// What all trials have replayed.
static SUM: Mutex<Option<Replayed>> = Mutex::new(None);

pub(crate) fn trials() -> Vec<Trial> {
    programs()
        .into_iter()
        .map(|(name, source, bounds)| {
            Trial::test(format!("replay::{name}"), move || check(&source, bounds))
        })
        .collect()
}

/// Prints how many tests were replayed.
pub(crate) fn conclude() {
    if let Some(sum) = &*SUM.lock().unwrap() {
        println!(
            "{} tests replayed: {} as predicted ({} errors confirmed by a sanitizer), {} errors not confirmed, \
             {} without prediction",
            sum.tests, sum.as_predicted, sum.confirmed, sum.not_confirmed, sum.skipped
        );
    }
}

/// Name, source and what to make symbolic.
fn programs() -> Vec<(String, PathBuf, Vec<String>)> {
    let mut chosen = Vec::new();
    let read = |path: &Path| std::fs::read_to_string(path).expect("a program is readable");
    for program in corpus::programs().expect("the programs can be listed") {
        let text = read(&program.source);
        let reads = ["argv[", "getchar", "stdin", "scanf(\"", "env::args"];
        if reads.iter().any(|word| text.contains(word)) {
            let bounds = BOUNDS.iter().map(|&word| word.to_owned()).collect();
            chosen.push((program.name, program.source, bounds));
        }
    }
    for kind in ["small", "bugs"] {
        let folder = corpus::tests_folder().join("explore").join(kind);
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let source = entry.path();
            if let Some(bounds) = explore_directive(&read(&source)) {
                let name = format!("explore/{kind}/{}", entry.file_name().to_string_lossy());
                chosen.push((name, source, bounds));
            }
        }
    }
    chosen.sort();
    chosen
}

fn check(source: &Path, bounds: Vec<String>) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replay");
    let budget = BUDGET.iter().map(|&word| word.to_owned());
    let arguments: Vec<String> = bounds.into_iter().chain(budget).collect();
    let replayed = explore_and_replay(&vm::locate()?, source, &arguments, &[], &scratch)?;
    if replayed.tests == 0 {
        return Err("no test was written".into());
    }
    *SUM.lock().unwrap().get_or_insert_default() += replayed;
    Ok(())
}
