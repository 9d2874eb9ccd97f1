//! One worker: turns a flip into an input and runs it.
//!
//! A worker has its own term store, solver and snapshots, so workers share no terms. To solve a flip it
//! needs the terms of the flipped run's path; it has them if it ran that input lately, otherwise it runs
//! the input once more.
//!
//! **Only what matters is asked.** The flipped run's input satisfies the path up to the event. Conditions
//! that share no symbol with the new one, not even through others, stay satisfied if their symbols keep
//! their values; they are left out of the query.

use crate::input::CompactInput;
use crate::path_tree::{Flip, RunId, Step};
use crate::subject::Subject;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::{
    PathEvent, SymbolicInput, SymbolicLimits, SymbolicProcess, SymbolicRun, SymbolicStartError,
};
use concolic_vm::{Limits, Program};
use expr::{Evaluation, ExprId, Store};
use rustc_hash::FxHashMap;
use solver::{Answer, LayerStatistics, Query, Reason, Solver};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// What all workers are given.
pub struct Surroundings<'p> {
    pub program: &'p Program,
    pub subject: Subject,
    pub kernel: KernelConfig,
    pub limits: Limits,
    pub symbolic_limits: SymbolicLimits,
    pub shapes: Vec<SymbolicInput>,
    pub query_timeout: Duration,
    /// Terms a worker may hold before it starts with an empty store.
    pub most_terms: usize,
}

/// Events of paths whose terms a worker keeps, in all paths together.
const KEPT_EVENTS: usize = 1 << 20;

pub struct Worker<'p> {
    with: &'p Surroundings<'p>,
    store: Store,
    solver: Box<dyn Solver>,
    /// By shape: a process before the input has decided anything.
    bases: Vec<Option<SymbolicProcess<'p>>>,
    paths: FxHashMap<RunId, KeptPath>,
    kept_events: usize,
    clock: u64,
    pub counts: Counts,
}

struct KeptPath {
    events: Rc<[PathEvent]>,
    used: u64,
}

/// How a worker spent its time.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// Executions of the program, those to recover terms included.
    pub executions: u64,
    pub recoveries: u64,
    pub instructions: u64,
    pub queries: u64,
    pub solving: Duration,
    pub running: Duration,
}

/// A run to be done again: which, and its input.
#[derive(Clone, Debug)]
pub struct Known {
    pub run: RunId,
    pub input: CompactInput,
}

/// A flip with the inputs of the runs it speaks of.
#[derive(Clone, Debug)]
pub struct Task {
    pub flip: Flip,
    pub from: CompactInput,
    /// An input that goes the same way up to the event: what the solver leaves open is as in it.
    pub base: CompactInput,
    pub excluded: Vec<Known>,
}

/// What became of a flip.
pub enum Result<'p> {
    /// No input goes this way.
    Infeasible,
    /// Whether one does is not known.
    Undecided(Reason),
    Ran(Box<Ran<'p>>),
}

/// A run, with the process it left behind.
pub struct Ran<'p> {
    pub input: SymbolicInput,
    pub shape: u32,
    pub process: SymbolicProcess<'p>,
    pub run: SymbolicRun,
    events: Rc<[PathEvent]>,
    /// The events from the flipped one on; for a first run, all.
    pub steps: Vec<Step>,
    /// Whether the alternative stands for more than the way that this run took.
    pub residual: bool,
    /// The run did not go where the solver's model should have led it: a bug of ours.
    pub diverged: bool,
}

