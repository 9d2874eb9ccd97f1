//! Outermost layer: every model is evaluated against the query it is for.

use std::time::Instant;

use expr::{Evaluation, ExprId, Store, print_smtlib};

use crate::query::{Answer, LayerStatistics, Query, Reason, Solver};

pub struct Validate {
    below: Box<dyn Solver>,
    panics: bool,
    statistics: LayerStatistics,
}

impl Validate {
    /// A wrong model is a bug of ours or of the back end: a panic if `panics`, otherwise a loud line on
    /// standard error and an `Unknown`.
    pub fn new(below: Box<dyn Solver>, panics: bool) -> Validate {
        Validate {
            below,
            panics,
            statistics: LayerStatistics::new("validate"),
        }
    }
}

impl Solver for Validate {
    fn name(&self) -> &'static str {
        "validate"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        self.statistics.asked += 1;
        let answer = self.below.solve(store, query);
        let violated = match &answer {
            Answer::Sat(model) => {
                let mut evaluation = Evaluation::new(model.clone());
                query
                    .constraints
                    .iter()
                    .find(|&&c| !evaluation.holds(store, c))
                    .copied()
            }
            _ => None,
        };
        self.statistics.time += start.elapsed();
        let Some(violated) = violated else {
            return answer;
        };
        let script = print_smtlib(store, query.constraints);
        assert!(
            !self.panics,
            "a model violates {violated} of this query:\n{script}"
        );
        eprintln!(
            "parallax: BUG: the solver chain returned a model that violates {violated} of this \
             query; the query counts as unknown. Please report it:\n{script}"
        );
        self.statistics.unknown += 1;
        Answer::Unknown(Reason::WrongModel)
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.below.unsat_core()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        let mut all = vec![self.statistics.clone()];
        all.extend(self.below.statistics());
        all
    }

    fn reset(&mut self) {
        self.below.reset();
    }
}
