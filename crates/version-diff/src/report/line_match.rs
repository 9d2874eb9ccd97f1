//! Which line of a function's new text is which of its old text.
//!
//! First the longest common subsequence of equal lines, then, in the *hunks* between
//! them, lines that are alike. A hunk whose tokens are the same on both sides was only
//! laid out differently.

use super::text::{Text, is_name};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Larger tables are not filled; such a stretch is one hunk.
const LARGEST_TABLE: usize = 4_000_000;
/// The least share of common tokens of two versions of a line, in percent.
const ALIKE: usize = 50;

#[derive(Clone, Debug, Default)]
pub(super) struct LineMatch {
    /// For each old line the new one with the same tokens.
    pub(super) same: BTreeMap<u32, u32>,
    pub(super) hunks: Vec<Hunk>,
}

/// A stretch where the texts differ.
#[derive(Clone, Debug, Default)]
pub(super) struct Hunk {
    /// Old and new lines in order: two versions of one line, or one without the other.
    pub(super) pairs: Vec<(Option<u32>, Option<u32>)>,
}

impl Hunk {
    pub(super) fn has_old(&self, line: u32) -> bool {
        self.pairs.iter().any(|pair| pair.0 == Some(line))
    }

    pub(super) fn has_new(&self, line: u32) -> bool {
        self.pairs.iter().any(|pair| pair.1 == Some(line))
    }
}

pub(super) fn match_lines(
    old: &Text,
    old_range: RangeInclusive<u32>,
    new: &Text,
    new_range: RangeInclusive<u32>,
) -> LineMatch {
    let lines = |text: &Text, range: RangeInclusive<u32>| -> Vec<u32> {
        range.filter(|&line| !text.line(line).is_empty()).collect()
    };
    let (old_lines, new_lines) = (lines(old, old_range), lines(new, new_range));
    let (old_depths, new_depths) = (depths(old, &old_lines), depths(new, &new_lines));
    // Long lines tell more than short ones; a line between other braces may have moved.
    let equal = |i: usize, j: usize| match old.line(old_lines[i]) == new.line(new_lines[j]) {
        true => {
            let same_depth = old_depths[i] == new_depths[j];
            old.line(old_lines[i]).len() as i64 + if same_depth { 20 } else { 1 }
        }
        false => 0,
    };
    let mut found = LineMatch::default();
    let (mut old_at, mut new_at) = (0, 0);
    let mut ends = common_lines(old_lines.len(), new_lines.len(), &equal);
    ends.push((old_lines.len(), new_lines.len()));
    for (i, j) in ends {
        let hunk = Stretch {
            old,
            new,
            old_lines: &old_lines[old_at..i],
            new_lines: &new_lines[new_at..j],
        };
        hunk.note(&mut found);
        if i < old_lines.len() && j < new_lines.len() {
            found.same.insert(old_lines[i], new_lines[j]);
        }
        (old_at, new_at) = (i + 1, j + 1);
    }
    found
}

/// How many braces are open before each line, or behind a line that closes some.
fn depths(text: &Text, lines: &[u32]) -> Vec<i32> {
    let mut depth = 0;
    let depth_of = |&line: &u32| {
        let tokens = text.line(line);
        let count = |brace| tokens.iter().filter(|token| *token == brace).count() as i32;
        let before = depth;
        depth += count("{") - count("}");
        depth.min(before)
    };
    lines.iter().map(depth_of).collect()
}

/// Places of a longest common subsequence, by the weight of what is equal.
fn common_lines(
    old: usize,
    new: usize,
    equal: &dyn Fn(usize, usize) -> i64,
) -> Vec<(usize, usize)> {
    let mut head = 0;
    while head < old.min(new) && equal(head, head) > 0 {
        head += 1;
    }
    let mut tail = 0;
    while tail < old.min(new) - head && equal(old - 1 - tail, new - 1 - tail) > 0 {
        tail += 1;
    }
    let mut common: Vec<(usize, usize)> = (0..head).map(|at| (at, at)).collect();
    let score = |i: usize, j: usize| equal(head + i, head + j);
    let middle = best_pairs(old - head - tail, new - head - tail, &score);
    common.extend(middle.into_iter().map(|(i, j)| (head + i, head + j)));
    common.extend((0..tail).rev().map(|at| (old - 1 - at, new - 1 - at)));
    common
}

