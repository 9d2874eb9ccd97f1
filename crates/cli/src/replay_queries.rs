//! `parallax debug replay-queries`: asks the questions of a log again.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use expr::Store;
use solver::log::{self, Entry, Replay};
use solver::{Backend, Config};

use super::print;
use super::solver_options::SolverOptions;

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A file that `parallax explore --query-log FILE` has written; several are taken together
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Ask every back end, with all layers, with each left out, and alone
    #[arg(long)]
    compare: bool,
    /// The most time for one question
    #[arg(long, value_name = "TIME", value_parser = super::notation::duration, default_value = "10s")]
    query_timeout: Duration,
    #[command(flatten)]
    solver: SolverOptions,
}

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<()> {
    let mut logs = Vec::new();
    for path in &arguments.logs {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the query log `{}`", path.display()))?;
        let mut store = Store::new();
        let entries = log::read(&mut store, &text)
            .with_context(|| format!("cannot use the query log `{}`", path.display()))?;
        if entries.is_empty() {
            bail!(
                "`{}` holds no queries; write some with `parallax explore … --query-log {}`",
                path.display(),
                path.display()
            );
        }
        logs.push((store, entries));
    }
    if !arguments.compare {
        let replay = replay(&logs, &arguments.solver.config()?, arguments.query_timeout);
        let mut text = replay.to_string();
        if !replay.contradictions.is_empty() {
            text += &format!(
                "contradictions in the queries {:?}\n",
                replay.contradictions
            );
        }
        return print(&text);
    }
    print(&format!(
        "{:<26}{:>10}{:>9}{:>9}{:>9}{:>10}{:>12}{:>14}{:>16}\n",
        "configuration",
        "queries",
        "sat",
        "unsat",
        "unknown",
        "changed",
        "ms",
        "processor ms",
        "back end calls"
    ))?;
    for (name, config) in configurations() {
        let before = processor_time();
        let replay = replay(&logs, &config, arguments.query_timeout);
        let processor = processor_time().saturating_sub(before);
        print(&format!(
            "{name:<26}{:>10}{:>9}{:>9}{:>9}{:>10}{:>12.0}{:>14}{:>16}\n",
            replay.queries,
            replay.sat,
            replay.unsat,
            replay.unknown,
            replay.contradictions.len(),
            replay.time.as_secs_f64() * 1e3,
            processor.as_millis(),
            backend_calls(&replay),
        ))?;
    }
    Ok(())
}

/// The processor time of this process with all its threads: on a machine with other work it says more than a
/// clock. The kernel counts it in hundredths of a second.
fn processor_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The process's name, in parentheses, may hold anything.
    let (_, fields) = text.rsplit_once(") ").unwrap_or_default();
    let ticks = fields.split(' ').skip(11).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Asks one solver all logs; the counts are sums.
fn replay(logs: &[(Store, Vec<Entry>)], config: &Config, timeout: Duration) -> Replay {
    let mut solver = solver::chain(config);
    let mut sum: Option<Replay> = None;
    for (store, entries) in logs {
        solver.reset();
        let part = log::replay_entries(store, entries, &mut *solver, timeout);
        sum = Some(match sum {
            None => part,
            Some(before) => Replay {
                queries: before.queries + part.queries,
                sat: before.sat + part.sat,
                unsat: before.unsat + part.unsat,
                unknown: before.unknown + part.unknown,
                contradictions: [before.contradictions, part.contradictions].concat(),
                time: before.time + part.time,
                // The solver counts through.
                layers: part.layers,
            },
        });
    }
    sum.expect("there is a log")
}

/// Questions that reached a back end. Z3 below the bit-blaster is asked what the latter refused.
fn backend_calls(replay: &Replay) -> u64 {
    let is_backend = |name: &str| matches!(name, "bit-blasting" | "z3");
    let first = replay.layers.iter().find(|layer| is_backend(layer.layer));
    first.map_or(0, |layer| layer.asked)
}

fn configurations() -> Vec<(&'static str, Config)> {
    let full = Config::default;
    let alone = |backend| Config {
        simplify: false,
        slicing: false,
        cache: false,
        boxes: false,
        quick: false,
        backend,
        ..full()
    };
    vec![
        ("bit-blasting alone", alone(Backend::BitBlasting)),
        ("Z3 alone", alone(Backend::Z3)),
        ("all layers, bit-blasting", full()),
        (
            "all layers, Z3",
            Config {
                backend: Backend::Z3,
                ..full()
            },
        ),
        (
            "without simplify",
            Config {
                simplify: false,
                ..full()
            },
        ),
        (
            "without slicing",
            Config {
                slicing: false,
                ..full()
            },
        ),
        (
            "without cache",
            Config {
                cache: false,
                ..full()
            },
        ),
        (
            "without boxes",
            Config {
                boxes: false,
                ..full()
            },
        ),
        (
            "without quick",
            Config {
                quick: false,
                ..full()
            },
        ),
    ]
}
