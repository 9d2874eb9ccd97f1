//! Source lines around a responsible change.

use std::collections::BTreeMap;

use compare::versions::changed_line::ReportedChange;
use serde::Serialize;

use crate::excerpt;

/// The text of files, by the name that changed lines have them under.
pub type Sources = BTreeMap<String, String>;

/// Lines before and after a change.
const AROUND: u32 = 3;
const MOST_OF_LINE: usize = 200;
/// How many changes of a difference are shown.
const MOST_CHANGES: usize = 12;

/// A place in a file, with its changed lines marked.
#[derive(Serialize)]
pub(super) struct Excerpt {
    pub(super) file: String,
    pub(super) function: String,
    pub(super) lines: Vec<Line>,
    pub(super) notes: Vec<String>,
    /// So many changes are not shown; on the last place.
    pub(super) more: usize,
}

#[derive(Serialize)]
pub(super) struct Line {
    number: u32,
    text: String,
    /// `changed`, `removed`, or nothing.
    mark: &'static str,
}

/// The places of changes; changes that are near each other are one place.
pub(super) fn excerpts(changes: &[ReportedChange], sources: &Sources) -> Vec<Excerpt> {
    let mut places: Vec<Vec<&ReportedChange>> = Vec::new();
    for change in changes.iter().take(MOST_CHANGES) {
        let near = |other: &&ReportedChange| {
            other.file == change.file
                && other.function == change.function
                && other.is_removed == change.is_removed
                && other.line.abs_diff(change.line) <= 2 * AROUND
        };
        match places.iter_mut().find(|place| place.iter().any(near)) {
            Some(place) => place.push(change),
            None => places.push(vec![change]),
        }
    }
    let mut excerpts: Vec<Excerpt> = places.iter().map(|place| excerpt(place, sources)).collect();
    if let Some(last) = excerpts.last_mut() {
        last.more = changes.len().saturating_sub(MOST_CHANGES);
    }
    excerpts
}

fn excerpt(place: &[&ReportedChange], sources: &Sources) -> Excerpt {
    let first = place[0];
    let notes = place.iter().flat_map(|change| &change.notes);
    let source = sources.get(&first.file);
    let lines = source.and_then(|source| around(place, source));
    Excerpt {
        file: excerpt::words(&first.file, MOST_OF_LINE),
        function: excerpt::words(&first.function, MOST_OF_LINE),
        lines: lines.unwrap_or_else(|| alone(place)),
        notes: notes
            .map(|note| excerpt::words(note, MOST_OF_LINE))
            .collect(),
        more: 0,
    }
}

fn mark(change: &ReportedChange) -> &'static str {
    match change.is_removed {
        true => "removed",
        false => "changed",
    }
}

fn line(number: u32, text: &str, mark: &'static str) -> Line {
    let text = text.replace('\t', "    ");
    Line {
        number,
        text: excerpt::words(text.trim_end(), MOST_OF_LINE),
        mark,
    }
}

/// The changed lines by themselves.
fn alone(place: &[&ReportedChange]) -> Vec<Line> {
    let lines = place.iter();
    lines
        .map(|change| {
            line(
                change.line,
                change
                    .code
                    .as_deref()
                    .unwrap_or("(the source is not there)"),
                mark(change),
            )
        })
        .collect()
}

/// With the lines around them, if the file still is what was compared.
fn around(place: &[&ReportedChange], source: &str) -> Option<Vec<Line>> {
    let lines: Vec<&str> = source.lines().collect();
    let at = |number: u32| lines.get(number.checked_sub(1)? as usize).copied();
    for change in place {
        let code = change.code.as_deref()?.trim_matches('…');
        let own = at(change.line)?.replace('\t', " ");
        if !own.contains(code) {
            return None;
        }
    }
    let first = place
        .iter()
        .map(|change| change.line)
        .min()?
        .saturating_sub(AROUND)
        .max(1);
    let last = place.iter().map(|change| change.line).max()? + AROUND;
    let last = last.min(lines.len() as u32);
    let marked = |number: u32| {
        let own = place.iter().find(|change| change.line == number);
        own.map_or("", |change| mark(change))
    };
    Some(
        (first..=last)
            .map(|number| line(number, at(number).unwrap_or_default(), marked(number)))
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(line: u32, code: &str) -> ReportedChange {
        ReportedChange {
            file: "a.c".to_owned(),
            line,
            function: "f".to_owned(),
            is_removed: false,
            is_used: false,
            notes: Vec::new(),
            code: Some(code.to_owned()),
        }
    }

    #[test]
    fn lines_around_a_change_are_of_the_same_file() {
        let source: String = (1..=20).map(|line| format!("\tline {line};\n")).collect();
        let sources = Sources::from([("a.c".to_owned(), source)]);
        let places = excerpts(&[change(10, "line 10;"), change(12, "line 12;")], &sources);
        assert_eq!(places.len(), 1);
        let lines = &places[0].lines;
        assert_eq!((lines[0].number, lines.len()), (7, 9));
        assert_eq!(lines[3].mark, "changed");
        // The file was edited since.
        let places = excerpts(&[change(10, "another line;")], &sources);
        assert_eq!(places[0].lines.len(), 1);
        assert_eq!(places[0].lines[0].text, "another line;");
    }
}
