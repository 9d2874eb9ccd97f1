//! `make real-pairs`: what `parallax check` says of version pairs of real C programs.
//!
//!   real_pairs [PART OF A NAME...]     all pairs of `tests/pairs/pairs.toml`, or those named `PACKAGE PATCH`
//!                                      with such a part
//!
//! Each pair is fetched, built and checked, one after the other. An answer is kept in the cache until the
//! pair, its programs or Parallax change, so an interrupted call goes on where it stopped. What goes wrong with
//! one pair does not stop the others. Prints a table; the exit status says whether every pair was as expected, or
//! better.
//! `PAIR_OPTIONS` adds options of `parallax check` to all pairs, as in `--strategy auto`.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::process::{Command, ExitCode};

use exploration::InputRecord;
use native::test_case::{TestCase, shell_word};
use program_tests::debian_pairs::{self, Package, Pair, Result, Verdict};
use program_tests::vm;
use serde_json::Value;

/// How long each pair is searched, unless it says otherwise itself.
const TIMEOUT: &str = "60s";

fn main() -> Result<ExitCode> {
    let parallax = vm::locate()?.canonicalize()?;
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut rows = Vec::new();
    let mut verdicts = Vec::new();
    let mut unexpected = Vec::new();
    for package in &debian_pairs::read_list()?.packages {
        for pair in &package.pairs {
            let name = format!("{} {}", package.name, pair.patch);
            if !wanted.is_empty() && !wanted.iter().any(|part| name.contains(part)) {
                continue;
            }
            match check(&parallax, package, pair) {
                Ok(report) => {
                    let verdict = verdict(&report);
                    if !is_expected(verdict, pair.expect) {
                        unexpected.push(format!("{name}: {verdict}, not {}", pair.expect));
                    }
                    verdicts.push(verdict);
                    rows.push(row(package, pair, verdict, &report));
                }
                Err(error) => {
                    eprintln!("{name}: {error}");
                    unexpected.push(format!("{name}: not checked: {error}"));
                }
            }
        }
    }
    println!(
        "| package, patch | what it changes | symbolic input | verdict | first difference | example | seen natively |"
    );
    println!("|---|---|---|---|---|---|---|");
    for row in rows {
        println!("{row}");
    }
    let count = |wanted| {
        verdicts
            .iter()
            .filter(|verdict| **verdict == wanted)
            .count()
    };
    println!(
        "\n{} pairs: {} different, {} equivalent within the bounds, {} with the same code, {} undecided",
        verdicts.len(),
        count(Verdict::Different),
        count(Verdict::Equivalent),
        count(Verdict::SameCode),
        count(Verdict::Undecided)
    );
    for line in &unexpected {
        println!("\nunexpected: {line}");
    }
    Ok(ExitCode::from(u8::from(!unexpected.is_empty())))
}

/// The report of `parallax check`, in JSON.
fn check(parallax: &Path, package: &Package, pair: &Pair) -> Result<Value> {
    let versions = debian_pairs::build(package, pair, parallax)?;
    let folder = debian_pairs::versions_folder(package);
    let program = pair.program.as_ref().unwrap_or(&package.program);
    let programs = versions.map(|version| Path::new(&version).join(program));
    let more = std::env::var("PAIR_OPTIONS").unwrap_or_default();

    let mut hasher = DefaultHasher::new();
    pair.check.hash(&mut hasher);
    pair.seeds.hash(&mut hasher);
    more.hash(&mut hasher);
    for file in [
        parallax,
        &folder.join(&programs[0]),
        &folder.join(&programs[1]),
    ] {
        std::fs::read(file)
            .map_err(|error| format!("cannot read `{}`: {error}", file.display()))?
            .hash(&mut hasher);
    }
    let results = folder.join("results");
    let stem = pair.patch.replace('/', "-");
    let kept = results.join(format!("{stem}-{:016x}.json", hasher.finish()));
    if let Ok(bytes) = std::fs::read(&kept) {
        return Ok(serde_json::from_slice(&bytes)?);
    }

    eprintln!("checking {} {}", package.name, pair.patch);
    std::fs::create_dir_all(&results)?;
    let mut command = Command::new(parallax);
    command
        .arg("check")
        .args(&programs)
        .args([
            "--fresh",
            "--format",
            "json",
            "-j",
            "1",
            "--timeout",
            TIMEOUT,
        ])
        .args(more.split_whitespace())
        .arg("--tests")
        .arg(results.join(format!("{stem}.tests")))
        .current_dir(&folder);
    let seeds = tempfile::tempdir()?;
    if !pair.seeds.is_empty() {
        write_seeds(pair, seeds.path())?;
        command.arg("--seeds").arg(seeds.path());
    }
    // Last, since it may end in `-- ARGUMENTS`.
    let output = command.args(&pair.check).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    std::fs::write(results.join(format!("{stem}.log")), &output.stderr)?;
    if !matches!(output.status.code(), Some(0 | 1 | 3)) {
        return Err(format!("`parallax check` failed: {}", said.trim_end()).into());
    }
    let report = serde_json::from_slice(&output.stdout)?;
    std::fs::write(kept, output.stdout)?;
    Ok(report)
}

