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

/// What constraints say about one term.
struct Bounds {
    allowed: Interval,
    /// Those that made it smaller, each with what it allows by itself.
    from: Vec<(ExprId, Interval)>,
}

/// Constraints that contradict each other by what they say about one term.
fn conflict(store: &Store, constraints: &[ExprId]) -> Option<Vec<ExprId>> {
    let all: FxHashSet<ExprId> = constraints.iter().copied().collect();
    let mut bounds: FxHashMap<ExprId, Bounds> = FxHashMap::default();
    for &constraint in constraints {
        let node = store.node(constraint);
        if node.op() == Op::Not && all.contains(&node.arg(0)) {
            return Some(vec![node.arg(0), constraint]);
        }
        let Some((term, allowed)) = allowed(store, constraint) else {
            continue;
        };
        let Some((term, allowed)) = solved(store, term, allowed) else {
            return Some(vec![constraint]);
        };
        let width = store.width(term);
        let known = bounds.entry(term).or_insert_with(|| Bounds {
            allowed: match store.facts(term) {
                Some(facts) => Interval::between(facts.low as u128, facts.high as u128),
                None => Interval::all(width),
            },
            from: Vec::new(),
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
            known.allowed = common;
            known.from.push((constraint, allowed));
        }
    }
    None
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
