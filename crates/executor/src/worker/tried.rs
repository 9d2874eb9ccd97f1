//! Trying slices out.
//!
//! A slice leaves out decisions that, so it says, do not matter. What it says can be put to the test: an input that satisfies
//! what was kept and decides one of the others differently must behave as the partition does. A few such inputs are made and run.
//! If one does otherwise, the slice was wrong; the path is then taken as a whole. (What a proof rests on is the argument in
//! [`relational::relevance`], not these runs: they are there to catch a mistake in it.)

use super::{Proof, RunError, VersionRun, Worker};
use concolic_vm::symbolic::{PathEvent, SymbolicInput};
use expr::{Evaluation, ExprId};
use relational::compare::{self, Difference};
use rustc_hash::FxHashSet;
use solver::Answer;
use std::time::Duration;

/// How long the solver may think about each input.
const PATIENCE: Duration = Duration::from_millis(200);

impl<'p> Worker<'p> {
    /// Whether inputs that decide otherwise what was left out behave as was said of the path: of its versions' runs, why they
    /// are equal if that is known, and what was `kept` of the `whole` path.
    pub(super) fn withstands(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
        known_equal: Option<Proof>,
        [kept, whole]: [&[Vec<PathEvent>]; 2],
    ) -> Result<bool, RunError> {
        let [old, new] = versions else {
            return Ok(true);
        };
        let kept: Vec<PathEvent> = kept.iter().flatten().cloned().collect();
        let is_kept: FxHashSet<ExprId> = kept.iter().map(|event| event.condition).collect();
        let left_out: Vec<ExprId> = whole
            .iter()
            .flatten()
            .map(|event| event.condition)
            .filter(|condition| !is_kept.contains(condition))
            .collect();
        // The first and the last, and one in between.
        let mut tried = vec![0, left_out.len() / 2, left_out.len().saturating_sub(1)];
        tried.dedup();
        let own = compare::difference(&mut self.store, old, new);
        let said = match known_equal {
            Some(_) => Difference::Nowhere,
            None => own.clone(),
        };
        if self.contradicts(&said, &own, input, versions) {
            return Ok(false);
        }
        for place in tried {
            let Some(&condition) = left_out.get(place) else {
                break;
            };
            let turned = self.store.not(condition);
            let Answer::Sat(model) = self.ask_for_slice(&kept, &[turned], PATIENCE) else {
                continue;
            };
            let other = input.with_model(&self.store, &model);
            let mut others = Vec::with_capacity(2);
            for version in [0, 1] {
                let (process, run) = self.execute_version(shape, version, &other)?;
                others.push(VersionRun {
                    process,
                    run,
                    own_events: 0,
                    shared: Vec::new(),
                });
            }
            self.counts.executions += 1;
            let done = compare::difference(&mut self.store, &others[0], &others[1]);
            if self.contradicts(&said, &done, &other, &others) {
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
