//! A seed that shows a difference behind a way that pruning leaves out: then pruning is wrong, and so may be what it proved.
//!
//! Pruning claims that no input behind a way shows a difference. Seeds are run wherever they go, mostly before anything is
//! known of the change, so the claim can be held against them. That costs a run for each seed with a difference.

use super::Search;
use super::state::State;
use crate::input::InputRecord;
use crate::path_tree::Target;
use crate::pruning::{Behind, Executed};
use crate::summary::WronglyPruned;
use crate::worker::{CutAt, Known, Part, RunError, Worker};
use concolic_vm::symbolic::SymbolicInput;
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl State {
    /// The runs of seeds on which the versions differ, or in whose part of the tree they do, each with an input that
    /// shows it.
    fn differing_seeds(&self) -> Vec<(Arc<Known>, SymbolicInput)> {
        let mut found = Vec::new();
        let mut seen = FxHashSet::default();
        for partition in self.partitions.iter().filter(|_| !self.seeded.is_empty()) {
            let Part::Different { witness, .. } = &partition.part else {
                continue;
            };
            let mut known = self.known(partition.run);
            while seen.insert(known.run) {
                if self.seeded.contains(&known.run) {
                    found.push((known.clone(), witness.clone()));
                }
                let Some((_, from)) = &known.origin else {
                    break;
                };
                known = from.clone();
            }
        }
        found
    }
}

impl<'p> Search<'_, '_, 'p> {
    /// A seed that contradicts pruning, if there is one.
    pub(super) fn wrong_pruning(
        &self,
        worker: &mut Worker<'p>,
    ) -> Result<Option<WronglyPruned>, RunError> {
        let Some(aim) = self.aim.as_ref().filter(|aim| aim.prune) else {
            return Ok(None);
        };
        let seeds = {
            let state = self.lock();
            match state.facts_known {
                true => state.differing_seeds(),
                false => return Ok(None),
            }
        };
        for (seed, witness) in seeds {
            let Some((flip, from)) = &seed.origin else {
                continue;
            };
            let input = from.input.expand(&self.config.shapes);
            let ran = worker.run_first(from.input.shape, input, CutAt::of(from.path))?;
            let Some(executed) = Executed::by(&ran) else {
                continue;
            };
            let Some(step) = ran.steps.get(flip.event as usize) else {
                continue;
            };
            let Some(&way) = step.others.get(flip.alternative as usize) else {
                continue;
            };
            let target = Target {
                version: step.version,
                site: step.site,
                kind: step.kind,
                way,
            };
            let same_state_from = match aim.settled_from(&ran, executed) {
                Some(event) if worker.same_state_before(&ran, event)? => Some(event),
                _ => None,
            };
            let first = aim.first_behind(executed);
            let behind = Behind::of(first, &target, flip.event, same_state_from);
            if let Some(category) = aim.category(&target, behind) {
                return Ok(Some(WronglyPruned {
                    input: InputRecord::of(&witness),
                    given: witness,
                    category,
                    version: target.version,
                    place: aim.program(target.version).source_frame(target.site),
                }));
            }
        }
        Ok(None)
    }
}
