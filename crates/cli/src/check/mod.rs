//! `parallax check`: on which inputs do versions of a program behave differently?
//!
//! Arguments become a [`Spec`](compare::Spec) (`specification`), `compare` does the work, `report` has the words.
//!
//! Exit status: 0 equivalent, apart from differences that are accepted; 1 differences, 2 usage or build error, 3 undecided or not exercised, 4 a proof was refuted (`--paranoid`,
//! or a test behind a way that was left out).

mod all_changed;
mod arguments;
mod specification;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use compare::spec::{Mode, Spec};
use compare::{Comparison, Event, Observer, Report, Verdict};
use harness::whole_program::is_rust;
use report::progress::{Message, message};

pub(super) use arguments::Arguments;
use specification::specification;

use super::progress::LiveLine;
use super::{announce, print};
use crate::new_file::NewFile;
use crate::report_format::ReportFormat;
use crate::test_target::Target;
use crate::{emitted_tests, interrupt, saved_report};

/// A proof was refuted.
const REFUTED: u8 = 4;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let mut spec = specification(arguments)?;
    let accepted = arguments.output.accepted.read()?;
    if arguments.output.write_tests.is_some() {
        let of_function = spec.function.is_some() || spec.sequence.is_some();
        arguments.output.tests.fit(of_function)?;
    }
    spec.search.inspect_all = !accepted.is_empty();
    // A file that cannot be written is better known before the search than after it.
    let place = |path: &Option<PathBuf>| path.as_deref().map(NewFile::at).transpose();
    let output = &arguments.output;
    let (html, save) = (place(&output.html)?, place(&output.save)?);
    let watcher = Watcher {
        interrupt: interrupt::watch()?,
        live: LiveLine::new(),
    };
    if let Some(function) = spec.function.as_ref().filter(|_| arguments.all_changed()) {
        let as_text = output.of_functions()?;
        let rows = all_changed::compare_all(&spec, function, &watcher, None)?;
        print(&match as_text {
            true => report::functions_text(&rows),
            false => format!("{:#}\n", report::functions_json(&rows)),
        })?;
        for found in rows.iter().filter_map(|row| row.found.as_ref().ok()) {
            write_tests(arguments, found)?;
        }
        let reports = rows.iter().filter_map(|row| row.found.as_ref().ok());
        let refuted = reports.map(status).find(|&status| status == REFUTED);
        return Ok(ExitCode::from(
            refuted.unwrap_or(status_of(report::overall(&rows))),
        ));
    }
    let until = Instant::now() + spec.limits.time;
    let has_them = [ReportFormat::Text, ReportFormat::Json].contains(&output.format);
    let has_functions = may_ask_functions(&spec) && has_them;
    if has_functions {
        spec.limits.time = spec.limits.time * 4 / 5;
    }
    let mut found = Comparison::run(&spec, &watcher)?;
    report::accepted::accept(&mut found, &accepted);
    let is_open = matches!(found.verdict, Verdict::Undecided | Verdict::NotExercised);
    let asks = has_functions && is_open && found.search.is_some() && found.differences.is_empty();
    let functions = match asks {
        true => all_changed::below(&spec, &watcher, until),
        false => Vec::new(),
    };
    print(&output.format.write_with(&found, &functions))?;
    if let Some(file) = html {
        write(file, &saved_report::page(&found))?;
    }
    if let Some(file) = save {
        let text = saved_report::saved(&found);
        write(file, &text)?;
        saved_report::remember(&text)?;
    }
    write_tests(arguments, &found)?;
    Ok(ExitCode::from(status(&found)))
}

/// Writes tests of the differences that were found, if that is asked for.
fn write_tests(arguments: &Arguments, found: &Report) -> anyhow::Result<()> {
    let output = &arguments.output;
    let Some(folder) = &output.write_tests else {
        return Ok(());
    };
    let is_function = found.function.is_some();
    if is_function && arguments.all_changed() && found.differences.is_empty() {
        return Ok(());
    }
    let target = Target {
        folder,
        options: &output.tests,
        force: false,
        tried: Some(arguments.native.confinement()?),
    };
    let written = emitted_tests::write(found, &target)?;
    written.said.lines().for_each(announce);
    Ok(())
}

/// Whether changed functions are compared by themselves if the program is not decided: where nobody has said what to compare.
fn may_ask_functions(spec: &Spec) -> bool {
    let is_plain = spec.function.is_none() && spec.input.otherwise.is_some();
    let proves = spec.search.mode == Mode::FindAndVerify && spec.limits.runs.is_none();
    // What a build system makes is not looked into.
    let is_source =
        |file: &PathBuf| file.is_dir() || file.extension().is_some_and(|end| end == "c");
    let is_of_c = spec
        .versions
        .iter()
        .all(|files| !is_rust(files) && files.iter().all(is_source));
    is_plain && proves && is_of_c && spec.versions.len() == 2
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
    status_of(report::accepted::verdict(found))
}

fn status_of(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Equivalent => 0,
        Verdict::Different => 1,
        Verdict::NotExercised | Verdict::Undecided => 3,
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;
    use report::advice::Advice;

    /// The words of a shell command, of which some are in single quotes.
    fn words(text: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut is_quoted = false;
        for character in text.chars() {
            match character {
                '\'' => is_quoted = !is_quoted,
                ' ' if !is_quoted => words.push(String::new()),
                _ => words.last_mut().expect("a word").push(character),
            }
        }
        words
    }

    /// Advice never names a flag that `check` does not have, or a value that it does not take.
    #[test]
    fn flags_that_are_advised_can_be_given() {
        let mut advised = 0;
        for advice in Advice::ALL {
            let text = advice.words();
            for flags in text.split('`').skip(1).step_by(2) {
                advised += 1;
                assert!(flags.starts_with("--"), "{text}");
                let command = ["parallax", "check", "old.c", "new.c"].map(str::to_owned);
                let command = command.into_iter().chain(words(flags));
                let parsed = crate::Cli::command().try_get_matches_from(command);
                assert!(parsed.is_ok(), "{text}: {:?}", parsed.err());
            }
        }
        assert!(advised > 8, "{advised}");
    }
}
