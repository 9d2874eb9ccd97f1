//! What a report says of the changed lines: which some input executed, which none can, and what is in the way of the others.

use exploration::InputSpace;
use exploration::input::{ArgSpace, StreamSpace, ValueSpace};
use serde::{Deserialize, Serialize};

use crate::verdict::Exercise;
use crate::versions::changed_line::{ReportedChange, reported};
use crate::versions::exercise::Exercised;
use crate::versions::obstacles::Obstacle;

/// Which changed lines the runs of a search have executed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ExerciseReport {
    pub executed: Vec<ReportedChange>,
    /// Only runs beyond the bounds did.
    pub executed_beyond: Vec<ReportedChange>,
    /// Only inputs on which both versions are undefined did.
    #[serde(default)]
    pub executed_undefined: Vec<ReportedChange>,
    /// No run did.
    pub not_executed: Vec<ReportedChange>,
    /// No input can, within whatever bounds.
    pub unreachable: Vec<ReportedChange>,
    /// Branches on the way to what was not executed, the nearest ones.
    pub obstacles: Vec<Obstacle>,
    /// No other run has executed a part of the change than such on which both versions are undefined.
    #[serde(default)]
    pub is_undefined: bool,
    /// Of a function by itself: globals, no constants, that a changed line reads and that kept their first value.
    pub first_values: Vec<String>,
}

impl ExerciseReport {
    pub(super) fn of(exercised: &Exercised, beyond: Option<&Exercised>) -> ExerciseReport {
        let is_undefined = exercised.as_evidence(beyond) == Exercise::Undefined;
        let executed = reported(&exercised.executed);
        let beyond = beyond.map_or(&[][..], |beyond| &beyond.executed);
        let beyond = reported(beyond);
        // Several lines of the compiler may be one edit.
        let without = |lines: Vec<ReportedChange>, others: &[&[ReportedChange]]| {
            let is_new = |line: &ReportedChange| !others.iter().any(|known| known.contains(line));
            lines.into_iter().filter(is_new).collect::<Vec<_>>()
        };
        let is_beyond = |line: &ReportedChange| beyond.contains(line);
        let undefined = without(reported(&exercised.undefined), &[&executed]);
        let not_executed = without(reported(&exercised.not_executed), &[&executed, &undefined]);
        let (mut executed_beyond, not_executed): (Vec<_>, Vec<_>) =
            not_executed.into_iter().partition(is_beyond);
        let (defined_beyond, executed_undefined): (Vec<_>, Vec<_>) =
            undefined.into_iter().partition(is_beyond);
        executed_beyond.extend(defined_beyond);
        // What is in the way of a change in no line tells nobody anything, where others were executed.
        let is_open =
            executed.is_empty() || !not_executed.is_empty() || !executed_undefined.is_empty();
        ExerciseReport {
            unreachable: without(
                reported(&exercised.unreachable),
                &[
                    &executed,
                    &executed_beyond,
                    &executed_undefined,
                    &not_executed,
                ],
            ),
            executed,
            executed_beyond,
            executed_undefined,
            not_executed,
            obstacles: match is_open {
                true => exercised.obstacles.clone(),
                false => Vec::new(),
            },
            is_undefined,
            first_values: exercised.first_values.clone(),
        }
    }

    /// All lines that were looked at.
    pub fn lines(&self) -> usize {
        self.executed.len()
            + self.executed_beyond.len()
            + self.executed_undefined.len()
            + self.not_executed.len()
            + self.unreachable.len()
    }
}

/// The largest input of the bounds, for a command with larger ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Widest {
    /// The most arguments, and the most bytes of each.
    pub arguments: (usize, usize),
    pub stdin: usize,
    /// By path in the guest.
    pub files: Vec<(String, usize)>,
    pub environment: Vec<(String, usize)>,
}

impl Widest {
    /// `None` if something is fixed, or there are several kinds of arguments.
    pub(super) fn of(space: &InputSpace) -> Option<Widest> {
        let stream = |stream: &StreamSpace| match stream {
            StreamSpace::Symbolic(lengths) => Some(*lengths.end()),
            StreamSpace::Lengths(lengths) => lengths.last().copied(),
            StreamSpace::Fixed(bytes) => bytes.is_empty().then_some(0),
            StreamSpace::Patterns(_) => None,
        };
        let value = |value: &ValueSpace| match value {
            ValueSpace::Symbolic(length) => Some(*length),
            ValueSpace::Fixed(_) => None,
        };
        let files = space.files.iter();
        let environment = space.environment.iter();
        Some(Widest {
            arguments: match &space.args[..] {
                [] => (0, 0),
                [ArgSpace::Symbolic { count, length }] => (*count.end(), *length),
                _ => return None,
            },
            stdin: stream(&space.stdin)?,
            files: files
                .map(|(name, space)| Some((name.clone(), stream(space)?)))
                .collect::<Option<_>>()?,
            environment: environment
                .map(|(name, space)| Some((name.clone(), value(space)?)))
                .collect::<Option<_>>()?,
        })
    }
}
