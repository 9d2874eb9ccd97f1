//! Two outputs side by side, with the part that differs marked: one line each if they are short, a small diff of
//! lines if not. On a terminal the marks are colours.

use std::ops::Range;

/// Whether marks are colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marks {
    Signs,
    Colours,
}

impl Marks {
    fn coloured(self, colour: &str, text: &str) -> String {
        match self {
            Marks::Colours if !text.is_empty() => format!("\x1b[{colour}m{text}\x1b[0m"),
            _ => text.to_owned(),
        }
    }

    pub fn of_old(self, text: &str) -> String {
        self.coloured("31", text)
    }

    pub fn of_new(self, text: &str) -> String {
        self.coloured("32", text)
    }

    pub fn heading(self, text: &str) -> String {
        self.coloured("1", text)
    }
}

/// What stands before the lines of the two versions: `old` and `new`, or their names if there are more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels<'l> {
    names: [&'l str; 2],
    colon: char,
}

impl<'l> Labels<'l> {
    pub const TWO: Labels<'static> = Labels {
        names: ["old", "new"],
        colon: ':',
    };

    /// Of two of several versions.
    pub fn of(names: [&'l str; 2]) -> Labels<'l> {
        Labels { names, colon: ' ' }
    }

    /// Two lines.
    pub fn lines(self, old: &str, new: &str) -> String {
        let label = |name: &str| format!("{name}{}", self.colon);
        let [old_label, new_label] = self.names.map(label);
        format!("{old_label:<4} {old}\n{new_label:<4} {new}\n")
    }

    fn width(self) -> usize {
        let widest = self.names.map(|name| name.chars().count() + 1);
        5.max(widest[0].max(widest[1]) + 1)
    }
}

/// Both outputs, each line of the result with a line end.
pub fn contrasted(old: &[u8], new: &[u8], marks: Marks, labels: Labels<'_>) -> String {
    let is_short = |bytes: &[u8]| !bytes.strip_suffix(b"\n").unwrap_or(bytes).contains(&b'\n');
    match is_short(old) && is_short(new) {
        true => lines_side_by_side(old, new, marks, labels),
        false => small_diff(old, new, marks, labels),
    }
}

/// How much of a long line is shown, and how much of that before the difference.
const SHOWN: usize = 72;
const BEFORE: usize = 24;

fn lines_side_by_side(old: &[u8], new: &[u8], marks: Marks, labels: Labels<'_>) -> String {
    let (old_text, new_text) = (printable(old), printable(new));
    // Line ends are shown where they are what differs, or all there is.
    let is_bare = |bytes: &[u8]| bytes == b"\n";
    let ends = old.ends_with(b"\n") == new.ends_with(b"\n") || old.is_empty() || new.is_empty();
    let hidden = ends && !is_bare(old) && !is_bare(new);
    let text = |mut text: Vec<String>| {
        text.pop_if(|last| hidden && last == "\\n");
        text
    };
    let (old_text, new_text) = (text(old_text), text(new_text));
    let before = common(old_text.iter(), new_text.iter());
    let most = old_text.len().min(new_text.len()) - before;
    let after = common(old_text.iter().rev(), new_text.iter().rev()).min(most);
    let start = before.saturating_sub(BEFORE);
    let shown = |text: &[String]| -> Shown {
        let end = text.len().min(start + SHOWN);
        let differing = before..(text.len() - after).min(end);
        Shown {
            cut_before: start > 0,
            before: text[start..before].concat(),
            differing: text[differing.clone()].concat(),
            after: text[differing.end..end].concat(),
            cut_after: end < text.len(),
            is_empty: text.is_empty(),
        }
    };
    let (old, new) = (shown(&old_text), shown(&new_text));
    let mut text = labels.lines(
        &old.marked(|part| marks.of_old(part)),
        &new.marked(|part| marks.of_new(part)),
    );
    let width = |text: &str| text.chars().count();
    let wide = width(&old.differing).max(width(&new.differing));
    if marks == Marks::Signs && !old.is_empty && !new.is_empty {
        let place = labels.width() + width(&old.before) + if old.cut_before { 2 } else { 0 };
        text += &format!("{}{}\n", " ".repeat(place), "^".repeat(wide.max(1)));
    }
    text
}

/// A line with the part that differs.
struct Shown {
    cut_before: bool,
    before: String,
    differing: String,
    after: String,
    cut_after: bool,
    is_empty: bool,
}

impl Shown {
    fn marked(&self, mark: impl Fn(&str) -> String) -> String {
        if self.is_empty {
            return "(nothing)".to_owned();
        }
        format!(
            "{}{}{}{}{}",
            if self.cut_before { "… " } else { "" },
            self.before,
            mark(&self.differing),
            self.after,
            if self.cut_after { " …" } else { "" }
        )
    }
}

fn common<T: PartialEq>(one: impl Iterator<Item = T>, other: impl Iterator<Item = T>) -> usize {
    one.zip(other).take_while(|(a, b)| a == b).count()
}

/// A byte sequence as pieces that a terminal shows as they are: characters, and escapes for others.
fn printable(bytes: &[u8]) -> Vec<String> {
    let mut pieces = Vec::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            pieces.push(match character {
                '\n' => "\\n".to_owned(),
                '\t' => "\\t".to_owned(),
                '\\' => "\\\\".to_owned(),
                '\0'..' ' | '\x7f' => format!("\\x{:02x}", character as u32),
                _ => character.to_string(),
            });
        }
        pieces.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}")));
    }
    pieces
}

