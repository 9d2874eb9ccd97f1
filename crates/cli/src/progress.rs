//! Progress on stderr, if that is a terminal; otherwise nothing.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// One line that is written over again and again.
pub(super) struct LiveLine {
    is_terminal: bool,
    /// Whether something stands on the line.
    shown: AtomicBool,
}

impl LiveLine {
    pub(super) fn new() -> LiveLine {
        LiveLine {
            is_terminal: std::io::stderr().is_terminal(),
            shown: AtomicBool::new(false),
        }
    }

    /// Whether anyone sees it: if not, the line need not be made.
    pub(super) fn is_seen(&self) -> bool {
        self.is_terminal
    }

    pub(super) fn show(&self, line: &str) {
        if self.is_terminal {
            self.shown.store(true, Ordering::Relaxed);
            replace_line(&crate::printable(line));
        }
    }

    /// Before anything else is printed to the same terminal.
    pub(super) fn clear(&self) {
        if self.shown.swap(false, Ordering::Relaxed) {
            replace_line("");
        }
    }
}

fn replace_line(line: &str) {
    let mut stderr = std::io::stderr().lock();
    // A terminal that is gone is no reason to stop.
    let _ = write!(stderr, "\r\x1b[K{line}");
    let _ = stderr.flush();
}

const WIDTH: usize = 30;

/// A bar of things done.
pub(super) struct Progress {
    what: &'static str,
    total: usize,
    start: Instant,
    line: LiveLine,
}

impl Progress {
    pub(super) fn new(what: &'static str, total: usize) -> Progress {
        Progress {
            what,
            total,
            start: Instant::now(),
            line: LiveLine::new(),
        }
    }

    pub(super) fn show(&self, done: usize) {
        let seconds = self.start.elapsed().as_secs();
        self.line.show(&bar(done, self.total, self.what, seconds));
    }

    pub(super) fn clear(&self) {
        self.line.clear();
    }
}

fn bar(done: usize, total: usize, what: &str, seconds: u64) -> String {
    let filled = WIDTH * done.min(total) / total.max(1);
    let left = match (done, total) {
        (1.., _) if done < total => {
            let rest = seconds * (total - done) as u64 / done as u64;
            format!(", about {} left", minutes(rest))
        }
        _ => String::new(),
    };
    format!(
        "[{}{}] {done} of {total} {what}, {}{left}",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        minutes(seconds)
    )
}

fn minutes(seconds: u64) -> String {
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars() {
        assert_eq!(
            bar(0, 4, "commits", 0),
            format!("[{}] 0 of 4 commits, 0:00", ".".repeat(30))
        );
        assert_eq!(
            bar(1, 4, "commits", 61),
            format!(
                "[{}{}] 1 of 4 commits, 1:01, about 3:03 left",
                "#".repeat(7),
                ".".repeat(23)
            )
        );
        assert_eq!(
            bar(4, 4, "commits", 9),
            format!("[{}] 4 of 4 commits, 0:09", "#".repeat(30))
        );
    }
}
