//! The report for people.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use exploration::compare::Observable;
use exploration::summary::Gap;
use exploration::worker::Part;
use exploration::{InputRecord, Partition, Stop, Summary, Verdict};

use super::changes::{ChangedLine, Told, told};
use super::contrast::{Marks, contrasted};
use super::differences::Group;
use super::examples::Example;
use super::function::FunctionCheck;
use super::report::Report;
use super::settled;
use super::source_line::source_line;
use super::undefined::Assumed;
use super::version_files::typed;
use crate::counted;
use crate::explore::{input_as_typed, number_or_bytes};
use native::test_case::{Expected, shell_word};

/// How many kinds of difference are shown in full.
const MOST_SHOWN: usize = 10;
/// How many changed lines of a difference are shown.
const MOST_CHANGES: usize = 8;

/// What was known from an earlier call.
pub(super) fn known_before(summary: &Summary) -> String {
    match summary.paths_before {
        0 => String::new(),
        paths => format!("{} known from an earlier check\n", counted(paths, "path")),
    }
}

/// What kept the exploration from its end, if anything, and what to do about it where a journal `is_kept`.
pub(super) fn unexplored(summary: &Summary, is_kept: bool) -> String {
    if summary.exhausted() {
        return String::new();
    }
    let why = match (&summary.stop, summary.open_flips) {
        (Stop::Finished, _) => return "not everything was explored, see below\n".to_owned(),
        (stop, 0) => stop.to_string(),
        (stop, open) => format!("{stop}, {} not tried", counted(open as u64, "way")),
    };
    let is_budget = match summary.stop {
        Stop::Time | Stop::Runs | Stop::Instructions | Stop::Memory | Stop::Interrupted => true,
        Stop::Finished | Stop::CannotStart(_) | Stop::OtherPath | Stop::CannotWrite(_) => false,
    };
    let next = match is_kept && is_budget {
        true => " (the same command goes on from here; smaller bounds need less)",
        false => "",
    };
    format!("not everything was explored: {why}{next}\n")
}

/// Why partitions are not known, unless a gap says the same.
pub(super) fn not_known(reasons: BTreeSet<String>, summary: &Summary) -> String {
    let is_said = |reason: &str| {
        let mut gaps = summary.gaps.keys();
        gaps.any(|gap| matches!(gap, Gap::CutOff { why } if why == reason))
    };
    let reasons = reasons.into_iter().filter(|reason| !is_said(reason));
    reasons.map(|why| format!("not known: {why}\n")).collect()
}

