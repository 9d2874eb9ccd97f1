//! Whether a native run of a test did what the VM predicted.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::process::{NativeEnd, NativeRun};
use crate::sanitizer_report::SanitizerReport;
use crate::test_case::{EndKind, Expected, TestCase};

/// What became of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    AsPredicted,
    /// The predicted error was reported by a sanitizer; its words.
    Confirmed(String),
    /// Each difference in some lines, for people.
    Mismatch(String),
    /// The language leaves the native run open, and no sanitizer could be asked; why.
    NotConfirmed(String),
    /// The test predicts nothing; why.
    Skipped(String),
}

/// What has to be run to judge a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Needed {
    Plain,
    Sanitizers,
    /// Nothing: the test predicts nothing, and why.
    Nothing(String),
}

pub fn needed(test: &TestCase) -> Needed {
    match &test.expected {
        None => Needed::Nothing("it has no expected.json".to_owned()),
        Some(expected) if expected.end.undefined => Needed::Sanitizers,
        Some(expected) if expected.end.shell_status.is_none() => {
            Needed::Nothing(expected.end.description.clone())
        }
        Some(_) => Needed::Plain,
    }
}

/// Whether two native runs of one input look the same to a user. Of two that did not take place nothing is known.
pub fn same_behaviour(one: &NativeRun, other: &NativeRun) -> bool {
    one.end == other.end
        && one.end != NativeEnd::NotRun
        && one.stdout == other.stdout
        && without_thread_ids(&one.stderr) == without_thread_ids(&other.stderr)
        && one.files == other.files
        && one.modes == other.modes
}

/// Compares a run of the ordinary build.
pub fn judge(test: &TestCase, expected: &Expected, run: &NativeRun) -> Verdict {
    let mut text = String::new();
    if NativeEnd::Status(expected.end.shell_status.unwrap_or(-1)) != run.end {
        let _ = writeln!(
            text,
            "exit status: expected {} ({}), seen {}",
            expected.end.shell_status.unwrap_or(-1),
            expected.end.description,
            describe(run.end)
        );
    }
    for (name, expected, seen) in [
        ("stdout", &expected.stdout, &run.stdout),
        ("stderr", &expected.stderr, &run.stderr),
    ] {
        if without_thread_ids(expected) != without_thread_ids(seen) {
            text += &difference(name, expected, seen);
        }
    }
    // A file that was rewritten as it was is not changed.
    let changed = |(name, content): &(&PathBuf, &Vec<u8>)| test.files.get(*name) != Some(*content);
    for (name, content) in expected.files.iter().filter(changed) {
        match run.files.get(name) {
            None => {
                let _ = writeln!(text, "file {}: expected, not seen", name.display());
            }
            Some(seen) if seen != content => {
                text += &difference(&format!("file {}", name.display()), content, seen);
            }
            Some(_) => {}
        }
    }
    for name in run.files.keys() {
        if !expected.files.contains_key(name) {
            let _ = writeln!(text, "file {}: seen, not expected", name.display());
        }
    }
    match text.is_empty() {
        true => Verdict::AsPredicted,
        false => Verdict::Mismatch(text),
    }
}

/// Compares a run of the build with sanitizers with the error that was predicted. The build was made in `folder`.
pub fn judge_sanitized(expected: &Expected, run: &NativeRun, folder: &Path) -> Verdict {
    let end = &expected.end;
    let place = match (&end.file, end.line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        _ => String::new(),
    };
    let wanted = format!("expected: {}{place}\n", end.description);
    match SanitizerReport::read(&run.stderr, folder) {
        None if end.in_mapping => Verdict::NotConfirmed(format!(
            "{}{place}: the sanitizers do not watch the bounds of memory mappings, where arguments lie",
            end.description
        )),
        None => Verdict::Mismatch(format!(
            "{wanted}seen: {}, and no report of a sanitizer\n",
            describe(run.end)
        )),
        Some(report)
            if report.confirms(end.kind)
                // What lies beside an object that has ended is a matter of the layout: the sanitizers see an access out of bounds.
                || end.beside_object && report.confirms(EndKind::OutOfBounds) =>
        {
            let other = match report.same_line(end) {
                Some(false) => format!(" (the VM named{place})"),
                _ => String::new(),
            };
            Verdict::Confirmed(format!("{}{other}", report.describe()))
        }
        Some(report) => Verdict::Mismatch(format!("{wanted}seen: {}\n", report.describe())),
    }
}

fn describe(end: NativeEnd) -> String {
    match end {
        NativeEnd::Status(status) if status > 128 => {
            format!("{status} (signal {})", status - 128)
        }
        NativeEnd::Status(status) => status.to_string(),
        NativeEnd::TimedOut => "a run that goes on after the time limit".to_owned(),
        NativeEnd::TooMuchOutput => "endless output".to_owned(),
        NativeEnd::Limit(limit) => limit.describe().to_owned(),
        NativeEnd::Interrupted => "an interrupted run".to_owned(),
        NativeEnd::Stopped => "a run whose sandbox was told to end".to_owned(),
        NativeEnd::NotRun => "nothing, since native runs are off".to_owned(),
    }
}

