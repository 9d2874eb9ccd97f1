//! The search: workers take flips from one frontier until it is empty or the budget is used up.
//!
//! What is known is kept under one lock and changes only when a run is over, so a search can be stopped
//! between any two runs and everything found so far stands.

use crate::auto::Promise;
use crate::changes::ChangeFacts;
use crate::compare::Observable;
use crate::frontier::{Frontier, News, Prospect, Strategy};
use crate::input::{CompactInput, InputRecord};
use crate::journal::{Earlier, EarlierRun, Journal};
use crate::path_tree::{Flip, OpenFlip, PathTree, RunId, Target};
use crate::propagate::{self, Candidate, Propagation, PropagationCounts};
use crate::pruning::{Aim, Category, PrunedCount, PrunedWay};
use crate::random::RandomInputs;
use crate::relevance::PairRelevance;
use crate::subject::Version;
use crate::summary::{ErrorFound, Gap, Partition, Stop, Summary, TakenAsIs};
use crate::worker::{self, Counts, Known, Part, PathPart, Ran, Shared, Surroundings, Task, Worker};
use concolic_vm::symbolic::{
    Assumption, Coverage, EventKind, SymbolicInput, SymbolicLimits, SymbolicStartError, Watch,
};
use concolic_vm::{Limits, Outcome, StackFrame, linux};
use rustc_hash::FxHashMap;
use solver::{LayerStatistics, Reason, Solver};
use std::collections::{BTreeMap, VecDeque};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
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
    /// What is known of the change between the versions, to aim at and to prune by.
    pub changes: Option<&'c ChangeFacts>,
    /// Whether ways behind which there is no difference are left out; needs `changes`.
    pub prune: bool,
    /// When versions are compared: whether inputs are made that take the effect of a change farther, and how much is
    /// spent on it.
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
    /// A way that is not explored, since no difference is behind it. For tests.
    fn pruned(&self, _: Category, _: &mut Behind<'_, '_>) {}
    /// Called for every path when it is over. For tests.
    fn path(&self, _: &Ran<'_>) {}
}

const PROGRESS_EVERY: Duration = Duration::from_millis(250);

