//! A run that goes on deciding, as in a loop that does not end, goes on for its own input alone.
//!
//! After [`SymbolicLimits::decisions`] events one more says "the input is exactly this one", and from then on the run
//! has no terms. So a path has a bounded length but for the variables that the program asks for later, each of which is taken
//! in the same way. What a path promises still holds: all other inputs that decide the same up to there are the alternative
//! of that event.

use super::recorder::{Record, Recorder};
use super::{Alternative, EventKind, PathEvent, Reason, SymbolicInput, SymbolicLimits};
use crate::machine::Machine;
use crate::site::CodeSite;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// When the input is concretised, and which input that is.
#[derive(Clone, Debug, Default)]
pub(super) struct DecisionLimit {
    /// There is no limit for inputs that only the caller knows.
    input: Option<Arc<SymbolicInput>>,
    /// The number of events from which on it is; `None` if it has been.
    from: Option<usize>,
    /// The machine was told to stop for it.
    stops: bool,
    /// It has been: what came before had terms that are gone.
    has_taken: bool,
}

impl DecisionLimit {
    pub(super) fn set_input(&mut self, input: &SymbolicInput, limits: SymbolicLimits) {
        self.input = Some(Arc::new(input.clone()));
        self.from = Some(limits.decisions as usize);
        self.has_taken = false;
    }

    /// The program has asked for a variable. Should the input have been taken, this is to be, too.
    pub(super) fn meets_new_symbols(&mut self) {
        if self.input.is_some() {
            self.from.get_or_insert(0);
        }
    }

    /// Whether a machine that has stopped did so for this. Where else it stops must leave no trace in a path.
    pub(super) fn stops(&self) -> bool {
        self.stops
    }
}

impl Record {
    /// Stops a machine that goes to another block if the input is to be concretised.
    #[inline(always)]
    pub(super) fn limit_decisions(&mut self, machine: &mut Machine<'_>) {
        let limit = &mut self.decision_limit;
        if limit.from.is_some_and(|from| self.path.len() >= from) {
            limit.stops = true;
            machine.step_limit = 0;
        }
    }

    /// Whether the run had terms only up to some event.
    pub(super) fn has_taken_input(&self) -> bool {
        self.decision_limit.has_taken
    }
}

impl Recorder<'_> {
    /// From here on the run is one of the input alone.
    pub(super) fn take_input_as_it_is(&mut self, machine: &mut Machine<'_>) {
        let Recorder { store, record } = self;
        record.decision_limit.from = None;
        record.decision_limit.stops = false;
        record.decision_limit.has_taken = true;
        let Some(input) = &record.decision_limit.input else {
            return;
        };
        let mut way = FxHasher::default();
        let mut condition = store.truth(true);
        input.for_each_symbol(&machine.variables.named, |symbol, value| {
            value.hash(&mut way);
            let byte = store.symbol_term(&symbol);
            let value = store.constant(u128::from(value), 8);
            let same = store.eq(byte, value);
            condition = store.and(condition, same);
        });
        let other = store.not(condition);
        let frame = machine.frames.last().expect("it is running");
        record.path.push(PathEvent {
            site: CodeSite {
                function: frame.function,
                pc: frame.pc,
            },
            kind: EventKind::Concretised(Reason::ManyDecisions),
            condition,
            way: way.finish(),
            alternatives: [Alternative {
                condition: other,
                way: None,
            }]
            .into_iter()
            .collect(),
            instructions: machine.instructions,
        });
        if let Some(decided) = &mut record.decided {
            decided.push((condition, true));
        }
        record.forget_terms();
        machine.forget_terms();
    }
}
