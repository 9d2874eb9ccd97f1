//! What a run did, and the comparison of two runs.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt;
use std::process::Output;

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

    /// The outcome without the thread numbers in the messages of Rust panics: two right runs may
    /// differ in them.
    pub fn normalised(mut self) -> Outcome {
        let lines = self.stderr.split(|byte| *byte == b'\n');
        let lines: Vec<_> = lines.map(without_thread_id).collect();
        self.stderr = lines.join(&b'\n');
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
fn without_thread_id(line: &[u8]) -> Cow<'_, [u8]> {
    let shortened = || {
        let head = line.strip_prefix(b"thread '")?;
        let name = head.windows(3).position(|bytes| bytes == b"' (")?;
        let (name, rest) = (&line[..b"thread '".len() + name + 1], &head[name + 3..]);
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = rest[digits..].strip_prefix(b")")?;
        let is_panic = digits > 0 && rest.starts_with(b" panicked at");
        is_panic.then(|| [name, rest].concat())
    };
    shortened().map_or(Cow::Borrowed(line), Cow::Owned)
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
    fn only_the_thread_id_is_dropped_from_a_panic() {
        let stderr_of = |text: &[u8]| {
            let outcome = Outcome {
                stderr: text.to_vec(),
                ..outcome("", "", 101)
            };
            outcome.normalised().stderr
        };
        let with_id = b"thread 'main' (4711) panicked at a.rs:1:2:\n\xff\n";
        let without = b"thread 'main' panicked at a.rs:1:2:\n\xff\n";
        assert_eq!(stderr_of(with_id), without);
        assert_eq!(stderr_of(without), without);
        let other = b"thread 'main' (47x) panicked at a.rs:1:2:\n";
        assert_eq!(stderr_of(other), other);
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