/// Explores the paths of the versions' common inputs: of one program, or of two that are compared. `earlier` is what a previous session left; `journal` takes what a next one needs.
pub fn explore(
    versions: &[Version<'_>],
    config: Config<'_>,
    earlier: Earlier,
    journal: Option<Box<dyn Write + Send>>,
    observer: &dyn Observer,
) -> Summary {
    let start = Instant::now();
    let surroundings = Surroundings {
        versions: versions.to_vec(),
        kernel: config.kernel.clone(),
        limits: config.limits,
        symbolic_limits: config.symbolic_limits,
        shapes: config.shapes.clone(),
        query_timeout: config.query_timeout,
        most_terms: config.most_terms,
        relevance: config.relevance,
        watches: watches(versions, config.changes),
    };
    let aim = config.changes.map(|facts| Aim {
        facts,
        programs: versions.iter().map(|version| version.program).collect(),
        // Events of a sliced path say nothing of what was executed before them.
        prune: config.prune && config.relevance.is_none(),
    });
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

/// The blocks that hold changes, by version.
fn watches(versions: &[Version<'_>], changes: Option<&ChangeFacts>) -> Vec<Watch> {
    let watch = |facts: &ChangeFacts| {
        let watch = |(number, version): (u8, &Version<'_>)| {
            let blocks = facts.blocks(number).iter();
            let blocks = blocks.map(|&(func, block, _)| (func, block));
            Watch::new(version.program, blocks)
        };
        (0..).zip(versions).map(watch).collect()
    };
    changes.map(watch).unwrap_or_default()
}

/// What a worker is to do next.
enum Job {
    /// The first run of a shape.
    First {
        shape: u32,
        input: SymbolicInput,
    },
    /// A seed: find its place in the tree and run it.
    Seed {
        shape: u32,
        input: SymbolicInput,
    },
    /// An input made from a run: as a seed.
    Candidate {
        shape: u32,
        candidate: Candidate,
    },
    /// An input that may have executed a change without showing it: make candidates from it.
    Look {
        shape: u32,
        input: SymbolicInput,
    },
    /// A run of an earlier session: only its path is needed.
    Repeat(EarlierRun),
    Flip(Box<Task>, Target, Patience),
    /// An input to run for itself.
    Random {
        shape: u32,
        input: SymbolicInput,
    },
}

/// How long the solver may take for a flip. One that is hard is left for later: most are not, and behind one of
/// those there may be another way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Patience {
    Little,
    /// As long as the user allows.
    Full,
}

/// What a flip may take at first.
const QUICK: Duration = Duration::from_millis(300);

struct Search<'s, 'p> {
    config: &'s Config<'s>,
    surroundings: &'p Surroundings<'p>,
    aim: Option<Aim<'s>>,
    /// Made when it is needed first.
    propagation: OnceLock<Propagation<'p>>,
    observer: &'s dyn Observer,
    start: Instant,
    state: Mutex<State>,
    /// Something may be left to do for workers that wait.
    more_work: Condvar,
    /// The search is over.
    over: Condvar,
}

struct State {
    tree: PathTree,
    frontier: Frontier,
    /// Flips that the solver has not decided quickly.
    hard: VecDeque<(Flip, Target)>,
    lineage: Lineage,
    /// By run: [`News::generations`].
    generations: Vec<u32>,
    /// By run: its descendants with news, the latest last, each with the event of the run at which it or
    /// its ancestor hangs. One that a later one hangs behind is left out.
    descendants: FxHashMap<RunId, Vec<(u32, RunId)>>,
    /// The first run of each shape, once it is over.
    roots: Vec<Option<RunId>>,
    repeats: VecDeque<EarlierRun>,
    firsts: VecDeque<(u32, SymbolicInput)>,
    seeds: VecDeque<(u32, SymbolicInput)>,
    /// Inputs that may have executed a change without showing it, to be looked at.
    looks: VecDeque<(u32, SymbolicInput)>,
    flips_since_look: u32,
    candidates: VecDeque<(u32, Candidate)>,
    /// How often the same ways, and change effect trees with the same leaves, were met.
    effects_seen: FxHashMap<u64, u32>,
    propagation: PropagationCounts,
    /// Jobs in work that must be over before flips are handed out.
    preparing: usize,
    busy: usize,
    /// Workers that have nothing to do.
    waiting: usize,
    stop: Option<Stop>,
    journal: Journal,
    paths: u64,
    paths_before: u64,
    runs: u64,
    tests: u64,
    /// By version.
    coverage: Vec<Coverage>,
    partitions: Vec<Partition>,
    pruned: PrunedCount,
    /// How often each kind of difference was found.
    differences: FxHashMap<Vec<Observable>, u32>,
    random: Option<RandomInputs>,
    errors: BTreeMap<ErrorKey, ErrorFound>,
    gaps: BTreeMap<Gap, u64>,
    /// By version and place.
    taken_as_is: BTreeMap<(u8, Assumption), u64>,
    counts: Counts,
    layers: Vec<LayerStatistics>,
    /// Counts of workers that are still at work.
    live_counts: FxHashMap<usize, Counts>,
    all_tests: bool,
}

type ErrorKey = (&'static str, Option<(String, Option<String>, u32)>);

impl State {
    fn new(config: &Config<'_>, versions: usize, earlier: Earlier, journal: Journal) -> State {
        let mut tree = PathTree::default();
        let mut roots = vec![None; config.shapes.len()];
        for flip in earlier.infeasible {
            tree.remember(flip);
        }
        for run in &earlier.runs {
            tree.add_run(run.id, run.flip.as_ref());
            match &run.flip {
                Some(flip) => tree.remember(flip.clone()),
                None => roots[run.input.shape as usize] = Some(run.id),
            }
        }
        let mut seeds: VecDeque<_> = config.seeds.iter().cloned().collect();
        let mut firsts = VecDeque::new();
        for (shape, input) in (0..).zip(&config.shapes) {
            if roots[shape as usize].is_none() {
                // A seed is a better start than zeros; the zeros are found by themselves.
                let seed = seeds.iter().position(|seed| seed.0 == shape);
                let first = seed.and_then(|seed| seeds.remove(seed));
                firsts.push_back(first.unwrap_or_else(|| (shape, input.clone())));
            }
        }
        State {
            tree,
            frontier: Frontier::new(
                config.strategy,
                config.seed,
                config
                    .changes
                    .map_or(0, |facts| facts.changes(0).len() + facts.changes(1).len()),
            ),
            random: (config.strategy == Strategy::Random)
                .then(|| RandomInputs::new(config.seed, &config.shapes, &config.seeds)),
            hard: VecDeque::new(),
            lineage: Lineage::of(&earlier.runs),
            generations: Vec::new(),
            descendants: FxHashMap::default(),
            roots,
            paths_before: earlier.runs.len() as u64,
            repeats: earlier.runs.into(),
            firsts,
            seeds,
            looks: VecDeque::new(),
            flips_since_look: propagate::FLIPS_PER_LOOK,
            candidates: VecDeque::new(),
            effects_seen: FxHashMap::default(),
            propagation: PropagationCounts::default(),
            preparing: 0,
            busy: 0,
            waiting: 0,
            stop: None,
            journal,
            paths: 0,
            runs: 0,
            tests: 0,
            coverage: vec![Coverage::default(); versions],
            partitions: Vec::new(),
            pruned: PrunedCount::default(),
            differences: FxHashMap::default(),
            errors: BTreeMap::new(),
            gaps: BTreeMap::new(),
            taken_as_is: BTreeMap::new(),
            counts: Counts::default(),
            layers: Vec::new(),
            live_counts: FxHashMap::default(),
            all_tests: config.all_tests,
        }
    }

    fn known(&self, run: RunId) -> Arc<Known> {
        self.lineage.0[run.0 as usize].clone()
    }

    fn note_descendant(&mut self, run: RunId) {
        let mut at = run;
        while let Some((ancestor, event)) = self.tree.parent(at) {
            let known = self.descendants.entry(ancestor).or_default();
            while known.last().is_some_and(|&(before, _)| before <= event) {
                known.pop();
            }
            known.push((event, run));
            at = ancestor;
        }
    }

    /// The latest run with news that goes with the flipped one beyond the event. Its input is a better
    /// start than that of the flipped run: it has come farther.
    fn base(&self, flip: &Flip) -> RunId {
        let descendants = self
            .descendants
            .get(&flip.run)
            .map_or(&[][..], Vec::as_slice);
        let beyond = descendants
            .iter()
            .rev()
            .find(|&&(event, _)| event > flip.event);
        beyond.map_or(flip.run, |&(_, run)| run)
    }

    fn task(&self, flip: Flip) -> Task {
        Task {
            from: self.known(flip.run),
            base: self.known(self.base(&flip)).input.clone(),
            excluded: flip.excluded.iter().map(|&run| self.known(run)).collect(),
            flip,
        }
    }

    /// The next job; `None` if there is nothing to do now.
    fn next_job(&mut self) -> Option<Job> {
        if let Some(run) = self.repeats.pop_front() {
            self.preparing += 1;
            return Some(Job::Repeat(run));
        }
        if let Some((shape, input)) = self.firsts.pop_front() {
            self.preparing += 1;
            return Some(Job::First { shape, input });
        }
        if self.preparing > 0 {
            return None;
        }
        // Seeds are placed one after the other: two may want the same flip.
        if let Some((shape, input)) = self.seeds.pop_front() {
            self.preparing += 1;
            return Some(Job::Seed { shape, input });
        }
        if !self.candidates.is_empty() {
            // A flip in work may be the one that a candidate wants.
            if self.busy > 0 {
                return None;
            }
            let (shape, candidate) = self.candidates.pop_front()?;
            self.preparing += 1;
            return Some(Job::Candidate { shape, candidate });
        }
        if let Some(random) = &mut self.random {
            let (shape, input) = random.draw();
            return Some(Job::Random { shape, input });
        }
        if self.flips_since_look >= propagate::FLIPS_PER_LOOK
            && let Some((shape, input)) = self.looks.pop_front()
        {
            self.flips_since_look = 0;
            return Some(Job::Look { shape, input });
        }
        self.flips_since_look += 1;
        if let Some(OpenFlip { flip, target }) = self.frontier.next(&mut self.tree) {
            let task = Box::new(self.task(flip));
            return Some(Job::Flip(task, target, Patience::Little));
        }
        let (flip, target) = self.hard.pop_front()?;
        let task = Box::new(self.task(flip));
        Some(Job::Flip(task, target, Patience::Full))
    }

    fn is_over(&self) -> bool {
        self.stop.is_some()
            || self.busy == 0
                && self.repeats.is_empty()
                && self.firsts.is_empty()
                && self.seeds.is_empty()
                && self.candidates.is_empty()
                && self.hard.is_empty()
                && self.tree.open_flips() == 0
    }

    /// Takes a flip that nobody has solved yet, for an input that goes its way.
    fn take_flip(&mut self, flip: &Flip) -> Option<Target> {
        if let Some(open) = self.tree.find_open(flip) {
            return self.tree.take(open).map(|open| open.target);
        }
        let place = self.hard.iter().position(|hard| hard.0 == *flip)?;
        self.hard.remove(place).map(|(_, target)| target)
    }

    /// Notes that propagation has seen this; whether that is still worth a look.
    fn is_seen_seldom(&mut self, key: u64) -> bool {
        let times = self.effects_seen.entry(key).or_default();
        *times += 1;
        *times <= propagate::TIMES_A_TREE
    }

    fn gap(&mut self, gap: Gap) {
        *self.gaps.entry(gap).or_default() += 1;
    }

    fn cannot_write(&mut self, error: &std::io::Error) {
        self.stop
            .get_or_insert(Stop::CannotWrite(error.to_string()));
    }

    /// Takes in a run that is over. `again` is its number if an earlier session found it.
    fn publish(
        &mut self,
        ran: &Ran<'_>,
        came_from: Option<(&Flip, Target)>,
        again: Option<RunId>,
        aim: Option<&Aim<'_>>,
    ) -> Published {
        let flip = came_from.map(|(flip, _)| flip);
        let id = again.unwrap_or(RunId(self.lineage.0.len() as u32));
        self.paths += 1;
        if again.is_none() {
            self.runs += 1;
            let origin = flip.map(|flip| (flip.clone(), self.known(flip.run)));
            self.lineage.0.push(Arc::new(Known {
                run: id,
                input: CompactInput::new(ran.shape, &ran.input),
                origin,
            }));
            self.tree.add_run(id, flip);
            if let Err(error) = self
                .journal
                .run(id, ran.shape, &ran.input, flip, ran.residual)
            {
                self.cannot_write(&error);
            }
        }
        let mut blocks = 0;
        for (covered, version) in self.coverage.iter_mut().zip(&ran.versions) {
            blocks += covered.merge(&version.run.coverage) as u64;
        }
        let mut news = News {
            blocks,
            ..self.frontier.learn(&ran.steps)
        };
        if !news.is_some() {
            let parent = flip.and_then(|flip| self.generations.get(flip.run.0 as usize));
            news.generations = 1 + parent.copied().unwrap_or(0);
        }
        let place = id.0 as usize;
        if self.generations.len() <= place {
            self.generations.resize(place + 1, 0);
        }
        self.generations[place] = news.generations;
        if news.is_some() {
            self.note_descendant(id);
        }
        if let Some(aim) = aim {
            let new = self.frontier.reached(&aim.reached(ran));
            if let Some(flip) = flip {
                self.frontier.reward(flip, worth(news, new));
            }
        }
        let mut pruned = Vec::new();
        let new_error = self.note_end(ran);
        for step in &ran.steps {
            if let EventKind::Concretised(what) = step.kind {
                *self
                    .taken_as_is
                    .entry((
                        step.version,
                        Assumption {
                            site: step.site,
                            what,
                        },
                    ))
                    .or_default() += 1;
            }
        }
        if ran.diverged {
            self.gap(Gap::Diverged);
        } else {
            pruned = self.offer_flips(id, ran, came_from, news, aim);
        }
        let covers_new = news.blocks > 0 || news.way;
        // Named after the run, so that it is the same test when the run is repeated.
        let test = (self.all_tests || covers_new || new_error).then_some(u64::from(id.0) + 1);
        self.tests += u64::from(test.is_some());
        if new_error
            && let Some(error) = self
                .errors
                .get_mut(&error_key(&ran.versions[0].run.outcome))
        {
            error.test = test.unwrap_or(0);
        }
        Published {
            id,
            test,
            covers_new,
            new_error,
            pruned,
        }
    }

    /// Offers the ways that the run did not take, from the flipped event on; those that need not be taken
    /// are returned.
    fn offer_flips(
        &mut self,
        id: RunId,
        ran: &Ran<'_>,
        came_from: Option<(&Flip, Target)>,
        news: News,
        aim: Option<&Aim<'_>>,
    ) -> Vec<PrunedWay> {
        let mut pruned = Vec::new();
        let aiming = aim.filter(|_| self.frontier.is_change_directed());
        let approach = aiming.map_or(Vec::new(), |aim| aim.approach(ran));
        let towards = |targets: &[Target]| -> Vec<(usize, u32)> {
            let all = aiming.iter().flat_map(|aim| {
                let all = targets
                    .iter()
                    .map(|target| aim.distances(target, &approach));
                all.flatten().collect::<Vec<_>>()
            });
            all.collect()
        };
        let (first, skipped) = match came_from {
            Some((flip, target)) => {
                if ran.residual {
                    let prospect = Prospect {
                        distances: &towards(&[target]),
                        promise: promise(target.version, false),
                    };
                    self.offer(flip.without(id), target, news, prospect);
                }
                (flip.event, 1)
            }
            None => (0, 0),
        };
        let shared = ran.versions.iter().flat_map(|version| &version.shared);
        let shared: FxHashMap<_, _> = shared.map(|event| (event.condition, event)).collect();
        for (step, event) in ran.steps.iter().zip(first..).skip(skipped) {
            let twin = shared.get(&ran.path.events[event as usize].condition);
            let behind = aim.is_some_and(|aim| aim.executed_before(ran, step.version, event));
            for (&way, alternative) in step.others.iter().zip(0..) {
                let flip = Flip {
                    run: id,
                    event,
                    alternative,
                    excluded: Vec::new(),
                };
                let target = Target {
                    version: step.version,
                    site: step.site,
                    kind: step.kind,
                    way,
                };
                if let Some(category) = aim.and_then(|aim| aim.category(&target, behind)) {
                    self.pruned.add(category, &target);
                    pruned.push(PrunedWay {
                        event,
                        alternative,
                        category,
                    });
                    continue;
                }
                // It leads towards changes in both versions.
                let mut targets = vec![target];
                targets.extend(twin.and_then(|twin| other_way(twin)));
                let prospect = Prospect {
                    distances: &towards(&targets),
                    promise: promise(step.version, behind),
                };
                self.offer(flip, target, news, prospect);
            }
        }
        pruned
    }

    fn offer(&mut self, flip: Flip, target: Target, news: News, prospect: Prospect<'_>) {
        if let Some(id) = self.tree.offer(flip, target) {
            let open = self.tree.peek(id).expect("just offered");
            self.frontier.add(id, open, news, prospect);
        }
    }

    /// Notes that no input goes the way of a flip.
    fn infeasible(&mut self, flip: &Flip, conflicts: &[u32]) {
        if let Err(error) = self.journal.infeasible(flip) {
            self.cannot_write(&error);
        }
        if self.frontier.is_change_directed() {
            let open = conflicts
                .iter()
                .flat_map(|&event| self.tree.open_at(flip.run, event));
            let open: Vec<_> = open.collect();
            self.frontier.infeasible(flip, &open);
        }
    }

    /// Takes in what is known of a part of a path.
    fn note_partition(&mut self, partition: Partition, came_from: Option<&Flip>) {
        if let Part::Different { observables, .. } = &partition.part {
            let times = self.differences.entry(observables.clone()).or_default();
            *times += 1;
            // Another example of what is known is worth less each time.
            let worth = 1.0 / f64::from(*times);
            if let Some(flip) = came_from {
                self.frontier.reward(flip, worth);
            }
        }
        self.partitions.push(partition);
    }

    /// Counts how the run ended; whether it is the first to end abnormally in this way and place.
    fn note_end(&mut self, ran: &Ran<'_>) -> bool {
        // When versions are compared, how a run ends is an observable like others.
        let [version] = &ran.versions[..] else {
            for version in &ran.versions {
                if version.run.outcome.end.is_inconclusive() {
                    let why = version.run.outcome.end.to_string();
                    self.gap(Gap::CutOff { why });
                }
            }
            return false;
        };
        let outcome = &version.run.outcome;
        if matches!(outcome.end, concolic_vm::End::Exit { .. }) {
            return false;
        }
        if outcome.end.is_inconclusive() {
            self.gap(Gap::CutOff {
                why: outcome.end.to_string(),
            });
            return false;
        }
        let mut new = false;
        let found = self.errors.entry(error_key(outcome)).or_insert_with(|| {
            new = true;
            ErrorFound {
                kind: outcome.end.kind(),
                description: outcome.end.to_string(),
                location: outcome.location().cloned(),
                input: InputRecord::of(&ran.input),
                paths: 0,
                test: 0,
            }
        });
        found.paths += 1;
        new
    }

    fn summary(self, versions: &[Version<'_>], wall: Duration) -> Summary {
        let mut taken_as_is: BTreeMap<_, TakenAsIs> = BTreeMap::new();
        for ((version, assumption), runs) in self.taken_as_is {
            let place = versions[usize::from(version)]
                .program
                .source_frame(assumption.site);
            let key = (assumption.what, place.as_ref().map(StackFrame::to_string));
            let what = assumption.what;
            taken_as_is
                .entry(key)
                .or_insert(TakenAsIs {
                    what,
                    place,
                    runs: 0,
                })
                .runs += runs;
        }
        let programs: Vec<_> = versions.iter().map(|version| version.program).collect();
        Summary {
            stop: self.stop.unwrap_or(Stop::Finished),
            paths: self.paths,
            paths_before: self.paths_before,
            runs: self.runs,
            open_flips: self.tree.open_flips()
                + self.hard.len()
                + self.seeds.len()
                + self.firsts.len(),
            errors: self.errors.into_values().collect(),
            gaps: self.gaps,
            taken_as_is: taken_as_is.into_values().collect(),
            tests: self.tests,
            coverage: self.coverage,
            partitions: self.partitions,
            pruned: self.pruned.summary(&programs),
            propagation: self.propagation,
            counts: self.counts,
            layers: self.layers,
            wall,
        }
    }
}

/// Every run with the one it came from.
struct Lineage(Vec<Arc<Known>>);

impl Lineage {
    fn of(runs: &[EarlierRun]) -> Lineage {
        let mut known: Vec<Arc<Known>> = Vec::with_capacity(runs.len());
        for run in runs {
            let origin = run.flip.clone();
            let origin = origin.map(|flip| (flip.clone(), known[flip.run.0 as usize].clone()));
            known.push(Arc::new(Known {
                run: run.id,
                input: run.input.clone(),
                origin,
            }));
        }
        Lineage(known)
    }
}

impl Drop for Lineage {
    /// Children first: dropping a long line of ancestors at once would go as deep as the line is long.
    fn drop(&mut self) {
        while self.0.pop().is_some() {}
    }
}

/// Where the later version goes if a decision that both took is taken the other way.
fn other_way(shared: &Shared) -> Option<Target> {
    (shared.kind == EventKind::Branch).then_some(Target {
        version: 1,
        site: shared.site,
        kind: shared.kind,
        way: Some(1 - shared.way),
    })
}

fn promise(version: u8, behind_change: bool) -> Promise {
    match (version, behind_change) {
        (1, _) => Promise::Parting,
        (_, true) => Promise::BehindChange,
        _ => Promise::Nothing,
    }
}

/// What a run that came out of a flip is worth, apart from differences: a change reached for the first time counts
/// most.
fn worth(news: News, changes: usize) -> f64 {
    match changes {
        0 if news.blocks > 0 || news.way => 0.3,
        0 if news.rounds > 0 => 0.1,
        0 => 0.0,
        _ => 0.7,
    }
}

fn error_key(outcome: &Outcome) -> ErrorKey {
    let place = outcome
        .location()
        .map(|frame| (frame.function.clone(), frame.file.clone(), frame.line));
    (outcome.end.kind(), place)
}

struct Published {
    id: RunId,
    test: Option<u64>,
    covers_new: bool,
    new_error: bool,
    pruned: Vec<PrunedWay>,
}

impl<'s, 'p> Search<'s, 'p> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no worker panicked")
    }

    /// Reports progress and watches the budget until the search is over.
    fn watch(&self) {
        let mut state = self.lock();
        while !state.is_over() {
            (state, _) = self
                .over
                .wait_timeout_while(state, PROGRESS_EVERY, |state| !state.is_over())
                .expect("no worker panicked");
            self.check_budget(&mut state);
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
            let done = self.perform(&mut worker, &job);
            state = self.lock();
            state.busy -= 1;
            if !matches!(job, Job::Flip(..) | Job::Random { .. } | Job::Look { .. }) {
                state.preparing -= 1;
            }
            if let Err(error) = done {
                state
                    .stop
                    .get_or_insert(Stop::CannotStart(error.to_string()));
            }
            state.live_counts.insert(number, worker.counts.clone());
            // Time and memory are watched elsewhere; the number of runs is exact.
            if self
                .config
                .budget
                .runs
                .is_some_and(|limit| state.runs >= limit)
            {
                state.stop.get_or_insert(Stop::Runs);
            }
            if state.waiting > 0 {
                self.more_work.notify_all();
            }
        }
        let counts = &mut state.counts;
        counts.executions += worker.counts.executions;
        counts.recoveries += worker.counts.recoveries;
        counts.instructions += worker.counts.instructions;
        counts.queries += worker.counts.queries;
        counts.solving += worker.counts.solving;
        counts.running += worker.counts.running;
        counts.slicing += worker.counts.slicing;
        counts.traced += worker.counts.traced;
        merge_layers(&mut state.layers, worker.statistics());
        self.more_work.notify_all();
        self.over.notify_all();
    }

    fn perform(&self, worker: &mut Worker<'p>, job: &Job) -> Result<(), SymbolicStartError> {
        match job {
            Job::First { shape, input } => {
                let ran = worker.run_first(*shape, input.clone())?;
                let id = self.publish(worker, &ran, None, None)?.run;
                self.lock().roots[*shape as usize] = Some(id);
            }
            Job::Random { shape, input } => {
                let ran = worker.run_first(*shape, input.clone())?;
                self.take_random(worker, &ran);
            }
            Job::Repeat(earlier) => self.repeat(worker, earlier)?,
            Job::Seed { shape, input } => {
                self.place_seed(worker, *shape, input)?;
            }
            Job::Candidate { shape, candidate } => {
                let shown = self.place_seed(worker, *shape, &candidate.input)?;
                let mut state = self.lock();
                let counts = state.propagation.by_rule.entry(candidate.rule).or_default();
                match shown {
                    None => counts.known += 1,
                    Some(shown) => counts.different += u64::from(shown.different),
                }
            }
            Job::Look { shape, input } => self.propagate(worker, *shape, input)?,
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
                        let why = reason.to_string();
                        state.gap(Gap::Undecided { why });
                        state.frontier.done(&task.flip);
                    }
                    worker::Result::Ran(ran) => {
                        self.publish(worker, &ran, Some((&task.flip, *target)), None)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn repeat(
        &self,
        worker: &mut Worker<'p>,
        earlier: &EarlierRun,
    ) -> Result<(), SymbolicStartError> {
        let input = earlier.input.expand(&self.config.shapes);
        let mut ran = worker.run_first(earlier.input.shape, input)?;
        let came_from = earlier.flip.as_ref().map(|flip| {
            ran.steps
                .drain(..(flip.event as usize).min(ran.steps.len()));
            ran.residual = earlier.residual;
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
        self.publish(worker, &ran, came_from, Some(earlier.id))?;
        Ok(())
    }

    /// Finds out where a seed leaves the tree and runs it there, unless its path is known: then `None`.
    fn place_seed(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
    ) -> Result<Option<Shown>, SymbolicStartError> {
        let root = {
            let state = self.lock();
            let root = state.roots[shape as usize].expect("first runs come before seeds");
            state.known(root)
        };
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
                    None => break,
                    Some(child) if worker.agrees_at(&child, event, input)? => {
                        (along, start) = (child, event + 1);
                        continue 'runs;
                    }
                    Some(child) => flip = flip.without(child.run),
                }
            }
            let (task, target) = {
                let mut state = self.lock();
                let target = state.take_flip(&flip);
                (state.task(flip), target)
            };
            let ran = worker.follow(&task, input.clone())?;
            let target = target.or(ran.steps.first().map(|step| step.taken()));
            let came_from = target.map(|target| (&task.flip, target));
            return self.publish(worker, &ran, came_from, None).map(Some);
        }
        Ok(None)
    }

    fn publish(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        came_from: Option<(&Flip, Target)>,
        again: Option<RunId>,
    ) -> Result<Shown, SymbolicStartError> {
        let aim = self.aim.as_ref();
        let published = self.lock().publish(ran, came_from, again, aim);
        worker.keep(published.id, ran);
        self.observer.path(ran);
        let flip = came_from.map(|(flip, _)| flip);
        let different = self.partition(worker, ran, published.id, flip);
        if let Some(flip) = flip {
            self.lock().frontier.done(flip);
        }
        for &way in &published.pruned {
            let mut behind = Behind { worker, ran, way };
            self.observer.pruned(way.category, &mut behind);
        }
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

    /// Offers a run to be looked at, unless that is not worth it: tracing costs many times a plain run.
    fn offer_look(&self, ran: &Ran<'p>) {
        // As long as nothing is known of the change, every run may have executed it.
        let plan = self.propagation.get();
        if ran.versions.len() != 2 || plan.is_some_and(|plan| !plan.may_execute_change(ran)) {
            return;
        }
        let mut state = self.lock();
        let counts = &mut state.propagation;
        counts.runs += 1;
        let allowed = propagate::FIRST_LOOKS + counts.runs / propagate::RUNS_PER_LOOK;
        if counts.looks < allowed && state.is_seen_seldom(propagate::ways_key(ran)) {
            state.propagation.looks += 1;
            state.looks.push_back((ran.shape, ran.input.clone()));
        }
    }

    /// Makes inputs that take the effect of a change farther than this one does.
    fn propagate(
        &self,
        worker: &mut Worker<'p>,
        shape: u32,
        input: &SymbolicInput,
    ) -> Result<(), SymbolicStartError> {
        let (Some(limits), &[old, new]) = (self.config.propagate, &self.surroundings.versions[..])
        else {
            return Ok(());
        };
        let plan = self
            .propagation
            .get_or_init(|| Propagation::of(old, new, limits));
        let start = Instant::now();
        let left = self.config.budget.time;
        let left = left.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let is_new = |tree: u64| self.lock().is_seen_seldom(tree);
        let found = worker.propagate(plan, input, is_new, left)?;
        let mut state = self.lock();
        let counts = &mut state.propagation;
        counts.seen_before += u64::from(found.seen_before);
        counts.queries += found.queries;
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

/// What a run that was taken in showed.
struct Shown {
    run: RunId,
    /// On some input of its path the versions differ.
    different: bool,
}

impl<'p> Search<'_, 'p> {
    /// Compares the versions on a path that was run; whether they differ on one of its inputs.
    fn partition(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        came_from: Option<&Flip>,
    ) -> bool {
        if ran.versions.len() != 2 || ran.diverged {
            return false;
        }
        let left = self.config.budget.time;
        let left = left.map(|limit| limit.saturating_sub(self.start.elapsed()));
        let parts = worker.compare(ran, left);
        for part in &parts {
            self.note_part(worker, ran, run, part, came_from);
        }
        // A difference is told before anything more is asked.
        if let [difference] = &parts[..]
            && matches!(difference.part, Part::Different { .. })
            && let Some(rest) = worker.left_out(ran, difference, left)
        {
            self.note_part(worker, ran, run, &rest, None);
        }
        let is_different = |part: &PathPart| matches!(part.part, Part::Different { .. });
        parts.iter().any(is_different)
    }

    fn note_part(
        &self,
        worker: &mut Worker<'p>,
        ran: &Ran<'p>,
        run: RunId,
        part: &PathPart,
        came_from: Option<&Flip>,
    ) {
        let partition = Partition {
            run,
            part: part.part.clone(),
        };
        let mut members = Members { worker, ran, part };
        self.observer.partition(&partition, ran, &mut members);
        self.lock().note_partition(partition, came_from);
    }

    /// Takes in the run of a random input, which has no place in the tree.
    fn take_random(&self, worker: &mut Worker<'p>, ran: &Ran<'p>) {
        let run = {
            let mut state = self.lock();
            state.runs += 1;
            for (covered, version) in state.coverage.iter_mut().zip(&ran.versions) {
                covered.merge(&version.run.coverage);
            }
            RunId(state.lineage.0.len() as u32)
        };
        self.observer.path(ran);
        if let Some(part) = worker.differs_here(ran) {
            self.note_part(worker, ran, run, &part, None);
        }
    }
}

/// Which inputs a partition has.
pub struct Members<'m, 'p> {
    worker: &'m mut Worker<'p>,
    ran: &'m Ran<'p>,
    part: &'m PathPart,
}

impl Members<'_, '_> {
    /// The partition's conditions in the user's words.
    pub fn describe(&self) -> Vec<String> {
        self.worker.describe(self.ran, self.part)
    }

    /// Whether an input of the same shape belongs to it.
    pub fn contain(&mut self, input: &SymbolicInput) -> bool {
        self.worker.contains(self.ran, self.part, input)
    }
}

/// The inputs behind a way that was pruned.
pub struct Behind<'m, 'p> {
    worker: &'m mut Worker<'p>,
    ran: &'m Ran<'p>,
    way: PrunedWay,
}

impl Behind<'_, '_> {
    /// Whether an input of the same shape is one of them.
    pub fn contain(&mut self, input: &SymbolicInput) -> bool {
        let PrunedWay {
            event, alternative, ..
        } = self.way;
        self.worker
            .goes_another_way(self.ran, event, alternative, input)
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
