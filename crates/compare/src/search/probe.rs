//! What a comparison notes of runs, where their terms and processes are: what a partition's inputs are in words, where a difference
//! begins and which changes are responsible. Notes are plain data; what they come to is decided by who collects them
//! ([`super::observe`]).
//!
//! Words and traces cost time, so a probe makes them as long as they may be needed: of the first partitions, and of the shortest
//! examples of each kind of difference. It keeps account of its own notes to know. Whoever collects those of several probes has more of
//! them, never less.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};

use concolic_vm::End;
use concolic_vm::symbolic::SymbolicInput;
use exploration::compare::{Observable, ends_undefined};
use exploration::input::CompactInput;
use exploration::worker::{Part, Ran, VersionRun};
use exploration::{InputRecord, Members, Note, Partition, Probe};
use expr::VariableKinds;
use harness::Harness;
use serde::{Deserialize, Serialize};

use super::findings::{Claim, PathNote};
use super::kinds::{Kind, NotedDifference, Symptom, count, is_kept};
use super::location::location;
use super::partitions::{Described, PartitionList};
use crate::spec::Spec;
use crate::versions::changed_line::ChangedLine;
use crate::versions::covered::Covered;
use crate::versions::executed::{ChangeNumber, ExecutedChanges};
use crate::versions::groups::Groups;
use crate::versions::outcome::ending;
use crate::versions::run::{VersionStep, Versions};

/// What is noted of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum RunNote {
    Path(PathNote),
    Partition(Box<PartitionNote>),
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct PartitionNote {
    pub(super) part: Part,
    /// If it may be listed.
    pub(super) described: Option<Described>,
    /// Inputs that were proved to behave the same, if proofs are to be tried out.
    pub(super) claims: Vec<Claim>,
    pub(super) difference: Option<NotedDifference>,
}

/// What a probe has noted so far.
#[derive(Default)]
struct Account {
    listed: PartitionList,
    kinds: Vec<Kind>,
    changes: ExecutedChanges,
    attributed: HashMap<ExecutedDifference, Attributed>,
}

/// A difference by the versions that differ, the observables, and the changed lines that each step executed.
type ExecutedDifference = (Groups, Vec<Observable>, Vec<Vec<ChangedLine>>);

/// What slices have shown of such differences.
#[derive(Default)]
struct Attributed {
    times: u32,
    /// By step: the responsible lines of the first.
    changes: Vec<Vec<ChangedLine>>,
}

/// Differences in the same observables over the same executed changes whose slices are looked at; more are taken to be
/// like them.
const SLICED: u32 = 8;
/// Inputs of each partition that was proved equal that are tried out.
const CLAIMED: usize = 4;

pub(super) struct RunProbe<'s> {
    spec: &'s Spec,
    versions: &'s Versions<'s>,
    harness: &'s dyn Harness,
    /// What the variables of the input are.
    kinds: Arc<VariableKinds>,
    /// Whether equality is to be proved, and not only differences found.
    proves: bool,
    noted: Mutex<Account>,
}

