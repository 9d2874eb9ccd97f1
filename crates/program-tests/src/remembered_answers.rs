//! The answers of the solver to one program's queries, so that another exploration of the same program asks
//! only what is new. A query is known by its text; every answer is one of the whole solver.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expr::{ExprId, Model, Store, Symbol, print_smtlib};
use solver::{Answer, LayerStatistics, Query, Reason, Solver};

#[derive(Clone, Default)]
pub struct Answers {
    found: Arc<Mutex<HashMap<String, FoundAnswer>>>,
    /// If kept: the queries that the solver gave up, with the time that it had.
    given_up: Option<Arc<Mutex<GivenUp>>>,
}

/// A model, by names, or that there is none.
type FoundAnswer = Option<Vec<(Symbol, u64)>>;

/// By the text of a query: the time that the solver had, and why it gave up.
type GivenUp = HashMap<String, (Duration, Reason)>;

impl Answers {
    /// A query that was given up once is given up again when it is asked with no more time, also if it was answered with more in
    /// between. So an exploration that is repeated does not depend on the clock.
    pub fn with_those_given_up() -> Answers {
        Answers {
            given_up: Some(Arc::default()),
            ..Answers::default()
        }
    }

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
        if let Some(given_up) = &self.answers.given_up
            && let Some((time, reason)) = given_up.lock().expect("no panic").get(&text)
            && query.timeout <= *time
        {
            return Answer::Unknown(reason.clone());
        }
        let found = self.answers.found.lock().expect("no panic");
        let known = found.get(&text).cloned();
        drop(found);
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
            Answer::Unknown(reason) => {
                if let Some(given_up) = &self.answers.given_up {
                    let mut given_up = given_up.lock().expect("no panic");
                    given_up.insert(text, (query.timeout, reason.clone()));
                }
                return answer;
            }
            Answer::Sat(model) => {
                let values = model.iter();
                let named = values.map(|(id, value)| (store.symbol(id).clone(), value));
                Some(named.collect())
            }
        };
        let mut found = self.answers.found.lock().expect("no panic");
        found.insert(text, known);
        drop(found);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives up the first time, and finds that there is no model after that.
    struct Slow(u32);

    impl Solver for Slow {
        fn name(&self) -> &'static str {
            "slow"
        }

        fn solve(&mut self, _: &Store, _: &Query) -> Answer {
            self.0 += 1;
            match self.0 {
                1 => Answer::Unknown(Reason::Timeout),
                _ => Answer::Unsat,
            }
        }

        fn unsat_core(&self) -> Option<&[ExprId]> {
            None
        }

        fn statistics(&self) -> Vec<LayerStatistics> {
            Vec::new()
        }

        fn reset(&mut self) {}
    }

    #[test]
    fn a_query_that_was_given_up_is_given_up_again() {
        let store = Store::new();
        let ask = |solver: &mut dyn Solver, seconds: u64| {
            let query = Query {
                constraints: &[],
                timeout: Duration::from_secs(seconds),
            };
            solver.solve(&store, &query)
        };
        let mut solver = Answers::with_those_given_up().before(Box::new(Slow(0)));
        assert!(ask(&mut *solver, 2).is_unknown());
        assert!(ask(&mut *solver, 2).is_unknown());
        assert!(ask(&mut *solver, 3).is_unsat());
        assert!(ask(&mut *solver, 2).is_unknown());
        let mut solver = Answers::default().before(Box::new(Slow(0)));
        assert!(ask(&mut *solver, 2).is_unknown());
        assert!(ask(&mut *solver, 2).is_unsat());
    }
}
