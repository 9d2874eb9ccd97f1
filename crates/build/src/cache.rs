//! The cache folder: built things under names made from the content they were built from.
//!
//! Entries appear by atomic rename and are never changed afterwards, so a reader needs no lock and two
//! builders of the same thing at worst do the work twice; long work takes a named lock to avoid that.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::error::{BuildError, IoContext, Result};

/// The folder of a version's files, in an entry that keeps them.
pub(crate) const TREE: &str = "tree";

/// Handle on the cache folder: `$PARALLAX_CACHE`, else `$XDG_CACHE_HOME/parallax`, else
/// `~/.cache/parallax`.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

impl Cache {
    pub fn locate() -> Result<Cache> {
        let set = |name| {
            std::env::var_os(name)
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        let root = set("PARALLAX_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|dir| dir.join("parallax")))
            .or_else(|| set("HOME").map(|dir| dir.join(".cache/parallax")))
            .ok_or(BuildError::NoCacheFolder)?;
        // Absolute, because compilers run in other folders.
        let root = std::path::absolute(&root).context("resolve", &root)?;
        Ok(Cache { root })
    }

    pub fn at(root: impl Into<PathBuf>) -> Cache {
        Cache { root: root.into() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the entry `name` of one kind (`modules`, `images`, …) lives; it may not exist yet.
    pub fn entry(&self, kind: &str, name: &str) -> PathBuf {
        self.root.join(kind).join(name)
    }

    /// A private folder on the cache's own file system, so that results can be renamed into place. It
    /// is removed when dropped; what an interrupted process left is removed here.
    pub fn work_folder(&self) -> Result<WorkFolder> {
        let parent = self.root.join("tmp");
        fs::create_dir_all(&parent).context("create", &parent)?;
        // Whoever holds this lock may take a folder without a lock for an abandoned one.
        let _making = self.lock("tmp")?;
        remove_abandoned(&parent);
        let folder = tempfile::Builder::new()
            .prefix("work-")
            .tempdir_in(&parent)
            .context("create a folder in", &parent)?;
        let lock = File::open(folder.path()).context("open", folder.path())?;
        lock.lock().context("lock", folder.path())?;
        Ok(WorkFolder {
            folder,
            _lock: lock,
        })
    }

    /// Moves a finished file or folder into the cache. If another builder was first, its entry stays.
    pub fn publish(&self, finished: &Path, kind: &str, name: &str) -> Result<PathBuf> {
        let entry = self.entry(kind, name);
        let parent = self.root.join(kind);
        fs::create_dir_all(&parent).context("create", &parent)?;
        match fs::rename(finished, &entry) {
            Ok(()) => Ok(entry),
            Err(_) if entry.is_dir() => Ok(entry),
            Err(source) => Err(BuildError::Io {
                action: "move into place",
                path: entry,
                source,
            }),
        }
    }

    /// Writes bytes as an entry, atomically.
    pub fn publish_bytes(&self, bytes: &[u8], kind: &str, name: &str) -> Result<PathBuf> {
        let parent = self.root.join(kind);
        fs::create_dir_all(&parent).context("create", &parent)?;
        let work = self.work_folder()?;
        let file = work.path().join("new");
        fs::write(&file, bytes).context("write", &file)?;
        let entry = self.entry(kind, name);
        fs::rename(&file, &entry).context("move into place", &entry)?;
        Ok(entry)
    }

    /// Takes the lock of this name; it is released when the returned file is dropped.
    pub fn lock(&self, name: &str) -> Result<File> {
        let (file, path) = self.lock_file(name)?;
        file.lock().context("lock", &path)?;
        Ok(file)
    }

    /// Takes the lock of this name together with others who take it so.
    pub fn lock_shared(&self, name: &str) -> Result<File> {
        let (file, path) = self.lock_file(name)?;
        file.lock_shared().context("lock", &path)?;
        Ok(file)
    }

    /// Takes the lock of this name unless somebody holds it.
    pub fn try_lock(&self, name: &str) -> Result<Option<File>> {
        let (file, path) = self.lock_file(name)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(file)),
            Err(fs::TryLockError::WouldBlock) => Ok(None),
            Err(fs::TryLockError::Error(error)) => Err(error).context("lock", &path),
        }
    }

    fn lock_file(&self, name: &str) -> Result<(File, PathBuf)> {
        let parent = self.root.join("locks");
        fs::create_dir_all(&parent).context("create", &parent)?;
        let path = parent.join(name);
        let file = File::create(&path).context("create", &path)?;
        Ok((file, path))
    }

    /// The content hash of a large file that seldom changes. It is kept by what the file system says of the file, the time of
    /// its last change of any kind included, which nobody can set.
    pub fn hash_of_large_file(&self, path: &Path) -> Result<String> {
        use std::os::unix::fs::MetadataExt;
        const KIND: &str = "file-hashes";
        let data = fs::metadata(path).context("inspect", path)?;
        let mut key = Key::new("file 1");
        for number in [data.dev(), data.ino(), data.len()] {
            key.add(number.to_le_bytes());
        }
        for time in [
            data.mtime(),
            data.mtime_nsec(),
            data.ctime(),
            data.ctime_nsec(),
        ] {
            key.add(time.to_le_bytes());
        }
        let name = key.finish();
        if let Ok(hash) = fs::read_to_string(self.entry(KIND, &name)) {
            return Ok(hash);
        }
        let hash = hash_file(path)?;
        self.publish_bytes(hash.as_bytes(), KIND, &name)?;
        Ok(hash)
    }

    /// Bytes used by all entries.
    pub fn size(&self) -> u64 {
        fn walk(folder: &Path) -> u64 {
            let Ok(entries) = fs::read_dir(folder) else {
                return 0;
            };
            entries
                .flatten()
                .map(|entry| match entry.metadata() {
                    Ok(data) if data.is_dir() => walk(&entry.path()),
                    Ok(data) => data.len(),
                    Err(_) => 0,
                })
                .sum()
        }
        walk(&self.root)
    }
}

/// A folder for unfinished things. Its owner holds a lock on it, which ends with the process, however that
/// ends.
#[derive(Debug)]
pub struct WorkFolder {
    folder: tempfile::TempDir,
    _lock: File,
}

impl WorkFolder {
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the work folders that nobody holds; one that cannot be removed is left for the next time.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let path = entry.path();
        if File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Collects what an entry depends on into its name. Every part is length-prefixed, so no two different
/// lists of parts hash alike.
pub struct Key {
    hasher: blake3::Hasher,
}

impl Key {
    /// `purpose` keeps keys of different kinds apart; raise its number when the meaning changes.
    pub fn new(purpose: &str) -> Key {
        let mut key = Key {
            hasher: blake3::Hasher::new(),
        };
        key.add(purpose);
        key
    }

    pub fn add(&mut self, part: impl AsRef<[u8]>) -> &mut Key {
        let part = part.as_ref();
        self.hasher.update(&(part.len() as u64).to_le_bytes());
        self.hasher.update(part);
        self
    }

    pub fn add_path(&mut self, path: &Path) -> &mut Key {
        self.add(path.as_os_str().as_encoded_bytes())
    }

    /// Identifies a program by its file's size and time: reading a compiler's hundred megabytes at each
    /// start would cost more than the whole build check.
    pub fn add_tool(&mut self, tool: &Path) -> Result<&mut Key> {
        let data = fs::metadata(tool).context("inspect", tool)?;
        self.add(data.len().to_le_bytes());
        let time = std::os::unix::fs::MetadataExt::mtime(&data);
        Ok(self.add(time.to_le_bytes()))
    }

    pub fn finish(&self) -> String {
        short_hex(&self.hasher.finalize())
    }
}

/// The content hash of a file.
pub fn hash_file(path: &Path) -> Result<String> {
    let bytes = fs::read(path).context("read", path)?;
    Ok(hash_bytes(&bytes))
}

pub fn hash_bytes(bytes: &[u8]) -> String {
    short_hex(&blake3::hash(bytes))
}

/// 128 bits are enough to tell builds apart and keep file names readable.
fn short_hex(hash: &blake3::Hash) -> String {
    hash.to_hex()[..32].to_owned()
}
