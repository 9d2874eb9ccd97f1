//! Comparing the versions on one path (thesis §3.2, Definitions 1 and 2: differential partitions of two versions, and of more).
//!
//! On a path, each two versions behave the same everywhere, or nowhere, or where a condition over the input does not hold.
//! The inputs of the path fall into parts by which of these conditions hold: on one part, each two versions relate in one
//! way. The first part is that of the run's own input. For each further one the solver is asked for an input in none of the
//! known parts; if there is none, the parts are all. So every part has an input, except for one that stands for all
//! that the solver did not decide.
//!
//! With one condition, as between two versions, there are at most two parts, and how the versions relate on the second follows
//! from the first: nothing more is asked once both are known, and what a difference leaves out is equal whether or not it is
//! empty.

use std::time::Duration;

use concolic_vm::symbolic::SymbolicInput;
use expr::ExprId;
use solver::Answer;

use super::{PathPart, Ran, Worker, undecided};
use relational::compare::{self, Difference, Observable};
use search::relations::pairs;
use search::{Part, Proof, Relation, Relations, WhyUnknown};

/// More parts of one path are not told apart.
const MOST_PARTS: usize = 64;

/// A part of a path, with how the versions relate there.
pub(crate) struct RelatedPart {
    pub part: PathPart,
    pub relations: Relations,
}

impl RelatedPart {
    /// All of a path, on which all versions relate in the way that the part says.
    fn whole(versions: usize, part: Part) -> RelatedPart {
        RelatedPart {
            relations: Relations::of_part(versions, &part),
            part: PathPart {
                part,
                condition: None,
            },
        }
    }

    /// The same, now that it is known to have all inputs of its path.
    pub(crate) fn without_others(mut self) -> RelatedPart {
        self.part.condition = None;
        self
    }
}

/// How the versions relate on a path, and which of its parts are known.
pub(crate) struct Comparison {
    versions: usize,
    /// In the order of [`pairs`].
    differences: Vec<Difference>,
    /// How many of them depend on the input.
    dependent: usize,
    /// Each holds outside of a part that is known.
    outside: Vec<ExprId>,
    /// The last known part has a difference that depends on the input.
    differs_here: bool,
    /// All parts are known.
    is_done: bool,
}

impl Comparison {
    /// Whether the path has a part that is not known yet, or may have one.
    pub(crate) fn is_open(&self) -> bool {
        !self.is_done
    }

    /// Whether what is not known yet is equal, if it is not empty.
    pub(crate) fn rest_is_equal(&self) -> bool {
        self.is_done || self.versions == 2 && self.outside.len() == 1 && self.differs_here
    }
}

impl<'p> Worker<'p> {
    /// Begins the comparison of all versions on the path of a run: the part of the run's own input.
    pub(crate) fn begin_comparison(&mut self, ran: &Ran<'p>) -> (Comparison, RelatedPart) {
        let mut comparison = self.differences(ran);
        if let Some(by) = ran.known_equal {
            comparison.is_done = true;
            let part = self.held_against(ran, by, &comparison.differences[0]);
            return (comparison, RelatedPart::whole(ran.versions.len(), part));
        }
        let first = self.part_at(&mut comparison, ran, ran.input.clone());
        (comparison, first)
    }

    /// The part of a path that a run's own input belongs to, if two versions differ on it. No solver is asked.
    pub(crate) fn differs_here(&mut self, ran: &Ran<'p>) -> Option<RelatedPart> {
        if ran.versions.len() < 2 {
            return None;
        }
        let mut comparison = self.differences(ran);
        let own = self.part_at(&mut comparison, ran, ran.input.clone());
        own.part.part.is_different().then_some(own)
    }

    fn differences(&mut self, ran: &Ran<'p>) -> Comparison {
        let versions = ran.versions.len();
        let differences = pairs(versions).map(|(one, other)| {
            compare::difference(&mut self.store, &ran.versions[one], &ran.versions[other])
        });
        let differences: Vec<Difference> = differences.collect();
        let depends = |difference: &&Difference| matches!(difference, Difference::Where(_));
        Comparison {
            versions,
            dependent: differences.iter().filter(depends).count(),
            differences,
            outside: Vec::new(),
            differs_here: false,
            is_done: false,
        }
    }

    /// What a proof says of two versions, held against what they did on the run's own input.
    fn held_against(&mut self, ran: &Ran<'p>, by: Proof, difference: &Difference) -> Part {
        let agrees = match difference {
            Difference::Nowhere => true,
            Difference::NotKnown(why) => return Part::Unknown { why: why.clone() },
            Difference::Everywhere(_) => false,
            // Other terms of the same state, which at least on this input must be the same.
            Difference::Where(conditions) => {
                let mut evaluation = self.evaluation(&ran.input, ran);
                let mut conditions = conditions.iter();
                matches!(by, Proof::SameState | Proof::SameCall)
                    && !conditions.any(|(_, differs)| evaluation.holds(&self.store, *differs))
            }
        };
        match agrees {
            true => Part::Equal { by },
            false => Part::Unknown {
                why: WhyUnknown::DiffersThoughEqual,
            },
        }
    }

