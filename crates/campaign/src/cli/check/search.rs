//! The search: explores both versions together and collects the kinds of difference.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::Context;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicLimits;
use concolic_vm::{Limits, Program};
use exploration::journal::Earlier;
use exploration::worker::{Part, Ran};
use exploration::{
    Budget, Config, Found, InputRecord, InputSpace, Members, Observer, Partition, Progress,
    Subject, Summary, Version,
};

use super::Arguments;
use super::changes::Changes;
use super::differences::{Group, ending, size};
use crate::cli::explore::{memory_used, read_seeds};
use crate::cli::progress::LiveLine;
use crate::prediction::predict;
use crate::test_case::Expected;

/// How many inputs of one kind of difference are kept, to be tried natively until one is confirmed.
pub(super) const WITNESSES: usize = 3;

/// What the workers have found.
#[derive(Default)]
pub(super) struct Differences {
    pub(super) groups: Vec<Group>,
    /// Runs until the first difference, and the time.
    pub(super) first: Option<(u64, Duration)>,
    pub(super) paths: u64,
}

pub(super) struct Checker<'c> {
    pub(super) arguments: &'c Arguments,
    pub(super) programs: &'c [Program],
    pub(super) kernel: KernelConfig,
    pub(super) changes: &'c Changes,
    pub(super) interrupt: &'c AtomicBool,
    pub(super) start: Instant,
    pub(super) live: LiveLine,
    pub(super) found: Mutex<Differences>,
}

impl Observer for Checker<'_> {
    fn found(&self, _: &Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, progress: &Progress) {
        if !self.live.is_seen() {
            return;
        }
        let kinds = self.found.lock().expect("no worker panicked").groups.len();
        self.live.show(&format!(
            "{:>4.0} s  {} paths  {} open  {} kind{} of difference",
            progress.wall.as_secs_f64(),
            progress.paths,
            progress.open_flips,
            kinds,
            if kinds == 1 { "" } else { "s" },
        ));
    }

    fn path(&self, _: &Ran<'_>) {
        self.found.lock().expect("no worker panicked").paths += 1;
    }

    fn partition(&self, partition: &Partition, ran: &Ran<'_>, members: &mut Members<'_, '_>) {
        let Part::Different {
            observables,
            witness,
        } = &partition.part
        else {
            return;
        };
        let changes = self.changes.executed(&self.programs[1], ran);
        let ends = [0, 1].map(|version| ending(&ran.versions[version].run.outcome));
        let witness = InputRecord::of(witness);
        let mut found = self.found.lock().expect("no worker panicked");
        let runs = found.paths;
        found
            .first
            .get_or_insert_with(|| (runs, self.start.elapsed()));
        let same = |group: &&mut Group| {
            group.observables == *observables && group.ends == ends && group.changes == changes
        };
        match found.groups.iter_mut().find(same) {
            Some(group) => {
                group.partitions += 1;
                let longest = group.witnesses.last();
                let is_better = longest.is_none_or(|(longest, _)| size(&witness) < size(longest));
                if is_better || group.witnesses.len() < WITNESSES {
                    group.witnesses.push((witness, members.describe()));
                    group.witnesses.sort_by_key(|(witness, _)| size(witness));
                    group.witnesses.truncate(WITNESSES);
                }
            }
            None => found.groups.push(Group {
                observables: observables.clone(),
                ends,
                changes,
                also: BTreeSet::new(),
                partitions: 1,
                witnesses: vec![(witness, members.describe())],
            }),
        }
    }
}

impl Checker<'_> {
    pub(super) fn explore(&self, space: &InputSpace) -> anyhow::Result<Summary> {
        let arguments = self.arguments;
        let shapes = space.shapes();
        let seeds = match &arguments.seeds {
            Some(folder) => read_seeds(folder, space, &shapes, &self.kernel)?,
            None => Vec::new(),
        };
        let workers = usize::from(arguments.workers);
        let config = Config {
            strategy: arguments.strategy,
            seed: arguments.seed,
            workers,
            budget: Budget {
                time: Some(arguments.timeout),
                runs: arguments.runs,
                instructions: None,
                memory: Some(arguments.memory << 20),
            },
            kernel: self.kernel.clone(),
            limits: self.limits(),
            symbolic_limits: SymbolicLimits::default(),
            shapes,
            seeds,
            query_timeout: arguments.query_timeout,
            most_terms: (arguments.memory << 20) as usize / (512 * workers),
            solver: &|_| solver::chain(&solver::Config::default()),
            memory_used: &memory_used,
            interrupt: self.interrupt,
            all_tests: false,
        };
        let version = |program| Version {
            program,
            subject: Subject::Whole,
        };
        let versions = [version(&self.programs[0]), version(&self.programs[1])];
        Ok(exploration::explore(
            &versions,
            config,
            Earlier::default(),
            None,
            self,
        ))
    }

    fn limits(&self) -> Limits {
        Limits {
            steps: self.arguments.max_steps,
            ..Limits::default()
        }
    }

    /// What a version does on an input, in the VM.
    pub(super) fn run(&self, version: usize, input: &InputRecord) -> anyhow::Result<Expected> {
        predict(&self.programs[version], &self.kernel, self.limits(), input)
            .context("a process cannot be started with an input that was found")
    }
}
