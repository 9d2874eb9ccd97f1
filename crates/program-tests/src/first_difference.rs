//! How long a search takes until it shows that two versions differ.
//!
//! The clock runs from the search's start to its first difference: building, loading, and confirming what was found
//! natively are not in it. A difference counts only if exact runs of its input in the VM differ, and native runs
//! confirm it as `parallax check` does. If not, the search is made again and passes over that input.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use campaign::build::Builder;
use campaign::confirmation::{Natively, observably_equal};
use campaign::prediction::predict;
use campaign::test_case::TestCase;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicLimits;
use concolic_vm::{Limits, Program};
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::worker::{Part, Ran};
use exploration::{
    Budget, Config, Found, InputRecord, Members, Observer, Partition, Progress, Strategy, Subject,
    Summary, Verdict, Version,
};
use serde::{Deserialize, Serialize};

use crate::processor_time;
use crate::subject_space::{PROGRAM_NAME, Start};
use crate::version_pairs::{Failure, Versions, executed};

/// How a search goes about it.
#[derive(Clone, Debug)]
pub struct Method {
    pub strategy: Strategy,
    pub workers: usize,
    pub timeout: Duration,
}

/// What a search came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "result")]
pub enum Outcome {
    /// A difference, confirmed natively.
    Killed {
        observables: Vec<Observable>,
        input: InputRecord,
    },
    /// All inputs within the bounds were proved to behave the same.
    Proved,
    /// Neither; why.
    Survived { reason: String },
}

/// A search, and what it cost until the difference, or in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Searched {
    #[serde(flatten)]
    pub outcome: Outcome,
    /// Inputs that were run on both versions.
    pub runs: u64,
    pub wall_ms: u64,
    /// Of all threads together.
    pub processor_ms: u64,
    pub queries: u64,
    pub solving_ms: u64,
    /// Whether a changed line was executed.
    pub reached: bool,
    /// Differences that native runs did not confirm, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_confirmed: Vec<String>,
}

/// How many differences may fail to be confirmed.
const PATIENCE: usize = 3;
const QUERY_TIMEOUT: Duration = Duration::from_secs(5);
const MOST_TERMS: usize = 1 << 23;

/// The defaults of `parallax check`.
fn limits() -> Limits {
    Limits {
        steps: 20_000_000,
        ..Limits::default()
    }
}

/// Searches until a difference is confirmed, everything is proved equal, or time is over.
pub fn search(
    builder: &Builder<'_>,
    programs: [&Program; 2],
    versions: &Versions,
    start: &Start,
    method: &Method,
) -> Result<Searched, Failure> {
    let mut passed_over = Vec::new();
    let mut not_confirmed = Vec::new();
    loop {
        let (first, summary, whole) = until_difference(programs, start, method, &passed_over);
        let reached = (0..2).any(|version| {
            let coverage = &summary.coverage[version];
            executed(programs[version], coverage, &versions.changed[version])
        });
        let cost = first.as_ref().map_or(whole, |first| first.cost);
        let searched = |outcome, not_confirmed| Searched {
            outcome,
            runs: cost.runs,
            wall_ms: cost.wall.as_millis() as u64,
            processor_ms: cost.processor.as_millis() as u64,
            queries: summary.counts.queries,
            solving_ms: summary.counts.solving.as_millis() as u64,
            reached,
            not_confirmed,
        };
        let Some(first) = first else {
            let outcome = match summary.verdict() {
                Verdict::Equivalent => Outcome::Proved,
                _ => Outcome::Survived {
                    reason: reason(&summary, reached, not_confirmed.len()),
                },
            };
            return Ok(searched(outcome, not_confirmed));
        };
        match objection(builder, programs, versions, &first)? {
            None => {
                let outcome = Outcome::Killed {
                    observables: first.observables,
                    input: first.input,
                };
                return Ok(searched(outcome, not_confirmed));
            }
            Some(why) => not_confirmed.push(why),
        }
        if not_confirmed.len() == PATIENCE {
            let reason = format!("{PATIENCE} differences were not confirmed natively");
            return Ok(searched(Outcome::Survived { reason }, not_confirmed));
        }
        passed_over.push(first.input);
    }
}