impl Report<'_> {
    pub(super) fn text(&self, marks: Marks) -> String {
        let [mut old, mut new] = self.names.shown();
        if let Some(function) = self.function {
            (old, new) = (function.of(&old), function.of(&new));
        }
        let Some(summary) = self.summary else {
            if !self.same_functions.is_empty() {
                return format!(
                    "{}: {old} and {new} behave the same on every input, without bounds\n{}{}assumed: {}\n",
                    marks.heading("equivalent"),
                    self.matched_text(),
                    self.same_functions_text(),
                    self.always_assumed().join("; "),
                );
            }
            return format!(
                "{}: nothing has changed, {old} and {new} compile to the same code for the VM\n{}assumed: {}\n",
                marks.heading("equivalent"),
                self.matched_text(),
                self.always_assumed().join("; "),
            );
        };
        let counts = &self.partitions.counts;
        let mut text = match self.verdict() {
            Verdict::Equivalent => format!(
                "{}: {old} and {new} behave the same on every input within the bounds{}\n",
                marks.heading("equivalent"),
                self.provided()
            ),
            Verdict::Different => format!(
                "{}: {}\n",
                marks.heading("different"),
                counted(self.differences.len() as u64, "kind of difference")
                    .replace("kind of differences", "kinds of difference")
            ),
            Verdict::Undecided => {
                format!("{}: {}\n", marks.heading("undecided"), self.what_is_open())
            }
        };
        text += &self.matched_text();
        let shown = self.differences.iter().take(MOST_SHOWN);
        for ((group, example), number) in shown.zip(1..) {
            text.push('\n');
            text += &self.difference(number, group, example, marks);
        }
        if let Some(more) = self.differences.get(MOST_SHOWN) {
            let number = self.differences.len() - MOST_SHOWN;
            let folder = more.1.folder.parent().unwrap_or(Path::new("."));
            text += &format!(
                "\n… and {number} more, in {} and with --format json\n",
                folder.display()
            );
        }
        if !self.differences.is_empty() {
            text.push('\n');
        }
        text += &match (self.finds_only(), self.is_random()) {
            (true, _) => self.paths_text(summary),
            (_, true) => self.random_text(summary),
            _ => self.counts_text(),
        };
        if let Some(which) = self.arguments.partitions {
            text += &self
                .partitions
                .text(which, &|observable| self.name(observable));
        }
        text += &known_before(summary);
        text += &settled::text(summary, counts, self.leaves_out());
        text += &self.self_check_text();
        text += &unexplored(summary, !self.is_random());
        let as_for = |input: &InputRecord| as_for(self.command(input));
        let mut reasons = BTreeSet::new();
        for partition in &summary.partitions {
            if let Part::Unknown { why } = &partition.part {
                reasons.insert(why.to_string());
            }
        }
        text += &not_known(reasons, summary);
        for what in &self.left_out {
            text += &format!("not compared: {what}\n");
        }
        for dependence in &self.dependences {
            text += &format!(
                "not deterministic: what the {} version does depends on {}{}; it was compared for one choice of it only\n",
                dependence.version,
                dependence.on,
                as_for(&dependence.input)
            );
        }
        for read in &self.undefined.reads {
            text += &format!("undefined: {}{}\n", read.in_words(), as_for(&read.input));
        }
        for assumed in &self.undefined.assumed {
            let input = as_for(&assumed.input);
            text += &format!("assumed here: {}{input}\n", assumed.in_words());
        }
        if let Some(cut) = self.undefined.cut_in_words() {
            text += &format!("incomplete: {} {cut}\n", self.undefined.cut);
        }
        for (gap, times) in &summary.gaps {
            text += &format!("incomplete: {gap} ({})\n", counted(*times, "time"));
        }
        for note in self.notes() {
            text += &format!("note: {note}\n");
        }
        text += &self.arguments.search.pruned_text(summary);
        if self.verdict() == Verdict::Equivalent {
            text += &format!("assumed: {}\n", self.always_assumed().join("; "));
        }
        text += &format!("bounds: {}\n", self.bounds().join("; "));
        text
    }

    /// Which parameters are the same, where that may surprise: it belongs to the verdict.
    fn matched_text(&self) -> String {
        let matched = self.function.and_then(FunctionCheck::matched);
        matched.map_or_else(String::new, |matched| format!("{matched}\n"))
    }

    /// How many partitions there are.
    fn counts_text(&self) -> String {
        let counts = &self.partitions.counts;
        let unreached = match counts.equal_unreached {
            0 => String::new(),
            count => format!(", {count} without a change executed"),
        };
        let converged = match counts.equal_converged {
            0 => String::new(),
            count => format!(", {count} in the same state after the changes"),
        };
        let called = match counts.equal_called {
            0 => String::new(),
            count => format!(", {count} by what is called"),
        };
        format!(
            "{} in {:.1} s: {} proved equal ({} by equal terms, {} by the solver{}{}{}), {} different, {} not known\n",
            counted(counts.all(), "partition"),
            self.wall.as_secs_f64(),
            counts.equal(),
            counts.equal_by_terms,
            counts.equal_by_solver,
            unreached,
            converged,
            called,
            counts.different,
            counts.unknown
        )
    }

    /// Why nothing was explored.
    fn same_functions_text(&self) -> String {
        let names = &self.same_functions;
        let listed = match names.len() {
            ..=MOST_CHANGES => names.join(", "),
            all => {
                let first = names[..MOST_CHANGES].join(", ");
                format!("{first} and {} more", all - MOST_CHANGES)
            }
        };
        let verb = if names.len() == 1 { "does" } else { "do" };
        format!(
            "no run was needed: {listed} {verb} the same in both, whatever the arguments and the globals are\n"
        )
    }

    /// The same where nothing was to be proved.
    fn paths_text(&self, summary: &Summary) -> String {
        self.tried_text(&counted(summary.paths, "path"), "--find-only", summary)
    }

    /// The same of inputs that have no paths.
    fn random_text(&self, summary: &Summary) -> String {
        let inputs = counted(summary.runs, "random input");
        self.tried_text(&inputs, "--strategy random", summary)
    }

    fn tried_text(&self, tried: &str, option: &str, summary: &Summary) -> String {
        let is_different =
            |partition: &&Partition| matches!(partition.part, Part::Different { .. });
        format!(
            "{tried} tried in {:.1} s, the versions differ on {}; nothing was proved of the others ({option})\n",
            self.wall.as_secs_f64(),
            summary.partitions.iter().filter(is_different).count()
        )
    }

    /// What an `equivalent` depends on that the versions' own runs show.
    fn provided(&self) -> String {
        provided(self.undefined.assumed.iter())
    }

    /// What native runs say of the proofs.
    fn self_check_text(&self) -> String {
        let internal_error = self.refuted().map_or_else(String::new, |refuted| {
            format!(
                "INTERNAL ERROR: a proof is refuted: {}; see {}\n",
                refuted.why,
                refuted.bundle.display()
            )
        });
        let Some(found) = &self.self_check else {
            return internal_error;
        };
        let mut text = format!(
            "self-check: native runs of both versions agree on {} of partitions proved equal",
            counted(found.same, "input")
        );
        if found.not_run > 0 {
            text += &format!("; {} were not run for want of time", found.not_run);
        }
        if let Some(excuse) = &found.excuse {
            text += &format!("; {} say nothing ({excuse})", found.excused);
        }
        text + "\n" + &internal_error
    }

    /// Why there is no answer.
    fn what_is_open(&self) -> &'static str {
        if self.refuted().is_some() {
            return "a proof was refuted, see below";
        }
        let all_equal = self
            .summary
            .is_some_and(|summary| summary.verdict() == Verdict::Equivalent);
        if self.finds_only() {
            match self.differences.is_empty() {
                true => "nothing was found; nothing was proved",
                false => "no difference was confirmed; nothing was proved",
            }
        } else if !self.differences.is_empty() {
            "no difference was confirmed, and not everything is proved equal"
        } else if !all_equal {
            "no difference was found, and not everything is proved equal"
        } else if !self.left_out.is_empty() {
            "no difference was found, but not all code was compared"
        } else if !self.undefined.reads.is_empty() {
            "no difference was found, but what a version does depends on memory that it never wrote"
        } else if self.undefined.unfinished {
            "no difference was found, but not every run was looked at for memory that is read and was never written"
        } else {
            "no difference was found, but what the versions do depends on more than their input"
        }
    }

    /// What the user calls an observable.
    fn name(&self, observable: &Observable) -> String {
        match observable {
            _ if self.title(observable).is_some() => self.title(observable).unwrap_or_default(),
            Observable::File(path) => format!("file {}", self.in_working_folder(path)),
            _ => observable.to_string(),
        }
    }

    fn difference(&self, number: usize, group: &Group, example: &Example, marks: Marks) -> String {
        let observables = &self.shown(&example.observables, example);
        let names: Vec<String> = observables.iter().map(|one| self.name(one)).collect();
        let title = format!(
            "{number}. {} differ{}",
            names.join(" and "),
            if names.len() == 1 { "s" } else { "" }
        );
        let seen = match &example.unconfirmed {
            None => "seen natively".to_owned(),
            Some(why) => format!("seen in the VM only: {}", why.replace('\n', "\n   ")),
        };
        let mut body = String::new();
        match &example.class {
            None => {}
            Some(Ok(class)) => body += &format!("{}\n", class.in_words()),
            Some(Err(why)) => body += &format!("not classified: {why}\n"),
        }
        body += &self.input(&example.input);
        for (observable, name) in observables.iter().zip(&names) {
            if observables.len() > 1 {
                body += &format!("{name}:\n");
            }
            body += &match self.outcomes(observable, example, marks) {
                Some(text) => text,
                None => outputs(observable, example, self.arguments.max_steps, marks),
            };
        }
        body += &changes(&example.changes);
        if group.partitions > 1 {
            let what = match self.finds_only() {
                true => "paths",
                false => "partitions",
            };
            body += &format!("the same on {} {what}", group.partitions);
            body += &match group.further(example).len() {
                0 => "\n".to_owned(),
                1 => ", on some of them with another change that plays a part\n".to_owned(),
                lines => {
                    format!(", on some of them with {lines} more changed lines that play a part\n")
                }
            };
        }
        body += &self.reproduction(example);
        let body = body.lines().map(|line| format!("   {line}\n"));
        format!(
            "{}, {seen}\n{}",
            marks.heading(&title),
            body.collect::<String>()
        )
    }

    /// The input as one would type it.
    fn input(&self, input: &InputRecord) -> String {
        let Some(command) = self.command(input) else {
            let lines = input_as_typed(input);
            let lines = lines.lines().map(|line| format!("{}\n", line.trim_start()));
            return lines.collect();
        };
        let mut text = format!("input: {command}\n");
        for (path, content) in &input.files {
            let name = self.in_working_folder(path);
            text += &format!("file {name}: {}\n", shell_word(content));
        }
        // Those of a function are its arguments.
        for (name, value) in input.variables.iter().filter(|_| self.function.is_none()) {
            text += &format!("{name}: {}\n", number_or_bytes(value));
        }
        text
    }

    /// A path of the guest as the program itself would write it.
    fn in_working_folder<'p>(&self, path: &'p str) -> &'p str {
        in_folder(self.working_folder, path)
    }

    /// A command that shows the difference: natively, or in the VM if it is seen there only.
    fn reproduction(&self, example: &Example) -> String {
        let word = |path: &Path| shell_word(path.as_os_str().as_bytes());
        if let Some(script) = example.reproduce() {
            return format!("reproduce: sh {}\n", word(&script));
        }
        if !example.input.variables.is_empty() || self.function.is_some() {
            return format!("tests: {}\n", word(&example.folder));
        }
        let input = &example.input;
        let test = example.folder.join("new");
        let mut given = format!(" --arg0 {}", shell_word(&input.args[0]));
        given += &match input.stdin.is_empty() {
            true => " --stdin /dev/null".to_owned(),
            false => format!(" --stdin {}", word(&test.join("stdin"))),
        };
        for (name, value) in &input.environment {
            let pair = [name.as_bytes(), b"=", value].concat();
            given += &format!(" --env {}", shell_word(&pair));
        }
        for path in input.files.keys() {
            let name = self.in_working_folder(path);
            let copy = test.join("files").join(name);
            let pair = format!("{}={path}", copy.display());
            given += &format!(" --file {}", shell_word(pair.as_bytes()));
        }
        let arguments = input.args.iter().skip(1);
        let arguments: String = arguments
            .map(|arg| format!(" {}", shell_word(arg)))
            .collect();
        let run = |files: &[PathBuf]| format!("parallax run {}{given} --{arguments}", typed(files));
        format!(
            "in the VM: {}; {}\n",
            run(&self.names.old),
            run(&self.names.new)
        )
    }
}

