//! Random pairs of versions, with and without faults: pruning loses no difference, by brute force over all inputs.
//!
//! **What is demanded** of each pair, for each strategy with pruning and for `reach` and `auto` without:
//! - every input behind a pruned way behaves the same in both versions;
//! - every input is in exactly one partition or behind a pruned way, and not in both;
//! - the inputs in `Different` partitions are exactly those that behave differently.
//!
//! `PAIRS` names another number of pairs.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use concolic_vm::symbolic::SymbolicInput;
use exploration::worker::{Part, Ran};
use exploration::{
    Behind, Category, Found, InputRecord, Members, Observer, Partition, Progress, Strategy, Summary,
};
use libtest_mimic::{Arguments, Failed, Trial};
use program_generator::Settings;
use program_tests::brute_force::{Explorable, How, Run};
use program_tests::generated::Pairs;
use program_tests::remembered_answers::Answers;

const IN_BATCH: usize = 50;
const PAIRS: u64 = 150;
/// Pairs with more inputs are left out.
const MOST_INPUTS: usize = 120;

static CHECKED: AtomicUsize = AtomicUsize::new(0);
static DIFFERENT: AtomicUsize = AtomicUsize::new(0);
static BEHIND: AtomicUsize = AtomicUsize::new(0);
static COMPARISONS: AtomicUsize = AtomicUsize::new(0);
static GAVE_UP: AtomicUsize = AtomicUsize::new(0);
static NOT_P: AtomicUsize = AtomicUsize::new(0);
static NOT_E: AtomicUsize = AtomicUsize::new(0);
static NOT_I: AtomicUsize = AtomicUsize::new(0);
static RUNS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

