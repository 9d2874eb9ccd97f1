//! Taking over what an earlier session has found out about a path.
//!
//! Which parts a path has follows from its terms; only whether a part is empty was asked of the solver. So nothing is asked
//! again, and what can be seen without a solver is checked: the run's own input, and the witness of a difference.

use super::{Part, PathPart, Proof, Ran, RelatedPart, Worker};
use relational::compare::{self, Difference};
use search::Relations;
use search::messages::{ComparedPath, PartVerdict};

impl<'p> Worker<'p> {
    /// The parts of a path as they were known before; `None` if they have to be found out.
    pub(crate) fn compare_again(
        &mut self,
        ran: &Ran<'p>,
        known: &ComparedPath,
    ) -> Option<Vec<RelatedPart>> {
        let [old, new] = &ran.versions[..] else {
            return None;
        };
        // Without a condition, no solver is needed.
        if ran.known_equal.is_some() || !known.done {
            return None;
        }
        let Difference::Where(conditions) = compare::difference(&mut self.store, old, new) else {
            return None;
        };
        let mut differs = self.store.truth(false);
        for (_, condition) in conditions {
            differs = self.store.or(differs, condition);
        }
        let same = self.store.not(differs);
        let mut parts = Vec::new();
        let (mut has_equal, mut has_different) = (false, false);
        for part in &known.parts {
            parts.push(match &part.verdict {
                PartVerdict::Equal {
                    proof: Proof::Solver,
                } => {
                    has_equal = true;
                    PathPart {
                        part: Part::Equal { by: Proof::Solver },
                        condition: (known.parts.len() > 1).then_some(same),
                    }
                }
                PartVerdict::Different {
                    observables,
                    witness,
                } => {
                    has_different = true;
                    let part = PathPart {
                        part: Part::Different {
                            observables: observables.clone(),
                            witness: witness.clone(),
                        },
                        condition: Some(differs),
                    };
                    let Part::Different { witness, .. } = &part.part else {
                        return None;
                    };
                    if !self.contains(ran, &part, witness) {
                        return None;
                    }
                    part
                }
                // Terms that were the same are so now, and a solver may have more time than before.
                PartVerdict::Equal { .. } | PartVerdict::Unknown { .. } => return None,
            });
        }
        let is_different = self.evaluation(&ran.input, ran).holds(&self.store, differs);
        let fits = match is_different {
            true => has_different,
            false => has_equal,
        };
        let related = parts.into_iter().map(|part: PathPart| RelatedPart {
            relations: Relations::of_part(2, &part.part),
            part,
        });
        fits.then(|| related.collect())
    }
}
