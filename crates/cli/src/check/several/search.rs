//! The search: explores all versions together, and collects partitions and kinds of difference.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use concolic_vm::symbolic::SymbolicInput;
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::worker::{Part, Ran};
use exploration::{Config, InputRecord, Members, Observer, Partition, Progress, Strategy, Summary};

use super::super::changes::ChangedLine;
use super::super::differences::{Witness, ending, keep_shortest};
use super::super::paranoid::Claim;
use super::super::partitions::Described;
use super::super::search::{Findings, claims, config, progress_line, whole_programs};
use super::super::{Arguments, MakeSolver};
use super::groups::Groups;
use super::line::{Between, Line};
use crate::progress::LiveLine;

/// What a kind of difference is told by.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Symptom {
    pub(super) groups: Groups,
    /// What differs between any two versions.
    pub(super) observables: Vec<Observable>,
    /// How each version ends, and where, if not normally.
    pub(super) ends: Vec<String>,
    /// By step that makes a difference: the changed lines that are responsible.
    pub(super) changes: Vec<Vec<ChangedLine>>,
}

impl Symptom {
    /// Whether the other is the same, with more changes on the way.
    fn explains(&self, other: &Symptom) -> bool {
        let mut steps = self.changes.iter().zip(&other.changes);
        (&self.groups, &self.observables, &self.ends)
            == (&other.groups, &other.observables, &other.ends)
            && steps.all(|(own, more)| {
                own.is_empty() == more.is_empty() && own.iter().all(|line| more.contains(line))
            })
    }
}

/// One kind of difference.
pub(super) struct Kind {
    pub(super) symptom: Symptom,
    pub(super) partitions: u64,
    /// A few inputs that show it, the shortest first.
    pub(super) witnesses: Vec<Witness>,
}

/// By groups, observables and the changed lines that each step executed: those that are responsible.
type Responsible = HashMap<(Groups, Vec<Observable>, Vec<Vec<ChangedLine>>), Vec<Vec<ChangedLine>>>;

/// What the workers have found.
#[derive(Default)]
pub(super) struct Found {
    pub(super) common: Findings,
    pub(super) kinds: Vec<Kind>,
    responsible: Responsible,
    /// With `--paranoid`: inputs on which versions were proved to behave the same.
    claims: Vec<(Groups, Claim)>,
}

impl Found {
    /// Puts the simplest kinds first, and counts with them those that show the same over more changes.
    pub(super) fn fold(&mut self) {
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.sort_by_key(|kind| {
            let lines: usize = kind.symptom.changes.iter().map(Vec::len).sum();
            (lines, kind.symptom.observables.len())
        });
        for kind in kinds {
            let mut simpler = self.kinds.iter_mut();
            match simpler.find(|simpler| simpler.symptom.explains(&kind.symptom)) {
                Some(simpler) => simpler.partitions += kind.partitions,
                None => self.kinds.push(kind),
            }
        }
    }

    /// Inputs on which these two were proved to behave the same, and none between them.
    pub(super) fn claims_on(&self, one: usize, other: usize) -> impl Iterator<Item = &Claim> {
        let claims = self.claims.iter();
        let claims = claims.filter(move |(groups, _)| groups.are_neighbours(one, other));
        claims.map(|(_, claim)| claim)
    }
}

pub(super) struct Search<'s> {
    pub(super) arguments: &'s Arguments,
    pub(super) line: &'s Line<'s>,
    pub(super) strategy: Strategy,
    pub(super) interrupt: &'s AtomicBool,
    pub(super) start: Instant,
    pub(super) live: &'s LiveLine,
    pub(super) make_solver: &'s MakeSolver,
    pub(super) found: Mutex<Found>,
}

