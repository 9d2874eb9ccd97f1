//! The programs themselves: each builds, gives the same result twice, does not depend on the
//! optimisation level, and is clean under the sanitizers.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Language, Program};
use program_tests::directives::Directives;
use program_tests::native::{self, Build};

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::programs().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("native_programs::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let directives = Directives::read(&program.source)?;
    if directives.expectation.is_some() {
        return Err("a program with an `outcome` belongs into tests/misbehaving".into());
    }
    let reference = native::build(program, Build::Reference, scratch)?;
    for run in &directives.runs {
        let normal = |outcome: program_tests::outcome::Outcome| outcome.normalised();
        let first = normal(native::run(&reference, run, scratch)?);
        if first.stdout.is_empty() && first.stderr.is_empty() {
            return Err(format!("run `{}` prints nothing, so it shows nothing", run.name).into());
        }
        let mut others = vec![(
            "a second run",
            normal(native::run(&reference, run, scratch)?),
        )];
        if program.language == Language::C {
            let optimised = native::build(program, Build::Optimised, scratch)?;
            others.push(("-O1", normal(native::run(&optimised, run, scratch)?)));
            let sanitized = native::build(program, Build::Sanitized, scratch)?;
            let outcome = native::run_sanitized(&sanitized, run, scratch)?;
            others.push(("the sanitizers", normal(outcome)));
        }
        for (name, other) in others {
            if let Some(difference) = first.difference(&other) {
                return Err(
                    format!("run `{}` differs under {name}:\n{difference}", run.name).into(),
                );
            }
        }
    }
    Ok(())
}
