//! What a run did, as plain data.

use super::LocalExecutor;
use crate::worker::{Ran, RunError, VersionRun};
use concolic_vm::End;
use concolic_vm::symbolic::EventKind;
use expr::ExprId;
use inputs::CompactInput;
use relational::Shared;
use relational::aim;
use rustc_hash::FxHashMap;
use search::messages::{Ending, RunReport, VersionReport};
use search::{PathStep, Target};

impl<'p> LocalExecutor<'p, '_> {
    /// What is told of a run of all versions; its steps go with it.
    pub(super) fn report(
        &mut self,
        ran: &mut Ran<'p>,
        facts_known: bool,
    ) -> Result<RunReport, RunError> {
        let same_state_from = match facts_known {
            true => self.same_state_from(ran)?,
            false => None,
        };
        let suggested = std::mem::take(&mut self.worker.suggested);
        Ok(RunReport {
            input: CompactInput::new(ran.shape, &ran.input),
            steps: steps_with_twins(ran),
            versions: self.version_reports(ran),
            events: ran.path.events.len() as u32,
            path: ran.path.shape(ran.cut),
            residual: ran.residual,
            diverged: ran.diverged,
            same_state_from,
            suggested: suggested
                .iter()
                .map(|input| CompactInput::new(ran.shape, input))
                .collect(),
        })
    }

    /// The event from which on both versions are in the same state, if that is worth to know and so.
    pub(super) fn same_state_from(&mut self, ran: &Ran<'p>) -> Result<Option<u32>, RunError> {
        let from = match (self.with.aim, aim::executed(&ran.versions)) {
            (Some(aim), Some(executed)) if !ran.diverged => {
                let events = &ran.path.events;
                aim.settled_from(events, events.len() - ran.steps.len(), executed)
            }
            _ => None,
        };
        Ok(match from {
            Some(event) if self.worker.same_state_before(ran, event)? => Some(event as u32),
            _ => None,
        })
    }

    pub(super) fn version_reports(&mut self, ran: &Ran<'p>) -> Vec<VersionReport> {
        let versions = ran.versions.iter();
        versions
            .map(|version| VersionReport {
                entered: version.run.entered.clone(),
                own_events: version.own_events as u32,
                ending: ending(version),
                missing_files: self.missing_files(version),
            })
            .collect()
    }

    /// Files that a version has looked for in vain and that were not told before.
    fn missing_files(&mut self, version: &VersionRun<'_>) -> Vec<Vec<u8>> {
        let missing = version.process.machine().kernel().missing_files();
        let new: Vec<Vec<u8>> = missing.difference(&self.missing).cloned().collect();
        self.missing.extend(new.iter().cloned());
        new
    }
}

fn ending(version: &VersionRun<'_>) -> Ending {
    let outcome = &version.run.outcome;
    match &outcome.end {
        End::Exit { .. } => Ending::Exit,
        end if end.is_inconclusive() => Ending::Inconclusive(end.to_string()),
        end => Ending::Abnormal {
            kind: end.kind().to_string(),
            description: end.to_string(),
            location: outcome.location().cloned(),
        },
    }
}

/// The steps of a run. Where a later version has decided the same, with where it goes if that is decided the other way.
fn steps_with_twins(ran: &mut Ran<'_>) -> Vec<PathStep> {
    let mut steps = std::mem::take(&mut ran.steps);
    let shared = ran.versions.iter().flat_map(|version| &version.shared);
    let shared: FxHashMap<ExprId, &Shared> = shared.map(|event| (event.condition, event)).collect();
    let first = ran.path.events.len() - steps.len();
    for (step, event) in steps.iter_mut().zip(&ran.path.events[first..]) {
        let shared = shared.get(&event.condition);
        step.twin = shared.and_then(|shared| other_way(shared));
    }
    steps
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
