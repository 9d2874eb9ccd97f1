//! Compares back ends and layers on a query log.
//!
//! `compare_backends LOG` replays a log; without a log, synthetic path conditions are generated first
//! (and kept if `--keep FILE` is given). Prints one table per configuration, on the same queries.

#[path = "../tests/synthetic/mod.rs"]
mod synthetic;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use expr::Store;
use solver::{Backend, Config, chain, log, logged_chain};

const TIMEOUT: Duration = Duration::from_secs(10);
/// Queries per program; some programs are exhausted before.
const QUERIES: usize = 1500;
/// Fewer of those that take Z3 a second each.
const HARD_QUERIES: usize = 60;

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0
            .lock()
            .expect("not poisoned")
            .extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let logs: Vec<(String, String)> = match &arguments[..] {
        [log] if log != "--keep" => {
            let text = std::fs::read_to_string(log).unwrap_or_else(|error| {
                eprintln!("{log}: {error}");
                std::process::exit(2);
            });
            vec![(log.clone(), text)]
        }
        _ => generate(),
    };
    if let [flag, file] = &arguments[..]
        && flag == "--keep"
    {
        let all: String = logs.iter().map(|(_, text)| text.as_str()).collect();
        std::fs::write(file, all).expect("the log is written");
    }
    let layers = |on: bool, backend: Backend| Config {
        simplify: on,
        slicing: on,
        cache: on,
        quick: on,
        backend,
        ..Config::default()
    };
    let full = Config::default;
    let configurations = [
        ("Z3 alone", layers(false, Backend::Z3)),
        ("bit-blasting alone", layers(false, Backend::BitBlasting)),
        ("all layers, Z3", layers(true, Backend::Z3)),
        ("all layers, bit-blasting", full()),
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
            "without quick",
            Config {
                quick: false,
                ..full()
            },
        ),
    ];
    let mut stores: Vec<(Store, Vec<log::Entry>)> = Vec::new();
    for (name, text) in &logs {
        let mut store = Store::new();
        let entries = log::read(&mut store, text).expect("a readable log");
        println!("{name}: {} queries, {} terms", entries.len(), store.len());
        stores.push((store, entries));
    }
    for (name, config) in configurations {
        println!("\n## {name}");
        let mut solver = chain(&config);
        let mut total = Duration::ZERO;
        let (mut queries, mut unknown, mut contradictions) = (0, 0, 0);
        let mut times = Vec::new();
        let mut last = None;
        for ((store, entries), (log, _)) in stores.iter().zip(&logs) {
            solver.reset();
            let replay = log::replay_entries(store, entries, &mut *solver, TIMEOUT);
            total += replay.time;
            queries += replay.queries;
            unknown += replay.unknown;
            contradictions += replay.contradictions.len();
            times.push(format!("{log} {:.0} ms", replay.time.as_secs_f64() * 1e3));
            last = Some(replay);
        }
        println!(
            "{queries} queries, {:.0} ms, {unknown} unknown, {contradictions} contradictions",
            total.as_secs_f64() * 1e3
        );
        println!("{}", times.join(", "));
        if let Some(mut replay) = last {
            (replay.queries, replay.time) = (queries, total);
            for line in replay.to_string().lines().skip(1) {
                println!("{line}");
            }
        }
    }
}

fn generate() -> Vec<(String, String)> {
    let mut logs = Vec::new();
    for (name, size, program) in synthetic::PROGRAMS {
        let shared = Shared::default();
        let mut store = Store::new();
        let mut solver = logged_chain(&Config::default(), Box::new(shared.clone()));
        let queries = if name == "number" {
            HARD_QUERIES
        } else {
            QUERIES
        };
        synthetic::explore(&mut store, program, size, &mut *solver, queries, TIMEOUT);
        let bytes = shared.0.lock().expect("not poisoned").clone();
        logs.push((name.to_string(), String::from_utf8(bytes).expect("text")));
    }
    logs
}
