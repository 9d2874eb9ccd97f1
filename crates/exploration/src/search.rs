//! The search: workers take flips from one frontier until it is empty or the budget is used up.
//!
//! What is known is kept under one lock and changes only when a run is over, so a search can be stopped
//! between any two runs and everything found so far stands.

mod members;
mod partition;
mod settle;
mod state;
mod wrong_pruning;

pub use members::{Behind, Members};

use crate::frontier::Strategy;
use crate::input::InputRecord;
use crate::journal::{Earlier, EarlierRun, Journal};
use crate::path_tree::{Flip, RunId, Target};
use crate::propagate::{self, Propagation};
use crate::pruning::{Aim, Category, Executed, PrunedWay};
use crate::relevance::PairRelevance;
use crate::shares::Source;
use crate::static_facts::StaticFacts;
use crate::subject::Version;
use crate::summary::{Gap, Partition, Stop, Summary};
use crate::worker::{
    self, Counts, CutAt, Known, Path, Ran, RunError, Surroundings, VersionRun, Worker,
};
use concolic_vm::symbolic::{Coverage, PathEvent, SymbolicInput, SymbolicLimits};
use concolic_vm::{Limits, Outcome, linux};
use partition::Occasion;
use solver::{LayerStatistics, Reason, Solver};
use state::{Job, Patience, QUICK, State};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// When to stop at the latest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub time: Option<Duration>,
    /// Runs of this session.
    pub runs: Option<u64>,
    /// Instructions executed in all runs together.
    pub instructions: Option<u64>,
    /// Bytes that the process may hold.
    pub memory: Option<u64>,
}

pub struct Config<'c> {
    pub strategy: Strategy,
    /// Decides all random choices.
    pub seed: u64,
    pub workers: usize,
    pub budget: Budget,
    pub kernel: linux::KernelConfig,
    pub limits: Limits,
    pub symbolic_limits: SymbolicLimits,
    /// The first input of each shape.
    pub shapes: Vec<SymbolicInput>,
    /// Inputs to run first, each with the number of its shape.
    pub seeds: Vec<(u32, SymbolicInput)>,
    pub query_timeout: Duration,
    pub most_terms: usize,
    /// Makes the solver of each worker.
    pub solver: &'c (dyn Fn(usize) -> Box<dyn Solver> + Sync),
    /// Bytes that the process holds now.
    pub memory_used: &'c (dyn Fn() -> u64 + Sync),
    /// Set from outside to stop.
    pub interrupt: &'c AtomicBool,
    /// Whether every path becomes a test, not only those that show something new.
    pub all_tests: bool,
    /// Facts of both versions, to keep only what matters of paths.
    pub relevance: Option<&'c PairRelevance<'c>>,
    /// When versions are compared: what is known of them without a run. Nothing of it is asked for before the first
    /// inputs and the seeds have been run, nor if neither the strategy nor what follows needs it.
    pub facts: Option<&'c StaticFacts<'c>>,
    /// Whether ways behind which there is no difference are left out; needs `facts`.
    pub prune: bool,
    /// How many flips are tried before anything of `facts` is asked for to prune by. A difference may be found sooner than
    /// they are.
    pub flips_before_facts: u64,
    /// Whether inputs are made that take the effect of a change farther, and how much is spent on it; needs `facts`.
    pub propagate: Option<propagate::Limits>,
}

/// A path worth a test.
pub struct Found<'a> {
    /// The run's number from 1. A run of an earlier session is offered again, under the same number.
    pub test: u64,
    pub input: InputRecord,
    pub outcome: &'a Outcome,
    pub kernel: &'a linux::Kernel,
    /// It reached code or took a way that no run before did.
    pub covers_new: bool,
    /// It is the first to end abnormally in this way at this place.
    pub new_error: bool,
}

