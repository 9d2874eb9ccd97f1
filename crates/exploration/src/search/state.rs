//! What a search knows, under one lock: the tree with its open flips, what waits to be run, and what was found.

use super::Config;
use super::settle::Settling;
use crate::auto::Promise;
use crate::compare::Observable;
use crate::dart_order::Sight;
use crate::frontier::{Frontier, News, Prospect, Strategy};
use crate::input::{CompactInput, InputRecord};
use crate::journal::{Earlier, EarlierParts, EarlierRun, Journal};
use crate::path_tree::{Flip, FlipId, OpenFlip, PathTree, RunId, Target};
use crate::propagate::{self, Candidate, PropagationCounts};
use crate::pruning::{Aim, Behind, Executed, OwnedExecuted, PrunedCount, PrunedWay};
use crate::random::RandomInputs;
use crate::settled::Settled;
use crate::shares::{Shares, Source};
use crate::splice::Splicer;
use crate::subject::Version;
use crate::summary::{
    ErrorFound, Gap, Partition, SpliceCounts, Stop, Summary, TakenAsIs, WronglyPruned,
};
use crate::worker::{Counts, Known, Part, Ran, Shared, Task};
use concolic_vm::linux::MOST_MISSING;
use concolic_vm::symbolic::{Assumption, Coverage, EventKind, SymbolicInput};
use concolic_vm::{Outcome, StackFrame};
use rustc_hash::{FxHashMap, FxHashSet};
use solver::LayerStatistics;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

/// What a worker is to do next.
pub(super) enum Job {
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
        input: CompactInput,
    },
    /// An input made of pieces of others, or a random one between these: as a seed.
    Splice {
        shape: u32,
        input: SymbolicInput,
    },
    /// Look at the changes.
    Facts,
    /// A run of an earlier session: only its path is needed.
    Repeat(EarlierRun),
    Flip(Box<Task>, Target, Patience),
    /// Compare the versions once more on the path of a run.
    Compare(Arc<Known>),
    /// An input to run for itself.
    Random {
        shape: u32,
        input: SymbolicInput,
    },
}

impl Job {
    /// Whether it must be over before flips are handed out.
    pub(super) fn is_preparing(&self) -> bool {
        let free = matches!(self, Job::Flip(..) | Job::Random { .. } | Job::Look { .. });
        !free && !matches!(self, Job::Compare(_))
    }

    /// Who answers for its time.
    pub(super) fn source(&self) -> Source {
        match self {
            Job::Candidate { .. } | Job::Look { .. } => Source::Propagation,
            Job::Splice { .. } => Source::Splices,
            Job::Compare(_) => Source::Comparisons,
            _ => Source::Flips,
        }
    }
}

/// Spliced inputs that are run one after the other: workers wait for each other when they begin.
const SPLICES_AT_ONCE: usize = 8;
/// Runs that wait for a look; of more, the latest are kept.
const MOST_LOOKS: usize = 64;

/// How long the solver may take for a flip. One that is hard is left for later: most are not, and behind one of
/// those there may be another way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Patience {
    Little,
    /// As long as the user allows.
    Full,
}

/// Conditions that are put into words for the journal in one session.
const WORDS: usize = 50_000;

/// What a flip may take at first.
pub(super) const QUICK: Duration = Duration::from_millis(300);

