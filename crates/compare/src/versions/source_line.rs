//! The code of a changed line. Of a long one, the part that has changed is shown.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// How much of a line is shown.
const MOST_CHARACTERS: usize = 100;

/// The text of a line, if the source is still there. `before` are the lines that it may have been.
pub(super) fn source_line(path: &Path, line: u32, before: &[(PathBuf, u32)]) -> Option<String> {
    let line = line_of(path, line)?;
    let before = before.iter();
    let before: Vec<String> = before
        .filter_map(|(path, line)| line_of(path, *line))
        .collect();
    (!line.is_empty()).then(|| excerpt(&line, &before))
}

fn line_of(path: &Path, line: u32) -> Option<String> {
    let source = build::source_text::read(path)?;
    let source = String::from_utf8_lossy(&source);
    let line = source.lines().nth(line.checked_sub(1)? as usize)?;
    Some(line.trim().replace('\t', " "))
}

/// A line, or the part of a long one around what has changed; `before` are the lines that it may have been.
fn excerpt(line: &str, before: &[String]) -> String {
    let line: Vec<char> = line.chars().collect();
    if line.len() <= MOST_CHARACTERS {
        return line.into_iter().collect();
    }
    let differing = before.iter().map(|before| differing(before, &line));
    // Equal lines mean something else for another reason.
    let differing = differing.filter(|range| range.start < line.len());
    let changed = differing.min_by_key(Range::len).unwrap_or(0..0);
    let around = MOST_CHARACTERS.saturating_sub(changed.len()) / 2;
    let start = changed.start.saturating_sub(around);
    let start = start.min(line.len() - MOST_CHARACTERS);
    let end = start + MOST_CHARACTERS;
    let mut shown: String = line[start..end].iter().collect();
    if start > 0 {
        shown.insert(0, '…');
    }
    if end < line.len() {
        shown.push('…');
    }
    shown
}

/// Which part of a line is not as it was. Where something was only taken out, that is empty.
fn differing(before: &str, line: &[char]) -> Range<usize> {
    let before: Vec<char> = before.chars().collect();
    let same = |(a, b): &(&char, &char)| a == b;
    let first = before.iter().zip(line).take_while(same).count();
    let rest = before.len().min(line.len()) - first;
    let last = before.iter().rev().zip(line.iter().rev());
    let last = last.take_while(same).take(rest).count();
    first..line.len() - last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changed_part_of_a_long_line_is_shown() {
        let line = |what: &str| format!("{}{what}{}", "a".repeat(150), "b".repeat(150));
        let (old, new) = (line("-old-"), line("-other-"));
        let shown = excerpt(&new, &["else".to_owned(), old]);
        assert!(shown.contains("a-other-b"), "{shown}");
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert_eq!(shown.chars().count(), MOST_CHARACTERS + 2);
        // The end is shown whole.
        let shown = excerpt(&(line("") + "!"), &[line("")]);
        assert!(shown.ends_with("b!"), "{shown}");
        // What is longer than that is shown from its beginning on.
        let long = format!("x{}", "y".repeat(300));
        assert!(excerpt(&long, &["x".to_owned()]).starts_with("…yyy"));
        // Nothing tells where it changed: the beginning is as good as any part.
        for before in [&[][..], std::slice::from_ref(&new)] {
            let shown = excerpt(&new, before);
            assert!(shown.starts_with("aaa") && shown.ends_with('…'), "{shown}");
        }
        assert_eq!(excerpt("short", &["shirt".to_owned()]), "short");
    }
}
