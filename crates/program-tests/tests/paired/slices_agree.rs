//! Random programs: the slices of a run's trace are those that their definition gives, looked up pair by pair.

use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::{Instance, TraceLimits};
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits};
use exploration::relevance::{KnownWays, NotSliced, RelevanceFacts};
use exploration::{Subject, Version};
use expr::Store;
use program_generator::Settings;
use program_ir::{Func, Inst, Module};
use program_tests::generated::Batch;
use random::SplitMix;

const PROGRAMS: u64 = 60;
const INPUTS: usize = 4;

#[test]
fn slices_are_as_defined() {
    let mut counts = [0; 4];
    for faults in [false, true] {
        let settings = Settings { size: 10, faults };
        let seeds: Vec<u64> = (5_000..5_000 + PROGRAMS / 2).collect();
        let batch = Batch::new(&seeds, settings).expect("the programs compile");
        for (member, &seed) in seeds.iter().enumerate() {
            let runs = check(&batch, member, seed);
            counts = std::array::from_fn(|index| counts[index] + runs[index]);
        }
    }
    let [runs, instances, kept, decided] = counts;
    println!("{runs} runs, {instances} instances, {kept} of {decided} conditions kept");
    assert!(runs > 100 && kept > 0 && kept < decided);
}

/// Runs, instances, kept conditions, and all.
fn check(batch: &Batch, member: usize, seed: u64) -> [usize; 4] {
    let explorable = batch.member(member);
    let Subject::Call(func) = explorable.subject else {
        unreachable!("members are called")
    };
    let mut chance = SplitMix(seed);
    let version = Version {
        program: explorable.program,
        subject: explorable.subject,
    };
    let place = some_place(version.program.module(), func, &mut chance);
    let facts = RelevanceFacts::of(&version, [place]);
    let mut known = KnownWays::default();
    let mut counts = [0; 4];
    let inputs = batch.inputs(member);
    for _ in 0..INPUTS {
        let input = &inputs[below(&mut chance, inputs.len())];
        let (_, input) = explorable.shaped(input).expect("an input of the function");
        let mut store = Store::new();
        let started = version.subject.start(
            version.program,
            &mut store,
            KernelConfig::default(),
            Limits {
                steps: 20_000,
                ..Limits::default()
            },
            SymbolicLimits::default(),
            &input,
        );
        let mut process = started.expect("the call starts");
        let limits = TraceLimits::bytes(1 << 26);
        let (run, trace) = process.run_tracing(&mut store, &facts.trace, limits);
        // Every pair of instances is looked at.
        if trace.len() > 4_000 {
            continue;
        }
        let end = &run.outcome.end;
        let context = format!("seed {seed}, {} instances", trace.len());
        let behaviour = facts.behaviour(&mut known, &trace, end);
        assert_eq!(behaviour, facts.behaviour_simply(&trace, end), "{context}");
        let reachability = facts.reachability(&mut known, &trace, end);
        let simply = facts.reachability_simply(&trace, end);
        assert_eq!(reachability, simply, "{context}");
        for _ in 0..3 {
            let from = Instance(1 + below(&mut chance, trace.len() - 1) as u32);
            let slice = facts.relevant_slice(&mut known, &trace, [from]);
            let simply = facts.relevant_slice_simply(&trace, &[from]);
            assert_eq!(slice, simply, "{context}, from {from:?}");
        }
        counts[0] += 1;
        counts[1] += trace.len();
        if let Ok(kept) = &behaviour {
            counts[2] += kept.len();
            let decided = trace.conditions.iter().map(|decided| decided.1);
            let decided: std::collections::BTreeSet<_> = decided.collect();
            counts[3] += decided.len();
        }
        let few_instances = TraceLimits {
            instances: trace.len() / 2,
            ..limits
        };
        for limits in [few_instances, TraceLimits::bytes(trace.memory() / 2)] {
            let cut_short = sliced_within(&version, &facts, &input, limits);
            assert_eq!(cut_short, Err(NotSliced::TooLong), "{context}");
        }
    }
    counts
}

/// Whether a run is sliced if not all of its trace is kept.
fn sliced_within(
    version: &Version<'_>,
    facts: &RelevanceFacts<'_>,
    input: &SymbolicInput,
    limits: TraceLimits,
) -> Result<(), NotSliced> {
    let mut store = Store::new();
    let started = version.subject.start(
        version.program,
        &mut store,
        KernelConfig::default(),
        Limits::default(),
        SymbolicLimits::default(),
        input,
    );
    let mut process = started.expect("the call starts");
    let (_, trace) = process.run_tracing(&mut store, &facts.trace, limits);
    let slice = facts.relevant_slice(&mut KnownWays::default(), &trace, []);
    slice.map(|_| ())
}

fn below(chance: &mut SplitMix, bound: usize) -> usize {
    (chance.draw() % bound as u64) as usize
}

/// A place that takes the part of a change.
fn some_place(module: &Module, func: Func, chance: &mut SplitMix) -> (Func, Inst) {
    let places: Vec<Inst> = module.functions[func]
        .blocks
        .values()
        .flat_map(|block| block.insts.iter().copied())
        .collect();
    (func, places[below(chance, places.len())])
}
