//! The search: explores both versions together, and collects partitions and kinds of difference.

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use concolic_vm::End;
use concolic_vm::symbolic::{SymbolicInput, SymbolicRun};
use exploration::compare::Observable;
use exploration::input::CompactInput;
use exploration::journal::Earlier;
use exploration::relevance::PairRelevance;
use exploration::worker::{Part, Ran, VersionRun};
use exploration::{
    Budget, ChangeConfig, Config, Found, InputRecord, MachineConfig, Members, Observer, Partition,
    Progress, Solving, Strategy, Subject, Summary, Transport, Version,
};
use expr::VariableKinds;

use super::changes::ChangedLine;
use super::differences::{Group, Symptom, Witness, ending};
use super::function::{self, FunctionCheck};
use super::location::location;
use super::paired::Versions;
use super::paranoid::{self, Claim};
use super::partitions::{Described, Listed};
use super::{Arguments, MakeSolver, Trusted};
use crate::explore::memory_used;
use crate::progress::LiveLine;
use crate::search_options::Mode;

/// What the workers have found.
#[derive(Default)]
pub(super) struct Findings {
    pub(super) groups: Vec<Group>,
    pub(super) listed: Listed,
    /// Runs until the first difference, and the time.
    pub(super) first: Option<(u64, Duration)>,
    /// Some of the inputs that were run.
    pub(super) samples: Vec<InputRecord>,
    /// All of them.
    pub(super) inputs: Vec<CompactInput>,
    /// With `--paranoid`: inputs that were proved to behave the same.
    pub(super) claims: Vec<Claim>,
    paths: u64,
    /// By observables and executed changes.
    sliced: HashMap<(Vec<Observable>, Vec<ChangedLine>), Sliced>,
}

impl Findings {
    pub(super) fn note_path(&mut self, ran: &Ran<'_>) {
        self.paths += 1;
        let ends = |outcome: &concolic_vm::Outcome| !matches!(outcome.end, End::StepLimit { .. });
        let mut versions = ran.versions.iter();
        if is_sample(self.paths) && versions.all(|version| ends(&version.run.outcome)) {
            self.samples.push(InputRecord::of(&ran.input));
        }
        self.inputs.push(CompactInput::new(ran.shape, &ran.input));
    }

    /// Notes that a difference was found.
    pub(super) fn note_difference(&mut self, start: Instant) {
        let runs = self.paths;
        self.first.get_or_insert_with(|| (runs, start.elapsed()));
    }
}

/// What slices have shown.
#[derive(Default)]
struct Sliced {
    times: u32,
    /// Of the first.
    changes: Vec<ChangedLine>,
}

pub(super) struct Search<'s> {
    pub(super) arguments: &'s Arguments,
    pub(super) versions: &'s Versions<'s>,
    pub(super) interrupt: &'s AtomicBool,
    pub(super) start: Instant,
    pub(super) live: &'s LiveLine,
    /// What the variables of the input are.
    pub(super) kinds: Arc<VariableKinds>,
    pub(super) trusted: &'s Trusted<'s>,
    /// Whether this is the proof beside a search.
    pub(super) proves_alone: bool,
    /// A function that is compared on some of its arguments only.
    pub(super) function: Option<&'s FunctionCheck>,
    pub(super) found: Mutex<Findings>,
}

/// How far a search is.
pub(super) fn progress_line(progress: &Progress, kinds: usize) -> String {
    format!(
        "{:>4.0} s  {} paths  {} open  {} kind{} of difference",
        progress.wall.as_secs_f64(),
        progress.paths,
        progress.open_flips,
        kinds,
        if kinds == 1 { "" } else { "s" },
    )
}

/// All of the first runs are samples, and fewer and fewer of the later ones.
pub(super) fn is_sample(number: u64) -> bool {
    number < 16 || number.is_power_of_two()
}

