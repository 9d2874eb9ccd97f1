//! Randomly generated programs, with and without faults: exploration finds the paths that brute force over
//! all inputs takes, each once; also if it is interrupted and goes on from its journal, if the journal is
//! cut off anywhere, and if it begins with seeds. With one worker it does the same every time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use exploration::frontier::SplitMix;
use exploration::journal::Earlier;
use exploration::{Stop, Strategy};
use libtest_mimic::{Failed, Trial};
use program_generator::{Settings, generate};
use program_tests::brute_force::{BruteForce, Explorable, Explored, How};
use program_tests::generated::Batch;
use program_tests::remembered_answers::Answers;

/// Programs in a batch, and batches without and with faults.
const IN_BATCH: usize = 50;
const PLAIN: u64 = 4;
const FAULTY: u64 = 6;
/// More than any of the programs has paths: what runs away is a failure, not a hang.
const MOST_RUNS: u64 = 20_000;
/// What takes longer is named.
const SLOW: Duration = Duration::from_secs(5);
/// One of so many programs is explored in all ways.
const CLOSELY: usize = 25;

static PROGRAMS: AtomicUsize = AtomicUsize::new(0);
static INPUTS: AtomicUsize = AtomicUsize::new(0);
static PATHS: AtomicUsize = AtomicUsize::new(0);
static BEHAVIOURS: AtomicUsize = AtomicUsize::new(0);
static FAULTS: AtomicUsize = AtomicUsize::new(0);
static EXPLORATIONS: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn trials() -> Vec<Trial> {
    let batch = |number: u64| {
        let faults = number >= PLAIN;
        let name = format!(
            "no_path_lost_generated::batch {number}{}",
            if faults { " with faults" } else { "" }
        );
        Trial::test(name, move || check_batch(number, faults))
    };
    let mut trials: Vec<Trial> = (0..PLAIN + FAULTY).map(batch).collect();
    trials.push(Trial::test(
        "no_path_lost_generated::the check can fail",
        the_check_can_fail,
    ));
    trials
}

/// Prints what was looked at.
pub(crate) fn conclude(_complete: bool) -> bool {
    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
    println!(
        "{} programs, {} inputs, {} branch paths with their ends ({} of them errors), {} paths, {} explorations",
        count(&PROGRAMS),
        count(&INPUTS),
        count(&BEHAVIOURS),
        count(&FAULTS),
        count(&PATHS),
        count(&EXPLORATIONS)
    );
    true
}

/// About how many statements a program has, and how many inputs at most. `GENERATED_SIZE` names another size
/// and allows all inputs: solving then takes most of the time, for most programs multiply and divide
/// what they read.
fn scale() -> (usize, usize) {
    match std::env::var("GENERATED_SIZE") {
        Ok(text) => (
            text.parse().expect("GENERATED_SIZE is a number"),
            usize::MAX,
        ),
        Err(_) => (10, 300),
    }
}