fn write_seeds(pair: &Pair, folder: &Path) -> Result<()> {
    for (seed, number) in pair.seeds.iter().zip(1..) {
        let bytes = |text: &String| text.clone().into_bytes();
        let test = TestCase {
            program: None,
            args: seed.args.iter().map(bytes).collect(),
            stdin: bytes(&seed.stdin),
            environment: Default::default(),
            files: seed
                .files
                .iter()
                .map(|(name, text)| (name.clone(), bytes(text)))
                .collect(),
            variables: Default::default(),
            expected: None,
        };
        test.write(&folder.join(format!("{number}")))?;
    }
    Ok(())
}

fn verdict(report: &Value) -> Verdict {
    match (report["verdict"].as_str(), report["same_code"].as_bool()) {
        (Some("different"), _) => Verdict::Different,
        (Some("equivalent"), Some(true)) => Verdict::SameCode,
        (Some("equivalent"), _) => Verdict::Equivalent,
        _ => Verdict::Undecided,
    }
}

/// A difference that was out of reach may be found by a better search or a faster machine.
fn is_expected(verdict: Verdict, expected: Verdict) -> bool {
    verdict == expected || (verdict, expected) == (Verdict::Different, Verdict::Undecided)
}

fn row(package: &Package, pair: &Pair, verdict: Verdict, report: &Value) -> String {
    let stats = &report["stats"];
    let seconds = |value: &Value| value.as_f64().unwrap_or(0.0) / 1000.0;
    let mut answer = verdict.to_string();
    if verdict != Verdict::SameCode {
        answer += &format!(
            ", {} in {:.0} s",
            runs(&stats["runs"]),
            seconds(&stats["wall_ms"])
        );
    }
    let first = &report["first_difference"];
    let first = match first.is_null() {
        true => "none".to_owned(),
        false => format!(
            "{}, {:.1} s",
            runs(&first["runs"]),
            seconds(&first["wall_ms"])
        ),
    };
    let empty = Vec::new();
    let differences = report["differences"].as_array().unwrap_or(&empty);
    let confirmed = |difference: &&Value| difference["confirmed_natively"] == true;
    let shown = differences.iter().find(confirmed).or(differences.first());
    let (example, natively) = match shown {
        None => (String::new(), pair.why_not.clone()),
        Some(difference) => {
            let natively = match difference["unconfirmed_because"].as_str() {
                None => format!("yes: {}", kinds(difference)),
                Some(why) if pair.why_not.is_empty() => format!("no: {why}"),
                Some(why) => format!("no: {why}; {}", pair.why_not),
            };
            (example(difference), natively)
        }
    };
    let seeded = match pair.seeds.len() {
        0 => "",
        1 => ", 1 seed",
        _ => ", seeds",
    };
    let cells = [
        format!("{}, `{}`", package.name, pair.patch),
        pair.changes.clone(),
        format!("{}{seeded}", code(&pair.check.join(" "))),
        answer,
        first,
        example,
        natively,
    ];
    let cells = cells.map(|cell| cell.replace('\n', " ").replace('|', "\\|"));
    format!("| {} |", cells.join(" | "))
}

fn runs(number: &Value) -> String {
    match number.as_u64() {
        Some(1) => "1 run".to_owned(),
        _ => format!("{number} runs"),
    }
}

/// What differs, and how both versions end if that does.
fn kinds(difference: &Value) -> String {
    let empty = Vec::new();
    let kinds = difference["kind"].as_array().unwrap_or(&empty);
    let names: Vec<String> = kinds
        .iter()
        .map(|kind| {
            kind.as_str()
                .map_or_else(|| kind.to_string(), str::to_owned)
        })
        .collect();
    let end = |version: &str| difference[version]["end"]["description"].clone();
    let (old, new) = (end("old"), end("new"));
    let mut text = names.join(", ");
    if old != new {
        text += &format!(
            " ({} / {})",
            old.as_str().unwrap_or("?"),
            new.as_str().unwrap_or("?")
        );
    }
    text
}

/// The input as one would type it, without the program's name.
fn example(difference: &Value) -> String {
    let Ok(input) = serde_json::from_value::<InputRecord>(difference["input"]["exact"].clone())
    else {
        return "?".to_owned();
    };
    let mut parts = Vec::new();
    for argument in input.args.iter().skip(1) {
        parts.push(shell_word(argument));
    }
    if !input.stdin.is_empty() {
        parts.push(format!("<<< {}", shell_word(&input.stdin)));
    }
    for (name, content) in &input.files {
        let name = name.rsplit('/').next().unwrap_or(name);
        parts.push(format!("{name}: {}", shell_word(content)));
    }
    code(&parts.join(" "))
}

/// Text as code in a table.
fn code(text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.contains('`') => format!("`` {text} ``"),
        text => format!("`{text}`"),
    }
}
