//! Quick inversion: branches over input bytes are solved by trying bytes.
//!
//! A constraint over one byte is the set of bytes that satisfy it, found once. Sets over the same byte
//! are intersected; an empty intersection is a proof of unsatisfiability, with those constraints as its
//! core. If bytes remain that only such constraints mention, any member of their set will do. A query
//! whose remaining combinations are few is decided by trying all of them. Otherwise the best of the last
//! models is taken, usually that of the path whose last branch is flipped, and one byte at a time, or two
//! integers that are compared, are moved to values that satisfy more: that finds many models and never
//! claims there is none.
//!
//! With floating-point arithmetic the back end is often at a loss for seconds. Trying may then take far longer, and
//! two bytes are moved at a time as well.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use expr::{ByteSet, Compiled, ExprId, Model, Op, Store, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};

/// A constraint with more nodes than this is not compiled for trying.
const MOST_NODES: usize = 600;
/// Combinations times nodes that are tried exhaustively; around a millisecond.
const MOST_WORK: usize = 150_000;
/// The same for moving byte by byte, which may be in vain.
const MOST_WORK_IN_VAIN: usize = 60_000;
/// The limits for questions with floating-point arithmetic; some tens of milliseconds.
const MOST_FLOAT_NODES: usize = 40_000;
const MOST_FLOAT_WORK: usize = 10_000_000;
/// Trying bytes may take so long, however little time is left.
const ALWAYS: Duration = Duration::from_millis(20);
/// How many of the last models are considered as a start.
const HINTS: usize = 6;

pub struct Quick {
    below: Box<dyn Solver>,
    sets: FxHashMap<ExprId, Option<(SymbolId, ByteSet)>>,
    /// Terms known to be without floating-point arithmetic.
    without_floats: FxHashSet<ExprId>,
    hints: VecDeque<Model>,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

impl Quick {
    pub fn new(below: Box<dyn Solver>) -> Quick {
        Quick {
            below,
            sets: FxHashMap::default(),
            without_floats: FxHashSet::default(),
            hints: VecDeque::new(),
            core: None,
            statistics: LayerStatistics::new("quick"),
        }
    }

    fn byte_set(&mut self, store: &Store, constraint: ExprId) -> Option<(SymbolId, ByteSet)> {
        let known = self.sets.entry(constraint);
        *known.or_insert_with(|| store.satisfying_bytes(constraint, MOST_NODES))
    }

    fn has_floats(&mut self, store: &Store, constraints: &[ExprId]) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = constraints.to_vec();
        while let Some(id) = pending.pop() {
            if self.without_floats.contains(&id) || !seen.insert(id) {
                continue;
            }
            if store.op(id).is_float_arithmetic() {
                return true;
            }
            store.for_each_child(id, |child| pending.push(child));
        }
        self.without_floats.extend(seen);
        false
    }

