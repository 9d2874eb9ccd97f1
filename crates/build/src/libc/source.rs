//! musl's source: Debian's source package of that name, in the cache.

use std::path::PathBuf;
use std::process::Command;

use super::super::cache::Cache;
use super::super::error::Result;
use super::super::toolchain::run;

/// The same script that `make setup` calls: who has only the executables has no other.
const SCRIPT: &str = include_str!("../../../../scripts/fetch-source.sh");

pub fn folder(cache: &Cache) -> PathBuf {
    cache.entry("sources", "musl")
}

/// Fetches it, if it is not there. `announce` is called before that.
pub fn fetch(cache: &Cache, announce: &dyn Fn(&str)) -> Result<()> {
    if folder(cache).join("VERSION").exists() {
        return Ok(());
    }
    announce("fetching the source of musl (Debian's source package of that name)");
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT, "fetch-source.sh", "musl"]);
    shell.env("PARALLAX_CACHE", cache.root());
    run(&mut shell, "fetching musl's source").map(drop)
}
