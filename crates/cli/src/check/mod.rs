//! `parallax check`: on which inputs do versions of a program behave differently?
//!
//! Arguments become a [`Spec`](compare::Spec) (`specification`), `compare` does the work, `report` has the words.
//!
//! Exit status: 0 equivalent, 1 differences, 2 usage or build error, 3 undecided, 4 a proof was refuted (`--paranoid`,
//! or a test behind a way that was left out).

mod arguments;
pub(super) mod format;
mod specification;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use compare::{Comparison, Event, Observer, Report, Verdict};
use report::progress::{Message, message};

pub(super) use arguments::Arguments;
use specification::specification;

use super::progress::LiveLine;
use super::{announce, print};
use crate::new_file::NewFile;
use crate::{interrupt, saved_report};

/// A proof was refuted.
const REFUTED: u8 = 4;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let spec = specification(arguments)?;
    // A file that cannot be written is better known before the search than after it.
    let place = |path: &Option<PathBuf>| path.as_deref().map(NewFile::at).transpose();
    let (html, save) = (place(&arguments.html)?, place(&arguments.save)?);
    let watcher = Watcher {
        interrupt: interrupt::watch()?,
        live: LiveLine::new(),
    };
    let found = Comparison::run(&spec, &watcher)?;
    print(&arguments.format.write(&found))?;
    if let Some(file) = html {
        write(file, &saved_report::page(&found))?;
    }
    if let Some(file) = save {
        write(file, &saved_report::saved(&found))?;
    }
    Ok(ExitCode::from(status(&found)))
}

fn write(file: NewFile, text: &str) -> anyhow::Result<()> {
    let path = file.path().display().to_string();
    file.write(text)?;
    announce(&format!("wrote {path}"));
    Ok(())
}

/// Announces what happens, and shows progress on a terminal.
struct Watcher {
    interrupt: Arc<AtomicBool>,
    live: LiveLine,
}

impl Observer for Watcher {
    fn event(&self, event: Event<'_>) {
        if matches!(event, Event::Searching { .. }) && !self.live.is_seen() {
            return;
        }
        match message(&event) {
            Message::Announcement(lines) => lines.iter().for_each(|line| announce(line)),
            Message::Progress(line) => self.live.show(&line),
            Message::End => self.live.clear(),
        }
    }

    fn interrupt(&self) -> &AtomicBool {
        &self.interrupt
    }
}

/// The exit status. A proof that does not hold is announced.
fn status(found: &Report) -> u8 {
    if let Some(refuted) = found.proofs.refuted() {
        announce(&format!(
            "INTERNAL ERROR: {}; please send `{}`, its README says more",
            refuted.why,
            refuted.bundle.display()
        ));
        return REFUTED;
    }
    match found.verdict {
        Verdict::Equivalent => 0,
        Verdict::Different => 1,
        Verdict::Undecided => 3,
    }
}
