//! The promise of a path, on random programs: an input that satisfies its conditions
//! takes the same path and has the results that the terms give; one that does not leaves
//! it exactly where the first condition fails, by an alternative that was named.

mod programs;

use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::symbolic::{SymbolicLimits, SymbolicProcess, SymbolicRun};
use concolic_vm::{End, Limits, Machine, Program};
use expr::{Evaluation, ExprId, Model, Store, Symbol};
use program_ir::{Func, Type};
use programs::{Kinds, Random, mask, random_module};

struct Subject<'p> {
    program: &'p Program,
    func: Func,
    params: &'p [Type],
}

type Inputs = Vec<u128>;

impl Subject<'_> {
    fn limits(&self) -> Limits {
        Limits {
            steps: 5_000,
            ..Limits::default()
        }
    }

    fn kernel(&self) -> Kernel {
        Kernel::new(KernelConfig::default()).unwrap()
    }

    fn words(&self, inputs: &[u128]) -> Vec<u64> {
        let mut words = Vec::new();
        for (&ty, &value) in self.params.iter().zip(inputs) {
            words.push(value as u64);
            if ty.is_wide() {
                words.push((value >> 64) as u64);
            }
        }
        words
    }

    fn plain(&self, inputs: &[u128]) -> (End, Vec<u64>) {
        let mut machine =
            Machine::new(self.program, self.kernel(), self.limits(), self.func).unwrap();
        for (index, word) in self.words(inputs).into_iter().enumerate() {
            machine.set_argument(index, word);
        }
        let end = machine.run().end;
        (end, machine.returned().to_vec())
    }

    fn symbol(&self, param: usize, offset: u32) -> Symbol {
        Symbol::Variable {
            name: format!("p{param}").into(),
            offset,
            size: self.params[param].store_bytes(),
        }
    }

    fn model(&self, store: &mut Store, inputs: &[u128]) -> Model {
        let mut model = Model::new();
        for (param, &value) in inputs.iter().enumerate() {
            for offset in 0..self.params[param].store_bytes() {
                let term = store.symbol_term(&self.symbol(param, offset));
                let id = store.as_symbol(term).unwrap();
                model.set(id, (value >> (8 * offset)) as u64 & 0xff);
            }
        }
        model
    }

    fn process(&self, store: &mut Store, inputs: &[u128]) -> SymbolicProcess<'_> {
        let mut process = SymbolicProcess::call(
            self.program,
            self.kernel(),
            self.limits(),
            SymbolicLimits::default(),
            self.func,
        )
        .unwrap();
        let words = self.words(inputs);
        let mut word = 0;
        for (param, ty) in self.params.iter().enumerate() {
            let bytes: Vec<ExprId> = (0..ty.store_bytes())
                .map(|offset| store.symbol_term(&self.symbol(param, offset)))
                .collect();
            for part in bytes.chunks(8) {
                let term = store.concat_le(part);
                process.set_argument(word, words[word], Some(term));
                word += 1;
            }
        }
        process
    }

    fn random_inputs(&self, random: &mut Random) -> Inputs {
        self.params
            .iter()
            .map(|ty| random.operand(ty.bits()))
            .collect()
    }

    /// Another input, often near the first.
    fn other_inputs(&self, random: &mut Random, first: &[u128]) -> Inputs {
        if random.chance(4) {
            return self.random_inputs(random);
        }
        let mut inputs = first.to_vec();
        let param = random.below(inputs.len());
        let width = self.params[param].bits();
        inputs[param] = match random.below(4) {
            0 => inputs[param] ^ 1 << random.below(width as usize),
            1 => inputs[param].wrapping_add(1),
            2 => inputs[param].wrapping_sub(1),
            _ => random.operand(width),
        } & mask(width);
        inputs
    }
}

/// The words that the terms (or, where there is none, the run itself) give for a model.
fn results(
    store: &Store,
    run: &SymbolicRun,
    concrete: &[u64],
    evaluation: &mut Evaluation,
) -> Vec<u64> {
    run.returned
        .iter()
        .zip(concrete)
        .map(|(term, &word)| match term {
            Some(term) => evaluation.value(store, *term) as u64,
            None => word,
        })
        .collect()
}

fn check_program(seed: u64, kinds: Kinds, tally: &mut Tally) {
    let mut random = Random(random::SplitMix(seed));
    for _ in 0..8 {
        random.next();
    }
    let (module, func, params) = random_module(&mut random, kinds);
    let program = Program::new(module, 1 << 20).unwrap();
    let subject = Subject {
        program: &program,
        func,
        params: &params,
    };
    let mut store = Store::new();
    for _ in 0..3 {
        let inputs = subject.random_inputs(&mut random);
        let model = subject.model(&mut store, &inputs);
        let mut process = subject.process(&mut store, &inputs);
        let run = process.run(&mut store);
        let (end, words) = subject.plain(&inputs);
        assert_eq!(run.outcome.end, end, "seed {seed}: symbolic and plain run");
        assert_eq!(process.machine().returned(), words, "seed {seed}");
        if let Some(text) = process.first_disagreement(&store, &model) {
            panic!("seed {seed}: {text}");
        }
        let mut evaluation = Evaluation::new(model);
        assert_eq!(
            results(&store, &run, &words, &mut evaluation),
            words,
            "seed {seed}: results of the run itself"
        );
        for event in &run.path {
            assert!(
                evaluation.holds(&store, event.condition),
                "seed {seed}: {event:?}"
            );
            for other in event.alternatives.iter().map(|other| other.condition) {
                assert!(!evaluation.holds(&store, other), "seed {seed}: {event:?}");
            }
        }
        tally.runs += 1;
        tally.events += run.path.len();
        tally.results += run.returned.iter().flatten().count();
        for _ in 0..6 {
            let other = subject.other_inputs(&mut random, &inputs);
            check_other(
                seed,
                &subject,
                &mut store,
                &run,
                (&words, &end),
                &other,
                tally,
            );
            if !run.path.is_empty() {
                let event = random.below(run.path.len());
                check_snapshot(
                    seed, &subject, &mut store, &run, event, &inputs, &other, tally,
                );
            }
        }
    }
}

