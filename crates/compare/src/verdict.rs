//! What is said of versions, and why: the whole policy of verdicts, decided on data.
//!
//! `equivalent` needs a proof about every input within the bounds, of all code, by versions whose behaviour the input decides.
//! `different` needs an input that native runs have shown to differ; one that only the VM shows leaves the answer open. All else is
//! `undecided`, with the first reason that applies.
//!
//! **A proof that is about nothing is no proof.** If no input within the bounds executes a change, of two versions that differ by that
//! change nothing was compared: `not exercised`, whatever was proved of the inputs. A change that no input can execute, within whatever
//! bounds, needs no input. Whether a change was executed is asked of whole runs, by blocks of either version, and a pruned way has none:
//! it is pruned because no change is behind it. So of a search that has come to its end, a change without a run is one that
//! no input within the bounds executes. A run on which both versions are undefined compares nothing, so it executes nothing either: a change
//! that only such runs execute is `not exercised` too, also where there are no others.

use serde::{Deserialize, Serialize};

/// The answer of a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    Equivalent,
    Different,
    /// Nothing is known of the change: no input within the bounds executes it.
    NotExercised,
    Undecided,
}

/// What is known of two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// They are the same code for the VM.
    SameCode,
    /// All changed functions do the same by themselves: on every input, without bounds.
    SameFunctions,
    /// Proved within the bounds.
    Equivalent,
    Different,
    /// All inputs within the bounds are proved equal, and none of them executes the change.
    NotExercised,
    Undecided(Open),
}

impl Finding {
    pub fn verdict(self) -> Verdict {
        match self {
            Finding::SameCode | Finding::SameFunctions | Finding::Equivalent => Verdict::Equivalent,
            Finding::Different => Verdict::Different,
            Finding::NotExercised => Verdict::NotExercised,
            Finding::Undecided(_) => Verdict::Undecided,
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Open {
    /// A proof was refuted by native runs.
    ProofRefuted,
    /// Differences were found, and native runs confirm none.
    NotConfirmed,
    /// No difference was found, and nothing was to be proved.
    NothingToProve,
    /// No difference was found, and not everything was explored.
    NotExplored,
    /// The bounds, which grow by themselves, did not grow any further after a difference.
    StoppedGrowing,
    /// No difference was found, and not everything is proved equal.
    NotProved,
    /// All that was compared is proved equal, and it was not all code.
    CodeLeftOut,
    /// All inputs within the bounds are proved equal, and only runs beyond them execute the change. They show no difference.
    ExecutedBeyond,
    /// What a version does depends on memory that it never wrote.
    UninitialisedRead,
    /// Not every run was looked at for such memory.
    NotInspected,
    /// What a version does depends on more than its input.
    NotDeterministic,
}

/// What a verdict on two versions rests on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evidence {
    pub same_code: bool,
    /// All changed functions were proved to do the same by themselves.
    pub same_functions: bool,
    /// What the partitions say.
    pub partitions: Partitions,
    /// What those say on which no difference was found.
    pub others: Partitions,
    /// Whether all runs of these were looked at.
    pub others_inspected: bool,
    /// Bounds grow by themselves, which a difference has ended.
    pub stopped_growing: bool,
    /// All paths were run, or pruned.
    pub exhausted: bool,
    /// Nothing was to be proved.
    pub finds_only: bool,
    /// Native runs have shown a difference.
    pub confirmed: bool,
    /// Native runs have shown that a proof does not hold.
    pub refuted: bool,
    pub code_left_out: bool,
    pub uninitialised_read: bool,
    pub not_inspected: bool,
    pub not_deterministic: bool,
    pub exercise: Exercise,
}

/// What the runs of a search have executed of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Exercise {
    /// Which code belongs to the change is not known: the versions are in different languages, or only data and line numbers differ.
    #[default]
    NotKnown,
    /// Some run has executed a part of it.
    Executed,
    /// Some run has executed it, but what it computes with kept its first value: a global of a function that was called by itself.
    FirstValues,
    /// No input can execute it, within whatever bounds.
    Unreachable,
    /// Only runs beyond the bounds have executed it.
    Beyond,
    /// Both versions are undefined on every run that has executed it.
    Undefined,
    /// No run has executed it.
    Never,
}

/// What the partitions of a search say of two versions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Partitions {
    AllEqual,
    /// Both versions are undefined on every input that was run.
    AllUndefined,
    SomeDifferent,
    #[default]
    SomeUnknown,
}

