//! The answers of the solver to one program's queries, so that another exploration of the same program asks
//! only what is new. A query is known by its text; every answer is one of the whole solver.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use expr::{ExprId, Model, Store, Symbol, print_smtlib};
use solver::{Answer, LayerStatistics, Query, Solver};

#[derive(Clone, Default)]
pub struct Answers(Arc<Mutex<HashMap<String, Known>>>);

/// A model, by names, or that there is none.
type Known = Option<Vec<(Symbol, u64)>>;

impl Answers {
    /// A solver that answers what is known and learns the rest from `below`.
    pub fn before(&self, below: Box<dyn Solver>) -> Box<dyn Solver> {
        let answers = self.clone();
        Box::new(Remembering { answers, below })
    }
}

struct Remembering {
    answers: Answers,
    below: Box<dyn Solver>,
}

impl Solver for Remembering {
    fn name(&self) -> &'static str {
        "remembered"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let text = print_smtlib(store, query.constraints);
        let known = self.answers.0.lock().expect("no panic").get(&text).cloned();
        match known {
            Some(None) => return Answer::Unsat,
            Some(Some(values)) => {
                let mut model = Model::new();
                for (symbol, value) in values {
                    if let Some(id) = store.find_symbol(&symbol) {
                        model.set(id, value);
                    }
                }
                return Answer::Sat(model);
            }
            None => {}
        }
        let answer = self.below.solve(store, query);
        let known = match &answer {
            Answer::Unsat => None,
            Answer::Unknown(_) => return answer,
            Answer::Sat(model) => {
                let values = model.iter();
                let named = values.map(|(id, value)| (store.symbol(id).clone(), value));
                Some(named.collect())
            }
        };
        self.answers.0.lock().expect("no panic").insert(text, known);
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        None
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        self.below.statistics()
    }

    fn reset(&mut self) {
        self.below.reset();
    }
}
