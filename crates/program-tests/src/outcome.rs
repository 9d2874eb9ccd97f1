//! What a run did, and the comparison of two runs.

use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::Output;

use crate::directives::StderrForm;

/// Everything about a run that is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// The exit status, or 128 plus the number of the signal that ended the process.
    pub status: i32,
}

impl Outcome {
    pub fn of_process(output: Output) -> Outcome {
        let signal = output.status.signal().unwrap_or_default();
        Outcome {
            stdout: output.stdout,
            stderr: output.stderr,
            status: output.status.code().unwrap_or(128 + signal),
        }
    }

    /// The outcome of the guest, from that of `parallax run`: without the report that follows an
    /// abnormal end. A report after a normal end stays, and so shows as a difference.
    pub fn without_report(mut self) -> Outcome {
        if self.status > 128 {
            let starts_report = |at: &usize| {
                self.stderr[*at..].starts_with(b"parallax: ")
                    && (*at == 0 || self.stderr[at - 1] == b'\n')
            };
            if let Some(at) = (0..self.stderr.len()).find(starts_report) {
                self.stderr.truncate(at);
            }
        }
        self
    }

    /// The outcome with the parts of standard error left out that may differ between two right runs.
    pub fn normalised(mut self, form: StderrForm) -> Outcome {
        let text = String::from_utf8_lossy(&self.stderr);
        let lines = text.split('\n').map(|line| match form {
            StderrForm::Exact => without_thread_id(line),
            StderrForm::Assertion => assertion(line).unwrap_or_else(|| line.to_owned()),
        });
        self.stderr = lines.collect::<Vec<_>>().join("\n").into_bytes();
        self
    }

    /// `None` when equal, else a readable account of the first difference in each part.
    pub fn difference(&self, actual: &Outcome) -> Option<String> {
        let mut report = String::new();
        if self.status != actual.status {
            let _ = writeln!(
                report,
                "status: expected {}, got {}",
                self.status, actual.status
            );
        }
        for (name, expected, got) in [
            ("stdout", &self.stdout, &actual.stdout),
            ("stderr", &self.stderr, &actual.stderr),
        ] {
            if expected != got {
                report.push_str(&first_different_line(name, expected, got));
            }
        }
        (!report.is_empty()).then_some(report)
    }
}

fn first_different_line(name: &str, expected: &[u8], got: &[u8]) -> String {
    let expected: Vec<&[u8]> = expected.split(|b| *b == b'\n').collect();
    let got: Vec<&[u8]> = got.split(|b| *b == b'\n').collect();
    let same = expected
        .iter()
        .zip(&got)
        .take_while(|(e, g)| e == g)
        .count();
    let mut report = format!("{name} differs from line {}:\n", same + 1);
    let mut show = |sign: char, lines: &[&[u8]]| {
        for line in lines.iter().skip(same).take(5) {
            let _ = writeln!(report, "  {sign} {}", String::from_utf8_lossy(line));
        }
    };
    show('-', &expected);
    show('+', &got);
    report
}

/// `thread 'main' (1234) panicked at` without the number of the thread.
fn without_thread_id(line: &str) -> String {
    let shortened = || {
        let rest = line.strip_prefix("thread '")?;
        let (thread, rest) = rest.split_once("' (")?;
        let (number, rest) = rest.split_once(") panicked at")?;
        let is_number = number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| format!("thread '{thread}' panicked at{rest}"))
    };
    shortened().unwrap_or_else(|| line.to_owned())
}

/// A failed assertion in either C library's words, as its facts alone.
fn assertion(line: &str) -> Option<String> {
    let glibc = || {
        let (head, expression) = line.split_once(": Assertion `")?;
        let expression = expression.strip_suffix("' failed.")?;
        let mut parts = head.splitn(4, ": ").skip(1);
        let (file, number) = parts.next()?.rsplit_once(':')?;
        let signature = parts.next()?;
        let before_parameters = signature.split('(').next()?;
        let function = before_parameters.rsplit([' ', '*']).next()?;
        Some((expression.to_owned(), file, number, function))
    };
    let musl = || {
        let rest = line.strip_prefix("Assertion failed: ")?.strip_suffix(')')?;
        let (expression, place) = rest.rsplit_once(" (")?;
        let mut parts = place.rsplitn(3, ": ");
        let (number, function, file) = (parts.next()?, parts.next()?, parts.next()?);
        Some((expression.to_owned(), file, number, function))
    };
    let (expression, file, number, function) = glibc().or_else(musl)?;
    Some(format!(
        "assertion `{expression}` at {file}:{number} in {function}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(stdout: &str, stderr: &str, status: i32) -> Outcome {
        Outcome {
            stdout: stdout.into(),
            stderr: stderr.into(),
            status,
        }
    }

    #[test]
    fn both_wordings_of_an_assertion_become_the_same() {
        let glibc = "prog: a/b.c:7: int half(int): Assertion `n % 2 == 0' failed.";
        let musl = "Assertion failed: n % 2 == 0 (a/b.c: half: 7)";
        assert_eq!(assertion(glibc), assertion(musl));
        assert!(assertion(glibc).is_some());
    }

    #[test]
    fn only_the_thread_id_is_dropped_from_a_panic() {
        let with_id = "thread 'main' (4711) panicked at a.rs:1:2:";
        assert_eq!(
            without_thread_id(with_id),
            "thread 'main' panicked at a.rs:1:2:"
        );
        let without = "thread 'main' panicked at a.rs:1:2:";
        assert_eq!(without_thread_id(without), without);
    }

    #[test]
    fn a_report_is_cut_only_after_an_abnormal_end() {
        let text = "own words\nparallax: out of bounds\n  at main\n";
        let abnormal = outcome("", text, 139).without_report();
        assert_eq!(abnormal.stderr, b"own words\n");
        let normal = outcome("", text, 1).without_report();
        assert_eq!(normal.stderr, text.as_bytes());
    }

    #[test]
    fn every_part_that_differs_is_named() {
        let expected = outcome("a\nb\n", "", 0);
        let report = expected.difference(&outcome("a\nc\n", "e", 1)).unwrap();
        assert!(report.contains("status: expected 0, got 1"), "{report}");
        assert!(
            report.contains("stdout differs from line 2:\n  - b"),
            "{report}"
        );
        assert!(report.contains("stderr differs from line 1"), "{report}");
        assert_eq!(expected.difference(&expected.clone()), None);
    }
}
