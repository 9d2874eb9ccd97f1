//! Which changes the runs of a search have executed, which no input can execute, and what is in the way of the others.
//!
//! A change is executed if a run has entered a block that holds one of its points, in the new version or, for what is gone or
//! replaced, in the old one; runs on which both versions are undefined do not count ([`super::executed`]). It is *unreachable* if that needs no run to be known: its functions are called neither from where a program
//! begins nor from any function whose address is taken, or no way leads to its blocks in the control flow. Calls through pointers and
//! signal handlers call only functions whose address is taken, so nothing else needs to be known of them.

use std::collections::BTreeSet;

use harness::Harness;
use program_ir::{Block, Func, Module};
use version_diff::calls::Calls;
use version_diff::input_space::addresses_taken;

use super::changed_line::{ChangedLine, ReportedChange, reported};
use super::changes::{ChangeBlocks, Changes};
use super::covered::Covered;
use super::executed::{ChangeNumber, Executed};
use super::input_sources::globals_of_first_value;
use super::obstacles::{Obstacle, obstacles};
use super::run::{VersionStep, Versions};
use crate::verdict::Exercise;

/// What became of the changes between two versions.
#[derive(Default)]
pub(crate) struct Exercised {
    pub(crate) executed: Vec<ChangedLine>,
    /// Only inputs on which both versions are undefined execute these.
    pub(crate) undefined: Vec<ChangedLine>,
    pub(crate) not_executed: Vec<ChangedLine>,
    pub(crate) unreachable: Vec<ChangedLine>,
    /// How many changes there are of each kind, also such without lines.
    pub(crate) counts: Counts,
    pub(crate) obstacles: Vec<Obstacle>,
    /// Of a function by itself: globals that a changed line reads and that keep their first value.
    pub(crate) first_values: Vec<String>,
    /// The changes that can be executed, and that no run has executed on which a version is defined. A change in no line, as that of a
    /// file's name in what a panic says, is none that anybody waits for.
    pub(crate) missing: BTreeSet<ChangeNumber>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) executed: usize,
    pub(crate) undefined: usize,
    pub(crate) not_executed: usize,
    pub(crate) unreachable: usize,
}

impl Exercised {
    /// What of a step's changes was executed; `None` if they are not known, or nothing was run.
    pub(crate) fn of(
        step: &VersionStep<'_>,
        versions: &Versions<'_>,
        runs: &Executed,
    ) -> Option<Exercised> {
        let changes = step.changes?;
        let covered = |version: usize| {
            let (program, coverage) = (versions.programs[version], runs.coverage.get(version)?);
            Some(Covered { program, coverage })
        };
        let covered = [covered(step.from)?, covered(step.to)?];
        // Only steps from one version to the next have changes.
        Some(Exercised::of_changes(
            (step.from as u32, changes),
            covered,
            runs,
        ))
    }

