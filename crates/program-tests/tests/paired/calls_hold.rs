//! Random changed functions, called where their callers have checked what they are called with: what is said of each partition is
//! true of every input in it, by brute force over all values of one byte and some of the other.
//!
//! Partitions that are proved by what is called ([`Proof::SameCall`]) must occur, also of functions whose edits do not keep their meaning.

use std::fmt::Write;
use std::time::Duration;

use concolic_vm::symbolic::parameter_name;
use exploration::worker::{Part, Proof};
use exploration::{InputRecord, Strategy};
use program_tests::brute_force::{Explorable, How, Slices};
use program_tests::chance::Chance;
use program_tests::function_pairs::{COMMON, FunctionPair, function_pair};
use program_tests::generated::compile;
use program_tests::partition_check::{behaves_the_same, compare};

/// Modules, each with so many functions. `MODULES` names another number.
const MODULES: u64 = 6;
const FUNCTIONS: usize = 30;
/// Values of the second byte; the first has all.
const MORE: u8 = 4;

/// What a caller does before it calls, and how it calls: once, twice, in a loop, again because of what was returned, through
/// another function, or under a condition.
fn caller(chance: &mut Chance, number: usize) -> String {
    let mut text = format!(
        "static __attribute__((noinline)) int f{number}_twice(int a, short b) {{ return f{number}(a, b) * 3 + f{number}(b, 2); }}\n\
         int m{number}(unsigned char in, unsigned char more) {{\n"
    );
    for place in ["g0", "g1", "g2", "table[1]", "table[3]"] {
        let value = chance.pick(&["in", "in - 9", "more", "in * 3", "7", "in & 12"]);
        writeln!(text, "    {place} = {value};").unwrap();
    }
    for _ in 0..chance.between(1, 3) {
        let what = chance.pick(&["in", "more", "g0", "g1 + 2", "table[1]", "in & 15"]);
        let how = chance.pick(&["<", ">", "==", "!=", ">="]);
        let limit = chance.pick(&[0, 1, 2, 3, 7, 8, 50, 100, 200]);
        let result = chance.pick(&["-1", "in", "more + 1"]);
        writeln!(text, "    if ({what} {how} {limit}) return {result};").unwrap();
    }
    let arguments = chance.pick(&[
        "in, more",
        "in - 100, 3",
        "g0, g1",
        "more, in",
        "in & 7, g2",
    ]);
    let call = format!("f{number}({arguments})");
    writeln!(text, "    int r = 0;").unwrap();
    match chance.below(8) {
        0 => writeln!(text, "    r = {call}; r = r * 5 + {call};"),
        1 => writeln!(text, "    for (int i = 0; i < 2; i++) r += {call} + i;"),
        2 => writeln!(text, "    if ({call} & 1) r = f{number}(more, 1);"),
        3 => writeln!(text, "    r = f{number}_twice({arguments});"),
        4 => writeln!(text, "    if (in & 2) r = {call};"),
        _ => writeln!(text, "    r = {call};"),
    }
    .unwrap();
    text.push_str("    if (r > 100) return g2 + 1;\n    return r ^ g0 ^ g1 * 7 ^ table[2];\n}\n");
    text
}

fn source<'t>(functions: impl Iterator<Item = &'t String>, callers: &[String]) -> String {
    let mut text = String::from(COMMON);
    for (number, (function, caller)) in functions.zip(callers).enumerate() {
        write!(
            text,
            "__attribute__((noinline)) int f{number}{function}{caller}"
        )
        .unwrap();
    }
    text
}

#[test]
fn what_is_proved_of_calls_holds() {
    let modules = std::env::var("MODULES").map_or(MODULES, |text| text.parse().unwrap());
    let record = |byte: u8, more: u8| InputRecord {
        variables: [
            (parameter_name(0), vec![byte]),
            (parameter_name(1), vec![more]),
        ]
        .into_iter()
        .collect(),
        args: vec![Vec::new()],
        ..InputRecord::default()
    };
    let inputs: Vec<InputRecord> = (0..=u8::MAX)
        .flat_map(|byte| (0..MORE).map(move |more| (byte, more)))
        .map(|(byte, more)| record(byte, more))
        .collect();
    let (mut partitions, mut called, mut elsewhere, mut different) = (0, 0, 0, 0);
    for seed in 0..modules {
        let mut chance = Chance::new(1000 + seed);
        let pairs: Vec<FunctionPair> = (0..FUNCTIONS).map(|_| function_pair(&mut chance)).collect();
        let callers: Vec<String> = (0..FUNCTIONS)
            .map(|number| caller(&mut chance, number))
            .collect();
        let old = source(pairs.iter().map(|pair| &pair.old), &callers);
        let new = source(pairs.iter().map(|pair| &pair.new), &callers);
        let programs = [compile(&old).unwrap(), compile(&new).unwrap()];
        for number in 0..FUNCTIONS {
            let name = format!("m{number}");
            let [old, new] = programs
                .each_ref()
                .map(|program| Explorable::call(program, &name));
            let same: Vec<bool> = inputs
                .iter()
                .map(|input| behaves_the_same(&old, &new, input))
                .collect();
            let mut how = How::new(Strategy::Dart, 1 + number % 2);
            how.runs = Some(20_000);
            how.query_timeout = Duration::from_secs(2);
            how.slices = Slices::All;
            let compared = compare(&old, &new, &how, &inputs);
            // The second byte has more values than are tried.
            let checked = compared.check(&same, true);
            let what = |problem| {
                let pair = &pairs[number];
                let (old, new) = (&pair.old, &pair.new);
                format!(
                    "seed {seed}, {name}: {problem}\n{old}\n{new}\n{}",
                    callers[number]
                )
            };
            if let Err(problem) = checked {
                // Only inputs that were not tried may differ.
                let is_beyond = problem.contains("no input differs");
                assert!(is_beyond, "{}", what(problem));
            }
            let by_call = compared
                .partitions
                .iter()
                .filter(|(part, _)| {
                    let by = Proof::SameCall;
                    *part == Part::Equal { by }
                })
                .count();
            partitions += compared.partitions.len();
            called += by_call;
            different += usize::from(same.iter().any(|same| !same));
            elsewhere += usize::from(by_call > 0 && !pairs[number].keeps);
        }
    }
    println!(
        "{partitions} partitions, {called} proved by what is called, {elsewhere} of these pairs have edits that do not keep the meaning; \
         {different} pairs are different"
    );
    assert!(called > 20 && elsewhere > 5 && different > 20);
}
