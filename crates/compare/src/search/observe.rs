//! What a search makes of its runs: collects partitions and kinds of difference while all versions are explored together.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use concolic_vm::symbolic::SymbolicInput;
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::propagate;
use exploration::relevance::PairRelevance;
use exploration::worker::{Part, Ran, VersionRun};
use exploration::{
    Budget, ChangeConfig, Config, FoundTest, InputRecord, MachineConfig, Members, Partition,
    Progress, Solving, StaticFacts, Strategy, Summary, Transport, Version,
};
use expr::VariableKinds;
use harness::Harness;

use super::findings::{Claim, Findings};
use super::kinds::{Kind, Symptom, Witness};
use super::location::location;
use super::memory::memory_used;
use super::partitions::Described;
use crate::observer::{Event, Observer};
use crate::spec::{Mode, Spec};
use crate::trusted::MakeSolver;
use crate::versions::changed_line::ChangedLine;
use crate::versions::groups::Groups;
use crate::versions::outcome::ending;
use crate::versions::run::{Step, Versions};

/// Whether this is the search, or the proof beside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Search,
    Proof,
}

/// What is known of two versions without a run; nothing of more.
#[derive(Clone, Copy)]
pub(super) struct PairFacts<'s> {
    pub(super) facts: Option<&'s StaticFacts<'s>>,
    pub(super) versions: &'s [Version<'s>],
    /// Made when it is needed first.
    pub(super) relevance: &'s OnceLock<Option<PairRelevance<'s>>>,
}

impl<'s> PairFacts<'s> {
    fn relevance(self) -> Option<&'s PairRelevance<'s>> {
        let (Some(facts), &[old, new]) = (self.facts, self.versions) else {
            return None;
        };
        let relevance = || PairRelevance::of(&[old, new], facts, true);
        self.relevance.get_or_init(relevance).as_ref()
    }
}

pub(super) struct Search<'s> {
    pub(super) spec: &'s Spec,
    pub(super) versions: &'s Versions<'s>,
    pub(super) harness: &'s dyn Harness,
    /// What the variables of the input are.
    pub(super) kinds: Arc<VariableKinds>,
    pub(super) facts: PairFacts<'s>,
    pub(super) make_solver: &'s MakeSolver,
    pub(super) role: Role,
    pub(super) interrupt: &'s AtomicBool,
    pub(super) observer: &'s dyn Observer,
    pub(super) start: Instant,
    /// For this round.
    pub(super) time: Duration,
    pub(super) found: Mutex<Findings>,
}

