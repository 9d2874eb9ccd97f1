//! SeparateGen (DiffGen, §4.2): a baseline. Tests are generated for each version alone, as they cover it, and then run on both.
//!
//! Every path of a version becomes a test, up to as many as the paper explores. What is compared of a test is what the versions do on this
//! one input: nothing is asked of the other inputs of its path. So this finds differences and proves nothing.

use std::sync::Mutex;
use std::time::Duration;

use concolic_vm::symbolic::SymbolicInput;
use exploration::journal::Earlier;
use exploration::{
    Budget, ChangeConfig, Config, FoundTest, InputRecord, MachineConfig, Note, Observer, Probe,
    Solving, Strategy, Transport, Version,
};

use super::memory::memory_used;
use super::{Round, Searched, Searching};
use crate::prepare::folder::Journals;

/// The most paths of a version that become tests.
const MOST_PATHS: u64 = 2000;

/// The tests of one version.
#[derive(Default)]
struct Tests {
    found: Mutex<Vec<SymbolicInput>>,
}

impl Probe for Tests {
    fn proves(&self) -> bool {
        false
    }

    fn test(&self, test: &FoundTest<'_>) -> Option<Note> {
        let mut found = self.found.lock().expect("no worker panicked");
        found.push(test.input.clone());
        None
    }
}

impl Observer for Tests {}

/// Makes tests of each version, and searches with those that show a difference and nothing else.
pub(super) fn search(
    searching: &Searching<'_>,
    whole: &[Version<'_>],
    go_on: impl FnOnce(Round, &mut Journals) -> Searched,
) -> Searched {
    let spec = searching.spec;
    let time = spec.limits.time / 3;
    let mut differing = Vec::new();
    let mut all = 0;
    for version in whole {
        for test in tests(searching, *version, time) {
            all += 1;
            let shown = searching.versions.run(&InputRecord::of(&test));
            let differs = shown.is_some_and(|shown| {
                let mut steps = shown.steps.iter();
                steps.any(|step| !step.symptom.observables.is_empty())
            });
            if differs {
                differing.push((0, test));
            }
        }
    }
    let time = match differing.is_empty() {
        true => Duration::ZERO,
        false => time,
    };
    differing.truncate(1);
    let round = Round {
        seeds: differing,
        proves: false,
        ..Round::first(searching.prepared, time)
    };
    let mut searched = go_on(round, &mut Journals::default());
    if let Some(summary) = &mut searched.summary {
        summary.runs += all;
    }
    searched
}

fn tests(searching: &Searching<'_>, version: Version<'_>, time: Duration) -> Vec<SymbolicInput> {
    let (spec, versions) = (searching.spec, searching.versions);
    let limits = &spec.limits;
    let collected = Tests::default();
    let config = Config {
        strategy: Strategy::Dart,
        seed: spec.search.seed,
        workers: 1,
        budget: Budget {
            time: Some(time),
            runs: Some(MOST_PATHS),
            instructions: None,
            memory: Some(limits.memory),
        },
        transport: Transport::Direct,
        machine: MachineConfig {
            kernel: versions.kernel.clone(),
            limits: versions.limits,
            symbolic_limits: versions.symbolic_limits,
        },
        shapes: searching.prepared.shapes.clone(),
        seeds: Vec::new(),
        solving: Solving {
            query_timeout: limits.query,
            most_terms: limits.memory as usize / 512,
            solver: searching.trusted.make_solver,
        },
        memory_used: &memory_used,
        interrupt: searching.observer.interrupt(),
        all_tests: true,
        change: ChangeConfig::default(),
    };
    let earlier = Earlier::default();
    exploration::explore(&[version], config, earlier, None, &collected, &collected);
    collected.found.into_inner().expect("no worker panicked")
}
