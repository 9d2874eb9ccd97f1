//! For tests: two solvers answer every query and must not contradict each other.

use expr::{ExprId, Store, print_smtlib};

use crate::query::{Answer, LayerStatistics, Query, Solver};

pub struct CrossCheck {
    trusted: Box<dyn Solver>,
    checked: Box<dyn Solver>,
}

impl CrossCheck {
    pub fn new(trusted: Box<dyn Solver>, checked: Box<dyn Solver>) -> CrossCheck {
        CrossCheck { trusted, checked }
    }
}

impl Solver for CrossCheck {
    fn name(&self) -> &'static str {
        "cross-check"
    }

    /// The checked solver's answer; panics if one says `Sat` and the other `Unsat`, or if the core of an
    /// `Unsat` is satisfiable.
    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let expected = self.trusted.solve(store, query);
        let answer = self.checked.solve(store, query);
        let contradiction =
            (expected.is_sat() && answer.is_unsat()) || (expected.is_unsat() && answer.is_sat());
        assert!(
            !contradiction,
            "{} says {expected:?}, {} says {answer:?} of\n{}",
            self.trusted.name(),
            self.checked.name(),
            print_smtlib(store, query.constraints)
        );
        if answer.is_unsat()
            && let Some(core) = self.checked.unsat_core()
        {
            let core = core.to_vec();
            let again = self.trusted.solve(
                store,
                &Query {
                    constraints: &core,
                    ..*query
                },
            );
            assert!(
                !again.is_sat(),
                "satisfiable core:\n{}",
                print_smtlib(store, &core)
            );
        }
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.checked.unsat_core()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = self.checked.statistics();
        all.extend(self.trusted.statistics());
        all
    }

    fn reset(&mut self) {
        self.trusted.reset();
        self.checked.reset();
    }
}