pub(super) struct State {
    pub(super) tree: PathTree,
    pub(super) frontier: Frontier,
    /// Flips that the solver has not decided quickly.
    pub(super) hard: VecDeque<(Flip, Target)>,
    /// Runs on whose paths it has not decided quickly whether the versions differ.
    pub(super) hard_comparisons: VecDeque<RunId>,
    pub(super) lineage: Lineage,
    /// By run: [`News::generations`].
    pub(super) generations: Vec<u32>,
    /// Whether the search has a change to aim at or to prune by.
    facts_wanted: bool,
    /// Whether the facts of the change are there. They are not asked for while there are inputs to run.
    pub(super) facts_known: bool,
    /// The runs that were over before.
    early: Vec<Early>,
    /// Flips that may be tried without facts.
    flips_without_facts: u64,
    /// The first run of each shape, once it is over.
    pub(super) roots: Vec<Option<RunId>>,
    pub(super) repeats: VecDeque<EarlierRun>,
    pub(super) firsts: VecDeque<(u32, SymbolicInput)>,
    pub(super) seeds: VecDeque<(u32, SymbolicInput)>,
    /// Inputs that may have executed a change without showing it, to be looked at.
    pub(super) looks: VecDeque<CompactInput>,
    pub(super) flips_since_look: u32,
    pub(super) candidates: VecDeque<(u32, Candidate)>,
    /// How often the same ways, and change effect trees with the same leaves, were met.
    pub(super) effects_seen: FxHashMap<u64, u32>,
    pub(super) propagation: PropagationCounts,
    /// Made and not yet run.
    pub(super) splices: VecDeque<(u32, SymbolicInput)>,
    /// Inputs on which a call does something else in the new version: as seeds.
    pub(super) suggested: VecDeque<(u32, SymbolicInput)>,
    /// With `auto` alone.
    pub(super) splicer: Option<Splicer>,
    pub(super) spliced: SpliceCounts,
    /// With `auto`, the time of looks and splices is shared out.
    pub(super) shares: Shares,
    pub(super) shares_time: bool,
    /// Runs of seeds that did not begin a shape.
    pub(super) seeded: FxHashSet<RunId>,
    pub(super) wrongly_pruned: Option<WronglyPruned>,
    /// Ways that were pruned: run, event and alternative.
    pruned_ways: FxHashSet<(RunId, u32, u32)>,
    /// Jobs in work that must be over before flips are handed out.
    pub(super) preparing: usize,
    pub(super) busy: usize,
    /// Workers that have nothing to do.
    pub(super) waiting: usize,
    pub(super) stop: Option<Stop>,
    pub(super) journal: Journal,
    pub(super) paths: u64,
    pub(super) paths_before: u64,
    pub(super) runs: u64,
    pub(super) tests: u64,
    /// By version.
    pub(super) coverage: Vec<Coverage>,
    pub(super) partitions: Vec<Partition>,
    pub(super) pruned: PrunedCount,
    /// How often each kind of difference was found.
    pub(super) differences: FxHashMap<Vec<Observable>, u32>,
    pub(super) random: Option<RandomInputs>,
    pub(super) errors: BTreeMap<ErrorKey, ErrorFound>,
    pub(super) gaps: BTreeMap<Gap, u64>,
    /// Versions of which a run did not come to its end.
    pub(super) cut_off: BTreeSet<usize>,
    /// By version and place.
    pub(super) taken_as_is: BTreeMap<(u8, Assumption), u64>,
    missing_files: BTreeSet<Vec<u8>>,
    pub(super) counts: Counts,
    pub(super) layers: Vec<LayerStatistics>,
    /// Counts of workers that are still at work.
    pub(super) live_counts: FxHashMap<usize, Counts>,
    pub(super) all_tests: bool,
    /// What an earlier session knew of the versions, by run.
    pub(super) earlier_parts: BTreeMap<RunId, EarlierParts>,
    /// Conditions that may still be put into words for the journal.
    pub(super) words_left: usize,
    /// Jobs that were not completed when the search was stopped.
    pub(super) left_in_work: usize,
    pub(super) settling: Settling,
    pub(super) settled: Option<Settled>,
}

