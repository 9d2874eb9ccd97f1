//! Explores a program with `parallax explore` and runs every test natively with `parallax replay`.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// How one program's tests went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    pub tests: u64,
    /// Confirmed ones included.
    pub as_predicted: u64,
    /// Predicted errors that a sanitizer reported.
    pub confirmed: u64,
    /// Predicted errors that no sanitizer could be asked about.
    pub not_confirmed: u64,
    /// Tests whose run met a limit, and so predict nothing.
    pub skipped: u64,
    /// Tests that differ in a line that must differ.
    pub known_differences: u64,
}

/// A difference that must be, for a reason that `docs/libc-differences.md` gives.
#[derive(Clone, Copy, Debug)]
pub enum KnownDifference {
    /// The VM's line contains the first text where the native program's contains the second.
    Line(&'static str, &'static str),
    /// The same number, written by `%La` with another first digit.
    LongDouble,
    /// The same lines of standard output in another order, drawn by the kernel's random bytes.
    Order,
    /// The answer to `test -O FILE` or `test -G FILE`: who asks is another user natively.
    Owner,
}

impl KnownDifference {
    /// Whether this is all that a mismatch of a test with these arguments reports.
    fn explains(&self, mismatch: &str, argv: &str) -> bool {
        let lines: Vec<&str> = mismatch.lines().collect();
        match self {
            KnownDifference::Order => return same_lines(&lines),
            KnownDifference::Owner => {
                let asks = argv
                    .lines()
                    .any(|argument| ["-O", "-G"].contains(&argument));
                return asks && lines.len() == 1 && lines[0].starts_with("exit status");
            }
            _ => {}
        }
        // A heading and one line from each.
        let [_, expected, seen] = lines[..] else {
            return false;
        };
        let (Some((_, expected)), Some((_, seen))) =
            (expected.split_once(": "), seen.split_once(": "))
        else {
            return false;
        };
        match self {
            KnownDifference::Order | KnownDifference::Owner => false,
            KnownDifference::Line(ours, native) => expected.contains(ours) && seen.contains(native),
            KnownDifference::LongDouble => {
                let number = hexadecimal_number(expected);
                number.is_some() && number == hexadecimal_number(seen)
            }
        }
    }
}

/// Whether a difference of standard output shows as many expected lines as seen ones, and the same.
fn same_lines(mismatch: &[&str]) -> bool {
    let [heading, lines @ ..] = mismatch else {
        return false;
    };
    let of = |prefix: &str| {
        let mut chosen: Vec<_> = lines
            .iter()
            .filter_map(|line| line.strip_prefix(prefix))
            .collect();
        chosen.sort_unstable();
        chosen
    };
    let (expected, seen) = (of("  expected: "), of("  seen    : "));
    heading.starts_with("stdout differs")
        && expected.len() + seen.len() == lines.len()
        && expected.len() > 1
        && expected == seen
}

/// What stands before the first hexadecimal floating-point number of a line, its value, and what follows.
fn hexadecimal_number(line: &str) -> Option<(String, f64, String)> {
    let lower = line.to_ascii_lowercase();
    let start = lower.find("0x")?;
    let digits = &lower[start + 2..];
    let power = digits.find('p')?;
    let (mut value, mut scale, mut behind_point) = (0.0, 0, false);
    for character in digits[..power].chars() {
        match character.to_digit(16) {
            Some(digit) => {
                value = value * 16.0 + f64::from(digit);
                scale -= 4 * i32::from(behind_point);
            }
            None if character == '.' && !behind_point => behind_point = true,
            None => return None,
        }
    }
    let exponent = &digits[power + 1..];
    let signs = usize::from(exponent.starts_with(['+', '-']));
    let count = exponent[signs..]
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    let (exponent, rest) = exponent.split_at(signs + count);
    let exponent: i32 = exponent.parse().ok()?;
    let value = value * 2f64.powi(exponent.checked_add(scale)?);
    Some((lower[..start].to_owned(), value, rest.to_owned()))
}

impl std::ops::AddAssign for Replayed {
    fn add_assign(&mut self, other: Replayed) {
        self.tests += other.tests;
        self.as_predicted += other.as_predicted;
        self.confirmed += other.confirmed;
        self.not_confirmed += other.not_confirmed;
        self.skipped += other.skipped;
        self.known_differences += other.known_differences;
    }
}

/// If this is set, every test is run a second time without a sandbox, and must go as it did in one.
const ALSO_UNCONFINED: &str = "REPLAY_UNCONFINED";

/// Holds two reports of the same tests against each other, but for the time that they took.
fn same_outcomes(confined: &Value, unconfined: &Value) -> Result<(), String> {
    for list in ["mismatches", "confirmed", "not_confirmed", "skipped"] {
        let of = |report: &Value| report[list].as_array().cloned().unwrap_or_default();
        let (confined, unconfined) = (of(confined), of(unconfined));
        let here = confined.iter().find(|test| !unconfined.contains(test));
        let there = unconfined.iter().find(|test| !confined.contains(test));
        if let Some(test) = here {
            return Err(format!("{list} in the sandbox alone: {test:#}"));
        }
        if let Some(test) = there {
            return Err(format!("{list} without a sandbox alone: {test:#}"));
        }
    }
    match confined["as_predicted"] == unconfined["as_predicted"] {
        true => Ok(()),
        false => Err("another number of tests went as predicted without a sandbox".to_owned()),
    }
}