    fn of_changes(
        (step, changes): (u32, &Changes),
        versions: [Covered<'_>; 2],
        runs: &Executed,
    ) -> Exercised {
        let (mut executed, mut undefined) = (BTreeSet::new(), BTreeSet::new());
        let mut open = Vec::new();
        let mut missing = BTreeSet::new();
        let mut counts = Counts::default();
        for ((lines, blocks), change) in changes.one_by_one().zip(0..) {
            let number = ChangeNumber { step, change };
            let has_lines = !lines.is_empty();
            if runs.changes.defined.contains(&number) {
                counts.executed += 1;
                executed.extend(lines);
            } else if runs.changes.undefined.contains(&number) {
                counts.undefined += 1;
                undefined.extend(lines);
                if has_lines {
                    missing.insert(number);
                }
            } else {
                open.push((number, lines, blocks));
            }
        }
        // What may be reached is looked for only where something was not.
        let reachable = match open.is_empty() {
            true => None,
            false => Some(versions.map(|version| Reachable::of(version.program.module()))),
        };
        let (mut not_executed, mut unreachable) = (BTreeSet::new(), BTreeSet::new());
        let mut ahead = BTreeSet::new();
        for (number, lines, blocks) in open {
            let reachable = reachable.as_ref();
            match reachable.is_some_and(|reachable| may_be_reached(reachable, blocks)) {
                true => {
                    counts.not_executed += 1;
                    if !lines.is_empty() {
                        missing.insert(number);
                    }
                    not_executed.extend(lines);
                    ahead.extend(blocks[1].iter().copied());
                }
                false => {
                    counts.unreachable += 1;
                    unreachable.extend(lines);
                }
            }
        }
        let lines = |of: &BTreeSet<&ChangedLine>, but: &[&BTreeSet<&ChangedLine>]| {
            let own = of.iter();
            let own = own.filter(|line| !but.iter().any(|other| other.contains(*line)));
            own.map(|line| (*line).clone()).collect()
        };
        Exercised {
            obstacles: match ahead.is_empty() {
                true => Vec::new(),
                false => obstacles(versions[1], &ahead),
            },
            executed: lines(&executed, &[]),
            undefined: lines(&undefined, &[&executed]),
            not_executed: lines(&not_executed, &[&executed, &undefined]),
            unreachable: lines(&unreachable, &[&executed, &undefined, &not_executed]),
            first_values: Vec::new(),
            counts,
            missing,
        }
    }

    /// The same for a function that is called by a driver, where globals keep the values that they begin with.
    pub(crate) fn of_function(
        step: &VersionStep<'_>,
        versions: &Versions<'_>,
        runs: &Executed,
        harness: &dyn Harness,
    ) -> Option<Exercised> {
        let mut exercised = Exercised::of(step, versions, runs)?;
        let changes = step.changes?;
        let stale = [(0, step.from), (1, step.to)].map(|(side, version)| {
            let module = versions.programs[version].module();
            globals_of_first_value(module, &changes.places(side))
        });
        let stale: BTreeSet<String> = stale.into_iter().flatten().collect();
        let written = stale
            .into_iter()
            .filter(|name| harness.is_ever_written(name));
        exercised.first_values = written.collect();
        Some(exercised)
    }

    /// The lines of what is missing, as a user is told of them: several lines of the compiler may be one edit. `beyond` is the same of
    /// runs beyond the bounds.
    pub(crate) fn missing_lines(&self, beyond: Option<&Exercised>) -> Vec<ReportedChange> {
        let beyond = beyond.map_or(&[][..], |beyond| &beyond.executed);
        let executed = reported(self.executed.iter().chain(beyond));
        let mut missing = reported(self.not_executed.iter().chain(&self.undefined));
        missing.retain(|line| !executed.contains(line));
        missing
    }

    /// What the policy asks for. `beyond` is the same of runs beyond the bounds.
    pub(crate) fn as_evidence(&self, beyond: Option<&Exercised>) -> Exercise {
        let is_beyond = beyond.is_some_and(|beyond| beyond.counts.executed > 0);
        match self.counts {
            Counts { executed: 1.., .. } if !self.first_values.is_empty() => Exercise::FirstValues,
            Counts { executed: 1.., .. } => Exercise::Executed,
            Counts {
                not_executed: 1.., ..
            }
            | Counts { undefined: 1.., .. }
                if is_beyond =>
            {
                Exercise::Beyond
            }
            Counts { undefined: 1.., .. } => Exercise::Undefined,
            Counts {
                not_executed: 1.., ..
            } => Exercise::Never,
            Counts {
                unreachable: 1.., ..
            } => Exercise::Unreachable,
            Counts { .. } => Exercise::NotKnown,
        }
    }
}

fn may_be_reached(versions: &[Reachable<'_>; 2], blocks: ChangeBlocks<'_>) -> bool {
    let mut sides = versions.iter().zip(blocks);
    sides.any(|(version, blocks)| {
        let mut blocks = blocks.iter();
        blocks.any(|&(func, block)| version.has(func, block))
    })
}

/// What a run may execute whatever its input is, as far as calls and control flow say.
struct Reachable<'m> {
    calls: Calls<'m>,
}

impl Reachable<'_> {
    fn of(module: &Module) -> Reachable<'_> {
        let mut roots = Calls::from_default_roots(module).roots;
        let taken = addresses_taken(module);
        let taken = module.functions.keys().zip(taken);
        let taken = taken.filter_map(|(func, is_taken)| is_taken.then_some(func));
        roots.extend(taken.filter(|&func| !module.functions[func].is_declaration()));
        roots.sort_unstable();
        roots.dedup();
        Reachable {
            calls: Calls::by_signature(module, roots),
        }
    }

    fn has(&self, func: Func, block: Block) -> bool {
        self.calls.reached.binary_search(&func).is_ok() && self.calls.cfg(func).is_reachable(block)
    }
}
