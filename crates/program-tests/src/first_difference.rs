//! How long a search takes until it shows that two versions differ.
//!
//! The clock runs from the search's start to its first difference: building, loading, and confirming what was found
//! natively are not in it. A difference counts only if exact runs of its input in the VM differ, and native runs
//! confirm it as `parallax check` does. If not, the search is made again and goes on until it has more differences, of
//! which the first that is confirmed counts.

use std::fs::OpenOptions;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use build::Builder;
use concolic_vm::linux::KernelConfig;
use concolic_vm::symbolic::SymbolicLimits;
use concolic_vm::{Limits, Program};
use exploration::compare::Observable;
use exploration::journal::Earlier;
use exploration::propagate;
use exploration::relevance::PairRelevance;
use exploration::worker::{Part, Ran};
use exploration::{
    Budget, ChangeConfig, Config, InputRecord, MachineConfig, Members, Note, Observer, Partition,
    Probe, Solving, StaticFacts, Strategy, Subject, Summary, Transport, Verdict, Version,
};
use native::confinement::Confinement;
use native::confirmation::{Natively, observably_equal};
use native::prediction::predict;
use native::test_case::TestCase;
use serde::{Deserialize, Serialize};

use crate::processor_time;
use crate::subject_space::{PROGRAM_NAME, Start};
use crate::version_pairs::{Failure, Versions, executed};

/// Which inputs are tried next, by the name that measurements have: a strategy's, or `express` for `dart` with
/// pruning; `auto` as `check` does it. `+propagate` behind it means that inputs are made that take the effect of a change
/// farther, which `auto` does by itself; `+slices` that only what matters of paths is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Direction {
    pub name: String,
    strategy: Strategy,
    /// Whether ways that cannot show a difference are left out.
    prune: bool,
    propagate: bool,
    /// Whether only what matters of paths is kept.
    slices: bool,
}

impl FromStr for Direction {
    type Err = String;

    fn from_str(name: &str) -> Result<Direction, String> {
        let (plain, how) = name.split_once('+').unwrap_or((name, ""));
        if !["", "propagate", "slices"].contains(&how) {
            return Err(format!(
                "`{how}` is no addition to a strategy: it is propagate or slices"
            ));
        }
        let (strategy, prune) = match plain {
            "express" => (Strategy::Dart, true),
            strategy => (strategy.parse()?, strategy == "auto"),
        };
        Ok(Direction {
            name: name.to_owned(),
            strategy,
            prune,
            propagate: how == "propagate" || strategy == Strategy::Auto,
            slices: how == "slices",
        })
    }
}

/// How a search goes about it.
#[derive(Clone, Debug)]
pub struct Method {
    pub direction: Direction,
    pub workers: usize,
    pub timeout: Duration,
    /// The most time for one question to the solver.
    pub query_timeout: Duration,
    /// Where questions to the solver are written, for `parallax debug replay-queries`.
    pub query_log: Option<PathBuf>,
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
    /// Processor time of all threads together.
    pub processor_ms: u64,
    pub queries: u64,
    pub solving_ms: u64,
    /// Whether a changed line was executed; `None` if the change is in no code, but in a declaration.
    pub reached: Option<bool>,
    /// Differences that native runs did not confirm, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_confirmed: Vec<String>,
}

/// How many differences are waited for, one search after the other, until one is confirmed.
const ATTEMPTS: [usize; 3] = [1, 5, 25];
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
    let mut refused: Vec<(InputRecord, String)> = Vec::new();
    for wanted in ATTEMPTS {
        let (found, summary, whole) = until_differences(programs, start, method, wanted);
        let reached = [0, 1].map(|version| {
            let coverage = &summary.shown.coverage[version];
            executed(programs[version], coverage, &versions.changed[version])
        });
        // `Some(true)` is the greatest, `None` the least.
        let reached = reached.into_iter().max().flatten();
        let mut searched = Searched {
            outcome: match summary.verdict() {
                Verdict::Equivalent => Outcome::Proved,
                _ => Outcome::Survived {
                    reason: reason(&summary, reached),
                },
            },
            runs: whole.runs,
            wall_ms: whole.wall.as_millis() as u64,
            processor_ms: whole.processor.as_millis() as u64,
            queries: summary.effort.counts.queries,
            solving_ms: summary.effort.counts.solving.as_millis() as u64,
            reached,
            not_confirmed: Vec::new(),
        };
        let enough = found.len() >= wanted;
        for difference in found {
            if refused.iter().any(|(input, _)| *input == difference.input) {
                continue;
            }
            if let Some(why) = objection(builder, programs, versions, &difference)? {
                refused.push((difference.input, why));
                continue;
            }
            searched.runs = difference.cost.runs;
            searched.wall_ms = difference.cost.wall.as_millis() as u64;
            searched.processor_ms = difference.cost.processor.as_millis() as u64;
            searched.outcome = Outcome::Killed {
                observables: difference.observables,
                input: difference.input,
            };
            return Ok(searched);
        }
        if !enough || wanted == ATTEMPTS[ATTEMPTS.len() - 1] {
            let count = refused.len();
            searched.not_confirmed = refused.into_iter().map(|(_, why)| why).collect();
            searched.not_confirmed.dedup();
            if enough {
                let reason = format!("{count} differences were not confirmed natively");
                searched.outcome = Outcome::Survived { reason };
            }
            return Ok(searched);
        }
    }
    unreachable!("the last attempt returns")
}

