//! Random lines of three and four versions, with and without faults: how their comparison relates the versions on each
//! partition is true of every input in it, by brute force over all inputs.
//!
//! **What is demanded** of each line of versions:
//! - every input belongs to exactly one partition;
//! - versions that are said to behave the same on a partition do so on every input of it, and versions that are said to
//!   differ do so on every input of it; the partition's witness is in it;
//! - the verdict on each two versions is `Equivalent` exactly if no input tells them apart. It may be open only if both
//!   end with the same undefined behaviour, or if the solver gave up, which must be rare.
//!
//! The same is demanded of a comparison that is stopped after some runs, except that inputs may be in no partition, and
//! that verdicts may be open; and of one that goes on from there.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use concolic_vm::symbolic::{SymbolicInput, parameter_name};
use exploration::journal::Earlier;
use exploration::part::WhyUnknown;
use exploration::relations::{Relation, Relations, pairs};
use exploration::worker::{Part, Ran};
use exploration::{
    InputRecord, Members, Note, Observer, Partition, Probe, Strategy, Summary, Verdict,
};
use libtest_mimic::{Failed, Trial};
use program_generator::ast::Program;
use program_generator::{Settings, edited, generate};
use program_tests::brute_force::{Effect, Explorable, How};
use program_tests::generated::{Batch, compile};
use program_tests::partition_check::seen;
use program_tests::remembered_answers::Answers;
use serde::{Deserialize, Serialize};

/// Lines of versions in a batch, and batches without and with faults. `VERSION_LINES` names another number of batches.
const IN_BATCH: usize = 20;
const BATCHES: u64 = 4;
/// Programs with more inputs are left out.
const MOST_INPUTS: usize = 300;
const MOST_RUNS: u64 = 20_000;
const MOST_VERSIONS: usize = 4;

static LINES: AtomicUsize = AtomicUsize::new(0);
static INPUTS: AtomicUsize = AtomicUsize::new(0);
static PARTITIONS: AtomicUsize = AtomicUsize::new(0);
/// Partitions on which a later version behaves as one before its predecessor.
static UNDONE: AtomicUsize = AtomicUsize::new(0);
/// Partitions with three groups or more.
static ALL_DIFFERENT: AtomicUsize = AtomicUsize::new(0);
/// Pairs of versions that were proved equivalent, found different, or left open.
static EQUIVALENT: AtomicUsize = AtomicUsize::new(0);
static DIFFERENT: AtomicUsize = AtomicUsize::new(0);
static OPEN: AtomicUsize = AtomicUsize::new(0);
/// Of these, because the solver gave up.
static GAVE_UP: AtomicUsize = AtomicUsize::new(0);

fn batches() -> u64 {
    std::env::var("VERSION_LINES").map_or(BATCHES, |text| {
        text.parse().expect("VERSION_LINES is a number")
    })
}

/// A trial of this suite.
fn trial(
    name: impl std::fmt::Display,
    check: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    Trial::test(format!("versions_hold::{name}"), check)
}

pub(crate) fn trials() -> Vec<Trial> {
    let batch = |number: u64| {
        let faults = number % 2 == 1;
        let name = format!("batch {number}{}", if faults { " with faults" } else { "" });
        trial(name, move || check_batch(number, faults))
    };
    let mut trials: Vec<Trial> = (0..batches()).map(batch).collect();
    trials.push(trial("the check can fail", the_check_can_fail));
    trials.push(trial("one path has several partitions", one_path));
    trials.push(trial("what no run shows is asked for", unseen));
    trials.push(trial("one version does not end", endless));
    trials
}

/// Prints what was looked at, and says whether that was enough.
pub(crate) fn conclude(complete: bool) -> bool {
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} lines of versions, {} inputs, {} partitions ({} on which something is undone, {} with three groups or more); pairs of \
         versions: {} equivalent, {} different, {} open",
        count(&LINES),
        count(&INPUTS),
        count(&PARTITIONS),
        count(&UNDONE),
        count(&ALL_DIFFERENT),
        count(&EQUIVALENT),
        count(&DIFFERENT),
        count(&OPEN)
    );
    let all = complete && batches() >= BATCHES;
    let all_kinds = [&UNDONE, &ALL_DIFFERENT, &EQUIVALENT, &DIFFERENT];
    if all && all_kinds.iter().any(|kind| count(kind) == 0) {
        println!("the programs do not show every kind of partition");
        return false;
    }
    if count(&GAVE_UP) * 100 > count(&LINES) {
        println!("the solver gave up too often");
        return false;
    }
    true
}