/// How far a search is.
#[derive(Clone, Debug)]
pub struct Progress {
    pub wall: Duration,
    pub paths: u64,
    pub runs: u64,
    pub open_flips: usize,
    pub errors: usize,
    pub tests: u64,
    /// Runs of an earlier session that are yet to be repeated.
    pub to_repeat: usize,
    /// The time of all workers together.
    pub solving: Duration,
    pub running: Duration,
    /// By version.
    pub coverage: Vec<Coverage>,
}

/// What is told of a search while it goes on.
pub trait Observer: Sync {
    /// A test, perhaps one that was written before; an error stops the search.
    fn found(&self, found: &Found<'_>) -> std::io::Result<()>;
    /// Called a few times a second.
    fn progress(&self, progress: &Progress);
    /// A part of a path's inputs on which the versions were compared.
    fn partition(&self, _: &Partition, _: &Ran<'_>, _: &mut Members<'_, '_>) {}
    /// Whether it is to be found out how much of the input space is settled.
    fn settles(&self) -> bool {
        false
    }
    /// Whether questions are asked that serve only a proof, and not also the search for differences.
    fn proves(&self) -> bool {
        true
    }
    /// Whether every input of the space is meant. If not, [`Observer::admits`] says which.
    fn admits_all(&self) -> bool {
        true
    }
    /// Whether an input on which the versions ran like this is one that is meant. Others count neither as equal nor as
    /// different, but they are explored.
    fn admits(&self, _: &[VersionRun<'_>]) -> bool {
        true
    }
    /// A way that is not explored, since no difference is behind it. For tests.
    fn pruned(&self, _: Category, _: &mut Behind<'_, '_>) {}
    /// Called for every path when it is over. For tests.
    fn path(&self, _: &Ran<'_>) {}
}

const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// Explores the paths of the versions' common inputs: of one program, or of two or more that are
/// compared. `earlier` is what a previous session left; `journal` takes what a next one needs.
///
/// A change is between two versions: with more, there are no facts to aim or prune by, and no slices.
pub fn explore(
    versions: &[Version<'_>],
    config: Config<'_>,
    earlier: Earlier,
    journal: Option<Box<dyn Write + Send>>,
    observer: &dyn Observer,
) -> Summary {
    let start = Instant::now();
    let has_change = config.facts.is_some() || config.relevance.is_some();
    assert!(
        versions.len() <= 2 || !has_change,
        "a change is between two versions"
    );
    let surroundings = Surroundings {
        versions: versions.to_vec(),
        kernel: config.kernel.clone(),
        limits: config.limits,
        symbolic_limits: config.symbolic_limits,
        shapes: config.shapes.clone(),
        query_timeout: config.query_timeout,
        most_terms: config.most_terms,
        relevance: config.relevance,
        stop: AtomicBool::new(false),
    };
    let aim = config.facts.map(|facts| Aim {
        facts,
        // Events of a sliced path say nothing of what was executed before them.
        prune: config.prune && config.relevance.is_none(),
    });
    let aim = aim.filter(|aim| aim.prune || config.strategy.is_change_directed());
    let aims = aim.is_some();
    let search = Search {
        config: &config,
        surroundings: &surroundings,
        aim,
        propagation: OnceLock::new(),
        observer,
        start,
        state: Mutex::new(State::new(
            &config,
            versions.len(),
            aims,
            earlier,
            Journal::new(journal),
        )),
        more_work: Condvar::new(),
        over: Condvar::new(),
    };
    std::thread::scope(|scope| {
        for number in 0..config.workers.max(1) {
            let search = &search;
            // Deep terms are walked recursively.
            let thread = std::thread::Builder::new().stack_size(256 << 20);
            let spawned = thread.spawn_scoped(scope, move || search.work(number));
            spawned.expect("a thread can be started");
        }
        search.watch();
    });
    let state = search.state.into_inner().expect("no worker panicked");
    state.summary(versions, start.elapsed())
}

struct Search<'s, 'c, 'p> {
    config: &'s Config<'c>,
    surroundings: &'p Surroundings<'p>,
    /// What it knows is asked for by [`Job::Facts`].
    aim: Option<Aim<'c>>,
    /// Made when it is needed first.
    propagation: OnceLock<Propagation<'c>>,
    observer: &'s dyn Observer,
    start: Instant,
    state: Mutex<State>,
    /// Something may be left to do for workers that wait.
    more_work: Condvar,
    /// The search is over.
    over: Condvar,
}

impl<'p> Search<'_, '_, 'p> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panicked")
    }

    /// Reports progress and watches the budget until the search is over.
    fn watch(&self) {
        let goes_on = |state: &mut State| !state.is_over() || state.busy > 0;
        let mut state = self.lock();
        while goes_on(&mut state) {
            (state, _) = self
                .over
                .wait_timeout_while(state, PROGRESS_EVERY, goes_on)
                .expect("no worker panicked");
            // A search that is over needs no more, whatever it took.
            if goes_on(&mut state) {
                self.check_budget(&mut state);
            }
            let progress = self.progress(&state);
            drop(state);
            self.observer.progress(&progress);
            state = self.lock();
        }
        self.more_work.notify_all();
    }

    fn progress(&self, state: &State) -> Progress {
        let of_workers = |time: fn(&Counts) -> Duration| state.live_counts.values().map(time).sum();
        Progress {
            wall: self.start.elapsed(),
            paths: state.paths,
            runs: state.runs,
            open_flips: state.tree.open_flips(),
            errors: state.errors.len(),
            tests: state.tests,
            to_repeat: state.repeats.len(),
            solving: of_workers(|counts| counts.solving),
            running: of_workers(|counts| counts.running),
            coverage: state.coverage.clone(),
        }
    }

    /// Notes a stop if the budget is used up.
    fn check_budget(&self, state: &mut State) {
        let budget = &self.config.budget;
        let reached = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used >= limit);
        let instructions = || {
            state
                .live_counts
                .values()
                .map(|counts| counts.instructions)
                .sum()
        };
        let stop = if self.config.interrupt.load(Ordering::Relaxed) {
            Stop::Interrupted
        } else if budget
            .time
            .is_some_and(|limit| self.start.elapsed() >= limit)
        {
            Stop::Time
        } else if reached(state.runs, budget.runs) {
            Stop::Runs
        } else if budget.instructions.is_some() && reached(instructions(), budget.instructions) {
            Stop::Instructions
        } else if budget.memory.is_some() && reached((self.config.memory_used)(), budget.memory) {
            Stop::Memory
        } else {
            return;
        };
        if stop != Stop::Runs {
            // What is under way may take long.
            self.surroundings.stop.store(true, Ordering::Relaxed);
        }
        state.stop.get_or_insert(stop);
    }

    /// The life of one worker.
    fn work(&self, number: usize) {
        let mut worker = Worker::new(self.surroundings, (self.config.solver)(number));
        let mut state = self.lock();
        loop {
            if state.is_over() {
                break;
            }
            let Some(job) = state.next_job() else {
                state.waiting += 1;
                state = self.more_work.wait(state).expect("no worker panicked");
                state.waiting -= 1;
                continue;
            };
            state.busy += 1;
            drop(state);
            let (before, worked) = (Instant::now(), worker.work());
            let ends_all = EndsAll(self);
            let done = self.perform(&mut worker, &job);
            std::mem::forget(ends_all);
            let time = before.elapsed();
            state = self.lock();
            state.busy -= 1;
            state.spend(&job, time, worker.work() - worked);
            if job.is_preparing() {
                state.preparing -= 1;
            }
            match done {
                Ok(()) => {}
                Err(RunError::Start(error)) => {
                    let why = error.to_string();
                    state.stop.get_or_insert(Stop::CannotStart(why));
                }
                Err(RunError::OtherPath) => {
                    state.stop.get_or_insert(Stop::OtherPath);
                }
                Err(RunError::Stopped) => {
                    debug_assert!(state.stop.is_some(), "only a search that stops leaves runs");
                    state.stop.get_or_insert(Stop::Interrupted);
                    state.left_in_work += 1;
                }
            }
            state.live_counts.insert(number, worker.counts.clone());
            // Time and memory are watched elsewhere; the number of runs is exact.
            let reached = |limit: u64| state.runs >= limit && !state.is_over();
            if self.config.budget.runs.is_some_and(reached) {
                state.stop.get_or_insert(Stop::Runs);
            }
            if state.waiting > 0 {
                self.more_work.notify_all();
            }
        }
        if number == 0 {
            // All that is known by then counts, also what others are just finding out.
            while state.busy > 0 {
                state = self.more_work.wait(state).expect("no worker panicked");
            }
            drop(state);
            self.surroundings.stop.store(false, Ordering::Relaxed);
            let wrongly_pruned = self.wrong_pruning(&mut worker).ok().flatten();
            let settled = self.settle(&mut worker);
            state = self.lock();
            state.settled = settled;
            state.wrongly_pruned = wrongly_pruned;
        }
        state.counts.add(&worker.counts);
        merge_layers(&mut state.layers, worker.statistics());
        self.more_work.notify_all();
        self.over.notify_all();
    }

    fn perform(&self, worker: &mut Worker<'p>, job: &Job) -> Result<(), RunError> {
        match job {
            Job::First { shape, input } => {
                let ran = worker.run_first(*shape, input.clone(), CutAt::Unknown)?;
                let id = self.publish(worker, &ran, None, None, Source::Flips)?.run;
                self.lock().roots[*shape as usize] = Some(id);
            }
            Job::Random { shape, input } => {
                let ran = worker.run_first(*shape, input.clone(), CutAt::Unknown)?;
                self.take_random(worker, &ran);
            }
            Job::Compare(known) => {
                let input = known.input.expand(&self.config.shapes);
                let ran = worker.run_first(known.input.shape, input, CutAt::of(known.path))?;
                let on = Occasion {
                    came_from: None,
                    source: Source::Comparisons,
                    patience: Patience::Full,
                };
                self.partition(worker, &ran, known.run, on);
            }
            Job::Repeat(earlier) => self.repeat(worker, earlier)?,
            Job::Seed { shape, input } => {
                self.place_seed(worker, *shape, input, Source::Flips)?;
            }
            Job::Splice { shape, input } => {
                let start = Instant::now();
                let shown = self.place_seed(worker, *shape, input, Source::Splices)?;
                let counts = &mut self.lock().spliced;
                counts.inputs += 1;
                counts.time += start.elapsed();
                match shown {
                    None => counts.known += 1,
                    Some(shown) => counts.different += u64::from(shown.different),
                }
            }
            Job::Candidate { shape, candidate } => {
                let source = Source::Propagation;
                let shown = self.place_seed(worker, *shape, &candidate.input, source)?;
                let mut state = self.lock();
                let counts = state.propagation.by_rule.entry(candidate.rule).or_default();
                match shown {
                    None => counts.known += 1,
                    Some(shown) => counts.different += u64::from(shown.different),
                }
            }
            Job::Look { input } => {
                let whole = input.expand(&self.config.shapes);
                self.propagate(worker, input.shape, &whole)?;
            }
            Job::Facts => self.find_facts(worker)?,
            Job::Flip(task, target, patience) => {
                let left = self.config.budget.time;
                let left = left.map(|limit| limit.saturating_sub(self.start.elapsed()));
                let left = match patience {
                    Patience::Little => Some(left.map_or(QUICK, |left| left.min(QUICK))),
                    Patience::Full => left,
                };
                match worker.solve_and_run(task, left)? {
                    worker::Result::Infeasible { conflicts } => {
                        self.lock().infeasible(&task.flip, &conflicts);
                    }
                    worker::Result::Undecided(Reason::Timeout)
                        if *patience == Patience::Little && self.config.query_timeout > QUICK =>
                    {
                        self.lock().hard.push_back((task.flip.clone(), *target));
                    }
                    worker::Result::Undecided(reason) => {
                        let mut state = self.lock();
                        let why = worker::undecided(&reason);
                        state.gap(Gap::Undecided { why });
                        state.frontier.undecided(&task.flip);
                    }
                    worker::Result::Ran(ran) => {
                        let came_from = Some((&task.flip, *target));
                        self.publish(worker, &ran, came_from, None, Source::Flips)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn repeat(&self, worker: &mut Worker<'p>, earlier: &EarlierRun) -> Result<(), RunError> {
        let input = earlier.input.expand(&self.config.shapes);
        if self.config.relevance.is_some()
            && let Some(flip) = &earlier.flip
        {
            // What matters of a path is known only from where it comes.
            let task = self.lock().task(flip.clone());
            let ran = worker.follow(&task, input, CutAt::of(earlier.path))?;
            ran.path.check(ran.cut, earlier.path)?;
            let target = ran.steps.first().map(|step| step.taken());
            let came_from = target.map(|target| (flip, target));
            self.publish(worker, &ran, came_from, Some(earlier.id), Source::Flips)?;
            return Ok(());
        }
        let cut = CutAt::of(earlier.path);
        let mut ran = worker.run_first(earlier.input.shape, input, cut)?;
        ran.path.check(ran.cut, earlier.path)?;
        let came_from = earlier.flip.as_ref().map(|flip| {
            ran.steps
                .drain(..(flip.event as usize).min(ran.steps.len()));
            ran.residual = earlier.residual;
            ran.diverged = earlier.diverged;
            // Where the rest of its alternative leads is not known, nor needed.
            let target = ran.steps.first().map(|step| Target {
                way: None,
                ..step.taken()
            });
            (flip, target)
        });
        let came_from = match came_from {
            Some((flip, Some(target))) => Some((flip, target)),
            Some((_, None)) => {
                ran.diverged = true;
                None
            }
            None => None,
        };
        self.publish(worker, &ran, came_from, Some(earlier.id), Source::Flips)?;
        Ok(())
    }

    /// Finds out where a seed leaves the tree and runs it there, unless its path is known: then `None`. Inputs that
    /// were made on the way are left out where no difference can be.
    fn place_seed(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
        source: Source,
    ) -> Result<Option<Shown>, RunError> {
        let prunes = source != Source::Flips && self.aim.as_ref().is_some_and(|aim| aim.prune);
        let root = {
            let state = self.lock();
            let root = state.roots[shape as usize].expect("first runs come before seeds");
            state.known(root)
        };
        let flip = match self.walk(worker, root, input)? {
            Place::On(known) => {
                if source == Source::Flips {
                    self.lock().seeded.insert(known.run);
                }
                return Ok(None);
            }
            Place::Left(flip) => flip,
        };
        let (task, target) = {
            let mut state = self.lock();
            let target = state.take_flip(&flip, source == Source::Flips);
            if prunes && target.is_none() && state.is_pruned(&flip) {
                return Ok(None);
            }
            (state.task(flip), target)
        };
        let ran = worker.follow(&task, input.clone(), CutAt::Unknown)?;
        let target = target.or(ran.steps.first().map(|step| step.taken()));
        let came_from = target.map(|target| (&task.flip, target));
        let shown = self.publish(worker, &ran, came_from, None, source)?;
        if source == Source::Flips {
            self.lock().seeded.insert(shown.run);
        }
        Ok(Some(shown))
    }

    /// Follows an input through the tree from a root on.
    fn walk(
        &self,
        worker: &mut Worker<'p>,
        root: Arc<Known>,
        input: &SymbolicInput,
    ) -> Result<Place, RunError> {
        let (mut along, mut start) = (root, 0);
        'runs: while let Some((event, alternative)) = worker.departure(&along, start, input)? {
            let mut flip = Flip {
                run: along.run,
                event,
                alternative,
                excluded: Vec::new(),
            };
            loop {
                let child = {
                    let state = self.lock();
                    state.tree.child(&flip).map(|child| state.known(child))
                };
                match child {
                    None => return Ok(Place::Left(flip)),
                    Some(child) if worker.agrees_at(&child, event, input)? => {
                        (along, start) = (child, event + 1);
                        continue 'runs;
                    }
                    Some(child) => flip = flip.without(child.run),
                }
            }
        }
        Ok(Place::On(along))
    }

    fn publish(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        came_from: Option<(&Flip, Target)>,
        again: Option<RunId>,
        source: Source,
    ) -> Result<Shown, RunError> {
        let aim = self.aim.as_ref().filter(|_| self.lock().facts_known);
        let same_state_from = match (aim, Executed::by(ran)) {
            (Some(aim), Some(executed)) if !ran.diverged => aim.settled_from(ran, executed),
            _ => None,
        };
        let same_state_from = match same_state_from {
            Some(event) if worker.same_state_before(ran, event)? => Some(event),
            _ => None,
        };
        let published = {
            let mut state = self.lock();
            // They may have been found since.
            let aim = self.aim.as_ref().filter(|_| state.facts_known);
            let suggested = std::mem::take(&mut worker.suggested).into_iter();
            let suggested = suggested.map(|input| (ran.shape, input));
            state.suggested.extend(suggested);
            state.publish(ran, came_from, again, aim, same_state_from, source)
        };
        worker.keep(published.id, ran);
        self.observer.path(ran);
        let flip = came_from.map(|(flip, _)| flip);
        // Many spliced inputs are tried; the others have cost a question already.
        let patience = match (source, self.config.relevance) {
            (Source::Splices, None) => Patience::Little,
            _ => Patience::Full,
        };
        let on = Occasion {
            came_from: flip,
            source,
            patience,
        };
        let different = self.partition(worker, ran, published.id, on);
        if let Some(flip) = flip {
            self.lock().frontier.done(flip);
        }
        self.note_pruned(worker, &ran.path, published.id, &published.pruned);
        self.tell_pruned(worker, &ran.path, &published.pruned);
        if let Some(test) = published.test {
            let found = Found {
                test,
                input: InputRecord::of(&ran.input),
                outcome: &ran.versions[0].run.outcome,
                kernel: ran.versions[0].process.machine().kernel(),
                covers_new: published.covers_new,
                new_error: published.new_error,
            };
            if let Err(error) = self.observer.found(&found) {
                self.lock().cannot_write(&error);
            }
        }
        if self.config.propagate.is_some() && again.is_none() && !different && !ran.diverged {
            self.offer_look(ran);
        }
        Ok(Shown {
            run: published.id,
            different,
        })
    }

    /// Looks at the changes, and at the runs that were over before.
    fn find_facts(&self, worker: &mut Worker<'p>) -> Result<(), RunError> {
        let Some(aim) = &self.aim else {
            return Ok(());
        };
        aim.facts.changes();
        let pruned = self.lock().facts_found(aim);
        for (run, pruned) in pruned {
            let known = self.lock().known(run);
            let path = worker.path(&known)?;
            self.note_pruned(worker, &path, run, &pruned);
            self.tell_pruned(worker, &path, &pruned);
        }
        Ok(())
    }

    fn tell_pruned(&self, worker: &mut Worker<'p>, path: &Path, pruned: &[PrunedWay]) {
        for &way in pruned {
            let mut behind = Behind { worker, path, way };
            self.observer.pruned(way.category, &mut behind);
        }
    }

    /// Offers a run to be looked at, unless that is not worth it: tracing costs many times a plain run.
    fn offer_look(&self, ran: &Ran<'p>) {
        // As long as nothing is known of the change, every run may have executed it.
        let plan = self.propagation.get();
        if ran.versions.len() != 2 || plan.is_some_and(|plan| !plan.may_execute_change(ran)) {
            return;
        }
        let limits = self.config.propagate.unwrap_or_default();
        let too_long =
            |version: &VersionRun<'_>| version.run.outcome.instructions > limits.instances as u64;
        let mut state = self.lock();
        let counts = &mut state.propagation;
        counts.runs += 1;
        // Behind many decisions nothing is known of the effect of a change but on this input.
        let too_many = ran.path.events.iter().any(PathEvent::takes_input);
        if too_many || ran.versions.iter().any(too_long) {
            *counts.cut.entry(propagate::Cut::Instances).or_default() += 1;
            return;
        }
        let allowed = propagate::FIRST_LOOKS + counts.runs / propagate::RUNS_PER_LOOK;
        if counts.looks < allowed && state.is_seen_seldom(propagate::ways_key(ran)) {
            state.propagation.looks += 1;
            state.offer_look(ran.shape, &ran.input);
        }
    }

    /// Makes inputs that take the effect of a change farther than this one does.
    fn propagate(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
    ) -> Result<(), RunError> {
        let (Some(limits), Some(facts)) = (self.config.propagate, self.config.facts) else {
            return Ok(());
        };
        let start = Instant::now();
        let plan = self
            .propagation
            .get_or_init(|| Propagation::of(facts, limits));
        let left = self.config.budget.time;
        let left = left.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let is_new = |tree: u64| self.lock().is_seen_seldom(tree);
        let found = worker.propagate(plan, input, is_new, left)?;
        let mut state = self.lock();
        let counts = &mut state.propagation;
        counts.seen_before += u64::from(found.seen_before);
        counts.queries += found.queries;
        if let Some(cut) = found.cut {
            *counts.cut.entry(cut).or_default() += 1;
        }
        counts.time += start.elapsed();
        for candidate in &found.candidates {
            counts.by_rule.entry(candidate.rule).or_default().candidates += 1;
            counts.from_old += u64::from(candidate.version == 0);
        }
        let candidates = found.candidates.into_iter();
        state
            .candidates
            .extend(candidates.map(|candidate| (shape, candidate)));
        Ok(())
    }
}

/// A worker that panics must not leave the others waiting for it: then nobody would hear of the panic.
struct EndsAll<'a, 's, 'c, 'p>(&'a Search<'s, 'c, 'p>);

impl Drop for EndsAll<'_, '_, '_, '_> {
    fn drop(&mut self) {
        // The lock may be poisoned; what is under it is not used any more.
        let state = self.0.state.lock();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        state.busy -= 1;
        state.stop.get_or_insert(Stop::Interrupted);
        drop(state);
        self.0.more_work.notify_all();
        self.0.over.notify_all();
    }
}

/// Where in the tree an input belongs.
enum Place {
    /// On the path of a run.
    On(Arc<Known>),
    /// It goes a way that no run has taken.
    Left(Flip),
}

/// What a run that was taken in showed.
struct Shown {
    run: RunId,
    /// On some input of its path the versions differ.
    different: bool,
}

impl<'p> Search<'_, '_, 'p> {
    /// Takes in the run of a random input, which has no place in the tree.
    fn take_random(&self, worker: &mut Worker<'p>, ran: &Ran<'p>) {
        let run = {
            let mut state = self.lock();
            state.runs += 1;
            for (covered, version) in state.coverage.iter_mut().zip(&ran.versions) {
                covered.merge(&version.run.coverage);
            }
            state.note_missing_files(ran);
            RunId(state.lineage.0.len() as u32)
        };
        self.observer.path(ran);
        if let Some(part) = worker.differs_here(ran) {
            self.note_part(worker, ran, run, &part, (None, Source::Flips));
        }
    }
}

fn merge_layers(all: &mut Vec<LayerStatistics>, own: Vec<LayerStatistics>) {
    if all.is_empty() {
        *all = own;
        return;
    }
    for (sum, own) in all.iter_mut().zip(own) {
        sum.asked += own.asked;
        sum.sat += own.sat;
        sum.unsat += own.unsat;
        sum.unknown += own.unknown;
        sum.time += own.time;
    }
}