/// Why a search found no difference.
fn reason(summary: &Summary, reached: bool, not_confirmed: usize) -> String {
    let mut words = vec![
        summary.stop.to_string(),
        match reached {
            true => "the change was reached".to_owned(),
            false => "the change was not reached".to_owned(),
        },
        format!("{} paths, {} flips open", summary.paths, summary.open_flips),
    ];
    let gaps = summary.gaps.iter();
    words.extend(gaps.map(|(gap, count)| format!("{count} times: {gap}")));
    let unknown = |partition: &&Partition| matches!(partition.part, Part::Unknown { .. });
    let mut unknown = summary.partitions.iter().filter(unknown);
    if let Some(Partition {
        part: Part::Unknown { why },
        ..
    }) = unknown.next()
    {
        words.push(format!("{} paths not compared: {why}", 1 + unknown.count()));
    }
    if not_confirmed > 0 {
        words.push(format!(
            "{not_confirmed} differences not confirmed natively"
        ));
    }
    words.join("; ")
}

#[derive(Clone, Copy, Debug)]
struct Cost {
    runs: u64,
    wall: Duration,
    processor: Duration,
}

struct First {
    observables: Vec<Observable>,
    input: InputRecord,
    cost: Cost,
}

/// Notes the first difference and ends the search.
struct Watch<'w> {
    passed_over: &'w [InputRecord],
    interrupt: &'w AtomicBool,
    start: Instant,
    processor_before: Duration,
    runs: AtomicU64,
    first: Mutex<Option<First>>,
}

impl Watch<'_> {
    /// So far.
    fn cost(&self) -> Cost {
        Cost {
            runs: self.runs.load(Ordering::Relaxed),
            wall: self.start.elapsed(),
            processor: processor_time::of_this_process() - self.processor_before,
        }
    }
}

impl Observer for Watch<'_> {
    fn found(&self, _: &Found<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn progress(&self, _: &Progress) {}

    fn path(&self, _: &Ran<'_>) {
        self.runs.fetch_add(1, Ordering::Relaxed);
    }

    fn partition(&self, partition: &Partition, _: &Ran<'_>, _: &mut Members<'_, '_>) {
        let Part::Different {
            observables,
            witness,
        } = &partition.part
        else {
            return;
        };
        let input = InputRecord::of(witness);
        if self.passed_over.contains(&input) {
            return;
        }
        let cost = self.cost();
        let mut first = self.first.lock().expect("no worker panicked");
        first.get_or_insert_with(|| First {
            observables: observables.clone(),
            input,
            cost,
        });
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

fn until_difference(
    programs: [&Program; 2],
    start: &Start,
    method: &Method,
    passed_over: &[InputRecord],
) -> (Option<First>, Summary, Cost) {
    let interrupt = AtomicBool::new(false);
    let watch = Watch {
        passed_over,
        interrupt: &interrupt,
        start: Instant::now(),
        processor_before: processor_time::of_this_process(),
        runs: AtomicU64::new(0),
        first: Mutex::new(None),
    };
    let config = Config {
        strategy: method.strategy,
        seed: 0,
        workers: method.workers,
        budget: Budget {
            time: Some(method.timeout),
            ..Budget::default()
        },
        kernel: KernelConfig::default(),
        limits: limits(),
        symbolic_limits: SymbolicLimits::default(),
        shapes: start.shapes.clone(),
        seeds: start.seeds.clone(),
        query_timeout: QUERY_TIMEOUT,
        most_terms: MOST_TERMS / method.workers,
        solver: &|_| solver::chain(&solver::Config::default()),
        memory_used: &|| 0,
        interrupt: &interrupt,
        all_tests: false,
    };
    let versions = programs.map(|program| Version {
        program,
        subject: Subject::Whole,
    });
    let summary = exploration::explore(&versions, config, Earlier::default(), None, &watch);
    let whole = watch.cost();
    let first = watch.first.into_inner().expect("no worker panicked");
    (first, summary, whole)
}

/// What keeps a difference from being confirmed.
fn objection(
    builder: &Builder<'_>,
    programs: [&Program; 2],
    versions: &Versions,
    first: &First,
) -> Result<Option<String>, Failure> {
    let kernel = KernelConfig::default();
    let run = |version: usize| {
        let expected = predict(programs[version], &kernel, limits(), &first.input);
        expected.ok_or("a process cannot be started with an input that was found")
    };
    let (old, new) = (run(0)?, run(1)?);
    if observably_equal(&old, &new) {
        return Ok(Some("exact runs of the input do the same".to_owned()));
    }
    let test = |expected| TestCase::new(&first.input, &kernel.working_directory, Some(expected));
    let mut natively = Natively::new(builder, &versions.requests, PROGRAM_NAME.to_vec())?;
    Ok(natively.objection(&first.observables, &test(old), &test(new))?)
}
