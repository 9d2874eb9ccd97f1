//! Random pairs of versions, with and without faults: pruning loses no difference, by brute force over all inputs.
//!
//! **What is demanded** of each pair, for each strategy with pruning and for `reach` and `auto` without:
//! - every input behind a pruned way behaves the same in both versions;
//! - every input is in exactly one partition or behind a pruned way, and not in both;
//! - the inputs in `Different` partitions are exactly those that behave differently.
//!
//! Moreover, a filter must not make a search slower that learns nothing on its way: `dfs` and `bfs` come to their first
//! difference in at most as many runs with pruning as without.
//!
//! `PAIRS` names another number of pairs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use concolic_vm::symbolic::{SymbolicInput, parameter_name};
use exploration::worker::{Part, Ran};
use exploration::{
    Category, InputRecord, Members, Note, Observer, Partition, Probe, PrunedInputs, Strategy,
    Summary,
};
use libtest_mimic::{Failed, Trial};
use program_generator::Settings;
use program_tests::brute_force::{Explorable, How, Run};
use program_tests::generated::{Pairs, compile};
use program_tests::remembered_answers::Answers;
use serde::{Deserialize, Serialize};

const IN_BATCH: usize = 50;
const PAIRS: u64 = 150;
/// Pairs that are compiled by themselves, so that code of other pairs does not make their shapes differ (P¬I).
const ALONE: u64 = 40;
/// After few decisions there are as many ways to go as there are inputs.
const RUNS_WITH_LIMIT: u64 = 40;
/// About what a few runs of these pairs are, in instructions.
const WORK_BEFORE_FACTS: u64 = 20_000;
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
/// Pairs for which searches with and without pruning were compared, and runs to the first difference.
static ORDERED: AtomicUsize = AtomicUsize::new(0);
static FIRST: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
static RUNS: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];

/// A trial of this suite.
fn trial(
    name: impl std::fmt::Display,
    check: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::test(format!("pruning_is_safe::{name}"), check)
}

pub(crate) fn trials() -> Vec<Trial> {
    let pairs =
        std::env::var("PAIRS").map_or(PAIRS, |text| text.parse().expect("PAIRS is a number"));
    let batch = |number: u64| {
        let faults = number % 2 == 1;
        let name = format!("batch {number}{}", if faults { " with faults" } else { "" });
        trial(name, move || check_batch(number, faults))
    };
    let mut trials: Vec<Trial> = (0..pairs.div_ceil(IN_BATCH as u64)).map(batch).collect();
    trials.push(trial("a wrong pruning is caught", wrong_pruning_is_caught));
    trials.push(trial("changes without effect", changes_without_effect));
    trials.push(trial("pairs by themselves", || {
        (0..ALONE).try_for_each(|number| {
            let faults = number % 2 == 1;
            check_pairs(900_000 + number * 1_000, 1, faults)
        })
    }));
    trials
}

/// Prints what was looked at, and says whether that was enough.
pub(crate) fn conclude(complete: bool) -> bool {
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
    println!(
        "{} searches that learn nothing: {} runs to the first difference without pruning, {} with",
        count(&ORDERED),
        count(&FIRST[0]),
        count(&FIRST[1]),
    );
    let all = [&BEHIND, &DIFFERENT, &NOT_P, &NOT_E, &NOT_I, &ORDERED];
    if complete && all.into_iter().any(|of| count(of) == 0) {
        println!("a kind of pruning did not happen, or nothing differs: the test shows nothing");
        return false;
    }
    if count(&GAVE_UP) * 100 > count(&COMPARISONS) {
        println!("the solver gave up too often");
        return false;
    }
    true
}

fn check_batch(number: u64, faults: bool) -> Result<(), Failed> {
    check_pairs(500_000 + number * 1_000, IN_BATCH, faults)
}