/// Equal lines around changed ones that are shown.
const CONTEXT: usize = 2;
/// The most lines that are shown.
const MOST_LINES: usize = 24;

fn small_diff(old: &[u8], new: &[u8], marks: Marks, labels: Labels<'_>) -> String {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        let lines = bytes.split_inclusive(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (old, new) = (lines(old), lines(new));
    let edits = edits(&old, &new);
    let is_near = |at: usize| {
        let near = at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(edits.len());
        edits[near]
            .iter()
            .any(|edit| !matches!(edit, Edit::Same(_)))
    };
    let shown: Vec<usize> = (0..edits.len()).filter(|&at| is_near(at)).collect();
    let line = |line: &[u8]| {
        let text = printable(line.strip_suffix(b"\n").unwrap_or(line)).concat();
        match line.ends_with(b"\n") {
            true => text,
            false => format!("{text} (no line end)"),
        }
    };
    let [old_name, new_name] = labels.names;
    let mut text = format!("(- {old_name}, + {new_name})\n");
    let mut next = 0;
    for &at in shown.iter().take(MOST_LINES) {
        if at > next {
            text += "  …\n";
        }
        text += &match edits[at] {
            Edit::Same(at) => format!("  {}\n", line(&old[at])),
            Edit::Old(at) => format!("{}\n", marks.of_old(&format!("- {}", line(&old[at])))),
            Edit::New(at) => format!("{}\n", marks.of_new(&format!("+ {}", line(&new[at])))),
        };
        next = at + 1;
    }
    if shown.len() > MOST_LINES {
        text += &format!("  … {} more lines\n", shown.len() - MOST_LINES);
    } else if next < edits.len() {
        text += "  …\n";
    }
    text
}

/// A line of both outputs, or of one, by its number there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edit {
    Same(usize),
    Old(usize),
    New(usize),
}

/// More lines than this are not aligned, but shown as replaced.
const MOST_ALIGNED: usize = 1000;

/// A shortest list of edits, by the longest common subsequence of the lines.
fn edits(old: &[Vec<u8>], new: &[Vec<u8>]) -> Vec<Edit> {
    let before = common(old.iter(), new.iter());
    let most = old.len().min(new.len()) - before;
    let after = common(old.iter().rev(), new.iter().rev()).min(most);
    let (old_part, new_part) = (before..old.len() - after, before..new.len() - after);
    let mut edits: Vec<Edit> = (0..before).map(Edit::Same).collect();
    edits.extend(match old_part.len().max(new_part.len()) > MOST_ALIGNED {
        true => {
            let removed = old_part.clone().map(Edit::Old);
            removed.chain(new_part.map(Edit::New)).collect()
        }
        false => aligned(old, new, old_part.clone(), new_part),
    });
    edits.extend((old_part.end..old.len()).map(Edit::Same));
    edits
}

