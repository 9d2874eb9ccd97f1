//! Lines that say the same of many things: each once, of those that are alike the first few, and how many more there are.
//!
//! Lines are alike if their words are, names in backticks and words with digits left out: places, sizes and inputs.

use std::collections::{BTreeMap, BTreeSet};

/// How many lines that are alike are shown.
const MOST_ALIKE: usize = 3;

/// The lines in their order, those left out counted behind the last one like them.
pub(crate) fn folded(lines: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    let mut alike: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut shown: Vec<String> = Vec::new();
    for line in lines {
        if !known.insert(line.clone()) {
            continue;
        }
        let (count, last) = alike.entry(kind(&line)).or_default();
        *count += 1;
        if *count <= MOST_ALIKE {
            *last = shown.len();
            shown.push(line);
        }
    }
    for (count, last) in alike.into_values() {
        if count > MOST_ALIKE {
            let more = count - MOST_ALIKE;
            shown[last] += &format!(" (and {more} more such, with --format json)");
        }
    }
    shown
}

/// A text without repetitions of advice.
pub(crate) fn advised_once(text: &str) -> String {
    let mut known = BTreeSet::new();
    let lines = text.split_inclusive('\n');
    lines
        .filter(|&line| !line.trim_start().starts_with("next: ") || known.insert(line))
        .collect()
}

fn kind(line: &str) -> String {
    let outside = line.split('`').step_by(2);
    let words = outside.flat_map(str::split_whitespace);
    let words = words.filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_alike_is_counted() {
        let lines = (0..10).map(|number| format!("incomplete: `f{number}` at a.c:{number}"));
        let lines = lines.chain(["other".to_owned(), "other".to_owned()]);
        assert_eq!(
            folded(lines),
            [
                "incomplete: `f0` at a.c:0",
                "incomplete: `f1` at a.c:1",
                "incomplete: `f2` at a.c:2 (and 7 more such, with --format json)",
                "other"
            ]
        );
    }

    #[test]
    fn advice_is_given_once() {
        let text = "a\nnext: b\na\n  next: c\nnext: b\n";
        assert_eq!(advised_once(text), "a\nnext: b\na\n  next: c\n");
    }
}