/// The first lines that differ.
fn difference(name: &str, expected: &[u8], seen: &[u8]) -> String {
    const SHOWN: usize = 5;
    /// Of endless output there are endless lines.
    const LONGEST: usize = 1000;
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (expected, seen) = (lines(expected), lines(seen));
    let same = expected
        .iter()
        .zip(&seen)
        .take_while(|(e, s)| e == s)
        .count();
    let mut text = format!("{name} differs from line {}:\n", same + 1);
    for (sign, lines) in [("expected", &expected), ("seen    ", &seen)] {
        let rest = &lines[same.min(lines.len())..];
        if rest.is_empty() {
            let _ = writeln!(text, "  {sign}: nothing more");
        }
        for line in rest.iter().take(SHOWN) {
            let shown = &line[..line.len().min(LONGEST)];
            let more = if shown.len() < line.len() { " …" } else { "" };
            let _ = writeln!(text, "  {sign}: {}{more}", shown.escape_ascii());
        }
        if rest.len() > SHOWN {
            let _ = writeln!(text, "  {sign}: … {} more lines", rest.len() - SHOWN);
        }
    }
    text
}

/// `thread 'main' (1234) panicked at` without the number, which is the process's: no two runs share it.
pub(crate) fn without_thread_ids(text: &[u8]) -> Cow<'_, [u8]> {
    let panics = |line: &[u8]| -> Option<Vec<u8>> {
        let start = line.windows(3).position(|bytes| bytes == b"' (")?;
        let end = start + line[start..].iter().position(|&byte| byte == b')')?;
        let number = &line[start + 3..end];
        let is_panic = line.starts_with(b"thread '")
            && !number.is_empty()
            && number.iter().all(u8::is_ascii_digit)
            && line[end + 1..].starts_with(b" panicked at");
        is_panic.then(|| [&line[..=start], &line[end + 1..]].concat())
    };
    if !text.windows(9).any(|bytes| bytes == b" panicked") {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let lines = lines.map(|line| panics(line).unwrap_or_else(|| line.to_vec()));
    Cow::Owned(lines.collect::<Vec<_>>().concat())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::test_case::ExpectedEnd;

    fn expected(status: Option<i32>, undefined: bool) -> Expected {
        Expected {
            end: ExpectedEnd {
                kind: match undefined {
                    true => EndKind::OutOfBounds,
                    false => EndKind::Exit,
                },
                shell_status: status,
                description: "exit".to_owned(),
                function: None,
                file: Some("src/a.c".to_owned()),
                line: Some(4),
                in_mapping: false,
                beside_object: false,
                undefined,
            },
            stdout: b"one\ntwo\n".to_vec(),
            stderr: b"thread 'main' (1000) panicked at a.rs:1:1:\n".to_vec(),
            files: BTreeMap::from([
                (PathBuf::from("out"), b"x".to_vec()),
                (PathBuf::from("same"), b"s".to_vec()),
            ]),
            outside: Default::default(),
        }
    }

    fn test() -> TestCase {
        TestCase {
            program: None,
            args: Vec::new(),
            stdin: Vec::new(),
            environment: BTreeMap::new(),
            files: BTreeMap::from([(PathBuf::from("same"), b"s".to_vec())]),
            variables: BTreeMap::new(),
            expected: None,
        }
    }

    fn good_run() -> NativeRun {
        NativeRun {
            end: NativeEnd::Status(3),
            stdout: b"one\ntwo\n".to_vec(),
            stderr: b"thread 'main' (4711) panicked at a.rs:1:1:\n".to_vec(),
            modes: Default::default(),
            files: BTreeMap::from([(PathBuf::from("out"), b"x".to_vec())]),
        }
    }

    #[test]
    fn equal_runs_are_as_predicted() {
        let verdict = judge(&test(), &expected(Some(3), false), &good_run());
        assert_eq!(verdict, Verdict::AsPredicted);
    }

    #[test]
    fn every_part_is_compared() {
        type Spoil = fn(&mut NativeRun);
        let spoil: [(Spoil, &str); 6] = [
            (
                |run| run.end = NativeEnd::Status(139),
                "seen 139 (signal 11)",
            ),
            (|run| run.end = NativeEnd::TimedOut, "time limit"),
            (|run| run.stdout.truncate(4), "seen    : nothing more"),
            (|run| run.stderr[0] = b'T', "stderr differs from line 1"),
            (|run| run.files.clear(), "file out: expected, not seen"),
            (
                |run| drop(run.files.insert(PathBuf::from("new"), Vec::new())),
                "file new: seen, not expected",
            ),
        ];
        for (spoil, words) in spoil {
            let mut run = good_run();
            spoil(&mut run);
            match judge(&test(), &expected(Some(3), false), &run) {
                Verdict::Mismatch(text) => assert!(text.contains(words), "{text}"),
                verdict => panic!("{words}: {verdict:?}"),
            }
        }
    }

    #[test]
    fn an_error_needs_a_fitting_report() {
        let mut run = good_run();
        run.stderr = b"a.c:4:3: runtime error: index 9 out of bounds for type 'int[4]'\n".to_vec();
        let verdict = judge_sanitized(&expected(None, true), &run, Path::new("/"));
        let words = "index 9 out of bounds for type 'int[4]' at a.c:4";
        assert_eq!(verdict, Verdict::Confirmed(words.to_owned()));
        for other in [
            "a.c:4:3: runtime error: division by zero\n",
            "",
            "Segmentation fault\n",
        ] {
            run.stderr = other.as_bytes().to_vec();
            let verdict = judge_sanitized(&expected(None, true), &run, Path::new("/"));
            assert!(matches!(verdict, Verdict::Mismatch(_)), "{verdict:?}");
        }
    }
}
