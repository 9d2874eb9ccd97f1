//! Constraints over several bytes by intervals: branch and prune.
//!
//! A text with a number is a few bytes of which each has a small set of values, and what a program asks about the number is
//! monotone in each of them, or nearly so: sums with coefficients, quotients by ten, comparisons. So the input is taken as a
//! *box*, one set for each byte, and every term has an interval of values in it ([`expr::Interval`]). A constraint that is
//! false in the whole box refutes it; if all are true in it, any of its points is a model; otherwise the byte with the most
//! influence is halved, and both halves are tried. A box of one point decides everything, so the search is complete, but it
//! may be long: it has a budget, and what it cannot decide goes to the layer below. Bit-blasting would need a circuit for each quotient.
//!
//! The sets to begin with are those of the constraints over one byte, as in the quick layer. An unsatisfiable core has the
//! constraints that refuted a box, and those over one byte that they depend on.

mod points;
mod search;
mod terms;

use std::time::{Duration, Instant};

use expr::{ByteSet, ExprId, Model, Store, SymbolId};
use rustc_hash::FxHashMap;

use self::points::{Outcome, Points};
use self::search::{BoxAnswer, BoxSearch, Budget, Domain, Root, Values};
use self::terms::Terms;
use super::quick::preferred;
use crate::query::{Answer, LayerStatistics, Query, Solver};

/// A constraint over one byte with more nodes than this is not tried on all bytes.
const MOST_NODES: usize = 600;
/// Boxes that a query may cost. It follows success: the less often boxes decide, the fewer there may be.
const LEAST_BOXES: usize = 64;
const FIRST_BOXES: usize = 2_000;
const MOST_BOXES: usize = 16_000;
/// Evaluations of terms that a query may cost, around 20 ns each.
const MOST_EVALUATIONS: usize = 4_000_000;

/// Boxes may take so long, however little time is left.
const ALWAYS: Duration = Duration::from_millis(20);
/// Nor do they take longer than this, however much time there is.
const LONGEST: Duration = Duration::from_secs(3_600);

/// When the points of a path are followed.
#[derive(Clone, Copy, Debug)]
pub struct PointsConfig {
    /// A query whose search evaluated more terms than this begins a long path, of which points may be worth their cost.
    pub long_search: usize,
    /// Such a query has more constraints than this.
    pub long_path: usize,
    /// Queries without points after points were not to be had.
    pub rest: usize,
}

impl Default for PointsConfig {
    fn default() -> PointsConfig {
        PointsConfig {
            long_search: 20_000,
            long_path: 32,
            rest: 32,
        }
    }
}

/// What constraints over one byte allow; `None` for others.
type Sets = FxHashMap<ExprId, Option<(SymbolId, ByteSet)>>;

pub struct Boxes {
    below: Box<dyn Solver>,
    terms: Terms,
    values: Values,
    sets: Sets,
    points_config: PointsConfig,
    /// The points of the last long path.
    points: Option<Points>,
    answered_by_points: u64,
    /// Queries until points are looked for again.
    rest: usize,
    /// Evaluations of terms in the last search.
    spent: usize,
    hint: Model,
    boxes: usize,
    core: Option<Vec<ExprId>>,
    statistics: LayerStatistics,
}

/// The bytes that a symbol may have, and the constraints that say so.
struct Allowed {
    set: ByteSet,
    from: Vec<ExprId>,
}

impl Boxes {
    pub fn new(below: Box<dyn Solver>) -> Boxes {
        Boxes::with_points(below, PointsConfig::default())
    }

    pub fn with_points(below: Box<dyn Solver>, points_config: PointsConfig) -> Boxes {
        Boxes {
            below,
            terms: Terms::default(),
            values: Values::default(),
            sets: Sets::default(),
            points_config,
            points: None,
            answered_by_points: 0,
            rest: 0,
            spent: 0,
            hint: Model::new(),
            boxes: FIRST_BOXES,
            core: None,
            statistics: LayerStatistics::new("boxes"),
        }
    }

    /// How many of the answers were found by following points instead of halving boxes.
    pub fn answered_by_points(&self) -> u64 {
        self.answered_by_points
    }

    fn decide(&mut self, store: &Store, query: &Query, deadline: Instant) -> Option<Answer> {
        if self.terms.is_full() {
            self.terms.forget();
            self.values.forget();
            self.points = None;
        }
        if let Some(answer) = self.ask_points(store, query, deadline) {
            return Some(answer);
        }
        let mut allowed: FxHashMap<SymbolId, Allowed> = FxHashMap::default();
        let mut roots = Vec::new();
        let mut floats = false;
        for &constraint in query.constraints {
            let known = self.sets.entry(constraint);
            let set = *known.or_insert_with(|| store.satisfying_bytes(constraint, MOST_NODES));
            let Some((symbol, set)) = set else {
                let place = self.terms.enter(store, constraint)?;
                floats |= self.terms.has_floats(place);
                roots.push(Root {
                    constraint,
                    place,
                    used: false,
                });
                continue;
            };
            let entry = allowed.entry(symbol).or_insert(Allowed {
                set: ByteSet::ALL,
                from: Vec::new(),
            });
            let common = entry.set.intersection(&set);
            if common != entry.set {
                entry.set = common;
                entry.from.push(constraint);
            }
            if common.is_empty() {
                self.core = Some(apart(&self.sets, &set, &entry.from));
                return Some(Answer::Unsat);
            }
        }
        let mut model = Model::new();
        for (&symbol, allowed) in &allowed {
            model.set(symbol, preferred(&allowed.set) as u64);
        }
        if roots.is_empty() {
            return Some(Answer::Sat(model));
        }
        let answer = self.search(store, roots, &allowed, model, floats, deadline);
        self.rest = self.rest.saturating_sub(1);
        let config = self.points_config;
        if self.spent > config.long_search
            && query.constraints.len() > config.long_path
            && self.rest == 0
        {
            let (terms, sets) = (&mut self.terms, &self.sets);
            self.points = Points::new(store, terms, sets, query.constraints, deadline);
            if self.points.is_none() {
                self.rest = config.rest;
            }
        }
        answer.or_else(|| self.ask_points(store, query, deadline))
    }

