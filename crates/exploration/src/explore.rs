//! Putting a search together: a coordinator, and executors that run the given programs.

use concolic_vm::symbolic::SymbolicInput;
use executor::worker::Surroundings;
use executor::{LocalExecutor, Probe, Shared};
use relational::aim::Aim;
use relational::propagate;
use relational::relevance::PairRelevance;
use relational::{MachineConfig, StaticFacts, Version};
use search::journal::Earlier;
use search::{
    Budget, Change, Coordinator, Crew, Notes, Observer, Settings, Strategy, Summary, Transport,
    drive,
};
use solver::Solver;
use std::io::Write;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub struct Config<'c, 'f> {
    pub strategy: Strategy,
    /// Decides all random choices.
    pub seed: u64,
    pub workers: usize,
    pub transport: Transport,
    pub budget: Budget,
    pub machine: MachineConfig,
    /// The first input of each shape.
    pub shapes: Vec<SymbolicInput>,
    /// Inputs to run first, each with the number of its shape.
    pub seeds: Vec<(u32, SymbolicInput)>,
    pub solving: Solving<'c>,
    /// Bytes that the process holds now.
    pub memory_used: &'c (dyn Fn() -> u64 + Sync),
    /// Set from outside to stop.
    pub interrupt: &'c AtomicBool,
    /// Whether every path becomes a test, not only those that show something new.
    pub all_tests: bool,
    /// Facts may outlive all else: several explorations share them.
    pub change: ChangeConfig<'f>,
}

/// Who answers questions, and how long that may take.
pub struct Solving<'c> {
    /// Makes the solver of each worker.
    pub solver: &'c (dyn Fn(usize) -> Box<dyn Solver> + Sync),
    pub query_timeout: Duration,
    /// Terms a worker may hold before it starts with an empty store.
    pub most_terms: usize,
}

/// When two versions are compared: what is known of them, and what it is used for.
#[derive(Clone, Copy, Default)]
pub struct ChangeConfig<'c> {
    /// Facts of both versions, to keep only what matters of paths.
    pub relevance: Option<&'c PairRelevance<'c>>,
    /// What is known of them without a run. Nothing of it is asked for before the first
    /// inputs and the seeds have been run, nor if neither the strategy nor what follows needs it.
    pub facts: Option<&'c StaticFacts<'c>>,
    /// Whether ways behind which there is no difference are left out; needs `facts`.
    pub prune: bool,
    /// How much work is done, in instructions, before anything of `facts` is asked for: a search may be over sooner than they
    /// are found ([`StaticFacts::work`]).
    pub work_before_facts: u64,
    /// Whether inputs are made that take the effect of a change farther, and how much is spent on it; needs `facts`.
    pub propagate: Option<propagate::Limits>,
}

/// Explores the paths of the versions' common inputs: of one program, or of two or more that are
/// compared. `earlier` is what a previous session left; `journal` takes what a next one needs. What `probe` notes of runs, in the
/// executors, `observer` is told.
///
/// A change is between two versions: with more, there are no facts to aim or prune by, and no slices.
pub fn explore(
    versions: &[Version<'_>],
    config: Config<'_, '_>,
    earlier: Earlier,
    journal: Option<Box<dyn Write + Send>>,
    probe: &dyn Probe,
    observer: &dyn Observer,
) -> Summary {
    let change = config.change;
    assert!(
        versions.len() <= 2 || change.facts.is_none() && change.relevance.is_none(),
        "a change is between two versions"
    );
    let settings = settings(versions.len(), &config, observer);
    let aim = change.facts.map(|facts| Aim {
        facts,
        // Events of a sliced path say nothing of what was executed before them.
        prune: change.prune && change.relevance.is_none(),
    });
    let aim = aim.filter(|aim| aim.prune || config.strategy.is_change_directed());
    let leave = AtomicBool::new(false);
    let notes = Notes::to(observer);
    let shared = Shared {
        surroundings: Surroundings {
            versions: versions.to_vec(),
            machine: config.machine,
            shapes: config.shapes.clone(),
            query_timeout: config.solving.query_timeout,
            most_terms: config.solving.most_terms,
            relevance: change.relevance,
            leave: &leave,
        },
        probe,
        notes: &notes,
        aim: aim.as_ref(),
        facts: change.facts,
        propagate: change.propagate,
        propagation: OnceLock::new(),
    };
    let coordinator = Coordinator::new(
        &settings,
        aim.as_ref().map(|aim| aim as &dyn Change),
        earlier,
        journal.is_some(),
    );
    let programs: Vec<_> = versions.iter().map(|version| version.program).collect();
    let crew = Crew {
        workers: config.workers,
        executor: &|number| {
            let solver = (config.solving.solver)(number);
            config.transport.to(LocalExecutor::new(&shared, solver))
        },
        interrupt: config.interrupt,
        leave: &leave,
        memory_used: config.memory_used,
        notes: &notes,
        programs: &programs,
    };
    drive(coordinator, &crew, &settings.shapes, journal)
}

fn settings(versions: usize, config: &Config<'_, '_>, observer: &dyn Observer) -> Settings {
    Settings {
        strategy: config.strategy,
        seed: config.seed,
        budget: config.budget,
        versions,
        shapes: config.shapes.clone(),
        seeds: config.seeds.clone(),
        query_timeout: config.solving.query_timeout,
        all_tests: config.all_tests,
        work_before_facts: config.change.work_before_facts,
        propagates: config.change.propagate.is_some(),
        sliced: config.change.relevance.is_some(),
        settling: observer.settling(),
        admits_all: observer.admits_all(),
    }
}
