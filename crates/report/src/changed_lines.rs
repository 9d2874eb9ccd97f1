//! Changed lines, in words and for machines.

use compare::versions::changed_line::ReportedChange;
use serde_json::{Value, json};

use crate::excerpt::name;

/// How many changed lines are shown.
pub(crate) const MOST_CHANGES: usize = 8;
/// The same in a line of progress.
const MOST_PLACES: usize = 3;

/// Changed lines with their code.
pub(crate) fn text(lines: &[ReportedChange]) -> String {
    let mut text = String::new();
    let shown = &lines[..lines.len().min(MOST_CHANGES)];
    let width = shown
        .iter()
        .map(|change| place(change).chars().count())
        .max();
    for change in shown {
        let place = place(change);
        text += &match &change.code {
            Some(code) => {
                let code = name(code);
                format!("  {place:<0$}  | {code}\n", width.unwrap_or(0))
            }
            None => format!("  {place}\n"),
        };
        for note in &change.notes {
            text += &format!("    same text, but {}\n", name(note));
        }
    }
    if lines.len() > MOST_CHANGES {
        text += &format!("  and {} more\n", lines.len() - MOST_CHANGES);
    }
    text
}

fn place(change: &ReportedChange) -> String {
    let gone = if change.is_removed { ", removed" } else { "" };
    let used = if change.is_used { ", used" } else { "" };
    let (file, function) = (name(&change.file), name(&change.function));
    format!("{file}:{}{used} in {function}{gone}", change.line)
}

/// The first of them, in one line.
pub(crate) fn places(lines: &[ReportedChange]) -> String {
    let shown: Vec<String> = lines.iter().take(MOST_PLACES).map(place).collect();
    let more = match lines.len().saturating_sub(MOST_PLACES) {
        0 => String::new(),
        more => format!(" and {more} more changed lines"),
    };
    shown.join(", ") + &more
}

/// The same for machines.
pub(crate) fn json(lines: &[ReportedChange]) -> Vec<Value> {
    let line = |change: &ReportedChange| {
        json!({
            "file": change.file,
            "line": change.line,
            "function": change.function,
            "removed": change.is_removed,
            "notes": change.notes,
        })
    };
    lines.iter().map(line).collect()
}