fn aligned(
    old: &[Vec<u8>],
    new: &[Vec<u8>],
    old_part: Range<usize>,
    new_part: Range<usize>,
) -> Vec<Edit> {
    let (old, new) = (&old[..old_part.end], &new[..new_part.end]);
    // The length of the longest common subsequence of what follows.
    let width = new_part.len() + 1;
    let mut lengths = vec![0u32; (old_part.len() + 1) * width];
    let cell =
        |at_old: usize, at_new: usize| (at_old - old_part.start) * width + at_new - new_part.start;
    for at_old in old_part.clone().rev() {
        for at_new in new_part.clone().rev() {
            lengths[cell(at_old, at_new)] = match old[at_old] == new[at_new] {
                true => lengths[cell(at_old + 1, at_new + 1)] + 1,
                false => lengths[cell(at_old + 1, at_new)].max(lengths[cell(at_old, at_new + 1)]),
            };
        }
    }
    let mut edits = Vec::new();
    let (mut at_old, mut at_new) = (old_part.start, new_part.start);
    while at_old < old_part.end && at_new < new_part.end {
        if old[at_old] == new[at_new] {
            edits.push(Edit::Same(at_old));
            (at_old, at_new) = (at_old + 1, at_new + 1);
        } else if lengths[cell(at_old + 1, at_new)] >= lengths[cell(at_old, at_new + 1)] {
            edits.push(Edit::Old(at_old));
            at_old += 1;
        } else {
            edits.push(Edit::New(at_new));
            at_new += 1;
        }
    }
    edits.extend((at_old..old_part.end).map(Edit::Old));
    edits.extend((at_new..new_part.end).map(Edit::New));
    edits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn signs(old: &str, new: &str) -> String {
        contrasted(old.as_bytes(), new.as_bytes(), Marks::Signs, Labels::TWO)
    }

    #[test]
    fn short_outputs_stand_below_each_other() {
        assert_eq!(
            signs("total 120 EUR\n", "total 90 EUR\n"),
            "old: total 120 EUR\nnew: total 90 EUR\n           ^^\n"
        );
        assert_eq!(signs("", "x\n"), "old: (nothing)\nnew: x\n");
        assert_eq!(signs("\n", ""), "old: \\n\nnew: (nothing)\n");
        assert_eq!(signs("x", "x\n"), "old: x\nnew: x\\n\n      ^^\n");
        assert_eq!(
            contrasted(b"a\xff\tb\n", b"a\xfe\tb\n", Marks::Colours, Labels::TWO),
            "old: a\x1b[31m\\xff\x1b[0m\\tb\nnew: a\x1b[32m\\xfe\x1b[0m\\tb\n"
        );
        let more = contrasted(b"1\n", b"2\n", Marks::Signs, Labels::of(["V0", "V11"]));
        assert_eq!(more, "V0   1\nV11  2\n     ^\n");
    }

    #[test]
    fn long_lines_are_cut_around_the_difference() {
        let long = "x".repeat(200);
        let text = signs(&format!("{long}A{long}\n"), &format!("{long}B{long}\n"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("old: … x") && lines[0].ends_with("x …"),
            "{text}"
        );
        let place = lines[2].chars().position(|c| c == '^').unwrap();
        assert_eq!(lines[0].chars().nth(place), Some('A'), "{text}");
        assert_eq!(lines[1].chars().nth(place), Some('B'), "{text}");
    }

    #[test]
    fn several_lines_become_a_diff() {
        let old = "1\n2\n3\n4\n5\n6\nend\n";
        let text = signs(old, &old.replace('5', "five"));
        assert_eq!(
            text,
            "(- old, + new)\n  …\n  3\n  4\n- 5\n+ five\n  6\n  end\n"
        );
        let text = signs("a\n", "a\nb");
        assert_eq!(text, "(- old, + new)\n  a\n+ b (no line end)\n");
    }

    proptest! {
        #[test]
        fn edits_lead_from_one_to_the_other(
            old in prop::collection::vec("[abc]", 0..9),
            new in prop::collection::vec("[abc]", 0..9),
        ) {
            let bytes = |lines: &[String]| -> Vec<Vec<u8>> {
                lines.iter().map(|line| line.clone().into_bytes()).collect()
            };
            let (old, new) = (bytes(&old), bytes(&new));
            let (mut from, mut to) = (Vec::new(), Vec::new());
            for edit in edits(&old, &new) {
                match edit {
                    Edit::Same(at) => {
                        from.push(old[at].clone());
                        to.push(old[at].clone());
                    }
                    Edit::Old(at) => from.push(old[at].clone()),
                    Edit::New(at) => to.push(new[at].clone()),
                }
            }
            prop_assert_eq!((from, to), (old, new));
        }
    }
}
