//! Comparing more than two versions on one path (thesis §3.2.3).
//!
//! On a path, each two versions behave the same everywhere, or nowhere, or where a condition over the input does not hold.
//! The inputs of the path fall into parts by which of these conditions hold: on one part, each two versions relate in one
//! way. The first part is that of the run's own input. For each further one the solver is asked for an input in none of the
//! known parts; if there is none, the parts are all. So every part has an input, except for one that stands for all
//! that the solver did not decide.

use std::time::Duration;

use concolic_vm::symbolic::SymbolicInput;
use expr::ExprId;
use solver::Answer;

use super::{Part, PathPart, Proof, Ran, Worker};
use crate::compare::{self, Difference, Observable};
use crate::relations::{Relation, Relations, pairs};

/// More parts of one path are not told apart.
const MOST_PARTS: usize = 64;

/// A part of a path, with how the versions relate there.
pub(crate) struct RelatedPart {
    pub part: PathPart,
    pub relations: Relations,
}

/// How the versions relate on a path, and which of its parts are known.
pub(crate) struct Several {
    versions: usize,
    /// In the order of [`pairs`].
    differences: Vec<Difference>,
    /// Each holds outside of a part that is known.
    outside: Vec<ExprId>,
    /// All parts are known.
    is_done: bool,
}

impl<'p> Worker<'p> {
    /// Begins the comparison of all versions on the path of a run: the part of the run's own input.
    pub(crate) fn compare_several(&mut self, ran: &Ran<'p>) -> (Several, RelatedPart) {
        let versions = ran.versions.len();
        let differences = pairs(versions).map(|(one, other)| {
            compare::difference(&mut self.store, &ran.versions[one], &ran.versions[other])
        });
        let mut several = Several {
            versions,
            differences: differences.collect(),
            outside: Vec::new(),
            is_done: false,
        };
        let first = self.part_at(&mut several, ran, ran.input.clone());
        (several, first)
    }

    /// A further part of the path, if there is one.
    pub(crate) fn another_part(
        &mut self,
        several: &mut Several,
        ran: &Ran<'p>,
        time_left: Option<Duration>,
    ) -> Option<RelatedPart> {
        if several.is_done {
            return None;
        }
        if several.outside.len() >= MOST_PARTS {
            let why = format!("more than {MOST_PARTS} ways to relate on one path");
            return Some(self.rest(several, ran, &why, time_left));
        }
        match self.ask(&ran.path.events, &several.outside, time_left) {
            Answer::Unsat => {
                several.is_done = true;
                None
            }
            Answer::Sat(model) => {
                let input = ran.input.with_model(&self.store, &model);
                Some(self.part_at(several, ran, input))
            }
            Answer::Unknown(reason) => {
                Some(self.rest(several, ran, &reason.to_string(), time_left))
            }
        }
    }

    /// The part that an input of the path belongs to.
    fn part_at(
        &mut self,
        several: &mut Several,
        ran: &Ran<'p>,
        input: SymbolicInput,
    ) -> RelatedPart {
        let mut evaluation = self.evaluation(&input, ran);
        let mut inside = self.store.truth(true);
        let mut depends = false;
        let mut observables: Vec<Observable> = Vec::new();
        let mut see = |observable: &Observable| {
            if !observables.contains(observable) {
                observables.push(observable.clone());
            }
        };
        let mut differences = several.differences.iter();
        let relations = Relations::new(several.versions, |_, _| {
            match differences.next().expect("one for each pair") {
                Difference::Nowhere => Relation::Same,
                Difference::NotKnown(why) => Relation::NotKnown(why.clone()),
                Difference::Everywhere(everywhere) => {
                    everywhere.iter().for_each(&mut see);
                    Relation::Different
                }
                Difference::Where(conditions) => {
                    depends = true;
                    let mut differs = self.store.truth(false);
                    for (observable, condition) in conditions {
                        differs = self.store.or(differs, *condition);
                        if evaluation.holds(&self.store, *condition) {
                            see(observable);
                        }
                    }
                    let is_different = evaluation.holds(&self.store, differs);
                    let holds = match is_different {
                        true => differs,
                        false => self.store.not(differs),
                    };
                    inside = self.store.and(inside, holds);
                    match is_different {
                        true => Relation::Different,
                        false => Relation::Same,
                    }
                }
            }
        });
        let part = if relations.any_differ() {
            Part::Different {
                observables,
                witness: input,
            }
        } else if let Some(why) = relations.open() {
            let why = why.to_owned();
            Part::Unknown { why }
        } else {
            Part::Equal {
                by: match depends {
                    true => Proof::Solver,
                    false => Proof::SameTerms,
                },
            }
        };
        // On all of the path, if nothing depends on the input.
        several.is_done = !depends;
        let outside = self.store.not(inside);
        several.outside.push(outside);
        RelatedPart {
            part: PathPart {
                part,
                condition: depends.then_some(inside),
            },
            relations,
        }
    }

    /// What is left of the path, decided for each two versions as far as that is possible. There may be no input in it.
    fn rest(
        &mut self,
        several: &mut Several,
        ran: &Ran<'p>,
        why: &str,
        time_left: Option<Duration>,
    ) -> RelatedPart {
        several.is_done = true;
        let mut differences = several.differences.iter();
        let relations = Relations::new(several.versions, |_, _| {
            match differences.next().expect("one for each pair") {
                Difference::Nowhere => Relation::Same,
                Difference::Everywhere(_) => Relation::Different,
                Difference::NotKnown(why) => Relation::NotKnown(why.clone()),
                Difference::Where(conditions) => {
                    let mut differs = self.store.truth(false);
                    for &(_, condition) in conditions {
                        differs = self.store.or(differs, condition);
                    }
                    // On the whole path: that is easier to decide than what is left of it.
                    match self.ask(&ran.path.events, &[differs], time_left) {
                        Answer::Unsat => Relation::Same,
                        _ => Relation::NotKnown(why.to_owned()),
                    }
                }
            }
        });
        let mut inside = self.store.truth(true);
        for &outside in &several.outside {
            inside = self.store.and(inside, outside);
        }
        let part = Part::Unknown {
            why: relations.open().unwrap_or(why).to_owned(),
        };
        RelatedPart {
            part: PathPart {
                part,
                condition: Some(inside),
            },
            relations,
        }
    }
}
