//! Answers that earlier answers imply.
//!
//! - The same set of constraints was decided before.
//! - A superset was satisfiable: its model is good. A subset was unsatisfiable: so is this query.
//!   Unsatisfiable sets are kept as the core the layer below names.
//! - A recent model happens to satisfy the query. Models are kept with the values of all terms asked
//!   about, so trying one costs what the path condition grew by.

use std::sync::Arc;
use std::time::Instant;

use expr::{Evaluation, ExprId, Model, Store};
use rustc_hash::FxHashMap;

use crate::layers::slicing::relevant_part;
use crate::query::{Answer, LayerStatistics, Query, Solver};

/// How many models are tried, newest use first.
const RECENT_MODELS: usize = 16;
/// A model's remembered values are dropped when they get more than this.
const MOST_VALUES: usize = 200_000;
/// Everything is dropped at this many entries; memory stays bounded and nothing else depends on it.
const MOST_ENTRIES: usize = 200_000;
/// The same at so many constraints in them. Each is known by a pointer and a number, some 30 bytes.
const MOST_HELD: usize = 8_000_000;
/// How many known sets that share a query's newest constraint are looked at.
const LOOKED_AT: usize = 32;

pub struct Cache {
    below: Box<dyn Solver>,
    decided: FxHashMap<Arc<[ExprId]>, Option<Model>>,
    /// Unsatisfiable sets by their newest constraint.
    unsat: FxHashMap<ExprId, Vec<Arc<[ExprId]>>>,
    /// Satisfiable sets by each of their constraints, newest last.
    sat: FxHashMap<ExprId, Vec<Arc<[ExprId]>>>,
    /// Constraints in all sets together.
    held: usize,
    recent: Vec<Evaluation>,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

impl Cache {
    pub fn new(below: Box<dyn Solver>) -> Cache {
        Cache {
            below,
            decided: FxHashMap::default(),
            unsat: FxHashMap::default(),
            sat: FxHashMap::default(),
            held: 0,
            recent: Vec::new(),
            core: None,
            statistics: LayerStatistics::new("cache"),
        }
    }

    fn known(&mut self, store: &Store, key: &[ExprId]) -> Option<Answer> {
        if let Some(decided) = self.decided.get(key) {
            return Some(match decided {
                Some(model) => Answer::Sat(model.clone()),
                None => Answer::Unsat,
            });
        }
        for constraint in key {
            let Some(sets) = self.unsat.get(constraint) else {
                continue;
            };
            if let Some(core) = sets
                .iter()
                .rev()
                .take(LOOKED_AT)
                .find(|set| subset(set, key))
            {
                self.core = Some(core.to_vec());
                return Some(Answer::Unsat);
            }
        }
        if let Some(sets) = key.last().and_then(|newest| self.sat.get(newest))
            && let Some(superset) = sets
                .iter()
                .rev()
                .take(LOOKED_AT)
                .find(|set| subset(key, set))
            && let Some(Some(model)) = self.decided.get(superset)
        {
            return Some(Answer::Sat(relevant_part(store, model, key)));
        }
        self.recent_model(store, key)
    }

    fn recent_model(&mut self, store: &Store, key: &[ExprId]) -> Option<Answer> {
        // Newest constraint first: it is the one that most models fail.
        let position = self.recent.iter_mut().position(|model| {
            key.iter()
                .rev()
                .all(|&condition| model.holds(store, condition))
        })?;
        let mut evaluation = self.recent.remove(position);
        let model = relevant_part(store, evaluation.model(), key);
        if evaluation.remembered() > MOST_VALUES {
            evaluation.forget();
        }
        self.recent.insert(0, evaluation);
        Some(Answer::Sat(model))
    }

    fn forget(&mut self) {
        self.decided.clear();
        self.unsat.clear();
        self.sat.clear();
        self.held = 0;
    }

    fn remember(&mut self, key: Arc<[ExprId]>, answer: &Answer) {
        if self.decided.len() >= MOST_ENTRIES || self.held >= MOST_HELD {
            self.forget();
        }
        if !matches!(answer, Answer::Unknown(_)) {
            self.held += key.len();
        }
        match answer {
            Answer::Sat(model) => {
                for &constraint in key.iter() {
                    let sets = self.sat.entry(constraint).or_default();
                    if sets.len() >= 2 * LOOKED_AT {
                        sets.drain(..LOOKED_AT);
                    }
                    sets.push(key.clone());
                }
                self.recent.insert(0, Evaluation::new(model.clone()));
                self.recent.truncate(RECENT_MODELS);
                self.decided.insert(key, Some(model.clone()));
            }
            Answer::Unsat => {
                let mut core: Vec<ExprId> = match self.below.unsat_core() {
                    Some(core) if !core.is_empty() => core.to_vec(),
                    _ => key.to_vec(),
                };
                core.sort_unstable();
                if let Some(&newest) = core.last() {
                    self.unsat.entry(newest).or_default().push(core.into());
                }
                self.decided.insert(key, None);
            }
            Answer::Unknown(_) => {}
        }
    }
}

impl Solver for Cache {
    fn name(&self) -> &'static str {
        "cache"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        self.core = None;
        let mut key: Vec<ExprId> = query.constraints.to_vec();
        key.sort_unstable();
        key.dedup();
        let answer = match self.known(store, &key) {
            Some(answer) => {
                self.statistics.count(&answer);
                answer
            }
            None => {
                let answer = self.below.solve(store, query);
                self.core = self.below.unsat_core().map(<[ExprId]>::to_vec);
                self.remember(key.into(), &answer);
                answer
            }
        };
        self.statistics.time += start.elapsed();
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.core.as_deref()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = vec![self.statistics.clone()];
        all.extend(self.below.statistics());
        all
    }

    fn reset(&mut self) {
        self.forget();
        self.recent.clear();
        self.core = None;
        self.below.reset();
    }
}

/// Whether every member of a sorted set is in another.
fn subset(small: &[ExprId], large: &[ExprId]) -> bool {
    if small.len() > large.len() {
        return false;
    }
    let mut rest = large.iter();
    small
        .iter()
        .all(|member| rest.by_ref().any(|other| other == member))
}
