//! Runs without terms: they do what runs with terms do, and find what is hard for a solver.

use concolic_vm::Limits;
use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::Edges;
use concolic_vm::symbolic::{Coverage, SymbolicInput, SymbolicLimits, parameter_name};
use exploration::{FoundTest, Observer, Progress, Strategy, Transport, Verdict};
use expr::Store;
use program_tests::brute_force::{Explorable, How};
use program_tests::generated::compile;
use std::time::Duration;

/// Arithmetic, tables, loops and a division that fails.
const FUNCTION: &str = r#"
static int calls;
int f(int a, unsigned char b) {
    static const short table[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    int sum = a % 7;
    calls++;
    for (int i = 0; i < b % 11; i++) {
        sum += table[(a + i) & 7] * i;
        if (sum > 40) sum -= a / (b - 200);
    }
    switch (sum % 5) {
    case 0: return sum * calls;
    case 3: return table[b & 7];
    default: return sum ^ b;
    }
}
"#;

fn input(a: i32, b: u8) -> SymbolicInput {
    let variables = [a.to_le_bytes().to_vec(), vec![b]];
    let named = |(number, bytes)| (parameter_name(number), bytes);
    SymbolicInput {
        variables: variables.into_iter().enumerate().map(named).collect(),
        ..SymbolicInput::default()
    }
}

/// From a process that was stopped before its input decided anything, other inputs run without terms as they do with terms from the
/// start: the same end, after as many instructions, with the same result.
#[test]
fn a_run_without_terms_does_what_one_with_terms_does() {
    let program = compile(FUNCTION).unwrap();
    let subject = Explorable::call(&program, "f").subject;
    let mut store = Store::new();
    let start = |store: &mut Store, input: &SymbolicInput| {
        let (kernel, limits) = (KernelConfig::default(), Limits::default());
        let symbolic = SymbolicLimits::default();
        let process = subject.start(&program, store, kernel, limits, symbolic, input);
        process.expect("the call starts")
    };
    let first = start(&mut store, &input(0, 0)).run(&mut store);
    let mut base = start(&mut store, &input(0, 0));
    let event = first.path.first().expect("the input decides something");
    assert!(base.run_before(&mut store, event));
    let mut edges = Edges::new(&program);
    let mut failures = 0;
    let mut ways = std::collections::BTreeSet::new();
    for number in 0..600_i32 {
        let input = input(number.wrapping_mul(2_654_435), (number * 7) as u8);
        let mut process = start(&mut store, &input);
        let run = process.run(&mut store);
        let mut machine = base.plain(&mut store, &input);
        // In pieces, it is the same run.
        let outcome = machine.run_counting(9, &mut edges);
        let outcome = match outcome {
            Some(outcome) => outcome,
            None => machine.run_slice(u64::MAX).expect("it ends"),
        };
        assert_eq!(outcome.end, run.outcome.end, "{input:?}");
        assert_eq!(outcome.instructions, run.outcome.instructions, "{input:?}");
        assert_eq!(
            machine.returned(),
            process.machine().returned(),
            "{input:?}"
        );
        failures += u32::from(machine.returned().is_empty());
        let mut whole = base.plain(&mut store, &input);
        assert!(whole.run_counting(u64::MAX, &mut edges).is_some());
        let mut features: Vec<u32> = edges.features().collect();
        features.sort_unstable();
        ways.insert(features);
        let entered = Coverage::of(edges.entered().iter().copied());
        assert!(run.coverage.missing(&entered).is_empty(), "{input:?}");
    }
    assert!(failures > 0, "some inputs divide by zero");
    assert!(ways.len() > 20, "{} ways", ways.len());
}

struct Nobody;

impl Observer for Nobody {
    fn found(&self, _: &FoundTest<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, _: &Progress) {}
}

/// What the versions differ in is behind products of two numbers: no question about them is decided in the time that there is.
const HARD: &str = r#"
int f(int a, int b) {
    unsigned x = (unsigned)a * (unsigned)b + 12345u;
    x ^= x * ((unsigned)b | 1u) >> 7;
    x *= x ^ (unsigned)a;
    if (x % 509u == LEFT) return 1;
    return 0;
}
"#;

#[test]
fn trials_find_what_a_solver_does_not_decide() {
    let programs = ["17u", "18u"].map(|left| compile(&HARD.replace("LEFT", left)).unwrap());
    let [old, new] = [0, 1].map(|version: usize| Explorable::call(&programs[version], "f"));
    let search = |trials, transport| {
        let how = How {
            query_timeout: Duration::ZERO,
            time: Some(Duration::from_secs(60)),
            trials,
            transport,
            ..How::new(Strategy::Auto, 1)
        };
        old.compare_with(&new, &how, &Nobody)
    };
    for transport in [Transport::Direct, Transport::Encoded] {
        let summary = search(true, transport);
        assert_eq!(summary.verdict(), Verdict::Different);
        assert!(summary.made.trials.unwrap().different > 0);
    }
    let without = search(false, Transport::Direct);
    assert_eq!(without.verdict(), Verdict::Undecided);
    assert!(without.made.trials.is_none());
}
