//! First layer: constants, duplicates, and intervals of single terms.
//!
//! Conjunctions are taken apart, what is constant is decided, and bounds that constraints put on the
//! same term are intersected: `x < 5` with `9 < x` never gets further.

use std::time::Instant;

use expr::{ExprId, Model, Op, Store, mask};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::{Answer, LayerStatistics, Query, Solver};

pub struct Simplify {
    below: Box<dyn Solver>,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

impl Simplify {
    pub fn new(below: Box<dyn Solver>) -> Simplify {
        Simplify {
            below,
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
        let constraints = conjuncts(store, query.constraints);
        let answer = if constraints
            .iter()
            .any(|&constraint| store.is_false(constraint))
        {
            self.statistics.unsat += 1;
            Answer::Unsat
        } else if constraints.is_empty() {
            self.statistics.sat += 1;
            Answer::Sat(Model::new())
        } else if let Some(core) = conflict(store, &constraints) {
            self.statistics.unsat += 1;
            self.core = Some(core);
            Answer::Unsat
        } else {
            self.below.solve(
                store,
                &Query {
                    constraints: &constraints,
                    ..*query
                },
            )
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
        self.below.reset();
    }
}

/// The constraints with conjunctions taken apart, each once, in order, without `true`.
pub fn conjuncts(store: &Store, constraints: &[ExprId]) -> Vec<ExprId> {
    let mut result = Vec::with_capacity(constraints.len());
    let mut seen = FxHashSet::default();
    let mut pending: Vec<ExprId> = constraints.iter().rev().copied().collect();
    while let Some(constraint) = pending.pop() {
        if store.is_true(constraint) || !seen.insert(constraint) {
            continue;
        }
        let node = store.node(constraint);
        if node.op() == Op::And {
            pending.extend([node.arg(1), node.arg(0)]);
        } else {
            result.push(constraint);
        }
    }
    result
}

/// Unsigned or signed bounds on one term; signed values are kept with the sign bit flipped, so that
/// both orders are unsigned.
struct Bounds {
    low: u128,
    high: u128,
    from: Vec<ExprId>,
}

/// Constraints that contradict each other by what they say about one term.
fn conflict(store: &Store, constraints: &[ExprId]) -> Option<Vec<ExprId>> {
    let all: FxHashSet<ExprId> = constraints.iter().copied().collect();
    let mut bounds: FxHashMap<(ExprId, bool), Bounds> = FxHashMap::default();
    for &constraint in constraints {
        let node = store.node(constraint);
        if node.op() == Op::Not && all.contains(&node.arg(0)) {
            return Some(vec![node.arg(0), constraint]);
        }
        if !matches!(node.op(), Op::Ult | Op::Slt | Op::Eq) {
            continue;
        }
        let (left, right) = (node.arg(0), node.arg(1));
        let width = store.width(left);
        let signs: &[bool] = match node.op() {
            Op::Ult => &[false],
            Op::Slt => &[true],
            _ => &[false, true],
        };
        for &signed in signs {
            let flip = if signed { 1 << (width - 1) } else { 0 };
            let (term, low, high) = match (store.constant_value(left), store.constant_value(right))
            {
                (None, Some(value)) if node.op() == Op::Eq => (left, value ^ flip, value ^ flip),
                // Rules keep the constant off the ends of the range, so neither step wraps.
                (None, Some(value)) => (left, 0, (value ^ flip).saturating_sub(1)),
                (Some(value), None) => (right, (value ^ flip).saturating_add(1), mask(width)),
                _ => continue,
            };
            let known = bounds.entry((term, signed)).or_insert_with(|| {
                let facts = store.facts(term).filter(|_| !signed);
                Bounds {
                    low: facts.map_or(0, |facts| facts.low as u128),
                    high: facts.map_or(mask(width), |facts| facts.high as u128),
                    from: Vec::new(),
                }
            });
            known.low = known.low.max(low);
            known.high = known.high.min(high);
            known.from.push(constraint);
            if known.low > known.high {
                return Some(known.from.clone());
            }
        }
    }
    None
}