impl Observer for Search<'_> {
    fn found(&self, _: &Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, progress: &Progress) {
        if !self.live.is_seen() {
            return;
        }
        let kinds = self.found.lock().expect("no worker panicked").groups.len();
        self.live.show(&progress_line(progress, kinds));
    }

    fn settles(&self) -> bool {
        self.proves()
    }

    fn proves(&self) -> bool {
        self.arguments.search.mode() != Mode::FindOnly
    }

    fn admits_all(&self) -> bool {
        !self.function.is_some_and(FunctionCheck::leaves_out)
    }

    fn admits(&self, runs: &[VersionRun<'_>]) -> bool {
        let mut versions = self.versions.programs.iter().zip(runs);
        versions.any(|(program, version)| function::is_called(program, &version.run.coverage))
    }

    fn path(&self, ran: &Ran<'_>) {
        let mut found = self.found.lock().expect("no worker panicked");
        found.note_path(ran);
    }

    fn partition(&self, partition: &Partition, ran: &Ran<'_>, members: &mut Members<'_, '_>) {
        members.set_variable_kinds(&self.kinds);
        let lock = || self.found.lock().expect("no worker panicked");
        if self.proves() {
            let which = self.arguments.partitions;
            let is_listed = lock().listed.takes(&partition.part, which);
            let described = is_listed.then(|| Described::of(members, None, self.function));
            lock().listed.add(&partition.part, described);
        }
        if let Part::Equal { by } = partition.part
            && self.arguments.paranoid
        {
            let seed = self.arguments.seed ^ u64::from(partition.run.0);
            let claims = claims(members, seed, &format!("{by:?}"));
            lock().claims.extend(claims);
        }
        let Part::Different {
            observables,
            witness,
        } = &partition.part
        else {
            return;
        };
        let [old, new] = &ran.versions[..] else {
            return;
        };
        let input = InputRecord::of(witness);
        let changes = self.changes(&input, &new.run, observables);
        let symptom = Symptom {
            observables: observables.clone(),
            ends: [old, new].map(|version| ending(&version.run.outcome)),
            class: self.versions.class(&input),
        };
        let place = |observable| location(observable, old, new);
        let locations: Vec<String> = observables.iter().map(place).collect();
        let mut found = lock();
        found.note_difference(self.start);
        let same = |group: &&mut Group| {
            group.symptom == symptom && group.locations == locations && group.changes == changes
        };
        match found.groups.iter_mut().find(same) {
            Some(group) => group.add(input, || members.describe()),
            None => found.groups.push(Group {
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

impl Search<'_> {
    /// The changed lines that are responsible.
    fn changes(
        &self,
        input: &InputRecord,
        new: &SymbolicRun,
        observables: &[Observable],
    ) -> Vec<ChangedLine> {
        let executed = self
            .versions
            .changes
            .executed(self.versions.programs[1], new);
        let key = (observables.to_vec(), executed);
        let known = |sliced: &Sliced| sliced.times >= SLICED;
        let mut found = self.found.lock().expect("no worker panicked");
        if let Some(sliced) = found.sliced.get(&key).filter(|sliced| known(sliced)) {
            return sliced.changes.clone();
        }
        drop(found);
        let mut changes = self.versions.responsible(input, new, observables);
        // Which of them come first is a matter of the example; kinds are told apart by which they are.
        changes.sort();
        found = self.found.lock().expect("no worker panicked");
        let sliced = found.sliced.entry(key).or_default();
        sliced.times += 1;
        if sliced.times == 1 {
            sliced.changes.clone_from(&changes);
        }
        changes
    }

    pub(super) fn has_difference(&self) -> bool {
        let found = self.found.lock().expect("no worker panicked");
        !found.groups.is_empty()
    }

    pub(super) fn explore(
        &self,
        shapes: Vec<SymbolicInput>,
        seeds: Vec<(u32, SymbolicInput)>,
        earlier: Earlier,
        journal: Option<Box<dyn Write + Send>>,
    ) -> Summary {
        let versions = whole_programs(self.versions);
        let [old, new] = versions[..] else {
            unreachable!("two versions are compared")
        };
        let facts = (self.trusted.make_facts)(old, new);
        let search = &self.arguments.search;
        let slices = self.proves_alone || search.slices();
        let relevance = slices
            .then(|| PairRelevance::of(&[old, new], &facts, true))
            .flatten();
        let common = config(
            self.arguments,
            self.versions,
            self.trusted.make_solver,
            self.interrupt,
        );
        let change = ChangeConfig {
            facts: Some(&facts),
            relevance: relevance.as_ref(),
            prune: self.proves_alone || search.prunes(),
            propagate: search.propagates().filter(|_| !self.proves_alone),
            ..ChangeConfig::default()
        };
        let config = Config {
            shapes,
            seeds,
            change,
            ..common
        };
        let config = match self.proves_alone {
            true => Config {
                strategy: Strategy::Dart,
                workers: 1,
                ..config
            },
            false => Config {
                strategy: search.strategy(),
                ..config
            },
        };
        exploration::explore(&versions, config, earlier, journal, self)
    }
}

pub(super) fn whole_programs<'v>(versions: &Versions<'v>) -> Vec<Version<'v>> {
    let version = |&program| Version {
        program,
        subject: Subject::Whole,
    };
    versions.programs.iter().map(version).collect()
}

/// How to search for any difference, on no inputs yet.
pub(super) fn config<'c>(
    arguments: &Arguments,
    versions: &Versions<'_>,
    make_solver: &'c MakeSolver,
    interrupt: &'c AtomicBool,
) -> Config<'c> {
    let workers = usize::from(arguments.workers);
    Config {
        strategy: arguments.search.strategy(),
        seed: arguments.seed,
        workers,
        budget: Budget {
            time: Some(arguments.timeout),
            runs: arguments.runs,
            instructions: None,
            memory: Some(arguments.memory << 20),
        },
        transport: Transport::Direct,
        machine: MachineConfig {
            kernel: versions.kernel.clone(),
            limits: versions.limits,
            symbolic_limits: versions.symbolic_limits,
        },
        shapes: Vec::new(),
        seeds: Vec::new(),
        solving: Solving {
            query_timeout: arguments.query_timeout,
            most_terms: (arguments.memory << 20) as usize / (512 * workers),
            solver: make_solver,
        },
        memory_used: &memory_used,
        interrupt,
        all_tests: false,
        // The search goes on after its first difference, so it needs the facts of the change anyway.
        change: ChangeConfig::default(),
    }
}

/// With `--paranoid`: some inputs of a partition, with what was proved of it.
pub(super) fn claims(members: &mut Members<'_, '_>, seed: u64, proof: &str) -> Vec<Claim> {
    let condition = members.describe();
    let inputs = members.sample(paranoid::INPUTS, seed).into_iter();
    let claim = |input: SymbolicInput| Claim {
        input: InputRecord::of(&input),
        given: input,
        condition: condition.clone(),
        proof: proof.to_owned(),
    };
    inputs.map(claim).collect()
}
