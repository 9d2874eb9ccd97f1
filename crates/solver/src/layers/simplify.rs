//! First layer: constants, duplicates, and intervals of single terms.
//!
//! Conjunctions are taken apart, what is constant is decided, and bounds that constraints put on the
//! same term are intersected: `x < 5` with `9 < x` never gets further. Bounds are intervals modulo 2^width, so signed and
//! unsigned bounds meet, and a bound on `-x`, `x + C` or an extension of `x` is one on `x`.

use std::time::Instant;

use expr::{ExprId, Interval, MAX_ARITH_WIDTH, Model, Op, Store, mask};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::{Answer, LayerStatistics, Query, Solver};

pub struct Simplify {
    below: Box<dyn Solver>,
    known: Consequences,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

impl Simplify {
    pub fn new(below: Box<dyn Solver>) -> Simplify {
        Simplify {
            below,
            known: Consequences::default(),
            core: None,
            statistics: LayerStatistics::new("simplify"),
        }
    }
}

impl Solver for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        self.core = None;
        self.known.follow(store, query.constraints);
        let answer = match &self.known.conflict {
            Some(core) => {
                self.statistics.unsat += 1;
                self.core = (!core.is_empty()).then(|| core.clone());
                Answer::Unsat
            }
            None if self.known.conjuncts.is_empty() => {
                self.statistics.sat += 1;
                Answer::Sat(Model::new())
            }
            None => self.below.solve(
                store,
                &Query {
                    constraints: &self.known.conjuncts,
                    ..*query
                },
            ),
        };
        self.statistics.time += start.elapsed();
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.core.as_deref().or_else(|| self.below.unsat_core())
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = vec![self.statistics.clone()];
        all.extend(self.below.statistics());
        all
    }

    fn reset(&mut self) {
        self.core = None;
        self.known = Consequences::default();
        self.below.reset();
    }
}

/// Appends the conjuncts of a constraint that were not seen before, in order, without `true`.
fn take_apart(
    store: &Store,
    constraint: ExprId,
    seen: &mut FxHashSet<ExprId>,
    result: &mut Vec<ExprId>,
) {
    let mut opened = FxHashSet::default();
    let mut pending = vec![constraint];
    while let Some(constraint) = pending.pop() {
        let node = store.node(constraint);
        if node.op() == Op::And {
            if opened.insert(constraint) {
                pending.extend([node.arg(1), node.arg(0)]);
            }
        } else if !store.is_true(constraint) && seen.insert(constraint) {
            result.push(constraint);
        }
    }
}

/// What constraints say about one term.
struct Bounds {
    allowed: Interval,
    /// Those that made it smaller, each with what it allows by itself.
    from: Vec<(ExprId, Interval)>,
}

/// What follows from a list of constraints. The next query mostly has the same beginning, which is kept.
#[derive(Default)]
struct Consequences {
    taken: Vec<ExprId>,
    /// For each constraint taken, how much there was before it.
    before: Vec<Before>,
    conjuncts: Vec<ExprId>,
    seen: FxHashSet<ExprId>,
    /// What negations among the conjuncts negate, with the negation.
    negated: FxHashMap<ExprId, ExprId>,
    bounds: FxHashMap<ExprId, Bounds>,
    /// Terms whose bounds changed, with what was allowed before; `None` if nothing was known of the term.
    changes: Vec<(ExprId, Option<Interval>)>,
    /// Constraints that contradict each other, the last one taken among them. Empty if it is `false` itself.
    conflict: Option<Vec<ExprId>>,
}

struct Before {
    conjuncts: usize,
    changes: usize,
}

impl Consequences {
    /// Forgets what the query does not share and takes the rest of it in, up to the first contradiction.
    fn follow(&mut self, store: &Store, query: &[ExprId]) {
        let same = |(mine, asked): &(&ExprId, &ExprId)| mine == asked;
        let common = self.taken.iter().zip(query).take_while(same).count();
        self.forget_from(store, common);
        for &constraint in &query[common..] {
            if self.conflict.is_some() {
                break;
            }
            self.taken.push(constraint);
            self.before.push(Before {
                conjuncts: self.conjuncts.len(),
                changes: self.changes.len(),
            });
            let first = self.conjuncts.len();
            take_apart(store, constraint, &mut self.seen, &mut self.conjuncts);
            for index in first..self.conjuncts.len() {
                self.conflict = self.take(store, self.conjuncts[index]);
                if self.conflict.is_some() {
                    // The rest has not been taken; nothing of it may stay.
                    for rest in self.conjuncts.drain(index + 1..) {
                        self.seen.remove(&rest);
                    }
                    break;
                }
            }
        }
    }

    fn forget_from(&mut self, store: &Store, length: usize) {
        if length == self.taken.len() {
            return;
        }
        // A contradiction has the last constraint in it.
        self.conflict = None;
        let before = &self.before[length];
        let (conjuncts, changes) = (before.conjuncts, before.changes);
        for conjunct in self.conjuncts.drain(conjuncts..) {
            self.seen.remove(&conjunct);
            let node = store.node(conjunct);
            if node.op() == Op::Not {
                self.negated.remove(&node.arg(0));
            }
        }
        for (term, allowed) in self.changes.drain(changes..).rev() {
            match (allowed, self.bounds.get_mut(&term)) {
                (Some(allowed), Some(bounds)) => {
                    bounds.allowed = allowed;
                    bounds.from.pop();
                }
                _ => {
                    self.bounds.remove(&term);
                }
            }
        }
        self.taken.truncate(length);
        self.before.truncate(length);
    }

