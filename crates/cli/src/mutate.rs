//! `parallax mutate`: writes mutants of a C file as patches, with an index.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use mutation::{Mutant, Operator, Options, Patch, mutants, shuffled};
use serde_json::{Value, json};

use super::{Format, announce, print};
use build::toolchain::Toolchain;
use campaign::mutants::{Checker, Verdict};

#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The C file
    file: PathBuf,
    /// The folder for the patches and `mutants.json`; made if need be, and must be empty
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Only these operators (default: all): relational, arithmetic, logical, bitwise, constant, negate-condition,
    /// delete-statement, loop-bound, swap-arguments
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    operators: Vec<Operator>,
    /// Also mutate what is left alone otherwise
    #[arg(long, value_enum, value_name = "WHAT,…", value_delimiter = ',')]
    include: Vec<Include>,
    /// Stop after this many mutants that differ from the original, chosen by --seed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Decides which mutants --limit chooses
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// An argument for the compiler; may be repeated
    #[arg(long = "cflag", value_name = "FLAG", allow_hyphen_values = true)]
    compiler_arguments: Vec<String>,
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum Include {
    Asserts,
    Directives,
    Strings,
}

/// Mutants are compiled by the batch, so that with --limit few are compiled in vain.
const BATCH: usize = 32;

/// More take a while.
const MANY: usize = 200;

pub(super) fn execute(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let file = &arguments.file;
    let source =
        std::fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.with_context(|| format!("the name of `{}` is not UTF-8", file.display()))?;
    check_folder(&arguments.out)?;
    let candidates = candidates(arguments, &source)?;
    let tools = Toolchain::locate()?;
    let checker = Checker::new(&tools, file, &source, &arguments.compiler_arguments)?;
    ensure!(
        !candidates.is_empty(),
        "`{}` has no place for a mutation{}",
        file.display(),
        match arguments.operators.is_empty() {
            true => "; it needs functions with conditions, operators, constants or statements",
            false => " by these operators; leave out --operators to allow all",
        }
    );
    let chosen = choose(arguments, &source, candidates, &checker)?;
    ensure!(
        !chosen.mutants.is_empty(),
        "all {} mutants of `{}` were discarded, because the compiler refuses them",
        chosen.stillborn,
        file.display()
    );
    let index = index(name, &source, &chosen);
    write(arguments, name, &source, &chosen, &index)?;
    print(&match arguments.format {
        Format::Json => format!("{index:#}\n"),
        Format::Text => text(arguments, &chosen),
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Found out before the compiler has worked for minutes.
fn check_folder(folder: &Path) -> anyhow::Result<()> {
    let empty = match std::fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => true,
        Err(error) => {
            return Err(error)
                .with_context(|| format!("cannot use `{}` for --out", folder.display()));
        }
    };
    if !empty {
        bail!(
            "the folder `{}` is not empty; give --out a new folder, or remove what is in it",
            folder.display()
        );
    }
    Ok(())
}

fn candidates(arguments: &Arguments, source: &[u8]) -> anyhow::Result<Vec<Mutant>> {
    let include = |what| arguments.include.contains(&what);
    let options = Options {
        asserts: include(Include::Asserts),
        directives: include(Include::Directives),
        strings: include(Include::Strings),
    };
    let all = mutants(source, options)
        .with_context(|| format!("cannot mutate `{}`", arguments.file.display()))?;
    let wanted = |mutant: &Mutant| {
        arguments.operators.is_empty() || arguments.operators.contains(&mutant.operator)
    };
    Ok(all.into_iter().filter(wanted).collect())
}

/// The mutants that compile, in the order of their numbers.
struct Chosen {
    mutants: Vec<(Mutant, Verdict)>,
    stillborn: usize,
}

fn choose(
    arguments: &Arguments,
    source: &[u8],
    candidates: Vec<Mutant>,
    checker: &Checker,
) -> anyhow::Result<Chosen> {
    let order = match arguments.limit {
        Some(_) => shuffled(candidates.len(), arguments.seed),
        None => (0..candidates.len()).collect(),
    };
    if arguments.limit.is_none() && candidates.len() > MANY {
        announce(&format!("compiling {} mutants", candidates.len()));
    }
    let mut wanted = arguments.limit.map_or(usize::MAX, |limit| limit as usize);
    let mut chosen = Chosen {
        mutants: Vec::new(),
        stillborn: 0,
    };
    for batch in order.chunks(BATCH) {
        let batch: Vec<&Mutant> = batch.iter().map(|index| &candidates[*index]).collect();
        let verdicts = checker.check_all(source, &batch)?;
        for (mutant, verdict) in batch.into_iter().zip(verdicts) {
            if wanted == 0 {
                break;
            }
            match verdict {
                Verdict::Stillborn => chosen.stillborn += 1,
                Verdict::Equal => chosen.mutants.push((mutant.clone(), verdict)),
                Verdict::Viable => {
                    chosen.mutants.push((mutant.clone(), verdict));
                    wanted -= 1;
                }
            }
        }
        if wanted == 0 {
            break;
        }
    }
    chosen.mutants.sort_by_key(|(mutant, _)| mutant.number);
    Ok(chosen)
}

fn write(
    arguments: &Arguments,
    name: &str,
    source: &[u8],
    chosen: &Chosen,
    index: &Value,
) -> anyhow::Result<()> {
    let folder = &arguments.out;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let write = |file: &str, bytes: &[u8]| {
        let path = folder.join(file);
        std::fs::write(&path, bytes).with_context(|| format!("cannot write `{}`", path.display()))
    };
    for (mutant, _) in &chosen.mutants {
        let patch = Patch {
            mutant,
            source,
            file: name,
        };
        write(&patch_name(mutant), &patch.to_bytes())?;
    }
    write("mutants.json", format!("{index:#}\n").as_bytes())
}

fn patch_name(mutant: &Mutant) -> String {
    format!("{}-{}.patch", mutant.id(), mutant.operator)
}

fn index(name: &str, source: &[u8], chosen: &Chosen) -> Value {
    let entry = |(mutant, verdict): &(Mutant, Verdict)| {
        json!({
            "id": mutant.id(),
            "operator": mutant.operator.name(),
            "status": status(*verdict),
            "line": mutant.line,
            "column": mutant.column,
            "function": mutant.function,
            "before": String::from_utf8_lossy(mutant.original(source)),
            "after": String::from_utf8_lossy(&mutant.replacement),
            "patch": patch_name(mutant),
        })
    };
    json!({
        "schema": 1,
        "file": name,
        "mutants": chosen.mutants.iter().map(entry).collect::<Vec<_>>(),
        "stillborn": chosen.stillborn,
    })
}

fn status(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Viable => "viable",
        Verdict::Equal => "equal",
        Verdict::Stillborn => "stillborn",
    }
}

fn text(arguments: &Arguments, chosen: &Chosen) -> String {
    let mut counts: BTreeMap<Operator, usize> = BTreeMap::new();
    for (mutant, _) in &chosen.mutants {
        *counts.entry(mutant.operator).or_default() += 1;
    }
    let is_equal = |(_, verdict): &&(Mutant, Verdict)| *verdict == Verdict::Equal;
    let equal = chosen.mutants.iter().filter(is_equal).count();
    let mut text = String::new();
    for (operator, count) in counts {
        text += &format!("{operator:<17}{count:>6}\n");
    }
    text + &format!(
        "{} mutants in {}; {equal} of them equal to the original, {} more discarded by the compiler\n",
        chosen.mutants.len(),
        arguments.out.display(),
        chosen.stillborn
    )
}
