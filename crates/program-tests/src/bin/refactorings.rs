//! `make refactorings`: what `parallax check` says of refactorings of real C functions.
//!
//!   refactorings [PART OF A NAME...]     all cases of `tests/refactorings/cases.toml`, or those with such a part in
//!                                        their name
//!
//! Prints a row for each case: how it was proved, and the inputs that tell its wrong versions apart. What goes wrong with
//! one does not stop the others; the exit status says whether every new version was proved equal and every wrong one
//! was told apart.

use std::process::ExitCode;

use native::test_case::shell_word;
use program_tests::debian_pairs::Result;
use program_tests::refactorings::{self, Case, Judgement};
use program_tests::vm;

fn main() -> Result<ExitCode> {
    let parallax = vm::locate()?.canonicalize()?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut failures = Vec::new();
    println!(
        "| package | function | refactoring | bounds | partitions, all equal | processor time | mistake | told apart by |"
    );
    println!("|---|---|---|---|---:|---:|---|---|");
    let mut open = Vec::new();
    let mut proved = 0;
    let mut mistakes = 0;
    for case in refactorings::read_list()? {
        if !wanted.is_empty() && !wanted.iter().any(|part| case.name.contains(part)) {
            continue;
        }
        if case.open.is_some() {
            open.push(case);
            continue;
        }
        match case.judge(&parallax, &[]) {
            Ok(judgement) => {
                proved += 1;
                mistakes += case.wrong.len();
                print_rows(&case, &judgement);
            }
            Err(error) => {
                eprintln!("{error}");
                failures.push(case.name);
            }
        }
    }
    println!("\n{proved} refactorings proved equal, {mistakes} mistakes told apart");
    if !open.is_empty() {
        println!("\n| package | function | refactoring | bounds | verdict | why |");
        println!("|---|---|---|---|---|---|");
    }
    for case in open {
        match case.try_open(&parallax) {
            Ok(verdict) => {
                let why = case.open.clone().unwrap_or_default();
                print_row(&[&head(&case)[..], &[verdict, why]].concat());
            }
            Err(error) => {
                eprintln!("{error}");
                failures.push(case.name);
            }
        }
    }
    for failure in &failures {
        println!("\nfailed: {failure}");
    }
    Ok(ExitCode::from(u8::from(!failures.is_empty())))
}

/// One row for each version that was told apart; the first has what is said of the case.
fn print_rows(case: &Case, judgement: &Judgement) {
    let proof = [
        judgement.partitions.to_string(),
        format!("{:.1} s", judgement.processor_seconds),
    ];
    let mut cells = [&head(case)[..], &proof].concat();
    let mistakes = case.wrong.iter().map(|wrong| wrong.mistake.clone());
    let beyond = case.beyond.iter().map(|beyond| match &beyond.check[..] {
        [] => format!("without these bounds: {}", beyond.why),
        check => format!("with `{}` instead: {}", shell_line(check), beyond.why),
    });
    for (what, call) in mistakes.chain(beyond).zip(&judgement.told_apart) {
        print_row(&[&cells[..], &[what, format!("`{call}`")]].concat());
        cells.fill(String::new());
    }
}

/// What a case is: package, function, refactoring, bounds.
fn head(case: &Case) -> [String; 4] {
    let bounds = match case.check.is_empty() {
        true => "every value".to_owned(),
        false => format!("`{}`", shell_line(&case.check)),
    };
    let package = match &case.upstream {
        Some(upstream) if upstream.package != case.package => {
            format!("{} → {}", case.package, upstream.package)
        }
        _ => case.package.clone(),
    };
    [
        package,
        format!("`{}`", case.function),
        case.refactoring.clone(),
        bounds,
    ]
}

fn print_row(cells: &[String]) {
    let cells = cells.iter().map(|cell| cell.replace('|', "\\|"));
    println!("| {} |", cells.collect::<Vec<_>>().join(" | "));
}

/// Arguments as one would type them.
fn shell_line(arguments: &[String]) -> String {
    let words = arguments.iter().map(|word| shell_word(word.as_bytes()));
    words.collect::<Vec<_>>().join(" ")
}
