//! The coordinator: it alone changes the path tree, the frontier, the schedule, what was found and the journal. It knows no
//! terms, and runs nothing.
//!
//! It hands out orders ([`Coordinator::next`]) and takes in replies ([`Coordinator::take`]), which may lead to a next order for the
//! same executor. What it remembers of a piece of work between the two is an [`Errand`].
//!
//! | part | what it holds |
//! |---|---|
//! | [`Runs`], [`PathTree`], [`Frontier`] | every run, where it hangs, and which flip is next |
//! | [`Schedule`] | all else that waits, and whose turn it is |
//! | `Facts` | whether the facts of the change are known, and runs that were over before |
//! | [`Findings`] | partitions, errors, gaps, coverage |
//! | `Work` | what is under way, and why the search stopped |

mod conclude;
mod findings;
mod outcome;
mod placing;
mod progress;
mod publish;
mod purpose;
mod schedule;
mod settle;

use crate::counts::{Counts, LayerCounts, add_layers};
use crate::frontier::Frontier;
use crate::journal::{Earlier, Entry, Journal};
use crate::messages::{ComparedPath, Failure, Inspection, Job, Order, Outcome, Reply};
use crate::path_tree::{Flip, OpenFlip, PathTree, RunId};
use crate::propagation::{PropagationCounts, TIMES_A_TREE};
use crate::pruning::{Change, Executed, ExecutedVersion, PrunedCount};
use crate::runs::Runs;
use crate::settings::Settings;
use crate::shares::Source;
use crate::summary::Stop;
pub(crate) use conclude::Concluded;
use concolic_vm::symbolic::{Coverage, Entered};
use findings::Findings;
pub use progress::Progress;
use publish::Early;
use purpose::{Errand, Patience, Purpose, Ticket};
use rustc_hash::{FxHashMap, FxHashSet};
use schedule::Schedule;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// What a flip or a comparison may take at first.
const QUICK: Duration = Duration::from_millis(300);

/// Conditions that are put into words for the journal in one session.
const WORDS: usize = 50_000;

/// A piece of work that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct TicketId(u64);

pub struct Coordinator<'c> {
    settings: &'c Settings,
    /// The change that the search looks at.
    change: Option<&'c dyn Change>,
    start: Instant,
    runs: Runs,
    tree: PathTree,
    frontier: Frontier,
    schedule: Schedule,
    facts: Facts,
    pruned: PrunedWays,
    looks: Looks,
    findings: Findings,
    record: Record,
    work: Work,
    costs: Costs,
}

/// Whether the facts of the change are there. They are not asked for while there are inputs to run.
#[derive(Default)]
struct Facts {
    /// Whether the search has a change to aim at or to prune by.
    wanted: bool,
    known: bool,
    /// The runs that were over before.
    early: Vec<Early>,
    /// Work that may be done without them.
    work_left: u64,
}

impl Facts {
    /// Whether there is a change to aim at or to prune by, and nothing is known of it yet.
    fn are_missing(&self) -> bool {
        self.wanted && !self.known
    }
}

#[derive(Default)]
struct PrunedWays {
    /// Run, event and alternative.
    ways: FxHashSet<(RunId, u32, u32)>,
    count: PrunedCount,
}

impl PrunedWays {
    /// Whether a flip goes a way that was pruned: no difference is behind it.
    fn contain(&self, flip: &Flip) -> bool {
        let way = (flip.run, flip.event, flip.alternative);
        self.ways.contains(&way)
    }
}

/// What is known of looks at runs.
#[derive(Default)]
struct Looks {
    /// How often the same ways, and change effect trees with the same leaves, were met.
    seen: FxHashMap<u64, u32>,
    counts: PropagationCounts,
}

impl Looks {
    /// Notes that this was seen; whether that is still worth a look.
    fn is_seen_seldom(&mut self, key: u64) -> bool {
        let times = self.seen.entry(key).or_default();
        *times += 1;
        *times <= TIMES_A_TREE
    }

    /// What was seen often enough.
    fn worn_out(&self) -> Vec<u64> {
        let worn_out = self
            .seen
            .iter()
            .filter(|(_, times)| **times >= TIMES_A_TREE);
        worn_out.map(|(key, _)| *key).collect()
    }
}

