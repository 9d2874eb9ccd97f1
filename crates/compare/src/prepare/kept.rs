//! What a check keeps in its folder, to go on from: a journal of its runs and of what was proved of each path. What is proved with
//! slices has other paths, and a journal of its own ([`SLICES`]).
//!
//! The first line says what was compared. A journal of anything else is not used: what was proved of other versions,
//! within other bounds or by another Parallax says nothing here. Only the inputs on which the versions differed then are
//! tried again, if they lie within the bounds.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;
use exploration::journal::{Earlier, witnesses};
use serde::{Deserialize, Serialize};

use super::journal_file::{self, KeptJournal};
use crate::error::{Error, Result, Trying};
use crate::observer::NotUsed;
use crate::size::size;
use crate::spec::Spec;
use build::cache::{Cache, hash_bytes, hash_file};
use harness::Harness;

const BOUNDS: &str = "the bounds";
const VERSIONS: [&str; 2] = ["the old version", "the new version"];
/// The files that define a function.
const SOURCES: [&str; 2] = ["the old source", "the new source"];

/// Inputs of a journal that is not used otherwise which are tried again.
const MOST_SEEDS: usize = 64;

/// The name of the journal of what is proved with slices.
pub(crate) const SLICES: &str = "journal-of-slices";

/// The first line of a check's journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Compared {
    /// By name, for people: a hash or a value of all that a proof rests on.
    compared: BTreeMap<String, String>,
}

impl Compared {
    /// `versions` are content hashes of the versions with these names.
    pub(crate) fn new(
        cache: &Cache,
        spec: &Spec,
        names: &[&str],
        versions: &[String],
        space: &InputSpace,
        harness: &dyn Harness,
    ) -> Result<Compared> {
        // Another Parallax may number events and their alternatives in another way.
        let executable = std::env::current_exe()
            .trying(|| "cannot find out which Parallax this is".to_owned())?;
        let tool = cache.hash_of_large_file(&executable)?;
        let function = spec.function.as_ref();
        let function = function.map(|function| (&function.assumed, function.elements));
        let sequence = spec.sequence.as_ref();
        let sequence =
            sequence.map(|sequence| (sequence.length, sequence.calls_only, &sequence.arguments));
        let bounds = format!("{space:?} {function:?} {sequence:?}");
        let space = hash_bytes(bounds.as_bytes());
        let mut entries = vec![("Parallax".to_owned(), tool)];
        for (name, hash) in names.iter().zip(versions) {
            entries.push((format!("the {name} version"), hash.clone()));
        }
        entries.extend([
            (BOUNDS.to_owned(), space),
            ("--max-steps".to_owned(), spec.limits.steps.to_string()),
            ("--max-depth".to_owned(), spec.limits.depth.to_string()),
            ("--max-stack".to_owned(), spec.limits.stack.to_string()),
            (
                "--max-memory".to_owned(),
                spec.limits.run_memory.to_string(),
            ),
            (
                "--max-decisions".to_owned(),
                spec.limits.decisions.to_string(),
            ),
            ("pruning".to_owned(), spec.search.prune.to_string()),
            ("--exact".to_owned(), spec.exact.to_string()),
        ]);
        for (source, name) in harness.sources().iter().zip(SOURCES) {
            entries.push((name.to_owned(), hash_file(source)?));
        }
        Ok(Compared {
            compared: entries.into_iter().collect(),
        })
    }

    /// The names of what is not the same.
    fn other_than(&self, earlier: &Compared) -> Vec<&str> {
        let of = |compared: &Compared, name: &str| compared.compared.get(name).cloned();
        let differs = |name: &str| of(self, name) != of(earlier, name);
        // The bounds of a function are part of the programs that call it.
        let by_bounds = |name: &str| {
            let source = VERSIONS.iter().position(|version| *version == name);
            let is_same = |name| of(self, name).is_some() && !differs(name);
            differs(BOUNDS) && source.is_some_and(|version| is_same(SOURCES[version]))
        };
        let names = self.compared.keys().map(String::as_str);
        let names = names.filter(|name| !SOURCES.contains(name));
        names
            .filter(|name| differs(name) && !by_bounds(name))
            .collect()
    }
}

/// What an earlier check left, and where this one writes.
pub(crate) struct Kept {
    pub(crate) earlier: Earlier,
    /// Inputs on which the versions differed within other bounds, or other versions, each with the number of its shape.
    pub(crate) seeds: Vec<(u32, SymbolicInput)>,
    pub(crate) journal: Box<dyn Write + Send>,
}

/// Locks the folder of a check until the file is closed.
pub(crate) fn lock(folder: &Path) -> Result<File> {
    journal_file::lock(folder, "check", "give another folder with `--tests`")
}

impl Kept {
    /// Opens a journal of a folder that is locked.
    pub(crate) fn open(
        path: &Path,
        compared: &Compared,
        shapes: &[SymbolicInput],
        fresh: bool,
        say: impl Fn(&NotUsed),
    ) -> Result<Kept> {
        if fresh {
            journal_file::remove(path)?;
        }
        let text = match journal_file::read(path)? {
            KeptJournal::Ours(text) => text,
            KeptJournal::Nothing => String::new(),
            KeptJournal::Foreign => {
                say(&NotUsed::Foreign);
                String::new()
            }
        };
        let (first, rest) = text.split_once('\n').unwrap_or_default();
        let of: Option<Compared> = serde_json::from_str(first).ok();
        let mut seeds = Vec::new();
        let earlier = match of {
            Some(of) if of == *compared => {
                let earlier = Earlier::read(rest, shapes);
                Some(earlier.map_err(|source| Error::Journal {
                    tried: format!(
                        "cannot go on from `{}`; begin anew with `--fresh`",
                        path.display()
                    ),
                    source,
                })?)
            }
            Some(of) => {
                seeds = differing(rest, shapes);
                let what = compared.other_than(&of).into_iter().map(str::to_owned);
                say(&NotUsed::Changed {
                    what: what.collect(),
                    seeds: seeds.len(),
                });
                None
            }
            None => {
                if !text.is_empty() {
                    say(&NotUsed::SaysNothing);
                }
                None
            }
        };
        if earlier.is_none() {
            journal_file::remove(path)?;
        }
        let mut journal = journal_file::append(path)?;
        if earlier.is_none() {
            let mut line = serde_json::to_string(compared).expect("text can be written");
            line.push('\n');
            journal
                .write_all(line.as_bytes())
                .trying(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(Kept {
            earlier: earlier.unwrap_or_default(),
            seeds,
            journal,
        })
    }
}

/// The inputs of a journal on which the versions differed and that lie within the bounds; the short ones if there are many.
fn differing(journal: &str, shapes: &[SymbolicInput]) -> Vec<(u32, SymbolicInput)> {
    let mut witnesses = witnesses(journal);
    witnesses.sort_by_key(size);
    let placed = witnesses.iter().filter_map(|witness| {
        let mut shapes = (0..).zip(shapes);
        shapes.find_map(|(number, shape)| Some((number, witness.in_shape(shape)?)))
    });
    placed.take(MOST_SEEDS).collect()
}
