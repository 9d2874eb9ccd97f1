//! All points of a small box, along one path.
//!
//! A long path over few bytes (a fraction or an exponent that is read digit by digit) asks thousands of questions with the same
//! beginning and another end, and each is a term of ten thousand nodes. When the bytes have few values between them, each point is
//! followed along the path once: the first constraint that it violates answers all these questions.
//!
//! Bytes that no term tells apart are one value: two bytes are in one *class* if every byte function below the constraints has
//! the same value for both. So the points are those of one byte for each class.
//!
//! Why `Unsat` is right: a query that is answered begins with the *base*, whose constraints over single bytes the box comes
//! from, so every model of it is a point of the box. Every byte function below its constraints has been compared with the
//! classes, and a term depends on the input through byte functions only, so the representative of the model's classes
//! satisfies the same constraints. Hence the base, with one violated constraint for each representative, is a core.

use std::time::Instant;

use expr::{ByteSet, Evaluation, ExprId, Model, Store, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Sets;
use super::terms::{Place, Terms};
use crate::layers::quick::preferred;

/// Points that are followed at most.
const MOST_POINTS: usize = 1_000;
/// Values of terms that are remembered at most for a path, some 30 bytes each.
const MOST_VALUES: usize = 1_500_000;
/// The same for a path and all ends that were asked about.
const MOST_VALUES_WITH_ENDS: usize = 2 * MOST_VALUES;
/// A query that goes on for longer than this beyond the path is a path of its own.
const LONGEST_END: usize = 4;

pub(super) struct Points {
    /// The constraints of the path, in order.
    path: Vec<ExprId>,
    /// How many of them a query must have: their bounds on single bytes are what the points come from.
    base: usize,
    classes: FxHashMap<SymbolId, Classes>,
    points: Vec<Point>,
    /// Terms that are known to tell no bytes of one class apart.
    checked: FxHashSet<Place>,
}

/// The number of the class of each byte.
struct Classes([u8; 256]);

struct Point {
    evaluation: Evaluation,
    /// The first constraint of the path that is false here.
    violates: usize,
}

/// What the points say about a query.
pub(super) enum Outcome {
    Sat(Model),
    /// With a core.
    Unsat(Vec<ExprId>),
    /// The query is of another path, or there was no time.
    Undecided,
    /// The points are of no use any more: terms tell more bytes apart, or there is too much to remember.
    UsedUp,
}

impl Points {
    /// The points for a query; `None` if there are too many, or not worth it.
    pub(super) fn new(
        store: &Store,
        terms: &mut Terms,
        sets: &Sets,
        query: &[ExprId],
        deadline: Instant,
    ) -> Option<Points> {
        let mut leaves = Vec::new();
        let mut checked = FxHashSet::default();
        for &constraint in query {
            let place = terms.enter(store, constraint)?;
            new_leaves(terms, place, &mut checked, &mut leaves);
        }
        let mut classes: FxHashMap<SymbolId, Classes> = FxHashMap::default();
        for place in leaves {
            let (symbol, function) = terms.byte_function(place)?;
            let known = classes.entry(symbol).or_insert(Classes([0; 256]));
            known.refine(function);
        }
        let (base, domains) = first_small_box(sets, query, &classes)?;
        let mut points = Points {
            path: Vec::new(),
            base,
            classes,
            points: domains.points(),
            checked,
        };
        points.follow(store, query, deadline)?;
        Some(points)
    }

    /// The answer to a query that goes along the path as far as the base.
    pub(super) fn decide(
        &mut self,
        store: &Store,
        terms: &mut Terms,
        query: &[ExprId],
        deadline: Instant,
    ) -> Outcome {
        let same = |(mine, asked): &(&ExprId, &ExprId)| mine == asked;
        let common = self.path.iter().zip(query).take_while(same).count();
        if common < self.base {
            return Outcome::Undecided;
        }
        for &constraint in &query[common..] {
            let Some(place) = terms.enter(store, constraint) else {
                return Outcome::Undecided;
            };
            let mut leaves = Vec::new();
            new_leaves(terms, place, &mut self.checked, &mut leaves);
            if !leaves
                .iter()
                .all(|&leaf| self.is_one_in_classes(terms, leaf))
            {
                return Outcome::UsedUp;
            }
        }
        let mut end = common;
        if query.len() - common > LONGEST_END {
            self.path.truncate(common);
            end = query.len() - 1;
            if self.follow(store, &query[..end], deadline).is_none() {
                return Outcome::UsedUp;
            }
        }
        self.at_end(store, query, end, deadline)
    }

    /// Whether a leaf is a byte function with one value for each class.
    fn is_one_in_classes(&self, terms: &Terms, leaf: Place) -> bool {
        terms.byte_function(leaf).is_some_and(|(symbol, function)| {
            let classes = self.classes.get(&symbol);
            classes.is_some_and(|classes| classes.are_one_in(function))
        })
    }

    /// The answer of the points that satisfy the first `end` constraints of the path, which are the query's.
    fn at_end(
        &mut self,
        store: &Store,
        query: &[ExprId],
        end: usize,
        deadline: Instant,
    ) -> Outcome {
        let remembered = |point: &Point| point.evaluation.remembered();
        let mut values: usize = self.points.iter().map(remembered).sum();
        let mut core: FxHashSet<ExprId> = query[..self.base].iter().copied().collect();
        for point in &mut self.points {
            if point.violates < end {
                core.insert(query[point.violates]);
                continue;
            }
            if values > MOST_VALUES_WITH_ENDS {
                return Outcome::UsedUp;
            }
            if Instant::now() >= deadline {
                return Outcome::Undecided;
            }
            let evaluation = &mut point.evaluation;
            let before = evaluation.remembered();
            match query[end..]
                .iter()
                .find(|&&constraint| !evaluation.holds(store, constraint))
            {
                Some(&violated) => core.insert(violated),
                None => return Outcome::Sat(evaluation.model().clone()),
            };
            values += evaluation.remembered() - before;
        }
        Outcome::Unsat(core.into_iter().collect())
    }

    /// Takes points that are still on the path to its new end; `None` if that is too much to remember or takes too long, and
    /// then the points are not to be used again.
    fn follow(&mut self, store: &Store, query: &[ExprId], deadline: Instant) -> Option<()> {
        let known = self.path.len();
        let mut values = 0;
        for point in &mut self.points {
            if point.violates >= known {
                let rest = query[known..].iter();
                let violated = rest
                    .clone()
                    .position(|&constraint| !point.evaluation.holds(store, constraint));
                point.violates = violated.map_or(usize::MAX, |index| known + index);
            }
            values += point.evaluation.remembered();
            if values > MOST_VALUES || Instant::now() >= deadline {
                return None;
            }
        }
        self.path.extend(&query[known..]);
        Some(())
    }
}

/// The byte functions and other leaves below a term that were not seen before.
fn new_leaves(terms: &Terms, root: Place, seen: &mut FxHashSet<Place>, leaves: &mut Vec<Place>) {
    let mut pending = vec![root];
    while let Some(place) = pending.pop() {
        if !seen.insert(place) {
            continue;
        }
        if terms.symbol(place).is_some() {
            leaves.push(place);
        }
        terms.for_each_operand(place, |operand| pending.push(operand));
    }
}

impl Classes {
    /// Takes bytes apart for which a function differs.
    fn refine(&mut self, function: &[u64; 256]) {
        let mut numbers: FxHashMap<(u8, u64), u8> = FxHashMap::default();
        for (class, &value) in self.0.iter_mut().zip(function) {
            let next = numbers.len();
            *class = *numbers.entry((*class, value)).or_insert(next as u8);
        }
    }

    /// Whether a function has one value for each class.
    fn are_one_in(&self, function: &[u64; 256]) -> bool {
        let mut value_of = [None; 256];
        (0..256).all(|byte| {
            *value_of[self.0[byte] as usize].get_or_insert(function[byte]) == function[byte]
        })
    }

    /// The members of a set, by class.
    fn parts(&self, set: &ByteSet) -> Vec<ByteSet> {
        let mut parts = vec![ByteSet::NONE; 256];
        for byte in set.iter() {
            parts[self.0[byte as usize] as usize].insert(byte);
        }
        parts.retain(|part| !part.is_empty());
        parts
    }
}

/// One byte for each class that each symbol may be in.
struct Representatives(Vec<(SymbolId, Vec<u8>)>);

impl Representatives {
    fn points(&self) -> Vec<Point> {
        let mut models = vec![Model::new()];
        for (symbol, bytes) in &self.0 {
            let extended = models.iter().flat_map(|model| {
                bytes.iter().map(|&byte| {
                    let mut model = model.clone();
                    model.set(*symbol, byte as u64);
                    model
                })
            });
            models = extended.collect();
        }
        let point = |model| Point {
            evaluation: Evaluation::new(model),
            violates: usize::MAX,
        };
        models.into_iter().map(point).collect()
    }
}

/// The shortest beginning of a query whose constraints on single bytes leave few points.
fn first_small_box(
    sets: &Sets,
    query: &[ExprId],
    classes: &FxHashMap<SymbolId, Classes>,
) -> Option<(usize, Representatives)> {
    let mut domains: Vec<(SymbolId, ByteSet, Vec<ByteSet>)> = classes
        .iter()
        .map(|(&symbol, classes)| (symbol, ByteSet::ALL, classes.parts(&ByteSet::ALL)))
        .collect();
    domains.sort_unstable_by_key(|(symbol, ..)| *symbol);
    for (index, constraint) in query.iter().enumerate() {
        let Some((symbol, set)) = sets.get(constraint).copied().flatten() else {
            continue;
        };
        let (_, known, parts) = domains.iter_mut().find(|(other, ..)| *other == symbol)?;
        *known = known.intersection(&set);
        *parts = classes[&symbol].parts(known);
        let count = domains.iter().try_fold(1usize, |count, (_, _, parts)| {
            count.checked_mul(parts.len())
        });
        if count.is_some_and(|count| count <= MOST_POINTS) {
            let representatives = domains
                .iter()
                .map(|(symbol, _, parts)| (*symbol, parts.iter().map(preferred).collect()))
                .collect();
            return Some((index + 1, Representatives(representatives)));
        }
    }
    None
}
