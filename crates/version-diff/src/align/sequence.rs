//! Alignment of two sequences of instructions without crossings.

use program_ir::Inst;
use std::collections::HashMap;
use std::ops::Range;

/// Above this many cells a gap is not aligned by score but only by rare shapes.
const MOST_CELLS: usize = 4_000_000;
/// A shape that occurs more often in a large gap is no anchor.
const MOST_OCCURRENCES: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) inst: Inst,
    pub(super) deep: u64,
    pub(super) shape: u64,
    pub(super) kind: u64,
    pub(super) relative_line: i64,
}

/// Pairs of indices, ascending in both.
pub(super) fn align(old: &[Item], new: &[Item]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let mut gaps = vec![(0..old.len(), 0..new.len())];
    while let Some((in_old, in_new)) = gaps.pop() {
        let (in_old, in_new) = trim(old, new, in_old, in_new, &mut pairs);
        if in_old.is_empty() || in_new.is_empty() {
            continue;
        }
        let by_deep = |item: &Item| item.deep;
        let mut anchors = anchors(old, new, &in_old, &in_new, 1, by_deep);
        if anchors.is_empty() {
            if in_old.len().saturating_mul(in_new.len()) <= MOST_CELLS {
                by_score(old, new, in_old, in_new, &mut pairs);
                continue;
            }
            let by_shape = |item: &Item| item.shape;
            anchors = self::anchors(old, new, &in_old, &in_new, MOST_OCCURRENCES, by_shape);
            if anchors.is_empty() {
                continue;
            }
        }
        let (mut old_from, mut new_from) = (in_old.start, in_new.start);
        for (at_old, at_new) in anchors {
            gaps.push((old_from..at_old, new_from..at_new));
            pairs.push((at_old, at_new));
            (old_from, new_from) = (at_old + 1, at_new + 1);
        }
        gaps.push((old_from..in_old.end, new_from..in_new.end));
    }
    pairs.sort_unstable();
    pairs
}

/// Takes equal items off both ends.
fn trim(
    old: &[Item],
    new: &[Item],
    mut in_old: Range<usize>,
    mut in_new: Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) -> (Range<usize>, Range<usize>) {
    while !in_old.is_empty()
        && !in_new.is_empty()
        && old[in_old.start].deep == new[in_new.start].deep
    {
        pairs.push((in_old.start, in_new.start));
        in_old.start += 1;
        in_new.start += 1;
    }
    while !in_old.is_empty()
        && !in_new.is_empty()
        && old[in_old.end - 1].deep == new[in_new.end - 1].deep
    {
        in_old.end -= 1;
        in_new.end -= 1;
        pairs.push((in_old.end, in_new.end));
    }
    (in_old, in_new)
}

/// A longest common subsequence of the items whose key occurs equally often, and at most
/// `most` times, in both ranges; the n-th occurrence stands for the n-th.
fn anchors(
    old: &[Item],
    new: &[Item],
    in_old: &Range<usize>,
    in_new: &Range<usize>,
    most: usize,
    key: impl Fn(&Item) -> u64,
) -> Vec<(usize, usize)> {
    let mut places: HashMap<u64, (Vec<usize>, Vec<usize>)> = HashMap::new();
    for at in in_old.clone() {
        places.entry(key(&old[at])).or_default().0.push(at);
    }
    for at in in_new.clone() {
        if let Some(found) = places.get_mut(&key(&new[at])) {
            found.1.push(at);
        }
    }
    let mut candidates: Vec<(usize, usize)> = Vec::new();
    for (at_old, at_new) in places.values() {
        if at_old.len() == at_new.len() && at_old.len() <= most {
            candidates.extend(at_old.iter().copied().zip(at_new.iter().copied()));
        }
    }
    candidates.sort_unstable();
    longest_ascending(&candidates)
}

/// A longest subsequence ascending in the second component.
fn longest_ascending(candidates: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![usize::MAX; candidates.len()];
    for (index, &(_, value)) in candidates.iter().enumerate() {
        let place = ends.partition_point(|&end| candidates[end].1 < value);
        before[index] = if place > 0 {
            ends[place - 1]
        } else {
            usize::MAX
        };
        if place == ends.len() {
            ends.push(index);
        } else {
            ends[place] = index;
        }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied().unwrap_or(usize::MAX);
    while at != usize::MAX {
        chain.push(candidates[at]);
        at = before[at];
    }
    chain.reverse();
    chain
}

fn likeness(old: &Item, new: &Item) -> u32 {
    let hint = u32::from(old.relative_line == new.relative_line);
    if old.deep == new.deep {
        20 + hint
    } else if old.shape == new.shape {
        12 + hint
    } else if old.kind == new.kind {
        3 + hint
    } else {
        0
    }
}

/// The alignment with the best total likeness.
fn by_score(
    old: &[Item],
    new: &[Item],
    in_old: Range<usize>,
    in_new: Range<usize>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let (rows, columns) = (in_old.len(), in_new.len());
    // best[r][c]: best score of the suffixes that start at r and c.
    let mut best = vec![0u32; (rows + 1) * (columns + 1)];
    let cell = |row: usize, column: usize| row * (columns + 1) + column;
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            let like = likeness(&old[in_old.start + row], &new[in_new.start + column]);
            let mut score = best[cell(row + 1, column)].max(best[cell(row, column + 1)]);
            if like > 0 {
                score = score.max(like + best[cell(row + 1, column + 1)]);
            }
            best[cell(row, column)] = score;
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        let like = likeness(&old[in_old.start + row], &new[in_new.start + column]);
        let here = best[cell(row, column)];
        if like > 0 && here == like + best[cell(row + 1, column + 1)] {
            pairs.push((in_old.start + row, in_new.start + column));
            row += 1;
            column += 1;
        } else if here == best[cell(row + 1, column)] {
            row += 1;
        } else {
            column += 1;
        }
    }
}