fn check_pairs(seed: u64, count: usize, faults: bool) -> Result<(), Failed> {
    let settings = Settings { size: 7, faults };
    let Pairs { old, new, seeds } = Pairs::new(seed, count, MOST_INPUTS, settings)?;
    let mut problems = Vec::new();
    for (member, seed) in seeds.into_iter().enumerate() {
        let inputs = old.inputs(member);
        let (old, new) = (old.member(member), new.member(member));
        let name = format!("seed {seed}");
        problems.extend(problems_of(&name, member, &old, &new, &inputs));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// What is wrong with what the strategies find in a pair. Its number decides which of them are tried.
fn problems_of(
    name: &str,
    number: usize,
    old: &Explorable<'_>,
    new: &Explorable<'_>,
    inputs: &[InputRecord],
) -> Vec<String> {
    let mut problems = Vec::new();
    let differs: Vec<bool> = inputs
        .iter()
        .map(|input| seen(&old.run(input)) != seen(&new.run(input)))
        .collect();
    CHECKED.fetch_add(1, Ordering::Relaxed);
    let different = differs.iter().filter(|&&differs| differs).count();
    DIFFERENT.fetch_add(different, Ordering::Relaxed);
    let answers = Answers::default();
    for (strategy, prune) in ways(number) {
        let mut how = How::new(strategy, 1 + number % 2);
        how.query_timeout = Duration::from_secs(10);
        how.prune = prune;
        how.work_before_facts = (number % 4 / 3) as u64 * WORK_BEFORE_FACTS;
        // As `check` does.
        how.propagate = (strategy == Strategy::Auto).then(Default::default);
        how.answers = Some(answers.clone());
        let compared = compare(old, new, &how, inputs);
        compared.count(strategy, prune);
        if let Err(problem) = compared.check(&differs) {
            problems.push(format!("{name}, {strategy}, prune {prune}: {problem}"));
        }
        // Runs that go on with their input alone after a few decisions.
        how.decisions = 1 + number as u32 % 9;
        how.runs = Some(RUNS_WITH_LIMIT);
        if let Err(problem) = compare(old, new, &how, inputs).check_claims(&differs) {
            let decisions = how.decisions;
            problems.push(format!(
                "{name}, {strategy}, prune {prune}, {decisions} decisions: {problem}"
            ));
        }
    }
    let strategy = [Strategy::Dfs, Strategy::Bfs][number % 2];
    let first = |prune: bool| {
        let mut how = How::new(strategy, 1);
        how.prune = prune;
        how.answers = Some(answers.clone());
        let compared = compare(old, new, &how, inputs);
        compared.summary.gaps.is_empty().then_some(compared.first?)
    };
    if let (Some(without), Some(with)) = (first(false), first(true)) {
        ORDERED.fetch_add(1, Ordering::Relaxed);
        FIRST[0].fetch_add(without, Ordering::Relaxed);
        FIRST[1].fetch_add(with, Ordering::Relaxed);
        if with > without {
            problems.push(format!(
                "{name}, {strategy}: {without} runs to the first difference, {with} with pruning"
            ));
        }
    }
    problems
}

/// Changes in place which have an effect on the state on some ways only: the old text, and what is changed in it.
const WITHOUT_EFFECT: [(&str, &str, &str); 3] = [
    (
        "int f(unsigned char a, unsigned char b) {
    int k = 5;
    if (a < 10) k = 1;
    k = k % 4;
    int n = 0;
    if (b > 100) n += 3;
    if (b == 7) n += k;
    if (b & 1) n ^= 2;
    return n;
}",
        "k % 4",
        "k % 8",
    ),
    (
        "static int cells[4];
static void fill(int count) {
    for (int i = 0; i < count; i++) cells[i & 3] = i;
}
int f(unsigned char a, unsigned char b) {
    int count = 2;
    if (a > 99) count = 6;
    fill(count);
    if (b > 200) return 1;
    if (b == 8) return cells[0];
    if (b == 7) return cells[1];
    return b > 100 ? 2 : 3;
}",
        "i & 3",
        "i & 1",
    ),
    (
        "int f(unsigned char a, unsigned char b) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        if (a == i) sum += 1;
        if (i > 2) sum = 9;
    }
    if (b > 9) sum += 4;
    if (b == 102) sum += 8;
    if (b < 100 && a < 10) return sum;
    return 0;
}",
        "i > 2",
        "i > 1",
    ),
];

