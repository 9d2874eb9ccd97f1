//! One worker: turns a flip into an input and runs it.
//!
//! **The versions' paths, one after the other, count as one path.** When versions are compared, a run executes them one after the other
//! on the same input and in the same store of terms, and the path is that of the first, then that of the second, and
//! so on. Everything said of paths holds for it unchanged. What an earlier version has decided already is
//! left out of the later ones' part.
//!
//! A worker has its own term store, solver and snapshots, so workers share no terms. To solve a flip it
//! needs the terms of the flipped run's path; it has them if it ran that input lately, otherwise it runs
//! the input once more.
//!
//! **Only what matters is asked.** The flipped run's input satisfies the path up to the event. Conditions
//! that share no symbol with the new one, not even through others, stay satisfied if their symbols keep
//! their values; they are left out of the query.

mod again;
mod called;
mod comparison;
mod converged;
mod look;
mod path;
mod samples;
mod shares;
mod tried;

pub use called::CutAt;
use called::KnownCalls;
pub(crate) use comparison::RelatedPart;
use concolic_vm::observe::{DependenceTrace, TraceFacts, TraceLimits};
use concolic_vm::symbolic::{
    PathEvent, SymbolicInput, SymbolicProcess, SymbolicRun, SymbolicStartError,
};
use expr::{Evaluation, ExprId, Model, Store, VariableKinds};
use inputs::shape_words::shape_in_words;
pub(crate) use look::ways_key;
pub use path::Path;
use path::{continued, steps};
pub use relational::VersionRun;
use relational::counting::Counter;
use relational::outputs::{SymbolicOutput, symbolic_outputs};
use relational::relevance::{KnownWays, NotSliced, PairRelevance};
use relational::subject::{MachineConfig, Version};
use rustc_hash::{FxHashMap, FxHashSet};
pub use search::Counts;
use search::{Flip, PathStep, RunId, RunRecord, Undecided};
pub use search::{Part, Proof};
use solver::{Answer, LayerStatistics, Query, Reason, Solver};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why an input could not be run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Start(#[from] SymbolicStartError),
    #[error("a path looks different from when it was run before")]
    OtherPath,
    /// The search was stopped meanwhile.
    #[error("a run was not completed")]
    Stopped,
    /// What the run was is not known here.
    #[error("run {} is not known", .0.0)]
    Lacks(RunId),
}

/// What all workers are given.
pub struct Surroundings<'p> {
    /// The programs that each input is run on, in this order.
    pub versions: Vec<Version<'p>>,
    pub machine: MachineConfig,
    pub shapes: Vec<SymbolicInput>,
    pub query_timeout: Duration,
    /// Terms a worker may hold before it starts with an empty store.
    pub most_terms: usize,
    /// Facts of both versions, if only what matters of a path is to be kept.
    pub relevance: Option<&'p PairRelevance<'p>>,
    /// Set to leave the runs that are under way, which may take seconds.
    pub leave: &'p AtomicBool,
}

impl Surroundings<'_> {
    /// Whether a run that is under way is to be completed.
    fn goes_on(&self, until: Option<Instant>) -> bool {
        let in_time = until.is_none_or(|until| Instant::now() < until);
        in_time && !self.leave.load(Ordering::Relaxed)
    }
}

/// Memory for a trace; a run that needs more is taken as a whole.
const TRACE_BYTES: usize = 512 << 20;

/// Events of paths whose terms a worker keeps, in all paths together.
const KEPT_EVENTS: usize = 1 << 20;

/// Conditions of a path that are put into words.
const MOST_IN_WORDS: usize = 1_000;

/// What things cost, in executed instructions: asking for a term, a question to the solver, and one that it gives up.
const TERM: u64 = 4;
const QUERY: u64 = 5_000;
const UNDECIDED_QUERY: u64 = 1_000_000;

