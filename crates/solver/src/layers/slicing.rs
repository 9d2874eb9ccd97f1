//! Independence: constraints that share no symbol, not even through others, are decided apart, and
//! their models put together. A branch that is flipped is so asked with what it depends on only.

use std::time::Instant;

use expr::{ExprId, Model, Store, SymbolId, SymbolSetId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::{Answer, LayerStatistics, Query, Solver};

pub struct Slicing {
    below: Box<dyn Solver>,
    statistics: LayerStatistics,
}

impl Slicing {
    pub fn new(below: Box<dyn Solver>) -> Slicing {
        Slicing {
            below,
            statistics: LayerStatistics::new("slicing"),
        }
    }

    fn decide(&mut self, store: &Store, query: &Query) -> Answer {
        let mut model = Model::new();
        let mut unknown = None;
        // The newest constraint is the likeliest to make the query unsatisfiable: its slice first.
        for slice in slices(store, query.constraints).iter().rev() {
            match self.below.solve(
                store,
                &Query {
                    constraints: slice,
                    ..*query
                },
            ) {
                Answer::Sat(part) => {
                    // A part may speak of more symbols than its slice has; those are others' business.
                    model.extend(&relevant_part(store, &part, slice));
                }
                Answer::Unsat => return Answer::Unsat,
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        match unknown {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Sat(model),
        }
    }
}

impl Solver for Slicing {
    fn name(&self) -> &'static str {
        "slicing"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        let answer = self.decide(store, query);
        self.statistics.time += start.elapsed();
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.below.unsat_core()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = vec![self.statistics.clone()];
        all.extend(self.below.statistics());
        all
    }

    fn reset(&mut self) {
        self.below.reset();
    }
}

/// The values a model gives to the symbols that `constraints` depend on.
pub fn relevant_part(store: &Store, model: &Model, constraints: &[ExprId]) -> Model {
    let mut part = Model::new();
    let mut done = FxHashSet::default();
    for &constraint in constraints {
        if !done.insert(store.symbol_set_id(constraint)) {
            continue;
        }
        for symbol in store.symbols_of(constraint).iter() {
            part.set(symbol, model.value(symbol));
        }
    }
    part
}

/// The connected components of "shares a symbol", each in the order of the query, ordered by their
/// newest constraint. A model for every component satisfies the whole.
pub fn slices(store: &Store, constraints: &[ExprId]) -> Vec<Vec<ExprId>> {
    // Long paths have few different sets of symbols, so components are found among these.
    let mut sets: Vec<SymbolSetId> = Vec::new();
    let mut number_of: FxHashMap<SymbolSetId, usize> = FxHashMap::default();
    let mut set_of: Vec<usize> = Vec::with_capacity(constraints.len());
    for &constraint in constraints {
        let set = store.symbol_set_id(constraint);
        let number = match set_of.last() {
            Some(&last) if sets[last] == set && !set.is_empty() => last,
            // A constraint without symbols is a component of its own.
            _ if set.is_empty() => sets.len(),
            _ => *number_of.entry(set).or_insert(sets.len()),
        };
        if number == sets.len() {
            sets.push(set);
        }
        set_of.push(number);
    }
    let mut owner: FxHashMap<SymbolId, usize> = FxHashMap::default();
    let mut parent: Vec<usize> = (0..sets.len()).collect();
    for (number, &set) in sets.iter().enumerate() {
        for symbol in store.symbol_set(set).iter() {
            let other = *owner.entry(symbol).or_insert(number);
            let (a, b) = (root(&mut parent, number), root(&mut parent, other));
            parent[a.min(b)] = a.max(b);
        }
    }
    let mut newest = vec![0; sets.len()];
    let mut members: Vec<Vec<ExprId>> = vec![Vec::new(); sets.len()];
    for (index, &constraint) in constraints.iter().enumerate() {
        let component = root(&mut parent, set_of[index]);
        members[component].push(constraint);
        newest[component] = index;
    }
    let mut components: Vec<usize> = (0..sets.len())
        .filter(|&component| !members[component].is_empty())
        .collect();
    components.sort_unstable_by_key(|&component| newest[component]);
    components
        .into_iter()
        .map(|component| std::mem::take(&mut members[component]))
        .collect()
}

fn root(parent: &mut [usize], mut index: usize) -> usize {
    while parent[index] != index {
        parent[index] = parent[parent[index]];
        index = parent[index];
    }
    index
}