/// The pairs, in order and without crossings, that have the best total score; pairs
/// without a score are left out.
fn best_pairs(old: usize, new: usize, score: &dyn Fn(usize, usize) -> i64) -> Vec<(usize, usize)> {
    if (old + 1).saturating_mul(new + 1) > LARGEST_TABLE {
        return Vec::new();
    }
    let width = new + 1;
    let mut best = vec![0i64; (old + 1) * width];
    for i in (0..old).rev() {
        for j in (0..new).rev() {
            let paired = match score(i, j) {
                0 => 0,
                score => score + best[(i + 1) * width + j + 1],
            };
            best[i * width + j] = paired
                .max(best[(i + 1) * width + j])
                .max(best[i * width + j + 1]);
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < old && j < new {
        let here = best[i * width + j];
        let one = score(i, j);
        if one > 0 && here == one + best[(i + 1) * width + j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

struct Stretch<'a> {
    old: &'a Text,
    new: &'a Text,
    old_lines: &'a [u32],
    new_lines: &'a [u32],
}

impl Stretch<'_> {
    fn note(&self, found: &mut LineMatch) {
        if self.old_lines.is_empty() && self.new_lines.is_empty() {
            return;
        }
        let flat = |text: &Text, lines: &[u32]| -> Vec<(String, u32)> {
            let tokens = |&line: &u32| {
                let tokens = text.line(line).to_vec().into_iter();
                tokens.map(move |token| (token, line))
            };
            lines.iter().flat_map(tokens).collect()
        };
        let old_tokens = flat(self.old, self.old_lines);
        let new_tokens = flat(self.new, self.new_lines);
        // Lines before and behind the difference that were only laid out differently.
        let head = laid_out_alike(old_tokens.iter(), new_tokens.iter());
        for (in_old, in_new) in old_tokens.iter().zip(&new_tokens).take(head) {
            found.same.entry(in_old.1).or_insert(in_new.1);
        }
        let (old_tokens, new_tokens) = (&old_tokens[head..], &new_tokens[head..]);
        let tail = laid_out_alike(old_tokens.iter().rev(), new_tokens.iter().rev());
        let reversed = old_tokens.iter().rev().zip(new_tokens.iter().rev());
        for (in_old, in_new) in reversed.take(tail) {
            found.same.entry(in_old.1).or_insert(in_new.1);
        }
        let differing = |tokens: &[(String, u32)]| -> Vec<u32> {
            let mut lines: Vec<u32> = tokens.iter().map(|token| token.1).collect();
            lines.dedup();
            lines
        };
        let inner = Stretch {
            old_lines: &differing(&old_tokens[..old_tokens.len() - tail]),
            new_lines: &differing(&new_tokens[..new_tokens.len() - tail]),
            ..*self
        };
        inner.pair_lines(found);
    }

    fn pair_lines(&self, found: &mut LineMatch) {
        if self.old_lines.is_empty() && self.new_lines.is_empty() {
            return;
        }
        let score = |i: usize, j: usize| {
            alike(
                self.old.line(self.old_lines[i]),
                self.new.line(self.new_lines[j]),
            )
        };
        let mut hunk = Hunk::default();
        let (mut old_at, mut new_at) = (0, 0);
        let mut ends = best_pairs(self.old_lines.len(), self.new_lines.len(), &score);
        ends.push((self.old_lines.len(), self.new_lines.len()));
        for (i, j) in ends {
            let gone = self.old_lines[old_at..i].iter();
            hunk.pairs.extend(gone.map(|&line| (Some(line), None)));
            let fresh = self.new_lines[new_at..j].iter();
            hunk.pairs.extend(fresh.map(|&line| (None, Some(line))));
            if i < self.old_lines.len() && j < self.new_lines.len() {
                let pair = (Some(self.old_lines[i]), Some(self.new_lines[j]));
                hunk.pairs.push(pair);
            }
            (old_at, new_at) = (i + 1, j + 1);
        }
        found.hunks.push(hunk);
    }
}

/// How many tokens are equal up to the last place where a line ends on both sides.
fn laid_out_alike<'a>(
    old: impl Iterator<Item = &'a (String, u32)>,
    new: impl Iterator<Item = &'a (String, u32)>,
) -> usize {
    let (mut old, mut new) = (old.peekable(), new.peekable());
    let (mut count, mut whole) = (0, 0);
    while let (Some(in_old), Some(in_new)) = (old.next(), new.next()) {
        if in_old.0 != in_new.0 {
            break;
        }
        count += 1;
        let old_ends = old.peek().is_none_or(|next| next.1 != in_old.1);
        let new_ends = new.peek().is_none_or(|next| next.1 != in_new.1);
        if old_ends && new_ends {
            whole = count;
        }
    }
    whole
}

/// In percent how many tokens two lines have in common; 0 if too few. Punctuation that is
/// everywhere does not count.
fn alike(old: &[String], new: &[String]) -> i64 {
    let telling = |tokens: &[String]| -> Vec<String> {
        let dull = |token: &&String| !matches!(token.as_str(), ";" | "(" | ")" | "{" | "}" | ",");
        let mut tokens: Vec<String> = tokens.iter().filter(dull).cloned().collect();
        tokens.sort();
        tokens
    };
    let (old, new) = (telling(old), telling(new));
    let (mut at, mut common) = (0, 0usize);
    for token in &old {
        while at < new.len() && new[at] < *token {
            at += 1;
        }
        if at < new.len() && new[at] == *token {
            at += 1;
            common += 1;
        }
    }
    let percent = (200 * common)
        .checked_div(old.len() + new.len())
        .unwrap_or(0);
    if percent >= ALIKE { percent as i64 } else { 0 }
}

/// Whether two lines differ in nothing but such names.
pub(super) fn only_renames(
    old: &[String],
    new: &[String],
    old_names: &BTreeSet<&str>,
    new_names: &BTreeSet<&str>,
) -> bool {
    old.len() == new.len()
        && old.iter().zip(new).all(|(old, new)| {
            old == new
                || (is_name(old)
                    && is_name(new)
                    && old_names.contains(old.as_str())
                    && new_names.contains(new.as_str()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(old: &str, new: &str) -> LineMatch {
        let (old, new) = (Text::of(old), Text::of(new));
        match_lines(&old, 1..=20, &new, 1..=20)
    }

    #[test]
    fn an_inserted_line_moves_the_others() {
        let found = matched("a;\nb;\nc;\n", "a;\nx;\nb;\nc;\n");
        assert_eq!(found.same, BTreeMap::from([(1, 1), (2, 3), (3, 4)]));
        assert_eq!(found.hunks.len(), 1);
        assert_eq!(found.hunks[0].pairs, [(None, Some(2))]);
    }

    #[test]
    fn another_layout_is_the_same() {
        let found = matched("f(a, b,\n  c);\nx = 1;\n", "f(a,\n  b, c);\nx = 2;\n");
        assert_eq!(found.same, BTreeMap::from([(1, 1), (2, 2)]));
        assert_eq!(found.hunks[0].pairs, [(Some(3), Some(3))]);
    }

    #[test]
    fn a_line_that_left_its_braces_has_moved() {
        let found = matched(
            "for (;;) {\n f();\n n++;\n}\n",
            "for (;;) {\n f();\n}\nn++;\n",
        );
        assert_eq!(found.same, BTreeMap::from([(1, 1), (2, 2), (4, 3)]));
        // A block around lines leaves them where they were.
        let found = matched("{\nf();\ng();\n}\n", "{\nif (a) {\nf();\ng();\n}\n}\n");
        assert_eq!(found.same, BTreeMap::from([(1, 1), (2, 3), (3, 4), (4, 6)]));
    }

    #[test]
    fn lines_that_are_alike_are_paired() {
        let found = matched("x = f(a);\ny = 1;\n", "g();\nx = f(b);\n");
        let pairs = [(None, Some(1)), (Some(1), Some(2)), (Some(2), None)];
        assert_eq!(found.hunks[0].pairs, pairs);
    }
}