    /// The answer of the points of the last long path, if there are any and they know it.
    fn ask_points(&mut self, store: &Store, query: &Query, deadline: Instant) -> Option<Answer> {
        let points = self.points.as_mut()?;
        let answer = match points.decide(store, &mut self.terms, query.constraints, deadline) {
            Outcome::Sat(model) => Answer::Sat(model),
            Outcome::Unsat(core) => {
                self.core = Some(core);
                Answer::Unsat
            }
            Outcome::Undecided => return None,
            Outcome::UsedUp => {
                self.points = None;
                return None;
            }
        };
        self.answered_by_points += 1;
        Some(answer)
    }

    fn search(
        &mut self,
        store: &Store,
        roots: Vec<Root>,
        allowed: &FxHashMap<SymbolId, Allowed>,
        mut model: Model,
        floats: bool,
        deadline: Instant,
    ) -> Option<Answer> {
        let domains = domains(store, &roots, allowed, &self.hint);
        let budget = Budget {
            boxes: if floats { MOST_BOXES } else { self.boxes },
            evaluations: MOST_EVALUATIONS,
            deadline,
        };
        self.spent = 0;
        let mut search = BoxSearch::new(&self.terms, &mut self.values, domains, roots, budget)?;
        let found = search.run();
        self.spent = MOST_EVALUATIONS - search.evaluations_left();
        let answer = match found {
            BoxAnswer::Box => {
                for domain in &search.domains {
                    let mut left = ByteSet::NONE;
                    domain.left().iter().for_each(|&byte| left.insert(byte));
                    model.set(domain.symbol, preferred(&left) as u64);
                }
                Some(Answer::Sat(model))
            }
            BoxAnswer::Nothing => {
                self.core = Some(core(&search, allowed));
                Some(Answer::Unsat)
            }
            BoxAnswer::GaveUp => None,
        };
        if !floats {
            self.boxes = match answer {
                Some(_) => (self.boxes + self.boxes / 8).min(MOST_BOXES),
                None => (self.boxes / 2).max(LEAST_BOXES),
            };
        }
        answer
    }
}

/// Of constraints over one byte that no byte satisfies, of which the last allows `set`, as few as are easily found.
fn apart(sets: &Sets, set: &ByteSet, all: &[ExprId]) -> Vec<ExprId> {
    let Some((last, others)) = all.split_last() else {
        return Vec::new();
    };
    if set.is_empty() {
        return vec![*last];
    }
    let excludes = |other: &&ExprId| {
        let known = sets.get(*other).copied().flatten();
        known.is_some_and(|(_, other)| other.intersection(set).is_empty())
    };
    match others.iter().find(excludes) {
        Some(other) => vec![*other, *last],
        None => all.to_vec(),
    }
}

/// The bytes that the roots depend on, in the order of their symbols.
fn domains(
    store: &Store,
    roots: &[Root],
    allowed: &FxHashMap<SymbolId, Allowed>,
    hint: &Model,
) -> Vec<Domain> {
    let mut symbols: Vec<SymbolId> = Vec::new();
    for root in roots {
        symbols.extend(store.symbols_of(root.constraint).iter());
    }
    symbols.sort_unstable();
    symbols.dedup();
    symbols.retain(|&symbol| store.symbol(symbol).width() == 8);
    let domain = |symbol: SymbolId| {
        let set = allowed
            .get(&symbol)
            .map_or(ByteSet::ALL, |allowed| allowed.set);
        Domain::new(symbol, set.iter().collect(), hint.value(symbol) as u8)
    };
    symbols.into_iter().map(domain).collect()
}

/// Constraints that no point satisfies together: those that refuted boxes depend on these bytes only.
fn core(search: &BoxSearch, allowed: &FxHashMap<SymbolId, Allowed>) -> Vec<ExprId> {
    let mut core = Vec::new();
    let mut dependences = 0;
    for (index, root) in search.roots.iter().enumerate() {
        if root.used {
            core.push(root.constraint);
            dependences |= search.dependences(index);
        }
    }
    dependences &= !search.free;
    for (position, domain) in search.domains.iter().enumerate() {
        if dependences >> position & 1 == 1
            && let Some(allowed) = allowed.get(&domain.symbol)
        {
            core.extend(&allowed.from);
        }
    }
    core
}

impl Solver for Boxes {
    fn name(&self) -> &'static str {
        "boxes"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        self.core = None;
        let deadline = start + query.timeout.clamp(ALWAYS, LONGEST);
        let answer = match self.decide(store, query, deadline) {
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
            self.hint = model.clone();
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
        self.terms.forget();
        self.values.forget();
        self.sets.clear();
        self.points = None;
        self.rest = 0;
        self.hint = Model::new();
        self.boxes = FIRST_BOXES;
        self.core = None;
        self.below.reset();
    }
}