/// What an `equivalent` depends on, as it follows one.
pub(super) fn provided<'u>(assumed: impl Iterator<Item = &'u Assumed>) -> String {
    let assumed: BTreeSet<_> = assumed.map(|one| one.what.assumption()).collect();
    match assumed.is_empty() {
        true => String::new(),
        false => {
            let assumed: Vec<_> = assumed.into_iter().collect();
            format!(", provided that {}", assumed.join(" and "))
        }
    }
}

/// A path as one writes it in a folder.
pub(super) fn in_folder<'p>(folder: &str, path: &'p str) -> &'p str {
    let inside = path.strip_prefix(folder);
    let inside = inside.and_then(|rest| rest.strip_prefix('/'));
    inside.unwrap_or(path)
}

/// What both versions did, as far as it is an observable.
pub(super) fn outputs(
    observable: &Observable,
    example: &Example,
    max_steps: u64,
    marks: Marks,
) -> String {
    let (old, new) = (&example.old, &example.new);
    match observable {
        Observable::Stdout => contrasted(&old.stdout, &new.stdout, marks),
        Observable::Stderr => contrasted(&old.stderr, &new.stderr, marks),
        Observable::File(path) => {
            let content = |expected: &Expected| {
                let same = |name: &&PathBuf| Path::new(path).ends_with(name);
                let name = expected.files.keys().find(same);
                name.map(|name| expected.files[name].clone())
                    .or_else(|| example.input.files.get(path).cloned())
                    .unwrap_or_default()
            };
            let (old, new) = (content(old), content(new));
            match example.attributes.get(path) {
                None => contrasted(&old, &new, marks),
                Some([old_has, new_has]) => {
                    let mut text = format!(
                        "old: {}\nnew: {}\n",
                        marks.of_old(old_has),
                        marks.of_new(new_has)
                    );
                    if old != new {
                        text += &contrasted(&old, &new, marks);
                    }
                    text
                }
            }
        }
        Observable::End | Observable::ExitStatus | Observable::Returned => format!(
            "old: {}\nnew: {}\n",
            marks.of_old(&end_in_words(old, max_steps)),
            marks.of_new(&end_in_words(new, max_steps))
        ),
    }
}

