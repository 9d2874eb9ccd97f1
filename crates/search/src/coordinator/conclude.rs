//! What is found out when nobody searches any more, with one executor: how much is settled, and whether a seed contradicts
//! pruning. Then everything that was found is put together.
//!
//! Pruning claims that no input behind a way shows a difference. Seeds are run wherever they go, mostly before anything is
//! known of the change, so the claim can be held against them. That costs a run for each seed with a difference.

use super::Coordinator;
use crate::counts::Counts;
use crate::messages::{Failure, Job, Outcome};
use crate::part::Part;
use crate::path_tree::RunId;
use crate::service::Executor;
use crate::settled::Settled;
use crate::summary::{Assumed, Effort, Made, Shown, Stop, Summary, WronglyPruned};
use concolic_vm::Program;
use concolic_vm::symbolic::SymbolicInput;
use inputs::InputRecord;
use rustc_hash::FxHashSet;
use std::time::Instant;

/// What was found out at the end.
#[derive(Default)]
pub(crate) struct Concluded {
    settled: Option<Settled>,
    wrongly_pruned: Option<WronglyPruned>,
}

/// A search that is over, with an executor to ask.
pub(super) struct Conclusion<'e, 'c> {
    pub(super) coordinator: &'e mut Coordinator<'c>,
    worker: usize,
    executor: &'e mut dyn Executor,
    /// Leaves runs that are under way then.
    pub(super) until: Option<Instant>,
}

impl Conclusion<'_, '_> {
    pub(super) fn ask(&mut self, job: Job) -> Result<Outcome, Failure> {
        let mut order = self.coordinator.order(job.clone());
        loop {
            let now = Instant::now();
            order.within = self.until.map(|until| until.saturating_duration_since(now));
            let reply = self.executor.perform(order);
            let counts = &mut self.coordinator.costs.counts;
            counts.insert(self.worker, reply.counts);
            match reply.outcome {
                Outcome::Lacks(run) => {
                    order = self.coordinator.order(job.clone());
                    order.records = self.coordinator.records_of(run);
                }
                Outcome::Failed(failure) => return Err(failure),
                outcome => return Ok(outcome),
            }
        }
    }

    pub(super) fn truth(&mut self, job: Job) -> Result<bool, Failure> {
        match self.ask(job)? {
            Outcome::Truth(truth) => Ok(truth),
            outcome => unreachable!("{outcome:?} is neither true nor false"),
        }
    }

    /// A seed that contradicts pruning, if there is one.
    fn wrongly_pruned(&mut self) -> Result<Option<WronglyPruned>, Failure> {
        let change = self.coordinator.known_change();
        if !change.is_some_and(|change| change.prunes()) {
            return Ok(None);
        }
        for (seed, witness) in self.coordinator.differing_seeds() {
            let Some(flip) = self.coordinator.runs.get(seed).origin.clone() else {
                continue;
            };
            let found = match self.ask(Job::WouldPrune { flip })? {
                Outcome::WouldPrune(found) => found,
                outcome => unreachable!("{outcome:?} is no answer to a doubt"),
            };
            if let Some(found) = found {
                return Ok(Some(WronglyPruned {
                    input: InputRecord::of(&witness),
                    given: witness,
                    category: found.category,
                    version: found.version,
                    place: found.place,
                }));
            }
        }
        Ok(None)
    }
}

impl Coordinator<'_> {
    /// Finds out what can be known only at the end.
    pub(crate) fn conclude(&mut self, worker: usize, executor: &mut dyn Executor) -> Concluded {
        let mut conclusion = Conclusion {
            coordinator: self,
            worker,
            executor,
            until: None,
        };
        Concluded {
            wrongly_pruned: conclusion.wrongly_pruned().ok().flatten(),
            settled: conclusion.settle(),
        }
    }

    /// The runs of seeds on which the versions differ, or in whose part of the tree they do, each with an input that
    /// shows it.
    fn differing_seeds(&self) -> Vec<(RunId, SymbolicInput)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        let seeded = &self.runs.seeded;
        let partitions = self.findings.partitions.iter();
        for partition in partitions.filter(|_| !seeded.is_empty()) {
            let Part::Different { witness, .. } = &partition.part else {
                continue;
            };
            for run in self.runs.line(partition.run) {
                if !seen.insert(run) {
                    break;
                }
                if seeded.contains(&run) {
                    found.push((run, witness.clone()));
                }
            }
        }
        found
    }

    /// What executors did, all together.
    pub(crate) fn all_counts(&self) -> Counts {
        let mut all = Counts::default();
        for counts in self.costs.counts.values() {
            all.add(counts);
        }
        all
    }

    /// Everything that was found; `programs` are the versions.
    pub(crate) fn summary(self, concluded: Concluded, programs: &[&Program]) -> Summary {
        let counts = self.all_counts();
        let open_flips = self.left();
        let taken_as_is = self.findings.taken_as_is(programs);
        let findings = self.findings;
        Summary {
            stop: self.work.stop.unwrap_or(Stop::Finished),
            paths: findings.paths,
            paths_before: findings.paths_before,
            runs: findings.runs,
            open_flips,
            gaps: findings.gaps,
            cut_off: findings.cut_off,
            shown: Shown {
                errors: findings.errors.into_values().collect(),
                tests: findings.tests,
                coverage: findings.coverage,
            },
            assumed: Assumed {
                taken_as_is,
                missing_files: findings.missing_files,
            },
            partitions: findings.partitions,
            settled: concluded.settled,
            made: Made {
                propagation: self.looks.counts,
                spliced: findings.spliced,
                trials: self.trials.map(|trials| trials.counts()),
            },
            pruned: self.pruned.count.summary(programs),
            wrongly_pruned: concluded.wrongly_pruned,
            effort: Effort {
                counts,
                layers: self.costs.layers,
                wall: self.start.elapsed(),
            },
        }
    }
}