fn changes_without_effect() -> Result<(), Failed> {
    let bytes = [0, 1, 2, 7, 8, 9, 10, 99, 100, 101, 102, 200, 201, 255];
    let record = |a: u8, b: u8| InputRecord {
        variables: [(parameter_name(0), vec![a]), (parameter_name(1), vec![b])].into(),
        args: vec![Vec::new()],
        ..InputRecord::default()
    };
    let all = bytes.into_iter();
    let all = all.flat_map(|a| bytes.map(|b| record(a, b)));
    let inputs: Vec<InputRecord> = all.collect();
    let mut problems = Vec::new();
    for (number, (text, from, to)) in WITHOUT_EFFECT.into_iter().enumerate() {
        let (old, new) = (compile(text)?, compile(&text.replace(from, to))?);
        let (old, new) = (Explorable::call(&old, "f"), Explorable::call(&new, "f"));
        problems.extend(problems_of(from, number, &old, &new, &inputs));
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// Inputs that differ are said to be behind a pruned way, as an unsound pruning would have it.
fn wrong_pruning_is_caught() -> Result<(), Failed> {
    let settings = Settings {
        size: 7,
        faults: false,
    };
    let Pairs { old, new, .. } = Pairs::new(500_000, IN_BATCH, MOST_INPUTS, settings)?;
    for member in 0..IN_BATCH {
        let inputs = old.inputs(member);
        let (old, new) = (old.member(member), new.member(member));
        let differs: Vec<bool> = inputs
            .iter()
            .map(|input| seen(&old.run(input)) != seen(&new.run(input)))
            .collect();
        if !differs.contains(&true) {
            continue;
        }
        let mut how = How::new(Strategy::Dart, 1);
        how.prune = true;
        let mut compared = compare(&old, &new, &how, &inputs);
        compared.check(&differs)?;
        let is_different = |(part, _): &(Part, Vec<usize>)| matches!(part, Part::Different { .. });
        let wrong = compared.partitions.iter().position(is_different);
        let wrong = wrong.ok_or("a difference was lost")?;
        let (_, inside) = compared.partitions.remove(wrong);
        let behind = inside.into_iter();
        compared
            .behind
            .extend(behind.map(|input| (Category::NotInfected, input)));
        return match compared.check(&differs) {
            Ok(()) => Err("nobody noticed".into()),
            Err(_) => Ok(()),
        };
    }
    Err("no pair differs".into())
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
    /// Runs until the first difference.
    first: Option<usize>,
}

struct Collector<'i> {
    runs: AtomicUsize,
    first: OnceLock<usize>,
    inputs: &'i [SymbolicInput],
    partitions: Mutex<Vec<(Part, Vec<usize>)>>,
    behind: Mutex<Vec<(Category, usize)>>,
}

/// What is noted of a run; inputs by number.
#[derive(Serialize, Deserialize)]
enum RunNote {
    Path,
    Partition(Part, Vec<usize>),
    Behind(Category, Vec<usize>),
}

impl Probe for Collector<'_> {
    fn path(&self, _: &Ran<'_>) -> Option<Note> {
        Some(Note::of(&RunNote::Path))
    }

    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let inside = (0..)
            .zip(self.inputs)
            .filter(|(_, input)| members.contain(input));
        let inside = inside.map(|(number, _)| number).collect();
        let note = RunNote::Partition(partition.part.clone(), inside);
        Some(Note::of(&note))
    }

    fn pruned(&self, category: Category, behind: &mut PrunedInputs<'_, '_>) -> Option<Note> {
        let inside = (0..)
            .zip(self.inputs)
            .filter(|(_, input)| behind.contain(input));
        let inside = inside.map(|(number, _)| number).collect();
        Some(Note::of(&RunNote::Behind(category, inside)))
    }
}

impl Observer for Collector<'_> {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        match note.read() {
            RunNote::Path => {
                self.runs.fetch_add(1, Ordering::Relaxed);
            }
            RunNote::Partition(part, inside) => {
                if part.is_different() {
                    self.first.get_or_init(|| self.runs.load(Ordering::Relaxed));
                }
                let mut all = self.partitions.lock().expect("no panic");
                all.push((part, inside));
            }
            RunNote::Behind(category, inside) => {
                let mut all = self.behind.lock().expect("no panic");
                all.extend(inside.into_iter().map(|number| (category, number)));
            }
        }
        Ok(())
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
        runs: AtomicUsize::new(0),
        first: OnceLock::new(),
        inputs: &inputs,
        partitions: Mutex::default(),
        behind: Mutex::default(),
    };
    let summary = old.compare_with(new, how, &collector);
    Compared {
        summary,
        partitions: collector.partitions.into_inner().expect("no panic"),
        behind: collector.behind.into_inner().expect("no panic"),
        first: collector.first.into_inner(),
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

    /// Holds what is said against what brute force saw of each input. In how many partitions or pruned ways each is.
    fn check_claims(&self, differs: &[bool]) -> Result<Vec<usize>, String> {
        let mut owners = vec![0; differs.len()];
        for &(category, input) in &self.behind {
            owners[input] += 1;
            if differs[input] {
                return Err(format!(
                    "input {input} differs behind a way pruned as {category:?}"
                ));
            }
        }
        for (part, inside) in &self.partitions {
            for &input in inside {
                owners[input] += 1;
                let is_wrong = match part {
                    Part::Equal { .. } => differs[input],
                    Part::Different { .. } => !differs[input],
                    Part::Unknown { .. } => false,
                };
                if is_wrong {
                    return Err(format!("input {input} is in a partition called {part:?}"));
                }
            }
        }
        match owners.iter().position(|&owners| owners > 1) {
            Some(input) => Err(format!(
                "input {input} is in {} partitions or pruned ways",
                owners[input]
            )),
            None => Ok(owners),
        }
    }

    fn check(&self, differs: &[bool]) -> Result<(), String> {
        // The solver gave up, which must be rare.
        let gave_up = !self.summary.gaps.is_empty();
        COMPARISONS.fetch_add(1, Ordering::Relaxed);
        GAVE_UP.fetch_add(usize::from(gave_up), Ordering::Relaxed);
        let owners = self.check_claims(differs)?;
        let mut found = vec![false; differs.len()];
        for (part, inside) in &self.partitions {
            for &input in inside {
                found[input] |= matches!(part, Part::Different { .. });
                // Where both end with the same undefined behaviour nothing is claimed.
                if matches!(part, Part::Unknown { .. }) {
                    found[input] |= differs[input];
                }
            }
        }
        if let Some(input) = owners.iter().position(|&owners| owners == 0)
            && !gave_up
        {
            return Err(format!("input {input} is in no partition or pruned way"));
        }
        if found != differs && !gave_up {
            return Err(format!("found {found:?}, by brute force {differs:?}"));
        }
        Ok(())
    }
}
