//! The truths of `subjects/first-use` hold natively: every version compiles without warnings, a difference shows on its
//! witness in what the truth names, and versions called equivalent do the same on hundreds of inputs.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, OnceLock};

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{Language, Program};
use program_tests::directives::Run;
use program_tests::first_use::{self, Edit, Edited, Kind, Observable, Side, Verdict};
use program_tests::first_use_inputs;
use program_tests::native::{self, Build};
use program_tests::outcome::Outcome;

const RANDOM_INPUTS: u64 = 250;
/// Every so many inputs are run with the sanitizers too.
const SANITIZED_STEP: usize = 4;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = first_use::programs().expect("the programs of first use are readable");
    let mut trials = Vec::new();
    let counted = programs.clone();
    trials.push(Trial::test("first_use::is_complete", move || {
        is_complete(&counted)
    }));
    for program in programs {
        let name = format!("first_use::{}/old", program.name);
        let owner = Arc::new(Baseline::new(program));
        let baseline = Arc::clone(&owner);
        trials.push(Trial::test(name, move || old_is_clean(&baseline)));
        for edit in owner.program.edits.clone() {
            let baseline = Arc::clone(&owner);
            let name = format!("first_use::{}", edit.name);
            trials.push(Trial::test(name, move || truth_holds(&baseline, &edit)));
        }
    }
    trials
}

/// What the old version does, computed once for all its edits.
struct Baseline {
    program: Edited,
    outcomes: OnceLock<Result<Vec<(Run, Outcome)>, String>>,
}

impl Baseline {
    fn new(program: Edited) -> Baseline {
        Baseline {
            program,
            outcomes: OnceLock::new(),
        }
    }

    fn outcomes(&self) -> Result<&[(Run, Outcome)], Failed> {
        let computed = self.outcomes.get_or_init(|| {
            let run = || -> Result<Vec<(Run, Outcome)>, native::NativeError> {
                let old = native::build(&self.program.old, Build::Reference, scratch())?;
                let inputs = first_use_inputs::inputs(&self.program, RANDOM_INPUTS);
                let runs = inputs.into_iter().map(|input| {
                    let outcome = native::run(&old, &input, scratch())?;
                    Ok((input, outcome))
                });
                runs.collect()
            };
            run().map_err(|error| error.to_string())
        });
        match computed {
            Ok(outcomes) => Ok(outcomes),
            Err(error) => Err(error.clone().into()),
        }
    }
}

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Ten programs in two languages with ten edits each, of all kinds.
fn is_complete(programs: &[Edited]) -> Result<(), Failed> {
    let mut kinds: BTreeMap<Kind, usize> = BTreeMap::new();
    for program in programs {
        if program.edits.len() != 10 {
            return Err(format!("{} has {} edits", program.name, program.edits.len()).into());
        }
        for edit in &program.edits {
            *kinds.entry(edit.truth.kind).or_default() += 1;
        }
    }
    let count = |language| {
        let olds = programs.iter().map(|program| program.old.language);
        olds.filter(|&one| one == language).count()
    };
    let found = (count(Language::C), count(Language::Rust), kinds);
    let kinds = BTreeMap::from([
        (Kind::Refactoring, 40),
        (Kind::Fix, 19),
        (Kind::Feature, 15),
        (Kind::Fault, 26),
    ]);
    match found == (7, 3, kinds) {
        true => Ok(()),
        false => Err(format!("not the set that the README describes: {found:?}").into()),
    }
}

fn old_is_clean(baseline: &Baseline) -> Result<(), Failed> {
    compiles_without_warnings(&baseline.program.old)?;
    let outcomes = baseline.outcomes()?;
    let ended_well = outcomes
        .iter()
        .filter(|(_, outcome)| outcome.status == 0)
        .count();
    if ended_well < 20 {
        return Err(format!("only {ended_well} inputs end with status 0").into());
    }
    agrees_with_sanitizers(&baseline.program.old, outcomes)
}

fn truth_holds(baseline: &Baseline, edit: &Edit) -> Result<(), Failed> {
    compiles_without_warnings(&edit.new)?;
    match edit.truth.verdict {
        Verdict::Equivalent => agrees(baseline.outcomes()?, edit),
        Verdict::Different => differs(&baseline.program.old, edit),
    }
}

fn agrees(outcomes: &[(Run, Outcome)], edit: &Edit) -> Result<(), Failed> {
    let new = native::build(&edit.new, Build::Reference, scratch())?;
    for (input, expected) in outcomes {
        let outcome = native::run(&new, input, scratch())?;
        if let Some(difference) = expected.difference(&outcome) {
            return Err(format!("not equivalent: on {input:?}\n{difference}").into());
        }
    }
    agrees_with_sanitizers(&edit.new, outcomes)
}

fn differs(old: &Program, edit: &Edit) -> Result<(), Failed> {
    let witness = edit.truth.witness.as_ref().ok_or("there is no witness")?;
    let witness = witness.run("witness");
    if let Some(side) = edit.truth.undefined {
        let program = match side {
            Side::Old => old,
            Side::New => &edit.new,
        };
        return match objection(program, &witness)? {
            Some(_) => Ok(()),
            None => Err("the sanitizers find nothing on the witness".into()),
        };
    }
    let mut outcomes = Vec::new();
    for program in [old, &edit.new] {
        let executable = native::build(program, Build::Reference, scratch())?;
        outcomes.push(native::run(&executable, &witness, scratch())?);
        if program.language == Language::C
            && let Some(message) = objection(program, &witness)?
        {
            return Err(format!("undefined behaviour on the witness:\n{message}").into());
        }
    }
    let mut differing = Observable::differing(&outcomes[0], &outcomes[1]);
    let mut named = edit.truth.names.clone();
    differing.sort();
    named.sort();
    match differing == named {
        true => Ok(()),
        false => Err(format!("{named:?} should differ, {differing:?} does").into()),
    }
}

/// The compiler's opinion with the usual warnings as errors; building a Rust program always has them.
fn compiles_without_warnings(program: &Program) -> Result<(), Failed> {
    if program.language == Language::Rust {
        native::build(program, Build::Reference, scratch())?;
        return Ok(());
    }
    let output = Command::new("clang-22")
        .args(["-std=gnu17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"])
        .arg(&program.source)
        .output()
        .map_err(|error| format!("cannot run clang-22: {error}; install it"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned().into()),
    }
}

/// A C program does the same with the sanitizers, which end a run with undefined behaviour.
fn agrees_with_sanitizers(program: &Program, outcomes: &[(Run, Outcome)]) -> Result<(), Failed> {
    if program.language == Language::Rust {
        return Ok(());
    }
    for (input, _) in outcomes.iter().step_by(SANITIZED_STEP) {
        if let Some(message) = objection(program, input)? {
            return Err(format!("undefined behaviour on {input:?}:\n{message}").into());
        }
    }
    Ok(())
}

/// What the sanitizers say of a run, if they object to it.
fn objection(program: &Program, input: &Run) -> Result<Option<String>, Failed> {
    let executable = native::build(program, Build::Sanitized, scratch())?;
    let outcome = native::run_sanitized(&executable, input, scratch())?;
    let message = String::from_utf8_lossy(&outcome.stderr).into_owned();
    let objects = message.contains("AddressSanitizer") || message.contains("runtime error:");
    Ok(objects.then_some(message))
}
