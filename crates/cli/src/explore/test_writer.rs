//! Writes a test for each path that shows something new, and a line of progress on a terminal.

use std::path::PathBuf;
use std::sync::Mutex;

use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use exploration::{InputRecord, Note, Observer, Progress};
use native::prediction::predict;
use native::test_case::TestCase;
use report::words::counted;

use super::test_probe::TestNote;
use crate::line_coverage::LineCoverage;
use crate::progress::LiveLine;

pub(super) struct TestWriter<'p> {
    pub(super) program: &'p concolic_vm::Program,
    pub(super) kernel: KernelConfig,
    pub(super) limits: Limits,
    pub(super) tests: Option<PathBuf>,
    /// Whether arguments or variables of the environment are symbolic.
    pub(super) strings: bool,
    /// Tests that end otherwise than their paths, and how; see [`native::prediction`].
    pub(super) behind_strings: Mutex<Vec<(u64, String)>>,
    pub(super) live: LiveLine,
}

impl Observer for TestWriter<'_> {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        let Some(tests) = &self.tests else {
            return Ok(());
        };
        let found: TestNote = note.read();
        let (number, input) = (found.test, InputRecord::of(&found.input));
        let folder = tests.join(format!("{number:06}"));
        let working_folder = &self.kernel.working_directory;
        let mut expected = found.expected();
        if self.strings
            && let Some(plain) = predict(self.program, &self.kernel, self.limits, &input)
            && plain != expected
        {
            let end = plain.end.description.clone();
            let mut behind = self.behind_strings.lock().expect("no panic");
            behind.push((number, end));
            expected = plain;
        }
        let test = TestCase::new(&input, working_folder, Some(expected));
        let written = match folder.exists() {
            // A run that is repeated has its test already, unless the folder is of another program.
            true if TestCase::read(&folder).is_ok_and(|old| old == test) => Ok(()),
            true => std::fs::remove_dir_all(&folder).and_then(|()| test.write(&folder)),
            false => test.write(&folder),
        };
        written.map_err(|error| {
            std::io::Error::new(
                error.kind(),
                format!("test `{}`: {error}", folder.display()),
            )
        })
    }

    fn progress(&self, progress: &Progress) {
        if !self.live.is_seen() {
            return;
        }
        let seconds = progress.wall.as_secs_f64();
        let (executed, lines) = LineCoverage::new(self.program, &progress.coverage[0]).totals();
        let busy = (progress.solving + progress.running).as_secs_f64();
        let share = if busy > 0.0 {
            progress.solving.as_secs_f64() / busy
        } else {
            0.0
        };
        let mut line = format!(
            "{:>4.0} s  {} paths  {:.0} runs/s  {executed}/{lines} lines  {} open  solver {:.0}%",
            seconds,
            progress.paths,
            progress.runs as f64 / seconds.max(0.001),
            progress.open_flips,
            100.0 * share
        );
        if progress.errors > 0 {
            line += &format!("  {}", counted(progress.errors as u64, "error"));
        }
        if progress.to_repeat > 0 {
            line += &format!("  (repeating {} earlier runs)", progress.to_repeat);
        }
        self.live.show(&line);
    }
}