    fn decide(&mut self, store: &Store, query: &Query, start: Instant) -> Option<Answer> {
        let mut domains: FxHashMap<SymbolId, (ByteSet, Vec<ExprId>)> = FxHashMap::default();
        let mut others = Vec::new();
        for &constraint in query.constraints {
            let is_known = self.sets.contains_key(&constraint);
            if !is_known && start.elapsed() >= query.timeout.max(ALWAYS) {
                return Some(Answer::Unknown(Reason::Timeout));
            }
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
        let floats = self.has_floats(store, &others);
        let (most_nodes, most_work, most_in_vain) = match floats {
            true => (MOST_FLOAT_NODES, MOST_FLOAT_WORK, MOST_FLOAT_WORK),
            false => (4 * MOST_NODES, MOST_WORK, MOST_WORK_IN_VAIN),
        };
        let compiled = Compiled::new(store, &others, most_nodes)?;
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
        let symbols_of_root = |&root: &ExprId| {
            let member = |symbol: &SymbolId| store.symbols_of(root).contains(*symbol);
            (0..symbols.len())
                .filter(|&index| member(&symbols[index]))
                .collect()
        };
        let roots = others.iter().map(symbols_of_root).collect();
        let compared = others
            .iter()
            .map(|&root| compared_integers(store, root, &symbols))
            .collect();
        let mut search = QuickSearch {
            compiled,
            candidates,
            model,
            roots,
            compared,
        };
        let work = search.compiled.len();
        let combinations = search
            .candidates
            .iter()
            .try_fold(1usize, |product, candidate| {
                product
                    .checked_mul(candidate.values.len())
                    .filter(|&product| product < most_work)
            });
        if combinations.is_some_and(|count| count.saturating_mul(work) <= most_work) {
            return Some(search.exhaustively());
        }
        search.start_from(&self.hints);
        search
            .byte_by_byte(most_in_vain / work, floats)
            .map(Answer::Sat)
    }
}

struct Candidates {
    symbol: SymbolId,
    values: Vec<u8>,
}

struct QuickSearch {
    compiled: Compiled,
    candidates: Vec<Candidates>,
    model: Model,
    /// For each constraint the positions in `candidates` of the bytes it depends on.
    roots: Vec<Vec<usize>>,
    /// For each constraint that compares two integers read from the input, the positions of their
    /// bytes, lowest first.
    compared: Vec<Option<[Vec<usize>; 2]>>,
}

impl QuickSearch {
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

    /// Starts from the hint under which most constraints hold, its bytes moved into their domains.
    fn start_from(&mut self, hints: &VecDeque<Model>) {
        for candidates in &self.candidates {
            if self.model.get(candidates.symbol).is_none() {
                self.model
                    .set(candidates.symbol, candidates.values[0] as u64);
            }
        }
        let mut best = self.score();
        for hint in hints {
            let mut start = self.model.clone();
            for candidates in &self.candidates {
                let value = hint.value(candidates.symbol);
                if candidates.values.binary_search(&(value as u8)).is_ok() {
                    start.set(candidates.symbol, value);
                }
            }
            std::mem::swap(&mut self.model, &mut start);
            let score = self.score();
            if score > best {
                best = score;
            } else {
                self.model = start;
            }
        }
    }

    /// Moves one byte of a violated constraint at a time to a value under which more constraints hold; if no byte
    /// does it alone, two, if asked to.
    fn byte_by_byte(&mut self, mut tries: usize, in_pairs: bool) -> Option<Model> {
        let mut best = self.score();
        'improve: while best < self.roots.len() {
            let violated: Vec<usize> = (0..self.roots.len())
                .filter(|&root| self.compiled.result(root) == 0)
                .collect();
            if let Some(score) = self.move_integers(&violated, best) {
                best = score;
                continue;
            }
            let mut positions: Vec<usize> = violated
                .iter()
                .flat_map(|&root| self.roots[root].iter().copied())
                .collect();
            positions.sort_unstable();
            positions.dedup();
            for &position in &positions {
                let symbol = self.candidates[position].symbol;
                let before = self.model.value(symbol);
                for index in 0..self.candidates[position].values.len() {
                    tries = tries.checked_sub(1)?;
                    self.model
                        .set(symbol, self.candidates[position].values[index] as u64);
                    let score = self.score();
                    if score > best {
                        best = score;
                        continue 'improve;
                    }
                }
                self.model.set(symbol, before);
            }
            if !in_pairs {
                return None;
            }
            best = self.pair_by_pair(&positions, best, &mut tries)?;
        }
        Some(self.model.clone())
    }