pub struct Worker<'p> {
    with: &'p Surroundings<'p>,
    pub(crate) store: Store,
    /// See [`Worker::work`]: what is not counted elsewhere.
    worked: u64,
    solver: Box<dyn Solver>,
    /// By shape, and by version: a process before the input has decided anything.
    starts: Vec<Vec<Option<SymbolicProcess<'p>>>>,
    /// What is known of runs; those whose paths are kept are among them.
    records: FxHashMap<RunId, RunRecord>,
    paths: FxHashMap<RunId, KeptPath>,
    kept_events: usize,
    clock: u64,
    /// By version.
    known_ways: [KnownWays; 2],
    known_calls: KnownCalls,
    /// Inputs on which a call does something else in the new version; see [`called`].
    pub(crate) suggested: Vec<SymbolicInput>,
    counter: Counter,
    pub counts: Counts,
    /// Leaves runs that are under way then.
    pub(crate) until: Option<Instant>,
}

struct KeptPath {
    path: Path,
    used: u64,
}

/// A part with the condition that cuts it out of its path; `None` for all of the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathPart {
    pub part: Part,
    condition: Option<ExprId>,
}

/// What became of a flip.
pub enum Result<'p> {
    /// No input goes this way.
    Infeasible {
        /// The events before it that look at the same bytes.
        conflicts: Vec<u32>,
    },
    /// Whether one does is not known.
    Undecided(Undecided),
    Ran(Box<Ran<'p>>),
}

