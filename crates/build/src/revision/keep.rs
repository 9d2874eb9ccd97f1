//! Versions whose files stay: a folder in the cache for each tree and recipe.
//!
//! A folder is complete when its record is there, which is written last. Who uses one holds a shared lock on it;
//! an incomplete one is begun anew, and of those that nobody uses only the latest stay.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::{Result, Tree, Workshop};
use crate::cache::{Cache, Key, TREE};
use crate::error::IoContext;
use crate::git::Checkout;
use crate::{Builder, Request, rust};

const KIND: &str = "revisions";
const RECORD: &str = "version.json";
/// How many versions stay that nobody uses.
const KEPT: usize = 16;

/// A version with its files. They stay as long as this lives.
#[derive(Debug)]
pub struct KeptVersion {
    /// What to build a module or a native program from.
    pub request: Request,
    /// The name of the program, if the build has made one.
    pub program: Option<String>,
    _lock: File,
}

#[derive(Serialize, Deserialize)]
struct Record {
    /// Relative to the top folder, as all paths here.
    inputs: Vec<PathBuf>,
    place: PathBuf,
    program: Option<String>,
}

impl Workshop<'_> {
    /// The version's files, built as far as the recipe says; `label` is what messages call the version.
    pub fn keep(&self, builder: &Builder, tree: Tree, label: &str) -> Result<KeptVersion> {
        let key = self.key(builder, tree)?;
        let name = Key::new("kept revision 1").add(key).finish();
        let folder = builder.cache.entry(KIND, &name);
        let lock_name = lock_name(&name);
        // Between the two locks somebody may remove what was built.
        loop {
            let lock = builder.cache.lock_shared(&lock_name)?;
            if let Some(record) = read(&folder) {
                touch(&folder);
                remove_oldest(&builder.cache);
                let top = folder.join(TREE);
                let inputs = record.inputs.iter().map(|input| top.join(input));
                return Ok(KeptVersion {
                    request: self.request(inputs.collect(), top.join(&record.place)),
                    program: record.program,
                    _lock: lock,
                });
            }
            drop(lock);
            let _making = builder.cache.lock(&lock_name)?;
            if read(&folder).is_none() {
                (builder.announce)(&format!("building {label}"));
                self.make(builder, tree, &folder)?;
            }
        }
    }

    fn make(&self, builder: &Builder, tree: Tree, folder: &Path) -> Result<()> {
        // An interrupted run may have left files.
        if folder.exists() {
            std::fs::remove_dir_all(folder).context("remove", folder)?;
        }
        std::fs::create_dir_all(folder).context("create", folder)?;
        let checkout = Checkout::new(folder).context("create a folder in", folder)?;
        let prepared = self.prepare(builder, &checkout, tree);
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(error) => {
                // What cannot be removed now is removed by the next try.
                let _ = std::fs::remove_dir_all(folder);
                return Err(error);
            }
        };
        let top = checkout.folder();
        let inside = |path: &Path| path.strip_prefix(top).unwrap_or(path).to_owned();
        let inputs = prepared.request.inputs.iter();
        let record = Record {
            inputs: inputs
                .map(|input| inside(&prepared.place.join(input)))
                .collect(),
            place: inside(&prepared.place),
            program: prepared.program,
        };
        let json = serde_json::to_vec(&record).expect("a record is plain data");
        let new = folder.join("new.json");
        std::fs::write(&new, json).context("write", &new)?;
        let complete = folder.join(RECORD);
        std::fs::rename(&new, &complete).context("move into place", &complete)?;
        Ok(())
    }
}

fn lock_name(name: &str) -> String {
    format!("revision-{name}")
}

fn read(folder: &Path) -> Option<Record> {
    let json = std::fs::read(folder.join(RECORD)).ok()?;
    serde_json::from_slice(&json).ok()
}

/// The record's time is that of the last use.
fn touch(folder: &Path) {
    if let Ok(record) = File::options().append(true).open(folder.join(RECORD)) {
        let _ = record.set_modified(SystemTime::now());
    }
}

/// What cannot be removed now may be removed by the next run.
fn remove_oldest(cache: &Cache) {
    let mut versions: Vec<(SystemTime, PathBuf)> = Vec::new();
    let entries = std::fs::read_dir(cache.root().join(KIND));
    for entry in entries.into_iter().flatten().flatten() {
        let path = entry.path();
        let used = std::fs::metadata(path.join(RECORD)).and_then(|data| data.modified());
        if let Ok(used) = used {
            versions.push((used, path));
        }
    }
    versions.sort();
    let surplus = versions.len().saturating_sub(KEPT);
    for (_, folder) in &versions[..surplus] {
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        if let Ok(Some(_lock)) = cache.try_lock(&lock_name(&name)) {
            let place = read(folder).map(|record| folder.join(TREE).join(record.place));
            let package = place.and_then(|place| place.canonicalize().ok());
            // Without its record it is incomplete, whatever happens then.
            let _ = std::fs::remove_file(folder.join(RECORD));
            let _ = std::fs::remove_dir_all(folder);
            if let Some(package) = package {
                // What cargo has built of it, if it was a package.
                let guest = cache.entry("cargo", &rust::guest_target(&package));
                let native = cache.entry("cargo-native", &rust::native_target(&package));
                let _ = std::fs::remove_dir_all(guest);
                let _ = std::fs::remove_dir_all(native);
            }
        }
    }
}
