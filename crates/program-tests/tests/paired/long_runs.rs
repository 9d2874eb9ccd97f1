//! Runs that decide often, blocks that are long, and workers that panic: how a run is cut into pieces leaves no trace in its
//! path, and a search ends.

use concolic_vm::linux::KernelConfig;
use concolic_vm::observe::TraceLimits;
use concolic_vm::symbolic::{SymbolicInput, SymbolicLimits, SymbolicProcess, parameter_name};
use concolic_vm::{End, Limits};
use exploration::relevance::RelevanceFacts;
use exploration::subject::Version;
use exploration::worker::Ran;
use exploration::{Note, Observer, Probe, Strategy};
use expr::Store;
use program_tests::brute_force::{Explorable, How};
use program_tests::generated::compile;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Decisions in the middle of blocks: quotients, the size of an array, the length of a copy, an address.
const MIDDLE: &str = r#"
void *memcpy(void *, const void *, unsigned long);
int f(unsigned char a, unsigned char b) {
    int sum = 0;
    unsigned char table[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {0};
    for (int i = 0; i < 3; i++) {
        sum += 100 / (a + i + 1) + a / (b % 5 + 1);
        if (a > 10 * i) sum++;
        char local[b % 3 + 1];
        local[b % 3] = (char)a;
        memcpy(to, table, (a + i) % 4);
        sum += to[a % 4] + local[b % 3];
        if (table[b % 8] > sum) sum--;
    }
    return sum;
}
"#;

fn input(bytes: [u8; 2]) -> SymbolicInput {
    let named = |(number, byte)| (parameter_name(number), vec![byte]);
    SymbolicInput {
        variables: bytes.into_iter().enumerate().map(named).collect(),
        ..SymbolicInput::default()
    }
}

fn start<'p>(
    version: Version<'p>,
    store: &mut Store,
    bytes: [u8; 2],
    decisions: u32,
) -> SymbolicProcess<'p> {
    let limits = SymbolicLimits {
        decisions,
        ..SymbolicLimits::default()
    };
    let kernel = KernelConfig::default();
    let (program, input) = (version.program, input(bytes));
    let subject = version.subject;
    let process = subject.start(program, store, kernel, Limits::default(), limits, &input);
    process.expect("the call starts")
}

#[test]
fn a_run_that_is_stopped_anywhere_has_the_same_path() {
    let program = compile(MIDDLE).unwrap();
    let explorable = Explorable::call(&program, "f");
    let version = Version {
        program: explorable.program,
        subject: explorable.subject,
    };
    let facts = RelevanceFacts::of(&version, []);
    let mut taken = 0;
    for bytes in [[0, 0], [7, 4], [200, 255]] {
        for decisions in 1..12 {
            let mut store = Store::new();
            let whole = start(version, &mut store, bytes, decisions).run(&mut store);
            taken += usize::from(whole.path.iter().any(|event| event.takes_input()));
            for stop in 0..=whole.outcome.instructions {
                let mut process = start(version, &mut store, bytes, decisions);
                if process.run_up_to(&mut store, stop).is_none() {
                    let rest = process.run(&mut store);
                    assert_eq!(rest.path, whole.path, "{bytes:?} {decisions} {stop}");
                    assert_eq!(rest.outcome, whole.outcome);
                }
            }
            let mut process = start(version, &mut store, bytes, decisions);
            let (traced, _) =
                process.run_tracing(&mut store, &facts.trace, TraceLimits::bytes(1 << 26));
            assert_eq!(traced.path, whole.path, "{bytes:?} {decisions}, traced");
        }
    }
    assert!(taken > 20, "{taken}");
}

/// Longer than what is executed between two questions whether a run goes on, with more registers than frames
/// usually have, and called by a pointer.
#[test]
fn a_long_block_is_executed() {
    let mut source = "static int f(int x) {\n".to_owned();
    for number in 0..75_000 {
        source += &format!("    x = x * 3 + {};\n", number % 7);
    }
    source += "    return x;\n}\nint call(unsigned char a, unsigned char b) {\n    int (*volatile known)(int) = f;\n    \
               return known(a) == b;\n}\n";
    let program = compile(&source).unwrap();
    let explorable = Explorable::call(&program, "call");
    let version = Version {
        program: explorable.program,
        subject: explorable.subject,
    };
    let mut store = Store::new();
    let mut asked = 0;
    let mut process = start(version, &mut store, [1, 2], 100);
    let run = process.run_while(&mut store, || {
        asked += 1;
        asked < 20
    });
    let run = run.expect("it ends");
    assert!(
        run.outcome.instructions > 1 << 17,
        "{}",
        run.outcome.instructions
    );
    assert_eq!(run.outcome.end, End::Exit { status: 0 });
    let facts = RelevanceFacts::of(&version, []);
    let mut process = start(version, &mut store, [1, 2], 100);
    let mut left = 20;
    let limits = TraceLimits::bytes(1 << 28);
    let traced = process.run_tracing_while(&mut store, &facts.trace, limits, || {
        left -= 1;
        left > 0
    });
    assert!(traced.is_some());
}

struct Panics;

impl Probe for Panics {
    fn path(&self, _: &Ran<'_>) -> Option<Note> {
        panic!("as it should");
    }
}

impl Observer for Panics {}

/// Others wait for a worker that is busy; they must not wait for one that has panicked.
#[test]
fn a_panic_of_a_worker_ends_the_search() {
    for workers in [1, 2] {
        let (told, hears) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let program = compile(MIDDLE).unwrap();
            let explorable = Explorable::call(&program, "f");
            let how = How::new(Strategy::Dart, workers);
            let search = || explorable.compare_with(&explorable, &how, &Panics);
            let ended = catch_unwind(AssertUnwindSafe(search));
            told.send(ended.is_err()).unwrap();
        });
        let panicked = hears.recv_timeout(Duration::from_secs(120));
        assert_eq!(panicked, Ok(true), "{workers} workers");
    }
}
