//! What a check keeps in its folder, to go on from: a journal of its runs and of what was proved of each path.
//!
//! The first line says what was compared. A journal of anything else is not used: what was proved of other versions,
//! within other bounds or by another Parallax says nothing here.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use anyhow::Context;
use concolic_vm::symbolic::SymbolicInput;
use exploration::InputSpace;
use exploration::journal::Earlier;
use serde::{Deserialize, Serialize};

use super::Arguments;
use crate::build::cache::{hash_bytes, hash_file};
use crate::cli::{announce, journal_file};

/// The first line of a check's journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Compared {
    /// By name, for people: a hash or a value of all that a proof rests on.
    compared: BTreeMap<String, String>,
}

impl Compared {
    /// `versions` are content hashes of the versions with these names.
    pub(super) fn new(
        arguments: &Arguments,
        names: &[&str],
        versions: &[String],
        space: &InputSpace,
    ) -> anyhow::Result<Compared> {
        // Another Parallax may number events and their alternatives in another way.
        let executable =
            std::env::current_exe().context("cannot find out which Parallax this is")?;
        let tool = hash_file(&executable)?;
        let space = hash_bytes(format!("{space:?}").as_bytes());
        let entries = [
            ("Parallax", tool),
            ("the bounds", space),
            ("--max-steps", arguments.max_steps.to_string()),
            ("pruning", arguments.search.prunes().to_string()),
        ];
        let entries = entries.map(|(name, value)| (name.to_owned(), value));
        let versions = names.iter().zip(versions);
        let versions = versions.map(|(name, hash)| (format!("the {name} version"), hash.clone()));
        let entries = entries.into_iter().chain(versions);
        Ok(Compared {
            compared: entries.collect(),
        })
    }

    /// The names of what is not the same.
    fn other_than(&self, earlier: &Compared) -> Vec<&str> {
        let differs = |name: &&String| self.compared.get(*name) != earlier.compared.get(*name);
        let names = self.compared.keys().filter(differs);
        names.map(String::as_str).collect()
    }
}

/// What an earlier check left, and where this one writes.
pub(super) struct Kept {
    pub(super) earlier: Earlier,
    pub(super) journal: Box<dyn Write + Send>,
    /// Held while the check goes on.
    pub(super) lock: File,
}

impl Kept {
    pub(super) fn open(
        folder: &Path,
        compared: &Compared,
        shapes: &[SymbolicInput],
        fresh: bool,
    ) -> anyhow::Result<Kept> {
        let instead = "give another folder with `--tests`";
        let lock = journal_file::lock(folder, "check", instead)?;
        if fresh {
            journal_file::remove(folder)?;
        }
        let text = journal_file::read(folder)?.unwrap_or_default();
        let (first, rest) = text.split_once('\n').unwrap_or_default();
        let of: Option<Compared> = serde_json::from_str(first).ok();
        let path = folder.join(journal_file::JOURNAL);
        let earlier = match of {
            Some(of) if of == *compared => {
                Some(Earlier::read(rest, shapes).with_context(|| {
                    format!(
                        "cannot go on from `{}`; begin anew with `--fresh`",
                        path.display()
                    )
                })?)
            }
            Some(of) => {
                announce(&format!(
                    "what an earlier check left in `{}` is not used: {} changed since; the check begins anew",
                    path.display(),
                    compared.other_than(&of).join(", ")
                ));
                None
            }
            None => {
                if !text.is_empty() {
                    announce(&format!(
                        "what an earlier check left in `{}` is not used: it does not say what was compared; the \
                         check begins anew",
                        path.display()
                    ));
                }
                None
            }
        };
        if earlier.is_none() {
            journal_file::remove(folder)?;
        }
        let mut journal = journal_file::append(folder)?;
        if earlier.is_none() {
            let mut line = serde_json::to_string(compared).expect("text can be written");
            line.push('\n');
            journal
                .write_all(line.as_bytes())
                .with_context(|| format!("cannot write `{}`", path.display()))?;
        }
        Ok(Kept {
            earlier: earlier.unwrap_or_default(),
            journal,
            lock,
        })
    }
}