pub(super) fn end_in_words(expected: &Expected, max_steps: u64) -> String {
    let end = &expected.end;
    if end.kind == "step-limit" {
        return format!("does not end within {max_steps} instructions");
    }
    let place = match (&end.file, end.line) {
        (Some(file), Some(line)) if end.kind != "exit" => {
            format!(" at {file}:{line}")
        }
        _ => String::new(),
    };
    format!("{}{place}", end.description)
}

/// Longer standard input is not part of a command.
const MOST_PIPED: usize = 60;

/// The call with its standard input, if that is short.
pub(super) fn command(input: &InputRecord) -> Option<String> {
    let mut text = String::new();
    if !input.stdin.is_empty() {
        let piped = printf(&input.stdin);
        if piped.len() > MOST_PIPED {
            return None;
        }
        text += &format!("printf '{piped}' | ");
    }
    for (name, value) in &input.environment {
        text += &format!("{name}={} ", shell_word(value));
    }
    let words: Vec<String> = input.args.iter().map(|arg| shell_word(arg)).collect();
    Some(text + &words.join(" "))
}

/// An input that shows something, as one types it, if that is short.
pub(super) fn as_for(command: Option<String>) -> String {
    match command {
        Some(command) => format!(", as for `{command}`"),
        None => String::new(),
    }
}