/// What is written down, and what was before.
struct Record {
    journal: Journal,
    /// Conditions that may still be put into words.
    words_left: usize,
    /// What an earlier session knew of the versions, by run.
    earlier: BTreeMap<RunId, ComparedPath>,
}

/// What is under way.
#[derive(Default)]
struct Work {
    tickets: FxHashMap<TicketId, Ticket>,
    next: u64,
    /// Pieces of work that must be over before flips are handed out.
    preparing: usize,
    /// All of them.
    busy: usize,
    stop: Option<Stop>,
    /// Those that were not completed when the search was stopped.
    left: usize,
}

/// What executors did.
#[derive(Default)]
struct Costs {
    /// By worker.
    counts: FxHashMap<usize, Counts>,
    layers: Vec<LayerCounts>,
}

/// A run's coverage and the places it came to, by version.
struct ExecutedRun(Vec<(Vec<Entered>, Coverage, u32)>);

impl ExecutedRun {
    /// `None` unless the run is one of two versions.
    fn get(&self) -> Option<Executed<'_>> {
        let [old, new] = &self.0[..] else {
            return None;
        };
        let versions = [old, new].map(|(entered, coverage, own_events)| ExecutedVersion {
            entered,
            coverage,
            own_events: *own_events,
        });
        Some(Executed { versions })
    }
}

