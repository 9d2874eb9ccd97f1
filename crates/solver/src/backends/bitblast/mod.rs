//! Our own bit-blaster over the SAT solver CaDiCaL.
//!
//! Each term is turned into gates once; a query assumes the literals of its constraints. Path prefixes,
//! and whatever CaDiCaL learned about them, are so shared by all queries of a store. Comparisons of
//! floats are circuits too; floating-point arithmetic is `Unsupported` here.

mod circuits;
mod gates;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use expr::{ExprId, Model, Op, Store};
use rustc_hash::{FxHashMap, FxHashSet};
use rustsat::solvers::{ControlSignal, Solve, SolveIncremental, SolverResult, Terminate};
use rustsat::types::{Lit, TernaryVal};
use rustsat_cadical::CaDiCaL;

use self::gates::{Bit, FALSE, Gates, TRUE};
use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};

/// The circuit is thrown away and begun anew at this size: CaDiCaL assigns every variable in every
/// model, needed or not.
const MOST_VARIABLES: usize = 100_000;

/// The bit-blasting back end.
pub struct BitBlaster {
    state: Option<State>,
    core: Option<Vec<ExprId>>,
    /// Questions whose circuits were given up.
    too_large: FxHashSet<Box<[ExprId]>>,
    statistics: LayerStatistics,
}

impl Default for BitBlaster {
    fn default() -> BitBlaster {
        BitBlaster::new()
    }
}

impl BitBlaster {
    pub fn new() -> BitBlaster {
        BitBlaster {
            state: None,
            core: None,
            too_large: FxHashSet::default(),
            statistics: LayerStatistics::new("bit-blasting"),
        }
    }

    fn decide(&mut self, store: &Store, query: &Query) -> Answer {
        let known = self.state.as_ref();
        if known.is_some_and(|state| state.gates.variables() > MOST_VARIABLES) {
            self.state = None;
        }
        let state = self.state.get_or_insert_with(State::new);
        match state.decide(store, query) {
            Ok((answer, core)) => {
                self.core = core;
                answer
            }
            Err(reason) => {
                // After a failure nothing is known about the SAT solver's state.
                if matches!(reason, Reason::Failed(_)) {
                    self.state = None;
                }
                if reason == gave_up() {
                    self.too_large.insert(query.constraints.into());
                }
                Answer::Unknown(reason)
            }
        }
    }
}

impl Solver for BitBlaster {
    fn name(&self) -> &'static str {
        "bit-blasting"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        self.core = None;
        let answer = match self.too_large.contains(query.constraints) {
            true => Answer::Unknown(gave_up()),
            false => self.decide(store, query),
        };
        self.statistics.count(&answer);
        self.statistics.time += start.elapsed();
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.core.as_deref()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        vec![self.statistics.clone()]
    }

    fn reset(&mut self) {
        self.state = None;
        self.core = None;
        self.too_large.clear();
    }
}

type VectorPair = (Vec<Bit>, Vec<Bit>);

/// Terms, or clauses, after which the clock is looked at.
const BETWEEN_LOOKS: usize = 64;
/// Literals in the clauses of one question. More of them than that take longer to hand over than there is time, and
/// gigabytes of memory.
const MOST_LITERALS: usize = 1 << 25;

fn gave_up() -> Reason {
    Reason::Failed("too many operations".to_owned())
}

struct State {
    gates: Gates,
    cadical: CaDiCaL<'static, 'static>,
    /// Where a term's bits begin in `bits`.
    start_of: FxHashMap<ExprId, u32>,
    bits: Vec<Bit>,
    quotients: FxHashMap<VectorPair, VectorPair>,
    epoch: Instant,
    /// Nanoseconds after `epoch` at which CaDiCaL is to stop.
    deadline: Arc<AtomicU64>,
}

impl State {
    fn new() -> State {
        let (epoch, deadline) = (Instant::now(), Arc::new(AtomicU64::new(u64::MAX)));
        let mut cadical = CaDiCaL::default();
        // Queries are small and many: preprocessing each costs more than it saves. Should the preset be
        // refused, CaDiCaL's default is as right.
        let _ = cadical.set_configuration(rustsat_cadical::Config::Plain);
        let shared = deadline.clone();
        cadical.attach_terminator(move || {
            let now = epoch.elapsed().as_nanos() as u64;
            match now > shared.load(Ordering::Relaxed) {
                true => ControlSignal::Terminate,
                false => ControlSignal::Continue,
            }
        });
        State {
            gates: Gates::new(),
            cadical,
            start_of: FxHashMap::default(),
            bits: Vec::new(),
            quotients: FxHashMap::default(),
            epoch,
            deadline,
        }
    }