/// Versions that were made one after the other, in one of several manners.
fn line_of_versions(seed: u64, settings: Settings) -> Vec<Program> {
    let first = generate(seed, settings);
    let second = edited(first.clone(), seed).new;
    let another = |of: &Program| edited(of.clone(), seed ^ 0x7e57).new;
    match seed % 4 {
        // The change is undone.
        0 => vec![first.clone(), second, first],
        // It is undone and made in another way.
        1 => vec![first.clone(), second, another(&first)],
        // There is a change on top of it.
        2 => vec![first, second.clone(), another(&second)],
        _ => vec![first.clone(), second.clone(), another(&second), first],
    }
}

fn check_batch(number: u64, faults: bool) -> Result<(), Failed> {
    let settings = Settings { size: 10, faults };
    // From here on the solver has little to do, as is known from trying.
    let seeds = number * 1_000 + 10..;
    let small = seeds.filter(|&seed| generate(seed, settings).inputs().len() <= MOST_INPUTS);
    let seeds: Vec<u64> = small.take(IN_BATCH).collect();
    let lines: Vec<Vec<Program>> = seeds
        .iter()
        .map(|&seed| line_of_versions(seed, settings))
        .collect();
    // A shorter line goes on as it is, so that members have the same numbers; the copy is left out below.
    let versions = (0..MOST_VERSIONS).map(|version| {
        let member = |line: &Vec<Program>| line.get(version).unwrap_or(&line[0]).clone();
        Batch::of(lines.iter().map(member).collect())
    });
    let versions: Vec<Batch> = versions.collect::<Result<_, _>>()?;
    let mut problems = Vec::new();
    for (member, seed) in seeds.into_iter().enumerate() {
        let inputs = versions[0].inputs(member);
        let of_line = versions.iter().take(lines[member].len());
        let of_line: Vec<Explorable<'_>> = of_line.map(|batch| batch.member(member)).collect();
        let behaviour = Behaviour::of(&of_line, &inputs);
        LINES.fetch_add(1, Ordering::Relaxed);
        INPUTS.fetch_add(inputs.len(), Ordering::Relaxed);
        let strategy = Strategy::ALL[member % Strategy::ALL.len()];
        let mut how = How::new(strategy, 1 + member % 2);
        how.runs = Some(MOST_RUNS);
        how.query_timeout = Duration::from_secs(20);
        how.answers = Some(Answers::default());
        let mut check = |how: &How, earlier: Earlier, what: &str| {
            let (compared, journal) = compare(&of_line, how, earlier, &inputs);
            let whole = what != "stopped";
            if what == "whole" {
                compared.count();
            }
            if let Err(problem) = compared.check(&behaviour, whole) {
                problems.push(format!("seed {seed}, {strategy}, {what}: {problem}"));
            }
            journal
        };
        check(&how, Earlier::default(), "whole");
        how.runs = Some(1 + seed % 7);
        let journal = check(&how, Earlier::default(), "stopped");
        how.runs = Some(MOST_RUNS);
        let earlier = Earlier::read(&journal, &of_line[0].shapes)?;
        check(&how, earlier, "gone on");
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// What brute force saw: by input and by version, how the run ended and what it put out.
struct Behaviour(Vec<Vec<(String, Effect)>>);

impl Behaviour {
    fn of(versions: &[Explorable<'_>], inputs: &[InputRecord]) -> Behaviour {
        let by_version = |input| {
            versions
                .iter()
                .map(|version| seen(version, input))
                .collect()
        };
        Behaviour(inputs.iter().map(by_version).collect())
    }

    fn is_same(&self, input: usize, one: usize, other: usize) -> bool {
        self.0[input][one] == self.0[input][other]
    }

    fn always_same(&self, one: usize, other: usize) -> bool {
        (0..self.0.len()).all(|input| self.is_same(input, one, other))
    }
}

/// What was told of a partition.
#[derive(Serialize, Deserialize)]
struct Listed {
    part: Part,
    relations: Relations,
    /// By number.
    inputs: Vec<usize>,
    has_its_witness: bool,
}

struct Compared {
    versions: usize,
    summary: Summary,
    partitions: Vec<Listed>,
}

struct Collector<'i> {
    inputs: &'i [SymbolicInput],
    partitions: Mutex<Vec<Listed>>,
}

impl Probe for Collector<'_> {
    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        members: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let inside = (0..self.inputs.len()).filter(|&number| members.contain(&self.inputs[number]));
        let listed = Listed {
            inputs: inside.collect(),
            part: partition.part.clone(),
            relations: partition.relations.clone(),
            has_its_witness: match &partition.part {
                Part::Different { witness, .. } => members.contain(witness),
                _ => true,
            },
        };
        Some(Note::of(&listed))
    }
}

impl Observer for Collector<'_> {
    fn settling(&self) -> Option<Duration> {
        Some(exploration::SETTLING)
    }

    fn note(&self, note: &Note) -> std::io::Result<()> {
        self.partitions.lock().expect("no panic").push(note.read());
        Ok(())
    }
}

