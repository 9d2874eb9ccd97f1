//! `parallax-accepted.toml`: differences that people want, by their fingerprints.
//!
//! ```toml
//! [[accepted]]
//! fingerprint = "3f2a09c1b2d3"
//! what = "standard output differs on prog 12"   # to be recognised by; nobody reads it again
//! reason = "prices changed in March"
//! author = "Ada"
//! date = "2026-11-19"
//! ```
//!
//! What people write into the file besides (comments, their own order) stays.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use compare::confirm::Acceptance;
use native::bounded;
use report::review::Reviewed;
use serde::Deserialize;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::new_file::NewFile;

const NAME: &str = "parallax-accepted.toml";
const MOST_BYTES: u64 = 16 << 20;
const TABLES: &str = "accepted";

/// Where accepted differences are listed.
#[derive(Args, Debug)]
pub(crate) struct AcceptedOptions {
    /// The differences that are accepted, as `parallax review` writes them [default: parallax-accepted.toml in this folder, if it is
    /// there]
    #[arg(long, value_name = "FILE")]
    accepted: Option<PathBuf>,
}

impl AcceptedOptions {
    /// What is accepted. A file that was asked for must be there.
    pub(crate) fn read(&self) -> anyhow::Result<BTreeMap<String, Acceptance>> {
        if let Some(path) = &self.accepted
            && !path.exists()
        {
            bail!(
                "there is no file `{}`; `parallax review … --accepted {}` makes it",
                path.display(),
                path.display()
            );
        }
        Ok(self.file()?.entries)
    }

    /// The file, which need not be there yet.
    pub(crate) fn file(&self) -> anyhow::Result<AcceptedFile> {
        let path = self.accepted.as_deref().unwrap_or(Path::new(NAME));
        AcceptedFile::read(path)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(default)]
    accepted: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    fingerprint: String,
    #[serde(rename = "what")]
    _what: Option<String>,
    reason: String,
    #[serde(default)]
    author: String,
    #[serde(default)]
    date: String,
}

/// The file as it is, and what it says.
pub(crate) struct AcceptedFile {
    path: PathBuf,
    document: DocumentMut,
    entries: BTreeMap<String, Acceptance>,
}

impl AcceptedFile {
    fn read(path: &Path) -> anyhow::Result<AcceptedFile> {
        let fail = || format!("cannot read `{}`", path.display());
        let text = match bounded::read(path, MOST_BYTES) {
            Ok(bytes) => String::from_utf8(bytes).with_context(fail)?,
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error).with_context(fail),
        };
        // Both name the line and the column of what is wrong.
        let content: Content = toml::from_str(&text).with_context(fail)?;
        let document: DocumentMut = text.parse().with_context(fail)?;
        let mut entries = BTreeMap::new();
        for entry in content.accepted {
            let acceptance = Acceptance {
                reason: entry.reason,
                author: entry.author,
                date: entry.date,
            };
            if entries
                .insert(entry.fingerprint.clone(), acceptance)
                .is_some()
            {
                bail!(
                    "`{}` accepts {} twice; leave one of the two out",
                    path.display(),
                    entry.fingerprint
                );
            }
        }
        Ok(AcceptedFile {
            path: path.to_owned(),
            document,
            entries,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn entries(&self) -> &BTreeMap<String, Acceptance> {
        &self.entries
    }

    /// Accepts a difference, and writes the file. One that was accepted before gets the new reason.
    pub(crate) fn accept(&mut self, of: &Reviewed, acceptance: Acceptance) -> anyhow::Result<()> {
        self.take_out(&of.fingerprint);
        let mut table = Table::new();
        table["fingerprint"] = value(&of.fingerprint);
        table["what"] = value(&of.what);
        table["reason"] = value(&acceptance.reason);
        table["author"] = value(&acceptance.author);
        table["date"] = value(&acceptance.date);
        let tables = self.document.entry(TABLES);
        let tables = tables.or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
        match tables.as_array_of_tables_mut() {
            Some(tables) => tables.push(table),
            None => bail!(
                "`{}` has `{TABLES}` in another form than [[{TABLES}]]; write it so, and nothing of it is lost",
                self.path.display()
            ),
        }
        self.entries.insert(of.fingerprint.clone(), acceptance);
        self.write()
    }

    /// Takes an acceptance back, and writes the file.
    pub(crate) fn forget(&mut self, fingerprint: &str) -> anyhow::Result<()> {
        self.take_out(fingerprint);
        self.entries.remove(fingerprint);
        self.write()
    }

    fn take_out(&mut self, fingerprint: &str) {
        let tables = self.document.get_mut(TABLES);
        if let Some(tables) = tables.and_then(Item::as_array_of_tables_mut) {
            tables.retain(|table| {
                let own = table.get("fingerprint").and_then(Item::as_str);
                own != Some(fingerprint)
            });
        }
    }

    fn write(&self) -> anyhow::Result<()> {
        NewFile::at(&self.path)?.write(&self.document.to_string())
    }
}