/// Why a search found no difference.
fn reason(summary: &Summary, reached: Option<bool>) -> String {
    let mut words = vec![
        summary.stop.to_string(),
        match reached {
            Some(true) => "the change was reached".to_owned(),
            Some(false) => "the change was not reached".to_owned(),
            None => "the change is in a declaration".to_owned(),
        },
        format!("{} paths, {} flips open", summary.paths, summary.open_flips),
    ];
    let looks = &summary.made.propagation;
    if looks.runs + summary.made.spliced.inputs > 0 {
        let candidates: u64 = looks.by_rule.values().map(|rule| rule.candidates).sum();
        let cut: u64 = looks.cut.values().sum();
        words.push(format!(
            "{} looks gave {candidates} inputs in {:.1} s, {cut} cut off; {} spliced inputs in {:.1} s",
            looks.looks,
            looks.time.as_secs_f64(),
            summary.made.spliced.inputs,
            summary.made.spliced.time.as_secs_f64(),
        ));
    }
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
    words.join("; ")
}

#[derive(Clone, Copy, Debug)]
struct Cost {
    runs: u64,
    wall: Duration,
    processor: Duration,
}

struct Difference {
    observables: Vec<Observable>,
    input: InputRecord,
    cost: Cost,
}

/// Notes the first differences and ends the search.
struct Watch<'w> {
    wanted: usize,
    interrupt: &'w AtomicBool,
    start: Instant,
    processor_before: Duration,
    runs: AtomicU64,
    found: Mutex<Vec<Difference>>,
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

/// A path, or a difference on one.
#[derive(Serialize, Deserialize)]
enum RunNote {
    Path,
    Different(Part),
}

impl Probe for Watch<'_> {
    fn path(&self, _: &Ran<'_>) -> Option<Note> {
        Some(Note::of(&RunNote::Path))
    }

    fn partition(
        &self,
        partition: &Partition,
        _: &Ran<'_>,
        _: &mut Members<'_, '_>,
    ) -> Option<Note> {
        let is_different = partition.part.is_different();
        is_different.then(|| Note::of(&RunNote::Different(partition.part.clone())))
    }
}

impl Observer for Watch<'_> {
    fn note(&self, note: &Note) -> std::io::Result<()> {
        let RunNote::Different(Part::Different {
            observables,
            witness,
        }) = note.read()
        else {
            self.runs.fetch_add(1, Ordering::Relaxed);
            return Ok(());
        };
        let difference = Difference {
            observables,
            input: InputRecord::of(&witness),
            cost: self.cost(),
        };
        let mut found = self.found.lock().expect("no worker panicked");
        found.push(difference);
        if found.len() >= self.wanted {
            self.interrupt.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn until_differences(
    programs: [&Program; 2],
    start: &Start,
    method: &Method,
    wanted: usize,
) -> (Vec<Difference>, Summary, Cost) {
    let interrupt = AtomicBool::new(false);
    let watch = Watch {
        wanted,
        interrupt: &interrupt,
        start: Instant::now(),
        processor_before: processor_time::of_this_process(),
        runs: AtomicU64::new(0),
        found: Mutex::new(Vec::new()),
    };
    let versions = programs.map(|program| Version {
        program,
        subject: Subject::Whole,
    });
    // What a search needs to know of the changes is on the clock.
    let Direction {
        strategy,
        prune,
        propagate,
        slices,
        ..
    } = method.direction;
    let facts = StaticFacts::new(versions[0], versions[1]);
    let relevance = slices
        .then(|| PairRelevance::of(&versions, &facts, true))
        .flatten();
    let config = Config {
        strategy,
        seed: 0,
        workers: method.workers,
        budget: Budget {
            time: Some(method.timeout),
            ..Budget::default()
        },
        transport: Transport::Direct,
        machine: MachineConfig {
            kernel: KernelConfig::default(),
            limits: limits(),
            symbolic_limits: SymbolicLimits::default(),
        },
        shapes: start.shapes.clone(),
        seeds: start.seeds.clone(),
        solving: Solving {
            query_timeout: method.query_timeout,
            most_terms: MOST_TERMS / method.workers,
            solver: &|_| match &method.query_log {
                Some(path) => {
                    let file = OpenOptions::new().create(true).append(true).open(path);
                    let file = file.expect("the query log can be written");
                    solver::logged_chain(&solver::Config::default(), Box::new(file))
                }
                None => solver::chain(&solver::Config::default()),
            },
        },
        memory_used: &|| 0,
        interrupt: &interrupt,
        all_tests: false,
        change: ChangeConfig {
            relevance: relevance.as_ref(),
            facts: Some(&facts),
            prune,
            work_before_facts: facts.work(),
            propagate: propagate.then(propagate::Limits::default),
        },
    };
    let summary = exploration::explore(&versions, config, Earlier::default(), None, &watch, &watch);
    let whole = watch.cost();
    let found = watch.found.into_inner().expect("no worker panicked");
    (found, summary, whole)
}

/// What keeps a difference from being confirmed.
fn objection(
    builder: &Builder<'_>,
    programs: [&Program; 2],
    versions: &Versions,
    difference: &Difference,
) -> Result<Option<String>, Failure> {
    let kernel = KernelConfig::default();
    let run = |version: usize| {
        let expected = predict(programs[version], &kernel, limits(), &difference.input);
        expected.ok_or("a process cannot be started with an input that was found")
    };
    let (old, new) = (run(0)?, run(1)?);
    if observably_equal(&old, &new) {
        return Ok(Some("exact runs of the input do the same".to_owned()));
    }
    let test =
        |expected| TestCase::new(&difference.input, &kernel.working_directory, Some(expected));
    let mut natively = Natively::new(
        builder,
        &versions.requests,
        PROGRAM_NAME.to_vec(),
        Confinement::found(),
    )?;
    Ok(natively.objection(&difference.observables, &test(old), &test(new))?)
}
