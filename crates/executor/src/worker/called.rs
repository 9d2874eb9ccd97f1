//! Runs whose first call that may execute a change does the same in both versions ([`relational::alone::CallsAlike`]).
//!
//! Where it does not, the solver has found an input on which it does something else. Such inputs are run next: what they do there may be
//! seen at the end.

use super::{RunError, VersionRun, Worker};
use concolic_vm::symbolic::{PathEvent, SymbolicInput};
use program_ir::Func;
use relational::alone::{CallsAlike, Within};
use rustc_hash::FxHashMap;
use search::PathShape;
use solver::Answer;
use std::time::Duration;

/// How long the solver may think about a call.
const PATIENCE: Duration = Duration::from_secs(1);
/// Calls of a function that were asked about in vain, beyond those that do the same, until it is left alone.
const IN_VAIN: u32 = 4;

/// What became of the calls of a function, by the old version's.
#[derive(Default)]
pub(super) struct KnownCalls(FxHashMap<Func, Tally>);

#[derive(Clone, Copy, Default)]
struct Tally {
    same: u32,
    in_vain: u32,
    /// Nothing could be said of a call.
    is_refused: bool,
}

impl Tally {
    fn is_worth_asking(self) -> bool {
        !self.is_refused && self.in_vain < self.same + IN_VAIN
    }
}

/// Where a path was cut so that only what comes before its call is left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CutAt {
    /// Whether the path can be cut is not known yet.
    Unknown,
    /// When it was run first, so many events of the old version were kept, or all.
    Known(Option<u32>),
}

impl CutAt {
    /// As it was when its path looked like this.
    pub(crate) fn of(path: Option<PathShape>) -> CutAt {
        path.map_or(CutAt::Unknown, |path| CutAt::Known(path.cut))
    }
}

/// Leaves so many events of the old version, and none of the new.
pub(super) fn cut(paths: &mut [Vec<PathEvent>], events: usize) {
    paths[0].truncate(events);
    paths[1..].iter_mut().for_each(Vec::clear);
}

impl<'p> Worker<'p> {
    /// How many events of the old version lead to a call behind which nothing is different.
    pub(super) fn events_before_same_call(
        &mut self,
        calls: &CallsAlike<'_>,
        input: &SymbolicInput,
        versions: &[VersionRun<'p>],
        paths: &[Vec<PathEvent>],
    ) -> Result<Option<usize>, RunError> {
        for (pair, events) in calls.entered_first(&versions[0].run.entered) {
            let tally = self.known_calls.0.get(&pair.0).copied();
            if !tally.unwrap_or_default().is_worth_asking() {
                continue;
            }
            // Both come to the call by the same decisions, or something is wrong.
            let decided = |path: &Vec<PathEvent>| {
                let conditions = path.iter().take(events).map(|event| event.condition);
                conditions.collect::<Vec<_>>()
            };
            if decided(&paths[0]) != decided(&paths[1]) {
                return Ok(None);
            }
            let mut process = self.start(0, input)?;
            let called = process.run_to_call(&mut self.store, pair.0);
            self.counts.instructions += process.machine().instructions();
            let Some(called) = called.filter(|called| called.events == events) else {
                continue;
            };
            if !calls.is_last(called.caller) {
                continue;
            }
            let mut is_same = false;
            let (mut asked, mut other) = (None, None);
            for within in [Within::Assumed, Within::InPlace] {
                let differs = calls.differ(&mut self.store, pair, &called, within);
                let Some(differs) = differs.filter(|_| differs != asked) else {
                    continue;
                };
                asked = Some(differs);
                let answer = match self.store.is_false(differs) {
                    true => Answer::Unsat,
                    false => self.ask_for_slice(&paths[0][..events], &[differs], PATIENCE),
                };
                match answer {
                    Answer::Unsat => is_same = true,
                    Answer::Sat(model) => other = Some(input.with_model(&self.store, &model)),
                    Answer::Unknown(_) => {}
                }
                if is_same {
                    break;
                }
            }
            let tally = self.known_calls.0.entry(pair.0).or_default();
            tally.is_refused |= asked.is_none();
            match is_same {
                true => tally.same += 1,
                false => tally.in_vain += 1,
            }
            if is_same {
                return Ok(Some(events));
            }
            self.suggested.extend(other);
        }
        Ok(None)
    }
}