impl Observer for Search<'_> {
    fn found(&self, _: &exploration::Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, progress: &Progress) {
        if !self.live.is_seen() {
            return;
        }
        let kinds = self.found.lock().expect("no worker panicked").kinds.len();
        self.live.show(&progress_line(progress, kinds));
    }

    fn settles(&self) -> bool {
        true
    }

    fn path(&self, ran: &Ran<'_>) {
        let mut found = self.found.lock().expect("no worker panicked");
        found.common.note_path(ran);
    }

    fn partition(&self, partition: &Partition, ran: &Ran<'_>, members: &mut Members<'_, '_>) {
        let lock = || self.found.lock().expect("no worker panicked");
        let relations = &partition.relations;
        let groups = Groups::of(relations);
        let which = self.arguments.partitions;
        let is_listed = lock().common.listed.takes(&partition.part, which);
        let described = is_listed.then(|| Described::of(members, Some(relations), None));
        lock().common.listed.add(&partition.part, described);
        if self.arguments.paranoid && groups.say_same() {
            let seed = self.arguments.seed ^ u64::from(partition.run.0);
            let claims = claims(members, seed, &groups.text()).into_iter();
            let claims = claims.map(|claim| (groups.clone(), claim));
            lock().claims.extend(claims);
        }
        let Part::Different {
            observables,
            witness,
        } = &partition.part
        else {
            return;
        };
        let input = InputRecord::of(witness);
        let symptom = Symptom {
            changes: self.changes(&groups, observables, ran, &input),
            groups,
            observables: observables.clone(),
            ends: ran
                .versions
                .iter()
                .map(|version| ending(&version.run.outcome))
                .collect(),
        };
        let mut found = lock();
        found.common.note_difference(self.start);
        let same = |kind: &&mut Kind| kind.symptom == symptom;
        match found.kinds.iter_mut().find(same) {
            Some(kind) => {
                kind.partitions += 1;
                keep_shortest(&mut kind.witnesses, input, || members.describe());
            }
            None => found.kinds.push(Kind {
                symptom,
                partitions: 1,
                witnesses: vec![Witness {
                    input,
                    condition: members.describe(),
                }],
            }),
        }
    }
}

impl Search<'_> {
    /// For each step that makes a difference, the changed lines that are responsible. They are found out once for
    /// differences in the same observables over the same executed changes.
    fn changes(
        &self,
        groups: &Groups,
        observables: &[Observable],
        ran: &Ran<'_>,
        input: &InputRecord,
    ) -> Vec<Vec<ChangedLine>> {
        let executed = |step: &Between<'_>| match groups.differ(step.one, step.other) {
            true => {
                let run = &ran.versions[step.other].run;
                step.versions
                    .changes
                    .executed(step.versions.programs[1], run)
            }
            false => Vec::new(),
        };
        let executed: Vec<_> = self.line.steps().iter().map(executed).collect();
        if executed.iter().all(|lines| lines.len() < 2) {
            return executed;
        }
        let key = (groups.clone(), observables.to_vec(), executed);
        let lock = || self.found.lock().expect("no worker panicked");
        if let Some(known) = lock().responsible.get(&key) {
            return known.clone();
        }
        let shown = self.line.run(input);
        let shown = shown.filter(|shown| shown.groups == *groups);
        let responsible = match shown {
            Some(shown) => {
                let steps = self.line.steps().iter().zip(shown.pairs);
                let steps = steps.map(|(step, pair)| {
                    let mut changes = match groups.differ(step.one, step.other) {
                        true => pair.changes,
                        false => Vec::new(),
                    };
                    // Kinds are told apart by which they are.
                    changes.sort();
                    changes
                });
                steps.collect()
            }
            None => key.2.clone(),
        };
        lock().responsible.insert(key, responsible.clone());
        responsible
    }

    pub(super) fn explore(
        &self,
        shapes: Vec<SymbolicInput>,
        seeds: Vec<(u32, SymbolicInput)>,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
    ) -> Summary {
        let config = Config {
            strategy: self.strategy,
            shapes,
            seeds,
            ..config(
                self.arguments,
                &self.line.all,
                self.make_solver,
                self.interrupt,
            )
        };
        let versions = whole_programs(&self.line.all);
        exploration::explore(&versions, config, earlier, journal, self)
    }
}
