//! Quick inversion: branches over input bytes are solved by trying bytes.
//!
//! A constraint over one byte is the set of bytes that satisfy it, found once. Sets over the same byte
//! are intersected; an empty intersection is a proof of unsatisfiability, with those constraints as its
//! core. If bytes remain that only such constraints mention, any member of their set will do. A query
//! whose remaining combinations are few is decided by trying all of them. Otherwise one byte at a time
//! is moved to a value that satisfies more: that finds many models and never claims there is none.

use std::time::Instant;

use expr::{ByteSet, Compiled, ExprId, Model, Store, SymbolId};
use rustc_hash::FxHashMap;

use crate::query::{Answer, LayerStatistics, Query, Solver};

/// A constraint with more nodes than this is not compiled for trying.
const MOST_NODES: usize = 600;
/// Combinations times nodes that are tried exhaustively; around a millisecond.
const MOST_WORK: usize = 150_000;

pub struct Quick {
    below: Box<dyn Solver>,
    sets: FxHashMap<ExprId, Option<(SymbolId, ByteSet)>>,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

impl Quick {
    pub fn new(below: Box<dyn Solver>) -> Quick {
        Quick {
            below,
            sets: FxHashMap::default(),
            core: None,
            statistics: LayerStatistics::new("quick"),
        }
    }

    fn byte_set(&mut self, store: &Store, constraint: ExprId) -> Option<(SymbolId, ByteSet)> {
        let known = self.sets.entry(constraint);
        *known.or_insert_with(|| store.satisfying_bytes(constraint, MOST_NODES))
    }

    fn decide(&mut self, store: &Store, query: &Query) -> Option<Answer> {
        let mut domains: FxHashMap<SymbolId, (ByteSet, Vec<ExprId>)> = FxHashMap::default();
        let mut others = Vec::new();
        for &constraint in query.constraints {
            match self.byte_set(store, constraint) {
                Some((symbol, set)) => {
                    let (domain, from) =
                        domains.entry(symbol).or_insert((ByteSet::ALL, Vec::new()));
                    *domain = domain.intersection(&set);
                    from.push(constraint);
                    if domain.is_empty() {
                        self.core = Some(from.clone());
                        return Some(Answer::Unsat);
                    }
                }
                None => others.push(constraint),
            }
        }
        let mut model = Model::new();
        for (&symbol, (domain, _)) in &domains {
            model.set(symbol, preferred(domain) as u64);
        }
        if others.is_empty() {
            return Some(Answer::Sat(model));
        }
        let compiled = Compiled::new(store, &others, 4 * MOST_NODES)?;
        let mut symbols: Vec<SymbolId> = compiled.symbols().collect();
        symbols.sort_unstable();
        let mut candidates = Vec::with_capacity(symbols.len());
        for &symbol in &symbols {
            if store.symbol(symbol).width() != 8 {
                return None;
            }
            let domain = domains
                .get(&symbol)
                .map_or(ByteSet::ALL, |(domain, _)| *domain);
            candidates.push(Candidates {
                symbol,
                values: domain.iter().collect(),
            });
        }
        let mut search = Search {
            compiled,
            candidates,
            model,
            roots: others.len(),
        };
        let work = search.compiled.len();
        let combinations = search
            .candidates
            .iter()
            .try_fold(1usize, |product, candidate| {
                product
                    .checked_mul(candidate.values.len())
                    .filter(|&product| product < MOST_WORK)
            });
        if combinations.is_some_and(|count| count * work <= MOST_WORK) {
            return Some(search.exhaustively());
        }
        search.byte_by_byte(MOST_WORK / work).map(Answer::Sat)
    }
}

struct Candidates {
    symbol: SymbolId,
    values: Vec<u8>,
}

struct Search {
    compiled: Compiled,
    candidates: Vec<Candidates>,
    model: Model,
    roots: usize,
}

impl Search {
    fn run(&mut self) {
        let model = &self.model;
        self.compiled.run(|symbol| model.value(symbol));
    }

    /// Every combination, as a counter with one digit per byte.
    fn exhaustively(&mut self) -> Answer {
        let mut digits = vec![0usize; self.candidates.len()];
        loop {
            for (digit, candidates) in digits.iter().zip(&self.candidates) {
                self.model
                    .set(candidates.symbol, candidates.values[*digit] as u64);
            }
            self.run();
            if self.compiled.all_hold() {
                return Answer::Sat(self.model.clone());
            }
            let mut position = 0;
            loop {
                if position == digits.len() {
                    return Answer::Unsat;
                }
                digits[position] += 1;
                if digits[position] < self.candidates[position].values.len() {
                    break;
                }
                digits[position] = 0;
                position += 1;
            }
        }
    }

    /// Moves one byte at a time to the value under which most constraints hold.
    fn byte_by_byte(&mut self, mut tries: usize) -> Option<Model> {
        for candidates in &self.candidates {
            if self.model.get(candidates.symbol).is_none() {
                self.model.set(candidates.symbol, 0);
            }
        }
        let mut best = self.score();
        loop {
            let before = best;
            for index in 0..self.candidates.len() {
                if best == self.roots {
                    return Some(self.model.clone());
                }
                let symbol = self.candidates[index].symbol;
                let mut chosen = self.model.value(symbol);
                for position in 0..self.candidates[index].values.len() {
                    tries = tries.checked_sub(1)?;
                    self.model
                        .set(symbol, self.candidates[index].values[position] as u64);
                    let score = self.score();
                    if score > best {
                        best = score;
                        chosen = self.model.value(symbol);
                    }
                }
                self.model.set(symbol, chosen);
            }
            if best == self.roots {
                return Some(self.model.clone());
            }
            if best == before {
                return None;
            }
        }
    }

    fn score(&mut self) -> usize {
        self.run();
        (0..self.roots)
            .filter(|&root| self.compiled.result(root) == 1)
            .count()
    }
}

/// A byte one would type, if there is one in the set.
fn preferred(set: &ByteSet) -> u8 {
    let typed = set.iter().find(|byte| byte.is_ascii_alphanumeric());
    let printed = || {
        set.iter()
            .find(|byte| byte.is_ascii_graphic() || *byte == b' ')
    };
    typed
        .or_else(printed)
        .or_else(|| set.iter().next())
        .unwrap_or(0)
}

impl Solver for Quick {
    fn name(&self) -> &'static str {
        "quick"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        self.core = None;
        let answer = match self.decide(store, query) {
            Some(answer) => {
                self.statistics.count(&answer);
                answer
            }
            None => {
                let answer = self.below.solve(store, query);
                self.core = self.below.unsat_core().map(<[ExprId]>::to_vec);
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
        self.sets.clear();
        self.core = None;
        self.below.reset();
    }
}