    /// A further part of the path, if there is one.
    pub(crate) fn another_part(
        &mut self,
        comparison: &mut Comparison,
        ran: &Ran<'p>,
        time_left: Option<Duration>,
    ) -> Option<RelatedPart> {
        if comparison.is_done {
            return None;
        }
        if comparison.outside.len() >= MOST_PARTS {
            let why = WhyUnknown::ManyParts(MOST_PARTS);
            return Some(self.rest(comparison, ran, why, time_left));
        }
        match self.ask(&ran.path.events, &comparison.outside, time_left) {
            Answer::Unsat => {
                comparison.is_done = true;
                None
            }
            // What is left out is equal, whether or not it is empty.
            _ if comparison.rest_is_equal() => {
                comparison.is_done = true;
                let outside = comparison.outside[0];
                let mut rest = RelatedPart::whole(2, Part::Equal { by: Proof::Solver });
                rest.part.condition = Some(outside);
                Some(rest)
            }
            Answer::Sat(model) => {
                let input = ran.input.with_model(&self.store, &model);
                Some(self.part_at(comparison, ran, input))
            }
            Answer::Unknown(reason) => {
                let why = WhyUnknown::Solver(undecided(&reason));
                Some(self.rest(comparison, ran, why, time_left))
            }
        }
    }

    /// The part that an input of the path belongs to.
    fn part_at(
        &mut self,
        comparison: &mut Comparison,
        ran: &Ran<'p>,
        input: SymbolicInput,
    ) -> RelatedPart {
        let mut evaluation = self.evaluation(&input, ran);
        let mut inside = self.store.truth(true);
        let mut observables: Vec<Observable> = Vec::new();
        let mut see = |observable: &Observable| {
            if !observables.contains(observable) {
                observables.push(observable.clone());
            }
        };
        comparison.differs_here = false;
        let mut differences = comparison.differences.iter();
        let relations = Relations::new(comparison.versions, |_, _| {
            match differences.next().expect("one for each pair") {
                Difference::Nowhere => Relation::Same,
                Difference::NotKnown(why) => Relation::NotKnown(why.clone()),
                Difference::Everywhere(everywhere) => {
                    everywhere.iter().for_each(&mut see);
                    Relation::Different
                }
                Difference::Where(conditions) => {
                    let mut differs = self.store.truth(false);
                    for (observable, condition) in conditions {
                        differs = self.store.or(differs, *condition);
                        if evaluation.holds(&self.store, *condition) {
                            see(observable);
                        }
                    }
                    let is_different = evaluation.holds(&self.store, differs);
                    comparison.differs_here |= is_different;
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
        let depends = comparison.dependent > 0;
        let part = if relations.any_differ() {
            Part::Different {
                observables,
                witness: input,
            }
        } else if let Some(why) = relations.open() {
            Part::Unknown { why: why.clone() }
        } else {
            Part::Equal {
                by: match depends {
                    true => Proof::Solver,
                    false => Proof::SameTerms,
                },
            }
        };
        let outside = self.store.not(inside);
        comparison.outside.push(outside);
        // On all of the path, if nothing depends on the input; with one condition there are two parts.
        comparison.is_done = match comparison.dependent {
            0 => true,
            1 => comparison.outside.len() == 2,
            _ => false,
        };
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
        comparison: &mut Comparison,
        ran: &Ran<'p>,
        why: WhyUnknown,
        time_left: Option<Duration>,
    ) -> RelatedPart {
        comparison.is_done = true;
        let asked_already = comparison.dependent == 1;
        let mut differences = comparison.differences.iter();
        let relations = Relations::new(comparison.versions, |_, _| {
            match differences.next().expect("one for each pair") {
                Difference::Nowhere => Relation::Same,
                Difference::Everywhere(_) => Relation::Different,
                Difference::NotKnown(why) => Relation::NotKnown(why.clone()),
                Difference::Where(_) if asked_already => Relation::NotKnown(why.clone()),
                Difference::Where(conditions) => {
                    let mut differs = self.store.truth(false);
                    for &(_, condition) in conditions {
                        differs = self.store.or(differs, condition);
                    }
                    // On the whole path: that is easier to decide than what is left of it.
                    match self.ask(&ran.path.events, &[differs], time_left) {
                        Answer::Unsat => Relation::Same,
                        _ => Relation::NotKnown(why.clone()),
                    }
                }
            }
        });
        let mut inside = self.store.truth(true);
        for &outside in &comparison.outside {
            inside = self.store.and(inside, outside);
        }
        let part = Part::Unknown {
            why: relations.open().cloned().unwrap_or(why),
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