fn check_batch(number: u64, faults: bool) -> Result<(), Failed> {
    let (size, most_inputs) = scale();
    let settings = Settings { size, faults };
    let few_inputs = |seed: &u64| generate(*seed, settings).inputs().len() <= most_inputs;
    let candidates = (number * 1_000..).filter(few_inputs);
    let seeds: Vec<u64> = candidates.take(IN_BATCH).collect();
    let batch = Batch::new(&seeds, settings)?;
    let mut problems = Vec::new();
    for (member, seed) in (0..batch.programs.len()).zip(seeds) {
        let start = Instant::now();
        if let Err(problem) = check(&batch, member) {
            problems.push(format!("seed {seed}: {problem}"));
        }
        if start.elapsed() > SLOW {
            println!("seed {seed} took {:.0} s", start.elapsed().as_secs_f64());
        }
    }
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

/// A path that is left out, told twice or has another input's place is noticed.
fn the_check_can_fail() -> Result<(), Failed> {
    let seeds: Vec<u64> = (0..8).collect();
    let (size, faults) = (8, true);
    let batch = Batch::new(&seeds, Settings { size, faults })?;
    let mut altered = 0;
    for member in 0..batch.programs.len() {
        let explorable = batch.member(member);
        let explored = explore(
            &explorable,
            &How::new(Strategy::Dart, 1),
            Earlier::default(),
        );
        for index in 0..explored.inputs.len() {
            for twice in [false, true] {
                let mut wrong = explored.clone();
                match twice {
                    true => wrong.inputs.push(wrong.inputs[index].clone()),
                    false => drop(wrong.inputs.remove(index)),
                }
                if wrong.inputs.is_empty() {
                    continue;
                }
                wrong.summary.paths = wrong.inputs.len() as u64;
                let mut brute_force = BruteForce::new(&explorable, batch.inputs(member));
                if brute_force.check(&wrong).is_ok() {
                    return Err(format!("path {index} of program {member} is not missed").into());
                }
                altered += 1;
            }
            if index == 3 {
                break;
            }
        }
    }
    match altered {
        0..20 => Err(format!("only {altered} explorations were altered").into()),
        _ => Ok(()),
    }
}

fn check(batch: &Batch, member: usize) -> Result<(), String> {
    let explorable = batch.member(member);
    let mut brute_force = BruteForce::new(&explorable, batch.inputs(member));
    let mut ways = vec![
        How::new(Strategy::Dart, 1),
        How::new(Strategy::Dfs, 1),
        How::new(Strategy::Dart, 4),
    ];
    let closely = member.is_multiple_of(CLOSELY);
    if closely {
        let others = [Strategy::Bfs, Strategy::RandomPath, Strategy::Coverage];
        ways.extend(others.map(|strategy| How::new(strategy, 1)));
        ways.push(How::new(Strategy::RandomPath, 4));
    }
    let mut last = None;
    // Solving is most of the work; what is looked at closely solves everything anew.
    let answers = (!closely).then(Answers::default);
    for how in ways {
        let how = How {
            answers: answers.clone(),
            ..how
        };
        let explored = explore(&explorable, &how, Earlier::default());
        let said = |problem| format!("{} -j {}: {problem}", how.strategy, how.workers);
        brute_force.check(&explored).map_err(said)?;
        last = Some(explored);
    }
    if let Some(whole) = last.filter(|_| closely) {
        let mut random = SplitMix(member as u64);
        interrupted(&explorable, &mut brute_force)?;
        cut_off(&explorable, &mut brute_force, &whole, &mut random)?;
        with_seeds(&explorable, &mut brute_force, &mut random)?;
        twice(&explorable)?;
    }
    PROGRAMS.fetch_add(1, Ordering::Relaxed);
    INPUTS.fetch_add(brute_force.inputs().len(), Ordering::Relaxed);
    PATHS.fetch_add(brute_force.paths(), Ordering::Relaxed);
    BEHAVIOURS.fetch_add(brute_force.behaviours(), Ordering::Relaxed);
    FAULTS.fetch_add(brute_force.faults(), Ordering::Relaxed);
    Ok(())
}

fn explore(explorable: &Explorable<'_>, how: &How, earlier: Earlier) -> Explored {
    EXPLORATIONS.fetch_add(1, Ordering::Relaxed);
    let how = How {
        runs: how.runs.or(Some(MOST_RUNS)),
        ..how.clone()
    };
    explorable.explore(&how, earlier)
}

fn read(journal: &str, explorable: &Explorable<'_>) -> Result<Earlier, String> {
    Earlier::read(journal, &explorable.shapes).map_err(|error| error.to_string())
}

/// Stops after some runs and goes on, until all is explored.
fn interrupted(
    explorable: &Explorable<'_>,
    brute_force: &mut BruteForce<'_, '_>,
) -> Result<(), String> {
    let paths = brute_force.paths() as u64;
    for runs in [1, 3, paths / 2 + 1] {
        if paths / runs > 20 {
            continue;
        }
        let strategy = Strategy::ALL[runs as usize % Strategy::ALL.len()];
        let mut journal = String::new();
        let mut sessions = 0;
        loop {
            let how = How {
                runs: Some(runs),
                ..How::new(strategy, 1 + sessions % 2)
            };
            let earlier = read(&journal, explorable)?;
            let known = earlier.runs.len() as u64;
            let explored = explore(explorable, &how, earlier);
            journal.push_str(&explored.journal);
            let summary = &explored.summary;
            sessions += 1;
            if summary.paths_before != known {
                return Err(format!("{} of {known} runs known", summary.paths_before));
            }
            if summary.exhausted() {
                let said = |problem| format!("after stops every {runs} runs: {problem}");
                brute_force.check(&explored).map_err(said)?;
                break;
            }
            if summary.stop != Stop::Runs || summary.runs < runs {
                return Err(format!("stopped: {}, {} runs", summary.stop, summary.runs));
            }
            if sessions as u64 > paths + 2 {
                return Err(format!("no end after {sessions} sessions of {runs} runs"));
            }
        }
    }
    Ok(())
}

/// Goes on from a journal that a killed process left.
fn cut_off(
    explorable: &Explorable<'_>,
    brute_force: &mut BruteForce<'_, '_>,
    whole: &Explored,
    random: &mut SplitMix,
) -> Result<(), String> {
    for workers in [1, 2, 4] {
        let length = random.below(whole.journal.len() + 1);
        let earlier = read(&whole.journal[..length], explorable)?;
        let lines = whole.journal[..length].matches('\n').count();
        if earlier.runs.len() + earlier.infeasible.len() != lines {
            return Err(format!("{lines} whole lines, not all of them are used"));
        }
        let how = How::new(Strategy::ALL[length % Strategy::ALL.len()], workers);
        let explored = explore(explorable, &how, earlier);
        let said = |problem| format!("after a journal cut off at byte {length}: {problem}");
        brute_force.check(&explored).map_err(said)?;
    }
    Ok(())
}

fn with_seeds(
    explorable: &Explorable<'_>,
    brute_force: &mut BruteForce<'_, '_>,
    random: &mut SplitMix,
) -> Result<(), String> {
    let inputs = brute_force.inputs();
    let chosen = (0..5).map(|_| &inputs[random.below(inputs.len())]);
    let seeds = chosen
        .filter_map(|input| explorable.shaped(input))
        .collect();
    let how = How {
        seeds,
        ..How::new(Strategy::Dart, 2)
    };
    let explored = explore(explorable, &how, Earlier::default());
    let said = |problem| format!("with seeds: {problem}");
    brute_force.check(&explored).map_err(said)
}

/// The same seed gives the same inputs in the same order.
fn twice(explorable: &Explorable<'_>) -> Result<(), String> {
    for strategy in Strategy::ALL {
        let how = How {
            seed: 7,
            ..How::new(strategy, 1)
        };
        let [one, other] = [0, 1].map(|_| explore(explorable, &how, Earlier::default()));
        if one.inputs != other.inputs || one.journal != other.journal {
            return Err(format!("{strategy} does not do the same again"));
        }
    }
    Ok(())
}