/// A run of all versions.
pub struct Ran<'p> {
    pub input: SymbolicInput,
    pub shape: u32,
    pub versions: Vec<VersionRun<'p>>,
    pub path: Path,
    /// Why the versions are equal on the path, if that was found out together with its events: these are only what
    /// decided it, and what the versions put out may be different on different inputs.
    pub known_equal: Option<Proof>,
    pub(crate) cut: Option<u32>,
    /// The events from the flipped one on; for a first run, all. None once they were reported.
    pub steps: Vec<PathStep>,
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
            worked: 0,
            solver,
            starts: no_starts(with),
            records: FxHashMap::default(),
            paths: FxHashMap::default(),
            kept_events: 0,
            clock: 0,
            known_ways: Default::default(),
            known_calls: KnownCalls::default(),
            suggested: Vec::new(),
            counter: Counter::default(),
            counts: Counts::default(),
            until: None,
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
        cut: CutAt,
    ) -> std::result::Result<Ran<'p>, RunError> {
        self.tidy();
        let Execution {
            versions,
            path,
            known_equal,
            cut,
        } = self.execute(shape, &input, cut)?;
        let steps = steps(&path, 0);
        Ok(Ran {
            input,
            shape,
            versions,
            path,
            known_equal,
            cut,
            steps,
            residual: false,
            diverged: false,
        })
    }

    /// Solves a flip and runs the input that comes out. What the flip leaves open is as in the input of the run `base`.
    pub fn solve_and_run(
        &mut self,
        flip: &Flip,
        base: RunId,
        time_left: Option<Duration>,
    ) -> std::result::Result<Result<'p>, RunError> {
        self.tidy();
        let path = self.path(flip.run)?.events;
        let event = flip.event as usize;
        let way = path[event].alternatives[flip.alternative as usize].condition;
        let mut wanted = vec![way];
        for &excluded in &flip.excluded {
            let other = self.path(excluded)?;
            let condition = other.events[event].condition;
            wanted.push(self.store.not(condition));
        }
        let base = self.known(base)?.input.clone();
        let answer = self.ask(&path[..event], &wanted, time_left);
        let model = match answer {
            Answer::Unsat => {
                let conflicts = self.sharing(&path[..event], way);
                return Ok(Result::Infeasible { conflicts });
            }
            Answer::Unknown(reason) => return Ok(Result::Undecided(undecided(&reason))),
            Answer::Sat(model) => model,
        };
        let input = base.expand(&self.with.shapes);
        let input = input.with_model(&self.store, &model);
        let ran = self.follow(flip, base.shape, input, CutAt::Unknown)?;
        Ok(Result::Ran(Box::new(ran)))
    }

    /// Learns what is needed to do a run again.
    pub fn learn(&mut self, record: RunRecord) {
        self.records.insert(record.run, record);
    }

    /// What is known of a run.
    pub fn known(&self, run: RunId) -> std::result::Result<&RunRecord, RunError> {
        self.records.get(&run).ok_or(RunError::Lacks(run))
    }

    /// The events that share a symbol with a condition.
    fn sharing(&self, path: &[PathEvent], condition: ExprId) -> Vec<u32> {
        let symbols = self.store.symbols_of(condition);
        let shares = |event: &PathEvent| self.store.symbols_of(event.condition).intersects(symbols);
        let sharing = (0..).zip(path).filter(|(_, event)| shares(event));
        sharing.map(|(number, _)| number).collect()
    }

    /// Runs an input that goes the way of a flip.
    pub fn follow(
        &mut self,
        flip: &Flip,
        shape: u32,
        input: SymbolicInput,
        cut: CutAt,
    ) -> std::result::Result<Ran<'p>, RunError> {
        let from = self.path(flip.run)?;
        let event = flip.event as usize;
        let way = from.events[event].alternatives[flip.alternative as usize].condition;
        let Execution {
            versions,
            path: own,
            known_equal,
            cut,
        } = self.execute(shape, &input, cut)?;
        let (path, residual, diverged);
        if self.with.relevance.is_some() {
            path = continued(&from, flip, &own);
            residual = false;
            let mut evaluation = self.evaluation_of_given(&input);
            let mut known = path.events[..=event].iter();
            diverged = !known.all(|event| evaluation.holds(&self.store, event.condition));
        } else {
            let same =
                |(a, b): (&PathEvent, &PathEvent)| a.condition == b.condition && a.site == b.site;
            let (before, events) = (&from.events, &own.events);
            diverged = events.len() <= event
                || !before[..event].iter().zip(&events[..event]).all(same)
                || events[event].site != before[event].site
                || events[event].condition == before[event].condition;
            residual = !diverged && events[event].condition != way;
            path = own;
        }
        let steps = steps(&path, event);
        Ok(Ran {
            input,
            shape,
            versions,
            path,
            known_equal,
            cut,
            steps,
            residual,
            diverged,
        })
    }

    /// Runs an input on one version and keeps what depended on what.
    pub(crate) fn trace(
        &mut self,
        version: usize,
        input: &SymbolicInput,
        facts: &TraceFacts,
        limits: TraceLimits,
    ) -> std::result::Result<(SymbolicRun, DependenceTrace), RunError> {
        let start = Instant::now();
        let mut process = self.start(version, input)?;
        let (with, until) = (self.with, self.until);
        let goes_on = || with.goes_on(until);
        let traced = process.run_tracing_while(&mut self.store, facts, limits, goes_on);
        let (run, trace) = traced.ok_or(RunError::Stopped)?;
        let counts = &mut self.counts;
        counts.instructions += run.outcome.instructions;
        counts.traced += trace.len() as u64;
        counts.trace_bytes += trace.memory() as u64;
        let needed = (trace.memory() + trace.recording) as u64;
        counts.largest_trace = counts.largest_trace.max(needed);
        counts.tracing += start.elapsed();
        Ok((run, trace))
    }

    /// A model of some conditions, if one is found in time.
    pub(crate) fn model(&mut self, constraints: &[ExprId], time_left: Duration) -> Option<Model> {
        let query = Query {
            constraints,
            timeout: time_left.min(self.with.query_timeout),
        };
        match self.solve(&query) {
            Answer::Sat(model) => Some(model),
            _ => None,
        }
    }

    fn solve(&mut self, query: &Query<'_>) -> Answer {
        let start = Instant::now();
        let answer = self.solver.solve(&self.store, query);
        self.counts.queries += 1;
        self.counts.solving += start.elapsed();
        self.worked += match answer {
            Answer::Unknown(_) => UNDECIDED_QUERY,
            _ => QUERY,
        };
        answer
    }

    /// Asks for an input that satisfies a path and more.
    fn ask(
        &mut self,
        path: &[PathEvent],
        wanted: &[ExprId],
        time_left: Option<Duration>,
    ) -> Answer {
        let constraints = relevant(&self.store, path, wanted);
        let limit = self.with.query_timeout;
        let timeout = time_left.map_or(limit, |left| left.min(limit));
        let query = Query {
            constraints: &constraints,
            timeout,
        };
        self.solve(&query)
    }

    /// Asks for an input on which a slice of a path takes an alternative.
    fn ask_for_slice(
        &mut self,
        path: &[PathEvent],
        wanted: &[ExprId],
        patience: Duration,
    ) -> Answer {
        let answer = self.ask(path, wanted, Some(patience));
        self.counts.queries -= 1;
        self.counts.queries_for_slices += 1;
        answer
    }

    /// Says what the variables of the input are, for [`Worker::describe`].
    pub fn set_variable_kinds(&mut self, kinds: Arc<VariableKinds>) {
        self.store.set_variable_kinds(kinds);
    }

    /// Which inputs a part of a path has, in the user's words: their shape, and the conditions on their bytes.
    pub fn describe(&self, ran: &Ran<'p>, part: &PathPart) -> Vec<String> {
        let events = ran.path.without_implied(&self.store);
        let (said, unsaid) = events.split_at(events.len().min(MOST_IN_WORDS));
        let conditions: Vec<ExprId> = said.iter().copied().chain(part.condition).collect();
        let shapes = &self.with.shapes;
        let mut words = shape_in_words(shapes, &shapes[ran.shape as usize]);
        words.extend(self.store.describe(&conditions));
        if !unsaid.is_empty() {
            words.push(format!("{} more conditions", unsaid.len()));
        }
        words
    }

    /// What the versions put out on a path.
    pub fn outputs(&mut self, ran: &Ran<'p>) -> Vec<SymbolicOutput> {
        match &ran.versions[..] {
            [_, _, ..] if ran.known_equal.is_none() => {
                symbolic_outputs(&mut self.store, &ran.versions)
            }
            _ => Vec::new(),
        }
    }

    /// Whether an input belongs to a part of a path.
    pub fn contains(&mut self, ran: &Ran<'p>, part: &PathPart, input: &SymbolicInput) -> bool {
        let mut evaluation = self.evaluation(input, ran);
        let path = ran.path.events.iter().map(|event| event.condition);
        path.chain(part.condition)
            .all(|condition| evaluation.holds(&self.store, condition))
    }

    /// Whether the first two versions are in the same state just before an event of the first one, for every
    /// input that comes there; see [`relational::infection`].
    pub(crate) fn same_state_before(
        &mut self,
        ran: &Ran<'p>,
        event: usize,
    ) -> std::result::Result<bool, RunError> {
        let event_of_path = &ran.path.events[event];
        let Some(limit) = event_of_path.instructions.checked_sub(1) else {
            return Ok(false);
        };
        // Behind it states have no terms: they are those of one input.
        if event_of_path.takes_input() {
            return Ok(false);
        }
        let start = Instant::now();
        let mut processes = Vec::with_capacity(2);
        for version in [0, 1] {
            let base = self.starts[ran.shape as usize][version].clone();
            let mut process = match base {
                Some(mut process) => {
                    process.reseed(&mut self.store, &ran.input);
                    process
                }
                None => self.start(version, &ran.input)?,
            };
            let before = process.machine().instructions();
            if before > limit || process.run_up_to(&mut self.store, limit).is_some() {
                return Ok(false);
            }
            self.counts.instructions += process.machine().instructions() - before;
            processes.push(process);
        }
        let decided: FxHashSet<ExprId> = processes[0]
            .path()
            .iter()
            .map(|own| own.condition)
            .collect();
        let mut others = processes[1].path().iter();
        let same = processes[0].path().len() == event
            && others.all(|event| decided.contains(&event.condition))
            && processes[0].machine().instructions() == processes[1].machine().instructions()
            && processes[0].is_like(&processes[1]);
        self.counts.running += start.elapsed();
        Ok(same)
    }

    /// Whether an input follows a path up to an event and goes one of its other ways there.
    pub fn goes_another_way(
        &mut self,
        path: &Path,
        event: u32,
        alternative: u32,
        input: &SymbolicInput,
    ) -> bool {
        let mut evaluation = self.evaluation_of_given(input);
        let event = event as usize;
        let way = path.events[event].alternatives[alternative as usize].condition;
        let before = path.events[..event].iter().map(|event| event.condition);
        let mut all = before.chain([way]);
        all.all(|condition| evaluation.holds(&self.store, condition))
    }

    /// The first event from `start` on at which an input leaves a run's path, and the alternative it takes.
    pub fn departure(
        &mut self,
        run: RunId,
        start: u32,
        input: &SymbolicInput,
    ) -> std::result::Result<Option<(u32, u32)>, RunError> {
        let path = self.path(run)?.events;
        let mut evaluation = self.evaluation_of_given(input);
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
        run: RunId,
        event: u32,
        input: &SymbolicInput,
    ) -> std::result::Result<bool, RunError> {
        let path = self.path(run)?.events;
        let mut evaluation = self.evaluation_of_given(input);
        // A run that did not go where it should have may have ended before.
        let event = path.get(event as usize);
        Ok(event.is_some_and(|event| evaluation.holds(&self.store, event.condition)))
    }

    /// The values of an input of the same shape, with variables of the sizes that a run asked for.
    fn evaluation(&mut self, input: &SymbolicInput, ran: &Ran<'p>) -> Evaluation {
        let asked = ran
            .versions
            .iter()
            .flat_map(|version| &version.run.variables);
        let variables: Vec<_> = asked.cloned().collect();
        Evaluation::new(input.model(&mut self.store, &variables))
    }

    fn evaluation_of_given(&mut self, input: &SymbolicInput) -> Evaluation {
        // Sizes of variables do not matter here: their symbols are known from the path.
        let variables: Vec<_> = input
            .variables
            .iter()
            .map(|(name, bytes)| (name.as_str().into(), bytes.len() as u32))
            .collect();
        Evaluation::new(input.model(&mut self.store, &variables))
    }

    /// Keeps the path of a run under the number that it was given.
    pub fn keep(&mut self, record: RunRecord, ran: &Ran<'p>) {
        self.keep_path(record.run, ran.path.clone());
        self.learn(record);
    }

    fn keep_path(&mut self, run: RunId, path: Path) {
        self.clock += 1;
        self.kept_events += path.events.len();
        let used = self.clock;
        self.paths.insert(run, KeptPath { path, used });
        while self.kept_events > KEPT_EVENTS && self.paths.len() > 1 {
            // A quarter goes at once, so that the search for the oldest is rare.
            let mut ages: Vec<u64> = self.paths.values().map(|path| path.used).collect();
            ages.sort_unstable();
            let limit = ages[ages.len().div_ceil(4) - 1];
            self.paths.retain(|_, path| path.used > limit);
            let kept = self.paths.values();
            self.kept_events = kept.map(|kept| kept.path.events.len()).sum();
        }
    }

    /// The path of a run, by running it again if it is gone.
    pub(crate) fn path(&mut self, run: RunId) -> std::result::Result<Path, RunError> {
        // The latest ancestor whose path is at hand comes last.
        let mut missing = Vec::new();
        let mut at = Some(run);
        let mut found = None;
        while let Some(run) = at {
            self.clock += 1;
            if let Some(kept) = self.paths.get_mut(&run) {
                kept.used = self.clock;
                found = Some(kept.path.clone());
                break;
            }
            let record = self.known(run)?;
            // A whole path needs no other.
            let needed = self.with.relevance.is_some();
            let origin = record.origin.as_ref().filter(|_| needed);
            at = origin.map(|flip| flip.run);
            missing.push(record.clone());
        }
        for record in missing.into_iter().rev() {
            self.counts.recoveries += 1;
            let input = record.input.expand(&self.with.shapes);
            let cut = CutAt::of(record.path);
            let Execution { path: own, cut, .. } = self.execute(record.input.shape, &input, cut)?;
            let path = match (&record.origin, &found) {
                (Some(flip), Some(from)) if self.with.relevance.is_some() => {
                    continued(from, flip, &own)
                }
                _ => own,
            };
            path.check(cut, record.path)?;
            self.keep_path(record.run, path.clone());
            found = Some(path);
        }
        Ok(found.expect("a run has a path"))
    }

    /// Runs an input to its end, on every version.
    fn execute(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
        cut: CutAt,
    ) -> std::result::Result<Execution<'p>, RunError> {
        let (start, apart) = (Instant::now(), self.counts.apart());
        let mut versions = Vec::with_capacity(self.with.versions.len());
        let mut paths = Vec::new();
        for version in 0..self.with.versions.len() {
            let (process, mut run) = self.execute_version(shape, version, input)?;
            paths.push(std::mem::take(&mut run.path));
            versions.push(VersionRun {
                process,
                run,
                own_events: 0,
                shared: Vec::new(),
            });
        }
        let mut relevant = Relevant::default();
        if let Some(relevance) = self.with.relevance {
            let whole = paths.clone();
            relevant = self.keep_relevant(relevance, input, &versions, &mut paths, cut)?;
            let was_tried = matches!(cut, CutAt::Known(Some(_)));
            let mut is_true =
                was_tried || self.is_true(shape, input, &versions, &relevant, [&paths, &whole])?;
            if !is_true && relevant.cut.is_some() {
                // As it will be when the path is run again.
                paths = whole.clone();
                let cut = CutAt::Known(None);
                relevant = self.keep_relevant(relevance, input, &versions, &mut paths, cut)?;
                is_true = self.is_true(shape, input, &versions, &relevant, [&paths, &whole])?;
            }
            if !is_true {
                relevant = Relevant::default();
                paths = whole;
            }
        }
        self.counts.executions += 1;
        self.counts.add_running(start, apart);
        let mut path = Path::of(&self.store, paths, &mut versions);
        if !relevant.early.is_empty() {
            path.put_first(&relevant.early);
        }
        Ok(Execution {
            versions,
            path,
            known_equal: relevant.known_equal,
            cut: relevant.cut,
        })
    }

    /// Whether what was left out of a path withstands a few tries.
    fn is_true(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
        relevant: &Relevant,
        kept_and_whole: [&[Vec<PathEvent>]; 2],
    ) -> std::result::Result<bool, RunError> {
        let known_equal = relevant.known_equal;
        let is_true = self.withstands(shape, input, versions, known_equal, kept_and_whole)?;
        if !is_true {
            let refuted = self.counts.not_sliced.entry(NotSliced::Refuted);
            *refuted.or_default() += 1;
        }
        Ok(is_true)
    }

    /// Leaves only the decisions that matter: for not executing a change, for coming to the same state after all changes,
    /// or else for what each version does. Why the versions are equal, if that is known.
    fn keep_relevant(
        &mut self,
        relevance: &PairRelevance<'_>,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
        paths: &mut [Vec<PathEvent>],
        cut: CutAt,
    ) -> std::result::Result<Relevant, RunError> {
        if let CutAt::Known(Some(events)) = cut {
            // Also a proof that is only repeated leaves ways out.
            self.counts.sliced += 1;
            return Ok(Relevant::cut(paths, events as usize));
        }
        let mut events = paths.iter().flatten();
        if events.any(PathEvent::takes_input) {
            // Behind it a trace does not tell what depends on the input.
            let _ = self.counts.note::<()>(Err(NotSliced::ManyDecisions));
            return Ok(Relevant::default());
        }
        let new = &versions[1].run;
        if !relevance.versions[1].reached(&new.coverage) {
            let trace = self.trace_of(relevance, 1, input)?;
            let end = &new.outcome.end;
            let facts = &relevance.versions[1];
            let relevant = self.sliced(1, |known| facts.reachability(known, &trace, end));
            if let Some(relevant) = relevant {
                paths[0].clear();
                paths[1].retain(|event| relevant.contains(&event.condition));
                return Ok(Relevant {
                    known_equal: Some(Proof::ChangeNotReached),
                    ..Relevant::default()
                });
            }
        } else if relevance.behaviour {
            if let (CutAt::Unknown, Some(calls)) = (cut, &relevance.calls)
                && let Some(events) = self.events_before_same_call(calls, input, versions, paths)?
            {
                self.counts.sliced += 1;
                return Ok(Relevant::cut(paths, events));
            }
            let traces = [
                self.trace_of(relevance, 0, input)?,
                self.trace_of(relevance, 1, input)?,
            ];
            let behind = converged::behind_changes(relevance, &traces);
            let mut early = FxHashSet::default();
            for (path, behind) in paths.iter().zip(behind) {
                let before = &path[..behind.min(path.len())];
                early.extend(before.iter().map(|event| event.condition));
            }
            if self.keep_until_converged(relevance, input, versions, &traces, behind, paths)? {
                return Ok(Relevant {
                    known_equal: Some(Proof::SameState),
                    early,
                    cut: None,
                });
            }
            for (version, path) in paths.iter_mut().enumerate() {
                let (facts, trace) = (&relevance.versions[version], &traces[version]);
                let end = &versions[version].run.outcome.end;
                let relevant = self.sliced(version, |known| facts.behaviour(known, trace, end));
                if let Some(relevant) = relevant {
                    path.retain(|event| relevant.contains(&event.condition));
                }
            }
            return Ok(Relevant {
                early,
                ..Relevant::default()
            });
        }
        Ok(Relevant::default())
    }

    fn trace_of(
        &mut self,
        relevance: &PairRelevance<'_>,
        version: usize,
        input: &SymbolicInput,
    ) -> std::result::Result<DependenceTrace, RunError> {
        let limits = TraceLimits::bytes(TRACE_BYTES);
        let facts = &relevance.versions[version].trace;
        Ok(self.trace(version, input, facts, limits)?.1)
    }

    /// Takes a slice of a version's trace, and notes what became of it.
    fn sliced<T>(
        &mut self,
        version: usize,
        slice: impl FnOnce(&mut KnownWays) -> std::result::Result<T, NotSliced>,
    ) -> Option<T> {
        let start = Instant::now();
        let relevant = slice(&mut self.known_ways[version]);
        self.counts.slicing += start.elapsed();
        self.counts.note(relevant)
    }

    fn execute_version(
        &mut self,
        shape: u32,
        version: usize,
        input: &SymbolicInput,
    ) -> std::result::Result<(SymbolicProcess<'p>, SymbolicRun), RunError> {
        let base = &self.starts[shape as usize][version];
        let is_first = base.is_none();
        let mut process = match base {
            Some(base) => {
                let mut process = base.clone();
                process.reseed(&mut self.store, input);
                process
            }
            None => self.start(version, input)?,
        };
        let before = process.machine().instructions();
        let (with, until) = (self.with, self.until);
        let run = process.run_while(&mut self.store, || with.goes_on(until));
        self.counts.instructions += process.machine().instructions() - before;
        let run = run.ok_or(RunError::Stopped)?;
        if is_first {
            let mut base = self.start(version, input)?;
            let first = run.path.first();
            let early = first.is_some_and(|event| base.run_before(&mut self.store, event));
            if !early {
                base = self.start(version, input)?;
            }
            self.starts[shape as usize][version] = Some(base);
        }
        Ok((process, run))
    }

    fn start(
        &mut self,
        version: usize,
        input: &SymbolicInput,
    ) -> std::result::Result<SymbolicProcess<'p>, RunError> {
        let version = self.with.versions[version];
        let process = version.subject.start(
            version.program,
            &mut self.store,
            self.with.machine.kernel.clone(),
            self.with.machine.limits,
            self.with.machine.symbolic_limits,
            input,
        )?;
        Ok(process)
    }

    /// Starts with an empty store when the old one has grown too large.
    pub(crate) fn tidy(&mut self) {
        if self.store.len() > self.with.most_terms {
            self.forget();
        }
    }

    /// What was done so far, in instructions: a measure of time that is the same on every machine.
    pub fn work(&self) -> u64 {
        self.worked + self.counts.instructions + TERM * self.store.work()
    }

    /// Gives back all memory that can be made anew.
    pub fn forget(&mut self) {
        self.worked += TERM * self.store.work();
        self.store = Store::new();
        self.solver.reset();
        self.counter.forget();
        self.paths.clear();
        self.kept_events = 0;
        self.starts = no_starts(self.with);
    }
}