impl exploration::Observer for Search<'_> {
    fn found(&self, _: &FoundTest<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, progress: &Progress) {
        if self.role == Role::Proof {
            return;
        }
        let kinds = self.found.lock().expect("no worker panicked").kinds.len();
        self.observer.event(Event::Searching { progress, kinds });
    }

    fn settles(&self) -> bool {
        self.proves()
    }

    fn proves(&self) -> bool {
        self.spec.search.mode != Mode::FindOnly
    }

    fn admits_all(&self) -> bool {
        !self.harness.leaves_out_inputs()
    }

    fn admits(&self, runs: &[VersionRun<'_>]) -> bool {
        let mut versions = self.versions.programs.iter().zip(runs);
        versions.any(|(program, version)| self.harness.is_meant(program, &version.run.coverage))
    }

    fn path(&self, ran: &Ran<'_>) {
        let is_meant = self.admits_all() || exploration::Observer::admits(self, &ran.versions);
        let runs = self.versions.programs.iter().zip(&ran.versions);
        let left_out: Vec<String> = runs
            .flat_map(|(program, version)| self.harness.left_out_in(program, &version.run.coverage))
            .collect();
        let mut found = self.found.lock().expect("no worker panicked");
        found.note_path(ran, is_meant);
        found.left_out.extend(left_out);
    }

    fn partition(&self, partition: &Partition, ran: &Ran<'_>, members: &mut Members<'_, '_>) {
        members.set_variable_kinds(&self.kinds);
        let lock = || self.found.lock().expect("no worker panicked");
        let groups = self.groups(partition);
        if self.proves() {
            let which = self.spec.listing.partitions;
            let is_listed = lock().listed.takes(&partition.part, which);
            let several = (self.versions.programs.len() > 2).then(|| groups.clone());
            let described = is_listed.then(|| Described::of(members, several, self.harness));
            lock().listed.add(&partition.part, described);
        }
        if self.spec.confirm.proofs && groups.say_same() {
            let claims = self.claims(partition, &groups, members);
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
        let changes = self.changes(&groups, &input, ran, observables);
        let place = |observable| self.location(&groups, observable, ran);
        let locations: Vec<String> = observables.iter().map(place).collect();
        let ends = ran.versions.iter();
        let symptom = Symptom {
            groups,
            observables: observables.clone(),
            ends: ends.map(|version| ending(&version.run.outcome)).collect(),
            class: self.versions.class(&input),
        };
        let mut found = lock();
        found.note_difference(self.start);
        let mut kinds = found.kinds.iter_mut();
        match kinds.find(|kind| kind.is(&symptom, &locations, &changes)) {
            Some(kind) => kind.add(input, || members.describe()),
            None => found.kinds.push(Kind {
                symptom,
                locations,
                changes,
                also: BTreeSet::new(),
                partitions: 1,
                witnesses: vec![Witness {
                    input,
                    condition: members.describe(),
                }],
            }),
        }
    }
}

/// Differences in the same observables over the same executed changes whose slices are looked at; more are taken to be
/// like them.
const SLICED: u32 = 8;
/// Inputs of each partition that was proved equal that are tried out.
const CLAIMED: usize = 4;

impl<'s> Search<'s> {
    /// Which versions behave the same on the inputs of a partition.
    fn groups(&self, partition: &Partition) -> Groups {
        Groups::of(&partition.relations)
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
            input: InputRecord::of(&input),
            given: input,
            condition: condition.clone(),
            proof: proof.clone(),
        };
        inputs.map(claim).collect()
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
        let by_step = |lines: &dyn Fn(&Step<'_>) -> Vec<ChangedLine>| -> Vec<Vec<ChangedLine>> {
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
        let lock = || self.found.lock().expect("no worker panicked");
        if let Some(known) = lock().attributed.get(&key)
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
        let mut found = lock();
        let known = found.attributed.entry(key).or_default();
        known.times += 1;
        if known.times == 1 {
            known.changes.clone_from(&changes);
        }
        changes
    }

    pub(super) fn has_difference(&self) -> bool {
        let found = self.found.lock().expect("no worker panicked");
        !found.kinds.is_empty()
    }

    pub(super) fn explore(
        &self,
        versions: &[Version<'_>],
        shapes: Vec<SymbolicInput>,
        seeds: Vec<(u32, SymbolicInput)>,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
    ) -> Summary {
        let search = &self.spec.search;
        let slices = self.role == Role::Proof || search.slices;
        let is_proof = self.role == Role::Proof;
        let change = ChangeConfig {
            facts: self.facts.facts,
            relevance: slices.then(|| self.facts.relevance()).flatten(),
            prune: is_proof || search.prune,
            propagate: (search.propagate && !is_proof).then(propagate::Limits::default),
            trials: search.trials && !is_proof,
            ..ChangeConfig::default()
        };
        let config = Config {
            shapes,
            seeds,
            change,
            ..self.config()
        };
        let config = match self.role {
            Role::Proof => Config {
                strategy: Strategy::Dart,
                workers: 1,
                ..config
            },
            Role::Search => config,
        };
        let summary = exploration::explore(versions, config, earlier, journal, self);
        let mut found = self.found.lock().expect("no worker panicked");
        found.cover(&summary.shown.coverage);
        summary
    }

    /// How to search, on no inputs yet.
    fn config(&self) -> Config<'s> {
        let (search, limits) = (&self.spec.search, &self.spec.limits);
        Config {
            strategy: search.strategy,
            seed: search.seed,
            workers: search.workers,
            budget: Budget {
                time: Some(self.time),
                runs: limits.runs,
                instructions: None,
                memory: Some(limits.memory),
            },
            transport: Transport::Direct,
            machine: MachineConfig {
                kernel: self.versions.kernel.clone(),
                limits: self.versions.limits,
                symbolic_limits: self.versions.symbolic_limits,
            },
            shapes: Vec::new(),
            seeds: Vec::new(),
            solving: Solving {
                query_timeout: limits.query,
                most_terms: limits.memory as usize / (512 * search.workers),
                solver: self.make_solver,
            },
            memory_used: &memory_used,
            interrupt: self.interrupt,
            all_tests: false,
            // The search goes on after its first difference, so it needs the facts of the change anyway.
            change: ChangeConfig::default(),
        }
    }
}
