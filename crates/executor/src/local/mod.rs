//! The executor: does one job after the other and answers with plain data ([`search::messages`]). It owns terms, solver and machines,
//! and chooses nothing.
//!
//! A run that was just reported is at hand for the job that inspects it; any other job lets it go.

mod inspect;
mod report;

use crate::members::PrunedInputs;
use crate::probe::Probe;
use crate::worker::{self, CutAt, Path, Ran, RunError, Surroundings, Worker};
use expr::ExprId;
use inputs::CompactInput;
use relational::aim::{self, Aim};
use relational::propagate::{self, Propagation};
use relational::static_facts::StaticFacts;
use rustc_hash::FxHashMap;
use search::messages::{
    EarlierRun, Failure, Inspection, Job, Looked, Order, Outcome, PrunedAt, Reply, Walked,
};
use search::propagation::Candidate;
use search::pruning::{Change, ExecutedBefore};
use search::{
    Executor, Flip, LayerCounts, Note, Notes, PathShape, PrunedWay, RunId, RunRecord, Target,
};
use solver::Solver;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What all executors of a process share.
pub struct Shared<'p, 'c> {
    pub surroundings: Surroundings<'p>,
    pub probe: &'p dyn Probe,
    /// Where its notes go.
    pub notes: &'p Notes<'p>,
    /// The change that the search looks at.
    pub aim: Option<&'p Aim<'c>>,
    pub facts: Option<&'c StaticFacts<'c>>,
    pub propagate: Option<propagate::Limits>,
    /// Made when it is needed first.
    pub propagation: OnceLock<Propagation<'c>>,
}

/// An executor in the same process as the programs that it runs.
pub struct LocalExecutor<'p, 'c> {
    with: &'p Shared<'p, 'c>,
    worker: Worker<'p>,
    /// The run that was just reported.
    current: Option<Current<'p>>,
    /// By run: the condition under which the versions differ on its path, if it depends on the input.
    conditions: FxHashMap<RunId, Option<ExprId>>,
    /// Files that were told to be missing.
    missing: BTreeSet<Vec<u8>>,
}

struct Current<'p> {
    ran: Ran<'p>,
    input: CompactInput,
    path: PathShape,
}

impl Current<'_> {
    fn is(&self, record: &RunRecord) -> bool {
        self.input == record.input && Some(self.path) == record.path
    }
}

impl Executor for LocalExecutor<'_, '_> {
    fn perform(&mut self, order: Order) -> Reply {
        for record in order.records {
            self.worker.learn(record);
        }
        let now = Instant::now();
        self.worker.until = order.within.map(|within| now + within);
        let before = self.worker.work();
        let outcome = match self.answer(order.job, order.facts_known) {
            Ok(outcome) => outcome,
            Err(RunError::Lacks(run)) => Outcome::Lacks(run),
            Err(RunError::Start(error)) => Outcome::Failed(Failure::CannotStart(error.to_string())),
            Err(RunError::OtherPath) => Outcome::Failed(Failure::OtherPath),
            Err(RunError::Stopped) => Outcome::Failed(Failure::Stopped),
        };
        Reply {
            outcome,
            counts: self.worker.counts.clone(),
            work: self.worker.work() - before,
        }
    }
}

impl<'p, 'c> LocalExecutor<'p, 'c> {
    pub fn new(with: &'p Shared<'p, 'c>, solver: Box<dyn Solver>) -> LocalExecutor<'p, 'c> {
        LocalExecutor {
            with,
            worker: Worker::new(&with.surroundings, solver),
            current: None,
            conditions: FxHashMap::default(),
            missing: BTreeSet::new(),
        }
    }
}

