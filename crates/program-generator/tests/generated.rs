//! The generated programs keep what the crate promises.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use concolic_vm::End;
use program_generator::ast::Program;
use program_generator::{Input, Settings, generate, pair, print_batch, print_member, print_whole};
use support::{Batch, REFERENCE, SANITIZED, ask_guest, ask_native, call_guest, compile, sample};

const FAULTS: Settings = Settings {
    size: 24,
    faults: true,
};

fn programs(seeds: std::ops::Range<u64>, settings: Settings) -> Vec<Program> {
    seeds.map(|seed| generate(seed, settings)).collect()
}

fn questions(programs: &[Program], most: usize) -> Vec<(usize, Input)> {
    let all = programs.iter().enumerate().flat_map(|(number, program)| {
        let inputs = sample(program.inputs(), most);
        inputs.into_iter().map(move |input| (number, input))
    });
    all.collect()
}

/// How many seeds the sanitizers look at: both programs of the pair, with all their inputs.
fn sanitized_seeds() -> u64 {
    let named = std::env::var("PROGRAM_GENERATOR_SEEDS");
    named.map_or(15, |text| {
        text.parse().expect("PROGRAM_GENERATOR_SEEDS is a number")
    })
}

#[test]
fn a_seed_fixes_the_text() {
    for seed in 0..50 {
        for settings in [Settings::default(), FAULTS] {
            let first = print_whole(&generate(seed, settings)).text;
            assert_eq!(first, print_whole(&generate(seed, settings)).text);
            let (one, two) = (pair(seed, settings), pair(seed, settings));
            assert_eq!(print_whole(&one.new).text, print_whole(&two.new).text);
            assert_eq!(one.edits, two.edits);
        }
    }
    let text = |seed| print_whole(&generate(seed, Settings::default())).text;
    let different: BTreeSet<String> = (0..50).map(text).collect();
    assert_eq!(different.len(), 50);
}

#[test]
fn the_size_is_a_parameter() {
    let lines = |size| {
        let settings = Settings {
            size,
            faults: false,
        };
        let texts = programs(0..40, settings);
        texts
            .iter()
            .map(|p| print_whole(p).lines.len())
            .sum::<usize>()
    };
    let (small, large) = (lines(10), lines(60));
    assert!(2 * small < large, "{small} and {large} statements");
}

#[test]
fn inputs_can_be_enumerated_and_cover_every_remainder() {
    for seed in 0..200 {
        let program = generate(seed, Settings::default());
        let inputs = program.inputs();
        assert!((2..=4096).contains(&inputs.len()), "{}", inputs.len());
        for (index, byte) in program.input.iter().enumerate() {
            let seen: BTreeSet<u8> = inputs
                .iter()
                .map(|input| input.bytes[index] % byte.modulus)
                .collect();
            assert_eq!(seen.len(), usize::from(byte.modulus), "seed {seed}");
        }
        let different: BTreeSet<_> = inputs.iter().map(|i| (&i.argument, &i.stdin)).collect();
        assert_eq!(different.len(), inputs.len(), "seed {seed}");
    }
}

/// Warnings that would show a program which is not what it seems; others, such as a comparison that is
/// always true, belong to random programs.
const WARNINGS: &[&str] = &[
    "-Werror",
    "-Wuninitialized",
    "-Wreturn-type",
    "-Wparentheses",
    "-Wimplicit-fallthrough",
    "-Wsequence-point",
    "-Wshift-count-overflow",
    "-Wdivision-by-zero",
    "-Warray-bounds",
    "-Wformat",
    "-Wno-tautological-compare",
    "-Wno-constant-conversion",
    "-Wno-xor-used-as-pow",
    "-Wno-constant-logical-operand",
    "-fsyntax-only",
];

#[test]
fn compilers_have_no_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("all.c");
    std::fs::write(&source, print_batch(&programs(0..60, Settings::default()))).unwrap();
    compile(&source, WARNINGS, &folder.path().join("none"));
}

#[test]
fn programs_without_faults_have_no_undefined_behaviour() {
    let pairs = (0..sanitized_seeds()).map(|seed| pair(seed, Settings::default()));
    let programs: Vec<Program> = pairs.flat_map(|pair| [pair.old, pair.new]).collect();
    let batch = Batch::new(&programs);
    // A report of the sanitizers ends the process, which ask_native does not let pass.
    ask_native(&batch.native(SANITIZED), &questions(&programs, usize::MAX));
}

#[test]
fn the_machine_agrees_with_native_code() {
    let programs = programs(1000..1040, Settings::default());
    let batch = Batch::new(&programs);
    let questions = questions(&programs, 100);
    let native = ask_native(&batch.native(REFERENCE), &questions);
    let guest = batch.guest();
    for ((number, input), native) in questions.iter().zip(&native) {
        let answer = ask_guest(&guest, *number, input);
        assert_eq!(&answer, native, "seed {}, {input:?}", 1000 + number);
    }
}

#[test]
fn inputs_matter_in_most_programs() {
    let programs = programs(0..60, Settings::default());
    let batch = Batch::new(&programs);
    let questions = questions(&programs, 300);
    let answers = ask_native(&batch.native(REFERENCE), &questions);
    let mut different: BTreeMap<usize, BTreeSet<&String>> = BTreeMap::new();
    for ((number, _), answer) in questions.iter().zip(&answers) {
        different.entry(*number).or_default().insert(answer);
    }
    let constant = different.values().filter(|seen| seen.len() == 1).count();
    assert!(
        constant <= 6,
        "{constant} of 60 programs ignore their input"
    );
}