    /// Takes in a conjunct; constraints that contradict each other, if there are some now.
    fn take(&mut self, store: &Store, constraint: ExprId) -> Option<Vec<ExprId>> {
        if store.is_false(constraint) {
            return Some(Vec::new());
        }
        let node = store.node(constraint);
        if node.op() == Op::Not {
            self.negated.insert(node.arg(0), constraint);
            if self.seen.contains(&node.arg(0)) {
                return Some(vec![node.arg(0), constraint]);
            }
        }
        if let Some(&negation) = self.negated.get(&constraint) {
            return Some(vec![negation, constraint]);
        }
        let (term, allowed) = allowed(store, constraint)?;
        let Some((term, allowed)) = solved(store, term, allowed) else {
            return Some(vec![constraint]);
        };
        self.bound(store, constraint, term, allowed)
    }

    fn bound(
        &mut self,
        store: &Store,
        constraint: ExprId,
        term: ExprId,
        allowed: Interval,
    ) -> Option<Vec<ExprId>> {
        let width = store.width(term);
        let known = self.bounds.entry(term).or_insert_with(|| {
            self.changes.push((term, None));
            Bounds {
                allowed: match store.facts(term) {
                    Some(facts) => Interval::between(facts.low as u128, facts.high as u128),
                    None => Interval::all(width),
                },
                from: Vec::new(),
            }
        });
        let Some(common) = known.allowed.meet(&allowed, width) else {
            let apart = |(_, other): &&(ExprId, Interval)| other.meet(&allowed, width).is_none();
            let others = match known.from.iter().find(apart) {
                Some(one) => std::slice::from_ref(one),
                None => &known.from,
            };
            let others = others.iter().map(|(other, _)| *other);
            return Some(others.chain([constraint]).collect());
        };
        if common != known.allowed {
            self.changes.push((term, Some(known.allowed)));
            known.allowed = common;
            known.from.push((constraint, allowed));
        }
        None
    }
}

/// The values that a constraint leaves to a term that it compares with a constant.
fn allowed(store: &Store, constraint: ExprId) -> Option<(ExprId, Interval)> {
    let (node, negated) = match store.node(constraint) {
        node if node.op() == Op::Not => (store.node(node.arg(0)), true),
        node => (node, false),
    };
    if !matches!(node.op(), Op::Ult | Op::Slt | Op::Eq | Op::Extract) {
        return None;
    }
    let left = node.arg(0);
    let width = store.width(left);
    if width > MAX_ARITH_WIDTH {
        return None;
    }
    let sign = 1 << (width - 1);
    let from_to = |low: u128, high: u128| Interval::single(low).to(&Interval::single(high), width);
    let (term, allowed) = match node.op() {
        Op::Extract if node.immediate() == width - 1 => (left, from_to(sign, mask(width))),
        Op::Extract => return None,
        op => {
            let right = node.arg(1);
            let (least, most) = if op == Op::Slt {
                (sign, sign - 1)
            } else {
                (0, mask(width))
            };
            let step = |value: u128, by: u128| value.wrapping_add(by) & mask(width);
            match (store.constant_value(left), store.constant_value(right)) {
                (None, Some(value)) if op == Op::Eq => (left, Interval::single(value)),
                (None, Some(value)) if value != least => {
                    (left, from_to(least, step(value, u128::MAX)))
                }
                (Some(value), None) if op != Op::Eq && value != most => {
                    (right, from_to(step(value, 1), most))
                }
                _ => return None,
            }
        }
    };
    Some((
        term,
        if negated {
            allowed.complement(width)?
        } else {
            allowed
        },
    ))
}

/// The same about an operand, as long as the term determines it; `None` if the term has none of the allowed values.
fn solved(store: &Store, mut term: ExprId, mut allowed: Interval) -> Option<(ExprId, Interval)> {
    loop {
        let (node, width) = (store.node(term), store.width(term));
        let inner = match node.op() {
            Op::Neg => (node.arg(0), allowed.negated(width)),
            Op::Add => match store.constant_value(node.arg(1)) {
                Some(value) => (node.arg(0), allowed.shifted(value.wrapping_neg(), width)),
                None => return Some((term, allowed)),
            },
            Op::Concat => {
                let (Some(high), low) = (store.constant_value(node.arg(0)), node.arg(1)) else {
                    return Some((term, allowed));
                };
                let inner = store.width(low);
                let possible = Interval::between(high << inner, high << inner | mask(inner));
                (low, allowed.meet(&possible, width)?.truncated(inner))
            }
            Op::SExt => {
                let inner = store.width(node.arg(0));
                let least = mask(width) & !mask(inner - 1);
                let possible =
                    Interval::single(least).to(&Interval::single(mask(inner - 1)), width);
                (
                    node.arg(0),
                    allowed.meet(&possible, width)?.truncated(inner),
                )
            }
            _ => return Some((term, allowed)),
        };
        (term, allowed) = inner;
    }
}
