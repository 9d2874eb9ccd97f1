//! Two back ends in a row: what the first does not support goes to the second.

use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};
use expr::{ExprId, Store};

pub struct Fallback {
    first: Box<dyn Solver>,
    second: Box<dyn Solver>,
    second_answered: bool,
}

impl Fallback {
    pub fn new(first: Box<dyn Solver>, second: Box<dyn Solver>) -> Fallback {
        Fallback {
            first,
            second,
            second_answered: false,
        }
    }
}

impl Solver for Fallback {
    fn name(&self) -> &'static str {
        "fallback"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let answer = self.first.solve(store, query);
        self.second_answered = matches!(answer, Answer::Unknown(Reason::Unsupported(_)));
        match self.second_answered {
            true => self.second.solve(store, query),
            false => answer,
        }
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        match self.second_answered {
            true => self.second.unsat_core(),
            false => self.first.unsat_core(),
        }
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = self.first.statistics();
        all.extend(self.second.statistics());
        all
    }

    fn reset(&mut self) {
        self.first.reset();
        self.second.reset();
    }
}
