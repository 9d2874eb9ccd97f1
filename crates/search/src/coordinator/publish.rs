//! Taking in a run that is over: it is given a number and a place in the tree, what it shows is learnt, and the ways that it did not
//! take are queued or pruned.

use super::purpose::{Errand, Purpose};
use super::{Coordinator, ExecutedRun};
use crate::auto::Promise;
use crate::dart_order::Sight;
use crate::frontier::{News, Prospect};
use crate::journal::Entry;
use crate::messages::{Ending, Inspection, Job, RunReport, Test};
use crate::path_tree::{Flip, FlipId, OpenFlip, RunId, Target};
use crate::pruning::{Change, Executed, ExecutedBefore, PrunedWay};
use crate::runs::RunRecord;
use crate::shares::Source;
use crate::summary::Gap;
use concolic_vm::symbolic::{Coverage, Entered};
use inputs::CompactInput;

/// Where a run that is over comes from.
pub(super) struct Origin {
    /// The flip it came out of, and where that led.
    pub(super) came_from: Option<(Flip, Target)>,
    /// The run's number, if an earlier session found its path.
    pub(super) again: Option<RunId>,
    pub(super) source: Source,
    pub(super) purpose: Option<Purpose>,
}

impl Origin {
    pub(super) fn new(came_from: Option<(Flip, Target)>, source: Source) -> Origin {
        Origin {
            came_from,
            again: None,
            source,
            purpose: None,
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
pub(super) struct Early {
    run: RunId,
    offers: Vec<Offer>,
    is_queued: bool,
    news: News,
    executed: ExecutedRun,
}

/// The ways out of a run, and what is known of it.
struct Ways {
    offers: Vec<Offer>,
    /// They were queued before the facts of the change were there.
    is_queued: bool,
    news: News,
    /// From this event on both versions are in the same state.
    same_state_from: Option<u32>,
}

impl Coordinator<'_> {
    /// Takes in a run; what is to be done next with it.
    pub(super) fn publish(&mut self, mut report: RunReport, origin: Origin) -> (Errand, Job) {
        let flip = origin.came_from.as_ref().map(|(flip, _)| flip);
        let executed = executed(&mut report);
        self.schedule
            .suggested
            .extend(std::mem::take(&mut report.suggested));
        let id = origin.again.unwrap_or(self.runs.next());
        self.findings.paths += 1;
        if origin.again.is_none() {
            self.add_to_tree(id, &report, flip);
        }
        let covered = executed.0.iter().map(|(_, coverage, _)| coverage);
        let blocks = self.findings.cover(covered);
        let mut news = News {
            blocks,
            ..self.frontier.learn(&report.steps)
        };
        if !news.is_some() {
            news.generations = self.runs.generations_after(flip);
        }
        self.runs.set_generations(id, news.generations);
        if let (Some(change), Some(executed)) = (self.known_change(), executed.get()) {
            self.learn_of_change(change, executed, &report, news, &origin);
        } else if self.facts.are_missing() {
            // Whether it executed a change is learnt with the facts.
            self.show_splicer(&report.input, news, false);
        }
        let shapes = &self.settings.shapes;
        let versions = &report.versions;
        let new_error = self
            .findings
            .note_end(versions, || report.input.expand(shapes));
        self.findings.note_missing_files(versions);
        self.findings.note_taken(&report.steps);
        let mut offers = Vec::new();
        if report.diverged {
            self.findings.gap(Gap::Diverged);
        } else {
            offers = self.offers(id, &report, origin.came_from.as_ref());
        }
        if origin.again.is_some() {
            self.frontier.give_turn(flip);
        }
        self.show_frontier(id, &report, &executed, flip, news, &offers);
        let pruned = match report.diverged {
            true => Vec::new(),
            false => self.queue_offers(id, offers, news, executed, report.same_state_from),
        };
        let covers_new = news.blocks > 0 || news.way;
        // Named after the run, so that it is the same test when the run is repeated.
        let is_test = self.settings.all_tests || covers_new || new_error.is_some();
        let test = is_test.then_some(Test {
            number: u64::from(id.0) + 1,
            covers_new,
            new_error: new_error.is_some(),
        });
        self.findings.tests += u64::from(is_test);
        if let Some(error) = new_error.and_then(|key| self.findings.errors.get_mut(&key)) {
            error.test = test.map_or(0, |test| test.number);
        }
        self.inspect(id, &report, pruned, test, origin)
    }

    fn add_to_tree(&mut self, id: RunId, report: &RunReport, flip: Option<&Flip>) {
        self.findings.runs += 1;
        let record = RunRecord {
            run: id,
            input: report.input.clone(),
            origin: flip.cloned(),
            path: Some(report.path),
        };
        self.tree.add_run(id, flip);
        self.record.journal.add(|| Entry::Run {
            record: record.clone(),
            residual: report.residual,
            diverged: report.diverged,
        });
        self.runs.add(record);
    }

    /// Learns which changes a run executed, and what it was worth.
    fn learn_of_change(
        &mut self,
        change: &dyn Change,
        executed: Executed<'_>,
        report: &RunReport,
        news: News,
        origin: &Origin,
    ) {
        let flip = origin.came_from.as_ref().map(|(flip, _)| flip);
        let reached = change.reached(executed);
        let new = self.frontier.reached(&reached);
        // One more round of a loop is no reason to spend more time in this way.
        if news.blocks > 0 || news.way || new > 0 {
            self.earn(origin.source, flip, worth(news, new));
        }
        if let Some(flip) = flip {
            self.frontier.reward(flip, worth(news, new));
        }
        self.show_splicer(&report.input, news, !reached.is_empty());
    }

    fn show_splicer(&mut self, input: &CompactInput, news: News, executed_change: bool) {
        if let Some(splicer) = &mut self.schedule.splicer {
            let is_new = news.blocks > 0 || news.way;
            let input = input.expand(&self.settings.shapes);
            splicer.learn(&input, is_new, executed_change);
        }
    }

    /// What is to be found out about a run that was taken in.
    fn inspect(
        &mut self,
        id: RunId,
        report: &RunReport,
        pruned: Vec<PrunedWay>,
        test: Option<Test>,
        origin: Origin,
    ) -> (Errand, Job) {
        let is_new = origin.again.is_none();
        let compares = self.settings.versions > 1 && !report.diverged;
        // Many spliced inputs are tried; the others have cost a question already.
        let is_quick = origin.source == Source::Splices
            && !self.settings.sliced
            && self.settings.query_timeout > super::QUICK;
        let came_from = origin.came_from.map(|(flip, _)| flip);
        let inspection = Inspection {
            run: RunRecord {
                run: id,
                input: report.input.clone(),
                origin: came_from.clone(),
                path: Some(report.path),
            },
            is_new: true,
            pruned,
            earlier: match compares {
                true => self.record.earlier.remove(&id),
                false => None,
            },
            quick: is_quick.then(|| self.quick_time()),
            time: self.time_left(),
            counts: self.counts_shares(),
            words: self.words(),
            test,
            offers_look: self.settings.propagates && is_new && !report.diverged,
        };
        let errand = Errand::Inspect {
            run: id,
            came_from,
            source: origin.source,
            purpose: origin.purpose,
        };
        (errand, Job::Inspect(Box::new(inspection)))
    }

    /// Shows the frontier a run.
    fn show_frontier(
        &mut self,
        id: RunId,
        report: &RunReport,
        executed: &ExecutedRun,
        flip: Option<&Flip>,
        news: News,
        offers: &[Offer],
    ) {
        // An input that is no member of its path, or on which a version does not end, is no good start.
        let mut versions = report.versions.iter();
        let ends = versions.all(|version| !matches!(version.ending, Ending::Inconclusive(_)));
        let sight = Sight {
            steps: &report.steps,
            coverage: executed.0.iter().map(|(_, coverage, _)| coverage).collect(),
            length: report.events as usize,
            is_whole: !report.diverged && ends,
        };
        let flips = offers.iter().map(|offer| offer.id);
        self.frontier
            .add_run(id, flip, news, &sight, flips, &self.tree);
    }

    /// Hangs the ways that a run did not take into the tree, from the flipped event on.
    fn offers(
        &mut self,
        id: RunId,
        report: &RunReport,
        came_from: Option<&(Flip, Target)>,
    ) -> Vec<Offer> {
        let mut offers = Vec::new();
        let (first, skipped) = match came_from {
            Some((flip, target)) => {
                if report.residual {
                    let id = self.tree.offer(flip.without(id), *target);
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
        for (step, event) in report.steps.iter().zip(first..).skip(skipped) {
            for (&way, alternative) in step.others.iter().zip(0..) {
                let flip = Flip {
                    run: id,
                    event,
                    alternative,
                    excluded: Vec::new(),
                };
                let target = Target {
                    way,
                    ..step.taken()
                };
                let id = self.tree.offer(flip, target);
                offers.extend(id.map(|id| Offer {
                    id,
                    // It leads towards changes in both versions.
                    twin: step.twin,
                    is_rest: false,
                }));
            }
        }
        offers
    }

    /// Queues the ways that a run did not take; those that need not be taken are returned.
    fn queue_offers(
        &mut self,
        id: RunId,
        offers: Vec<Offer>,
        news: News,
        executed: ExecutedRun,
        same_state_from: Option<u32>,
    ) -> Vec<PrunedWay> {
        if let Some(change) = self.known_change() {
            let executed = executed.get().expect("only two versions have a change");
            let ways = Ways {
                offers,
                is_queued: false,
                news,
                same_state_from,
            };
            return self.queue(ways, executed, change);
        }
        let is_early = self.facts.are_missing();
        let is_queued = !is_early || !self.frontier.is_change_directed();
        if is_queued {
            for offer in &offers {
                let open = self.tree.peek(offer.id).expect("just offered");
                self.frontier.add(offer.id, open, news, Prospect::NONE);
            }
        }
        if is_early && executed.get().is_some() {
            self.facts.early.push(Early {
                run: id,
                offers,
                is_queued,
                news,
                executed,
            });
        }
        Vec::new()
    }

    /// Queues the flips of a run that may show a difference, unless they are; the others are returned.
    fn queue(&mut self, ways: Ways, executed: Executed<'_>, change: &dyn Change) -> Vec<PrunedWay> {
        let Ways {
            offers,
            is_queued,
            news,
            same_state_from,
        } = ways;
        let mut pruned = Vec::new();
        // Distances cost more than many runs, and are to changes that no run has executed.
        let directed = self.frontier.is_change_directed() && self.frontier.misses_a_change();
        let approach = match directed {
            true => change.approach(executed),
            false => Vec::new(),
        };
        let first_behind = change.first_behind(executed);
        for Offer { id, twin, is_rest } in offers {
            // A run may have gone this way since.
            let Some(open) = self.tree.peek(id) else {
                continue;
            };
            let OpenFlip { flip, target } = open;
            let behind = match is_rest {
                true => ExecutedBefore::Nothing,
                false => ExecutedBefore::of(first_behind, target, flip.event, same_state_from),
            };
            let category = match is_rest {
                true => None,
                false => change.category(target, behind),
            };
            if let Some(category) = category {
                pruned.push(PrunedWay {
                    event: flip.event,
                    alternative: flip.alternative,
                    category,
                });
                self.pruned.count.add(category, target);
                let way = (flip.run, flip.event, flip.alternative);
                self.pruned.ways.insert(way);
                self.tree.take(id);
                continue;
            }
            let promise = promise(target.version, behind != ExecutedBefore::Nothing);
            if is_queued {
                self.frontier.add_promise(id, news, promise);
                continue;
            }
            let targets = [Some(*target), twin].into_iter().flatten();
            let distances: Vec<(usize, u32)> = match directed {
                true => targets
                    .flat_map(|target| change.distances(&target, &approach))
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
    pub(super) fn facts_found(&mut self) -> Vec<(RunId, Vec<PrunedWay>)> {
        self.facts.known = true;
        let change = self.change.expect("facts are of a change");
        self.frontier.aim_at(change.changes());
        let early = std::mem::take(&mut self.facts.early);
        for run in &early {
            let executed = run.executed.get().expect("a run of two versions");
            let reached = change.reached(executed);
            self.frontier.reached(&reached);
            let input = self.runs.get(run.run).input.clone();
            self.show_splicer(&input, run.news, !reached.is_empty());
        }
        let mut pruned = Vec::new();
        for run in early {
            let ways = Ways {
                offers: run.offers,
                is_queued: run.is_queued,
                news: run.news,
                same_state_from: None,
            };
            let executed = run.executed.get().expect("a run of two versions");
            let ways = self.queue(ways, executed, change);
            if !ways.is_empty() {
                pruned.push((run.run, ways));
            }
        }
        pruned
    }
}

/// What the versions executed, which the report then has no more.
fn executed(report: &mut RunReport) -> ExecutedRun {
    let version = |version: &mut crate::messages::VersionReport| {
        let entered = std::mem::take(&mut version.entered);
        let coverage = Coverage::of(entered.iter().map(Entered::operation));
        (entered, coverage, version.own_events)
    };
    ExecutedRun(report.versions.iter_mut().map(version).collect())
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
