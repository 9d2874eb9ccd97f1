//! Z3 as a back end.
//!
//! Z3 runs inside the process, on a thread of its own that is fed with the terms it does not know yet.
//! That makes the time limit hard: when it passes, Z3 is interrupted; should it not come back within a
//! grace period, or break down, its thread is abandoned, the query is `Unknown`, and the next query
//! starts a fresh one. A worker *process* would also survive a crash of Z3 and could be killed by
//! the system alone; it would cost a serialisation of every term and an exchange over a pipe per query,
//! and most queries that get here take less time than that. The messages are owned data already, so a
//! process can be put in the thread's place if crashes are ever seen.
//!
//! Bit-vector queries go to one incremental solver: each constraint is asserted once, behind a fresh
//! truth value, and a query assumes the truth values of its constraints. What Z3 learned for a path
//! prefix is so used for all its extensions. Queries with floating-point arithmetic get a solver of
//! their own each, with the tactics Z3 picks.

mod ffi;
mod translate;

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use expr::{ExprId, Model, Op, Store, SymbolId};
use rustc_hash::{FxHashMap, FxHashSet};

use self::ffi::{Check, Context, Failed, Interrupter};
use self::translate::{Content, Shipped, Terms};
use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};

/// How long an interrupted Z3 may take to come back before its thread is abandoned.
const GRACE: Duration = Duration::from_secs(1);
/// A fresh Z3 is started once the current one holds so many terms: its memory is only freed as a whole.
const MOST_TERMS: usize = 400_000;
/// Deep terms make some of Z3's passes recurse deeply. Only touched pages cost memory.
const STACK: usize = 256 << 20;

/// The Z3 back end.
pub struct Z3 {
    worker: Option<Worker>,
    statistics: LayerStatistics,
}

struct Worker {
    tasks: Sender<Task>,
    replies: Receiver<Result<(Check, Vec<u64>), Failed>>,
    interrupter: Interrupter,
    shipped: FxHashSet<ExprId>,
}

struct Task {
    terms: Vec<Shipped>,
    constraints: Vec<ExprId>,
    unknowns: Vec<ExprId>,
    floats: bool,
}

impl Default for Z3 {
    fn default() -> Z3 {
        Z3::new()
    }
}

impl Z3 {
    pub fn new() -> Z3 {
        Z3 {
            worker: None,
            statistics: LayerStatistics::new("z3"),
        }
    }

    fn decide(&mut self, store: &Store, query: &Query) -> Answer {
        if self
            .worker
            .as_ref()
            .is_some_and(|worker| worker.shipped.len() > MOST_TERMS)
        {
            self.worker = None;
        }
        let worker = match self.worker.take() {
            Some(worker) => worker,
            None => match Worker::start() {
                Ok(worker) => worker,
                Err(Failed(message)) => return Answer::Unknown(Reason::Failed(message)),
            },
        };
        let (answer, worker) = worker.decide(store, query);
        self.worker = worker;
        answer
    }
}

impl Solver for Z3 {
    fn name(&self) -> &'static str {
        "z3"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        let answer = self.decide(store, query);
        self.statistics.count(&answer);
        self.statistics.time += start.elapsed();
        answer
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        vec![self.statistics.clone()]
    }

    fn reset(&mut self) {
        self.worker = None;
    }
}

impl Worker {
    fn start() -> Result<Worker, Failed> {
        let (tasks, incoming) = channel::<Task>();
        let (outgoing, replies) = channel();
        let (ready, started) = channel();
        thread::Builder::new()
            .name("z3".to_string())
            .stack_size(STACK)
            .spawn(move || {
                let context = match Context::new() {
                    Ok(context) => context,
                    Err(failed) => {
                        let _ = ready.send(Err(failed));
                        return;
                    }
                };
                let _ = ready.send(Ok(context.interrupter()));
                let mut incremental = Incremental::new(&context);
                for task in incoming {
                    if outgoing.send(incremental.run(task)).is_err() {
                        break;
                    }
                }
                // The sender of tasks is gone, and with it the interrupter.
                context.delete();
            })
            .map_err(|error| Failed(format!("starting a thread for Z3: {error}")))?;
        let interrupter = started
            .recv()
            .map_err(|_| Failed("Z3 ended while starting".to_string()))??;
        Ok(Worker {
            tasks,
            replies,
            interrupter,
            shipped: FxHashSet::default(),
        })
    }

