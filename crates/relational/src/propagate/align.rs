//! Trace alignment (Qi et al., §4.1): which instance of the new version's run corresponds to which of the old
//! version's.
//!
//! The paper aligns both traces as two sequences by edit distance. That costs the product of their lengths in the
//! worst case, and in loops it pairs statements of different iterations. Here the traces are aligned as trees:
//!
//! - An instance lies *under* the instance it is control dependent on: a branch, or the call that made its
//!   activation. A loop's second iteration lies under the branch of the first, and so on.
//! - Two instances can correspond only if their statements do (by the static matching) and if what they lie under
//!   corresponds. So calls are aligned with calls and iterations with iterations, first to first; one more iteration
//!   shifts nothing else.
//! - A statement without partner is transparent: what lies under it counts as lying under the next instance up that
//!   has one. So a guard put around statements, or a call wrapped around them, does not tear them away.
//! - What lies under one pair is two sequences of statements. Common beginnings and ends are paired; the rest by
//!   shortest edit script (Myers' greedy algorithm), in stretches of at most [`MOST_EDITS`] edits.
//!
//! **Properties.** Paired instances have matching statements; what they lie under is paired; pairs under one pair do
//! not cross. A trace aligned with itself gives the identity. The time is linear where the traces agree, and at most
//! [`MOST_EDITS`] steps for each instance where they do not.

/// Stands for no partner, and for a statement without one.
pub const NONE: u32 = u32::MAX;
/// A statement that is not to be aligned and that nothing lies under.
pub const LEFT_OUT: u32 = u32::MAX - 1;

/// Edits after which a stretch is settled by what was found so far.
const MOST_EDITS: usize = 256;

/// A trace as alignment sees it. Number 0 is no instance but what all others lie under in the end.
#[derive(Clone, Debug, Default)]
pub struct Sequence {
    /// By instance: its statement, by a number that both versions share; [`NONE`] if it has no partner.
    pub statements: Vec<u32>,
    /// By instance: the earlier one that it lies under, or 0.
    pub parents: Vec<u32>,
}

/// Partners by instance; [`NONE`] without one. Both numbers 0 are partners.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Aligned {
    pub old_of_new: Vec<u32>,
    pub new_of_old: Vec<u32>,
}

impl Aligned {
    /// The alignment with the roles of the versions exchanged.
    pub fn reversed(&self) -> Aligned {
        Aligned {
            old_of_new: self.new_of_old.clone(),
            new_of_old: self.old_of_new.clone(),
        }
    }

    pub fn old_of(&self, new: u32) -> Option<u32> {
        let old = *self.old_of_new.get(new as usize)?;
        (old != NONE).then_some(old)
    }
}

pub fn align(old: &Sequence, new: &Sequence) -> Aligned {
    let mut aligned = Aligned {
        old_of_new: vec![NONE; new.statements.len()],
        new_of_old: vec![NONE; old.statements.len()],
    };
    let (under_old, under_new) = (Tree::of(old), Tree::of(new));
    let mut pairs = Vec::new();
    let mut work = vec![(0, 0)];
    while let Some((above_old, above_new)) = work.pop() {
        if let (Some(found), Some(partner)) = (
            aligned.old_of_new.get_mut(above_new as usize),
            aligned.new_of_old.get_mut(above_old as usize),
        ) {
            (*found, *partner) = (above_old, above_new);
        }
        let (olds, news) = (under_old.under(above_old), under_new.under(above_new));
        pairs.clear();
        align_statements(olds, news, old, new, &mut pairs);
        // The last is taken up first: the order of work does not matter.
        work.extend(
            pairs
                .iter()
                .map(|&(in_old, in_new)| (olds[in_old], news[in_new])),
        );
    }
    aligned
}

