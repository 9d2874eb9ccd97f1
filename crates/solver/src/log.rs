//! Query logs: plain text, written as queries are asked, replayed against any chain.
//!
//! One entry per query: a line `; query 17 sat 240us`, then an SMT-LIB script (see
//! [`expr::print_smtlib`]), so that an entry can also be given to another solver. A log that was cut
//! off in the middle is read up to the last whole entry.

use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

use expr::{ExprId, ParseError, Store, parse_smtlib, print_smtlib};

use crate::query::{Answer, LayerStatistics, Query, Solver};

const HEAD: &str = "; query ";

/// Writes every query that passes through.
pub struct Logging {
    below: Box<dyn Solver>,
    log: Box<dyn Write + Send>,
    number: u64,
    /// Set after the first failed write: the run goes on without a log.
    broken: bool,
}

impl Logging {
    pub fn new(below: Box<dyn Solver>, log: Box<dyn Write + Send>) -> Logging {
        Logging {
            below,
            log,
            number: 0,
            broken: false,
        }
    }
}

impl Solver for Logging {
    fn name(&self) -> &'static str {
        "log"
    }

    fn solve(&mut self, store: &Store, query: &Query) -> Answer {
        let start = Instant::now();
        let answer = self.below.solve(store, query);
        let micros = start.elapsed().as_micros();
        self.number += 1;
        if !self.broken {
            let script = print_smtlib(store, query.constraints);
            let entry = format!(
                "{HEAD}{} {} {micros}us\n{script}",
                self.number,
                verdict(&answer)
            );
            if let Err(error) = self.log.write_all(entry.as_bytes()) {
                eprintln!(
                    "parallax: the query log cannot be written ({error}); going on without it"
                );
                self.broken = true;
            }
        }
        answer
    }

    fn unsat_core(&self) -> Option<&[ExprId]> {
        self.below.unsat_core()
    }

    fn statistics(&self) -> Vec<LayerStatistics> {
        self.below.statistics()
    }

    fn reset(&mut self) {
        self.below.reset();
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

/// One entry of a log.
#[derive(Clone, Debug)]
pub struct Entry {
    pub number: u64,
    /// `sat`, `unsat` or `unknown`, as it was answered when the log was written.
    pub verdict: String,
    pub constraints: Vec<ExprId>,
}

/// Why a log could not be read.
#[derive(Clone, Debug)]
pub struct LogError {
    pub entry: u64,
    pub error: ParseError,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query log, entry {}: {}", self.entry, self.error)
    }
}

impl std::error::Error for LogError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// All entries of a log, their terms in one store.
pub fn read(store: &mut Store, text: &str) -> Result<Vec<Entry>, LogError> {
    let mut entries = Vec::new();
    let whole_entry = |entry: &&str| entry.trim_end().ends_with("(check-sat)");
    for part in text.split(HEAD).skip(1).filter(whole_entry) {
        let (head, script) = part.split_once('\n').unwrap_or((part, ""));
        let mut words = head.split(' ');
        let number = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
        let verdict = words.next().unwrap_or("unknown").to_string();
        let fail = |error| LogError {
            entry: number,
            error,
        };
        let constraints = parse_smtlib(store, script).map_err(fail)?;
        entries.push(Entry {
            number,
            verdict,
            constraints,
        });
    }
    Ok(entries)
}

/// What a replay found.
#[derive(Clone, Debug)]
pub struct Replay {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    pub unknown: u64,
    /// Queries decided one way in the log and the other way now, by number: bugs.
    pub contradictions: Vec<u64>,
    pub time: Duration,
    pub layers: Vec<LayerStatistics>,
}

/// Asks a solver all queries of a log again.
pub fn replay(text: &str, solver: &mut dyn Solver, timeout: Duration) -> Result<Replay, LogError> {
    let mut store = Store::new();
    let entries = read(&mut store, text)?;
    Ok(replay_entries(&store, &entries, solver, timeout))
}

/// The same for entries that are read already.
pub fn replay_entries(
    store: &Store,
    entries: &[Entry],
    solver: &mut dyn Solver,
    timeout: Duration,
) -> Replay {
    let start = Instant::now();
    let (mut sat, mut unsat, mut unknown) = (0, 0, 0);
    let mut contradictions = Vec::new();
    for entry in entries {
        let answer = solver.solve(
            store,
            &Query {
                constraints: &entry.constraints,
                timeout,
            },
        );
        match &answer {
            Answer::Sat(_) => sat += 1,
            Answer::Unsat => unsat += 1,
            Answer::Unknown(_) => unknown += 1,
        }
        if matches!(
            (entry.verdict.as_str(), verdict(&answer)),
            ("sat", "unsat") | ("unsat", "sat")
        ) {
            contradictions.push(entry.number);
        }
    }
    Replay {
        queries: entries.len() as u64,
        sat,
        unsat,
        unknown,
        contradictions,
        time: start.elapsed(),
        layers: solver.statistics(),
    }
}

impl fmt::Display for Replay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        writeln!(
            f,
            "{} queries in {:.1} ms: {} sat, {} unsat, {} unknown, {} contradictions",
            self.queries,
            milliseconds(self.time),
            self.sat,
            self.unsat,
            self.unknown,
            self.contradictions.len()
        )?;
        writeln!(
            f,
            "{:<14}{:>9}{:>9}{:>9}{:>9}{:>12}",
            "layer", "asked", "sat", "unsat", "unknown", "ms (incl.)"
        )?;
        for layer in &self.layers {
            writeln!(
                f,
                "{:<14}{:>9}{:>9}{:>9}{:>9}{:>12.1}",
                layer.layer,
                layer.asked,
                layer.sat,
                layer.unsat,
                layer.unknown,
                milliseconds(layer.time)
            )?;
        }
        Ok(())
    }
}
