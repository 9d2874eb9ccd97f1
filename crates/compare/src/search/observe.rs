//! What a search makes of its runs: collects partitions and kinds of difference while all versions are explored together, from what
//! its probe notes of them.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use concolic_vm::symbolic::SymbolicInput;
use exploration::journal::Earlier;
use exploration::propagate;
use exploration::relevance::PairRelevance;
use exploration::worker::Part;
use exploration::{
    Budget, ChangeConfig, Config, InputRecord, MachineConfig, Note, Progress, Solving, StaticFacts,
    Strategy, Summary, Transport, Version,
};
use expr::VariableKinds;
use harness::Harness;

use super::findings::{Findings, FoundDifference};
use super::kinds::count;
use super::memory::memory_used;
use super::probe::{PartitionNote, RunNote, RunProbe};
use crate::observer::{Event, Observer};
use crate::spec::{Mode, Spec};
use crate::trusted::MakeSolver;
use crate::versions::executed::ChangeNumber;
use crate::versions::run::Versions;

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

/// The search of one round, or the proof beside it: how it goes on, and what it has found.
pub(super) struct Explorer<'f, 's> {
    pub(super) spec: &'s Spec,
    pub(super) versions: &'s Versions<'s>,
    pub(super) harness: &'s dyn Harness,
    /// What the variables of the input are.
    pub(super) kinds: Arc<VariableKinds>,
    /// Shared by all rounds.
    pub(super) facts: PairFacts<'f>,
    pub(super) make_solver: &'s MakeSolver,
    pub(super) role: Role,
    pub(super) interrupt: &'s AtomicBool,
    pub(super) observer: &'s dyn Observer,
    pub(super) early: &'s Sender<FoundDifference>,
    pub(super) start: Instant,
    /// For this round.
    pub(super) time: Duration,
    pub(super) found: Mutex<Findings>,
}

/// Who collects what a search's probe notes.
struct Collector<'c, 'f, 's> {
    search: &'c Explorer<'f, 's>,
    shapes: &'c [SymbolicInput],
}

impl exploration::Observer for Collector<'_, '_, '_> {
    fn progress(&self, progress: &Progress) {
        let search = self.search;
        if search.role == Role::Proof {
            return;
        }
        let kinds = search.found().kinds.len();
        search.observer.event(Event::Searching { progress, kinds });
    }

    fn settling(&self) -> Option<Duration> {
        self.search.proves().then_some(exploration::SETTLING)
    }

    fn admits_all(&self) -> bool {
        !self.search.harness.leaves_out_inputs()
    }

    fn note(&self, note: &Note) -> std::io::Result<()> {
        match note.read() {
            RunNote::Path(path) => self.search.found().note_path(path, self.shapes),
            RunNote::Partition(partition) => self.search.take_partition(*partition),
        }
        Ok(())
    }
}

impl<'f, 's> Explorer<'f, 's> {
    fn found(&self) -> MutexGuard<'_, Findings> {
        self.found.lock().expect("no worker panicked")
    }

    fn proves(&self) -> bool {
        self.spec.search.mode != Mode::FindOnly
    }

    fn take_partition(&self, note: PartitionNote) {
        let PartitionNote {
            part,
            described,
            claims,
            difference,
        } = note;
        let mut found = self.found();
        if self.proves() {
            let which = self.spec.listing.partitions;
            let described = described.filter(|_| found.listed.takes(&part, which));
            found.listed.add(&part, described);
        }
        found.claims.extend(claims);
        if let (Some(difference), Part::Different { witness, .. }) = (difference, &part) {
            found.note_difference(self.start);
            let (input, known) = (InputRecord::of(witness), found.kinds.len());
            count(&mut found.kinds, difference, input.clone());
            if let Some(new) = found.kinds.get(known) {
                // Nobody listens any more when the search is about to end.
                let _ = self.early.send(FoundDifference {
                    groups: new.symptom.groups.clone(),
                    input,
                    observables: new.symptom.observables.clone(),
                });
            }
        }
    }

    pub(super) fn has_executed(&self, changes: &BTreeSet<ChangeNumber>) -> bool {
        changes.is_subset(&self.found().executed.changes.defined)
    }

    pub(super) fn has_difference(&self) -> bool {
        !self.found().kinds.is_empty()
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
            // A strategy that was asked for by name has what it goes by from the beginning.
            work_before_facts: match search.strategy {
                Strategy::Auto => self.facts.facts.map_or(0, StaticFacts::work),
                _ => 0,
            },
            relevance: slices.then(|| self.facts.relevance()).flatten(),
            prune: is_proof || search.prune,
            propagate: (search.propagate && !is_proof).then(propagate::Limits::default),
        };
        let collector = Collector {
            search: self,
            shapes: &shapes,
        };
        let kinds = self.kinds.clone();
        let probe = RunProbe::new(self.spec, self.versions, self.harness, kinds, self.proves());
        let config = Config {
            shapes: shapes.clone(),
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
        let summary = exploration::explore(versions, config, earlier, journal, &probe, &collector);
        self.found().executed.cover(&summary.shown.coverage);
        summary
    }

    /// How to search, on no inputs yet.
    fn config(&self) -> Config<'s, 'f> {
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