impl Probe for RunProbe<'_> {
    fn proves(&self) -> bool {
        self.proves
    }

    fn admits(&self, runs: &[VersionRun<'_>]) -> bool {
        let mut versions = self.versions.programs.iter().zip(runs);
        versions.any(|(program, version)| self.harness.is_meant(program, &version.run.coverage))
    }

    fn path(&self, ran: &Ran<'_>) -> Option<Note> {
        let runs = self.versions.programs.iter().zip(&ran.versions);
        let left_out = runs.flat_map(|(program, version)| {
            self.harness.left_out_in(program, &version.run.coverage)
        });
        let mut versions = ran.versions.iter();
        let reads_stdin =
            |version: &VersionRun<'_>| version.process.machine().kernel().has_read_stdin();
        let is_cut_off =
            |version: &VersionRun<'_>| matches!(version.run.outcome.end, End::StepLimit { .. });
        let (executes_change, changes) = self.changes_executed(ran);
        Some(Note::of(&RunNote::Path(PathNote {
            input: CompactInput::new(ran.shape, &ran.input),
            is_meant: !self.harness.leaves_out_inputs() || self.admits(&ran.versions),
            is_meant_in_one: self.is_meant_in_one(&ran.versions),
            left_out: left_out.collect(),
            reads_stdin: versions.clone().any(reads_stdin),
            executes_change,
            changes,
            is_cut_off: versions.any(is_cut_off),
        })))
    }

    fn partition(
        &self,
        partition: &Partition,
        ran: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        members.set_variable_kinds(&self.kinds);
        let groups = Groups::of(&partition.relations);
        let claims = match self.spec.confirm.proofs && groups.say_same() {
            true => self.claims(partition, &groups, members),
            false => Vec::new(),
        };
        let note = PartitionNote {
            part: partition.part.clone(),
            described: self.described(&partition.part, &groups, members),
            claims,
            difference: self.difference(&partition.part, groups, ran, members),
        };
        Some(Note::of(&RunNote::Partition(Box::new(note))))
    }
}

