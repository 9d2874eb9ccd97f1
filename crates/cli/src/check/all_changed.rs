//! `parallax check OLD NEW --all-changed`: each changed function by itself, in one report.
//!
//! If the interface of a function has changed, its callers show what becomes of that: they are compared too, and their callers, up to
//! those with the same interface in both versions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use build::Builder;
use compare::spec::InputSpec;
use compare::{Comparison, Event, Observer, Spec, changed_code};
use exploration::InputSpace;
use harness::FunctionSpec;
use program_ir::{Callee, Func, Module};
use report::FunctionRow;
use version_diff::own_changes::Compared;
use version_diff::report::display_name;

use crate::announce;

/// The least time for a function.
const LEAST: Duration = Duration::from_millis(500);

/// What an undecided comparison of programs says of its changed functions by themselves; nothing if none can be compared.
pub(super) fn below(spec: &Spec, observer: &dyn Observer, until: Instant) -> Vec<FunctionRow> {
    let function = FunctionSpec {
        name: String::new(),
        elements: None,
        depth: None,
        first_values: false,
        null: false,
        assumed: Vec::new(),
        exact: spec.exact,
    };
    let spec = Spec {
        input: InputSpec {
            space: InputSpace::default(),
            otherwise: None,
            seeds: Vec::new(),
        },
        ..spec.clone()
    };
    compare_all(&spec, &function, &Quiet(observer), Some(until)).unwrap_or_default()
}

/// Who watches a part of a comparison whose events are not the user's.
struct Quiet<'o>(&'o dyn Observer);

impl Observer for Quiet<'_> {
    fn event(&self, _: Event<'_>) {}

    fn interrupt(&self) -> &AtomicBool {
        self.0.interrupt()
    }
}

/// Compares all changed functions that both versions have, as `spec` says for one; with `until` in what is left of the time.
pub(super) fn compare_all(
    spec: &Spec,
    function: &FunctionSpec,
    observer: &dyn Observer,
    until: Option<Instant>,
) -> anyhow::Result<Vec<FunctionRow>> {
    let [old, new] = &spec.versions[..] else {
        anyhow::bail!("`--all-changed` compares the functions of two versions, and there are more");
    };
    let tell = |what: &str| announce(what);
    let builder = Builder::new(&tell)?;
    let labels = spec.named.as_ref().map(|named| &named.labels[..]);
    let compared = changed_code(&builder, [old, new], &spec.build, labels)?;
    let names: Vec<String> = (concerned(&compared).into_iter())
        .filter(|&func| display_name(&compared.new, func) != "main")
        .map(|func| name_of(&compared.new, func, new))
        .collect();
    anyhow::ensure!(
        !names.is_empty(),
        "no function has changed that both versions have, but for `main`; leave `--all-changed` out to compare the programs"
    );
    let mut rows = Vec::new();
    let all = names.len();
    for (number, name) in names.into_iter().enumerate() {
        if observer.interrupt().load(Ordering::Relaxed) {
            let found = Err("the check was interrupted before its turn".to_owned());
            rows.push(FunctionRow { name, found });
            continue;
        }
        let mut limits = spec.limits.clone();
        if let Some(until) = until {
            let left = until.saturating_duration_since(Instant::now());
            limits.time = left / (all - number) as u32;
            if limits.time < LEAST {
                let found = Err("no time was left for it".to_owned());
                rows.push(FunctionRow { name, found });
                continue;
            }
        }
        let one = Spec {
            limits,
            function: Some(FunctionSpec {
                name: name.clone(),
                ..function.clone()
            }),
            ..spec.clone()
        };
        let found = Comparison::run(&one, observer)
            .map_err(|error| format!("{:#}", anyhow::Error::from(error)));
        rows.push(FunctionRow { name, found });
    }
    report::sort_functions(&mut rows);
    Ok(rows)
}

/// The changed functions, and the callers of those with another interface, by their place in the new version.
fn concerned(compared: &Compared) -> Vec<Func> {
    let changes = &compared.changes;
    let matches: BTreeMap<Func, Func> = (changes.matches.iter())
        .map(|both| (both.new, both.old))
        .collect();
    let has_other_interface = |func: Func| {
        matches.get(&func).is_some_and(|&old| {
            compared.old.functions[old].signature != compared.new.functions[func].signature
        })
    };
    let mut found: BTreeSet<Func> = changes.functions.iter().map(|change| change.new).collect();
    let mut pending: Vec<Func> = found.iter().copied().collect();
    while let Some(func) = pending.pop() {
        if has_other_interface(func) {
            let callers = callers(&compared.new, func);
            let callers = callers.filter(|caller| matches.contains_key(caller));
            pending.extend(callers.filter(|&caller| found.insert(caller)));
        }
    }
    found.into_iter().collect()
}

fn callers(module: &Module, callee: Func) -> impl Iterator<Item = Func> {
    let calls = move |function: &program_ir::Function| {
        let mut calls = function.insts.values().filter_map(|node| node.data.call());
        calls.any(|call| matches!(call.callee, Callee::Direct(other) if other == callee))
    };
    let all = module.functions.iter();
    all.filter(move |(_, function)| calls(function))
        .map(|(func, _)| func)
}

/// As `--fn` takes it: with its file, below the version's folder, if several files have a function of this name.
fn name_of(module: &Module, func: Func, version: &[PathBuf]) -> String {
    let name = display_name(module, func);
    let mut all = module.functions.iter();
    let is_ambiguous = all.any(|(other, function)| {
        other != func && !function.is_declaration() && display_name(module, other) == name
    });
    let scope = module.functions[func].scope;
    let file = scope.map(|scope| &module.source.files[module.source.scopes[scope].file].name);
    match file.filter(|_| is_ambiguous) {
        Some(file) => {
            let mut below = version.iter().filter_map(|place| {
                let inside = Path::new(file).strip_prefix(place).ok()?;
                (inside != Path::new("")).then(|| inside.display().to_string())
            });
            let file = below.next().unwrap_or_else(|| file.clone());
            format!("{file}:{name}")
        }
        None => name,
    }
}
