//! Refactorings of real C functions are proved equal, and the same ones with a mistake are told apart.
//!
//! `make test` looks at the quick cases, whose sources setting up fetches anyway; `make test-real` at all, with
//! `REFACTORINGS=all`, and runs some inputs of each partition natively (`--paranoid`).

use libtest_mimic::{Failed, Trial};
use program_tests::refactorings::{self, Case};
use program_tests::vm;

pub(crate) fn trials() -> Vec<Trial> {
    let all = std::env::var_os("REFACTORINGS").is_some_and(|value| value == "all");
    let cases = refactorings::read_list().expect("the list is well formed");
    let chosen = cases.into_iter().filter(|case| all || case.quick);
    chosen
        .map(|case| {
            Trial::test(format!("refactorings::{}", case.name), move || {
                check(&case, all)
            })
        })
        .collect()
}

fn check(case: &Case, all: bool) -> Result<(), Failed> {
    let parallax = vm::locate()?.canonicalize()?;
    if case.open.is_some() {
        println!("{}: {}", case.name, case.try_open(&parallax)?);
        return Ok(());
    }
    let more: &[&str] = if all { &["--paranoid"] } else { &[] };
    case.judge(&parallax, more)?;
    Ok(())
}
