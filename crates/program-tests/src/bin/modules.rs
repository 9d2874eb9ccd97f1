//! DiffGen's Table II (Taneja and Xie, §4.4) for the modules below `subjects/modules`: mutants of each, which of them tests of each
//! version alone find (`--separate`), and what sequences of calls on both versions at once say of those that are left.
//!
//!   modules [--mutants N] [--length N] [--timeout TIME] [--separate-timeout TIME] [--out FILE] [--table] [NAME…]
//!
//! What is said of a mutant is a line of the file, by module and mutant: what stands there is not asked again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Parser;
use mutation::Options;
use program_tests::vm;
use serde::{Deserialize, Serialize};
use serde_json::Value;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Each module with the type of its objects.
const MODULES: [(&str, &str); 8] = [
    ("int_stack", "struct stack"),
    ("bounded_stack", "struct stack"),
    ("bank_account", "struct account"),
    ("shopping_cart", "struct cart"),
    ("search_tree", "struct tree"),
    ("disjoint_set", "struct sets"),
    ("binomial_heap", "struct heap"),
    ("fibonacci_heap", "struct heap"),
];

#[derive(Parser)]
struct Arguments {
    /// Which modules; all if none is named.
    names: Vec<String>,
    /// At most so many mutants of each, chosen by `--seed 1`.
    #[arg(long, default_value_t = 60)]
    mutants: usize,
    /// How many calls follow the constructor in the tests of each version alone.
    #[arg(long, default_value_t = 4)]
    length: u16,
    #[arg(long, default_value = "60s")]
    timeout: String,
    #[arg(long, default_value = "60s")]
    separate_timeout: String,
    #[arg(long)]
    out: Option<PathBuf>,
    /// Ask nothing: print the table of what is in the file.
    #[arg(long)]
    table: bool,
}

/// What was said of a mutant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Said {
    module: String,
    mutant: String,
    /// The verdict over tests of each version alone.
    separate: String,
    /// That over sequences on both; `None` if the mutant was known by then.
    together: Option<String>,
    /// The sequence that shows it, or what was proved.
    shown: String,
    milliseconds: [u64; 2],
}

fn main() -> Result<(), Failure> {
    let arguments = Arguments::parse();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../subjects/modules");
    let out = arguments
        .out
        .clone()
        .unwrap_or_else(|| "modules.jsonl".into());
    let known = std::fs::read_to_string(&out).unwrap_or_default();
    let known: Vec<Said> = known
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()?;
    let mut rows: Vec<(&str, Vec<Said>)> = Vec::new();
    for (module, handle) in MODULES {
        let is_asked = |name: &String| name == module;
        if !arguments.names.is_empty() && !arguments.names.iter().any(is_asked) {
            continue;
        }
        if arguments.table {
            let own = known.iter().filter(|one| one.module == module);
            rows.push((module, own.cloned().collect()));
            continue;
        }
        let source = root.join(module).join(format!("{module}.c"));
        let folder = tempfile::tempdir()?;
        let mut said = Vec::new();
        for (id, text) in mutants(&source, folder.path(), arguments.mutants)? {
            let is_same = |other: &&Said| other.module == module && other.mutant == id;
            if let Some(before) = known.iter().find(is_same) {
                said.push(before.clone());
                continue;
            }
            std::fs::copy(&source, folder.path().join("old.c"))?;
            std::fs::write(folder.path().join("new.c"), text)?;
            let one = ask(&arguments, folder.path(), module, handle, id)?;
            let mut file = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(&out)?;
            writeln!(file, "{}", serde_json::to_string(&one)?)?;
            said.push(one);
        }
        rows.push((module, said));
    }
    print!("{}", table(&rows));
    Ok(())
}

