//! What `parallax-box` is told, and what it answers. Both are files in a folder that only Parallax knows.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::level::Level;

/// A program and everything that it is given.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    #[serde(with = "path")]
    pub executable: PathBuf,
    /// The first is the program's own name.
    pub arguments: Vec<Vec<u8>>,
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// By path relative to the working folder; each part is an ordinary name.
    #[serde(with = "files")]
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// A file outside the working folder that can be read, and the variable that holds its path.
    pub variables: Option<(String, Vec<u8>)>,
    /// Shared libraries are looked for where the executable says. Here they need not be for everybody to read.
    #[serde(with = "paths")]
    pub own_folders: Vec<PathBuf>,
    /// Folders of the host that are there too, under their own names, for a build.
    pub folders: Option<Folders>,
    pub limits: Limits,
}

/// What a build needs of the host: it works in the host's folders, not in one in memory. Only [`Level::Namespaces`] can give it that.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Folders {
    /// Where it starts; one of those below, or in one.
    #[serde(with = "path")]
    pub working: PathBuf,
    /// A folder that it can write, and the name of another that it is shown under.
    pub instead: Option<(Vec<u8>, Vec<u8>)>,
    /// Files and folders that it can read.
    #[serde(with = "paths")]
    pub read: Vec<PathBuf>,
    /// Folders that it can write. They must belong to who runs it ([`crate::Owned`] sees to that).
    #[serde(with = "paths")]
    pub write: Vec<PathBuf>,
}

/// What a run may use up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Of all its processes together: their pages, the tables of these, and what they share. It is looked at every 20 ms.
    pub memory_bytes: u64,
    pub processes: u64,
    /// Open files and sockets of all its processes together. The buffers of sockets are memory that is nowhere counted.
    pub descriptors: u64,
    /// Of the working folder and `/tmp` together.
    pub folder_bytes: u64,
    pub folder_files: u64,
    /// Of one file.
    pub file_bytes: u64,
}

impl Limits {
    pub(crate) const UNLIMITED: Limits = Limits {
        memory_bytes: u64::MAX,
        processes: u64::MAX >> 1,
        descriptors: u64::MAX,
        folder_bytes: u64::MAX >> 1,
        folder_files: u64::MAX,
        file_bytes: u64::MAX,
    };
}

impl Limits {
    /// For a build, which is larger than a run, and still ends somewhere.
    pub const OF_BUILDS: Limits = Limits {
        memory_bytes: 16 << 30,
        processes: 2048,
        descriptors: 65_536,
        folder_bytes: 4 << 30,
        folder_files: 1_000_000,
        file_bytes: 1 << 30,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory_bytes: 2 << 30,
            processes: 128,
            descriptors: 4096,
            folder_bytes: 256 << 20,
            folder_files: 20_000,
            file_bytes: 128 << 20,
        }
    }
}

/// Where the launcher finds its request and leaves its report.
#[derive(Debug)]
pub struct BoxFolder {
    pub(crate) folder: tempfile::TempDir,
}

pub(crate) const REQUEST: &str = "request";
pub(crate) const REPORT: &str = "report";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) level: Level,
    /// The process that asks; if it is not the launcher's parent any more, nothing is run.
    pub(crate) asked_by: u32,
    pub(crate) program: Program,
    /// Shared libraries that it needs and that are not in the system's folders.
    #[serde(with = "paths")]
    pub(crate) libraries: Vec<PathBuf>,
}

/// A limit that ended a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Limit {
    Memory,
    Processes,
    Descriptors,
    Folder,
}

impl Limit {
    pub fn describe_for_a_build(self) -> &'static str {
        match self {
            Limit::Memory => "more memory than a build may use in a sandbox",
            Limit::Processes => "more processes than a build may start in a sandbox",
            Limit::Descriptors => "more open files and sockets than a build may have in a sandbox",
            Limit::Folder => "more files, or larger ones, than a build may write in a sandbox",
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            Limit::Memory => "more memory than a native run may use",
            Limit::Processes => "more processes than a native run may start",
            Limit::Descriptors => "more open files and sockets than a native run may have",
            Limit::Folder => "more files, or larger ones, than a native run may write",
        }
    }
}

/// How a program ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// It used up more than it may.
    Limit(Limit),
    /// It was told to stop.
    Stopped,
}

/// What became of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum LauncherReport {
    Ran {
        end: End,
        /// Regular files of the working folder at the end, by relative path.
        #[serde(with = "files")]
        files: BTreeMap<PathBuf, Vec<u8>>,
        /// Their modes, in this order.
        modes: Vec<u32>,
    },
    /// The walls could not be built, and nothing was run; what was tried and why it failed.
    NoWalls(String),
    /// The walls stood, but the program could not be started.
    NotStarted(String),
}

/// Paths are bytes: `serde` knows only those that are text.
mod path {
    use std::ffi::OsString;
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().as_bytes().serialize(serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<PathBuf, D::Error> {
        Ok(from(Vec::deserialize(deserializer)?))
    }

    pub(super) fn from(bytes: Vec<u8>) -> PathBuf {
        OsString::from_vec(bytes).into()
    }

    pub(super) fn bytes(path: &Path) -> &[u8] {
        path.as_os_str().as_bytes()
    }
}

mod paths {
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::path::{bytes, from};

    pub(super) fn serialize<S: Serializer>(
        paths: &[PathBuf],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let all: Vec<&[u8]> = paths.iter().map(|path| bytes(path)).collect();
        all.serialize(serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let all: Vec<Vec<u8>> = Vec::deserialize(deserializer)?;
        Ok(all.into_iter().map(from).collect())
    }
}

mod files {
    use std::collections::BTreeMap;
    use std::path::PathBuf;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::path::{bytes, from};

    pub(super) fn serialize<S: Serializer>(
        files: &BTreeMap<PathBuf, Vec<u8>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let all: Vec<(&[u8], &[u8])> = files
            .iter()
            .map(|(name, content)| (bytes(name), content.as_slice()))
            .collect();
        all.serialize(serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(
        deserializer: D,
    ) -> Result<BTreeMap<PathBuf, Vec<u8>>, D::Error> {
        let all: Vec<(Vec<u8>, Vec<u8>)> = Vec::deserialize(deserializer)?;
        Ok(all
            .into_iter()
            .map(|(name, content)| (from(name), content))
            .collect())
    }
}