    /// Moves two of the bytes to values under which more constraints hold; how many then.
    fn pair_by_pair(
        &mut self,
        positions: &[usize],
        best: usize,
        tries: &mut usize,
    ) -> Option<usize> {
        for (index, &first) in positions.iter().enumerate() {
            for &second in &positions[index + 1..] {
                let symbols = [first, second].map(|position| self.candidates[position].symbol);
                let before = symbols.map(|symbol| self.model.value(symbol));
                for x in 0..self.candidates[first].values.len() {
                    for y in 0..self.candidates[second].values.len() {
                        *tries = tries.checked_sub(1)?;
                        let values = [
                            self.candidates[first].values[x],
                            self.candidates[second].values[y],
                        ];
                        self.model.set(symbols[0], values[0].into());
                        self.model.set(symbols[1], values[1].into());
                        let score = self.score();
                        if score > best {
                            return Some(score);
                        }
                    }
                }
                self.model.set(symbols[0], before[0]);
                self.model.set(symbols[1], before[1]);
            }
        }
        None
    }

    /// Exchanges two compared integers, or puts one next to the other, if more constraints hold then.
    fn move_integers(&mut self, violated: &[usize], best: usize) -> Option<usize> {
        for &root in violated {
            let Some(sides) = self.compared[root].clone() else {
                continue;
            };
            let [x, y] = [0, 1].map(|side: usize| self.integer(&sides[side]));
            let (up, down) = (u128::wrapping_add, u128::wrapping_sub);
            let moves = [
                (y, x),
                (y, y),
                (x, x),
                (down(y, 1), y),
                (x, up(x, 1)),
                (up(y, 1), y),
                (x, down(x, 1)),
            ];
            for (new_x, new_y) in moves {
                if self.set_integer(&sides[0], new_x) && self.set_integer(&sides[1], new_y) {
                    let score = self.score();
                    if score > best {
                        return Some(score);
                    }
                }
                self.set_integer(&sides[0], x);
                self.set_integer(&sides[1], y);
            }
        }
        None
    }

    fn integer(&self, bytes: &[usize]) -> u128 {
        let byte = |position: usize| self.model.value(self.candidates[position].symbol) as u128;
        bytes
            .iter()
            .rev()
            .fold(0, |value, &position| value << 8 | byte(position))
    }

    /// False if a byte would leave its domain.
    fn set_integer(&mut self, bytes: &[usize], value: u128) -> bool {
        for (index, &position) in bytes.iter().enumerate() {
            let byte = (value >> (8 * index)) as u8;
            if self.candidates[position]
                .values
                .binary_search(&byte)
                .is_err()
            {
                return false;
            }
            self.model
                .set(self.candidates[position].symbol, byte as u64);
        }
        true
    }

    fn score(&mut self) -> usize {
        self.run();
        (0..self.roots.len())
            .filter(|&root| self.compiled.result(root) == 1)
            .count()
    }
}

/// The bytes of both sides of a comparison of two integers that are nothing but input bytes.
fn compared_integers(
    store: &Store,
    constraint: ExprId,
    symbols: &[SymbolId],
) -> Option<[Vec<usize>; 2]> {
    let mut node = store.node(constraint);
    if node.op() == Op::Not {
        node = store.node(node.arg(0));
    }
    if !matches!(node.op(), Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle) {
        return None;
    }
    let bytes = |mut id: ExprId| {
        let mut bytes = Vec::new();
        loop {
            let node = store.node(id);
            let high = if node.op() == Op::Concat {
                node.arg(0)
            } else {
                id
            };
            bytes.push(symbols.binary_search(&store.as_symbol(high)?).ok()?);
            if high == id {
                bytes.reverse();
                return Some(bytes);
            }
            id = node.arg(1);
        }
    };
    Some([bytes(node.arg(0))?, bytes(node.arg(1))?])
}

/// A byte one would type, if there is one in the set.
pub(super) fn preferred(set: &ByteSet) -> u8 {
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
        let answer = match self.decide(store, query, start) {
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
        if let Answer::Sat(model) = &answer {
            self.hints.truncate(HINTS - 1);
            self.hints.push_front(model.clone());
        }
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
        self.without_floats.clear();
        self.hints.clear();
        self.core = None;
        self.below.reset();
    }
}