pub(super) type ErrorKey = (&'static str, Option<(String, Option<String>, u32)>);

impl State {
    pub(super) fn new(
        config: &Config<'_>,
        versions: usize,
        facts_wanted: bool,
        earlier: Earlier,
        journal: Journal,
    ) -> State {
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
            frontier: Frontier::new(config.strategy, config.seed),
            facts_wanted,
            facts_known: false,
            early: Vec::new(),
            // Without distances, strategies that go for the changes have no order.
            flips_without_facts: match config.strategy.is_change_directed() {
                true => 0,
                false => config.flips_before_facts,
            },
            random: (config.strategy == Strategy::Random)
                .then(|| RandomInputs::new(config.seed, &config.shapes, &config.seeds)),
            hard: VecDeque::new(),
            hard_comparisons: VecDeque::new(),
            lineage: Lineage::of(&earlier.runs),
            generations: Vec::new(),
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
            splices: VecDeque::new(),
            suggested: VecDeque::new(),
            splicer: (versions == 2 && config.strategy == Strategy::Auto)
                .then(|| Splicer::new(config.seed, &config.shapes, &config.seeds)),
            spliced: SpliceCounts::default(),
            shares: Shares::default(),
            shares_time: config.strategy == Strategy::Auto,
            seeded: FxHashSet::default(),
            wrongly_pruned: None,
            pruned_ways: FxHashSet::default(),
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
            cut_off: BTreeSet::new(),
            taken_as_is: BTreeMap::new(),
            missing_files: BTreeSet::new(),
            counts: Counts::default(),
            layers: Vec::new(),
            live_counts: FxHashMap::default(),
            all_tests: config.all_tests,
            earlier_parts: earlier.parts,
            words_left: WORDS,
            left_in_work: 0,
            settling: Settling::default(),
            settled: None,
        }
    }

    pub(super) fn known(&self, run: RunId) -> Arc<Known> {
        self.lineage.0[run.0 as usize].clone()
    }

    pub(super) fn task(&self, flip: Flip) -> Task {
        Task {
            from: self.known(flip.run),
            base: self.known(self.frontier.base(&flip)).input.clone(),
            excluded: flip.excluded.iter().map(|&run| self.known(run)).collect(),
            flip,
        }
    }

    /// The next job; `None` if there is nothing to do now.
    pub(super) fn next_job(&mut self) -> Option<Job> {
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
        if !self.candidates.is_empty() || !self.suggested.is_empty() {
            // A flip in work may be the one that a candidate wants.
            if self.busy > 0 {
                return None;
            }
            if let Some((shape, input)) = self.suggested.pop_front() {
                self.preparing += 1;
                return Some(Job::Seed { shape, input });
            }
            let (shape, candidate) = self.candidates.pop_front()?;
            self.preparing += 1;
            return Some(Job::Candidate { shape, candidate });
        }
        if let Some(random) = &mut self.random {
            let (shape, input) = random.draw();
            return Some(Job::Random { shape, input });
        }
        if self.is_due(Source::Comparisons)
            && let Some(run) = self.hard_comparisons.pop_front()
        {
            return Some(Job::Compare(self.known(run)));
        }
        if let Some((shape, input)) = self.next_splice() {
            if self.busy > 0 {
                self.splices.push_front((shape, input));
                return None;
            }
            self.preparing += 1;
            return Some(Job::Splice { shape, input });
        }
        let look_is_due = match self.shares_time {
            true => self.is_due(Source::Propagation),
            false => self.flips_since_look >= propagate::FLIPS_PER_LOOK,
        };
        if look_is_due && let Some(input) = self.looks.pop_front() {
            self.flips_since_look = 0;
            return Some(Job::Look { input });
        }
        if self.facts_wanted && !self.facts_known && self.tree.open_flips() > 0 {
            if self.flips_without_facts == 0 {
                self.preparing += 1;
                return Some(Job::Facts);
            }
            self.flips_without_facts -= 1;
        }
        self.flips_since_look += 1;
        if let Some(OpenFlip { flip, target }) = self.frontier.next(&mut self.tree) {
            let task = Box::new(self.task(flip));
            return Some(Job::Flip(task, target, Patience::Little));
        }
        if let Some(run) = self.hard_comparisons.pop_front() {
            return Some(Job::Compare(self.known(run)));
        }
        let (flip, target) = self.hard.pop_front()?;
        let task = Box::new(self.task(flip));
        Some(Job::Flip(task, target, Patience::Full))
    }

    /// Whether it is the turn of something besides flips. That waits while the order of `dart` has had less than its
    /// part.
    fn is_due(&self, source: Source) -> bool {
        let waits = self.tree.open_flips() > 0 && self.frontier.owes_dart();
        !waits && self.shares.is_due(source)
    }

    fn next_splice(&mut self) -> Option<(u32, SymbolicInput)> {
        let is_due = self.is_due(Source::Splices);
        let splicer = self.splicer.as_mut()?;
        if self.splices.is_empty() && is_due {
            let drawn = std::iter::repeat_with(|| splicer.draw());
            self.splices.extend(drawn.take(SPLICES_AT_ONCE));
        }
        self.splices.pop_front()
    }

    /// Takes in a run to be looked at.
    pub(super) fn offer_look(&mut self, shape: u32, input: &SymbolicInput) {
        if self.looks.len() >= MOST_LOOKS {
            self.looks.pop_front();
        }
        self.looks.push_back(CompactInput::new(shape, input));
    }

    /// Whether a flip goes a way that was pruned: no difference is behind it.
    pub(super) fn is_pruned(&self, flip: &Flip) -> bool {
        let way = (flip.run, flip.event, flip.alternative);
        self.pruned_ways.contains(&way)
    }

    /// What is left to do before every input was looked at.
    pub(super) fn left(&self) -> usize {
        self.tree.open_flips()
            + self.hard.len()
            + self.hard_comparisons.len()
            + self.repeats.len()
            + self.seeds.len()
            + self.firsts.len()
            + self.left_in_work
    }

    pub(super) fn is_over(&self) -> bool {
        let made = self.candidates.len() + self.splices.len() + self.suggested.len();
        self.stop.is_some() || self.busy == 0 && self.left() == 0 && made == 0
    }

    /// Takes a flip that nobody has solved yet, for an input that goes its way: a seed, or one that was made.
    pub(super) fn take_flip(&mut self, flip: &Flip, is_seed: bool) -> Option<Target> {
        let open = self.tree.find_open(flip);
        if is_seed {
            self.frontier.give_turn(Some(flip));
        } else if let Some(id) = open {
            self.frontier.taken_early(id, flip);
        }
        if let Some(id) = open {
            return self.tree.take(id).map(|open| open.target);
        }
        let place = self.hard.iter().position(|hard| hard.0 == *flip)?;
        self.hard.remove(place).map(|(_, target)| target)
    }

    /// Notes that propagation has seen this; whether that is still worth a look.
    pub(super) fn is_seen_seldom(&mut self, key: u64) -> bool {
        let times = self.effects_seen.entry(key).or_default();
        *times += 1;
        *times <= propagate::TIMES_A_TREE
    }

    pub(super) fn gap(&mut self, gap: Gap) {
        *self.gaps.entry(gap).or_default() += 1;
    }

    pub(super) fn cannot_write(&mut self, error: &std::io::Error) {
        self.stop
            .get_or_insert(Stop::CannotWrite(error.to_string()));
    }

    /// Takes in a run that is over. `again` is its number if an earlier session found it.
    pub(super) fn publish(
        &mut self,
        ran: &Ran<'_>,
        came_from: Option<(&Flip, Target)>,
        again: Option<RunId>,
        aim: Option<&Aim<'_>>,
        same_state_from: Option<usize>,
        source: Source,
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
                path: Some(ran.path.shape(ran.cut)),
            }));
            self.tree.add_run(id, flip);
            if let Err(error) = self.journal.run(id, ran, flip) {
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
        if let (Some(aim), Some(executed)) = (aim, Executed::by(ran)) {
            let reached = aim.reached(executed);
            let new = self.frontier.reached(&reached);
            // One more round of a loop is no reason to spend more time in this way.
            if news.blocks > 0 || news.way || new > 0 {
                self.earn(source, flip, worth(news, new));
            }
            if let Some(flip) = flip {
                self.frontier.reward(flip, worth(news, new));
            }
            if let Some(splicer) = &mut self.splicer {
                let is_new = news.blocks > 0 || news.way;
                splicer.learn(&ran.input, is_new, !reached.is_empty());
            }
        }
        let new_error = self.note_end(ran);
        self.note_missing_files(ran);
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
        let mut offers = Vec::new();
        if ran.diverged {
            self.gap(Gap::Diverged);
        } else {
            offers = self.offers(id, ran, came_from);
        }
        if again.is_some() {
            self.frontier.give_turn(flip);
        }
        self.add_run(id, ran, flip, news, &offers);
        let pruned = match ran.diverged {
            true => Vec::new(),
            false => self.queue_offers(id, ran, offers, news, aim, same_state_from),
        };
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

    /// Shows the frontier a run.
    fn add_run(
        &mut self,
        id: RunId,
        ran: &Ran<'_>,
        flip: Option<&Flip>,
        news: News,
        offers: &[Offer],
    ) {
        let versions = &ran.versions;
        // An input that is no member of its path, or on which a version does not end, is no good start.
        let mut ends = versions.iter().map(|version| &version.run.outcome.end);
        let sight = Sight {
            steps: &ran.steps,
            coverage: versions
                .iter()
                .map(|version| &version.run.coverage)
                .collect(),
            length: ran.path.events.len(),
            is_whole: !ran.diverged && ends.all(|end| !end.is_inconclusive()),
        };
        let flips = offers.iter().map(|offer| offer.id);
        self.frontier
            .add_run(id, flip, news, &sight, flips, &self.tree);
    }

    /// Queues the ways that a run did not take; those that need not be taken are returned.
    fn queue_offers(
        &mut self,
        id: RunId,
        ran: &Ran<'_>,
        offers: Vec<Offer>,
        news: News,
        aim: Option<&Aim<'_>>,
        same_state_from: Option<usize>,
    ) -> Vec<PrunedWay> {
        match (aim, Executed::by(ran)) {
            (Some(aim), Some(executed)) => {
                self.queue(offers, false, executed, news, aim, same_state_from)
            }
            (None, executed) => {
                let is_early = self.facts_wanted && !self.facts_known;
                let is_queued = !is_early || !self.frontier.is_change_directed();
                if is_queued {
                    for offer in &offers {
                        let open = self.tree.peek(offer.id).expect("just offered");
                        self.frontier.add(offer.id, open, news, Prospect::NONE);
                    }
                }
                if let Some(executed) = executed.filter(|_| is_early) {
                    self.early.push(Early {
                        run: id,
                        offers,
                        is_queued,
                        news,
                        executed: executed.to_owned(),
                    });
                }
                Vec::new()
            }
            (Some(_), None) => unreachable!("only two versions have a change"),
        }
    }

    /// Hangs the ways that a run did not take into the tree, from the flipped event on.
    fn offers(
        &mut self,
        id: RunId,
        ran: &Ran<'_>,
        came_from: Option<(&Flip, Target)>,
    ) -> Vec<Offer> {
        let mut offers = Vec::new();
        let (first, skipped) = match came_from {
            Some((flip, target)) => {
                if ran.residual {
                    let id = self.tree.offer(flip.without(id), target);
                    offers.extend(id.map(|id| Offer {
                        id,
                        twin: None,
                        is_rest: true,
                    }));
                }
                (flip.event, 1)
            }
            None => (0, 0),
        };
        let shared = ran.versions.iter().flat_map(|version| &version.shared);
        let shared: FxHashMap<_, _> = shared.map(|event| (event.condition, event)).collect();
        for (step, event) in ran.steps.iter().zip(first..).skip(skipped) {
            let twin = shared.get(&ran.path.events[event as usize].condition);
            // It leads towards changes in both versions.
            let twin = twin.and_then(|twin| other_way(twin));
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
                let id = self.tree.offer(flip, target);
                offers.extend(id.map(|id| Offer {
                    id,
                    twin,
                    is_rest: false,
                }));
            }
        }
        offers
    }

    /// Queues the flips of a run that may show a difference, unless they are; the others are returned.
    fn queue(
        &mut self,
        offers: Vec<Offer>,
        is_queued: bool,
        executed: Executed<'_>,
        news: News,
        aim: &Aim<'_>,
        same_state_from: Option<usize>,
    ) -> Vec<PrunedWay> {
        let mut pruned = Vec::new();
        // Distances cost more than many runs, and are to changes that no run has executed.
        let directed = self.frontier.is_change_directed() && self.frontier.misses_a_change();
        let approach = if directed {
            aim.approach(executed)
        } else {
            Vec::new()
        };
        let first_behind = aim.first_behind(executed);
        for Offer { id, twin, is_rest } in offers {
            // A run may have gone this way since.
            let Some(open) = self.tree.peek(id) else {
                continue;
            };
            let OpenFlip { flip, target } = open;
            let behind = match is_rest {
                true => Behind::Nothing,
                false => Behind::of(first_behind, target, flip.event, same_state_from),
            };
            let changed = behind != Behind::Nothing;
            let category = match is_rest {
                true => None,
                false => aim.category(target, behind),
            };
            if let Some(category) = category {
                pruned.push(PrunedWay {
                    event: flip.event,
                    alternative: flip.alternative,
                    category,
                });
                self.pruned.add(category, target);
                let way = (flip.run, flip.event, flip.alternative);
                self.pruned_ways.insert(way);
                self.tree.take(id);
                continue;
            }
            let promise = promise(target.version, changed);
            if is_queued {
                self.frontier.add_promise(id, news, promise);
                continue;
            }
            let targets = [Some(*target), twin].into_iter().flatten();
            let distances: Vec<(usize, u32)> = match directed {
                true => targets
                    .flat_map(|target| aim.distances(&target, &approach))
                    .collect(),
                false => Vec::new(),
            };
            let prospect = Prospect {
                distances: &distances,
                promise,
            };
            self.frontier.add(id, open, news, prospect);
        }
        pruned
    }

    /// The facts are there: queues the flips of the runs that were over before. Those that need not be taken are
    /// returned.
    pub(super) fn facts_found(&mut self, aim: &Aim<'_>) -> Vec<(RunId, Vec<PrunedWay>)> {
        self.facts_known = true;
        self.frontier.aim_at(aim.changes());
        let early = std::mem::take(&mut self.early);
        for run in &early {
            self.frontier.reached(&aim.reached(run.executed.get()));
        }
        let queue = |run: Early| {
            let executed = run.executed.get();
            let pruned = self.queue(run.offers, run.is_queued, executed, run.news, aim, None);
            (run.run, pruned)
        };
        early.into_iter().map(queue).collect()
    }

    /// Notes that no input goes the way of a flip.
    pub(super) fn infeasible(&mut self, flip: &Flip, conflicts: &[u32]) {
        if let Err(error) = self.journal.infeasible(flip) {
            self.cannot_write(&error);
        }
        let mut in_its_way = Vec::new();
        if self.frontier.is_change_directed() {
            for &event in conflicts {
                in_its_way.extend(self.tree.open_at(flip.run, event));
            }
        }
        self.frontier.infeasible(flip, &in_its_way);
    }

    /// What a run was worth counts for the source that it came from. What would be run anyway, seeds and turns of the
    /// order of `dart`, has no part in that.
    fn earn(&mut self, source: Source, flip: Option<&Flip>, worth: f64) {
        let counts = flip.is_some_and(|flip| self.frontier.is_not_owed(flip));
        if source != Source::Flips || counts {
            self.shares.earn(source, worth);
        }
    }

    /// Takes in what a job has cost: the time that it took, or the work.
    pub(super) fn spend(&mut self, job: &Job, time: Duration, work: u64) {
        // `auto` depends on the clock already; others do not.
        let cost = match self.shares_time {
            true => time.as_micros() as u64,
            false => work,
        };
        match job {
            Job::Flip(task, ..) => {
                if self.frontier.is_not_owed(&task.flip) {
                    self.shares.spend(Source::Flips, time);
                }
                self.frontier.spend(&task.flip, cost);
            }
            _ if job.source() == Source::Flips => {}
            _ => {
                self.shares.spend(job.source(), time);
                // Where there is no flip, nobody waits.
                if self.tree.open_flips() > 0 {
                    self.frontier.spend_besides(cost);
                }
            }
        }
    }

    /// Takes in what is known of a part of a path.
    pub(super) fn note_partition(
        &mut self,
        partition: Partition,
        came_from: Option<&Flip>,
        source: Source,
    ) {
        if let Part::Different { observables, .. } = &partition.part {
            let times = self.differences.entry(observables.clone()).or_default();
            *times += 1;
            // Another example of what is known is worth less each time.
            let worth = 1.0 / f64::from(*times);
            self.earn(source, came_from, worth);
            if let Some(flip) = came_from {
                self.frontier.reward(flip, worth);
            }
        }
        self.partitions.push(partition);
    }

    /// Notes what a run has looked for in vain.
    pub(super) fn note_missing_files(&mut self, ran: &Ran<'_>) {
        for version in &ran.versions {
            let missing = version.process.machine().kernel().missing_files();
            let new = missing.difference(&self.missing_files);
            let room = MOST_MISSING.saturating_sub(self.missing_files.len());
            let new: Vec<_> = new.take(room).cloned().collect();
            self.missing_files.extend(new);
        }
    }

    /// Counts how the run ended; whether it is the first to end abnormally in this way and place.
    pub(super) fn note_end(&mut self, ran: &Ran<'_>) -> bool {
        // When versions are compared, how a run ends is an observable like others.
        let [version] = &ran.versions[..] else {
            for (version, number) in ran.versions.iter().zip(0..) {
                if version.run.outcome.end.is_inconclusive() {
                    let why = version.run.outcome.end.to_string();
                    self.gap(Gap::CutOff { why });
                    self.cut_off.insert(number);
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

    pub(super) fn summary(self, versions: &[Version<'_>], wall: Duration) -> Summary {
        let open_flips = self.left();
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
            open_flips,
            errors: self.errors.into_values().collect(),
            gaps: self.gaps,
            cut_off: self.cut_off,
            taken_as_is: taken_as_is.into_values().collect(),
            missing_files: self.missing_files,
            tests: self.tests,
            coverage: self.coverage,
            partitions: self.partitions,
            settled: self.settled,
            pruned: self.pruned.summary(&programs),
            wrongly_pruned: self.wrongly_pruned,
            propagation: self.propagation,
            spliced: self.spliced,
            counts: self.counts,
            layers: self.layers,
            wall,
        }
    }
}

/// A flip in the tree that may yet be pruned.
struct Offer {
    id: FlipId,
    /// Where the new version goes if it decides the same.
    twin: Option<Target>,
    /// What is left of the flip that the run came out of.
    is_rest: bool,
}

/// A run that was over before the facts of the change were there.
struct Early {
    run: RunId,
    offers: Vec<Offer>,
    is_queued: bool,
    news: News,
    executed: OwnedExecuted,
}

/// Every run with the one it came from.
pub(super) struct Lineage(pub(super) Vec<Arc<Known>>);

impl Lineage {
    pub(super) fn of(runs: &[EarlierRun]) -> Lineage {
        let mut known: Vec<Arc<Known>> = Vec::with_capacity(runs.len());
        for run in runs {
            let origin = run.flip.clone();
            let origin = origin.map(|flip| (flip.clone(), known[flip.run.0 as usize].clone()));
            known.push(Arc::new(Known {
                run: run.id,
                input: run.input.clone(),
                origin,
                path: run.path,
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
pub(super) fn other_way(shared: &Shared) -> Option<Target> {
    (shared.kind == EventKind::Branch).then_some(Target {
        version: 1,
        site: shared.site,
        kind: shared.kind,
        way: Some(1 - shared.way),
    })
}

pub(super) fn promise(version: u8, behind_change: bool) -> Promise {
    match (version, behind_change) {
        (1, _) => Promise::Parting,
        (_, true) => Promise::BehindChange,
        _ => Promise::Nothing,
    }
}

/// What a run that came out of a flip is worth, apart from differences: a change reached for the first time counts
/// most.
pub(super) fn worth(news: News, changes: usize) -> f64 {
    match changes {
        0 if news.blocks > 0 || news.way => 0.3,
        0 if news.rounds > 0 => 0.1,
        0 => 0.0,
        _ => 0.7,
    }
}

pub(super) fn error_key(outcome: &Outcome) -> ErrorKey {
    let place = outcome
        .location()
        .map(|frame| (frame.function.clone(), frame.file.clone(), frame.line));
    (outcome.end.kind(), place)
}

pub(super) struct Published {
    pub(super) id: RunId,
    pub(super) test: Option<u64>,
    pub(super) covers_new: bool,
    pub(super) new_error: bool,
    pub(super) pruned: Vec<PrunedWay>,
}