fn main() -> ExitCode {
    let pairs =
        std::env::var("PAIRS").map_or(PAIRS, |text| text.parse().expect("PAIRS is a number"));
    let batch = |number: u64| {
        let faults = number % 2 == 1;
        let name = format!("batch {number}{}", if faults { " with faults" } else { "" });
        Trial::test(name, move || check_batch(number, faults))
    };
    let trials = (0..pairs.div_ceil(IN_BATCH as u64)).map(batch).collect();
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} pairs; {} inputs that differ, all found; {} inputs behind {} pruned ways (P¬P {}, P¬E {}, P¬I {}), all \
         the same; dart took {} runs without pruning, {} with",
        count(&CHECKED),
        count(&DIFFERENT),
        count(&BEHIND),
        count(&NOT_P) + count(&NOT_E) + count(&NOT_I),
        count(&NOT_P),
        count(&NOT_E),
        count(&NOT_I),
        count(&RUNS[0]),
        count(&RUNS[1]),
    );
    if count(&BEHIND) == 0 || count(&DIFFERENT) == 0 {
        println!("nothing was pruned or nothing differs: the test shows nothing");
        return ExitCode::FAILURE;
    }
    if count(&GAVE_UP) * 100 > count(&COMPARISONS) {
        println!("the solver gave up too often");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

fn check_batch(number: u64, faults: bool) -> Result<(), Failed> {
    let settings = Settings { size: 7, faults };
    let Pairs { old, new, seeds } =
        Pairs::new(500_000 + number * 1_000, IN_BATCH, MOST_INPUTS, settings)?;
    let mut problems = Vec::new();
    for (member, seed) in seeds.into_iter().enumerate() {
        let inputs = old.inputs(member);
        let (old, new) = (old.member(member), new.member(member));
        let differs: Vec<bool> = inputs
            .iter()
            .map(|input| seen(&old.run(input)) != seen(&new.run(input)))
            .collect();
        CHECKED.fetch_add(1, Ordering::Relaxed);
        let different = differs.iter().filter(|&&differs| differs).count();
        DIFFERENT.fetch_add(different, Ordering::Relaxed);
        let answers = Answers::default();
        for (strategy, prune) in ways(member) {
            let mut how = How::new(strategy, 1 + member % 2);
            how.query_timeout = Duration::from_secs(10);
            how.prune = prune;
            // As `check` does.
            how.propagate = (strategy == Strategy::Auto).then(Default::default);
            how.answers = Some(answers.clone());
            let compared = compare(&old, &new, &how, &inputs);
            compared.count(strategy, prune);
            if let Err(problem) = compared.check(&differs) {
                problems.push(format!("seed {seed}, {strategy}, prune {prune}: {problem}"));
            }
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// Strategies to try, with and without pruning.
fn ways(member: usize) -> [(Strategy, bool); 4] {
    let other = Strategy::ALL[member % Strategy::ALL.len()];
    [
        (Strategy::Dart, false),
        (Strategy::Dart, true),
        (Strategy::Auto, true),
        match member % 3 {
            0 => (Strategy::Reach, false),
            1 => (Strategy::Auto, false),
            _ => (other, true),
        },
    ]
}

/// What a user sees: not the place of an error, nor the way there.
fn seen(run: &Run) -> (String, program_tests::brute_force::Effect) {
    let kind = run.behaviour.1.split(" in ").next().unwrap_or_default();
    (kind.to_owned(), run.effect.clone())
}

struct Compared {
    summary: Summary,
    /// Each with the numbers of its inputs.
    partitions: Vec<(Part, Vec<usize>)>,
    behind: Vec<(Category, usize)>,
}

struct Collector<'i> {
    inputs: &'i [SymbolicInput],
    partitions: Mutex<Vec<(Part, Vec<usize>)>>,
    behind: Mutex<Vec<(Category, usize)>>,
}

impl Observer for Collector<'_> {
    fn found(&self, _: &Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, _: &Progress) {}

    fn partition(&self, partition: &Partition, _: &Ran<'_>, members: &mut Members<'_, '_>) {
        let inside = (0..)
            .zip(self.inputs)
            .filter(|(_, input)| members.contain(input));
        let inside = inside.map(|(number, _)| number).collect();
        let mut all = self.partitions.lock().expect("no panic");
        all.push((partition.part.clone(), inside));
    }

    fn pruned(&self, category: Category, behind: &mut Behind<'_, '_>) {
        let mut all = self.behind.lock().expect("no panic");
        for (number, input) in (0..).zip(self.inputs) {
            if behind.contain(input) {
                all.push((category, number));
            }
        }
    }
}

fn compare(
    old: &Explorable<'_>,
    new: &Explorable<'_>,
    how: &How,
    inputs: &[InputRecord],
) -> Compared {
    let shaped = |input: &InputRecord| old.shaped(input).expect("an input of the function").1;
    let inputs: Vec<SymbolicInput> = inputs.iter().map(shaped).collect();
    let collector = Collector {
        inputs: &inputs,
        partitions: Mutex::default(),
        behind: Mutex::default(),
    };
    let summary = old.compare_with(new, how, &collector);
    Compared {
        summary,
        partitions: collector.partitions.into_inner().expect("no panic"),
        behind: collector.behind.into_inner().expect("no panic"),
    }
}

impl Compared {
    fn count(&self, strategy: Strategy, prune: bool) {
        let pruned = &self.summary.pruned;
        if strategy == Strategy::Dart {
            let runs = self.summary.runs as usize;
            RUNS[usize::from(prune)].fetch_add(runs, Ordering::Relaxed);
            BEHIND.fetch_add(self.behind.len(), Ordering::Relaxed);
            NOT_P.fetch_add(pruned.not_p as usize, Ordering::Relaxed);
            NOT_E.fetch_add(pruned.not_e as usize, Ordering::Relaxed);
            NOT_I.fetch_add(pruned.not_i as usize, Ordering::Relaxed);
        }
    }

    fn check(&self, differs: &[bool]) -> Result<(), String> {
        // The solver gave up, which must be rare.
        let gave_up = !self.summary.gaps.is_empty();
        COMPARISONS.fetch_add(1, Ordering::Relaxed);
        GAVE_UP.fetch_add(usize::from(gave_up), Ordering::Relaxed);
        let mut owners = vec![0; differs.len()];
        for &(category, input) in &self.behind {
            owners[input] += 1;
            if differs[input] {
                return Err(format!(
                    "input {input} differs behind a way pruned as {category:?}"
                ));
            }
        }
        let mut found = vec![false; differs.len()];
        for (part, inside) in &self.partitions {
            for &input in inside {
                owners[input] += 1;
                found[input] |= matches!(part, Part::Different { .. });
                // Where both end with the same undefined behaviour nothing is claimed.
                if matches!(part, Part::Unknown { .. }) {
                    found[input] |= differs[input];
                }
            }
        }
        for (input, &owners) in owners.iter().enumerate() {
            if owners > 1 || owners == 0 && !gave_up {
                return Err(format!(
                    "input {input} is in {owners} partitions or pruned ways"
                ));
            }
        }
        if found != differs && !gave_up {
            return Err(format!("found {found:?}, by brute force {differs:?}"));
        }
        Ok(())
    }
}