/// What lies under each instance, in order; statements without partner are left out.
struct Tree {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Tree {
    fn of(sequence: &Sequence) -> Tree {
        let count = sequence.statements.len();
        let takes_part = |index: usize| sequence.statements[index] < LEFT_OUT;
        let mut above = vec![0u32; count];
        let mut ends = vec![0u32; count.max(1)];
        for index in 1..count {
            let parent = sequence.parents[index] as usize;
            debug_assert!(parent < index, "an instance lies under an earlier one");
            above[index] = match parent == 0 || takes_part(parent) {
                true => parent as u32,
                false => above[parent],
            };
            if takes_part(index) {
                ends[above[index] as usize] += 1;
            }
        }
        let mut total = 0;
        for end in &mut ends {
            let own = *end;
            *end = total;
            total += own;
        }
        let mut items = vec![0; total as usize];
        for index in 1..count {
            if takes_part(index) {
                let end = &mut ends[above[index] as usize];
                items[*end as usize] = index as u32;
                *end += 1;
            }
        }
        Tree { ends, items }
    }

    fn under(&self, above: u32) -> &[u32] {
        let start = match above {
            0 => 0,
            _ => self.ends[above as usize - 1],
        };
        &self.items[start as usize..self.ends[above as usize] as usize]
    }
}

/// Pairs of positions with equal statements, without crossings.
fn align_statements(
    olds: &[u32],
    news: &[u32],
    old: &Sequence,
    new: &Sequence,
    pairs: &mut Vec<(usize, usize)>,
) {
    let same = |in_old: usize, in_new: usize| {
        old.statements[olds[in_old] as usize] == new.statements[news[in_new] as usize]
    };
    let (mut old_end, mut new_end) = (olds.len(), news.len());
    let (mut in_old, mut in_new) = (0, 0);
    while in_old < old_end && in_new < new_end && same(in_old, in_new) {
        pairs.push((in_old, in_new));
        (in_old, in_new) = (in_old + 1, in_new + 1);
    }
    while in_old < old_end && in_new < new_end && same(old_end - 1, new_end - 1) {
        (old_end, new_end) = (old_end - 1, new_end - 1);
        pairs.push((old_end, new_end));
    }
    while in_old < old_end && in_new < new_end {
        let (old_length, new_length) = (old_end - in_old, new_end - in_new);
        let here = |x: usize, y: usize| same(in_old + x, in_new + y);
        let first = pairs.len();
        let (x, y) = shortest_edits(old_length, new_length, here, pairs);
        for pair in &mut pairs[first..] {
            *pair = (pair.0 + in_old, pair.1 + in_new);
        }
        (in_old, in_new) = (in_old + x, in_new + y);
    }
}

/// Myers' greedy search for the shortest edit script of two sequences, of at most [`MOST_EDITS`] edits. Adds the
/// pairs that it keeps; how far in both sequences it came.
fn shortest_edits(
    old_length: usize,
    new_length: usize,
    same: impl Fn(usize, usize) -> bool,
    pairs: &mut Vec<(usize, usize)>,
) -> (usize, usize) {
    // On diagonal `k` (position in old minus position in new), the farthest position in old, by number of edits.
    let mut rounds: Vec<Vec<u32>> = Vec::new();
    let mut farthest: Vec<u32> = vec![0; 2 * MOST_EDITS + 3];
    let slot = |k: isize| (k + MOST_EDITS as isize + 1) as usize;
    let (end_old, end_new) = (old_length as isize, new_length as isize);
    let mut reached = None;
    let mut edits = 0;
    'rounds: loop {
        let low = -(edits as isize);
        for k in (low..=edits as isize).step_by(2) {
            let from_insertion =
                k == low || k != -low && farthest[slot(k - 1)] < farthest[slot(k + 1)];
            let mut x = match (edits, from_insertion) {
                (0, _) => 0,
                (_, true) => farthest[slot(k + 1)] as isize,
                (_, false) => farthest[slot(k - 1)] as isize + 1,
            };
            let mut y = x - k;
            if x > end_old || y > end_new {
                farthest[slot(k)] = x.max(0) as u32;
                continue;
            }
            while x < end_old && y < end_new && y >= 0 && same(x as usize, y as usize) {
                (x, y) = (x + 1, y + 1);
            }
            farthest[slot(k)] = x as u32;
            if x >= end_old && y >= end_new {
                reached = Some(k);
                break 'rounds;
            }
        }
        let width = edits + 1;
        let round = (0..width).map(|step| farthest[slot(low + 2 * step as isize)]);
        rounds.push(round.collect());
        if edits == MOST_EDITS {
            break;
        }
        edits += 1;
    }
    // The end, or else what lies farthest of what is inside.
    let mut k = reached.unwrap_or_else(|| {
        let inside = |&k: &isize| {
            let x = farthest[slot(k)] as isize;
            x <= end_old && (0..=end_new).contains(&(x - k))
        };
        let all = (-(edits as isize)..=edits as isize).step_by(2);
        let best = all.filter(inside);
        let best = best.max_by_key(|&k| (2 * farthest[slot(k)] as isize - k, std::cmp::Reverse(k)));
        best.unwrap_or(0)
    });
    let mut x = farthest[slot(k)] as isize;
    let came = (x as usize, (x - k) as usize);
    let first = pairs.len();
    for edits in (0..=edits).rev() {
        let before = |k: isize, round: &[u32]| {
            let low = -(edits as isize - 1);
            let step = (k - low) / 2;
            let is_there = k >= low && k <= -low;
            is_there.then(|| round[step as usize] as isize)
        };
        let (start, next) = if edits == 0 {
            (0, 0)
        } else {
            let round = &rounds[edits - 1];
            let (insertion, deletion) = (before(k + 1, round), before(k - 1, round));
            match (insertion, deletion) {
                (Some(from), Some(other)) if other < from => (from, k + 1),
                (Some(from), None) => (from, k + 1),
                (_, Some(from)) => (from + 1, k - 1),
                (None, None) => (0, 0),
            }
        };
        while x > start {
            x -= 1;
            pairs.push((x as usize, (x - k) as usize));
        }
        if edits > 0 {
            x = match next > k {
                true => start,
                false => start - 1,
            };
            k = next;
        }
    }
    pairs[first..].reverse();
    came
}