    fn decide(
        &mut self,
        store: &Store,
        query: &Query,
    ) -> Result<(Answer, Option<Vec<ExprId>>), Reason> {
        let limit = self.epoch.elapsed() + query.timeout.min(Duration::from_secs(1 << 30));
        self.deadline
            .store(limit.as_nanos() as u64, Ordering::Relaxed);
        self.blast_all(store, query.constraints)?;
        let mut assumptions = Vec::with_capacity(query.constraints.len());
        let mut constraint_of: FxHashMap<Bit, ExprId> = FxHashMap::default();
        for &constraint in query.constraints {
            match self.term(constraint, 1)[0] {
                TRUE => {}
                FALSE => return Ok((Answer::Unsat, Some(vec![constraint]))),
                bit => {
                    constraint_of.insert(bit, constraint);
                    assumptions.push(literal(bit)?);
                }
            }
        }
        self.flush()?;
        let failed = |error: &dyn std::fmt::Display| Reason::Failed(format!("CaDiCaL: {error}"));
        let result = self
            .cadical
            .solve_assumps(&assumptions)
            .map_err(|error| failed(&error))?;
        match result {
            SolverResult::Interrupted => Err(Reason::Timeout),
            SolverResult::Unsat => {
                let core = self.cadical.core().map_err(|error| failed(&error))?;
                let members = core
                    .iter()
                    .filter_map(|lit| constraint_of.get(&-lit.to_ipasir()));
                Ok((Answer::Unsat, Some(members.copied().collect())))
            }
            SolverResult::Sat => Ok((Answer::Sat(self.model(store, query.constraints)?), None)),
        }
    }

    fn model(&self, store: &Store, constraints: &[ExprId]) -> Result<Model, Reason> {
        let mut model = Model::new();
        let mut seen = FxHashSet::default();
        for &constraint in constraints {
            for symbol in store.symbols_of(constraint).iter() {
                if !seen.insert(symbol) {
                    continue;
                }
                let mut value = 0;
                // A symbol that was simplified away in the circuit has no bits and may be anything.
                if let Some(term) = store.find_symbol_term(symbol)
                    && self.start_of.contains_key(&term)
                {
                    let width = store.width(term) as usize;
                    for (index, &bit) in self.term(term, width).iter().enumerate() {
                        let truth = self.cadical.lit_val(literal(bit)?);
                        if matches!(truth, Ok(TernaryVal::True)) {
                            value |= 1 << index;
                        }
                    }
                }
                model.set(symbol, value);
            }
        }
        Ok(model)
    }

    fn in_time(&self) -> Result<(), Reason> {
        let now = self.epoch.elapsed().as_nanos() as u64;
        match now > self.deadline.load(Ordering::Relaxed) {
            true => Err(Reason::Timeout),
            false => Ok(()),
        }
    }

    /// Hands the collected clauses to CaDiCaL. What there is no time for stays for the next question.
    fn flush(&mut self) -> Result<(), Reason> {
        let mut clauses = std::mem::take(&mut self.gates.clauses);
        let mut done = 0;
        for (number, clause) in clauses.split(|&bit| bit == 0).enumerate() {
            if number % BETWEEN_LOOKS == 0
                && let Err(late) = self.in_time()
            {
                clauses.drain(..done);
                self.gates.clauses = clauses;
                return Err(late);
            }
            done += clause.len() + 1;
            if clause.is_empty() {
                continue;
            }
            let literals = clause
                .iter()
                .map(|&bit| literal(bit))
                .collect::<Result<Vec<_>, _>>()?;
            self.cadical
                .add_clause(literals.into_iter().collect())
                .map_err(|error| Reason::Failed(format!("CaDiCaL: {error}")))?;
        }
        Ok(())
    }

    fn term(&self, id: ExprId, width: usize) -> &[Bit] {
        let start = self.start_of[&id] as usize;
        &self.bits[start..start + width]
    }

    /// Makes gates for every term below the constraints that has none yet, operands first.
    fn blast_all(&mut self, store: &Store, constraints: &[ExprId]) -> Result<(), Reason> {
        let mut fresh = Vec::new();
        let mut seen = FxHashSet::default();
        let mut pending = constraints.to_vec();
        while let Some(id) = pending.pop() {
            if self.start_of.contains_key(&id) || !seen.insert(id) {
                continue;
            }
            if store.op(id).is_float_arithmetic() {
                return Err(Reason::Unsupported(
                    "floating-point arithmetic in the bit-blaster",
                ));
            }
            fresh.push(id);
            store.for_each_child(id, |child| pending.push(child));
        }
        fresh.sort_unstable();
        for (number, id) in fresh.into_iter().enumerate() {
            if number % BETWEEN_LOOKS == 0 {
                self.in_time()?;
            }
            if self.gates.clauses.len() > MOST_LITERALS {
                return Err(gave_up());
            }
            let bits = self.blast(store, id);
            self.start_of.insert(id, self.bits.len() as u32);
            self.bits.extend(bits);
        }
        Ok(())
    }