/// Bytes as a format of `printf` in single quotes.
fn printf(bytes: &[u8]) -> String {
    let mut text = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\\' => text += "\\\\",
            b'%' => text += "%%",
            b'\'' => text += "'\\''",
            b' '..=b'~' => text.push(byte as char),
            _ => text += &format!("\\{byte:03o}"),
        }
    }
    text
}

/// The changed lines that a difference comes from, with their code.
pub(super) fn changes(lines: &[ChangedLine]) -> String {
    let mut text = String::new();
    if !lines.is_empty() {
        text += "changed lines behind it:\n";
    }
    let place = |change: &Told<'_>| {
        let gone = if change.is_removed { ", removed" } else { "" };
        let used = if change.is_used { ", used" } else { "" };
        let (file, line, function) = (change.file, change.line, change.function);
        format!("{file}:{line}{used} in {function}{gone}")
    };
    let lines = told(lines);
    let shown = &lines[..lines.len().min(MOST_CHANGES)];
    let width = shown
        .iter()
        .map(|change| place(change).chars().count())
        .max();
    for change in shown {
        let place = place(change);
        text += &match source_line(change) {
            Some(code) => format!("  {place:<0$}  | {code}\n", width.unwrap_or(0)),
            None => format!("  {place}\n"),
        };
        for note in change.notes {
            text += &format!("    same text, but {note}\n");
        }
    }
    if lines.len() > MOST_CHANGES {
        text += &format!("  and {} more\n", lines.len() - MOST_CHANGES);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_input_is_piped_as_a_shell_does() {
        let odd: Vec<u8> = (0..=255).collect();
        for bytes in [&b"a b\n"[..], b"100% 'sure'\\n\t", &odd] {
            let script = format!("printf '{}'", printf(bytes));
            let output = std::process::Command::new("sh")
                .args(["-c", &script])
                .output();
            assert_eq!(output.unwrap().stdout, bytes, "{script}");
        }
    }
}
