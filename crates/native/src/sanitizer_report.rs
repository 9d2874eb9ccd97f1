//! What a sanitizer reports, and whether it is the error that the VM found.

use std::path::Path;

use crate::test_case::{EndKind, ExpectedEnd};

/// A report of the address or undefined-behaviour sanitizer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerReport {
    /// `heap-buffer-overflow`, `division by zero`, …
    pub what: String,
    /// The places it names, innermost first.
    pub places: Vec<Place>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub file: String,
    pub line: u32,
}

impl SanitizerReport {
    /// The report that ended a run: the last one. Earlier ones are of things that the VM computes. Files below
    /// `folder` are named relative to it.
    pub fn read(stderr: &[u8], folder: &Path) -> Option<SanitizerReport> {
        let text = String::from_utf8_lossy(stderr);
        let text = text.replace(&format!(" {}/", folder.display()), " ");
        let mut report: Option<SanitizerReport> = None;
        // What the other sanitizer says first may have been let pass.
        let mut is_last = false;
        for line in text.lines() {
            if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
                // `heap-buffer-overflow on address …`, `SEGV on unknown address …`, `attempting double-free on …`
                let what = what.split(" on ").next().unwrap_or(what);
                let what = what.split(" (").next().unwrap_or(what);
                is_last = true;
                report = Some(SanitizerReport {
                    what: what.trim_end_matches(':').to_owned(),
                    places: Vec::new(),
                });
            } else if let Some((place, what)) = line.split_once(": runtime error: ") {
                report = Some(SanitizerReport {
                    what: what.to_owned(),
                    places: place_of(place).into_iter().collect(),
                });
            } else if let Some(report) = &mut report
                && line.trim_start().starts_with('#')
                && let Some(place) = line.rsplit(' ').next().and_then(place_of)
            {
                report.places.push(place);
            } else if is_last
                && line.trim().is_empty()
                && report.as_ref().is_some_and(|r| !r.places.is_empty())
            {
                // Later stacks say where the memory came from.
                break;
            }
        }
        report
    }

    /// Whether this kind of report is what the VM's kind of end looks like here.
    pub fn confirms(&self, kind: EndKind) -> bool {
        let any = |words: &[&str]| words.iter().any(|word| self.what.contains(word));
        match kind {
            EndKind::NullDereference => any(&["null pointer", "SEGV"]),
            EndKind::WildDereference => {
                any(&["SEGV", "overflow", "wild", "unknown-crash", "bad-free"])
            }
            EndKind::OutOfBounds => any(&[
                "buffer-overflow",
                "buffer-underflow",
                "out of bounds",
                "insufficient space",
                "negative-size-param",
                "unknown-crash",
                "SEGV",
            ]),
            EndKind::UseAfterFree => any(&["use-after-free", "double-free"]),
            EndKind::UseAfterReturn => any(&["stack-use-after", "SEGV"]),
            EndKind::ReadOnlyWrite => any(&["SEGV"]),
            EndKind::DoubleFree => any(&["double-free"]),
            EndKind::InvalidFree => any(&["attempting free", "bad-free"]),
            EndKind::DivisionByZero => any(&["division by zero", "FPE"]),
            EndKind::DivisionOverflow => any(&["division of", "FPE"]),
            EndKind::Unreachable => any(&["unreachable", "without returning a value"]),
            EndKind::StackOverflow => any(&["stack-overflow"]),
            EndKind::DeadJump => any(&["SEGV", "stack-use-after", "stack-buffer-overflow"]),
            _ => false,
        }
    }

    /// Whether it names the line that the VM named; nothing if either names none.
    pub fn same_line(&self, expected: &ExpectedEnd) -> Option<bool> {
        let (file, line) = (expected.file.as_deref()?, expected.line?);
        let name = |path: &str| path.rsplit('/').next().map(str::to_owned);
        let own = |place: &&Place| name(&place.file) == name(file);
        let mut own_places = self.places.iter().filter(own).peekable();
        own_places.peek()?;
        Some(own_places.any(|place| place.line == line))
    }

    /// In one line.
    pub fn describe(&self) -> String {
        match self.places.first() {
            Some(place) => format!("{} at {}:{}", self.what, place.file, place.line),
            None => self.what.clone(),
        }
    }
}

/// `file.c:12:3`, or `file.c:12`.
fn place_of(text: &str) -> Option<Place> {
    let (head, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    let (file, line) = match head.rsplit_once(':') {
        Some((file, line)) => match line.parse() {
            Ok(line) => (file, line),
            Err(_) => (head, last),
        },
        None => (head, last),
    };
    Some(Place {
        file: file.to_owned(),
        line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_report_is_read() {
        let text = b"words of its own\n\
            a.c:3:5: runtime error: signed integer overflow: 2147483647 + 1 cannot be represented in type 'int'\n\
            ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n\
            WRITE of size 1 at 0x1 thread T0\n    #0 0x5 in fill /x/a.c:8:14\n    #1 0x6 in main /x/a.c:14\n\n\
            0x1 is located\n    #0 0x5 in malloc\n    #1 0x5 in fill /x/a.c:6:1\n";
        let report = SanitizerReport::read(text, Path::new("/x")).unwrap();
        assert_eq!(report.describe(), "heap-buffer-overflow at a.c:8");
        assert_eq!(report.places.len(), 2);
        assert!(report.confirms(EndKind::OutOfBounds));
        assert!(!report.confirms(EndKind::DoubleFree));
    }

    #[test]
    fn an_address_report_behind_what_was_let_pass_is_read() {
        let text = b"a.c:9:8: runtime error: addition of unsigned offset to 0x2 overflowed to 0x1\n\
            SUMMARY: UndefinedBehaviorSanitizer: undefined-behavior a.c:9:8\n\n=====\n\
            ==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1 at pc 0x2 bp 0x3 sp 0x4\n\
            READ of size 1 at 0x1 thread T0\n    #0 0x5 in main /x/a.c:9:8\n\n";
        let report = SanitizerReport::read(text, Path::new("/x")).unwrap();
        assert!(
            report.confirms(EndKind::OutOfBounds),
            "{}",
            report.describe()
        );
    }

    #[test]
    fn an_undefined_behaviour_report_is_read() {
        let here = Path::new("/x");
        let text = b"b.c:9:3: runtime error: division by zero\n";
        let report = SanitizerReport::read(text, here).unwrap();
        assert!(report.confirms(EndKind::DivisionByZero));
        assert!(!report.confirms(EndKind::OutOfBounds));
        assert_eq!(SanitizerReport::read(b"nothing of the kind\n", here), None);
    }
}
