//! Running many inputs without terms, and telling which of them show something ([`search::trials`]).
//!
//! An executor tells every feature of runs, place and variable only once: what it has told is known.

use super::LocalExecutor;
use crate::worker::{Plain, RunError};
use concolic_vm::observe::{Edges, MAGNITUDES, SLOTS};
use concolic_vm::symbolic::{Coverage, SymbolicInput};
use inputs::CompactInput;
use relational::plain::{PlainRun, difference};
use search::Observable;
use search::messages::{Outcome, Tried, TriedInput};
use std::collections::BTreeSet;

/// A run that does not end is looked after this often, in instructions: whether there is still time.
const SLICE: u64 = 4_000_000;

/// What was told of trials, and what is used again for each of them.
pub(super) struct Told {
    versions: Vec<ToldVersion>,
    variables: BTreeSet<(String, usize)>,
}

struct ToldVersion {
    edges: Edges,
    /// By slot: the orders of magnitude that were met, one bit each.
    features: Vec<u8>,
    entered: Coverage,
}

impl ToldVersion {
    /// Tells what the last run has shown and was not told yet.
    fn tell(&mut self, number: u8, shown: &mut TriedInput) {
        for feature in self.edges.features() {
            let (slot, bit) = (feature / MAGNITUDES, 1 << (feature % MAGNITUDES));
            let met = &mut self.features[slot as usize];
            if *met & bit == 0 {
                *met |= bit;
                shown.features.push((number, feature));
            }
        }
        let mut new = Vec::new();
        for &operation in self.edges.entered() {
            if self.entered.add(&[operation]) {
                new.push(operation);
            }
        }
        shown.entered.push(new);
    }
}

const _: () = assert!(MAGNITUDES == u8::BITS);

impl<'p> LocalExecutor<'p, '_> {
    pub(super) fn try_all(
        &mut self,
        inputs: &[CompactInput],
        steps: [u64; 2],
    ) -> Result<Outcome, RunError> {
        self.worker.tidy();
        let mut told = match self.told.take() {
            Some(told) => told,
            None => self.nothing_told(),
        };
        let mut tried = Tried::default();
        for (index, input) in (0..).zip(inputs) {
            if !self.worker.may_go_on() {
                break;
            }
            let whole = self.expand(input);
            let shown = self.try_one(&mut told, input.shape, &whole, steps, &mut tried)?;
            tried.inputs += 1;
            if let Some(shown) = shown {
                tried.shown.push(TriedInput { index, ..shown });
            }
        }
        self.told = Some(told);
        Ok(Outcome::Tried(tried))
    }

    fn nothing_told(&self) -> Told {
        let versions = self.with.surroundings.versions.iter();
        Told {
            versions: versions
                .map(|version| ToldVersion {
                    edges: Edges::new(version.program),
                    features: vec![0; SLOTS],
                    entered: Coverage::default(),
                })
                .collect(),
            variables: BTreeSet::new(),
        }
    }

    /// Runs one input on all versions; what it shows, if anything.
    fn try_one(
        &mut self,
        told: &mut Told,
        shape: u32,
        input: &SymbolicInput,
        [usual, apart]: [u64; 2],
        tried: &mut Tried,
    ) -> Result<Option<TriedInput>, RunError> {
        let mut runs: Vec<Plain<'p>> = Vec::with_capacity(told.versions.len());
        for (version, told) in told.versions.iter_mut().enumerate() {
            let run = self
                .worker
                .run_plain(shape, version, input, usual, &mut told.edges)?;
            runs.push(run);
        }
        if runs.iter().all(|run| run.outcome.is_none()) {
            tried.cut_off += 1;
            return Ok(None);
        }
        for run in &mut runs {
            if run.outcome.is_some() {
                tried.longest = tried.longest.max(run.machine.instructions());
            }
            self.wait_for(run, apart);
        }
        for run in &runs {
            for (name, size) in run.machine.named_variables() {
                let variable = (name.to_string(), *size as usize);
                if told.variables.insert(variable.clone()) {
                    tried.variables.push(variable);
                }
            }
        }
        let different = different(runs);
        let mut shown = TriedInput {
            index: 0,
            features: Vec::new(),
            entered: Vec::new(),
            different,
        };
        for (number, version) in (0..).zip(&mut told.versions) {
            version.tell(number, &mut shown);
        }
        let is_new = |entered: &Vec<u32>| !entered.is_empty();
        let shows = !shown.features.is_empty()
            || !shown.different.is_empty()
            || shown.entered.iter().any(is_new);
        Ok(shows.then_some(shown))
    }

    /// Another version has ended: this one has more time.
    fn wait_for(&mut self, run: &mut Plain<'p>, steps: u64) {
        let mut left = steps;
        while run.outcome.is_none() && left > 0 && self.worker.may_go_on() {
            self.worker.go_on_plain(run, left.min(SLICE));
            left = left.saturating_sub(SLICE);
        }
    }
}

/// In what any two versions differ; nothing if one was cut off.
fn different(runs: Vec<Plain<'_>>) -> Vec<Observable> {
    let ended = runs.into_iter().map(|run| {
        Some(PlainRun {
            machine: run.machine,
            outcome: run.outcome?,
        })
    });
    let Some(ended) = ended.collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let mut found: Vec<Observable> = Vec::new();
    for (number, one) in ended.iter().enumerate() {
        for other in &ended[number + 1..] {
            for observable in difference(one, other) {
                if !found.contains(&observable) {
                    found.push(observable);
                }
            }
        }
    }
    found
}
