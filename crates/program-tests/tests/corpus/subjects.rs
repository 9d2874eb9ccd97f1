//! The subjects are what they say: every input runs in the VM as it does natively, every regression shows on its
//! witness, every mutant that the list calls killed differs where it says, and random inputs find no undefined
//! behaviour.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};
use program_tests::directives::Run;
use program_tests::mutant_list::{Fate, How, Judgement};
use program_tests::native::{self, Build};
use program_tests::outcome::Outcome;
use program_tests::quick_runs::{self, QuickOutcome};
use program_tests::subjects::{Regression, Subject, apply, mutant, subjects};
use program_tests::{subject_inputs, vm};

/// More are run by `cargo run --release -p program-tests --bin subjects -- fuzz COUNT`.
const SANITIZED_INPUTS: usize = 40;
const VM_INPUTS: usize = 60;

type Check = fn(&Subject) -> Result<(), Failed>;

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for subject in subjects().expect("the subjects are readable") {
        for regression in &subject.regressions {
            let (owner, regression) = (subject.clone(), regression.clone());
            let name = format!("subjects::{}/regressions/{}", subject.name, regression.name);
            trials.push(Trial::test(name, move || shows(&owner, &regression)));
        }
        let checks: [(&str, Check); 5] = [
            ("is_complete", is_complete),
            ("runs_in_the_vm_as_natively", runs_in_the_vm),
            ("is_clean", is_clean),
            ("mutants_differ_where_they_should", mutants_differ),
            ("survivors_are_explained", survivors_are_explained),
        ];
        for (name, check) in checks {
            let subject = subject.clone();
            let name = format!("subjects::{}/{name}", subject.name);
            trials.push(Trial::test(name, move || check(&subject)));
        }
    }
    trials
}

fn scratch() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn is_complete(subject: &Subject) -> Result<(), Failed> {
    if !subject.folder.join("README.md").is_file() {
        return Err("there is no README.md".into());
    }
    let counts = (subject.seeds.len(), subject.regressions.len());
    if counts.0 < 8 || counts.1 < 5 {
        return Err(format!("only {} seeds and {} regressions", counts.0, counts.1).into());
    }
    Ok(())
}

/// The seeds, the witnesses and some random inputs.
fn runs_in_the_vm(subject: &Subject) -> Result<(), Failed> {
    let parallax = vm::locate()?;
    let executable = native::build(&subject.program, Build::Reference, scratch())?;
    let mut inputs = subject_inputs::inputs(subject, subject.seeds.len() + VM_INPUTS);
    inputs.extend(subject.regressions.iter().map(|one| one.witness.clone()));
    for input in &inputs {
        let native = native::run(&executable, input, scratch())?;
        let guest = vm::run(&parallax, &subject.program, input, scratch())?;
        if let Some(difference) = native.difference(&guest) {
            return Err(format!("{input:?}: - native, + VM\n{difference}").into());
        }
    }
    Ok(())
}

fn shows(subject: &Subject, regression: &Regression) -> Result<(), Failed> {
    let changed = apply(subject, &regression.patch, scratch())?;
    let [old, new] = [&subject.program, &changed]
        .map(|program| native::build(program, Build::Reference, scratch()));
    let run = |executable: &Path| ends(executable, &regression.witness);
    match run(&old?)? == run(&new?)? {
        true => Err("both versions do the same on the witness".into()),
        false => Ok(()),
    }
}

/// What a program does that is to end. A busy machine must not look like an endless run.
fn ends(executable: &Path, input: &Run) -> Result<Outcome, Failed> {
    match quick_runs::run(executable, input, &[], Duration::from_secs(30))? {
        QuickOutcome::Ended(outcome) => Ok(outcome),
        QuickOutcome::Endless => Err(format!("does not end on {input:?}").into()),
    }
}

/// The program keeps to C on the seeds, the witnesses and some random inputs.
fn is_clean(subject: &Subject) -> Result<(), Failed> {
    let sanitized = native::build(&subject.program, Build::Sanitized, scratch())?;
    let optimised = native::build(&subject.program, Build::Optimised, scratch())?;
    let reference = native::build(&subject.program, Build::Reference, scratch())?;
    let mut inputs = subject_inputs::inputs(subject, subject.seeds.len() + SANITIZED_INPUTS);
    inputs.extend(subject.regressions.iter().map(|one| one.witness.clone()));
    for input in &inputs {
        let expected = native::run(&reference, input, scratch())?;
        for (name, executable) in [("-O1", &optimised), ("the sanitizers", &sanitized)] {
            let outcome = native::run_sanitized(executable, input, scratch())?;
            if let Some(difference) = expected.difference(&outcome) {
                return Err(format!("differs under {name} on {input:?}:\n{difference}").into());
            }
        }
    }
    Ok(())
}

fn mutants_differ(subject: &Subject) -> Result<(), Failed> {
    let entries = &subject.mutants;
    if entries.len() < 20 {
        return Err(format!("only {} mutants", entries.len()).into());
    }
    for &(number, fate) in entries {
        if let Fate::Killed { input, how } = fate {
            let input = subject_inputs::input(subject, input);
            mutant_differs(subject, number, &input, how)?;
        }
    }
    Ok(())
}

fn mutant_differs(subject: &Subject, number: u32, input: &Run, how: How) -> Result<(), Failed> {
    let program = mutant(subject, number, scratch())?;
    let original = native::build(&subject.program, Build::Reference, scratch())?;
    let executable = native::build(&program, Build::Reference, scratch())?;
    let differs = match how {
        How::Differs => ends(&original, input)? != ends(&executable, input)?,
        How::Endless => {
            let short = Duration::from_millis(300);
            ends(&original, input)?;
            quick_runs::run(&executable, input, &[], short)? == QuickOutcome::Endless
        }
        How::Undefined => return Ok(()),
    };
    match differs {
        true => Ok(()),
        false => Err(format!("m{number:04} does not differ on {input:?}").into()),
    }
}

/// `survivors.md` says something of each survivor, and of no other mutant. One that it calls different differs on
/// the arguments in the row.
fn survivors_are_explained(subject: &Subject) -> Result<(), Failed> {
    let mut survived = BTreeSet::new();
    for (number, fate) in &subject.mutants {
        if matches!(fate, Fate::Survived { .. }) {
            survived.insert(*number);
        }
    }
    let explained: BTreeSet<u32> = subject.survivors.iter().map(|one| one.number).collect();
    for survivor in &subject.survivors {
        if survivor.verdict == Judgement::Different {
            let arguments = survivor.reason.split('`').nth(1).unwrap_or_default();
            let input = Run {
                arguments: serde_json::from_str(arguments)?,
                ..Run::default()
            };
            mutant_differs(subject, survivor.number, &input, How::Differs)?;
        }
    }
    match survived == explained {
        true => Ok(()),
        false => Err(format!("survivors {survived:?}, explained {explained:?}").into()),
    }
}