fn compare(
    versions: &[Explorable<'_>],
    how: &How,
    earlier: Earlier,
    inputs: &[InputRecord],
) -> (Compared, String) {
    let (first, later) = versions.split_first().expect("some versions");
    let shaped = |input: &InputRecord| first.shaped(input).expect("an input of the function").1;
    let inputs: Vec<SymbolicInput> = inputs.iter().map(shaped).collect();
    let collector = Collector {
        inputs: &inputs,
        partitions: Mutex::default(),
    };
    let (summary, journal) = first.compare_several(later, how, earlier, &collector);
    let compared = Compared {
        versions: versions.len(),
        summary,
        partitions: collector.partitions.into_inner().expect("no panic"),
    };
    (compared, journal)
}

impl Compared {
    fn check(&self, behaviour: &Behaviour, whole: bool) -> Result<(), String> {
        let mut owners = vec![0; behaviour.0.len()];
        for listed in &self.partitions {
            self.check_partition(listed, behaviour)?;
            for &input in &listed.inputs {
                owners[input] += 1;
            }
        }
        let whole = whole && self.summary.gaps.is_empty();
        if let Some(input) = owners.iter().position(|&owners| owners > 1) {
            return Err(format!("input {input} is in {} partitions", owners[input]));
        }
        if whole && let Some(input) = owners.iter().position(|&owners| owners == 0) {
            return Err(format!("input {input} is in no partition"));
        }
        for (one, other) in pairs(self.versions) {
            let all_same = behaviour.always_same(one, other);
            let is_open = |listed: &Listed| {
                matches!(listed.relations.between(one, other), Relation::NotKnown(_))
            };
            let problem = match self.summary.verdict_between(one, other) {
                Verdict::Equivalent if !all_same => "called equivalent, and an input differs",
                Verdict::Different if all_same => "called different, and no input differs",
                Verdict::Undecided if whole && !self.partitions.iter().any(is_open) => {
                    "undecided after all paths"
                }
                _ => continue,
            };
            return Err(format!("versions {one} and {other}: {problem}"));
        }
        self.check_settled(behaviour)
    }

    fn check_partition(&self, listed: &Listed, behaviour: &Behaviour) -> Result<(), String> {
        let relations = &listed.relations;
        for &input in &listed.inputs {
            for (one, other) in pairs(self.versions) {
                let same = behaviour.is_same(input, one, other);
                let is_wrong = match relations.between(one, other) {
                    Relation::Same => !same,
                    Relation::Different => same,
                    Relation::NotKnown(_) => false,
                };
                if is_wrong {
                    return Err(format!(
                        "versions {one} and {other} on input {input}: not {:?}",
                        relations.between(one, other)
                    ));
                }
            }
        }
        let fits = match &listed.part {
            Part::Equal { .. } => relations.all_same(),
            Part::Different { .. } => relations.any_differ() && listed.has_its_witness,
            Part::Unknown { .. } => true,
        };
        match fits {
            true => Ok(()),
            false => Err(format!("{:?} does not go with {relations:?}", listed.part)),
        }
    }

    /// What is said to be settled is not more than what is.
    fn check_settled(&self, behaviour: &Behaviour) -> Result<(), String> {
        let Some(settled) = &self.summary.settled else {
            return Ok(());
        };
        let versions = 1..self.versions;
        let all_same = (0..behaviour.0.len()).all(|input| {
            versions
                .clone()
                .all(|other| behaviour.is_same(input, 0, other))
        });
        match (settled.equal.share >= 1.0, settled.different.share > 0.0) {
            (true, _) if !all_same => Err("all is said to be equal".to_owned()),
            (_, true) if all_same => Err("some is said to be different".to_owned()),
            _ => Ok(()),
        }
    }

    fn count(&self) {
        let add = |to: &AtomicUsize, count: usize| to.fetch_add(count, Ordering::Relaxed);
        add(&PARTITIONS, self.partitions.len());
        for Listed { relations, .. } in &self.partitions {
            let undone = |version: usize| {
                relations.differ(version - 1, version)
                    && (0..version - 1).any(|earlier| relations.are_same(earlier, version))
            };
            add(&UNDONE, usize::from((2..self.versions).any(undone)));
            let is_split = relations.groups().len() > 2 && relations.open().is_none();
            add(&ALL_DIFFERENT, usize::from(is_split));
            let gave_up = relations.open().is_some_and(|why| {
                use WhyUnknown::{BothUndefined, BothUndefinedAndSeen};
                !matches!(why, BothUndefined(_) | BothUndefinedAndSeen(_))
            });
            add(&GAVE_UP, usize::from(gave_up));
        }
        for (one, other) in pairs(self.versions) {
            let verdict = self.summary.verdict_between(one, other);
            let count = match verdict {
                Verdict::Equivalent => &EQUIVALENT,
                Verdict::Different => &DIFFERENT,
                Verdict::Undecided => &OPEN,
            };
            add(count, 1);
        }
    }
}

/// Versions of one small function of a byte.
fn small(bodies: &[&str]) -> Result<(Compared, Behaviour), Failed> {
    let load = |body: &&str| compile(&format!("int small(unsigned char in) {{ {body} }}\n"));
    let programs: Vec<_> = bodies.iter().map(load).collect::<Result<_, _>>()?;
    let version = |program| Explorable::call(program, "small");
    let versions: Vec<Explorable<'_>> = programs.iter().map(version).collect();
    let record = |byte: u8| InputRecord {
        variables: [(parameter_name(0), vec![byte])].into_iter().collect(),
        args: vec![Vec::new()],
        ..InputRecord::default()
    };
    let inputs: Vec<InputRecord> = (0..=u8::MAX).map(record).collect();
    let how = How::new(Strategy::Dart, 1);
    let (compared, _) = compare(&versions, &how, Earlier::default(), &inputs);
    Ok((compared, Behaviour::of(&versions, &inputs)))
}

/// Without a branch there is one path; which versions behave the same on it depends on two bits.
fn one_path() -> Result<(), Failed> {
    let (compared, behaviour) = small(&["return in & 1;", "return in & 3;", "return in & 5;"])?;
    compared.check(&behaviour, true)?;
    let mut groups: Vec<_> = compared
        .partitions
        .iter()
        .map(|listed| (listed.relations.groups(), listed.inputs.len()))
        .collect();
    groups.sort();
    let expected = [
        (vec![vec![0], vec![1], vec![2]], 64),
        (vec![vec![0, 1], vec![2]], 64),
        (vec![vec![0, 1, 2]], 64),
        (vec![vec![0, 2], vec![1]], 64),
    ];
    if compared.summary.paths != 1 || groups != expected {
        return Err(format!("{} paths, {groups:?}", compared.summary.paths).into());
    }
    Ok(())
}

/// One input of a path is unlike all others, and no run has it.
fn unseen() -> Result<(), Failed> {
    let (compared, behaviour) = small(&[
        "return in;",
        "return in + (in == 77);",
        "return in ^ (in == 77);",
        "return in + (in == 200) * 3;",
    ])?;
    compared.check(&behaviour, true)?;
    let verdict = |one, other| compared.summary.verdict_between(one, other);
    let (same, different) = (Verdict::Equivalent, Verdict::Different);
    let verdicts = [verdict(0, 1), verdict(1, 2), verdict(2, 3)];
    // 77 is odd: adding one and turning the last bit are not the same.
    match verdicts == [different; 3] && verdict(0, 3) != same {
        true => Ok(()),
        false => Err(format!("{verdicts:?}").into()),
    }
}

/// A version that does not end on one input keeps nothing of the others from being known.
fn endless() -> Result<(), Failed> {
    let (compared, behaviour) = small(&[
        "return in > 9 ? 1 : 2;",
        "unsigned n = 0; while (in == 200) n++; return in > 9 ? 1 : 2;",
        "return in < 10 ? 2 : 1;",
    ])?;
    compared.check(&behaviour, true)?;
    let verdict = |one, other| compared.summary.verdict_between(one, other);
    let verdicts = [verdict(0, 1), verdict(1, 2), verdict(0, 2)];
    let expected = [Verdict::Different, Verdict::Different, Verdict::Equivalent];
    match verdicts == expected && !compared.summary.exhausted() {
        true => Ok(()),
        false => Err(format!("{verdicts:?}").into()),
    }
}

/// A check that always passes would be worthless: it objects to a wrong word about any input of any version.
fn the_check_can_fail() -> Result<(), Failed> {
    let (compared, behaviour) = small(&[
        "return in > 9 ? 1 : 2;",
        "return in > 10 ? 1 : 2;",
        "return in >= 10 ? 1 : 2;",
    ])?;
    compared.check(&behaviour, true)?;
    for input in 0..behaviour.0.len() {
        for version in 0..compared.versions {
            let mut wrong = Behaviour(behaviour.0.clone());
            let own = &behaviour.0[input][version];
            let another = behaviour.0[input].iter().find(|&other| other != own);
            let something_else = ("something else".to_owned(), own.1.clone());
            wrong.0[input][version] = another.unwrap_or(&something_else).clone();
            if compared.check(&wrong, true).is_ok() {
                return Err(format!("nothing is said of input {input}, version {version}").into());
            }
        }
    }
    Ok(())
}