impl<'p> LocalExecutor<'p, '_> {
    fn send(&self, note: Option<Note>) {
        if let Some(note) = note {
            self.with.notes.send(&note);
        }
    }

    fn expand(&self, input: &CompactInput) -> concolic_vm::symbolic::SymbolicInput {
        input.expand(&self.with.surroundings.shapes)
    }

    fn answer(&mut self, job: Job, facts_known: bool) -> Result<Outcome, RunError> {
        let current = self.current.take();
        // Other jobs may begin with an empty store.
        let keeps_terms = matches!(
            job,
            Job::Walk { .. } | Job::Admits { .. } | Job::Differs { .. } | Job::Variables
        );
        if !keeps_terms {
            self.conditions.clear();
        }
        match job {
            Job::Run { input } => {
                let whole = self.expand(&input);
                let ran = self.worker.run_first(input.shape, whole, CutAt::Unknown)?;
                self.ran(ran, facts_known)
            }
            Job::Random { run, input } => self.random(run, &input),
            Job::Repeat(earlier) => {
                let ran = self.repeat(&earlier)?;
                self.ran(ran, facts_known)
            }
            Job::Solve { flip, base, time } => {
                match self.worker.solve_and_run(&flip, base, time)? {
                    worker::Result::Infeasible { conflicts } => {
                        Ok(Outcome::Infeasible { conflicts })
                    }
                    worker::Result::Undecided(why) => Ok(Outcome::Undecided(why)),
                    worker::Result::Ran(ran) => self.ran(*ran, facts_known),
                }
            }
            Job::Follow { flip, input } => {
                let whole = self.expand(&input);
                let (shape, cut) = (input.shape, CutAt::Unknown);
                let ran = self.worker.follow(&flip, shape, whole, cut)?;
                self.ran(ran, facts_known)
            }
            Job::Walk { input, among, at } => self.walk(&input, &among, at).map(Outcome::Walked),
            Job::Inspect(inspection) => {
                let current = current.filter(|current| current.is(&inspection.run));
                let ran = match current {
                    Some(current) if inspection.is_new => current.ran,
                    _ => self.run_again(&inspection)?,
                };
                Ok(Outcome::Inspected(Box::new(
                    self.inspect(&inspection, &ran),
                )))
            }
            Job::Look {
                input,
                worn_out,
                time,
            } => self.look(&input, &worn_out, time),
            Job::Facts => {
                if let Some(aim) = self.with.aim {
                    aim.facts.changes();
                }
                Ok(Outcome::Done)
            }
            Job::CountPruned { runs, counts } => self.count_pruned(runs, counts),
            Job::WouldPrune { flip } => self.would_prune(&flip).map(Outcome::WouldPrune),
            Job::Admits { input } => {
                let whole = self.expand(&input);
                let runs = self.worker.runs_of(input.shape, &whole)?;
                Ok(Outcome::Truth(self.with.probe.admits(&runs)))
            }
            Job::Differs { run, input } => self.differs(run, input).map(Outcome::Truth),
            Job::Variables => Ok(Outcome::Variables(self.worker.variables())),
            Job::Forget => {
                self.worker.forget();
                Ok(Outcome::Done)
            }
            Job::Statistics => Ok(Outcome::Statistics(self.layers())),
        }
    }

    /// Reports a run, and keeps it at hand.
    fn ran(&mut self, mut ran: Ran<'p>, facts_known: bool) -> Result<Outcome, RunError> {
        let report = self.report(&mut ran, facts_known)?;
        self.current = Some(Current {
            input: report.input.clone(),
            path: report.path,
            ran,
        });
        Ok(Outcome::Ran(Box::new(report)))
    }

    fn random(&mut self, run: RunId, input: &CompactInput) -> Result<Outcome, RunError> {
        let whole = self.expand(input);
        let ran = self.worker.run_first(input.shape, whole, CutAt::Unknown)?;
        self.send(self.with.probe.path(&ran));
        let part = self.worker.differs_here(&ran);
        Ok(Outcome::Random {
            versions: self.version_reports(&ran),
            partition: part.map(|part| self.note_partition(run, &ran, &part, None)),
        })
    }

    /// A run of an earlier session.
    fn repeat(&mut self, earlier: &EarlierRun) -> Result<Ran<'p>, RunError> {
        let EarlierRun {
            record,
            residual,
            diverged,
        } = earlier;
        let input = self.expand(&record.input);
        let (shape, cut) = (record.input.shape, CutAt::of(record.path));
        if self.with.surroundings.relevance.is_some()
            && let Some(flip) = &record.origin
        {
            // What matters of a path is known only from where it comes.
            let ran = self.worker.follow(flip, shape, input, cut)?;
            ran.path.check(ran.cut, record.path)?;
            return Ok(ran);
        }
        let mut ran = self.worker.run_first(shape, input, cut)?;
        ran.path.check(ran.cut, record.path)?;
        if let Some(flip) = &record.origin {
            let known = (flip.event as usize).min(ran.steps.len());
            ran.steps.drain(..known);
            ran.residual = *residual;
            ran.diverged = *diverged || ran.steps.is_empty();
        }
        Ok(ran)
    }

    /// A run that is not at hand any more.
    fn run_again(&mut self, inspection: &Inspection) -> Result<Ran<'p>, RunError> {
        let RunRecord {
            input,
            origin,
            path,
            ..
        } = &inspection.run;
        let (whole, cut) = (self.expand(input), CutAt::of(*path));
        match origin.as_ref().filter(|_| inspection.is_new) {
            Some(flip) => self.worker.follow(flip, input.shape, whole, cut),
            None => self.worker.run_first(input.shape, whole, cut),
        }
    }

    /// Follows an input along the first of some runs that it agrees with at an event.
    fn walk(
        &mut self,
        input: &CompactInput,
        among: &[RunId],
        at: Option<u32>,
    ) -> Result<Walked, RunError> {
        let whole = self.expand(input);
        let mut found = None;
        for (&run, place) in among.iter().zip(0..) {
            let agrees = match at {
                Some(event) => self.worker.agrees_at(run, event, &whole)?,
                None => true,
            };
            if agrees {
                found = Some((run, place));
                break;
            }
        }
        let Some((run, place)) = found else {
            return Ok(Walked {
                along: None,
                left: None,
            });
        };
        let start = at.map_or(0, |event| event + 1);
        Ok(Walked {
            along: Some(place),
            left: self.worker.departure(run, start, &whole)?,
        })
    }

    /// Makes inputs that take the effect of a change farther than this one does.
    fn look(
        &mut self,
        input: &CompactInput,
        worn_out: &[u64],
        time: Option<Duration>,
    ) -> Result<Outcome, RunError> {
        let mut looked = Looked::default();
        let (Some(limits), Some(facts)) = (self.with.propagate, self.with.facts) else {
            return Ok(Outcome::Looked(Box::new(looked)));
        };
        let start = Instant::now();
        let propagation = &self.with.propagation;
        let plan = propagation.get_or_init(|| Propagation::of(facts, limits));
        let whole = self.expand(input);
        let is_new = |tree: u64| {
            looked.trees.push(tree);
            !worn_out.contains(&tree)
        };
        let found = self.worker.propagate(plan, &whole, is_new, time)?;
        let candidate = |made: propagate::Candidate| Candidate {
            rule: made.rule,
            version: made.version,
            input: CompactInput::new(input.shape, &made.input),
        };
        Ok(Outcome::Looked(Box::new(Looked {
            candidates: found.candidates.into_iter().map(candidate).collect(),
            cut: found.cut,
            seen_before: found.seen_before,
            queries: found.queries,
            time: start.elapsed(),
            ..looked
        })))
    }

    fn count_pruned(
        &mut self,
        runs: Vec<(RunId, Vec<PrunedWay>)>,
        counts: bool,
    ) -> Result<Outcome, RunError> {
        let mut shares = Vec::with_capacity(runs.len());
        let mut is_counted = counts;
        // All paths first: a job whose executor lacks a run is done again, and nothing is to be noted twice.
        let paths = runs.iter().map(|(run, _)| self.worker.path(*run));
        let paths: Vec<Path> = paths.collect::<Result<_, _>>()?;
        for ((_, ways), path) in runs.into_iter().zip(paths) {
            let share = match is_counted {
                true => self.worker.shares_of_ways(&path, &ways),
                false => None,
            };
            is_counted &= share.is_some();
            shares.push(share);
            self.note_pruned(&path, &ways);
        }
        Ok(Outcome::CountedPruned(shares))
    }

    fn note_pruned(&mut self, path: &Path, pruned: &[PrunedWay]) {
        for &way in pruned {
            let worker = &mut self.worker;
            let mut behind = PrunedInputs { worker, path, way };
            let note = self.with.probe.pruned(way.category, &mut behind);
            self.send(note);
        }
    }

    /// Whether a flip goes a way that would be pruned.
    fn would_prune(&mut self, flip: &Flip) -> Result<Option<PrunedAt>, RunError> {
        let Some(aim) = self.with.aim else {
            return Ok(None);
        };
        let from = self.worker.known(flip.run)?.clone();
        let input = self.expand(&from.input);
        let cut = CutAt::of(from.path);
        let ran = self.worker.run_first(from.input.shape, input, cut)?;
        let executed = aim::executed(&ran.versions);
        let step = ran.steps.get(flip.event as usize);
        let way = step.and_then(|step| step.others.get(flip.alternative as usize));
        let (Some(executed), Some(step), Some(&way)) = (executed, step, way) else {
            return Ok(None);
        };
        let target = Target {
            way,
            ..step.taken()
        };
        let same_state_from = self.same_state_from(&ran)?;
        let first = aim.first_behind(executed);
        let before = ExecutedBefore::of(first, &target, flip.event, same_state_from);
        let category = aim.category(&target, before);
        Ok(category.map(|category| PrunedAt {
            category,
            version: target.version,
            place: aim.program(target.version).source_frame(target.site),
        }))
    }

    /// Whether it depends on the input if the versions differ on the path of a run; with an input, whether they do.
    fn differs(&mut self, run: RunId, input: Option<CompactInput>) -> Result<bool, RunError> {
        let condition = match self.conditions.get(&run) {
            Some(&condition) => condition,
            None => {
                let condition = self.worker.difference_condition(run)?;
                self.conditions.insert(run, condition);
                condition
            }
        };
        let Some(condition) = condition else {
            return Ok(false);
        };
        Ok(match input {
            Some(input) => {
                let whole = self.expand(&input);
                self.worker.holds_for(condition, &whole)
            }
            None => true,
        })
    }

    fn layers(&self) -> Vec<LayerCounts> {
        let layers = self.worker.statistics().into_iter();
        layers
            .map(|layer| LayerCounts {
                layer: layer.layer.to_owned(),
                asked: layer.asked,
                sat: layer.sat,
                unsat: layer.unsat,
                unknown: layer.unknown,
                time: layer.time,
            })
            .collect()
    }
}