/// What is known of two versions.
pub fn finding(evidence: &Evidence) -> Finding {
    let open = Finding::Undecided;
    match evidence.partitions {
        _ if evidence.same_code => Finding::SameCode,
        _ if evidence.same_functions => Finding::SameFunctions,
        Partitions::SomeDifferent if evidence.confirmed => Finding::Different,
        _ if evidence.refuted => open(Open::ProofRefuted),
        Partitions::SomeDifferent => open(Open::NotConfirmed),
        _ if evidence.finds_only => open(Open::NothingToProve),
        Partitions::SomeUnknown if !evidence.exhausted => open(Open::NotExplored),
        Partitions::SomeUnknown => open(Open::NotProved),
        Partitions::AllEqual | Partitions::AllUndefined if evidence.code_left_out => {
            open(Open::CodeLeftOut)
        }
        Partitions::AllEqual | Partitions::AllUndefined if is_vacuous(evidence.exercise) => {
            Finding::NotExercised
        }
        Partitions::AllUndefined => open(Open::NotProved),
        Partitions::AllEqual if evidence.exercise == Exercise::Beyond => open(Open::ExecutedBeyond),
        Partitions::AllEqual if evidence.uninitialised_read => open(Open::UninitialisedRead),
        Partitions::AllEqual if evidence.not_inspected => open(Open::NotInspected),
        Partitions::AllEqual if evidence.not_deterministic => open(Open::NotDeterministic),
        Partitions::AllEqual => Finding::Equivalent,
    }
}

fn is_vacuous(exercise: Exercise) -> bool {
    matches!(
        exercise,
        Exercise::Never | Exercise::Undefined | Exercise::FirstValues
    )
}

/// What would be known if the versions were meant to differ as they do: the answer about all other inputs.
pub fn otherwise(evidence: &Evidence) -> Finding {
    if evidence.partitions == Partitions::SomeDifferent && evidence.stopped_growing {
        return Finding::Undecided(Open::StoppedGrowing);
    }
    finding(&Evidence {
        partitions: evidence.others,
        not_inspected: evidence.not_inspected || !evidence.others_inspected,
        ..*evidence
    })
}

