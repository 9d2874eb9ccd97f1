//! Compiled C sources by content, for the versions of a history: from one commit to the next most files
//! stay as they are.
//!
//! An entry is named by everything that decides a compilation except the files it reads; it lists those,
//! relative to the version's place, with their content hashes. It serves while all of them are unchanged,
//! in whatever folder. Of each source the last few compilations are kept: workers are a few versions apart.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Builder;
use super::cache::{Key, hash_bytes, hash_file};
use super::error::{IoContext, Result};
use super::guest_c::{self, Unit};
use super::libc::Libc;

const KIND: &str = "units";
const KEPT: usize = 8;

#[derive(Serialize, Deserialize)]
struct Entry {
    /// Content hash of the bitcode.
    module: String,
    /// What was read, with content hashes.
    files: Vec<(PathBuf, String)>,
    /// Hash of the names that an `#include` could find instead: a new header before the one that was read makes
    /// another module.
    names: String,
}

/// The variable by which a build in a work folder tells `parallax cc` where that folder is.
pub(super) const PLACE: &str = "PARALLAX_PLACE";

/// The module of one source of a version that lies in `place`, and the files it was made from. The key holds what else
/// decides the compilation.
pub(super) fn compile(
    builder: &Builder,
    place: &Path,
    unit: &Unit,
    mut key: Key,
    libc: &Libc,
    output: PathBuf,
) -> Result<(PathBuf, Vec<PathBuf>)> {
    let inside = unit.folder.strip_prefix(place).unwrap_or(unit.folder);
    key.add_path(inside).add_path(Path::new(unit.source));
    let name = format!("{}.json", key.finish());
    if let Some(found) = find(builder, place, &name) {
        return Ok(found);
    }
    let mut arguments = unit.arguments.to_vec();
    arguments.push(nowhere("-ffile-prefix-map=", place));
    let unit = Unit {
        arguments: &arguments,
        ..*unit
    };
    let read = guest_c::compile(&unit, libc, &builder.tools, &output)?;
    let bytes = std::fs::read(&output).context("read", &output)?;
    let hash = hash_bytes(&bytes);
    let module = builder
        .cache
        .publish_bytes(&bytes, KIND, &format!("{hash}.bc"))?;
    let mut files = Vec::new();
    for path in &read {
        let inside = path.strip_prefix(place).unwrap_or(path);
        files.push((inside.to_owned(), hash_file(path)?));
    }
    let names = includable_names(place, &files);
    let mut entries = entries(builder, &name);
    entries.truncate(KEPT - 1);
    entries.insert(
        0,
        Entry {
            module: hash,
            files,
            names,
        },
    );
    // Who writes at the same time may lose an entry, and compiles once more.
    let json = serde_json::to_vec(&entries).expect("entries are plain data");
    builder.cache.publish_bytes(&json, KIND, &name)?;
    Ok((module, read))
}

/// The flag by which the compiler writes no place into what it makes, in debug information or through `__FILE__`.
pub(super) fn nowhere(flag: &str, place: &Path) -> OsString {
    let mut flag = OsString::from(flag);
    flag.push(place);
    flag.push("=.");
    flag
}

fn find(builder: &Builder, place: &Path, name: &str) -> Option<(PathBuf, Vec<PathBuf>)> {
    let is_current = |(path, hash): &(PathBuf, String)| {
        hash_file(&place.join(path)).is_ok_and(|now| now == *hash)
    };
    entries(builder, name).into_iter().find_map(|entry| {
        let module = builder.cache.entry(KIND, &format!("{}.bc", entry.module));
        let is_usable = module.is_file()
            && entry.files.iter().all(is_current)
            && includable_names(place, &entry.files) == entry.names;
        let read = entry.files.iter().map(|(path, _)| place.join(path));
        is_usable.then(|| (module, read.collect()))
    })
}

/// Hash of all names in a place that look like headers or sources, or are called like a file that was read.
fn includable_names(place: &Path, files: &[(PathBuf, String)]) -> String {
    const KINDS: [&str; 9] = ["h", "H", "hh", "hpp", "hxx", "inc", "inl", "def", "c"];
    let read: HashSet<&OsStr> = files
        .iter()
        .filter_map(|(path, _)| path.file_name())
        .collect();
    let mut names = Vec::new();
    let mut open = vec![place.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.push(path);
                continue;
            }
            let kind = path.extension().and_then(OsStr::to_str).unwrap_or_default();
            let is_read = path.file_name().is_some_and(|name| read.contains(name));
            if is_read || KINDS.contains(&kind) {
                names.push(path);
            }
        }
    }
    names.sort();
    let mut key = Key::new("names");
    for name in names {
        key.add_path(name.strip_prefix(place).unwrap_or(&name));
    }
    key.finish()
}

/// The newest first. A damaged list is simply none.
fn entries(builder: &Builder, name: &str) -> Vec<Entry> {
    std::fs::read(builder.cache.entry(KIND, name))
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default()
}