fn check_other(
    seed: u64,
    subject: &Subject<'_>,
    store: &mut Store,
    run: &SymbolicRun,
    (words, end): (&[u64], &End),
    other: &[u128],
    tally: &mut Tally,
) {
    let model = subject.model(store, other);
    let mut evaluation = Evaluation::new(model);
    let leaves = run
        .path
        .iter()
        .position(|event| !evaluation.holds(store, event.condition));
    let other_run = subject.process(store, other).run(store);
    let conditions = |run: &SymbolicRun, count: usize| -> Vec<_> {
        run.path[..count.min(run.path.len())]
            .iter()
            .map(|event| (event.site, event.condition))
            .collect()
    };
    match leaves {
        None => {
            tally.same += 1;
            let (other_end, other_words) = subject.plain(other);
            assert_eq!(
                std::mem::discriminant(&other_end),
                std::mem::discriminant(end),
                "seed {seed}: same path, other end"
            );
            assert_eq!(
                conditions(run, usize::MAX),
                conditions(&other_run, usize::MAX),
                "seed {seed}"
            );
            assert_eq!(
                results(store, run, words, &mut evaluation),
                other_words,
                "seed {seed}: same path, {other:x?}"
            );
        }
        Some(index) => {
            tally.left += 1;
            assert_eq!(
                conditions(run, index),
                conditions(&other_run, index),
                "seed {seed}: the paths part too early"
            );
            let event = &run.path[index];
            let there = &other_run.path[index];
            assert_eq!(event.site, there.site, "seed {seed}");
            assert_ne!(event.condition, there.condition, "seed {seed}");
            let named = event
                .alternatives
                .iter()
                .filter(|alternative| evaluation.holds(store, alternative.condition))
                .count();
            assert_eq!(named, 1, "seed {seed}: {event:?} is left by no alternative");
        }
    }
}

/// A run that goes on from a snapshot before `event` with another input is that input's run.
#[allow(clippy::too_many_arguments)]
fn check_snapshot(
    seed: u64,
    subject: &Subject<'_>,
    store: &mut Store,
    run: &SymbolicRun,
    event: usize,
    inputs: &[u128],
    other: &[u128],
    tally: &mut Tally,
) {
    let mut process = subject.process(store, inputs);
    if !process.run_before(store, &run.path[event]) {
        assert_eq!(run.path[event].instructions, 0, "seed {seed}");
        return;
    }
    assert!(process.path().len() <= event, "seed {seed}");
    let model = subject.model(store, other);
    let mut evaluation = Evaluation::new(model.clone());
    let reaches = process
        .path()
        .iter()
        .all(|event| evaluation.holds(store, event.condition));
    if !reaches {
        return;
    }
    tally.snapshots += 1;
    let mut snapshot = process.clone();
    snapshot.reassign(store, model);
    let resumed = snapshot.run(store);
    let mut scratch = subject.process(store, other);
    let expected = scratch.run(store);
    assert_eq!(resumed.outcome, expected.outcome, "seed {seed}");
    assert_eq!(resumed.path, expected.path, "seed {seed}");
    assert_eq!(resumed.returned, expected.returned, "seed {seed}");
    assert_eq!(
        snapshot.machine().returned(),
        scratch.machine().returned(),
        "seed {seed}"
    );
}

#[derive(Default, Debug)]
struct Tally {
    runs: usize,
    events: usize,
    results: usize,
    same: usize,
    left: usize,
    snapshots: usize,
}

fn check(kinds: Kinds, seeds: std::ops::Range<u64>) {
    let mut tally = Tally::default();
    for seed in seeds {
        check_program(seed, kinds, &mut tally);
    }
    // The programs must be worth the test.
    assert!(tally.events > 2 * tally.runs, "{tally:?}");
    assert!(tally.results > tally.runs, "{tally:?}");
    assert!(tally.same > tally.runs / 2, "{tally:?}");
    assert!(tally.left > tally.runs / 2, "{tally:?}");
    assert!(tally.snapshots > tally.runs, "{tally:?}");
}

#[test]
fn integers() {
    let kinds = Kinds {
        floats: false,
        memory: false,
        wide: true,
        calls: true,
    };
    check(kinds, 0..600);
}

#[test]
fn memory() {
    let kinds = Kinds {
        floats: false,
        memory: true,
        wide: true,
        calls: true,
    };
    check(kinds, 10_000..10_600);
}

#[test]
fn floats() {
    let kinds = Kinds {
        floats: true,
        memory: true,
        wide: false,
        calls: false,
    };
    check(kinds, 20_000..20_600);
}
