//! Two texts side by side, line by line, with the parts of lines that differ marked.

use serde::Serialize;
use similar::{ChangeTag, DiffOp, TextDiff};

/// Equal lines around a difference that are shown.
const CONTEXT: usize = 3;
/// The most rows that are shown.
const MOST_ROWS: usize = 120;
/// Longer lines are marked as a whole.
const MOST_MARKED: usize = 400;

/// A row of both texts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Row {
    Same {
        old: Cell,
        new: Cell,
    },
    Differs {
        old: Option<Cell>,
        new: Option<Cell>,
    },
    /// So many rows are left out.
    Skipped(usize),
}

/// A line of one text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Cell {
    /// From 1.
    pub(super) number: usize,
    pub(super) parts: Vec<Part>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct Part {
    pub(super) text: String,
    /// It is not in the other text.
    pub(super) is_marked: bool,
}

/// The rows of two texts.
pub(super) fn rows(old: &str, new: &str) -> Vec<Row> {
    let diff = TextDiff::from_lines(old, new);
    let [old, new] = [old, new].map(|text| text.lines().collect::<Vec<_>>());
    let mut rows = Vec::new();
    for op in diff.ops() {
        match *op {
            DiffOp::Equal {
                old_index,
                new_index,
                len,
            } => {
                rows.extend((0..len).map(|at| Row::Same {
                    old: plain(old_index + at, old[old_index + at], false),
                    new: plain(new_index + at, new[new_index + at], false),
                }));
            }
            _ => {
                let (olds, news) = (op.old_range(), op.new_range());
                for at in 0..olds.len().max(news.len()) {
                    let [one, other] = [(&olds, &old), (&news, &new)].map(|(range, lines)| {
                        range.clone().nth(at).map(|line| (line, lines[line]))
                    });
                    rows.push(differing(one, other));
                }
            }
        }
    }
    shortened(rows)
}

fn plain(at: usize, line: &str, is_marked: bool) -> Cell {
    Cell {
        number: at + 1,
        parts: vec![Part {
            text: line.to_owned(),
            is_marked,
        }],
    }
}

fn differing(old: Option<(usize, &str)>, new: Option<(usize, &str)>) -> Row {
    let (old, new) = match (old, new) {
        (Some((old_at, old)), Some((new_at, new))) if old.len().max(new.len()) <= MOST_MARKED => {
            let diff = TextDiff::from_unicode_words(old, new);
            let side = |at: usize, own: ChangeTag| {
                let changes = diff
                    .iter_all_changes()
                    .filter(|change| [ChangeTag::Equal, own].contains(&change.tag()));
                let mut parts: Vec<Part> = Vec::new();
                for change in changes {
                    let is_marked = change.tag() == own;
                    match parts.last_mut() {
                        Some(last) if last.is_marked == is_marked => last.text += change.value(),
                        _ => parts.push(Part {
                            text: change.value().to_owned(),
                            is_marked,
                        }),
                    }
                }
                Cell {
                    number: at + 1,
                    parts,
                }
            };
            (
                Some(side(old_at, ChangeTag::Delete)),
                Some(side(new_at, ChangeTag::Insert)),
            )
        }
        (old, new) => {
            let cell = |(at, line)| plain(at, line, true);
            (old.map(cell), new.map(cell))
        }
    };
    Row::Differs { old, new }
}

/// Without equal rows that are far from a difference, and without more than one reads.
fn shortened(rows: Vec<Row>) -> Vec<Row> {
    let is_same = |row: &Row| matches!(row, Row::Same { .. });
    let differing: Vec<usize> = (0..rows.len()).filter(|&at| !is_same(&rows[at])).collect();
    let is_near = |at: usize| {
        let next = differing.partition_point(|&other| other < at);
        let near =
            |other: Option<&usize>| other.is_some_and(|&other| other.abs_diff(at) <= CONTEXT);
        near(differing.get(next))
            || near(next.checked_sub(1).and_then(|before| differing.get(before)))
    };
    let mut shown = Vec::new();
    let mut skipped = 0;
    for (at, row) in rows.into_iter().enumerate() {
        if !is_near(at) || shown.len() >= MOST_ROWS {
            skipped += 1;
            continue;
        }
        if skipped > 0 {
            shown.push(Row::Skipped(skipped));
            skipped = 0;
        }
        shown.push(row);
    }
    if skipped > 0 {
        shown.push(Row::Skipped(skipped));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_marked() {
        let rows = rows("total 120 EUR\n", "total 90 EUR\n");
        let [
            Row::Differs {
                old: Some(old),
                new: Some(new),
            },
        ] = &rows[..]
        else {
            panic!("{rows:?}")
        };
        let marked = |cell: &Cell| -> String {
            cell.parts
                .iter()
                .filter(|part| part.is_marked)
                .map(|part| part.text.as_str())
                .collect()
        };
        assert_eq!(
            (marked(old), marked(new)),
            ("120".to_owned(), "90".to_owned())
        );
    }

    #[test]
    fn far_lines_are_counted() {
        let old: String = (0..50).map(|line| format!("{line}\n")).collect();
        let rows = rows(&old, &old.replace("25\n", "x\n"));
        assert_eq!(rows.len(), 9);
        assert_eq!((&rows[0], &rows[8]), (&Row::Skipped(22), &Row::Skipped(21)));
    }

    /// Nothing is lost.
    #[test]
    fn many_lines_are_counted() {
        let lines =
            |what: &str| -> String { (0..500).map(|line| format!("{what}{line}\n")).collect() };
        let rows = rows(&lines("a"), &lines("b"));
        assert_eq!(rows.len(), MOST_ROWS + 1);
        assert_eq!(rows.last(), Some(&Row::Skipped(500 - MOST_ROWS)));
    }
}
