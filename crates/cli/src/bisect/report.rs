//! What `bisect` found, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::behaviour::Behaviour;
use build::git::short;
use campaign::bisect::{Bisected, Change, Revision};
use report::words::counted;

pub(super) struct BisectReport<'r> {
    pub(super) range: &'r str,
    pub(super) found: &'r Bisected<Behaviour>,
    pub(super) asked: usize,
    pub(super) built: usize,
    /// Whether every commit was asked.
    pub(super) every: bool,
}

impl BisectReport<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = match self.found.changes.len() {
            0 => self.nothing(),
            number => format!(
                "{} in {}\n",
                counted(number as u64, "change of behaviour")
                    .replace("change of behaviours", "changes of behaviour"),
                self.range
            ),
        };
        for (number, change) in self.found.changes.iter().enumerate() {
            text += &change_text(change, self.undone_by(number), "");
        }
        if !self.every && !self.found.changes.is_empty() {
            text += "the range was halved: there may be other changes; --all asks every commit\n";
        }
        let commits = self.found.line.len() - 1;
        let _ = writeln!(
            text,
            "{} in the range; {} asked, {} built",
            counted(commits as u64, "commit"),
            counted(self.asked as u64, "version"),
            self.built
        );
        text
    }

    fn nothing(&self) -> String {
        match self.every {
            true => format!(
                "no commit in {} changes what the program does on this input\n",
                self.range
            ),
            false => format!(
                "both ends of {} do the same on this input; --all asks the commits between, too\n",
                self.range
            ),
        }
    }

    /// The change that this one undoes.
    fn undone_by(&self, number: usize) -> Option<&Change<Behaviour>> {
        let (earlier, rest) = self.found.changes.split_at(number);
        let new = &rest[0].new;
        earlier.iter().rev().find(|change| change.old == *new)
    }

    pub(super) fn json(&self) -> Value {
        let changes = self.found.changes.iter().enumerate();
        json!({
            "range": self.range,
            "commits": self.found.line.len() - 1,
            "asked": self.asked,
            "built": self.built,
            "every_commit_asked": self.every,
            "first": self.found.first.json(),
            "last": self.found.last.json(),
            "changes": changes
                .map(|(number, change)| change_json(change, self.undone_by(number)))
                .collect::<Vec<_>>(),
        })
    }
}

fn named(version: &Revision) -> String {
    format!("{} {}", short(&version.commit), version.subject)
}

fn change_text(
    change: &Change<Behaviour>,
    undone: Option<&Change<Behaviour>>,
    indent: &str,
) -> String {
    let mut text = String::new();
    let mut line = |words: String| {
        let _ = writeln!(text, "{indent}{words}");
    };
    match change.silent.is_empty() {
        true => line(named(&change.after)),
        false => {
            line(format!(
                "between {} and {}",
                named(&change.before),
                named(&change.after)
            ));
            for (version, reason) in &change.silent {
                let first = reason.lines().next().unwrap_or_default();
                let first = first.trim_end_matches(':');
                line(format!("  skipped: {}: {first}", named(version)));
            }
        }
    }
    for (what, old, new) in change.old.differences(&change.new) {
        line(format!("  {what}: {old} -> {new}"));
    }
    if let Some(undone) = undone {
        line(format!("  undoes {}", named(&undone.after)));
    }
    if change.by_merging {
        line("  by merging: no line that was merged does so by itself".to_owned());
    }
    if let Some(merged) = &change.merged {
        line("  it came in by".to_owned());
        text += &change_text(merged, None, &format!("{indent}    "));
    }
    text
}

fn version_json(version: &Revision) -> Value {
    json!({ "commit": version.commit, "subject": version.subject })
}

fn change_json(change: &Change<Behaviour>, undone: Option<&Change<Behaviour>>) -> Value {
    let skipped = change.silent.iter().map(|(version, reason)| {
        json!({ "commit": version.commit, "subject": version.subject, "reason": reason })
    });
    json!({
        "exact": change.silent.is_empty(),
        "before": version_json(&change.before),
        "after": version_json(&change.after),
        "skipped": skipped.collect::<Vec<_>>(),
        "old": change.old.json(),
        "new": change.new.json(),
        "undoes": undone.map(|undone| version_json(&undone.after)),
        "by_merging": change.by_merging,
        "merged": change.merged.as_ref().map(|merged| change_json(merged, None)),
    })
}
