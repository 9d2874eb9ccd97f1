//! Which inputs a partition, or a way that was pruned, stands for. For probes.

use crate::worker::{Path, PathPart, Ran, Worker};
use concolic_vm::symbolic::SymbolicInput;
use expr::VariableKinds;
use inputs::SplitMix;
use relational::outputs::SymbolicOutput;
use search::PrunedWay;
use std::sync::Arc;

/// Which inputs a partition has.
pub struct Members<'m, 'p> {
    pub(crate) worker: &'m mut Worker<'p>,
    pub(crate) ran: &'m Ran<'p>,
    pub(crate) part: &'m PathPart,
}

impl Members<'_, '_> {
    /// The partition's conditions in the user's words.
    pub fn describe(&self) -> Vec<String> {
        self.worker.describe(self.ran, self.part)
    }

    /// What the versions put out on its inputs. Nothing is known of that where only not executing a change was proved.
    pub fn outputs(&mut self) -> Vec<SymbolicOutput> {
        self.worker.outputs(self.ran)
    }

    /// Says what the variables of the input are, for [`Members::describe`].
    pub fn set_variable_kinds(&mut self, kinds: &Arc<VariableKinds>) {
        self.worker.set_variable_kinds(kinds.clone());
    }

    /// Whether an input of the same shape belongs to it.
    pub fn contain(&mut self, input: &SymbolicInput) -> bool {
        self.worker.contains(self.ran, self.part, input)
    }

    /// At most so many of its inputs, chosen at random, no two of them alike. The same seed gives the same ones.
    pub fn sample(&mut self, count: usize, seed: u64) -> Vec<SymbolicInput> {
        let mut random = SplitMix(seed);
        let (worker, ran, part) = (&mut *self.worker, self.ran, self.part);
        worker.sample(ran, part, count, &mut random)
    }
}

/// The inputs that go a way that was pruned.
pub struct PrunedInputs<'m, 'p> {
    pub(crate) worker: &'m mut Worker<'p>,
    /// The path of the run that did not go that way.
    pub(crate) path: &'m Path,
    pub(crate) way: PrunedWay,
}

impl PrunedInputs<'_, '_> {
    /// Whether an input of the same shape is one of them.
    pub fn contain(&mut self, input: &SymbolicInput) -> bool {
        let PrunedWay {
            event, alternative, ..
        } = self.way;
        self.worker
            .goes_another_way(self.path, event, alternative, input)
    }
}