/// Explores with these arguments, replays every test, and reports each that did not go as predicted.
pub fn explore_and_replay<S: AsRef<OsStr>>(
    parallax: &Path,
    program: &Path,
    arguments: &[S],
    known: &[KnownDifference],
    scratch: &Path,
) -> Result<Replayed, String> {
    std::fs::create_dir_all(scratch).map_err(|error| format!("{}: {error}", scratch.display()))?;
    let folder = tempfile::tempdir_in(scratch).map_err(|error| error.to_string())?;
    let run = |command: &mut Command| -> Result<Output, String> {
        let output = command.current_dir(folder.path()).output();
        output.map_err(|error| format!("{}: {error}", parallax.display()))
    };
    let words = |output: &Output| String::from_utf8_lossy(&output.stderr).into_owned();
    let explored = run(Command::new(parallax)
        .arg("explore")
        .arg(program)
        .args(["--all-tests", "--tests", "tests"])
        .args(arguments))?;
    // 1 means that it found errors.
    if !matches!(explored.status.code(), Some(0 | 1)) {
        return Err(format!("explore: {}", words(&explored)));
    }
    let replay = |more: &[&str]| -> Result<(Output, Value), String> {
        let replayed = run(Command::new(parallax)
            .arg("replay")
            .arg(program)
            .args(["--tests", "tests", "--format", "json"])
            .args(more))?;
        let report = serde_json::from_slice(&replayed.stdout)
            .map_err(|error| format!("replay: {error}: {}", words(&replayed)))?;
        Ok((replayed, report))
    };
    let (replayed, report) = replay(&[])?;
    if std::env::var_os(ALSO_UNCONFINED).is_some() {
        let (_, unconfined) = replay(&["--native", "unconfined"])?;
        same_outcomes(&report, &unconfined)?;
    }
    let list = |name: &str| report[name].as_array().cloned().unwrap_or_default();
    let argv_of = |mismatch: &Value| {
        let test = mismatch["test"].as_str().unwrap_or_default();
        std::fs::read_to_string(folder.path().join(test).join("argv")).unwrap_or_default()
    };
    let explained = |mismatch: &Value| {
        let what = mismatch["what"].as_str().unwrap_or_default();
        let argv = argv_of(mismatch);
        known.iter().any(|known| known.explains(what, &argv))
    };
    let (explained, mismatches): (Vec<_>, Vec<_>) =
        list("mismatches").into_iter().partition(explained);
    if !mismatches.is_empty() || !matches!(replayed.status.code(), Some(0 | 1)) {
        let shown: Vec<String> = mismatches
            .iter()
            .take(5)
            .map(|mismatch| {
                let text = |name: &str| mismatch[name].as_str().unwrap_or_default().to_owned();
                let argv = argv_of(mismatch).replace('\n', " ");
                format!("{} ({argv}): {}", text("test"), text("what"))
            })
            .collect();
        return Err(format!(
            "{} of {} tests did not go as predicted, as these:\n{}\n{}",
            mismatches.len(),
            report["tests"],
            shown.join("\n"),
            words(&replayed)
        ));
    }
    Ok(Replayed {
        tests: report["tests"].as_u64().unwrap_or_default(),
        as_predicted: report["as_predicted"].as_u64().unwrap_or_default(),
        confirmed: list("confirmed").len() as u64,
        not_confirmed: list("not_confirmed").len() as u64,
        skipped: list("skipped").len() as u64,
        known_differences: explained.len() as u64,
    })
}

/// The words after `//@ explore:` in a program's text.
pub fn explore_directive(source: &str) -> Option<Vec<String>> {
    let line = source
        .lines()
        .find_map(|line| line.strip_prefix("//@ explore:"))?;
    Some(line.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_outcomes_without_a_sandbox_are_seen() {
        let report = |test: &str| serde_json::json!({"as_predicted": 1, "mismatches": [{"test": test, "what": "x"}]});
        assert_eq!(same_outcomes(&report("1"), &report("1")), Ok(()));
        let error = same_outcomes(&report("1"), &report("2")).unwrap_err();
        assert!(error.starts_with("mismatches in the sandbox alone"));
    }

    #[test]
    fn an_owner_is_asked_for_by_the_arguments() {
        let mismatch = "exit status: expected 1 (exit with status 1), seen 0\n";
        assert!(KnownDifference::Owner.explains(mismatch, "-G\n/\n"));
        assert!(!KnownDifference::Owner.explains(mismatch, "-d\n/\n"));
        let more = format!("{mismatch}stdout differs from line 1:\n");
        assert!(!KnownDifference::Owner.explains(&more, "-G\n/\n"));
    }

    #[test]
    fn only_the_first_digit_of_a_long_double_may_differ() {
        let explains = |expected: &str, seen: &str| {
            let mismatch =
                format!("stdout differs from line 1:\n  expected: {expected}\n  seen    : {seen}");
            KnownDifference::LongDouble.explains(&mismatch, "")
        };
        assert!(explains("-0X1.8P+5", "-0XCP+2"));
        assert!(explains("a 0x1p+0 b\\n", "a 0x8p-3 b\\n"));
        assert!(!explains("-0X1.8P+5", "-0XCP+3"));
        assert!(!explains("0x1p+0 b", "0x8p-3 c"));
        assert!(!explains("0x1p+0", "1"));
    }

    #[test]
    fn only_the_order_of_lines_may_differ() {
        let heading = "stdout differs from line 1:\n";
        let explains =
            |text: &str| KnownDifference::Order.explains(&format!("{heading}{text}"), "");
        assert!(explains(
            "  expected: a\\n\n  expected: b\\n\n  seen    : b\\n\n  seen    : a\\n"
        ));
        assert!(!explains(
            "  expected: a\\n\n  expected: b\\n\n  seen    : b\\n\n  seen    : c\\n"
        ));
        assert!(!explains("  expected: a\\n\n  seen    : b\\n"));
        assert!(!explains(
            "  expected: a\\n\n  seen    : a\\n\nfile x: seen, not expected"
        ));
    }
}
