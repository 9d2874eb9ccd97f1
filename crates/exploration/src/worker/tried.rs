//! Trying slices out.
//!
//! A slice leaves out decisions that, so it says, do not matter. What it says can be put to the test: an input that satisfies
//! what was kept and decides one of the others differently must behave as the partition does. A few such inputs are made and run.
//! If one does otherwise, the slice was wrong; the path is then taken as a whole. (What a proof rests on is the argument in
//! [`crate::relevance`], not these runs: they are there to catch a mistake in it.)

use super::{Execution, Proof, VersionRun, Worker};
use crate::compare::{self, Difference};
use concolic_vm::symbolic::{PathEvent, SymbolicInput, SymbolicStartError};
use expr::{Evaluation, ExprId};
use rustc_hash::FxHashSet;
use solver::Answer;
use std::time::Duration;

/// Decisions that are turned, at most, and how long the solver may think about each.
const TRIES: usize = 3;
const PATIENCE: Duration = Duration::from_millis(200);

impl<'p> Worker<'p> {
    /// Whether inputs that decide otherwise what was left out of a path behave as the path says.
    pub(super) fn withstands(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
        sliced: &Execution<'p>,
        whole: &[PathEvent],
    ) -> Result<bool, SymbolicStartError> {
        let kept: FxHashSet<ExprId> = sliced
            .path
            .events
            .iter()
            .map(|event| event.condition)
            .collect();
        let left_out: Vec<ExprId> = whole
            .iter()
            .map(|event| event.condition)
            .filter(|condition| !kept.contains(condition))
            .collect();
        // The first and the last, and one in between.
        let mut tried = vec![0, left_out.len().saturating_sub(1), left_out.len() / 2];
        tried.truncate(TRIES);
        tried.sort_unstable();
        tried.dedup();
        let said = self.difference_of(sliced);
        if let [old, new] = &sliced.versions[..] {
            let own = compare::difference(&mut self.store, old, new);
            if self.contradicts(&said, &own, input, &sliced.versions) {
                return Ok(false);
            }
        }
        for place in tried {
            let Some(&condition) = left_out.get(place) else {
                break;
            };
            let turned = self.store.not(condition);
            let Answer::Sat(model) = self.ask_for_slice(&sliced.path.events, &[turned], PATIENCE)
            else {
                continue;
            };
            let other = input.with_model(&self.store, &model);
            let mut versions = Vec::with_capacity(2);
            for version in [0, 1] {
                let (process, run) = self.execute_version(shape, version, &other)?;
                versions.push(VersionRun {
                    process,
                    run,
                    own_events: 0,
                    shared: Vec::new(),
                });
            }
            self.counts.executions += 1;
            let done = compare::difference(&mut self.store, &versions[0], &versions[1]);
            if self.contradicts(&said, &done, &other, &versions) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether runs on an input show something else than what was said of it.
    fn contradicts(
        &mut self,
        said: &Difference,
        done: &Difference,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
    ) -> bool {
        let variables = versions.iter().flat_map(|version| &version.run.variables);
        let variables: Vec<_> = variables.cloned().collect();
        let mut evaluation = Evaluation::new(input.model(&mut self.store, &variables));
        let predicted = self.differs(said, &mut evaluation);
        let seen = self.differs(done, &mut evaluation);
        predicted
            .zip(seen)
            .is_some_and(|(predicted, seen)| predicted != seen)
    }

    /// What a path says about its inputs.
    fn difference_of(&mut self, execution: &Execution<'p>) -> Difference {
        match execution.known_equal {
            Some(Proof::ChangeNotReached | Proof::SameState) => Difference::Nowhere,
            _ => {
                let [old, new] = &execution.versions[..] else {
                    return Difference::NotKnown("there are more than two versions".to_owned());
                };
                compare::difference(&mut self.store, old, new)
            }
        }
    }

    /// Whether an input behaves differently, if that is known.
    fn differs(&self, difference: &Difference, evaluation: &mut Evaluation) -> Option<bool> {
        match difference {
            Difference::Nowhere => Some(false),
            Difference::Everywhere(_) => Some(true),
            Difference::Where(conditions) => {
                let mut conditions = conditions.iter();
                Some(conditions.any(|(_, condition)| evaluation.holds(&self.store, *condition)))
            }
            Difference::NotKnown(_) => None,
        }
    }
}
