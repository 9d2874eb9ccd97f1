//! `brute_force [COUNT [BATCH [SIZE]]]`: builds the programs of `COUNT` seeds, `BATCH` to a file, runs each on all its
//! inputs with symbolic parameters, and prints how long that took and how many paths there are.

use std::collections::BTreeSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use bitcode_reader::{ReadOptions, read_module};
use concolic_vm::Limits;
use concolic_vm::linux::{Kernel, KernelConfig};
use concolic_vm::symbolic::{SymbolicLimits, SymbolicProcess};
use expr::{Store, Symbol};
use program_generator::ast::Program;
use program_generator::{GUEST_FLAGS, Input, Settings, generate, print_batch};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse());
    let mut next = |default: usize| numbers.next().map_or(default, |n| n.expect("a number"));
    let (count, batch, size) = (next(500), next(100), next(Settings::default().size));
    let settings = Settings {
        size,
        faults: false,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let (mut building, mut running) = (Duration::ZERO, Duration::ZERO);
    let (mut inputs, mut instructions, mut events) = (0, 0, 0);
    let mut paths = Vec::new();
    for first in (0..count).step_by(batch) {
        let seeds = first..count.min(first + batch);
        let programs: Vec<Program> = seeds.map(|seed| generate(seed as u64, settings)).collect();
        let start = Instant::now();
        let guest = build(&programs, folder.path());
        building += start.elapsed();
        let start = Instant::now();
        for (number, program) in programs.iter().enumerate() {
            let mut store = Store::new();
            let mut seen = BTreeSet::new();
            for input in program.inputs() {
                let path = run(&guest, &mut store, number, &input);
                inputs += 1;
                instructions += path.instructions;
                events += path.events;
                seen.insert(path.hash);
            }
            paths.push(seen.len());
        }
        running += start.elapsed();
    }
    paths.sort_unstable();
    println!("{count} programs in files of {batch}: built in {building:.2?}");
    println!(
        "{inputs} runs in {running:.2?}: {} instructions and {} events each",
        instructions / inputs,
        events / inputs
    );
    let at = |percent: usize| paths[(paths.len() - 1) * percent / 100];
    println!(
        "paths in all {}; of a program: least {}, quartiles {} {} {}, most {}",
        paths.iter().sum::<usize>(),
        at(0),
        at(25),
        at(50),
        at(75),
        at(100)
    );
}

fn build(programs: &[Program], folder: &Path) -> concolic_vm::Program {
    let (source, bitcode) = (folder.join("batch.c"), folder.join("batch.bc"));
    std::fs::write(&source, print_batch(programs)).expect("the batch can be written");
    let mut command = Command::new("clang-22");
    command
        .args(GUEST_FLAGS)
        .arg(&source)
        .arg("-o")
        .arg(&bitcode);
    assert!(command.status().expect("clang-22 starts").success());
    let bytes = std::fs::read(&bitcode).expect("clang has written bitcode");
    let module = read_module(&bytes, &ReadOptions::default()).expect("clang's bitcode is read");
    concolic_vm::Program::new(module, 1 << 30).expect("the module loads")
}

struct Walked {
    hash: u64,
    instructions: u64,
    events: u64,
}

fn run(guest: &concolic_vm::Program, store: &mut Store, number: usize, input: &Input) -> Walked {
    let name = format!("program_{number}");
    let function = guest.module().function_named(&name).expect("a member");
    let kernel = Kernel::new(KernelConfig::default()).expect("an empty world");
    let (limits, symbolic) = (Limits::default(), SymbolicLimits::default());
    let mut process =
        SymbolicProcess::call(guest, kernel, limits, symbolic, function).expect("a call starts");
    for (index, &byte) in input.bytes.iter().enumerate() {
        let term = store.symbol_term(&Symbol::Variable {
            name: format!("in{index}").into(),
            offset: 0,
            size: 1,
        });
        process.set_argument(index, u64::from(byte), Some(term));
    }
    let run = process.run(store);
    let mut hasher = DefaultHasher::new();
    for event in &run.path {
        (event.site, event.condition).hash(&mut hasher);
    }
    run.outcome.end.kind().hash(&mut hasher);
    Walked {
        hash: hasher.finish(),
        instructions: run.outcome.instructions,
        events: run.path.len() as u64,
    }
}