impl<'c> Coordinator<'c> {
    /// `is_kept` says whether a journal is written.
    pub fn new(
        settings: &'c Settings,
        change: Option<&'c dyn Change>,
        earlier: Earlier,
        is_kept: bool,
    ) -> Coordinator<'c> {
        let mut tree = PathTree::default();
        let mut runs = Runs::new(settings.shapes.len());
        for flip in earlier.infeasible {
            tree.remember(flip);
        }
        for run in &earlier.runs {
            let record = &run.record;
            tree.add_run(record.run, record.origin.as_ref());
            match &record.origin {
                Some(flip) => tree.remember(flip.clone()),
                None => runs.roots[record.input.shape as usize] = Some(record.run),
            }
            runs.add(record.clone());
        }
        let findings = Findings::new(settings.versions, earlier.runs.len() as u64);
        let schedule = Schedule::new(settings, earlier.runs, |shape| runs.roots[shape].is_some());
        Coordinator {
            settings,
            change,
            start: Instant::now(),
            tree,
            frontier: Frontier::new(settings.strategy, settings.seed),
            schedule,
            facts: Facts {
                wanted: change.is_some(),
                work_left: settings.work_before_facts,
                ..Facts::default()
            },
            runs,
            pruned: PrunedWays::default(),
            looks: Looks::default(),
            findings,
            record: Record {
                journal: Journal::new(is_kept),
                words_left: WORDS,
                earlier: earlier.parts,
            },
            work: Work::default(),
            costs: Costs::default(),
        }
    }

    /// The change, once it is known.
    fn known_change(&self) -> Option<&'c dyn Change> {
        self.change.filter(|_| self.facts.known)
    }

    fn time_left(&self) -> Option<Duration> {
        let limit = self.settings.budget.time;
        limit.map(|limit| limit.saturating_sub(self.start.elapsed()))
    }

    /// The time for something that is left for later if it is hard.
    fn quick_time(&self) -> Duration {
        self.time_left().map_or(QUICK, |left| left.min(QUICK))
    }

    fn order(&self, job: Job) -> Order {
        Order {
            facts_known: self.facts.known,
            ..Order::of(job)
        }
    }

    /// The next order for a worker; `None` if there is nothing to do now.
    pub fn next(&mut self, worker: usize) -> Option<(TicketId, Order)> {
        let (errand, job) = self.choose()?;
        self.work.next += 1;
        let id = TicketId(self.work.next);
        let ticket = Ticket {
            worker,
            is_preparing: errand.is_preparing(),
            source: errand.source(),
            flip: match &errand {
                Errand::Flip { flip, .. } => Some(flip.clone()),
                _ => None,
            },
            errand,
            job: job.clone(),
            started: Instant::now(),
            work: 0,
        };
        self.work.preparing += usize::from(ticket.is_preparing);
        self.work.busy += 1;
        self.work.tickets.insert(id, ticket);
        Some((id, self.order(job)))
    }

    fn choose(&mut self) -> Option<(Errand, Job)> {
        if let Some(run) = self.schedule.repeats.pop_front() {
            return Some((Errand::Repeat(Box::new(run.clone())), Job::Repeat(run)));
        }
        if let Some(input) = self.schedule.firsts.pop_front() {
            let shape = input.shape;
            return Some((Errand::First { shape }, Job::Run { input }));
        }
        if self.work.preparing > 0 {
            return None;
        }
        // Seeds are placed one after the other: two may want the same flip.
        if let Some(input) = self.schedule.seeds.pop_front() {
            return Some(self.place(Purpose::Seed, input));
        }
        if self.schedule.has_made() {
            // A flip in work may be the one that a candidate wants.
            if self.work.busy > 0 {
                return None;
            }
            let (purpose, input) = self.schedule.made()?;
            return Some(self.place(purpose, input));
        }
        if let Some(input) = self.schedule.draw() {
            let run = self.runs.next();
            return Some((Errand::Random, Job::Random { run, input }));
        }
        if self.is_due(Source::Comparisons)
            && let Some(run) = self.schedule.hard_comparisons.pop_front()
        {
            return Some(self.compare_again(run));
        }
        let is_due = self.is_due(Source::Splices);
        if self.schedule.has_splice(is_due) {
            if self.work.busy > 0 {
                return None;
            }
            let input = self.schedule.splice()?;
            return Some(self.place(Purpose::Splice, input));
        }
        let is_due = self.is_due(Source::Propagation);
        if let Some(input) = self.schedule.look(is_due) {
            let worn_out = self.looks.worn_out();
            let time = self.time_left();
            let job = Job::Look {
                input,
                worn_out,
                time,
            };
            return Some((Errand::Look, job));
        }
        if self.facts.are_missing() && self.facts.work_left == 0 && self.tree.open_flips() > 0 {
            return Some((Errand::Facts, Job::Facts));
        }
        self.choose_flip()
    }

    fn choose_flip(&mut self) -> Option<(Errand, Job)> {
        self.schedule.flips_since_look += 1;
        if let Some(OpenFlip { flip, target }) = self.frontier.next(&mut self.tree) {
            return Some(self.solve(flip, target, Patience::Little));
        }
        if let Some(run) = self.schedule.hard_comparisons.pop_front() {
            return Some(self.compare_again(run));
        }
        let (flip, target) = self.schedule.hard.pop_front()?;
        Some(self.solve(flip, target, Patience::Full))
    }

    fn solve(
        &self,
        flip: Flip,
        target: crate::path_tree::Target,
        patience: Patience,
    ) -> (Errand, Job) {
        let job = Job::Solve {
            base: self.frontier.base(&flip),
            flip: flip.clone(),
            time: match patience {
                Patience::Little => Some(self.quick_time()),
                Patience::Full => self.time_left(),
            },
        };
        let errand = Errand::Flip {
            flip,
            target,
            patience,
        };
        (errand, job)
    }

    /// Compares the versions once more on the path of a run.
    fn compare_again(&mut self, run: RunId) -> (Errand, Job) {
        let inspection = Inspection {
            run: self.runs.get(run).clone(),
            is_new: false,
            pruned: Vec::new(),
            earlier: self.record.earlier.remove(&run),
            quick: None,
            time: self.time_left(),
            counts: self.counts_shares(),
            words: self.words(),
            test: None,
            offers_look: false,
        };
        (Errand::Compare { run }, Job::Inspect(Box::new(inspection)))
    }

    /// Conditions that may be put into words.
    fn words(&self) -> Option<usize> {
        self.record
            .journal
            .is_kept()
            .then_some(self.record.words_left)
    }

    /// Whether it is the turn of something besides flips. That waits while the order of `dart` has had less than its
    /// part.
    fn is_due(&self, source: Source) -> bool {
        let waits = self.tree.open_flips() > 0 && self.frontier.owes_dart();
        !waits && self.schedule.is_due(source)
    }

    /// Takes in what became of an order; a next one for the same executor, if the work is not over.
    pub fn take(&mut self, id: TicketId, reply: Reply) -> Option<Order> {
        let mut ticket = self.work.tickets.remove(&id).expect("it was handed out");
        ticket.work += reply.work;
        self.costs.counts.insert(ticket.worker, reply.counts);
        let next = match reply.outcome {
            Outcome::Lacks(run) => {
                let mut order = self.order(ticket.job.clone());
                order.records = self.records_of(run);
                self.work.tickets.insert(id, ticket);
                return Some(order);
            }
            Outcome::Failed(failure) => {
                self.failed(failure);
                None
            }
            outcome => self.go_on(&ticket, outcome),
        };
        let Some((errand, job)) = next else {
            self.finish(&ticket);
            return None;
        };
        ticket.errand = errand;
        ticket.job = job.clone();
        self.work.tickets.insert(id, ticket);
        Some(self.order(job))
    }

    /// What an executor needs to do a run again.
    fn records_of(&self, run: RunId) -> Vec<crate::runs::RunRecord> {
        let line = self.runs.line(run);
        let needed = match self.settings.sliced {
            true => usize::MAX,
            // A whole path needs no other.
            false => 1,
        };
        line.take(needed)
            .map(|run| self.runs.get(run).clone())
            .collect()
    }

    fn failed(&mut self, failure: Failure) {
        let stop = match failure {
            Failure::CannotStart(why) => Stop::CannotStart(why),
            Failure::OtherPath => Stop::OtherPath,
            Failure::Stopped => {
                debug_assert!(
                    self.work.stop.is_some(),
                    "only a search that stops leaves runs"
                );
                self.work.left += 1;
                Stop::Interrupted
            }
        };
        self.stop(stop);
    }

    /// A piece of work is over: takes in what it has cost, in time or in work.
    fn finish(&mut self, ticket: &Ticket) {
        self.work.busy -= 1;
        self.facts.work_left = self.facts.work_left.saturating_sub(ticket.work);
        let time = ticket.started.elapsed();
        // `auto` depends on the clock already; others do not.
        let cost = match self.schedule.shares_time {
            true => time.as_micros() as u64,
            false => ticket.work,
        };
        match &ticket.flip {
            Some(flip) => {
                if self.frontier.is_not_owed(flip) {
                    self.schedule.shares.spend(Source::Flips, time);
                }
                self.frontier.spend(flip, cost);
            }
            None if ticket.source == Source::Flips => {}
            None => {
                self.schedule.shares.spend(ticket.source, time);
                // Where there is no flip, nobody waits.
                if self.tree.open_flips() > 0 {
                    self.frontier.spend_besides(cost);
                }
            }
        }
        self.work.preparing -= usize::from(ticket.is_preparing);
        // Time and memory are watched elsewhere; the number of runs is exact.
        let reached = |limit: u64| self.findings.runs >= limit && !self.is_over();
        if self.settings.budget.runs.is_some_and(reached) {
            self.stop(Stop::Runs);
        }
    }

    /// Notes why the search stops, unless it does already.
    pub(crate) fn stop(&mut self, why: Stop) {
        self.work.stop.get_or_insert(why);
    }

    /// A worker broke down: nobody is to wait for it.
    pub(crate) fn abandon(&mut self) {
        self.work.busy = self.work.busy.saturating_sub(1);
        self.stop(Stop::Interrupted);
    }

    /// What is left to do before every input was looked at.
    fn left(&self) -> usize {
        self.tree.open_flips() + self.schedule.left() + self.work.left
    }

    pub(crate) fn is_over(&self) -> bool {
        let nothing_left = self.left() == 0 && self.schedule.made_left() == 0;
        self.work.stop.is_some() || self.work.busy == 0 && nothing_left
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.work.busy > 0
    }

    /// Whether lines wait to be written.
    pub(crate) fn has_lines(&self) -> bool {
        self.record.journal.is_waiting()
    }

    pub(crate) fn take_lines(&mut self) -> Vec<Entry> {
        self.record.journal.take()
    }

    /// Takes in what the layers of an executor's solver did.
    pub(crate) fn add_layers(&mut self, layers: Vec<LayerCounts>) {
        add_layers(&mut self.costs.layers, layers);
    }

    /// What a run was worth counts for the source that it came from. What would be run anyway, seeds and turns of the
    /// order of `dart`, has no part in that.
    fn earn(&mut self, source: Source, flip: Option<&Flip>, worth: f64) {
        let counts = flip.is_some_and(|flip| self.frontier.is_not_owed(flip));
        if source != Source::Flips || counts {
            self.schedule.shares.earn(source, worth);
        }
    }
}
