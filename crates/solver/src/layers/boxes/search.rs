//! Branch and prune: a box of byte sets is halved until intervals decide every constraint in it.

use std::time::Instant;

use expr::{ExprId, Interval, SymbolId};

use super::terms::{Place, Terms};

/// The bytes that a symbol may have, and which of them are left.
pub(super) struct Domain {
    pub(super) symbol: SymbolId,
    /// In ascending order.
    pub(super) members: Vec<u8>,
    first: usize,
    end: usize,
    /// Where the search looks first.
    hint: u8,
    /// What depends on the symbol, operands first.
    dependents: Vec<Place>,
}

impl Domain {
    pub(super) fn new(symbol: SymbolId, members: Vec<u8>, hint: u8) -> Domain {
        Domain {
            symbol,
            first: 0,
            end: members.len(),
            members,
            hint,
            dependents: Vec::new(),
        }
    }

    pub(super) fn left(&self) -> &[u8] {
        &self.members[self.first..self.end]
    }
}

/// A constraint that depends on more than one byte.
pub(super) struct Root {
    pub(super) constraint: ExprId,
    pub(super) place: Place,
    /// Whether it has refuted a box.
    pub(super) used: bool,
}

/// What a search found out.
pub(super) enum BoxAnswer {
    /// Every point of the domains that are left satisfies all constraints.
    Box,
    Nothing,
    GaveUp,
}

pub(super) struct BoxSearch<'a> {
    terms: &'a Terms,
    values: &'a mut Values,
    pub(super) domains: Vec<Domain>,
    pub(super) roots: Vec<Root>,
    /// Positions in `domains`, the most influential first.
    ranking: Vec<usize>,
    trail: Vec<(Place, Interval)>,
    budget: Budget,
    /// Domains without whose limits the refutation holds as well, as bits.
    pub(super) free: u64,
}

/// What a search may still cost.
#[derive(Clone, Copy)]
pub(super) struct Budget {
    pub(super) boxes: usize,
    /// Evaluations of terms.
    pub(super) evaluations: usize,
    pub(super) deadline: Instant,
}

/// Boxes between two looks at the clock.
const BOXES_PER_LOOK: usize = 64;
/// A search among no more points than this goes on to the end.
const FEW_POINTS: usize = 20_000;

static EVERY_BYTE: [u8; 256] = {
    let mut bytes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        bytes[byte] = byte as u8;
        byte += 1;
    }
    bytes
};

/// Of each term that a query reaches its interval and the domains it depends on.
#[derive(Default)]
pub(super) struct Values {
    query: u32,
    /// The query that the entry is of.
    stamps: Vec<u32>,
    intervals: Vec<Interval>,
    dependences: Vec<u64>,
}

impl Values {
    pub(super) fn forget(&mut self) {
        *self = Values::default();
    }

    fn begin(&mut self, terms: usize) {
        self.query += 1;
        self.stamps.resize(terms, 0);
        self.intervals.resize(terms, Interval::single(0));
        self.dependences.resize(terms, 0);
    }

    fn is_known(&self, place: Place) -> bool {
        self.stamps[place.index()] == self.query
    }
}