impl<'s> RunProbe<'s> {
    pub(super) fn new(
        spec: &'s Spec,
        versions: &'s Versions<'s>,
        harness: &'s dyn Harness,
        kinds: Arc<VariableKinds>,
        proves: bool,
    ) -> RunProbe<'s> {
        RunProbe {
            spec,
            versions,
            harness,
            kinds,
            proves,
            noted: Mutex::default(),
        }
    }

    /// Whether an assumption of the user's holds for an input in one version and not in another. Nothing is known of a run that met a limit.
    fn is_meant_in_one(&self, runs: &[VersionRun<'_>]) -> bool {
        if !self.harness.assumes_expressions() {
            return false;
        }
        let versions = self.versions.programs.iter().zip(runs);
        let ended = versions.filter(|(_, version)| !version.run.outcome.end.is_inconclusive());
        let meant: BTreeSet<bool> = ended
            .map(|(program, version)| self.harness.is_meant(program, &version.run.coverage))
            .collect();
        meant.len() > 1
    }

    fn noted(&self) -> MutexGuard<'_, Account> {
        self.noted.lock().expect("no worker panicked")
    }

    /// Whether a version has executed a part of a change, and the changes of which no run before has.
    fn changes_executed(&self, ran: &Ran<'_>) -> (bool, ExecutedChanges) {
        let covered = |version: usize| Covered {
            program: self.versions.programs[version],
            coverage: &ran.versions[version].run.coverage,
        };
        let is_undefined = |version: usize| ends_undefined(&ran.versions[version].run.outcome.end);
        let (mut is_executed, mut news) = (false, ExecutedChanges::default());
        for (step, number) in self.versions.single_steps().iter().zip(0..) {
            let Some(changes) = step.changes else {
                continue;
            };
            let executed = changes.executed_by([covered(step.from), covered(step.to)]);
            let executed: BTreeSet<ChangeNumber> = executed
                .map(|change| ChangeNumber {
                    step: number,
                    change,
                })
                .collect();
            is_executed |= !executed.is_empty();
            match is_undefined(step.from) && is_undefined(step.to) {
                true => news.undefined.extend(executed),
                false => news.defined.extend(executed),
            }
        }
        let known = &mut self.noted().changes;
        news.defined.retain(|change| known.defined.insert(*change));
        news.undefined
            .retain(|change| known.undefined.insert(*change));
        (is_executed, news)
    }

    /// A partition in the user's words, if it may be listed.
    fn described(
        &self,
        part: &Part,
        groups: &Groups,
        members: &mut Members<'_, '_>,
    ) -> Option<Described> {
        let which = self.spec.listing.partitions;
        if !self.proves || !self.noted().listed.takes(part, which) {
            return None;
        }
        let several = (self.versions.programs.len() > 2).then(|| groups.clone());
        let described = Described::of(members, several, self.harness);
        self.noted().listed.add(part, Some(described.clone()));
        Some(described)
    }

    /// Some inputs of a partition, with what was proved of it.
    fn claims(
        &self,
        partition: &Partition,
        groups: &Groups,
        members: &mut Members<'_, '_>,
    ) -> Vec<Claim> {
        let seed = self.spec.search.seed ^ u64::from(partition.run.0);
        let condition = members.describe();
        let proof = match &partition.part {
            Part::Equal { by } => format!("{by:?}"),
            Part::Different { .. } | Part::Unknown { .. } => groups.to_string(),
        };
        let inputs = members.sample(CLAIMED, seed).into_iter();
        let claim = |input: SymbolicInput| Claim {
            groups: groups.clone(),
            given: input,
            condition: condition.clone(),
            proof: proof.clone(),
        };
        inputs.map(claim).collect()
    }

    /// The difference on the inputs of a partition, if there is one.
    fn difference(
        &self,
        part: &Part,
        groups: Groups,
        ran: &Ran<'_>,
        members: &Members<'_, '_>,
    ) -> Option<NotedDifference> {
        let Part::Different {
            observables,
            witness,
        } = part
        else {
            return None;
        };
        let input = InputRecord::of(witness);
        let changes = self.changes(&groups, &input, ran, observables);
        let place = |observable| self.location(&groups, observable, ran);
        let locations: Vec<String> = observables.iter().map(place).collect();
        let ends = ran.versions.iter();
        let mut difference = NotedDifference {
            symptom: Symptom {
                groups,
                observables: observables.clone(),
                ends: ends.map(|version| ending(&version.run.outcome)).collect(),
                class: self.versions.class(&input),
            },
            locations,
            changes,
            condition: None,
        };
        let is_wanted = {
            let mut noted = self.noted();
            let is_wanted = is_kept(&noted.kinds, &difference, &input);
            let own = NotedDifference {
                condition: is_wanted.then(Vec::new),
                ..difference.clone()
            };
            count(&mut noted.kinds, own, input);
            is_wanted
        };
        difference.condition = is_wanted.then(|| members.describe());
        Some(difference)
    }

    /// Where an observable begins to differ, between the first two versions that do.
    fn location(&self, groups: &Groups, observable: &Observable, ran: &Ran<'_>) -> String {
        let mut steps = self.versions.single_steps().iter();
        let first = steps.find(|step| groups.differ(step.from, step.to));
        first.map_or_else(String::new, |step| {
            location(observable, &ran.versions[step.from], &ran.versions[step.to])
        })
    }

    /// For each step that makes a difference, the changed lines that are responsible.
    fn changes(
        &self,
        groups: &Groups,
        input: &InputRecord,
        ran: &Ran<'_>,
        observables: &[Observable],
    ) -> Vec<Vec<ChangedLine>> {
        let by_step =
            |lines: &dyn Fn(&VersionStep<'_>) -> Vec<ChangedLine>| -> Vec<Vec<ChangedLine>> {
                let steps = self.versions.single_steps().iter();
                let steps = steps.map(|step| match groups.differ(step.from, step.to) {
                    true => lines(step),
                    false => Vec::new(),
                });
                steps.collect()
            };
        let executed = by_step(&|step| {
            let program = self.versions.programs[step.to];
            let run = &ran.versions[step.to].run;
            let changes = step.changes;
            changes.map_or_else(Vec::new, |changes| changes.executed(program, run))
        });
        let key = (groups.clone(), observables.to_vec(), executed);
        if let Some(known) = self.noted().attributed.get(&key)
            && known.times >= SLICED
        {
            return known.changes.clone();
        }
        let changes = by_step(&|step| {
            let run = &ran.versions[step.to].run;
            let mut changes = self.versions.responsible(input, step, run, observables);
            // Which of them come first is a matter of the example; kinds are told apart by which they are.
            changes.sort();
            changes
        });
        let mut noted = self.noted();
        let known = noted.attributed.entry(key).or_default();
        known.times += 1;
        if known.times == 1 {
            known.changes.clone_from(&changes);
        }
        changes
    }
}
