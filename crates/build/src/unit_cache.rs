//! Compiled C sources by content, for the versions of a history: from one commit to the next most files
//! stay as they are.
//!
//! An entry is named by everything that decides a compilation except the files it reads; it lists those,
//! relative to the version's folder, with their content hashes. It serves while all of them are unchanged,
//! in whatever folder. Of each source the last few compilations are kept: workers are a few versions apart.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::cache::{Key, hash_bytes, hash_file};
use super::error::{IoContext, Result};
use super::guest_c::{self, Unit};
use super::libc::Libc;
use super::{Builder, Request};

const KIND: &str = "units";
const KEPT: usize = 8;

#[derive(Serialize, Deserialize)]
struct Entry {
    /// Content hash of the bitcode.
    module: String,
    /// What was read, with content hashes.
    files: Vec<(PathBuf, String)>,
}

/// The module of one source of a version that lies in `folder`, and the files it was made from.
pub(super) fn compile(
    builder: &Builder,
    request: &Request,
    folder: &Path,
    source: &Path,
    libc: &Libc,
    output: PathBuf,
) -> Result<(PathBuf, Vec<PathBuf>)> {
    let mut key = Key::new("unit 2");
    builder.add_surroundings(&mut key, request, libc)?;
    let name = format!("{}.json", key.add_path(source).finish());
    if let Some(found) = find(builder, folder, &name) {
        return Ok(found);
    }
    // The compiler must write no place into the module, in debug information or through `__FILE__`.
    let mut nowhere = OsString::from("-ffile-prefix-map=");
    nowhere.push(folder);
    nowhere.push("=.");
    let mut arguments = request.compiler_arguments.clone();
    arguments.extend([nowhere, OsString::from("-ffile-compilation-dir=.")]);
    let unit = Unit {
        folder,
        source: source.as_os_str(),
        arguments: &arguments,
        stdin: None,
    };
    let read = guest_c::compile(&unit, libc, &builder.tools, &output)?;
    let bytes = std::fs::read(&output).context("read", &output)?;
    let hash = hash_bytes(&bytes);
    let module = builder
        .cache
        .publish_bytes(&bytes, KIND, &format!("{hash}.bc"))?;
    let mut files = Vec::new();
    for path in &read {
        let inside = path.strip_prefix(folder).unwrap_or(path);
        files.push((inside.to_owned(), hash_file(path)?));
    }
    let mut entries = entries(builder, &name);
    entries.truncate(KEPT - 1);
    entries.insert(
        0,
        Entry {
            module: hash,
            files,
        },
    );
    // Who writes at the same time may lose an entry, and compiles once more.
    let json = serde_json::to_vec(&entries).expect("entries are plain data");
    builder.cache.publish_bytes(&json, KIND, &name)?;
    Ok((module, read))
}

fn find(builder: &Builder, folder: &Path, name: &str) -> Option<(PathBuf, Vec<PathBuf>)> {
    let is_current = |(path, hash): &(PathBuf, String)| {
        hash_file(&folder.join(path)).is_ok_and(|now| now == *hash)
    };
    entries(builder, name).into_iter().find_map(|entry| {
        let module = builder.cache.entry(KIND, &format!("{}.bc", entry.module));
        let is_usable = module.is_file() && entry.files.iter().all(is_current);
        let read = entry.files.iter().map(|(path, _)| folder.join(path));
        is_usable.then(|| (module, read.collect()))
    })
}

/// The newest first. A damaged list is simply none.
fn entries(builder: &Builder, name: &str) -> Vec<Entry> {
    std::fs::read(builder.cache.entry(KIND, name))
        .ok()
        .and_then(|json| serde_json::from_slice(&json).ok())
        .unwrap_or_default()
}
