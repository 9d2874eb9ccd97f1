//! What a worker contributes to the partial guarantee ([`search::settled`]): the shares of parts and pruned ways.

use concolic_vm::symbolic::SymbolicInput;
use expr::{ExprId, Symbol};

use super::{CutAt, Execution, Path, PathPart, Ran, RunError, VersionRun, Worker};
use relational::compare::{self, Difference};
use relational::counting::Conjunction;
use search::{PrunedWay, RunId};

/// Terms that may be evaluated to count shares: so many at any rate, and one for so many executed instructions.
const FREE_TERMS: u64 = 10_000_000;
const INSTRUCTIONS_PER_TERM: u64 = 10;

impl<'p> Worker<'p> {
    /// Terms that may still be evaluated to count.
    fn terms_left(&self) -> u64 {
        let allowed = FREE_TERMS + self.counts.instructions / INSTRUCTIONS_PER_TERM;
        allowed.saturating_sub(self.counter.spent())
    }

    /// Which share of the inputs of its shape a part of a path has, if that can be counted.
    pub fn share_of(&mut self, ran: &Ran<'p>, part: &PathPart) -> Option<f64> {
        let mut all = Conjunction::default();
        let path = ran.path.without_implied(&self.store);
        for condition in path.into_iter().chain(part.condition) {
            if self.terms_left() == 0 {
                return None;
            }
            all.add(&mut self.counter, &self.store, condition);
        }
        let left = self.terms_left();
        all.share(&mut self.counter, &self.store, left)
    }

    /// Which share of the inputs of its shape each of these ways out of a run has, if that can be counted. The ways are in
    /// the order of their events.
    pub fn shares_of_ways(&mut self, path: &Path, ways: &[PrunedWay]) -> Option<f64> {
        let mut before = Conjunction::default();
        let mut known = 0;
        let mut sum = 0.0;
        for way in ways {
            let event = way.event as usize;
            while known < event {
                if self.terms_left() == 0 {
                    return None;
                }
                let condition = path.events[known].condition;
                before.add(&mut self.counter, &self.store, condition);
                known += 1;
            }
            let taken = path.events[event].alternatives[way.alternative as usize];
            let mut behind = before.clone();
            behind.add(&mut self.counter, &self.store, taken.condition);
            let left = self.terms_left();
            sum += behind.share(&mut self.counter, &self.store, left)?;
        }
        Some(sum)
    }

    /// The condition under which the versions differ on a run's path, if it depends on the input.
    pub fn difference_condition(&mut self, run: RunId) -> Result<Option<ExprId>, RunError> {
        let known = self.known(run)?.clone();
        let input = known.input.expand(&self.with.shapes);
        let Execution { versions, .. } =
            self.execute(known.input.shape, &input, CutAt::of(known.path))?;
        let [old, new] = &versions[..] else {
            return Ok(None);
        };
        let Difference::Where(conditions) = compare::difference(&mut self.store, old, new) else {
            return Ok(None);
        };
        let mut differs = self.store.truth(false);
        for (_, condition) in conditions {
            differs = self.store.or(differs, condition);
        }
        Ok(Some(differs))
    }

    /// What the versions do on an input.
    pub fn runs_of(
        &mut self,
        shape: u32,
        input: &SymbolicInput,
    ) -> Result<Vec<VersionRun<'p>>, RunError> {
        Ok(self.execute(shape, input, CutAt::Known(None))?.versions)
    }

    /// Whether a condition holds for an input.
    pub fn holds_for(&mut self, condition: ExprId, input: &SymbolicInput) -> bool {
        let mut evaluation = self.evaluation_of_given(input);
        evaluation.holds(&self.store, condition)
    }

    /// The variables that programs have asked for, with their sizes.
    pub fn variables(&self) -> Vec<(String, usize)> {
        let mut found = Vec::new();
        for number in 0..self.store.symbol_count() as u32 {
            if let Symbol::Variable { name, offset, size } =
                self.store.symbol(expr::SymbolId(number))
                && *offset == 0
            {
                found.push((name.to_string(), *size as usize));
            }
        }
        found
    }
}