impl<'a> BoxSearch<'a> {
    /// `None` if there are too many bytes or terms.
    pub(super) fn new(
        terms: &'a Terms,
        values: &'a mut Values,
        domains: Vec<Domain>,
        roots: Vec<Root>,
        budget: Budget,
    ) -> Option<BoxSearch<'a>> {
        if domains.len() > 64 {
            return None;
        }
        values.begin(terms.len());
        let mut search = BoxSearch {
            terms,
            values,
            domains,
            roots,
            ranking: Vec::new(),
            trail: Vec::new(),
            budget,
            free: 0,
        };
        for root in 0..search.roots.len() {
            search.evaluate_below(search.roots[root].place)?;
        }
        Some(search)
    }

    /// Evaluates everything below a root that is not known yet.
    fn evaluate_below(&mut self, root: Place) -> Option<()> {
        let mut pending = vec![root];
        while let Some(&place) = pending.last() {
            if self.values.is_known(place) {
                pending.pop();
                continue;
            }
            let (before, mut dependences) = (pending.len(), 0);
            self.terms
                .for_each_operand(place, |operand| match self.values.is_known(operand) {
                    true => dependences |= self.values.dependences[operand.index()],
                    false => pending.push(operand),
                });
            if pending.len() > before {
                continue;
            }
            if let Some(symbol) = self.terms.symbol(place)
                && let Some(position) = self.position(symbol)
            {
                dependences |= 1 << position;
            }
            self.budget.evaluations = self.budget.evaluations.checked_sub(1)?;
            let interval = self.evaluate(place);
            self.values.stamps[place.index()] = self.values.query;
            self.values.intervals[place.index()] = interval;
            self.values.dependences[place.index()] = dependences;
            pending.pop();
        }
        Some(())
    }

    fn position(&self, symbol: SymbolId) -> Option<usize> {
        self.domains
            .iter()
            .position(|domain| domain.symbol == symbol)
    }

    fn evaluate(&self, place: Place) -> Interval {
        let members = |symbol: SymbolId| match self.position(symbol) {
            Some(position) if self.free >> position & 1 == 1 => &EVERY_BYTE[..],
            Some(position) => self.domains[position].left(),
            None => &[],
        };
        let value = |operand: Place| self.values.intervals[operand.index()];
        self.terms.evaluate(place, value, members)
    }

    fn truth(&self, root: usize) -> Option<bool> {
        let value = self.values.intervals[self.roots[root].place.index()].value();
        value.map(|value| value == 1)
    }

    pub(super) fn run(&mut self) -> BoxAnswer {
        let open: Vec<usize> = (0..self.roots.len()).collect();
        let Some(open) = self.undecided(&open) else {
            self.generalise();
            return BoxAnswer::Nothing;
        };
        if open.is_empty() {
            return BoxAnswer::Box;
        }
        self.prepare(&open);
        let points = self.ranking.iter().try_fold(1usize, |points, &position| {
            points.checked_mul(self.domains[position].left().len())
        });
        if let Some(points) = points.filter(|&points| points <= FEW_POINTS) {
            self.budget.boxes = self.budget.boxes.max(2 * points);
        }
        match self.halve(&open) {
            Some(true) => BoxAnswer::Box,
            Some(false) => BoxAnswer::Nothing,
            None => BoxAnswer::GaveUp,
        }
    }

    /// After a constraint has refuted the whole box: finds bytes that may have any value, all or else one after the other.
    fn generalise(&mut self) {
        let Some(root) = self.roots.iter().position(|root| root.used) else {
            return;
        };
        self.find_dependents(&[root]);
        let dependences = self.dependences(root);
        let depends = |&position: &usize| dependences >> position & 1 == 1;
        let positions: Vec<usize> = (0..self.domains.len()).filter(depends).collect();
        if self.is_refuted_without(root, &positions) {
            return;
        }
        for position in positions {
            self.is_refuted_without(root, &[position]);
        }
    }

    /// Whether a constraint is false whatever the bytes at some more positions are. If so they are set free.
    fn is_refuted_without(&mut self, root: usize, positions: &[usize]) -> bool {
        let (free, mark) = (self.free, self.trail.len());
        for &position in positions {
            self.free |= 1 << position;
            self.update(position);
        }
        let refuted = self.truth(root) == Some(false);
        if !refuted {
            self.free = free;
            self.undo(mark);
        }
        refuted
    }

    /// The constraints that the box does not decide; `None` if one is false in all of it.
    fn undecided(&mut self, open: &[usize]) -> Option<Vec<usize>> {
        let mut undecided = Vec::with_capacity(open.len());
        for &root in open {
            match self.truth(root) {
                Some(true) => {}
                Some(false) => {
                    self.roots[root].used = true;
                    return None;
                }
                None => undecided.push(root),
            }
        }
        Some(undecided)
    }

    /// Finds the terms below some roots that depend on each byte.
    fn find_dependents(&mut self, open: &[usize]) {
        let mut places = Vec::new();
        let mut pending: Vec<Place> = open.iter().map(|&root| self.roots[root].place).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(place) = pending.pop() {
            if self.values.dependences[place.index()] != 0 && seen.insert(place) {
                places.push(place);
                self.terms
                    .for_each_operand(place, |operand| pending.push(operand));
            }
        }
        // Operands were entered before their users.
        places.sort_unstable();
        for (position, domain) in self.domains.iter_mut().enumerate() {
            let depends =
                |place: &&Place| self.values.dependences[place.index()] >> position & 1 == 1;
            domain.dependents = places.iter().filter(depends).copied().collect();
        }
    }

    /// Finds what depends on each byte, and which bytes matter most, for the constraints that are still open.
    fn prepare(&mut self, open: &[usize]) {
        self.find_dependents(open);
        let mut influence: Vec<(u32, usize)> = Vec::new();
        for position in 0..self.domains.len() {
            let domain = &self.domains[position];
            if domain.left().len() < 2 || domain.dependents.is_empty() {
                continue;
            }
            let (first, end) = (domain.first, domain.end);
            let before = self.uncertainty(position);
            let middle = (first + end) / 2;
            let mark = self.trail.len();
            self.narrow(position, middle, middle + 1);
            influence.push((before - self.uncertainty(position).min(before), position));
            self.widen(position, first, end, mark);
        }
        influence.sort_by_key(|&(influence, position)| (std::cmp::Reverse(influence), position));
        self.ranking = influence
            .into_iter()
            .map(|(_, position)| position)
            .collect();
    }

    /// How many bits of the terms that depend on a byte are open.
    fn uncertainty(&self, position: usize) -> u32 {
        let bits =
            |place: &Place| 128 - self.values.intervals[place.index()].span().leading_zeros();
        self.domains[position].dependents.iter().map(bits).sum()
    }

    /// Whether some point of the box satisfies the open constraints, none of which it decides; its domains are then those of
    /// a box that does. `None` if the budget is used up.
    fn halve(&mut self, open: &[usize]) -> Option<bool> {
        let fixed = self
            .domains
            .iter()
            .enumerate()
            .fold(0u64, |fixed, (position, domain)| {
                fixed | u64::from(domain.left().len() == 1) << position
            });
        // The constraint with the fewest open bytes is the nearest to a decision.
        let free = |root: usize| self.dependences(root) & !fixed;
        let open_bytes = open
            .iter()
            .map(|&root| free(root))
            .filter(|&free| free != 0);
        let dependences = open_bytes.min_by_key(|free| free.count_ones())?;
        let splits = |&&position: &&usize| dependences >> position & 1 == 1;
        let position = *self.ranking.iter().find(splits)?;
        let domain = &self.domains[position];
        let (first, end, hint) = (domain.first, domain.end, domain.hint);
        let middle = (first + end) / 2;
        let mut halves = [(first, middle), (middle, end)];
        if hint >= domain.members[middle] {
            halves.reverse();
        }
        for (from, to) in halves {
            let mark = self.trail.len();
            let spent = self.domains[position].dependents.len();
            self.budget.boxes = self.budget.boxes.checked_sub(1)?;
            if self.budget.boxes.is_multiple_of(BOXES_PER_LOOK)
                && Instant::now() >= self.budget.deadline
            {
                return None;
            }
            self.budget.evaluations = self.budget.evaluations.checked_sub(spent)?;
            self.narrow(position, from, to);
            if let Some(open) = self.undecided(open)
                && (open.is_empty() || self.halve(&open)?)
            {
                return Some(true);
            }
            self.widen(position, first, end, mark);
        }
        Some(false)
    }

    fn narrow(&mut self, position: usize, first: usize, end: usize) {
        let domain = &mut self.domains[position];
        (domain.first, domain.end) = (first, end);
        self.update(position);
    }

    /// Evaluates what depends on a byte again.
    fn update(&mut self, position: usize) {
        for index in 0..self.domains[position].dependents.len() {
            let place = self.domains[position].dependents[index];
            let interval = self.evaluate(place);
            let known = &mut self.values.intervals[place.index()];
            if *known != interval {
                self.trail.push((place, *known));
                *known = interval;
            }
        }
    }

    fn widen(&mut self, position: usize, first: usize, end: usize, mark: usize) {
        let domain = &mut self.domains[position];
        (domain.first, domain.end) = (first, end);
        self.undo(mark);
    }

    fn undo(&mut self, mark: usize) {
        for (place, interval) in self.trail.drain(mark..).rev() {
            self.values.intervals[place.index()] = interval;
        }
    }

    /// The domains that a root depends on, as bits.
    pub(super) fn dependences(&self, root: usize) -> u64 {
        self.values.dependences[self.roots[root].place.index()]
    }

    pub(super) fn evaluations_left(&self) -> usize {
        self.budget.evaluations
    }
}