#[cfg(test)]
mod tests {
    use super::*;
    use inputs::SplitMix;

    /// The longest common subsequence, by the book.
    fn longest(a: &[u32], b: &[u32]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for &x in a {
            let mut diagonal = 0;
            for (index, &y) in b.iter().enumerate() {
                let above = row[index + 1];
                row[index + 1] = match x == y {
                    true => diagonal + 1,
                    false => above.max(row[index]),
                };
                diagonal = above;
            }
        }
        row[b.len()]
    }

    #[test]
    fn short_sequences_keep_as_much_as_possible() {
        let mut random = SplitMix(7);
        for _ in 0..4000 {
            let mut sequence = || -> Vec<u32> {
                let length = random.below(14);
                (0..length).map(|_| random.below(4) as u32).collect()
            };
            let (a, b) = (sequence(), sequence());
            let flat = |statements: &[u32]| Sequence {
                statements: std::iter::once(NONE)
                    .chain(statements.iter().copied())
                    .collect(),
                parents: vec![0; statements.len() + 1],
            };
            let aligned = align(&flat(&a), &flat(&b));
            let pairs: Vec<(usize, u32)> = aligned
                .old_of_new
                .iter()
                .copied()
                .enumerate()
                .skip(1)
                .filter(|pair| pair.1 != NONE)
                .collect();
            assert_eq!(pairs.len(), longest(&a, &b), "{a:?} {b:?}");
            assert!(pairs.is_sorted_by_key(|pair| pair.1));
            for (new, old) in pairs {
                assert_eq!(a[old as usize - 1], b[new - 1]);
                assert_eq!(aligned.new_of_old[old as usize], new as u32);
            }
        }
    }
}