fn no_starts<'p>(with: &Surroundings<'p>) -> Vec<Vec<Option<SymbolicProcess<'p>>>> {
    let of_shape = || with.versions.iter().map(|_| None).collect();
    with.shapes.iter().map(|_| of_shape()).collect()
}

/// What was found out about a run when only what matters was kept of it.
#[derive(Default)]
struct Relevant {
    known_equal: Option<Proof>,
    /// What was decided up to the last change that is executed.
    early: FxHashSet<ExprId>,
    /// How many events of the old version were kept before a call that does the same.
    cut: Option<u32>,
}

impl Relevant {
    fn cut(paths: &mut [Vec<PathEvent>], events: usize) -> Relevant {
        called::cut(paths, events);
        Relevant {
            known_equal: Some(Proof::SameCall),
            cut: Some(events as u32),
            ..Relevant::default()
        }
    }
}

/// What became of an input.
struct Execution<'p> {
    versions: Vec<VersionRun<'p>>,
    path: Path,
    known_equal: Option<Proof>,
    cut: Option<u32>,
}

/// As data that outlives the solver.
pub(crate) fn undecided(reason: &Reason) -> Undecided {
    match reason {
        Reason::Timeout => Undecided::Timeout,
        Reason::Unsupported(operation) => Undecided::Unsupported((*operation).to_owned()),
        Reason::Failed(message) => Undecided::Failed(message.clone()),
        Reason::WrongModel => Undecided::WrongModel,
        Reason::NoBackend => Undecided::NoBackend,
    }
}

/// `wanted` and the conditions of `path` that share symbols with it, directly or through one another.
pub(crate) fn relevant(store: &Store, path: &[PathEvent], wanted: &[ExprId]) -> Vec<ExprId> {
    let conditions: Vec<ExprId> = path.iter().map(|event| event.condition).collect();
    relevant_conditions(store, &conditions, wanted)
}

/// As [`relevant`], of plain conditions.
pub(crate) fn relevant_conditions(
    store: &Store,
    path: &[ExprId],
    wanted: &[ExprId],
) -> Vec<ExprId> {
    let mut symbols = wanted
        .iter()
        .fold(expr::SymbolSet::default(), |all, &term| {
            all.union(store.symbols_of(term))
        });
    let mut chosen = vec![false; path.len()];
    loop {
        let mut grew = false;
        for (&condition, chosen) in path.iter().zip(&mut chosen).rev() {
            if *chosen {
                continue;
            }
            let own = store.symbols_of(condition);
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
    let prefix = prefix.map(|(&condition, _)| condition);
    prefix.chain(wanted.iter().copied()).collect()
}