/// The viable mutants of a source, each by its number with its text.
fn mutants(source: &Path, folder: &Path, most: usize) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let out = folder.join("mutants");
    let done = Command::new(vm::locate()?)
        .arg("mutate")
        .arg(source)
        .arg("--out")
        .arg(&out)
        .args([
            "--seed",
            "1",
            "--limit",
            &most.to_string(),
            "--format",
            "json",
        ])
        .output()?;
    let listed: Value = serde_json::from_slice(&done.stdout)?;
    let listed = listed["mutants"].as_array().ok_or("no list of mutants")?;
    let viable: Vec<&str> = (listed.iter())
        .filter(|mutant| mutant["status"] == "viable")
        .filter_map(|mutant| mutant["id"].as_str())
        .collect();
    let text = std::fs::read(source)?;
    let all = mutation::mutants(&text, Options::default())?;
    let chosen = all
        .iter()
        .filter(|mutant| viable.contains(&mutant.id().as_str()));
    Ok(chosen
        .map(|mutant| (mutant.id(), mutant.apply(&text)))
        .collect())
}

fn ask(
    arguments: &Arguments,
    folder: &Path,
    module: &str,
    handle: &str,
    mutant: String,
) -> Result<Said, Failure> {
    let length = arguments.length.to_string();
    let separately = [
        "--separate",
        "--length",
        &length,
        "--timeout",
        &arguments.separate_timeout,
    ];
    let (separate, shown, first) = check(folder, handle, &separately)?;
    let mut said = Said {
        module: module.to_owned(),
        mutant,
        separate,
        together: None,
        shown,
        milliseconds: [first, 0],
    };
    if said.separate != "different" {
        let (together, shown, second) = check(
            folder,
            handle,
            &["--first", "--timeout", &arguments.timeout],
        )?;
        said.together = Some(together);
        said.shown = shown;
        said.milliseconds[1] = second;
    }
    Ok(said)
}

fn check(folder: &Path, handle: &str, more: &[&str]) -> Result<(String, String, u64), Failure> {
    let began = Instant::now();
    let done = Command::new(vm::locate()?)
        .args([
            "check",
            "old.c",
            "new.c",
            "--sequence",
            handle,
            "--format",
            "json",
            "--fresh",
        ])
        .args(more)
        .current_dir(folder)
        .output()?;
    let spent = began.elapsed().as_millis() as u64;
    let report: Value = match serde_json::from_slice(&done.stdout) {
        Ok(report) => report,
        Err(_) => {
            let why = String::from_utf8_lossy(&done.stderr).into_owned();
            return Ok(("error".to_owned(), why, spent));
        }
    };
    let verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
    let call = &report["differences"][0]["input"]["call"]["text"];
    let bounds = &report["bounds"]["input"];
    let shown = match call.as_str() {
        Some(call) => call.to_owned(),
        None => format!("{} {bounds}", report["gaps"]),
    };
    Ok((verdict, shown, spent))
}

/// The paper's columns: IF1 is what we kill of those that were left, IF2 the same without those of the same behaviour.
fn table(rows: &[(&str, Vec<Said>)]) -> String {
    let mut text = String::from(
        "| module | mutants | left by SeparateGen | killed by us among them | same behaviour | open | IF1 | IF2 |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut all = [0; 5];
    for (module, said) in rows {
        let left: Vec<&Said> = said
            .iter()
            .filter(|one| one.separate != "different")
            .collect();
        let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
        for one in &left {
            *verdicts
                .entry(one.together.as_deref().unwrap_or(""))
                .or_default() += 1;
        }
        let count = |verdict: &str| verdicts.get(verdict).copied().unwrap_or(0);
        let (killed, same) = (count("different"), count("equivalent"));
        let own = [
            said.len(),
            left.len(),
            killed,
            same,
            left.len() - killed - same,
        ];
        all.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        row(&mut text, module, own);
    }
    row(&mut text, "all", all);
    text
}

fn row(text: &mut String, name: &str, [mutants, left, killed, same, open]: [usize; 5]) {
    let factor = |of: usize| match of {
        0 => "-".to_owned(),
        of => format!("{:.1}%", 100.0 * killed as f64 / of as f64),
    };
    let _ = writeln!(
        text,
        "| {name} | {mutants} | {left} | {killed} | {same} | {open} | {} | {} |",
        factor(left),
        factor(left - same)
    );
}