#[test]
fn faults_of_every_kind_occur_and_only_on_some_inputs() {
    let programs = programs(0..120, FAULTS);
    let guest = Batch::new(&programs).guest();
    let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
    let mut partly = 0;
    for (number, program) in programs.iter().enumerate() {
        let inputs = sample(program.inputs(), 40);
        let answers: Vec<String> = inputs
            .iter()
            .map(|input| ask_guest(&guest, number, input))
            .collect();
        let ends_well = |answer: &&String| answer.contains(' ');
        let well = answers.iter().filter(ends_well).count();
        partly += usize::from(0 < well && well < answers.len());
        for fault in answers.iter().filter(|answer| !answer.contains(' ')) {
            *kinds.entry(fault.clone()).or_default() += 1;
        }
    }
    for kind in [
        "out-of-bounds",
        "division-by-zero",
        "null-dereference",
        "trap",
    ] {
        assert!(kinds.contains_key(kind), "no {kind} among {kinds:?}");
    }
    assert!(
        partly >= 20,
        "only {partly} programs fail on some inputs only"
    );
}

/// The whole program and the member of a batch are two spellings of one program.
#[test]
fn both_forms_end_with_the_same_status() {
    let programs = programs(0..6, Settings::default());
    let folder = tempfile::tempdir().unwrap();
    let guest = Batch::new(&programs).guest();
    for (number, program) in programs.iter().enumerate() {
        let source = folder.path().join(format!("{number}.c"));
        let executable = source.with_extension("");
        std::fs::write(&source, print_whole(program).text).unwrap();
        compile(&source, &["-O0", "-w"], &executable);
        for input in sample(program.inputs(), 12) {
            let stdin = folder.path().join("stdin");
            std::fs::write(&stdin, &input.stdin).unwrap();
            let mut command = Command::new(&executable);
            command.stdin(std::fs::File::open(&stdin).unwrap());
            command.stdout(Stdio::null());
            if let Some(argument) = &input.argument {
                use std::os::unix::ffi::OsStrExt;
                command.arg(std::ffi::OsStr::from_bytes(argument));
            }
            let status = command.status().unwrap().code();
            let expected = status_in_batch(&guest, number, &input);
            assert_eq!(status, Some(expected), "seed {number}, {input:?}");
        }
    }
}

fn status_in_batch(guest: &concolic_vm::Program, number: usize, input: &Input) -> i32 {
    match call_guest(guest, &format!("program_{number}"), input) {
        (End::Exit { .. }, Some(value)) => (value & 63) as i32,
        (End::Exit { status }, None) => status,
        (end, _) => panic!("{end}"),
    }
}

#[test]
fn neutral_edits_change_nothing_and_others_often_do() {
    let pairs: Vec<_> = (0..60)
        .map(|seed| pair(seed, Settings::default()))
        .collect();
    let all: Vec<Program> = pairs
        .iter()
        .flat_map(|pair| [pair.old.clone(), pair.new.clone()])
        .collect();
    let batch = Batch::new(&all);
    let executable = batch.native(REFERENCE);
    let (mut neutral, mut different, mut others) = (0, 0, 0);
    for (number, pair) in pairs.iter().enumerate() {
        let inputs = sample(pair.old.inputs(), 400);
        let ask = |member: usize| {
            let questions: Vec<_> = inputs.iter().map(|i| (member, i.clone())).collect();
            ask_native(&executable, &questions)
        };
        let same = ask(2 * number) == ask(2 * number + 1);
        if pair.is_equivalent_by_construction() {
            neutral += 1;
            assert!(same, "seed {number}: {:?}", pair.edits);
        } else {
            others += 1;
            different += usize::from(!same);
        }
    }
    assert!(neutral >= 10, "{neutral} neutral pairs");
    assert!(
        3 * different >= others,
        "{different} of {others} pairs differ"
    );
}

#[test]
fn edits_name_the_lines_they_changed() {
    let mut kinds = BTreeSet::new();
    for seed in 0..300 {
        let pair = pair(seed, Settings::default());
        assert!(!pair.edits.is_empty(), "seed {seed} has no edit");
        let (old, new) = (print_whole(&pair.old).text, print_whole(&pair.new).text);
        assert_ne!(old, new, "seed {seed}");
        for edit in &pair.edits {
            kinds.insert(format!("{:?}", edit.kind));
            assert!(old.contains(&edit.name), "seed {seed}: {edit:?}");
            for (text, line) in [(&old, edit.old_line), (&new, edit.new_line)] {
                if let Some(line) = line {
                    let line = text.lines().nth(line as usize - 1).unwrap();
                    assert!(!line.trim().is_empty(), "seed {seed}: {edit:?}");
                }
            }
        }
        if let [edit] = pair.edits.as_slice()
            && let (Some(at_old), Some(at_new)) = (edit.old_line, edit.new_line)
            && edit.kind != program_generator::EditKind::Reorder
        {
            assert_eq!(
                at_old, at_new,
                "seed {seed}: one edit moves nothing before it"
            );
        }
    }
    assert_eq!(
        kinds.len(),
        program_generator::EditKind::ALL.len(),
        "{kinds:?}"
    );
}

#[test]
fn members_of_a_batch_share_no_name() {
    let program = generate(7, Settings::default());
    let (first, second) = (print_member(&program, 1), print_member(&program, 2));
    assert!(first.text.contains("int program_1(") && second.text.contains("int program_2("));
    assert_eq!(first.text.lines().count(), second.text.lines().count());
    compile_together(&[program.clone(), program]);
}

fn compile_together(programs: &[Program]) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("two.c");
    std::fs::write(&source, print_batch(programs)).unwrap();
    compile(
        &source,
        &["-fsyntax-only", "-w"],
        &folder.path().join("none"),
    );
}