/// The answer for versions in order, from what is known of each with the one before.
pub fn overall(findings: impl IntoIterator<Item = Finding>) -> Verdict {
    let verdicts: Vec<Verdict> = findings.into_iter().map(Finding::verdict).collect();
    if verdicts.contains(&Verdict::Different) {
        return Verdict::Different;
    }
    let all = |of: &[Verdict]| verdicts.iter().all(|verdict| of.contains(verdict));
    match verdicts.contains(&Verdict::NotExercised) {
        false if all(&[Verdict::Equivalent]) => Verdict::Equivalent,
        true if all(&[Verdict::Equivalent, Verdict::NotExercised]) => Verdict::NotExercised,
        _ => Verdict::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROVED: Evidence = Evidence {
        same_code: false,
        same_functions: false,
        partitions: Partitions::AllEqual,
        others: Partitions::AllEqual,
        others_inspected: true,
        stopped_growing: false,
        exhausted: true,
        finds_only: false,
        confirmed: false,
        refuted: false,
        code_left_out: false,
        uninitialised_read: false,
        not_inspected: false,
        not_deterministic: false,
        exercise: Exercise::Executed,
    };

    /// Each thing that stands against a proof keeps it from being one.
    #[test]
    fn equivalent_needs_all() {
        assert_eq!(finding(&PROVED), Finding::Equivalent);
        type Spoil = fn(&mut Evidence);
        let spoils: [(Spoil, Open); 8] = [
            (|all| all.refuted = true, Open::ProofRefuted),
            (|all| all.finds_only = true, Open::NothingToProve),
            (|all| all.code_left_out = true, Open::CodeLeftOut),
            (|all| all.uninitialised_read = true, Open::UninitialisedRead),
            (|all| all.not_inspected = true, Open::NotInspected),
            (|all| all.not_deterministic = true, Open::NotDeterministic),
            (
                |all| all.partitions = Partitions::SomeUnknown,
                Open::NotProved,
            ),
            (
                |all| all.partitions = Partitions::SomeDifferent,
                Open::NotConfirmed,
            ),
        ];
        for (spoil, open) in spoils {
            let mut evidence = PROVED;
            spoil(&mut evidence);
            assert_eq!(finding(&evidence), Finding::Undecided(open));
            evidence.confirmed = true;
            let is_different = evidence.partitions == Partitions::SomeDifferent;
            assert_eq!(finding(&evidence) == Finding::Different, is_different);
        }
    }

    /// What no input executes is not proved by any, unless none can execute it; and a difference is one whoever executed what.
    #[test]
    fn a_change_that_no_run_executes_is_not_equivalent() {
        for (exercise, expected) in [
            (Exercise::NotKnown, Finding::Equivalent),
            (Exercise::Executed, Finding::Equivalent),
            (Exercise::Unreachable, Finding::Equivalent),
            (Exercise::FirstValues, Finding::NotExercised),
            (Exercise::Never, Finding::NotExercised),
            (Exercise::Undefined, Finding::NotExercised),
            (Exercise::Beyond, Finding::Undecided(Open::ExecutedBeyond)),
        ] {
            let evidence = Evidence { exercise, ..PROVED };
            assert_eq!(finding(&evidence), expected);
            let different = Evidence {
                partitions: Partitions::SomeDifferent,
                confirmed: true,
                ..evidence
            };
            assert_eq!(finding(&different), Finding::Different);
            let same_functions = Evidence {
                same_functions: true,
                ..evidence
            };
            assert_eq!(finding(&same_functions), Finding::SameFunctions);
        }
    }

    /// Where both versions are undefined on all inputs nothing was compared.
    #[test]
    fn undefined_everywhere_is_never_equivalent() {
        for (exercise, expected) in [
            (Exercise::NotKnown, Finding::Undecided(Open::NotProved)),
            (Exercise::Unreachable, Finding::Undecided(Open::NotProved)),
            (Exercise::Beyond, Finding::Undecided(Open::NotProved)),
            (Exercise::Undefined, Finding::NotExercised),
            (Exercise::Never, Finding::NotExercised),
        ] {
            let evidence = Evidence {
                partitions: Partitions::AllUndefined,
                exercise,
                ..PROVED
            };
            assert_eq!(finding(&evidence), expected);
        }
    }

    /// A difference that native runs show is one, whatever else is open.
    #[test]
    fn a_confirmed_difference_is_different() {
        let evidence = Evidence {
            partitions: Partitions::SomeDifferent,
            confirmed: true,
            refuted: true,
            finds_only: true,
            code_left_out: true,
            ..Evidence::default()
        };
        assert_eq!(finding(&evidence), Finding::Different);
    }

    /// Of the inputs without a difference no more is said than would be without the others.
    #[test]
    fn what_is_left_is_judged_like_a_whole() {
        let different = Evidence {
            partitions: Partitions::SomeDifferent,
            confirmed: true,
            ..PROVED
        };
        assert_eq!(finding(&different), Finding::Different);
        assert_eq!(otherwise(&different), Finding::Equivalent);
        let open = Finding::Undecided;
        type Spoil = fn(&mut Evidence);
        let spoils: [(Spoil, Finding); 6] = [
            (|all| all.stopped_growing = true, open(Open::StoppedGrowing)),
            (
                |all| all.others = Partitions::SomeUnknown,
                open(Open::NotProved),
            ),
            (
                |all| (all.others, all.exhausted) = (Partitions::SomeUnknown, false),
                open(Open::NotExplored),
            ),
            (|all| all.others_inspected = false, open(Open::NotInspected)),
            (|all| all.code_left_out = true, open(Open::CodeLeftOut)),
            (|all| all.exercise = Exercise::Never, Finding::NotExercised),
        ];
        for (spoil, expected) in spoils {
            let mut evidence = different;
            spoil(&mut evidence);
            assert_eq!(otherwise(&evidence), expected);
        }
    }

    #[test]
    fn one_step_that_differs_is_enough() {
        let open = Finding::Undecided(Open::NotProved);
        let all = [Finding::SameCode, open, Finding::Different];
        assert_eq!(overall(all), Verdict::Different);
        assert_eq!(overall([Finding::Equivalent, open]), Verdict::Undecided);
        assert_eq!(
            overall([Finding::SameCode, Finding::Equivalent]),
            Verdict::Equivalent
        );
        let vacuous = [Finding::Equivalent, Finding::NotExercised];
        assert_eq!(overall(vacuous), Verdict::NotExercised);
        assert_eq!(overall([Finding::NotExercised, open]), Verdict::Undecided);
    }
}
