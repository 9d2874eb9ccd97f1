//! What a finished build read and produced, kept so that the next one can see that nothing changed.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Built;
use super::cache::{Cache, Key, hash_file};
use super::error::Result;
use super::link::Linked;

const KIND: &str = "builds";

/// What a build read.
#[derive(Serialize, Deserialize)]
pub(super) struct Sources {
    /// Files with their content hashes.
    files: Vec<(PathBuf, String)>,
    /// Large programs (a Rust compiler), known by size and time.
    tools: Vec<(PathBuf, String)>,
}

impl Sources {
    pub(super) fn new(mut files: Vec<PathBuf>, tools: Vec<PathBuf>) -> Result<Sources> {
        files.sort();
        files.dedup();
        let hashed = |path: PathBuf| hash_file(&path).map(|hash| (path, hash));
        let identified = |path: PathBuf| tool_identity(&path).map(|identity| (path, identity));
        Ok(Sources {
            files: files.into_iter().map(hashed).collect::<Result<_>>()?,
            tools: tools.into_iter().map(identified).collect::<Result<_>>()?,
        })
    }

    /// Whether everything is still as it was read.
    pub(super) fn is_current(&self) -> bool {
        self.files
            .iter()
            .all(|(path, hash)| hash_file(path).is_ok_and(|now| now == *hash))
            && self
                .tools
                .iter()
                .all(|(path, identity)| tool_identity(path).is_ok_and(|now| now == *identity))
    }
}

#[derive(Serialize, Deserialize)]
pub(super) struct Manifest {
    #[serde(flatten)]
    sources: Sources,
    module: String,
    has_main: bool,
    unresolved: Vec<String>,
    warnings: Vec<String>,
}

impl Manifest {
    pub(super) fn new(
        files: Vec<PathBuf>,
        tools: Vec<PathBuf>,
        module: &str,
        linked: &Linked,
        warnings: &[String],
    ) -> Result<Manifest> {
        Ok(Manifest {
            sources: Sources::new(files, tools)?,
            module: module.to_owned(),
            has_main: linked.has_main,
            unresolved: linked.unresolved.clone(),
            warnings: warnings.to_vec(),
        })
    }

    pub(super) fn store(&self, cache: &Cache, key: &str) -> Result<()> {
        let json = serde_json::to_vec_pretty(self).expect("a manifest is plain data");
        cache
            .publish_bytes(&json, KIND, &format!("{key}.json"))
            .map(drop)
    }
}

/// The result of an earlier build of this key, if every file it read is unchanged. A damaged or missing
/// entry is simply no result.
pub(super) fn find(cache: &Cache, key: &str) -> Option<Built> {
    let record = cache.entry(KIND, &format!("{key}.json"));
    let json = std::fs::read(&record).ok()?;
    let manifest: Manifest = serde_json::from_slice(&json).ok()?;
    let module = cache.entry("modules", &format!("{}.bc", manifest.module));
    if !module.is_file() || !manifest.sources.is_current() {
        return None;
    }
    cache.used(&record);
    cache.used(&module);
    Some(Built {
        module,
        hash: manifest.module,
        has_main: manifest.has_main,
        unresolved: manifest.unresolved,
        warnings: manifest.warnings,
        from_cache: true,
        place: None,
    })
}

fn tool_identity(path: &Path) -> Result<String> {
    Ok(Key::new("tool").add_tool(path)?.finish())
}
