//! The report for people.

use std::collections::BTreeSet;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use exploration::Verdict;
use exploration::compare::Observable;
use exploration::worker::Part;

use super::differences::Group;
use super::examples::Example;
use super::report::Report;
use super::version_files::{VersionFiles, typed};
use crate::cli::counted;
use crate::cli::explore::input_as_typed;
use crate::test_case::{Expected, shell_word};

impl Report<'_> {
    pub(super) fn text(&self) -> String {
        let (old, new) = (typed(&self.names.old), typed(&self.names.new));
        let Some(summary) = self.summary else {
            return format!("equivalent: {old} and {new} compile to the same code for the VM\n");
        };
        let counts = self.counts();
        let equal = counts.same_terms + counts.by_solver;
        let mut text = match self.verdict() {
            Verdict::Equivalent => format!(
                "equivalent: {old} and {new} behave the same on every input within the bounds\n"
            ),
            Verdict::Different => format!(
                "different: {}\n",
                counted(self.differences.len() as u64, "kind of difference")
                    .replace("kind of differences", "kinds of difference")
            ),
            Verdict::Undecided => {
                "undecided: no difference was confirmed, and not everything is proved equal\n"
                    .to_owned()
            }
        };
        for ((group, example), number) in self.differences.iter().zip(1..) {
            text += &difference_text(number, group, example, self.names);
        }
        if !self.differences.is_empty() {
            text.push('\n');
        }
        text += &format!(
            "{} in {:.1} s: {} proved equal ({} by equal terms, {} by the solver), {} different, {} not known\n",
            counted(summary.partitions.len() as u64, "partition"),
            self.wall.as_secs_f64(),
            equal,
            counts.same_terms,
            counts.by_solver,
            counts.different,
            counts.unknown
        );
        if !summary.exhausted() {
            text += &format!("not everything was explored: {}", summary.stop);
            text += &match summary.open_flips {
                0 => "\n".to_owned(),
                open => format!(", {} not tried\n", counted(open as u64, "way")),
            };
        }
        let mut reasons = BTreeSet::new();
        for partition in &summary.partitions {
            if let Part::Unknown { why } = &partition.part {
                reasons.insert(why);
            }
        }
        for why in reasons {
            text += &format!("not known: {why}\n");
        }
        for what in &self.left_out {
            text += &format!("not compared: {what}\n");
        }
        for (gap, times) in &summary.gaps {
            text += &format!("incomplete: {gap} ({times} times)\n");
        }
        for taken in &summary.taken_as_is {
            let note = taken.note(summary.exhausted());
            text += &format!("note: {note}\n");
        }
        text += &format!("bounds: {}\n", self.bounds().join("; "));
        text
    }
}

fn difference_text(
    number: usize,
    group: &Group,
    example: &Example,
    names: &VersionFiles,
) -> String {
    let observables: Vec<String> = group.observables.iter().map(ToString::to_string).collect();
    let seen = match &example.unconfirmed {
        None => "seen natively".to_owned(),
        Some(why) => format!("seen in the VM only: {why}"),
    };
    let mut text = format!(
        "\n{number}. {} differ{}, {seen}\n",
        observables.join(" and "),
        if observables.len() == 1 { "s" } else { "" }
    );
    for line in input_as_typed(&example.input).lines() {
        text += &format!(
            "   {}
",
            line.trim_start()
        );
    }
    for observable in &group.observables {
        let (old, new) = match observable {
            Observable::Stdout => contrasted(&example.old.stdout, &example.new.stdout),
            Observable::Stderr => contrasted(&example.old.stderr, &example.new.stderr),
            Observable::File(path) => {
                let content = |expected: &Expected| {
                    let same = |name: &&PathBuf| Path::new(path).ends_with(name);
                    let name = expected.files.keys().find(same);
                    name.map(|name| expected.files[name].clone())
                        .or_else(|| example.input.files.get(path).cloned())
                        .unwrap_or_default()
                };
                contrasted(&content(&example.old), &content(&example.new))
            }
            Observable::End | Observable::ExitStatus | Observable::Returned => (
                example.old.end.description.clone(),
                example.new.end.description.clone(),
            ),
        };
        let label = match group.observables.len() {
            1 => String::new(),
            _ => format!(" {observable}"),
        };
        text += &format!("   old{label}: {old}\n   new{label}: {new}\n");
    }
    if !group.changes.is_empty() {
        text += "   changed lines on the way:\n";
        for change in &group.changes {
            text += &format!(
                "     {}:{} in {}\n",
                change.file, change.line, change.function
            );
        }
    }
    if group.partitions > 1 {
        text += &format!("   the same on {} partitions", group.partitions);
        text += &match group.also.len() {
            0 => "\n".to_owned(),
            1 => ", on some of them with another changed line on the way\n".to_owned(),
            lines => format!(", on some of them with {lines} more changed lines on the way\n"),
        };
    }
    if let Some(folder) = &example.folder {
        let word = |path: &Path| shell_word(path.as_os_str().as_bytes());
        text += &format!(
            "   reproduce: parallax replay {} --tests {}; parallax replay {} --tests {}\n",
            typed(&names.old),
            word(&folder.join("old")),
            typed(&names.new),
            word(&folder.join("new"))
        );
    }
    text
}

/// Two outputs around the place where they part.
fn contrasted(old: &[u8], new: &[u8]) -> (String, String) {
    const BEFORE: usize = 24;
    const SHOWN: usize = 72;
    let common = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let start = common.saturating_sub(BEFORE);
    let part = |bytes: &[u8]| {
        let end = bytes.len().min(start + SHOWN);
        let shown = shell_word(&bytes[start.min(bytes.len())..end]);
        let before = if start > 0 { "… " } else { "" };
        let after = if end < bytes.len() { " …" } else { "" };
        format!("{before}{shown}{after}")
    };
    (part(old), part(new))
}
