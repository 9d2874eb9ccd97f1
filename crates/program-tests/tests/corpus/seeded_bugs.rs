//! The programs under `tests/explore/bugs`: on its witness each has exactly the error it names, in the VM
//! and natively; on the trivial input, from which a search starts, it has none.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use program_tests::corpus::{self, Language, Program};
use program_tests::directives::Directives;
use program_tests::expected_error::{problem_of_native_run, problems_of_report};
use program_tests::native::{self, Build};
use program_tests::vm;

pub(crate) fn trials() -> Vec<Trial> {
    let programs = corpus::seeded_bugs().expect("the tests folder is readable");
    programs
        .into_iter()
        .map(|program| {
            Trial::test(format!("seeded_bugs::{}", program.name), move || {
                check(&program)
            })
        })
        .collect()
}

fn check(program: &Program) -> Result<(), Failed> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let parallax = vm::locate()?;
    let directives = Directives::read(&program.source)?;
    let expectation = directives.expectation.ok_or("no `outcome` directive")?;
    let domain = directives.explore.ok_or("no `explore` directive")?;
    let [witness, trivial] = directives.runs.as_slice() else {
        return Err("needs the runs `witness` and `trivial`".into());
    };
    if (witness.name.as_str(), trivial.name.as_str()) != ("witness", "trivial") {
        return Err("the runs must be `witness` and `trivial`, in this order".into());
    }
    for run in [witness, trivial] {
        if domain.stdin.is_some_and(|size| size != run.stdin.len()) {
            return Err(format!("standard input of `{}` has another size", run.name).into());
        }
        let bounds = domain.arguments;
        let outside = bounds.is_some_and(|bounds| {
            let count = run.arguments.len();
            let longest = run.arguments.iter().map(String::len).max();
            !(bounds.least..=bounds.most).contains(&count) || longest > Some(bounds.length)
        });
        if outside {
            return Err(format!("the arguments of `{}` are outside the bounds", run.name).into());
        }
    }

    let report = vm::report(&parallax, program, witness, None, scratch)?;
    let mut problems = problems_of_report(program, &expectation, &report);
    problems.extend(problem_of_native_run(
        program,
        &expectation,
        witness,
        scratch,
    )?);
    let report = vm::report(&parallax, program, trivial, None, scratch)?;
    if report.kind != "exit" {
        problems.push(format!("the trivial input ends with {}", report.kind));
    }
    if program.language == Language::C {
        let sanitized = native::build(program, Build::Sanitized, scratch)?;
        let outcome = native::run_sanitized(&sanitized, trivial, scratch)?;
        if !outcome.stderr.is_empty() {
            let text = String::from_utf8_lossy(&outcome.stderr);
            problems.push(format!("the sanitizers on the trivial input: {text}"));
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}