    fn blast(&mut self, store: &Store, id: ExprId) -> Vec<Bit> {
        let node = *store.node(id);
        let width = node.width() as usize;
        let operand = |state: &State, index: usize| {
            let id = node.arg(index);
            state.term(id, store.width(id) as usize).to_vec()
        };
        if node.op() == Op::Symbol {
            return (0..width).map(|_| self.gates.fresh()).collect();
        }
        if node.op() == Op::Const {
            return Gates::value(store.constant_value(id).unwrap_or(0), width);
        }
        let a = operand(self, 0);
        let b = if node.op().arity() > 1 {
            operand(self, 1)
        } else {
            Vec::new()
        };
        let gates = &mut self.gates;
        match node.op() {
            Op::Add => gates.add(&a, &b, FALSE),
            Op::Sub => {
                let inverted: Vec<Bit> = b.iter().map(|bit| -bit).collect();
                gates.add(&a, &inverted, TRUE)
            }
            Op::Mul => gates.multiply(&a, &b),
            Op::UDiv => self.divide(a, b).0,
            Op::URem => self.divide(a, b).1,
            Op::SDiv => {
                let (x, y) = (gates.magnitude(&a), gates.magnitude(&b));
                let differ = gates.xor(a[width - 1], b[width - 1]);
                let quotient = self.divide(x, y).0;
                let negated = self.gates.negate(&quotient);
                self.gates.choose(differ, &negated, &quotient)
            }
            Op::SRem => {
                let (x, y) = (gates.magnitude(&a), gates.magnitude(&b));
                let remainder = self.divide(x, y).1;
                let negated = self.gates.negate(&remainder);
                self.gates.choose(a[width - 1], &negated, &remainder)
            }
            Op::And => a.iter().zip(&b).map(|(&x, &y)| gates.and(x, y)).collect(),
            Op::Or => a.iter().zip(&b).map(|(&x, &y)| gates.or(x, y)).collect(),
            Op::Xor => a.iter().zip(&b).map(|(&x, &y)| gates.xor(x, y)).collect(),
            Op::Not => a.iter().map(|bit| -bit).collect(),
            Op::Neg => gates.negate(&a),
            Op::Shl => gates.shift(&a, &b, true, FALSE),
            Op::LShr => gates.shift(&a, &b, false, FALSE),
            Op::AShr => gates.shift(&a, &b, false, a[width - 1]),
            Op::Eq => vec![gates.equal(&a, &b)],
            Op::Ult => vec![gates.less(&a, &b)],
            Op::Ule => vec![-gates.less(&b, &a)],
            Op::Slt => vec![gates.less_signed(&a, &b)],
            Op::Sle => vec![-gates.less_signed(&b, &a)],
            Op::FEq => vec![gates.float_equal(&a, &b)],
            Op::FLt => vec![gates.float_less(&a, &b)],
            Op::FLe => {
                let (less, equal) = (gates.float_less(&a, &b), gates.float_equal(&a, &b));
                vec![gates.or(less, equal)]
            }
            Op::Ite => {
                let otherwise = operand(self, 2);
                self.gates.choose(a[0], &b, &otherwise)
            }
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Extract => {
                let low = node.immediate() as usize;
                a[low..low + width].to_vec()
            }
            Op::SExt => (0..width).map(|index| a[index.min(a.len() - 1)]).collect(),
            Op::PopCount => gates.count_ones(&a),
            Op::CountLeadingZeros => {
                let order: Vec<Bit> = a.iter().rev().copied().collect();
                gates.first_set(&order)
            }
            Op::CountTrailingZeros => gates.first_set(&a),
            Op::Lookup => {
                let elements: Vec<Vec<Bit>> = store
                    .table_elements(&node)
                    .iter()
                    .map(|&element| self.term(element, width).to_vec())
                    .collect();
                let elements: Vec<&[Bit]> = elements.iter().map(Vec::as_slice).collect();
                self.gates.table(&elements, &a)
            }
            op => unreachable!("{op:?} was refused before"),
        }
    }

    /// Quotient and remainder of the same operands share one circuit.
    fn divide(&mut self, a: Vec<Bit>, b: Vec<Bit>) -> VectorPair {
        let key = (a, b);
        if let Some(result) = self.quotients.get(&key) {
            return result.clone();
        }
        let result = self.gates.divide(&key.0, &key.1);
        self.quotients.insert(key, result.clone());
        result
    }
}

fn literal(bit: Bit) -> Result<Lit, Reason> {
    Lit::from_ipasir(bit).map_err(|error| Reason::Failed(format!("literal {bit}: {error}")))
}