    /// The answer, and the worker if it can be used again.
    fn decide(mut self, store: &Store, query: &Query) -> (Answer, Option<Worker>) {
        let task = match self.task(store, query.constraints) {
            Ok(task) => task,
            Err(operation) => {
                return (Answer::Unknown(Reason::Unsupported(operation)), Some(self));
            }
        };
        let symbols: Vec<SymbolId> = task
            .unknowns
            .iter()
            .filter_map(|&id| store.as_symbol(id))
            .collect();
        let ended = || Reason::Failed("Z3 ended unexpectedly".to_string());
        if self.tasks.send(task).is_err() {
            return (Answer::Unknown(ended()), None);
        }
        match self.replies.recv_timeout(query.timeout) {
            Ok(Ok((Check::Sat, values))) => {
                let mut model = Model::new();
                for (symbol, value) in symbols.into_iter().zip(values) {
                    model.set(symbol, value);
                }
                (Answer::Sat(model), Some(self))
            }
            Ok(Ok((Check::Unsat, _))) => (Answer::Unsat, Some(self)),
            Ok(Ok((Check::Unknown(reason), _))) => {
                (Answer::Unknown(Reason::Failed(reason)), Some(self))
            }
            Ok(Err(Failed(message))) => (Answer::Unknown(Reason::Failed(message)), None),
            Err(RecvTimeoutError::Disconnected) => (Answer::Unknown(ended()), None),
            Err(RecvTimeoutError::Timeout) => {
                // An interrupt leaves its mark on the context, so the worker is not used again: it
                // either comes back and ends by itself, or is left behind.
                self.interrupter.interrupt();
                let _ = self.replies.recv_timeout(GRACE);
                (Answer::Unknown(Reason::Timeout), None)
            }
        }
    }

    /// The query with all terms Z3 has not seen, operands first.
    fn task(&mut self, store: &Store, constraints: &[ExprId]) -> Result<Task, &'static str> {
        let mut seen = FxHashSet::default();
        let mut fresh = Vec::new();
        let mut unknowns = Vec::new();
        let mut floats = false;
        let mut pending = constraints.to_vec();
        // The whole cone is walked, not only the new part: the symbols and whether there are floats
        // are properties of the query.
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match store.op(id) {
                Op::FRem => return Err("floating-point remainder"),
                Op::Symbol => unknowns.push(id),
                op => floats |= op >= Op::FAdd,
            }
            if !self.shipped.contains(&id) {
                fresh.push(id);
            }
            store.for_each_child(id, |child| pending.push(child));
        }
        fresh.sort_unstable();
        unknowns.sort_unstable();
        self.shipped.extend(&fresh);
        let ship = |&id: &ExprId| {
            let node = *store.node(id);
            let content = match node.op() {
                Op::Const => Content::Constant(store.constant_value(id).unwrap_or(0)),
                Op::Symbol => Content::Symbol(store.as_symbol(id).map_or(0, |symbol| symbol.0)),
                Op::Lookup => Content::Table(store.table_elements(&node).into()),
                _ => Content::Operator,
            };
            Shipped { id, node, content }
        };
        let terms = fresh.iter().map(ship).collect();
        Ok(Task {
            terms,
            constraints: constraints.to_vec(),
            unknowns,
            floats,
        })
    }
}

/// What the thread keeps between queries.
struct Incremental<'a> {
    context: &'a Context,
    terms: Terms,
    assumption_of: FxHashMap<ExprId, ffi::Ast>,
}

impl<'a> Incremental<'a> {
    fn new(context: &'a Context) -> Incremental<'a> {
        Incremental {
            context,
            terms: Terms::default(),
            assumption_of: FxHashMap::default(),
        }
    }

    fn run(&mut self, task: Task) -> Result<(Check, Vec<u64>), Failed> {
        for shipped in &task.terms {
            self.terms.add(self.context, shipped)?;
        }
        let mut unknowns = Vec::with_capacity(task.unknowns.len());
        for &id in &task.unknowns {
            unknowns.push(self.terms.vector(self.context, id)?);
        }
        if task.floats {
            let facts: Vec<_> = task
                .constraints
                .iter()
                .map(|&id| self.terms.truth(id))
                .collect();
            return self.context.check_alone(&facts, &unknowns);
        }
        let mut assumptions = Vec::with_capacity(task.constraints.len());
        for &constraint in &task.constraints {
            assumptions.push(self.assumption(constraint)?);
        }
        self.context.check_assuming(&assumptions, &unknowns)
    }

    fn assumption(&mut self, constraint: ExprId) -> Result<ffi::Ast, Failed> {
        if let Some(&assumption) = self.assumption_of.get(&constraint) {
            return Ok(assumption);
        }
        // Names below 2^31; symbols are numbered from 0, so constraints count down from the top.
        let assumption = self
            .context
            .truth_unknown(i32::MAX as u32 - constraint.raw())?;
        let fact = self
            .context
            .implies(assumption, self.terms.truth(constraint))?;
        self.context.assert_for_good(fact);
        self.assumption_of.insert(constraint, assumption);
        Ok(assumption)
    }
}