impl<'p> Worker<'p> {
    pub fn new(with: &'p Surroundings<'p>, solver: Box<dyn Solver>) -> Worker<'p> {
        Worker {
            with,
            store: Store::new(),
            solver,
            bases: with.shapes.iter().map(|_| None).collect(),
            paths: FxHashMap::default(),
            kept_events: 0,
            clock: 0,
            counts: Counts::default(),
        }
    }

    pub fn statistics(&self) -> Vec<LayerStatistics> {
        self.solver.statistics()
    }

    /// Runs an input from the start.
    pub fn run_first(
        &mut self,
        shape: u32,
        input: SymbolicInput,
    ) -> std::result::Result<Ran<'p>, SymbolicStartError> {
        self.tidy();
        let (process, run, events) = self.execute(shape, &input)?;
        let steps = Step::from(&events, 0);
        Ok(Ran {
            input,
            shape,
            process,
            run,
            events,
            steps,
            residual: false,
            diverged: false,
        })
    }

    /// Solves a flip and runs the input that comes out.
    pub fn solve_and_run(
        &mut self,
        task: &Task,
        time_left: Option<Duration>,
    ) -> std::result::Result<Result<'p>, SymbolicStartError> {
        self.tidy();
        let flip = &task.flip;
        let path = self.path(flip.run, &task.from)?;
        let event = flip.event as usize;
        let way = path[event].alternatives[flip.alternative as usize].condition;
        let mut wanted = vec![way];
        for excluded in &task.excluded {
            let other = self.path(excluded.run, &excluded.input)?;
            let condition = other[event].condition;
            wanted.push(self.store.not(condition));
        }
        let constraints = relevant(&self.store, &path[..event], &wanted);
        let timeout = time_left.map_or(self.with.query_timeout, |left| {
            left.min(self.with.query_timeout)
        });
        let start = Instant::now();
        let query = Query {
            constraints: &constraints,
            timeout,
        };
        let answer = self.solver.solve(&self.store, &query);
        self.counts.queries += 1;
        self.counts.solving += start.elapsed();
        let model = match answer {
            Answer::Unsat => return Ok(Result::Infeasible),
            Answer::Unknown(reason) => return Ok(Result::Undecided(reason)),
            Answer::Sat(model) => model,
        };
        let base = task.base.expand(&self.with.shapes);
        let input = base.with_model(&self.store, &model);
        let ran = self.follow(task, &path, way, input)?;
        Ok(Result::Ran(Box::new(ran)))
    }

    /// Runs an input that is known to go the way of the task.
    pub fn follow_known(
        &mut self,
        task: &Task,
        input: SymbolicInput,
    ) -> std::result::Result<Ran<'p>, SymbolicStartError> {
        let path = self.path(task.flip.run, &task.from)?;
        let event = &path[task.flip.event as usize];
        let way = event.alternatives[task.flip.alternative as usize].condition;
        self.follow(task, &path, way, input)
    }

    fn follow(
        &mut self,
        task: &Task,
        path: &[PathEvent],
        way: ExprId,
        input: SymbolicInput,
    ) -> std::result::Result<Ran<'p>, SymbolicStartError> {
        let event = task.flip.event as usize;
        let shape = task.from.shape;
        let (process, run, events) = self.execute(shape, &input)?;
        let same =
            |(a, b): (&PathEvent, &PathEvent)| a.condition == b.condition && a.site == b.site;
        let diverged = events.len() <= event
            || !path[..event].iter().zip(&events[..event]).all(same)
            || events[event].site != path[event].site
            || events[event].condition == path[event].condition;
        let residual = !diverged && events[event].condition != way;
        let steps = Step::from(&events, event);
        Ok(Ran {
            input,
            shape,
            process,
            run,
            events,
            steps,
            residual,
            diverged,
        })
    }

    /// The first event from `start` on at which an input leaves a run's path, and the alternative it takes.
    pub fn departure(
        &mut self,
        known: &Known,
        start: u32,
        input: &SymbolicInput,
    ) -> std::result::Result<Option<(u32, u32)>, SymbolicStartError> {
        let path = self.path(known.run, &known.input)?;
        let mut evaluation = self.evaluation(input);
        for (event, index) in path.iter().zip(0..).skip(start as usize) {
            if !evaluation.holds(&self.store, event.condition) {
                let mut alternatives = event.alternatives.iter();
                let taken =
                    alternatives.position(|other| evaluation.holds(&self.store, other.condition));
                return Ok(Some((
                    index,
                    taken.expect("alternatives cover everything") as u32,
                )));
            }
        }
        Ok(None)
    }

    /// Whether an input satisfies a run's condition at an event.
    pub fn agrees_at(
        &mut self,
        known: &Known,
        event: u32,
        input: &SymbolicInput,
    ) -> std::result::Result<bool, SymbolicStartError> {
        let path = self.path(known.run, &known.input)?;
        let mut evaluation = self.evaluation(input);
        Ok(evaluation.holds(&self.store, path[event as usize].condition))
    }

    fn evaluation(&mut self, input: &SymbolicInput) -> Evaluation {
        // Sizes of variables do not matter here: their symbols are known from the path.
        let variables: Vec<_> = input
            .variables
            .iter()
            .map(|(name, bytes)| (name.as_str().into(), bytes.len() as u32))
            .collect();
        Evaluation::new(input.model(&mut self.store, &variables))
    }

    /// Keeps a path under the number that its run was given.
    pub fn keep(&mut self, run: RunId, ran: &Ran<'p>) {
        self.keep_events(run, ran.events.clone());
    }

    fn keep_events(&mut self, run: RunId, events: Rc<[PathEvent]>) {
        self.clock += 1;
        self.kept_events += events.len();
        self.paths.insert(
            run,
            KeptPath {
                events,
                used: self.clock,
            },
        );
        while self.kept_events > KEPT_EVENTS && self.paths.len() > 1 {
            // A quarter goes at once, so that the search for the oldest is rare.
            let mut ages: Vec<u64> = self.paths.values().map(|path| path.used).collect();
            ages.sort_unstable();
            let limit = ages[ages.len().div_ceil(4) - 1];
            self.paths.retain(|_, path| path.used > limit);
            self.kept_events = self.paths.values().map(|path| path.events.len()).sum();
        }
    }

    /// The events of a run, by running it again if they are gone.
    fn path(
        &mut self,
        run: RunId,
        input: &CompactInput,
    ) -> std::result::Result<Rc<[PathEvent]>, SymbolicStartError> {
        self.clock += 1;
        if let Some(path) = self.paths.get_mut(&run) {
            path.used = self.clock;
            return Ok(path.events.clone());
        }
        self.counts.recoveries += 1;
        let (_, _, events) = self.execute(input.shape, &input.expand(&self.with.shapes))?;
        self.keep_events(run, events.clone());
        Ok(events)
    }

    /// Runs an input to its end.
    #[allow(clippy::type_complexity)]
    fn execute(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
    ) -> std::result::Result<(SymbolicProcess<'p>, SymbolicRun, Rc<[PathEvent]>), SymbolicStartError>
    {
        let start = Instant::now();
        let base = &self.bases[shape as usize];
        let mut process = match base {
            Some(base) => {
                let mut process = base.clone();
                process.reseed(&mut self.store, input);
                process
            }
            None => self.start(input)?,
        };
        let before = process.machine().instructions();
        let mut run = process.run(&mut self.store);
        self.counts.executions += 1;
        self.counts.instructions += run.outcome.instructions - before;
        if self.bases[shape as usize].is_none() {
            let mut base = self.start(input)?;
            let early = run
                .path
                .first()
                .is_some_and(|event| base.run_before(&mut self.store, event));
            if !early {
                base = self.start(input)?;
            }
            self.bases[shape as usize] = Some(base);
        }
        let events = std::mem::take(&mut run.path).into();
        self.counts.running += start.elapsed();
        Ok((process, run, events))
    }

    fn start(
        &mut self,
        input: &SymbolicInput,
    ) -> std::result::Result<SymbolicProcess<'p>, SymbolicStartError> {
        self.with.subject.start(
            self.with.program,
            &mut self.store,
            self.with.kernel.clone(),
            self.with.limits,
            self.with.symbolic_limits,
            input,
        )
    }

    /// Starts with an empty store when the old one has grown too large.
    fn tidy(&mut self) {
        if self.store.len() > self.with.most_terms {
            self.forget();
        }
    }

    /// Gives back all memory that can be made anew.
    pub fn forget(&mut self) {
        self.store = Store::new();
        self.solver.reset();
        self.paths.clear();
        self.kept_events = 0;
        self.bases.fill_with(|| None);
    }
}

/// `wanted` and the conditions of `path` that share symbols with it, directly or through one another.
fn relevant(store: &Store, path: &[PathEvent], wanted: &[ExprId]) -> Vec<ExprId> {
    let mut symbols = wanted
        .iter()
        .fold(expr::SymbolSet::default(), |all, &term| {
            all.union(store.symbols_of(term))
        });
    let mut chosen = vec![false; path.len()];
    loop {
        let mut grew = false;
        for (event, chosen) in path.iter().zip(&mut chosen).rev() {
            if *chosen {
                continue;
            }
            let own = store.symbols_of(event.condition);
            if own.intersects(&symbols) {
                *chosen = true;
                let union = symbols.union(own);
                if union != symbols {
                    symbols = union;
                    grew = true;
                }
            }
        }
        if !grew {
            break;
        }
    }
    let prefix = path.iter().zip(&chosen).filter(|(_, chosen)| **chosen);
    let prefix = prefix.map(|(event, _)| event.condition);
    prefix.chain(wanted.iter().copied()).collect()
}
