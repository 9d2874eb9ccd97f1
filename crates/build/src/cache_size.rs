//! The cache has a size: what was used least recently is removed when it is larger.
//!
//! Only what a build makes again is removed ([`REMOVABLE`]): an entry that is missing is simply no result. The guest's C library and
//! the sources that it is made from stay, what `parallax cc` has left for programs of the user, and what belongs to revisions of git. Whoever uses
//! an entry sets its time ([`Cache::used`]). What was used within [`IN_USE`] is never removed by size: a process that found an
//! entry goes on to read it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::cache::Cache;
use super::error::{IoContext, Result};

/// The kinds of entries that a build makes again, and whose users notice that one is missing.
pub const REMOVABLE: [&str; 4] = ["builds", "images", "modules", "native"];

/// The most bytes of these, if `PARALLAX_CACHE_SIZE` does not say otherwise.
pub const MOST_BYTES: u64 = 5 << 30;

/// How long a process may hold an entry that it found.
const IN_USE: Duration = Duration::from_secs(60 * 60);

/// How often a build looks at the size.
const LOOKS: Duration = Duration::from_secs(60 * 60);

/// The entries of a kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindSize {
    pub kind: String,
    pub entries: u64,
    pub bytes: u64,
    pub removable: bool,
}

/// What was removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Removed {
    pub entries: u64,
    pub bytes: u64,
}

struct Entry {
    path: PathBuf,
    bytes: u64,
    used: SystemTime,
}

/// The most bytes that the user wants to keep.
pub fn most_bytes() -> u64 {
    let set = std::env::var("PARALLAX_CACHE_SIZE").ok();
    let megabytes: Option<u64> = set.and_then(|text| text.parse().ok());
    megabytes.map_or(MOST_BYTES, |megabytes| megabytes.saturating_mul(1_000_000))
}

impl Cache {
    /// Notes that an entry is used now.
    pub fn used(&self, entry: &Path) {
        // Of no consequence but for what is removed first.
        let _ = File::open(entry).and_then(|file| file.set_modified(SystemTime::now()));
    }

    /// What the cache holds, by kind.
    pub fn by_kind(&self) -> Vec<KindSize> {
        let kinds = fs::read_dir(self.root()).into_iter().flatten().flatten();
        let mut kinds: Vec<String> = kinds
            .filter(|kind| kind.path().is_dir())
            .map(|kind| kind.file_name().to_string_lossy().into_owned())
            .collect();
        kinds.sort();
        let kinds = kinds.into_iter().map(|kind| {
            let entries = self.entries(&kind);
            KindSize {
                entries: entries.len() as u64,
                bytes: entries.iter().map(|entry| entry.bytes).sum(),
                removable: REMOVABLE.contains(&kind.as_str()),
                kind,
            }
        });
        kinds.collect()
    }

    fn entries(&self, kind: &str) -> Vec<Entry> {
        let entries = fs::read_dir(self.root().join(kind));
        let entries = entries.into_iter().flatten().flatten();
        let entries = entries.filter_map(|entry| {
            let data = entry.metadata().ok()?;
            let path = entry.path();
            Some(Entry {
                bytes: match data.is_dir() {
                    true => Cache::at(&path).size(),
                    false => data.len(),
                },
                used: data.modified().ok()?,
                path,
            })
        });
        entries.collect()
    }

    /// Removes what was used least recently until no more than so many bytes are left that can be removed. What was used within
    /// `keep` stays in any case.
    pub fn trim(&self, most: u64, keep: Duration) -> Result<Removed> {
        let _alone = self.lock("trim")?;
        let mut entries: Vec<Entry> = REMOVABLE
            .iter()
            .flat_map(|kind| self.entries(kind))
            .collect();
        entries.sort_by(|one, other| (one.used, &one.path).cmp(&(other.used, &other.path)));
        let mut left: u64 = entries.iter().map(|entry| entry.bytes).sum();
        let mut removed = Removed::default();
        let now = SystemTime::now();
        for entry in entries {
            let is_old = now.duration_since(entry.used).is_ok_and(|ago| ago >= keep);
            if left <= most || !is_old {
                break;
            }
            let gone = match entry.path.is_dir() {
                true => fs::remove_dir_all(&entry.path),
                false => fs::remove_file(&entry.path),
            };
            gone.context("remove", &entry.path)?;
            left -= entry.bytes;
            removed.entries += 1;
            removed.bytes += entry.bytes;
        }
        Ok(removed)
    }

    /// Keeps the cache within its size; looks at it every now and then only.
    pub(super) fn keep_within_size(&self) {
        let mark = self.root().join("locks").join("trimmed");
        let looked = fs::metadata(&mark).and_then(|data| data.modified());
        if looked.is_ok_and(|at| at.elapsed().is_ok_and(|ago| ago < LOOKS)) {
            return;
        }
        // A cache that cannot be written says so elsewhere.
        if fs::create_dir_all(self.root().join("locks")).is_ok()
            && fs::write(&mark, b"").is_ok()
            && let Ok(Some(_)) = self.try_lock("trimming")
        {
            let _ = self.trim(most_bytes(), IN_USE);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(cache: &Cache, kind: &str, name: &str, bytes: usize, age: u64) -> PathBuf {
        let path = cache
            .publish_bytes(&vec![1; bytes], kind, name)
            .expect("an entry");
        let time = SystemTime::now() - Duration::from_secs(age);
        File::open(&path).unwrap().set_modified(time).unwrap();
        path
    }

    #[test]
    fn what_was_used_least_recently_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let day = 24 * 60 * 60;
        let old = put(&cache, "images", "old", 100, 3 * day);
        let older = put(&cache, "modules", "older", 100, 4 * day);
        let fresh = put(&cache, "images", "fresh", 100, 5 * day);
        let libc = put(&cache, "libc", "kept", 1000, 9 * day);
        cache.used(&fresh);
        assert_eq!(cache.trim(300, IN_USE).unwrap(), Removed::default());
        let removed = cache.trim(200, IN_USE).unwrap();
        assert_eq!((removed.entries, removed.bytes), (1, 100));
        assert!(!older.exists() && old.exists() && fresh.exists() && libc.exists());
        // What is in use stays, however small the cache should be.
        let removed = cache.trim(0, IN_USE).unwrap();
        assert_eq!(removed.entries, 1);
        assert!(!old.exists() && fresh.exists() && libc.exists());
        let removed = cache.trim(0, Duration::ZERO).unwrap();
        assert_eq!(removed.entries, 1);
        assert!(!fresh.exists() && libc.exists());
    }

    #[test]
    fn every_kind_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        put(&cache, "images", "one", 7, 0);
        put(&cache, "images", "two", 5, 0);
        let kinds = cache.by_kind();
        let images = kinds.iter().find(|kind| kind.kind == "images").unwrap();
        assert_eq!(
            (images.entries, images.bytes, images.removable),
            (2, 12, true)
        );
    }
}
